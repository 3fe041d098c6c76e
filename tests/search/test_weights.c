/* SPDX-License-Identifier: MIT */
/* Weights above 1 and `manhattan`: the bound, each node expanded once, and fewer expansions than without a weight; on
 * worlds of every kind, with everything that a request may ask for. */
#include "models/few_or_many.h"
#include "models/worlds.h"
#include "models/worlds.h"
#include "models/options.h"
#include "models/kept.h"
#include "search/general/heuristic.h"
#include "search/search_rig.h"

#include <criterion/criterion.h>

enum { QUERIES = 10, CELLS = 4096 };

static wend_search *make_search(uint64_t nodes) {
    wend_search_def def = default_search();
    def.nodes = nodes;
    return made_search(&def);
}

static wend_completion solve(wend_search *search, const wend_request *request, uint64_t slice) {
    cr_assert_eq(wend_search_begin(search, request), WEND_OK);
    while (wend_search_step(search, slice, NULL) == WEND_STATUS_PENDING) continue;
    wend_completion result = result_now(search);
    return result;
}

/* ---- the bound ---- */

/* The bound as a fraction: `manhattan` exceeds the cost by at most 2 S to D, and 3 S to T. */
static bool is_within(const world *w, const wend_request *request, int64_t cost, int64_t optimum) {
    int64_t most = 1, least = 1;
    const int64_t s = w->rules.cost_straight, d = w->rules.cost_diagonal, t = w->rules.cost_space;
    const int32_t neighbours = w->rules.neighbours;
    const bool diagonals = w->kind != WEND_KIND_GRAPH && neighbours != 4 && neighbours != 6;
    if (read_options(request).heuristic == WEND_HEURISTIC_MANHATTAN && diagonals) most = 2 * s, least = d;
    if (least > 1 && neighbours == 26 && 3 * s * d > 2 * s * t) most = 3 * s, least = t;
    const int64_t weight =
        read_options(request).heuristic == WEND_HEURISTIC_ZERO ? 1000 : read_options(request).weight_milli;
    return cost * 1000 * least <= optimum * weight * most;
}

static bool is_strict(const world *w, const wend_request *request) {
    const int32_t neighbours = w->rules.neighbours;
    const bool diagonals = w->kind != WEND_KIND_GRAPH && neighbours != 4 && neighbours != 6;
    if (read_options(request).heuristic == WEND_HEURISTIC_ZERO) return false;
    return read_options(request).weight_milli > 1000 ||
           (read_options(request).heuristic == WEND_HEURISTIC_MANHATTAN && diagonals);
}

/* Among units a longer search looks back from its goals, which takes expansions, too. */
static bool looks_back(const wend_request *request, uint64_t expansions) {
    return read_options(request).occupied == WEND_OCCUPIED_BLOCK && expansions > 200;
}

static int64_t dearer, strict;
static rig counter;

static void check(const world *w, const wend_request *request, wend_search *search, uint64_t slice) {
    static wend_cell cells[CELLS];
    const world_answer best = world_ask(w, request);
    const wend_completion got = solve(search, request, slice);
    size_t closed, count;
    cr_assert_eq(got.status, best.status);
    if (is_strict(w, request) && got.expansions > 0 && !looks_back(request, got.expansions)) {
        const uint64_t nodes = rig_count_nodes(&counter, request, &closed);
        cr_assert_eq(nodes, closed, "%lu expansions of %lu nodes", (unsigned long)nodes, (unsigned long)closed);
        cr_assert_geq(got.expansions, nodes, "each counts at least once");
        strict++;
    }
    if (best.cost < 0) return;
    cr_assert_geq(got.cost, best.cost);
    if (got.status == WEND_STATUS_FOUND)
        cr_assert(is_within(w, request, got.cost, best.cost), "kind %d, heuristic %d, weight %d: %lld, not %lld",
                  w->kind, read_options(request).heuristic, read_options(request).weight_milli, (long long)got.cost,
                  (long long)best.cost);
    cr_assert_eq(wend_search_get_path(search, cells, CELLS, &count), WEND_OK);
    cr_assert_eq(world_walk(w, request, cells, count), got.cost);
    dearer += got.cost > best.cost;
}

