/* SPDX-License-Identifier: MIT */
/* The point of a place to which a tight disc goes. In open ground that is the foot of the middle on the disc's line, as
 * far as no other agent holds a cell on that side. A disc that waits, or is strict, stands in the middle. */
#include "agents/update/agents.h"

#include "agents/plan/path.h"

enum {
    ONE = WEND_BODY_UNITS,
    ROUNDED = ONE / 16 ///< a foot this far outside of the place counts as in it
};

static bool is_held(const wend_crowd *crowd, uint32_t index, wend_cell cell) {
    if (!wend__map_has(crowd->def.map, cell)) return true;
    const int32_t holder = wend__traffic_holder(crowd->traffic, cell);
    return holder >= 0 && holder != (int32_t)index;
}

/* Returns whether another agent holds one of the three cells on a side of a place, of which those off the map count
 * only straight ahead. */
static bool is_side_held(const wend_crowd *crowd, uint32_t index, wend_cell at, int32_t dx, int32_t dy) {
    if (is_held(crowd, index, (wend_cell){at.x + dx, at.y + dy, 0})) return true;
    for (int32_t k = -1; k <= 1; k += 2) {
        const wend_cell cell = {at.x + dx + (dx ? 0 : k), at.y + dy + (dy ? 0 : k), 0};
        if (wend__map_has(crowd->def.map, cell) && is_held(crowd, index, cell)) return true;
    }
    return false;
}

/* Returns a distance along an axis as far as the cells on that side are free.
 * @param slack   distance within which the disc reaches into none of them */
static int32_t limit(const wend_crowd *crowd, uint32_t index, int32_t by, int32_t slack, bool along_x) {
    const int32_t side = by < 0 ? -1 : 1, far = by * side;
    const wend_cell at = crowd->in_traffic[index].at;
    const bool held = far > slack && is_side_held(crowd, index, at, along_x ? side : 0, along_x ? 0 : side);
    return side * wend__least(far, held ? slack : WEND__BODY_LEANS);
}

wend__vec wend__bodies_post(const wend_bodies *bodies, uint32_t index) {
    const wend_crowd *crowd = bodies->crowd;
    const wend__body *body = wend__bodies_get(bodies->engine, index);
    const wend__vec middle = wend__middle_of(crowd->in_traffic[index].at);
    const int32_t slack = wend__most(0, ONE / 2 - body->radius);
    wend__vec foot = middle;
    if (crowd->phase[index] != WEND__PHASE_STEPPING || body->strict || body->turning > 0) return middle;
    if (!wend__bodies_lean(bodies->engine, index)) return middle;
    if (!wend__line_point(crowd, index, crowd->in_traffic[index].at, &foot)) return middle;
    const wend__vec by = wend__minus(foot, middle);
    if (wend__distance(by.x, 0) > ONE / 2 + ROUNDED || wend__distance(by.y, 0) > ONE / 2 + ROUNDED) return middle;
    return (wend__vec){middle.x + limit(crowd, index, by.x, slack, true),
                       middle.y + limit(crowd, index, by.y, slack, false)};
}
