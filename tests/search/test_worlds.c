/* SPDX-License-Identifier: MIT */
/* 100,000 random queries on worlds of every kind, with everything that a request may ask for, against an independent
 * Dijkstra; every path walked again by the rules. */
#include "models/fast.h"
#include "models/few_or_many.h"
#include "models/worlds.h"
#include "models/options.h"
#include "fast/acceleration.h"
#include "fast/stops/units.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <wend/query.h>

enum { QUERIES = 10 };

static const char *describe(const world *w, const wend_request *r, int number) {
    static char text[400];
    snprintf(text, sizeof text,
             "world %d: kind %d, %d x %d x %d, wrap %d, neighbours %d, corners %d, links %d, edges %d; (%d,%d,%d) to "
             "(%d,%d,%d), "
             "mover %d size %d, reach %d, goals %u, mode %d, occupied %d within %d, heuristic %d, flags %u",
             number, w->kind, w->width, w->height, w->depth, w->wrap, w->rules.neighbours, w->rules.corners,
             w->link_count, w->edge_count, r->start.x, r->start.y, r->start.z, r->goal.x, r->goal.y, r->goal.z,
             r->mover, w->movers[r->mover].size, r->reach, read_options(r).more_goal_count + 1, r->mode,
             read_options(r).occupied, read_options(r).occupied_within, read_options(r).heuristic,
             read_options(r).leave_blocked_start);
    return text;
}

/* A goal that a search finds can be reached. */
static void check_reachable(const world *w, const wend_request *r, int number) {
    bool reachable;
    if (!world_factor(w, r->mover, r->start) || r->reach > 0 || read_options(r).more_goal_count > 0) return;
    const wend_error error = wend_map_reachable(r->map, r->mover, r->start, r->goal, &reachable);
    cr_assert(error == WEND_UNSUPPORTED || (error == WEND_OK && reachable), "%s", describe(w, r, number));
}

static void check(const world *w, const wend_request *r, wend_search *search, world_answer expected, int number) {
    static wend_cell cells[WORLD_WIDE];
    wend_completion got = result_now(search);
    cr_assert_eq(got.status, expected.status, "%s, not %s\n%s", wend_status_name(got.status),
                 wend_status_name(expected.status), describe(w, r, number));
    cr_assert_eq(got.cost, expected.cost, "%lld, not %lld\n%s", (long long)got.cost, (long long)expected.cost,
                 describe(w, r, number));
    if (expected.status == WEND_STATUS_FOUND) check_reachable(w, r, number);
    if (expected.cost < 0) return;
    size_t count;
    cr_assert_eq(wend_search_get_path(search, cells, WORLD_WIDE, &count), WEND_OK);
    cr_assert(same_cell(cells[0], r->start), "%s", describe(w, r, number));
    if (expected.status == WEND_STATUS_PARTIAL)
        cr_assert(same_cell(cells[count - 1], expected.end), "%s", describe(w, r, number));
    cr_assert_eq(world_walk(w, r, cells, count), expected.cost, "%s", describe(w, r, number));
}

static void add_landmarks(wend_map *map, int32_t mover, int32_t count) {
    wend_acceleration def = default_acceleration();
    def.mover = mover, def.tables = 0, def.landmarks = count;
    const wend_error error = wend_map_accelerate(map, &def);
    cr_assert(error == WEND_OK || error == WEND_UNSUPPORTED); /* depends on the costs */
}

typedef void fill_fn(world *w, oracle_random *random, const world_options *options);

static void try_worlds_of(fill_fn *fill, const world_options *options, bool special, int worlds, uint64_t seed) {
    static world w;
    oracle_random random = {seed};
    wend_search_def def = default_search();
    def.nodes = 1 << 16;
    OWNED_SEARCH *search = made_search(&def);
    worlds = few_or_many(worlds / 6, worlds);
    for (int i = 0; i < worlds; i++) {
        fill(&w, &random, options);
        OWNED_MAP *map = world_map(&w);
        if (w.kind == WEND_KIND_GRID && i % 2) {
            cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
            const wend_error error = wend__map_prepare_landmarks(map, i / 2 % 9);
            cr_assert(error == WEND_OK || error == WEND_UNSUPPORTED); /* depends on the costs */
            if (i % 4 == 1) wend__units_want(map);
        } else if (w.kind != WEND_KIND_GRID && i % 2) {
            add_landmarks(map, oracle_below(&random, w.mover_count), 1 + i / 2 % 8);
        }
        for (int query = 0; query < QUERIES; query++) {
            wend_cell goals[WORLD_GOALS];
            wend_request request = world_request(&w, &random, special, goals);
            request.map = map;
            options_of(&request)->engine = (i + query) % 3;
            cr_assert_eq(wend_search_begin(search, &request), WEND_OK, "%s", describe(&w, &request, i));
            uint64_t slice = 1 + (uint64_t)oracle_below(&random, 40);
            while (wend_search_step(search, slice, NULL) == WEND_STATUS_PENDING)
                ;
            check(&w, &request, search, world_ask(&w, &request), i);
        }
    }
}

