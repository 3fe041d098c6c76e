/* SPDX-License-Identifier: MIT */
/* Requests that see units: `occupied_within`, its limits, and the border; and units on grids of several
 * chunks with 4 neighbours. Random small worlds are in test_worlds.c. */
#include "fast/landmarks/landmark_tables.h"
#include "fast/stops/stop_tables.h"
#include "models/few_or_many.h"
#include "models/worlds.h"
#include "models/options.h"
#include "models/kept.h"
#include "search/search_rig.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <wend/units.h>

static wend_map *make_map(int32_t kind, int32_t width, int32_t height, int32_t depth) {
    wend_map_def def = default_map();
    def.kind = kind, def.width = width, def.height = height, def.depth = depth;
    return made_map(&def);
}

static wend_request make_request(wend_map *map, wend_cell goal, int32_t occupied, int32_t within) {
    wend_request request = default_request();
    request.map = map, request.goal = goal;
    options_of(&request)->occupied = occupied, options_of(&request)->occupied_within = within;
    return request;
}

static wend_completion ask(const wend_request *request) {
    wend_search_def def = default_search();
    OWNED_SEARCH *search = made_search(&def);
    cr_assert_eq(wend_search_begin(search, request), WEND_OK);
    wend_search_step(search, WEND_NO_LIMIT, NULL);
    wend_completion got = result_now(search);
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
    OWNED_MAP *map = make_map(WEND_KIND_GRID, 9, 9, 1);
    wend_request request = default_request();
    cr_assert_eq(read_options(&request).occupied_within, WEND_EVERYWHERE);
    request.map = map;
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        options_of(&request)->occupied_within = tries[i].within;
        cr_assert_eq(wend_request_explain(&request, NULL, NULL), tries[i].error, "%d", tries[i].within);
    }
}

Test(search_units, within_is_refused_on_graphs) {
    const wend_edge edge = {0, 1, 5};
    wend_graph_def def = default_graph();
    def.node_count = 2, def.edges = &edge, def.edge_count = 1;
    OWNED_MAP *map = made_graph(&def);
    wend_request request = make_request(map, (wend_cell){1, 0, 0}, WEND_OCCUPIED_BLOCK, 0);
    cr_assert_eq(wend_request_explain(&request, NULL, NULL), WEND_BAD_ARGUMENT);
    options_of(&request)->occupied_within = WEND_EVERYWHERE;
    cr_assert_eq(wend_request_explain(&request, NULL, NULL), WEND_OK);
}

/* A corridor with a unit at distance x: it counts up to there and no farther, on the way and on the goal. */
Test(search_units, s24_count_within_so_many_cells_and_no_farther) {
    OWNED_MAP *map = make_map(WEND_KIND_GRID, 300, 1, 1);
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
}

Test(search_units, s24_far_is_the_largest_of_three_distances) {
    const wend_cell units[] = {{3, 0, 0}, {0, 3, 0}, {0, 0, 3}, {3, 3, 3}, {1, 2, 3}};
    OWNED_MAP *map = make_map(WEND_KIND_VOXEL, 5, 5, 5);
    for (int i = 0; i < 5; i++) {
        cr_assert_eq(wend_map_occupy(map, units[i]), WEND_OK);
        for (int32_t within = 2; within <= 3; within++) {
            wend_request onto = make_request(map, units[i], WEND_OCCUPIED_BLOCK, within);
            cr_assert_eq(ask(&onto).status, within == 3 ? WEND_STATUS_GOAL_BLOCKED : WEND_STATUS_FOUND);
        }
        cr_assert_eq(wend_map_vacate(map, units[i]), WEND_OK);
    }
}

/* A mover of size 2 that would cover a unit: the unit's own distance decides. */
Test(search_units, s26_of_a_large_mover_the_units_distance_counts) {
    OWNED_MAP *map = make_map(WEND_KIND_GRID, 20, 2, 1);
    const int32_t mover = add_mover_of_size(map, 2);
    cr_assert_eq(wend_map_occupy(map, (wend_cell){6, 1, 0}), WEND_OK);
    for (int32_t within = 4; within <= 7; within++) {
        wend_request request = make_request(map, (wend_cell){18, 0, 0}, WEND_OCCUPIED_BLOCK, within);
        request.mover = mover;
        cr_assert_eq(ask(&request).status, within >= 6 ? WEND_STATUS_NO_PATH : WEND_STATUS_FOUND, "%d", within);
    }
}

