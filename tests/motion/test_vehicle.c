/* SPDX-License-Identifier: MIT */
/* Curves for vehicles: by samples they keep their distance, and their direction never changes faster than a least
 * radius of turning allows. */
#include "models/clear_model.h"
#include "models/few_or_many.h"
#include "motion/motion_support.h"

#include <criterion/criterion.h>
#include <math.h>
#include <wend/geometry.h>

enum { SIDE = 48, CELLS = SIDE * SIDE, ROOM = 8192, RADIUS = 300 };
#define PI 3.14159265358979323846

static wend_cell random_cell(oracle_random *random) {
    const int x = oracle_below(random, SIDE), y = oracle_below(random, SIDE);
    return cell_of(x, y);
}

static double direction(wend_point a, wend_point b) {
    return atan2(b.y - a.y, b.x - a.x);
}

static double between(double a, double b) {
    double turn = b - a;
    while (turn > PI) turn -= 2 * PI;
    while (turn < -PI) turn += 2 * PI;
    return fabs(turn);
}

/* Returns the greatest change of direction beyond that allowed by the length of the way there. The change at a point
 * counts half to either side of it. */
static double excess_of_turning(const wend_point *p, size_t n, double radius) {
    double worst = 0;
    for (size_t i = 1; i + 1 < n; i++) {
        double turn = between(direction(p[i - 1], p[i]), direction(p[i], p[i + 1])) / 2, way = 0;
        for (size_t j = i + 1; j + 1 < n && way < 4 * radius; j++) {
            const double here = between(direction(p[j - 1], p[j]), direction(p[j], p[j + 1]));
            way += hypot(p[j].x - p[j - 1].x, p[j].y - p[j - 1].y);
            worst = fmax(worst, turn + here / 2 - way / radius);
            turn += here;
        }
    }
    return worst;
}

typedef struct tally {
    int paths, curves;
} tally;

static wend_map *noise(uint8_t *open, oracle_random *random, int percent) {
    for (int i = 0; i < CELLS; i++) open[i] = oracle_below(random, 100) >= percent;
    wend_map *map = open_map(SIDE, SIDE);
    IN_BATCH(map, cr_assert_eq(wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {SIDE - 1, SIDE - 1, 0}}, open, SIDE),
                               WEND_OK));
    return map;
}

static size_t pull(const wend_map *map, const wend_cell *cells, size_t count, wend_turn *turns) {
    wend_pull_def def;
    size_t found;
    wend_pull_def_init(&def, sizeof def);
    def.radius_milli = RADIUS;
    cr_assert_eq(wend_path_pull(map, &def, cells, count, turns, ROOM, &found), WEND_OK);
    return found;
}

static void check_curve(const uint8_t *open, const wend_round_def *def, const wend_turn *turns, size_t turn_count,
                        const wend_point *points, size_t count) {
    const clear_ground ground = {.open = open, .width = SIDE, .height = SIDE};
    const wend_cell a = turns[0].cell, b = turns[turn_count - 1].cell;
    cr_assert(count <= ROOM && points[0].x == 1000 * a.x && points[0].y == 1000 * a.y);
    cr_assert(points[count - 1].x == 1000 * b.x && points[count - 1].y == 1000 * b.y);
    cr_assert(clear_sampled(&ground, points, count, 0, .02, 1) >= RADIUS / 1000.0 - 1e-9);
    /* points are rounded to thousandths, and 20 thousandths apart or more */
    cr_assert(excess_of_turning(points, count, def->turning_milli) < .06);
    if (def->heading_x == 0 && def->heading_y == 0) return;
    const double off = between(direction(points[0], points[1]), atan2(def->heading_y, def->heading_x));
    cr_assert(off < .15, "%f", off); /* less than 20 thousandths from the start it may have turned already */
}

static tally drive(int percent, uint32_t turning, bool headed, int rounds) {
    oracle_random random = {5};
    tally t = {0};
    for (int round = 0; round < rounds; round++) {
        static wend_turn turns[ROOM];
        static wend_point points[ROOM];
        static wend_cell cells[CELLS];
        uint8_t open[CELLS];
        OWNED_MAP *map = noise(open, &random, percent);
        for (int i = 0; i < 8; i++) {
            const wend_cell a = random_cell(&random);
            const wend_cell b = random_cell(&random);
            wend_round_def def;
            size_t count, n = 77;
            wend_round_def_init(&def, sizeof def);
            def.clearance_milli = RADIUS, def.turning_milli = turning;
            def.heading_x = headed ? oracle_below(&random, 200) - 100 : 0, def.heading_y = headed ? 37 : 0;
            cr_assert_eq(wend_find_path(map, a, b, cells, CELLS, &count, NULL), WEND_OK);
            if (count < 2) continue;
            const size_t found = pull(map, cells, count, turns);
            const wend_error error = wend_path_round(map, &def, turns, found, points, ROOM, &n);
            t.paths++;
            if (error) {
                cr_assert_eq(error, WEND_BLOCKED);
                cr_assert_eq(n, 77);
                continue;
            }
            check_curve(open, &def, turns, found, points, n);
            t.curves++;
        }
    }
    return t;
}

