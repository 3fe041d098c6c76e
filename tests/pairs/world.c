/* SPDX-License-Identifier: MIT */
/* A small world that has a value of each factor, its requests, and its frames. */
#include "pairs/pairs.h"
#include "models/apart.h"
#include "models/both.h"

#include <stdlib.h>
#include <string.h>

bool world_is(const pair_world *w, int factor, unsigned values) {
    return (values >> w->values[factor] & 1) != 0;
}

static bool is_graph(const pair_world *w) {
    return world_is(w, GROUND, BIT(GRAPH) | BIT(PLACED));
}

/* ---- the ground ---- */

enum { NODES = 150 };

/* Where things happen: so small that an oracle is quick, and over the rims of chunks, sheets and the map. */
static int patches_of(const pair_world *w, wend_box out[2]) {
    switch (w->values[GROUND]) {
    case ROUND: out[0] = (wend_box){{0, 0, 0}, {19, 15, 0}}; return 1;
    case SHEETS:
        out[0] = (wend_box){{4, 4, 0}, {15, 17, 0}};
        out[1] = (wend_box){{80, 4, 0}, {91, 17, 0}};
        return 2;
    case STREAMED: out[0] = (wend_box){{55, 55, 0}, {73, 73, 0}}; return 1;
    case VOXELS: out[0] = (wend_box){{0, 0, 0}, {9, 8, 3}}; return 1;
    case GRAPH:
    case PLACED: out[0] = (wend_box){{0, 0, 0}, {NODES - 1, 0, 0}}; return 1;
    default: out[0] = (wend_box){{55, 4, 0}, {73, 22, 0}}; return 1;
    }
}

static void list_places(pair_world *w) {
    wend_box patches[2];
    const int count = patches_of(w, patches);
    for (int i = 0; i < count; i++) {
        const wend_box box = patches[i];
        for (int32_t z = box.min.z; z <= box.max.z; z++)
            for (int32_t y = box.min.y; y <= box.max.y; y++)
                for (int32_t x = box.min.x; x <= box.max.x; x++)
                    if (w->place_count < MOST_PLACES) w->places[w->place_count++] = (wend_cell){x, y, z};
    }
}

wend_cell world_place(pair_world *w) {
    return w->places[draw(&w->random, (uint32_t)w->place_count)];
}

bool world_is_loaded(const pair_world *w, wend_cell cell) {
    int32_t land = WEND_LAND_LOADED;
    if (!world_is(w, GROUND, BIT(STREAMED))) return true;
    return !wend_map_get_land(w->map, cell.x / 64, cell.y / 64, &land) && land == WEND_LAND_LOADED;
}

wend_cell world_loaded_place(pair_world *w) {
    wend_cell cell = world_place(w);
    for (int i = 0; i < 40 && !world_is_loaded(w, cell); i++) cell = world_place(w);
    return cell;
}

bool world_is_open(const pair_world *w, int32_t mover, wend_cell cell) {
    bool reachable = false;
    if (wend_map_reachable(w->map, mover, cell, cell, &reachable)) return false;
    return reachable != 0;
}

wend_cell world_open_place(pair_world *w) {
    wend_cell cell = world_place(w);
    for (int i = 0; i < 40 && !world_is_open(w, w->mover, cell); i++) cell = world_place(w);
    return cell;
}

static uint8_t random_class(pair_world *w) {
    const uint32_t roll = draw(&w->random, 100);
    if (roll < 20) return WEND_CLASS_BLOCKED;
    if (world_is(w, TERRAIN, BIT(EVEN))) return WEND_CLASS_OPEN;
    if (roll < 40) return 3;
    if (roll < 50) return 2;
    return roll < 54 ? WEND_CLASS_WATER : WEND_CLASS_OPEN;
}

static wend_error make_graph(pair_world *w) {
    wend_graph_def def = default_graph();
    wend_edge edges[NODES * 5];
    wend_cell coordinates[NODES];
    for (int32_t i = 0; i < NODES; i++)
        coordinates[i] = (wend_cell){i % 15 * 10 + (int32_t)draw(&w->random, 5), i / 15 * 10, 0};
    def.edge_count = 0;
    for (uint32_t i = 0; i < NODES; i++)
        for (int k = 0; k < 4; k++) {
            const uint32_t to = (i + 1 + (k ? draw(&w->random, 20) : 0)) % NODES;
            edges[def.edge_count++] = (wend_edge){i, to, 10 + (int32_t)draw(&w->random, 30)};
        }
    def.node_count = NODES, def.node_capacity = NODES + 200, def.edges = edges;
    if (world_is(w, GROUND, BIT(PLACED))) def.coordinates = coordinates;
    def.allocator = w->allocator;
    return wend_graph_create(&def, &w->map);
}

