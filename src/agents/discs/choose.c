/* SPDX-License-Identifier: MIT */
/* The choice of a body in an update: to make room, to wait before a narrow way, or to go on along its own. */
#include "agents/discs/state.h"

enum {
    ONE = WEND__BODY_ONE,
    PRESS_AFTER = 12,  ///< updates without progress after which a body pushes others
    MOST_LATE = 400,   ///< updates without progress since its order after which a body has no patience
    MEEK_AFTER = 150,  ///< updates without progress after which a body is stuck, and becomes meek
    MEEK_FOR = 100,    ///< updates for which a body stays meek
    RETURN_FOR = 200,  ///< updates without progress after which a returning body rests where it is
    MOST_RETURNS = 6,  ///< returns to its place after which a stuck body rests where it is
    LOSES_TURN = 100,  ///< updates after which a body that was let in, but has not entered, loses its turn
    NEAR_AIM = ONE / 2 ///< distance to its aim at which a body looks for the next aim
};

/* Counts the updates without progress. A stuck body is meek for a while: others push it out of their way. */
static void count_waiting(wend__body *body, int32_t left, int32_t waits) {
    if (body->aim.x != body->old_aim.x || body->aim.y != body->old_aim.y)
        body->old_aim = body->aim, body->nearest = left;
    if (left < body->nearest - body->speed / 16) {
        body->nearest = left;
        body->waited -= body->waited > 0;
    } else {
        body->waited++;
        body->late++;
    }
    if (waits == 1) body->waited = 0;
    if (body->meek > 0)
        body->meek--, body->waited = 0;
    else if (body->waited > MEEK_AFTER)
        body->meek = MEEK_FOR, body->stuck = (uint8_t)wend__least(body->stuck + 1, UINT8_MAX);
}

static void come_to_rest(wend__bodies *bodies, uint32_t index, bool at_goal) {
    wend__body *body = &bodies->of[index];
    wend__body_leave_narrow(bodies, index);
    if (at_goal && body->state == WEND__BODY_RETURNS && body->returns < UINT8_MAX) body->returns++;
    body->state = WEND__BODY_RESTS;
    body->waited = 0;
    if (at_goal) body->late = 0;
}

/* Looks for narrow cells from time to time, and where the way turns. Returns whether the body needs a new aim. */
static bool look_ahead(wend__bodies *bodies, uint32_t index) {
    wend__body *body = &bodies->of[index];
    if (--body->aim_age < 0) {
        if (!bodies->sheets) body->goal = wend__body_seen(bodies, body->at, body->goal);
        wend__body_find_narrow(bodies, index);
        return true;
    }
    if (body->pass >= WEND__PASS_LET) {
        const bool inside = wend__floor_is_narrow(wend__body_floor(bodies, body), wend__body_cell(body));
        if (inside != (body->pass == WEND__PASS_IN)) wend__body_find_narrow(bodies, index);
        if (body->pass == WEND__PASS_IN) wend__body_pass_narrow(bodies, index);
    }
    return false;
}

/* Requests entry before narrow cells. Returns whether the body waits, as wend__body_wait_at(). */
static int32_t wait_for_turn(wend__bodies *bodies, uint32_t index) {
    wend__body *body = &bodies->of[index];
    if (body->pass == WEND__PASS_LET && body->asked++ > LOSES_TURN) wend__body_leave_narrow(bodies, index);
    if (body->pass != WEND__PASS_ASKS) return 0;
    wend__body_ask_narrow(bodies, index);
    const int32_t waits = wend__body_wait_at(bodies, index, &body->aim);
    if (waits) body->aim_age = 0;
    return waits;
}

/* Returns the speed with which a body can still stop at a distance, and comes no farther past it than counts as
 * there. */
static int32_t speed_to_stop(const wend__body *body, int32_t speed, int32_t left) {
    const int32_t stops = (int32_t)wend__root(2 * (uint64_t)body->accel * (uint32_t)left) * 7 / 8;
    return wend__least(wend__least(speed, left + WEND__BODY_AT_GOAL),
                       wend__most(stops, wend__least(left, body->accel)));
}

/* Returns the speed with which a body stops exactly at a distance. In a short update that is the speed which covers the
 * distance, and a unit at least. */