static void try_worlds(const world_options *options, bool special, int worlds, uint64_t seed) {
    try_worlds_of(world_fill, options, special, worlds, seed);
}

Test(search_worlds, grids_with_links_steps_movers_and_occupants) {
    const world_options options = {WEND_KIND_GRID, true, true, true, true, true};
    try_worlds(&options, true, 2000, 1);
}

Test(search_worlds, grids_with_movers_and_steps_take_the_fast_engine) {
    const world_options options = {WEND_KIND_GRID, true, false, true, true, false};
    try_worlds(&options, false, 1000, 2);
}

Test(search_worlds, s11_grids_with_links) {
    const world_options options = {WEND_KIND_GRID, false, true, false, false, false};
    try_worlds(&options, false, 1500, 3);
}

Test(search_worlds, s24_s25_s5_plain_grids_with_special_goals) {
    const world_options options = {WEND_KIND_GRID, true, false, false, false, true};
    try_worlds(&options, true, 1500, 4);
}

static void fill_four(world *w, oracle_random *random, const world_options *options) {
    do world_fill(w, random, options);
    while (w->rules.neighbours != 4);
}

Test(search_worlds, s24_grids_with_4_neighbours_and_units) {
    const world_options options = {WEND_KIND_GRID, true, false, true, true, true};
    try_worlds_of(fill_four, &options, true, 1500, 13);
}

Test(search_worlds, even_grids_with_4_neighbours_take_jump_search) {
    const world_options options = {WEND_KIND_GRID, false, false, false, true, true};
    try_worlds_of(fill_four, &options, true, 1500, 14);
}

Test(search_worlds, s36_grids_that_wrap) {
    const world_options plain = {WEND_KIND_GRID, true, false, false, false, false};
    try_worlds_of(world_fill_wrapping, &plain, true, 1500, 15);
    const world_options options = {WEND_KIND_GRID, true, true, true, true, true};
    try_worlds_of(world_fill_wrapping, &options, true, 1500, 16);
}

Test(search_worlds, voxels) {
    const world_options options = {WEND_KIND_VOXEL, true, false, false, false, false};
    try_worlds(&options, false, 1000, 5);
}

Test(search_worlds, voxels_with_everything) {
    const world_options options = {WEND_KIND_VOXEL, true, true, true, true, true};
    try_worlds(&options, true, 1000, 6);
}

Test(search_worlds, s13_graphs) {
    const world_options options = {WEND_KIND_GRAPH, true, false, false, false, false};
    try_worlds(&options, false, 1000, 7);
}

Test(search_worlds, graphs_with_everything) {
    const world_options options = {WEND_KIND_GRAPH, true, true, false, true, true};
    try_worlds(&options, true, 1000, 8);
}

/* Worlds of which a search can expand more than it does before it looks back from its goals. */
Test(search_worlds, s24_large_grids_with_units) {
    const world_options options = {WEND_KIND_GRID, true, true, true, true, true};
    try_worlds_of(world_fill_large, &options, true, 150, 9);
    const world_options plain = {WEND_KIND_GRID, false, false, false, false, true};
    try_worlds_of(world_fill_large, &plain, true, 150, 10);
}

Test(search_worlds, s24_large_spaces_and_graphs_with_units) {
    const world_options space = {WEND_KIND_VOXEL, true, true, true, true, true};
    try_worlds_of(world_fill_large, &space, true, 60, 11);
    const world_options graph = {WEND_KIND_GRAPH, true, true, false, true, true};
    try_worlds_of(world_fill_large, &graph, true, 60, 12);
}

/* ---- grids of several chunks: over the rim, and of hexagons ---- */

static uint64_t jumped, led;

