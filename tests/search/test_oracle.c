/* SPDX-License-Identifier: MIT */
/* A* against plain Dijkstra over thousands of random maps: every rule, heuristic, weight and slice size. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "models/worlds.h"
#include "models/defaults.h"
#include "models/few_or_many.h"
#include "models/options.h"
#include "fast/acceleration.h"

enum { SIDE = 150 };
static const uint64_t slices[] = {1, 7, 64, 10000};

typedef struct outcome {
    wend_status status;
    int64_t cost;
    size_t count;
    uint64_t expansions;
    wend_cell cells[SIDE * SIDE];
} outcome;

static void solve(wend_search *search, const wend_request *request, uint64_t slice, outcome *out) {
    cr_assert_eq(wend_search_begin(search, request), WEND_OK);
    wend_completion completion = {.struct_bytes = sizeof completion};
    uint64_t total = 0;
    do {
        uint64_t used;
        out->status = wend_search_step(search, slice, &used);
        cr_assert_leq(used, slice);
        if (out->status == WEND_STATUS_PENDING) cr_assert_eq(used, slice, "a step that is not the last spends all");
        total += used;
    } while (out->status == WEND_STATUS_PENDING);
    wend_search_get_result(search, &completion);
    cr_assert_eq(completion.expansions, total);
    out->cost = completion.cost, out->expansions = total, out->count = 0;
    if (out->status == WEND_STATUS_FOUND)
        cr_assert_eq(wend_search_get_path(search, out->cells, SIDE * SIDE, &out->count), WEND_OK);
}

static void draw_grid(world *grid, oracle_random *random, int round) {
    /* The last has many ways of almost the same cost in one coarse bucket. */
    static const int costs[][2] = {{10, 14}, {1000, 1414},       {5, 5}, {1, 2},
                                   {70, 99}, {1000000, 1000000}, {3, 4}, {999961, 999983}};
    const int width = 1 + oracle_below(random, round % 10 == 0 ? SIDE : 24);
    world_begin(grid, WEND_KIND_GRID, width, 1 + oracle_below(random, round % 10 == 0 ? SIDE : 24), 1);
    grid->rules.corners = oracle_below(random, 3);
    grid->rules.neighbours = oracle_below(random, 3) ? 8 : 4;
    const int pair = oracle_below(random, 8);
    grid->rules.cost_straight = costs[pair][0], grid->rules.cost_diagonal = costs[pair][1];
    const int slow_classes = oracle_below(random, 2) ? 8 : 250;
    world_scatter(grid, random, oracle_below(random, 5) * 0.1, oracle_below(random, 3) * 0.2, slow_classes);
}

static void same_path(const outcome *a, const outcome *b) {
    cr_assert_eq(a->status, b->status);
    cr_assert_eq(a->cost, b->cost);
    cr_assert_eq(a->expansions, b->expansions);
    cr_assert_eq(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) cr_assert(a->cells[i].x == b->cells[i].x && a->cells[i].y == b->cells[i].y);
}

Test(search_oracle, agrees_with_dijkstra_on_random_maps_at_every_slice) {
    oracle_random random = {1};
    static outcome first, other;
    static world grid;
    wend_search_def def = default_search();
    def.nodes = 64 * WEND_PAGE_NODES;
    OWNED_SEARCH *search = made_search(&def);
    int found = 0, none = 0, blocked = 0;
    const int rounds = few_or_many(1000, 4000);
    for (int round = 0; round < rounds; round++) {
        draw_grid(&grid, &random, round);
        wend_map *map = world_map(&grid);
        if (round % 2) cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
        wend_request request = default_request();
        request.map = map;
        options_of(&request)->engine = round % 3;
        request.start = world_any_cell(&grid, &random), request.goal = world_any_cell(&grid, &random);
        options_of(&request)->leave_blocked_start = oracle_below(&random, 4) == 0;
        static const int32_t heuristics[] = {WEND_HEURISTIC_EXACT, WEND_HEURISTIC_EUCLID, WEND_HEURISTIC_ZERO};
        options_of(&request)->heuristic = heuristics[oracle_below(&random, 3)];
        solve(search, &request, slices[0], &first);
        for (int i = 1; i < 4; i++) {
            solve(search, &request, slices[i], &other);
            same_path(&first, &other);
        }
        if (first.status == WEND_STATUS_FOUND || first.status == WEND_STATUS_NO_PATH) {
            int64_t optimum = world_cost(&grid, request.start, request.goal);
            cr_assert_eq(first.cost, optimum, "round %d: %ld, optimum %ld", round, (long)first.cost, (long)optimum);
            found += optimum >= 0, none += optimum < 0;
            if (optimum >= 0)
                cr_assert_eq(world_path(&grid, request.start, request.goal, first.cells, first.count), optimum);
        } else
            blocked++;
        wend_map_release(map); /* the search still holds it */
    }
    cr_assert_gt(found, rounds / 4);
    cr_assert_gt(none, rounds / 20);
    cr_assert_gt(blocked, rounds / 40);
}

Test(search_oracle, weighted_and_manhattan_results_keep_their_bound) {
    oracle_random random = {2};
    static outcome result;
    static world grid;
    wend_search_def def = default_search();
    def.nodes = 64 * WEND_PAGE_NODES;
    OWNED_SEARCH *search = made_search(&def);
    int dearer = 0, manhattan_dearer = 0;
    const int rounds = enough_or_many(1000, 3000);
    for (int round = 0; round < rounds; round++) {
        draw_grid(&grid, &random, round);
        wend_request request =
            path_request(world_map(&grid), world_any_cell(&grid, &random), world_any_cell(&grid, &random));
        bool manhattan = round % 2;
        options_of(&request)->heuristic = manhattan                  ? WEND_HEURISTIC_MANHATTAN
                                          : oracle_below(&random, 2) ? WEND_HEURISTIC_EXACT
                                                                     : WEND_HEURISTIC_EUCLID;
        options_of(&request)->weight_milli = oracle_below(&random, 2) ? 1000 + oracle_below(&random, 4000)
                                             : manhattan              ? 1000
                                                                      : WEND_WEIGHT_MAX_MILLI;
        solve(search, &request, slices[round % 4], &result);
        if (result.status == WEND_STATUS_FOUND && result.count > 1) {
            wend_completion completion = result_now(search);
            int64_t optimum = world_cost(&grid, request.start, request.goal);
            cr_assert_eq(world_path(&grid, request.start, request.goal, result.cells, result.count), result.cost);
            cr_assert_leq(result.cost * 1000, optimum * completion.bound_milli, "round %d", round);
            /* Where a diagonal step costs as much as two straight ones, Manhattan is the cost of a way. */
            bool right = grid.rules.neighbours == 4 || grid.rules.cost_diagonal == 2 * grid.rules.cost_straight;
            cr_assert_eq(completion.exact, read_options(&request).weight_milli == 1000 && (!manhattan || right));
            cr_assert_eq(completion.exact, completion.bound_milli == 1000);
            if (completion.exact) cr_assert_eq(result.cost, optimum);
            dearer += result.cost > optimum;
            manhattan_dearer += manhattan && read_options(&request).weight_milli == 1000 && result.cost > optimum;
        }
        wend_map_release(request.map);
    }
    cr_assert_gt(dearer, rounds / 60, "weights must really have cost something somewhere");
    cr_assert_gt(manhattan_dearer, rounds / 600,
                 "manhattan with diagonals must really have been wrong somewhere, not %d times", manhattan_dearer);
}
