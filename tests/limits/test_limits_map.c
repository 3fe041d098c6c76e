/* SPDX-License-Identifier: MIT */
/* Limits of maps and of calls on them. */
#include "limits/limits.h"
#include "models/owned.h"

#include <wend/acceleration.h>
#include <wend/query.h>
#include <wend/units.h>
#include <wend/ways.h>

static wend_error create_and_release(const wend_map_def *def) {
    wend_map *map = NULL;
    const wend_error error = wend_map_create(def, &map);
    wend_map_release(map);
    return error;
}

/* ---- sizes ---- */

static wend_error create_sized(int32_t kind, int64_t width, int64_t height, int64_t depth) {
    wend_map_def def = default_map();
    def.kind = kind, def.width = (int32_t)width, def.height = (int32_t)height, def.depth = (int32_t)depth;
    return create_and_release(&def);
}

Test(limits_map, of_sides) {
    AT_MOST(WEND_MAX_SIDE, WEND_BAD_ARGUMENT, create_sized(WEND_KIND_GRID, value, 1, 1));
    AT_MOST(WEND_MAX_SIDE, WEND_BAD_ARGUMENT, create_sized(WEND_KIND_GRID, 1, value, 1));
    AT_MOST(WEND_MAX_SIDE, WEND_BAD_ARGUMENT, create_sized(WEND_KIND_VOXEL, value, 1, 1));
    AT_MOST(WEND_MAX_SIDE, WEND_BAD_ARGUMENT, create_sized(WEND_KIND_VOXEL, 1, value, 1));
    AT_MOST(WEND_MAX_SIDE, WEND_BAD_ARGUMENT, create_sized(WEND_KIND_VOXEL, 1, 1, value));
}

/* Finds sides of a voxel map of this number of cells. Returns false if there are none. */
static bool find_sides(uint64_t cells, wend_cell *sides) {
    for (uint64_t x = WEND_MAX_SIDE; x * x * x >= cells; x--) {
        for (uint64_t y = cells / x < x ? cells / x : x; cells % x == 0 && x * y * y >= cells; y--) {
            if (cells / x % y != 0) continue;
            *sides = (wend_cell){(int32_t)x, (int32_t)y, (int32_t)(cells / x / y)};
            return true;
        }
    }
    return false;
}

/* WEND_MAX_CELLS - 1 and WEND_MAX_CELLS + 1 have a prime factor above the longest side: no grid has such a size. */
Test(limits_map, of_cells) {
    wend_cell sides;
    cr_expect_not(find_sides(WEND_MAX_CELLS - 1, &sides));
    cr_expect_not(find_sides(WEND_MAX_CELLS + 1, &sides));
    cr_assert(find_sides(WEND_MAX_CELLS, &sides));
    cr_expect_eq(create_sized(WEND_KIND_VOXEL, sides.x, sides.y, sides.z), WEND_OK);
    uint64_t fewer = WEND_MAX_CELLS - 1, more = WEND_MAX_CELLS + 1;
    while (!find_sides(fewer, &sides)) fewer--;
    cr_expect_eq(create_sized(WEND_KIND_VOXEL, sides.x, sides.y, sides.z), WEND_OK);
    while (!find_sides(more, &sides)) more++;
    cr_expect_eq(create_sized(WEND_KIND_VOXEL, sides.x, sides.y, sides.z), WEND_BAD_ARGUMENT);
    cr_expect_lt(more - fewer, 100, "%llu to %llu", (unsigned long long)fewer, (unsigned long long)more);
}

static wend_error create_wrapped(int32_t wrap, int64_t width, int64_t height) {
    wend_map_def def = default_map();
    def.wrap = wrap, def.width = (int32_t)width, def.height = (int32_t)height;
    return create_and_release(&def);
}

