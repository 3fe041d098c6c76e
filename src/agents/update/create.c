/* SPDX-License-Identifier: MIT */
/* Creates a crowd: one allocation, and its empty parts. */
#include "agents/manners/traffic_state.h"
#include "agents/orders/goal.h"
#include "agents/plan/path.h"
#include "agents/plan/window.h"
#include "agents/state/crowd_state.h"
#include "agents/state/flows.h"
#include "agents/state/free_places.h"
#include "agents/update/agents.h"
#include "map/kinds/graph.h"
#include "map/version/accelerator.h"
#include "mark/beside.h"
#include "recording/crowd/crowd_orders.h"
#include <wend/boxes.h>
#include <wend/host.h>
#include <wend/units.h>
#include <wend/crowd_tuning.h>

enum { LINE = 64, PATH_BLOCKS = 4, EVENTS = 4, ROUTE_LEGS = 32 };
enum { FIELD_AGENTS = 64, CELLS_AN_AGENT = 1024, WORK = 65536, WORK_AN_AGENT = 16, FIRST_CHOICE_NS = 1000 };

static wend_crowd_def default_def(void) {
    return (wend_crowd_def){
        .struct_bytes = sizeof(wend_crowd_def), .agents = 1024, .allocator = wend_allocator_default()};
}

static const wend_crowd_tuning default_tuning = {.struct_bytes = sizeof default_tuning,
                                                 .units_within = 32,
                                                 .tries = 6,
                                                 .retry_updates = 8,
                                                 .routes = 64,
                                                 .route_cells = 65536,
                                                 .fields = 1,
                                                 .far_beyond = 512};

void wend_crowd_def_init(wend_crowd_def *def, size_t bytes) {
    const wend_crowd_def own = default_def();
    wend__sized_init(def, bytes, &own, sizeof own);
}

/* Gives each agent eight blocks of path, which hold 896 steps, as `wend plan` does. */
wend_error wend_crowd_def_preset(wend_crowd_def *def, size_t bytes, int32_t preset) {
    static const uint32_t agents[] = {
        [WEND_PRESET_SMALL] = 128, [WEND_PRESET_SERVER] = 1024, [WEND_PRESET_MMO] = 10240};
    wend_crowd_def own = default_def();
    wend_error error = wend__check_range("preset", preset, WEND_PRESET_SMALL, WEND_PRESET_MMO);
    if (!error) own.agents = agents[preset], own.path_bytes = (uint64_t)agents[preset] * 8 * LINE;
    wend__sized_init(def, bytes, &own, sizeof own);
    return error;
}

void wend_crowd_tuning_init(wend_crowd_tuning *tuning, size_t bytes) {
    wend__sized_init(tuning, bytes, &default_tuning, sizeof default_tuning);
}

static wend_error check(const wend_crowd_def *def) {
    const wend_crowd_tuning *tuning = def->tuning;
    if (!def->service || !def->map) return wend__refuse_null(def->service ? "map" : "service");
    WEND__ALIVE_IN("wend_crowd_create", def->service, "the service");
    WEND__ALIVE_IN("wend_crowd_create", def->map, "the map");
    const wend__range ranges[] = {{"agents", def->agents, 1, WEND_MAX_AGENTS},
                                  {"path_bytes", def->path_bytes, 0, (uint64_t)WEND__NO_PATH_BLOCK * LINE - 1},
                                  {"tuning.events", tuning->events, def->agents, UINT32_C(1) << 24},
                                  {"tuning.tries", tuning->tries, 1, 1000},
                                  {"tuning.retry_updates", tuning->retry_updates, 1, 1000000},
                                  {"tuning.routes", tuning->routes, 0, 65536},
                                  {"tuning.route_cells", tuning->route_cells, 0, UINT32_C(1) << 28},
                                  {"tuning.head_start", tuning->head_start, 0, WEND_MAX_HEAD_START},
                                  {"tuning.fields", tuning->fields, 0, WEND_MAX_CROWD_FIELDS},
                                  {"tuning.patience_updates", tuning->patience_updates, 0, 1000000}};
    wend_error error = wend__check_range("tuning.units_within", tuning->units_within, 0, WEND_MAX_REACH);
    if (!error) error = wend__check_ranges(ranges, sizeof ranges / sizeof ranges[0]);
    return error ? error : wend__check_allocator(&def->allocator);
}

