/* SPDX-License-Identifier: MIT */
/* Tight bodies go from cell to cell as agents without bodies do. The disc follows straight lines over the middles of
 * the cells that traffic has granted. Steps have numbers: the agent that leaves a cell has an older step than the
 * agent that enters it. A disc keeps off the ground that older steps still need, so that some disc can always go on. */
#include "agents/discs/state.h"

enum {
    ONE = WEND__BODY_ONE,
    THERE = ONE / 64,           ///< distance from a middle at which a disc has arrived
    NEAR = 4 * ONE,             ///< distance within which the steps of others count
    SEES_TIGHT = ONE * 5 / 2,   ///< distance within which a loose disc avoids tight ones
    STEPPED_AT = ONE / 2,       ///< distance before the middle at which a disc may get its next step
    BRAKES = 2,                 ///< braking, in multiples of its acceleration
    UNIT = 1000,                ///< thousandths of a unit of time
    TRIES = 8 * UNIT,           ///< time for a disc to return to its way before it tries otherwise
    PATIENT = 3 * UNIT,         ///< time in a step after which a disc pushes the disc in its way
    MOST_BLOCKED = 10000 * UNIT ///< most time that is counted
};

/* Returns how far from a middle a body may turn towards the next. */
static int32_t tolerance(const wend__body *body) {
    return wend__most(ONE / 256, (ONE / 2 - body->radius) / 3);
}

bool wend__bodies_may_tighten(const wend__bodies *bodies, uint32_t index, int32_t gain) {
    const wend__body *body = &bodies->of[index];
    if (wend__vec_dot(body->velocity, body->velocity) > (int64_t)BRAKES * gain * ONE) return false;
    const bool flat = !bodies->sheets && !bodies->around.x && !bodies->around.y;
    return flat && body->offset == 0 && body->turning == 0 && !body->parked && !body->in_wall && !body->pressed &&
           !body->member;
}

void wend__bodies_tighten(wend__bodies *bodies, uint32_t index, wend__vec post) {
    wend__body *body = &bodies->of[index];
    wend__body_leave_narrow(bodies, index);
    body->tight = body->at_via = 1;
    body->via = body->post = post;
    body->step = body->via_step = --bodies->posts;
    body->under_for = body->meek = body->waited = body->late = 0;
    body->wants_tight = 0;
    body->blocked = 0;
    if (body->state == WEND__BODY_RETURNS || body->state == WEND__BODY_STOPS) body->state = WEND__BODY_RESTS;
}

void wend__bodies_loosen(wend__bodies *bodies, uint32_t index) {
    wend__body *body = &bodies->of[index];
    body->tight = 0;
    body->wants_tight = 0;
    body->waited = body->late = body->aim_age = 0;
    body->goal = body->aim = body->at;
    if (body->state != WEND__BODY_GOES) body->state = WEND__BODY_RESTS;
}

void wend__bodies_set_going(wend__bodies *bodies, uint32_t index, bool goes) {
    bodies->of[index].state = goes ? WEND__BODY_GOES : WEND__BODY_RESTS;
}

void wend__bodies_grant(wend__bodies *bodies, uint32_t index, wend__vec post, uint32_t step) {
    wend__body *body = &bodies->of[index];
    if (post.x == body->post.x && post.y == body->post.y) return;
    body->via = body->post;
    body->via_step = body->step;
    body->post = post;
    body->at_via = 0;
    body->step = (int32_t)(step & INT32_MAX);
}

static wend__vec off_to(const wend__bodies *bodies, const wend__body *body, wend__vec point) {
    return wend__body_off(bodies, body->at, point);
}

/* Squared distance of a point from a line between two others. */
static int64_t from_line(wend__vec at, wend__vec from, wend__vec to) {
    const wend__vec line = wend__minus(to, from), off = wend__minus(at, from);
    const int64_t length = wend__vec_dot(line, line), along = wend__vec_dot(off, line);
    if (along <= 0 || length == 0) return wend__vec_dot(off, off);
    if (along >= length) {
        const wend__vec end = wend__minus(at, to);
        return wend__vec_dot(end, end);
    }
    const int64_t across = wend__vec_cross(line, off) / wend__most(1, wend__length(line));
    return across * across;
}

/* Returns whether a tight body has only to stand still. A disc that fills its cell stops as near as it needs. */
static bool stands(const wend__bodies *bodies, const wend__body *body) {
    const wend__vec off = off_to(bodies, body, body->post);
    const int64_t near = wend__least(THERE, wend__most(2, (ONE / 2 - body->radius) / 2));
    return body->at_via && wend__vec_dot(off, off) <= near * near;
}

