/* SPDX-License-Identifier: MIT */
/* Prefixes of searches that have not ended: on worlds of every kind each is walked by the rules, its estimate is
 * compared with Dijkstra's answer, and the slices in which expansions were spent do not matter. */
#include "models/few_or_many.h"
#include "models/worlds.h"
#include "models/options.h"
#include "fast/acceleration.h"
#include "fast/stops/units.h"

#include <criterion/criterion.h>
#include <string.h>

enum { QUERIES = 6, CELLS = 4096, MARK = 0x5a5a5a5a };

/* The same request twice: one search in random slices, the other in one. */
typedef struct pair {
    wend_search *sliced, *whole;
    long prefixes, longest;
} pair;

static wend_search *make_search(uint64_t nodes) {
    wend_search_def def = default_search();
    def.nodes = nodes;
    return made_search(&def);
}

/* The estimate is at most the remaining cost. Units count by the request's own start, so they are left out. */
static void check_left(const world *w, const wend_request *request, wend_cell end, int64_t left) {
    const bool bound = read_options(request).heuristic == WEND_HEURISTIC_EXACT && request->mode == WEND_MODE_EXACT;
    if (!bound || read_options(request).occupied != WEND_OCCUPIED_IGNORE) return;
    wend_request rest = *request;
    rest.start = end;
    const world_answer answer = world_ask(w, &rest);
    if (answer.cost >= 0) cr_assert_leq(left, answer.cost);
}

static void check_way(const world *w, const wend_request *request, const wend_cell *cells, const wend_prefix *prefix) {
    cr_assert(same_cell(cells[0], request->start));
    const int64_t cost = world_walk(w, request, cells, prefix->cell_count);
    cr_assert(cost >= 0 && cost <= prefix->cost, "%lld, not %lld", (long long)cost, (long long)prefix->cost);
}

/* Only as many cells are written as there is room for. */
static void check_room(wend_search *search, const wend_cell *cells, size_t count) {
    const size_t room = count / 2;
    wend_cell few[8];
    memset(few, 0x5a, sizeof few);
    wend_prefix prefix = {.struct_bytes = sizeof prefix};
    cr_assert_eq(wend_search_get_prefix(search, few, room < 7 ? room : 7, &prefix), WEND_OK);
    cr_assert_eq(prefix.cell_count, count);
    for (size_t i = 0; i < 8; i++) cr_assert(i < room && i < 7 ? same_cell(few[i], cells[i]) : few[i].x == MARK);
    cr_assert_eq(wend_search_get_prefix(search, NULL, 0, NULL), WEND_OK);
}

static void compare(const world *w, const wend_request *request, pair *p) {
    static wend_cell cells[CELLS], others[CELLS];
    wend_prefix one = {.struct_bytes = sizeof one}, other = {.struct_bytes = sizeof other};
    memset(others, 0, sizeof others);
    const wend_error error = wend_search_get_prefix(p->sliced, cells, CELLS, &one);
    cr_assert_eq(wend_search_get_prefix(p->whole, others, CELLS, &other), error);
    if (error != WEND_OK) {
        cr_assert_eq(error, WEND_EMPTY);
        return;
    }
    cr_assert_eq(memcmp(&one, &other, sizeof one), 0, "after %lu expansions", (unsigned long)one.expansions);
    cr_assert_eq(memcmp(cells, others, one.cell_count * sizeof *cells), 0);
    check_way(w, request, cells, &one);
    check_room(p->sliced, cells, one.cell_count);
    if (one.whole) return; /* the search has ended, and owes expansions */
    cr_assert_gt(one.cell_count, 1);
    check_left(w, request, cells[one.cell_count - 1], one.left);
    p->prefixes++;
    if ((long)one.cell_count > p->longest) p->longest = (long)one.cell_count;
}

/* After a search has ended its prefix is its path. */
static void check_end(wend_search *search, wend_status status) {
    static wend_cell cells[CELLS], path[CELLS];
    wend_prefix prefix = {.struct_bytes = sizeof prefix};
    size_t count;
    const bool arrived = status == WEND_STATUS_FOUND || status == WEND_STATUS_PARTIAL;
    cr_assert_eq(wend_search_get_prefix(search, cells, CELLS, &prefix), arrived ? WEND_OK : WEND_EMPTY);
    if (!arrived) return;
    cr_assert_eq(wend_search_get_path(search, path, CELLS, &count), WEND_OK);
    cr_assert(prefix.whole && prefix.cell_count == count && prefix.left == 0);
    cr_assert_eq(memcmp(cells, path, count * sizeof *cells), 0);
}

