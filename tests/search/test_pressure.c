/* SPDX-License-Identifier: MIT */
/* The engine for all worlds when memory is short: pages come one by one, open lists are sifted at any moment,
 * goals move; the answers stay those of an independent Dijkstra. */
#include "search/search_rig.h"
#include "models/few_or_many.h"
#include "models/worlds.h"
#include "models/options.h"
#include "models/kept.h"

#include <criterion/criterion.h>

enum { QUERIES = 10, CELLS = 4096, POOL_PAGES = 1024 };

/* Removes free blocks of the open list, so that it runs full soon, at any moment. */
static void dry_up(wend__search *s, oracle_random *random) {
    const uint32_t left = WEND__DIRECTIONS + (uint32_t)oracle_below(random, 4);
    while (s->open.spare > left) wend__open_take_block(&s->open);
}

/* Grants the search its lacking pages, but often only sifts its open list. */
static void feed(rig *r, oracle_random *random, bool sifts) {
    const wend__search *s = r->search;
    if (!s->starved) return;
    if (s->wants_open && sifts && s->begun && oracle_below(random, 4) > 0 && wend__search_compact(r->search)) return;
    const uint32_t before = r->stock.page_count + r->stock.open_count;
    wend__pool_grant(&r->pool, &r->stock, s->wants_pages, s->wants_open);
    cr_assert_gt(r->stock.page_count + r->stock.open_count, before, "the pool is large enough");
}

typedef struct ways {
    bool sifts;    ///< open lists are sifted, also where they need not be
    bool moves;    ///< the goal moves
    uint64_t most; ///< longest slice
} ways;

static wend_cell any_cell(const world *w, oracle_random *random) {
    return world_cell(w, oracle_below(random, w->cells));
}

/* The request as the library keeps it: with a goal that has moved, or may. */
static const wend__request *kept_moving(const wend_request *request, bool moves) {
    static wend__request own;
    own = *KEPT(request);
    if (moves) own.flags |= WEND__REQUEST_GOAL_MOVED;
    return &own;
}

/* As the service does it. */
static void move_goal(rig *r, wend__version *version, wend_request *request, wend_cell goal) {
    request->goal = goal;
    options_of(request)->more_goal_count = 0;
    const wend__request *moved = kept_moving(request, true);
    bool asks = wend__request_answer(version, moved) == WEND_STATUS_PENDING;
    if (asks && wend__search_move_goal(r->search, moved)) return;
    wend__search_drop(r->search);
    wend__search_begin(r->search, version, moved);
}

static void run(rig *r, const world *w, oracle_random *random, wend__version *version, wend_request *request,
                const ways *how) {
    wend__search *s = r->search;
    int moves = how->moves ? oracle_below(random, 4) : 0;
    wend__search_begin(s, version, kept_moving(request, how->moves));
    while (s->status == WEND_STATUS_PENDING) {
        wend__search_step(s, &r->stock, 1 + (uint64_t)oracle_below(random, (int)how->most));
        if (moves > 0 && s->status == WEND_STATUS_PENDING && oracle_below(random, 3) == 0) {
            move_goal(r, version, request, any_cell(w, random));
            moves--;
            continue;
        }
        if (how->sifts && s->begun) dry_up(s, random);
        if (s->status == WEND_STATUS_PENDING && how->sifts && s->begun && oracle_below(random, 8) == 0)
            wend__search_compact(s);
        feed(r, random, how->sifts);
    }
}

static void check(const rig *r, const world *w, const wend_request *request, int number) {
    static wend_cell cells[CELLS];
    wend_request asked = *request;
    const wend__search *s = r->search;
    const world_answer expected = world_ask(w, &asked);
    cr_assert_eq(s->status, expected.status, "world %d kind %d: %s, not %s", number, w->kind,
                 wend_status_name(s->status), wend_status_name(expected.status));
    if (expected.cost < 0) return;
    if (s->status == WEND_STATUS_FOUND && s->pages.count == 0) return; /* the start will do */
    cr_assert_eq(s->cost, (uint64_t)expected.cost, "world %d kind %d (%d x %d x %d): %llu, not %lld", number, w->kind,
                 w->width, w->height, w->depth, (unsigned long long)s->cost, (long long)expected.cost);
    wend__search_cells(s, cells, s->steps + 1);
    cr_assert_eq(world_walk(w, &asked, cells, s->steps + 1), expected.cost);
}

/* Costs that reach into the higher tiers of the open list. */
static void make_dear(world *w, oracle_random *random) {
    w->rules.cost_straight = 1 + oracle_below(random, 300000);
    w->rules.cost_diagonal = w->rules.cost_straight + oracle_below(random, w->rules.cost_straight + 1);
    w->rules.cost_space =
        w->rules.cost_diagonal + oracle_below(random, w->rules.cost_diagonal - w->rules.cost_straight + 1);
    for (int i = 0; i < w->cells; i++)
        if (w->terrain[i] > 1) w->terrain[i] = (uint8_t)(2 + oracle_below(random, 254));
    for (int class = 2; class < 256; class++)
        for (int i = 1; i < w->mover_count; i++) w->movers[i].factors[class] = (uint8_t)oracle_below(random, 256);
}

static void try_worlds(const world_options *options, const ways *how, int worlds, uint64_t seed) {
    static world w;
    oracle_random random = {seed};
    OWNED(rig_free) rig r = {0};
    rig_make(&r, POOL_PAGES, seed % 2 ? 0xaa : 0x55);
    worlds = few_or_many(worlds / 10, worlds);
    for (int i = 0; i < worlds; i++) {
        world_fill(&w, &random, options);
        if (w.kind != WEND_KIND_GRAPH && i % 2) make_dear(&w, &random);
        OWNED_MAP *map = world_map(&w);
        wend__version *version = wend__map_acquire(map, true);
        for (int query = 0; query < QUERIES; query++) {
            wend_cell goals[WORLD_GOALS];
            wend_request request = world_request(&w, &random, true, goals);
            request.map = map;
            run(&r, &w, &random, version, &request, how);
            check(&r, &w, &request, i);
            wend__search_drop(r.search);
            wend__pool_return(&r.pool, &r.stock);
        }
        wend__map_release(version, true);
    }
}

static const ways starving = {true, false, 20}, pursuing = {false, true, 20}, both = {true, true, 20};

Test(search_pressure, grids_sifted_at_any_moment) {
    const world_options options = {WEND_KIND_GRID, true, true, true, true, true};
    try_worlds(&options, &starving, 700, 1);
}

Test(search_pressure, voxels_sifted_at_any_moment) {
    const world_options options = {WEND_KIND_VOXEL, true, true, true, true, true};
    try_worlds(&options, &starving, 500, 2);
}

Test(search_pressure, graphs_sifted_at_any_moment) {
    const world_options options = {WEND_KIND_GRAPH, true, true, false, true, true};
    try_worlds(&options, &starving, 500, 3);
}

Test(search_pressure, grids_with_goals_that_move) {
    const world_options options = {WEND_KIND_GRID, true, true, true, true, true};
    try_worlds(&options, &pursuing, 700, 4);
}

Test(search_pressure, voxels_with_goals_that_move) {
    const world_options options = {WEND_KIND_VOXEL, true, true, true, true, true};
    try_worlds(&options, &both, 500, 5);
}

Test(search_pressure, graphs_with_goals_that_move) {
    const world_options options = {WEND_KIND_GRAPH, true, true, false, true, true};
    try_worlds(&options, &both, 500, 6);
}