/* A field has memory for all cells of a map, of which a streamed map mostly has few loaded. */
static bool is_large_streamed(const wend_map *map) {
    enum { MOST_CHUNKS = 1024 };
    return map->streamed && ((map->width + 63) >> 6) * ((map->height + 63) >> 6) > MOST_CHUNKS;
}

/* Sets the default of field_agents: a field expands each cell once, a search among agents about a thousand cells. */
static void set_field_agents(const wend_crowd_def *def, wend_crowd_tuning *tuning) {
    if (is_large_streamed(def->map) || (tuning->fields > 0 && wend__flow_bytes(def) == 0)) tuning->fields = 0;
    if (tuning->field_agents > 0) return;
    int32_t width, height, depth;
    wend__map_size(def->map, &width, &height, &depth);
    const uint64_t least = (uint64_t)width * (uint64_t)height * (uint64_t)depth / CELLS_AN_AGENT;
    tuning->field_agents = least > FIELD_AGENTS ? (uint32_t)least : FIELD_AGENTS;
}

/* Copies the caller's definition and replaces zeros by defaults; out->tuning is `tuning`. */
static bool read_def(const wend_crowd_def *theirs, wend_crowd_def *out, wend_crowd_tuning *tuning) {
    *out = default_def();
    *tuning = default_tuning;
    if (!WEND__READ_STRUCT(wend_crowd_def, tuning, out, theirs)) return false;
    if (out->tuning && !WEND__READ_STRUCT(wend_crowd_tuning, far_beyond, tuning, out->tuning)) return false;
    out->tuning = tuning;
    if (tuning->events == 0) {
        uint64_t events = (uint64_t)out->agents * EVENTS;
        tuning->events = (uint32_t)events;
    }
    uint64_t least = (uint64_t)out->agents * LINE;
    if (tuning->work == 0) tuning->work = out->agents > WORK / WORK_AN_AGENT ? WORK_AN_AGENT * out->agents : WORK;
    if (out->path_bytes == 0) out->path_bytes = least * PATH_BLOCKS;
    if (out->path_bytes < least) out->path_bytes = least;
    if (check(out)) return false;
    set_field_agents(out, tuning);
    return true;
}

/// Offsets of the parts in the allocation.
typedef struct parts {
    uint64_t bytes; ///< may be more than a size_t holds
    size_t traffic, agents, near_fields, near_slots, far_ways, kept, holds, remaining, phase, awake, stepping, blocks,
        events, goals, ids, states, cells, points, facings, velocities, radii, travel, walked, prefix, joined, flood,
        group_goals, ends_partial, turns, members, places, place_of, scratch, group_flows, marches, stations, routes,
        legs, route_cells, flows, fields, window;
} parts;

static size_t add_part(parts *p, uint64_t count, size_t size) {
    const uint64_t at = p->bytes;
    p->bytes += (count * size + LINE - 1) / LINE * LINE;
    return (size_t)at;
}

static uint32_t flood_cells(const wend_crowd_def *def) {
    return 2 * def->agents + 8192;
}

/* Returns the number of legs that fit. Long routes may use the legs of short ones. */
static uint64_t leg_room(const wend_crowd_def *def) {
    const uint64_t legs = (uint64_t)def->tuning->routes * ROUTE_LEGS;
    return legs < def->tuning->route_cells ? legs : def->tuning->route_cells;
}

/* Returns whether goals of the map can be farther than far_beyond, so that agents have far routes. */
static bool has_far_ways(const wend_crowd_def *def) {
    const uint32_t width = (uint32_t)def->map->width, height = (uint32_t)def->map->height;
    return def->tuning->far_beyond > 0 && def->map->kind == WEND_KIND_GRID &&
           (width > height ? width : height) > def->tuning->far_beyond;
}

