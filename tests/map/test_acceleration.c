/* SPDX-License-Identifier: MIT */
/* Acceleration as a whole: a call that fails, at whichever allocation, changes nothing that a host can observe. */
#include "fast/acceleration.h"
#include "map/map_support.h"
#include "map/version/version.h"
#include "models/options.h"
#include <wend/search.h>
#include <wend/units.h>
#include <wend/ways.h>

#include <criterion/criterion.h>

enum { MOVERS = 3, NODES = 500, SLOW = 3 };

/* ---- worlds ---- */

typedef struct world {
    int32_t kind, width, height, depth;
} world;

static const world grid = {WEND_KIND_GRID, 90, 70, 1}, voxels = {WEND_KIND_VOXEL, 18, 17, 12},
                   graph = {WEND_KIND_GRAPH, NODES, 1, 1};

static wend_cell any_cell(const world *w, uint64_t *seed) {
    const int32_t x = (int32_t)draw(seed, (uint32_t)w->width), y = (int32_t)draw(seed, (uint32_t)w->height);
    return (wend_cell){x, y, (int32_t)draw(seed, (uint32_t)w->depth)};
}

/* Opens cells, too: afterwards jump tables are not pruned, and landmarks have an age. */
static void edit_some(wend_map *map, const world *w, uint64_t *seed, int cells) {
    wend_edit *edit = begin_edit(map);
    for (int i = 0; i < cells; i++) {
        const uint32_t roll = draw(seed, 10);
        const uint8_t class = roll < 2 ? WEND_CLASS_BLOCKED : roll < 4 ? SLOW : WEND_CLASS_OPEN;
        cr_assert_eq(wend_edit_set_cell(edit, any_cell(w, seed), class), WEND_OK);
    }
    for (int i = 0; i < 2; i++) {
        const wend_cell from = any_cell(w, seed), to = any_cell(w, seed);
        cr_assert_eq(wend_edit_add_link(edit, &(wend_link){from, to, 20000, 0}), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static wend_map *create_graph(wend_allocator allocator, uint64_t *seed) {
    static wend_edge edges[3 * NODES];
    wend_graph_def def;
    for (uint32_t i = 0; i < 3 * NODES; i++) {
        const uint32_t from = i % NODES, to = i < NODES ? from + 1 : from + 2 + draw(seed, 40);
        edges[i] = (wend_edge){.from = from, .to = to % NODES, .cost = (int32_t)(1 + draw(seed, 5000))};
    }
    wend_graph_def_init(&def, sizeof def);
    def.node_count = NODES, def.edges = edges, def.edge_count = 3 * NODES, def.allocator = allocator;
    return made_graph(&def);
}

static wend_map *create_map(const world *w, wend_allocator allocator) {
    wend_map_def def = default_map();
    def.kind = w->kind, def.width = w->width, def.height = w->height, def.depth = w->depth, def.allocator = allocator;
    return made_map(&def);
}

/* With movers, slow terrain, links and units. */
static wend_map *map_of_world(const world *w, counting *c) {
    const wend_allocator allocator = counting_allocator(c);
    uint64_t seed = 11;
    const bool is_graph = w->kind == WEND_KIND_GRAPH;
    wend_map *map = is_graph ? create_graph(allocator, &seed) : create_map(w, allocator);
    for (int i = 1; i < MOVERS; i++) {
        wend_mover mover = default_mover();
        mover.size = is_graph ? 1 : i, mover.factors[SLOW] = (uint8_t)(i == 1 ? 2 : 0);
        cr_assert_eq(wend_map_add_mover(map, &mover, NULL), WEND_OK);
    }
    edit_some(map, w, &seed, is_graph ? NODES / 4 : w->width * w->height * w->depth / 4);
    for (int i = 0; i < 12; i++) cr_assert_eq(wend_map_occupy(map, any_cell(w, &seed)), WEND_OK);
    return map;
}

/* ---- what a host can observe, in addition to what fail_everywhere() compares ---- */

static const world *world_now;

static void mix(uint64_t *sum, uint64_t value) {
    *sum = (*sum ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    *sum ^= *sum >> 29;
}

static void mix_answer(uint64_t *sum, wend_search *search, wend_map *map, int32_t mover, uint64_t *seed) {
    wend_request request = default_request();
    wend_completion result = {.struct_bytes = sizeof result};
    request.map = map, request.mover = mover;
    request.start = any_cell(world_now, seed), request.goal = any_cell(world_now, seed);
    options_of(&request)->occupied = draw(seed, 2) ? WEND_OCCUPIED_BLOCK : WEND_OCCUPIED_IGNORE;
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    while (wend_search_step(search, 100000, NULL) == WEND_STATUS_PENDING) continue;
    wend_search_get_result(search, &result);
    const uint64_t all[] = {(uint64_t)result.status, (uint64_t)result.cost, result.expansions, (uint64_t)result.engine};
    for (int i = 0; i < 4; i++) mix(sum, all[i]);
}

/* Hashes all answers and figures. A failed call must not cause first-time work, such as marks of units. */
static uint64_t all_of(wend_map *map) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_search_def def = default_search();
    uint64_t sum = wend__map_serial(map), seed = 5, left;
    def.nodes = 8 * 4 * WEND_PAGE_NODES;
    wend_search *search = made_search(&def);
    for (int i = 0; i < 3 * MOVERS; i++) mix_answer(&sum, search, map, i % MOVERS, &seed);
    wend_search_destroy(search);
    wend_map_get_info(map, &info);
    cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_ALL, 0, &left), WEND_OK);
    mix(&sum, left);
    const uint64_t all[] = {info.bytes,           info.landmark_age, info.landmark_left,
                            info.landmark_effort, info.unit_bytes,   info.far_stale};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) mix(&sum, all[i]);
    mix(&sum, (uint64_t)info.marks_units);
    return sum;
}

