/* SPDX-License-Identifier: MIT */
/* Corners near pieces and triangles, next to a search of the whole map corner by corner. */
#include "map/version/version.h"
#include "models/both.h"
#include "motion/clear/corners.h"
#include "motion/motion_support.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/units.h>

/* Wider than two chunks, so that words are cut at every place. */
enum { WIDTH = 150, HEIGHT = 140, MARGIN = 3 };

static wend_map *random_map(oracle_random *random, int percent, int walls, int units) {
    wend_map *map = open_map(WIDTH, HEIGHT);
    static uint8_t open[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; i++) open[i] = oracle_below(random, 100) >= percent;
    IN_BATCH(
        map,
        cr_assert_eq(wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {WIDTH - 1, HEIGHT - 1, 0}}, open, WIDTH), WEND_OK);
        for (int i = 0; i < walls; i++) {
            const int x = oracle_below(random, WIDTH - 1), y = oracle_below(random, HEIGHT - 1);
            const int dx = oracle_below(random, 2);
            const wend_cell to = cell_of(x + dx, y + !dx);
            cr_assert_eq(wend_edit_set_step(edit, cell_of(x, y), to, false), WEND_OK);
        });
    for (int i = 0; i < units; i++) {
        const int x = oracle_below(random, WIDTH), y = oracle_below(random, HEIGHT);
        cr_assert_eq(wend_map_occupy(map, cell_of(x, y)), WEND_OK);
    }
    return map;
}

static wend__milli_point random_point(oracle_random *random) {
    const int32_t x = oracle_below(random, WIDTH * 1000) - 500;
    return (wend__milli_point){x, oracle_below(random, HEIGHT * 1000) - 500};
}

/* Points along one row or column come often. */
static wend__milli_point point_near(oracle_random *random, wend__milli_point from) {
    const int kind = oracle_below(random, 6);
    wend__milli_point p = random_point(random);
    if (kind == 0) p.x = from.x;
    if (kind == 1) p.y = from.y;
    if (kind == 2) p = (wend__milli_point){from.x + oracle_below(random, 3000), from.y + oracle_below(random, 3000)};
    return p;
}

static int bits_in(uint32_t set) {
    int count = 0;
    for (; set; set &= set - 1) count++;
    return count;
}

/* A line bends at a blocked cell, or at two that only touch, and at every wall. */
static bool bends_there(uint32_t around) {
    const uint32_t cells = around & WEND__CORNER_CELLS;
    const bool falling = cells == (WEND__CORNER_NW | WEND__CORNER_SE),
               rising = cells == (WEND__CORNER_NE | WEND__CORNER_SW);
    return around > WEND__CORNER_CELLS || bits_in(cells) == 1 || falling || rising;
}

static double distance_along(double a, double b, double at) {
    const double low = a < b ? a : b, high = a < b ? b : a;
    return at < low ? low - at : at > high ? at - high : 0;
}

/* Whether a point of the piece is no farther than `reach` along x and along y, by samples. */
static bool is_near(wend__milli_point a, wend__milli_point b, wend__milli_point corner, double reach) {
    enum { SAMPLES = 400 };
    if (distance_along(a.x, b.x, corner.x) > reach || distance_along(a.y, b.y, corner.y) > reach) return false;
    for (int i = 0; i <= SAMPLES; i++) {
        const double x = a.x + ((double)b.x - a.x) * i / SAMPLES, y = a.y + ((double)b.y - a.y) * i / SAMPLES;
        if (distance_along(x, x, corner.x) <= reach && distance_along(y, y, corner.y) <= reach) return true;
    }
    return false;
}

typedef struct met {
    bool there[HEIGHT + 2 * MARGIN][WIDTH + 2 * MARGIN];
    int count;
} met;

static void meet_all(wend__corners *c, bool bends, met *out) {
    memset(out, 0, sizeof *out);
    while (wend__corners_next(c)) {
        const uint32_t around = wend__corners_around(c);
        cr_assert_eq(around, wend__corner_at(c->ground, c->x, c->y));
        cr_assert(bends ? bends_there(around) : around != 0);
        if (c->x < -MARGIN || c->y < -MARGIN || c->x >= WIDTH + MARGIN || c->y >= HEIGHT + MARGIN) continue;
        bool *there = &out->there[c->y + MARGIN][c->x + MARGIN];
        cr_assert(!*there, "twice: %d %d", c->x, c->y);
        *there = true, out->count++;
    }
}

/* All corners near one of the pieces are met. @return how many these are */
static int check_met(const wend__obstacles *ground, const met *m, const wend__milli_point *line, int count, bool bends,
                     double reach) {
    int near = 0;
    for (int32_t y = -1; y < HEIGHT; y++)
        for (int32_t x = -1; x < WIDTH; x++) {
            const uint32_t around = wend__corner_at(ground, x, y);
            bool wanted = false;
            for (int i = 0; i + 1 < count && !wanted; i++)
                wanted = is_near(line[i], line[i + 1], wend__corner_spot(x, y), reach);
            if (!wanted || !(bends ? bends_there(around) : around != 0)) continue;
            cr_assert(m->there[y + MARGIN][x + MARGIN], "%d %d is left out", x, y);
            near++;
        }
    return near;
}

static int check_lines(const wend__obstacles *ground, oracle_random *random) {
    static met m;
    const int32_t reach = 1 + oracle_below(random, 1500);
    const wend__milli_point a = random_point(random);
    const wend__milli_point b = point_near(random, a);
    const wend__milli_point c = point_near(random, b);
    const wend__milli_point line[] = {a, b, c, a};
    wend__corners near = wend__corners_near_piece(ground, a, b, reach);
    meet_all(&near, false, &m);
    int found = check_met(ground, &m, line, 2, false, reach);
    cr_assert(m.count <= 8 * found + 40 * (WIDTH + HEIGHT), "%d, near: %d", m.count, found);
    near = wend__corners_from(ground, a, b, reach);
    meet_all(&near, false, &m);
    check_met(ground, &m, line, 2, false, reach);
    if (wend__cross(a, b, c) == 0) return found;
    near = wend__corners_near_triangle(ground, a, b, c, reach);
    meet_all(&near, true, &m);
    return found + check_met(ground, &m, line, 4, true, reach);
}

Test(corners, none_near_a_line_is_left_out) {
    oracle_random random = {21};
    int found = 0;
    for (int round = 0; round < 8; round++) {
        OWNED_MAP *map = random_map(&random, 5 + 10 * (round % 4), round % 2 ? 60 : 0, round % 3 == 2 ? 300 : 0);
        wend__version *v = wend__map_newest(map);
        const wend__obstacles ground = wend__ground_of(map, v, WEND_MOVER_DEFAULT, round % 3 == 2, cell_of(0, 0));
        for (int i = 0; i < 12; i++) found += check_lines(&ground, &random);
        wend__map_release(v, false);
    }
    cr_assert(found > 1000, "%d", found);
}
