/* SPDX-License-Identifier: MIT */
/* Details of search.h: requests, and searches without a service. */
#include "detail/refused.h"
#include "models/owned.h"
#include "models/options.h"

static wend_map *map, *graph;
static wend_request request;

static void reset(void) {
    wend_request_init(&request, sizeof request);
    request.map = map, request.start = CELL(1, 1), request.goal = CELL(3, 3);
}

static void set_up(void) {
    map = make_grid(), graph = make_graph();
    reset();
}

static void tear_down(void) {
    wend_map_release(map), wend_map_release(graph);
}

static wend_error explain(void) {
    const wend_error error = wend_request_explain(&request, NULL, NULL);
    reset();
    return error;
}

/* All functions that take a request check it in one place: the rows go through one of them. */
Test(detail, of_a_request, .init = set_up, .fini = tear_down) {
    BAD("the wend_request is NULL", wend_request_explain(NULL, NULL, NULL));
    BAD(SIZED("wend_request", 0), request.struct_bytes = 0, explain());
    BAD(SIZED("wend_request", 5000), request.struct_bytes = 5000, explain());
    struct {
        wend_request request;
        uint64_t newer;
    } longer = {request, 1};
    longer.request.struct_bytes = sizeof longer;
    BAD("wend_request.struct_bytes is #...", wend_request_explain(&longer.request, NULL, NULL));
    BAD("request.map is NULL", request.map = NULL, explain());
    BAD("request.urgency is 1001, but must be from -1000 to 1000", request.urgency = 1001, explain());
    BAD("options.engine is 3, but must be from 0 to 2", options_of(&request)->engine = 3, explain());
    BAD("options.heuristic is -1, but must be from 0 to 3", options_of(&request)->heuristic = -1, explain());
    BAD("options.weight_milli is 999, but must be from 1000 to 100000", options_of(&request)->weight_milli = 999,
        explain());
    BAD("options.unloaded is 3, but must be from 0 to 2", options_of(&request)->unloaded = 3, explain());
    BAD("options.profile is 1, but must be 0", options_of(&request)->profile = 1, explain());
    BAD("options.on_stale is 2, but must be from 0 to 1", options_of(&request)->on_stale = 2, explain());
    BAD("request.mode is 3, but must be from 0 to 2", request.mode = 3, explain());
    BAD("request.reach is 256, but must be from 0 to 255", request.reach = 256, explain());
    BAD("options.occupied is -2, but must be from -1 to 1000000", options_of(&request)->occupied = -2, explain());
    BAD("options.occupied_within is 256, but must be from -1 to 255", options_of(&request)->occupied_within = 256,
        explain());
    BAD("options.more_goal_count is 64, but must be from 0 to 63", options_of(&request)->more_goal_count = 64,
        explain());
    BAD("options.more_goals is NULL, but its length is 1...", options_of(&request)->more_goal_count = 1, explain());
    BAD("request.deadline_frames is 0, but must be at least 1", request.deadline_frames = 0, explain());
    BAD("mover is -1, but the map has movers 0 to 0: wend_map_add_mover() adds one", request.mover = -1, explain());
    BAD("request.reach is above 0, but a graph has no cells", request.map = graph, request.reach = 1, explain());
    BAD("options.occupied_within is given...", request.map = graph, options_of(&request)->occupied_within = 1,
        explain());
    BAD("request.mode asks for the nearest node...", request.map = graph, request.mode = WEND_MODE_NEAREST, explain());
    FAILS(OUT_OF_RANGE, "request.start" OFF_GRID, request.start = CELL(10, 0), explain());
    FAILS(OUT_OF_RANGE, "request.goal is 0,-1,0, off the map: x is 0 to 9...", request.goal = CELL(0, -1), explain());
    const wend_cell more[] = {CELL(0, 0), CELL(10, 0)};
    FAILS(OUT_OF_RANGE, "options.more_goals[1]" OFF_GRID, options_of(&request)->more_goals = more,
          options_of(&request)->more_goal_count = 2, explain());
}

