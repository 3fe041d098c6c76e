/* SPDX-License-Identifier: MIT */
/* How a disc goes: over the point of its last place to that of the granted one. It cuts the corner between them
 * within its lane. One that was blocked in a step is strict until the next: it goes over the middles of both places. */
#include "agents/discs/state.h"

enum {
    ONE = WEND__BODY_ONE,
    HALF = ONE / 2,              ///< width of a lane to each side, along each axis
    STEPPED_AT = ONE / 2,        ///< distance before its point at which a disc may get its next place
    AIMS_AHEAD = ONE / 2,        ///< distance by which it aims ahead on its two legs
    CUTS = ONE / 4,              ///< distance from the second leg from which the disc is on that
    LEANS_FROM = 4,              ///< clearance in cells above which places lie off their middles
    OPEN_FROM = 2,               ///< clearance in cells above which ground is open
    TURNS = 60,                  ///< degrees in a unit of time for which it slows down before a corner
    RADIAN = 57,                 ///< degrees
    ANGLES = 1024,               ///< unit of cosines and tangents
    TRIES = 8 * WEND__BODY_UNIT, ///< time for a disc to return to its lane before it tries otherwise
};

static int32_t clearance_of(wend__bodies *bodies, const wend__body *body) {
    const wend_cell at = wend__cell_at(body->at);
    return wend__floor_clear(wend__body_floor(bodies, body), at.x, at.y) - (body->offset + ONE / 2) / ONE;
}

bool wend__gait_in_open(wend__bodies *bodies, const wend__body *body) {
    return clearance_of(bodies, body) > OPEN_FROM;
}

bool wend__bodies_lean(wend__bodies *bodies, uint32_t index) {
    return clearance_of(bodies, &bodies->of[index]) > LEANS_FROM;
}

bool wend__bodies_in_open(wend__bodies *bodies, uint32_t index) {
    return wend__gait_in_open(bodies, &bodies->of[index]);
}

static wend__vec off_to(const wend__bodies *bodies, const wend__body *body, wend__vec point) {
    return wend__body_off(bodies, body->at, point);
}

/* Returns how far from a middle a body may turn towards the next. */
static int32_t tolerance(const wend__body *body) {
    return wend__most(ONE / 256, wend__body_slack(body) / 3);
}

/* Returns the acceleration with which a disc brakes. */
static int32_t braking(wend__bodies *bodies, const wend__body *body) {
    return (wend__gait_in_open(bodies, body) ? 1 : WEND__BODY_BRAKES) * wend__body_gain(body);
}

bool wend__gait_stands(const wend__bodies *bodies, const wend__body *body) {
    if (body->turning > 0) return body->at_via && body->halted;
    const wend__vec off = off_to(bodies, body, body->post);
    const int64_t near = wend__least(WEND__BODY_THERE, wend__most(2, wend__body_slack(body) / 2));
    return body->at_via && wend__vec_dot(off, off) <= near * near;
}

/* Returns whether a disc that moves by a vector is at most so far from its second leg. */
static bool is_beside(const wend__bodies *bodies, const wend__body *body, wend__vec by, int64_t slack) {
    const wend__vec via = off_to(bodies, body, body->via), post = off_to(bodies, body, body->post);
    return wend__from_line(by, via, post) <= slack * slack;
}

bool wend__gait_in_lane(const wend__bodies *bodies, const wend__body *body, wend__vec by) {
    return is_beside(bodies, body, by, wend__most(WEND__BODY_THERE, wend__body_slack(body)));
}

/* Returns the nearest number from a low to a high one, and 0: what is outside of a lane comes no farther out. */
static int32_t between(int32_t by, int32_t low, int32_t high) {
    return wend__most(wend__least(low, 0), wend__least(by, wend__most(high, 0)));
}

wend__vec wend__gait_keep(const wend__bodies *bodies, const wend__body *body, wend__vec v) {
    const wend_cell from = wend__body_cell_at(body, body->via), to = wend__body_cell_at(body, body->post);
    const wend__vec a = off_to(bodies, body, wend__body_middle(body, from)),
                    b = off_to(bodies, body, wend__body_middle(body, to)), way = wend__minus(b, a);
    const bool whole = bodies->elapsed == WEND__BODY_UNIT;
    wend__vec by = whole ? v : wend__scaled(v, bodies->elapsed, WEND__BODY_UNIT);
    const wend__vec was = by;
    by.x = between(by.x, wend__least(a.x, b.x) - HALF, wend__most(a.x, b.x) + HALF);
    by.y = between(by.y, wend__least(a.y, b.y) - HALF, wend__most(a.y, b.y) + HALF);
    if (way.x != 0 && way.y != 0) { /* a diagonal: the same beside it */
        const int32_t sign = (way.x < 0) == (way.y < 0) ? 1 : -1, lane = a.x - sign * a.y, aside = by.x - sign * by.y;
        const int32_t over = aside - between(aside, lane - ONE, lane + ONE);
        by.x -= over / 2;
        by.y += sign * (over - over / 2);
    }
    if (by.x == was.x && by.y == was.y) return v;
    if (body->turning > 0) return (wend__vec){0, 0}; /* it goes along its arc, or stops */
    return whole ? by : wend__scaled(by, WEND__BODY_UNIT, bodies->elapsed);
}

