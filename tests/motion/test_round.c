/* SPDX-License-Identifier: MIT */
/* Rounding pulled lines: arcs, splines, parts that stay straight, sight between points, and waypoints. */
#include "motion/motion_support.h"

#include <criterion/criterion.h>
#include <math.h>
#include <wend/geometry.h>
#include <wend/query.h>

enum { ROOM = 4096, SIDE = 48 };

static bool sees(const wend_map *map, wend_point a, wend_point b) {
    bool visible;
    cr_assert_eq(wend_point_line_of_sight(map, WEND_MOVER_DEFAULT, a, b, &visible), WEND_OK);
    return visible;
}

static size_t round_turns(const wend_map *map, int32_t kind, uint32_t radius, const wend_turn *turns, size_t count,
                          wend_point *points) {
    wend_round_def def;
    size_t point_count;
    wend_round_def_init(&def, sizeof def);
    def.kind = kind, def.radius_milli = radius;
    cr_assert_eq(wend_path_round(map, &def, turns, count, points, ROOM, &point_count), WEND_OK);
    cr_assert(point_count <= ROOM);
    return point_count;
}

static wend_point centre(wend_cell c) {
    return (wend_point){1000 * c.x, 1000 * c.y, 1000 * c.z};
}

static bool equal(wend_point a, wend_point b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static const wend_turn bend[] = {
    {.cell = {1, 1, 0}}, {.cell = {11, 1, 0}, .index = 10}, {.cell = {11, 11, 0}, .index = 20}};

Test(round, makes_an_arc_of_the_radius) {
    OWNED_MAP *map = open_map(16, 16);
    wend_point points[ROOM];
    size_t count = round_turns(map, WEND_ROUND_ARC, 3000, bend, 3, points);
    cr_assert(count > 10);
    cr_assert(equal(points[0], centre(bend[0].cell)) && equal(points[count - 1], centre(bend[2].cell)));
    cr_assert(points[1].x == 8000 && points[1].y == 1000);
    for (size_t i = 1; i + 1 < count; i++)
        cr_assert(fabs(hypot(points[i].x - 8000, points[i].y - 4000) - 3000) < 1.5, "%d,%d", (int)points[i].x,
                  (int)points[i].y);
}

Test(round, leads_a_spline_through_all_turns) {
    OWNED_MAP *map = open_map(16, 16);
    wend_point points[ROOM];
    size_t count = round_turns(map, WEND_ROUND_SPLINE, 0, bend, 3, points), through = 0, off = 0;
    for (size_t i = 0; i < count; i++) {
        through += equal(points[i], centre(bend[1].cell));
        off += points[i].y < 1000 || points[i].x > 11000;
    }
    cr_assert_eq(through, 1);
    cr_assert(off > 3, "a spline swings out around its turns");
}

Test(round, stays_straight_where_a_curve_would_clip_a_wall) {
    const char *const rows[] = {"############", "#..........#", "##########.#", "##########.#", "############"};
    OWNED_MAP *map = text_map(rows, 5);
    const wend_turn turns[] = {
        {.cell = {1, 1, 0}}, {.cell = {10, 1, 0}, .index = 9}, {.cell = {10, 3, 0}, .index = 11}};
    wend_point points[ROOM];
    size_t count = round_turns(map, WEND_ROUND_SPLINE, 0, turns, 3, points);
    for (size_t i = 1; i < count; i++) cr_assert(sees(map, points[i - 1], points[i]));
    count = round_turns(map, WEND_ROUND_ARC, 2000, turns, 3, points);
    for (size_t i = 1; i < count; i++) cr_assert(sees(map, points[i - 1], points[i]));
    cr_assert(count > 3, "a smaller arc fits");
}

Test(round, keeps_links_as_they_are) {
    OWNED_MAP *map = open_map(30, 8);
    IN_BATCH(map, cr_assert_eq(wend_edit_add_link(edit, &(wend_link){cell_of(5, 5), cell_of(20, 2), 10, 0}), WEND_OK));
    const wend_turn turns[] = {{.cell = {1, 1, 0}},
                               {.cell = {5, 5, 0}, .index = 4},
                               {.cell = {20, 2, 0}, .index = 5},
                               {.cell = {26, 2, 0}, .index = 11}};
    for (int32_t kind = WEND_ROUND_ARC; kind <= WEND_ROUND_SPLINE; kind++) {
        wend_point points[ROOM];
        size_t count = round_turns(map, kind, 2000, turns, 4, points), jumps = 0;
        for (size_t i = 1; i < count; i++)
            jumps += equal(points[i - 1], centre(cell_of(5, 5))) && equal(points[i], centre(cell_of(20, 2)));
        cr_assert_eq(jumps, 1);
    }
}

/* ---- sight between points ---- */

/* Returns whether the line enters the inside of a cell. Corners of cells lie at odd multiples of 500. */
static bool enters(wend_point a, wend_point b, int32_t x, int32_t y) {
    int64_t low_x = 1000 * x - 500, low_y = 1000 * y - 500, high_x = low_x + 1000, high_y = low_y + 1000;
    if ((a.x <= low_x && b.x <= low_x) || (a.x >= high_x && b.x >= high_x)) return false;
    if ((a.y <= low_y && b.y <= low_y) || (a.y >= high_y && b.y >= high_y)) return false;
    bool left = false, right = false;
    for (int i = 0; i < 4; i++) {
        int64_t px = i & 1 ? high_x : low_x, py = i & 2 ? high_y : low_y;
        int64_t side = ((int64_t)b.x - a.x) * (py - a.y) - ((int64_t)b.y - a.y) * (px - a.x);
        left = left || side < 0;
        right = right || side > 0;
    }
    return left && right;
}

static bool clear_by_geometry(const uint8_t *open, wend_point a, wend_point b) {
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++)
            if (!open[y * SIDE + x] && enters(a, b, x, y)) return false;
    return true;
}