static wend_error make_grid(pair_world *w) {
    static const int32_t sides[][3] = {
        [GRID8] = {80, 40, 1},   [GRID4] = {80, 40, 1},      [HEX] = {80, 40, 1},  [ROUND] = {20, 16, 1},
        [SHEETS] = {128, 64, 1}, [STREAMED] = {192, 192, 1}, [VOXELS] = {10, 9, 4}};
    const wend_sheet sheets[2] = {{{{0, 0, 0}, {63, 63, 0}}, {0, 0, 0}}, {{{64, 0, 0}, {127, 63, 0}}, {0, 0, 0}}};
    const int ground = w->values[GROUND];
    wend_map_rules rules = default_rules();
    wend_map_def def = default_map();
    rules.corners = w->values[CORNERS];
    if (ground == GRID4) rules.neighbours = 4;
    if (ground == HEX) rules.neighbours = 6;
    def.kind = ground == VOXELS ? WEND_KIND_VOXEL : WEND_KIND_GRID;
    def.width = sides[ground][0], def.height = sides[ground][1], def.depth = sides[ground][2];
    def.rules = &rules, def.allocator = w->allocator, def.streamed = ground == STREAMED;
    if (ground == ROUND) def.wrap = WEND_WRAP_X | WEND_WRAP_Y;
    if (ground == SHEETS) def.sheets = sheets, def.sheet_count = 2;
    return wend_map_create(&def, &w->map);
}

static wend_error add_seams(wend_edit *edit) {
    for (int32_t y = 4; y <= 17; y++)
        for (int32_t dy = -1; dy <= 1; dy++) {
            const wend_cell a = {15, y, 0}, b = {80, y + dy, 0};
            if (b.y < 4 || b.y > 17) continue;
            wend_error error = wend_edit_add_link(edit, &(wend_link){a, b, WEND_LINK_SEAM, 0});
            if (!error) error = wend_edit_add_link(edit, &(wend_link){b, a, WEND_LINK_SEAM, 0});
            if (error) return error;
        }
    return WEND_OK;
}

/* Two walls with doors of one cell, and a corridor behind each: narrow places for bodies. */
static void add_doors(const pair_world *w, wend_edit *edit) {
    const wend_cell first = w->places[0];
    for (int i = 0; i < w->place_count; i++) {
        const int32_t x = w->places[i].x - first.x, y = w->places[i].y - first.y;
        const bool wall = x % 6 == 4 || x % 6 == 5, door = y % 5 == 2;
        if (wall) CLAIM(!wend_edit_set_cell(edit, w->places[i], door ? WEND_CLASS_OPEN : WEND_CLASS_BLOCKED), "door");
    }
}

static wend_error fill_ground(pair_world *w) {
    wend_edit *edit = begin_edit(w->map);
    if (world_is(w, GROUND, BIT(STREAMED)))
        for (int32_t chunk = 0; chunk < 4; chunk++) CLAIM(!wend_edit_load(edit, chunk % 2, chunk / 2, NULL, 0), "load");
    const wend_map_info info = info_now(w->map);
    if (world_is(w, GROUND, BIT(STREAMED)))
        CLAIM(!wend_edit_fill_box(edit, (wend_box){{0, 0, 0}, {127, 127, 0}}, WEND_CLASS_BLOCKED), "fill");
    else if (!is_graph(w))
        CLAIM(!wend_edit_fill_box(edit, (wend_box){{0, 0, 0}, {info.width - 1, info.height - 1, info.depth - 1}},
                                  WEND_CLASS_BLOCKED),
              "fill");
    for (int i = 0; i < w->place_count; i++)
        CLAIM(!wend_edit_set_cell(edit, w->places[i], random_class(w)), "set: %s",
              wend_error_detail(WEND_BAD_ARGUMENT));
    if (world_is(w, CROWD, BIT(BODIES))) add_doors(w, edit);
    if (world_is(w, GROUND, BIT(SHEETS))) CLAIM(!add_seams(edit), "seams");
    return wend_edit_publish(edit, NULL);
}

