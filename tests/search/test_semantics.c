/* SPDX-License-Identifier: MIT */
/* The answers of wend where implementations disagree, as far as one search shows it. Named by the rows of
 * docs/semantics.md. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "models/worlds.h"
#include "models/defaults.h"
#include "models/options.h"

/* A drawing: '#' blocked, a digit that terrain class, anything else open. */
static world draw(const char *const *rows, int count) {
    world grid = {0};
    world_begin(&grid, WEND_KIND_GRID, (int)strlen(rows[0]), count, 1);
    for (int i = 0; i < grid.cells; i++) {
        const char c = rows[i / grid.width][i % grid.width];
        grid.terrain[i] = c == '#' ? 0 : c >= '2' && c <= '9' ? (uint8_t)(c - '0') : 1;
    }
    return grid;
}

typedef struct answer {
    wend_completion completion;
    wend_cell cells[4096];
    size_t count;
} answer;

static void ask(const world *grid, wend_request request, answer *out) {
    wend_search_def def = default_search();
    request.map = world_map(grid);
    wend_search *search = made_search(&def);
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    while (wend_search_step(search, 1000, NULL) == WEND_STATUS_PENDING) continue;
    out->completion.struct_bytes = sizeof out->completion;
    wend_search_get_result(search, &out->completion);
    out->count = 0;
    wend_search_get_path(search, out->cells, 4096, &out->count);
    wend_search_destroy(search);
    wend_map_release(request.map);
}

static wend_request between(int x0, int y0, int x1, int y1) {
    wend_request request = default_request();
    request.start = (wend_cell){x0, y0, 0}, request.goal = (wend_cell){x1, y1, 0};
    return request;
}

Test(semantics, s1_both_ends_are_in_the_path) {
    world grid = draw((const char *[]){"....."}, 1);
    answer a;
    ask(&grid, between(1, 0, 4, 0), &a);
    cr_assert_eq(a.completion.status, WEND_STATUS_FOUND);
    cr_assert_eq(a.count, 4);
    cr_assert(a.cells[0].x == 1 && a.cells[3].x == 4);
    cr_assert_eq(a.completion.cost, 30);
    world_free(&grid);
}

Test(semantics, s2_start_is_goal) {
    world grid = draw((const char *[]){"..."}, 1);
    answer a;
    ask(&grid, between(1, 0, 1, 0), &a);
    cr_assert_eq(a.completion.status, WEND_STATUS_FOUND);
    cr_assert_eq(a.count, 1);
    cr_assert_eq(a.cells[0].x, 1);
    cr_assert_eq(a.completion.cost, 0);
    cr_assert_eq(a.completion.expansions, 0);
    world_free(&grid);
}

Test(semantics, s3_start_is_goal_and_blocked) {
    world grid = draw((const char *[]){".#."}, 1);
    answer a;
    ask(&grid, between(1, 0, 1, 0), &a);
    cr_assert_eq(a.completion.status, WEND_STATUS_START_BLOCKED);
    wend_request request = between(1, 0, 1, 0);
    options_of(&request)->leave_blocked_start = true;
    ask(&grid, request, &a);
    cr_assert_eq(a.completion.status, WEND_STATUS_GOAL_BLOCKED, "the flag excuses the start only");
    world_free(&grid);
}

Test(semantics, s4_blocked_start_ends_at_once_unless_the_unit_may_walk_out) {
    world grid = draw((const char *[]){"..#.."}, 1);
    answer a;
    ask(&grid, between(2, 0, 4, 0), &a);
    cr_assert_eq(a.completion.status, WEND_STATUS_START_BLOCKED);
    cr_assert_eq(a.completion.cost, -1);
    cr_assert_eq(a.completion.expansions, 0);
    wend_request request = between(2, 0, 4, 0);
    options_of(&request)->leave_blocked_start = true;
    ask(&grid, request, &a);
    cr_assert_eq(a.completion.status, WEND_STATUS_FOUND);
    cr_assert_eq(a.completion.cost, 20);
    cr_assert_eq(a.cells[0].x, 2);
    world_free(&grid);
}

Test(semantics, s4_walking_out_crosses_a_chunk_that_is_all_blocked) {
    world grid = {0};
    world_begin(&grid, WEND_KIND_GRID, 130, 70, 1);
    world_set_box(&grid, NULL, (wend_box){{0, 0, 0}, {63, 69, 0}}, 0);
    answer a;
    wend_request request = between(63, 5, 100, 5); /* the last column of a blocked chunk */
    options_of(&request)->leave_blocked_start = true;
    ask(&grid, request, &a);
    cr_assert_eq(a.completion.cost, 370);
    request.start.x = 62; /* walled in by blocked cells */
    ask(&grid, request, &a);
    cr_assert_eq(a.completion.status, WEND_STATUS_NO_PATH);
    world_free(&grid);
}