/* Returns whether a tight disc that moves by a vector stays within the cells that it goes through. */
static bool is_in_lane(const wend__bodies *bodies, const wend__body *body, wend__vec by) {
    const wend__vec via = off_to(bodies, body, body->via), post = off_to(bodies, body, body->post);
    const int64_t slack = wend__most(THERE, ONE / 2 - body->radius);
    return from_line(by, via, post) <= slack * slack;
}

static wend__vec nearest_on(wend__vec at, wend__vec from, wend__vec to) {
    const wend__vec line = wend__minus(to, from), off = wend__minus(at, from);
    const int64_t length = wend__vec_dot(line, line), along = wend__vec_dot(off, line);
    if (along <= 0 || length == 0) return from;
    if (along >= length) return to;
    return (wend__vec){from.x + (int32_t)(line.x * along / length), from.y + (int32_t)(line.y * along / length)};
}

static void look_at_via(const wend__bodies *bodies, wend__body *body) {
    const int64_t near = tolerance(body);
    if (body->at_via) return;
    const wend__vec via = off_to(bodies, body, body->via), post = off_to(bodies, body, body->post);
    body->at_via = from_line(via, (wend__vec){0, 0}, post) <= near * near;
    const wend__vec leg = wend__minus(post, via);
    const int32_t length = wend__length(leg);
    if (length == 0 || wend__vec_dot(via, leg) > 0) return;
    const int64_t aside = wend__vec_cross(leg, via) / length;
    const int32_t slack = (ONE / 2 - body->radius) / (body->blocked >= 2 * UNIT ? 1 : 2);
    if ((aside < 0 ? -aside : aside) <= slack) body->at_via = 1;
}

/* Returns where a disc goes now, seen from it. If it left its cells and makes no progress, it goes back between them,
 * and in turn straight on. */
static wend__vec aim_of(const wend__bodies *bodies, const wend__body *body) {
    const wend__vec via = off_to(bodies, body, body->via), post = off_to(bodies, body, body->post), here = {0, 0};
    if (!body->at_via) return via;
    const bool strays = body->blocked >= 2 * UNIT && !is_in_lane(bodies, body, here);
    return strays && body->blocked / TRIES % 2 == 0 ? nearest_on(here, via, post) : post;
}

/* Returns whether the centre of a tight disc is in the last cell of its way, and stays there for longer than a unit of
 * time: it may be too fast to turn, and its agent's cell is never two from its own. */
static bool is_in_own_cell(const wend__body *body) {
    const wend__vec after = wend__plus(body->at, wend__scaled(body->velocity, 3, 2));
    const wend_cell own = wend__cell_at(body->post);
    return wend__same_cell(wend__cell_at(body->at), own) && wend__same_cell(wend__cell_at(after), own);
}

bool wend__bodies_stepped(const wend__bodies *bodies, uint32_t index) {
    const wend__body *body = &bodies->of[index];
    const wend__vec to = off_to(bodies, body, body->post);
    const bool leaves = wend__vec_dot(to, body->velocity) < 0 && wend__length(to) > ONE / 8;
    if (!body->at_via || leaves) return false;
    if (wend__length(to) > ONE / 4 && !is_in_own_cell(body)) return false;
    const int64_t v = wend__length(body->velocity), stops = v * v / (2 * BRAKES * body->accel) + v + ONE / 8;
    return wend__length(to) <= (stops < STEPPED_AT ? stops : STEPPED_AT);
}

bool wend__bodies_stand_tight(const wend__bodies *bodies, uint32_t index) {
    const wend__body *body = &bodies->of[index];
    return stands(bodies, body) && !body->velocity.x && !body->velocity.y;
}

wend__vec wend__tight_velocity(wend__bodies *bodies, uint32_t index) {
    wend__body *body = &bodies->of[index];
    look_at_via(bodies, body);
    const wend__vec to = aim_of(bodies, body);
    const int32_t left = wend__length(to), brake = BRAKES * body->accel;
    const int32_t unit = (int32_t)((999 + bodies->elapsed) / bodies->elapsed); /* at least 1, so that the disc moves */
    int32_t speed = body->speed;
    body->want = left ? wend__scaled(to, ONE, left) : (wend__vec){0, 0};
    body->to = wend__plus(body->at, to);
    if (stands(bodies, body)) return (wend__vec){0, 0};
    if (left == 0) return (wend__vec){0, 0};
    if (body->at_via) {
        const int32_t stops = (int32_t)wend__root(2 * (uint64_t)brake * (uint32_t)left) * 7 / 8;
        speed = wend__least(speed, wend__most(stops, wend__least(left, body->accel)));
        speed = wend__least(speed, wend__most(left, unit));
    } else {
        const int32_t corner = wend__most(body->speed / 16, tolerance(body));
        const uint64_t square = (uint64_t)corner * (uint64_t)corner + 2 * (uint64_t)brake * (uint32_t)left;
        speed = wend__least(speed, (int32_t)wend__root(square) * 7 / 8);
        speed = wend__least(speed, wend__most(left, wend__most(unit, corner / 2)));
    }
    const int64_t covers = (int64_t)left * 1000 / bodies->elapsed; /* within this update */
    if (covers < speed) speed = (int32_t)covers;
    return wend__scaled(to, speed, left);
}

