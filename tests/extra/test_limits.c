/* SPDX-License-Identifier: MIT */
/* Limits of pictures: each limit and one past it are tried, and writes that fail. */
#include "extra/extra_help.h"
#include "models/few_or_many.h"

static const int32_t formats[3] = {WEND_PICTURE_ANSI, WEND_PICTURE_SVG, WEND_PICTURE_PNG};

static wend_error result_of(const wend_picture *picture, int *calls) {
    bytes out = no_bytes();
    int32_t result = wend_picture_write(picture, keep_bytes, &out);
    if (calls) *calls = out.calls;
    if (result) cr_assert_eq(out.calls, 0, "nothing is written before everything is checked");
    free(out.data);
    return result;
}

static wend_error result_of_size(int32_t format, int32_t width, int32_t height, int32_t cell_pixels) {
    OWNED_MAP *map = map_of_classes(width, height, NULL);
    wend_picture picture;
    wend_picture_init(&picture, sizeof picture);
    picture.format = format, picture.map = map, picture.cell_pixels = cell_pixels;
    return result_of(&picture, NULL);
}

Test(extra_limits, text_goes_up_to_2048_cells) {
    for (int f = 0; f < 2; f++) {
        cr_assert_eq(result_of_size(formats[f], WEND_PICTURE_MAX_TEXT_SIDE - 1, 2, 0), WEND_OK);
        cr_assert_eq(result_of_size(formats[f], WEND_PICTURE_MAX_TEXT_SIDE, 2, 0), WEND_OK);
        cr_assert_eq(result_of_size(formats[f], 2, WEND_PICTURE_MAX_TEXT_SIDE, 0), WEND_OK);
        cr_assert_eq(result_of_size(formats[f], WEND_PICTURE_MAX_TEXT_SIDE + 1, 2, 0), WEND_UNSUPPORTED);
        cr_assert_eq(result_of_size(formats[f], 2, WEND_PICTURE_MAX_TEXT_SIDE + 1, 0), WEND_UNSUPPORTED);
    }
}

Test(extra_limits, png_goes_up_to_16384_pixels) {
    cr_assert_eq(result_of_size(WEND_PICTURE_PNG, WEND_PICTURE_MAX_SIDE - 1, 2, 0), WEND_OK);
    cr_assert_eq(result_of_size(WEND_PICTURE_PNG, WEND_PICTURE_MAX_SIDE, 2, 0), WEND_OK);
    cr_assert_eq(result_of_size(WEND_PICTURE_PNG, 2, WEND_PICTURE_MAX_SIDE, 0), WEND_OK);
    cr_assert_eq(result_of_size(WEND_PICTURE_PNG, WEND_PICTURE_MAX_SIDE + 1, 2, 0), WEND_UNSUPPORTED);
    cr_assert_eq(result_of_size(WEND_PICTURE_PNG, 2, WEND_MAX_SIDE, 0), WEND_UNSUPPORTED);
    cr_assert_eq(result_of_size(WEND_PICTURE_PNG, 2, WEND_MAX_SIDE, 64), WEND_UNSUPPORTED);
    cr_assert_eq(result_of_size(WEND_PICTURE_PNG, 256, 2, 64), WEND_OK);
    cr_assert_eq(result_of_size(WEND_PICTURE_PNG, 2, 257, 64), WEND_UNSUPPORTED);
}

Test(extra_limits, cells_measure_1_to_64_pixels) {
    for (int f = 0; f < 3; f++) {
        cr_assert_eq(result_of_size(formats[f], 3, 3, 1), WEND_OK);
        cr_assert_eq(result_of_size(formats[f], 3, 3, 64), WEND_OK);
        cr_assert_eq(result_of_size(formats[f], 3, 3, 65), WEND_BAD_ARGUMENT);
        cr_assert_eq(result_of_size(formats[f], 3, 3, -1), WEND_BAD_ARGUMENT);
    }
}

