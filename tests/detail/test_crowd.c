/* SPDX-License-Identifier: MIT */
/* Details of crowd.h. */
#include "detail/refused.h"
#include "models/options.h"
#include <wend/agents.h>
#include <wend/body.h>
#include <wend/boxes.h>
#include <wend/crowd_tuning.h>
#include <wend/query.h>
#include <wend/units.h>

#define GONE "the agent #,# (index, generation) is removed, or was never there"
#define IN_CALLBACK "a callback of the crowd or of its service runs: call it after that"
#define NO_EVENTS "no room for more events and goals: poll, update, or see wend_crowd_tuning.events"
#define NO_ROUTES "no room for another route: see routes and route_cells of wend_crowd_def"

static wend_map *map;
static wend_service *service;
static wend_crowd *crowd;
static wend_agent_id first, second, gone;
static wend_crowd_def def;

static void reset_def(void) {
    wend_crowd_def_init(&def, sizeof def);
    def.map = map, def.service = service;
}

static wend_error create(void) {
    wend_crowd *made;
    const wend_error error = wend_crowd_create(&def, &made);
    reset_def();
    return error;
}

static void call_in_callback(void *context, const wend_agent_event *event) {
    wend_agent_event other = {.struct_bytes = sizeof other};
    (void)context, (void)event;
    FAILS(IN_CALLBACK, IN_CALLBACK, wend_crowd_update(crowd, 1000, NULL, NULL));
    FAILS(IN_CALLBACK, IN_CALLBACK, wend_crowd_poll(crowd, &other));
    FAILS(IN_CALLBACK, IN_CALLBACK, wend_crowd_destroy(crowd));
}

static wend_agent_id add_at(wend_cell cell) {
    wend_agent_id id;
    wend_agent_def agent = default_agent();
    agent.cell = cell;
    cr_assert_eq(wend_crowd_add(crowd, &agent, &id), WEND_OK);
    return id;
}

static wend_crowd *make_crowd(wend_map *on) {
    wend_crowd *made;
    reset_def();
    def.map = on, def.agents = 3, tuning_of(&def)->routes = 1, tuning_of(&def)->route_cells = 64,
    tuning_of(&def)->events = 3;
    def.on_event = call_in_callback;
    cr_assert_eq(wend_crowd_create(&def, &made), WEND_OK);
    reset_def();
    return made;
}

/* Two of three agents, a third that is gone, a wall at 5,5 and a unit at 6,6. */
static void set_up(void) {
    map = make_grid();
    wend_service_def all = default_service();
    cr_assert_eq(wend_service_create(&all, &service), WEND_OK);
    cr_assert_eq(wend_map_set_cell(map, CELL(5, 5), 0, NULL), WEND_OK);
    cr_assert_eq(wend_map_occupy(map, CELL(6, 6)), WEND_OK);
    crowd = make_crowd(map);
    first = add_at(CELL(0, 0)), second = add_at(CELL(2, 0)), gone = add_at(CELL(4, 0));
    cr_assert_eq(wend_crowd_remove(crowd, gone), WEND_OK);
}

static void tear_down(void) {
    cr_assert_eq(wend_crowd_destroy(crowd), WEND_OK);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    wend_map_release(map);
}

Test(detail, of_making_a_crowd, .init = set_up, .fini = tear_down) {
    wend_crowd *made;
    reset_def();
    BAD("out is NULL", wend_crowd_create(&def, NULL));
    BAD("preset is 0, but must be from 1 to 3", wend_crowd_def_preset(&(wend_crowd_def){0}, sizeof def, 0));
    BAD("the wend_crowd_def is NULL", wend_crowd_create(NULL, &made));
    BAD("service is NULL", def.service = NULL, create());
    BAD("map is NULL", def.map = NULL, create());
    BAD("path_bytes is 18446744073709551615, but must be from 0 to #", def.path_bytes = UINT64_MAX, create());
    BAD("tuning.events is 1023, but must be from 1024 to 16777216", tuning_of(&def)->events = 1023, create());
    BAD("tuning.retry_updates is 0, but must be from 1 to 1000000", tuning_of(&def)->retry_updates = 0, create());
    BAD("tuning.routes is 65537, but must be from 0 to 65536", tuning_of(&def)->routes = 65537, create());
    BAD("tuning.route_cells is 268435457...", tuning_of(&def)->route_cells = 268435457, create());
    BAD("tuning.head_start is 256, but must be from 0 to 255", tuning_of(&def)->head_start = 256, create());
    BAD("tuning.fields is 17, but must be from 0 to 16", tuning_of(&def)->fields = 17, create());
    BAD("tuning.patience_updates is 1000001...", tuning_of(&def)->patience_updates = 1000001, create());
    BAD("allocator.alloc is given...", def.allocator.alloc = no_memory.alloc, def.allocator.free = NULL, create());
    FAILS(OUT_OF_MEMORY, "the allocator has no # bytes", def.allocator = no_memory, create());
}