static void try_request(const world *w, const wend_request *request, oracle_random *random, pair *p) {
    cr_assert_eq(wend_search_begin(p->sliced, request), WEND_OK);
    wend_status status = WEND_STATUS_PENDING;
    uint64_t spent = 0;
    (void)wend_search_step(p->sliced, 0, NULL);
    while (status == WEND_STATUS_PENDING) {
        uint64_t used;
        const int most = w->kind == WEND_KIND_GRAPH ? 12 : w->cells / 8 + 20;
        const uint64_t slice = 1 + (uint64_t)oracle_below(random, most);
        status = wend_search_step(p->sliced, slice, &used);
        spent += used;
        cr_assert_eq(wend_search_begin(p->whole, request), WEND_OK);
        (void)wend_search_step(p->whole, spent, NULL);
        if (status == WEND_STATUS_PENDING) compare(w, request, p); /* else only one of them may have seen its end */
    }
    check_end(p->sliced, status);
}

static void vary(wend_request *request, oracle_random *random) {
    const int chance = oracle_below(random, 8);
    if (chance < 3) options_of(request)->heuristic = WEND_HEURISTIC_MANHATTAN + chance;
    if (oracle_below(random, 4) == 0) options_of(request)->weight_milli = 1000 + oracle_below(random, 2000);
}

static void prepare(wend_map *map, const world *w, int number) {
    if (w->kind != WEND_KIND_GRID || number % 2 == 0) return;
    cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
    const wend_error error = wend__map_prepare_landmarks(map, number / 2 % 5);
    cr_assert(error == WEND_OK || error == WEND_UNSUPPORTED); /* depends on the costs */
    if (number % 4 == 1) wend__units_want(map);
}

typedef void fill_fn(world *w, oracle_random *random, const world_options *options);

static void try_worlds(fill_fn *fill, const world_options *options, bool special, int worlds, uint64_t seed) {
    static world w;
    oracle_random random = {seed};
    pair p = {make_search(1 << 16), make_search(1 << 16), 0, 0};
    worlds = enough_or_many((worlds + 3) / 4, worlds);
    for (int i = 0; i < worlds; i++) {
        fill(&w, &random, options);
        OWNED_MAP *map = world_map(&w);
        prepare(map, &w, i);
        for (int query = 0; query < QUERIES; query++) {
            wend_cell goals[WORLD_GOALS];
            wend_request request = world_request(&w, &random, special, goals);
            request.map = map;
            options_of(&request)->engine = (i + query) % 3;
            vary(&request, &random);
            try_request(&w, &request, &random, &p);
        }
    }
    cr_assert(p.prefixes > worlds && p.longest > 3, "%ld, the longest of %ld cells", p.prefixes, p.longest);
    wend_search_destroy(p.sliced);
    wend_search_destroy(p.whole);
}

Test(prefix, is_walkable_on_plain_grids) {
    const world_options options = {WEND_KIND_GRID, true, false, false, false, false};
    try_worlds(world_fill, &options, false, 150, 1);
    const world_options even = {WEND_KIND_GRID, false, false, false, false, false};
    try_worlds(world_fill_large, &even, false, 30, 2);
}

Test(prefix, is_walkable_on_grids_with_everything) {
    const world_options options = {WEND_KIND_GRID, true, true, true, true, true};
    try_worlds(world_fill, &options, true, 200, 3);
    try_worlds(world_fill_large, &options, true, 15, 4);
}

Test(prefix, is_walkable_among_links) {
    const world_options options = {WEND_KIND_GRID, false, true, false, false, false};
    try_worlds(world_fill, &options, false, 150, 5);
}

Test(prefix, s36_is_walkable_over_the_rim) {
    const world_options even = {WEND_KIND_GRID, false, false, false, false, false};
    try_worlds(world_fill_wrapping, &even, false, 100, 11);
    const world_options all = {WEND_KIND_GRID, true, true, true, true, true};
    try_worlds(world_fill_wrapping, &all, true, 100, 12);
}

Test(prefix, is_walkable_in_space) {
    const world_options options = {WEND_KIND_VOXEL, true, false, false, false, false};
    try_worlds(world_fill, &options, false, 100, 6);
    const world_options even = {WEND_KIND_VOXEL, false, false, false, false, false};
    try_worlds(world_fill_large, &even, false, 20, 7);
    const world_options all = {WEND_KIND_VOXEL, true, true, true, true, true};
    try_worlds(world_fill, &all, true, 80, 8);
}

Test(prefix, is_walkable_on_graphs) {
    const world_options options = {WEND_KIND_GRAPH, true, false, false, false, false};
    try_worlds(world_fill, &options, false, 200, 9);
    const world_options all = {WEND_KIND_GRAPH, true, true, false, true, true};
    try_worlds(world_fill, &all, true, 100, 10);
}

static wend_map *plain_map(int32_t side) {
    return grid_map(side, side);
}

/* ---- large maps ---- */

