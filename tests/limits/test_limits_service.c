/* SPDX-License-Identifier: MIT */
/* Limits of requests, searches, services, fields, lines and walks. */
#include "limits/limits.h"
#include "search/engines.h"
#include "models/options.h"
#include "models/owned.h"
#include "search/store/pool.h"

#include <wend/control.h>
#include <wend/geometry.h>
#include <wend/mark.h>
#include <wend/stream.h>
#include <wend/ways.h>

static void ignore_answer(void *context, const wend_completion *done) {
    (void)context, (void)done;
}

/* ---- requests ---- */

static wend_search *search;
static wend_map *map;

static void open_all(void) {
    const wend_search_def def = default_search();
    cr_assert_eq(wend_search_create(&def, &search), WEND_OK);
    map = grid_map(80, 80);
}

static void close_all(void) {
    wend_search_destroy(search);
    wend_map_release(map);
}

TestSuite(limits_requests, .init = open_all, .fini = close_all);

static wend_request valid_request(void) {
    wend_request request = path_request(map, (wend_cell){1, 1, 0}, (wend_cell){7, 7, 0});
    request.on_done = ignore_answer;
    return request;
}

static wend_error try_reach(int64_t reach) {
    wend_request request = valid_request();
    request.reach = (int32_t)reach;
    return wend_search_begin(search, &request);
}

static wend_error try_urgency(int64_t urgency) {
    const wend_service_def def = default_service();
    OWNED_SERVICE *service = NULL;
    wend_request request = valid_request();
    cr_assert_eq(wend_service_create(&def, &service), WEND_OK);
    request.urgency = (int32_t)urgency;
    return wend_service_submit(service, &request, NULL);
}

static wend_error try_weight(int64_t weight) {
    wend_request request = valid_request();
    options_of(&request)->weight_milli = (int32_t)weight;
    return wend_search_begin(search, &request);
}

static wend_error try_goals(int64_t goals) {
    wend_request request = valid_request();
    wend_cell cells[WEND_MAX_GOALS + 1];
    for (int32_t i = 0; i <= WEND_MAX_GOALS; i++) cells[i] = (wend_cell){i, 9, 0};
    options_of(&request)->more_goals = cells, options_of(&request)->more_goal_count = (uint32_t)goals - 1;
    return wend_search_begin(search, &request);
}

static wend_error try_units_within(int64_t within) {
    wend_request request = valid_request();
    options_of(&request)->occupied = WEND_OCCUPIED_BLOCK, options_of(&request)->occupied_within = (int32_t)within;
    return wend_search_begin(search, &request);
}

static wend_error try_cost_of_units(int64_t cost) {
    wend_request request = valid_request();
    options_of(&request)->occupied = (int32_t)cost;
    return wend_search_begin(search, &request);
}

Test(limits_requests, of_each_number) {
    AT_MOST(WEND_MAX_REACH, WEND_BAD_ARGUMENT, try_reach(value));
    AT_MOST(WEND_MAX_REACH, WEND_BAD_ARGUMENT, try_units_within(value));
    AT_MOST(WEND_URGENCY_MAX, WEND_BAD_ARGUMENT, try_urgency(value));
    AT_LEAST(WEND_URGENCY_MIN, WEND_BAD_ARGUMENT, try_urgency(value));
    AT_MOST(WEND_WEIGHT_MAX_MILLI, WEND_BAD_ARGUMENT, try_weight(value));
    AT_MOST(WEND_MAX_GOALS, WEND_BAD_ARGUMENT, try_goals(value));
    AT_MOST(WEND_MAX_COST, WEND_BAD_ARGUMENT, try_cost_of_units(value));
}

/* ---- searches and services ---- */

static wend_error create_search(int64_t far_nodes) {
    wend_search_def def = default_search();
    OWNED_SEARCH *made = NULL;
    def.far_nodes = (uint32_t)far_nodes;
    return wend_search_create(&def, &made);
}