/* Returns the bytes of a field, rounded up to whole cache lines. */
static size_t field_room(const wend_crowd_def *def) {
    return def->tuning->fields > 0 ? (wend__flow_bytes(def) + LINE - 1) / LINE * LINE : 0;
}

/* Returns the number of near fields. Among 12,000 agents in rooms, or 40,000 in caves of 512 x 512 cells, up to 6,000
 * use theirs within 8 updates. */
static uint32_t near_count(const wend_crowd_def *def) {
    enum { ENOUGH = 4096 };
    if (def->map->kind != WEND_KIND_GRID || def->agents <= ENOUGH)
        return def->map->kind == WEND_KIND_GRID ? def->agents : 0;
    return def->agents / 8 > ENOUGH ? def->agents / 8 : ENOUGH;
}

static parts lay_out_parts(const wend_crowd_def *def) {
    parts p = {0};
    const uint64_t agents = def->agents;
    add_part(&p, 1, sizeof(wend_crowd));
    p.traffic = add_part(&p, 1, wend__traffic_bytes(def->map, def->agents));
    p.agents = add_part(&p, agents, sizeof(wend__agent));
    p.near_fields = add_part(&p, near_count(def), sizeof(wend__near_field));
    p.near_slots = add_part(&p, near_count(def) > 0 ? agents : 0, sizeof(uint32_t));
    p.far_ways = add_part(&p, has_far_ways(def) ? agents : 0, sizeof(wend__far_way));
    p.kept = add_part(&p, agents, WEND__KEPT_PARTS * sizeof(uint64_t));
    p.holds = add_part(&p, agents, 1);
    p.remaining = add_part(&p, agents, sizeof(int64_t));
    p.phase = add_part(&p, agents, 1);
    p.awake = add_part(&p, agents, sizeof(uint32_t));
    p.stepping = add_part(&p, agents, sizeof(uint32_t));
    p.blocks = add_part(&p, def->path_bytes / LINE, sizeof(wend__stored_block));
    p.events = add_part(&p, def->tuning->events, sizeof(wend__queued_event));
    p.goals = add_part(&p, WEND_MAX_GOALS, sizeof(wend_cell));
    p.ids = add_part(&p, agents, sizeof(wend_agent_id));
    p.states = add_part(&p, agents, 1);
    p.cells = add_part(&p, agents, sizeof(wend_cell));
    p.points = add_part(&p, agents, sizeof(wend_point));
    p.facings = add_part(&p, agents, 3);
    p.velocities = add_part(&p, agents, sizeof(wend_point));
    p.radii = add_part(&p, agents, sizeof(uint32_t));
    p.travel = add_part(&p, agents, sizeof(wend__travel));
    const bool sets_out = def->tuning->head_start > 0;
    p.walked = add_part(&p, sets_out ? agents * wend__head_start_cells(def) : 0, sizeof(wend_cell));
    p.prefix = add_part(&p, sets_out ? wend__head_start_cells(def) : 0, sizeof(wend_cell));
    p.joined = add_part(&p, sets_out ? wend__head_start_room(def) : 0, sizeof(wend_cell));
    p.flood = add_part(&p, 1, wend__flood_bytes(flood_cells(def)));
    p.group_goals = add_part(&p, agents, sizeof(wend_cell));
    p.ends_partial = add_part(&p, agents, sizeof(bool));
    p.turns = add_part(&p, agents, sizeof(bool));
    p.members = add_part(&p, agents, sizeof(uint32_t));
    p.places = add_part(&p, agents, sizeof(wend_cell));
    p.place_of = add_part(&p, agents, sizeof(uint32_t));
    p.scratch = add_part(&p, agents, sizeof(uint64_t));
    p.group_flows = add_part(&p, agents, 1);
    p.marches = add_part(&p, agents, 1);
    p.stations = add_part(&p, agents, sizeof(uint32_t));
    p.routes = add_part(&p, def->tuning->routes + leg_room(def), sizeof(wend__route));
    p.legs = add_part(&p, leg_room(def), sizeof(wend__route_leg));
    p.route_cells = add_part(&p, def->tuning->route_cells, sizeof(uint32_t));
    p.flows = add_part(&p, def->tuning->fields, sizeof(wend__flow));
    p.fields = add_part(&p, def->tuning->fields, field_room(def));
    p.window = add_part(&p, 1, wend__window_bytes(def));
    return p;
}

