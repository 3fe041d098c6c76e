/* SPDX-License-Identifier: MIT */
/* Requests that ask for units near the start only (`occupied_within`): limits, and what counts at the border. Random
 * worlds are in test_worlds.c. */
#include "models/defaults.h"
#include "search/engines.h"

#include <criterion/criterion.h>

static wend_map *make_map(int32_t kind, int32_t width, int32_t height, int32_t depth) {
    wend_map *map;
    wend_map_def def = default_map();
    def.kind = kind;
    def.width = width, def.height = height, def.depth = depth;
    cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
    return map;
}

static wend_request make_request(wend_map *map, wend_cell goal, int32_t occupied, int32_t within) {
    wend_request request = default_request();
    request.map = map;
    request.goal = goal;
    request.occupied = occupied;
    request.occupied_within = within;
    return request;
}

static wend_completion ask(const wend_request *request) {
    wend_search *search;
    wend_search_def def = default_search();
    cr_assert_eq(wend_search_create(&def, &search), WEND_OK);
    cr_assert_eq(wend_search_begin(search, request), WEND_OK);
    wend_search_step(search, WEND_NO_LIMIT, NULL);
    wend_completion got = result_now(search);
    wend_search_destroy(search);
    return got;
}

Test(search_units, within_is_everywhere_by_default_and_has_limits) {
    const struct {
        int32_t within;
        wend_error error;
    } tries[] = {{-2, WEND_BAD_ARGUMENT},
                 {WEND_EVERYWHERE, WEND_OK},
                 {0, WEND_OK},
                 {WEND_MAX_REACH, WEND_OK},
                 {WEND_MAX_REACH + 1, WEND_BAD_ARGUMENT},
                 {INT32_MIN, WEND_BAD_ARGUMENT}};
    wend_map *map = make_map(WEND_KIND_GRID, 9, 9, 1);
    wend_request request = default_request();
    cr_assert_eq(request.occupied_within, WEND_EVERYWHERE);
    request.map = map;
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        request.occupied_within = tries[i].within;
        cr_assert_eq(wend_request_explain(&request, NULL, NULL), tries[i].error, "%d", tries[i].within);
    }
    wend_map_release(map);
}

Test(search_units, within_is_refused_on_graphs) {
    const wend_edge edge = {0, 1, 5};
    wend_graph_def def = default_graph();
    def.node_count = 2, def.edges = &edge, def.edge_count = 1;
    wend_map *map;
    cr_assert_eq(wend_graph_create(&def, &map), WEND_OK);
    wend_request request = make_request(map, (wend_cell){1, 0, 0}, WEND_OCCUPIED_BLOCK, 0);
    cr_assert_eq(wend_request_explain(&request, NULL, NULL), WEND_BAD_ARGUMENT);
    request.occupied_within = WEND_EVERYWHERE;
    cr_assert_eq(wend_request_explain(&request, NULL, NULL), WEND_OK);
    wend_map_release(map);
}

/* A corridor with a unit at distance x: it counts up to there and no farther, on the way and on the goal. */
Test(search_units, s24_count_within_so_many_cells_and_no_farther) {
    wend_map *map = make_map(WEND_KIND_GRID, 300, 1, 1);
    for (int32_t x = 1; x <= 257; x += x < 4 ? 1 : 42) {
        cr_assert_eq(wend_map_occupy(map, (wend_cell){x, 0, 0}), WEND_OK);
        for (int32_t within = x - 1; within <= x + 1 && within <= WEND_MAX_REACH; within++) {
            wend_request beyond = make_request(map, (wend_cell){299, 0, 0}, WEND_OCCUPIED_BLOCK, within);
            wend_request onto = make_request(map, (wend_cell){x, 0, 0}, WEND_OCCUPIED_BLOCK, within);
            wend_request paid = make_request(map, (wend_cell){299, 0, 0}, 7, within);
            cr_assert_eq(ask(&beyond).status, within >= x ? WEND_STATUS_NO_PATH : WEND_STATUS_FOUND);
            cr_assert_eq(ask(&onto).status, within >= x ? WEND_STATUS_GOAL_BLOCKED : WEND_STATUS_FOUND);
            cr_assert_eq(ask(&paid).cost, within >= x ? 2997 : 2990);
        }
        cr_assert_eq(wend_map_vacate(map, (wend_cell){x, 0, 0}), WEND_OK);
    }
    wend_map_release(map);
}

Test(search_units, s24_far_is_the_largest_of_three_distances) {
    const wend_cell units[] = {{3, 0, 0}, {0, 3, 0}, {0, 0, 3}, {3, 3, 3}, {1, 2, 3}};
    wend_map *map = make_map(WEND_KIND_VOXEL, 5, 5, 5);
    for (int i = 0; i < 5; i++) {
        cr_assert_eq(wend_map_occupy(map, units[i]), WEND_OK);
        for (int32_t within = 2; within <= 3; within++) {
            wend_request onto = make_request(map, units[i], WEND_OCCUPIED_BLOCK, within);
            cr_assert_eq(ask(&onto).status, within == 3 ? WEND_STATUS_GOAL_BLOCKED : WEND_STATUS_FOUND);
        }
        cr_assert_eq(wend_map_vacate(map, units[i]), WEND_OK);
    }
    wend_map_release(map);
}

/* A mover of size 2 whose place covers a unit: the unit's own distance decides. */
Test(search_units, s26_of_a_large_mover_the_units_distance_counts) {
    wend_map *map = make_map(WEND_KIND_GRID, 20, 2, 1);
    wend_mover big = default_mover();
    big.size = 2;
    int32_t mover;
    cr_assert_eq(wend_map_add_mover(map, &big, &mover), WEND_OK);
    cr_assert_eq(wend_map_occupy(map, (wend_cell){6, 1, 0}), WEND_OK);
    for (int32_t within = 4; within <= 7; within++) {
        wend_request request = make_request(map, (wend_cell){18, 0, 0}, WEND_OCCUPIED_BLOCK, within);
        request.mover = mover;
        cr_assert_eq(ask(&request).status, within >= 6 ? WEND_STATUS_NO_PATH : WEND_STATUS_FOUND, "%d", within);
    }
    wend_map_release(map);
}
