/* SPDX-License-Identifier: MIT */
/* Details of map.h, edit.h, query.h and acceleration.h. */
#include "detail/refused.h"

#include <wend/geometry.h>
#include <wend/layers.h>
#include <wend/query.h>
#include <wend/stream.h>
#include <wend/units.h>
#include <wend/ways.h>

static wend_map_def map_def;
static wend_map_rules rules;

static void reset_map_def(void) {
    wend_map_def_init(&map_def, sizeof map_def);
    wend_map_rules_init(&rules, sizeof rules);
    map_def.width = map_def.height = 10, map_def.rules = &rules;
}

/* Each row changes the defaults, and the call brings them back. */
static wend_error create_map(void) {
    wend_map *map;
    const wend_error error = wend_map_create(&map_def, &map);
    reset_map_def();
    return error;
}

Test(detail, of_making_a_map) {
    wend_map *map;
    reset_map_def();
    BAD("out is NULL", wend_map_create(&map_def, NULL));
    BAD("def is NULL", wend_map_create(NULL, &map));
    BAD(SIZED("wend_map_def", 3), map_def.struct_bytes = 3, create_map());
    BAD("kind is 3, but must be WEND_KIND_GRID or WEND_KIND_VOXEL...", map_def.kind = WEND_KIND_GRAPH, create_map());
    BAD("height is 65537, but must be from 1 to 65536", map_def.height = 65537, create_map());
    BAD("65536 x 65536 x 2 cells are more than WEND_MAX_CELLS, 4294967296", map_def.kind = WEND_KIND_VOXEL,
        map_def.width = map_def.height = 65536, map_def.depth = 2, create_map());
    BAD("allocator.alloc is given, but allocator.free is NULL...", map_def.allocator.free = NULL, create_map());
    BAD("rules.neighbours is 5, but must be 4, 6 or 8 on a grid (0: 8)", rules.neighbours = 5, create_map());
    BAD("rules.neighbours is 8, but must be 6...", map_def.kind = WEND_KIND_VOXEL, rules.neighbours = 8, create_map());
    BAD("rules.corners is 3, but must be from 0 to 2", rules.corners = 3, create_map());
    BAD("rules.cost_straight is 0, but must be from 1 to 1000000", rules.cost_straight = 0, create_map());
    BAD("rules.cost_diagonal is 21, but must be from 10 to 20", rules.cost_diagonal = 21, create_map());
    BAD("rules.cost_space is 19...", map_def.kind = WEND_KIND_VOXEL, rules.cost_space = 19, create_map());
    BAD(SIZED("wend_map_rules", 0), rules.struct_bytes = 0, create_map());
    FAILS(OUT_OF_MEMORY, "max_bytes, 1, has no room for a map", map_def.max_bytes = 1, create_map());
    FAILS(OUT_OF_MEMORY, "max_bytes of the map and its forks, 2000...", map_def.max_bytes = 2000, create_map());
    FAILS(OUT_OF_MEMORY, "the allocator has no # bytes", map_def.allocator = no_memory, create_map());
    const wend_acceleration many = {.struct_bytes = sizeof many, .landmarks = 9};
    BAD("landmarks is 9, but must be from 0 to 8", map_def.acceleration = &many, create_map());
}

static wend_graph_def graph_def;
static wend_edge edges[2];

static wend_error create_graph(void) {
    wend_map *map;
    const wend_error error = wend_graph_create(&graph_def, &map);
    wend_graph_def_init(&graph_def, sizeof graph_def);
    graph_def.node_count = 2, graph_def.edges = edges, graph_def.edge_count = 2;
    edges[0] = (wend_edge){0, 1, 5}, edges[1] = (wend_edge){1, 0, 5};
    return error;
}

Test(detail, of_making_a_graph) {
    static const uint8_t absent[2];
    create_graph();
    BAD("out is NULL", wend_graph_create(&graph_def, NULL));
    wend_map *map;
    BAD("the wend_graph_def is NULL", wend_graph_create(NULL, &map));
    BAD("node_count is 0, but must be from 1 to 2147483647", graph_def.node_count = 0, create_graph());
    BAD("present marks no node: a graph has at least one", graph_def.present = absent, create_graph());
    BAD("edges is NULL", graph_def.edges = NULL, create_graph());
    BAD("edges[1].cost is 0, but must be from 1 to 1000000", edges[1].cost = 0, create_graph());
    FAILS(OUT_OF_RANGE, "edges[0] leads from 0 to 2, and one of them is no node", edges[0].to = 2, create_graph());
    FAILS(OUT_OF_MEMORY, "the allocator has no # bytes", graph_def.allocator = no_memory, create_graph());
}