static int32_t speed_to_stand(const wend__body *body, int32_t speed, int32_t left, uint32_t elapsed) {
    const int64_t a = body->accel, covers = (int64_t)left * 1000 / elapsed;
    const int32_t stops = (int32_t)(((int64_t)wend__root((uint64_t)(a * a + 8 * a * left)) - a) / 2);
    const int32_t unit = (int32_t)((999 + elapsed) / elapsed);
    return wend__least(covers < speed ? (int32_t)covers : speed, wend__most(unit, stops));
}

/* Returns whether a body goes another way than along a vector, and too fast to turn on the spot. */
static bool goes_elsewhere(const wend__body *body, wend__vec unit) {
    const wend__vec v = body->velocity;
    const int64_t cross = wend__vec_cross(v, unit) / ONE, most = wend__most(2, wend__length(v) / 32);
    return wend__length(v) > body->speed / 100 && (wend__vec_dot(v, unit) <= 0 || cross > most || cross < -most);
}

/* Returns the velocity straight to the middle of a cell. */
static wend__vec straight_to(const wend__body *body, wend_cell cell) {
    const wend__vec to = wend__minus(wend__body_middle(body, cell), body->at);
    return wend__scaled(to, body->speed, wend__most(body->speed, wend__length(to)));
}

/* Returns whether the way to the middle of a cell leads out of walls, and touches no disc. */
static bool leads_out(wend__bodies *bodies, uint32_t index, wend_cell cell) {
    const wend__body *body = &bodies->of[index];
    wend__body_land *floor = wend__body_floor(bodies, body);
    const wend__vec way = wend__minus(wend__body_middle(body, cell), body->at);
    return wend__floor_stands(floor, cell) &&
           !wend__floor_hits_more(floor, body->at, straight_to(body, cell), body->radius) &&
           wend__body_touches(bodies, index, body->at, way, body->radius) == -1;
}

/* Returns the velocity of a body over which a wall was built: to the next cell of its way, unless it would cover a wall
 * deeper on the way, as past a corner. Else it goes to the middle of its own cell, or of the best open neighbour that
 * it can reach freely. */
static wend__vec come_out(wend__bodies *bodies, uint32_t index) {
    enum { OWN = 4 };
    const wend__body *body = &bodies->of[index];
    wend__body_land *floor = wend__body_floor(bodies, body);
    const wend_cell at = wend__body_cell(body);
    wend_cell out = at;
    bool open = bodies->world.way(bodies->world.context, index, 0, &out, 1) > 0;
    if (open && bodies->sheets) {
        const wend_cell step = wend__body_steps(bodies, at, out);
        out = (wend_cell){at.x + step.x, at.y + step.y, 0};
    }
    open = open && wend__floor_stands(floor, out) &&
           !wend__floor_hits_more(floor, body->at, straight_to(body, out), body->radius);
    for (int32_t k = OWN; !open && k < OWN + 18; k++) {
        out = (wend_cell){at.x + k % 9 % 3 - 1, at.y + k % 9 / 3 - 1, 0};
        open = k < OWN + 9 ? leads_out(bodies, index, out) : wend__floor_stands(floor, out);
    }
    return open ? straight_to(body, out) : (wend__vec){0, 0};
}

/* Returns whether only a joint search helps a body: it has made no progress for very long, or has been stuck or pushed
 * off its place again and again. On its way this counts in narrow places only. */
static bool is_lost(wend__bodies *bodies, const wend__body *body) {
    const bool stuck = body->meek > 0 && body->stuck > 1, returns = body->state == WEND__BODY_RETURNS;
    if (body->late > 3 * MOST_LATE || (returns && (stuck || body->pauses > 0))) return true;
    if (!stuck && body->returns <= MOST_RETURNS) return false;
    wend__body_land *floor = wend__body_floor(bodies, body);
    const wend__vec ahead = wend__along(body->at, body->want, ONE);
    return wend__floor_is_narrow(floor, wend__body_cell(body)) ||
           wend__floor_is_narrow(floor, wend__body_cell_seen(bodies, body, wend__body_cell_at(body, ahead)));
}

/* Returns whether a velocity leads more than 25 degrees off a unit vector. A waiting body then stays in its queue and
 * does not go round others. */
static bool leads_aside(wend__vec velocity, wend__vec unit) {
    return wend__vec_dot(velocity, unit) * 10 < (int64_t)9 * wend__length(velocity) * ONE;
}