/* Returns the number of the step that a body is on. */
static int32_t step_of(const wend__body *body) {
    return !body->tight ? INT32_MAX : body->at_via ? body->step : body->via_step;
}

/* Returns the squared distance between a point, seen from a body, and the rest of a tight body's way by older steps. */
static int64_t from_way(const wend__bodies *bodies, const wend__body *other, wend__vec off, wend__vec at,
                        int32_t step) {
    const wend__vec post = wend__plus(off, off_to(bodies, other, other->post));
    int64_t least = INT64_MAX;
    if (other->at_via) return other->step < step ? from_line(at, off, post) : least;
    const wend__vec via = wend__plus(off, off_to(bodies, other, other->via));
    if (other->via_step < step) least = from_line(at, off, via);
    const int64_t second = other->step < step ? from_line(at, via, post) : least;
    return second < least ? second : least;
}

/* Finds the nearest point, seen from a body, of the older steps of an agent near it. Returns whether that agent waits
 * for this body: a blocked tight one, or one without a body whose step is held. */
static bool waits_for(const wend__bodies *bodies, const wend__body *body, const wend__near_body *n, wend__vec *point) {
    const int32_t step = step_of(body);
    const int64_t reach = (int64_t)body->radius + n->radius + ONE / 64;
    const wend__vec here = {0, 0};
    if (n->apart > (int64_t)NEAR * NEAR) return false;
    if (n->index < 0) {
        *point = nearest_on(here, n->from, n->goes);
        return body->blocked >= 2 * UNIT && n->step < step && wend__vec_dot(*point, *point) < reach * reach;
    }
    const wend__body *other = &bodies->of[n->index];
    if (!other->tight || other->blocked < 2 * UNIT || stands(bodies, other)) return false;
    if (from_way(bodies, other, n->off, here, step) >= reach * reach) return false;
    const wend__vec post = wend__plus(n->off, off_to(bodies, other, other->post));
    *point = nearest_on(here, n->off, post);
    if (other->at_via) return true;
    const wend__vec via = wend__plus(n->off, off_to(bodies, other, other->via));
    const wend__vec a = nearest_on(here, n->off, via), b = nearest_on(here, via, post);
    *point = other->step >= step || wend__vec_dot(a, a) < wend__vec_dot(b, b) ? a : b;
    return true;
}

/* Moves a disc out of the way of an older step that waits for it. */
void wend__tight_get_out(wend__bodies *bodies, uint32_t index, const wend__near_bodies *near, wend__vec *wanted) {
    const wend__body *body = &bodies->of[index];
    wend__vec point;
    if (bodies->posts == 0) return; /* no body was ever tight */
    for (uint32_t k = 0; k < near->count; k++) {
        if (!waits_for(bodies, body, &near->of[k], &point)) continue;
        int32_t apart = wend__length(point);
        if (apart < 16) point = near->of[k].off, apart = wend__most(1, wend__length(point));
        const wend__vec out = wend__scaled(point, -wend__least(body->speed / 2, ONE / 16), apart);
        if (!body->tight || is_in_lane(bodies, body, out)) *wanted = out;
        return;
    }
}

bool wend__tight_is_near(const wend__bodies *bodies, const wend__near_bodies *near) {
    for (uint32_t k = 0; k < near->count && near->of[k].apart < (int64_t)SEES_TIGHT * SEES_TIGHT; k++)
        if (near->of[k].index >= 0 && bodies->of[near->of[k].index].tight &&
            bodies->of[near->of[k].index].state >= WEND__BODY_GOES)
            return true;
    return false;
}