Test(limits_map, of_grids_that_wrap) {
    AT_LEAST(WEND_MIN_WRAPPED, WEND_BAD_ARGUMENT, create_wrapped(WEND_WRAP_X, value, 1));
    AT_LEAST(WEND_MIN_WRAPPED, WEND_BAD_ARGUMENT, create_wrapped(WEND_WRAP_Y, 1, value));
    AT_LEAST(WEND_MIN_WRAPPED, WEND_BAD_ARGUMENT, create_wrapped(WEND_WRAP_X | WEND_WRAP_Y, value, 9));
    AT_LEAST(WEND_MIN_WRAPPED, WEND_BAD_ARGUMENT, create_wrapped(WEND_WRAP_X | WEND_WRAP_Y, 9, value));
    AT_MOST(WEND_MAX_SIDE, WEND_BAD_ARGUMENT, create_wrapped(WEND_WRAP_X, value, 1));
}

static wend_error create_sheets(int64_t count) {
    static wend_sheet sheets[WEND_MAX_SHEETS + 1];
    for (int32_t i = 0; i <= WEND_MAX_SHEETS; i++) {
        const wend_cell low = {i % 128 * WEND_CHUNK_SIDE, i / 128 * WEND_CHUNK_SIDE, 0};
        sheets[i] = (wend_sheet){{low, {low.x + WEND_CHUNK_SIDE - 1, low.y + WEND_CHUNK_SIDE - 1, 0}}, low};
    }
    wend_map_def def = default_map();
    def.width = 128 * WEND_CHUNK_SIDE, def.height = 33 * WEND_CHUNK_SIDE;
    def.sheets = sheets, def.sheet_count = (uint32_t)count;
    return create_and_release(&def);
}

Test(limits_map, of_sheets) {
    AT_MOST(WEND_MAX_SHEETS, WEND_BAD_ARGUMENT, create_sheets(value));
}

static wend_error create_versions(int64_t versions) {
    wend_map_def def = default_map();
    def.width = def.height = 3, def.max_versions = (int32_t)versions;
    return create_and_release(&def);
}

Test(limits_map, of_versions) {
    AT_MOST(WEND_MAX_VERSIONS, WEND_BAD_ARGUMENT, create_versions(value));
    OWNED_MAP *map = grid_map(3, 3);
    AT_MOST(WEND_MAX_VERSIONS, WEND_BAD_ARGUMENT, wend_map_set_max_versions(map, (int32_t)value));
}

/* ---- graphs ---- */

/* A graph that is not refused for its counts fails for another reason: it has no memory, or an edge leads nowhere. */
static wend_error create_graph(int64_t nodes, int64_t capacity, int64_t edges) {
    static const wend_edge off = {9, 9, 1};
    wend_graph_def def = default_graph();
    wend_map *map = NULL;
    def.node_count = (uint32_t)nodes, def.node_capacity = (uint32_t)capacity, def.max_bytes = 1 << 20;
    def.edges = &off, def.edge_count = (uint64_t)edges;
    const wend_error error = wend_graph_create(&def, &map);
    wend_map_release(map);
    return error;
}

Test(limits_map, of_graphs) {
    AT_MOST_GIVES(WEND_MAX_NODES, WEND_OUT_OF_MEMORY, WEND_BAD_ARGUMENT, create_graph(value, 0, 0));
    AT_MOST_GIVES(WEND_MAX_NODES, WEND_OUT_OF_MEMORY, WEND_BAD_ARGUMENT, create_graph(1, value, 0));
    AT_MOST_GIVES(WEND_MAX_EDGES, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT, create_graph(2, 0, value));
}

/* ---- movers ---- */

/* Returns the error of the last of `count` movers, the default mover included. */
static wend_error add_movers(int64_t count) {
    OWNED_MAP *map = grid_map(3, 3);
    wend_error error = WEND_OK;
    for (int64_t i = 1; i < count; i++) {
        const wend_mover mover = default_mover();
        int32_t id;
        cr_assert_eq(error, WEND_OK);
        error = wend_map_add_mover(map, &mover, &id);
    }
    return error;
}

static wend_error add_mover(int64_t size) {
    OWNED_MAP *map = grid_map(20, 20);
    wend_mover mover = default_mover();
    int32_t id;
    mover.size = (int32_t)size;
    return wend_map_add_mover(map, &mover, &id);
}