Test(semantics, s5_blocked_goal_ends_at_once) {
    world grid = draw((const char *[]){"..#"}, 1);
    answer a;
    ask(&grid, between(0, 0, 2, 0), &a);
    cr_assert_eq(a.completion.status, WEND_STATUS_GOAL_BLOCKED);
    cr_assert_eq(a.completion.expansions, 0);
    world_free(&grid);
}

Test(semantics, s6_cells_off_the_map_are_refused) {
    world grid = draw((const char *[]){"...", "..."}, 2);
    wend_map *map = world_map(&grid);
    wend_search_def def = default_search();
    wend_search *search = made_search(&def);
    const wend_cell off[] = {{-1, 0, 0}, {3, 0, 0},  {0, -1, 0},        {0, 2, 0},
                             {0, 0, 1},  {0, 0, -1}, {INT32_MAX, 0, 0}, {0, INT32_MIN, 0}};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        wend_request request = between(0, 0, 1, 1);
        request.map = map, request.goal = off[i];
        cr_assert_eq(wend_search_begin(search, &request), WEND_OUT_OF_RANGE);
        request.goal = request.start, request.start = off[i];
        cr_assert_eq(wend_search_begin(search, &request), WEND_OUT_OF_RANGE);
    }
    wend_search_destroy(search);
    wend_map_release(map);
    world_free(&grid);
}

/* All 16 states of the two side cells and the far diagonal's two cells of a 2 x 2 square (the diagonal's ends
 * are open): here the four patterns of the side cells for each diagonal direction, under each rule. */
Test(semantics, s7_corner_rules_in_all_16_patterns) {
    for (int corners = WEND_CORNERS_NEVER; corners <= WEND_CORNERS_ALWAYS; corners++)
        for (int direction = 0; direction < 4; direction++)
            for (int sides = 0; sides < 4; sides++) {
                world grid = draw((const char *[]){"..", ".."}, 2);
                grid.rules.corners = corners;
                int x0 = direction & 1, y0 = direction >> 1;
                grid.terrain[y0 * 2 + !x0] = sides & 1;
                grid.terrain[!y0 * 2 + x0] = (uint8_t)(sides >> 1);
                answer a;
                ask(&grid, between(x0, y0, !x0, !y0), &a);
                int open_sides = (sides & 1) + (sides >> 1);
                bool diagonal = corners == WEND_CORNERS_ALWAYS || open_sides == 2 ||
                                (corners == WEND_CORNERS_ONE && open_sides == 1);
                int64_t expected = diagonal ? 14 : open_sides > 0 ? 20 : -1;
                cr_assert_eq(a.completion.cost, expected, "rule %d, direction %d, sides %d", corners, direction, sides);
                world_free(&grid);
            }
}

Test(semantics, s7_four_neighbours_have_no_diagonals) {
    world grid = draw((const char *[]){"..", ".."}, 2);
    grid.rules.neighbours = 4, grid.rules.corners = WEND_CORNERS_ALWAYS;
    answer a;
    ask(&grid, between(0, 0, 1, 1), &a);
    cr_assert_eq(a.completion.cost, 20);
    world_free(&grid);
}

Test(semantics, s8_only_manhattan_with_diagonals_is_not_exact) {
    world grid = draw((const char *[]){"....", "....", "...."}, 3);
    answer a;
    for (int heuristic = WEND_HEURISTIC_EXACT; heuristic <= WEND_HEURISTIC_ZERO; heuristic++) {
        wend_request request = between(0, 0, 3, 2);
        options_of(&request)->heuristic = heuristic;
        ask(&grid, request, &a);
        cr_assert_eq(a.completion.exact, heuristic != WEND_HEURISTIC_MANHATTAN);
        cr_assert_eq(a.completion.bound_milli, heuristic != WEND_HEURISTIC_MANHATTAN ? 1000 : 1429); /* 20 / 14 */
    }
    grid.rules.neighbours = 4;
    wend_request request = between(0, 0, 3, 2);
    options_of(&request)->heuristic = WEND_HEURISTIC_MANHATTAN;
    ask(&grid, request, &a);
    cr_assert(a.completion.exact && a.completion.bound_milli == 1000 && a.completion.cost == 50);
    world_free(&grid);
}

