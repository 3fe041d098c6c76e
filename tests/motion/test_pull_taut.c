/* SPDX-License-Identifier: MIT */
/* Pulled lines have no needless turns: no line leads from the turn before one to the turn after it. Long ways, on
 * larger maps than test_pull_random.c has, also over rims and seams, and at a distance from what blocks. */
#include "models/few_or_many.h"
#include "models/floors.h"
#include "models/options.h"
#include "models/owned.h"

#include <criterion/criterion.h>
#include <math.h>
#include <wend/geometry.h>
#include <wend/query.h>

enum { SIDE = 150, CELLS = SIDE * SIDE };

typedef struct example {
    wend_map *map;
    uint32_t radius_milli;
    wend_cell cells[CELLS];
    size_t count, turn_count;
    wend_turn turns[CELLS];
} example;

static wend_cell draw_cell(const example *e, uint64_t *seed) {
    const wend_map_info info = info_now(e->map);
    const int32_t x = (int32_t)draw(seed, (uint32_t)info.width);
    return (wend_cell){x, (int32_t)draw(seed, (uint32_t)info.height), 0};
}

/* Makes a cheapest path. @return false: there is none */
static bool make_path(example *e, uint64_t *seed) {
    const wend_cell from = draw_cell(e, seed);
    cr_assert_eq(wend_find_path(e->map, from, draw_cell(e, seed), e->cells, CELLS, &e->count, NULL), WEND_OK);
    return e->count > 0;
}

static wend_point point_of(const wend_turn *turn) {
    return (wend_point){1000 * turn->cell.x + turn->offset_x, 1000 * turn->cell.y + turn->offset_y, 0};
}

/* The library puts a polygon round a disc, and a square at the ends of a line. So with a radius the line has to be free
 * further aside and ahead. */
static bool sees(const example *e, const wend_turn *a, const wend_turn *b) {
    bool visible;
    uint32_t clearance;
    if (e->radius_milli == 0) {
        cr_assert_eq(wend_map_line_of_sight(e->map, 0, a->cell, b->cell, &visible, NULL), WEND_OK);
        return visible;
    }
    const wend_point from = point_of(a), to = point_of(b);
    const double x = to.x - from.x, y = to.y - from.y, by = 2.0 * e->radius_milli / (hypot(x, y) + 1e-9);
    const int32_t more_x = (int32_t)(x * by), more_y = (int32_t)(y * by);
    const wend_point line[] = {{from.x - more_x, from.y - more_y, 0}, {to.x + more_x, to.y + more_y, 0}};
    if (wend_line_clearance(e->map, 0, line, 2, &clearance)) return false; /* it ends off the map */
    return clearance > e->radius_milli + e->radius_milli / 200 + 1;
}

static void check(example *e) {
    wend_pull_def def;
    wend_pull_def_init(&def, sizeof def);
    def.radius_milli = e->radius_milli;
    size_t again;
    cr_assert_eq(wend_path_pull(e->map, &def, e->cells, e->count, e->turns, CELLS, &e->turn_count), WEND_OK);
    for (size_t i = 1; i + 1 < e->turn_count; i++) {
        const wend_turn *turn = &e->turns[i];
        cr_assert_not(sees(e, turn - 1, turn + 1), "turn %zu of %zu: %d,%d between %d,%d and %d,%d, radius %u", i,
                      e->turn_count, turn->cell.x, turn->cell.y, turn[-1].cell.x, turn[-1].cell.y, turn[1].cell.x,
                      turn[1].cell.y, (unsigned)e->radius_milli);
    }
    cr_assert_eq(wend_path_pull(e->map, &def, e->cells, e->count, NULL, 0, &again), WEND_OK);
    cr_assert_eq(again, e->turn_count);
}

static wend_map *make_map(uint64_t *seed, uint32_t wrap) {
    static uint8_t classes[CELLS];
    wend_map_def def = default_map();
    wend_map_rules rules = default_rules();
    const uint32_t noise = draw(seed, 40), rooms = draw(seed, 3) ? SIDE + 1 : 5 + draw(seed, 12);
    rules.corners = (int32_t)draw(seed, 3), rules.neighbours = draw(seed, 4) ? 8 : 4;
    def.width = def.height = SIDE, def.rules = &rules, def.wrap = (int32_t)wrap;
    wend_map *map = made_map(&def);
    for (uint32_t i = 0; i < CELLS; i++) {
        const bool wall = i % SIDE % rooms == rooms - 1 || i / SIDE % rooms == rooms - 1;
        classes[i] = wall ? draw(seed, 8) == 0 : draw(seed, 100) >= noise;
    }
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {SIDE - 1, SIDE - 1, 0}}, classes, SIDE), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

static void try_maps(int maps, uint32_t wraps, uint32_t most_radius) {
    static example e;
    uint64_t seed = 316 + wraps + most_radius;
    int turns = 0;
    for (int i = 0; i < maps; i++) {
        e.map = make_map(&seed, wraps ? 1 + draw(&seed, wraps) : 0);
        for (int k = 0; k < 12; k++) {
            e.radius_milli = most_radius ? 1 + draw(&seed, most_radius) : 0;
            if (!make_path(&e, &seed)) continue;
            check(&e);
            turns += (int)e.turn_count;
        }
        wend_map_release(e.map);
    }
    cr_assert_gt(turns, 20 * maps);
}

Test(pull_taut, no_turn_of_a_long_line_is_needless) {
    try_maps(few_or_many(25, 1000), 0, 0);
}

Test(pull_taut, no_turn_is_needless_over_the_rim) {
    try_maps(few_or_many(12, 300), WEND_WRAP_X | WEND_WRAP_Y, 0);
}

Test(pull_taut, no_turn_is_needless_at_a_distance) {
    try_maps(few_or_many(12, 300), 0, 700);
}

Test(pull_taut, no_turn_is_needless_on_sheets) {
    static floors f;
    static example e;
    uint64_t seed = 316;
    for (int i = 0; i < few_or_many(6, 100); i++) {
        floors_draw(&f, &seed, true);
        e.map = floors_map(&f);
        for (int k = 0; k < 20; k++)
            if (make_path(&e, &seed)) check(&e);
        wend_map_release(e.map);
    }
}
