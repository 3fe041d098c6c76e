/* SPDX-License-Identifier: MIT */
/* Pictures for terminals, letter for letter. */
#include "extra/extra_help.h"

static void expect_text(const wend_picture *picture, const char *expected) {
    bytes out = no_bytes();
    cr_assert_eq(wend_picture_write(picture, keep_bytes, &out), WEND_OK);
    cr_assert_str_eq(out.data, expected);
    free(out.data);
}

Test(extra_ansi, draws_the_tutorials_problem) {
    problem p;
    problem_init(&p, WEND_PICTURE_ANSI);
    expect_text(&p.picture, ".***.\n*.#A.\n*.##.\nB....\n.....\n");
    wend_map_release(p.map);
}

Test(extra_ansi, draws_the_map_alone_without_paths) {
    problem p;
    problem_init(&p, WEND_PICTURE_ANSI);
    p.picture.path_count = p.picture.start_count = p.picture.goal_count = 0;
    expect_text(&p.picture, ".....\n..#..\n..##.\n.....\n.....\n");
    wend_map_release(p.map);
}

Test(extra_ansi, shows_ground_by_how_it_is_walked) {
    static const uint8_t classes[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 253, 254, 255, 1, 1};
    OWNED_MAP *map = map_of_classes(16, 1, classes);
    wend_picture picture = default_picture();
    picture.map = map;
    expect_text(&picture, "#.2345678999s~..\n");
}

Test(extra_ansi, shows_ground_by_the_maps_rules_not_by_class) {
    static const uint8_t classes[5] = {1, 5, 6, 254, 255};
    OWNED_MAP *map = map_of_classes(5, 1, classes);
    wend_map_rules rules = default_rules();
    rules.factors[5] = 0, rules.factors[6] = 1, rules.factors[254] = 0, rules.factors[255] = 3;
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_OK);
    wend_picture picture = default_picture();
    picture.map = map;
    expect_text(&picture, ".#.#~\n");
}

Test(extra_ansi, joins_cells_that_are_apart) {
    static const wend_cell cells[3] = {{0, 0, 0}, {3, 3, 0}, {6, 3, 0}};
    wend_picture_path path = {cells, 3};
    OWNED_MAP *map = map_of_classes(7, 4, NULL);
    wend_picture picture = default_picture();
    picture.map = map, picture.paths = &path, picture.path_count = 1;
    expect_text(&picture, "*......\n.*.....\n..*....\n...****\n");
}

Test(extra_ansi, draws_the_start_on_top_of_the_goal) {
    wend_cell cell = {1, 0, 0};
    OWNED_MAP *map = map_of_classes(2, 1, NULL);
    wend_picture picture = default_picture();
    picture.map = map, picture.starts = picture.goals = &cell, picture.start_count = picture.goal_count = 1;
    expect_text(&picture, ".A\n");
}

/// Without escape sequences; count receives how many there were.
static char *strip(const char *text, int *count) {
    char *plain = calloc(1, strlen(text) + 1), *to = plain;
    *count = 0;
    while (*text) {
        if (*text == '\033') {
            cr_assert_eq(text[1], '[');
            text = strchr(text, 'm') + 1;
            (*count)++;
        } else {
            *to++ = *text++;
        }
    }
    return plain;
}

Test(extra_ansi, colours_change_only_where_the_picture_does) {
    problem p;
    problem_init(&p, WEND_PICTURE_ANSI);
    p.picture.colours = 1;
    bytes out = no_bytes();
    cr_assert_eq(wend_picture_write(&p.picture, keep_bytes, &out), WEND_OK);
    int count;
    char *plain = strip(out.data, &count);
    cr_assert_str_eq(plain, "          \n      A   \n          \nB         \n          \n");
    cr_assert_eq(count, 3 + 5 + 4 + 2 + 1 + 5); /* runs of each row, and each row's reset */
    cr_assert(strstr(out.data, "\033[1;97;48;5;166mB"), "the goal is on orange");
    free(plain);
    free(out.data);
    wend_map_release(p.map);
}

Test(extra_ansi, wide_maps_have_one_column_a_cell_in_colour) {
    for (int32_t width = 40; width <= 41; width++) {
        OWNED_MAP *map = map_of_classes(width, 1, NULL);
        wend_picture picture = default_picture();
        picture.map = map, picture.colours = 1;
        bytes out = no_bytes();
        cr_assert_eq(wend_picture_write(&picture, keep_bytes, &out), WEND_OK);
        int count;
        char *plain = strip(out.data, &count);
        cr_assert_eq(strlen(plain), width == 40 ? 81 : 42);
        free(plain);
        free(out.data);
    }
}
