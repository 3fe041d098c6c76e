/* SPDX-License-Identifier: MIT */
/* Goals closed in by units: the backward look of a search against floods over random worlds, exact counts of
 * expansions, and the nearest cell outside. Whole searches on random worlds are in test_worlds.c, too. */
#include "models/fast.h"
#include "models/few_or_many.h"
#include "models/worlds.h"
#include "models/options.h"
#include "models/kept.h"
#include "search/enclosed/enclosure.h"
#include "search/engines.h"

#include <criterion/criterion.h>
#include <wend/acceleration.h>
#include <wend/units.h>
#include <stdlib.h>

enum { MOST_SPENT = 500 };

/* ---- the look alone, on random worlds ---- */

static bool is_within(wend_cell a, wend_cell b, int reach) {
    return abs(a.x - b.x) <= reach && abs(a.y - b.y) <= reach && abs(a.z - b.z) <= reach;
}

static bool is_near_goal(const wend_request *r, wend_cell cell) {
    bool near = is_within(cell, r->goal, r->reach);
    for (uint32_t i = 0; i < read_options(r).more_goal_count; i++)
        near = near || is_within(cell, read_options(r).more_goals[i], r->reach);
    return near;
}

typedef struct way {
    uint16_t from, to;
} way;

static void add_way(const world *w, const wend_request *r, way *ways, int *count, wend_cell from, wend_cell to) {
    if (world_step(w, r, from, to) == UINT64_MAX) return;
    ways[(*count)++] = (way){(uint16_t)world_number(w, from), (uint16_t)world_number(w, to)};
}

/* All single steps of cells in which the mover can be, and of the start. */
static int list_ways(const world *w, const wend_request *r, way *ways) {
    int count = 0;
    for (int i = 0; i < w->cells; i++) {
        const wend_cell from = world_cell(w, i);
        wend_cell to;
        if (!world_enters(w, r, from) && !same_cell(from, r->start)) continue;
        for (int d = 0; d < 27 && w->kind != WEND_KIND_GRAPH; d++)
            if (world_neighbour(w, from, d, &to)) add_way(w, r, ways, &count, from, to);
        for (int e = 0; e < w->edge_count; e++)
            if ((int)w->edges[e].from == i) add_way(w, r, ways, &count, from, world_cell(w, (int)w->edges[e].to));
        for (int l = 0; l < w->link_count; l++)
            if (same_cell(w->links[l].from, from)) add_way(w, r, ways, &count, from, w->links[l].to);
    }
    return count;
}

/* Cells from which a goal can be reached, goals included, by passes over all steps until nothing changes. */
static int count_leading(const world *w, const wend_request *r) {
    static way ways[WORLD_CELLS * 30];
    static bool leads[WORLD_CELLS];
    const int way_count = list_ways(w, r, ways);
    int count = 0;
    for (int i = 0; i < w->cells; i++)
        count += leads[i] = is_near_goal(r, world_cell(w, i)) && world_enters(w, r, world_cell(w, i));
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < way_count; i++) {
            if (leads[ways[i].from] || !leads[ways[i].to]) continue;
            leads[ways[i].from] = more = true;
            count++;
        }
    }
    return count;
}

static bool is_reached(const world *w, const wend_request *r, wend_cell cell) {
    wend_request there = *r;
    there.goal = cell;
    options_of(&there)->more_goal_count = 0;
    there.reach = 0, there.mode = WEND_MODE_EXACT;
    return same_cell(cell, r->start) || world_ask(w, &there).status == WEND_STATUS_FOUND;
}

typedef struct tally {
    int no_path, blocked, aimed, open;
} tally;