static void place_group(wend__group_buffers *group, uint8_t *memory, const parts *p) {
    group->goals = (wend_cell *)(void *)(memory + p->group_goals);
    group->ends_partial = (bool *)(memory + p->ends_partial);
    group->placed = (bool *)(memory + p->turns);
    group->flows = memory + p->group_flows;
    group->marches = memory + p->marches;
    group->stations = (uint32_t *)(memory + p->stations);
    group->members = (uint32_t *)(void *)(memory + p->members);
    group->places = (wend_cell *)(void *)(memory + p->places);
    group->place_of = (uint32_t *)(void *)(memory + p->place_of);
    group->scratch = (uint64_t *)(void *)(memory + p->scratch);
}

static void place_flows(wend_crowd *crowd, uint8_t *memory, const parts *p) {
    crowd->flows = (wend__flow *)(void *)(memory + p->flows);
    crowd->flow_count = crowd->tuning.fields;
    const size_t room = field_room(&crowd->def);
    for (uint32_t i = 0; i < crowd->flow_count; i++)
        crowd->flows[i] = (wend__flow){.memory = memory + p->fields + i * room};
}

static void place(wend_crowd *crowd, uint8_t *memory, const parts *p) {
    const wend_crowd_def *def = &crowd->def;
    crowd->traffic = wend__traffic_init(memory + p->traffic, def->map, def->agents);
    crowd->in_traffic = wend__traffic_agents(crowd->traffic);
    crowd->speed = wend__traffic_speeds(crowd->traffic);
    crowd->agents = (wend__agent *)(void *)(memory + p->agents);
    crowd->near_fields = (wend__near_pool){.of = (wend__near_field *)(void *)(memory + p->near_fields),
                                           .slots = (uint32_t *)(void *)(memory + p->near_slots),
                                           .count = near_count(def)};
    for (uint32_t i = 0; i < crowd->near_fields.count; i++) crowd->near_fields.of[i].owner = 0;
    if (near_count(def) > 0) memset(crowd->near_fields.slots, 0, def->agents * sizeof(uint32_t));
    if (has_far_ways(def)) crowd->far_ways = (wend__far_way *)(void *)(memory + p->far_ways);
    crowd->kept = (wend__kept_hashes){.holds = memory + p->holds};
    for (uint32_t i = 0; i < WEND__KEPT_PARTS; i++)
        crowd->kept.of[i] = (uint64_t *)(void *)(memory + p->kept) + (size_t)i * def->agents;
    memset(crowd->kept.holds, 0, def->agents);
    crowd->remaining = (int64_t *)(void *)(memory + p->remaining);
    crowd->phase = memory + p->phase;
    crowd->awake = (uint32_t *)(void *)(memory + p->awake);
    crowd->stepping = (uint32_t *)(void *)(memory + p->stepping);
    wend__path_arena_init(&crowd->paths, memory + p->blocks, (uint32_t)(def->path_bytes / LINE), def->agents, def->map);
    crowd->events =
        (wend__event_queue){.of = (wend__queued_event *)(void *)(memory + p->events), .capacity = def->tuning->events};
    crowd->more_goals = (wend_cell *)(void *)(memory + p->goals);
    crowd->ids = (wend_agent_id *)(void *)(memory + p->ids);
    crowd->states = memory + p->states;
    crowd->cells = (wend_cell *)(void *)(memory + p->cells);
    crowd->points = (wend_point *)(void *)(memory + p->points);
    crowd->facings = (int8_t *)(memory + p->facings);
    crowd->velocities = (wend_point *)(void *)(memory + p->velocities);
    crowd->radii = (uint32_t *)(void *)(memory + p->radii);
    crowd->travel = (wend__travel *)(void *)(memory + p->travel);
    crowd->walked = (wend_cell *)(void *)(memory + p->walked);
    crowd->prefix = (wend_cell *)(void *)(memory + p->prefix);
    crowd->joined = (wend_cell *)(void *)(memory + p->joined);
    place_group(&crowd->group, memory, p);
    crowd->routes = (wend__routes){.of = (wend__route *)(void *)(memory + p->routes),
                                   .legs = (wend__route_leg *)(void *)(memory + p->legs),
                                   .cells = (uint32_t *)(void *)(memory + p->route_cells),
                                   .capacity = def->tuning->routes,
                                   .leg_capacity = (uint32_t)leg_room(def),
                                   .cell_capacity = def->tuning->route_cells};
    /* an order needs neither, and the view is valid until an order */
    crowd->group.starts = (wend_cell *)(void *)crowd->points;
    for (unsigned i = 0; i < 2; i++) crowd->group.keys[i] = wend__traffic_sorting(crowd->traffic, i);
    crowd->group.flood = wend__flood_init(memory + p->flood, flood_cells(def));
    place_flows(crowd, memory, p);
    crowd->window = wend__window_init(memory + p->window, def);
}

