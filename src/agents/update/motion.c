/* SPDX-License-Identifier: MIT */
/* In each update, gives the engine the agents' orders, moves the bodies, and reports changes to the crowd. */
#include "agents/update/agents.h"

#include "agents/orders/goal.h"
#include "agents/plan/path.h"
#include "base/fault.h"
#include "map/movers/views.h"
#include "map/version/version.h"

enum {
    ONE = WEND_BODY_UNITS,
    HALF = ONE / 2,
    MILLI = 1000,
    PATIENT = 12,    ///< updates without progress before its agent counts as waiting
    LONG = 256,      ///< the same updates, counted without a step of progress, while the body waits for its turn
    HOPE = 400,      ///< updates without a step of progress after which only a joint search may help
    NO_HOPE = 600,   ///< units of time without a step after which nothing helps, unless others near get on
    STOOD = 1 << 30, ///< most thousandths of such units that are counted
};

size_t wend__bodies_engine_bytes(const wend_crowd *crowd) {
    return wend__bodies_bytes(crowd->def.map, crowd->def.agents);
}

uint32_t wend__bodies_radius(uint32_t milli) {
    return (milli * ONE + MILLI - 1) / MILLI; /* discs are never smaller than defined */
}

wend_cell wend__bodies_cell(wend_body_vector at, int32_t size) {
    const int64_t by = (int64_t)HALF * (2 - size);
    return (wend_cell){(int32_t)((at.x + by) >> 14), (int32_t)((at.y + by) >> 14), 0};
}

/* ---- the engine's queries ---- */

static uint32_t way(void *context, uint32_t index, uint32_t skip, wend_cell *cells, uint32_t capacity) {
    const wend_bodies *bodies = context;
    return wend__body_way(bodies->crowd, bodies->version, index, skip, cells, capacity);
}

static bool spares(void *context, uint32_t index, uint32_t other, bool pressed) {
    const wend_bodies *bodies = context;
    return wend__body_spares(bodies->crowd, index, other, pressed);
}

static bool may_enter(void *context, uint32_t index, wend_cell cell, uint32_t there) {
    const wend_bodies *bodies = context;
    return wend__traffic_body_may_enter(bodies->crowd->traffic, index, cell, there);
}

static void entered(void *context, uint32_t index, wend_cell cell, bool stops) {
    const wend_bodies *bodies = context;
    wend__body_entered(bodies->crowd, bodies->version, index, cell, stops);
}

static uint32_t others_near(void *context, int32_t x, int32_t y, int32_t reach, wend__other *out, uint32_t capacity) {
    const wend_bodies *bodies = context;
    return wend__others_near(&bodies->others, x, y, reach, out, capacity);
}

/* ---- orders ---- */

static bool is_same(const wend__body_order *a, const wend__body_order *b) {
    return a->goes == b->goes && a->stands == b->stands && a->goal == b->goal && wend__same_cell(a->to, b->to);
}

/* Orders a body without a goal to brake, or to stay in this cell if it was to stand here. If pushed out of its home, it
 * returns there. With a goal it rests where it is, as it waits or is near enough to its target. */
static void send_home(wend_bodies *bodies, uint32_t i, const wend__body_order *order, const wend__body_order *last) {
    const wend_cell home = order->to;
    const wend__body *body = wend__bodies_get(bodies->engine, i);
    const bool stands_there = order->goal == 0 && last->goes && last->stands && wend__same_cell(last->to, home);
    if (!wend__same_cell(wend__body_cell(body), home) || (stands_there && body->state == WEND__BODY_GOES))
        wend__bodies_return(bodies->engine, i, wend__body_middle(body, home));
    else if (body->state == WEND__BODY_GOES || !wend__same_cell(wend__bodies_goal_cell(bodies->engine, i), home))
        wend__bodies_stop(bodies->engine, i); /* also if its agent stays for good where it was pushed */
}

