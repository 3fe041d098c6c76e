/* SPDX-License-Identifier: MIT */
/* PNG pictures, read back pixel by pixel. */
#include "extra/png_help.h"
#include "models/few_or_many.h"

static bool is_ground(uint32_t colour) {
    return colour == OPEN || colour == BLOCKED || colour == SWAMP || colour == WATER;
}

Test(extra_png, draws_the_tutorials_problem) {
    problem p;
    problem_init(&p, WEND_PICTURE_PNG);
    image i = decode(&p.picture);
    cr_assert(i.width == 320 && i.height == 320);
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 5; x++) /* a corner that neither line nor marker covers, inside the grid's line */
            cr_assert_eq(pixel(&i, x * 64 + 62, y * 64 + 20), problem_classes[y * 5 + x] ? OPEN : BLOCKED);
    cr_assert_eq(pixel(&i, 3 * 64 + 32, 64 + 32), START);
    cr_assert_eq(pixel(&i, 32, 3 * 64 + 32), GOAL);
    uint32_t line = pixel(&i, 2 * 64 + 32, 32);
    cr_assert_not(is_ground(line));
    for (int y = 96; y < 3 * 64; y++) cr_assert_eq(pixel(&i, 32, y), line, "no gap in the line");
    for (int d = 0; d < 64; d++) cr_assert_eq(pixel(&i, 96 - d, 32 + d), line, "nor on the diagonal");
    cr_assert_eq(pixel(&i, 64, 300), 0xe1dfd9, "thin lines between large cells");
    free(i.rgb);
    wend_map_release(p.map);
}

Test(extra_png, shows_every_cell_at_every_size) {
    enum { WIDTH = 37, HEIGHT = 23 };
    uint8_t *classes = random_classes(WIDTH, HEIGHT, 3);
    OWNED_MAP *map = map_of_classes(WIDTH, HEIGHT, classes);
    wend_picture picture = default_picture();
    picture.format = WEND_PICTURE_PNG, picture.map = map;
    for (int scale = 1; scale <= 64; scale += scale < 10 ? 1 : few_or_many(9, 1)) {
        picture.cell_pixels = scale;
        image i = decode(&picture);
        cr_assert(i.width == WIDTH * scale && i.height == HEIGHT * scale);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                int class = classes[y * WIDTH + x];
                uint32_t colour = pixel(&i, x * scale + scale - 1, y * scale + scale - 1);
                if (class == 0)
                    cr_assert_eq(colour, BLOCKED);
                else if (class == 1)
                    cr_assert_eq(colour, OPEN);
                else if (class == 254)
                    cr_assert_eq(colour, SWAMP);
                else if (class == 255)
                    cr_assert_eq(colour, WATER);
                else
                    cr_assert_not(is_ground(colour));
                cr_assert_eq(pixel(&i, x * scale, y * scale) == colour, scale < 8, "lines from 8 pixels a cell on");
            }
        free(i.rgb);
    }
    free(classes);
}

Test(extra_png, chooses_a_size_of_about_a_thousand) {
    static const int sides[][2] = {{1, 64}, {15, 64}, {16, 63}, {200, 5}, {512, 2}, {666, 2}, {667, 1}, {3000, 1}};
    for (size_t s = 0; s < sizeof sides / sizeof *sides; s++) {
        OWNED_MAP *map = map_of_classes(2, sides[s][0], NULL);
        wend_picture picture = default_picture();
        picture.format = WEND_PICTURE_PNG, picture.map = map;
        image i = decode(&picture);
        cr_assert_eq(i.height, sides[s][0] * sides[s][1], "%d cells at %d", sides[s][0], i.height);
        free(i.rgb);
    }
}

Test(extra_png, joins_what_is_drawn_in_bands) {
    enum { WIDTH = 16384, HEIGHT = 1100 }; /* more than the 16 MiB that are drawn at a time: row 1,024 begins a band */
    static const wend_cell cells[3] = {{100, 0, 0}, {100, 1099, 0}, {1199, 0, 0}};
    wend_picture_path path = {cells, 3};
    wend_cell start = {5000, 1024, 0}, goal = {6000, 1023, 0};
    OWNED_MAP *map = map_of_classes(WIDTH, HEIGHT, NULL);
    wend_picture picture = default_picture();
    picture.format = WEND_PICTURE_PNG, picture.map = map, picture.paths = &path, picture.path_count = 1;
    picture.starts = &start, picture.goals = &goal, picture.start_count = picture.goal_count = 1;
    image i = decode(&picture);
    uint32_t line = pixel(&i, 100, 500);
    cr_assert_not(is_ground(line));
    for (int y = 0; y < HEIGHT; y++) {
        cr_assert_eq(pixel(&i, 100, y), line);
        cr_assert_eq(pixel(&i, 1199 - y, y), line);
        cr_assert_eq(pixel(&i, 16000, y), OPEN);
    }
    for (int d = -70; d < 70; d++) {
        cr_assert_eq(pixel(&i, 5000, 1024 + d), START);
        cr_assert_eq(pixel(&i, 6000, 1023 + d), GOAL);
    }
    free(i.rgb);
}

static int distance(uint32_t a, uint32_t b) {
    return abs((int)(a >> 16) - (int)(b >> 16)) + abs((int)(a >> 8 & 255) - (int)(b >> 8 & 255)) +
           abs((int)(a & 255) - (int)(b & 255));
}

Test(extra_png, gives_neighbouring_paths_colours_far_apart) {
    enum { COUNT = 1000, OWN = 216 };
    static wend_cell cells[COUNT][2];
    static wend_picture_path paths[COUNT];
    static uint32_t colours[COUNT];
    for (int p = 0; p < COUNT; p++) {
        cells[p][0] = (wend_cell){0, 4 * p, 0}, cells[p][1] = (wend_cell){9, 4 * p, 0};
        paths[p] = (wend_picture_path){cells[p], 2};
    }
    OWNED_MAP *map = map_of_classes(10, 4 * COUNT, NULL);
    wend_picture picture = default_picture();
    picture.format = WEND_PICTURE_PNG, picture.map = map, picture.paths = paths, picture.path_count = COUNT;
    picture.cell_pixels = 4;
    image i = decode(&picture);
    for (int p = 0; p < COUNT; p++) {
        colours[p] = pixel(&i, 20, p * 16 + 2);
        cr_assert(distance(colours[p], OPEN) > 150 && distance(colours[p], BLOCKED) > 60, "path %d", p);
        if (p % OWN) cr_assert(distance(colours[p], colours[p - 1]) > 110, "paths %d and %d", p - 1, p);
    }
    for (int p = 0; p < OWN; p++)
        for (int q = 0; q < p; q++) cr_assert_neq(colours[p], colours[q], "paths %d and %d", p, q);
    cr_assert_eq(colours[OWN], colours[0]);
    free(i.rgb);
}

Test(extra_png, draws_the_first_path_on_top) {
    static const wend_cell across[2] = {{0, 2, 0}, {4, 2, 0}}, down[2] = {{2, 0, 0}, {2, 4, 0}};
    wend_picture_path paths[2] = {{across, 2}, {down, 2}};
    OWNED_MAP *map = map_of_classes(5, 5, NULL);
    wend_picture picture = default_picture();
    picture.format = WEND_PICTURE_PNG, picture.map = map, picture.paths = paths, picture.path_count = 2;
    image i = decode(&picture);
    cr_assert_eq(pixel(&i, 160, 160), pixel(&i, 32, 160));
    cr_assert_neq(pixel(&i, 160, 160), pixel(&i, 160, 32));
    free(i.rgb);
}