/* ---- 4 neighbours: the A* of grids sees units, with tables too ---- */

static wend_map *make_town(world *w, oracle_random *random, int number) {
    static const int32_t straights[] = {10, 1000, 7, 1000000};
    world_begin(w, WEND_KIND_GRID, 200, 140, 1);
    w->rules.neighbours = 4;
    w->rules.cost_straight = w->rules.cost_diagonal = straights[number % 4];
    world_scatter(w, random, 0.25, number % 3 ? 0.0 : 0.1, 3);
    for (int i = 0; i < w->cells; i++) w->occupants[i] = oracle_below(random, 8) == 0;
    world_derive(w);
    return world_map(w);
}

static wend_request draw_request(const world *w, wend_map *map, oracle_random *random) {
    static const int32_t costs[] = {WEND_OCCUPIED_BLOCK, 1, 20, 3000, WEND_MAX_COST};
    static const int32_t within[] = {WEND_EVERYWHERE, 0, 4, 32, 70};
    const wend_cell goal = world_any_cell(w, random);
    wend_request r = make_request(map, goal, costs[oracle_below(random, 5)], within[oracle_below(random, 5)]);
    do r.start = world_any_cell(w, random);
    while (!world_factor(w, 0, r.start));
    options_of(&r)->heuristic = oracle_below(random, 4);
    return r;
}

Test(search_units, s24_with_4_neighbours_costs_are_those_of_dijkstra) {
    static world w;
    static wend_cell cells[200 * 140];
    oracle_random random = {41};
    wend_search_def def = default_search();
    OWNED_SEARCH *search = made_search(&def);
    for (int number = 0; number < few_or_many(24, 1000); number++) {
        OWNED_MAP *map = make_town(&w, &random, number);
        if (number % 2) cr_assert_eq(wend__map_prepare_landmarks(map, 2), WEND_OK);
        if (number / 2 % 2) cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK); /* tables without units */
        for (int query = 0; query < 10; query++) {
            wend_request r = draw_request(&w, map, &random);
            options_of(&r)->engine = query % 2 ? WEND_ENGINE_JUMP : WEND_ENGINE_AUTO;
            const int64_t expected = world_ask(&w, &r).cost;
            cr_assert_eq(wend_search_begin(search, &r), WEND_OK);
            while (wend_search_step(search, 1 + (uint64_t)oracle_below(&random, 500), NULL) == WEND_STATUS_PENDING)
                ;
            const wend_completion got = result_now(search);
            cr_assert_eq(got.cost, expected, "town %d query %d: %s", number, query, wend_status_name(got.status));
            cr_assert_eq(got.engine, WEND_ENGINE_ASTAR);
            size_t count;
            if (expected < 0) continue;
            cr_assert_eq(wend_search_get_path(search, cells, 200 * 140, &count), WEND_OK);
            cr_assert_eq(world_walk(&w, &r, cells, count), expected);
        }
    }
}

static const wend__engine *engine_of(const wend_request *request) {
    OWNED(rig_free) rig r;
    rig_make(&r, 4, 0);
    wend__version *version = wend__map_acquire(request->map, true);
    wend__search_begin(r.search, version, KEPT(request));
    const wend__engine *engine = r.search->engine;
    wend__map_release(version, true);
    return engine;
}

/* And the general A* only where the request needs more than units. */
Test(search_units, with_4_neighbours_the_grid_engine_sees_units) {
    wend_map_def def = default_map();
    wend_map_rules rules = default_rules();
    rules.neighbours = 4;
    def.width = def.height = 100, def.rules = &rules;
    OWNED_MAP *map = made_map(&def);
    const int32_t mover = add_mover_of_size(map, 2);
    const wend_request plain = make_request(map, (wend_cell){90, 90, 0}, WEND_OCCUPIED_BLOCK, WEND_EVERYWHERE);
    wend_request paid = plain, reach = plain, weight = plain, size = plain;
    options_of(&paid)->occupied = 30, paid.mode = WEND_MODE_NEAREST;
    reach.reach = 1, options_of(&weight)->weight_milli = 1001, size.mover = mover;
    cr_assert_eq(engine_of(&plain), &wend__grid_astar);
    cr_assert_eq(engine_of(&paid), &wend__grid_astar);
    cr_assert_eq(engine_of(&reach), &wend__general_astar);
    cr_assert_eq(engine_of(&weight), &wend__general_astar);
    cr_assert_eq(engine_of(&size), &wend__general_astar);
}
