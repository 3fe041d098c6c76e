/* SPDX-License-Identifier: MIT */
/* The ground that the older steps of discs need: others keep off it, and make room on it. Steps have numbers: the
 * agent that leaves a place has an older step than the agent that enters it, so that some disc can always go on. */
#include "agents/discs/state.h"

enum { ONE = WEND__BODY_ONE, MOST_LEGS = WEND__WAY_POINTS - 1 };

/// A straight part of the ground that a disc needs, seen from a body.
typedef struct leg {
    wend__vec from, to;
} leg;

/// The ground that a disc needs.
typedef struct ground {
    uint32_t count;
    leg legs[MOST_LEGS];
} ground;

static wend__vec off_to(const wend__bodies *bodies, const wend__body *body, wend__vec point) {
    return wend__body_off(bodies, body->at, point);
}

/* Returns the number of the step that a body is on. A vehicle in its place is on none, wherever in that it goes. */
static int32_t step_of(const wend__body *body) {
    if (body->turning > 0) return body->at_via ? INT32_MAX : body->step;
    return body->at_via ? body->step : body->via_step;
}

static void add_leg(ground *g, wend__vec from, wend__vec to) {
    g->legs[g->count++] = (leg){from, to};
}

/* Returns the same for a vehicle: its arc as far as its places allow. */
static ground vehicle_needs(wend__bodies *bodies, const wend__body *other, wend__vec off, int32_t step) {
    ground g = {0};
    wend__vec way[WEND__WAY_POINTS];
    if (step_of(other) >= step) return g;
    wend__vehicle_way(bodies, (uint32_t)(other - bodies->of), wend__body_cell_at(other, other->post), way);
    for (uint32_t k = 1; k < WEND__WAY_POINTS; k++)
        add_leg(&g, wend__plus(off, wend__minus(way[k - 1], other->at)),
                wend__plus(off, wend__minus(way[k], other->at)));
    return g;
}

/* Returns the ground that a disc needs for steps older than another one: its way, and in open ground, if it is
 * beside its lane, also the way back into that.
 * @param off   to the disc, from a body */
static ground needs(wend__bodies *bodies, const wend__body *other, wend__vec off, int32_t step) {
    ground g = {0};
    if (other->turning > 0) return vehicle_needs(bodies, other, off, step);
    const wend__vec post = wend__plus(off, off_to(bodies, other, other->post));
    const wend__vec via = wend__plus(off, off_to(bodies, other, other->via));
    if (!other->at_via) {
        if (other->via_step < step) add_leg(&g, off, via);
        if (other->step < step) add_leg(&g, via, post);
        return g;
    }
    if (other->step >= step) return g;
    add_leg(&g, off, post);
    if (!wend__gait_in_open(bodies, other)) return g;
    if (wend__gait_in_lane(bodies, other, (wend__vec){0, 0})) return g;
    const wend__vec foot = wend__nearest_on(off, via, post);
    add_leg(&g, off, foot);
    add_leg(&g, foot, post);
    return g;
}

/* Returns how much wider than two places of a cell those of a body and a neighbour are. */
static int32_t wider_by(const wend__bodies *bodies, const wend__body *body, const wend__near_body *n) {
    const int32_t other = n->index < 0 ? n->radius - ONE / 2 : bodies->of[n->index].offset;
    return body->offset + other;
}

static bool is_near(const wend__bodies *bodies, const wend__body *body, const wend__near_body *n) {
    const int64_t far = WEND__BODY_FAR / 2 + wider_by(bodies, body, n);
    return n->apart <= far * far;
}

/* Returns the squared distance between a point and some ground. */
static int64_t from_ground(const ground *g, wend__vec at) {
    int64_t least = INT64_MAX;
    for (uint32_t k = 0; k < g->count; k++) {
        const int64_t apart = wend__from_line(at, g->legs[k].from, g->legs[k].to);
        if (apart < least) least = apart;
    }
    return least;
}

/* Finds the nearest point, seen from a body, of the older steps of an agent near it. Returns whether that agent waits
 * for this body: a blocked one, in open ground one that was blocked in this step, or one without a body whose
 * step is held. */
static bool waits_for(wend__bodies *bodies, const wend__body *body, const wend__near_body *n, wend__vec *point) {
    const int32_t step = step_of(body);
    const int64_t reach = (int64_t)body->radius + n->radius + WEND__BODY_THERE;
    const wend__vec here = {0, 0};
    if (!is_near(bodies, body, n)) return false;
    if (n->index < 0) {
        *point = wend__nearest_on(here, n->from, n->goes);
        return body->blocked >= WEND__BODY_BLOCKED && n->step < step && wend__vec_dot(*point, *point) < reach * reach;
    }
    const wend__body *other = &bodies->of[n->index];
    if (other->blocked < WEND__BODY_BLOCKED && !other->strict) return false;
    if (wend__ground_is_far(bodies, other, n->off, here, reach) || wend__gait_stands(bodies, other)) return false;
    if (other->blocked < WEND__BODY_BLOCKED && !wend__gait_in_open(bodies, other)) return false;
    const ground g = needs(bodies, other, n->off, step);
    int64_t least = INT64_MAX;
    for (uint32_t k = 0; k < g.count; k++) {
        const wend__vec nearest = wend__nearest_on(here, g.legs[k].from, g.legs[k].to);
        if (wend__vec_dot(nearest, nearest) >= least) continue;
        least = wend__vec_dot(nearest, nearest);
        *point = nearest;
    }
    return least < reach * reach;
}

