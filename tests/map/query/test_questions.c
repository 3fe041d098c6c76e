/* SPDX-License-Identifier: MIT */
/* The cheap questions: line of sight, nearest open cell, cost of a path. */
#include "map/map_support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <wend/ways.h>

static model noise(int32_t width, int32_t height, uint32_t closed_percent, uint64_t seed, const wend_map_rules *rules) {
    model m = model_create(width, height, rules);
    for (int32_t i = 0; i < width * height; i++)
        m.classes[i] = draw(&seed, 100) < closed_percent ? 0 : (uint8_t)(1 + draw(&seed, 3));
    return m;
}

/* With two classes a chunk has a bit for each cell, and lines are walked a row at a time. */
static void use_two_classes(model *m) {
    for (int32_t i = 0; i < m->width * m->height; i++) m->classes[i] = m->classes[i] != 0;
}

static wend_map_rules rules_of(int32_t neighbours, int32_t corners, int32_t straight, int32_t diagonal) {
    wend_map_rules rules = default_rules();
    rules.neighbours = neighbours, rules.corners = corners;
    rules.cost_straight = straight, rules.cost_diagonal = diagonal;
    return rules;
}

/* ---- line of sight ---- */

/* Twice the area that a point spans with the line; coordinates are doubled, so that corners of cells are whole. */
static int64_t side(wend_cell a, wend_cell b, int64_t x, int64_t y) {
    return ((int64_t)b.x - a.x) * (y - 2 * (int64_t)a.y) - ((int64_t)b.y - a.y) * (x - 2 * (int64_t)a.x);
}

static bool line_enters(wend_cell a, wend_cell b, int32_t x, int32_t y) {
    bool left = false, right = false;
    for (int i = 0; i < 4; i++) {
        int64_t s = side(a, b, 2 * x + (i & 1 ? 1 : -1), 2 * y + (i & 2 ? 1 : -1));
        left = left || s < 0;
        right = right || s > 0;
    }
    return left && right;
}

static bool corner_passes(const model *m, wend_cell a, wend_cell b, int32_t x, int32_t y) {
    /* the corner between (x, y) and (x + 1, y + 1) */
    if (side(a, b, 2 * x + 1, 2 * y + 1) != 0) return true;
    bool falling = (b.x > a.x) == (b.y > a.y); /* from (x, y) to (x + 1, y + 1), or the other diagonal */
    bool one = falling ? model_open(m, x + 1, y) : model_open(m, x, y);
    bool other = falling ? model_open(m, x, y + 1) : model_open(m, x + 1, y + 1);
    if (m->rules.neighbours == 4 || m->rules.corners == WEND_CORNERS_NEVER) return one && other;
    return m->rules.corners == WEND_CORNERS_ALWAYS || one || other;
}

/* By geometry: all cells of the box around the line that it enters, all corners in it that it meets. */
static bool model_sees(const model *m, wend_cell a, wend_cell b) {
    int32_t x0 = a.x < b.x ? a.x : b.x, x1 = a.x < b.x ? b.x : a.x;
    int32_t y0 = a.y < b.y ? a.y : b.y, y1 = a.y < b.y ? b.y : a.y;
    if (!model_open(m, a.x, a.y) || !model_open(m, b.x, b.y)) return false;
    for (int32_t y = y0; y <= y1; y++)
        for (int32_t x = x0; x <= x1; x++) {
            if (line_enters(a, b, x, y) && !model_open(m, x, y)) return false;
            if (x < x1 && y < y1 && !corner_passes(m, a, b, x, y)) return false;
        }
    return true;
}

static bool sees(const wend_map *map, wend_cell a, wend_cell b, wend_cell *last) {
    bool visible;
    cr_assert_eq(wend_map_line_of_sight(map, WEND_MOVER_DEFAULT, a, b, &visible, last), WEND_OK);
    return visible;
}

static wend_cell draw_cell(const model *m, uint64_t *seed) {
    return at((int32_t)draw(seed, (uint32_t)m->width), (int32_t)draw(seed, (uint32_t)m->height));
}