/* Allocates the counts and marks of a cell's chunk, so that no later move allocates. A full cell has them already. */
static wend_error allocate_counts(wend_map *map, wend_cell cell) {
    wend_error error = wend_map_occupy(map, cell);
    if (error) return error == WEND_BUSY ? WEND_OK : error;
    return wend_map_vacate(map, cell);
}

static wend_error allocate_node_counts(wend_map *map) {
    wend_error error = WEND_OK;
    for (int32_t chunk = 0; chunk < map->width && !error; chunk += WEND__CHUNK_CELLS) {
        int32_t node = chunk;
        while (node - chunk < WEND__CHUNK_CELLS && !wend__map_has(map, (wend_cell){node, 0, 0})) node++;
        if (node - chunk < WEND__CHUNK_CELLS) error = allocate_counts(map, (wend_cell){node, 0, 0});
    }
    return error;
}

static wend_error reserve_occupancy(wend_map *map) {
    if (map->kind == WEND_KIND_GRAPH) return allocate_node_counts(map);
    if (map->streamed) return WEND_OK; /* as agents come to its chunks */
    const bool space = map->kind == WEND_KIND_VOXEL;
    const int32_t side = space ? WEND__VOXEL_SIDE : WEND__CHUNK_SIDE;
    wend_error error = WEND_OK;
    for (int32_t z = 0; z < map->depth; z += side)
        for (int32_t y = 0; y < map->height; y += side)
            for (int32_t x = 0; x < map->width && !error; x += side) error = allocate_counts(map, (wend_cell){x, y, z});
    return error;
}

static wend_error create(const wend_crowd_def *def, wend_crowd **out) {
    const parts p = lay_out_parts(def);
    wend_allocator allocator = wend__allocator_or_default(def->allocator);
    if (def->service->ending) return wend__refuse(WEND_CLOSED, "the service is being destroyed");
    if (p.bytes > SIZE_MAX) return wend__refuse_memory(p.bytes);
    if (def->service->arena != def->map->arena) return wend__refuse_arenas();
    wend_error error = reserve_occupancy(def->map);
    if (!error && def->tuning->fields > 0)
        error = wend_map_changes(def->map, 0, NULL, 0, NULL, NULL); /* begins its log */
    if (error) return error;
    uint8_t *memory = wend__allocate(&allocator, (size_t)p.bytes, LINE);
    if (!memory) return WEND_OUT_OF_MEMORY;
    if (!wend__arena_shares(def->map->arena, memory)) {
        allocator.free(allocator.context, memory, (size_t)p.bytes);
        return wend__refuse_arenas();
    }
    wend_crowd *crowd = (wend_crowd *)(void *)memory;
    memset(crowd, 0, sizeof *crowd);
    crowd->tuning = *def->tuning;
    crowd->def = *def;
    crowd->def.tuning = &crowd->tuning;
    crowd->def.allocator = allocator;
    crowd->bytes = (size_t)p.bytes;
    crowd->free_first = UINT32_MAX;
    crowd->work = wend__work_of(def->tuning->work);
    crowd->choice_ns = FIRST_CHOICE_NS;
    crowd->first_starved = crowd->work_exempt = WEND__NONE;
    crowd->counts.struct_bytes = sizeof crowd->counts;
    wend_map_retain(def->map);
    place(crowd, memory, &p);
    if (!def->map->unit_reader && !atomic_load_explicit(&def->map->units_shared, memory_order_relaxed))
        wend__accelerator.set_unit_reader(def->map, &def->service->pool);
    def->service->crowds++;
    wend__crowd_record_created(crowd);
    WEND__BORN(crowd, "the crowd");
    *out = crowd;
    return WEND_OK;
}

