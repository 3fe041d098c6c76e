/* SPDX-License-Identifier: MIT */
/* Making room. Every order to go has a number, and an older order is stronger. A body without progress pushes the
 * weaker bodies close ahead, and these push others in its name. So the strongest of all gets on, then the next, and so
 * on. */
#include "agents/discs/state.h"

enum {
    ONE = WEND__BODY_ONE,
    UNDER_FOR = 4, ///< updates for which a pushed body makes room
    CLOSE = ONE / 3,
    ROOM = ONE / 8,
    HEADINGS = 16,
    TIME = 256
};

/* Returns the rank of a returning body: the farther from its place, the stronger. So a body that has just made room
 * lets it pass. */
static uint32_t rank_of_return(const wend__bodies *bodies, const wend__body *body) {
    const int32_t apart = wend__length(wend__minus(wend__body_goal(bodies, body), body->at));
    return WEND__RANK_WEAK | (uint32_t)(WEND__RANK_LATER - 1 - wend__least(apart, WEND__RANK_LATER - 1));
}

static uint32_t own_rank(const wend__bodies *bodies, const wend__body *body) {
    if (body->parked || body->member || body->tight) return 0;
    if (body->meek > 0) return WEND__RANK_NOBODY - 1;
    if (body->pass >= WEND__PASS_LET) return body->let;
    const uint32_t later = body->rank | WEND__RANK_LATER;
    if (body->asks) return later;
    if (body->state == WEND__BODY_GOES) return body->pass == WEND__PASS_ASKS ? later | WEND__RANK_WEAK : later;
    return body->state == WEND__BODY_RETURNS ? rank_of_return(bodies, body) : WEND__RANK_NOBODY;
}

uint32_t wend__body_rank(const wend__bodies *bodies, const wend__body *body) {
    const uint32_t own = own_rank(bodies, body);
    return body->under_for > 0 && body->under < own ? body->under : own;
}

/* Gives a body the rank of the body that pushes it: to make room or, if `from` is −1, to go on in its name. A body that
 * makes room in this name already continues, unless it has finished. */
static void ask(const wend__bodies *bodies, wend__body *body, int32_t from, uint32_t rank) {
    const uint32_t now = wend__body_rank(bodies, body);
    if (own_rank(bodies, body) <= rank || now < rank) return;
    if (now == rank && body->from >= 0 && body->from != from && !body->made_room) return;
    body->made_room = 0;
    body->under = rank, body->under_for = UNDER_FOR, body->from = from;
}

/* Returns the distance of a point from the line between two others. */
static int32_t distance_from_line(wend__vec at, wend__vec from, wend__vec to) {
    const wend__vec line = wend__minus(to, from), off = wend__minus(at, from);
    const int64_t length = wend__vec_dot(line, line), along = wend__vec_dot(off, line);
    if (along <= 0 || length == 0) return wend__length(off);
    if (along >= length) return wend__length(wend__minus(at, to));
    const int64_t across = wend__vec_cross(line, off) / wend__length(line);
    return (int32_t)(across < 0 ? -across : across);
}

/* Returns the distance of a point, as a body sees it, from where the pushing body wants to go. */
static int32_t distance_from_presser(const wend__bodies *bodies, const wend__body *body, const wend__body *presser,
                                     wend__vec place) {
    if (bodies->sheets)
        return distance_from_line(
            wend__plus(wend__body_seen(bodies, presser->at, body->at), wend__minus(place, body->at)), presser->at,
            presser->to);
    return distance_from_line(wend__body_seen(bodies, presser->at, place), presser->at, presser->to);
}

/* Returns whether a body does not push another one, or must not push in the name of any body that pushes it. */
static bool spares(const wend__bodies *bodies, uint32_t index, uint32_t other) {
    enum { LONGEST = 16 };
    const wend__body_world *world = &bodies->world;
    int32_t asker = (int32_t)index;
    for (uint32_t k = 0; world->spares && asker >= 0 && k < LONGEST; k++) {
        const wend__body *body = &bodies->of[asker];
        const int32_t from = body->under_for > 0 ? body->from : -1;
        if (world->spares(world->context, (uint32_t)asker, other, from >= 0)) return true;
        asker = from;
    }
    return false;
}