/* ---- the second leg ---- */

/* Returns whether a disc has room to cut corners: not near walls if it nearly fills its cell. */
static bool may_cut(wend__bodies *bodies, const wend__body *body) {
    return wend__gait_in_open(bodies, body) || body->radius - body->offset <= WEND__BODY_FILLS;
}

/* Returns how far from its second leg a disc may be that has passed the beginning of that. */
static int32_t slack_of(wend__bodies *bodies, uint32_t index) {
    const wend__body *body = &bodies->of[index];
    const int32_t free = wend__body_slack(body);
    int32_t slack = body->blocked >= WEND__BODY_BLOCKED ? free : free / 2;
    if (may_cut(bodies, body)) slack = wend__most(slack, CUTS);
    return !body->strict && wend__bodies_lean(bodies, index) ? wend__most(slack, WEND__BODY_LEANS) : slack;
}

/* Returns how far from the beginning of its second leg a disc is on that. One that is blocked need only be inside of its
 * place: the disc behind it might have no room to let it back to the middle. */
static int64_t near_via(const wend__body *body) {
    if (body->swaps) return ONE / 16;
    return body->blocked < WEND__BODY_BLOCKED ? tolerance(body) : wend__most(tolerance(body), wend__body_slack(body));
}

/* Notes when a disc begins its second leg: it is at the first point of that leg, or has passed that within its slack. */
static void look_at_via(wend__bodies *bodies, uint32_t index) {
    wend__body *body = &bodies->of[index];
    const int64_t near = near_via(body);
    if (body->at_via) return;
    const wend__vec via = off_to(bodies, body, body->via), post = off_to(bodies, body, body->post);
    body->at_via = wend__from_line(via, (wend__vec){0, 0}, post) <= near * near;
    const wend__vec leg = wend__minus(post, via);
    const int32_t length = wend__length(leg);
    if (length == 0 || (wend__vec_dot(via, leg) > 0 && !body->swaps)) return;
    const int64_t aside = wend__vec_cross(leg, via) / length;
    if ((aside < 0 ? -aside : aside) <= (body->swaps ? near : slack_of(bodies, index))) body->at_via = 1;
}

/* ---- velocities ---- */

int32_t wend__gait_speed(const wend__bodies *bodies, int32_t left, int32_t brakes, int32_t end) {
    const int64_t by = wend__most(1, brakes), last = end < by ? end : by, more = by - 2 * last;
    const int64_t units = (more + wend__root((uint64_t)(more * more + 8 * by * left)) + 2 * by - 1) / (2 * by);
    const int64_t least = (WEND__BODY_UNIT - 1 + bodies->elapsed) / bodies->elapsed; /* a lower one moves it by 0 */
    const int64_t covers = (int64_t)left * WEND__BODY_UNIT / bodies->elapsed;
    int64_t speed = left;
    if (units > 1) speed = (left + by * units * (units - 1) / 2) / units;
    if (speed < by * (units - 1)) speed = (left - last + by * (units - 1) * (units - 2) / 2) / (units - 1);
    return (int32_t)(speed >= least ? speed : least < covers ? least : covers);
}

/* Returns the velocity to a point at a speed with which the disc stops at the end of its way.
 * @param left   length of the way */
static wend__vec go_to(wend__bodies *bodies, const wend__body *body, wend__vec to, int32_t left, int32_t speed) {
    const int32_t brakes = braking(bodies, body), stops = wend__gait_speed(bodies, left, brakes, brakes);
    return wend__scaled(to, wend__least(speed, stops), wend__length(to));
}

/* Returns the speed from which a disc slows down for the corner of its legs: the circle that it turns on has the radius
 * AIMS_AHEAD ÷ the tangent of half the angle. */
static int32_t speed_to_turn(wend__bodies *bodies, const wend__body *body, wend__vec via, wend__vec leg) {
    const int32_t before = wend__length(via), length = wend__length(leg);
    const wend__vec facing = before > ONE / 16 ? via : body->velocity;
    const int64_t both = (int64_t)wend__most(1, wend__length(facing)) * length;
    if (both == 0) return body->speed;
    const int64_t cosine = wend__vec_dot(facing, leg) * ANGLES / both,
                  sine = wend__vec_cross(facing, leg) * ANGLES / both;
    const int64_t half = (sine < 0 ? -sine : sine) * ANGLES / wend__most(1, (int32_t)(ANGLES + cosine));
    if (half <= ANGLES / 16) return body->speed;
    const uint64_t pull = (uint64_t)body->speed * TURNS / RADIAN;
    const uint64_t square = pull * AIMS_AHEAD * ANGLES / (uint64_t)half;
    const int32_t until = wend__most(0, before - AIMS_AHEAD);
    const int32_t most = (int32_t)wend__root(square + 2 * (uint64_t)braking(bodies, body) * (uint32_t)until);
    return wend__least(body->speed, wend__most(most, body->speed / WEND__BODY_SLOW));
}

