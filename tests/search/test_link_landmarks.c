/* SPDX-License-Identifier: MIT */
/* Landmarks of each mover, on every kind of map, while links for some movers come, go and change hands: costs are those
 * of an independent Dijkstra, in which each mover has its own links. */
#include "models/few_or_many.h"
#include "models/options.h"
#include "models/worlds.h"

#include <criterion/criterion.h>

enum { QUERIES = 12, PHASES = 4, LONGEST = 4096 };

typedef struct trial {
    world w;
    wend_map *map;
    wend_search *search;
    oracle_random random;
    int number;
} trial;

static int below(trial *t, int bound) {
    return oracle_below(&t->random, bound);
}

/* Most links are for some movers, and cheaper than the ways beside them. */
static wend_link any_link(trial *t) {
    const int most = t->w.kind == WEND_KIND_GRAPH ? 60 : 3 * t->w.rules.cost_straight;
    wend_link link = {world_cell(&t->w, below(t, t->w.cells)), world_cell(&t->w, below(t, t->w.cells)),
                      1 + below(t, most), 0};
    if (below(t, 5)) link.movers = (uint32_t)below(t, 1 << WORLD_MOVERS);
    return link;
}

static void make_world(trial *t, int kind, int neighbours) {
    const world_options options = {.kind = kind, .slow = below(t, 2), .movers = true};
    do world_fill(&t->w, &t->random, &options);
    while (neighbours > 0 && t->w.rules.neighbours != neighbours);
    if (t->w.edge_count > 2 * t->w.cells) t->w.edge_count = 2 * t->w.cells;
    for (int i = 1 + below(t, 12); i > 0 && t->w.cells > 1; i--) world_put_link(&t->w, NULL, any_link(t));
    t->map = world_map(&t->w);
}

static void accelerate(trial *t) {
    wend_acceleration def = default_acceleration();
    def.tables = 0, def.landmarks = 1 + below(t, WEND_MAX_LANDMARKS), def.later = below(t, 4) == 0;
    for (; def.mover < t->w.mover_count; def.mover++) cr_assert_eq(wend_map_accelerate(t->map, &def), WEND_OK);
}

/* ---- edits ---- */

/* A new link, or a link that there is with another cost and other movers, or without it. */
static void edit_link(trial *t, wend_edit *edit) {
    wend_link link = any_link(t);
    world *w = &t->w;
    const bool known = w->link_count > 0 && below(t, 2), goes = known && below(t, 2);
    const wend_link *one = known ? &w->links[below(t, w->link_count)] : &link;
    link.from = one->from, link.to = one->to;
    if (goes)
        world_drop_link(w, edit, world_find_link(w, link.from, link.to));
    else
        world_put_link(w, edit, link);
}

static void edit_cell(trial *t, wend_edit *edit) {
    const wend_cell cell = world_cell(&t->w, below(t, t->w.cells));
    world_set_cell(&t->w, edit, cell, (uint8_t)below(t, 4));
}

/* Landmarks are made again in slices, so that some edits come while that is under way. */
static void edit_some(trial *t) {
    for (int batches = 1 + below(t, 3); batches > 0; batches--) {
        wend_edit *edit = begin_edit(t->map);
        for (int i = below(t, 4); i > 0; i--) edit_link(t, edit);
        for (int i = below(t, 2); i > 0; i--) edit_cell(t, edit);
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        const uint64_t effort = below(t, 2) ? 1 + (uint64_t)below(t, 200) : 0;
        if (effort > 0) cr_assert_eq(wend_map_maintain(t->map, WEND_MAINTAIN_ALL, effort, NULL), WEND_OK);
    }
    for (uint64_t left = (uint64_t)below(t, 3); left > 0;)
        cr_assert_eq(wend_map_maintain(t->map, WEND_MAINTAIN_ALL, WEND_NO_LIMIT, &left), WEND_OK);
}

/* ---- answers ---- */

static void check(trial *t) {
    static wend_cell cells[LONGEST], goals[WORLD_GOALS];
    wend_request request = world_request(&t->w, &t->random, false, goals);
    request.map = t->map;
    options_of(&request)->engine = below(t, 2) ? WEND_ENGINE_AUTO : WEND_ENGINE_ASTAR;
    const world_answer expected = world_ask(&t->w, &request);
    cr_assert_eq(wend_search_begin(t->search, &request), WEND_OK);
    wend_search_step(t->search, WEND_NO_LIMIT, NULL);
    const wend_completion got = result_now(t->search);
    cr_assert(got.status == expected.status && got.cost == expected.cost,
              "world %d: %s %lld, not %s %lld: kind %d, %d x %d x %d, neighbours %d, %d links, %d edges; mover %d from "
              "%d,%d,%d to %d,%d,%d",
              t->number, wend_status_name(got.status), (long long)got.cost, wend_status_name(expected.status),
              (long long)expected.cost, t->w.kind, t->w.width, t->w.height, t->w.depth, (int)t->w.rules.neighbours,
              t->w.link_count, t->w.edge_count, (int)request.mover, request.start.x, request.start.y, request.start.z,
              request.goal.x, request.goal.y, request.goal.z);
    if (expected.cost < 0) return;
    size_t count;
    cr_assert_eq(wend_search_get_path(t->search, cells, LONGEST, &count), WEND_OK);
    cr_assert_eq(world_walk(&t->w, &request, cells, count), expected.cost, "world %d", t->number);
}

static void try_worlds(int kind, int neighbours, int worlds) {
    static trial t;
    wend_search_def def = default_search();
    def.nodes = 1 << 16;
    OWNED_SEARCH *search = made_search(&def);
    t.random = (oracle_random){(uint64_t)(100 * kind + neighbours)}, t.search = search;
    for (t.number = 0; t.number < worlds; t.number++) {
        make_world(&t, kind, neighbours);
        if (t.number % 4) accelerate(&t);
        for (int phase = 0; phase < PHASES; phase++) {
            for (int i = 0; i < QUERIES; i++) check(&t);
            edit_some(&t);
            if (t.number % 4 == 0 && phase == 0) accelerate(&t);
        }
        wend_map_release(t.map);
    }
}

Test(link_landmarks, s11_are_exact_on_squares_and_hexagons) {
    try_worlds(WEND_KIND_GRID, 4, few_or_many(40, 2000));
    try_worlds(WEND_KIND_GRID, 8, few_or_many(40, 2000));
    try_worlds(WEND_KIND_GRID, 6, few_or_many(40, 2000));
}

Test(link_landmarks, s11_are_exact_in_space) {
    try_worlds(WEND_KIND_VOXEL, 0, few_or_many(80, 1000));
}

Test(link_landmarks, s11_are_exact_on_graphs) {
    try_worlds(WEND_KIND_GRAPH, 0, few_or_many(200, 6000));
}