static wend_map *random_map(uint8_t *open, oracle_random *random, int blocked) {
    for (int i = 0; i < SIDE * SIDE; i++) open[i] = oracle_below(random, 100) >= blocked;
    wend_map *map = open_map(SIDE, SIDE);
    IN_BATCH(map, cr_assert_eq(wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {SIDE - 1, SIDE - 1, 0}}, open, SIDE),
                               WEND_OK));
    return map;
}

/* Two calls as arguments of one would come in any order. */
static wend_cell random_cell(oracle_random *random) {
    const int x = oracle_below(random, SIDE), y = oracle_below(random, SIDE);
    return cell_of(x, y);
}

static wend_point random_point(oracle_random *random, wend_point near, int32_t within) {
    int32_t most = 1000 * (SIDE - 1);
    int32_t x = near.x - within + oracle_below(random, 2 * within + 1);
    int32_t y = near.y - within + oracle_below(random, 2 * within + 1);
    return (wend_point){x < 0 ? 0 : x > most ? most : x, y < 0 ? 0 : y > most ? most : y, 0};
}

Test(round, sight_between_points_agrees_with_geometry) {
    oracle_random random = {9};
    size_t seen = 0, hidden = 0;
    for (int round = 0; round < 8; round++) {
        uint8_t open[SIDE * SIDE];
        OWNED_MAP *map = random_map(open, &random, 10);
        for (int i = 0; i < 3000; i++) {
            wend_point a = random_point(&random, (wend_point){24000, 24000, 0}, 24000);
            wend_point b = random_point(&random, a, 9000);
            bool clear = clear_by_geometry(open, a, b),
                 open_start = open[(a.y + 500) / 1000 * SIDE + (a.x + 500) / 1000];
            bool border = (a.x + 500) % 1000 == 0 || (a.y + 500) % 1000 == 0 || (b.x + 500) % 1000 == 0 ||
                          (b.y + 500) % 1000 == 0; /* the library is stricter at borders */
            if (border || !open_start) continue;
            cr_assert_eq(sees(map, a, b), clear);
            cr_assert_eq(sees(map, b, a), clear);
            seen += clear, hidden += !clear;
        }
        for (int i = 0; i < 3000; i++) {
            wend_cell a = random_cell(&random);
            wend_cell b = random_cell(&random);
            bool visible;
            cr_assert_eq(wend_map_line_of_sight(map, 0, a, b, &visible, NULL), WEND_OK);
            cr_assert_eq(sees(map, centre(a), centre(b)), visible);
        }
    }
    cr_assert(seen > 1000 && hidden > 1000);
}

/* The bytes of all points, which must not depend on the compiler or its options. */
static uint64_t hash_point(uint64_t hash, wend_point p) {
    const int32_t words[3] = {p.x, p.y, p.z};
    for (int i = 0; i < 3; i++) hash = (hash ^ (uint32_t)words[i]) * UINT64_C(0x100000001b3);
    return hash;
}