static wend_error create_service(int64_t workers, int64_t far_nodes) {
    wend_service_def def = default_service();
    wend_service_tuning tuning = default_tuning();
    OWNED_SERVICE *service = NULL;
    def.workers = (uint32_t)workers, tuning.far_nodes = (uint32_t)far_nodes, def.tuning = &tuning;
    return wend_service_create(&def, &service);
}

Test(limits_service, of_threads_and_crossings) {
    AT_MOST(WEND_MAX_FAR_NODES, WEND_BAD_ARGUMENT, create_search(value));
    AT_MOST(WEND_MAX_FAR_NODES, WEND_BAD_ARGUMENT, create_service(0, value));
    AT_MOST(WEND_MAX_WORKERS, WEND_BAD_ARGUMENT, create_service(value, 0));
}

static void *no_alloc(void *context, size_t bytes, size_t alignment) {
    (void)context, (void)bytes, (void)alignment;
    return NULL;
}

static void no_free(void *context, void *pointer, size_t bytes) {
    (void)context, (void)pointer, (void)bytes;
}

static wend_error refuse_nodes(uint64_t nodes) {
    wend_search_def def = default_search();
    wend_search *made;
    def.nodes = nodes, def.allocator = (wend_allocator){NULL, no_alloc, no_free};
    return wend_search_create(&def, &made);
}

/* MAX_PAGES and MAX_OPEN of src/search/store/pool.c: positions in 32 bits. */
Test(limits_service, of_node_records) {
    enum { MAX_PAGES = (1 << 20) - 1, MAX_OPEN = (1 << 22) - 1 };
    AT_MOST_GIVES(MAX_PAGES, true, false, wend__pool_bytes((uint64_t)value, 1) > 0);
    AT_MOST_GIVES(MAX_OPEN, true, false, wend__pool_bytes(1, (uint64_t)value) > 0);
    const uint64_t most = (uint64_t)MAX_PAGES * WEND_PAGE_NODES;
    wend_search_def def = default_search();
    AT_MOST_GIVES(most, true, false, (def.nodes = (uint64_t)value, wend__search_bytes(&def) > 0));
    AT_MOST_GIVES(most, WEND_OUT_OF_MEMORY, WEND_BAD_ARGUMENT, refuse_nodes((uint64_t)value));
}

/* ---- wanted chunks ---- */

/* Returns how many chunks a service keeps as wanted after requests to this number of chunks. */
static int64_t count_wanted(int64_t chunks) {
    enum { SIDE = 20 };
    const wend_service_def def = default_service();
    OWNED_SERVICE *service = NULL;
    wend_map_def land = default_map();
    land.width = land.height = SIDE * WEND_CHUNK_SIDE, land.streamed = 1;
    OWNED_MAP *streamed = NULL;
    cr_assert_eq(wend_map_create(&land, &streamed), WEND_OK);
    cr_assert_eq(wend_service_create(&def, &service), WEND_OK);
    IN_BATCH(streamed, cr_assert_eq(wend_edit_load(edit, 0, 0, NULL, 0), WEND_OK));
    for (int32_t i = 1; i <= chunks; i++) {
        const wend_cell goal = {i % SIDE * WEND_CHUNK_SIDE, i / SIDE * WEND_CHUNK_SIDE, 0};
        wend_request request = path_request(streamed, (wend_cell){1, 1, 0}, goal);
        request.on_done = ignore_answer;
        cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_OK);
        if (i % 50 == 0) wend_service_tick(service, NULL, NULL);
    }
    wend_service_tick(service, NULL, NULL);
    wend_cell wanted[WEND_MAX_WANTED];
    size_t count = 0;
    cr_assert_eq(wend_service_get_wanted(service, streamed, wanted, WEND_MAX_WANTED, &count), WEND_OK);
    return (int64_t)count;
}