static wend_error add_walker(int64_t step_up, int64_t drop, int64_t headroom) {
    wend_map_def def = default_map();
    wend_mover mover = default_mover();
    wend_map *map;
    int32_t id;
    def.kind = WEND_KIND_VOXEL, def.width = def.height = 3, def.depth = 40;
    cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
    mover.walker = 1, mover.step_up = (int32_t)step_up, mover.drop = (int32_t)drop;
    mover.headroom = (int32_t)headroom;
    const wend_error error = wend_map_add_mover(map, &mover, &id);
    wend_map_release(map);
    return error;
}

Test(limits_map, of_movers) {
    AT_MOST(WEND_MAX_MOVERS, WEND_BAD_ARGUMENT, add_movers(value));
    AT_MOST(WEND_MAX_MOVER_SIZE, WEND_BAD_ARGUMENT, add_mover(value));
    AT_MOST(WEND_MAX_LEVELS, WEND_BAD_ARGUMENT, add_walker(value, 1, 2));
    AT_MOST(WEND_MAX_LEVELS, WEND_BAD_ARGUMENT, add_walker(1, value, 2));
    AT_MOST(WEND_MAX_HEADROOM, WEND_BAD_ARGUMENT, add_walker(1, 1, value));
}

/* ---- links, costs, units ---- */

static wend_error add_links(int64_t count) {
    OWNED_MAP *map = grid_map(1100, 1000);
    wend_edit *edit = begin_edit(map);
    wend_error error = WEND_OK;
    for (int64_t i = 0; i < count; i++) {
        cr_assert_eq(error, WEND_OK);
        const wend_cell from = {(int32_t)(i % 1100), (int32_t)(i / 1100), 0}, to = {0, 999, 0};
        error = wend_edit_add_link(edit, &(wend_link){from, to, 5, 0});
    }
    wend_edit_discard(edit);
    return error;
}

Test(limits_map, of_links) {
    AT_MOST(WEND_MAX_LINKS, WEND_BAD_ARGUMENT, add_links(value));
}

static wend_error add_link(int64_t cost) {
    OWNED_MAP *map = grid_map(9, 9);
    wend_edit *edit = begin_edit(map);
    const wend_error error = wend_edit_add_link(edit, &(wend_link){{1, 1, 0}, {7, 7, 0}, (int32_t)cost, 0});
    wend_edit_discard(edit);
    return error;
}

static wend_error create_costs(int64_t straight, int64_t diagonal) {
    wend_map_def def = default_map();
    wend_map_rules rules = default_rules();
    rules.cost_straight = (int32_t)straight, rules.cost_diagonal = (int32_t)diagonal;
    def.width = def.height = 3, def.rules = &rules;
    return create_and_release(&def);
}

static wend_error create_edge(int64_t cost) {
    wend_graph_def def = default_graph();
    const wend_edge edge = {0, 1, (int32_t)cost};
    wend_map *map = NULL;
    def.node_count = 2, def.edges = &edge, def.edge_count = 1;
    const wend_error error = wend_graph_create(&def, &map);
    wend_map_release(map);
    return error;
}

/* Returns whether the last of so many movers takes a link that is for that one alone. */
static bool is_for_mover(int32_t movers) {
    OWNED_MAP *map = grid_map(9, 9);
    const wend_cell a = {1, 1, 0}, b = {7, 7, 0};
    wend_mover mover = default_mover();
    bool legal = false;
    for (int32_t i = 1; i < movers; i++) cr_assert_eq(wend_map_add_mover(map, &mover, NULL), WEND_OK);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){a, b, 5, UINT32_C(1) << ((movers - 1) % 32)}), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(wend_map_step_legal(map, movers - 1, a, b, &legal, NULL), WEND_OK);
    return legal;
}

Test(limits_map, of_movers_with_links_of_their_own) {
    cr_assert(is_for_mover(WEND_LINK_MOVERS));
    cr_assert_not(is_for_mover(WEND_LINK_MOVERS + 1), "it takes only links for all");
}