static wend_agent_def agent;

static wend_error add(void) {
    wend_agent_id id;
    const wend_error error = wend_crowd_add(crowd, &agent, &id);
    wend_agent_def_init(&agent, sizeof agent);
    return error;
}

Test(detail, of_agents, .init = set_up, .fini = tear_down) {
    wend_agent_id id;
    wend_agent_def_init(&agent, sizeof agent);
    BAD("the wend_agent_def is NULL", wend_crowd_add(crowd, NULL, &id));
    BAD("speed_milli is 0, but must be from 1 to 1000000", agent.speed_milli = 0, add());
    BAD(NO_MOVER, agent.mover = 1, add());
    FAILS(OUT_OF_RANGE, "cell" OFF_GRID, agent.cell = CELL(10, 0), add());
    FAILS(BLOCKED, "the mover cannot stand at 5,5,0", agent.cell = CELL(5, 5), add());
    FAILS(BUSY, "an agent or a unit stands at 0,0,0", agent.cell = CELL(0, 0), add());
    FAILS(BUSY, "an agent or a unit stands at 6,6,0", agent.cell = CELL(6, 6), add());
    add_at(CELL(7, 7));
    FAILS(BUSY, "the crowd is full: it has 3 agents, see wend_crowd_def.agents", agent.cell = CELL(1, 1), add());
    FAILS(STALE_TICKET, GONE, wend_crowd_remove(crowd, gone));
    FAILS(STALE_TICKET, GONE, wend_crowd_move(crowd, gone, CELL(1, 1)));
    FAILS(OUT_OF_RANGE, "cell" OFF_GRID, wend_crowd_move(crowd, first, CELL(10, 0)));
    FAILS(BLOCKED, "the mover cannot stand at 5,5,0", wend_crowd_move(crowd, first, CELL(5, 5)));
    FAILS(BUSY, "an agent or a unit stands at 2,0,0", wend_crowd_move(crowd, first, CELL(2, 0)));
    FAILS(STALE_TICKET, GONE, wend_crowd_set_speed(crowd, gone, 1000));
    FAILS(STALE_TICKET, GONE, wend_crowd_set_urgency(crowd, gone, 0));
    BAD("urgency is 1001, but must be from -1000 to 1000", wend_crowd_set_urgency(crowd, first, 1001));
    FAILS(STALE_TICKET, GONE, wend_crowd_wait_for(crowd, gone, NULL, 0));
    FAILS(STALE_TICKET, GONE, wend_crowd_wait_for(crowd, first, &gone, 1));
    BAD("others is NULL", wend_crowd_wait_for(crowd, first, NULL, 1));
    BAD("others[0] is the agent that shall wait", wend_crowd_wait_for(crowd, first, &first, 1));
}

Test(detail, of_other_movers, .init = set_up, .fini = tear_down) {
    const wend_agent_id twice[] = {first, first};
    int32_t large;
    large = add_mover_of_size(map, 2);
    BAD("ids is NULL", wend_crowd_set_profile(crowd, NULL, 1, 0));
    BAD("profile is 1, but must be 0", wend_crowd_set_profile(crowd, &first, 1, 1));
    FAILS(STALE_TICKET, GONE, wend_crowd_set_profile(crowd, &gone, 1, 0));
    BAD("ids is NULL", wend_crowd_set_mover(crowd, NULL, 1, 0));
    BAD("mover is 2, but the map has movers 0 to 1...", wend_crowd_set_mover(crowd, &first, 1, 2));
    FAILS(STALE_TICKET, GONE, wend_crowd_set_mover(crowd, &gone, 1, large));
    BAD("ids has an agent twice", wend_crowd_set_mover(crowd, twice, 2, large));
    const wend_agent_id walled = add_at(CELL(4, 4));
    FAILS(BLOCKED, "the mover cannot stand at 4,4,0", wend_crowd_set_mover(crowd, &walled, 1, large));
    cr_assert_eq(wend_crowd_move(crowd, second, CELL(1, 0)), WEND_OK);
    FAILS(BUSY, "an agent or a unit stands in a cell that one of...", wend_crowd_set_mover(crowd, &first, 1, large));
}

