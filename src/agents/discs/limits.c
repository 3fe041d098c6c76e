/* SPDX-License-Identifier: MIT */
/* Limits of acceleration and turning. A body turns by less the faster it is, so that its velocity changes by no more
 * than some part of its top speed in a unit of time; it brakes while it wants to turn by more, and turns as it likes
 * once it stands. So a goal inside its turning circle makes it slow: it never circles round it.
 *
 * Vehicles have a front and a least circle. One that stands before a wall, or whose aim lies inside its circle, backs
 * for a while and turns as it does, as a car turns in a street (curves with cusps; Reeds, Shepp 1990). */
#include "agents/discs/state.h"

enum {
    ONE = WEND__BODY_ONE,
    STANDS = 100,     ///< at a hundredth of its speed a body may turn by any angle
    SLOW = 8,         ///< a tight one at an eighth
    MOST_SMOOTH = 38, ///< degrees by which a slow body turns at most
    SMOOTH = 16,      ///< degrees at full speed; at lower speeds more, so that the velocity changes by as much
    AT_DOORS = 34,    ///< the same before and in narrow ways, which would take half as long again
    BRAKES_AS_MUCH = 2,
    MOST_CHANGE = 39 ///< hundredths of its top speed, of turning and braking together
};

/* Cosines of 0 to 90 degrees. */
static const int16_t cosines[] = {
    16384, 16382, 16374, 16362, 16344, 16322, 16294, 16262, 16225, 16182, 16135, 16083, 16026, 15964, 15897, 15826,
    15749, 15668, 15582, 15491, 15396, 15296, 15191, 15082, 14968, 14849, 14726, 14598, 14466, 14330, 14189, 14044,
    13894, 13741, 13583, 13421, 13255, 13085, 12911, 12733, 12551, 12365, 12176, 11982, 11786, 11585, 11381, 11174,
    10963, 10749, 10531, 10311, 10087, 9860,  9630,  9397,  9162,  8923,  8682,  8438,  8192,  7943,  7692,  7438,
    7182,  6924,  6664,  6402,  6138,  5872,  5604,  5334,  5063,  4790,  4516,  4240,  3964,  3686,  3406,  3126,
    2845,  2563,  2280,  1997,  1713,  1428,  1143,  857,   572,   286,   0};

static int32_t cosine_of(int32_t degrees) {
    return degrees <= 90 ? cosines[degrees] : -cosines[180 - degrees];
}

static int32_t sine_of(int32_t cosine) {
    return (int32_t)wend__root((uint64_t)((int64_t)ONE * ONE - (int64_t)cosine * cosine));
}

/* Returns the most degrees by which a body at a speed may turn in a unit of time. */
static int32_t most_turn(const wend__body *body, int32_t speed) {
    if (body->turn > 0) return body->turn;
    if (body->tight) return MOST_SMOOTH;
    const int32_t at_full = body->pass != WEND__PASS_NONE ? AT_DOORS : SMOOTH;
    return wend__least(MOST_SMOOTH, (int32_t)((int64_t)at_full * body->speed / wend__most(1, speed)));
}

wend__vec wend__body_turn_towards(wend__vec from, wend__vec to, int32_t degrees, bool *all) {
    const int32_t cosine = cosine_of(degrees), sine = sine_of(cosine);
    *all = wend__vec_dot(from, to) * ONE >= (int64_t)cosine * wend__length(from) * wend__length(to);
    return *all ? to : wend__turned(from, cosine, wend__vec_cross(from, to) < 0 ? -sine : sine);
}

/* Limits how much a body gains, brakes and turns. */
static wend__vec limit_each(const wend__body *body, wend__vec want, uint32_t elapsed) {
    const int32_t was = wend__length(body->velocity), wanted = wend__length(want);
    const int32_t gain = wend__most(1, (int32_t)((int64_t)body->accel * elapsed / 1000));
    if (body->turning > 0) return wend__vehicle_limit(body, want, gain, elapsed);
    if (was <= body->speed / (body->tight ? SLOW : STANDS))
        return wend__scaled(want, wend__least(wanted, was + gain), wanted);
    const int32_t degrees = wend__most(1, (int32_t)((int64_t)most_turn(body, was) * elapsed / 1000));
    const int32_t least = wend__most(0, was - gain * (body->in_open ? 1 : BRAKES_AS_MUCH));
    if (wanted == 0) return wend__scaled(body->velocity, least, was); /* the body brakes straight on */
    bool all;
    const wend__vec way = wend__body_turn_towards(body->velocity, want, degrees, &all);
    if (all) return wend__scaled(want, wend__most(wend__least(wanted, was + gain), least), wanted);
    const int32_t slow =
        wend__vec_dot(body->velocity, want) <= 0 ? 0 : wanted / 2; /* brakes for the rest of the turn */
    return wend__scaled(way, wend__most(wend__least(slow, was + gain), least), wend__length(way));
}