/* A link over the rim of a map that wraps does not lead to a neighbour. */
bool world_links(const pair_world *w, wend_cell from, wend_cell to) {
    const int32_t dx = abs(from.x - to.x), dy = abs(from.y - to.y);
    if (world_is(w, GROUND, BIT(ROUND))) return (dx > 1 && dx < 19) || (dy > 1 && dy < 15);
    return !same_cell(from, to);
}

static wend_error make_ways(pair_world *w) {
    wend_edit *edit = begin_edit(w->map);
    wend_error error = WEND_OK;
    const bool links = world_is(w, WAYS, BIT(LINKS) | BIT(LINKS_AND_WALLS));
    const bool steps = world_is(w, WAYS, BIT(LEDGES) | BIT(LINKS_AND_WALLS));
    for (int i = 0; links && i < 6; i++) {
        const wend_cell from = world_open_place(w), to = world_open_place(w);
        if (world_links(w, from, to))
            CLAIM(!wend_edit_add_link(edit, &(wend_link){from, to, 5 + (int32_t)draw(&w->random, 60), 0}), "link");
    }
    for (int i = 0; steps && i < 20 && !error; i++) {
        const wend_cell from = world_place(w), to = {from.x + 1, from.y, from.z};
        bool inside = is_graph(w);
        for (int k = 0; k < w->place_count && !inside; k++) inside = same_cell(w->places[k], to);
        if (!inside) continue;
        error = world_is(w, WAYS, BIT(LEDGES)) ? wend_edit_set_step(edit, from, to, false)
                                               : set_step_both(edit, from, to, 0);
        w->refused_call = "wend_edit_set_step";
    }
    if (error) return wend_edit_discard(edit), error;
    return wend_edit_publish(edit, NULL);
}

/* ---- other parts of the map ---- */

static wend_error add_mover(pair_world *w) {
    wend_mover mover = default_mover();
    w->refused_call = "wend_map_add_mover";
    switch (w->values[MOVER]) {
    case DEFAULT_MOVER: return WEND_OK;
    case SWIMMER: mover.factors[WEND_CLASS_WATER] = 1, mover.factors[2] = 0; break;
    case LARGE: mover.size = 2; break;
    case SHY: mover.shunned[0] = 1u << 3; break;
    default: mover.walker = 1, mover.drop = 2;
    }
    return wend_map_add_mover(w->map, &mover, &w->mover);
}

static wend_error derive(pair_world *w) {
    wend_acceleration def = default_acceleration();
    if (world_is(w, DERIVED, BIT(UNDERIVED))) return WEND_OK;
    if (world_is(w, MOVER, BIT(WALKER)))
        def.mover = WEND_MOVER_DEFAULT;
    else
        def.mover = w->mover;
    def.far = 0, def.landmarks = 0;
    switch (w->values[DERIVED]) {
    case TABLES: break;
    case LANDMARKS: def.landmarks = 2; break;
    case FAR: def.far = 1, def.tables = 0; break;
    default: def.later = 1, def.landmarks = 1, def.far = !world_is(w, GROUND, BIT(ROUND) | BIT(SHEETS));
    }
    w->refused_call = "wend_map_accelerate";
    return wend_map_accelerate(w->map, &def);
}

static wend_error add_layers(pair_world *w) {
    wend_layer_def def = default_layer();
    w->refused_call = "wend_map_add_layer";
    if (world_is(w, LAYERS, BIT(NO_LAYERS))) return WEND_OK;
    if (world_is(w, LAYERS, BIT(FADING))) def.half_life = 3;
    if (world_is(w, LAYERS, BIT(WALLS))) def.within = 2;
    wend_error error = wend_map_add_layer(w->map, &def, &w->layer);
    if (error) return error;
    for (int i = 0; i < 3 && !world_is(w, LAYERS, BIT(WALLS)); i++)
        CLAIM(!wend_map_add_layer_disc(w->map, w->layer, world_place(w), is_graph(w) ? 0 : (int32_t)draw(&w->random, 5),
                                       200),
              "disc");
    w->weights[0] = (wend_layer_weight){w->layer, 20}, w->weight_count = 1;
    return wend_map_add_profile(w->map, w->weights, 1, &w->profile);
}