Test(vehicle, curves_turn_no_faster_and_keep_the_distance) {
    for (int percent = 2; percent <= 14; percent += few_or_many(12, 2))
        for (uint32_t turning = 300; turning <= 2400; turning *= 2) {
            const int rounds = enough_or_many(8, 30);
            const tally any = drive(percent, turning, false, rounds), headed = drive(percent, turning, true, rounds);
            cr_assert(any.paths > 3 * rounds && headed.curves > 0);
            if (percent == 2) cr_assert(10 * any.curves > 9 * any.paths, "%d of %d", any.curves, any.paths);
            if (turning == 300) cr_assert(any.curves == any.paths, "%d of %d", any.curves, any.paths);
        }
}

/* East along a wall, and round its end: the curve has to swing out. */
Test(vehicle, swings_out_before_a_corner) {
    const char *const rows[] = {"..........", "..........", "..........", "######....",
                                "..........", "..........", "..........", ".........."};
    OWNED_MAP *map = text_map(rows, 8);
    const wend_cell cells[] = {{1, 2, 0}, {2, 2, 0}, {3, 2, 0}, {4, 2, 0}, {5, 2, 0}, {6, 2, 0},
                               {6, 3, 0}, {6, 4, 0}, {5, 4, 0}, {4, 4, 0}, {3, 4, 0}};
    wend_turn turns[32];
    wend_point points[256];
    wend_round_def def;
    size_t count, n;
    double north = 8000, south = 0;
    wend_pull_def pull_def;
    wend_pull_def_init(&pull_def, sizeof pull_def);
    pull_def.radius_milli = RADIUS;
    cr_assert_eq(wend_path_pull(map, &pull_def, cells, 11, turns, 32, &count), WEND_OK);
    wend_round_def_init(&def, sizeof def);
    def.clearance_milli = RADIUS, def.turning_milli = 1200, def.heading_x = 1;
    cr_assert_eq(wend_path_round(map, &def, turns, count, points, 256, &n), WEND_OK);
    for (size_t i = 0; i < n; i++) north = fmin(north, points[i].y), south = fmax(south, points[i].y);
    cr_assert(excess_of_turning(points, n, 1200) < .06);
    cr_assert(south - north > 2 * 1200 - 10, "%f", south - north); /* the wall with its distance is 1,600 thick */
}

Test(vehicle, says_where_there_is_no_room) {
    const char *const rows[] = {"#######", "#.....#", "#####.#", "#####.#", "#######"};
    OWNED_MAP *map = text_map(rows, 5);
    const wend_turn turns[] = {{.cell = {1, 1, 0}}, {.cell = {5, 1, 0}, .index = 4}, {.cell = {5, 3, 0}, .index = 6}};
    wend_point points[64];
    wend_round_def def;
    size_t n;
    wend_round_def_init(&def, sizeof def);
    def.clearance_milli = 400, def.turning_milli = 400;
    cr_assert_eq(wend_path_round(map, &def, turns, 3, points, 64, &n), WEND_OK);
    def.turning_milli = 2000;
    cr_assert_eq(wend_path_round(map, &def, turns, 3, points, 64, &n), WEND_BLOCKED);
}

Test(vehicle, limits) {
    OWNED_MAP *map = open_map(200, 200);
    const wend_turn turns[] = {{.cell = {100, 100, 0}}, {.cell = {190, 100, 0}, .index = 90}};
    static wend_point points[ROOM];
    wend_round_def def;
    size_t n;
    wend_round_def_init(&def, sizeof def);
    def.turning_milli = WEND_MAX_TURNING;
    cr_assert_eq(wend_path_round(map, &def, turns, 2, points, ROOM, &n), WEND_OK);
    cr_assert_eq(n, 2);
    def.turning_milli++;
    cr_assert_eq(wend_path_round(map, &def, turns, 2, points, ROOM, &n), WEND_BAD_ARGUMENT);
    def.turning_milli = 1000, def.kind = WEND_ROUND_SPLINE;
    cr_assert_eq(wend_path_round(map, &def, turns, 2, points, ROOM, &n), WEND_BAD_ARGUMENT);
    def.kind = WEND_ROUND_ARC, def.heading_x = WEND_MAX_ROUND;
    cr_assert_eq(wend_path_round(map, &def, turns, 2, points, ROOM, &n), WEND_OK);
    def.heading_x++;
    cr_assert_eq(wend_path_round(map, &def, turns, 2, points, ROOM, &n), WEND_BAD_ARGUMENT);
    def.heading_x = 0, def.clearance_milli = WEND_MAX_CLEARANCE + 1;
    cr_assert_eq(wend_path_round(map, &def, turns, 2, points, ROOM, &n), WEND_BAD_ARGUMENT);
    def.clearance_milli = 0;
    const wend_turn off[] = {{.cell = {1, 1, 0}, .offset_x = 501}};
    cr_assert_eq(wend_path_round(map, &def, off, 1, points, ROOM, &n), WEND_BAD_ARGUMENT);
}

/* A line to and fro. */
Test(vehicle, limit_of_turns) {
    enum { MOST = 500 };
    OWNED_MAP *map = open_map(2 * MOST, 8);
    static wend_turn turns[MOST + 3];
    static wend_point points[ROOM];
    wend_round_def def;
    size_t n;
    for (int i = 0; i < MOST + 3; i++) turns[i] = (wend_turn){.cell = cell_of(i, 3 + i % 2), .index = (uint32_t)i};
    wend_round_def_init(&def, sizeof def);
    def.turning_milli = 100;
    cr_assert_eq(wend_path_round(map, &def, turns, MOST + 2, points, ROOM, &n), WEND_OK);
    cr_assert_eq(wend_path_round(map, &def, turns, MOST + 3, points, ROOM, &n), WEND_UNSUPPORTED);
}