/* A map of more than 256 chunks: there the successors of a jump search wait for their memory. */
Test(prefix, does_not_depend_on_slices_on_a_large_map) {
    enum { SIDE = 1100, ROOM = 3000 };
    static wend_cell cells[ROOM], others[ROOM];
    OWNED_MAP *map = plain_map(SIDE);
    oracle_random random = {11};
    wend_edit *edit = begin_edit(map);
    for (int i = 0; i < SIDE * SIDE / 40; i++) {
        const int32_t x = oracle_below(&random, SIDE), y = oracle_below(&random, SIDE), side = oracle_below(&random, 6);
        const wend_cell last = {x + side < SIDE ? x + side : x, y + side / 2 < SIDE ? y + side / 2 : y, 0};
        cr_assert_eq(wend_edit_fill_box(edit, (wend_box){{x, y, 0}, last}, 0), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
    OWNED_SEARCH *one = make_search(1 << 22), *other = make_search(1 << 22);
    long prefixes = 0;
    for (int query = 0; query < 60; query++) {
        wend_request request = default_request();
        request.map = map, options_of(&request)->engine = WEND_ENGINE_JUMP;
        request.start.x = oracle_below(&random, SIDE), request.start.y = oracle_below(&random, SIDE);
        request.goal.x = oracle_below(&random, SIDE), request.goal.y = oracle_below(&random, SIDE);
        cr_assert_eq(wend_search_begin(one, &request), WEND_OK);
        uint64_t spent = 0, used;
        for (int part = 0; part < 8; part++) {
            const int most = 1 + oracle_below(&random, 40);
            for (int i = 0; i < most; i++) {
                (void)wend_search_step(one, 1 + (uint64_t)oracle_below(&random, 9), &used);
                spent += used;
            }
            cr_assert_eq(wend_search_begin(other, &request), WEND_OK);
            (void)wend_search_step(other, spent, NULL);
            wend_prefix a = {.struct_bytes = sizeof a}, b = {.struct_bytes = sizeof b};
            const wend_error error = wend_search_get_prefix(one, cells, ROOM, &a);
            const wend_error again = wend_search_get_prefix(other, others, ROOM, &b);
            if (a.whole || b.whole || error != WEND_OK) continue;
            cr_assert_eq(again, WEND_OK);
            cr_assert_eq(memcmp(&a, &b, sizeof a), 0, "query %d after %lu", query, (unsigned long)spent);
            cr_assert_eq(memcmp(cells, others, a.cell_count * sizeof *cells), 0);
            size_t walkable;
            cr_assert_eq(wend_map_path_cost(map, WEND_MOVER_DEFAULT, cells, a.cell_count, &walkable, NULL), WEND_OK);
            cr_assert_eq(walkable, a.cell_count);
            prefixes++;
        }
    }
    cr_assert_gt(prefixes, 100);
}

/* ---- calls ---- */

Test(prefix, refuses_bad_arguments) {
    OWNED_SEARCH *search = make_search(1 << 12);
    wend_cell cells[4];
    wend_prefix prefix = {.struct_bytes = sizeof prefix};
    cr_assert_eq(wend_search_get_prefix(NULL, cells, 4, &prefix), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_search_get_prefix(search, NULL, 4, &prefix), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_search_get_prefix(search, cells, 4, &prefix), WEND_EMPTY, "nothing was begun");
    prefix.struct_bytes = 4;
    cr_assert_eq(wend_search_get_prefix(search, cells, 4, &prefix), WEND_BAD_ARGUMENT);
}

Test(prefix, there_is_none_before_the_first_step) {
    OWNED_MAP *map = plain_map(64);
    OWNED_SEARCH *search = make_search(1 << 14);
    wend_request request = default_request();
    request.map = map, request.goal = (wend_cell){63, 40, 0}, options_of(&request)->heuristic = WEND_HEURISTIC_ZERO;
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    wend_prefix prefix = {.struct_bytes = sizeof prefix, .cost = 7};
    cr_assert_eq(wend_search_get_prefix(search, NULL, 0, &prefix), WEND_EMPTY);
    cr_assert_eq(prefix.cost, 7, "nothing is written");
    (void)wend_search_step(search, 100, NULL);
    cr_assert_eq(wend_search_get_prefix(search, NULL, 0, &prefix), WEND_OK);
    cr_assert(!prefix.whole && prefix.expansions == 100 && prefix.cell_count > 1);
}

/* Prefixes lead nearer as long as the search goes on. */
Test(prefix, comes_nearer_to_the_goal_on_open_ground) {
    OWNED_MAP *map = plain_map(256);
    OWNED_SEARCH *search = make_search(1 << 18);
    wend_request request = default_request();
    request.map = map, request.goal = (wend_cell){250, 130, 0};
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    int64_t before = INT64_MAX;
    wend_prefix prefix = {.struct_bytes = sizeof prefix};
    while (wend_search_step(search, 20, NULL) == WEND_STATUS_PENDING) {
        cr_assert_eq(wend_search_get_prefix(search, NULL, 0, &prefix), WEND_OK);
        cr_assert_lt(prefix.left, before);
        before = prefix.left;
    }
    cr_assert_lt(before, 250000, "it was asked on the way");
}
