/* SPDX-License-Identifier: MIT */
/* SVG pictures: well-formed, and their rectangles paint every cell of the map exactly once. */
#include "extra/extra_help.h"

#include <ctype.h>
#include <stdio.h>

static char *draw_text(const wend_picture *picture) {
    bytes out = no_bytes();
    cr_assert_eq(wend_picture_write(picture, keep_bytes, &out), WEND_OK);
    return out.data;
}

/// Checks a tag from its '<' on: name, then attributes in double quotes. @return behind its '>'
static const char *check_tag(const char *at, char open[8][16], int *depth) {
    bool closing = at[1] == '/';
    char name[16] = {0};
    at += closing ? 2 : 1;
    for (int i = 0; isalpha((unsigned char)*at) && i < 15; i++) name[i] = *at++;
    while (*at == ' ') {
        at++;
        cr_assert(isalpha((unsigned char)*at));
        while (isalpha((unsigned char)*at) || *at == '-') at++;
        cr_assert(at[0] == '=' && at[1] == '"');
        for (at += 2; *at != '"'; at++) cr_assert(*at && *at != '<' && *at != '&');
        at++;
    }
    bool empty = *at == '/';
    at += empty;
    cr_assert_eq(*at, '>');
    if (closing)
        cr_assert(*depth > 0 && strcmp(open[--*depth], name) == 0, "</%s> closes nothing", name);
    else if (!empty)
        strcpy(open[(*depth)++], name);
    return at + 1;
}

static void check_xml(const char *text) {
    char open[8][16];
    int depth = 0, roots = 0;
    cr_assert_eq(strncmp(text, "<svg xmlns=\"http://www.w3.org/2000/svg\"", 38), 0);
    while (*text) {
        if (*text == '<') {
            roots += depth == 0;
            text = check_tag(text, open, &depth);
        } else {
            cr_assert_eq(*text++, '\n');
        }
    }
    cr_assert_eq(depth, 0);
    cr_assert_eq(roots, 1);
}

/// Paint the rectangles of all grounds; each cell at most once. Cells hold the fill colour; open ones stay 0.
static int paint(const char *svg, uint32_t *cells, int width, int height) {
    int rectangles = 0;
    for (const char *at = svg; (at = strstr(at, "<path fill=\"#")); at++) {
        unsigned fill;
        cr_assert_eq(sscanf(at, "<path fill=\"#%6x\"", &fill), 1);
        const char *d = strstr(at, " d=\"") + 4;
        int x, y, w, h, back, used;
        while (sscanf(d, "M%d %dh%dv%dh-%dz%n", &x, &y, &w, &h, &back, &used) == 5) {
            cr_assert(x >= 0 && y >= 0 && w > 0 && h > 0 && x + w <= width && y + h <= height && back == w);
            for (int j = y; j < y + h; j++)
                for (int i = x; i < x + w; i++) {
                    cr_assert_eq(cells[j * width + i], 0);
                    cells[j * width + i] = fill;
                }
            d += used;
            rectangles++;
        }
        cr_assert_eq(*d, '"');
    }
    return rectangles;
}

Test(extra_svg, draws_the_tutorials_problem) {
    problem p;
    problem_init(&p, WEND_PICTURE_SVG);
    char *svg = draw_text(&p.picture);
    check_xml(svg);
    cr_assert(strstr(svg, "width=\"320\" height=\"320\" viewBox=\"0 0 5 5\""));
    cr_assert(strstr(svg, "points=\"3,1 3,0 1,0 0,1 0,3\""), "ends and turns only");
    cr_assert(strstr(svg, "<circle cx=\"3\" cy=\"1\""));
    cr_assert(strstr(svg, "M0 3m-"));
    uint32_t cells[25] = {0};
    cr_assert_eq(paint(svg, cells, 5, 5), 2);
    for (int i = 0; i < 25; i++) cr_assert_eq(cells[i] != 0, problem_classes[i] == 0);
    free(svg);
    wend_map_release(p.map);
}

Test(extra_svg, paints_every_cell_of_a_random_map_once) {
    enum { WIDTH = 150, HEIGHT = 80 };
    static uint32_t cells[WIDTH * HEIGHT];
    uint8_t *classes = random_classes(WIDTH, HEIGHT, 7);
    for (int y = 20; y < 60; y++) memset(classes + y * WIDTH + 30, 0, 90); /* something to merge */
    OWNED_MAP *map = map_of_classes(WIDTH, HEIGHT, classes);
    wend_picture picture = default_picture();
    picture.format = WEND_PICTURE_SVG, picture.map = map;
    char *svg = draw_text(&picture);
    check_xml(svg);
    paint(svg, cells, WIDTH, HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        int class = classes[i];
        uint32_t expected = class == 1     ? 0
                            : class == 0   ? 0x343c48
                            : class == 254 ? 0xaabe50
                            : class == 255 ? 0x88bee0
                                           : cells[i];
        cr_assert_eq(cells[i], expected, "cell %d of class %d", i, class);
        cr_assert(class == 1 || cells[i] != 0);
        if (class >= 9 && class < 254) cr_assert_eq(cells[i], 0xb18d56);
    }
    free(svg);
    free(classes);
}

Test(extra_svg, merges_equal_runs_into_one_rectangle) {
    static uint32_t cells[64 * 64];
    uint8_t *classes = calloc(64, 64);
    OWNED_MAP *map = map_of_classes(64, 64, classes);
    wend_picture picture = default_picture();
    picture.format = WEND_PICTURE_SVG, picture.map = map;
    char *svg = draw_text(&picture);
    cr_assert_eq(paint(svg, cells, 64, 64), 1);
    free(svg);
    free(classes);
}

Test(extra_svg, draws_lone_cells_and_leaves_out_empty_paths) {
    static const wend_cell cell = {2, 3, 0};
    wend_picture_path paths[2] = {{&cell, 1}, {NULL, 0}};
    OWNED_MAP *map = map_of_classes(5, 5, NULL);
    wend_picture picture = default_picture();
    picture.format = WEND_PICTURE_SVG, picture.map = map, picture.paths = paths, picture.path_count = 2;
    char *svg = draw_text(&picture);
    check_xml(svg);
    const char *first = strstr(svg, "<polyline");
    cr_assert(first && strstr(first, "points=\"2,3 2,3\""));
    cr_assert_null(strstr(first + 1, "<polyline"));
    free(svg);
}

/* The way of a disc: as wide as the disc, below the line itself, and only where a radius is given. */
Test(extra_svg, draws_the_way_of_a_disc) {
    const uint8_t classes[] = {1, 1, 1, 1, 1, 1, 1, 1};
    OWNED_MAP *map = map_of_classes(4, 2, classes);
    const wend_point points[] = {{0, 0, 0}, {3000, 1000, 0}};
    wend_picture_line line = {.points = points, .point_count = 2};
    wend_picture picture = default_picture();
    picture.map = map, picture.format = WEND_PICTURE_SVG;
    picture.lines = &line, picture.line_count = 1;
    char *without = draw_text(&picture);
    line.radius_milli = 300;
    char *svg = draw_text(&picture), *band = strstr(svg, "stroke-width=\"0.6\" stroke-opacity=\".25\"");
    cr_assert(!strstr(without, "stroke-opacity=\".25\""));
    cr_assert(band && strstr(band, "<polyline"));
    cr_assert(strstr(strstr(band, "<polyline") + 1, "<polyline"), "the line is on top");
    free(without), free(svg);
}