/* `apart`: components show that the goals are out of reach. */
static void check_look(const world *w, const wend_request *r, const wend__search *s, uint64_t spent, bool apart,
                       tally *t) {
    const world_answer expected = world_ask(w, r);
    const int leading = count_leading(w, r);
    cr_assert_leq(spent, r->mode == WEND_MODE_EXACT ? 300u : 20000u, "%d", (int)spent);
    if (s->status != WEND_STATUS_PENDING) {
        cr_assert_eq(s->status, expected.status, "%s, not %s", wend_status_name(s->status),
                     wend_status_name(expected.status));
        if (!apart) cr_assert_leq(leading, 200);
        if (s->status == WEND_STATUS_PARTIAL) cr_assert(same_cell(expected.end, r->start));
        t->no_path += s->status == WEND_STATUS_NO_PATH;
        t->blocked += s->status == WEND_STATUS_GOAL_BLOCKED;
        return;
    }
    if (s->enclosure.found) {
        cr_assert_eq(expected.status, WEND_STATUS_PARTIAL);
        if (!same_cell(s->enclosure.target, expected.end))
            cr_assert_not(is_reached(w, r, s->enclosure.target), "the nearest cell is another one");
        t->aimed++;
        return;
    }
    t->open++;
    const bool known = w->kind != WEND_KIND_GRAPH; /* graphs: one-way edges may hide neighbours of a node */
    if (known && r->mode == WEND_MODE_EXACT && expected.status != WEND_STATUS_FOUND) cr_assert_gt(leading, 200);
}

/* Most edges lead both ways. */
static void pair_edges(world *w, oracle_random *random) {
    for (int i = 0; i + 1 < w->edge_count; i += 2)
        if (oracle_below(random, 60) > 0) w->edges[i + 1] = (wend_edge){w->edges[i].to, w->edges[i].from, 1 + i};
}

static void try_looks(const world_options *options, int worlds, uint64_t seed, tally *t) {
    static world w;
    static wend__search_memory memory;
    oracle_random random = {seed};
    wend__search *s = &memory.search;
    wend__pool pool;
    const size_t bytes = wend__pool_bytes(1, 1);
    void *pages = aligned_alloc(64, (bytes + 63) / 64 * 64);
    wend__pool_init(&pool, pages, 1, 1);
    wend__search_init(s, &pool);
    for (int i = 0; i < worlds; i++) {
        world_fill(&w, &random, options);
        pair_edges(&w, &random);
        OWNED_MAP *map = world_map(&w);
        wend__version *version = wend__map_acquire(map, true);
        for (int query = 0; query < 6; query++) {
            wend_cell goals[WORLD_GOALS];
            wend_request request = world_request(&w, &random, true, goals);
            request.map = map;
            options_of(&request)->occupied = WEND_OCCUPIED_BLOCK;
            if (oracle_below(&random, 4) == 0) options_of(&request)->leave_blocked_start = true;
            wend__search_begin(s, version, KEPT(&request));
            if (s->status != WEND_STATUS_PENDING || s->enclosure.state == WEND__ENCLOSURE_DONE) continue;
            const bool apart = s->enclosure.state == WEND__ENCLOSURE_NEAREST;
            uint64_t spent = 0;
            while (s->status == WEND_STATUS_PENDING && s->enclosure.state != WEND__ENCLOSURE_DONE) {
                const uint64_t slice = 1 + (uint64_t)oracle_below(&random, 30), used = wend__enclosure_step(s, slice);
                if (request.mode == WEND_MODE_EXACT) cr_assert_leq(used, slice);
                spent += used;
                s->enclosure.aimed |= s->enclosure.turns;
                s->enclosure.turns = false;
            }
            check_look(&w, &request, s, spent, apart, t);
        }
        wend__map_release(version, true);
    }
    free(pages);
}

Test(search_enclosed, a_look_says_what_floods_say_on_grids) {
    const world_options all = {WEND_KIND_GRID, true, true, true, true, true};
    const world_options plain = {WEND_KIND_GRID, false, false, false, false, true};
    tally t = {0};
    const int worlds = few_or_many(75, 300);
    try_looks(&all, worlds, 1, &t);
    try_looks(&plain, worlds, 2, &t);
    cr_assert(t.no_path > worlds / 3 && t.aimed > worlds / 6 && t.open > worlds / 3,
              "%d no path, %d blocked, %d aimed, %d open", t.no_path, t.blocked, t.aimed, t.open);
}

