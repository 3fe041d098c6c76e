/* SPDX-License-Identifier: MIT */
/* World coordinates of cells, and the cells of world coordinates. */
#include <criterion/criterion.h>
#include <wend/geometry.h>

static wend_cell at(int32_t x, int32_t y) {
    return (wend_cell){x, y, 0};
}

Test(placement, placements_go_there_and_back) {
    for (int32_t shape = 0; shape < 4; shape++) {
        const wend_placement place = {.origin_x = -3.25,
                                      .origin_y = 100,
                                      .cell_width = 64,
                                      .cell_height = 32,
                                      .y_up = shape & 1,
                                      .isometric = shape >> 1};
        for (int32_t y = -40; y <= 40; y++)
            for (int32_t x = -40; x <= 40; x++) {
                double right, down;
                wend_cell back = {7, 7, 7};
                cr_assert_eq(wend_placement_get_world(&place, at(x, y), &right, &down), WEND_OK);
                cr_assert_eq(wend_placement_get_cell(&place, right, down, &back), WEND_OK);
                cr_assert(back.x == x && back.y == y && back.z == 0, "%d,%d is %d,%d", x, y, back.x, back.y);
            }
    }
}

Test(placement, placements_round_down_and_refuse_what_is_no_cell) {
    wend_placement place = {.cell_width = 10, .cell_height = 10};
    wend_cell cell;
    cr_assert_eq(wend_placement_get_cell(&place, -0.5, 9.99, &cell), WEND_OK);
    cr_assert(cell.x == -1 && cell.y == 0);
    cr_assert_eq(wend_placement_get_cell(&place, -10, 10, &cell), WEND_OK);
    cr_assert(cell.x == -1 && cell.y == 1, "the lower edge belongs to the cell");
    cr_assert_eq(wend_placement_get_cell(&place, 21474836479.0, 0, &cell), WEND_OK);
    cr_assert_eq(cell.x, INT32_MAX);
    cr_assert_eq(wend_placement_get_cell(&place, 21474836480.0, 0, &cell), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_placement_get_cell(&place, 0.0 / 0.0, 0, &cell), WEND_OUT_OF_RANGE);
    place.y_up = 1;
    cr_assert_eq(wend_placement_get_cell(&place, 0, -5, &cell), WEND_OK);
    cr_assert_eq(cell.y, 0);
    place.y_up = false, place.cell_height = 0;
    cr_assert_eq(wend_placement_get_world(&place, at(0, 0), NULL, NULL), WEND_BAD_ARGUMENT);
    place.cell_height = 1;
    cr_assert_eq(wend_placement_get_world(&place, at(0, 0), NULL, NULL), WEND_OK);
}