Test(detail, of_a_path_in_one_call, .init = set_up, .fini = tear_down) {
    wend_cell cells[4];
    size_t count;
    BAD("map is NULL", wend_find_path(NULL, CELL(0, 0), CELL(1, 1), cells, 4, &count, NULL));
    BAD(ABSENT("cells"), wend_find_path(map, CELL(0, 0), CELL(1, 1), NULL, 4, &count, NULL));
    FAILS(OUT_OF_RANGE, "request.goal" OFF_GRID, wend_find_path(map, CELL(0, 0), CELL(10, 0), cells, 4, &count, NULL));
}

static wend_search_def def;

static wend_error create(void) {
    wend_search *search;
    const wend_error error = wend_search_create(&def, &search);
    wend_search_def_init(&def, sizeof def);
    return error;
}

Test(detail, of_a_search, .init = set_up, .fini = tear_down) {
    OWNED_SEARCH *search = NULL;
    wend_cell cell;
    size_t count;
    wend_search_def_init(&def, sizeof def);
    BAD("out is NULL", wend_search_create(&def, NULL));
    BAD("the wend_search_def is NULL", wend_search_create(NULL, &search));
    BAD("nodes is 0, but must be at least 1", def.nodes = 0, create());
    BAD("nodes is 18446744073709551615, more than fit into memory", def.nodes = UINT64_MAX, create());
    BAD("allocator.alloc is given, but allocator.free is NULL...", def.allocator.alloc = no_memory.alloc, create());
    FAILS(OUT_OF_MEMORY, "the allocator has no # bytes", def.allocator = no_memory, create());
    cr_assert_eq(wend_search_create(&def, &search), WEND_OK);
    BAD("the wend_request is NULL", wend_search_begin(search, NULL));
    BAD("request.urgency is -1001...", request.urgency = -1001, wend_search_begin(search, &request));
    reset();
    FAILS(EMPTY, "nothing of a path is known yet, or there is none", wend_search_get_prefix(search, NULL, 0, NULL));
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    wend_completion result = {.struct_bytes = 1};
    wend_prefix prefix = {.struct_bytes = 1};
    BAD(SIZED("wend_completion", 1), wend_search_get_result(search, &result));
    FAILS(EMPTY, "the search has no path: its status is pending", wend_search_get_path(search, &cell, 1, &count));
    BAD(ABSENT("cells"), wend_search_get_path(search, NULL, 1, &count));
    FAILS(EMPTY, "the search has no path: its status is pending", wend_search_get_crossings(search, &cell, 1, &count));
    BAD(ABSENT("crossings"), wend_search_get_crossings(search, NULL, 1, &count));
    BAD("search is NULL", wend_search_get_prefix(NULL, &cell, 1, NULL));
    BAD(ABSENT("cells"), wend_search_get_prefix(search, NULL, 1, NULL));
    BAD(SIZED("wend_prefix", 1), wend_search_get_prefix(search, &cell, 1, &prefix));
    BAD("search is NULL", wend_search_get_expanded(NULL, &cell, 1, &count));
    BAD(ABSENT("cells"), wend_search_get_expanded(search, NULL, 1, &count));
    wend_nearest_def nearest = default_nearest();
    wend_hit hit;
    BAD("def.map is NULL", wend_find_nearest(&nearest, &hit, 1, &count));
    nearest.map = request.map;
    BAD("hits is NULL", wend_find_nearest(&nearest, NULL, 1, &count));
    BAD("capacity is 0, but must be at least 1", wend_find_nearest(&nearest, &hit, 0, &count));
    BAD("search is NULL", wend_search_get_open(NULL, NULL, 0, &count));
    BAD(ABSENT("nodes"), wend_search_get_open(search, NULL, 1, &count));
}