static void try_worlds(const world_options *options, bool special, int worlds, uint64_t seed) {
    static world w;
    static const int32_t weights[] = {1000, 1001, 1200, 1500, 2000, 5000, WEND_WEIGHT_MAX_MILLI};
    static const int32_t heuristics[] = {WEND_HEURISTIC_EXACT, WEND_HEURISTIC_EXACT, WEND_HEURISTIC_MANHATTAN,
                                         WEND_HEURISTIC_EUCLID};
    oracle_random random = {seed};
    wend_search *search = make_search(1 << 16);
    rig_make(&counter, 256, 0);
    worlds = enough_or_many(worlds / 12, worlds);
    for (int i = 0; i < worlds; i++) {
        world_fill(&w, &random, options);
        OWNED_MAP *map = world_map(&w);
        for (int query = 0; query < QUERIES; query++) {
            wend_cell goals[WORLD_GOALS];
            wend_request request = world_request(&w, &random, special, goals);
            request.map = map;
            options_of(&request)->engine = (i + query) % 3;
            options_of(&request)->weight_milli = weights[oracle_below(&random, 7)];
            options_of(&request)->heuristic = heuristics[oracle_below(&random, 4)];
            check(&w, &request, search, 1 + (uint64_t)oracle_below(&random, 40));
        }
    }
    wend_search_destroy(search);
    rig_free(&counter);
    cr_assert_gt(strict, worlds);
    cr_assert_gt(dearer, worlds / 40, "weights cost something in %ld searches only", (long)dearer);
}

Test(weights, s8_keep_the_bound_on_grids) {
    const world_options options = {WEND_KIND_GRID, true, false, true, true, false};
    try_worlds(&options, false, 1500, 1);
}

Test(weights, s8_keep_the_bound_on_even_grids) {
    const world_options options = {WEND_KIND_GRID, false, false, false, false, false};
    try_worlds(&options, false, 3000, 2);
}

Test(weights, s8_keep_the_bound_on_grids_with_everything) {
    const world_options options = {WEND_KIND_GRID, true, true, true, true, true};
    try_worlds(&options, true, 1500, 3);
}

Test(weights, s8_keep_the_bound_in_space) {
    const world_options plain = {WEND_KIND_VOXEL, true, false, false, false, false};
    const world_options full = {WEND_KIND_VOXEL, true, true, true, true, true};
    try_worlds(&plain, false, 600, 4);
    try_worlds(&full, true, 600, 5);
}

Test(weights, s8_keep_the_bound_on_graphs) {
    const world_options plain = {WEND_KIND_GRAPH, true, false, false, false, false};
    const world_options full = {WEND_KIND_GRAPH, true, true, false, true, true};
    try_worlds(&plain, false, 1000, 6);
    try_worlds(&full, true, 1000, 7);
}

/* ---- the estimate ---- */

/* No step lowers the estimate by more than it costs: with that, a closed node need not be opened again. `manhattan` may
 * fall by its excess. */
static void try_estimates(const world_options *options, int worlds, uint64_t seed) {
    static world w;
    oracle_random random = {seed};
    worlds = few_or_many(worlds / 3, worlds);
    for (int i = 0; i < worlds; i++) {
        wend_cell goals[WORLD_GOALS];
        wend__heuristic heuristic;
        world_fill(&w, &random, options);
        OWNED_MAP *map = world_map(&w);
        wend__version *version = wend__map_acquire(map, true);
        wend_request request = world_request(&w, &random, true, goals);
        request.map = map;
        options_of(&request)->heuristic = oracle_below(&random, 3);
        wend__heuristic_set(&heuristic, version, KEPT(&request));
        for (int from = 0; from < w.cells; from++)
            for (int to = 0; to < w.cells; to++) {
                const wend_cell a = world_cell(&w, from), b = world_cell(&w, to);
                const uint64_t cost = world_step(&w, &request, a, b);
                if (cost == UINT64_MAX) continue;
                const uint64_t fall = wend__heuristic_estimate(&heuristic, a),
                               left = wend__heuristic_estimate(&heuristic, b);
                cr_assert(fall <= left || is_within(&w, &request, (int64_t)(fall - left), (int64_t)cost),
                          "kind %d, heuristic %d: a step of %llu lowers the estimate by %llu", w.kind,
                          read_options(&request).heuristic, (unsigned long long)cost,
                          (unsigned long long)(fall - left));
            }
        wend__map_release(version, true);
    }
}

Test(weights, estimates_are_consistent_on_grids) {
    const world_options options = {WEND_KIND_GRID, true, true, true, true, true};
    try_estimates(&options, 400, 11);
}

Test(weights, estimates_are_consistent_in_space) {
    const world_options options = {WEND_KIND_VOXEL, true, true, true, true, true};
    try_estimates(&options, 300, 12);
}

Test(weights, estimates_are_consistent_on_graphs) {
    const world_options options = {WEND_KIND_GRAPH, true, true, false, true, true};
    try_estimates(&options, 300, 13);
}

/* ---- saved expansions ---- */

static wend_request request_on(wend_map *map, wend_cell start, wend_cell goal, int32_t heuristic, int32_t weight) {
    wend_request request = path_request(map, start, goal);
    options_of(&request)->engine = WEND_ENGINE_ASTAR;
    options_of(&request)->heuristic = heuristic, options_of(&request)->weight_milli = weight;
    return request;
}

