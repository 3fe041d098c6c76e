/* SPDX-License-Identifier: MIT */
/* Pictures of graphs. */
#include "extra/png_help.h"
#include <wend/ways.h>

enum { PAPER = 0xced1d6, EDGE = 0x7a808c };

static wend_map *graph_of(uint32_t nodes, const wend_cell *coordinates, const uint8_t *present, const wend_edge *edges,
                          uint64_t edge_count) {
    wend_graph_def def = default_graph();
    def.node_count = nodes, def.coordinates = coordinates, def.present = present;
    def.edges = edges, def.edge_count = edge_count;
    return made_graph(&def);
}

/// A square of 968 with a node in its middle; 3 is not there.
static const wend_cell places[6] = {{-484, 0, 9}, {484, 0, 0}, {-484, 968, 0}, {5, 5, 5}, {484, 968, 0}, {0, 484, 0}};
static const uint8_t present[6] = {1, 1, 1, 0, 1, 1};
static const wend_edge edges[4] = {{0, 1, 1}, {1, 4, 1}, {4, 1, 1}, {0, 5, 2}};
static const wend_cell walk[3] = {{0, 0, 0}, {1, 0, 0}, {4, 0, 0}};
static const wend_picture_path walk_path = {walk, 3};

static wend_picture walk_picture(const wend_map *map, int32_t format) {
    wend_picture picture = default_picture();
    picture.map = map, picture.format = format, picture.paths = &walk_path, picture.path_count = 1;
    picture.starts = walk, picture.goals = walk + 2, picture.start_count = picture.goal_count = 1;
    picture.cell_pixels = 10;
    return picture;
}

static wend_error result_of(const wend_picture *picture, char **text) {
    bytes out = no_bytes();
    int32_t result = wend_picture_write(picture, keep_bytes, &out);
    if (result) cr_assert_eq(out.calls, 0);
    if (text)
        *text = out.data;
    else
        free(out.data);
    return result;
}

Test(extra_graph, is_drawn_by_coordinates) {
    OWNED_MAP *map = graph_of(6, places, present, edges, 4);
    wend_picture picture = walk_picture(map, WEND_PICTURE_PNG);
    image i = decode(&picture);
    cr_assert(i.width == 1000 && i.height == 1000);
    cr_expect_eq(pixel(&i, 16, 16), START);
    cr_expect_eq(pixel(&i, 984, 984), GOAL);
    cr_expect_eq(pixel(&i, 16, 984), OPEN, "a node");
    cr_expect_eq(pixel(&i, 500, 500), OPEN);
    cr_expect_eq(pixel(&i, 300, 300), EDGE);
    cr_expect_eq(pixel(&i, 700, 700), PAPER);
    cr_expect_eq(pixel(&i, 16, 500), PAPER, "no edge there");
    uint32_t line = pixel(&i, 500, 16);
    cr_expect(line != EDGE && line != PAPER && line == pixel(&i, 984, 500));
    free(i.rgb);
    char *svg;
    picture.format = WEND_PICTURE_SVG, picture.track = WEND_TRACK_FEET;
    cr_assert_eq(result_of(&picture, &svg), WEND_OK);
    cr_expect(
        strstr(svg, "<path stroke=\"#7a808c\" d=\"M16 16L984 16M16 16L500 500M984 16L984 984M984 984L984 16\"/>"));
    int circles = 0;
    for (const char *at = svg; (at = strstr(at, "<circle fill=\"#faf8f2\"")); at++) circles++;
    cr_expect_eq(circles, 5, "not the one that is not there");
    cr_expect(strstr(svg, "points=\"16,16 984,16 984,984\""), "lines also where feet are asked for");
    free(svg);
}

Test(extra_graph, shows_blocked_nodes_and_links) {
    OWNED_MAP *map = graph_of(6, places, present, edges, 4);
    IN_BATCH(map, cr_assert_eq(wend_edit_set_cell(edit, (wend_cell){5, 0, 0}, 0), WEND_OK);
             cr_assert_eq(wend_edit_add_link(edit, &(wend_link){{2, 0, 0}, {4, 0, 0}, 3, 0}), WEND_OK));
    wend_picture picture = default_picture();
    picture.map = map, picture.format = WEND_PICTURE_PNG;
    image i = decode(&picture);
    cr_expect_eq(pixel(&i, 500, 500), BLOCKED);
    int ring = 0;
    for (int x = 0; x < i.width; x++) ring += pixel(&i, x, i.height - 23) == 0x7e3eb0;
    cr_expect_gt(ring, 7);
    free(i.rgb);
    char *svg;
    picture.format = WEND_PICTURE_SVG;
    cr_assert_eq(result_of(&picture, &svg), WEND_OK);
    cr_expect(strstr(svg, "<path d=\"M22 978Q500 739 978 978\"/>"), "%s", svg);
    free(svg);
}

Test(extra_graph, is_refused_in_letters) {
    OWNED_MAP *map = graph_of(6, places, present, edges, 4);
    wend_picture picture = walk_picture(map, WEND_PICTURE_ANSI);
    cr_expect_eq(result_of(&picture, NULL), WEND_UNSUPPORTED);
    cr_expect_str_eq(wend_picture_refusal(&picture), "a graph cannot be drawn in letters: choose svg or png");
    picture.format = WEND_PICTURE_PNG;
    cr_expect_null(wend_picture_refusal(&picture));
    wend_cell absent = {3, 0, 0};
    picture.goals = &absent;
    cr_expect_eq(result_of(&picture, NULL), WEND_OUT_OF_RANGE);
    absent.x = 6;
    cr_expect_eq(result_of(&picture, NULL), WEND_OUT_OF_RANGE);
}

