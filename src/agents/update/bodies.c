/* SPDX-License-Identifier: MIT */
/* Bodies of a crowd: created and freed, given to agents and removed, read by the host. */
#include "agents/update/agents.h"

#include "agents/orders/goal.h"

#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "map/version/version.h"
#include "recording/crowd/crowd_orders.h"

enum { LINE = 64, DEFAULT_RADIUS = 400, MILLI = 1000 };

/* ---- making ---- */

void wend_bodies_def_init(wend_bodies_def *def, size_t bytes) {
    const wend_bodies_def own = {.struct_bytes = sizeof own};
    wend__sized_init(def, bytes, &own, sizeof own);
}

/// Offsets of the parts in the allocation.
typedef struct body_parts {
    size_t bytes, engine, others, agents, points, velocities, radii;
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
    p.agents = add_part(&p, agents * sizeof(wend__body_agent));
    p.points = add_part(&p, agents * sizeof(wend_body_vector));
    p.velocities = add_part(&p, agents * sizeof(wend_body_vector));
    p.radii = add_part(&p, agents * sizeof(uint32_t));
    return p;
}

static wend_error check_def(const wend_bodies_def *def) {
    const wend_map *map = def->crowd->def.map;
    if (map->kind != WEND_KIND_GRID || wend__map_hexagons(map))
        return wend__refuse(WEND_UNSUPPORTED, "bodies move on flat grids of squares");
    if (def->crowd->bodies) return wend__refuse(WEND_IN_USE, "the crowd has bodies already");
    return wend__check_range("reserved", def->reserved, 0, 0);
}

wend_error wend_bodies_create(const wend_bodies_def *theirs, wend_bodies **out) {
    wend_bodies_def def = {.struct_bytes = sizeof def};
    if (!out) return wend__refuse_null("out");
    if (!WEND__READ_STRUCT(wend_bodies_def, crowd, &def, theirs)) return WEND_BAD_ARGUMENT;
    if (!def.crowd) return wend__refuse_null("crowd");
    WEND__CROWD_CALL(def.crowd);
    const wend_error error = check_def(&def);
    if (error) return error;
    wend_crowd *crowd = def.crowd;
    const body_parts p = lay_out(crowd);
    uint8_t *memory = wend__allocate(&crowd->def.allocator, p.bytes, LINE);
    if (!memory) return WEND_OUT_OF_MEMORY;
    memset(memory, 0, p.bytes);
    wend_bodies *bodies = (wend_bodies *)(void *)memory;
    *bodies = (wend_bodies){.crowd = crowd, .allocator = crowd->def.allocator, .bytes = p.bytes};
    bodies->agents = (wend__body_agent *)(void *)(memory + p.agents);
    bodies->points = (wend_body_vector *)(void *)(memory + p.points);
    bodies->velocities = (wend_body_vector *)(void *)(memory + p.velocities);
    bodies->radii = (uint32_t *)(void *)(memory + p.radii);
    wend__others_init(&bodies->others, memory + p.others, crowd);
    wend__bodies_join(bodies, memory + p.engine);
    wend__version *version = wend__bodies_begin_call(bodies);
    const bool opened = wend__bodies_open_floor(bodies->engine, WEND_MOVER_DEFAULT);
    wend__bodies_end_call(version);
    WEND__BORN(bodies, "the bodies");
    if (!opened) {
        (void)wend_bodies_destroy(bodies);
        return WEND_OUT_OF_MEMORY;
    }
    *out = bodies;
    return WEND_OK;
}

