/* SPDX-License-Identifier: MIT */
/* Pulling given paths straight: corners, slow ground, units, links, thin walls, large movers, refusals. */
#include "motion/motion_support.h"
#include "models/both.h"
#include "motion/unpull.h"

#include <criterion/criterion.h>
#include <math.h>
#include <wend/geometry.h>
#include <wend/query.h>
#include <wend/units.h>

enum { ROOM = 256 };

typedef struct pulled {
    wend_turn turns[ROOM];
    size_t count;
} pulled;

static pulled pull_with(const wend_map *map, int32_t mover, bool units, const wend_cell *cells, size_t count) {
    pulled p;
    wend_pull_def def;
    wend_pull_def_init(&def, sizeof def);
    def.mover = mover, def.units = units;
    cr_assert_eq(wend_path_pull(map, &def, cells, count, p.turns, ROOM, &p.count), WEND_OK);
    return p;
}

static pulled find_and_pull(wend_map *map, wend_cell from, wend_cell to, bool units) {
    wend_cell cells[ROOM];
    size_t count;
    cr_assert_eq(wend_find_path(map, from, to, cells, ROOM, &count, NULL), WEND_OK);
    cr_assert(count > 0 && count <= ROOM);
    return pull_with(map, WEND_MOVER_DEFAULT, units, cells, count);
}

static void check_turn(const pulled *p, size_t i, int32_t x, int32_t y) {
    wend_cell c = p->turns[i].cell;
    cr_assert(i < p->count && c.x == x && c.y == y && c.z == 0, "turn %zu is %d,%d", i, (int)c.x, (int)c.y);
}

Test(pull, is_one_line_on_open_ground) {
    OWNED_MAP *map = open_map(40, 20);
    pulled p = find_and_pull(map, cell_of(1, 1), cell_of(35, 12), 0);
    cr_assert_eq(p.count, 2);
    check_turn(&p, 0, 1, 1);
    check_turn(&p, 1, 35, 12);
    cr_assert(p.turns[0].index == 0 && p.turns[1].index == 34);
}

Test(pull, turns_beside_the_corners_that_it_goes_around) {
    OWNED_MAP *map = text_map((const char *const[]){"...........", "...........", "....###....", "....###....", //
                                                    "....###....", "....###....", "....###...."},
                              7);
    pulled p = find_and_pull(map, cell_of(0, 6), cell_of(10, 6), 0);
    double length = 0;
    for (size_t i = 1; i < p.count; i++)
        length += hypot(p.turns[i].cell.x - p.turns[i - 1].cell.x, p.turns[i].cell.y - p.turns[i - 1].cell.y);
    cr_assert(length < 2 * (sqrt(34) + 2), "by the cells 3,1 and 7,1 it would be longer: %f", length);
}

/* An L with a cell in its inner corner, and one on the line between its ends: past their other side it is 42.5 cells,
 * not 60. */
Test(pull, passes_lone_cells_on_the_shorter_side) {
    OWNED_MAP *map = open_map(40, 40);
    wend_cell cells[61];
    double length = 0;
    set_cell(map, cell_of(1, 1), 0), set_cell(map, cell_of(15, 15), 0);
    for (int32_t i = 0; i <= 30; i++) cells[i] = cell_of(30 - i, 0), cells[30 + i] = cell_of(0, i);
    const pulled p = pull_with(map, WEND_MOVER_DEFAULT, 0, cells, 61);
    for (size_t i = 1; i < p.count; i++)
        length += hypot(p.turns[i].cell.x - p.turns[i - 1].cell.x, p.turns[i].cell.y - p.turns[i - 1].cell.y);
    cr_assert_lt(length, 44, "%f", length);
}

Test(pull, goes_around_slow_ground_that_is_dearer) {
    OWNED_MAP *map =
        text_map((const char *const[]){".........", ".........", "..99999..", "..99999..", "........."}, 5);
    pulled p = find_and_pull(map, cell_of(0, 2), cell_of(8, 2), 0);
    cr_assert(p.count > 2, "a straight line would lead through the slow ground");
    for (size_t i = 0; i + 1 < p.count; i++) cr_assert(p.turns[i].cell.y < 3);
}

Test(pull, keeps_off_units_where_asked) {
    OWNED_MAP *map = open_map(9, 5);
    const wend_cell around[] = {{0, 2, 0}, {1, 1, 0}, {2, 1, 0}, {3, 1, 0}, {4, 1, 0}, {5, 1, 0}, {6, 1, 0}, {7, 2, 0}};
    cr_assert_eq(wend_map_occupy(map, cell_of(3, 2)), WEND_OK);
    cr_assert_eq(wend_map_occupy(map, cell_of(0, 2)), WEND_OK); /* the walker */
    cr_assert_eq(pull_with(map, 0, 0, around, 8).count, 2);
    pulled p = pull_with(map, 0, true, around, 8);
    cr_assert(p.count > 2);
    for (size_t i = 1; i + 1 < p.count; i++) cr_assert_eq(p.turns[i].cell.y, 1);
}

Test(pull, turns_at_both_ends_of_a_link) {
    OWNED_MAP *map = open_map(30, 3);
    const wend_cell cells[] = {{0, 0, 0}, {1, 1, 0}, {2, 1, 0}, {20, 1, 0}, {21, 2, 0}, {22, 2, 0}};
    IN_BATCH(map, cr_assert_eq(wend_edit_add_link(edit, &(wend_link){cells[2], cells[3], 10, 0}), WEND_OK));
    pulled p = pull_with(map, 0, 0, cells, 6);
    cr_assert_eq(p.count, 4);
    check_turn(&p, 1, 2, 1);
    check_turn(&p, 2, 20, 1);
    cr_assert(p.turns[1].index == 2 && p.turns[2].index == 3);
    wend_cell back[ROOM];
    size_t count;
    cr_assert(unpull(map, 0, p.turns, p.count, back, ROOM, &count));
    uint64_t cost;
    size_t walkable;
    cr_assert_eq(wend_map_path_cost(map, 0, back, count, &walkable, &cost), WEND_OK);
    cr_assert(walkable == count && cost == 14 + 10 + 10 + 14 + 10);
}