void wend__crowd_forget(wend_crowd *crowd) {
    const parts p = lay_out_parts(&crowd->def);
    const wend__traffic before = *crowd->traffic;
    wend__flows_release(crowd);
    crowd->body_count = crowd->step_count = crowd->used = crowd->count = 0;
    crowd->away_count = crowd->leaving_count = crowd->pending = 0;
    crowd->free_first = UINT32_MAX;
    crowd->first_starved = crowd->work_exempt = WEND__NONE;
    crowd->counts = (wend_crowd_stats){.struct_bytes = sizeof crowd->counts};
    crowd->timed = crowd->timed_milli = 0;
    memset(crowd->marches, 0, sizeof crowd->marches);
    memset(crowd->counters, 0, sizeof crowd->counters);
    memset(crowd->end_lists, 0, sizeof crowd->end_lists);
    place(crowd, (uint8_t *)crowd, &p);
    crowd->traffic->unrecorded = before.unrecorded;
    wend__traffic_set_discs(crowd->traffic, before.discs);
}

wend_error wend_crowd_create(const wend_crowd_def *def, wend_crowd **out) {
    wend_crowd_def own;
    wend_crowd_tuning tuning;
    if (!out) return wend__refuse_null("out");
    return read_def(def, &own, &tuning) ? create(&own, out) : WEND_BAD_ARGUMENT;
}

size_t wend_crowd_bytes(const wend_crowd_def *def) {
    wend_crowd_def own;
    wend_crowd_tuning tuning;
    if (!read_def(def, &own, &tuning)) return 0;
    const uint64_t bytes = lay_out_parts(&own).bytes;
    return bytes <= SIZE_MAX ? (size_t)bytes : 0;
}

wend_error wend_crowd_destroy(wend_crowd *crowd) {
    if (!crowd) return WEND_OK;
    WEND__CROWD_CALL(crowd);
    if (wend__crowd_in_callback(crowd)) return wend__crowd_refuse_callback();
    const bool recorded = wend__crowd_record_begin(crowd);
    wend__boxes_release(crowd);
    for (uint32_t i = 0; i < crowd->used; i++) {
        if (crowd->phase[i] == WEND__PHASE_ABSENT) continue;
        wend__traffic_leave(crowd->traffic, i);
        const wend_ticket ticket = crowd->agents[i].request.ticket;
        if (ticket.generation) wend__crowd_cancel(crowd, ticket);
    }
    wend__legs_cancel(crowd);
    wend__flows_release(crowd);
    wend__bodies_close(crowd);
    if (crowd->def.map->unit_reader == &crowd->def.service->pool)
        wend__accelerator.set_unit_reader(crowd->def.map, NULL);
    if (recorded) wend__crowd_record_destroyed(crowd);
    wend__crowd_record_end(crowd, recorded);
    WEND__GONE(crowd, "the crowd");
    crowd->def.service->crowds--;
    crowd->dead = true;
    if (crowd->pending == 0) wend__crowd_free(crowd);
    return WEND_OK;
}
