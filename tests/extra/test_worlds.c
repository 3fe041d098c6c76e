/* SPDX-License-Identifier: MIT */
/* Pictures of layers, links and closed steps. */
#include "extra/png_help.h"
#include <wend/ways.h>

enum { PAPER = 0xced1d6, LINK = 0x7e3eb0, STEP = 0x96141e };

#define CELL(x, y, z) ((wend_cell){x, y, z})

static char *draw_text(wend_picture *picture, int32_t format) {
    bytes out = no_bytes();
    picture->format = format;
    cr_assert_eq(wend_picture_write(picture, keep_bytes, &out), WEND_OK);
    return out.data;
}

static void expect_text(wend_picture *picture, const char *expected) {
    char *text = draw_text(picture, WEND_PICTURE_ANSI);
    cr_expect_str_eq(text, expected);
    free(text);
}

/// All open but a wall in layer 1, from 0,1 to 1,1.
static wend_map *space(int32_t width, int32_t height, int32_t depth) {
    wend_map_def def = default_map();
    def.kind = WEND_KIND_VOXEL, def.width = width, def.height = height, def.depth = depth;
    wend_map *map = made_map(&def);
    if (depth == 1) return map;
    IN_BATCH(map, cr_assert_eq(wend_edit_fill_box(edit, (wend_box){{0, 1, 1}, {1, 1, 1}}, 0), WEND_OK));
    return map;
}

static const wend_cell climb[5] = {{0, 0, 0}, {1, 0, 0}, {2, 1, 1}, {3, 2, 1}, {3, 2, 2}};
static const wend_picture_path climb_path = {climb, 5};

static wend_picture climb_picture(const wend_map *map) {
    wend_picture picture = default_picture();
    picture.map = map, picture.paths = &climb_path, picture.path_count = 1;
    picture.starts = climb, picture.goals = climb + 4, picture.start_count = picture.goal_count = 1;
    return picture;
}

Test(extra_worlds, writes_layers_under_one_another_with_their_numbers) {
    OWNED_MAP *map = space(4, 3, 3);
    wend_picture picture = climb_picture(map);
    expect_text(&picture, "z=0\nA^..\n....\n....\nz=1\n....\n##*.\n...^\nz=2\n....\n....\n...B\n");
    picture.track = WEND_TRACK_FEET;
    expect_text(&picture, "z=0\nA^..\n....\n....\nz=1\n....\n##%.\n...^\nz=2\n....\n....\n...B\n");
}

Test(extra_worlds, writes_a_single_layer_like_a_flat_map) {
    OWNED_MAP *map = space(2, 2, 1);
    wend_picture picture = default_picture();
    picture.map = map;
    expect_text(&picture, "..\n..\n");
}

Test(extra_worlds, paints_each_layer_in_a_panel_of_its_own) {
    OWNED_MAP *map = space(4, 3, 3);
    wend_picture picture = climb_picture(map);
    picture.format = WEND_PICTURE_PNG, picture.cell_pixels = 20;
    image i = decode(&picture);
    /* two panels in a row, a cell between, a row of labels above each */
    cr_assert(i.width == 9 * 20 && i.height == 9 * 20, "%d x %d", i.width, i.height);
    cr_expect_eq(pixel(&i, 4 * 20 + 10, 30), PAPER);
    cr_expect_eq(pixel(&i, 150, 4 * 20 + 10), PAPER, "between the rows of panels, right of the label");
    cr_expect_eq(pixel(&i, 30, 3 * 20 - 2), OPEN);
    cr_expect_eq(pixel(&i, 100 + 4, 20 + 24), BLOCKED, "the wall is in the second panel");
    cr_expect_eq(pixel(&i, 4, 20 + 24), OPEN, "and not in the first");
    cr_expect_eq(pixel(&i, 10, 30), START);
    cr_expect_eq(pixel(&i, 3 * 20 + 6, 5 * 20 + 20 + 2 * 20 + 6), GOAL);
    cr_expect_eq(pixel(&i, 3 * 20 + 10, 5 * 20 + 20 + 2 * 20 + 11), 0xffffff, "a small triangle on the goal");
    uint32_t line = pixel(&i, 30, 30);
    cr_expect_eq(pixel(&i, 30, 33), line, "a triangle where it goes up");
    cr_expect_eq(pixel(&i, 100 + 50, 20 + 31), 0xffffff, "a hollow one where it arrives");
    cr_expect_eq(pixel(&i, 100 + 60, 20 + 40), line);
    cr_expect_eq(pixel(&i, 90, 30), PAPER, "no line from panel to panel");
    int ink = 0;
    for (int y = 0; y < 20; y++)
        for (int x = 0; x < 80; x++) ink += pixel(&i, 100 + x, y) == BLOCKED;
    cr_expect_eq(ink, (13 + 10 + 10) * 4, "z = 1 in dots of 2 x 2: %d", ink);
    free(i.rgb);
    char *svg = draw_text(&picture, WEND_PICTURE_SVG);
    cr_expect(strstr(svg, "viewBox=\"0 0 9 9\""));
    cr_expect(strstr(svg, "<text x=\"5\" y=\"0.9\">z = 1</text>\n<text x=\"0\" y=\"5.9\">z = 2</text>"));
    cr_expect(strstr(svg, "points=\"0,1 1,1\"") && strstr(svg, "points=\"7,2 8,3\"") &&
              strstr(svg, "points=\"3,8 3,8\""));
    free(svg);
}