/* ---- calls that fail ---- */

typedef struct call_to_fail {
    int32_t mover, tables, landmarks, later, far;
    int edits;      ///< cells that an edit changes before
    uint64_t slice; ///< effort of maintenance before: parts in slices are under way
} call_to_fail;

static wend_acceleration now; /* the definition */

static wend_error accelerate(wend_map *map) {
    return wend_map_accelerate(map, &now);
}

/* From nothing; over a definition of before; with tables that are not pruned; with parts that are made in slices. */
static const call_to_fail calls[] = {
    {.tables = 1, .landmarks = 4},
    {.tables = 1, .landmarks = 2, .edits = 5, .far = 1},
    {.mover = 1, .tables = 1, .landmarks = 5, .far = 1},
    {.tables = 0, .landmarks = 3},
    {.mover = 1, .tables = 0, .landmarks = 1, .edits = 3},
    {.mover = 2, .tables = 1, .landmarks = 2},
    {.tables = 1, .landmarks = 0, .far = 1, .edits = 2},
    {.tables = 0, .landmarks = 5, .later = 1}, /* discards tables now */
    {.tables = 1, .landmarks = 6, .slice = 9000},
    {.tables = 1, .landmarks = 0, .later = 1}, /* discards landmarks now */
    {.mover = 2, .tables = 0, .landmarks = 0},
    {.tables = 0, .landmarks = 4},
    {.tables = 1, .landmarks = 3},
    {.tables = 0, .landmarks = 0},
};

static bool is_served(const world *w, const call_to_fail *of) {
    return w->kind == WEND_KIND_GRID || of->landmarks > 0 || !of->tables;
}

/* The call is refused, and changes nothing. */
static void refuse(wend_map *map, wend_error error) {
    const uint64_t before = all_of(map);
    cr_assert_eq(accelerate(map), error);
    cr_assert_eq(all_of(map), before);
}