/* Gives the engine an agent's order, if the order differs from the last one. */
static void give_order(wend_bodies *bodies, uint32_t i) {
    wend__body_agent *agent = &bodies->agents[i];
    const wend__body_order order = wend__body_order_of(bodies->crowd, bodies->version, i), last = agent->last;
    const int32_t speed = wend__bodies_top_speed(bodies, i);
    const wend__body *body = wend__bodies_get(bodies->engine, i);
    wend__bodies_set_speed(bodies->engine, i, speed, wend__bodies_gain(bodies, i, speed));
    wend__bodies_set_parked(bodies->engine, i,
                            bodies->crowd->in_traffic[i].parked || bodies->crowd->in_traffic[i].steered);
    if (agent->ordered && is_same(&order, &last)) return;
    const bool same_goal = agent->ordered && last.goes && order.goes && last.goal == order.goal;
    const bool next_leg = bodies->crowd->agents[i].goal.kind == WEND__GOAL_ROUTE && !wend__same_cell(last.to, order.to);
    if (last.goal != order.goal || next_leg) agent->stood = 0;
    if (last.goal != order.goal || next_leg || !agent->ordered) agent->least = UINT32_MAX;
    agent->last = order;
    agent->ordered = true;
    if (!order.goes)
        send_home(bodies, i, &order, &last);
    else if (same_goal && body->state == WEND__BODY_GOES)
        wend__bodies_retarget(bodies->engine, i, wend__body_middle(body, order.to), !order.stands);
    else
        wend__bodies_go(bodies->engine, i, wend__body_middle(body, order.to), !order.stands);
}

/* ---- placing bodies ---- */

/* Switches to the newest version for a call outside an update. */
wend__version *wend__bodies_begin_call(wend_bodies *bodies) {
    wend__version *version = wend__bodies_follow_newest(bodies->engine, bodies->crowd->def.map);
    bodies->version = version;
    wend__others_update(&bodies->others);
    return version;
}

void wend__bodies_end_call(wend__version *version) {
    wend__map_release(version, false);
}

static wend_error put_there(wend_bodies *bodies, uint32_t i) {
    const wend_body_def *def = &bodies->agents[i].def;
    const wend__traffic_agent *in_traffic = &bodies->crowd->in_traffic[i];
    const int32_t speed = wend__bodies_top_speed(bodies, i);
    const wend__body disc = {.offset = (in_traffic->size - 1) * HALF};
    const wend__body_def own = {.at = wend__body_middle(&disc, in_traffic->at),
                                .radius = (int32_t)wend__bodies_radius(def->radius_milli),
                                .speed = speed,
                                .accel = wend__bodies_acceleration(def, speed),
                                .turn = (int32_t)def->turn_degrees,
                                .turning = (int32_t)(def->turning_radius_milli * ONE / MILLI),
                                .mover = in_traffic->mover,
                                .parked = in_traffic->parked};
    wend__bodies_take(bodies->engine, i);
    bodies->agents[i].ordered = false;
    bodies->agents[i].stood = 0;
    bodies->crowd->in_traffic[i].tight = 0;
    return wend__bodies_put(bodies->engine, i, &own);
}

static void leap(wend_bodies *bodies, uint32_t i, wend_cell to) {
    if (bodies->crowd->tuning.link_events > 0)
        wend__link_tell_begun(bodies->crowd, bodies->version, i, bodies->crowd->in_traffic[i].at, to);
    wend__body_entered(bodies->crowd, bodies->version, i, to, false);
}

/* Swaps two bodies that stand at the ends of a link, each to leap to the other end. Returns whether they did. */
static bool swap(wend_bodies *bodies, uint32_t i, wend_cell to) {
    const wend_crowd *crowd = bodies->crowd;
    const wend_cell own = crowd->in_traffic[i].at;
    const int32_t other = wend__traffic_holder(crowd->traffic, to);
    wend_cell back;
    if (other < 0 || !wend__is_loose(&crowd->in_traffic[other]) || !wend__same_cell(crowd->in_traffic[other].at, to))
        return false;
    const uint32_t j = (uint32_t)other;
    if (!wend__body_jump(crowd, bodies->version, j, &back) || !wend__same_cell(back, own)) return false;
    if (!wend__bodies_swap(bodies->engine, i, j)) return false;
    leap(bodies, i, to);
    leap(bodies, j, own);
    bodies->agents[i].ordered = bodies->agents[j].ordered = false;
    return true;
}

