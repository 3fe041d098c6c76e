/* SPDX-License-Identifier: MIT */
/* 100,000 random queries on worlds of every kind, with everything that a request may ask for, against an independent
 * Dijkstra; every path walked again by the rules. */
#include "models/few_or_many.h"
#include "models/worlds.h"
#include "models/options.h"
#include "fast/acceleration.h"
#include "fast/stops/units.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <wend/query.h>

enum { QUERIES = 10, CELLS = 4096 };

static const char *describe(const world *w, const wend_request *r, int number) {
    static char text[400];
    snprintf(
        text, sizeof text,
        "world %d: kind %d, %d x %d x %d, neighbours %d, corners %d, links %d, edges %d; (%d,%d,%d) to (%d,%d,%d), "
        "mover %d size %d, reach %d, goals %u, mode %d, occupied %d within %d, heuristic %d, flags %u",
        number, w->kind, w->width, w->height, w->depth, w->rules.neighbours, w->rules.corners, w->link_count,
        w->edge_count, r->start.x, r->start.y, r->start.z, r->goal.x, r->goal.y, r->goal.z, r->mover,
        w->movers[r->mover].size, r->reach, read_options(r).more_goal_count + 1, r->mode, read_options(r).occupied,
        read_options(r).occupied_within, read_options(r).heuristic, read_options(r).leave_blocked_start);
    return text;
}

/* A goal that a search finds can be reached. */
static void check_reachable(const world *w, const wend_request *r, int number) {
    bool reachable;
    if (!world_factor(w, r->mover, r->start) || r->reach > 0 || read_options(r).more_goal_count > 0) return;
    const wend_error error = wend_map_reachable(r->map, r->mover, r->start, r->goal, &reachable);
    cr_assert(error == WEND_UNSUPPORTED || (error == WEND_OK && reachable), "%s", describe(w, r, number));
}

static void check(const world *w, const wend_request *r, wend_search *search, int number) {
    static wend_cell cells[CELLS];
    const world_answer expected = world_ask(w, r);
    wend_completion got = result_now(search);
    cr_assert_eq(got.status, expected.status, "%s, not %s\n%s", wend_status_name(got.status),
                 wend_status_name(expected.status), describe(w, r, number));
    cr_assert_eq(got.cost, expected.cost, "%lld, not %lld\n%s", (long long)got.cost, (long long)expected.cost,
                 describe(w, r, number));
    if (expected.status == WEND_STATUS_FOUND) check_reachable(w, r, number);
    if (expected.cost < 0) return;
    size_t count;
    cr_assert_eq(wend_search_get_path(search, cells, CELLS, &count), WEND_OK);
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
            check(&w, &request, search, i);
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
