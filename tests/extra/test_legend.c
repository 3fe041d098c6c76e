/* SPDX-License-Identifier: MIT */
/* Legends of pictures: their words, their places, and the right scale. */
#include "extra/png_help.h"

#include <stdio.h>

enum { INK = BLOCKED };

static char *write_picture(const wend_picture *picture) {
    bytes out = no_bytes();
    cr_assert_eq(wend_picture_write(picture, keep_bytes, &out), WEND_OK);
    return out.data;
}

static void expect_text(const wend_picture *picture, const char *expected) {
    char *text = write_picture(picture);
    cr_expect_str_eq(text, expected);
    free(text);
}

Test(extra_legend, lists_in_letters_what_there_is) {
    problem p;
    problem_init(&p, WEND_PICTURE_ANSI);
    p.picture.legend = WEND_LEGEND_BELOW;
    expect_text(&p.picture, ".***.\n*.#A.\n*.##.\nB....\n.....\nmap of 5 x 5 cells\n"
                            "A start  B goal  * path  . open  # blocked\n");
    wend_cell unit = {4, 4, 0}, expanded[2] = {{1, 1, 0}, {1, 2, 0}};
    p.picture.units = &unit, p.picture.unit_count = 1, p.picture.expanded = expanded, p.picture.expanded_count = 2;
    p.picture.caption = "path found";
    expect_text(&p.picture, ".***.\n*+#A.\n*+##.\nB....\n....@\npath found\nmap of 5 x 5 cells\n"
                            "A start  B goal  * path  @ unit  + expanded  . open  # blocked\n");
    p.picture.legend = WEND_LEGEND_ONLY, p.picture.path_count = p.picture.expanded_count = 0;
    expect_text(&p.picture, "path found\nmap of 5 x 5 cells\nA start  B goal  @ unit  . open  # blocked\n");
    p.picture.legend = WEND_LEGEND_NONE;
    expect_text(&p.picture, ".....\n..#A.\n..##.\nB....\n....@\n");
    wend_map_release(p.map);
}

Test(extra_legend, names_every_ground_and_breaks_its_lines) {
    static const uint8_t classes[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 253, 254, 255, 1, 1};
    OWNED_MAP *map = map_of_classes(16, 1, classes);
    wend_picture picture = default_picture();
    picture.map = map, picture.legend = WEND_LEGEND_ONLY;
    expect_text(&picture, "map of 16 x 1 cells\n"
                          ". open  # blocked  ~ water  s swamp  2 cost x2  3 cost x3  4 cost x4  5 cost x5\n"
                          "6 cost x6  7 cost x7  8 cost x8  9 cost x9 or more\n");
}

Test(extra_legend, has_a_caption_of_up_to_240_bytes) {
    static const int32_t formats[3] = {WEND_PICTURE_ANSI, WEND_PICTURE_SVG, WEND_PICTURE_PNG};
    char caption[WEND_PICTURE_MAX_CAPTION + 2];
    for (int i = 0; i < WEND_PICTURE_MAX_CAPTION + 1; i++) caption[i] = i % 9 ? 'x' : ' ';
    caption[0] = 'x';
    for (int f = 0; f < 3; f++) {
        problem p;
        problem_init(&p, formats[f]);
        p.picture.legend = WEND_LEGEND_BELOW, p.picture.caption = caption;
        bytes out = no_bytes();
        caption[WEND_PICTURE_MAX_CAPTION] = 'x', caption[WEND_PICTURE_MAX_CAPTION + 1] = 0;
        cr_expect_eq(wend_picture_write(&p.picture, keep_bytes, &out), WEND_BAD_ARGUMENT);
        caption[WEND_PICTURE_MAX_CAPTION] = 0;
        free(write_picture(&p.picture));
        caption[WEND_PICTURE_MAX_CAPTION - 1] = 0;
        free(write_picture(&p.picture));
        caption[WEND_PICTURE_MAX_CAPTION - 1] = 'x';
        p.picture.caption = "";
        free(write_picture(&p.picture));
        wend_map_release(p.map);
    }
}

