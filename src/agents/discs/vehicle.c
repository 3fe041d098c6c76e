/* SPDX-License-Identifier: MIT */
/* Vehicles: discs of places with a front and a least circle. A vehicle goes forward or backs toward its aim, which its
 * plan chose (drive.c), and turns by its way ÷ its circle at most. Its centre stays in its place and the granted one:
 * where its way leads out of them it stops. */
#include "agents/discs/state.h"

enum {
    ONE = WEND__BODY_ONE,
    STEP = ONE / 8,                               ///< length of the straight pieces of an arc
    EACH = 4,                                     ///< steps between two points of a way
    LOOKS = (WEND__WAY_POINTS - 1) * EACH * STEP, ///< way ahead that it looks at
    PATIENT = 4 * WEND__BODY_UNIT, ///< time for which it waits for others in its way, and between two searches
};

/* Returns whether a pose is at an aim, or beside it, so that it comes no nearer. */
static bool is_there(const wend__body *body, const wend__pose *pose, wend__vec aim, bool backs) {
    const wend__vec to = wend__minus(aim, pose->at);
    const int64_t square = wend__vec_dot(to, to), near = wend__least(ONE / 2, body->turning);
    if (square <= (int64_t)WEND__BODY_THERE * WEND__BODY_THERE) return true;
    const int64_t ahead = wend__vec_dot(pose->front, to);
    if (backs ? ahead < 0 : ahead > 0) return false;
    return square < near * near || wend__vehicle_circles(body, pose, aim);
}

/* ---- the way on ---- */

/// The way of a vehicle from where it is, within its places.
typedef struct ahead {
    int32_t way;
    bool leads;                         ///< it enters the granted place
    bool arrives;                       ///< it ends at its aim
    wend__vec points[WEND__WAY_POINTS]; ///< of the way, every fourth step, and its end
} ahead;

/* Returns whether a centre is in one of the places between two. */
static bool is_within(const wend__body *body, wend__vec at, wend_cell a, wend_cell b) {
    const int32_t x = at.x - body->offset, y = at.y - body->offset;
    return x >= wend__least(a.x, b.x) * ONE && x < (wend__most(a.x, b.x) + 1) * ONE &&
           y >= wend__least(a.y, b.y) * ONE && y < (wend__most(a.y, b.y) + 1) * ONE;
}

/* Looks along the way to an aim.
 * @param from   the place that it leaves
 * @param to     the place that it comes to */
static ahead look_along(wend__bodies *bodies, const wend__body *body, wend_cell from, wend_cell to, wend__vec aim,
                        bool backs) {
    wend__pose pose = wend__vehicle_pose(body, aim, backs);
    wend__body_land *floor = wend__body_floor(bodies, body);
    if (!is_within(body, body->at, from, to)) from = wend__body_cell(body);
    ahead found = {.leads = wend__same_cell(wend__body_cell(body), to)};
    for (uint32_t k = 0; k < WEND__WAY_POINTS; k++) found.points[k] = body->at;
    uint32_t steps = 0;
    while (found.way < LOOKS) {
        found.arrives = is_there(body, &pose, aim, backs);
        if (found.arrives) return found;
        const int32_t step = wend__least(STEP, wend__length(wend__minus(aim, pose.at)));
        const wend__vec before = pose.at;
        wend__vehicle_move(body, &pose, aim, backs, step);
        if (wend__floor_hits(floor, before, wend__minus(pose.at, before), body->radius)) return found;
        if (!is_within(body, pose.at, found.leads ? to : from, to)) return found;
        if (!found.leads && wend__same_cell(wend__body_cell_at(body, pose.at), to)) found.leads = true;
        found.way += step;
        for (uint32_t k = 1 + steps++ / EACH; k < WEND__WAY_POINTS; k++) found.points[k] = pose.at;
    }
    return found;
}

/* Returns a cell of the map next to its own, as the vehicle sees it: maybe beyond a rim or a seam. */
static wend_cell seen_cell(const wend__bodies *bodies, const wend__body *body, wend_cell cell) {
    const wend_cell own = wend__body_cell(body), steps = wend__body_steps(bodies, own, cell);
    return (wend_cell){own.x + steps.x, own.y + steps.y, 0};
}

/* Returns the same for the place of a point of the map. */
static wend_cell place_of(const wend__bodies *bodies, const wend__body *body, wend__vec post) {
    return seen_cell(bodies, body, wend__body_cell_at(body, post));
}

static bool faces_away(const wend__body *body, wend__vec aim) {
    return wend__vec_dot(body->facing, wend__minus(aim, body->at)) < 0;
}

