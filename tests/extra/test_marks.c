/* SPDX-License-Identifier: MIT */
/* Marks in pictures: arrows on one-way roads, links that a path takes, units, floors, expanded cells. */
#include "extra/png_help.h"
#include <wend/ways.h>

#define CELL(x, y, z) ((wend_cell){x, y, z})

enum { LINK = 0x7e3eb0, UNIT = 0x000000, EXPANDED = 0xffdd59, EDGE = 0x7a808c, WHITE = 0xffffff };

static char *draw_text(wend_picture *picture, int32_t format) {
    bytes out = no_bytes();
    picture->format = format;
    cr_assert_eq(wend_picture_write(picture, keep_bytes, &out), WEND_OK);
    return out.data;
}

static wend_map *linked(bool both) {
    wend_map *map = map_of_classes(20, 10, NULL);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){CELL(1, 8, 0), CELL(18, 8, 0), 5, 0}), WEND_OK);
    if (both) cr_assert_eq(wend_edit_add_link(edit, &(wend_link){CELL(18, 8, 0), CELL(1, 8, 0), 5, 0}), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

/// How many pixels of a colour there are in a box; right and bottom are not in it.
static int count_in(const image *i, int left, int top, int right, int bottom, uint32_t colour) {
    int count = 0;
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) count += pixel(i, x, y) == colour;
    return count;
}

Test(extra_marks, a_one_way_link_has_an_arrow) {
    int ink[2];
    for (int both = 0; both < 2; both++) {
        OWNED_MAP *map = linked(both);
        wend_picture picture = default_picture();
        picture.map = map, picture.cell_pixels = 40;
        char *svg = draw_text(&picture, WEND_PICTURE_SVG);
        cr_expect_eq(strstr(svg, "stroke=\"none\"") != NULL, !both);
        free(svg);
        picture.format = WEND_PICTURE_PNG;
        image i = decode(&picture);
        /* the middle of the arc: the control point is a quarter of 17 cells above, the arc half as high */
        int x = 10 * 40, y = 8 * 40 + 20 - 17 * 40 / 8;
        ink[both] = count_in(&i, x - 20, y - 20, x + 20, y + 20, LINK);
        free(i.rgb);
    }
    cr_expect(ink[0] > ink[1] + 100 && ink[1] > 40, "%d pixels with an arrow, %d without", ink[0], ink[1]);
}

Test(extra_marks, arcs_are_drawn_up_to_1024_links) {
    for (int count = 1024; count <= 1025; count++) {
        OWNED_MAP *map = map_of_classes(1026, 3, NULL);
        wend_edit *edit = begin_edit(map);
        for (int x = 0; x < count; x++)
            cr_assert_eq(wend_edit_add_link(edit, &(wend_link){CELL(x, 0, 0), CELL(x, 2, 0), 5, 0}), WEND_OK);
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        wend_picture picture = default_picture();
        picture.map = map;
        char *svg = draw_text(&picture, WEND_PICTURE_SVG);
        cr_expect_eq(strchr(svg, 'Q') != NULL, count == 1024);
        free(svg);
    }
}

Test(extra_marks, a_path_takes_its_link_by_the_arc) {
    static const wend_cell cells[] = {{0, 9, 0}, {1, 8, 0}, {18, 8, 0}, {19, 9, 0}};
    wend_picture_path path = {cells, 4};
    wend_map *map = linked(false);
    wend_picture picture = default_picture();
    picture.map = map, picture.paths = &path, picture.path_count = 1, picture.track = WEND_TRACK_FEET;
    char *text = draw_text(&picture, WEND_PICTURE_ANSI);
    cr_expect(strstr(text, "\n.%................%.\n%..................%\n"), "%s", text);
    free(text);
    picture.track = WEND_TRACK_LINE;
    char *svg = draw_text(&picture, WEND_PICTURE_SVG);
    cr_expect(strstr(svg, "points=\"0,9 1,8\"") && strstr(svg, "points=\"18,8 19,9\""));
    cr_expect(strstr(svg, "<path stroke=\"#005ae6\" d=\"M1 8Q9.5 3.75 18 8\"/>"));
    free(svg);
    picture.format = WEND_PICTURE_PNG, picture.cell_pixels = 40;
    image i = decode(&picture);
    cr_expect_eq(pixel(&i, 390, 340), OPEN, "no straight line");
    cr_expect_eq(pixel(&i, 400, 340 - 85), 0x005ae6, "on the arc");
    free(i.rgb);
    wend_map_release(map);
    map = map_of_classes(20, 10, NULL); /* without the link the cells are turning points */
    picture.map = map;
    svg = draw_text(&picture, WEND_PICTURE_SVG);
    cr_expect(strstr(svg, "points=\"0,9 1,8 18,8 19,9\""));
    free(svg);
    wend_map_release(map);
}

