/* SPDX-License-Identifier: MIT */
/* The aim of a body: the farthest point of its way that its disc sees. So it walks straight lines from bend to bend,
 * and needs no search of its own. */
#include "body/engine/state.h"

enum { LOOK_AGAIN = 8, AHEAD = 32 };

int32_t wend__body_last_seen(wend__bodies *bodies, const wend__body *body, const wend_cell *cells, uint32_t count,
                             wend__vec *seen) {
    wend__body_land *floor = wend__body_floor(bodies, body);
    int32_t last = -1;
    wend_cell here = wend__body_cell(body), before = here, step = {0, 0, 0}; /* here: as the body sees it */
    wend__vec first = body->at, to;
    for (uint32_t k = 0; k < count; k++) {
        const wend_cell next = wend__body_steps(bodies, before, cells[k]);
        to = wend__body_middle(body, here);
        if (k > 0 && !wend__same_cell(next, step)) { /* a bend */
            if (!wend__floor_sees(floor, body->at, to, body->radius)) return last;
            last = (int32_t)k - 1, *seen = to;
        }
        step = next;
        here = (wend_cell){here.x + next.x, here.y + next.y, 0};
        before = cells[k];
        if (k == 0) first = wend__body_middle(body, here);
    }
    to = wend__body_middle(body, here);
    if (count > 0 && wend__floor_sees(floor, body->at, to, body->radius)) last = (int32_t)count - 1, *seen = to;
    if (last < 0 && count > 0 && wend__floor_sees(floor, body->at, first, body->radius)) last = 0, *seen = first;
    return last;
}

void wend__body_take_aim(wend__bodies *bodies, uint32_t index) {
    wend__body *body = &bodies->of[index];
    wend_cell cells[AHEAD];
    body->aim_age = LOOK_AGAIN + (int32_t)(index & 3);
    body->aim = body->goal = wend__body_seen(bodies, body->at, body->goal);
    if (wend__floor_sees(wend__body_floor(bodies, body), body->at, body->goal, body->radius)) return;
    const uint32_t count = bodies->world.way(bodies->world.context, index, 0, cells, AHEAD);
    body->aim = wend__body_middle(body, wend__body_cell(body));
    (void)wend__body_last_seen(bodies, body, cells, count, &body->aim);
}