Test(search_enclosed, a_look_says_what_floods_say_in_space) {
    const world_options all = {WEND_KIND_VOXEL, true, true, true, true, true};
    const world_options plain = {WEND_KIND_VOXEL, false, false, false, true, true};
    tally t = {0};
    const int worlds = enough_or_many(38, 150);
    try_looks(&all, worlds, 3, &t);
    try_looks(&plain, worlds, 4, &t);
    cr_assert(t.no_path > worlds / 8 && t.aimed > worlds / 8 && t.open > worlds / 3,
              "%d no path, %d blocked, %d aimed, %d open", t.no_path, t.blocked, t.aimed, t.open);
}

Test(search_enclosed, a_look_says_what_floods_say_on_graphs) {
    const world_options all = {WEND_KIND_GRAPH, true, true, false, true, true};
    tally t = {0};
    try_looks(&all, 400, 5, &t);
    cr_assert(t.no_path > 50 && t.open > 50, "%d no path, %d blocked, %d aimed, %d open", t.no_path, t.blocked, t.aimed,
              t.open);
}

/* ---- whole searches on a wide map ---- */

enum { SIDE = 200 };

typedef struct scene {
    wend_map *map;
    wend_search *search;
    wend_request request;
} scene;

static scene make_scene(int32_t kind) {
    scene s;
    wend_map_def def = default_map();
    def.kind = kind, def.width = def.height = kind == WEND_KIND_VOXEL ? 40 : SIDE;
    def.depth = kind == WEND_KIND_VOXEL ? 40 : 1;
    cr_assert_eq(wend_map_create(&def, &s.map), WEND_OK);
    wend_search_def memory = default_search();
    cr_assert_eq(wend_search_create(&memory, &s.search), WEND_OK);
    wend_request_init(&s.request, sizeof s.request);
    s.request.map = s.map;
    options_of(&s.request)->occupied = WEND_OCCUPIED_BLOCK;
    return s;
}

static void end_scene(scene *s) {
    wend_search_destroy(s->search);
    wend_map_release(s->map);
}

static void put_unit(scene *s, int32_t x, int32_t y, int32_t z) {
    cr_assert_eq(wend_map_occupy(s->map, (wend_cell){x, y, z}), WEND_OK);
}

/* Units on the rim of a box. */
static void put_ring(scene *s, wend_cell low, wend_cell high) {
    for (int32_t z = low.z; z <= high.z; z++)
        for (int32_t y = low.y; y <= high.y; y++)
            for (int32_t x = low.x; x <= high.x; x++) {
                const bool flat = s->map->kind == WEND_KIND_GRID;
                const bool rim =
                    x == low.x || x == high.x || y == low.y || y == high.y || (!flat && (z == low.z || z == high.z));
                if (rim) put_unit(s, x, y, z);
            }
}

static wend_completion run(scene *s, uint64_t slice) {
    cr_assert_eq(wend_search_begin(s->search, &s->request), WEND_OK);
    while (wend_search_step(s->search, slice, NULL) == WEND_STATUS_PENDING)
        ;
    wend_completion got = result_now(s->search);
    return got;
}

static void expect(scene *s, wend_status status, uint64_t least, uint64_t most) {
    const wend_completion got = run(s, WEND_NO_LIMIT);
    cr_assert_eq(got.status, status, "%s, not %s", wend_status_name(got.status), wend_status_name(status));
    cr_assert(got.expansions >= least && got.expansions <= most, "%d expansions", (int)got.expansions);
}

/* Checks the number of closed nodes, whatever they count as. */
static void expect_nodes(scene *s, wend_status status, uint64_t least, uint64_t most) {
    expect(s, status, 0, WEND_NO_LIMIT);
    size_t closed = 0;
    cr_assert_eq(wend_search_get_expanded(s->search, NULL, 0, &closed), WEND_OK);
    cr_assert(closed >= least && closed <= most, "%d nodes", (int)closed);
}