Test(limits_service, of_wanted_chunks) {
    AT_MOST_GIVES(WEND_MAX_WANTED, value, WEND_MAX_WANTED, count_wanted(value));
}

/* ---- fields ---- */

static wend_error create_field(const wend_field_def *def) {
    OWNED_FIELD *field = NULL;
    return wend_field_create(def, &field);
}

static wend_error try_field(int64_t goals, int64_t cost, int64_t fear, int64_t urgency) {
    static wend_cell cells[WEND_FIELD_MAX_GOALS + 1];
    for (int32_t i = 0; i <= WEND_FIELD_MAX_GOALS; i++) cells[i] = (wend_cell){i % 300, i / 300, 0};
    OWNED_MAP *wide = grid_map(300, 300);
    wend_field_def def = default_field();
    def.map = wide, def.goals = cells, def.goal_count = (uint32_t)goals;
    def.purpose = WEND_FIELD_AWAY, def.largest_cost = (uint32_t)cost;
    def.fear_milli = (uint32_t)fear, def.urgency = (int32_t)urgency;
    return create_field(&def);
}

static wend_error try_room(int64_t goals) {
    wend_field_def def = default_field();
    OWNED_MAP *small = grid_map(9, 9);
    def.map = small, def.most_goals = (uint32_t)goals;
    return create_field(&def);
}

Test(limits_service, of_fields) {
    AT_MOST(WEND_FIELD_MAX_GOALS, WEND_BAD_ARGUMENT, try_field(value, 1, WEND_FIELD_FEAR_MIN_MILLI, 0));
    AT_MOST(WEND_FIELD_MAX_GOALS, WEND_BAD_ARGUMENT, try_room(value));
    AT_MOST(WEND_FIELD_MAX_COST, WEND_BAD_ARGUMENT, try_field(1, value, WEND_FIELD_FEAR_MIN_MILLI, 0));
    AT_LEAST(WEND_FIELD_FEAR_MIN_MILLI, WEND_BAD_ARGUMENT, try_field(1, 1, value, 0));
    AT_MOST(WEND_FIELD_FEAR_MAX_MILLI, WEND_BAD_ARGUMENT, try_field(1, 1, value, 0));
    AT_MOST(WEND_URGENCY_MAX, WEND_BAD_ARGUMENT, try_field(1, 1, WEND_FIELD_FEAR_MIN_MILLI, value));
    AT_LEAST(WEND_URGENCY_MIN, WEND_BAD_ARGUMENT, try_field(1, 1, WEND_FIELD_FEAR_MIN_MILLI, value));
}

/* ---- lines and points ---- */

static wend_error pull(int64_t radius) {
    static const wend_cell cells[] = {{1, 1, 0}, {2, 1, 0}, {3, 1, 0}};
    wend_pull_def def;
    wend_turn turns[9];
    size_t count;
    wend_pull_def_init(&def, sizeof def);
    def.radius_milli = (uint32_t)radius;
    OWNED_MAP *open = grid_map(9, 9);
    return wend_path_pull(open, &def, cells, 3, turns, 9, &count);
}

static wend_error round_line(const wend_round_def *def) {
    static const wend_turn turns[] = {{{200, 250, 0}, 0, 0, 0}, {{300, 250, 0}, 100, 0, 0}};
    OWNED_MAP *open = grid_map(500, 500);
    size_t count;
    return wend_path_round(open, def, turns, 2, NULL, 0, &count);
}