/// A text of an SVG's legend: where it begins, and its letters.
typedef struct word {
    int x, y, length;
} word;

static int words_of(const char *svg, word *out, int capacity) {
    int count = 0;
    for (const char *at = strstr(svg, "font-family=\"monospace\""); at && (at = strstr(at, "<text x=\"")); at++) {
        int used = 0;
        cr_assert(count < capacity &&
                  sscanf(at, "<text x=\"%d\" y=\"%d\">%n", &out[count].x, &out[count].y, &used) == 2);
        for (const char *letter = at + used; *letter != '<'; letter++) {
            out[count].length++;
            if (*letter == '&') letter = strchr(letter, ';');
        }
        count++;
    }
    return count;
}

Test(extra_legend, keeps_its_words_apart_and_inside) {
    static const int sizes[][2] = {{1, 1}, {5, 5}, {64, 64}, {512, 7}, {7, 512}, {2048, 3}, {3, 2048}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        OWNED_MAP *map = map_of_classes(sizes[s][0], sizes[s][1], NULL);
        wend_cell corner = {0, 0, 0};
        wend_picture_path path = {&corner, 1};
        wend_picture picture = default_picture();
        picture.format = WEND_PICTURE_SVG, picture.map = map, picture.legend = WEND_LEGEND_BELOW;
        picture.starts = picture.goals = picture.units = picture.expanded = &corner, picture.paths = &path;
        picture.start_count = picture.goal_count = picture.unit_count = picture.expanded_count = picture.path_count = 1;
        picture.caption = "no path: the <goal> & its neighbours are blocked; this line is too long for most pictures "
                          "and is broken where it has a blank";
        char *svg = write_picture(&picture);
        word words[64] = {{0}};
        int width, height, font, count = words_of(svg, words, 64);
        cr_assert_eq(sscanf(strstr(svg, "width="), "width=\"%d\" height=\"%d\"", &width, &height), 2);
        cr_assert_eq(sscanf(strstr(svg, "font-size=\""), "font-size=\"%d\"", &font), 1);
        cr_expect(count >= 9, "%d words", count);
        cr_expect(strstr(svg, "&lt;goal&gt; &amp;"));
        for (int i = 0; i < count; i++) {
            int end = words[i].x + words[i].length * font * 6 / 10; /* a letter's advance is 0.6 of its size */
            cr_expect(words[i].x >= 0 && end <= width, "word %d of %d x %d ends at %d of %d", i, sizes[s][0],
                      sizes[s][1], end, width);
            if (i + 1 < count && words[i + 1].y == words[i].y) cr_expect(words[i + 1].x > end);
            if (i + 1 < count && words[i + 1].y != words[i].y) cr_expect(words[i + 1].y >= words[i].y + font);
        }
        cr_expect(words[count - 1].y < height);
        free(svg);
    }
}

