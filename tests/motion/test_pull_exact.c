/* SPDX-License-Identifier: MIT */
/* Pulled paths, compared with shortest ways at any angle, on even ground of several kinds. */
#include "models/any_angle.h"
#include "models/few_or_many.h"
#include "motion/motion_support.h"

#include <criterion/criterion.h>
#include <math.h>
#include <wend/geometry.h>

enum { SIDE = 40, CELLS = SIDE * SIDE, GROUNDS = 12 };

/* On each of the grounds. */
static int paths_a_ground(void) {
    return enough_or_many(8, 16);
}

static void add_box(uint8_t *open, oracle_random *random, int most) {
    int width = 1 + oracle_below(random, most), height = 1 + oracle_below(random, most);
    int x0 = oracle_below(random, SIDE), y0 = oracle_below(random, SIDE);
    for (int y = y0; y < y0 + height && y < SIDE; y++)
        for (int x = x0; x < x0 + width && x < SIDE; x++) open[y * SIDE + x] = 0;
}

static void add_rooms(uint8_t *open, oracle_random *random) {
    for (int i = 0; i < CELLS; i++) open[i] = i % SIDE % 10 != 9 && i / SIDE % 10 != 9;
    for (int i = 0; i < 24; i++) {
        int x = oracle_below(random, SIDE), y = oracle_below(random, SIDE);
        if (i % 2)
            open[y * SIDE + x / 10 * 10 + 9] = 1;
        else
            open[(y / 10 * 10 + 9) * SIDE + x] = 1;
    }
}

static wend_map *make_ground(int kind, uint8_t *open, oracle_random *random) {
    for (int i = 0; i < CELLS; i++) open[i] = kind % 3 != 0 || oracle_below(random, 100) >= 12;
    if (kind % 3 == 1)
        for (int i = 0; i < 30; i++) add_box(open, random, 9);
    if (kind % 3 == 2) add_rooms(open, random);
    wend_map *map = open_map(SIDE, SIDE);
    IN_BATCH(map, cr_assert_eq(wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {SIDE - 1, SIDE - 1, 0}}, open, SIDE),
                               WEND_OK));
    return map;
}

static double length_of(const wend_turn *turns, size_t count) {
    double sum = 0;
    for (size_t i = 1; i < count; i++)
        sum += hypot(turns[i].cell.x - turns[i - 1].cell.x, turns[i].cell.y - turns[i - 1].cell.y);
    return sum;
}

/* Two calls as arguments of one would come in any order. */
static wend_cell random_cell(oracle_random *random) {
    const int x = oracle_below(random, SIDE), y = oracle_below(random, SIDE);
    return cell_of(x, y);
}

/* The length of a pulled cheapest path; 0: there is none between these cells. */
static double pulled_length(wend_map *map, wend_cell a, wend_cell b) {
    wend_cell cells[CELLS];
    wend_turn turns[CELLS];
    size_t count, turn_count;
    cr_assert_eq(wend_find_path(map, a, b, cells, CELLS, &count, NULL), WEND_OK);
    if (count < 2) return 0;
    cr_assert_eq(wend_path_pull(map, NULL, cells, count, turns, CELLS, &turn_count), WEND_OK);
    return length_of(turns, turn_count);
}

/* The sum of ratios to the planner, and how many there were. */
static int compare(int32_t turns, double *ratios) {
    oracle_random random = {77};
    int paths = 0;
    *ratios = 0;
    for (int kind = 0; kind < GROUNDS; kind++) {
        uint8_t open[CELLS];
        OWNED_MAP *map = make_ground(kind, open, &random);
        any_angle *plan = any_angle_create(open, SIDE, SIDE, turns);
        for (int i = paths_a_ground(); i > 0; i--) {
            wend_cell a = random_cell(&random);
            wend_cell b = random_cell(&random);
            double pulled = pulled_length(map, a, b);
            if (pulled == 0) continue;
            double exact = any_angle_length(plan, a.x, a.y, b.x, b.y, 2 * pulled);
            cr_assert(exact <= pulled + 1e-9, "shorter than the shortest: %f, %f", pulled, exact);
            *ratios += pulled / exact;
            paths++;
        }
        any_angle_free(plan);
    }
    return paths;
}

Test(pull_exact, is_within_a_percent_of_the_shortest_line_through_centres) {
    double sum;
    int paths = compare(ANY_ANGLE_CELLS, &sum);
    cr_assert(paths > GROUNDS * paths_a_ground() / 4);
    cr_assert(sum / paths < 1.01, "%f", sum / paths);
}

/* A point may touch walls and turn at their corners, where no centre of a cell is. */
Test(pull_exact, is_near_the_shortest_way_of_a_point) {
    double sum;
    int paths = compare(ANY_ANGLE_POINTS, &sum);
    cr_assert(sum / paths < 1.06, "%f", sum / paths);
}