static wend_crowd_goal goal;

static wend_error go(void) {
    const wend_error error = wend_crowd_go(crowd, &first, 1, &goal);
    wend_crowd_goal_init(&goal, sizeof goal);
    return error;
}

Test(detail, of_orders, .init = set_up, .fini = tear_down) {
    const wend_agent_id twice[] = {first, first};
    wend_crowd_goal_init(&goal, sizeof goal);
    BAD("the wend_crowd_goal is NULL", wend_crowd_go(crowd, &first, 1, NULL));
    BAD(ABSENT("ids"), wend_crowd_go(crowd, NULL, 1, &goal));
    FAILS(STALE_TICKET, GONE, wend_crowd_go(crowd, &gone, 1, &goal));
    BAD("goal.kind is 3, but must be from 0 to 2", goal.kind = 3, go());
    BAD("goal.reach is 256, but must be from 0 to 255", goal.reach = 256, go());
    FAILS(OUT_OF_RANGE, "goal.cell" OFF_GRID, goal.cell = CELL(10, 0), go());
    FAILS(STALE_TICKET, GONE, goal.kind = WEND_CROWD_FOLLOW, goal.target = gone, go());
    BAD("goal.target is among the agents: ids[0]", goal.kind = WEND_CROWD_FOLLOW, goal.target = first, go());
    BAD("goal.distance is 0...", goal.kind = WEND_CROWD_FLEE, goal.target = second, goal.distance = 0, go());
    BAD("ids has an agent twice", wend_crowd_go(crowd, twice, 2, &goal));
    FAILS(STALE_TICKET, GONE, wend_crowd_halt(crowd, &gone, 1));
    FAILS(STALE_TICKET, GONE, wend_crowd_step(crowd, gone, CELL(1, 1)));
    FAILS(OUT_OF_RANGE, "cell" OFF_GRID, wend_crowd_step(crowd, first, CELL(10, 0)));
    for (int i = 0; i < 3; i++) wend_crowd_go(crowd, &first, 1, &goal);
    FAILS(BUSY, NO_EVENTS, wend_crowd_go(crowd, &second, 1, &goal));
    FAILS(BUSY, NO_EVENTS, wend_crowd_step(crowd, second, CELL(3, 0)));
}

Test(detail, of_boxes, .init = set_up, .fini = tear_down) {
    const wend_box box = {CELL(1, 1), CELL(2, 2)}, late = {CELL(3, 1), CELL(3, 1)}, off = {CELL(9, 0), CELL(10, 0)};
    bool clear;
    BAD("box.max is 1,1,0, before box.min, 2,2,0", wend_crowd_clear_box(crowd, (wend_box){CELL(2, 2), CELL(1, 1)}));
    FAILS(OUT_OF_RANGE, "box.max" OFF_GRID, wend_crowd_clear_box(crowd, off));
    FAILS(OUT_OF_RANGE, "box.max" OFF_GRID, wend_crowd_is_clear(crowd, off, &clear));
    cr_assert_eq(wend_crowd_clear_box(crowd, box), WEND_OK);
    FAILS(IN_USE, "the box is being cleared already", wend_crowd_clear_box(crowd, box));
    FAILS(EMPTY, "the box is not being cleared", wend_crowd_release_box(crowd, late));
    BAD(ABSENT("boxes"), wend_crowd_get_boxes(crowd, NULL, 1, NULL));
    wend_crowd_goal_init(&goal, sizeof goal);
    for (int i = 0; i < 3; i++) wend_crowd_go(crowd, &first, 1, &goal);
    FAILS(BUSY, NO_EVENTS, wend_crowd_clear_box(crowd, late));
}