Test(detail, of_reading_a_map) {
    OWNED_MAP *map = make_grid(), *graph = make_graph();
    wend_map_info info = {.struct_bytes = 4};
    wend_map_rules read = {.struct_bytes = 4};
    wend_changes changes = {.struct_bytes = 4};
    wend_mover mover = {.struct_bytes = sizeof mover};
    wend_cell cell;
    wend_edge edge;
    uint8_t class;
    size_t count;
    BAD(SIZED("wend_map_info", 4), wend_map_get_info(map, &info));
    BAD("the wend_map_info is NULL", wend_map_get_info(map, NULL));
    BAD(SIZED("wend_map_rules", 4), wend_map_get_rules(map, &read));
    BAD(SIZED("wend_changes", 4), wend_map_changes(map, 0, NULL, 0, NULL, &changes));
    BAD(ABSENT("boxes"), wend_map_changes(map, 0, NULL, 1, NULL, NULL));
    BAD(NO_MOVER, wend_map_get_mover(map, 1, &mover));
    BAD("the wend_mover is NULL", wend_map_get_mover(map, 0, NULL));
    FAILS(UNSUPPORTED, "the map is no graph", wend_map_get_edges(map, 0, &edge, 1, &count));
    FAILS(UNSUPPORTED, "the map is no graph", wend_map_get_coordinates(map, 0, &cell));
    FAILS(OUT_OF_RANGE, "node is 3, but the graph has no such node...", wend_map_get_edges(graph, 3, &edge, 1, &count));
    FAILS(OUT_OF_RANGE, "node is 3, but the graph has no such node...", wend_map_get_coordinates(graph, 3, &cell));
    FAILS(EMPTY, "the graph's nodes have no coordinates", wend_map_get_coordinates(graph, 0, &cell));
    FAILS(OUT_OF_RANGE, "cell" OFF_GRID, wend_map_get_terrain(map, CELL(10, 0), &class));
    FAILS(OUT_OF_RANGE, "box.max" OFF_GRID,
          wend_map_get_terrain_box(map, (wend_box){CELL(0, 0), CELL(10, 0)}, &class, 11));
    BAD("box.max is 0,0,0...", wend_map_get_terrain_box(map, (wend_box){CELL(1, 0), CELL(0, 0)}, &class, 1));
    BAD("stride_bytes is 1...", wend_map_get_terrain_box(map, (wend_box){CELL(0, 0), CELL(1, 0)}, &class, 1));
}

Test(detail, of_changing_a_map) {
    wend_map *map = make_grid(), *graph = make_graph(), *fork;
    int32_t id;
    uint32_t units;
    wend_mover mover = default_mover();
    wend_map_rules_init(&rules, sizeof rules);
    BAD("rules is NULL", wend_map_set_rules(map, NULL));
    rules.corners = -1;
    BAD("rules.corners is -1, but must be from 0 to 2", wend_map_set_rules(map, &rules));
    BAD("max_versions is 65, but must be from 1 to 64", wend_map_set_max_versions(map, 65));
    BAD("mover.size is 17, but must be from 1 to 16", mover.size = 17, wend_map_add_mover(map, &mover, &id));
    BAD("mover.size is 2, but must be 1 on a graph", mover.size = 2, wend_map_add_mover(graph, &mover, &id));
    BAD("the wend_mover is NULL", wend_map_add_mover(map, NULL, &id));
    mover.size = 1;
    BAD("mover.like is -2, but must be from -1 to 63", mover.like = -2, wend_map_add_mover(map, &mover, &id));
    BAD(NO_MOVER, mover.like = 1, wend_map_add_mover(map, &mover, &id));
    mover.like = -1;
    BAD(NO_MOVER, wend_map_mover_avoiding(map, 1, mover.avoided, &id));
    BAD("avoided is NULL", wend_map_mover_avoiding(map, 0, NULL, &id));
    while (wend_map_add_mover(graph, &mover, &id) == WEND_OK) continue;
    BAD("the map has 64 movers, the most that it can have", wend_map_add_mover(graph, &mover, &id));
    FAILS(OUT_OF_RANGE, "cell" OFF_GRID, wend_map_occupy(map, CELL(10, 0)));
    FAILS(OUT_OF_RANGE, "cell" OFF_GRID, wend_map_vacate(map, CELL(10, 0)));
    FAILS(OUT_OF_RANGE, "cell" OFF_GRID, wend_map_get_occupants(map, CELL(10, 0), &units));
    FAILS(OUT_OF_RANGE, "cell is 0,1,0, but the graph has no such node...", wend_map_occupy(graph, CELL(0, 1)));
    FAILS(EMPTY, "no unit stands on the cell", wend_map_vacate(map, CELL(0, 0)));
    for (int i = 0; i < WEND_MAX_OCCUPANTS; i++) wend_map_occupy(map, CELL(0, 0));
    FAILS(BUSY, "the cell has 255 units, the most that it can have", wend_map_occupy(map, CELL(0, 0)));
    wend_map_release(map), wend_map_release(graph);
    wend_map_def_init(&map_def, sizeof map_def);
    map_def.width = map_def.height = 10, map_def.max_bytes = 100000;
    cr_assert_eq(wend_map_create(&map_def, &map), WEND_OK);
    wend_error error = WEND_OK;
    for (int i = 0; i < 1000 && !error; i++) error = wend_map_fork(map, &fork);
    FAILS(OUT_OF_MEMORY, "max_bytes of the map and its forks, 100000...", wend_map_fork(map, &fork));
}

