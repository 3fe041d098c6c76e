/* SPDX-License-Identifier: MIT */
/* wend_map_reachable() and wend_edit_would_disconnect(): components as callers see them. */
#include "map/map_support.h"

#include <criterion/criterion.h>

static int32_t reachable(const wend_map *map, wend_cell a, wend_cell b) {
    bool answer = true;
    cr_assert_eq(wend_map_reachable(map, WEND_MOVER_DEFAULT, a, b, &answer), WEND_OK);
    return answer;
}

static int32_t disconnects(const wend_edit *edit, wend_cell a, wend_cell b) {
    bool answer = true;
    cr_assert_eq(wend_edit_would_disconnect(edit, WEND_MOVER_DEFAULT, a, b, &answer), WEND_OK);
    return answer;
}

static wend_map *map_of_text(const char *const *rows, int32_t count) {
    OWNED(model_free) model m = model_of_text(rows, count, NULL);
    wend_map *map = map_of(&m);
    return map;
}

/* ---- reachable ---- */

Test(map_reachable, says_whether_there_is_a_way) {
    const char *const picture[] = {"...#...", //
                                   ".#.#.#.", //
                                   ".#...#.", //
                                   "##.#.##", //
                                   "..#...."};
    OWNED_MAP *map = map_of_text(picture, 5);
    cr_assert_eq(reachable(map, at(0, 0), at(6, 0)), 1);
    cr_assert_eq(reachable(map, at(6, 0), at(0, 0)), 1);
    cr_assert_eq(reachable(map, at(0, 0), at(6, 4)), 1);
    cr_assert_eq(reachable(map, at(0, 4), at(1, 4)), 1);
    cr_assert_eq(reachable(map, at(0, 4), at(0, 2)), 0);
    cr_assert_eq(reachable(map, at(0, 2), at(0, 4)), 0);
    cr_assert_eq(reachable(map, at(2, 2), at(2, 2)), 1);
}

Test(map_reachable, is_not_where_an_end_is_blocked) {
    const char *const picture[] = {".#."};
    OWNED_MAP *map = map_of_text(picture, 1);
    cr_assert_eq(reachable(map, at(0, 0), at(1, 0)), 0);
    cr_assert_eq(reachable(map, at(1, 0), at(0, 0)), 0);
    cr_assert_eq(reachable(map, at(1, 0), at(1, 0)), 0);
}

Test(map_reachable, follows_edits_and_rules) {
    OWNED_MAP *map = map_of_size(300, 300);
    wend_map_rules rules = default_rules();
    wend_edit *edit = begin_edit(map);
    wend_edit_fill_box(edit, box_of(150, 0, 150, 299), 9);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(reachable(map, at(0, 0), at(299, 299)), 1);
    rules.factors[9] = 0;
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_OK);
    cr_assert_eq(reachable(map, at(0, 0), at(299, 299)), 0);
    edit = begin_edit(map);
    wend_edit_set_cell(edit, at(150, 299), 1);
    cr_assert_eq(reachable(map, at(0, 0), at(299, 299)), 0);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(reachable(map, at(0, 0), at(299, 299)), 1);
}

Test(map_reachable, refuses_other_movers_and_cells_off_the_map) {
    OWNED_MAP *map = map_of_size(10, 5);
    wend_edit *edit = begin_edit(map);
    bool answer = true;
    const int32_t movers[] = {1, -1, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < 4; i++) {
        cr_assert_eq(wend_map_reachable(map, movers[i], at(0, 0), at(1, 1), &answer), WEND_BAD_ARGUMENT);
        cr_assert_eq(wend_edit_would_disconnect(edit, movers[i], at(0, 0), at(1, 1), &answer), WEND_BAD_ARGUMENT);
    }
    const wend_cell off[] = {{10, 0, 0}, {0, 5, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {INT32_MAX, INT32_MIN, 0}};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        cr_assert_eq(wend_map_reachable(map, 0, off[i], at(1, 1), &answer), WEND_OUT_OF_RANGE);
        cr_assert_eq(wend_map_reachable(map, 0, at(1, 1), off[i], &answer), WEND_OUT_OF_RANGE);
        cr_assert_eq(wend_edit_would_disconnect(edit, 0, off[i], at(1, 1), &answer), WEND_OUT_OF_RANGE);
        cr_assert_eq(wend_edit_would_disconnect(edit, 0, at(1, 1), off[i], &answer), WEND_OUT_OF_RANGE);
    }
    cr_assert(answer, "untouched");
    cr_assert_eq(reachable(map, at(0, 0), at(9, 4)), 1);
    wend_edit_discard(edit);
}