Test(detail, of_bodies, .init = set_up, .fini = tear_down) {
    wend_bodies *bodies, *more;
    wend_bodies_def discs = default_bodies();
    wend_body_def body = default_body();
    wend_body_vector to;
    wend_agent_def ghost = default_agent();
    BAD("crowd is NULL", wend_bodies_create(&discs, &bodies));
    BAD("out is NULL", wend_bodies_create(&discs, NULL));
    discs.crowd = crowd;
    cr_assert_eq(wend_bodies_create(&discs, &bodies), WEND_OK);
    FAILS(IN_USE, "the crowd has bodies already", wend_bodies_create(&discs, &more));
    FAILS(STALE_TICKET, GONE, wend_body_add(bodies, gone, &body));
    FAILS(STALE_TICKET, "the agent #,# (index, generation) has no body", wend_body_remove(bodies, first));
    wend_body_state state = {.struct_bytes = sizeof state};
    wend_bodies_view view = {.struct_bytes = 1};
    FAILS(STALE_TICKET, "the agent #,# (index, generation) has no body", wend_body_get(bodies, first, &state));
    BAD(SIZED("wend_bodies_view", 1), wend_bodies_get_view(bodies, &view));
    body.turn_degrees = 181;
    BAD("turn_degrees is 181, but must be from 0 to 180", wend_body_add(bodies, first, &body));
    wend_body_def_init(&body, sizeof body);
    cr_assert_eq(wend_body_add(bodies, first, &body), WEND_OK);
    FAILS(IN_USE, "the agent has a body already", wend_body_add(bodies, first, &body));
    FAILS(IN_USE, "1 agents have bodies: destroy the crowd first", wend_bodies_destroy(bodies));
    wend_body_state where = {.struct_bytes = 1};
    wend_bodies_view all = {.struct_bytes = 1};
    FAILS(STALE_TICKET, "the agent #,# (index, generation) has no body", wend_body_get(bodies, gone, &where));
    BAD(SIZED("wend_body_state", 1), wend_body_get(bodies, first, &where));
    BAD(SIZED("wend_bodies_view", 1), wend_bodies_get_view(bodies, &all));
    to = (wend_body_vector){-WEND_BODY_UNITS, 0};
    FAILS(OUT_OF_RANGE, "the cell of at is -1,0,0...", wend_body_set(bodies, first, to, (wend_body_vector){0, 0}));
    BAD("the velocity is above the agent's speed", wend_body_set(bodies, first, to, to));
    cr_assert_eq(wend_crowd_remove(crowd, second), WEND_OK);
    ghost.ghost = true;
    cr_assert_eq(wend_crowd_add(crowd, &ghost, &second), WEND_OK);
    BAD("a ghost has no body", wend_body_add(bodies, second, &body));
    cr_assert_eq(wend_crowd_remove(crowd, first), WEND_OK);
    cr_assert_eq(wend_bodies_destroy(bodies), WEND_OK);
}

static void destroy_in_answer(void *context, const wend_completion *completion) {
    (void)context, (void)completion;
    FAILS(IN_CALLBACK, IN_CALLBACK, wend_crowd_destroy(crowd));
}

/* Also where no search of the crowd is pending. */
Test(detail, of_destroying_a_crowd_in_an_answer, .init = set_up, .fini = tear_down) {
    wend_request request = default_request();
    request.map = map, request.start = CELL(0, 7), request.goal = CELL(3, 7), request.on_done = destroy_in_answer;
    cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_OK);
    cr_assert_eq(wend_service_tick(service, NULL, NULL), WEND_OK);
}

Test(detail, of_orders_on_graphs, .init = set_up) {
    wend_map *graph = make_graph();
    crowd = make_crowd(graph);
    first = add_at(CELL(0, 0)), second = add_at(CELL(1, 0));
    wend_crowd_goal_init(&goal, sizeof goal);
    BAD("goal.reach is 1, but must be 0", goal.reach = 1, go());
    FAILS(UNSUPPORTED, "goal.kind is FLEE...", goal.kind = WEND_CROWD_FLEE, goal.target = second, go());
}