/* Puts a body at the beginning of a link to its end, if there is room or a body there leaps back; else it pushes after
 * a while. */
static void jump(wend_bodies *bodies, uint32_t i) {
    wend_cell to;
    const wend__body *body = wend__bodies_get(bodies->engine, i);
    const bool leaps = wend__body_jump(bodies->crowd, bodies->version, i, &to);
    const bool waits = leaps && (wend__traffic_is_held(bodies->crowd->traffic, to, wend__body_size(body), (int32_t)i) ||
                                 !wend__bodies_fit(bodies->engine, i, body->mover, to, body->radius));
    if (waits && swap(bodies, i, to)) return;
    wend__bodies_ask_afar(bodies->engine, i, waits && bodies->agents[i].late > PATIENT ? &to : NULL);
    if (!leaps || waits) return;
    leap(bodies, i, to);
    (void)put_there(bodies, i);
}

/* ---- an update ---- */

static bool is_here(const wend_crowd *crowd, uint32_t i) {
    return crowd->phase[i] > WEND__PHASE_AWAY && crowd->in_traffic[i].body;
}

/* Returns whether an agent near a body makes progress: no host moves it, and its turn has come or it stopped only
 * lately. @param other   a body; −1: an agent without a body, in a cell */
static bool gets_on(const wend_bodies *bodies, int32_t other, wend_cell cell) {
    enum { QUEUES = 64 }; /* decisions for which an agent without a body may wait for its next step */
    const wend_crowd *crowd = bodies->crowd;
    if (other < 0 && !wend__map_has(crowd->def.map, cell)) return false;
    const int32_t i = other >= 0 ? other : wend__traffic_holder(crowd->traffic, cell);
    if (i < 0 || crowd->in_traffic[i].parked || crowd->in_traffic[i].steered) return false;
    const bool steps = other < 0 || crowd->in_traffic[i].tight;
    if (steps) return crowd->phase[i] >= WEND__PHASE_STEPPING && crowd->in_traffic[i].waited < QUEUES;
    const wend__body *body = wend__bodies_get(bodies->engine, (uint32_t)i);
    if (body->member || body->pass == WEND__PASS_LET) return true;
    return bodies->agents[i].last.goes && bodies->agents[i].stood <= NO_HOPE * MILLI;
}

/* Returns whether a body stands for good: it has made no step of its path for a time in which a slow one would have
 * made several, and no other body near it, or before it in a narrow way, gets on. */
static bool is_stuck(wend_bodies *bodies, uint32_t i) {
    enum { STEPS = 4 };
    const wend__body *body = wend__bodies_get(bodies->engine, i);
    const wend__body_order *last = &bodies->agents[i].last;
    const uint32_t stood = bodies->agents[i].stood;
    wend_cell cells[WEND__BODY_LISTED];
    int32_t others[WEND__BODY_LISTED];
    if (stood <= NO_HOPE * MILLI || (uint64_t)stood * (uint32_t)body->speed < (uint64_t)STEPS * MILLI * ONE)
        return false;
    if (!last->goes || body->pass == WEND__PASS_LET) return false;
    if (last->stands && !wend__same_cell(last->to, bodies->crowd->agents[i].path.end)) return false; /* before a link */
    for (uint32_t k = 0; k < bodies->crowd->used && body->pass == WEND__PASS_ASKS; k++)
        if (wend__bodies_goes_before(bodies->engine, i, k) && gets_on(bodies, (int32_t)k, body->first)) return false;
    const uint32_t count = wend__bodies_list_near(bodies->engine, i, others, cells);
    for (uint32_t k = 0; k < count; k++)
        if (gets_on(bodies, others[k], cells[k])) return false;
    return true;
}

/* Returns for how many updates a body waits, counted without progress to what it sees. While it waits for its turn
 * before a narrow way, only updates count, after a long time, that brought it no step nearer. */