static bool keeps_off(const wend__bodies *bodies, const wend__body *body, const wend__near_bodies *near, wend__vec by) {
    const int32_t step = step_of(body);
    for (uint32_t k = 0; k < near->count; k++) {
        const wend__near_body *n = &near->of[k];
        if (bodies->posts == 0 && n->index >= 0) continue; /* no body was ever tight */
        const wend__body *other = n->index < 0 ? NULL : &bodies->of[n->index];
        if (other ? !other->tight || stands(bodies, other) : n->step >= step) continue;
        if (n->apart > (int64_t)NEAR * NEAR) continue;
        const int64_t reach = (int64_t)body->radius + n->radius;
        const int64_t room = reach + wend__most(0, wend__least(ONE / 16, (ONE - (int32_t)reach) / 3));
        const int64_t after = other ? from_way(bodies, other, n->off, by, step) : from_line(by, n->from, n->goes);
        if (after >= room * room) continue;
        const int64_t now = other ? from_way(bodies, other, n->off, (wend__vec){0, 0}, step)
                                  : from_line((wend__vec){0, 0}, n->from, n->goes);
        if (after >= now) continue;
        if (after < reach * reach) return false;
        const int32_t nearer = (int32_t)(wend__root((uint64_t)now) - wend__root((uint64_t)after));
        if (nearer * 3 > wend__length(by)) return false;
    }
    return true;
}

wend__vec wend__tight_yield(wend__bodies *bodies, uint32_t index, wend__vec v, const wend__near_bodies *near) {
    const wend__body *body = &bodies->of[index];
    for (int32_t k = 0; k < 4; k++) {
        if (!v.x && !v.y) return v;
        const wend__vec by = bodies->elapsed == 1000 ? v : wend__scaled(v, bodies->elapsed, 1000);
        if (keeps_off(bodies, body, near, by)) return v;
        v = wend__scaled(v, 1, 2);
    }
    return (wend__vec){0, 0};
}

bool wend__bodies_post_is_free(wend__bodies *bodies, uint32_t index, wend_cell cell) {
    const wend__body *body = &bodies->of[index];
    const wend__vec at = off_to(bodies, body, wend__middle_of(cell));
    wend__near_bodies near;
    wend__body_gather(bodies, index, body->at, &near);
    for (uint32_t k = 0; k < near.count; k++) {
        if (near.of[k].index < 0 || near.of[k].apart > (int64_t)NEAR * NEAR) continue;
        const wend__body *other = &bodies->of[near.of[k].index];
        const int64_t reach = (int64_t)body->radius + other->radius;
        if (!other->tight) continue;
        if (from_way(bodies, other, near.of[k].off, at, INT32_MAX) < reach * reach) return false;
        if (from_line(near.of[k].off, (wend__vec){0, 0}, at) < reach * reach &&
            from_line(near.of[k].off, (wend__vec){0, 0}, at) + 64 < near.of[k].apart)
            return false;
    }
    return true;
}

void wend__tight_look_back(wend__bodies *bodies, uint32_t index, wend__vec wanted, const wend__near_bodies *near) {
    wend__body *body = &bodies->of[index];
    const int64_t now = wend__vec_dot(body->velocity, body->velocity), want = wend__vec_dot(wanted, wanted);
    if (want == 0 || now * 16 > want) {
        body->blocked = 0;
        return;
    }
    if (body->blocked < MOST_BLOCKED) body->blocked += (int32_t)bodies->elapsed;
    if (body->blocked < PATIENT) return;
    const int32_t other = wend__body_touches(bodies, index, body->at, wanted, body->radius);
    if (other < 0 || bodies->of[other].tight) return;
    bodies->of[other].wants_tight = 1;
    wend__body_press(bodies, index, body->want, near, 0);
}

bool wend__bodies_is_crowded(wend__bodies *bodies, uint32_t index, int32_t reach) {
    wend__near_bodies near;
    wend__body_gather(bodies, index, bodies->of[index].at, &near);
    for (uint32_t k = 0; k < near.count; k++)
        if (near.of[k].apart < (int64_t)reach * reach) return true;
    return false;
}

bool wend__bodies_is_among_cells(wend__bodies *bodies, uint32_t index, int32_t reach) {
    wend__other others[4];
    const wend__body *body = &bodies->of[index];
    if (!bodies->world.others) return false;
    return bodies->world.others(bodies->world.context, body->at.x, body->at.y, reach, others, 4) > 0;
}

bool wend__bodies_sees_cell(wend__bodies *bodies, uint32_t index, wend_cell cell) {
    const wend__body *body = &bodies->of[index];
    const wend__vec to = wend__body_seen(bodies, body->at, wend__middle_of(cell));
    return wend__floor_sees(wend__body_floor(bodies, body), body->at, to, body->radius);
}

int32_t wend__bodies_clearance(wend__bodies *bodies, uint32_t index) {
    const wend__body *body = &bodies->of[index];
    const wend_cell at = wend__cell_at(body->at);
    return wend__floor_clear(wend__body_floor(bodies, body), at.x, at.y);
}