wend_error wend_bodies_destroy(wend_bodies *bodies) {
    if (!bodies) return WEND_OK;
    WEND__ALIVE(bodies, "the bodies");
    wend_crowd *crowd = bodies->crowd;
    if (crowd && crowd->body_count > 0)
        return wend__refuse(WEND_IN_USE, "%u agents have bodies: destroy the crowd first", crowd->body_count);
    WEND__GONE(bodies, "the bodies");
    wend__bodies_part(bodies);
    const wend_allocator allocator = bodies->allocator;
    allocator.free(allocator.context, bodies, bodies->bytes);
    return WEND_OK;
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

/* Refuses an agent without a body. @return WEND_STALE_TICKET */
static wend_error refuse_body(wend_agent_id id) {
    return wend__refuse(WEND_STALE_TICKET, "the agent %u,%u (index, generation) has no body", id.index, id.generation);
}

/* Returns WEND_OK if an agent may get a body, else the error, with a reason. */
static wend_error check_agent(const wend_crowd *crowd, uint32_t index) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    if (crowd->def.map->kind != WEND_KIND_GRID || wend__map_hexagons(crowd->def.map))
        return wend__refuse(WEND_UNSUPPORTED, "bodies move on flat grids of squares");
    if (in_traffic->body) return wend__refuse(WEND_IN_USE, "the agent has a body already");
    if (in_traffic->ghost) return wend__refuse(WEND_BAD_ARGUMENT, "a ghost has no body");
    if (crowd->phase[index] == WEND__PHASE_AWAY)
        return wend__refuse(WEND_BUSY, "the agent is away: its land is not loaded");
    if (crowd->phase[index] == WEND__PHASE_STEPPING)
        return wend__refuse(WEND_BUSY, "the agent is in the middle of a step");
    return WEND_OK;
}

wend_error wend_body_add(wend_bodies *bodies, wend_agent_id agent, const wend_body_def *theirs) {
    WEND__ALIVE(bodies, "the bodies");
    wend_crowd *crowd = bodies->crowd;
    wend_body_def def;
    if (!crowd) return wend__crowd_refuse_id(agent);
    WEND__CROWD_CALL(crowd);
    wend_body_def_init(&def, sizeof def);
    if (theirs && !WEND__READ_STRUCT(wend_body_def, turning_radius_milli, &def, theirs)) return WEND_BAD_ARGUMENT;
    if (!wend__crowd_has(crowd, agent)) return wend__crowd_refuse_id(agent);
    wend_error error = wend__bodies_check_def(&def, crowd->in_traffic[agent.index].size);
    if (!error) error = check_agent(crowd, agent.index);
    if (error) return error;
    const bool recorded = wend__crowd_record_begin(crowd);
    error = wend__bodies_add(bodies, agent.index, &def);
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
    crowd->agents[index].length = (int64_t)cost * WEND__UNITS_OF_COST;
    crowd->remaining[index] = crowd->agents[index].length / all * part;
    wend__map_release(version, false);
}

/* Makes the agent walk from cell to cell. @return WEND_OK, WEND_BUSY (another agent holds its cell, or a disc reaches
 * into the cell or the step) */
static wend_error take_body(wend_bodies *bodies, uint32_t index) {
    wend_crowd *crowd = bodies->crowd;
    wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    bool free = !in_traffic->present || wend__traffic_body_hold(crowd->traffic, index);
    in_traffic->body = 0;
    free = free && (!in_traffic->present || is_clear(crowd, index));
    in_traffic->body = !free;
    if (!free) return wend__traffic_refuse(WEND_BUSY, in_traffic->at);
    const wend_cell way = wend__map_apart(crowd->def.map, in_traffic->from, in_traffic->at);
    const bool steps =
        crowd->phase[index] == WEND__PHASE_STEPPING && (way.x || way.y) && wend__is_unit(way.x) && wend__is_unit(way.y);
    in_traffic->tight = 0;
    if (steps)
        go_on_without(bodies, index);
    else if (in_traffic->present)
        wend__agent_settle(crowd, index, in_traffic->steered, false);
    return WEND_OK;
}

wend_error wend_body_remove(wend_bodies *bodies, wend_agent_id agent) {
    WEND__ALIVE(bodies, "the bodies");
    if (!wend__bodies_has(bodies, agent)) return refuse_body(agent);
    wend_crowd *crowd = bodies->crowd;
    WEND__CROWD_CALL(crowd);
    const bool recorded = wend__crowd_record_begin(crowd);
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[agent.index];
    const bool alone = !in_traffic->present || wend__bodies_is_alone(bodies, agent.index);
    const wend_error error = alone ? take_body(bodies, agent.index) : wend__traffic_refuse(WEND_BUSY, in_traffic->at);
    const wend_body_def none = {.struct_bytes = sizeof none};
    if (!error) wend__bodies_take_off(bodies, agent.index, true);
    if (recorded && !error) wend__crowd_record_body(crowd, agent.index, &none);
    wend__crowd_record_end(crowd, recorded);
    return error;
}