/// The places of a vehicle: the one that it leaves, and the one that it comes to.
typedef struct places {
    wend_cell from, to;
} places;

static bool is_between(int32_t n, int32_t a, int32_t b) {
    return n >= wend__least(a, b) && n <= wend__most(a, b);
}

/* Returns whether a cell is one of its places, or a corner of the diagonal between them. */
static bool is_its_place(void *context, wend_cell from, wend_cell to) {
    const places *own = context;
    (void)from;
    return is_between(to.x, own->from.x, own->to.x) && is_between(to.y, own->from.y, own->to.y);
}

/* Finds arcs within its places to the middle of the granted one, past others that stand. Returns whether there are. */
static bool find_way(wend__bodies *bodies, uint32_t index) {
    const wend__body *body = &bodies->of[index];
    places own = {place_of(bodies, body, body->via), place_of(bodies, body, body->post)};
    const wend__drive_request request = {.context = &own,
                                         .opens = is_its_place,
                                         .to = wend__body_seen(bodies, body->at, body->post),
                                         .others_stay = body->blocked >= PATIENT};
    wend__drive drive;
    if (!wend__bodies_drive(bodies, index, &request, &drive)) return false;
    wend__vehicle_aim(bodies, index, drive.aim, drive.backs, drive.goes_on);
    return true;
}

/* Returns the way on. Where its aim does not lead into the granted place, or others are in the way for some time, it
 * looks for another one from time to time. */
static ahead look_ahead(wend__bodies *bodies, uint32_t index) {
    const wend__body *body = &bodies->of[index];
    const wend_cell from = place_of(bodies, body, body->via), to = place_of(bodies, body, body->post);
    const ahead on = look_along(bodies, body, from, to, body->aim, body->backs);
    const bool leads = body->at_via || on.leads || (on.way > WEND__BODY_THERE && on.arrives),
               stands = !body->velocity.x && !body->velocity.y;
    const bool looks = body->blocked % PATIENT < WEND__BODY_UNIT && (leads ? body->blocked >= PATIENT : stands);
    if (looks && !body->at_via && find_way(bodies, index))
        return look_along(bodies, body, from, to, body->aim, body->backs);
    return leads ? on : (ahead){.way = 0};
}

wend__vec wend__vehicle_velocity(wend__bodies *bodies, uint32_t index) {
    wend__body *body = &bodies->of[index];
    const int32_t least = (int32_t)((999 + bodies->elapsed) / bodies->elapsed);
    if (wend__same_cell(wend__body_cell(body), place_of(bodies, body, body->post))) body->at_via = 1;
    const ahead on = look_ahead(bodies, index);
    body->halted = on.way < least;
    if (body->halted) return (wend__vec){0, 0};
    const wend__vec to = wend__minus(body->aim, body->at);
    const int32_t left = body->goes_on && on.arrives ? on.way + ONE : on.way;
    const int64_t brakes = WEND__BODY_BRAKES * (int64_t)wend__body_gain(body);
    const int32_t stops =
        (int32_t)(((int64_t)wend__root((uint64_t)(brakes * brakes + 8 * brakes * left)) - brakes) / 2);
    const int64_t covers = (int64_t)left * WEND__BODY_UNIT / bodies->elapsed;
    int32_t speed = wend__least(body->speed, stops);
    if (covers < speed) speed = (int32_t)covers;
    const wend__vec unit = wend__scaled(to, ONE, wend__length(to));
    return wend__scaled(unit, body->backs ? -wend__most(1, speed) : wend__most(1, speed), ONE);
}

/* ---- limits ---- */

/* Returns its speed along its front, below 0 where it backs. */
static int32_t speed_forward(const wend__body *body) {
    const int32_t speed = wend__length(body->velocity);
    return wend__vec_dot(body->velocity, body->facing) < 0 ? -speed : speed;
}

/* Returns the speed after an update that changes it towards a wanted one. It stands between forward and back. */
static int32_t next_speed(int32_t was, int32_t wanted, int32_t gain) {
    if (was < 0) return -next_speed(-was, -wanted, gain);
    if (wanted >= was) return wend__least(wanted, was + gain);
    if (was == 0) return wend__most(wanted, -gain);
    return wend__most(wend__most(wanted, 0), was - gain * WEND__BODY_BRAKES);
}

/* Returns its velocity at a speed, below 0 back: its front turns towards a vector as far as the way of an update allows.
 */
