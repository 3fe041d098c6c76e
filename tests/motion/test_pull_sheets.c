/* SPDX-License-Identifier: MIT */
/* Lines on maps with sheets go over seams: a floor cut into sheets has the lines of sight of the same floor in one
 * piece, and pulled lines as long; between floors each piece of a pulled line can be walked. */
#include "models/floors.h"
#include "motion/unpull.h"

#include <math.h>
#include <wend/geometry.h>
#include <wend/query.h>

/* The first floor in one piece. */
static wend_map *whole_map(const floors *f) {
    wend_map_def def = default_map();
    wend_map_rules rules = default_rules();
    rules.corners = f->corners, rules.neighbours = f->neighbours;
    def.width = FLOOR_WIDTH, def.height = FLOOR_HEIGHT, def.rules = &rules;
    wend_map *map = made_map(&def);
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 0; i < FLOOR_CELLS; i++)
        cr_assert_eq(wend_edit_set_cell(edit, (wend_cell){floors_x(i), floors_y(i), 0}, f->classes[i]), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    floors_add_mover(map);
    return map;
}

/* Sheets lie at 0, 0 on the ground, each in 64 columns of the map. */
static wend_cell place_of(wend_cell cell) {
    return (wend_cell){cell.x % FLOORS_SIDE, cell.y, 0};
}

static double length_of(const wend_turn *turns, size_t count) {
    double sum = 0;
    for (size_t i = 1; i < count; i++) {
        const wend_cell a = place_of(turns[i - 1].cell), b = place_of(turns[i].cell);
        sum += hypot(b.x - a.x, b.y - a.y);
    }
    return sum;
}

static size_t find_cells(wend_map *map, int32_t mover, wend_cell start, wend_cell goal, wend_cell *cells) {
    size_t count = 0;
    wend_request request = path_request(map, start, goal);
    wend_search_def def = default_search();
    request.mover = mover;
    wend_search *search = made_search(&def);
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    if (wend_search_step(search, UINT64_MAX, NULL) == WEND_STATUS_FOUND)
        cr_assert_eq(wend_search_get_path(search, cells, FLOORS_CELLS, &count), WEND_OK);
    wend_search_destroy(search);
    return count;
}

static size_t pull(wend_map *map, int32_t mover, const wend_cell *cells, size_t cell_count, wend_turn *turns) {
    wend_pull_def def;
    size_t count;
    wend_pull_def_init(&def, sizeof def);
    def.mover = mover;
    cr_assert_eq(wend_path_pull(map, &def, cells, cell_count, turns, FLOORS_CELLS, &count), WEND_OK);
    return count;
}

static void expect_walkable(wend_map *map, int32_t mover, const wend_turn *turns, size_t count) {
    static wend_cell walked[FLOORS_CELLS];
    size_t cells, walkable;
    uint64_t cost;
    cr_assert(unpull(map, mover, turns, count, walked, FLOORS_CELLS, &cells), "%s",
              wend_error_detail(WEND_BAD_ARGUMENT));
    cr_assert_eq(wend_map_path_cost(map, mover, walked, cells, &walkable, &cost), WEND_OK);
    cr_assert_eq(walkable, cells);
    cr_assert(same_cell(walked[0], turns[0].cell) && same_cell(walked[cells - 1], turns[count - 1].cell));
}

static void compare_sights(const floors *f, wend_map *map, wend_map *whole, int32_t mover, uint64_t *seed) {
    for (int i = 0; i < 400; i++) {
        const int32_t a = (int32_t)draw(seed, FLOOR_CELLS), b = (int32_t)draw(seed, FLOOR_CELLS);
        const wend_cell from = floors_cell(f, a), to = floors_cell(f, b);
        bool expected;
        bool seen;
        wend_cell last, end;
        cr_assert_eq(wend_map_line_of_sight(map, mover, from, to, &seen, &last), WEND_OK);
        cr_assert_eq(wend_map_line_of_sight(whole, mover, place_of(from), place_of(to), &expected, &end), WEND_OK);
        cr_assert_eq(seen, expected, "%d,%d to %d,%d", floors_x(a), floors_y(a), floors_x(b), floors_y(b));
        cr_assert(same_cell(place_of(last), end));
    }
}

