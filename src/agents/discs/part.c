/* SPDX-License-Identifier: MIT */
/* How discs part that the host has put so that they overlap. */
#include "agents/discs/state.h"

enum { ONE = WEND__BODY_ONE };

bool wend__body_part(wend__bodies *bodies, uint32_t index, const wend__near_bodies *near, wend__vec *velocity) {
    wend__body *body = &bodies->of[index];
    wend__vec away = {0, 0};
    body->pressed = 0;
    for (uint32_t k = 0; k < near->count; k++) {
        const wend__near_body *n = &near->of[k];
        const int64_t reach = (int64_t)body->radius + n->radius;
        if (n->index < 0 || n->apart >= reach * reach) continue;
        body->pressed = 1;
        away = wend__minus(away, wend__scaled(n->off, ONE, wend__most(1, wend__length(n->off))));
    }
    const int32_t speed = body->parked ? 0 : wend__least(body->speed, WEND__BODY_THERE);
    *velocity = wend__scaled(away, speed, wend__length(away));
    return body->pressed;
}
