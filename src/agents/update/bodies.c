/* SPDX-License-Identifier: MIT */
/* Bodies of a crowd: given to agents and taken away, put elsewhere and read by the host. The first one takes memory. */
#include "agents/update/agents.h"

#include "agents/orders/goal.h"

#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "map/version/version.h"
#include "recording/crowd/crowd_orders.h"

enum { LINE = 64, DEFAULT_RADIUS = 400, MILLI = 1000, ONE = WEND_BODY_UNITS, HALF = ONE / 2 };

/* ---- making ---- */

/// Offsets of the parts in the allocation.
typedef struct body_parts {
    size_t bytes, engine, others, lines;
} body_parts;

static size_t add_part(body_parts *p, size_t bytes) {
    const size_t at = p->bytes;
    p->bytes += (bytes + LINE - 1) / LINE * LINE;
    return at;
}

static body_parts lay_out(const wend_crowd *crowd) {
    const size_t agents = crowd->def.agents;
    body_parts p = {0};
    add_part(&p, sizeof(wend_bodies));
    p.engine = add_part(&p, wend__bodies_engine_bytes(crowd));
    p.others = add_part(&p, wend__others_bytes(crowd->def.agents));
    p.lines = add_part(&p, agents * sizeof(wend__body_line));
    return p;
}

static bool open_floor(wend_bodies *bodies) {
    wend__version *version = wend__bodies_begin_call(bodies);
    const bool opened = wend__bodies_open_floor(bodies->engine, WEND_MOVER_DEFAULT);
    wend__bodies_end_call(version);
    return opened;
}

static wend_error refuse_map(void) {
    return wend__refuse(WEND_UNSUPPORTED, "bodies move on flat grids of squares");
}

/* A crowd has its bodies still where new rules of the map make hexagons of its squares. */
wend_error wend__bodies_open(wend_crowd *crowd) {
    if (crowd->bodies) return WEND_OK;
    if (crowd->def.map->kind != WEND_KIND_GRID) return refuse_map();
    const body_parts p = lay_out(crowd);
    uint8_t *memory = wend__allocate(&crowd->def.allocator, p.bytes, LINE);
    if (!memory) return WEND_OUT_OF_MEMORY;
    memset(memory, 0, p.bytes);
    wend_bodies *bodies = (wend_bodies *)(void *)memory;
    *bodies = (wend_bodies){.crowd = crowd, .allocator = crowd->def.allocator, .bytes = p.bytes};
    bodies->lines = (wend__body_line *)(void *)(memory + p.lines);
    wend__others_init(&bodies->others, memory + p.others, crowd);
    wend__bodies_join(bodies, memory + p.engine);
    if (open_floor(bodies)) return WEND_OK;
    wend__bodies_close(crowd);
    return WEND_OUT_OF_MEMORY;
}

void wend__bodies_close(wend_crowd *crowd) {
    wend_bodies *bodies = crowd->bodies;
    if (!bodies) return;
    wend__bodies_part(bodies);
    const wend_allocator allocator = bodies->allocator;
    allocator.free(allocator.context, bodies, bodies->bytes);
}

/* ---- a single body ---- */

void wend_body_def_init(wend_body_def *def, size_t bytes) {
    const wend_body_def own = {.struct_bytes = sizeof own, .radius_milli = DEFAULT_RADIUS};
    wend__sized_init(def, bytes, &own, sizeof own);
}

wend_error wend__bodies_check_def(const wend_body_def *def, int32_t size) {
    const uint64_t most = WEND_MAX_RADIUS_MILLI + (uint64_t)(size - 1) * (MILLI / 2);
    const wend__range ranges[] = {{"radius_milli", def->radius_milli, WEND_MIN_RADIUS_MILLI, most},
                                  {"accel_milli", def->accel_milli, 0, WEND_MAX_ACCEL_MILLI},
                                  {"turn_degrees", def->turn_degrees, 0, WEND_MAX_TURN_DEGREES},
                                  {"turning_radius_milli", def->turning_radius_milli, 0, WEND_MAX_TURNING_MILLI}};
    return wend__check_ranges(ranges, sizeof ranges / sizeof ranges[0]);
}

static bool has_body(const wend_crowd *crowd, wend_agent_id id) {
    return wend__crowd_has(crowd, id) && crowd->in_traffic[id.index].body;
}

/* Refuses an agent without a body. @return WEND_STALE_TICKET */
static wend_error refuse_body(wend_agent_id id) {
    return wend__refuse(WEND_STALE_TICKET, "the agent %u,%u (index, generation) has no body", id.index, id.generation);
}