Test(extra_limits, every_cell_must_be_on_the_map) {
    static const wend_cell off[] = {{-1, 0, 0}, {0, -1, 0}, {5, 0, 0},        {0, 5, 0},
                                    {0, 0, 1},  {0, 0, -1}, {INT32_MAX, 0, 0}};
    problem p;
    for (int f = 0; f < 3; f++) {
        problem_init(&p, formats[f]);
        for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
            wend_cell cells[2] = {{4, 4, 0}, off[i]};
            wend_picture_path path = {cells, 2};
            wend_picture picture = p.picture;
            picture.starts = cells, picture.start_count = 2;
            cr_assert_eq(result_of(&picture, NULL), WEND_OUT_OF_RANGE);
            picture = p.picture, picture.goals = cells, picture.goal_count = 2;
            cr_assert_eq(result_of(&picture, NULL), WEND_OUT_OF_RANGE);
            picture = p.picture, picture.units = cells, picture.unit_count = 2;
            cr_assert_eq(result_of(&picture, NULL), WEND_OUT_OF_RANGE);
            picture = p.picture, picture.expanded = cells, picture.expanded_count = 2;
            cr_assert_eq(result_of(&picture, NULL), WEND_OUT_OF_RANGE);
            picture = p.picture, picture.paths = &path;
            cr_assert_eq(result_of(&picture, NULL), WEND_OUT_OF_RANGE);
            path.cell_count = picture.start_count = 1;
            cr_assert_eq(result_of(&picture, NULL), WEND_OK, "the last cell is on it");
        }
        wend_map_release(p.map);
    }
}

#define EXPECT_BAD(change)                                                                                             \
    do {                                                                                                               \
        wend_picture picture = p.picture;                                                                              \
        change;                                                                                                        \
        cr_expect_eq(result_of(&picture, NULL), WEND_BAD_ARGUMENT, #change);                                           \
    } while (0)

Test(extra_limits, bad_arguments_are_refused) {
    problem p;
    problem_init(&p, WEND_PICTURE_SVG);
    wend_picture_path nowhere = {NULL, 1};
    EXPECT_BAD(picture.struct_bytes = 0);
    EXPECT_BAD(picture.struct_bytes = 4097);
    EXPECT_BAD(picture.map = NULL);
    EXPECT_BAD(picture.format = 0);
    EXPECT_BAD(picture.format = 4);
    EXPECT_BAD(picture.legend = -1);
    EXPECT_BAD(picture.legend = 3);
    EXPECT_BAD(picture.legend = WEND_LEGEND_ONLY); /* needs an SVG */
    EXPECT_BAD(picture.unit_count = 1);
    EXPECT_BAD(picture.expanded_count = 1);
    EXPECT_BAD(picture.paths = NULL);
    EXPECT_BAD(picture.starts = NULL);
    EXPECT_BAD(picture.goals = NULL);
    EXPECT_BAD(picture.paths = &nowhere);
    cr_assert_eq(wend_picture_write(NULL, keep_bytes, NULL), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_picture_write(&p.picture, NULL, NULL), WEND_BAD_ARGUMENT);
    cr_assert_eq(result_of(&p.picture, NULL), WEND_OK);
    wend_map_release(p.map);
}

Test(extra_limits, a_write_that_fails_ends_it_whenever_it_fails) {
    uint8_t *classes = random_classes(300, 200, 11);
    problem p;
    for (int f = 0; f < 6; f++) {
        problem_init(&p, formats[f % 3]);
        wend_map_release(p.map);
        p.picture.map = p.map = map_of_classes(300, 200, classes), p.picture.colours = f >= 3;
        int calls;
        cr_assert_eq(result_of(&p.picture, &calls), WEND_OK);
        cr_assert_gt(calls, 2, "format %d is written in several pieces", formats[f % 3]);
        for (int fail = 0; fail < calls; fail += few_or_many(5, 1)) {
            bytes out = {.fail_at = fail, .error = fail % 2 ? 1000 + fail : WEND_IO};
            cr_assert_eq(wend_picture_write(&p.picture, keep_bytes, &out), out.error);
            cr_assert_eq(out.calls, fail + 1, "not called again");
            free(out.data);
        }
        wend_map_release(p.map);
    }
    free(classes);
}
