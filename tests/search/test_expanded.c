/* SPDX-License-Identifier: MIT */
/* The cells that a search has expanded: each once, by every engine, whenever it is asked. */
#include "models/fast.h"
#include "models/worlds.h"
#include "models/worlds.h"
#include "fast/acceleration.h"
#include "models/few_or_many.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 16, QUERIES = 5 };

static wend_cell cells[MOST], path[MOST];
static uint32_t jumps, others;

static wend_search *make_search(void) {
    wend_search_def def = default_search();
    def.nodes = 256 * WEND_PAGE_NODES;
    return made_search(&def);
}

static int compare_cells(const void *a, const void *b) {
    return memcmp(a, b, sizeof(wend_cell));
}

static bool has(size_t count, wend_cell cell) {
    return bsearch(&cell, cells, count, sizeof cell, compare_cells) != NULL;
}

/* Sorted; returns how many. */
static size_t get_expanded(const wend_search *search) {
    size_t count, again;
    cr_assert_eq(wend_search_get_expanded(search, NULL, 0, &count), WEND_OK);
    cr_assert_leq(count, MOST);
    cells[count / 2].z = -5;
    cr_assert_eq(wend_search_get_expanded(search, cells, count / 2, &again), WEND_OK);
    cr_assert_eq(again, count);
    cr_assert_eq(cells[count / 2].z, -5, "no more than there is room for");
    cr_assert_eq(wend_search_get_expanded(search, cells, count, &again), WEND_OK);
    qsort(cells, count, sizeof *cells, compare_cells);
    for (size_t i = 1; i < count; i++) cr_assert_neq(memcmp(&cells[i - 1], &cells[i], sizeof *cells), 0, "once each");
    return count;
}

/* Every cell of a path is expanded, by jump search its ends. Where buckets hold one cost each, all that A*
 * closes counts, and is closed once. */
static void check_end(const wend_search *search, const wend_request *request, size_t count, bool counted) {
    wend_completion completion = result_now(search);
    if (completion.expansions == 0) cr_assert_eq(count, 0);
    if (completion.engine == WEND_ENGINE_JUMP) {
        cr_assert_leq(count, completion.expansions);
        jumps += count > 2;
    } else {
        if (counted) cr_assert_eq(count, completion.expansions);
        others += count > 2;
    }
    if (completion.status != WEND_STATUS_FOUND || count == 0) return;
    cr_assert(has(count, request->start));
    size_t length;
    cr_assert_eq(wend_search_get_path(search, path, MOST, &length), WEND_OK);
    if (completion.engine != WEND_ENGINE_JUMP)
        for (size_t i = 0; i < length; i++) cr_assert(has(count, path[i]));
    else
        cr_assert(has(count, path[length - 1]));
}

static void check(wend_search *search, const wend_request *request, uint64_t slice, bool counted) {
    size_t count;
    cr_assert_eq(wend_search_begin(search, request), WEND_OK);
    cr_assert_eq(wend_search_get_expanded(search, NULL, 0, &count), WEND_OK);
    cr_assert_eq(count, 0, "nothing of the search before");
    while (wend_search_step(search, slice, NULL) == WEND_STATUS_PENDING) {
        wend_completion completion = result_now(search);
        const size_t known = get_expanded(search);
        if (counted) cr_assert_leq(known, completion.expansions);
    }
    check_end(search, request, get_expanded(search), counted);
}

static void try_worlds(const world_options *options, bool special, int worlds, uint64_t seed) {
    static world w;
    oracle_random random = {seed};
    OWNED_SEARCH *search = make_search();
    for (int i = 0; i < worlds; i++) {
        world_fill(&w, &random, options);
        OWNED_MAP *map = world_map(&w);
        for (int query = 0; query < QUERIES; query++) {
            wend_cell goals[WORLD_GOALS];
            wend_request request = world_request(&w, &random, special, goals);
            request.map = map;
            if (oracle_below(&random, 4) == 0) options_of(&request)->weight_milli = 1500;
            check(search, &request, 1 + (uint64_t)oracle_below(&random, 60), false);
        }
    }
}

Test(search_expanded, hold_the_path_on_worlds_of_all_kinds) {
    const unsigned worlds = (unsigned)few_or_many(36, 150);
    for (int kind = 0; kind < 3; kind++) {
        static const int kinds[] = {WEND_KIND_GRID, WEND_KIND_VOXEL, WEND_KIND_GRAPH};
        const world_options plain = {kinds[kind], true, false, false, true, false};
        const world_options full = {kinds[kind], true, true, kind < 2, true, true};
        try_worlds(&plain, false, (int)worlds, 21);
        try_worlds(&full, true, (int)worlds, 22);
    }
    cr_assert_gt(others, 3 * worlds);
}

Test(search_expanded, are_as_many_as_are_counted) {
    static world l;
    oracle_random random = {33};
    OWNED_SEARCH *search = make_search();
    const int lands = few_or_many(13, 150);
    for (int i = 0; i < lands; i++) {
        const wend_map_rules rules = default_rules();
        world_fill_even(&l, &random, &rules);
        OWNED_MAP *map = world_map(&l);
        cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
        for (int query = 0; query < QUERIES; query++) {
            wend_request request = path_request(map, world_cell_near(&l, &random, request.start),
                                                world_cell_near(&l, &random, request.start));
            options_of(&request)->engine = query % 2 ? WEND_ENGINE_JUMP : WEND_ENGINE_ASTAR;
            check(search, &request, 1 + (uint64_t)oracle_below(&random, 300), true);
        }
    }
    cr_assert((!HAS_FAST || jumps > (unsigned)lands / 3) && others > (unsigned)lands * 2 / 3, "%u %u", jumps, others);
}

Test(search_expanded, takes_no_count_and_refuses_no_room) {
    OWNED_SEARCH *search = make_search();
    size_t count = 7;
    cr_assert_eq(wend_search_get_expanded(search, cells, MOST, &count), WEND_OK);
    cr_assert_eq(count, 0, "it never began");
    cr_assert_eq(wend_search_get_expanded(search, cells, MOST, NULL), WEND_OK);
    cr_assert_eq(wend_search_get_expanded(search, NULL, 1, &count), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_search_get_expanded(NULL, NULL, 0, &count), WEND_BAD_ARGUMENT);
}
