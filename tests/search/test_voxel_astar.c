/* SPDX-License-Identifier: MIT */
/* Plain searches on voxels, over maps of many chunks: against plain Dijkstra where every step is asked of the
 * rules, against the engine that leaves out no steps, in slices, with pages that come one by one, and in memory
 * that does not do. */
#include "models/worlds.h"
#include "search/search_rig.h"
#include "models/few_or_many.h"
#include "models/options.h"
#include "models/kept.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <wend/ways.h>

enum { MOST = 40, CELLS = MOST * MOST * MOST, POOL_PAGES = 512 };

/* ---- random ones ---- */

/* The last prices need coarse buckets and 8-byte records: from the start on expensive ground, or later on a long
 * way. */
static const int prices[][3] = {{10, 14, 17},           {1000, 1414, 1732}, {10, 14, 18},    {10, 10, 10},
                                {10, 20, 30},           {5, 9, 12},         {100, 101, 102}, {589993, 829993, 999983},
                                {99991, 139999, 169999}};
enum { PRICES = sizeof prices / sizeof *prices };

static int any_side(oracle_random *random) {
    static const int sides[] = {1, 2, 15, 16, 17, 24, 31, 33, MOST};
    return sides[oracle_below(random, sizeof sides / sizeof *sides)];
}

/* A cell of a side, mostly near the sides of chunks. */
static int any_corner(int side, oracle_random *random) {
    const int at = oracle_below(random, side + 1);
    const int near = (at + 8) / 16 * 16 + oracle_below(random, 3) - 1;
    return oracle_below(random, 3) > 0 && near >= 0 && near <= side ? near : at;
}

/* Open chunks with a few boxes in them, over which runs go far. */
static void fill_air(world *w, oracle_random *random) {
    memset(w->terrain, 1, (size_t)w->cells);
    for (int box = oracle_below(random, 7); box > 0; box--) {
        const int sides[3] = {w->width, w->height, w->depth};
        int low[3], high[3];
        for (int i = 0; i < 3; i++) low[i] = any_corner(sides[i], random), high[i] = any_corner(sides[i], random);
        world_set_box(w, NULL, (wend_box){{low[0], low[1], low[2]}, {high[0] - 1, high[1] - 1, high[2] - 1}}, 0);
    }
}

/* A long side. */
static void choose_long_sides(world *w, oracle_random *random) {
    const int along = oracle_below(random, 3);
    int sides[3];
    for (int i = 0; i < 3; i++) sides[i] = 16 + oracle_below(random, 20);
    sides[along] = CELLS * sides[along] / (sides[0] * sides[1] * sides[2]);
    world_resize(w, sides[0], sides[1], sides[2]);
}

static void fill(world *w, oracle_random *random) {
    const int width = any_side(random), height = any_side(random), depth = any_side(random);
    world_begin(w, WEND_KIND_VOXEL, width, height, depth);
    w->rules.neighbours = oracle_below(random, 5) == 0 ? 6 : 26;
    w->rules.corners = oracle_below(random, 3);
    const int *price = prices[oracle_below(random, PRICES)];
    w->rules.cost_straight = price[0], w->rules.cost_diagonal = price[1], w->rules.cost_space = price[2];
    const int area = width * height, blocked = 5 * oracle_below(random, 10);
    const int dearest = oracle_below(random, 3) == 0 ? 200 : 5;
    const int slow = oracle_below(random, 3) == 0 ? 1 + oracle_below(random, 20) : 0;
    for (int i = 0; i < w->cells; i++) {
        const bool dear = oracle_below(random, 100) < slow;
        w->terrain[i] = oracle_below(random, 100) < blocked ? 0
                        : dear                              ? (uint8_t)(2 + oracle_below(random, dearest))
                                                            : 1;
    }
    if (oracle_below(random, 3) > 0) return;
    for (int z = 3; z < depth; z += 4) /* floors with a hole, at one end or the other: ways are long */
        for (int i = 0; i < area; i++) w->terrain[z * area + i] = i == (z & 4 ? 0 : area - 1);
}

static void set_usual_rules(world *w) {
    w->rules = default_rules();
    w->rules.neighbours = 26;
    w->rules.cost_straight = 1000, w->rules.cost_diagonal = 1414, w->rules.cost_space = 1732;
}