/* ---- would_disconnect ---- */

Test(map_would_disconnect, sees_a_wall_across_the_only_way) {
    OWNED_MAP *map = map_of_size(200, 90);
    wend_edit *edit = begin_edit(map);
    wend_edit_fill_box(edit, box_of(100, 0, 100, 88), 0);
    cr_assert_eq(disconnects(edit, at(0, 0), at(199, 0)), 0);
    wend_edit_set_cell(edit, at(100, 89), 0);
    cr_assert_eq(disconnects(edit, at(0, 0), at(199, 0)), 1);
    cr_assert_eq(disconnects(edit, at(0, 0), at(99, 89)), 0, "on one side of it");
    wend_edit_set_cell(edit, at(100, 40), 1);
    cr_assert_eq(disconnects(edit, at(0, 0), at(199, 0)), 0, "there is a door");
    wend_edit_discard(edit);
}

Test(map_would_disconnect, is_true_where_the_batch_blocks_an_end) {
    OWNED_MAP *map = map_of_size(20, 20);
    wend_edit *edit = begin_edit(map);
    wend_edit_set_cell(edit, at(3, 3), 0);
    cr_assert_eq(disconnects(edit, at(3, 3), at(10, 10)), 1);
    cr_assert_eq(disconnects(edit, at(10, 10), at(3, 3)), 1);
    cr_assert_eq(disconnects(edit, at(3, 3), at(3, 3)), 1);
    cr_assert_eq(disconnects(edit, at(4, 4), at(10, 10)), 0);
    wend_edit_discard(edit);
}

Test(map_would_disconnect, is_false_where_they_are_apart_already) {
    const char *const picture[] = {"..#..", "..#.."};
    OWNED_MAP *map = map_of_text(picture, 2);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(disconnects(edit, at(0, 0), at(4, 0)), 0);
    cr_assert_eq(disconnects(edit, at(2, 0), at(4, 0)), 0, "one is blocked");
    wend_edit_set_cell(edit, at(4, 0), 0);
    cr_assert_eq(disconnects(edit, at(0, 0), at(4, 0)), 0);
    wend_edit_set_cell(edit, at(2, 0), 1); /* opened, but not published: they are not connected now */
    wend_edit_set_cell(edit, at(4, 0), 1);
    cr_assert_eq(disconnects(edit, at(0, 0), at(4, 0)), 0);
    wend_edit_discard(edit);
}

/* A tower defence: towers of two by two anywhere, as long as the way from entrance to exit stays. */
Test(map_would_disconnect, keeps_the_way_open_while_a_maze_of_towers_grows) {
    OWNED(model_free) model m = model_create(150, 70, NULL);
    OWNED_MAP *map = map_of(&m);
    wend_cell entrance = at(0, 35), exit = at(149, 35);
    uint64_t seed = 12;
    int built = 0, refused = 0;
    for (int i = 0; i < 8000; i++) {
        int32_t x = (int32_t)draw(&seed, 149), y = (int32_t)draw(&seed, 69);
        wend_edit *edit = begin_edit(map);
        wend_edit_fill_box(edit, box_of(x, y, x + 1, y + 1), 0);
        bool parts = disconnects(edit, entrance, exit);
        bool ends = (x == 0 || x + 1 == 149) && (y == 35 || y + 1 == 35);
        if (ends) cr_assert(parts);
        if (parts) {
            /* Checks the answer by publishing the edit. */
            cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
            cr_assert_eq(reachable(map, entrance, exit), 0);
            edit = begin_edit(map);
            cr_assert_eq(wend_edit_set_box(edit, box_of(0, 0, 149, 69), m.classes, 150), WEND_OK);
            refused++;
        } else {
            for (int32_t j = 0; j < 4; j++) m.classes[(y + j / 2) * 150 + x + j % 2] = 0;
            built++;
        }
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        cr_assert_eq(reachable(map, entrance, exit), 1);
    }
    cr_assert_gt(built, 500);
    cr_assert_gt(refused, 50);
    model_check_map(&m, map);
}