Test(extra_graph, is_drawn_on_a_circle_up_to_512_nodes) {
    wend_map *map = graph_of(4, NULL, NULL, edges, 1);
    wend_picture picture = default_picture();
    picture.map = map, picture.format = WEND_PICTURE_SVG;
    char *svg;
    cr_assert_eq(result_of(&picture, &svg), WEND_OK);
    cr_expect(strstr(svg, "cx=\"500\" cy=\"22\"") && strstr(svg, "cx=\"978\" cy=\"500\""), "clockwise from the top");
    cr_expect(strstr(svg, "cx=\"500\" cy=\"978\"") && strstr(svg, "cx=\"22\" cy=\"500\""));
    cr_expect(strstr(svg, "d=\"M500 22L978 500\""));
    free(svg);
    wend_map_release(map);
    for (uint32_t nodes = WEND_PICTURE_MAX_CIRCLE_NODES - 1; nodes <= WEND_PICTURE_MAX_CIRCLE_NODES + 1; nodes++) {
        const bool past = nodes > WEND_PICTURE_MAX_CIRCLE_NODES;
        map = graph_of(nodes, NULL, NULL, edges, 1);
        picture.map = map;
        cr_expect_eq(result_of(&picture, NULL), past ? WEND_UNSUPPORTED : WEND_OK);
        if (past)
            cr_expect_str_eq(wend_picture_refusal(&picture),
                             "a graph without coordinates is drawn up to 512 nodes only");
        wend_map_release(map);
    }
}

static wend_error result_with(uint32_t nodes, int32_t format, const char **refusal) {
    wend_cell *coordinates = calloc(nodes, sizeof *coordinates);
    for (uint32_t i = 0; i < nodes; i++) coordinates[i] = (wend_cell){(int32_t)(i % 1000), (int32_t)(i / 1000), 0};
    wend_map *map = graph_of(nodes, coordinates, NULL, NULL, 0);
    wend_picture picture = default_picture();
    picture.map = map, picture.format = format;
    int32_t result = result_of(&picture, NULL);
    *refusal = wend_picture_refusal(&picture);
    wend_map_release(map);
    free(coordinates);
    return result;
}

Test(extra_graph, with_coordinates_has_limits_by_format) {
    const char *text;
    cr_expect_eq(result_with(WEND_PICTURE_MAX_TEXT_NODES - 1, WEND_PICTURE_SVG, &text), WEND_OK);
    cr_expect_eq(result_with(WEND_PICTURE_MAX_TEXT_NODES, WEND_PICTURE_SVG, &text), WEND_OK);
    cr_expect_eq(result_with(WEND_PICTURE_MAX_TEXT_NODES + 1, WEND_PICTURE_SVG, &text), WEND_UNSUPPORTED);
    cr_expect_str_eq(text, "a graph is drawn as svg up to 65536 nodes only: choose png");
    cr_expect_eq(result_with(WEND_PICTURE_MAX_NODES - 1, WEND_PICTURE_PNG, &text), WEND_OK);
    cr_expect_eq(result_with(WEND_PICTURE_MAX_NODES, WEND_PICTURE_PNG, &text), WEND_OK);
    cr_expect_eq(result_with(WEND_PICTURE_MAX_NODES + 1, WEND_PICTURE_PNG, &text), WEND_UNSUPPORTED);
    cr_expect_str_eq(text, "a graph is drawn up to 1048576 nodes only");
}

Test(extra_graph, stands_coordinates_far_apart_or_all_in_one_place) {
    static const wend_cell far[2] = {{INT32_MIN, INT32_MAX, 0}, {INT32_MAX, INT32_MIN, 0}};
    static const wend_cell same[2] = {{7, 7, 0}, {7, 7, 0}}, line[2] = {{0, 3, 0}, {9, 3, 0}};
    const wend_cell *all[3] = {far, same, line};
    static const int widths[3] = {1000, 44, 1000}, heights[3] = {1000, 44, 44};
    for (int k = 0; k < 3; k++) {
        OWNED_MAP *map = graph_of(2, all[k], NULL, edges, 1);
        wend_picture picture = default_picture();
        picture.map = map, picture.format = WEND_PICTURE_PNG;
        image i = decode(&picture);
        cr_expect(i.width == widths[k] && i.height == heights[k], "%d: %d x %d", k, i.width, i.height);
        free(i.rgb);
    }
}

Test(extra_graph, has_room_for_any_number_of_edges_of_a_node) {
    enum { COUNT = 300 };
    wend_edge star[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) star[i] = (wend_edge){0, i, 1};
    OWNED_MAP *map = graph_of(COUNT, NULL, NULL, star, COUNT);
    wend_picture picture = default_picture();
    picture.map = map, picture.format = WEND_PICTURE_SVG;
    char *svg;
    cr_assert_eq(result_of(&picture, &svg), WEND_OK);
    int lines = 0;
    for (const char *at = svg; (at = strchr(at, 'L')); at++) lines++;
    cr_expect_eq(lines, COUNT);
    free(svg);
}
