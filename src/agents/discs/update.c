/* SPDX-License-Identifier: MIT */
/* An update: bodies move one after another, and each sees the new places of those before it. */
#include "agents/discs/state.h"

enum { UNIT = 1000, MOST_UNITS = 64 };

/* Returns whether a body stands in its place, and has no order to go on. */
static bool stays(const wend__bodies *bodies, uint32_t index) {
    const wend__body *body = &bodies->of[index];
    return !wend__body_is_going(body) && !body->pressed && wend__bodies_stand(bodies, index);
}

/* Moves a body that crossed the rim to the other side. Its stored points move with it. */
static void go_round(wend__bodies *bodies, wend__body *body) {
    const wend__vec way = {wend__wrapped(body->at.x, bodies->around.x) - body->at.x,
                           wend__wrapped(body->at.y, bodies->around.y) - body->at.y};
    if (!way.x && !way.y) return;
    wend__vec *const points[] = {&body->at, &body->aim};
    for (size_t k = 0; k < sizeof points / sizeof points[0]; k++) *points[k] = wend__plus(*points[k], way);
}

static void move(wend__bodies *bodies, uint32_t index, wend__vec velocity) {
    wend__body *body = &bodies->of[index];
    body->velocity = velocity;
    if (!velocity.x && !velocity.y) return;
    const wend__vec by = bodies->elapsed == UNIT ? velocity : wend__scaled(velocity, bodies->elapsed, UNIT);
    const int32_t length = wend__length(velocity);
    const int32_t forward = body->turning > 0 && wend__vec_dot(velocity, body->facing) < 0 ? -1 : 1;
    if (length > body->speed / 16) body->facing = wend__scaled(velocity, forward * WEND__BODY_ONE, length);
    const wend__unfolded *sight = bodies->sights ? wend__body_floor(bodies, body)->sight : NULL;
    wend__body_leave_bin(bodies, index);
    body->at = wend__plus(body->at, by);
    if (WEND__UNLIKELY(sight != NULL)) wend__body_go_over(body, sight);
    if (WEND__UNLIKELY(bodies->around.x || bodies->around.y)) go_round(bodies, body);
    wend__body_enter_bin(bodies, index);
}

static bool fits(wend__bodies *bodies, const wend__body *body) {
    return wend__floor_fits(wend__body_floor(bodies, body), body->at, body->radius);
}

/* Marks the bodies that a new version put into a wall, or out of one. */
static void find_walls(wend__bodies *bodies) {
    if (bodies->fits_on == bodies->version->serial) return;
    bodies->fits_on = bodies->version->serial;
    for (uint32_t i = 0; i < bodies->used; i++) {
        wend__body *body = &bodies->of[i];
        if (body->state != WEND__BODY_NONE) body->in_wall = !fits(bodies, body);
    }
}

/* Returns a vehicle's velocity that others or walls have shortened, turned by as much less where that is free. */
static wend__vec turn_less(wend__bodies *bodies, uint32_t index, const wend__near_bodies *near, wend__vec aim,
                           wend__vec possible, wend__vec v) {
    const wend__body *body = &bodies->of[index];
    if (v.x == possible.x && v.y == possible.y) return v;
    const wend__vec less = wend__vehicle_slower(bodies, body, aim, v), kept = wend__gait_keep(bodies, body, less);
    const wend__vec free = wend__body_shorten(bodies, index, wend__ground_yield(bodies, index, kept, near));
    return free.x == less.x && free.y == less.y ? less : (wend__vec){0, 0};
}

static void go_on(wend__bodies *bodies, uint32_t index, const wend__near_bodies *near) {
    wend__body *body = &bodies->of[index];
    wend__vec aim = wend__gait_velocity(bodies, index), apart;
    if (body->pressed && wend__body_part(bodies, index, near, &apart)) aim = apart;
    wend__ground_leave(bodies, index, near, &aim);
    const wend__vec possible = wend__gait_keep(bodies, body, wend__body_limit(bodies, body, aim));
    const wend__vec v = wend__body_shorten(bodies, index, wend__ground_yield(bodies, index, possible, near));
    const wend__vec kept = wend__gait_keep(bodies, body, v); /* it may slide along what is in its way */
    const bool is_kept = kept.x == v.x && kept.y == v.y;
    move(bodies, index,
         !is_kept            ? (wend__vec){0, 0}
         : body->turning > 0 ? turn_less(bodies, index, near, aim, possible, v)
                             : v);
    /* what a disc whose mover has changed since covers, the next update finds */
    WEND__DEBUG_ASSERT(body->in_wall || bodies->fits_on == 0 || fits(bodies, body));
    body->in_wall = body->in_wall && !fits(bodies, body);
    wend__body_count_blocked(bodies, index, aim);
}

/* Returns the most that a body goes in a unit of time. It gains no speed above its top speed; one that comes to slow
 * ground may be faster until it has braked. */
static int32_t most_way(const wend__body *body) {
    enum { ROUNDED = 64 };
    return wend__most(body->speed, wend__length(body->velocity)) + ROUNDED;
}

static void update_one(wend__bodies *bodies, uint32_t index) {
    wend__near_bodies near;
    if (bodies->of[index].state == WEND__BODY_NONE || stays(bodies, index)) return;
    const int32_t reach = bodies->most_offset > 0 ? WEND__BODY_FAR : WEND__BODY_FAR / 2 + 1;
    wend__body_gather_ground(bodies, index, reach, most_way(&bodies->of[index]), &near);
    go_on(bodies, index, &near);
}

/* ---- assertions, in debug builds, of all that must hold after each update ---- */

#ifdef WEND_DEBUG
enum { ROUNDED = 6 }; ///< discs without a body keep this extra distance

void wend__bodies_validate(wend__bodies *bodies) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < bodies->used; i++) {
        const wend__body *body = &bodies->of[i];
        if (body->state == WEND__BODY_NONE) continue;
        count++;
        WEND__ASSERT(wend__vec_dot(body->velocity, body->velocity) <= (int64_t)body->speed * body->speed);
        WEND__ASSERT(wend__body_touches(bodies, i, body->at, (wend__vec){0, 0}, body->radius) < 0);
        WEND__ASSERT(wend__body_touches(bodies, i, body->at, (wend__vec){0, 0}, body->radius - ROUNDED) == -1);
    }
    WEND__ASSERT(count == bodies->count);
}
#else
void wend__bodies_validate(wend__bodies *bodies) {
    (void)bodies;
}
#endif

void wend__bodies_update(wend__bodies *bodies, uint32_t elapsed_milli) {
    if (bodies->count == 0 || elapsed_milli == 0) return;
    find_walls(bodies);
    uint32_t left = elapsed_milli < MOST_UNITS * UNIT ? elapsed_milli : MOST_UNITS * UNIT;
    for (; left > 0; left -= bodies->elapsed) {
        bodies->elapsed = left < UNIT ? left : UNIT;
        for (uint32_t i = 0; i < bodies->used; i++) update_one(bodies, i);
    }
    wend__bodies_validate(bodies);
}