Test(limits_map, of_costs) {
    AT_MOST(WEND_MAX_COST, WEND_BAD_ARGUMENT, add_link(value));
    AT_MOST(WEND_MAX_COST, WEND_BAD_ARGUMENT, create_costs(WEND_MAX_COST - 1, value));
    AT_MOST(WEND_MAX_COST, WEND_BAD_ARGUMENT, create_costs(value, value));
    AT_MOST(WEND_MAX_COST, WEND_BAD_ARGUMENT, create_edge(value));
}

static wend_error occupy(int64_t units) {
    OWNED_MAP *map = grid_map(3, 3);
    wend_error error = WEND_OK;
    for (int64_t i = 0; i < units; i++) {
        cr_assert_eq(error, WEND_OK);
        error = wend_map_occupy(map, (wend_cell){1, 1, 0});
    }
    return error;
}

Test(limits_map, of_units_on_a_cell) {
    AT_MOST(WEND_MAX_OCCUPANTS, WEND_BUSY, occupy(value));
}

Test(limits_map, of_the_nearest_cell) {
    OWNED_MAP *map = grid_map(9, 9);
    bool found;
    wend_cell cell;
    AT_MOST(WEND_MAX_NEAREST, WEND_BAD_ARGUMENT,
            wend_map_nearest_open(map, WEND_MOVER_DEFAULT, (wend_cell){3, 3, 0}, (int32_t)value, &found, &cell));
}

Test(limits_map, of_landmarks) {
    OWNED_MAP *map = grid_map(70, 70);
    wend_acceleration how = default_acceleration();
    how.tables = 0;
    AT_MOST(WEND_MAX_LANDMARKS, WEND_BAD_ARGUMENT, (how.landmarks = (int32_t)value, wend_map_accelerate(map, &how)));
}

/* ---- layers ---- */

static wend_error add_layers(int64_t count) {
    OWNED_MAP *map = grid_map(3, 3);
    wend_error error = WEND_OK;
    for (int64_t i = 0; i < count; i++) {
        const wend_layer_def def = default_layer();
        int32_t layer;
        cr_assert_eq(error, WEND_OK);
        error = wend_map_add_layer(map, &def, &layer);
    }
    return error;
}

/* Makes a map with this number of layers. */
static wend_map *layered(int32_t count) {
    wend_map *map = grid_map(9, 9);
    for (int32_t i = 0; i < count; i++) {
        const wend_layer_def def = default_layer();
        int32_t layer;
        cr_assert_eq(wend_map_add_layer(map, &def, &layer), WEND_OK);
    }
    return map;
}

static wend_error add_profiles(int64_t count) {
    OWNED_MAP *map = layered(1);
    wend_error error = WEND_OK;
    for (int64_t i = 0; i < count; i++) {
        const wend_layer_weight weight = {0, (int32_t)i + 1};
        int32_t profile;
        cr_assert_eq(error, WEND_OK);
        error = wend_map_add_profile(map, &weight, 1, &profile);
    }
    return error;
}

static wend_error add_weights(int64_t count, int64_t weight) {
    OWNED_MAP *map = layered(WEND_MAX_PROFILE_LAYERS + 1);
    wend_layer_weight weights[WEND_MAX_PROFILE_LAYERS + 1];
    int32_t profile;
    for (int32_t i = 0; i <= WEND_MAX_PROFILE_LAYERS; i++) weights[i] = (wend_layer_weight){i, (int32_t)weight};
    return wend_map_add_profile(map, weights, (uint32_t)count, &profile);
}

static wend_error add_walls(int64_t within) {
    OWNED_MAP *map = grid_map(70, 70);
    wend_layer_def def = default_layer();
    int32_t layer;
    def.within = (int32_t)within;
    return wend_map_add_layer(map, &def, &layer);
}

Test(limits_map, of_layers) {
    AT_MOST(WEND_MAX_LAYERS, WEND_BUSY, add_layers(value));
    AT_MOST(WEND_MAX_PROFILES, WEND_BUSY, add_profiles(value));
    AT_MOST(WEND_MAX_PROFILE_LAYERS, WEND_BAD_ARGUMENT, add_weights(value, 1));
    AT_MOST(WEND_MAX_COST, WEND_BAD_ARGUMENT, add_weights(1, value));
    AT_MOST(WEND_MAX_WITHIN, WEND_BAD_ARGUMENT, add_walls(value));
}