static uint32_t count_waiting(wend_bodies *bodies, uint32_t i) {
    wend__body_agent *agent = &bodies->agents[i];
    const wend__body *body = wend__bodies_get(bodies->engine, i);
    const uint32_t steps = wend__path_steps(&bodies->crowd->agents[i].path);
    const uint32_t waited = body->pass == WEND__PASS_NONE ? (uint32_t)wend__most(0, body->waited) : 0;
    if (body->member) return 0; /* a joint search moves the body, also back */
    agent->late = steps < agent->least ? 0 : agent->late + 1;
    if (steps < agent->least) agent->least = steps;
    if (agent->late > HOPE && body->pass != WEND__PASS_ASKS) wend__bodies_help(bodies->engine, i);
    if (agent->late > LONG) return agent->late - LONG;
    return waited > PATIENT ? waited - PATIENT : 0;
}

/* Counts the time in which a body under way makes no step of its path. A joint search moves its members, also back. */
static void count_standing(wend_bodies *bodies, uint32_t i, uint32_t elapsed_milli) {
    wend__body_agent *agent = &bodies->agents[i];
    if (wend__bodies_get(bodies->engine, i)->member) return;
    if (wend__path_steps(&bodies->crowd->agents[i].path) < agent->steps)
        agent->stood = 0;
    else if (agent->last.goes && agent->stood < STOOD)
        agent->stood += elapsed_milli;
    wend__bodies_set_stuck(bodies->engine, i, is_stuck(bodies, i));
}

/* Counts the updates without progress of a body in the cell where it is to stand. */
static void count_in_goal(wend_bodies *bodies, uint32_t i) {
    wend__body_agent *agent = &bodies->agents[i];
    const wend__body *body = wend__bodies_get(bodies->engine, i);
    const int32_t left = wend__length(wend__minus(wend__body_middle(body, agent->last.to), body->at));
    const bool stands_there = agent->last.goes && agent->last.stands;
    if (!stands_there || !wend__same_cell(agent->last.to, wend__body_cell(body)))
        agent->in_goal = 0, agent->nearest = ONE;
    else if (left + body->speed / 4 < agent->nearest)
        agent->in_goal = 0, agent->nearest = left;
    else
        agent->in_goal++;
}

/* Pushes the bodies in the way of agents without bodies that wait for long or have a held step. */
static void ask_for_room(wend_bodies *bodies) {
    enum { PATIENCE = 8 }; /* decisions of traffic */
    const wend_crowd *crowd = bodies->crowd;
    if (crowd->count == crowd->body_count) return;
    for (uint32_t i = 0; i < crowd->used; i++) {
        const wend__traffic_agent *in_traffic = &crowd->in_traffic[i];
        const bool waits = crowd->phase[i] == WEND__PHASE_AWAKE && in_traffic->waited >= PATIENCE;
        if (in_traffic->body || (!waits && !in_traffic->held)) continue;
        const wend_cell from = waits ? in_traffic->at : in_traffic->from,
                        to = waits ? in_traffic->next : in_traffic->at;
        const wend_cell way = wend__map_apart(crowd->def.map, from, to);
        if (wend__same_cell(from, to)) continue;
        const bool steps = wend__is_unit(way.x) && wend__is_unit(way.y);
        const wend__other step = steps ? wend__other_from(in_traffic->size, from, way)
                                       : wend__other_from(in_traffic->size, to, (wend_cell){0, 0, 0});
        wend__bodies_ask(bodies->engine, i, &step);
    }
}

void wend__bodies_begin_update(wend_bodies *bodies, const wend__version *version) {
    bodies->version = version;
    if (bodies->crowd->body_count > 0) wend__bodies_follow(bodies->engine, version);
}

void wend__bodies_update_all(wend_bodies *bodies, uint32_t elapsed_milli) {
    wend_crowd *crowd = bodies->crowd;
    if (crowd->body_count == 0) return;
    wend__others_update(&bodies->others);
    for (uint32_t i = 0; i < crowd->used; i++) {
        if (!is_here(crowd, i)) continue;
        bodies->agents[i].steps = wend__path_steps(&crowd->agents[i].path);
        if (crowd->in_traffic[i].tight) {
            wend__bodies_lead_tight(bodies, i);
            continue;
        }
        jump(bodies, i);
        give_order(bodies, i);
    }
    ask_for_room(bodies);
    wend__bodies_update(bodies->engine, elapsed_milli);
    for (uint32_t i = 0; i < crowd->used; i++) {
        if (!is_here(crowd, i)) continue;
        if (crowd->in_traffic[i].tight) {
            wend__bodies_end_steps(bodies, i);
            continue;
        }
        (void)wend__traffic_body_hold(crowd->traffic, i);
        count_in_goal(bodies, i);
        crowd->in_traffic[i].waited = count_waiting(bodies, i);
        count_standing(bodies, i, elapsed_milli);
        wend__body_settled(crowd, i);
    }
}

