/* SPDX-License-Identifier: MIT */
/* The point of a place to which a disc goes. In open ground that is the foot of the middle on the disc's line, as
 * far as no other agent holds a cell on that side. A disc that waits, or is strict, stands in the middle. */
#include "agents/update/agents.h"

#include "agents/plan/path.h"
#include "map/ground/ground.h"
#include "map/movers/views.h"
#include "map/version/version.h"

enum {
    ONE = WEND_BODY_UNITS,
    ROUNDED = ONE / 16 ///< a foot this far outside of the place counts as in it
};

/* Finds a cell next to a place, off its own cell by some cells. Returns false if it is off the map. Large movers see
 * nothing over rims and seams. */
static bool find_cell(const wend_bodies *bodies, uint32_t index, int32_t x, int32_t y, wend_cell *cell) {
    const wend__traffic_agent *in_traffic = &bodies->crowd->in_traffic[index];
    const wend__version *view = wend__version_view(bodies->version, in_traffic->mover);
    if (in_traffic->size == 1) return wend__find_beside(view, in_traffic->at, x, y, cell);
    *cell = (wend_cell){in_traffic->at.x + x, in_traffic->at.y + y, 0};
    return wend__on_map(view, cell->x, cell->y);
}

/* Returns whether another agent holds one of the cells on a side of a place or at the ends of that side, of which those
 * off the map count only beside the place. */
static bool is_side_held(const wend_bodies *bodies, uint32_t index, int32_t dx, int32_t dy) {
    const int32_t size = bodies->crowd->in_traffic[index].size;
    for (int32_t k = -1; k <= size; k++) {
        const int32_t x = dx > 0 ? size : dx < 0 ? -1 : k, y = dy > 0 ? size : dy < 0 ? -1 : k;
        wend_cell cell;
        const bool on_map = find_cell(bodies, index, x, y, &cell);
        const int32_t holder = on_map ? wend__traffic_holder(bodies->crowd->traffic, cell) : WEND__NO_AGENT;
        if (on_map ? holder >= 0 && holder != (int32_t)index : k >= 0 && k < size) return true;
    }
    return false;
}

/* Returns a distance along an axis as far as the cells on that side are free.
 * @param slack   distance within which the disc reaches into none of them */
static int32_t limit(const wend_bodies *bodies, uint32_t index, int32_t by, int32_t slack, bool along_x) {
    const int32_t side = by < 0 ? -1 : 1, far = wend__least(by * side, WEND__BODY_LEANS);
    const bool held = far > slack && is_side_held(bodies, index, along_x ? side : 0, along_x ? 0 : side);
    return side * (held ? slack : far);
}

wend__vec wend__bodies_post(const wend_bodies *bodies, uint32_t index) {
    const wend_crowd *crowd = bodies->crowd;
    const wend__body *body = wend__bodies_get(bodies->engine, index);
    const wend__vec middle = wend__body_middle(body, crowd->in_traffic[index].at);
    const int32_t slack = wend__most(0, wend__body_slack(body));
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const bool at_rest = wend__same_cell(in_traffic->from, in_traffic->at);
    wend__vec by;
    if (at_rest && (in_traffic->parked || in_traffic->steered)) return body->post; /* where the host has put it */
    if (crowd->phase[index] != WEND__PHASE_STEPPING || body->strict || body->turning > 0) return middle;
    if (!wend__bodies_lean(bodies->engine, index)) return middle;
    if (!wend__line_foot(crowd, index, middle, &by)) return middle;
    if (wend__distance(by.x, 0) > ONE / 2 + ROUNDED || wend__distance(by.y, 0) > ONE / 2 + ROUNDED) return middle;
    return (wend__vec){middle.x + limit(bodies, index, by.x, slack, true),
                       middle.y + limit(bodies, index, by.y, slack, false)};
}