static wend_edit *edit;

static wend_error discard(wend_error error) {
    wend_edit_discard(edit);
    return error;
}

/* The last of the expressions is a change in a batch of its own. */
#define IN(map, ...) (edit = begin_edit(map), discard((__VA_ARGS__)))

Test(detail, of_edits) {
    OWNED_MAP *map = make_grid(), *graph = make_graph();
    wend_edit *second;
    FAILS(OUT_OF_RANGE, "cell" OFF_GRID, IN(map, wend_edit_set_cell(edit, CELL(10, 0), 0)));
    FAILS(OUT_OF_RANGE, "box.min is...", IN(map, wend_edit_fill_box(edit, (wend_box){CELL(-1, 0), CELL(1, 1)}, 0)));
    BAD("stride_bytes is...", IN(map, wend_edit_set_box(edit, (wend_box){CELL(0, 0), CELL(1, 1)}, (uint8_t[4]){0}, 1)));
    BAD("0,0,0 and 2,0,0 are no neighbours under the...",
        IN(map, wend_edit_set_step(edit, CELL(0, 0), CELL(2, 0), false)));
    BAD("a graph has edges and links...", IN(graph, wend_edit_set_step(edit, CELL(0, 0), CELL(1, 0), false)));
    BAD("from and to are one cell...", IN(map, wend_edit_add_link(edit, &(wend_link){CELL(1, 1), CELL(1, 1), 5, 0})));
    FAILS(OUT_OF_RANGE, "to" OFF_GRID, IN(map, wend_edit_add_link(edit, &(wend_link){CELL(1, 1), CELL(10, 0), 5, 0})));
    FAILS(EMPTY, "no link leads from there to there", IN(map, wend_edit_remove_link(edit, CELL(1, 1), CELL(2, 2))));
    FAILS(OUT_OF_RANGE, "from" OFF_GRID, IN(map, wend_edit_remove_link(edit, CELL(10, 0), CELL(2, 2))));
    FAILS(UNSUPPORTED, "the map is no graph", IN(map, wend_edit_set_edge(edit, 0, 1, 5)));
    FAILS(OUT_OF_RANGE, "from is 9, but the graph has no such node...", IN(graph, wend_edit_set_edge(edit, 9, 1, 5)));
    BAD("cost is 0, but must be from 1 to 1000000", IN(graph, wend_edit_set_edge(edit, 0, 1, 0)));
    FAILS(EMPTY, "no edge leads from there to there", IN(graph, wend_edit_remove_edge(edit, 2, 2)));
    FAILS(UNSUPPORTED, "the map is no graph", IN(map, wend_edit_add_node(edit, 1, CELL(0, 0), 1, NULL)));
    BAD("there is a node 1 already", IN(graph, wend_edit_add_node(edit, 1, CELL(0, 0), 1, NULL)));
    FAILS(OUT_OF_RANGE, "node is 3...", IN(graph, wend_edit_add_node(edit, 3, CELL(0, 0), 1, NULL)));
    FAILS(OUT_OF_RANGE, "the graph has no...", IN(graph, wend_edit_add_node(edit, WEND_ANY_NODE, CELL(0, 0), 1, NULL)));
    FAILS(OUT_OF_RANGE, "node is 3, but the graph has no such node...", IN(graph, wend_edit_remove_node(edit, 3)));
    FAILS(OUT_OF_RANGE, "a" OFF_GRID,
          IN(map, wend_edit_would_disconnect(edit, 0, CELL(10, 0), CELL(2, 2), &(bool){0})));
    BAD("the map is not streamed: all of it is there", IN(map, wend_edit_load(edit, 0, 0, NULL, 0)));
    BAD("the map is not streamed: all of it is there", IN(map, wend_edit_unload(edit, 0, 0, WEND_LAND_KNOWN)));
    FAILS(OUT_OF_RANGE, "a change of this batch has failed: cell" OFF_GRID,
          IN(map, (void)wend_edit_set_cell(edit, CELL(10, 0), 0),
             wend_edit_fill_box(edit, (wend_box){CELL(0, 0), CELL(1, 1)}, 0)));
    FAILS(OUT_OF_RANGE, "cell" OFF_GRID, wend_map_set_cell(map, CELL(10, 0), 0, NULL));
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    FAILS(IN_USE, "the map has an open batch: publish or discard that one first", wend_edit_begin(map, &second));
    FAILS(IN_USE, "the map has an open batch...", wend_map_set_cell(map, CELL(0, 0), 0, NULL));
    (void)wend_edit_set_cell(edit, CELL(10, 0), 0);
    (void)wend_map_vacate(map, CELL(0, 99)); /* another error in between */
    FAILS(OUT_OF_RANGE, "a change of this batch has failed: cell" OFF_GRID, wend_edit_publish(edit, NULL));
}