Test(limits_lines, of_each_length) {
    wend_round_def def;
    wend_round_def_init(&def, sizeof def);
    AT_MOST(WEND_MAX_CLEARANCE, WEND_BAD_ARGUMENT, pull(value));
    AT_MOST(WEND_MAX_CLEARANCE, WEND_BAD_ARGUMENT, (def.clearance_milli = (uint32_t)value, round_line(&def)));
    wend_round_def_init(&def, sizeof def);
    AT_MOST(WEND_MAX_ROUND, WEND_BAD_ARGUMENT, (def.radius_milli = (uint32_t)value, round_line(&def)));
    wend_round_def_init(&def, sizeof def);
    AT_MOST(WEND_MAX_ROUND, WEND_BAD_ARGUMENT, (def.spacing_milli = (uint32_t)value, round_line(&def)));
    wend_round_def_init(&def, sizeof def);
    AT_MOST(WEND_MAX_TURNING, WEND_BAD_ARGUMENT, (def.turning_milli = (uint32_t)value, round_line(&def)));
    wend_round_def_init(&def, sizeof def);
    AT_MOST(WEND_MAX_ROUND, WEND_BAD_ARGUMENT, (def.heading_x = (int32_t)value, round_line(&def)));
    AT_LEAST(-WEND_MAX_ROUND, WEND_BAD_ARGUMENT, (def.heading_x = (int32_t)value, round_line(&def)));
    wend_round_def_init(&def, sizeof def);
    AT_MOST(WEND_MAX_ROUND, WEND_BAD_ARGUMENT, (def.heading_y = (int32_t)value, round_line(&def)));
    AT_LEAST(-WEND_MAX_ROUND, WEND_BAD_ARGUMENT, (def.heading_y = (int32_t)value, round_line(&def)));
}

/* Returns where an agent stands on a graph whose only node has this coordinate. */
static int64_t place_at(int64_t coordinate, bool along_y) {
    const wend_cell at = {along_y ? 0 : (int32_t)coordinate, along_y ? (int32_t)coordinate : 0, 0}, node = {0, 0, 0};
    wend_graph_def def = default_graph();
    def.node_count = 1, def.coordinates = &at;
    OWNED_MAP *graph = NULL;
    wend_service_def service_def = default_service();
    wend_service *service = NULL;
    wend_crowd_def crowd_def = default_crowd();
    wend_crowd *crowd = NULL;
    wend_agent_def agent = default_agent();
    wend_agent_id id;
    wend_agent_state state = {.struct_bytes = sizeof state};
    cr_assert_eq(wend_graph_create(&def, &graph), WEND_OK);
    cr_assert_eq(wend_service_create(&service_def, &service), WEND_OK);
    crowd_def.map = graph, crowd_def.service = service, crowd_def.agents = 1, agent.cell = node;
    cr_assert_eq(wend_crowd_create(&crowd_def, &crowd), WEND_OK);
    cr_assert_eq(wend_crowd_add(crowd, &agent, &id), WEND_OK);
    cr_assert_eq(wend_crowd_get_agent(crowd, id, &state), WEND_OK);
    cr_assert_eq(wend_crowd_destroy(crowd), WEND_OK);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    return along_y ? state.point.y : state.point.x;
}

/* A node farther away is at its number x 1000. */
Test(limits_lines, of_points) {
    AT_MOST_GIVES(WEND_MAX_POINT / 1000, 1000 * value, 0, place_at(value, false));
    AT_LEAST_GIVES(-WEND_MAX_POINT / 1000, 1000 * value, 0, place_at(value, true));
}

/* ---- arenas ---- */

static wend_error create_arena(int64_t marks, int64_t bytes) {
    wend_arena_def def;
    wend_arena *arena = NULL;
    wend_arena_def_init(&def, sizeof def);
    def.marks = (uint32_t)marks, def.bytes = (uint64_t)bytes;
    const wend_error error = wend_arena_create(&def, &arena);
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
    return error;
}

Test(limits_arenas, are_enforced) {
    AT_MOST(WEND_MAX_MARKS, WEND_BAD_ARGUMENT, create_arena(value, 1 << 20));
    AT_MOST(WEND_MAX_ARENA_BYTES, WEND_BAD_ARGUMENT, create_arena(1, value));
    AT_LEAST(1, WEND_BAD_ARGUMENT, create_arena(value, 1 << 20));
    AT_LEAST(1 << 16, WEND_BAD_ARGUMENT, create_arena(1, value));
}
