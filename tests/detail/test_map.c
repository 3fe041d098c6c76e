/* SPDX-License-Identifier: MIT */
/* Details of map.h, edit.h, query.h and acceleration.h. */
#include "detail/refused.h"

#include <wend/geometry.h>
#include <wend/layers.h>
#include <wend/query.h>
#include <wend/stream.h>
#include <wend/units.h>
#include <wend/ways.h>

Test(detail, of_making_a_map) {
    wend_map *map;
    wend_map_def def = default_map();
    def.kind = WEND_KIND_GRAPH;
    BAD("kind is 3, but must be WEND_KIND_GRID or WEND_KIND_VOXEL...", wend_map_create(&def, &map));
}

Test(detail, of_making_a_graph) {
    wend_map *map;
    wend_graph_def def = default_graph();
    def.node_count = 0;
    BAD("node_count is 0, but must be from 1 to 2147483647", wend_graph_create(&def, &map));
}

Test(detail, of_reading_a_map) {
    OWNED_MAP *map = make_grid();
    wend_map_info info = {.struct_bytes = 4};
    wend_map_rules read = {.struct_bytes = 4};
    wend_mover mover = {.struct_bytes = sizeof mover};
    wend_cell cell;
    wend_edge edge;
    uint8_t class;
    size_t count;
    BAD(SIZED("wend_map_info", 4), wend_map_get_info(map, &info));
    BAD(SIZED("wend_map_rules", 4), wend_map_get_rules(map, &read));
    BAD(ABSENT("boxes"), wend_map_changes(map, 0, NULL, 1, NULL, NULL));
    BAD(NO_MOVER, wend_map_get_mover(map, 1, &mover));
    FAILS(UNSUPPORTED, "the map is no graph", wend_map_get_edges(map, 0, &edge, 1, &count));
    FAILS(UNSUPPORTED, "the map is no graph", wend_map_get_coordinates(map, 0, &cell));
    FAILS(OUT_OF_RANGE, "cell" OFF_GRID, wend_map_get_terrain(map, CELL(10, 0), &class));
    BAD("box.max is 0,0,0...", wend_map_get_terrain_box(map, (wend_box){CELL(1, 0), CELL(0, 0)}, &class, 1));
}

Test(detail, of_changing_a_map) {
    wend_map *map = make_grid(), *graph = make_graph(), *fork;
    int32_t id;
    uint32_t units;
    wend_mover mover = default_mover();
    wend_map_rules rules = default_rules();
    rules.corners = -1;
    BAD("rules.corners is -1, but must be from 0 to 2", wend_map_set_rules(map, &rules));
    BAD("max_versions is 65, but must be from 1 to 64", wend_map_set_max_versions(map, 65));
    BAD("mover.size is 17, but must be from 1 to 16", mover.size = 17, wend_map_add_mover(map, &mover, &id));
    BAD(NO_MOVER, wend_map_mover_avoiding(map, 1, mover.avoided, &id));
    BAD(NO_MOVER, wend_map_mover_shunning(map, 1, mover.shunned, &id));
    FAILS(OUT_OF_RANGE, "cell" OFF_GRID, wend_map_get_occupants(map, CELL(10, 0), &units));
    FAILS(OUT_OF_RANGE, "cell is 0,1,0, but the graph has no such node...", wend_map_occupy(graph, CELL(0, 1)));
    FAILS(EMPTY, "no unit stands on the cell", wend_map_vacate(map, CELL(0, 0)));
    wend_map_release(map), wend_map_release(graph);
    wend_map_def def = default_map();
    def.width = def.height = 10, def.max_bytes = 100000;
    cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
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
    BAD("from and to are one cell...", IN(map, wend_edit_add_link(edit, &(wend_link){CELL(1, 1), CELL(1, 1), 5, 0})));
    FAILS(EMPTY, "no link leads from there to there", IN(map, wend_edit_remove_link(edit, CELL(1, 1), CELL(2, 2))));
    FAILS(UNSUPPORTED, "the map is no graph", IN(map, wend_edit_set_edge(edit, 0, 1, 5)));
    FAILS(EMPTY, "no edge leads from there to there", IN(graph, wend_edit_remove_edge(edit, 2, 2)));
    FAILS(UNSUPPORTED, "the map is no graph", IN(map, wend_edit_add_node(edit, 1, CELL(0, 0), 1, NULL)));
    FAILS(OUT_OF_RANGE, "node is 3, but the graph has no such node...", IN(graph, wend_edit_remove_node(edit, 3)));
    FAILS(OUT_OF_RANGE, "a" OFF_GRID,
          IN(map, wend_edit_would_disconnect(edit, 0, CELL(10, 0), CELL(2, 2), &(bool){0})));
    BAD("the map is not streamed: all of it is there", IN(map, wend_edit_load(edit, 0, 0, NULL, 0)));
    BAD("the map is not streamed: all of it is there", IN(map, wend_edit_unload(edit, 0, 0, WEND_LAND_KNOWN)));
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    FAILS(IN_USE, "the map has an open batch: publish or discard that one first", wend_edit_begin(map, &second));
    FAILS(IN_USE, "the map has an open batch...", wend_map_set_cell(map, CELL(0, 0), 0, NULL));
    (void)wend_edit_set_cell(edit, CELL(10, 0), 0);
    (void)wend_map_vacate(map, CELL(0, 99)); /* another error in between */
    FAILS(OUT_OF_RANGE, "a change of this batch has failed: cell" OFF_GRID, wend_edit_publish(edit, NULL));
}