static void accelerate(wend_map *map) {
    wend_acceleration def = default_acceleration();
    def.tables = 0, def.landmarks = 2;
    cr_assert_eq(wend_map_accelerate(map, &def), WEND_OK);
}

static wend_cell any_cell(const world *w, oracle_random *random) {
    return (wend_cell){oracle_below(random, w->width), oracle_below(random, w->height), oracle_below(random, w->depth)};
}

static bool is_open(const world *w, wend_cell cell) {
    return world_factor(w, 0, cell) > 0;
}

static wend_request any_request(const world *w, wend_map *map, oracle_random *random) {
    wend_request request = path_request(map, any_cell(w, random), any_cell(w, random));
    for (int i = 0; i < 20 && !is_open(w, request.goal); i++) request.goal = any_cell(w, random);
    if (oracle_below(random, 4) == 0) options_of(&request)->leave_blocked_start = true;
    for (int i = 0; i < 20 && !read_options(&request).leave_blocked_start && !is_open(w, request.start); i++)
        request.start = any_cell(w, random);
    if (oracle_below(random, 4) == 0) options_of(&request)->heuristic = WEND_HEURISTIC_ZERO;
    return request;
}

/* ---- searches ---- */

typedef struct outcome {
    wend_status status;
    uint64_t cost, expansions, count;
    wend_cell cells[CELLS];
} outcome;

/* How a search is driven: the least that it asks for, or whatever there is. */
typedef struct drive {
    uint64_t slice; ///< 0: any
    bool sparing, sifts;
} drive;

/* False: the pool has no more. */
static bool feed(rig *r, oracle_random *random, const drive *how) {
    wend__search *s = r->search;
    if (s->wants_open > 0 && how->sifts && s->begun && oracle_below(random, 3) > 0 && wend__search_compact(s))
        return true;
    if (how->sparing)
        wend__pool_grant(&r->pool, &r->stock, s->wants_pages, s->wants_open);
    else
        wend__pool_grant(&r->pool, &r->stock, WEND__STOCK, WEND__STOCK);
    if (s->wants_pages > 0) return r->stock.page_count > 0;
    return r->stock.open_count > 0 || wend__search_compact(s);
}

static int widened, coarse; /* searches that changed to 8-byte records; that had buckets of many keys */

static void solve(rig *r, const wend_request *request, oracle_random *random, const drive *how, outcome *out) {
    wend__search *s = r->search;
    wend__version *version = wend__map_acquire(request->map, true);
    wend__search_begin(s, version, KEPT(request));
    const bool narrow = s->engine == &wend__voxel_astar && !s->wide, asked = s->status == WEND_STATUS_PENDING;
    while (s->status == WEND_STATUS_PENDING) {
        const uint64_t slice = how->slice > 0 ? how->slice : 1 + (uint64_t)oracle_below(random, 300);
        const uint64_t used = wend__search_step(s, &r->stock, slice);
        cr_assert_leq(used, slice);
        if (s->status != WEND_STATUS_PENDING) break;
        if (!s->starved) cr_assert_eq(used, slice, "a step that is not the last spends all");
        if (how->sifts && !s->starved)
            while (s->open.spare > WEND__SPACE_DIRECTIONS) wend__open_take_block(&s->open); /* soon it runs dry */
        if (s->starved && !feed(r, random, how)) s->status = WEND_STATUS_OUT_OF_NODES;
    }
    widened += asked && narrow && s->wide, coarse += asked && s->engine == &wend__voxel_astar && s->open.shift > 0;
    out->status = s->status, out->expansions = s->expansions, out->cost = s->cost;
    out->count = 0;
    wend__map_release(version, true);
    if (s->status == WEND_STATUS_FOUND) {
        out->count = s->steps + 1;
        wend__search_cells(s, out->cells, out->count);
    }
    wend__search_drop(s);
    wend__pool_return(&r->pool, &r->stock);
}

static void check_path(const world *w, const wend_request *request, const outcome *out) {
    cr_assert(same_cell(out->cells[0], request->start) && same_cell(out->cells[out->count - 1], request->goal));
    cr_assert_eq(world_walk(w, request, out->cells, out->count), (int64_t)out->cost);
}