/// Longest run of ink in a row of pixels.
static int longest_run(const image *i, int y) {
    int longest = 0;
    for (int x = 0, run = 0; x < i->width; x++) {
        run = pixel(i, x, y) == INK ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    return longest;
}

Test(extra_legend, has_a_scale_of_the_right_length) {
    static const int sides[][3] = {{64, 10, 16}, {512, 100, 2}, {20, 5, 50}, {3, 1, 64}, {2100, 500, 1}};
    for (size_t s = 0; s < sizeof sides / sizeof *sides; s++) {
        int side = sides[s][0], cells = sides[s][1], scale = sides[s][2], longest = 0;
        OWNED_MAP *map = map_of_classes(side, side, NULL);
        wend_picture picture = default_picture();
        picture.format = WEND_PICTURE_PNG, picture.map = map, picture.legend = WEND_LEGEND_BELOW;
        image i = decode(&picture);
        for (int y = side * scale; y < i.height; y++)
            if (longest_run(&i, y) > longest) longest = longest_run(&i, y);
        cr_expect_eq(longest, cells * scale, "%d cells: a bar of %d pixels", side, longest);
        free(i.rgb);
        if (side <= WEND_PICTURE_MAX_TEXT_SIDE) {
            char text[64];
            picture.format = WEND_PICTURE_SVG;
            char *svg = write_picture(&picture);
            snprintf(text, sizeof text, cells == 1 ? ">%d cell</text>" : ">%d cells</text>", cells);
            cr_expect(strstr(svg, text), "%s", text);
            free(svg);
        }
    }
}

/// A tall or wide map takes the scale of its longer side, as far as it fits.
Test(extra_legend, has_a_long_scale_on_narrow_maps) {
    static const int sizes[][3] = {{3, 200, 20}, {200, 3, 50}, {3, 40, 5}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        char text[64];
        OWNED_MAP *map = map_of_classes(sizes[s][0], sizes[s][1], NULL);
        wend_picture picture = default_picture();
        picture.format = WEND_PICTURE_SVG, picture.map = map, picture.legend = WEND_LEGEND_BELOW;
        char *svg = write_picture(&picture);
        snprintf(text, sizeof text, ">%d cells</text>", sizes[s][2]);
        cr_expect(strstr(svg, text), "%s", strstr(svg, "<text"));
        free(svg);
    }
}

Test(extra_legend, moves_no_pixel_of_the_map) {
    static const int sizes[][2] = {{37, 23}, {1, 1}, {300, 2}, {2, 300}, {1500, 700}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        uint8_t *classes = random_classes(sizes[s][0], sizes[s][1], 5);
        OWNED_MAP *map = map_of_classes(sizes[s][0], sizes[s][1], classes);
        wend_picture picture = default_picture();
        picture.format = WEND_PICTURE_PNG, picture.map = map;
        image bare = decode(&picture);
        picture.legend = WEND_LEGEND_BELOW, picture.caption = "a caption";
        image i = decode(&picture);
        cr_expect(i.height > bare.height && i.width >= bare.width && i.width >= 480);
        for (int y = 0; y < bare.height; y++) {
            for (int x = 0; x < bare.width; x++) cr_assert_eq(pixel(&i, x, y), pixel(&bare, x, y));
            if (i.width > bare.width) cr_expect_eq(pixel(&i, bare.width, y), 0xced1d6);
        }
        int ink = 0;
        for (int y = bare.height; y < i.height; y++)
            for (int x = 0; x < i.width; x++) ink += pixel(&i, x, y) == INK;
        cr_expect_gt(ink, 300);
        free(bare.rgb), free(i.rgb), free(classes);
    }
}

Test(extra_legend, of_a_graph_has_a_scale_in_its_coordinates) {
    static const wend_cell places[3] = {{0, 0, 0}, {1000, 0, 0}, {1000, 500, 0}};
    static const wend_edge edges[3] = {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}};
    wend_graph_def def = default_graph();
    def.node_count = 3, def.coordinates = places, def.edges = edges, def.edge_count = 3;
    wend_map *map = made_graph(&def);
    wend_picture picture = default_picture();
    picture.format = WEND_PICTURE_SVG, picture.map = map, picture.legend = WEND_LEGEND_BELOW;
    char *svg = write_picture(&picture);
    cr_expect(strstr(svg, ">distance 200</text>"));
    cr_expect(strstr(svg, ">graph of 3 nodes, 3 edges</text>"));
    cr_expect(strstr(svg, ">road</text>") && strstr(svg, ">one-way road</text>") && strstr(svg, ">open node</text>"));
    int bar = 0; /* the legend's second box is the scale's bar */
    sscanf(strstr(svg, "<g transform=\"translate(0 "), "%*[^\n]\n%*[^\n]\n<rect x=\"%*d\" y=\"%*d\" width=\"%d\"",
           &bar);
    cr_expect_eq(bar, 200 * (1000 - 2 * 22) / 1000, "%d", bar);
    free(svg);
    def.coordinates = NULL;
    wend_map_release(map);
    cr_assert_eq(wend_graph_create(&def, &map), WEND_OK);
    picture.map = map;
    svg = write_picture(&picture);
    cr_expect_null(strstr(svg, ">distance"), "a circle has no scale");
    free(svg);
    wend_map_release(map);
}