/* The largest disc reaches as far as its radius: its rim has peak x (r^2 - d^2) / r^2 with r = radius + 1. */
Test(limits_map, of_discs) {
    OWNED_MAP *map = layered(1);
    const wend_cell centre = {4, 4, 0};
    AT_MOST(WEND_MAX_DISC, WEND_BAD_ARGUMENT, wend_map_add_layer_disc(map, 0, centre, (int32_t)value, 1));
    OWNED_MAP *wide = grid_map(WEND_MAX_DISC + 2, 1);
    const wend_layer_def def = default_layer();
    int32_t layer;
    uint8_t rim, beyond;
    cr_assert_eq(wend_map_add_layer(wide, &def, &layer), WEND_OK);
    cr_assert_eq(wend_map_add_layer_disc(wide, layer, (wend_cell){0, 0, 0}, WEND_MAX_DISC, 255), WEND_OK);
    cr_assert_eq(wend_map_get_layer_value(wide, layer, (wend_cell){WEND_MAX_DISC, 0, 0}, &rim), WEND_OK);
    cr_assert_eq(wend_map_get_layer_value(wide, layer, (wend_cell){WEND_MAX_DISC + 1, 0, 0}, &beyond), WEND_OK);
    const int32_t r = WEND_MAX_DISC + 1;
    cr_expect_eq(rim, 255 * (r * r - WEND_MAX_DISC * WEND_MAX_DISC) / (r * r));
    cr_expect_eq(beyond, 0);
}

/* ---- the log of changes ---- */

/* Returns how many boxes a publish adds that changes this number of chunks. */
static int64_t count_boxes(int64_t chunks) {
    OWNED_MAP *map = grid_map(16 * WEND_CHUNK_SIDE, 9 * WEND_CHUNK_SIDE);
    wend_changes changes = {.struct_bytes = sizeof changes};
    wend_box boxes[WEND_MAX_CHANGES];
    size_t count;
    cr_assert_eq(wend_map_changes(map, 0, NULL, 0, &count, &changes), WEND_OK); /* the log begins */
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 0; i < chunks; i++) {
        const wend_cell cell = {i % 16 * WEND_CHUNK_SIDE, i / 16 * WEND_CHUNK_SIDE, 0};
        cr_assert_eq(wend_edit_set_cell(edit, cell, WEND_CLASS_BLOCKED), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(wend_map_changes(map, 0, boxes, WEND_MAX_CHANGES, &count, &changes), WEND_OK);
    cr_assert_not(changes.everything);
    return (int64_t)count;
}

Test(limits_map, of_boxes_of_a_publish) {
    AT_MOST_GIVES(WEND_MAX_CHANGES_EACH, value, 1, count_boxes(value));
}

/* Returns the boxes in the log after this number of publishes of one box; -1: beyond its reach. */
static int64_t count_publishes(int64_t publishes) {
    OWNED_MAP *map = grid_map(3, 3);
    wend_changes changes = {.struct_bytes = sizeof changes};
    wend_box boxes[WEND_MAX_CHANGES];
    size_t count;
    cr_assert_eq(wend_map_changes(map, 0, NULL, 0, &count, &changes), WEND_OK); /* the log begins */
    for (int32_t i = 0; i < publishes; i++)
        cr_assert_eq(wend_map_set_cell(map, (wend_cell){1, 1, 0}, (uint8_t)(i % 2), NULL), WEND_OK);
    cr_assert_eq(wend_map_changes(map, 0, boxes, WEND_MAX_CHANGES, &count, &changes), WEND_OK);
    return changes.everything ? -1 : (int64_t)count;
}

Test(limits_map, of_boxes_in_the_log) {
    AT_MOST_GIVES(WEND_MAX_CHANGES, value, -1, count_publishes(value));
}