static void accelerate_all(const world *w, wend_map *map, int landmarks) {
    wend_acceleration def = default_acceleration();
    for (def.mover = 0; def.mover < w->mover_count; def.mover++) {
        def.tables = 1, def.landmarks = landmarks;
        wend_error error = wend_map_accelerate(map, &def);
        if (error == WEND_UNSUPPORTED) def.landmarks = 0, error = wend_map_accelerate(map, &def);
        cr_assert(error == WEND_OK || error == WEND_UNSUPPORTED); /* depends on the rules */
        led += error == WEND_OK && def.landmarks > 0;
    }
}

/* Two starts, and some goals of each. */
static void ask_wide(const world *w, wend_map *map, wend_search *search, oracle_random *random, int number) {
    static int64_t distances[WORLD_WIDE];
    for (int start = 0; start < 2; start++) {
        wend_request request = default_request();
        request.map = map, request.mover = oracle_below(random, w->mover_count);
        request.start = world_pick(w, random, request.mover);
        if (oracle_below(random, 5) == 0) options_of(&request)->occupied = WEND_OCCUPIED_BLOCK;
        world_flood(w, &request, request.start, distances);
        for (int goal = 0; goal < QUERIES; goal++) {
            request.goal = world_pick(w, random, request.mover);
            request.reach = goal % 4 ? 0 : oracle_below(random, 6);
            request.mode = goal % 5 ? WEND_MODE_EXACT : WEND_MODE_NEAREST;
            options_of(&request)->engine = (number + goal) % 3;
            cr_assert_eq(wend_search_begin(search, &request), WEND_OK, "%s", describe(w, &request, number));
            const uint64_t slice = goal % 2 ? WEND_NO_LIMIT : 7;
            while (wend_search_step(search, slice, NULL) == WEND_STATUS_PENDING)
                ;
            check(w, &request, search, world_ask_flooded(w, &request, distances), number);
            jumped += result_now(search).engine == WEND_ENGINE_JUMP;
        }
    }
}

static wend_search *wide_search(void) {
    wend_search_def def = default_search();
    def.nodes = 1 << 17;
    return made_search(&def);
}

/* Asked before edits near the rim, and after each of three. */
static void try_wide(world *w, wend_search *search, oracle_random *random, int number) {
    OWNED_MAP *map = world_map(w);
    accelerate_all(w, map, number % 3 ? 4 : 0);
    ask_wide(w, map, search, random, number);
    for (int edits = 0; edits < 3; edits++) {
        IN_BATCH(map, world_edit_rim(w, random, edit));
        world_derive(w);
        ask_wide(w, map, search, random, number);
    }
}

/* Sides that chunks divide, that exceed them by a cell, and any others. */
static int wide_side(oracle_random *random) {
    static const int sides[] = {64, 128, 65, 127};
    return oracle_below(random, 2) ? sides[oracle_below(random, 4)] : WEND_MIN_WRAPPED + oracle_below(random, 140);
}

Test(search_worlds, s36_wide_grids_that_wrap_before_and_after_edits_of_the_rim) {
    static world w;
    oracle_random random = {17};
    OWNED_SEARCH *search = wide_search();
    const int worlds = few_or_many(40, 1000);
    for (int i = 0; i < worlds; i++) {
        const int width = wide_side(&random), height = wide_side(&random);
        world_fill_sized(&w, &random, width, height, 1 + i % 3);
        if (i % 5 > 2) w.rules.corners = i / 5 % 3, world_derive(&w);
        try_wide(&w, search, &random, i);
    }
    cr_assert(!HAS_FAST || (jumped > 20 * (uint64_t)worlds && led > (uint64_t)worlds / 4), "%d %d", (int)jumped,
              (int)led);
}

Test(search_worlds, wide_grids_of_hexagons) {
    static world w;
    oracle_random random = {18};
    OWNED_SEARCH *search = wide_search();
    const int worlds = few_or_many(20, 500);
    for (int i = 0; i < worlds; i++) {
        const int width = 65 + oracle_below(&random, 70), height = 65 + oracle_below(&random, 70);
        world_fill_sized(&w, &random, width, height, 0);
        for (int k = 1; k < w.mover_count; k++) w.movers[k].size = 1; /* hexagons have no larger ones */
        w.rules.neighbours = 6, world_derive(&w);
        try_wide(&w, search, &random, i);
    }
}
