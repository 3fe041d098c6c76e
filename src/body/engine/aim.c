/* SPDX-License-Identifier: MIT */
/* The aim of a body: the farthest point of its way that its disc sees. So it walks straight lines from bend to bend,
 * and needs no search of its own. */
#include "body/engine/state.h"

enum {
    LOOK_AGAIN = 8,
    AHEAD = 32,
    BESIDE_SEAMS = 4 ///< cells of a straight way after which it is looked at, where a seam may end the sight
};

/* Returns whether a disc sees the middle of a cell, and not that of one above or below it.
 * @param place   of the cell, as the body sees it */
static bool sees_cell(wend__body_land *floor, const wend__body *body, wend_cell place, wend_cell cell) {
    if (floor->ground->sheets && !wend__same_cell(wend__floor_cell(floor, place.x, place.y), cell)) return false;
    return wend__floor_sees(floor, body->at, wend__body_middle(body, place), body->radius);
}

int32_t wend__body_last_seen(wend__bodies *bodies, const wend__body *body, const wend_cell *cells, uint32_t count,
                             wend__vec *seen) {
    wend__body_land *floor = wend__body_floor(bodies, body);
    int32_t last = -1;
    wend_cell here = wend__body_cell(body), before = here, step = {0, 0, 0}; /* here: as the body sees it */
    wend_cell first = here;
    uint32_t k = 0;
    for (; k < count; k++) {
        const wend_cell next = wend__body_steps(bodies, before, cells[k]);
        const bool bends = k > 0 && !wend__same_cell(next, step);
        if (bends || (bodies->sheets && k > 0 && k % BESIDE_SEAMS == 0)) {
            if (!sees_cell(floor, body, here, before)) {
                if (last >= 0 || !bodies->sheets) return last;
                break;
            }
            last = (int32_t)k - 1, *seen = wend__body_middle(body, here);
        }
        step = next;
        here = (wend_cell){here.x + next.x, here.y + next.y, 0};
        before = cells[k];
        if (k == 0) first = here;
    }
    if (k == count && count > 0 && sees_cell(floor, body, here, before))
        last = (int32_t)count - 1, *seen = wend__body_middle(body, here);
    if (last < 0 && count > 0 && sees_cell(floor, body, first, cells[0]))
        last = 0, *seen = wend__body_middle(body, first);
    return last;
}

bool wend__body_aims_at_goal(wend__bodies *bodies, const wend__body *body) {
    const wend__vec goal = wend__body_goal(bodies, body);
    if (body->aim.x != goal.x || body->aim.y != goal.y) return false;
    if (WEND__LIKELY(!bodies->sheets)) return true;
    const wend_cell seen = wend__body_cell_seen(bodies, body, wend__body_cell_at(body, goal));
    return wend__same_cell(seen, wend__body_cell_at(body, body->goal));
}

void wend__body_take_aim(wend__bodies *bodies, uint32_t index) {
    wend__body *body = &bodies->of[index];
    wend_cell cells[AHEAD];
    body->aim_age = LOOK_AGAIN + (int32_t)(index & 3);
    body->aim = wend__body_seen(bodies, body->at, body->goal);
    if (!bodies->sheets) body->goal = body->aim;
    if (wend__body_aims_at_goal(bodies, body) &&
        wend__floor_sees(wend__body_floor(bodies, body), body->at, body->aim, body->radius))
        return;
    const uint32_t count = bodies->world.way(bodies->world.context, index, 0, cells, AHEAD);
    body->aim = wend__body_middle(body, wend__body_cell(body));
    (void)wend__body_last_seen(bodies, body, cells, count, &body->aim);
}