static wend_error set_body(wend_bodies *bodies, uint32_t index, wend_body_vector at, wend_body_vector velocity) {
    const wend_crowd *crowd = bodies->crowd;
    const uint32_t milli = crowd->speed[index];
    const int64_t most =
        (int64_t)(milli < WEND_MAX_BODY_SPEED_MILLI ? milli : WEND_MAX_BODY_SPEED_MILLI) * WEND_BODY_UNITS / MILLI;
    const int64_t square = (int64_t)velocity.x * velocity.x + (int64_t)velocity.y * velocity.y;
    const int32_t size = crowd->in_traffic[index].size;
    const wend_cell cell = wend__bodies_cell(at, size), last = {cell.x + size - 1, cell.y + size - 1, 0};
    if (square > most * most) return wend__refuse(WEND_BAD_ARGUMENT, "the velocity is above the agent's speed");
    wend_error error = wend__check_cell(crowd->def.map, "the cell of at", cell);
    if (!error) error = wend__check_cell(crowd->def.map, "the last cell of at", last);
    if (!error && crowd->phase[index] == WEND__PHASE_AWAY) error = wend__traffic_refuse(WEND_BUSY, cell);
    return error ? error : wend__bodies_set(bodies, index, at, velocity);
}

wend_error wend_body_set(wend_bodies *bodies, wend_agent_id agent, wend_body_vector at, wend_body_vector velocity) {
    WEND__ALIVE(bodies, "the bodies");
    if (!wend__bodies_has(bodies, agent)) return refuse_body(agent);
    wend_crowd *crowd = bodies->crowd;
    WEND__CROWD_CALL(crowd);
    const bool recorded = wend__crowd_record_begin(crowd);
    wend__version *version = wend__bodies_begin_call(bodies);
    const wend_error error = set_body(bodies, agent.index, at, velocity);
    wend__bodies_end_call(version);
    if (recorded && !error) wend__crowd_record_place(crowd, agent.index, at, velocity);
    wend__crowd_record_end(crowd, recorded);
    return error;
}

/* ---- reads by the host ---- */

wend_error wend_body_get(const wend_bodies *bodies, wend_agent_id agent, wend_body_state *out) {
    WEND__ALIVE(bodies, "the bodies");
    if (!wend__bodies_has(bodies, agent)) return refuse_body(agent);
    wend_body_state state = {.struct_bytes = sizeof state,
                             .radius_milli = bodies->agents[agent.index].def.radius_milli};
    wend__bodies_read(bodies, agent.index, &state);
    return WEND__GIVE(wend_body_state, waited, out, &state) ? WEND_OK : WEND_BAD_ARGUMENT;
}

wend_error wend_bodies_get_view(wend_bodies *bodies, wend_bodies_view *out) {
    WEND__ALIVE(bodies, "the bodies");
    const uint32_t count = bodies->crowd ? bodies->crowd->used : 0;
    for (uint32_t i = 0; i < count; i++) {
        wend_body_state state = {.state = WEND_BODY_AWAY};
        const bool here = bodies->crowd->phase[i] > WEND__PHASE_AWAY && bodies->crowd->in_traffic[i].body;
        if (here) wend__bodies_read(bodies, i, &state);
        bodies->points[i] = state.at;
        bodies->velocities[i] = state.velocity;
        bodies->radii[i] = here ? wend__bodies_radius(bodies->agents[i].def.radius_milli) : 0;
    }
    const wend_bodies_view view = {.struct_bytes = sizeof view,
                                   .count = count,
                                   .points = bodies->points,
                                   .velocities = bodies->velocities,
                                   .radii = bodies->radii};
    return WEND__GIVE(wend_bodies_view, radii, out, &view) ? WEND_OK : WEND_BAD_ARGUMENT;
}
