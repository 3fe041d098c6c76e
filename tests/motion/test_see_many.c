/* SPDX-License-Identifier: MIT */
/* Lines of sight asked for at once, next to one call for each. */
#include "models/both.h"
#include "motion/motion_support.h"

#include <criterion/criterion.h>
#include <wend/geometry.h>
#include <wend/query.h>

enum { LINES = 300, HEIGHT = 70, WIDEST = 150 };

static wend_map *noise(oracle_random *random, int32_t width, int percent) {
    static uint8_t open[WIDEST * HEIGHT];
    wend_map *map = open_map(width, HEIGHT);
    for (int i = 0; i < width * HEIGHT; i++) open[i] = oracle_below(random, 100) >= percent;
    IN_BATCH(map, cr_assert_eq(
                      wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {width - 1, HEIGHT - 1, 0}}, open, (size_t)width),
                      WEND_OK););
    return map;
}

/* The ends go where the starts were, at last. */
Test(see_many, is_as_one_by_one) {
    oracle_random random = {1};
    int seen = 0;
    for (int round = 0; round < 12; round++) {
        const int32_t width = round % 2 ? 40 : WIDEST;
        OWNED_MAP *map = noise(&random, width, round % 5 < 2 ? 3 : 12);
        wend_cell from[LINES], to[LINES], last[LINES];
        bool visible[LINES], again[LINES];
        for (int i = 0; i < LINES; i++) {
            from[i] = cell_of(oracle_below(&random, width), oracle_below(&random, HEIGHT));
            to[i] = cell_of(oracle_below(&random, width), oracle_below(&random, HEIGHT));
        }
        cr_assert_eq(wend_map_see_many(map, WEND_MOVER_DEFAULT, from, to, LINES, visible, last), WEND_OK);
        cr_assert_eq(wend_map_see_many(map, WEND_MOVER_DEFAULT, from, to, LINES, again, NULL), WEND_OK);
        cr_assert_arr_eq(visible, again, LINES);
        for (int i = 0; i < LINES; i++) {
            wend_cell end;
            bool alone;
            cr_assert_eq(wend_map_line_of_sight(map, WEND_MOVER_DEFAULT, from[i], to[i], &alone, &end), WEND_OK);
            cr_assert_eq(visible[i], alone);
            cr_assert(last[i].x == end.x && last[i].y == end.y);
            seen += alone;
        }
        cr_assert_eq(wend_map_see_many(map, WEND_MOVER_DEFAULT, from, to, LINES, NULL, from), WEND_OK);
        for (int i = 0; i < LINES; i++) cr_assert(last[i].x == from[i].x && last[i].y == from[i].y);
    }
    cr_assert(seen > 100 && seen < 12 * LINES - 100, "%d", seen);
}

Test(see_many, refuses_cells_off_the_map) {
    OWNED_MAP *map = open_map(70, 66);
    const wend_cell bad[] = {{-1, 0, 0}, {0, -1, 0}, {70, 0, 0}, {0, 66, 0}, {0, 0, 1}, {INT32_MAX, INT32_MIN, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const wend_cell good[] = {{0, 0, 0}, {1, 0, 0}}, worse[] = {{2, 0, 0}, bad[i]};
        bool visible[] = {true, true};
        wend_cell last[] = {{7, 7, 7}, {7, 7, 7}};
        cr_assert_eq(wend_map_see_many(map, WEND_MOVER_DEFAULT, good, worse, 2, visible, last), WEND_OUT_OF_RANGE);
        cr_assert_eq(wend_map_see_many(map, WEND_MOVER_DEFAULT, worse, good, 2, visible, last), WEND_OUT_OF_RANGE);
        cr_assert(visible[0] && visible[1] && last[0].x == 7 && last[1].x == 7);
    }
}
