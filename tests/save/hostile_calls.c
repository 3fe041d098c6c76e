/* SPDX-License-Identifier: MIT */
/* Random worlds, and random calls to them: most of their arguments are sensible, some are hostile. */
#include "save/hostile_calls.h"
#include "models/options.h"

#include <string.h>
#include <wend/acceleration.h>
#include <wend/control.h>
#include <wend/layers.h>
#include <wend/stream.h>
#include <wend/units.h>
#include <wend/ways.h>

enum { AGENTS = HOSTILE_AGENTS, NODES = 30, ROUTES = 6 };

hostile_host hostile_now;
static place here;
static wend_frame frame_now;

/* ---- arguments ---- */

static int below(int count) {
    return count > 0 ? oracle_below(&hostile_now.random, count) : 0;
}

int hostile_below(int count) {
    return below(count);
}

static int64_t hostile(void) {
    static const int64_t numbers[] = {-1,    0,     1,     2,       3,       7,       15,        16,        31,
                                      32,    63,    64,    65,      127,     128,     180,       181,       254,
                                      255,   256,   257,   300,     499,     500,     999,       1000,      1001,
                                      4095,  4096,  65535, 65536,   1000000, 1000001, INT32_MAX, INT32_MIN, UINT32_MAX,
                                      -1000, -1001, 64000, 1 << 24, 1 << 30, -2,      INT64_MAX, -128};
    return numbers[below((int)(sizeof numbers / sizeof *numbers))];
}

/* Returns a number of a range, seldom one that may be out of it. */
static int64_t number(int64_t least, int64_t most) {
    if (below(10) == 0) return hostile();
    if (below(4) == 0) return below(2) ? least : most;
    return least + below((int)(most - least + 1));
}