wend__vec wend__body_limit(const wend__body *body, wend__vec want, uint32_t elapsed) {
    const wend__vec to = limit_each(body, want, elapsed);
    if (body->turning > 0 || (body->tight && !body->in_open)) return to;
    const wend__vec by = wend__minus(to, body->velocity);
    const int32_t length = wend__length(by);
    const int32_t change = wend__most((int32_t)((int64_t)body->speed * MOST_CHANGE / 100), body->accel);
    const int32_t most = wend__most(2, (int32_t)((int64_t)change * elapsed / 1000));
    return length <= most ? to : wend__plus(body->velocity, wend__scaled(by, most, length));
}

/* ---- vehicles ---- */

enum {
    STANDS_FOR = 4,   ///< updates without progress after which a body before a wall backs
    STANDS_LONG = 40, ///< the same before another disc, which may go on
    INSIDE_BY = 8,    ///< an aim is inside the circle if it is so by an eighth of its radius
    LEAST_BACK = 8,   ///< updates for which it backs at least, unless it faces its aim before
    STRAIGHT = 97     ///< cosine in hundredths from which a vehicle faces its aim
};

/* Returns whether a point is inside the circle on which the vehicle would turn towards it. Forward it never gets
 * there. */
static bool is_inside(const wend__body *body, wend__vec point) {
    const wend__vec to = wend__minus(point, body->at), front = body->facing;
    const int32_t side = wend__vec_cross(front, to) < 0 ? -1 : 1, radius = body->turning - body->turning / INSIDE_BY;
    const wend__vec middle =
        wend__along((wend__vec){0, 0}, (wend__vec){-front.y * side, front.x * side}, body->turning);
    const wend__vec off = wend__minus(to, middle);
    return wend__vec_dot(off, off) < (int64_t)radius * radius;
}

static wend__vec short_step(const wend__body *body, int32_t forward) {
    return wend__along((wend__vec){0, 0}, body->facing, wend__most(body->speed, ONE / 8) * forward);
}

/* Returns whether a wall is close in front of a vehicle, or behind it. */
static bool has_wall(wend__bodies *bodies, const wend__body *body, int32_t forward) {
    return wend__floor_hits(wend__body_floor(bodies, body), body->at, short_step(body, forward), body->radius);
}

/* Returns whether a vehicle must back: its circle keeps it from its aim, or a wall, or for long another disc. */
static bool must_back(wend__bodies *bodies, uint32_t index) {
    const wend__body *body = &bodies->of[index];
    if (is_inside(body, body->aim)) return true;
    if (body->velocity.x || body->velocity.y || body->waited < STANDS_FOR) return false;
    if (has_wall(bodies, body, 1)) return true;
    return body->waited >= STANDS_LONG &&
           wend__body_touches(bodies, index, body->at, short_step(body, 1), body->radius) != -1;
}

/* Returns whether a backing vehicle has backed enough, or can back no farther. */
static bool may_go_forward(wend__bodies *bodies, const wend__body *body, wend__vec to, int32_t left) {
    const bool stands = !body->velocity.x && !body->velocity.y;
    if (stands && has_wall(bodies, body, -1)) return true;
    return wend__vec_dot(body->facing, to) * 100 >= (int64_t)ONE * left * STRAIGHT && !is_inside(body, body->aim);
}

/* A vehicle that is asked to make room backs if that leads away. Returns the velocity that its front would turn to. */
static wend__vec make_room(wend__body *body, wend__vec wanted) {
    body->backs = wend__vec_dot(body->facing, wanted) < 0;
    return body->backs ? (wend__vec){-wanted.x, -wanted.y} : wanted;
}

wend__vec wend__body_back(wend__bodies *bodies, uint32_t index, wend__vec wanted) {
    wend__body *body = &bodies->of[index];
    if (body->under_for > 0 && !body->in_wall && !body->pressed) return make_room(body, wanted);
    const wend__vec to = wend__minus(body->aim, body->at);
    const int32_t left = wend__length(to), slow = wend__most(1, body->speed / 2);
    const bool near_goal = left < ONE / 2 && wend__body_aims_at_goal(bodies, body);
    const bool drives = wend__body_is_going(body) && !body->in_wall && !body->pressed;
    if (!drives || near_goal || (!wanted.x && !wanted.y) || (!body->facing.x && !body->facing.y)) {
        body->backs = 0; /* past the middle of its goal the vehicle stops instead of turning round */
        const bool is_past = drives && near_goal && !body->goes_on && wend__vec_dot(body->facing, to) <= 0;
        return is_past ? (wend__vec){0, 0} : wanted;
    }
    if (body->backs > 0)
        body->backs = may_go_forward(bodies, body, to, left) ? 0 : body->backs - 1;
    else if (must_back(bodies, index))
        body->backs = (uint8_t)wend__least(UINT8_MAX, LEAST_BACK + body->turning / slow);
    return body->backs > 0 ? wend__scaled(to, slow, left) : wanted;
}