static wend__vec go_on(wend__bodies *bodies, uint32_t index, const wend__near_bodies *near) {
    wend__body *body = &bodies->of[index];
    const bool middles = wend__body_follows_middles(body, near);
    const bool looks = look_ahead(bodies, index);
    const int32_t waits = wait_for_turn(bodies, index); /* where it waits is its aim */
    if (looks && !waits) wend__body_take_aim(bodies, index, middles);
    wend__vec to = wend__minus(body->aim, body->at);
    int32_t left = wend__length(to), speed = body->state == WEND__BODY_RETURNS ? body->speed / 2 : body->speed;
    if (!waits && !looks && left < NEAR_AIM && !wend__body_aims_at_goal(bodies, body)) {
        wend__body_take_aim(bodies, index, middles);
        to = wend__minus(body->aim, body->at);
        left = wend__length(to);
    }
    const bool is_last = wend__body_aims_at_goal(bodies, body);
    if (!waits && is_last && left <= wend__body_at_goal(body)) {
        come_to_rest(bodies, index, true);
        return (wend__vec){0, 0};
    }
    if (left == 0) {
        count_waiting(body, left, waits);
        return (wend__vec){0, 0};
    }
    const wend__vec unit = wend__scaled(to, ONE, left);
    if (waits || (is_last && !body->goes_on)) speed = speed_to_stop(body, speed, left);
    const bool stands = !waits && ((is_last && !body->goes_on && wend__body_at_goal(body) < WEND__BODY_AT_GOAL) ||
                                   (middles && wend__body_stops_at_aim(bodies, body)));
    if (stands) speed = goes_elsewhere(body, unit) ? 0 : speed_to_stand(body, speed, left, bodies->elapsed);
    wend__vec wanted = wend__body_steer(bodies, body, unit, left, speed, near);
    if (waits == 1 && leads_aside(wanted, unit)) wanted = (wend__vec){0, 0};
    body->want = unit, body->to = body->aim;
    count_waiting(body, left, waits);
    const bool lost = is_lost(bodies, body);
    if (lost || body->helped) wend__joint_open(bodies, index, !lost);
    body->helped = 0;
    if (body->state == WEND__BODY_RETURNS && (body->waited > RETURN_FOR || body->late > 4 * RETURN_FOR)) {
        come_to_rest(bodies, index, false);
        return (wend__vec){0, 0};
    }
    int32_t patience = body->pass > WEND__PASS_ASKS ? PRESS_AFTER / 4 : PRESS_AFTER;
    if (body->parked) patience = 0;           /* the host moves it */
    if (body->late > MOST_LATE) patience = 0; /* a body between two aims seems to come nearer to each */
    if (body->waited > patience) wend__body_press(bodies, index, unit, near, wend__body_rank(bodies, body));
    return wanted;
}

/* Finds the velocity away from the bodies onto which the host pressed this one. Returns false once they are apart. */
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
    const int32_t speed = body->parked ? 0 : wend__least(body->speed, ONE / 64);
    *velocity = wend__scaled(away, speed, wend__length(away));
    if (!body->pressed && body->state == WEND__BODY_RESTS) body->goal = body->at; /* where it has been put */
    return body->pressed;
}

wend__vec wend__body_choose(wend__bodies *bodies, uint32_t index, const wend__near_bodies *near) {
    wend__body *body = &bodies->of[index];
    wend__vec apart;
    body->in_wall = !wend__floor_fits(wend__body_floor(bodies, body), body->at, body->radius);
    if (body->member) return wend__joint_velocity(bodies, index, near);
    if (body->pressed && wend__body_part(bodies, index, near, &apart)) return apart;
    if (body->under_for == 0) {
        body->from = -1;
    } else {
        body->under_for--;
        const wend__body *from = body->from >= 0 ? &bodies->of[body->from] : NULL;
        if (from && (from->state != WEND__BODY_NONE || from->asks)) { /* a resting body returns afterwards */
            if (body->state == WEND__BODY_RESTS || body->state == WEND__BODY_STOPS)
                body->state = WEND__BODY_RETURNS, body->waited = 0, body->late++;
            return wend__body_make_room(bodies, index, near);
        }
    }
    if (body->in_wall && !wend__body_is_going(body)) { /* its place may be in the wall, so it rests outside */
        wend__body_land *floor = wend__body_floor(bodies, body);
        const bool goes_back = wend__floor_fits(floor, wend__body_goal(bodies, body), body->radius);
        body->state = goes_back ? WEND__BODY_RETURNS : WEND__BODY_STOPS;
    }
    if (body->in_wall) return come_out(bodies, index);
    return wend__body_is_going(body) ? go_on(bodies, index, near) : (wend__vec){0, 0};
}
