/* SPDX-License-Identifier: MIT */
/* The colours of pictures under red-green blindness: every pair keeps a distance. */
#include "extra/png_help.h"

#include <math.h>
#include <wend/ways.h>

typedef struct colour {
    const char *name;
    uint32_t rgb;
} colour;

/// Colours as seen without, with red and with green blindness, in linear light (Machado, Oliveira and Fernandes 2009).
static const double sights[3][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
};

static double linear(uint32_t part) {
    double c = part / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double root(double t) {
    return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

/// CIE L*a*b* of a colour as it is seen, white being that of sRGB.
static void to_lab(uint32_t rgb, int sight, double lab[3]) {
    double part[3] = {linear(rgb >> 16), linear(rgb >> 8 & 255), linear(rgb & 255)}, seen[3];
    for (int i = 0; i < 3; i++) {
        const double *m = sights[sight][i];
        double sum = m[0] * part[0] + m[1] * part[1] + m[2] * part[2];
        seen[i] = sum < 0 ? 0 : sum > 1 ? 1 : sum;
    }
    double x = root((0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.95047);
    double y = root(0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]);
    double z = root((0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.08883);
    lab[0] = 116 * y - 16, lab[1] = 500 * (x - y), lab[2] = 200 * (y - z);
}

/// Returns the least distance of two colours among the three kinds of sight; about 2 can just be seen side by side.
static double distance(uint32_t a, uint32_t b) {
    double least = 1e9;
    for (int sight = 0; sight < 3; sight++) {
        double one[3], two[3];
        to_lab(a, sight, one), to_lab(b, sight, two);
        double d = hypot(hypot(one[0] - two[0], one[1] - two[1]), one[2] - two[2]);
        if (d < least) least = d;
    }
    return least;
}

Test(extra_colours, the_measure_knows_what_red_green_blind_people_mix_up) {
    cr_expect_gt(distance(0xffffff, 0x000000), 99);
    cr_expect_lt(distance(0xff0000, 0x908000), 25, "a red and an olive");
    cr_expect_gt(distance(0x0000ff, 0xffff00), 100, "blue and yellow");
}

/// A row of grounds, and below it one of each thing, a cell apart.
Test(extra_colours, of_grounds_and_things_differ_for_red_green_blind_people) {
    enum { WIDTH = 13, SCALE = 64 };
    static const uint8_t classes[WIDTH * 3] = {1, 0, 255, 254, 2, 5, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                               1, 1, 1,   1,   1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const wend_cell start = {0, 2, 0}, goal = {2, 2, 0}, unit = {4, 2, 0}, expanded = {6, 2, 0}, way = {8, 2, 0};
    OWNED_MAP *map = map_of_classes(WIDTH, 3, classes);
    IN_BATCH(map, cr_assert_eq(wend_edit_add_link(edit, &(wend_link){{10, 2, 0}, {12, 2, 0}, 5, 0}), WEND_OK);
             cr_assert_eq(wend_edit_set_step(edit, (wend_cell){10, 0, 0}, (wend_cell){11, 0, 0}, false), WEND_OK));
    wend_picture_path path = {&way, 1};
    wend_picture picture = default_picture();
    picture.map = map, picture.format = WEND_PICTURE_PNG, picture.cell_pixels = SCALE;
    picture.starts = &start, picture.goals = &goal, picture.units = &unit, picture.expanded = &expanded;
    picture.paths = &path;
    picture.start_count = picture.goal_count = picture.unit_count = picture.expanded_count = picture.path_count = 1;
    image i = decode(&picture);
#define MIDDLE(x, y) pixel(&i, (x)*SCALE + SCALE / 2, (y)*SCALE + SCALE / 2)
    const colour all[] = {
        {"open", MIDDLE(0, 0)},    {"blocked", MIDDLE(1, 0)}, {"water", MIDDLE(2, 0)},
        {"swamp", MIDDLE(3, 0)},   {"cost x2", MIDDLE(4, 0)}, {"cost x5", MIDDLE(5, 0)},
        {"cost x9", MIDDLE(6, 0)}, {"start", MIDDLE(0, 2)},   {"goal", MIDDLE(2, 2)},
        {"unit", MIDDLE(4, 2)},    {"path", MIDDLE(8, 2)},    {"expanded", MIDDLE(6, 2)},
        {"paper", 0xced1d6},       {"edge", 0x7a808c},        {"step", pixel(&i, 11 * SCALE - 1, SCALE / 2)},
        {"link", 0x7e3eb0},
    };
    enum { COUNT = sizeof all / sizeof *all };
    for (int a = 0; a < COUNT; a++)
        for (int b = 0; b < a; b++) {
            double d = distance(all[a].rgb, all[b].rgb);
            cr_expect_gt(d, 12, "%s (%06x) and %s (%06x): %.1f", all[a].name, all[a].rgb, all[b].name, all[b].rgb, d);
        }
    free(i.rgb);
}

Test(extra_colours, of_neighbouring_paths_differ_for_red_green_blind_people) {
    enum { COUNT = 216, EARLY = 8 };
    static wend_cell cells[COUNT];
    static wend_picture_path paths[COUNT];
    uint32_t rgb[COUNT];
    for (int p = 0; p < COUNT; p++) cells[p] = (wend_cell){0, p, 0}, paths[p] = (wend_picture_path){&cells[p], 1};
    OWNED_MAP *map = map_of_classes(1, COUNT, NULL);
    wend_picture picture = default_picture();
    picture.map = map, picture.format = WEND_PICTURE_PNG, picture.paths = paths, picture.path_count = COUNT;
    picture.cell_pixels = 16;
    image i = decode(&picture);
    for (int p = 0; p < COUNT; p++) {
        rgb[p] = pixel(&i, 8, p * 16 + 8);
        cr_expect_gt(distance(rgb[p], OPEN), 35, "path %d on open ground", p);
        if (p) cr_expect_gt(distance(rgb[p], rgb[p - 1]), 25, "paths %d and %d", p - 1, p);
    }
    for (int p = 0; p < EARLY; p++)
        for (int q = 0; q < p; q++) cr_expect_gt(distance(rgb[p], rgb[q]), 25, "paths %d and %d", p, q);
    free(i.rgb);
}
