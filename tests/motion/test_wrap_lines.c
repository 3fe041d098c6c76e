/* SPDX-License-Identifier: MIT */
/* Lines of sight and pulled paths over the rim of a map that wraps. */
#include "models/defaults.h"
#include "models/random.h"

#include "motion/unpull.h"

#include <criterion/criterion.h>
#include <math.h>
#include <wend/geometry.h>
#include <wend/query.h>

enum { WIDTH = 61, HEIGHT = 47, CELLS = WIDTH * HEIGHT }; /* odd: no way round is as long as the other */

static wend_map *make_map(uint64_t seed, uint32_t walls, int32_t shift_x, int32_t shift_y, int32_t corners) {
    wend_map_def def = default_map();
    wend_map_rules rules = default_rules();
    rules.corners = corners;
    def.width = WIDTH, def.height = HEIGHT, def.wrap = WEND_WRAP_X | WEND_WRAP_Y, def.rules = &rules;
    wend_map *map = made_map(&def);
    wend_edit *edit = begin_edit(map);
    for (int32_t y = 0; y < HEIGHT; y++)
        for (int32_t x = 0; x < WIDTH; x++)
            if (draw(&seed, 100) < walls)
                wend_edit_set_cell(edit, (wend_cell){(x + shift_x) % WIDTH, (y + shift_y) % HEIGHT, 0}, 0);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

static wend_cell shifted(wend_cell cell, int32_t x, int32_t y) {
    return (wend_cell){(cell.x + x) % WIDTH, (cell.y + y) % HEIGHT, 0};
}

static wend_cell draw_cell(uint64_t *seed) {
    const int32_t x = (int32_t)draw(seed, WIDTH);
    return (wend_cell){x, (int32_t)draw(seed, HEIGHT), 0};
}

/* A torus has no first cell: the result of a line moves with the map. */
Test(wrap_lines, are_those_of_the_same_map_shifted) {
    uint64_t seed = 7;
    for (int round = 0; round < 20; round++) {
        const int32_t x = (int32_t)draw(&seed, WIDTH), y = (int32_t)draw(&seed, HEIGHT), corners = round % 3;
        const uint32_t walls = 5 + 2 * (uint32_t)round;
        OWNED_MAP *map = make_map((uint64_t)round, walls, 0, 0, corners);
        OWNED_MAP *moved = make_map((uint64_t)round, walls, x, y, corners);
        for (int i = 0; i < 500; i++) {
            const wend_cell from = draw_cell(&seed), to = draw_cell(&seed);
            bool sees[2];
            wend_cell last[2];
            cr_assert_eq(wend_map_line_of_sight(map, 0, from, to, &sees[0], &last[0]), WEND_OK);
            cr_assert_eq(wend_map_line_of_sight(moved, 0, shifted(from, x, y), shifted(to, x, y), &sees[1], &last[1]),
                         WEND_OK);
            cr_assert_eq(sees[0], sees[1]);
            cr_assert(same_cell(shifted(last[0], x, y), last[1]));
        }
    }
}

static double length_of(wend_cell a, wend_cell b) {
    const int32_t x = abs(a.x - b.x), y = abs(a.y - b.y);
    return hypot(x < WIDTH - x ? x : WIDTH - x, y < HEIGHT - y ? y : HEIGHT - y);
}

/* Returns the length of the pulled path, and checks that each of its lines is free and that it leads back to cells. */
static double pull(wend_map *map, const wend_cell *path, size_t count) {
    static wend_turn turns[CELLS];
    static wend_cell cells[CELLS];
    size_t turn_count, cell_count;
    double sum = 0;
    cr_assert_eq(wend_path_pull(map, NULL, path, count, turns, CELLS, &turn_count), WEND_OK);
    cr_assert(same_cell(turns[0].cell, path[0]) && same_cell(turns[turn_count - 1].cell, path[count - 1]));
    for (size_t i = 0; i + 1 < turn_count; i++) {
        bool sees;
        wend_map_line_of_sight(map, 0, turns[i].cell, turns[i + 1].cell, &sees, NULL);
        cr_assert(sees, "%d,%d to %d,%d", turns[i].cell.x, turns[i].cell.y, turns[i + 1].cell.x, turns[i + 1].cell.y);
        sum += length_of(turns[i].cell, turns[i + 1].cell);
    }
    cr_assert(unpull(map, 0, turns, turn_count, cells, CELLS, &cell_count));
    for (size_t i = 0; i + 1 < cell_count; i++) {
        bool legal;
        uint64_t cost;
        cr_assert_eq(wend_map_step_legal(map, 0, cells[i], cells[i + 1], &legal, &cost), WEND_OK);
        cr_assert(legal);
    }
    return sum;
}

Test(wrap_lines, a_pulled_path_goes_straight_over_the_rim) {
    static wend_cell path[CELLS];
    wend_search_def def = default_search();
    uint64_t seed = 3;
    double before = 0, after = 0;
    int32_t over = 0;
    OWNED_SEARCH *search = made_search(&def);
    for (int round = 0; round < 20; round++) {
        OWNED_MAP *map = make_map((uint64_t)round, (uint32_t)round * 2, 0, 0, WEND_CORNERS_NEVER);
        for (int i = 0; i < 40; i++) {
            wend_request request = path_request(map, draw_cell(&seed), draw_cell(&seed));
            size_t count;
            cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
            if (wend_search_step(search, UINT64_MAX, NULL) != WEND_STATUS_FOUND) continue;
            cr_assert_eq(wend_search_get_path(search, path, CELLS, &count), WEND_OK);
            double steps = 0;
            for (size_t k = 0; k + 1 < count; k++) {
                steps += length_of(path[k], path[k + 1]);
                over += abs(path[k].x - path[k + 1].x) > 1;
            }
            const double pulled = pull(map, path, count);
            cr_assert_leq(pulled, steps + 1e-6);
            if (round == 0) cr_assert_float_eq(pulled, length_of(path[0], path[count - 1]), 1e-6);
            before += steps, after += pulled;
        }
    }
    cr_assert_gt(over, 50);
    cr_assert_lt(after, 0.97 * before);
}
