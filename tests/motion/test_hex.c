/* SPDX-License-Identifier: MIT */
/* Offset coordinates of hexagons, their world coordinates, and the cells of those. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <wend/hex.h>

/* Neighbours in offset coordinates by the shift of their row or column, as redblobgames.com/grids/hexagons lists them:
 * [layout][1: an odd row or column]. */
static const int around[4][2][6][2] = {
    {{{1, 0}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}, {0, 1}}, {{1, 0}, {1, -1}, {0, -1}, {-1, 0}, {0, 1}, {1, 1}}},
    {{{1, 0}, {1, -1}, {0, -1}, {-1, 0}, {0, 1}, {1, 1}}, {{1, 0}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}, {0, 1}}},
    {{{1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {0, 1}}, {{1, 1}, {1, 0}, {0, -1}, {-1, 0}, {-1, 1}, {0, 1}}},
    {{{1, 1}, {1, 0}, {0, -1}, {-1, 0}, {-1, 1}, {0, 1}}, {{1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {0, 1}}}};

static bool is_step(wend_cell a, wend_cell b) {
    const int32_t x = b.x - a.x, y = b.y - a.y;
    return abs(x) <= 1 && abs(y) <= 1 && x != y;
}

Test(hex, offsets_go_there_and_back_and_keep_neighbours) {
    for (int32_t layout = 0; layout < 4; layout++)
        for (int32_t row = -9; row <= 9; row++)
            for (int32_t column = -9; column <= 9; column++) {
                const wend_cell cell = wend_hex_from_offset(layout, column, row, 7);
                int32_t back[2];
                wend_hex_to_offset(layout, cell, 7, &back[0], &back[1]);
                cr_assert(back[0] == column && back[1] == row);
                const int odd = (layout < WEND_HEX_FLAT_ODD ? row : column) & 1;
                for (int d = 0; d < 6; d++) {
                    const int *by = around[layout][odd][d];
                    cr_assert(is_step(cell, wend_hex_from_offset(layout, column + by[0], row + by[1], 7)));
                }
            }
}

Test(hex, first_keeps_a_rectangle_at_0_and_above) {
    for (int32_t layout = 0; layout < 4; layout++)
        for (int32_t side = 1; side < 40; side++)
            for (int32_t line = 0; line < side; line++) {
                const bool flat = layout >= WEND_HEX_FLAT_ODD;
                const wend_cell cell = wend_hex_from_offset(layout, flat ? line : 0, flat ? 0 : line, side / 2);
                cr_assert(cell.x >= 0 && cell.y >= 0);
            }
}

/* A point is in the regular hexagon with the nearest centre. */
Test(hex, points_are_in_the_nearest_hexagon) {
    for (int32_t layout = 0; layout < 4; layout++) {
        const bool flat = layout >= WEND_HEX_FLAT_ODD;
        const wend_hex_placement place = {.origin_x = 5,
                                          .origin_y = -3,
                                          .column_width = flat ? 15 : 17.320508,
                                          .row_height = flat ? 17.320508 : 15,
                                          .layout = layout,
                                          .first = 4,
                                          .y_up = layout & 1};
        for (int i = 0; i < 20000; i++) {
            const double x = i % 141 * 1.37 - 90, y = i / 141 * 1.31 - 90;
            double least = INFINITY, second = INFINITY;
            wend_cell found = {0, 0, 0}, nearest = {0, 0, 0};
            cr_assert_eq(wend_hex_get_cell(&place, x, y, &found), WEND_OK);
            for (int32_t k = 0; k < 25; k++) {
                const wend_cell cell = {found.x + k % 5 - 2, found.y + k / 5 - 2, 0};
                double its_x, its_y;
                cr_assert_eq(wend_hex_get_world(&place, cell, &its_x, &its_y), WEND_OK);
                const double away = hypot(its_x - x, its_y - y);
                if (away < least)
                    second = least, least = away, nearest = cell;
                else if (away < second)
                    second = away;
            }
            if (second - least < .05) continue; /* on the border, to thousandths */
            cr_assert(nearest.x == found.x && nearest.y == found.y, "%g,%g", x, y);
        }
    }
}

Test(hex, placements_refuse_what_is_none) {
    wend_hex_placement place = {.column_width = 1, .row_height = 1};
    wend_cell cell;
    cr_assert_eq(wend_hex_get_cell(&place, NAN, 0, &cell), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_hex_get_cell(&place, 1e12, 0, &cell), WEND_OUT_OF_RANGE);
    place.row_height = 0;
    cr_assert_eq(wend_hex_get_cell(&place, 0, 0, &cell), WEND_BAD_ARGUMENT);
    place.row_height = 1, place.layout = 4;
    cr_assert_eq(wend_hex_get_world(&place, cell, NULL, NULL), WEND_BAD_ARGUMENT);
}