Test(map_sight, agrees_with_geometry_and_is_the_same_from_either_end) {
    size_t seen = 0, hidden = 0;
    for (uint64_t round = 0; round < 24; round++) {
        wend_map_rules rules = rules_of(round % 4 ? 8 : 4, (int32_t)(round % 3), 10, 14);
        OWNED(model_free) model m = noise(round % 2 ? 40 : 90, 70, round % 5 < 2 ? 3 : 12, round, &rules);
        if (round / 2 % 2) use_two_classes(&m);
        OWNED_MAP *map = map_of(&m);
        uint64_t seed = round;
        for (int i = 0; i < 4000; i++) {
            wend_cell a = draw_cell(&m, &seed), b = draw_cell(&m, &seed), last;
            if (i % 2) b = at(a.x + (int32_t)draw(&seed, 13) - 6, a.y + (int32_t)draw(&seed, 13) - 6);
            if (b.x < 0 || b.y < 0 || b.x >= m.width || b.y >= m.height) continue;
            bool expected = model_sees(&m, a, b);
            cr_assert_eq(sees(map, a, b, &last), expected, "(%d, %d) to (%d, %d)", a.x, a.y, b.x, b.y);
            cr_assert_eq(sees(map, b, a, NULL), expected);
            cr_assert_eq(expected, last.x == b.x && last.y == b.y && model_open(&m, a.x, a.y));
            if (last.x != a.x || last.y != a.y) cr_assert(line_enters(a, b, last.x, last.y));
            cr_assert(model_open(&m, last.x, last.y) || (last.x == a.x && last.y == a.y));
            seen += expected, hidden += !expected;
        }
    }
    cr_assert(seen > 5000 && hidden > 5000);
}

