/* SPDX-License-Identifier: MIT */
/* Assertions, in debug builds, of all that must hold after each update. */
#include "body/engine/state.h"

#ifdef WEND_DEBUG
enum { ROUNDED = 6 }; ///< discs that no body is are kept so much farther off

/* A wall may have been built over a body since: it moves only out of it. */
static bool is_free_of_walls(wend__bodies *bodies, const wend__body *body) {
    if (body->in_wall || (!body->velocity.x && !body->velocity.y)) return true;
    return wend__floor_fits(wend__body_floor(bodies, body), body->at, body->radius);
}

void wend__bodies_validate(wend__bodies *bodies) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < bodies->used; i++) {
        const wend__body *body = &bodies->of[i];
        if (body->state == WEND__BODY_NONE) continue;
        count++;
        WEND__ASSERT(wend__vec_dot(body->velocity, body->velocity) <= (int64_t)body->speed * body->speed);
        WEND__ASSERT(wend__body_touches(bodies, i, body->at, (wend__vec){0, 0}, body->radius) < 0);
        WEND__ASSERT(wend__body_touches(bodies, i, body->at, (wend__vec){0, 0}, body->radius - ROUNDED) == -1);
        WEND__ASSERT(is_free_of_walls(bodies, body));
        WEND__ASSERT(body->passed <= body->reserved);
    }
    WEND__ASSERT(count == bodies->count);
}
#else
void wend__bodies_validate(wend__bodies *bodies) {
    (void)bodies;
}
#endif