Test(round, no_chord_passes_a_wall_and_the_bytes_are_the_same_everywhere) {
    oracle_random random = {31};
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    size_t curved = 0;
    for (int round = 0; round < 150; round++) {
        uint8_t open[SIDE * SIDE];
        OWNED_MAP *map = random_map(open, &random, 4 + round % 30);
        wend_cell cells[SIDE * SIDE], a = random_cell(&random);
        wend_cell b = random_cell(&random);
        static wend_turn turns[SIDE * SIDE];
        static wend_point points[ROOM];
        size_t count, turn_count;
        cr_assert_eq(wend_find_path(map, a, b, cells, SIDE * SIDE, &count, NULL), WEND_OK);
        if (count > 0) {
            cr_assert_eq(wend_path_pull(map, NULL, cells, count, turns, SIDE * SIDE, &turn_count), WEND_OK);
            for (int32_t kind = 0; kind < 4; kind++) {
                size_t n = round_turns(map, kind % 2, kind < 2 ? 1000 : 4000, turns, turn_count, points);
                for (size_t i = 1; i < n; i++)
                    cr_assert(sees(map, points[i - 1], points[i]) && clear_by_geometry(open, points[i - 1], points[i]));
                for (size_t i = 0; i < n; i++) hash = hash_point(hash, points[i]);
                curved += n > turn_count + 2;
            }
        }
    }
    cr_assert(curved > 100, "%zu", curved);
    cr_assert_eq(hash, UINT64_C(0x42b6838a84c610a2), "%016llx", (unsigned long long)hash);
}

Test(round, waypoints_take_over_when_one_is_near) {
    const char *const rows[] = {".....", ".###.", "....."};
    OWNED_MAP *map = text_map(rows, 3);
    const wend_point points[] = {{0, 0, 0}, {4000, 0, 0}, {4000, 2000, 0}};
    size_t index = 0;
    cr_assert_eq(wend_waypoint_next(map, 0, points, 3, (wend_point){0, 0, 0}, 500, &index), WEND_OK);
    cr_assert_eq(index, 1);
    cr_assert_eq(wend_waypoint_next(map, 0, points, 3, (wend_point){3000, 0, 0}, 999, &index), WEND_OK);
    cr_assert_eq(index, 1);
    cr_assert_eq(wend_waypoint_next(map, 0, points, 3, (wend_point){3000, 0, 0}, 1000, &index), WEND_OK);
    cr_assert_eq(index, 1, "the wall hides the last point from there");
    cr_assert_eq(wend_waypoint_next(map, 0, points, 3, (wend_point){3800, 0, 0}, 1000, &index), WEND_OK);
    cr_assert_eq(index, 2);
    index = 3;
    cr_assert_eq(wend_waypoint_next(map, 0, points, 3, points[0], 1000, &index), WEND_BAD_ARGUMENT);
    const wend_point far[] = {{INT32_MAX, INT32_MAX, INT32_MAX}, {0, 0, 0}};
    const wend_point here = {INT32_MIN, INT32_MIN, INT32_MIN};
    index = 0; /* squares of such distances do not fit together in 64 bits */
    cr_assert_eq(wend_waypoint_next(map, 0, far, 2, here, UINT32_MAX, &index), WEND_OK);
    cr_assert_eq(index, 0);
}

Test(round, refuses_what_cannot_be) {
    OWNED_MAP *map = open_map(16, 16);
    wend_point points[8];
    size_t count;
    wend_round_def def;
    wend_round_def_init(&def, sizeof def);
    cr_assert_eq(wend_path_round(map, &def, bend, 0, points, 8, &count), WEND_BAD_ARGUMENT);
    def.kind = 2;
    cr_assert_eq(wend_path_round(map, &def, bend, 3, points, 8, &count), WEND_BAD_ARGUMENT);
    def.kind = 0, def.spacing_milli = 0;
    cr_assert_eq(wend_path_round(map, &def, bend, 3, points, 8, &count), WEND_BAD_ARGUMENT);
    def.spacing_milli = 250, def.mover = 7;
    cr_assert_eq(wend_path_round(map, &def, bend, 3, points, 8, &count), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_path_round(map, NULL, bend, 3, NULL, 0, &count), WEND_OK);
    cr_assert(count > 3);
}