static void add_units(pair_world *w) {
    for (int i = 0; i < 12 && !world_is(w, UNITS, BIT(UNITS_IGNORED)); i++)
        CLAIM(!wend_map_occupy(w->map, world_place(w)), "occupy");
}

/* ---- the service ---- */

static wend_error make_service(pair_world *w) {
    wend_service_def def = default_service();
    wend_service_tuning tuning = default_tuning();
    tuning.lanes = world_is(w, THREADS, BIT(ONE_LANE)) ? 1 : 4;
    tuning.searches = 8, tuning.far_nodes = 1024, tuning.share_cells = 16384, tuning.slice = 40;
    def.workers = world_is(w, THREADS, BIT(WORKERS)) ? 3 : 0;
    def.share = world_is(w, SHARING, BIT(SHARE));
    def.nodes = (world_is(w, POOL, BIT(SMALL)) ? 16 : 64) * (uint64_t)WEND_PAGE_NODES;
    def.max_path_cells = 4096, def.path_bytes = world_is(w, POOL, BIT(SMALL)) ? 1 : 1 << 16;
    def.queue = 64;
    if (!world_is(w, QUEUE, BIT(AMPLE))) def.queue = 6, def.reserve = 2, tuning.goals = 16;
    def.displace = world_is(w, QUEUE, BIT(DISPLACE));
    def.tuning = &tuning, def.allocator = w->allocator;
    w->refused_call = "wend_service_create";
    return wend_service_create(&def, &w->service);
}

/* ---- the crowd ---- */

/* Returns the refusal of bodies on this map, if any. */
static wend_error try_body(pair_world *w) {
    wend_agent_def agent = default_agent();
    const wend_body_def body = default_body();
    wend_agent_id id;
    agent.mover = w->mover, agent.cell = world_open_place(w);
    if (wend_crowd_add(w->crowd, &agent, &id)) return WEND_OK;
    w->refused_call = "wend_crowd_set_body";
    const wend_error error = wend_crowd_set_body(w->crowd, id, &body);
    (void)wend_crowd_remove(w->crowd, id);
    return error == WEND_BUSY ? WEND_OK : error;
}

static wend_error make_crowd(pair_world *w) {
    wend_crowd_def def = default_crowd();
    wend_crowd_tuning tuning;
    if (world_is(w, CROWD, BIT(NO_CROWD))) return WEND_OK;
    wend_crowd_tuning_init(&tuning, sizeof tuning);
    tuning.head_start = draw(&w->random, 2) ? 6 : 0, tuning.patience_updates = draw(&w->random, 2) ? 20 : 0;
    tuning.field_agents = world_is(w, CROWD, BIT(FIELD_GROUP)) ? 4 : 64;
    tuning.far_beyond = draw(&w->random, 3) ? 512 : 6, tuning.link_events = 1, tuning.events = 512;
    tuning.route_cells = 4096, tuning.routes = 8;
    def.agents = PEOPLE + 4, def.service = w->service, def.map = w->map, def.tuning = &tuning;
    def.allocator = w->allocator;
    w->refused_call = "wend_crowd_create";
    wend_error error = wend_crowd_create(&def, &w->crowd);
    return error || !world_is(w, CROWD, BIT(BODIES)) ? error : try_body(w);
}

void world_add_people(pair_world *w) {
    for (int i = 0; i < PEOPLE; i++) {
        wend_agent_state state = {.struct_bytes = sizeof state};
        if (!wend_crowd_get_agent(w->crowd, w->agents[i], &state)) continue;
        wend_agent_def agent = default_agent();
        agent.mover = w->mover, agent.profile = w->profile, agent.speed_milli = 400;
        for (int k = 0; k < 60; k++) {
            agent.cell = world_open_place(w);
            if (!wend_crowd_add(w->crowd, &agent, &w->agents[i])) break;
        }
        if (world_is(w, CROWD, BIT(BODIES)) && i % 2 == 0 && w->agents[i].generation) {
            wend_body_def body = default_body();
            body.radius_milli = i % 4 ? 400 : 250;
            if (world_is(w, MOVER, BIT(LARGE))) body.radius_milli = 700;
            (void)wend_crowd_set_body(w->crowd, w->agents[i], &body);
        }
    }
}

