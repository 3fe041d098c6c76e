/* SPDX-License-Identifier: MIT */
/* Maps that a format cannot hold are refused before anything is written, by their first unsupported part. */
#include "io/io_help.h"

#include <stdlib.h>
#include <wend/ways.h>
#include <wend/formats.h>

static void expect_refused(const wend_map *map, int32_t format, const wend_map_markers *markers, const char *text) {
    wend_file_error error = {.struct_bytes = sizeof error};
    written out = {0};
    cr_expect_eq(wend_map_write(map, format, markers, write_memory, &out, &error), WEND_UNSUPPORTED);
    cr_expect_str_eq(error.text, text);
    cr_expect(error.line == 0 && error.column == 0 && error.struct_bytes == sizeof error);
    cr_expect_eq(out.calls, 0, "nothing is written of what is refused");
    cr_expect_eq(wend_map_write(map, format, markers, write_memory, &out, NULL), WEND_UNSUPPORTED);
}

static void add_links(wend_map *map, const wend_link *links, size_t count) {
    wend_edit *edit = begin_edit(map);
    for (size_t i = 0; i < count; i++)
        wend_edit_add_link(edit, &(wend_link){links[i].from, links[i].to, links[i].cost, 0});
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

Test(refused, kinds_that_a_format_has_no_place_for) {
    OWNED_MAP *flat = good_map("Rows 1\nColumns 1\n0", NULL), *space = good_map("voxel 1 1 1\n", NULL),
              *graph = good_map("p sp 1 0\n", NULL);
    expect_refused(flat, WEND_FORMAT_VOXEL, NULL, "a flat grid cannot be written as a .3dmap");
    expect_refused(flat, WEND_FORMAT_DIMACS, NULL, "a flat grid cannot be written as a DIMACS graph");
    expect_refused(space, WEND_FORMAT_MOVINGAI, NULL, "a grid of voxels cannot be written as a MovingAI map");
    expect_refused(space, WEND_FORMAT_DIMACS, NULL, "a grid of voxels cannot be written as a DIMACS graph");
    expect_refused(graph, WEND_FORMAT_GRID_TEXT, NULL, "a graph cannot be written as grid text");
    expect_refused(graph, WEND_FORMAT_MOVINGAI, NULL, "a graph cannot be written as a MovingAI map");
    expect_refused(graph, WEND_FORMAT_VOXEL, NULL, "a graph cannot be written as a .3dmap");
}

Test(refused, classes_beyond_a_formats) {
    OWNED_MAP *space = good_map("Layers 2\nRows 1\nColumns 2\n0 0\n1 2\n", NULL);
    OWNED_MAP *graph = good_map("p sp 3 0\n", NULL);
    wend_edit *edit = begin_edit(space);
    expect_refused(space, WEND_FORMAT_VOXEL, NULL, "cell 1,0,1 is of class 2, which a .3dmap cannot hold");
    wend_edit_set_cell(edit, (wend_cell){0, 0, 1}, 200);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    expect_refused(space, WEND_FORMAT_GRID_TEXT, NULL, "cell 0,0,1 is of class 200, which grid text cannot hold");
    edit = begin_edit(graph);
    wend_edit_set_cell(edit, (wend_cell){3, 0, 0}, 0);
    wend_edit_set_cell(edit, (wend_cell){2, 0, 0}, 7);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    expect_refused(graph, WEND_FORMAT_DIMACS, NULL, "node 2 is of class 7, which a DIMACS graph cannot hold");
}

Test(refused, links_where_a_format_holds_none) {
    const wend_link links[] = {{{1, 0, 1}, {0, 0, 0}, 10, 0}, {{1, 0, 0}, {0, 0, 1}, 10, 0}};
    const wend_link roads[] = {{{2, 0, 0}, {1, 0, 0}, 5, 0}};
    OWNED_MAP *flat = good_map("Rows 1\nColumns 3\n0 t1 t1", NULL), *space = good_map("voxel 2 1 2\n", NULL),
              *graph = good_map("p sp 2 0\n", NULL);
    expect_refused(flat, WEND_FORMAT_MOVINGAI, NULL,
                   "the link from cell 1,0 to cell 2,0, which a MovingAI map cannot hold");
    add_links(space, links, 2);
    expect_refused(space, WEND_FORMAT_VOXEL, NULL,
                   "the link from cell 1,0,0 to cell 0,0,1, which a .3dmap cannot hold");
    add_links(graph, roads, 1);
    expect_refused(graph, WEND_FORMAT_DIMACS, NULL, "the link from node 2 to node 1, which a DIMACS graph cannot hold");
}

static void expect_no_teleport(const char *file, const wend_link *links, size_t count, const wend_map_markers *markers,
                               const char *text) {
    wend_map *map = good_map(file, NULL);
    add_links(map, links, count);
    expect_refused(map, WEND_FORMAT_GRID_TEXT, markers, text);
    wend_map_release(map);
}

Test(refused, links_that_are_no_teleports) {
    static const char file[] = "Rows 1\nColumns 4\n0 0 0 5";
    const wend_link one_way[] = {{{0, 0, 0}, {2, 0, 0}, 10, 0}};
    const wend_link dear[] = {{{0, 0, 0}, {2, 0, 0}, 10, 0}, {{2, 0, 0}, {0, 0, 0}, 11, 0}};
    const wend_link three[] = {{{0, 0, 0}, {1, 0, 0}, 10, 0},
                               {{1, 0, 0}, {0, 0, 0}, 10, 0},
                               {{0, 0, 0}, {2, 0, 0}, 10, 0},
                               {{2, 0, 0}, {0, 0, 0}, 10, 0}};
    const wend_link slow[] = {{{0, 0, 0}, {3, 0, 0}, 10, 0}, {{3, 0, 0}, {0, 0, 0}, 10, 0}};
    const wend_link good[] = {{{0, 0, 0}, {2, 0, 0}, 10, 0}, {{2, 0, 0}, {0, 0, 0}, 10, 0}};
    wend_map_markers markers = {.struct_bytes = sizeof markers, .has_goal = 1, .goal = {2, 0, 0}};
    expect_no_teleport(file, one_way, 1, NULL,
                       "the link from cell 0,0 to cell 2,0 leads one way only, which grid text cannot hold");
    expect_no_teleport(file, dear, 2, NULL,
                       "the link from cell 2,0 to cell 0,0 costs other than one straight step, which grid text cannot "
                       "hold");
    expect_no_teleport(file, three, 4, NULL,
                       "the link from cell 0,0 to cell 1,0 is not the only one there, which grid text cannot hold");
    expect_no_teleport(file, slow, 2, NULL, "cell 3,0 is of class 5; in grid text a teleport stands on class 1");
    expect_no_teleport(file, good, 2, &markers, "cell 2,0 is both a goal and a teleport, which grid text cannot hold");
    markers.has_start = 1, markers.has_goal = 0;
    expect_no_teleport(file, good, 2, &markers, "cell 0,0 is both a start and a teleport, which grid text cannot hold");
}

Test(refused, closed_steps) {
    OWNED_MAP *flat = good_map("Rows 2\nColumns 2\n0 0\n0 0", NULL), *space = good_map("voxel 2 2 2\n", NULL);
    wend_edit *edit = begin_edit(flat);
    wend_edit_set_step(edit, (wend_cell){1, 1, 0}, (wend_cell){0, 1, 0}, false);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    expect_refused(flat, WEND_FORMAT_GRID_TEXT, NULL,
                   "the step from cell 1,1 to cell 0,1 is closed, which grid text cannot hold");
    expect_refused(flat, WEND_FORMAT_MOVINGAI, NULL,
                   "the step from cell 1,1 to cell 0,1 is closed, which a MovingAI map cannot hold");
    edit = begin_edit(space);
    wend_edit_set_step(edit, (wend_cell){1, 1, 1}, (wend_cell){1, 1, 0}, false);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    expect_refused(space, WEND_FORMAT_VOXEL, NULL,
                   "the step from cell 1,1,1 to cell 1,1,0 is closed, which a .3dmap cannot hold");
}

static wend_map *graph_of(uint32_t nodes, const uint8_t *present, const wend_cell *coordinates) {
    wend_graph_def def = default_graph();
    def.node_count = nodes, def.present = present, def.coordinates = coordinates;
    return made_graph(&def);
}

Test(refused, graphs_that_are_not_numbered_from_1) {
    static const uint8_t gap[] = {0, 1, 1, 0, 1};
    OWNED_MAP *zero = graph_of(3, NULL, NULL), *holes = graph_of(5, gap, NULL);
    expect_refused(zero, WEND_FORMAT_DIMACS, NULL,
                   "there is a node 0, but those of a DIMACS graph are 1 to their number");
    expect_refused(holes, WEND_FORMAT_DIMACS, NULL,
                   "there is no node 3, but those of a DIMACS graph are 1 to their number");
}

Test(refused, coordinates_in_space) {
    static const uint8_t present[] = {0, 1, 1};
    static const wend_cell at[] = {{0, 0, 0}, {1, 2, 0}, {3, 4, -5}};
    OWNED_MAP *map = graph_of(3, present, at);
    wend_file_error error = {.struct_bytes = sizeof error};
    written out = {0};
    cr_expect_eq(wend_map_save(map, "/nowhere/x.gr", WEND_FORMAT_DIMACS, NULL, &error), WEND_UNSUPPORTED);
    cr_expect_str_eq(error.text, "node 2 lies at z = -5, but DIMACS coordinates are x and y");
    cr_expect_eq(wend_map_write(map, WEND_FORMAT_DIMACS, NULL, write_memory, &out, NULL), WEND_OK,
                 "the .gr alone has none");
    free(out.bytes);
}

Test(refused, markers_off_a_map_in_space) {
    wend_map *map = good_map("Layers 2\nRows 1\nColumns 1\n0\n0\n", NULL);
    wend_map_markers markers = {.struct_bytes = sizeof markers, .has_start = 1, .start = {0, 0, 2}};
    written out = {0};
    cr_expect_eq(wend_map_write(map, WEND_FORMAT_GRID_TEXT, &markers, write_memory, &out, NULL), WEND_BAD_ARGUMENT);
    markers.start.z = 1;
    cr_expect_eq(wend_map_write(map, WEND_FORMAT_GRID_TEXT, &markers, write_memory, &out, NULL), WEND_OK);
    expect_written(&out, "Layers 2\nRows 1\nColumns 1\n0\n\nA\n");
    wend_map_release(map);
    free(out.bytes);
}