Test(detail, of_routes, .init = set_up, .fini = tear_down) {
    const wend_cell corners[] = {CELL(0, 0), CELL(10, 0)};
    uint32_t number;
    wend_route_def route = default_route();
    BAD("the wend_route_def is NULL", wend_crowd_add_route(crowd, NULL, &number));
    BAD("corners is NULL", wend_crowd_add_route(crowd, &route, &number));
    route.corners = corners;
    BAD("corners has 0 items, but must have from 1 to 4294967295", wend_crowd_add_route(crowd, &route, &number));
    route.corner_count = 2, route.mode = 3;
    BAD("mode is 3, but must be from 0 to 2", wend_crowd_add_route(crowd, &route, &number));
    route.mode = 0;
    FAILS(OUT_OF_RANGE, "corners[1]" OFF_GRID, wend_crowd_add_route(crowd, &route, &number));
    route.corner_count = 1;
    cr_assert_eq(wend_crowd_add_route(crowd, &route, &number), WEND_OK);
    FAILS(BUSY, NO_ROUTES, wend_crowd_add_route(crowd, &route, NULL));
    FAILS(STALE_TICKET, GONE, wend_crowd_patrol(crowd, gone, 0));
    BAD("route is 1, but wend_crowd_add_route() never returned that", wend_crowd_patrol(crowd, first, 1));
}

Test(detail, of_updates_and_views, .init = set_up, .fini = tear_down) {
    wend_agent_event event = {.struct_bytes = 1};
    wend_agent_state state = {.struct_bytes = 1};
    wend_crowd_view view = {.struct_bytes = 1};
    wend_crowd_stats counts = {.struct_bytes = 1};
    BAD("elapsed_milli is 1000001, but must be from 0 to 1000000", wend_crowd_update(crowd, 1000001, NULL, NULL));
    wend_update_budget budget = {.struct_bytes = 1};
    BAD(SIZED("wend_update_budget", 1), wend_crowd_update(crowd, 1000, &budget, NULL));
    wend_update_budget_init(&budget, sizeof budget);
    budget.reserved = 1;
    BAD("reserved is 1, but must be 0", wend_crowd_update(crowd, 1000, &budget, NULL));
    BAD(SIZED("wend_agent_event", 1), wend_crowd_poll(crowd, &event));
    event.struct_bytes = sizeof event;
    FAILS(EMPTY, "no event waits for a poll", wend_crowd_poll(crowd, &event));
    BAD(SIZED("wend_agent_state", 1), wend_crowd_get_agent(crowd, first, &state));
    FAILS(STALE_TICKET, GONE, wend_crowd_get_agent(crowd, gone, &state));
    FAILS(STALE_TICKET, GONE, wend_crowd_get_goal(crowd, gone, &goal));
    FAILS(STALE_TICKET, GONE, wend_crowd_get_path(crowd, gone, NULL, 0, NULL));
    BAD(ABSENT("cells"), wend_crowd_get_path(crowd, first, NULL, 1, NULL));
    BAD(SIZED("wend_crowd_view", 1), wend_crowd_get_view(crowd, &view));
    BAD(SIZED("wend_crowd_stats", 1), wend_crowd_get_stats(crowd, &counts));
    wend_crowd_goal_init(&goal, sizeof goal);
    cr_assert_eq(go(), WEND_OK);
    cr_assert_eq(wend_crowd_update(crowd, 1000, NULL, NULL), WEND_OK); /* it is there: an event */
}

Test(detail, of_places_and_chance, .init = set_up, .fini = tear_down) {
    wend_places_def places;
    wend_cell cell;
    size_t count;
    wend_places_def_init(&places, sizeof places);
    BAD("the wend_places_def is NULL", wend_map_free_places(map, NULL, &cell, 1, &count));
    places.max_cells = 0;
    BAD("max_cells is 0, but must be from 1 to 268435456", wend_map_free_places(map, &places, &cell, 1, &count));
    places.max_cells = 100, places.goal = CELL(10, 0);
    FAILS(OUT_OF_RANGE, "goal" OFF_GRID, wend_map_free_places(map, &places, &cell, 1, &count));
    places.goal = CELL(0, 0);
    BAD(ABSENT("out"), wend_map_free_places(map, &places, NULL, 1, &count));
    places.mover = -1;
    BAD("mover is -1, but the map has movers 0 to 0...", wend_map_free_places(map, &places, &cell, 1, &count));
    BAD(NO_MOVER, wend_map_random_cell(map, 1, CELL(0, 0), 1, &cell));
    FAILS(OUT_OF_RANGE, "from" OFF_GRID, wend_map_random_cell(map, 0, CELL(10, 0), 1, &cell));
    BAD("the mover cannot stand on from, 5,5,0", wend_map_random_cell(map, 0, CELL(5, 5), 1, &cell));
}