Test(extra_worlds, holds_all_layers_together_against_the_limits) {
    wend_map *map = space(3, 2047, 2);
    wend_picture picture = default_picture();
    picture.map = map;
    cr_expect_str_eq(wend_picture_refusal(&picture),
                     "all layers together are too large for ansi and svg: at most 2048 cells a side, try png");
    picture.format = WEND_PICTURE_SVG;
    cr_expect_str_eq(wend_picture_refusal(&picture),
                     "all layers together are too large for ansi and svg: at most 2048 cells a side, try png");
    bytes out = no_bytes();
    cr_expect_eq(wend_picture_write(&picture, keep_bytes, &out), WEND_UNSUPPORTED);
    cr_expect_eq(out.calls, 0);
    wend_map_release(map);
    map = space(3, 2030, 2);
    picture.map = map;
    cr_expect_null(wend_picture_refusal(&picture), "side by side, under a label of 18 cells");
    wend_map_release(map);
    map = space(3, 1023, 2);
    picture.map = map, picture.format = WEND_PICTURE_ANSI;
    cr_expect_null(wend_picture_refusal(&picture), "1,024 rows each with the label's");
    wend_map_release(map);
    map = space(65536, 2, 65536 / 4);
    picture.map = map, picture.format = WEND_PICTURE_PNG;
    cr_expect_str_eq(wend_picture_refusal(&picture),
                     "all layers together are too large for png: at most 16384 pixels a side");
    wend_map_release(map);
    map = map_of_classes(16385, 1, NULL);
    picture.map = map;
    cr_expect_str_eq(wend_picture_refusal(&picture), "the map is too large for png: at most 16384 pixels a side");
    picture.format = WEND_PICTURE_SVG;
    cr_expect_str_eq(wend_picture_refusal(&picture),
                     "the map is too large for ansi and svg: at most 2048 cells a side, try png");
    wend_map_release(map);
    problem p;
    problem_init(&p, WEND_PICTURE_ANSI);
    cr_expect_null(wend_picture_refusal(&p.picture));
    wend_map_release(p.map);
}

static wend_map *linked(void) {
    wend_map *map = map_of_classes(6, 4, NULL);
    IN_BATCH(map, cr_assert_eq(wend_edit_add_link(edit, &(wend_link){CELL(1, 1, 0), CELL(5, 3, 0), 5, 0}), WEND_OK));
    return map;
}

Test(extra_worlds, marks_both_ends_of_links) {
    OWNED_MAP *map = linked();
    wend_picture picture = default_picture();
    picture.map = map;
    expect_text(&picture, "......\n.o....\n......\n.....o\n");
    char *svg = draw_text(&picture, WEND_PICTURE_SVG);
    cr_expect(strstr(svg, "stroke=\"#7e3eb0\""));
    cr_expect(strstr(svg, "<path d=\"M1 1Q3.5 1 5 3\"/>\n<path stroke=\"none\""), "an arrow: no link leads back");
    cr_expect(strstr(svg, "<circle cx=\"1\" cy=\"1\" r=\"0.296\"/>\n<circle cx=\"5\""));
    free(svg);
    picture.format = WEND_PICTURE_PNG, picture.cell_pixels = 20;
    image i = decode(&picture);
    for (int end = 0; end < 2; end++) {
        int x = end ? 110 : 30, y = end ? 70 : 30;
        cr_expect_eq(pixel(&i, x, y), 0xffffff, "a ring is empty");
        cr_expect_eq(pixel(&i, x - 5, y), LINK);
        cr_expect_eq(pixel(&i, x, y + 5), LINK);
        cr_expect_eq(pixel(&i, x - 9, y), OPEN);
    }
    free(i.rgb);
}

Test(extra_worlds, draws_closed_steps_on_the_side_they_are_closed_from) {
    OWNED_MAP *map = map_of_classes(4, 4, NULL);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_set_step(edit, CELL(0, 0, 0), CELL(1, 0, 0), false), WEND_OK);
    cr_assert_eq(wend_edit_set_step(edit, CELL(3, 1, 0), CELL(2, 1, 0), false), WEND_OK);
    cr_assert_eq(wend_edit_set_step(edit, CELL(0, 2, 0), CELL(0, 1, 0), false), WEND_OK);
    cr_assert_eq(wend_edit_set_step(edit, CELL(2, 2, 0), CELL(3, 3, 0), false), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    wend_picture picture = default_picture();
    picture.map = map, picture.format = WEND_PICTURE_PNG, picture.cell_pixels = 24;
    image i = decode(&picture);
    int count = 0;
    for (int y = 0; y < i.height; y++)
        for (int x = 0; x < i.width; x++) count += pixel(&i, x, y) == STEP;
    cr_expect_eq(count, 3 * 24 * 2 + 4 * 4, "three lines and a corner, nothing else");
    for (int k = 0; k < 24; k++) {
        cr_expect_eq(pixel(&i, 22, k), STEP);
        cr_expect_eq(pixel(&i, 72, 24 + k), STEP);
        cr_expect_eq(pixel(&i, k, 48), STEP);
    }
    cr_expect_eq(pixel(&i, 71, 71), STEP);
    free(i.rgb);
    char *svg = draw_text(&picture, WEND_PICTURE_SVG);
    cr_expect(strstr(svg, "d=\"M0.96 0v1M3.04 1v1M0 2.04h1M2.96 2.96h.001\""), "%s", svg);
    free(svg);
    expect_text(&picture, "....\n....\n....\n....\n");
}