Test(detail, of_queries) {
    OWNED_MAP *map = make_grid(), *graph = make_graph();
    const wend_cell cell = CELL(0, 0);
    bool yes;
    size_t count;
    uint64_t cost;
    wend_cell out;
    BAD("the map is not streamed: all of it is there", wend_map_get_land(map, 0, 0, &(int32_t){0}));
    BAD(NO_MOVER, wend_map_reachable(map, 1, CELL(0, 0), CELL(1, 0), &yes));
    FAILS(UNSUPPORTED, "the map is a graph...", wend_map_line_of_sight(graph, 0, CELL(0, 0), CELL(1, 0), &yes, &out));
    FAILS(UNSUPPORTED, "the map is a graph...", wend_map_see_many(graph, 0, &cell, &cell, 1, &yes, &out));
    BAD("from has 0 items, but must have from 1 to 4294967295", wend_map_see_many(map, 0, &cell, &cell, 0, &yes, &out));
    FAILS(OUT_OF_RANGE, "to[0]" OFF_GRID, wend_map_see_many(map, 0, &cell, &CELL(10, 0), 1, &yes, &out));
    BAD("max_cells is 1025, but must be from 0 to 1024", wend_map_nearest_open(map, 0, CELL(0, 0), 1025, &yes, &out));
    BAD("count is 0, but must be at least 1", wend_map_path_cost(map, 0, &cell, 0, &count, &cost));
    BAD(NO_MOVER, wend_map_step_legal(map, 1, CELL(0, 0), CELL(1, 0), &yes, &cost));
}

#define NO_TABLES                                                                                                      \
    "jump tables need a flat grid with 4 neighbours, or 8 and corners that are never cut, sides up to 65,535, and at " \
    "most 1,024 blocks of 1,024 x 1,024 cells"

Test(detail, of_acceleration) {
    OWNED_MAP *map = make_grid(), *space = make_space();
    wend_acceleration faster = default_acceleration();
    faster.landmarks = 0;
    FAILS(UNSUPPORTED, NO_TABLES, wend_map_accelerate(space, &faster));
    wend_acceleration_init(&faster, sizeof faster);
    faster.later = 1;
    cr_assert_eq(wend_map_accelerate(map, &faster), WEND_OK);
    cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_ALL, WEND_NO_LIMIT, NULL),
                 WEND_OK); /* the next call hands tables over */
    edit = begin_edit(map);
    FAILS(IN_USE, "the map has an open batch...", wend_map_maintain(map, WEND_MAINTAIN_ALL, 512, NULL));
    wend_edit_discard(edit);
}

Test(detail, of_layers) {
    OWNED_MAP *map = make_grid();
    wend_layer_def def = default_layer();
    wend_layer_weight weights[2] = {{0, 1}, {0, 1}};
    wend_layer_info info;
    const wend_box box = {{0, 0, 0}, {3, 0, 0}};
    uint8_t values[4] = {1, 2, 3, 4};
    int32_t number;
    uint8_t value;
    BAD("layer is 0, but the map has 0 layers", wend_map_get_layer_value(map, 0, (wend_cell){0, 0, 0}, &value));
    def.within = 3, def.half_life = 1;
    BAD("a layer of walls has no half_life", wend_map_add_layer(map, &def, &number));
    wend_layer_def_init(&def, sizeof def);
    cr_assert_eq(wend_map_add_layer(map, &def, &number), WEND_OK);
    BAD("map is NULL", wend_map_update_layers(NULL, 1));
    FAILS(OUT_OF_RANGE, "centre is 10,0,0, off the map...",
          wend_map_add_layer_disc(map, 0, (wend_cell){10, 0, 0}, 1, 1));
    BAD("stride_bytes is 3, but a row of the box has 4 cells", wend_map_set_layer_box(map, 0, box, values, 3));
    BAD("layer is 1, but the map has 1 layers", wend_map_get_layer_box(map, 1, box, values, 4));
    BAD("layer is -1, but the map has 1 layers", wend_map_get_layer(map, -1, &info));
    BAD("profile is 1, but must be from 1 to 0", wend_map_get_profile(map, 1, weights, NULL));
    BAD("weights name layer 0 twice", wend_map_add_profile(map, weights, 2, &number));
}