/* Returns the velocity towards a point ahead on both legs. */
static wend__vec cut_corner(wend__bodies *bodies, const wend__body *body) {
    const wend__vec via = off_to(bodies, body, body->via), post = off_to(bodies, body, body->post);
    const wend__vec leg = wend__minus(post, via), here = {0, 0};
    const int32_t length = wend__length(leg), before = wend__length(via);
    wend__vec to = post;
    int32_t speed = body->speed, left = wend__length(post);
    if (!body->at_via) {
        const int32_t beyond = wend__least(length, wend__most(0, AIMS_AHEAD - before));
        to = wend__plus(via, wend__scaled(leg, beyond, length));
        left = before + length;
        speed = speed_to_turn(bodies, body, via, leg);
    } else if (length > 0) {
        const wend__vec foot = wend__nearest_on(here, via, post);
        if (wend__length(wend__minus(post, foot)) > AIMS_AHEAD)
            to = wend__plus(foot, wend__scaled(leg, AIMS_AHEAD, length));
    }
    return go_to(bodies, body, to, left, speed);
}

/* Returns whether neither a disc nor a wall is on the straight way to the disc's point. */
static bool is_free_to(wend__bodies *bodies, uint32_t index, wend__vec post) {
    const wend__body *body = &bodies->of[index];
    return wend__body_touches(bodies, index, body->at, post, body->radius) == -1 &&
           !wend__floor_hits(wend__body_floor(bodies, body), body->at, post, body->radius);
}

/* Returns where a strict disc goes, seen from it. If it has left its lane it goes back into that, and in turn, or where
 * the whole way is free in open ground, straight on. */
static wend__vec strict_aim(wend__bodies *bodies, uint32_t index) {
    const wend__body *body = &bodies->of[index];
    const wend__vec via = off_to(bodies, body, body->via), post = off_to(bodies, body, body->post), here = {0, 0};
    if (!body->at_via) return via;
    const wend__vec foot = wend__nearest_on(here, via, post);
    const bool in_lane = is_beside(bodies, body, here, wend__most(ONE / 256, wend__body_slack(body)));
    if (in_lane || body->blocked / TRIES % 2 > 0) return post;
    if (wend__gait_in_open(bodies, body) && is_free_to(bodies, index, post)) return post;
    return wend__floor_hits(wend__body_floor(bodies, body), body->at, foot, body->radius) ? post : foot;
}

/* Returns the speed at which a strict disc comes to the beginning of its second leg, slowly enough to turn there. */
static wend__vec go_to_via(wend__bodies *bodies, const wend__body *body, wend__vec to, int32_t left) {
    const int32_t corner = wend__most(body->speed / 16, tolerance(body));
    return wend__scaled(to, wend__least(body->speed, wend__gait_speed(bodies, left, braking(bodies, body), corner)),
                        left);
}

wend__vec wend__gait_velocity(wend__bodies *bodies, uint32_t index) {
    wend__body *body = &bodies->of[index];
    if (body->turning > 0) return wend__vehicle_velocity(bodies, index);
    look_at_via(bodies, index);
    const bool stands = wend__gait_stands(bodies, body);
    const bool cuts = !body->strict && may_cut(bodies, body) && (body->at_via || !body->swaps);
    if (!stands && cuts && body->blocked < WEND__BODY_BLOCKED) return cut_corner(bodies, body);
    const wend__vec to = strict_aim(bodies, index);
    const int32_t left = wend__length(to);
    if (stands || left == 0) return (wend__vec){0, 0};
    return body->at_via ? go_to(bodies, body, to, left, body->speed) : go_to_via(bodies, body, to, left);
}

/* ---- what its agent asks ---- */

bool wend__bodies_stepped(const wend__bodies *bodies, uint32_t index) {
    const wend__body *body = &bodies->of[index];
    const wend_cell own = wend__body_cell_at(body, body->post);
    const wend__vec middle = wend__body_middle(body, own);
    if (!body->at_via) return false;
    if (body->turning > 0) return true; /* its centre is in it */
    if (wend__length(off_to(bodies, body, middle)) < STEPPED_AT) return true;
    const bool leans = body->post.x != middle.x || body->post.y != middle.y;
    return leans && wend__same_cell(wend__body_cell(body), own);
}

bool wend__bodies_stand(const wend__bodies *bodies, uint32_t index) {
    const wend__body *body = &bodies->of[index];
    return wend__gait_stands(bodies, body) && !body->velocity.x && !body->velocity.y;
}