/* Returns WEND_OK if an agent may get a body, else the error, with a reason. */
static wend_error check_agent(const wend_crowd *crowd, uint32_t index) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    if (in_traffic->body) return wend__refuse(WEND_IN_USE, "the agent has a body already");
    if (in_traffic->ghost) return wend__refuse(WEND_BAD_ARGUMENT, "a ghost has no body");
    if (crowd->phase[index] == WEND__PHASE_AWAY)
        return wend__refuse(WEND_BUSY, "the agent is away: its land is not loaded");
    if (crowd->phase[index] == WEND__PHASE_STEPPING)
        return wend__refuse(WEND_BUSY, "the agent is in the middle of a step");
    return WEND_OK;
}

static wend_error give_body(wend_crowd *crowd, wend_agent_id agent, const wend_body_def *theirs) {
    wend_body_def def;
    wend_body_def_init(&def, sizeof def);
    if (!WEND__READ_STRUCT(wend_body_def, turning_radius_milli, &def, theirs)) return WEND_BAD_ARGUMENT;
    if (!wend__crowd_has(crowd, agent)) return wend__crowd_refuse_id(agent);
    wend_error error = wend__map_hexagons(crowd->def.map) ? refuse_map() : wend__bodies_open(crowd);
    if (!error) error = wend__bodies_check_def(&def, crowd->in_traffic[agent.index].size);
    if (!error) error = check_agent(crowd, agent.index);
    if (error) return error;
    const bool recorded = wend__crowd_record_begin(crowd);
    error = wend__bodies_add(crowd->bodies, agent.index, &def);
    if (recorded && !error) wend__crowd_record_body(crowd, agent.index, &def);
    wend__crowd_record_end(crowd, recorded);
    return error;
}

/* Returns whether an agent that loses its body touches no disc: none in its cell, or in its step. */
static bool is_clear(const wend_crowd *crowd, uint32_t index) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    return !wend__traffic_is_touched(crowd->traffic, index, in_traffic->size, in_traffic->at) &&
           !wend__traffic_is_held_up(crowd->traffic, index);
}

/* Lets an agent go on in the step that its disc was in, from where that was. */
static void go_on_without(wend_bodies *bodies, uint32_t index) {
    wend_crowd *crowd = bodies->crowd;
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const wend__body *body = wend__bodies_get(bodies->engine, index);
    const wend__vec middle = wend__body_middle(body, in_traffic->at);
    const wend__vec left = wend__bodies_off(bodies->engine, body->at, middle);
    const wend__vec whole = wend__bodies_off(bodies->engine, wend__body_middle(body, in_traffic->from), middle);
    const int32_t all = wend__length(whole), part = wend__most(1, wend__least(all, wend__length(left)));
    wend__version *version = wend__map_newest(crowd->def.map);
    const uint64_t cost = wend__step_cost(version, in_traffic->mover, in_traffic->from, in_traffic->at);
    wend__agent_touch(crowd, index)->length = (int64_t)cost * WEND__UNITS_OF_COST;
    crowd->remaining[index] = crowd->agents[index].length / all * part;
    wend__map_release(version, false);
}

/* Makes the agent walk from cell to cell. @return WEND_OK, WEND_BUSY (a disc reaches into its cell or its step) */
static wend_error walk_without(wend_bodies *bodies, uint32_t index) {
    wend_crowd *crowd = bodies->crowd;
    wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    in_traffic->body = 0;
    const bool free = !in_traffic->present || is_clear(crowd, index);
    in_traffic->body = !free;
    if (!free) return wend__traffic_refuse(WEND_BUSY, in_traffic->at);
    const wend_cell way = wend__map_apart(crowd->def.map, in_traffic->from, in_traffic->at);
    const bool steps =
        crowd->phase[index] == WEND__PHASE_STEPPING && (way.x || way.y) && wend__is_unit(way.x) && wend__is_unit(way.y);
    wend__travel_forget(crowd, index);
    if (steps)
        go_on_without(bodies, index);
    else if (in_traffic->present)
        wend__agent_settle(crowd, index, in_traffic->steered, false);
    return WEND_OK;
}

static wend_error take_body(wend_crowd *crowd, wend_agent_id agent) {
    if (!has_body(crowd, agent)) return refuse_body(agent);
    wend_bodies *bodies = crowd->bodies;
    const bool recorded = wend__crowd_record_begin(crowd);
    const wend_error error = walk_without(bodies, agent.index);
    const wend_body_def none = {.struct_bytes = sizeof none};
    if (!error) wend__bodies_take_off(bodies, agent.index, true);
    if (recorded && !error) wend__crowd_record_body(crowd, agent.index, &none);
    wend__crowd_record_end(crowd, recorded);
    return error;
}

