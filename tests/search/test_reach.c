/* SPDX-License-Identifier: MIT */
/* "Next to it is good enough": reach, by hand. */
#include "models/defaults.h"

#include <criterion/criterion.h>
#include <wend/wend.h>

static wend_map *make_map(int32_t kind) {
    wend_map_def def = default_map();
    def.kind = kind, def.width = def.height = 9, def.depth = kind == WEND_KIND_VOXEL ? 9 : 1;
    return made_map(&def);
}

static void fill(wend_map *map, wend_cell min, wend_cell max, uint8_t class) {
    IN_BATCH(map, cr_assert_eq(wend_edit_fill_box(edit, (wend_box){min, max}, class), WEND_OK));
}

static wend_completion ask(wend_map *map, wend_cell start, wend_cell goal, int32_t reach, wend_cell *end) {
    wend_search_def def = default_search();
    wend_request request = default_request();
    wend_completion done = {.struct_bytes = sizeof done};
    request.map = map, request.start = start, request.goal = goal, request.reach = reach;
    OWNED_SEARCH *search = made_search(&def);
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    while (wend_search_step(search, 3, NULL) == WEND_STATUS_PENDING)
        ;
    wend_search_get_result(search, &done);
    wend_cell cells[64];
    size_t count;
    if (wend_search_get_path(search, cells, 64, &count) == WEND_OK) *end = cells[count - 1];
    return done;
}

static wend_cell at(int32_t x, int32_t y, int32_t z) {
    return (wend_cell){x, y, z};
}

Test(reach, s25_ends_beside_a_blocked_goal) {
    OWNED_MAP *map = make_map(WEND_KIND_GRID);
    wend_cell end;
    fill(map, at(7, 7, 0), at(7, 7, 0), 0);
    cr_assert_eq(ask(map, at(0, 7, 0), at(7, 7, 0), 0, &end).status, WEND_STATUS_GOAL_BLOCKED);
    wend_completion done = ask(map, at(0, 7, 0), at(7, 7, 0), 1, &end);
    cr_assert_eq(done.status, WEND_STATUS_FOUND);
    cr_assert_eq(done.cost, 60);
    cr_assert(end.x == 6 && end.y == 7);
}

Test(reach, s25_says_goal_blocked_where_nothing_within_can_be_stood_on) {
    OWNED_MAP *map = make_map(WEND_KIND_GRID);
    wend_cell end;
    fill(map, at(5, 5, 0), at(8, 8, 0), 0);
    cr_assert_eq(ask(map, at(0, 0, 0), at(7, 7, 0), 1, &end).status, WEND_STATUS_GOAL_BLOCKED);
    cr_assert_eq(ask(map, at(0, 0, 0), at(7, 7, 0), 3, &end).status, WEND_STATUS_FOUND);
}

Test(reach, s25_finds_a_start_that_is_near_enough_at_once) {
    OWNED_MAP *map = make_map(WEND_KIND_VOXEL);
    wend_cell end;
    fill(map, at(4, 4, 4), at(4, 4, 4), 0);
    wend_completion done = ask(map, at(2, 3, 4), at(4, 4, 4), 2, &end);
    cr_assert(done.status == WEND_STATUS_FOUND && done.cost == 0 && done.cell_count == 1 && done.expansions == 0);
    done = ask(map, at(2, 3, 4), at(4, 4, 4), 1, &end);
    cr_assert(done.status == WEND_STATUS_FOUND && done.cost == 10 && end.x == 3);
}

static wend_error begin_with(wend_map *map, int32_t reach) {
    wend_search_def def = default_search();
    wend_request request = default_request();
    request.map = map, request.reach = reach;
    OWNED_SEARCH *search = made_search(&def);
    wend_error error = wend_search_begin(search, &request);
    return error;
}

Test(reach, s25_is_0_to_255_and_only_0_on_graphs) {
    OWNED_MAP *map = make_map(WEND_KIND_GRID), *graph = NULL;
    cr_assert_eq(begin_with(map, WEND_MAX_REACH), WEND_OK);
    cr_assert_eq(begin_with(map, WEND_MAX_REACH + 1), WEND_BAD_ARGUMENT);
    cr_assert_eq(begin_with(map, -1), WEND_BAD_ARGUMENT);
    wend_graph_def def = default_graph();
    def.node_count = 2;
    cr_assert_eq(wend_graph_create(&def, &graph), WEND_OK);
    cr_assert_eq(begin_with(graph, 0), WEND_OK);
    cr_assert_eq(begin_with(graph, 1), WEND_BAD_ARGUMENT);
}