static void same(const outcome *a, const outcome *b) {
    cr_assert_eq(a->status, b->status);
    cr_assert_eq(a->cost, b->cost);
    cr_assert_eq(a->expansions, b->expansions);
    cr_assert_eq(a->count, b->count);
    cr_assert(memcmp(a->cells, b->cells, a->count * sizeof *a->cells) == 0);
}

static world w;
static outcome first, other;

Test(voxel_astar, agrees_with_dijkstra_in_any_slices_and_however_pages_come) {
    oracle_random random = {41};
    OWNED(rig_free) rig r;
    rig_make(&r, POOL_PAGES, 0xa5);
    const drive whole = {.slice = 1u << 30}, bits = {.sparing = true}, single = {.slice = 1};
    int found = 0, none = 0;
    const int rounds = enough_or_many(50, 400);
    for (int round = 0; round < rounds; round++) {
        fill(&w, &random);
        world_derive(&w);
        OWNED_MAP *map = world_map(&w);
        for (int query = 0; query < 3; query++) {
            wend_request request = any_request(&w, map, &random);
            solve(&r, &request, &random, &whole, &first);
            cr_assert(r.search->engine == &wend__voxel_astar);
            const bool blocked = first.status == WEND_STATUS_START_BLOCKED || first.status == WEND_STATUS_GOAL_BLOCKED;
            if (blocked) continue;
            const int64_t cost = world_ask(&w, &request).cost;
            cr_assert_eq(first.status, cost < 0 ? WEND_STATUS_NO_PATH : WEND_STATUS_FOUND);
            found += cost >= 0, none += cost < 0;
            if (cost >= 0) cr_assert_eq(first.cost, (uint64_t)cost);
            if (cost >= 0) check_path(&w, &request, &first);
            solve(&r, &request, &random, &bits, &other);
            same(&first, &other);
            if (first.expansions > 3000) continue;
            solve(&r, &request, &random, &single, &other);
            same(&first, &other);
        }
    }
    cr_assert(widened > 0 && 4 * coarse > rounds, "%d changed to wide records, %d had coarse buckets", widened, coarse);
    cr_assert(4 * found > 5 * rounds && 8 * none > rounds, "%d found, %d without a path", found, none);
}

Test(voxel_astar, runs_far_over_open_chunks) {
    oracle_random random = {43};
    OWNED(rig_free) rig r;
    rig_make(&r, POOL_PAGES, 0xa5);
    const drive whole = {.slice = 1u << 30}, bits = {.sparing = true};
    int skipped = 0;
    const int rounds = enough_or_many(2, 45);
    for (int round = 0; round < rounds; round++) {
        fill(&w, &random);
        if (round % 3 > 0) set_usual_rules(&w);
        choose_long_sides(&w, &random);
        fill_air(&w, &random);
        world_derive(&w);
        OWNED_MAP *map = world_map(&w);
        if (oracle_below(&random, 4) == 0) accelerate(map);
        for (int query = 0; query < 4; query++) {
            wend_request request = any_request(&w, map, &random);
            options_of(&request)->heuristic = WEND_HEURISTIC_EXACT;
            solve(&r, &request, &random, &whole, &first);
            if (first.status != WEND_STATUS_FOUND) continue;
            skipped += first.expansions < first.count; /* without runs each voxel of the path is expanded */
            cr_assert_eq(first.cost, (uint64_t)world_ask(&w, &request).cost);
            check_path(&w, &request, &first);
            solve(&r, &request, &random, &bits, &other);
            same(&first, &other);
        }
    }
    cr_assert_gt(skipped, rounds / 4, "%d with few expansions", skipped);
}

Test(voxel_astar, loses_nothing_that_sifting_throws_out) {
    oracle_random random = {43};
    OWNED(rig_free) rig r;
    rig_make(&r, POOL_PAGES, 0x5a);
    const drive whole = {.slice = 1u << 30}, sifting = {.sparing = true, .sifts = true};
    for (int round = 0; round < 150; round++) {
        fill(&w, &random);
        OWNED_MAP *map = world_map(&w);
        wend_request request = any_request(&w, map, &random);
        solve(&r, &request, &random, &whole, &first);
        solve(&r, &request, &random, &sifting, &other);
        same(&first, &other);
    }
}

/* Closed steps and larger movers need the engine that takes every step; a price for occupied cells, of which there are
 * none, sends a request there. */