/* No estimate of a graph is Manhattan: that one is the exact one. */
Test(semantics, s8_manhattan_on_graphs_is_exact) {
    enum { NODES = 50 };
    static wend_edge edges[4 * NODES];
    static wend_cell places[NODES];
    for (uint32_t i = 0; i < NODES; i++) places[i] = (wend_cell){(int32_t)(i * 37 % 50), (int32_t)(i * 11 % 50), 0};
    for (uint32_t i = 0; i < 4 * NODES; i++)
        edges[i] = (wend_edge){i % NODES, (i / NODES * 7 + i + 1) % NODES, (int32_t)(60 + i * 13 % 40)};
    wend_graph_def def = default_graph();
    def.node_count = NODES, def.edges = edges, def.edge_count = 4 * NODES;
    for (int placed = 0; placed < 2; placed++) {
        def.coordinates = placed ? places : NULL;
        wend_request request = between(0, 0, 31, 0);
        wend_search_def memory = default_search();
        int64_t cost = -1;
        cr_assert_eq(wend_graph_create(&def, &request.map), WEND_OK);
        wend_search *search = made_search(&memory);
        for (int heuristic = WEND_HEURISTIC_EXACT; heuristic <= WEND_HEURISTIC_ZERO; heuristic++) {
            options_of(&request)->heuristic = heuristic;
            cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
            cr_assert_eq(wend_search_step(search, WEND_NO_LIMIT, NULL), WEND_STATUS_FOUND);
            wend_completion completion = result_now(search);
            cr_assert(completion.exact && completion.bound_milli == 1000);
            if (heuristic > 0) cr_assert_eq(completion.cost, cost);
            cost = completion.cost;
        }
        wend_search_destroy(search);
        wend_map_release(request.map);
    }
}

Test(semantics, s9_a_step_costs_the_entered_cells_factor) {
    world grid = draw((const char *[]){"5.3"}, 1);
    answer a;
    ask(&grid, between(0, 0, 2, 0), &a);
    cr_assert_eq(a.completion.cost, 10 + 30, "the start is free, the goal is not");
    grid.terrain[0] = 1, grid.terrain[2] = 1;
    world_free(&grid);
    grid = draw((const char *[]){".9", "9."}, 2);
    ask(&grid, between(0, 0, 1, 1), &a);
    cr_assert_eq(a.completion.cost, 14, "side cells matter only for being open");
    world_free(&grid);
}

Test(semantics, s10_costs_at_their_limits) {
    world grid = draw((const char *[]){"...", "..."}, 2);
    grid.rules.cost_straight = WEND_MAX_COST, grid.rules.cost_diagonal = WEND_MAX_COST;
    grid.rules.factors[1] = 255;
    answer a;
    ask(&grid, between(0, 0, 2, 1), &a);
    cr_assert_eq(a.completion.cost, INT64_C(2) * 255 * WEND_MAX_COST);
    world_free(&grid);
}

/* An expensive step straight to the goal, and a cheaper way round that is found later. */
Test(semantics, s12_the_goal_is_reached_when_no_cheaper_way_can_remain) {
    world grid = draw((const char *[]){".9.", "..."}, 2);
    grid.rules.corners = WEND_CORNERS_ALWAYS;
    answer a;
    ask(&grid, between(0, 0, 2, 0), &a);
    cr_assert_eq(a.completion.cost, 28);
    cr_assert_eq(a.cells[1].y, 1);
    world_free(&grid);
}

/* The same cells, independent of earlier searches with the same memory, and of the map's history. */
Test(semantics, s14_ties_depend_on_the_search_alone) {
    world grid = draw((const char *[]){".......", "..#.#..", ".......", "..#.#..", "......."}, 5);
    answer first, again;
    ask(&grid, between(0, 0, 6, 4), &first);
    wend_map *map = world_map(&grid);
    wend_search_def def = default_search();
    wend_search *search = made_search(&def);
    wend_request other = between(6, 0, 0, 4), same = between(0, 0, 6, 4);
    other.map = same.map = map;
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(wend_search_begin(search, &other), WEND_OK);
        wend_search_step(search, (uint64_t)i * 3, NULL); /* left unfinished */
        cr_assert_eq(wend_search_begin(search, &same), WEND_OK);
        cr_assert_eq(wend_search_step(search, WEND_NO_LIMIT, NULL), WEND_STATUS_FOUND);
        cr_assert_eq(wend_search_get_path(search, again.cells, 4096, &again.count), WEND_OK);
        cr_assert_eq(again.count, first.count);
        cr_assert_arr_eq(again.cells, first.cells, first.count * sizeof *first.cells);
    }
    wend_search_destroy(search);
    wend_map_release(map);
    world_free(&grid);
}