static void send_along_route(pair_world *w) {
    if (w->route == UINT32_MAX) {
        wend_route_def route = default_route();
        const wend_cell corners[3] = {world_open_place(w), world_open_place(w), world_open_place(w)};
        route.corners = corners, route.corner_count = 3, route.mode = WEND_ROUTE_LOOP;
        if (wend_crowd_add_route(w->crowd, &route, &w->route)) w->route = UINT32_MAX;
    }
    if (w->route == UINT32_MAX) return;
    for (int i = 0; i < PEOPLE; i++) (void)wend_crowd_patrol(w->crowd, w->agents[i], w->route);
}

void world_send(pair_world *w) {
    wend_crowd_goal goal = default_crowd_goal();
    wend_agent_id ids[PEOPLE];
    size_t count = 0;
    for (int i = 0; i < PEOPLE; i++) {
        wend_agent_state state = {.struct_bytes = sizeof state};
        if (!wend_crowd_get_agent(w->crowd, w->agents[i], &state)) ids[count++] = w->agents[i];
    }
    if (!count) return;
    goal.cell = world_open_place(w);
    switch (w->values[CROWD]) {
    case PATROL: send_along_route(w); return;
    case FORMATION: goal.formation = WEND_AS_LINE; break;
    case FOLLOWERS:
        (void)wend_crowd_go(w->crowd, ids, 1, &goal);
        goal.kind = WEND_CROWD_FOLLOW, goal.target = ids[0];
        if (count > 1) (void)wend_crowd_go(w->crowd, ids + 1, count - 1, &goal);
        return;
    case GROUP:
    case FIELD_GROUP: break;
    default:
        for (size_t i = 0; i < count; i++) {
            goal.cell = world_open_place(w);
            (void)wend_crowd_go(w->crowd, &ids[i], 1, &goal);
        }
        return;
    }
    (void)wend_crowd_go(w->crowd, ids, count, &goal);
}

/* ---- requests ---- */

static uint64_t number_of(wend_cell cell) {
    return (uint64_t)cell.x << 40 ^ (uint64_t)cell.y << 20 ^ (uint64_t)cell.z;
}

static void tell(uint64_t *told, uint64_t value) {
    *told = (*told ^ value) * UINT64_C(1099511628211);
}

static void answered(void *context, const wend_completion *completion) {
    asked *own = context;
    own->answers++;
    uint64_t *told = &own->world->told;
    tell(told, (uint64_t)(own - own->world->asked)), tell(told, (uint64_t)completion->status);
    tell(told, (uint64_t)completion->cost), tell(told, completion->expansions), tell(told, completion->frames);
    for (size_t i = 0; i < completion->cell_count; i++) tell(told, number_of(completion->cells[i]));
    if (!own->world->unjudged) judge(own, completion);
    if (own->on_answer) own->on_answer(own);
}

asked *world_new_asked(pair_world *w) {
    CLAIM(w->asked_count < MOST_ASKED, "too many requests");
    asked *own = &w->asked[w->asked_count];
    *own = (asked){.world = w};
    return own;
}