static void change_step(scene *s, wend_cell from, wend_cell to, int32_t open) {
    IN_BATCH(s->map, cr_assert_eq(wend_edit_set_step(edit, from, to, open), WEND_OK));
}

static void add_link(scene *s, wend_cell from, wend_cell to) {
    IN_BATCH(s->map, cr_assert_eq(wend_edit_add_link(edit, &(wend_link){from, to, 10, 0}), WEND_OK));
}

/* 20 x 10 cells inside the ring; a unit less makes a cell more. */
static void enclose_200(scene *s) {
    put_ring(s, (wend_cell){100, 100, 0}, (wend_cell){121, 111, 0});
    s->request.goal = (wend_cell){105, 105, 0};
}

Test(search_enclosed, s24_200_cells_take_500_expansions_and_201_a_flood) {
    OWNED(end_scene) scene s = make_scene(WEND_KIND_GRID);
    enclose_200(&s);
    expect(&s, WEND_STATUS_NO_PATH, 401, 500);
    cr_assert_eq(wend_map_vacate(s.map, (wend_cell){121, 105, 0}), WEND_OK);
    for (int32_t y = 104; y <= 106; y++) put_unit(&s, 122, y, 0);
    expect_nodes(&s, WEND_STATUS_NO_PATH, SIDE * SIDE - 22 * 12 - 3, SIDE * SIDE);
}

static void check_exactness(scene *s) {
    const wend_completion whole = run(s, WEND_NO_LIMIT);
    cr_assert_eq(whole.status, s->request.mode == WEND_MODE_NEAREST ? WEND_STATUS_PARTIAL : WEND_STATUS_NO_PATH);
    for (uint64_t slice = 1; slice < 300; slice = slice * 2 + 1) {
        const wend_completion sliced = run(s, slice);
        cr_assert(sliced.status == whole.status && sliced.expansions == whole.expansions && sliced.cost == whole.cost &&
                      sliced.cell_count == whole.cell_count,
                  "in slices of %d: %d expansions, not %d; cost %d, not %d", (int)slice, (int)sliced.expansions,
                  (int)whole.expansions, (int)sliced.cost, (int)whole.cost);
    }
    options_of(&s->request)->max_expansions = whole.expansions;
    cr_assert_eq(run(s, 7).status, whole.status);
    options_of(&s->request)->max_expansions = whole.expansions - 1;
    cr_assert_eq(run(s, 7).status, WEND_STATUS_LIMIT);
    uint64_t most = 190;
    for (; most<whole.expansions; most += most> 198 && most < 204 ? 1 : 13) {
        options_of(&s->request)->max_expansions = most;
        const wend_completion cut = run(s, 50);
        cr_assert_eq(cut.status, WEND_STATUS_LIMIT);
        cr_assert_eq(cut.expansions, most);
    }
    options_of(&s->request)->max_expansions = WEND_NO_LIMIT;
}

Test(search_enclosed, s16_the_maximum_is_exact_and_slices_do_not_matter) {
    for (int fast = 0; fast < 2; fast++)
        for (int nearest = 0; nearest < 2; nearest++) {
            OWNED(end_scene) scene s = make_scene(WEND_KIND_GRID);
            if (fast) cr_assert_eq(wend_map_accelerate(s.map, NULL), ACCELERATED);
            enclose_200(&s);
            for (int32_t i = 0; i < 400; i++) /* gives jump search some work */
                if (i * 37 % SIDE < 90 && i > 0) put_unit(&s, i * 37 % SIDE, i * 53 % SIDE, 0);
            s.request.mode = nearest ? WEND_MODE_NEAREST : WEND_MODE_EXACT;
            check_exactness(&s);
            const wend_completion got = run(&s, WEND_NO_LIMIT);
            if (!nearest) cr_assert(got.expansions > 400 && got.expansions <= MOST_SPENT);
            if (!nearest) cr_assert_eq(got.engine, fast && HAS_FAST ? WEND_ENGINE_JUMP : WEND_ENGINE_ASTAR);
        }
}

