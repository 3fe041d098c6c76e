/* SPDX-License-Identifier: MIT */
/* The aim of a body: the farthest point of its way that its disc sees. So it walks straight lines from bend to bend,
 * and needs no search of its own. */
#include "body/engine/state.h"

enum { LOOK_AGAIN = 8, AHEAD = 32 };

int32_t wend__body_last_seen(wend__body_land *floor, const wend__body *body, const wend_cell *cells, uint32_t count) {
    int32_t seen = -1;
    wend_cell before = wend__body_cell(body), step = {0, 0, 0};
    for (uint32_t k = 0; k < count; k++) {
        const wend_cell next = {cells[k].x - before.x, cells[k].y - before.y, 0};
        if (k > 0 && !wend__same_cell(next, step)) { /* a bend */
            if (!wend__floor_sees(floor, body->at, wend__body_middle(body, before), body->radius)) return seen;
            seen = (int32_t)k - 1;
        }
        step = next;
        before = cells[k];
    }
    if (count > 0 && wend__floor_sees(floor, body->at, wend__body_middle(body, before), body->radius))
        seen = (int32_t)count - 1;
    if (seen < 0 && count > 0 && wend__floor_sees(floor, body->at, wend__body_middle(body, cells[0]), body->radius))
        return 0;
    return seen;
}

void wend__body_take_aim(wend__bodies *bodies, uint32_t index) {
    wend__body *body = &bodies->of[index];
    wend__body_land *floor = wend__body_floor(bodies, body);
    wend_cell cells[AHEAD];
    body->aim_age = LOOK_AGAIN + (int32_t)(index & 3);
    body->aim = body->goal;
    if (wend__floor_sees(floor, body->at, body->goal, body->radius)) return;
    const uint32_t count = bodies->world.way(bodies->world.context, index, 0, cells, AHEAD);
    const int32_t seen = wend__body_last_seen(floor, body, cells, count);
    body->aim = wend__body_middle(body, seen >= 0 ? cells[seen] : wend__body_cell(body));
}