Test(map_would_disconnect, leaves_the_batch_and_the_map_as_they_were) {
    OWNED(model_free) model m = model_create(130, 130, NULL);
    OWNED_MAP *map = map_of(&m);
    uint64_t before = map_bytes(map);
    wend_edit *edit = begin_edit(map);
    wend_edit_fill_box(edit, box_of(0, 64, 129, 64), 0);
    uint64_t open = map_bytes(map);
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(disconnects(edit, at(0, 0), at(0, 129)), 1);
        cr_assert_eq(map_bytes(map), open);
        cr_assert_eq(reachable(map, at(0, 0), at(0, 129)), 1);
        model_check_map(&m, map);
    }
    wend_edit_discard(edit);
    cr_assert_eq(map_bytes(map), before);
    edit = begin_edit(map);
    wend_edit_fill_box(edit, box_of(0, 64, 129, 64), 0);
    cr_assert_eq(disconnects(edit, at(0, 0), at(0, 129)), 1);
    wend_edit_set_cell(edit, at(5, 64), 2);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    memset(m.classes + 64 * 130, 0, 130);
    m.classes[64 * 130 + 5] = 2;
    model_check_map(&m, map);
    cr_assert_eq(reachable(map, at(0, 0), at(0, 129)), 1);
}

Test(map_would_disconnect, goes_by_the_rules_of_today) {
    OWNED_MAP *map = map_of_size(80, 80);
    wend_map_rules rules = default_rules();
    wend_edit *edit = begin_edit(map);
    wend_edit_fill_box(edit, box_of(40, 0, 40, 79), 9);
    cr_assert_eq(disconnects(edit, at(0, 0), at(79, 0)), 0);
    rules.factors[9] = 0;
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_OK);
    cr_assert_eq(disconnects(edit, at(0, 0), at(79, 0)), 1);
    wend_edit_set_cell(edit, at(40, 40), 1);
    wend_edit_set_cell(edit, at(39, 40), 9);
    wend_edit_set_cell(edit, at(39, 39), 9);
    wend_edit_set_cell(edit, at(39, 41), 1);
    wend_edit_set_cell(edit, at(41, 40), 9);
    wend_edit_set_cell(edit, at(41, 39), 9);
    wend_edit_set_cell(edit, at(41, 41), 1);
    cr_assert_eq(disconnects(edit, at(0, 0), at(79, 0)), 1, "only across corners");
    rules.corners = WEND_CORNERS_ALWAYS;
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_OK);
    cr_assert_eq(disconnects(edit, at(0, 0), at(79, 0)), 0);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(reachable(map, at(0, 0), at(79, 0)), 1);
}

Test(map_would_disconnect, gives_the_batchs_first_error) {
    OWNED_MAP *map = map_of_size(10, 10);
    wend_edit *edit = begin_edit(map);
    bool answer = true;
    cr_assert_eq(wend_edit_set_cell(edit, at(10, 0), 0), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_edit_would_disconnect(edit, 0, at(0, 0), at(1, 1), &answer), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_edit_would_disconnect(edit, 5, at(0, 0), at(1, 1), &answer), WEND_OUT_OF_RANGE,
                 "that comes first");
    cr_assert(answer, "untouched");
    wend_edit_discard(edit);
}