Test(search_enclosed, s5_a_nearest_search_ends_beside_the_ring) {
    const wend_cell ends[] = {{103, 103, 0}, {99, 99, 0}, {121, 103, 0}};
    OWNED(end_scene) scene s = make_scene(WEND_KIND_GRID);
    put_ring(&s, (wend_cell){100, 100, 0}, (wend_cell){106, 106, 0});
    s.request.mode = WEND_MODE_NEAREST, s.request.goal = ends[0];
    wend_completion got = run(&s, WEND_NO_LIMIT);
    cr_assert_eq(got.status, WEND_STATUS_PARTIAL);
    wend_cell cells[300];
    size_t count;
    cr_assert_eq(wend_search_get_path(s.search, cells, 300, &count), WEND_OK);
    cr_assert(same_cell(cells[count - 1], (wend_cell){103, 99, 0}), "%d,%d", cells[count - 1].x, cells[count - 1].y);
    cr_assert_eq(got.cost, 99 * 14 + 4 * 10);
    cr_assert_lt(got.expansions, 1100u);
}

/* A unit on the goal, others around it; and a goal in the middle of a crowd. */
Test(search_enclosed, s5_a_nearest_search_to_a_taken_goal_ends_beside_it) {
    OWNED(end_scene) scene s = make_scene(WEND_KIND_GRID);
    s.request.mode = WEND_MODE_NEAREST, s.request.goal = (wend_cell){150, 150, 0};
    put_unit(&s, 150, 150, 0);
    expect_nodes(&s, WEND_STATUS_PARTIAL, 0, 1000);
    for (int32_t i = 0; i < 25; i++)
        if (i != 12) put_unit(&s, 148 + i % 5, 148 + i / 5, 0);
    expect_nodes(&s, WEND_STATUS_PARTIAL, 0, 1000);
}

/* Two rings, one around the other, and between them cells that are nearer than the cells outside. */
Test(search_enclosed, s5_rings_in_rings_are_left_by_the_outer_one) {
    OWNED(end_scene) scene s = make_scene(WEND_KIND_GRID);
    put_ring(&s, (wend_cell){148, 148, 0}, (wend_cell){152, 152, 0});
    put_ring(&s, (wend_cell){146, 146, 0}, (wend_cell){154, 154, 0});
    s.request.mode = WEND_MODE_NEAREST, s.request.goal = (wend_cell){150, 150, 0};
    expect_nodes(&s, WEND_STATUS_PARTIAL, 0, 1000);
    wend_cell cells[300];
    size_t count;
    cr_assert_eq(wend_search_get_path(s.search, cells, 300, &count), WEND_OK);
    cr_assert(same_cell(cells[count - 1], (wend_cell){150, 145, 0}));
}

Test(search_enclosed, in_space_too) {
    OWNED(end_scene) scene s = make_scene(WEND_KIND_VOXEL);
    put_ring(&s, (wend_cell){20, 20, 20}, (wend_cell){24, 24, 24});
    s.request.goal = (wend_cell){22, 22, 22};
    expect(&s, WEND_STATUS_NO_PATH, 201, 300);
    s.request.mode = WEND_MODE_NEAREST;
    expect_nodes(&s, WEND_STATUS_PARTIAL, 0, 1200);
}

/* A start inside the ring finds the way. */
Test(search_enclosed, a_start_in_the_same_ring_is_no_enclosure) {
    OWNED(end_scene) scene s = make_scene(WEND_KIND_GRID);
    put_ring(&s, (wend_cell){50, 50, 0}, (wend_cell){80, 80, 0});
    for (int32_t x = 51; x < 80; x++) put_unit(&s, x, 60, 0); /* cut across, except one cell */
    cr_assert_eq(wend_map_vacate(s.map, (wend_cell){51, 60, 0}), WEND_OK);
    s.request.start = (wend_cell){79, 51, 0}, s.request.goal = (wend_cell){79, 79, 0};
    expect_nodes(&s, WEND_STATUS_FOUND, 0, 1000);
}