/* ---- sheets ---- */

static wend_sheet sheets[2];

/* 200 x 100 cells with two sheets; each row changes them, and the call brings them back. */
static void reset_sheets(void) {
    reset_map_def();
    sheets[0] = (wend_sheet){{CELL(0, 0), CELL(63, 63)}, CELL(0, 0)};
    sheets[1] = (wend_sheet){{CELL(64, 0), CELL(127, 63)}, CELL(WEND_MAX_SIDE, WEND_MAX_SIDE)};
    map_def.width = 200, map_def.height = 100, map_def.sheets = sheets, map_def.sheet_count = 2;
}

static wend_error create_sheets(void) {
    wend_map *map;
    const wend_error error = wend_map_create(&map_def, &map);
    if (!error) wend_map_release(map);
    reset_sheets();
    return error;
}

static wend_error sheets_at(uint32_t count) {
    static wend_sheet many[WEND_MAX_SHEETS + 1];
    for (int32_t i = 0; i <= WEND_MAX_SHEETS; i++) {
        const wend_cell low = {i % 128 * WEND_CHUNK_SIDE, i / 128 * WEND_CHUNK_SIDE, 0};
        many[i] = (wend_sheet){{low, {low.x + WEND_CHUNK_SIDE - 1, low.y + WEND_CHUNK_SIDE - 1, 0}}, low};
    }
    map_def.width = 128 * WEND_CHUNK_SIDE, map_def.height = 33 * WEND_CHUNK_SIDE;
    map_def.sheets = many, map_def.sheet_count = count;
    return create_sheets();
}