bool wend__bodies_fits(wend_bodies *bodies, uint32_t index, wend_cell cell) {
    wend__version *version = wend__bodies_begin_call(bodies);
    const int32_t radius = (int32_t)wend__bodies_radius(bodies->agents[index].def.radius_milli);
    const int32_t mover = bodies->crowd->in_traffic[index].mover;
    const bool free = wend__bodies_fit(bodies->engine, index, mover, cell, radius);
    wend__bodies_end_call(version);
    return free;
}

void wend__bodies_put_back(wend_bodies *bodies, uint32_t index) {
    wend__version *version = wend__bodies_begin_call(bodies);
    if (put_there(bodies, index) == WEND_OK) wend__bodies_hold(bodies, index);
    wend__bodies_end_call(version);
}

/* Ends the wait of steps for discs, as updates do not look for discs once there is none. */
static void let_steps_begin(wend_crowd *crowd) {
    for (uint32_t i = 0; i < crowd->used; i++) crowd->in_traffic[i].held = 0;
}

void wend__bodies_take_off(wend_bodies *bodies, uint32_t index, bool gone) {
    wend__version *version =
        WEND__FAULT("narrow-after-edit") ? NULL : wend__bodies_follow_newest(bodies->engine, bodies->crowd->def.map);
    wend__bodies_take(bodies->engine, index);
    if (version) wend__bodies_end_call(version);
    if (!gone) return;
    bodies->agents[index] = (wend__body_agent){0};
    if (--bodies->crowd->body_count == 0) let_steps_begin(bodies->crowd);
}

void wend__bodies_join(wend_bodies *bodies, void *engine) {
    const wend__body_world world = {bodies, way, may_enter, entered, others_near, spares};
    const wend_crowd *crowd = bodies->crowd;
    bodies->engine = wend__bodies_init(engine, crowd->def.map, crowd->def.agents, &bodies->allocator, &world);
    bodies->crowd->bodies = bodies;
    wend__traffic_set_discs(bodies->crowd->traffic, bodies->engine);
}

void wend__bodies_part(wend_bodies *bodies) {
    wend__bodies_end(bodies->engine);
    wend__traffic_set_discs(bodies->crowd->traffic, NULL);
    bodies->crowd->bodies = NULL;
}

/* The agent keeps its goal, and searches again. */
static void give_body(wend_crowd *crowd, uint32_t index) {
    WEND__DEBUG_ASSERT(!crowd->in_traffic[index].body);
    crowd->in_traffic[index].body = 1;
    crowd->body_count++;
    wend__agent_settle(crowd, index, crowd->in_traffic[index].steered, false);
}

wend_error wend__bodies_add(wend_bodies *bodies, uint32_t index, const wend_body_def *def) {
    wend_crowd *crowd = bodies->crowd;
    bodies->agents[index] = (wend__body_agent){.def = *def};
    crowd->in_traffic[index].body = 1; /* the agent itself does not count among the others */
    wend__version *version = wend__bodies_begin_call(bodies);
    const wend_error error = put_there(bodies, index);
    const wend_cell in_way = wend__bodies_in_way(bodies->engine);
    crowd->in_traffic[index].body = 0;
    if (!error) {
        give_body(crowd, index);
        wend__bodies_hold(bodies, index);
    }
    wend__bodies_end_call(version);
    if (!error) return WEND_OK;
    bodies->agents[index] = (wend__body_agent){0};
    if (error == WEND_OUT_OF_MEMORY) return error;
    return wend__refuse(WEND_BUSY, "another disc or a wall is in the way at %d,%d", in_way.x, in_way.y);
}