/* Steps and links that lead out of the ring do not lead in. */
Test(search_enclosed, one_way_ways_out_are_none_in) {
    OWNED(end_scene) scene s = make_scene(WEND_KIND_GRID);
    enclose_200(&s);
    const wend_cell gate = {121, 105, 0}, inside = {120, 105, 0}, outside = {20, 30, 0};
    cr_assert_eq(wend_map_vacate(s.map, gate), WEND_OK);
    for (int32_t d = 0; d < 3; d++) change_step(&s, gate, (wend_cell){120, 104 + d, 0}, 0);
    expect(&s, WEND_STATUS_NO_PATH, 401, 500);
    s.request.mode = WEND_MODE_NEAREST;
    expect_nodes(&s, WEND_STATUS_PARTIAL, 0, 1000);
    s.request.mode = WEND_MODE_EXACT;
    add_link(&s, inside, outside);
    expect(&s, WEND_STATUS_NO_PATH, 401, 500);
    add_link(&s, outside, inside);
    expect_nodes(&s, WEND_STATUS_FOUND, 0, SIDE * SIDE);
    put_unit(&s, outside.x, outside.y, 0);
    expect(&s, WEND_STATUS_NO_PATH, 401, 500);
}

/* Any of several goals will do; all must be enclosed. */
Test(search_enclosed, several_goals_are_enclosed_together) {
    const wend_cell more[] = {{53, 53, 0}, {103, 103, 0}};
    OWNED(end_scene) scene s = make_scene(WEND_KIND_GRID);
    put_ring(&s, (wend_cell){50, 50, 0}, (wend_cell){56, 56, 0});
    put_ring(&s, (wend_cell){150, 50, 0}, (wend_cell){156, 56, 0});
    s.request.goal = (wend_cell){153, 53, 0};
    options_of(&s.request)->more_goals = more, options_of(&s.request)->more_goal_count = 1;
    expect(&s, WEND_STATUS_NO_PATH, 201, 300);
    s.request.reach = 1;
    expect(&s, WEND_STATUS_NO_PATH, 201, 300);
    s.request.reach = 0, s.request.mode = WEND_MODE_NEAREST;
    expect_nodes(&s, WEND_STATUS_PARTIAL, 0, 1000);
    wend_cell cells[300];
    size_t count;
    cr_assert_eq(wend_search_get_path(s.search, cells, 300, &count), WEND_OK);
    cr_assert(same_cell(cells[count - 1], (wend_cell){53, 49, 0}), "as near as 153,49, and earlier");
    s.request.mode = WEND_MODE_EXACT;
    options_of(&s.request)->more_goal_count = 2;
    expect_nodes(&s, WEND_STATUS_FOUND, 0, SIDE * SIDE);
}

/* With reach, cells next to the ring are outside. */
Test(search_enclosed, s25_reach_over_the_ring_finds) {
    OWNED(end_scene) scene s = make_scene(WEND_KIND_GRID);
    put_ring(&s, (wend_cell){150, 150, 0}, (wend_cell){154, 154, 0});
    s.request.goal = (wend_cell){152, 152, 0}, s.request.reach = 2;
    expect(&s, WEND_STATUS_NO_PATH, 201, 300);
    s.request.reach = 3;
    expect_nodes(&s, WEND_STATUS_FOUND, 0, 1000);
}

/* Units too far from the start to count enclose nothing. */
Test(search_enclosed, s24_units_that_do_not_count_enclose_nothing) {
    OWNED(end_scene) scene s = make_scene(WEND_KIND_GRID);
    put_ring(&s, (wend_cell){150, 150, 0}, (wend_cell){154, 154, 0});
    s.request.goal = (wend_cell){152, 152, 0};
    options_of(&s.request)->occupied_within = 154;
    expect(&s, WEND_STATUS_NO_PATH, 201, 300);
    options_of(&s.request)->occupied_within = 153;
    expect_nodes(&s, WEND_STATUS_FOUND, 0, SIDE * SIDE);
}