/* Returns whether a body that goes moves well enough to get by alone. */
static bool gets_by(const wend__body *other, bool goes) {
    if (!goes || other->pass == WEND__PASS_ASKS) return false;
    return wend__vec_dot(other->velocity, other->velocity) * 16 > (int64_t)other->speed * other->speed;
}

void wend__body_press(wend__bodies *bodies, uint32_t index, wend__vec unit, const wend__near_bodies *near,
                      uint32_t rank) {
    const wend__body *body = &bodies->of[index];
    for (uint32_t k = 0; k < near->count; k++) {
        const wend__near_body *n = &near->of[k];
        const int64_t reach = (int64_t)body->radius + n->radius + CLOSE;
        if (n->index < 0 || n->apart > reach * reach || n->index == body->from) continue;
        if (wend__vec_dot(n->off, unit) <= 0 || spares(bodies, index, (uint32_t)n->index)) continue;
        wend__body *other = &bodies->of[n->index];
        const bool goes = wend__body_is_going(other) && (other->from < 0 || other->under_for == 0);
        if (other->tight || gets_by(other, goes)) continue;
        const bool asks_too = other->pass != WEND__PASS_ASKS || body->pass == WEND__PASS_ASKS;
        const bool same_way = goes && asks_too && wend__vec_dot(other->want, unit) * 2 > (int64_t)ONE * ONE;
        ask(bodies, other, same_way ? -1 : (int32_t)index, rank);
    }
}

/// A place to make room at.
typedef struct room {
    int64_t worth;
    wend__vec unit;
    int32_t way;
} room;

/* Returns what a place is worth: far from the line between the pushing body and its aim, or onward in front of it;
 * rather not in the narrow way that this body goes to. */
static int64_t worth_of(wend__bodies *bodies, const wend__body *body, const wend__body *presser, wend__vec place,
                        int32_t need, int32_t way) {
    const int32_t off = wend__least(need, distance_from_presser(bodies, body, presser, place));
    int64_t worth = (int64_t)off * 2 + wend__vec_dot(wend__minus(place, body->at), presser->want) / ONE / 2 - way / 8;
    wend__body_land *floor = wend__body_floor(bodies, body);
    const bool enters =
        presser->pass != WEND__PASS_NONE && !wend__floor_is_narrow(floor, wend__body_cell(body)) &&
        wend__floor_is_narrow(floor, wend__body_cell_seen(bodies, body, wend__body_cell_at(body, place)));
    return enters ? worth - ONE / 2 : worth;
}

/* Returns how far a body gets along a heading before it meets a neighbour. */
static int32_t free_of_bodies(const wend__body *body, wend__vec unit, int32_t speed, int32_t far,
                              const wend__near_bodies *near) {
    const wend__vec velocity = wend__scaled(unit, speed, ONE);
    int32_t time = (int32_t)((int64_t)far * TIME / speed);
    for (uint32_t k = 0; k < near->count && time > 0; k++)
        if (wend__vec_dot(near->of[k].off, unit) > 0)
            time = wend__body_meets(&near->of[k], body->radius, velocity, time);
    return wend__least(far, (int32_t)((int64_t)time * speed / TIME));
}

