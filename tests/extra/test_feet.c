/* SPDX-License-Identifier: MIT */
/* Paths drawn as tracks of feet. */
#include "extra/png_help.h"

static char *draw_text(wend_picture *picture, int32_t format) {
    bytes out = no_bytes();
    picture->format = format, picture->track = WEND_TRACK_FEET;
    cr_assert_eq(wend_picture_write(picture, keep_bytes, &out), WEND_OK);
    return out.data;
}

Test(extra_feet, walk_in_letters_along_up_and_aslant) {
    problem p;
    problem_init(&p, WEND_PICTURE_ANSI);
    char *text = draw_text(&p.picture, WEND_PICTURE_ANSI);
    cr_expect_str_eq(text, ".%::.\n\".#A.\n\".##.\nB....\n.....\n");
    free(text);
    wend_map_release(p.map);
}

Test(extra_feet, fill_the_gaps_of_cells_that_are_apart) {
    static const wend_cell cells[3] = {{0, 0, 0}, {3, 3, 0}, {6, 3, 0}};
    wend_picture_path path = {cells, 3};
    OWNED_MAP *map = map_of_classes(7, 4, NULL);
    wend_picture picture = default_picture();
    picture.map = map, picture.paths = &path, picture.path_count = 1;
    char *text = draw_text(&picture, WEND_PICTURE_ANSI);
    cr_expect_str_eq(text, "%......\n.%.....\n..%....\n...::::\n");
    free(text);
    path.cell_count = 1;
    text = draw_text(&picture, WEND_PICTURE_ANSI);
    cr_expect_str_eq(text, "\"......\n.......\n.......\n.......\n", "a lone cell");
    free(text);
}

Test(extra_feet, leave_the_ground_in_colour_below_them) {
    static const uint8_t classes[2] = {255, 1};
    static const wend_cell cells[2] = {{0, 0, 0}, {1, 0, 0}};
    wend_picture_path path = {cells, 2};
    OWNED_MAP *map = map_of_classes(2, 1, classes);
    wend_picture picture = default_picture();
    picture.map = map, picture.paths = &path, picture.path_count = 1, picture.colours = 1;
    char *feet = draw_text(&picture, WEND_PICTURE_ANSI);
    picture.path_count = 0;
    char *ground = draw_text(&picture, WEND_PICTURE_ANSI);
    int water, open, foot, other, below, beside;
    cr_assert_eq(sscanf(ground, "\033[0;38;5;240;48;5;%dm~ \033[0;38;5;240;48;5;%dm  ", &water, &open), 2);
    cr_assert_eq(sscanf(feet, "\033[1;38;5;%d;48;5;%dm: \033[1;38;5;%d;48;5;%dm: ", &foot, &below, &other, &beside), 4);
    cr_expect(below == water && beside == open && foot == other && foot != water && foot != open);
    free(feet), free(ground);
}

Test(extra_feet, are_turned_in_svg) {
    problem p;
    problem_init(&p, WEND_PICTURE_SVG);
    char *svg = draw_text(&p.picture, WEND_PICTURE_SVG);
    cr_expect(strstr(svg, "<defs><g id=\"feet\">"));
    cr_expect(strstr(svg, "<use href=\"#feet\" transform=\"translate(3 1) rotate(0)\"/>\n"
                          "<use href=\"#feet\" transform=\"translate(3 0) rotate(270)\"/>\n"
                          "<use href=\"#feet\" transform=\"translate(2 0) rotate(270)\"/>\n"
                          "<use href=\"#feet\" transform=\"translate(1 0) rotate(225)\"/>\n"
                          "<use href=\"#feet\" transform=\"translate(0 1) rotate(180)\"/>\n"
                          "<use href=\"#feet\" transform=\"translate(0 2) rotate(180)\"/>\n"
                          "<use href=\"#feet\" transform=\"translate(0 3) rotate(180)\"/>\n</g>"));
    cr_expect_null(strstr(svg, "polyline"));
    free(svg);
    wend_map_release(p.map);
}

/// Pixels of the path's colour in a cell.
static int prints_in(const image *i, int cell_x, int cell_y, int scale, uint32_t colour) {
    int count = 0;
    for (int y = 0; y < scale; y++)
        for (int x = 0; x < scale; x++) count += pixel(i, cell_x * scale + x, cell_y * scale + y) == colour;
    return count;
}

Test(extra_feet, stand_apart_in_png_until_cells_are_too_small) {
    problem p;
    for (int scale = 19; scale <= 64; scale++) {
        problem_init(&p, WEND_PICTURE_PNG);
        p.picture.cell_pixels = scale, p.picture.start_count = p.picture.goal_count = 0;
        image line = decode(&p.picture);
        p.picture.track = WEND_TRACK_FEET;
        image feet = decode(&p.picture);
        uint32_t colour = pixel(&line, 2 * scale + scale / 2, scale / 2);
        if (scale < 24) {
            cr_expect_arr_eq(feet.rgb, line.rgb, (size_t)(line.width * line.height * 3));
        } else {
            static const wend_cell on[] = {{3, 1, 0}, {2, 0, 0}, {1, 0, 0}, {0, 2, 0}};
            for (int c = 0; c < 4; c++) {
                int prints = prints_in(&feet, on[c].x, on[c].y, scale, colour);
                cr_expect(prints > scale * scale / 12 && prints < scale * scale / 2, "%d of %d", prints, scale * scale);
            }
            cr_expect_eq(prints_in(&feet, 4, 4, scale, colour), 0);
            cr_expect_neq(pixel(&feet, 2 * scale + scale / 2, scale / 2), colour, "between left and right, %d", scale);
        }
        free(line.rgb), free(feet.rgb);
        wend_map_release(p.map);
    }
}

Test(extra_feet, walk_over_the_tutorials_grass) {
    OWNED_MAP *map = NULL;
    wend_tiled *beside;
    cr_assert_eq(wend_tiled_load(TEST_DATA "/tutorial.tmj", NULL, NULL, &map, &beside, NULL), WEND_OK);
    static const wend_cell cells[] = {{2, 2, 0}, {3, 2, 0}, {4, 3, 0}, {5, 3, 0}, {6, 4, 0}, {6, 5, 0}};
    wend_picture_path path = {cells, 6};
    wend_picture picture = default_picture();
    picture.map = map, picture.paths = &path, picture.path_count = 1;
    picture.starts = &beside->markers->start, picture.start_count = 1;
    char *text = draw_text(&picture, WEND_PICTURE_ANSI);
    cr_expect(strstr(text, "#.A%.#.....55555...#\n#...:%....5555555..#\n#....#\"....55555...#\n#....#\"....."), "%s",
              text);
    free(text);
    wend_tiled_free(beside);
}

Test(extra_feet, are_one_of_two_kinds_of_track) {
    problem p;
    problem_init(&p, WEND_PICTURE_ANSI);
    bytes out = no_bytes();
    p.picture.track = 2;
    cr_expect_eq(wend_picture_write(&p.picture, keep_bytes, &out), WEND_BAD_ARGUMENT);
    p.picture.track = -1;
    cr_expect_eq(wend_picture_write(&p.picture, keep_bytes, &out), WEND_BAD_ARGUMENT);
    wend_map_release(p.map);
}