/* Straight to the goal: as many nodes as cells, and no path is cheaper. `reach` is for the general engine. */
Test(weights, go_straight_to_the_goal_on_an_empty_map) {
    OWNED_MAP *map = NULL;
    map = grid_map(200, 150);
    OWNED_SEARCH *search = make_search(1 << 18);
    for (int32_t heuristic = WEND_HEURISTIC_EXACT; heuristic <= WEND_HEURISTIC_EUCLID; heuristic++)
        for (int32_t general = 0; general < 2; general++) {
            wend_request request = request_on(map, (wend_cell){10, 20, 0}, (wend_cell){180, 90, 0}, heuristic, 5000);
            options_of(&request)->occupied = general ? 7 : WEND_OCCUPIED_IGNORE;
            const wend_completion got = solve(search, &request, WEND_NO_LIMIT);
            cr_assert_eq(got.cost, 70 * 14 + 100 * 10, "heuristic %d: %lld", heuristic, (long long)got.cost);
            if (heuristic == WEND_HEURISTIC_EUCLID) continue; /* the estimate is below the remaining cost */
            size_t closed = 0;
            cr_assert_eq(wend_search_get_expanded(search, NULL, 0, &closed), WEND_OK);
            cr_assert_eq(closed, got.cell_count, "heuristic %d: %lu", heuristic, (unsigned long)closed);
        }
}

/* On lands of many kinds together: never many more than without a weight, and far fewer in all. */
Test(weights, save_expansions) {
    static world l;
    static const int32_t weights[] = {1200, 1500, 2000, 5000};
    oracle_random random = {21};
    uint64_t plain = 0, weighted[4] = {0};
    OWNED_SEARCH *search = make_search(1 << 18);
    for (int i = 0; i < 200; i++) {
        const wend_map_rules rules = default_rules();
        world_fill_even(&l, &random, &rules);
        OWNED_MAP *map = world_map(&l);
        for (int query = 0; query < QUERIES; query++) {
            const wend_cell start = world_cell_near(&l, &random, (wend_cell){0, 0, 0}),
                            goal = world_cell_near(&l, &random, start);
            wend_request request = request_on(map, start, goal, WEND_HEURISTIC_EXACT, 1000);
            plain += solve(search, &request, WEND_NO_LIMIT).expansions;
            for (int k = 0; k < 4; k++) {
                options_of(&request)->weight_milli = weights[k];
                weighted[k] += solve(search, &request, WEND_NO_LIMIT).expansions;
            }
        }
    }
    cr_assert_gt(plain, 100000);
    for (int k = 0; k < 4; k++)
        cr_assert_lt(weighted[k], k == 0 ? plain * 95 / 100 : weighted[k - 1] * 105 / 100, "weight %d: %lu of %lu",
                     weights[k], (unsigned long)weighted[k], (unsigned long)plain);
}

/* With pages that come one by one, and stale entries removed after each slice. */
Test(weights, give_the_same_path_in_slices_with_stale_entries_removed) {
    static world l;
    oracle_random random = {22};
    rig r;
    uint64_t removed = 0;
    rig_make(&r, 64, 0x5a);
    for (int i = 0; i < 60; i++) {
        const wend_map_rules rules = default_rules();
        world_fill_even(&l, &random, &rules);
        OWNED_MAP *map = world_map(&l);
        wend__version *version = wend__map_acquire(map, true);
        for (int query = 0; query < QUERIES; query++) {
            const wend_cell start = world_cell_near(&l, &random, (wend_cell){0, 0, 0}),
                            goal = world_cell_near(&l, &random, start);
            const wend_request request = request_on(map, start, goal, WEND_HEURISTIC_EXACT, 1000 + 100 * (query + 1));
            uint64_t cost = 0, steps = 0;
            for (int tight = 0; tight < 2; tight++) {
                wend__search *s = r.search;
                wend__search_begin(s, version, KEPT(&request));
                while (s->status == WEND_STATUS_PENDING) {
                    wend__search_step(s, &r.stock, tight ? 7 : WEND_NO_LIMIT);
                    if (s->starved) wend__pool_grant(&r.pool, &r.stock, s->wants_pages, s->wants_open);
                    if (!tight || !s->begun || s->status != WEND_STATUS_PENDING) continue;
                    const uint32_t spare = s->open.spare;
                    wend__search_compact(s);
                    removed += s->open.spare - spare;
                }
                if (tight == 0) cost = s->cost, steps = s->steps;
                cr_assert_eq(s->cost, cost);
                cr_assert_eq(s->steps, steps);
                wend__search_drop(s);
                wend__pool_return(&r.pool, &r.stock);
            }
        }
        wend__map_release(version, true);
    }
    rig_free(&r);
    cr_assert_gt(removed, 100);
}