static void close_steps(wend_map *map, const model *m, uint64_t seed) {
    wend_edit *edit = begin_edit(map);
    for (int i = 0; i < 200; i++) {
        const wend_cell a = draw_cell(m, &seed);
        const int32_t way = (int32_t)draw(&seed, 9), dx = way % 3 - 1, dy = way / 3 - 1;
        const bool diagonal = dx != 0 && dy != 0 && m->rules.neighbours == 4;
        if (way == 4 || diagonal || a.x + dx < 0 || a.y + dy < 0 || a.x + dx >= m->width || a.y + dy >= m->height)
            continue;
        cr_assert_eq(wend_edit_set_step(edit, a, at(a.x + dx, a.y + dy), false), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

Test(map_sight, ends_at_the_same_closed_steps_by_rows_and_by_cells) {
    size_t hidden = 0;
    for (uint64_t round = 0; round < 12; round++) {
        wend_map_rules rules = rules_of(round % 4 ? 8 : 4, (int32_t)(round % 3), 10, 14);
        OWNED(model_free) model m = noise(100, 90, 3, round, &rules);
        OWNED_MAP *cells = map_of(&m);
        use_two_classes(&m);
        OWNED_MAP *rows = map_of(&m);
        uint64_t seed = round;
        close_steps(cells, &m, round);
        close_steps(rows, &m, round);
        for (int i = 0; i < 4000; i++) {
            const wend_cell a = draw_cell(&m, &seed), b = draw_cell(&m, &seed);
            wend_cell by_cells, by_rows;
            hidden += !sees(cells, a, b, &by_cells);
            cr_assert_eq(sees(rows, a, b, &by_rows),
                         by_cells.x == b.x && by_cells.y == b.y && model_open(&m, a.x, a.y));
            cr_assert(by_cells.x == by_rows.x && by_cells.y == by_rows.y, "(%d, %d) to (%d, %d)", a.x, a.y, b.x, b.y);
        }
    }
    cr_assert(hidden > 5000);
}

Test(map_sight, stops_before_a_wall) {
    const char *const rows[] = {"..........", "...#......", ".........."};
    OWNED(model_free) model m = model_of_text(rows, 3, NULL);
    OWNED_MAP *map = map_of(&m);
    wend_cell last;
    cr_assert(!sees(map, at(0, 1), at(9, 1), &last));
    cr_assert(last.x == 2 && last.y == 1);
    cr_assert(!sees(map, at(9, 1), at(0, 1), &last));
    cr_assert(last.x == 4 && last.y == 1);
    cr_assert(sees(map, at(0, 0), at(9, 0), &last));
    cr_assert(last.x == 9 && last.y == 0);
}

Test(map_sight, needs_both_ends_open) {
    const char *const rows[] = {"#..", "...", "..#"};
    OWNED(model_free) model m = model_of_text(rows, 3, NULL);
    OWNED_MAP *map = map_of(&m);
    wend_cell last;
    cr_assert(!sees(map, at(0, 0), at(0, 0), &last));
    cr_assert(!sees(map, at(0, 0), at(0, 2), &last));
    cr_assert(last.x == 0 && last.y == 0 && last.z == 0);
    cr_assert(!sees(map, at(2, 0), at(2, 2), &last));
    cr_assert(last.x == 2 && last.y == 1);
    cr_assert(sees(map, at(1, 1), at(1, 1), &last));
}

Test(map_sight, asks_the_corner_rule_at_exact_corners) {
    const char *const rows[] = {".#", ".."}, *const both[] = {".#", "#."};
    for (int32_t corners = 0; corners <= 2; corners++)
        for (int32_t neighbours = 4; neighbours <= 8; neighbours += 4) {
            wend_map_rules rules = rules_of(neighbours, corners, 10, 14);
            OWNED(model_free) model m = model_of_text(rows, 2, &rules), n = model_of_text(both, 2, &rules);
            OWNED_MAP *one_side = map_of(&m), *no_side = map_of(&n);
            cr_assert_eq(sees(one_side, at(0, 0), at(1, 1), NULL), neighbours == 8 && corners != WEND_CORNERS_NEVER);
            cr_assert_eq(sees(no_side, at(0, 0), at(1, 1), NULL), neighbours == 8 && corners == WEND_CORNERS_ALWAYS);
        }
}

Test(map_sight, reaches_across_the_largest_map) {
    OWNED_MAP *map = map_of_size(WEND_MAX_SIDE, WEND_MAX_SIDE);
    const int32_t end = WEND_MAX_SIDE - 1;
    cr_assert(sees(map, at(0, 0), at(end, end), NULL));
    cr_assert(sees(map, at(end, 0), at(0, end - 1), NULL));
    cr_assert(sees(map, at(end, end), at(0, end), NULL));
}

Test(map_sight, refuses_cells_off_the_map) {
    OWNED_MAP *map = map_of_size(70, 66);
    const wend_cell bad[] = {{-1, 0, 0}, {0, -1, 0}, {70, 0, 0}, {0, 66, 0}, {0, 0, 1}, {INT32_MAX, INT32_MIN, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        bool visible = true;
        wend_cell last = {7, 7, 7};
        cr_assert_eq(wend_map_line_of_sight(map, WEND_MOVER_DEFAULT, bad[i], at(0, 0), &visible, &last),
                     WEND_OUT_OF_RANGE);
        cr_assert_eq(wend_map_line_of_sight(map, WEND_MOVER_DEFAULT, at(0, 0), bad[i], &visible, &last),
                     WEND_OUT_OF_RANGE);
        cr_assert(visible && last.x == 7);
    }
}

/* ---- nearest open cell ---- */

static int64_t empty_cost(const wend_map_rules *rules, int64_t dx, int64_t dy) {
    dx = llabs(dx), dy = llabs(dy);
    if (rules->neighbours == 4) return (dx + dy) * rules->cost_straight;
    int64_t diagonals = dx < dy ? dx : dy;
    return diagonals * rules->cost_diagonal + (dx + dy - 2 * diagonals) * rules->cost_straight;
}

static bool model_nearest(const model *m, wend_cell from, int32_t reach, wend_cell *out) {
    int64_t best = INT64_MAX;
    for (int32_t y = 0; y < m->height; y++) /* in the order of ties: only a cheaper one displaces the best */
        for (int32_t x = 0; x < m->width; x++) {
            if (!model_open(m, x, y) || abs(x - from.x) > reach || abs(y - from.y) > reach) continue;
            int64_t cost = empty_cost(&m->rules, x - from.x, y - from.y);
            if (cost < best) *out = at(x, y), best = cost;
        }
    return best != INT64_MAX;
}

static int32_t larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

Test(map_nearest, agrees_with_looking_at_every_cell) {
    static const int32_t costs[][2] = {{10, 14}, {1, 1}, {1, 2}, {1000, 1414}, {3, 4}};
    size_t hits = 0, misses = 0, past_ring = 0;
    for (uint64_t round = 0; round < 60; round++) {
        const int32_t *cost = costs[round % 5];
        wend_map_rules rules = rules_of(round % 3 ? 8 : 4, 0, cost[0], cost[1]);
        OWNED(model_free) model m = noise(round % 2 ? 30 : 80, round % 7 ? 70 : 9, 99, round, &rules);
        for (int32_t i = 0; i < m.width * m.height; i += 2) m.classes[i] = 0; /* about one in 200 is open */
        OWNED_MAP *map = map_of(&m);
        uint64_t seed = round;
        for (int i = 0; i < 200; i++) {
            wend_cell from = draw_cell(&m, &seed), expected, out = {-5, -5, -5};
            const int32_t reach = i % 3 ? (int32_t)draw(&seed, 30) : WEND_MAX_NEAREST;
            bool found;
            bool some = model_nearest(&m, from, reach, &expected);
            cr_assert_eq(wend_map_nearest_open(map, WEND_MOVER_DEFAULT, from, reach, &found, &out), WEND_OK);
            cr_assert_eq(found, some);
            if (some)
                cr_assert(out.x == expected.x && out.y == expected.y && out.z == 0, "(%d, %d): (%d, %d) for (%d, %d)",
                          from.x, from.y, out.x, out.y, expected.x, expected.y);
            else
                cr_assert(out.x == -5 && out.y == -5 && out.z == -5);
            hits += some, misses += !some;
            /* did a farther ring hold a cheaper cell than a nearer one? */
            wend_cell nearer;
            int32_t ring = some ? larger(abs(expected.x - from.x), abs(expected.y - from.y)) : 0;
            past_ring += ring > 0 && model_nearest(&m, from, ring - 1, &nearer);
        }
    }
    cr_assert(hits > 3000 && misses > 500 && past_ring > 50, "%zu hits, %zu misses, %zu past", hits, misses, past_ring);
}

Test(map_nearest, answers_an_open_cell_with_itself) {
    OWNED_MAP *map = map_of_size(9, 9);
    bool found;
    wend_cell out;
    cr_assert_eq(wend_map_nearest_open(map, WEND_MOVER_DEFAULT, at(8, 3), 0, &found, &out), WEND_OK);
    cr_assert(found == 1 && out.x == 8 && out.y == 3 && out.z == 0);
}

Test(map_nearest, takes_the_higher_then_the_left_one_of_equals) {
    const char *const rows[] = {"#####", "##.##", "#.#.#", "##.##", "#####"}, *const sides[] = {"###", ".#.", "#.#"};
    OWNED(model_free) model m = model_of_text(rows, 5, NULL), n = model_of_text(sides, 3, NULL);
    OWNED_MAP *map = map_of(&m), *other = map_of(&n);
    bool found;
    wend_cell out;
    cr_assert_eq(wend_map_nearest_open(map, WEND_MOVER_DEFAULT, at(2, 2), 5, &found, &out), WEND_OK);
    cr_assert(found == 1 && out.x == 2 && out.y == 1);
    cr_assert_eq(wend_map_nearest_open(other, WEND_MOVER_DEFAULT, at(1, 1), 5, &found, &out), WEND_OK);
    cr_assert(found == 1 && out.x == 0 && out.y == 1);
}

Test(map_nearest, looks_as_far_as_it_may_and_no_further) {
    OWNED_MAP *map = map_of_size(3000, 3);
    bool found = true;
    wend_cell out;
    IN_BATCH(map, wend_edit_fill_box(edit, box_of(0, 0, 2999, 2), 0), wend_edit_set_cell(edit, at(1500, 1), 1));
    const int32_t far = WEND_MAX_NEAREST;
    cr_assert_eq(wend_map_nearest_open(map, WEND_MOVER_DEFAULT, at(1500 - far, 1), far, &found, &out), WEND_OK);
    cr_assert(found == 1 && out.x == 1500);
    cr_assert_eq(wend_map_nearest_open(map, WEND_MOVER_DEFAULT, at(1500 - far - 1, 1), far, &found, &out), WEND_OK);
    cr_assert_eq(found, 0);
    cr_assert_eq(wend_map_nearest_open(map, WEND_MOVER_DEFAULT, at(1493, 1), 6, &found, &out), WEND_OK);
    cr_assert_eq(found, 0);
    cr_assert_eq(wend_map_nearest_open(map, WEND_MOVER_DEFAULT, at(1493, 1), 7, &found, &out), WEND_OK);
    cr_assert_eq(found, 1);
    found = true;
    cr_assert_eq(wend_map_nearest_open(map, WEND_MOVER_DEFAULT, at(1, 1), far + 1, &found, &out), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_nearest_open(map, WEND_MOVER_DEFAULT, at(1, 1), -1, &found, &out), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_nearest_open(map, WEND_MOVER_DEFAULT, at(3000, 1), 5, &found, &out), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_map_nearest_open(map, WEND_MOVER_DEFAULT, at(1, -1), 5, &found, &out), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_map_nearest_open(map, WEND_MOVER_DEFAULT, (wend_cell){1, 1, 1}, 5, &found, &out),
                 WEND_OUT_OF_RANGE);
    cr_assert_eq(found, true);
}

/* ---- cost of a path ---- */

static void check_path(const wend_map *map, const wend_cell *cells, size_t count, size_t walkable, uint64_t cost) {
    size_t walked = 99;
    uint64_t sum = 99;
    cr_assert_eq(wend_map_path_cost(map, WEND_MOVER_DEFAULT, cells, count, &walked, &sum), WEND_OK);
    cr_assert(walked == walkable && sum == cost, "%zu cells for %zu, cost %lu for %lu", walked, walkable,
              (unsigned long)sum, (unsigned long)cost);
}

/* S9 */
Test(map_path_cost, multiplies_each_step_by_what_it_enters) {
    const char *const rows[] = {"512", "1.3"};
    OWNED(model_free) model m = model_of_text(rows, 2, NULL);
    OWNED_MAP *map = map_of(&m);
    const wend_cell cells[] = {{0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {2, 0, 0}, {1, 0, 0}};
    check_path(map, cells, 1, 1, 0); /* the start is free */
    check_path(map, cells, 2, 2, 10);
    check_path(map, cells, 3, 3, 10 + 3 * 14);
    check_path(map, cells, 4, 4, 10 + 3 * 14 + 2 * 10);
    check_path(map, cells, 5, 5, 10 + 3 * 14 + 2 * 10 + 10);
    uint64_t cost;
    cr_assert_eq(wend_map_path_cost(map, WEND_MOVER_DEFAULT, cells, 5, NULL, &cost), WEND_OK);
    cr_assert_eq(cost, 82u);
}

Test(map_path_cost, stops_at_the_first_step_that_is_none) {
    const char *const rows[] = {"....", "..#.", "...."};
    OWNED(model_free) model m = model_of_text(rows, 3, NULL);
    OWNED_MAP *map = map_of(&m);
    const wend_cell jump[] = {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}};
    const wend_cell knight[] = {{0, 0, 0}, {1, 2, 0}};
    const wend_cell same[] = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}};
    const wend_cell into_wall[] = {{1, 1, 0}, {2, 1, 0}, {3, 1, 0}};
    const wend_cell from_wall[] = {{2, 1, 0}, {3, 1, 0}};
    const wend_cell cut[] = {{1, 0, 0}, {1, 1, 0}, {2, 2, 0}};
    const wend_cell around[] = {{1, 1, 0}, {1, 2, 0}, {2, 2, 0}};
    check_path(map, jump, 3, 2, 10);
    check_path(map, knight, 2, 1, 0);
    check_path(map, same, 3, 1, 0);
    check_path(map, into_wall, 3, 1, 0);
    check_path(map, from_wall, 2, 0, 0);
    check_path(map, cut, 3, 2, 10);
    check_path(map, around, 3, 3, 20);
}

Test(map_path_cost, knows_neighbours_and_corners) {
    const char *const rows[] = {"..", "#."};
    const wend_cell diagonal[] = {{0, 0, 0}, {1, 1, 0}}, straight[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
    for (int32_t corners = 0; corners <= 2; corners++)
        for (int32_t neighbours = 4; neighbours <= 8; neighbours += 4) {
            wend_map_rules rules = rules_of(neighbours, corners, 70, 99);
            OWNED(model_free) model m = model_of_text(rows, 2, &rules);
            OWNED_MAP *map = map_of(&m);
            bool allowed = neighbours == 8 && corners != WEND_CORNERS_NEVER;
            check_path(map, diagonal, 2, allowed ? 2 : 1, allowed ? 99 : 0);
            check_path(map, straight, 3, 3, 140);
        }
}

Test(map_path_cost, agrees_with_the_model_on_random_walks) {
    for (uint64_t round = 0; round < 30; round++) {
        wend_map_rules rules = rules_of(round % 4 ? 8 : 4, (int32_t)(round % 3), 999999, 1000000);
        OWNED(model_free) model m = noise(130, 70, 15, round, &rules);
        for (int32_t i = 0; i < 130 * 70; i++)
            m.rules.factors[m.classes[i]] = (uint8_t)(m.classes[i] ? 252 + m.classes[i] : 0);
        OWNED_MAP *map = map_of(&m);
        uint64_t seed = round;
        for (int i = 0; i < 300; i++) {
            wend_cell cells[40] = {draw_cell(&m, &seed)};
            size_t walkable = model_open(&m, cells[0].x, cells[0].y);
            uint64_t cost = 0;
            bool walking = walkable;
            for (size_t n = 1; n < 40; n++) {
                int32_t dx = (int32_t)draw(&seed, 3) - 1, dy = (int32_t)draw(&seed, 3) - 1;
                cells[n] = at(cells[n - 1].x + dx, cells[n - 1].y + dy);
                if (cells[n].x < 0 || cells[n].x >= 130 || cells[n].y < 0 || cells[n].y >= 70) cells[n] = cells[n - 1];
                dx = cells[n].x - cells[n - 1].x, dy = cells[n].y - cells[n - 1].y;
                walking = walking && model_step(&m, cells[n - 1].x, cells[n - 1].y, dx, dy);
                if (!walking) continue;
                walkable++;
                cost +=
                    (uint64_t)(dx && dy ? 1000000 : 999999) * m.rules.factors[m.classes[cells[n].y * 130 + cells[n].x]];
            }
            check_path(map, cells, 40, walkable, cost);
        }
    }
}

Test(map_path_cost, refuses_no_cells_and_cells_off_the_map) {
    OWNED_MAP *map = map_of_size(70, 66);
    const wend_cell bad[] = {{-1, 0, 0}, {0, -1, 0}, {70, 0, 0}, {0, 66, 0}, {0, 0, 1}};
    size_t walkable = 7;
    uint64_t cost = 7;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const wend_cell cells[3] = {{5, 5, 0}, {9, 9, 0}, bad[i]}; /* also behind an illegal step */
        cr_assert_eq(wend_map_path_cost(map, WEND_MOVER_DEFAULT, cells, 3, &walkable, &cost), WEND_OUT_OF_RANGE);
        cr_assert_eq(wend_map_path_cost(map, WEND_MOVER_DEFAULT, &bad[i], 1, &walkable, &cost), WEND_OUT_OF_RANGE);
    }
    cr_assert_eq(wend_map_path_cost(map, WEND_MOVER_DEFAULT, bad, 0, &walkable, &cost), WEND_BAD_ARGUMENT);
    cr_assert(walkable == 7 && cost == 7);
}