wend__vec wend__body_make_room(wend__bodies *bodies, uint32_t index, const wend__near_bodies *near) {
    static const int32_t cosines[HEADINGS] = {16384,  15137,  11585,  6270,  0, -6270, -11585, -15137,
                                              -16384, -15137, -11585, -6270, 0, 6270,  11585,  15137};
    wend__body *body = &bodies->of[index];
    const wend__body *presser = &bodies->of[body->from];
    const int32_t need = body->radius + presser->radius + ROOM, speed = wend__most(1, body->speed * 3 / 4);
    const int32_t now = wend__least(need, distance_from_presser(bodies, body, presser, body->at));
    body->to = body->at;
    body->made_room = now >= need;
    if (body->made_room) return (wend__vec){0, 0};
    room free = {(int64_t)now * 2 + ROOM, {0, 0}, 0}, taken = free;
    for (int32_t a = 0; a < HEADINGS; a++) {
        const wend__vec unit = {cosines[a], cosines[(a + 12) % HEADINGS]};
        const int32_t to_wall = wend__floor_free(wend__body_floor(bodies, body), body->at, unit, body->radius, ONE);
        const int32_t to_body = free_of_bodies(body, unit, speed, to_wall, near);
        const int64_t worth = worth_of(bodies, body, presser, wend__along(body->at, unit, to_body), need, to_body);
        const int64_t beyond = worth_of(bodies, body, presser, wend__along(body->at, unit, to_wall), need, to_wall);
        if (worth > free.worth) free = (room){worth, unit, to_body};
        if (beyond > taken.worth) taken = (room){beyond, unit, to_wall};
    }
    body->want = taken.unit;
    body->to = wend__plus(body->at, taken.unit);
    if (taken.worth > free.worth + ONE / 32) wend__body_press(bodies, index, taken.unit, near, body->under);
    const int32_t stops = (int32_t)wend__root(2 * (uint64_t)body->accel * (uint32_t)free.way);
    return wend__scaled(free.unit, wend__least(speed, stops), ONE);
}

void wend__bodies_ask(wend__bodies *bodies, uint32_t asker, const wend__other *other) {
    wend__near_bodies near;
    wend__body *body = &bodies->of[asker];
    const wend__vec at = {other->x, other->y}, to = {other->to_x, other->to_y}, way = wend__minus(to, at);
    const int32_t length = wend__length(way);
    if (body->state != WEND__BODY_NONE) return;
    const wend__vec on_map = {wend__wrapped(at.x, bodies->around.x), wend__wrapped(at.y, bodies->around.y)};
    *body = (wend__body){.asks = true,
                         .at = on_map,
                         .to = wend__plus(on_map, wend__plus(way, way)), /* room for more than this step */
                         .want = wend__scaled(way, ONE, length),
                         .radius = other->radius};
    wend__body_gather(bodies, UINT32_MAX, at, WEND__BODY_FAR, &near);
    for (uint32_t k = 0; k < near.count; k++) {
        if (near.of[k].index < 0 || spares(bodies, asker, (uint32_t)near.of[k].index)) continue;
        wend__body *in_way = &bodies->of[near.of[k].index];
        if (distance_from_line(wend__plus(at, near.of[k].off), at, to) < other->radius + in_way->radius + ROOM / 2)
            ask(bodies, in_way, (int32_t)asker, WEND__RANK_LATER);
    }
}

void wend__bodies_ask_afar(wend__bodies *bodies, uint32_t asker, const wend_cell *cell) {
    wend__near_bodies near;
    wend__body *body = &bodies->of[asker];
    body->asks = cell != NULL;
    if (!cell) return;
    const wend__vec at = wend__body_middle(body, *cell);
    body->to = wend__body_seen(bodies, body->at, at);
    wend__body_gather(bodies, asker, at, WEND__BODY_FAR, &near);
    for (uint32_t k = 0; k < near.count; k++) {
        const wend__near_body *n = &near.of[k];
        const int64_t reach = (int64_t)body->radius + n->radius + ROOM / 2;
        if (n->index < 0 || n->apart > reach * reach || spares(bodies, asker, (uint32_t)n->index)) continue;
        wend__body *in_way = &bodies->of[n->index];
        if (!gets_by(in_way, wend__body_is_going(in_way))) ask(bodies, in_way, (int32_t)asker, own_rank(bodies, body));
    }
}