/* Where it needs more bytes than it may take, or changes tables while a batch is open. */
static void refuse_for_other_reasons(const world *w, wend_map *map) {
    const uint64_t most = now.max_bytes;
    now.max_bytes = 100;
    if (now.tables || now.landmarks > 0) refuse(map, WEND_OUT_OF_MEMORY);
    now.max_bytes = most;
    if (w->kind != WEND_KIND_GRID || now.later || now.tables == wend__map_has_jumps(map, now.mover)) return;
    wend_edit *edit = begin_edit(map);
    refuse(map, WEND_IN_USE);
    wend_edit_discard(edit);
}

static void check_made(const world *w, wend_map *map) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    if (!now.later || !now.tables)
        cr_assert_eq(wend__map_has_jumps(map, now.mover), now.tables && w->kind == WEND_KIND_GRID);
    if (now.mover == WEND_MOVER_DEFAULT && (!now.later || now.landmarks == 0))
        cr_assert(info.landmarks == now.landmarks && info.landmark_left == 0 && info.landmark_age == 0);
    if (now.mover == WEND_MOVER_DEFAULT) cr_assert_eq(info.far_levels > 0, now.far && w->kind == WEND_KIND_GRID);
    cr_assert_eq(info.landmark_effort, now.publish_effort);
}

static void fail_each_call(const world *w) {
    counting c = {0};
    uint64_t seed = 3;
    wend_map *map = map_of_world(w, &c);
    world_now = w;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const call_to_fail *of = &calls[i];
        if (!is_served(w, of)) continue;
        if (of->edits > 0) edit_some(map, w, &seed, of->edits);
        if (of->slice > 0) cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_ALL, of->slice, NULL), WEND_OK);
        wend_acceleration_init(&now, sizeof now);
        now.mover = of->mover, now.tables = of->tables, now.landmarks = of->landmarks;
        now.later = of->later, now.far = of->far, now.publish_effort = 1000 + i;
        all_of(map); /* from now on marks of units are made, if they are to be */
        refuse_for_other_reasons(w, map);
        if (w->kind == WEND_KIND_GRID || !of->later)
            fail_everywhere(map, &c, accelerate, all_of);
        else
            cr_assert_eq(accelerate(map), WEND_OK); /* which allocates nothing */
        check_made(w, map);
    }
    wend_map_release(map);
    cr_assert(c.blocks == 0 && c.bytes == 0);
}

Test(acceleration, changes_nothing_on_a_grid_when_it_fails) {
    fail_each_call(&grid);
}

Test(acceleration, changes_nothing_on_voxels_when_it_fails) {
    fail_each_call(&voxels);
}

Test(acceleration, changes_nothing_on_a_graph_when_it_fails) {
    fail_each_call(&graph);
}

/* Blocks cells of every second row and column, from number `first` on. */
static void block_some(wend_map *map, int32_t first, int32_t count) {
    wend_edit *edit = begin_edit(map);
    const int32_t columns = info_now(map).width / 2;
    for (int32_t i = first; i < first + count; i++)
        wend_edit_set_cell(edit, (wend_cell){i % columns * 2 + 1, i / columns * 2 + 1, 0}, 0);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

Test(acceleration, landmarks_are_made_again_when_a_share_of_the_cells_changed) {
    static const struct { int32_t side, cells; } limits[] = {{100, 1024}, {600, 600 * 600 / 256}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        OWNED_MAP *map = grid_map(limits[i].side, limits[i].side);
        cr_assert_eq(wend_map_accelerate(map, NULL), WEND_OK);
        block_some(map, 0, limits[i].cells - 1);
        cr_expect_eq(info_now(map).landmark_left, 0, "a cell below the limit");
        block_some(map, limits[i].cells - 1, 1);
        cr_expect_gt(info_now(map).landmark_left, 0, "at the limit");
        cr_expect_eq(info_now(map).landmark_age, 2);
        while (info_now(map).landmark_left > 0)
            cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_LANDMARKS, 100000, NULL), WEND_OK);
        cr_expect_eq(info_now(map).landmark_age, 0);
    }
}
