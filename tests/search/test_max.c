/* SPDX-License-Identifier: MIT */
/* The most expansions that a request may take: a request that needs E is answered with E, and ends as `limit` with one
 * less; on worlds of all kinds, by every engine, in slices of any size, with pages that come one by one. */
#include "models/worlds.h"
#include "models/few_or_many.h"
#include "search/search_rig.h"
#include "models/worlds.h"
#include "models/options.h"
#include "models/kept.h"
#include "fast/acceleration.h"
#include "fast/jump/grid_jump.h"
#include "fast/jump_stops/stop_search.h"

#include <criterion/criterion.h>

enum { QUERIES = 6, PAGES = 512, ENGINES = 7 };

typedef struct answer {
    wend_status status;
    uint64_t cost, steps, expansions;
} answer;

static rig r;
static uint32_t served[ENGINES]; ///< requests that were searched by each
static uint32_t ends[4];         ///< found, partial, no_path, goal_blocked

static unsigned engine_of(const wend__search *s) {
    return s->engine == &wend__general_astar ? 0
           : s->engine == &wend__graph_astar ? 1
           : s->engine == &wend__voxel_astar ? 2
           : s->engine == &wend__grid_jump   ? 3
           : s->engine == &wend__stop_jump   ? 6
           : wend__grid_of(s)->strict        ? 4
                                             : 5;
}

static void feed(wend__search *s, uint32_t pages) {
    cr_assert_gt(wend__pool_free_pages(&r.pool), 0);
    cr_assert_gt(wend__pool_free_open(&r.pool), 0);
    wend__pool_grant(&r.pool, &r.stock, s->wants_pages ? pages : 0, s->wants_open ? pages : 0);
}

/* Runs as wend_search_step() does, but grants `pages` pages at a time. */
static answer solve(const wend_request *request, uint64_t most, uint64_t slice, uint32_t pages) {
    wend__version *version = wend__map_acquire(request->map, true);
    wend__search *s = r.search;
    wend__search_begin(s, version, KEPT(request));
    if (s->status == WEND_STATUS_PENDING && most == WEND_NO_LIMIT) served[engine_of(s)]++;
    while (s->status == WEND_STATUS_PENDING) {
        const uint64_t left = most - s->expansions;
        wend__search_step(s, &r.stock, left < slice ? left : slice);
        if (s->status != WEND_STATUS_PENDING) break;
        if (!s->starved && s->expansions == most && wend__search_conclude(s, &r.stock)) {
            if (s->status == WEND_STATUS_PENDING) s->status = WEND_STATUS_LIMIT;
            break;
        }
        if (s->starved) feed(s, pages);
    }
    const bool way = s->status == WEND_STATUS_FOUND || s->status == WEND_STATUS_PARTIAL;
    const answer a = {s->status, way ? s->cost : 0, way ? s->steps : 0, s->expansions};
    wend__search_drop(s);
    wend__pool_return(&r.pool, &r.stock);
    wend__map_release(version, true);
    return a;
}

static void expect(const wend_request *request, uint64_t most, uint64_t slice, uint32_t pages, answer as) {
    const answer got = solve(request, most, slice, pages);
    cr_assert_eq(got.status, as.status, "%s, not %s, with max=%lu in slices of %lu", wend_status_name(got.status),
                 wend_status_name(as.status), (unsigned long)most, (unsigned long)slice);
    cr_assert_eq(got.expansions, as.expansions);
    cr_assert_eq(got.cost, as.cost);
    cr_assert_eq(got.steps, as.steps);
}

/* The public search does the same. */
static void expect_public(wend_search *search, wend_request request, uint64_t slice, answer as) {
    options_of(&request)->max_expansions = as.expansions;
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    while (wend_search_step(search, slice, NULL) == WEND_STATUS_PENDING) continue;
    wend_completion completion = result_now(search);
    cr_assert_eq(completion.status, as.status);
    cr_assert_eq(completion.expansions, as.expansions);
    if (completion.cost >= 0) cr_assert_eq((uint64_t)completion.cost, as.cost);
}

static void check(const wend_request *request, oracle_random *random, wend_search *search) {
    static const uint64_t slices[] = {1, 2, 5, 17, 100, WEND_NO_LIMIT};
    const answer free = solve(request, WEND_NO_LIMIT, WEND_NO_LIMIT, WEND__STOCK);
    if (free.status == WEND_STATUS_FOUND) ends[0]++;
    if (free.status == WEND_STATUS_PARTIAL) ends[1]++;
    if (free.status == WEND_STATUS_NO_PATH && free.expansions > 0) ends[2]++;
    if (free.status == WEND_STATUS_GOAL_BLOCKED) ends[3]++;
    for (unsigned i = 0; i < 2; i++) {
        const uint64_t slice = slices[oracle_below(random, sizeof slices / sizeof *slices)];
        const uint32_t pages = 1 + (uint32_t)oracle_below(random, 3);
        expect(request, free.expansions, slice, pages, free);
        expect(request, free.expansions + 1, slice, pages, free);
        if (free.expansions == 0) continue;
        const uint64_t less = i == 0 ? free.expansions - 1 : (uint64_t)oracle_below(random, (int)free.expansions);
        expect(request, less, slice, pages, (answer){WEND_STATUS_LIMIT, 0, 0, less});
        expect_public(search, *request, slice, free);
    }
}