static wend__vec velocity_at(const wend__body *body, wend__vec want, int32_t speed, uint32_t elapsed) {
    const int32_t way = (int32_t)((int64_t)(speed < 0 ? -speed : speed) * (int32_t)elapsed / WEND__BODY_UNIT);
    wend__vec front = body->facing;
    if (!front.x && !front.y) front = wend__scaled(want, ONE, wend__length(want));
    if (!want.x && !want.y) want = front; /* it brakes straight on */
    return wend__scaled(wend__arc_turned(front, want, way, body->turning), speed, ONE);
}

wend__vec wend__vehicle_limit(const wend__body *body, wend__vec want, int32_t gain, uint32_t elapsed) {
    const int32_t wanted = wend__length(want);
    return velocity_at(body, want, next_speed(speed_forward(body), body->backs ? -wanted : wanted, gain), elapsed);
}

wend__vec wend__vehicle_slower(const wend__bodies *bodies, const wend__body *body, wend__vec want, wend__vec v) {
    const int32_t speed = wend__length(v);
    const bool backs = wend__vec_dot(v, body->facing) < 0;
    return velocity_at(body, want, backs ? -speed : speed, bodies->elapsed);
}

/* ---- its places ---- */

void wend__vehicle_leave(wend__bodies *bodies, uint32_t index, wend__vec out, wend__vec *wanted) {
    wend__body *body = &bodies->of[index];
    const bool backs = wend__vec_dot(body->facing, out) < 0;
    const wend__vec end = wend__along(body->at, body->facing, backs ? -STEP : STEP);
    if (!is_within(body, end, place_of(bodies, body, body->via), place_of(bodies, body, body->post))) return;
    body->backs = backs;
    *wanted = wend__scaled(body->facing, wend__length(out), ONE);
}

void wend__vehicle_way(wend__bodies *bodies, uint32_t index, wend_cell to, wend__vec way[WEND__WAY_POINTS]) {
    const wend__body *body = &bodies->of[index];
    const wend_cell at = place_of(bodies, body, body->post), end = seen_cell(bodies, body, to);
    const wend_cell from = wend__same_cell(at, end) ? place_of(bodies, body, body->via) : at;
    const wend__vec middle = wend__body_middle(body, end);
    for (uint32_t k = 0; k < WEND__WAY_POINTS; k++) way[k] = body->at;
    if (body->at_via && wend__same_cell(at, end)) return; /* it is on no step */
    ahead on = look_along(bodies, body, from, end, body->aim, body->backs);
    if (!on.leads) on = look_along(bodies, body, from, end, middle, faces_away(body, middle));
    for (uint32_t k = 0; k < WEND__WAY_POINTS; k++) way[k] = on.points[k];
}

bool wend__vehicle_stays(wend__bodies *bodies, uint32_t index) {
    const wend__body *body = &bodies->of[index];
    const wend_cell own = place_of(bodies, body, body->post);
    const ahead on = look_along(bodies, body, own, own, body->aim, body->backs);
    return on.arrives && on.way > WEND__BODY_THERE;
}

bool wend__vehicle_leads(wend__bodies *bodies, uint32_t index, wend_cell to) {
    const wend__body *body = &bodies->of[index];
    const wend_cell from = place_of(bodies, body, body->post);
    to = seen_cell(bodies, body, to);
    const wend__vec middle = wend__body_middle(body, to);
    return look_along(bodies, body, from, to, body->aim, body->backs).leads ||
           look_along(bodies, body, from, to, middle, false).leads ||
           look_along(bodies, body, from, to, middle, true).leads;
}

void wend__vehicle_aim(wend__bodies *bodies, uint32_t index, wend__vec aim, bool backs, bool goes_on) {
    bodies->of[index].aim = aim;
    bodies->of[index].backs = backs;
    bodies->of[index].goes_on = goes_on;
}

void wend__vehicle_rest(wend__bodies *bodies, uint32_t index) {
    wend__body *body = &bodies->of[index];
    const wend__vec post = wend__body_seen(bodies, body->at, body->post);
    if (body->aim.x == post.x && body->aim.y == post.y) return;
    wend__vehicle_aim(bodies, index, post, faces_away(body, post), false);
    body->halted = 0;
}

bool wend__bodies_is_vehicle(const wend__bodies *bodies, uint32_t index) {
    return bodies->of[index].turning > 0;
}

bool wend__bodies_any_vehicle(const wend__bodies *bodies) {
    return bodies->vehicles > 0;
}

wend_cell wend__bodies_seen_cell(wend__bodies *bodies, uint32_t index, wend_cell cell) {
    return wend__body_cell_seen(bodies, &bodies->of[index], cell);
}