bool wend__bodies_is_alone(const wend_bodies *bodies, uint32_t index) {
    const wend__traffic_agent *in_traffic = &bodies->crowd->in_traffic[index];
    const int32_t size = in_traffic->size;
    for (int32_t k = 0; k < size * size; k++) {
        const wend_cell cell = {in_traffic->at.x + k % size, in_traffic->at.y + k / size, 0};
        if (wend__bodies_list_cell(bodies->engine, cell, NULL, 0) > 1) return false;
    }
    return true;
}

wend_error wend__bodies_set(wend_bodies *bodies, uint32_t index, wend_body_vector at, wend_body_vector velocity) {
    wend_crowd *crowd = bodies->crowd;
    const wend__vec point = {at.x + HALF, at.y + HALF};
    const wend_cell cell = wend__bodies_cell(at, crowd->in_traffic[index].size), before = crowd->in_traffic[index].at;
    const bool enters = !wend__same_cell(cell, before);
    const bool taken = wend__traffic_is_held(crowd->traffic, cell, crowd->in_traffic[index].size, (int32_t)index);
    if (taken || (enters && !wend__bodies_may_enter(bodies->engine, index, cell)))
        return wend__traffic_refuse(WEND_BUSY, cell);
    const wend_error error = wend__bodies_moved(bodies->engine, index, point, (wend__vec){velocity.x, velocity.y});
    if (error == WEND_OUT_OF_MEMORY) return error;
    if (error) return wend__traffic_refuse(error, wend__bodies_in_way(bodies->engine));
    if (crowd->phase[index] == WEND__PHASE_STEPPING)
        crowd->phase[index] = WEND__PHASE_AWAKE, crowd->remaining[index] = 0;
    if (enters)
        wend__body_entered(crowd, bodies->version, index, cell, crowd->agents[index].goal.kind == WEND__GOAL_NONE);
    wend__body_was_put(crowd, index);
    bodies->agents[index].ordered = false;
    bodies->agents[index].stood = 0;
    (void)wend__traffic_body_hold(crowd->traffic, index);
    wend__bodies_hold(bodies, index);
    return WEND_OK;
}

/* Returns whether an agent between two steps waits for others to go on. */
static bool waits_for_turn(const wend_crowd *crowd, uint32_t index) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const bool stays = wend__same_cell(in_traffic->next, in_traffic->at); /* before a narrow way */
    return in_traffic->waited > 0 || (stays && wend__path_steps(&crowd->agents[index].path) > 0);
}

/* Returns the state of a tight body. Others push one aside; without a goal it is on the way back to its place. */
static int32_t tight_state(const wend_crowd *crowd, uint32_t index) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const bool steps = crowd->phase[index] == WEND__PHASE_STEPPING;
    if (steps && in_traffic->pushed && !wend__same_cell(in_traffic->from, in_traffic->at)) return WEND_BODY_ASIDE;
    if (crowd->agents[index].goal.kind == WEND__GOAL_NONE)
        return crowd->phase[index] == WEND__PHASE_ASLEEP ? WEND_BODY_RESTS : WEND_BODY_RETURNS;
    return !steps && waits_for_turn(crowd, index) ? WEND_BODY_WAITS : WEND_BODY_GOES;
}

static int32_t state_of(const wend_bodies *bodies, uint32_t index) {
    const wend__body *body = wend__bodies_get(bodies->engine, index);
    if (bodies->crowd->in_traffic[index].tight) return tight_state(bodies->crowd, index);
    if (body->under_for > 0 && body->from >= 0) return WEND_BODY_ASIDE;
    if (body->state == WEND__BODY_RETURNS) return WEND_BODY_RETURNS;
    if (body->state != WEND__BODY_GOES) return WEND_BODY_RESTS;
    return body->pass == WEND__PASS_ASKS ? WEND_BODY_WAITS : WEND_BODY_GOES;
}

int32_t wend__bodies_state(const wend_bodies *bodies, uint32_t index) {
    return bodies->crowd->in_traffic[index].present ? state_of(bodies, index) : WEND_BODY_AWAY;
}