Test(detail, of_sheets) {
    OWNED_MAP *map = NULL;
    reset_sheets();
    cr_assert_eq(create_sheets(), WEND_OK);
    cr_assert_eq(sheets_at(WEND_MAX_SHEETS), WEND_OK);
    BAD("sheet_count is 4097, but must be 0 to 4096", sheets_at(WEND_MAX_SHEETS + 1));
    BAD("sheets is NULL", map_def.sheets = NULL, create_sheets());
    FAILS(UNSUPPORTED, "only flat grids of squares have sheets", rules.neighbours = 6, create_sheets());
    FAILS(UNSUPPORTED, "only flat grids of squares have sheets", map_def.kind = WEND_KIND_VOXEL, create_sheets());
    FAILS(UNSUPPORTED, "a map that wraps, or is streamed, has no sheets", map_def.wrap = WEND_WRAP_Y, create_sheets());
    FAILS(UNSUPPORTED, "a map that wraps, or is streamed, has no sheets", map_def.streamed = 1, create_sheets());
    BAD("sheets[1].box is off the map, or empty", sheets[1].box.max.x = 200, create_sheets());
    BAD("sheets[0].box is off the map, or empty", sheets[0].box.max.y = -1, create_sheets());
    BAD("sheets[1].box has to begin and end on borders of chunks...", sheets[1].box.max.x = 198, create_sheets());
    BAD("sheets[0].box and sheets[1].box overlap", sheets[1].box.min.x = 0, create_sheets());
    BAD("sheets[1].ground is 65537,0,0...", sheets[1].ground = CELL(WEND_MAX_SIDE + 1, 0), create_sheets());
    BAD("sheets[1].ground is 0,-1,0: x and y are 0 to 65536, z is 0", sheets[1].ground = CELL(0, -1), create_sheets());
    sheets[1].ground = CELL(0, 0);
    cr_assert_eq(wend_map_create(&map_def, &map), WEND_OK);
    BAD("a seam leads from a cell to a...",
        IN(map, wend_edit_add_link(edit, &(wend_link){CELL(3, 3), CELL(69, 3), WEND_LINK_SEAM, 0})));
    BAD("a seam is for all movers",
        IN(map, wend_edit_add_link(edit, &(wend_link){CELL(3, 3), CELL(67, 3), WEND_LINK_SEAM, 1})));
    BAD("cost is -1, but must be from 1 to 1000000",
        IN(map, wend_edit_add_link(edit, &(wend_link){CELL(3, 3), CELL(67, 3), -1, 0})));
    wend_acceleration far = default_acceleration();
    far.far = 1;
    FAILS(UNSUPPORTED, "far is 1, but a map that wraps, or has sheets...", wend_map_accelerate(map, &far));
}

Test(detail, of_queries) {
    OWNED_MAP *map = make_grid(), *graph = make_graph();
    const wend_cell cells[] = {CELL(0, 0), CELL(10, 0)};
    bool yes;
    size_t count;
    uint64_t cost;
    wend_cell out;
    BAD("the map is not streamed: all of it is there", wend_map_get_land(map, 0, 0, &(int32_t){0}));
    BAD(NO_MOVER, wend_map_reachable(map, 1, CELL(0, 0), CELL(1, 0), &yes));
    FAILS(OUT_OF_RANGE, "b" OFF_GRID, wend_map_reachable(map, 0, CELL(0, 0), CELL(10, 0), &yes));
    BAD(NO_MOVER, wend_map_line_of_sight(map, 1, CELL(0, 0), CELL(1, 0), &yes, &out));
    FAILS(OUT_OF_RANGE, "from" OFF_GRID, wend_map_line_of_sight(map, 0, CELL(10, 0), CELL(1, 0), &yes, &out));
    FAILS(UNSUPPORTED, "the map is a graph...", wend_map_line_of_sight(graph, 0, CELL(0, 0), CELL(1, 0), &yes, &out));
    BAD("max_cells is 1025, but must be from 0 to 1024", wend_map_nearest_open(map, 0, CELL(0, 0), 1025, &yes, &out));
    BAD(NO_MOVER, wend_map_nearest_open(map, 1, CELL(0, 0), 1, &yes, &out));
    FAILS(OUT_OF_RANGE, "cell" OFF_GRID, wend_map_nearest_open(map, 0, CELL(10, 0), 1, &yes, &out));
    FAILS(UNSUPPORTED, "the graph's nodes have no...", wend_map_nearest_open(graph, 0, CELL(0, 0), 1, &yes, &out));
    BAD("count is 0, but must be at least 1", wend_map_path_cost(map, 0, cells, 0, &count, &cost));
    BAD(NO_MOVER, wend_map_path_cost(map, 1, cells, 1, &count, &cost));
    FAILS(OUT_OF_RANGE, "cells[1]" OFF_GRID, wend_map_path_cost(map, 0, cells, 2, &count, &cost));
    BAD(NO_MOVER, wend_map_step_legal(map, 1, CELL(0, 0), CELL(1, 0), &yes, &cost));
    FAILS(OUT_OF_RANGE, "to" OFF_GRID, wend_map_step_legal(map, 0, CELL(9, 0), CELL(10, 0), &yes, &cost));
}