void world_ask(pair_world *w, asked *own) {
    wend_request request = default_request();
    wend_search_options options;
    wend_search_options_init(&options, sizeof options);
    request.map = w->map, request.mover = w->mover, request.on_done = answered, request.context = own;
    request.start = request.goal = world_open_place(w);
    for (int i = 0; i < 12; i++) {
        bool reachable = false;
        request.goal = world_open_place(w);
        (void)wend_map_reachable(w->map, w->mover, request.start, request.goal, &reachable);
        if (reachable && abs(request.goal.x - request.start.x) + abs(request.goal.y - request.start.y) > 6) break;
    }
    request.mode = w->values[MODE];
    if (world_is(w, GOALS, BIT(REACH) | BIT(SEVERAL_REACH))) request.reach = 1 + (int32_t)draw(&w->random, 2);
    if (world_is(w, GOALS, BIT(SEVERAL) | BIT(SEVERAL_REACH))) {
        options.more_goal_count = 1 + draw(&w->random, 3);
        for (uint32_t i = 0; i < options.more_goal_count; i++) own->goals[i] = world_open_place(w);
        options.more_goals = own->goals;
    }
    options.engine = w->values[ENGINE];
    if (world_is(w, ESTIMATE, BIT(WEIGHT)))
        options.weight_milli = 1500;
    else
        options.heuristic = w->values[ESTIMATE];
    options.unloaded = w->values[LAND];
    if (w->values[UNITS] == UNITS_BLOCK || w->values[UNITS] == UNITS_WITHIN) options.occupied = WEND_OCCUPIED_BLOCK;
    if (w->values[UNITS] == UNITS_PRICE) options.occupied = 25;
    if (w->values[UNITS] == UNITS_WITHIN) options.occupied_within = 5;
    options.profile = w->profile;
    switch (w->values[OPTION]) {
    case AGENT: request.agent = (uint64_t)(w->asked_count + 1); break;
    case DEADLINE: request.deadline_frames = 30; break;
    case MAXIMUM: options.max_expansions = 90; break;
    case LEAVES_START: options.leave_blocked_start = true; break;
    case DELIVERS_STALE: options.on_stale = WEND_ON_STALE_DELIVER; break;
    default: break;
    }
    own->request = request, own->options = options;
}

asked *world_submit(pair_world *w, asked *own) {
    own->request.options = &own->options, own->changes = w->changes, own->unit_moves = w->unit_moves;
    const wend_error error = wend_service_submit(w->service, &own->request, &own->ticket);
    if (error == WEND_BUSY || (error == WEND_CLOSED && w->closed)) return NULL;
    CLAIM(!error, "submit: %s: %s", wend_error_name(error), wend_error_detail(error));
    w->asked_count++;
    return own;
}

/* ---- frames ---- */

void world_frame(pair_world *w, uint64_t expansions, uint64_t deliveries, wend_frame *frame) {
    wend_budget budget = budget_of(expansions);
    wend_frame_limits limits;
    wend_frame_limits_init(&limits, sizeof limits);
    limits.deliveries = deliveries, budget.limits = &limits;
    CLAIM(!wend_service_tick(w->service, &budget, frame), "tick");
}

static void check_crowd(pair_world *w) {
    wend_agent_event event = {.struct_bytes = sizeof event};
    while (!wend_crowd_poll(w->crowd, &event)) {
        CLAIM(event.event >= 1 && event.event <= 10, "event %d", event.event);
        tell(&w->told, (uint64_t)event.event << 32 | event.agent.index);
    }
    const char *fault = crowd_fault(w->map, w->crowd);
    CLAIM(!fault, "%s", fault);
}

static void update_crowd(pair_world *w) {
    if (!w->crowd) return;
    w->unit_moves++;
    CLAIM(!wend_crowd_update(w->crowd, 1000, NULL, NULL), "update");
    check_crowd(w);
}

uint64_t world_seen(pair_world *w) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    uint64_t seen = w->told;
    tell(&seen, w->service ? wend_service_get_pending(w->service) : 0), tell(&seen, wend_map_get_epoch(w->map));
    tell(&seen, w->random), tell(&seen, (uint64_t)w->asked_count);
    if (w->crowd) CLAIM(!wend_crowd_get_view(w->crowd, &view), "view");
    for (uint32_t i = 0; i < view.count; i++) {
        const wend_point at = view.points[i];
        tell(&seen, (uint64_t)at.x << 32 ^ (uint64_t)at.y ^ (uint64_t)at.z << 48);
        tell(&seen, (uint64_t)view.states[i] << 32 | view.ids[i].index);
    }
    return seen;
}

static int unanswered(const pair_world *w) {
    int count = 0;
    for (int i = 0; i < w->asked_count; i++) count += w->asked[i].answers == 0;
    return count;
}

/* Requests that wait for land have their answer when that can matter no more: the host calls them back. */
static void call_back(pair_world *w) {
    for (int i = 0; i < w->asked_count; i++)
        if (!w->asked[i].answers && !wend_service_cancel(w->service, w->asked[i].ticket)) w->asked[i].cancelled = true;
}

