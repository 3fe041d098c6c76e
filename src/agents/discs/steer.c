/* SPDX-License-Identifier: MIT */
/* Steering chooses, from some headings, the one whose free way ends nearest to the aim. Neighbours are predicted to go
 * on as they do (velocity obstacles; Fiorini, Shiller 1998). The side of the last way round another body costs less. */
#include "agents/discs/state.h"

enum { ONE = WEND__BODY_ONE, HEADINGS = 13, TIME = 256, CLOSE = ONE / 64, OTHER_SIDE = 200 };

/* Cosines and sines of 0, and about 12, 24, 37, 52, 70 and 90 degrees, to each side. */
static const int32_t cosines[] = {16384, 16026, 14968, 13085, 10087, 5604, 0};
static const int32_t sines[] = {0, 3406, 6664, 9860, 12911, 15396, 16384};

int32_t wend__body_meets(const wend__near_body *n, int32_t radius, wend__vec velocity, int32_t until) {
    const wend__vec u = wend__minus(velocity, n->velocity);
    const int64_t along = wend__vec_dot(n->off, u);
    if (along <= 0) return until;
    const int64_t uu = wend__vec_dot(u, u);
    const int32_t x = n->off.x >> 4, y = n->off.y >> 4; /* 1/1024, so that squares of squares fit */
    const int64_t apart = (int64_t)x * x + (int64_t)y * y;
    int32_t reach = (radius + n->radius + WEND__BODY_SKIN) >> 4;
    if ((int64_t)reach * reach >= apart) reach = (radius + n->radius + 15) >> 4; /* the rest of the skin may go */
    if ((int64_t)reach * reach >= apart) reach = wend__most(1, (int32_t)wend__root((uint64_t)apart) - 1);
    const int64_t cross = (int64_t)x * u.y - (int64_t)y * u.x;
    const int64_t inside = (int64_t)reach * reach * uu - cross * cross;
    if (inside <= 0) return until; /* the discs pass each other */
    const int64_t beyond = (along >> 4) - ((until * uu) >> 12);
    if (beyond > 0 && inside <= beyond * beyond) return until;
    const int64_t way = (along >> 4) - (int64_t)wend__root((uint64_t)inside);
    const int64_t time = way <= 0 ? 0 : (way << 12) / uu;
    return time < until ? (int32_t)time : until;
}

/* Returns the time until a disc meets the first of its neighbours. Those behind it keep their distance themselves. */
static int32_t first_meeting(const wend__near_bodies *near, int32_t radius, wend__vec unit, wend__vec velocity,
                             int32_t until, int32_t too_soon) {
    for (uint32_t k = 0; k < near->count && until > too_soon; k++) {
        const int64_t reach = (int64_t)radius + near->of[k].radius + WEND__BODY_SKIN;
        if (wend__vec_dot(near->of[k].off, unit) < 0 && near->of[k].apart > reach * reach) continue;
        until = wend__body_meets(&near->of[k], radius, velocity, until);
    }
    return until;
}

wend__vec wend__body_steer(wend__bodies *bodies, wend__body *body, wend__vec unit, int32_t left, int32_t speed,
                           const wend__near_bodies *near) {
    wend__body_land *floor = wend__body_floor(bodies, body);
    const wend_cell at = wend__cell_at(body->at);
    const int32_t far = wend__least(WEND__BODY_FAR, wend__most(left, ONE / 2)), scale = far >> 4;
    const int32_t cruise = wend__most(1, wend__most(speed, body->speed / 4)),
                  whole = (int32_t)((int64_t)far * TIME / cruise);
    const bool open = (wend__floor_clear(floor, at.x, at.y) - 1) * ONE >= far + wend__most(body->radius, body->offset);
    int64_t best = INT64_MAX; /* squares, in 1/1024 */
    int32_t best_way = 0, passed = 0;
    wend__vec best_unit = unit;
    for (int32_t k = 0; k < HEADINGS; k++) {
        const int32_t a = (k + 1) / 2, side = k & 1 ? body->side : -body->side;
        const int64_t off = (int64_t)scale * sines[a] / ONE, on = (int64_t)scale * cosines[a] / ONE;
        const int64_t other_side = a > 0 && side != body->side ? (int64_t)scale * scale / OTHER_SIDE : 0;
        const int64_t spare = best - off * off - other_side;
        if (off * off >= best) break;
        if (spare <= 0) continue;
        const int64_t enough = on - (int64_t)wend__root((uint64_t)spare); /* the way must be longer than this */
        const int32_t too_soon = enough < 0 ? -1 : (int32_t)(enough * 16 * TIME / cruise);
        const wend__vec way = a ? wend__turned(unit, cosines[a], side * sines[a]) : unit;
        const wend__vec velocity = wend__along((wend__vec){0, 0}, way, cruise);
        const int32_t time = first_meeting(near, body->radius, way, velocity, whole, too_soon);
        if (time <= too_soon) continue;
        int32_t free = time == whole ? far : (int32_t)((int64_t)time * cruise / TIME);
        if (free > 0 && (a > 0 || left >= far) && !open)
            free = wend__least(free, wend__floor_free(floor, body->at, way, body->radius, free));
        const int64_t reached = free >> 4, cost = off * off + (on - reached) * (on - reached) + other_side;
        if (cost >= best) continue;
        best = cost, best_way = free, best_unit = way, passed = a > 0 ? side : 0;
    }
    if (passed) body->side = passed;
    const uint64_t room = (uint64_t)wend__most(0, best_way - CLOSE);
    if (best_way < far) speed = wend__least(speed, (int32_t)wend__root(2 * (uint64_t)body->accel * room));
    return wend__scaled(best_unit, speed, ONE);
}