static void vary(wend_request *request, oracle_random *random) {
    static const int32_t weights[] = {1000, 1000, 1000, 1300, 4000};
    options_of(request)->heuristic = oracle_below(random, 3) ? WEND_HEURISTIC_EXACT : oracle_below(random, 4);
    options_of(request)->weight_milli = weights[oracle_below(random, 5)];
    options_of(request)->engine = oracle_below(random, 3);
}

static wend_search *begin_test(void) {
    wend_search_def def = default_search();
    def.nodes = PAGES * WEND_PAGE_NODES;
    wend_search *search = made_search(&def);
    rig_make(&r, PAGES, 0xa5);
    return search;
}

static void end_test(wend_search *search) {
    rig_free(&r);
    wend_search_destroy(search);
}

static void try_worlds(const world_options *options, bool special, int worlds, uint64_t seed) {
    static world w;
    oracle_random random = {seed};
    wend_search *search = begin_test();
    for (int i = 0; i < worlds; i++) {
        world_fill(&w, &random, options);
        OWNED_MAP *map = world_map(&w);
        if (w.kind == WEND_KIND_GRID && i % 2) cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
        for (int query = 0; query < QUERIES; query++) {
            wend_cell goals[WORLD_GOALS];
            wend_request request = world_request(&w, &random, special, goals);
            request.map = map;
            vary(&request, &random);
            check(&request, &random, search);
        }
    }
    end_test(search);
}

Test(search_max, what_needs_so_many_gets_by_with_them_on_grids) {
    const world_options plain = {WEND_KIND_GRID, true, false, true, true, false};
    const world_options full = {WEND_KIND_GRID, true, true, true, true, true};
    const unsigned worlds = (unsigned)enough_or_many(200, 800);
    try_worlds(&plain, false, (int)worlds, 1);
    try_worlds(&full, true, (int)worlds, 2);
    cr_assert(served[0] > worlds / 2 && served[4] > worlds / 4 && served[5] > worlds / 2, "%u %u %u", served[0],
              served[4], served[5]);
    cr_assert_gt(served[6], worlds / 50, "%u by jump search with stops", served[6]);
    cr_assert(ends[0] > worlds / 2 && ends[1] > worlds / 8 && ends[2] > worlds / 16, "%u %u %u", ends[0], ends[1],
              ends[2]);
}

Test(search_max, what_needs_so_many_gets_by_with_them_in_space) {
    const world_options plain = {WEND_KIND_VOXEL, true, false, true, false, false};
    const world_options full = {WEND_KIND_VOXEL, true, true, true, true, true};
    const unsigned worlds = (unsigned)enough_or_many(150, 600);
    try_worlds(&plain, false, (int)worlds, 3);
    try_worlds(&full, true, (int)worlds, 4);
    cr_assert(served[0] > worlds * 5 / 6 && served[2] > worlds / 2, "%u %u", served[0], served[2]);
}

Test(search_max, what_needs_so_many_gets_by_with_them_on_graphs) {
    const world_options plain = {WEND_KIND_GRAPH, true, false, false, false, false};
    const world_options full = {WEND_KIND_GRAPH, true, true, false, true, true};
    const unsigned worlds = (unsigned)enough_or_many(200, 800);
    try_worlds(&plain, false, (int)worlds, 5);
    try_worlds(&full, true, (int)worlds, 6);
    cr_assert(served[0] > worlds / 2 && served[1] > worlds / 2, "%u %u", served[0], served[1]);
}

/* Costs such that buckets hold several costs: the goal's is emptied before the end. */
Test(search_max, what_needs_so_many_gets_by_with_them_on_large_ground) {
    static world l;
    static const int costs[][2] = {{10, 14}, {1000, 1414}, {7, 10}, {100, 199}, {9999, 14141}};
    oracle_random random = {7};
    wend_search *search = begin_test();
    for (int i = 0; i < 250; i++) {
        const int pair = oracle_below(&random, 5);
        wend_map_rules rules = default_rules();
        rules.cost_straight = costs[pair][0], rules.cost_diagonal = costs[pair][1];
        world_fill_even(&l, &random, &rules);
        OWNED_MAP *map = world_map(&l);
        cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
        if (i % 2) wend__map_prepare_landmarks(map, 4);
        wend_cell near = {0, 0, 0};
        for (int query = 0; query < QUERIES; query++) {
            wend_request request = default_request();
            request.map = map, request.start = world_cell_near(&l, &random, near);
            request.goal = near = world_cell_near(&l, &random, request.start);
            options_of(&request)->engine = oracle_below(&random, 3) ? WEND_ENGINE_JUMP : WEND_ENGINE_ASTAR;
            check(&request, &random, search);
        }
    }
    cr_assert(served[3] > 300 && served[5] > 100, "%u %u", served[3], served[5]);
    end_test(search);
}

Test(search_max, nothing_is_searched_with_none) {
    wend_search *search = begin_test();
    wend_map *map = grid_map(8, 8);
    wend_request request = default_request();
    request.map = map, request.goal = (wend_cell){5, 3, 0};
    expect(&request, 0, 10, 1, (answer){WEND_STATUS_LIMIT, 0, 0, 0});
    request.goal = request.start;
    expect(&request, 0, 10, 1, (answer){WEND_STATUS_FOUND, 0, 0, 0});
    wend_map_release(map);
    end_test(search);
}