void world_finish(pair_world *w) {
    enum { WAITING_FRAMES = 12, MOST_FRAMES = 800 };
    int frames = 0;
    for (int left = unanswered(w); left > 0 || frames < 3; left = unanswered(w), frames++) {
        CLAIM(frames < MOST_FRAMES, "%d requests have no answer after %d frames", left, frames);
        world_frame(w, 400, WEND_NO_LIMIT, NULL);
        update_crowd(w);
        if (world_is(w, LAND, BIT(WAIT)) && frames >= WAITING_FRAMES) call_back(w);
    }
    for (int i = 0; i < w->asked_count; i++)
        CLAIM(w->asked[i].answers == 1, "request %d has %d answers", i, w->asked[i].answers);
    w->asked_count = 0;
    CLAIM(w->crowd || wend_service_get_pending(w->service) == 0, "pending");
}

wend_error world_edit(pair_world *w) {
    wend_cell cell = world_loaded_place(w);
    uint8_t class = WEND_CLASS_OPEN;
    if (w->main && draw(&w->random, 2)) { /* on the way that the search has in sight */
        wend_cell cells[8];
        wend_prefix prefix = {.struct_bytes = sizeof prefix};
        if (!wend_service_get_prefix(w->service, w->main->ticket, cells, 8, &prefix) && prefix.cell_count > 1)
            cell = cells[1 + draw(&w->random, (uint32_t)(prefix.cell_count < 8 ? prefix.cell_count : 8) - 1)];
    }
    if (wend_map_get_terrain(w->map, cell, &class) || !world_is_loaded(w, cell)) return WEND_EMPTY;
    w->changes++;
    return wend_map_set_cell(w->map, cell, class == WEND_CLASS_BLOCKED ? WEND_CLASS_OPEN : WEND_CLASS_BLOCKED, NULL);
}

/* ---- all of it ---- */

pair_world *world_new(const uint8_t values[FACTORS]) {
    static pair_world own;
    wend_arena_def def;
    wend_arena *arena = NULL;
    pair_world *w = &own;
    if (values[MEMORY] == ARENA) {
        wend_arena_def_init(&def, sizeof def);
        def.bytes = 1 << 25;
        CLAIM(!wend_arena_create(&def, &arena), "arena: %s", wend_error_detail(WEND_OUT_OF_MEMORY));
        const wend_allocator allocator = wend_arena_allocator(arena);
        w = allocator.alloc(allocator.context, sizeof *w, 64);
        CLAIM(w, "arena: no room");
    }
    memset(w, 0, sizeof *w);
    memcpy(w->values, values, sizeof w->values);
    w->arena = arena;
    return w;
}

void world_free(pair_world *w) {
    wend_arena *arena = w->arena;
    if (!arena) return;
    const wend_allocator allocator = wend_arena_allocator(arena);
    allocator.free(allocator.context, w, sizeof *w);
    CLAIM(!wend_arena_destroy(arena), "blocks are left in the arena");
}

wend_error world_open(pair_world *w) {
    w->route = UINT32_MAX;
    w->allocator = w->arena ? wend_arena_allocator(w->arena) : counting_allocator(&w->memory);
    w->refused_call = "wend_map_create";
    wend_error error = is_graph(w) ? make_graph(w) : make_grid(w);
    if (error) return error;
    list_places(w);
    error = fill_ground(w);
    if (!error) error = add_mover(w);
    if (!error) error = make_ways(w);
    if (!error) error = derive(w);
    if (!error) error = add_layers(w);
    if (error) return error;
    add_units(w);
    error = make_service(w);
    if (!error) error = make_crowd(w);
    if (error || !w->crowd) return error;
    world_add_people(w);
    return WEND_OK;
}

/* In one of two orders: the crowd first, or the service with all that is pending. */
void world_close(pair_world *w) {
    if (w->crowd) CLAIM(!wend_crowd_destroy(w->crowd), "destroy the crowd");
    w->ending = true;
    if (w->service) CLAIM(!wend_service_destroy(w->service), "destroy the service");
    wend_map_release(w->map);
    for (int i = 0; i < w->asked_count; i++)
        CLAIM(w->asked[i].answers == 1, "request %d has %d answers at the end", i, w->asked[i].answers);
    CLAIM(w->memory.bytes == 0, "%zu bytes in %zu blocks are left", w->memory.bytes, w->memory.blocks);
}
