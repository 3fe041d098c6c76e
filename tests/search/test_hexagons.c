/* SPDX-License-Identifier: MIT */
/* Hexagons: open ground and components; what hexagons do not have. Worlds of test_worlds and check_exact are of
 * hexagons, too. */
#include "models/defaults.h"
#include "models/fast.h"
#include "models/options.h"
#include "models/random.h"
#include <wend/acceleration.h>
#include <wend/edit.h>
#include <wend/movers.h>
#include <wend/geometry.h>
#include <wend/query.h>
#include <wend/search.h>
#include <wend/ways.h>

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 70, CELLS = SIDE * SIDE };

static wend_cell cell_of(int node) {
    return (wend_cell){node % SIDE, node / SIDE, 0};
}

static int64_t apart(wend_cell a, wend_cell b) {
    return (llabs(a.x - b.x) + llabs(a.y - b.y) + llabs((int64_t)a.x + a.y - b.x - b.y)) / 2;
}

static wend_map *make_map(int32_t side) {
    wend_map_rules rules = default_rules();
    rules.neighbours = 6;
    wend_map_def def = default_map();
    def.width = def.height = side, def.rules = &rules;
    return made_map(&def);
}

static wend_search *make_search(void) {
    const wend_search_def def = default_search();
    return made_search(&def);
}

/* Searches for a single pair. */
static wend_completion ask(wend_search *search, wend_map *map, wend_cell start, wend_cell goal, wend_cell *cells,
                           size_t capacity) {
    wend_request request = default_request();
    request.map = map, request.start = start, request.goal = goal;
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    (void)wend_search_step(search, WEND_NO_LIMIT, NULL);
    wend_completion got = {.struct_bytes = sizeof got};
    cr_assert_eq(wend_search_get_result(search, &got), WEND_OK);
    size_t count = 0;
    if (cells) wend_search_get_path(search, cells, capacity, &count);
    return got;
}

Test(hexagons, open_ground_takes_as_many_steps_as_the_hexagons_lie_apart) {
    uint64_t random = 5;
    static wend_cell cells[4 * SIDE];
    OWNED_MAP *map = make_map(SIDE);
    OWNED_SEARCH *search = make_search();
    for (int i = 0; i < 1000; i++) {
        const wend_cell start = cell_of((int)draw(&random, CELLS)), goal = cell_of((int)draw(&random, CELLS));
        const wend_completion got = ask(search, map, start, goal, cells, 4 * SIDE);
        cr_assert_eq(got.cell_count, (uint64_t)apart(start, goal) + 1);
        cr_assert_eq(got.cost, 10 * apart(start, goal));
        for (size_t k = 1; k < got.cell_count; k++) cr_assert_eq(apart(cells[k - 1], cells[k]), 1);
    }
}

/* From corner to corner only along one diagonal. */
Test(hexagons, components_know_the_two_diagonals_apart) {
    OWNED_MAP *map = make_map(SIDE);
    wend_edit *edit = begin_edit(map);
    for (int node = 0; node < CELLS; node++) {
        const wend_cell cell = cell_of(node);
        const bool open = cell.x == cell.y || cell.x + cell.y == SIDE - 1;
        cr_assert_eq(wend_edit_set_cell(edit, cell, open), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    bool along = false;
    bool across = false;
    wend_map_reachable(map, 0, (wend_cell){0, SIDE - 1, 0}, (wend_cell){SIDE - 1, 0, 0}, &across);
    wend_map_reachable(map, 0, (wend_cell){0, 0, 0}, (wend_cell){1, 1, 0}, &along);
    cr_assert(across && !along);
}

Test(hexagons, what_needs_squares_is_unsupported) {
    OWNED_MAP *map = make_map(8);
    wend_map_rules rules = default_rules();
    cr_assert_eq(wend_map_get_rules(map, &rules), WEND_OK);
    cr_assert(rules.neighbours == 6 && rules.corners == WEND_CORNERS_ALWAYS && rules.cost_diagonal == 10);
    const wend_cell a = {0, 0, 0}, b = {2, 1, 0};
    bool visible;
    cr_assert_eq(wend_map_line_of_sight(map, 0, a, b, &visible, NULL), WEND_UNSUPPORTED);
#ifndef TEST_CORE /* the core has no lines */
    wend_turn out[8];
    size_t count;
    cr_assert_eq(wend_path_pull(map, NULL, (const wend_cell[]){a, {1, 0, 0}}, 2, out, 8, &count), WEND_UNSUPPORTED);
#endif
    wend_mover mover = default_mover();
    mover.size = 2;
    cr_assert_eq(wend_map_add_mover(map, &mover, NULL), WEND_UNSUPPORTED);
    wend_acceleration tables = default_acceleration();
    tables.tables = 1, tables.landmarks = 0;
    cr_assert_eq(wend_map_accelerate(map, &tables), WEND_UNSUPPORTED);
    if (HAS_FAST) cr_assert_str_eq(wend_error_detail(WEND_UNSUPPORTED), "hexagons have no jump tables");
    wend_request request = default_request();
    request.map = map, request.goal = b, request.mode = WEND_MODE_FAR;
    int32_t engine;
    cr_assert_eq(wend_request_explain(&request, &engine, NULL), WEND_BAD_ARGUMENT);
}

/* By a search of its own: while there is one, rules do not change. */
static int64_t cost_of(wend_map *map, wend_cell start, wend_cell goal) {
    wend_search *search = make_search();
    const int64_t cost = ask(search, map, start, goal, NULL, 0).cost;
    wend_search_destroy(search);
    return cost;
}

/* A grid of squares with a mover of two cells cannot become one of hexagons; without it, it can, and back. */
Test(hexagons, rules_change_between_squares_and_hexagons) {
    OWNED_MAP *map = make_map(SIDE);
    const wend_cell start = {0, 0, 0}, goal = {9, 9, 0};
    cr_assert_eq(cost_of(map, start, goal), 180);
    wend_map_rules rules = default_rules();
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_OK);
    cr_assert_eq(cost_of(map, start, goal), 126);
    rules.neighbours = 6;
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_OK);
    cr_assert_eq(cost_of(map, start, goal), 180);
    rules.neighbours = 8;
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_OK);
    add_mover_of_size(map, 2);
    rules.neighbours = 6;
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_UNSUPPORTED);
}