typedef struct lengths {
    double cut, whole;
    uint32_t over; ///< pieces that go over seams
} lengths;

static void compare_lines(const floors *f, wend_map *map, wend_map *whole, uint64_t *seed, lengths *sums) {
    static wend_cell cells[FLOORS_CELLS], places[FLOORS_CELLS];
    static wend_turn turns[FLOORS_CELLS], expected[FLOORS_CELLS];
    const int32_t a = (int32_t)draw(seed, FLOOR_CELLS), b = (int32_t)draw(seed, FLOOR_CELLS);
    const size_t count = find_cells(map, 0, floors_cell(f, a), floors_cell(f, b), cells);
    if (count == 0) return;
    for (size_t i = 0; i < count; i++) places[i] = place_of(cells[i]);
    const size_t turn_count = pull(map, 0, cells, count, turns), other = pull(whole, 0, places, count, expected);
    expect_walkable(map, 0, turns, turn_count);
    for (size_t i = 1; i < turn_count; i++)
        sums->over += turns[i].cell.x / FLOORS_SIDE != turns[i - 1].cell.x / FLOORS_SIDE;
    sums->cut += length_of(turns, turn_count), sums->whole += length_of(expected, other);
}

/* Under all corner rules, and with four neighbours. */
Test(pull_sheets, lines_of_a_floor_cut_into_sheets_are_those_of_the_floor) {
    static floors f;
    uint64_t seed = 4;
    lengths sums = {0, 0, 0};
    for (int round = 0; round < 8; round++) {
        floors_draw(&f, &seed, true);
        floors_join_plane(&f);
        f.corners = round % 3, f.neighbours = round % 4 == 3 ? 4 : 8;
        OWNED_MAP *map = floors_map(&f), *whole = whole_map(&f);
        compare_sights(&f, map, whole, round % 2, &seed);
        for (int i = 0; i < 40; i++) compare_lines(&f, map, whole, &seed, &sums);
    }
    cr_assert_leq(sums.cut, 1.001 * sums.whole, "%.1f, but %.1f", sums.cut, sums.whole);
    cr_assert_gt(sums.over, 100, "%u pieces over seams", sums.over);
}

/* With slow ground, stairs, and a mover of its own. */
Test(pull_sheets, lines_between_floors_can_be_walked_and_are_not_longer_than_the_cells) {
    static floors f;
    static wend_cell cells[FLOORS_CELLS];
    static wend_turn turns[FLOORS_CELLS];
    uint64_t seed = 6;
    uint32_t lines = 0;
    for (int round = 0; round < 6; round++) {
        floors_draw(&f, &seed, round % 2);
        OWNED_MAP *map = floors_map(&f);
        for (int i = 0; i < 40; i++) {
            const int32_t a = (int32_t)draw(&seed, FLOORS_CELLS), b = (int32_t)draw(&seed, FLOORS_CELLS);
            const size_t count = find_cells(map, i % 2, floors_cell(&f, a), floors_cell(&f, b), cells);
            if (count == 0) continue;
            const size_t turn_count = pull(map, i % 2, cells, count, turns);
            expect_walkable(map, i % 2, turns, turn_count);
            double steps = 0;
            for (size_t k = 1; k < count; k++) {
                const wend_cell p = place_of(cells[k - 1]), q = place_of(cells[k]);
                steps += hypot(q.x - p.x, q.y - p.y);
            }
            if (round % 2) cr_assert_leq(length_of(turns, turn_count), steps + 1e-6);
            lines++;
        }
    }
    cr_assert_gt(lines, 100);
}
