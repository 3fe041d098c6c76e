/* SPDX-License-Identifier: MIT */
/* The hard rule: a body moves only as far as it touches no other disc and no wall. All in reach are looked at, and
 * bodies move one at a time, so the rule holds after every single move, whatever steers them. */
#include "agents/discs/state.h"

enum { ONE = WEND__BODY_ONE, PARTS = 5, STRAIGHT = 77 };

/* The part of a velocity that one update moves. */
static wend__vec moved_by(const wend__bodies *bodies, wend__vec v) {
    return bodies->elapsed == 1000 ? v : wend__scaled(v, bodies->elapsed, 1000);
}

/* A body over which a wall was built covers no wall deeper, and leaves no place that is open for one that is not. */
static bool comes_out(wend__bodies *bodies, const wend__body *body, wend__vec v) {
    wend__body_land *floor = wend__body_floor(bodies, body);
    const wend_cell now = wend__body_cell(body), next = wend__body_cell_at(body, wend__plus(body->at, v));
    if (!wend__same_cell(now, next) && !wend__floor_stands(floor, next) && wend__floor_stands(floor, now)) return false;
    return !wend__floor_hits_more(floor, body->at, v, body->radius);
}

static bool is_free(wend__bodies *bodies, uint32_t index, wend__vec v, bool walls) {
    const wend__body *body = &bodies->of[index];
    if (body->in_wall && !comes_out(bodies, body, v)) return false;
    if (walls && !body->in_wall && wend__floor_hits(wend__body_floor(bodies, body), body->at, v, body->radius))
        return false;
    return wend__body_touches(bodies, index, body->at, v, body->radius) == -1;
}

/* Returns the longest part of a velocity, of 32 by halving, that touches nothing. */
static wend__vec free_part(wend__bodies *bodies, uint32_t index, wend__vec v, bool walls) {
    wend__vec good = {0, 0};
    int32_t part = 0;
    for (int32_t bit = 0; bit <= PARTS; bit++) {
        const int32_t longer = part + (ONE >> bit);
        const wend__vec tried = wend__along((wend__vec){0, 0}, v, longer);
        if (!is_free(bodies, index, moved_by(bodies, tried), walls)) continue;
        good = tried;
        part = longer;
        if (bit == 0) break;
    }
    return good;
}

/* Returns a velocity no faster than a speed. */
static wend__vec no_faster(wend__vec v, int32_t speed) {
    while (wend__vec_dot(v, v) > (int64_t)speed * speed) {
        v.x -= (v.x > 0) - (v.x < 0);
        v.y -= (v.y > 0) - (v.y < 0);
    }
    return v;
}

/* Lets a body turn by much only once it stands, also along an obstacle that it slides at. */
static wend__vec slide(const wend__body *body, wend__vec v, int32_t most) {
    const int32_t was = wend__length(body->velocity), now = wend__length(v);
    if (wend__vec_dot(v, body->velocity) * 100 < (int64_t)was * now * STRAIGHT) return (wend__vec){0, 0};
    return now > most ? wend__scaled(v, most, now) : v;
}

/* Returns v without the part that leads towards a disc, and turned a little away from the disc. */
static wend__vec past(const wend__bodies *bodies, const wend__body *body, int32_t other, wend__vec v) {
    const wend__vec off = wend__body_off(bodies, body->at, bodies->of[other].at);
    const wend__vec into = wend__scaled(off, wend__vec_dot(v, off), wend__vec_dot(off, off));
    return wend__minus(wend__minus(v, into), wend__scaled(off, 2, wend__length(off)));
}

/* Returns the longer of a velocity and the free part of another one along an axis: a small disc of a large mover comes
 * no nearer to some corners than what it covers. */
static wend__vec along_axis(wend__bodies *bodies, uint32_t index, wend__vec v, bool walls, wend__vec good) {
    const wend__body *body = &bodies->of[index];
    for (int32_t axis = 0; axis < 2; axis++) {
        const wend__vec part = {axis ? 0 : v.x, axis ? v.y : 0};
        const wend__vec free = free_part(bodies, index, slide(body, part, body->speed), walls);
        if (wend__vec_dot(free, free) > wend__vec_dot(good, good)) good = free;
    }
    return good;
}

wend__vec wend__body_shorten(wend__bodies *bodies, uint32_t index, wend__vec v) {
    const wend__body *body = &bodies->of[index];
    wend__body_land *floor = wend__body_floor(bodies, body);
    const wend_cell at = wend__cell_at(body->at);
    const int32_t reach = wend__most(body->radius, body->offset) + body->speed;
    const bool walls = (wend__floor_clear(floor, at.x, at.y) - 1) * ONE < reach;
    if (!v.x && !v.y) return v;
    if (walls && !body->turning && !body->in_wall &&
        wend__floor_hits(floor, body->at, moved_by(bodies, v), body->radius))
        v = slide(body, wend__floor_slide(floor, body->at, v, body->radius), wend__length(v));
    v = no_faster(v, body->speed);
    const wend__vec good = free_part(bodies, index, v, walls);
    if (body->turning || wend__vec_dot(good, good) * 4 >= wend__vec_dot(v, v)) return good;
    const int32_t other = wend__body_touches(bodies, index, body->at, moved_by(bodies, v), body->radius);
    const bool steps = body->via.x != body->post.x || body->via.y != body->post.y;
    if (steps && other != -1 && body->blocked < WEND__BODY_BLOCKED) return good; /* the body waits on its line */
    if (other < 0) return along_axis(bodies, index, v, walls, good);
    wend__vec beside = slide(body, past(bodies, body, other, v), body->speed);
    beside = free_part(bodies, index, no_faster(beside, body->speed), walls);
    return wend__vec_dot(beside, beside) > wend__vec_dot(good, good) ? beside : good;
}