Test(pull, minds_thin_walls) {
    OWNED_MAP *map = open_map(9, 5);
    wend_edit *edit = begin_edit(map);
    for (int32_t y = 1; y < 5; y++) cr_assert_eq(set_step_both(edit, cell_of(4, y), cell_of(5, y), 0), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    pulled p = find_and_pull(map, cell_of(0, 4), cell_of(8, 4), 0);
    cr_assert(p.count == 3 || p.count == 4);
    for (size_t i = 1; i + 1 < p.count; i++) cr_assert_eq(p.turns[i].cell.y, 0);
}

Test(pull, leaves_room_for_a_large_mover) {
    OWNED_MAP *map =
        text_map((const char *const[]){".........", ".........", ".........", "....#....", "....#...."}, 5);
    const wend_cell cells[] = {{0, 3, 0}, {1, 2, 0}, {2, 1, 0}, {3, 1, 0}, {4, 1, 0}, {5, 1, 0}, {5, 2, 0}, {6, 3, 0}};
    int32_t mover;
    bool visible;
    mover = add_mover_of_size(map, 2);
    pulled p = pull_with(map, mover, 0, cells, 8);
    for (size_t i = 1; i < p.count; i++) {
        cr_assert_eq(wend_map_line_of_sight(map, mover, p.turns[i - 1].cell, p.turns[i].cell, &visible, NULL), WEND_OK);
        cr_assert(visible);
    }
    cr_assert(p.count > 2);
}

Test(pull, counts_turns_that_do_not_fit) {
    OWNED_MAP *map = text_map((const char *const[]){"...#...", ".#.#.#.", ".#...#."}, 3);
    wend_cell cells[ROOM];
    wend_turn turns[2], all[ROOM];
    size_t count, some, total;
    cr_assert_eq(wend_find_path(map, cell_of(0, 2), cell_of(6, 2), cells, ROOM, &count, NULL), WEND_OK);
    cr_assert_eq(wend_path_pull(map, NULL, cells, count, all, ROOM, &total), WEND_OK);
    cr_assert_eq(wend_path_pull(map, NULL, cells, count, turns, 2, &some), WEND_OK);
    cr_assert(some == total && total > 2);
    cr_assert(turns[1].cell.x == all[1].cell.x && turns[1].index == all[1].index);
    cr_assert_eq(wend_path_pull(map, NULL, cells, count, NULL, 0, &some), WEND_OK);
    cr_assert_eq(some, total);
}

/* More turns than the window holds. */
Test(pull, of_a_long_path_is_pulled_in_windows) {
    OWNED_MAP *map = open_map(800, 5);
    wend_edit *edit = begin_edit(map);
    for (int32_t x = 2; x < 800; x += 4)
        for (int32_t y = 0; y < 4; y++) cr_assert_eq(wend_edit_set_cell(edit, cell_of(x, y + x / 4 % 2), 0), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    static wend_cell cells[4096];
    static wend_turn turns[4096];
    size_t count, turn_count;
    cr_assert_eq(wend_find_path(map, cell_of(0, 0), cell_of(799, 0), cells, 4096, &count, NULL), WEND_OK);
    cr_assert_eq(wend_path_pull(map, NULL, cells, count, turns, 4096, &turn_count), WEND_OK);
    cr_assert(turn_count > 300 && turn_count < count);
    for (size_t i = 1; i < turn_count; i++) {
        bool visible;
        cr_assert_eq(wend_map_line_of_sight(map, 0, turns[i - 1].cell, turns[i].cell, &visible, NULL), WEND_OK);
        cr_assert(visible && turns[i - 1].index <= turns[i].index);
    }
}

Test(pull, refuses_what_cannot_be) {
    wend_map *map = open_map(4, 4);
    const wend_cell off[] = {{3, 0, 0}, {4, 0, 0}}, there[] = {{0, 0, 0}, {1, 0, 0}};
    wend_turn turns[4];
    size_t count;
    wend_pull_def def;
    wend_pull_def_init(&def, sizeof def);
    cr_assert_eq(wend_path_pull(map, &def, off, 2, turns, 4, &count), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_path_pull(map, &def, there, 0, turns, 4, &count), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_path_pull(map, &def, there, 2, NULL, 4, &count), WEND_BAD_ARGUMENT);
    def.mover = 1;
    cr_assert_eq(wend_path_pull(map, &def, there, 2, turns, 4, &count), WEND_BAD_ARGUMENT);
    const wend_turn apart[] = {{.cell = {0, 0, 0}}, {.cell = {3, 3, 0}, .index = 1}};
    set_cell(map, cell_of(1, 1), 0);
    wend_cell cells[8];
    cr_assert(!unpull(map, 0, apart, 2, cells, 8, &count));
    wend_map_release(map);
    wend_graph_def graph = default_graph();
    graph.node_count = 2;
    cr_assert_eq(wend_graph_create(&graph, &map), WEND_OK);
    cr_assert_eq(wend_path_pull(map, NULL, there, 1, turns, 4, &count), WEND_UNSUPPORTED);
    wend_map_release(map);
}
