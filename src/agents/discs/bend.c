/* SPDX-License-Identifier: MIT */
/* Where a straight line bends round the first disc that a body would meet on it. */
#include "agents/discs/state.h"

enum {
    ONE = WEND__BODY_ONE,
    MOMENT = 256,          ///< parts of a unit of time
    WITHIN = 20 * MOMENT,  ///< time within which meetings count
    ROOM = ONE * 6 / 100,  ///< distance that is kept from the other disc; half of it is the least one of a bend
    MOST_IN_TENTHS = 4,    ///< most distance of a bend, in tenths of the way there: else the disc brakes
    SAME_WAY_IN_TENTHS = 7 ///< share of its speed at which another one goes its way
};

/// A meeting on a straight way.
typedef struct meeting {
    int32_t time;  ///< in moments
    int32_t along; ///< way to there
    int32_t by;    ///< distance of the bend to the right
} meeting;

/* Returns on which side of a line a disc passes another one: 1: to the right. Behind who crosses, else to the right. */
static int32_t side_of(int64_t aside, int64_t lateral, int32_t speed, bool stands) {
    if (aside > ROOM / 2) return -1;
    if (aside < -ROOM / 2 || stands) return 1;
    return lateral * 4 > speed ? -1 : 1;
}

/* Finds the meeting of a disc that goes along a unit vector with a neighbour, if it needs a bend.
 * @param length   of the way */
static bool meets(const wend__body *body, const wend__near_body *n, wend__vec unit, int32_t length, int32_t side,
                  meeting *found) {
    const wend__vec own = wend__along((wend__vec){0, 0}, unit, body->speed), relative = wend__minus(own, n->velocity);
    const int64_t square = wend__vec_dot(relative, relative);
    const int32_t speed = wend__length(n->velocity), need = body->radius + n->radius + ROOM;
    const bool stands = speed < body->speed / WEND__BODY_SLOW;
    if (square < 1) return false;
    const int64_t time = wend__vec_dot(n->off, relative) * MOMENT / square, along = body->speed * time / MOMENT;
    if (time <= 0 || time >= WITHIN || along > length) return false;
    const wend__vec apart = wend__minus(n->off, wend__scaled(relative, time, MOMENT));
    if (wend__vec_dot(apart, apart) >= (int64_t)need * need) return false;
    if (!stands && wend__vec_dot(unit, n->velocity) / ONE * 10 > (int64_t)body->speed * SAME_WAY_IN_TENTHS)
        return false;
    const int64_t aside = wend__vec_cross(unit, apart) / ONE, ahead = wend__vec_dot(unit, apart) / ONE;
    const int64_t room = (int64_t)need * need - ahead * ahead;
    const int32_t sign = side * side_of(aside, wend__vec_cross(unit, n->velocity) / ONE, speed, stands);
    int32_t by = (int32_t)wend__root(room > 0 ? (uint64_t)room : 0) + sign * (int32_t)aside;
    if (!stands) by /= 2; /* the other one bends as much */
    if (by < ROOM / 2 || by * (int64_t)10 > along * MOST_IN_TENTHS) return false;
    *found = (meeting){(int32_t)time, (int32_t)along, sign * by};
    return true;
}

bool wend__bodies_bend(const wend__bodies *bodies, uint32_t index, wend__vec way, int32_t side, wend__vec *point) {
    wend__near_bodies near;
    const wend__body *body = &bodies->of[index];
    const int32_t length = wend__length(way);
    meeting first = {.time = WITHIN}, found;
    int64_t rank = INT64_MAX; /* of equally early ones the nearest counts */
    if (length < ONE) return false;
    const wend__vec unit = wend__scaled(way, ONE, length);
    wend__body_gather(bodies, index, body->at, WEND__BODY_FAR, &near);
    for (uint32_t k = 0; k < near.count; k++) {
        if (!meets(body, &near.of[k], unit, length, side, &found)) continue;
        if (found.time > first.time || (found.time == first.time && near.of[k].rank >= rank)) continue;
        first = found;
        rank = near.of[k].rank;
    }
    if (first.time == WITHIN) return false;
    const wend__vec there = wend__along((wend__vec){0, 0}, unit, first.along);
    *point = wend__along(there, (wend__vec){-unit.y, unit.x}, first.by);
    return true;
}
