/* SPDX-License-Identifier: MIT */
/* Moves the bodies in each update, and puts them where their agents or the host want them. */
#include "agents/update/agents.h"

#include "agents/orders/goal.h"
#include "agents/plan/path.h"
#include "map/version/version.h"

enum { ONE = WEND_BODY_UNITS, HALF = ONE / 2, MILLI = 1000 };

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

/* ---- the engine's query ---- */

static uint32_t others_near(void *context, int32_t x, int32_t y, int32_t reach, wend__other *out, uint32_t capacity) {
    const wend_bodies *bodies = context;
    return wend__others_near(&bodies->others, x, y, reach, out, capacity);
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

static wend_error put_there(wend_bodies *bodies, uint32_t i, const wend_body_def *def) {
    const wend__traffic_agent *in_traffic = &bodies->crowd->in_traffic[i];
    const wend__body disc = {.offset = (in_traffic->size - 1) * HALF};
    const wend__body_def own = {.at = wend__body_middle(&disc, in_traffic->at),
                                .radius = (int32_t)wend__bodies_radius(def->radius_milli),
                                .speed = wend__bodies_top_speed(bodies, i),
                                .accel = (int32_t)(def->accel_milli * (uint64_t)ONE / MILLI),
                                .turn = (int32_t)def->turn_degrees,
                                .turning = (int32_t)(def->turning_radius_milli * ONE / MILLI),
                                .mover = in_traffic->mover,
                                .parked = in_traffic->parked};
    wend__bodies_take(bodies->engine, i);
    return wend__bodies_put(bodies->engine, i, &own);
}

/* ---- an update ---- */

static bool is_here(const wend_crowd *crowd, uint32_t i) {
    return crowd->phase[i] > WEND__PHASE_AWAY && crowd->in_traffic[i].body;
}

void wend__bodies_begin_update(wend_bodies *bodies, const wend__version *version) {
    bodies->version = version;
    if (bodies->crowd->body_count > 0) wend__bodies_follow(bodies->engine, version);
}

void wend__bodies_update_all(wend_bodies *bodies, uint32_t elapsed_milli) {
    wend_crowd *crowd = bodies->crowd;
    if (crowd->body_count == 0) return;
    wend__others_update(&bodies->others);
    for (uint32_t i = 0; i < crowd->used; i++)
        if (is_here(crowd, i)) wend__bodies_lead(bodies, i);
    wend__bodies_update(bodies->engine, elapsed_milli);
    for (uint32_t i = 0; i < crowd->used; i++)
        if (is_here(crowd, i)) wend__bodies_end_steps(bodies, i);
}

bool wend__bodies_fits(wend_bodies *bodies, uint32_t index, wend_cell cell) {
    wend__version *version = wend__bodies_begin_call(bodies);
    const int32_t radius = wend__bodies_get(bodies->engine, index)->radius;
    const int32_t mover = bodies->crowd->in_traffic[index].mover;
    const bool free = wend__bodies_fit(bodies->engine, index, mover, cell, radius);
    wend__bodies_end_call(version);
    return free;
}

void wend__bodies_put_back(wend_bodies *bodies, uint32_t index) {
    wend__version *version = wend__bodies_begin_call(bodies);
    const wend_body_def def = wend__body_def_of(wend__bodies_get(bodies->engine, index));
    if (put_there(bodies, index, &def) == WEND_OK) wend__bodies_hold(bodies, index);
    wend__bodies_end_call(version);
}

/* Ends the wait of steps for discs, as updates do not look for discs once there is none. */
static void let_steps_begin(wend_crowd *crowd) {
    for (uint32_t i = 0; i < crowd->used; i++) crowd->in_traffic[i].held = 0;
}

void wend__bodies_take_off(wend_bodies *bodies, uint32_t index, bool gone) {
    wend__bodies_take(bodies->engine, index);
    if (!gone) return;
    bodies->lines[index] = (wend__body_line){.steps = 0};
    if (--bodies->crowd->body_count == 0) let_steps_begin(bodies->crowd);
}

void wend__bodies_join(wend_bodies *bodies, void *engine) {
    const wend__body_world world = {bodies, others_near};
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
    crowd->in_traffic[index].body = 1; /* the agent itself does not count among the others */
    wend__version *version = wend__bodies_begin_call(bodies);
    const wend_error error = put_there(bodies, index, def);
    const wend_cell in_way = wend__bodies_in_way(bodies->engine);
    crowd->in_traffic[index].body = 0;
    if (!error) {
        give_body(crowd, index);
        wend__bodies_hold(bodies, index);
    }
    wend__bodies_end_call(version);
    if (!error) return WEND_OK;
    if (error == WEND_OUT_OF_MEMORY) return error;
    return wend__refuse(WEND_BUSY, "another disc or a wall is in the way at %d,%d", in_way.x, in_way.y);
}

/* Moves the place of an agent to another cell. */
static void enter(wend_bodies *bodies, uint32_t index, wend_cell cell) {
    wend_crowd *crowd = bodies->crowd;
    wend__agent *agent = wend__agent_touch(crowd, index);
    agent->left_cell = crowd->in_traffic[index].at;
    wend__traffic_put(crowd->traffic, index, cell);
    crowd->counts.steps++;
    if (agent->first_fleer) wend__fleers_wake(crowd, index);
    if (crowd->in_traffic[index].steered) agent->home = cell;
    if (agent->goal.kind == WEND__GOAL_NONE) wend__path_clear(crowd, index);
}

wend_error wend__bodies_set(wend_bodies *bodies, uint32_t index, wend_body_vector at, wend_body_vector velocity) {
    wend_crowd *crowd = bodies->crowd;
    const wend__vec point = {at.x + HALF, at.y + HALF};
    const wend_cell cell = wend__bodies_cell(at, crowd->in_traffic[index].size), before = crowd->in_traffic[index].at;
    const bool enters = !wend__same_cell(cell, before);
    const bool taken = wend__traffic_is_held(crowd->traffic, cell, crowd->in_traffic[index].size, (int32_t)index);
    if (taken || (enters && !wend__bodies_may_hold(bodies, index, cell))) return wend__traffic_refuse(WEND_BUSY, cell);
    const wend_error error = wend__bodies_moved(bodies->engine, index, point, (wend__vec){velocity.x, velocity.y});
    if (error == WEND_OUT_OF_MEMORY) return error;
    if (error) return wend__traffic_refuse(error, wend__bodies_in_way(bodies->engine));
    if (crowd->phase[index] == WEND__PHASE_STEPPING)
        crowd->phase[index] = WEND__PHASE_AWAKE, crowd->remaining[index] = 0;
    if (enters) enter(bodies, index, cell);
    if (crowd->agents[index].goal.kind == WEND__GOAL_NONE) wend__agent_touch(crowd, index)->home = cell;
    wend__bodies_hold(bodies, index);
    return WEND_OK;
}

/* Returns whether an agent between two steps waits for others to go on. */
static bool waits_for_turn(const wend_crowd *crowd, uint32_t index) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const bool stays = wend__same_cell(in_traffic->next, in_traffic->at); /* before a narrow way */
    return in_traffic->waited > 0 || (stays && wend__path_steps(&crowd->agents[index].path) > 0);
}

/* Returns the state of a body on the map. Others push one aside; without a goal it is on the way back to its place. */
static int32_t state_of(const wend_crowd *crowd, uint32_t index) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const bool steps = crowd->phase[index] == WEND__PHASE_STEPPING;
    if (steps && in_traffic->pushed && !wend__same_cell(in_traffic->from, in_traffic->at)) return WEND_BODY_ASIDE;
    if (crowd->agents[index].goal.kind == WEND__GOAL_NONE)
        return crowd->phase[index] == WEND__PHASE_ASLEEP ? WEND_BODY_RESTS : WEND_BODY_RETURNS;
    return !steps && waits_for_turn(crowd, index) ? WEND_BODY_WAITS : WEND_BODY_GOES;
}

int32_t wend__bodies_state(const wend_bodies *bodies, uint32_t index) {
    return bodies->crowd->in_traffic[index].present ? state_of(bodies->crowd, index) : WEND_BODY_AWAY;
}