static void close_some(const world *in, wend_map *map, oracle_random *random) {
    wend_edit *edit = begin_edit(map);
    for (int i = 0; i < 60; i++) {
        const wend_cell from = any_cell(in, random);
        const wend_cell to = {from.x + oracle_below(random, 3) - 1, from.y + oracle_below(random, 3) - 1,
                              from.z + oracle_below(random, 3) - 1};
        const wend_request plain = default_request();
        if (world_step(in, &plain, from, to) < UINT64_MAX) wend_edit_set_step(edit, from, to, false);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

Test(voxel_astar, agrees_with_the_engine_that_takes_every_step) {
    oracle_random random = {47};
    OWNED(rig_free) rig r;
    rig_make(&r, POOL_PAGES, 0xa5);
    const drive whole = {.slice = 1u << 30};
    int found = 0, fewer = 0;
    const int rounds = few_or_many(100, 300);
    for (int round = 0; round < rounds; round++) {
        fill(&w, &random);
        OWNED_MAP *map = world_map(&w);
        if (round % 2) close_some(&w, map, &random);
        const int32_t mover = add_mover_of_size(map, 2);
        for (int query = 0; query < 4; query++) {
            wend_request request = any_request(&w, map, &random);
            request.mover = query & 1 ? mover : 0;
            solve(&r, &request, &random, &whole, &first);
            cr_assert(r.search->engine == &wend__voxel_astar);
            options_of(&request)->occupied = 1;
            solve(&r, &request, &random, &whole, &other);
            cr_assert(r.search->engine == &wend__general_astar);
            cr_assert_eq(first.status, other.status);
            cr_assert_eq(first.cost, other.cost);
            found += first.status == WEND_STATUS_FOUND, fewer += first.expansions < other.expansions;
        }
    }
    cr_assert_gt(found, rounds * 2 / 3);
    cr_assert_gt(fewer, 0);
}

/* Too few pages: the answer is the same, or that there are too few. */
Test(voxel_astar, ends_in_memory_that_does_not_do) {
    oracle_random random = {53};
    OWNED(rig_free) rig large;
    rig_make(&large, POOL_PAGES, 0xa5);
    const drive whole = {.slice = 1u << 30}, bits = {.sparing = true};
    int short_of = 0, enough = 0;
    for (int round = 0; round < 150; round++) {
        OWNED(rig_free) rig small;
        rig_make(&small, 1 + (uint32_t)oracle_below(&random, 20), 0x5a);
        fill(&w, &random);
        wend_map *map = world_map(&w);
        wend_request request = any_request(&w, map, &random);
        solve(&large, &request, &random, &whole, &first);
        solve(&small, &request, &random, &bits, &other);
        short_of += other.status == WEND_STATUS_OUT_OF_NODES, enough += other.status == WEND_STATUS_FOUND;
        if (other.status != WEND_STATUS_OUT_OF_NODES) same(&first, &other);
        wend_map_release(map);
    }
    cr_assert(short_of > 5 && enough > 20, "%d short, %d found", short_of, enough);
}

/* A cube of 40 x 40 x 40 touches 27 chunks: with narrow records a page each, with wide ones two, but for the
 * thin last. */
Test(voxel_astar, takes_a_page_a_chunk_and_two_where_records_are_wide) {
    OWNED(rig_free) rig r;
    rig_make(&r, POOL_PAGES, 0xa5);
    const drive whole = {.slice = 1u << 30};
    oracle_random random = {59};
    world_begin(&w, WEND_KIND_VOXEL, MOST, MOST, MOST);
    for (int wide = 0; wide < 2; wide++) {
        if (wide) w.rules.cost_straight = 589993, w.rules.cost_diagonal = 829993, w.rules.cost_space = 999983;
        if (wide) w.terrain[MOST - 1] = 200;
        OWNED_MAP *map = world_map(&w);
        wend_request request = default_request();
        request.map = map, request.goal = (wend_cell){MOST - 1, MOST - 1, MOST - 1};
        options_of(&request)->heuristic = WEND_HEURISTIC_ZERO;
        solve(&r, &request, &random, &whole, &first);
        cr_assert_eq(first.cost, (uint64_t)(MOST - 1) * (uint64_t)w.rules.cost_space);
        cr_assert_eq(r.search->wide, wide);
        cr_assert_eq(r.search->active_pages, wide ? 45u : 27u);
    }
}