Test(extra_marks, one_way_edges_of_graphs_have_arrows) {
    static const wend_cell places[3] = {{0, 0, 0}, {100, 0, 0}, {100, 100, 0}};
    static const wend_edge edges[3] = {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}};
    wend_graph_def def = default_graph();
    def.node_count = 3, def.coordinates = places, def.edges = edges, def.edge_count = 3;
    OWNED_MAP *map = made_graph(&def);
    wend_picture picture = default_picture();
    picture.map = map, picture.format = WEND_PICTURE_PNG;
    image i = decode(&picture);
    int two_way = count_in(&i, 100, 0, 900, 100, EDGE), one_way = count_in(&i, 900, 100, 1000, 900, EDGE);
    cr_expect(two_way == 800 && one_way > 850, "%d and %d pixels", two_way, one_way);
    free(i.rgb);
    char *svg = draw_text(&picture, WEND_PICTURE_SVG);
    const char *arrow = strstr(svg, "<path fill=\"#7a808c\" d=\"m978 "); /* below the middle of the way down */
    int y = 0, arrows = 0;
    cr_assert(arrow && sscanf(arrow, "<path fill=\"#7a808c\" d=\"m978 %d", &y) == 1);
    cr_expect(y > 570 && y < 630, "%d", y);
    for (const char *at = arrow; (at = strstr(at, "zm")); at++) arrows++;
    cr_expect_eq(arrows, 1);
    free(svg);
}

Test(extra_marks, units_and_expanded_cells_are_drawn_in_all_formats) {
    static const uint8_t classes[12] = {1, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const wend_cell expanded[] = {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {3, 1, 0}}, units[] = {{2, 2, 0}, {3, 2, 0}};
    OWNED_MAP *map = map_of_classes(4, 3, classes);
    wend_picture picture = default_picture();
    picture.map = map, picture.cell_pixels = 20;
    picture.expanded = expanded, picture.expanded_count = 4, picture.units = units, picture.unit_count = 2;
    char *text = draw_text(&picture, WEND_PICTURE_ANSI);
    cr_expect_str_eq(text, ".+..\n++.+\n..@@\n");
    free(text);
    char *svg = draw_text(&picture, WEND_PICTURE_SVG);
    cr_expect(strstr(svg, "stroke=\"#ffdd59\"") && strstr(svg, "d=\"M1.2 0.5h1M0.2 1.5h2M3.2 1.5h1\""), "%s", svg);
    cr_expect(strstr(svg, "<circle cx=\"2\" cy=\"2\"") && strstr(svg, "<circle cx=\"3\" cy=\"2\""));
    free(svg);
    picture.format = WEND_PICTURE_PNG;
    image i = decode(&picture);
    cr_expect_eq(count_in(&i, 20, 0, 40, 20, EXPANDED), 12 * 12);
    cr_expect_eq(pixel(&i, 22, 2), 0xdbc191, "the ground stays visible round it");
    cr_expect_eq(count_in(&i, 40, 20, 60, 40, EXPANDED), 0);
    cr_expect_eq(pixel(&i, 50, 50), UNIT);
    cr_expect(count_in(&i, 40, 40, 60, 60, WHITE) > 10, "a light rim");
    free(i.rgb);
    picture.cell_pixels = 4;
    i = decode(&picture);
    cr_expect_eq(count_in(&i, 4, 0, 8, 4, EXPANDED), 16, "all of a small cell");
    free(i.rgb);
}

Test(extra_marks, expanded_nodes_of_graphs_are_coloured) {
    static const wend_cell places[2] = {{0, 0, 0}, {100, 0, 0}}, expanded = {1, 0, 0};
    wend_graph_def def = default_graph();
    def.node_count = 2, def.coordinates = places;
    OWNED_MAP *map = made_graph(&def);
    wend_picture picture = default_picture();
    picture.map = map, picture.format = WEND_PICTURE_PNG, picture.expanded = &expanded, picture.expanded_count = 1;
    image i = decode(&picture);
    cr_expect_eq(pixel(&i, 22, 22), OPEN);
    cr_expect_eq(pixel(&i, 978, 22), EXPANDED);
    free(i.rgb);
}

Test(extra_marks, floors_show_where_a_path_goes_up_and_down) {
    static const wend_cell cells[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 1}, {1, 1, 2}, {2, 1, 2}, {3, 1, 1}, {4, 1, 1}};
    wend_picture_path path = {cells, 7};
    wend_map_def def = default_map();
    def.kind = WEND_KIND_VOXEL, def.width = 5, def.height = 2, def.depth = 3;
    OWNED_MAP *map = made_map(&def);
    wend_picture picture = default_picture();
    picture.map = map, picture.paths = &path, picture.path_count = 1, picture.cell_pixels = 40;
    picture.legend = WEND_LEGEND_BELOW;
    char *text = draw_text(&picture, WEND_PICTURE_ANSI);
    cr_expect_str_eq(text, "z=0\n*^...\n.....\nz=1\n.....\n.^.**\nz=2\n.....\n.*v..\nmap of 5 x 2 x 3 cells\n"
                           "* path  ^ floor up  v floor down  . open\n");
    free(text);
    char *svg = draw_text(&picture, WEND_PICTURE_SVG);
    cr_expect(strstr(svg, ">floor up</text>") && strstr(svg, ">floor down</text>"));
    int filled = 0, hollow = 0;
    for (const char *at = svg; (at = strstr(at, "<path stroke=\"#ffffff\" fill=\"#005ae6\"")); at++) filled++;
    for (const char *at = svg; (at = strstr(at, "<path stroke=\"#005ae6\" fill=\"#ffffff\"")); at++) hollow++;
    cr_expect(filled == 3 && hollow == 2, "%d and %d", filled, hollow);
    free(svg);
}