/* Hostile numbers wrap. */
static int32_t plus(int32_t a, int32_t b) {
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

static int32_t sides(int axis) {
    static const int32_t of[HOSTILE_KINDS][3] = {
        [FLAT] = {11, 7, 1},        [HEXAGONS] = {9, 8, 1}, [WRAPPED] = {8, 6, 1},
        [STREAMED] = {192, 128, 1}, [VOXELS] = {7, 6, 5},   [NODES_AND_EDGES] = {NODES, 1, 1}};
    return of[hostile_now.kind][axis];
}

static wend_cell any_cell(void) {
    wend_cell cell = {below(sides(0)), below(sides(1)), below(sides(2))};
    if (hostile_now.kind == STREAMED && below(2)) cell.x = 60 + below(9), cell.y = 60 + below(9);
    if (below(40) == 0) cell.x = (int32_t)hostile();
    if (below(40) == 0) cell.y = (int32_t)hostile();
    if (below(40) == 0) cell.z = (int32_t)hostile();
    return cell;
}

static wend_cell near_cell(wend_cell cell) {
    return (wend_cell){plus(cell.x, below(3) - 1), plus(cell.y, below(3) - 1),
                       plus(cell.z, hostile_now.kind == VOXELS ? below(3) - 1 : 0)};
}

static wend_box any_box(void) {
    const wend_cell a = any_cell(), b = below(2) ? any_cell() : a;
    if (below(12) == 0) return (wend_box){a, b};
    return (wend_box){{a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z},
                      {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z}};
}

static wend_agent_id any_agent(void) {
    wend_agent_id id = hostile_now.ids[below(AGENTS)];
    if (below(30) == 0) id.generation += (uint32_t)below(3) - 1;
    if (below(60) == 0) id.index = (uint32_t)hostile();
    return id;
}

static size_t some_agents(wend_agent_id *out) {
    const size_t count = (size_t)below(6);
    for (size_t i = 0; i < count; i++) out[i] = hostile_now.ids[(below(2) ? i : (size_t)below(AGENTS))];
    return count;
}

static int32_t any_mover(void) {
    return (int32_t)number(0, info_now(here.map).movers - 1);
}

static uint8_t any_class(void) {
    static const uint8_t few[] = {WEND_CLASS_BLOCKED, WEND_CLASS_OPEN, WEND_CLASS_OPEN, 2, 3, WEND_CLASS_STAIRS};
    return below(20) ? few[below((int)sizeof few)] : (uint8_t)below(256);
}

/* ---- calls to the map ---- */

static wend_error change_graph(wend_edit *edit) {
    const uint32_t from = (uint32_t)number(0, NODES - 1), to = (uint32_t)number(0, NODES - 1);
    return below(2) ? wend_edit_add_link(edit, &(wend_link){any_cell(), any_cell(), (int32_t)number(1, 50), 0})
                    : wend_edit_set_edge(edit, from, to, (int32_t)number(1, 50));
}

static wend_error edit_once(wend_edit *edit) {
    uint8_t classes[64];
    wend_box box = any_box();
    const wend_cell cell = any_cell();
    for (int i = 0; i < 64; i++) classes[i] = any_class();
    if (hostile_now.kind == NODES_AND_EDGES && below(2)) return change_graph(edit);
    switch (below(hostile_now.kind == STREAMED ? 11 : 8)) {
    case 0: return wend_edit_fill_box(edit, box, any_class());
    case 1:
        box.max = (wend_cell){plus(box.min.x, 3), plus(box.min.y, 3), box.min.z};
        return wend_edit_set_box(edit, box, classes, (size_t)below(9) + 3);
    case 2: return wend_edit_add_link(edit, &(wend_link){cell, any_cell(), (int32_t)number(1, 50), 0});
    case 3:
        return wend_edit_add_link(edit, &(wend_link){cell, any_cell(), (int32_t)number(1, 50), (uint32_t)number(0, 7)});
    case 4: return wend_edit_remove_link(edit, cell, any_cell());
    case 5:
    case 6: return wend_edit_set_step(edit, cell, near_cell(cell), number(0, 1));
    case 7: return wend_edit_set_cell(edit, cell, any_class());
    case 8: return wend_edit_load(edit, (int32_t)number(0, 2), (int32_t)number(0, 1), NULL, 0);
    default: return wend_edit_unload(edit, (int32_t)number(0, 2), (int32_t)number(0, 1), (int32_t)number(1, 2));
    }
}

static wend_error edit_map(void) {
    wend_edit *edit;
    wend_error error = wend_edit_begin(here.map, &edit);
    if (error) return error;
    for (int changes = 1 + below(4); changes > 0; changes--) (void)edit_once(edit);
    return wend_edit_publish(edit, NULL);
}

static wend_error change_units(void) {
    return below(2) ? wend_map_occupy(here.map, any_cell()) : wend_map_vacate(here.map, any_cell());
}

static wend_error set_rules(void) {
    static const int32_t neighbours[] = {0, 4, 6, 8, 18, 26};
    wend_map_rules rules = rules_now(here.map);
    if (below(3)) rules.neighbours = neighbours[below(6)];
    rules.corners = (int32_t)number(0, 2);
    if (below(2)) rules.cost_straight = (int32_t)number(1, 20);
    if (below(2)) rules.cost_diagonal = plus(rules.cost_straight, (int32_t)number(0, 5));
    if (below(2)) rules.cost_space = plus(rules.cost_diagonal, (int32_t)number(0, 5));
    for (int i = 0; i < 4; i++) rules.factors[any_class()] = (uint8_t)number(0, 9);
    return wend_map_set_rules(here.map, &rules);
}

static wend_error add_mover(void) {
    wend_mover mover = default_mover();
    const uint64_t avoided[4] = {(uint64_t)below(4) << 2, 0, 0, (uint64_t)below(2) << 61};
    if (info_now(here.map).movers > 5) return WEND_BUSY;
    if (below(3) == 0) return wend_map_mover_avoiding(here.map, any_mover(), avoided, NULL);
    mover.size = below(2) ? 1 : (int32_t)number(1, 2);
    mover.walker = hostile_now.kind == VOXELS ? below(2) : below(20) == 0;
    mover.step_up = (int32_t)number(0, 2), mover.drop = (int32_t)number(0, 2), mover.headroom = (int32_t)number(1, 3);
    mover.like = (int32_t)number(-1, info_now(here.map).movers - 1);
    memcpy(mover.avoided, avoided, sizeof avoided);
    for (int i = 0; i < 3; i++) mover.factors[any_class()] = (uint8_t)number(0, 9);
    return wend_map_add_mover(here.map, &mover, NULL);
}

static wend_error add_layer(void) {
    wend_layer_def def = default_layer();
    wend_layer_weight weights[3];
    int32_t layer = 0;
    def.half_life = (uint32_t)number(0, 5);
    def.within = below(3) ? 0 : (int32_t)number(0, WEND_MAX_WITHIN);
    wend_error error = WEND_OK;
    if (below(2)) error = wend_map_add_layer(here.map, &def, &layer);
    if (error) return error;
    const uint32_t count = (uint32_t)number(1, 3) % 4;
    for (uint32_t i = 0; i < count; i++)
        weights[i] = (wend_layer_weight){(int32_t)number(0, layer + 1), (int32_t)number(1, 1000)};
    return wend_map_add_profile(here.map, weights, count, NULL);
}

static wend_error change_layer(void) {
    const int32_t layer = (int32_t)number(0, 3);
    uint8_t values[16];
    for (int i = 0; i < 16; i++) values[i] = (uint8_t)below(256);
    wend_box box = {any_cell(), {0, 0, 0}};
    box.max = (wend_cell){plus(box.min.x, below(4)),
                          plus(box.min.y, hostile_now.kind == NODES_AND_EDGES ? 0 : below(3)), box.min.z};
    if (below(3) == 0) return wend_map_update_layers(here.map, (uint32_t)number(1, 20));
    if (below(2)) return wend_map_set_layer_box(here.map, layer, box, values, below(9) ? 4 : 0);
    return wend_map_add_layer_disc(here.map, layer, any_cell(), (int32_t)number(0, 4), (int32_t)number(1, 255));
}

static wend_error accelerate(void) {
    wend_acceleration def = default_acceleration();
    def.mover = any_mover(), def.far = (int32_t)number(0, 1), def.landmarks = below(3);
    def.tables = below(2), def.later = below(2);
    if (below(2)) return wend_map_maintain(here.map, (uint32_t)number(1, 7), WEND_NO_LIMIT, NULL);
    return wend_map_accelerate(here.map, &def);
}

/* ---- calls to the service ---- */

static void no_answer(void *context, const wend_completion *done) {
    (void)context, (void)done;
}

static wend_error submit(void) {
    wend_request request = default_request();
    wend_search_options *options = options_of(&request);
    wend_cell more[3] = {any_cell(), any_cell(), any_cell()};
    request.map = here.map, request.start = any_cell(), request.goal = any_cell();
    request.on_done = no_answer;
    request.mover = any_mover();
    request.urgency = (int32_t)number(WEND_URGENCY_MIN, WEND_URGENCY_MAX);
    if (below(2)) request.agent = (uint64_t)number(0, 3);
    if (below(3) == 0) request.mode = (int32_t)number(0, 3);
    if (below(3) == 0) request.reach = (int32_t)number(0, WEND_MAX_REACH);
    if (below(3) == 0) request.deadline_frames = (uint64_t)number(1, 9);
    if (below(3) == 0) options->engine = (int32_t)number(0, 3);
    if (below(3) == 0) options->heuristic = (int32_t)number(0, 3);
    if (below(3) == 0) options->weight_milli = (int32_t)number(1000, 100000);
    if (below(3) == 0) options->on_stale = (int32_t)number(0, 1);
    if (below(3) == 0) options->occupied = (int32_t)number(-1, 50);
    if (below(3) == 0) options->occupied_within = (int32_t)number(0, WEND_MAX_REACH);
    if (below(3) == 0) options->unloaded = (int32_t)number(0, 3);
    if (below(4) == 0) options->more_goals = more, options->more_goal_count = (uint32_t)number(1, 3) % 4;
    if (below(3) == 0) options->max_expansions = (uint64_t)number(0, 500);
    if (below(3) == 0) options->profile = (int32_t)number(0, 3);
    options->leave_blocked_start = below(2), options->far_begin = below(2);
    wend_ticket ticket;
    const wend_error error = wend_service_submit(here.service, &request, &ticket);
    if (!error) hostile_now.tickets[below(HOSTILE_TICKETS)] = ticket;
    return error;
}

static wend_error change_request(void) {
    const wend_ticket ticket = hostile_now.tickets[below(HOSTILE_TICKETS)];
    switch (below(3)) {
    case 0: return wend_service_cancel(here.service, ticket);
    case 1: return wend_service_set_goal(here.service, ticket, any_cell());
    default: return wend_service_set_urgency(here.service, ticket, (int32_t)number(WEND_URGENCY_MIN, WEND_URGENCY_MAX));
    }
}

static wend_error tick(void) {
    wend_budget budget = default_budget();
    if (below(2)) budget.expansions = (uint64_t)number(0, 200);
    return wend_service_tick(here.service, &budget, &frame_now);
}

/* ---- calls to the crowd ---- */

static wend_error add_agent(void) {
    wend_agent_def def = default_agent();
    def.cell = any_cell(), def.mover = below(2) ? 0 : any_mover();
    def.ghost = below(8) == 0, def.steered = below(8) == 0, def.parked = below(8) == 0;
    if (below(2)) def.speed_milli = (uint32_t)number(1, 3000);
    def.urgency = (int32_t)number(WEND_URGENCY_MIN, WEND_URGENCY_MAX);
    if (below(3) == 0) def.profile = (int32_t)number(0, 2);
    return wend_crowd_add(here.crowd, &def, &hostile_now.ids[below(AGENTS)]);
}

static wend_error go(void) {
    wend_agent_id who[AGENTS];
    wend_crowd_goal goal = default_crowd_goal();
    size_t count = some_agents(who);
    goal.kind = (int32_t)number(0, 2);
    if (below(2)) who[0] = any_agent(), count = 1;
    goal.cell = any_cell(), goal.target = any_agent();
    if (below(3) == 0) goal.reach = (int32_t)number(0, 6);
    if (below(3) == 0) goal.distance = (int32_t)number(1, 9);
    if (below(3) == 0) goal.near_enough = (int32_t)number(0, 6);
    if (below(3) == 0) goal.formation = (int32_t)number(0, WEND_AS_BOX);
    if (below(3) == 0) goal.spacing = (uint32_t)number(0, 4);
    goal.keep = below(2), goal.pace = below(2);
    return wend_crowd_go(here.crowd, who, count, &goal);
}

static wend_error take_route(void) {
    wend_route_def def = default_route();
    wend_cell corners[4] = {any_cell(), any_cell(), any_cell(), any_cell()};
    def.mode = (int32_t)number(0, 2), def.corners = corners, def.corner_count = (uint32_t)number(1, 4) % 5;
    if (below(2)) return wend_crowd_add_route(here.crowd, &def, NULL);
    return wend_crowd_patrol(here.crowd, any_agent(), (uint32_t)number(0, ROUTES - 1));
}

static wend_error change_agent(void) {
    wend_agent_id who[AGENTS];
    const size_t count = some_agents(who);
    switch (below(5)) {
    case 0: return wend_crowd_set_speed(here.crowd, any_agent(), (uint32_t)number(1, 2000));
    case 1: return wend_crowd_set_urgency(here.crowd, any_agent(), (int32_t)number(WEND_URGENCY_MIN, WEND_URGENCY_MAX));
    case 2: return wend_crowd_wait_for(here.crowd, any_agent(), who, count);
    case 3: return wend_crowd_set_profile(here.crowd, who, count, (int32_t)number(0, 3));
    default: return wend_crowd_set_mover(here.crowd, who, count, any_mover());
    }
}

static wend_error place_agent(void) {
    wend_agent_id who[1] = {any_agent()};
    switch (below(6)) {
    case 0: return wend_crowd_remove(here.crowd, who[0]);
    case 1: return wend_crowd_halt(here.crowd, who, 1);
    case 2: return wend_crowd_move(here.crowd, who[0], any_cell());
    default: {
        wend_agent_state state = {.struct_bytes = sizeof state};
        if (wend_crowd_get_agent(here.crowd, who[0], &state)) return WEND_STALE_TICKET;
        return wend_crowd_step(here.crowd, who[0], below(8) ? near_cell(state.cell) : any_cell());
    }
    }
}

static wend_error clear_box(void) {
    wend_box *box = &hostile_now.boxes[below(HOSTILE_BOXES)];
    if (below(2)) return wend_crowd_release_box(here.crowd, *box);
    *box = any_box();
    return wend_crowd_clear_box(here.crowd, *box);
}

static wend_error change_body(void) {
    wend_body_def def = default_body();
    wend_body_state state = {.struct_bytes = sizeof state};
    const wend_agent_id id = any_agent();
    if (below(2)) def.radius_milli = (uint32_t)number(WEND_MIN_RADIUS_MILLI, WEND_MAX_RADIUS_MILLI);
    if (below(3) == 0) def.accel_milli = (uint32_t)number(0, WEND_MAX_ACCEL_MILLI);
    if (below(3) == 0) def.turn_degrees = (uint32_t)number(0, WEND_MAX_TURN_DEGREES);
    if (below(3) == 0) def.turning_radius_milli = (uint32_t)number(0, WEND_MAX_TURNING_MILLI);
    const int what = below(4);
    if (what == 0) return wend_crowd_set_body(here.crowd, id, NULL);
    if (what == 1 && !wend_crowd_get_body(here.crowd, id, &state)) {
        state.exact_at.x = plus(state.exact_at.x, (int32_t)number(-WEND_BODY_UNITS / 2, WEND_BODY_UNITS / 2));
        state.exact_at.y = plus(state.exact_at.y, (int32_t)number(-WEND_BODY_UNITS / 2, WEND_BODY_UNITS / 2));
        state.exact_velocity.x = (int32_t)number(-99, 99), state.exact_velocity.y = (int32_t)number(-99, 99);
        return place_rounded(here.crowd, id, state.exact_at, state.exact_velocity);
    }
    return wend_crowd_set_body(here.crowd, id, &def);
}

static wend_error update(void) {
    wend_agent_event event = {.struct_bytes = sizeof event};
    wend_update_budget budget;
    wend_update_budget_init(&budget, sizeof budget);
    if (below(8) == 0) budget.choices = (uint64_t)number(0, 5);
    const wend_error error = wend_crowd_update(here.crowd, (uint32_t)number(0, 2000), &budget, NULL);
    while (below(8) && !wend_crowd_poll(here.crowd, &event)) continue;
    return error;
}

/* Both kinds of frames come often, as most states need some time. */
static const struct {
    const char *name;
    wend_error (*call)(void);
    int share;
} calls[] = {
    {"edit", edit_map, 4},          {"unit", change_units, 2},   {"rules", set_rules, 1},       {"mover", add_mover, 1},
    {"layer", add_layer, 1},        {"values", change_layer, 1}, {"accelerate", accelerate, 1}, {"submit", submit, 3},
    {"request", change_request, 1}, {"tick", tick, 14},          {"add", add_agent, 4},         {"go", go, 8},
    {"route", take_route, 3},       {"agent", change_agent, 3},  {"place", place_agent, 4},     {"box", clear_box, 1},
    {"body", change_body, 8},       {"update", update, 14}};

/* ---- worlds ---- */

static wend_map *make_nodes(void) {
    wend_graph_def def = default_graph();
    wend_edge edges[3 * NODES];
    wend_cell coordinates[NODES];
    for (uint32_t i = 0; i < NODES; i++) coordinates[i] = (wend_cell){below(50), below(50), below(50)};
    for (uint32_t i = 0; i < 3 * NODES; i++)
        edges[i] = (wend_edge){(uint32_t)below(NODES), (uint32_t)below(NODES), 1 + below(40)};
    def.node_count = NODES, def.edges = edges, def.edge_count = 3 * NODES;
    if (hostile_now.seed % 2) def.coordinates = coordinates;
    return made_graph(&def);
}

static wend_map *make_map(void) {
    wend_map_def def = default_map();
    wend_map_rules rules = default_rules();
    if (hostile_now.kind == NODES_AND_EDGES) return make_nodes();
    def.kind = hostile_now.kind == VOXELS ? WEND_KIND_VOXEL : WEND_KIND_GRID;
    def.width = sides(0), def.height = sides(1), def.depth = sides(2);
    def.streamed = hostile_now.kind == STREAMED;
    if (hostile_now.kind == WRAPPED) def.wrap = WEND_WRAP_X | WEND_WRAP_Y;
    if (hostile_now.kind == HEXAGONS) rules.neighbours = 6;
    def.rules = &rules;
    return made_map(&def);
}

place hostile_place(void) {
    place p = {.map = make_map()};
    wend_service_def service = default_service();
    service.nodes = 16 * WEND_PAGE_NODES, service.queue = 24;
    p.service = made_service(&service);
    wend_crowd_def crowd = default_crowd();
    crowd.map = p.map, crowd.service = p.service, crowd.agents = AGENTS;
    wend_crowd_tuning *tuning = tuning_of(&crowd);
    tuning->fields = 1, tuning->field_agents = 3, tuning->head_start = hostile_now.seed % 3 ? 0 : 9;
    tuning->routes = ROUTES, tuning->route_cells = 400, tuning->link_events = hostile_now.seed % 2;
    tuning->patience_updates = hostile_now.seed % 5 ? 0 : 6;
    p.crowd = made_crowd(&crowd);
    return p;
}

void hostile_drop(place *p) {
    must_do(wend_crowd_destroy(p->crowd), "destroy"), must_do(wend_service_destroy(p->service), "destroy");
    wend_map_release(p->map);
}

place hostile_open(uint64_t seed) {
    hostile_now = (hostile_host){.seed = seed, .random = {seed}};
    hostile_now.kind = seed % 3 == 0 ? FLAT : (int)(seed / 3 % HOSTILE_KINDS);
    const place p = hostile_place();
    for (int32_t i = 0; i < 6 && hostile_now.kind == STREAMED; i++)
        if (below(4)) IN_BATCH(p.map, must_do(wend_edit_load(edit, i % 3, i / 3, NULL, 0), "load"));
    return p;
}

const char *hostile_call(const place *p, bool fast, wend_error *error, wend_frame *frame) {
    size_t which = 0;
    int shares = 0;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) shares += calls[i].share;
    for (int at = below(shares); at >= calls[which].share; which++) at -= calls[which].share;
    here = *p;
    frame_now = (wend_frame){.struct_bytes = sizeof frame_now};
    *error = fast || calls[which].call != accelerate ? calls[which].call() : WEND_UNSUPPORTED;
    *frame = frame_now;
    return calls[which].name;
}