wend_error wend_crowd_set_body(wend_crowd *crowd, wend_agent_id agent, const wend_body_def *def) {
    WEND__CROWD_CALL(crowd);
    return def ? give_body(crowd, agent, def) : take_body(crowd, agent);
}

/* ---- the host puts a body somewhere, and reads it ---- */

/* Rounds away from 0, so that the same thousandth is read. */
static int64_t units_of(int32_t milli) {
    return ((int64_t)milli * ONE + (milli < 0 ? 1 - MILLI : MILLI - 1)) / MILLI;
}

static int64_t square_of(wend_point v) {
    return (int64_t)v.x * v.x + (int64_t)v.y * v.y;
}

static wend_error place_body(wend_bodies *bodies, uint32_t index, wend_point at, wend_point velocity) {
    const wend_crowd *crowd = bodies->crowd;
    const int64_t most = wend__least((int32_t)crowd->speed[index], WEND_MAX_BODY_SPEED_MILLI);
    const int32_t size = crowd->in_traffic[index].size;
    const int64_t x = units_of(at.x), y = units_of(at.y);
    const bool fits = x == (int32_t)x && y == (int32_t)y;
    const wend_body_vector exact = {fits ? (int32_t)x : INT32_MIN, fits ? (int32_t)y : INT32_MIN};
    const wend_cell cell = wend__bodies_cell(exact, size), last = {cell.x + size - 1, cell.y + size - 1, 0};
    wend_error error = wend__check_range("at.z", at.z, 0, 0);
    if (!error) error = wend__check_range("velocity.z", velocity.z, 0, 0);
    if (!error && square_of(velocity) > most * most)
        return wend__refuse(WEND_BAD_ARGUMENT, "the velocity is above the agent's speed");
    if (!error) error = wend__check_cell(crowd->def.map, "the cell of at", cell);
    if (!error) error = wend__check_cell(crowd->def.map, "the last cell of at", last);
    if (!error && crowd->phase[index] == WEND__PHASE_AWAY) error = wend__traffic_refuse(WEND_BUSY, cell);
    const wend_body_vector by = {velocity.x * ONE / MILLI, velocity.y * ONE / MILLI};
    return error ? error : wend__bodies_set(bodies, index, exact, by);
}

wend_error wend_crowd_place_body(wend_crowd *crowd, wend_agent_id agent, wend_point at, wend_point velocity) {
    WEND__CROWD_CALL(crowd);
    if (!has_body(crowd, agent)) return refuse_body(agent);
    const bool recorded = wend__crowd_record_begin(crowd);
    wend__version *version = wend__bodies_begin_call(crowd->bodies);
    const wend_error error = place_body(crowd->bodies, agent.index, at, velocity);
    wend__bodies_end_call(version);
    if (recorded && !error) wend__crowd_record_place(crowd, agent.index, at, velocity);
    wend__crowd_record_end(crowd, recorded);
    return error;
}

wend_error wend_crowd_get_body(const wend_crowd *crowd, wend_agent_id agent, wend_body_state *out) {
    WEND__CROWD_CALL(crowd);
    if (!has_body(crowd, agent)) return refuse_body(agent);
    const wend_bodies *bodies = crowd->bodies;
    const wend__body *body = wend__bodies_get(bodies->engine, agent.index);
    const wend__vec faces = wend__scaled(body->facing, MILLI, ONE);
    const int32_t further = (crowd->in_traffic[agent.index].size - 1) * (MILLI / 2);
    wend_cell facing;
    const wend_point point = wend__body_point(crowd, agent.index, &facing);
    const wend_body_state state = {.struct_bytes = sizeof state,
                                   .state = wend__bodies_state(bodies, agent.index),
                                   .at = {point.x + further, point.y + further, 0},
                                   .velocity = wend__body_velocity(crowd, agent.index),
                                   .facing = {faces.x, faces.y, 0},
                                   .radius_milli = wend__body_radius_milli(crowd, agent.index),
                                   .speed_milli = (uint32_t)((int64_t)wend__length(body->velocity) * MILLI / ONE),
                                   .waited = crowd->in_traffic[agent.index].waited,
                                   .exact_at = {body->at.x - HALF, body->at.y - HALF},
                                   .exact_velocity = {body->velocity.x, body->velocity.y}};
    return WEND__GIVE(wend_body_state, exact_velocity, out, &state) ? WEND_OK : WEND_BAD_ARGUMENT;
}