static wend_acceleration faster;

static wend_error accelerate(wend_map *map) {
    const wend_error error = wend_map_accelerate(map, &faster);
    wend_acceleration_init(&faster, sizeof faster);
    return error;
}

#define NO_TABLES                                                                                                      \
    "jump tables need a flat grid with 4 neighbours, or 8 and corners that are never cut, sides up to 65,535, and at " \
    "most 1,024 blocks of 1,024 x 1,024 cells"

Test(detail, of_acceleration) {
    OWNED_MAP *map = make_grid(), *space = make_space();
    wend_acceleration_init(&faster, sizeof faster);
    BAD(SIZED("wend_acceleration", 3), faster.struct_bytes = 3, accelerate(map));
    BAD(NO_MOVER, faster.mover = 1, accelerate(map));
    FAILS(UNSUPPORTED, NO_TABLES, faster.landmarks = 0, accelerate(space));
    FAILS(OUT_OF_MEMORY, "max_bytes of the acceleration, 10, is too few...", faster.max_bytes = 10, accelerate(map));
    faster.later = 1;
    cr_assert_eq(accelerate(map), WEND_OK);
    cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_ALL, WEND_NO_LIMIT, NULL),
                 WEND_OK); /* the next call hands tables over */
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    FAILS(IN_USE, "the map has an open batch...", wend_map_maintain(map, WEND_MAINTAIN_ALL, 512, NULL));
    wend_edit_discard(edit);
}

Test(detail, of_layers) {
    OWNED_MAP *map = NULL;
    wend_layer_def def = default_layer();
    wend_layer_weight weights[2] = {{0, 1}, {0, 1}};
    wend_layer_info info;
    const wend_box box = {{0, 0, 0}, {3, 0, 0}};
    uint8_t values[4] = {1, 2, 3, 4};
    int32_t number;
    uint8_t value;
    reset_map_def();
    cr_assert_eq(wend_map_create(&map_def, &map), WEND_OK);
    BAD("map is NULL", wend_map_add_layer(NULL, &def, &number));
    BAD(SIZED("wend_layer_def", 1), def.struct_bytes = 1, wend_map_add_layer(map, &def, &number));
    BAD("layer is 0, but the map has 0 layers", wend_map_get_layer_value(map, 0, (wend_cell){0, 0, 0}, &value));
    wend_layer_def_init(&def, sizeof def);
    def.within = 32;
    def.within = 3, def.half_life = 1;
    BAD("a layer of walls has no half_life", wend_map_add_layer(map, &def, &number));
    wend_layer_def_init(&def, sizeof def);
    cr_assert_eq(wend_map_add_layer(map, &def, &number), WEND_OK);
    BAD("map is NULL", wend_map_update_layers(NULL, 1));
    FAILS(OUT_OF_RANGE, "centre is 10,0,0, off the map...",
          wend_map_add_layer_disc(map, 0, (wend_cell){10, 0, 0}, 1, 1));
    BAD("peak is 0, but must be from 1 to 255", wend_map_add_layer_disc(map, 0, (wend_cell){0, 0, 0}, 1, 0));
    BAD("values is NULL", wend_map_set_layer_box(map, 0, box, NULL, 4));
    BAD("stride_bytes is 3, but a row of the box has 4 cells", wend_map_set_layer_box(map, 0, box, values, 3));
    BAD("map is NULL", wend_map_add_profile(NULL, weights, 1, &number));
    BAD("values is NULL", wend_map_get_layer_box(map, 0, box, NULL, 4));
    BAD("layer is 1, but the map has 1 layers", wend_map_get_layer_box(map, 1, box, values, 4));
    BAD("layer is -1, but the map has 1 layers", wend_map_get_layer(map, -1, &info));
    BAD(SIZED("wend_layer_info", 1), info.struct_bytes = 1, wend_map_get_layer(map, 0, &info));
    BAD("profile is 1, but must be from 1 to 0", wend_map_get_profile(map, 1, weights, NULL));
    BAD("weights is NULL", wend_map_get_profile(map, 1, NULL, NULL));
    BAD("weights name layer 0 twice", wend_map_add_profile(map, weights, 2, &number));
    BAD("weight is 0...", weights[0].weight = 0, wend_map_add_profile(map, weights, 1, &number));
}