/* The backward look begins again for a moved goal. */
Test(search_enclosed, a_goal_that_moves_into_a_ring_is_enclosed) {
    OWNED(end_scene) scene s = make_scene(WEND_KIND_GRID);
    wend__pool pool;
    static wend__search_memory memory;
    const size_t bytes = wend__pool_bytes(64, 1);
    void *pages = aligned_alloc(64, (bytes + 63) / 64 * 64);
    wend__pool_init(&pool, pages, 64, 1);
    wend__search_init(&memory.search, &pool);
    wend__version *version = wend__map_acquire(s.map, true);
    wend__stock stock = {.page_count = 0};
    put_ring(&s, (wend_cell){150, 150, 0}, (wend_cell){154, 154, 0});
    s.request.goal = (wend_cell){190, 20, 0};
    options_of(&s.request)->heuristic = WEND_HEURISTIC_ZERO;
    wend__search_begin(&memory.search, version, KEPT(&s.request));
    for (int i = 0; i < 40 && memory.search.expansions < 300; i++) {
        wend__pool_grant(&pool, &stock, 8, 8);
        wend__search_step(&memory.search, &stock, 300 - memory.search.expansions);
    }
    cr_assert_eq(memory.search.status, WEND_STATUS_PENDING);
    s.request.goal = (wend_cell){152, 152, 0};
    cr_assert(wend__search_move_goal(&memory.search, KEPT(&s.request)));
    wend__pool_grant(&pool, &stock, 8, 8);
    cr_assert_leq(wend__search_step(&memory.search, &stock, 100), 20u);
    cr_assert_eq(memory.search.status, WEND_STATUS_NO_PATH);
    wend__map_release(version, true);
    free(pages);
}

/* A grid of two-way roads; units around a house. A one-way road into it hides other ways into it. */
Test(search_enclosed, on_graphs_of_two_way_roads) {
    enum { ROADS = 70 };
    static wend_edge edges[4 * ROADS * ROADS + 1];
    uint64_t count = 0;
    for (uint32_t y = 0; y < ROADS; y++)
        for (uint32_t x = 0; x < ROADS; x++)
            for (uint32_t d = 0; d < 2; d++) {
                const uint32_t a = y * ROADS + x, b = d ? a + ROADS : a + 1;
                if ((d ? y : x) + 1 == ROADS) continue;
                edges[count++] = (wend_edge){a, b, 5};
                edges[count++] = (wend_edge){b, a, 5};
            }
    for (int one_way = 0; one_way < 2; one_way++) {
        scene s = make_scene(WEND_KIND_GRID);
        wend_map_release(s.map);
        wend_graph_def def = default_graph();
        if (one_way) edges[count++] = (wend_edge){0, 30 * ROADS + 31, 5};
        def.node_count = ROADS * ROADS, def.edges = edges, def.edge_count = count;
        cr_assert_eq(wend_graph_create(&def, &s.map), WEND_OK);
        s.request.map = s.map, s.request.goal = (wend_cell){30 * ROADS + 30, 0, 0};
        for (int32_t i = -3; i <= 3; i++) {
            put_unit(&s, 27 * ROADS + 30 + i, 0, 0);
            put_unit(&s, 33 * ROADS + 30 + i, 0, 0);
            if (i == -3 || i == 3) continue;
            put_unit(&s, (30 + i) * ROADS + 27, 0, 0);
            put_unit(&s, (30 + i) * ROADS + 33, 0, 0);
        }
        if (!one_way) expect(&s, WEND_STATUS_NO_PATH, 226, 300);
        s.request.start = (wend_cell){one_way ? ROADS : 0, 0, 0};
        if (one_way) expect_nodes(&s, WEND_STATUS_FOUND, 0, ROADS * ROADS);
        if (one_way) put_unit(&s, 0, 0, 0);
        if (one_way) expect_nodes(&s, WEND_STATUS_NO_PATH, 4000, ROADS * ROADS);
        end_scene(&s);
    }
}