/* Returns the way of a disc beside its lane that makes room: back toward the middle that it came from. Where that would
 * lead nearer it goes away: in open ground, and while it is not at that middle yet, or two discs that block each other
 * there would wait for good. */
static wend__vec way_back(wend__bodies *bodies, const wend__body *body, wend__vec point, wend__vec out,
                          wend__vec wanted) {
    const wend__vec back = off_to(bodies, body, body->via);
    const int32_t far = wend__length(back), hop = wend__least(body->speed / 2, ONE / 16);
    const bool comes = !body->at_via || wend__vec_dot(back, off_to(bodies, body, body->post)) > far * (int64_t)far;
    if (far > 0 && wend__vec_dot(back, point) <= 0) return wend__scaled(back, wend__least(far, hop), far);
    return comes || wend__gait_in_open(bodies, body) ? out : wanted;
}

/* Finds the nearest agent that waits for a body, and the point of its ground from which that has to go. */
static const wend__near_body *find_waiting(wend__bodies *bodies, const wend__body *body, const wend__near_bodies *near,
                                           wend__vec *point) {
    const wend__near_body *nearest = NULL;
    wend__vec from = {0, 0};
    for (uint32_t k = 0; k < near->count; k++) {
        const wend__near_body *n = &near->of[k];
        if ((nearest && n->rank > nearest->rank) || !waits_for(bodies, body, n, &from)) continue;
        nearest = n;
        *point = from;
    }
    return nearest;
}

void wend__ground_leave(wend__bodies *bodies, uint32_t index, const wend__near_bodies *near, wend__vec *wanted) {
    const wend__body *body = &bodies->of[index];
    wend__vec point;
    const wend__near_body *waiting = find_waiting(bodies, body, near, &point);
    if (!waiting) return;
    int32_t apart = wend__length(point);
    if (apart < 16) point = waiting->off, apart = wend__most(1, wend__length(point));
    const wend__vec out = wend__scaled(point, -wend__least(body->speed / 2, ONE / 16), apart);
    if (body->turning > 0)
        wend__vehicle_leave(bodies, index, out, wanted);
    else
        *wanted = wend__gait_in_lane(bodies, body, out) ? out : way_back(bodies, body, point, out, *wanted);
}

/* Returns whether a body that moves by a vector keeps off the ground that a neighbour needs, or leaves it. */
static bool keeps_off_one(wend__bodies *bodies, const wend__body *body, const wend__near_body *n, wend__vec by) {
    const int32_t step = step_of(body);
    const wend__body *other = n->index < 0 ? NULL : &bodies->of[n->index];
    const int64_t reach = (int64_t)body->radius + n->radius;
    const int32_t free = ONE + wider_by(bodies, body, n) - (int32_t)reach; /* between the middles of both places */
    const int64_t room = reach + wend__most(0, wend__least(WEND__GROUND_ROOM, free / 3));
    if (other && wend__ground_is_far(bodies, other, n->off, by, room)) return true;
    if (other ? wend__gait_stands(bodies, other) : n->step >= step) return true;
    if (!is_near(bodies, body, n)) return true;
    ground g = {.count = 1, .legs = {{n->from, n->goes}}};
    if (other) g = needs(bodies, other, n->off, step);
    const int64_t after = from_ground(&g, by);
    if (after >= room * room) return true;
    const int64_t now = from_ground(&g, (wend__vec){0, 0});
    if (after >= now) return true;
    if (after < reach * reach) return false;
    const int32_t nearer = (int32_t)(wend__root((uint64_t)now) - wend__root((uint64_t)after));
    return nearer * 3 <= wend__length(by);
}

static bool keeps_off(wend__bodies *bodies, const wend__body *body, const wend__near_bodies *near, wend__vec by) {
    for (uint32_t k = 0; k < near->count; k++)
        if (!keeps_off_one(bodies, body, &near->of[k], by)) return false;
    return true;
}

wend__vec wend__ground_yield(wend__bodies *bodies, uint32_t index, wend__vec v, const wend__near_bodies *near) {
    enum { PARTS = 4 };
    const wend__body *body = &bodies->of[index];
    WEND__DEBUG_ASSERT(wend__most(wend__most(v.x, -v.x), wend__most(v.y, -v.y)) <= near->by);
    for (int32_t k = 0; k < PARTS; k++) {
        if (!v.x && !v.y) return v;
        const wend__vec by = bodies->elapsed == WEND__BODY_UNIT ? v : wend__scaled(v, bodies->elapsed, WEND__BODY_UNIT);
        if (keeps_off(bodies, body, near, by)) return v;
        v = wend__scaled(v, 1, 2);
    }
    return (wend__vec){0, 0};
}

bool wend__bodies_post_is_free(wend__bodies *bodies, uint32_t index, wend_cell cell) {
    const wend__body *body = &bodies->of[index];
    const wend__vec at = off_to(bodies, body, wend__body_middle(body, cell)), here = {0, 0};
    wend__near_bodies near;
    wend__body_gather(bodies, index, body->at, WEND__BODY_FAR, &near);
    for (uint32_t k = 0; k < near.count; k++) {
        if (near.of[k].index < 0 || !is_near(bodies, body, &near.of[k])) continue;
        const wend__body *other = &bodies->of[near.of[k].index];
        const int64_t reach = (int64_t)body->radius + other->radius;
        if (other->parked) continue;
        const ground g = needs(bodies, other, near.of[k].off, INT32_MAX);
        if (from_ground(&g, at) < reach * reach) return false;
        const int64_t on_way = wend__from_line(near.of[k].off, here, at);
        if (on_way < reach * reach && on_way + 64 < near.of[k].apart) return false;
    }
    return true;
}
