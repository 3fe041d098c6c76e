/* SPDX-License-Identifier: MIT */
/* Maps with sheets: costs of all engines and of fields are compared with Dijkstra's algorithm on the floors; and what
 * is refused. */
#include "models/fast.h"
#include "models/floors.h"
#include "models/more.h"

#include <wend/field.h>
#include <wend/query.h>

static const int32_t engines[] = {WEND_ENGINE_ASTAR, WEND_ENGINE_JUMP, WEND_ENGINE_AUTO};

static void compare_path(const floors *f, wend_map *map, wend_search *search, int32_t mover, int32_t start,
                         int32_t goal, int32_t engine, int64_t cost) {
    static wend_cell path[FLOORS_CELLS];
    wend_request request = path_request(map, floors_cell(f, start), floors_cell(f, goal));
    request.mover = mover;
    more_of(&request)->engine = engine;
    const bool open = floors_factor(f, mover, goal) > 0;
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    wend_search_step(search, UINT64_MAX, NULL);
    const wend_completion result = result_now(search);
    cr_assert_eq(result.status == WEND_STATUS_FOUND, open && cost >= 0, "%d to %d: %d", start, goal, result.status);
    if (result.status != WEND_STATUS_FOUND) return;
    cr_assert_eq((int64_t)result.cost, cost, "engine %d, mover %d, %d to %d: %d, not %d", result.engine, mover, start,
                 goal, (int)result.cost, (int)cost);
    size_t count, walkable;
    uint64_t walked;
    cr_assert_eq(wend_search_get_path(search, path, FLOORS_CELLS, &count), WEND_OK);
    cr_assert_eq(wend_map_path_cost(map, mover, path, count, &walkable, &walked), WEND_OK);
    cr_assert(walkable == count && walked == (uint64_t)result.cost);
    cr_assert(same_cell(path[0], request.start) && same_cell(path[count - 1], request.goal));
}

static uint64_t compare_paths(const floors *f, wend_map *map, wend_search *search, uint64_t *seed) {
    static int64_t distances[FLOORS_CELLS];
    uint64_t compared = 0;
    for (int i = 0; i < 4; i++) {
        const int32_t mover = i % 2, start = (int32_t)draw(seed, FLOORS_CELLS);
        if (!floors_factor(f, mover, start)) continue;
        floors_measure(f, mover, start, false, distances);
        for (int k = 0; k < 9; k++, compared++) {
            const int32_t goal = (int32_t)draw(seed, FLOORS_CELLS);
            compare_path(f, map, search, mover, start, goal, engines[k % 3], distances[goal]);
        }
    }
    return compared;
}

static void compare_field(const floors *f, wend_field *field, int32_t mover, int32_t goal, uint64_t *seed) {
    static int64_t distances[FLOORS_CELLS];
    if (!floors_factor(f, mover, goal)) return;
    floors_measure(f, mover, goal, true, distances);
    for (int i = 0; i < 300; i++) {
        const int32_t cell = (int32_t)draw(seed, FLOORS_CELLS);
        wend_cell next;
        uint64_t cost;
        if (!floors_factor(f, mover, cell)) continue;
        const wend_status status = wend_field_next(field, floors_cell(f, cell), &next, &cost);
        cr_assert_eq(status == WEND_STATUS_FOUND, distances[cell] >= 0);
        if (distances[cell] >= 0) cr_assert_eq((int64_t)cost, distances[cell]);
    }
}

static void repair_field(const floors *f, wend_field *field, int32_t mover, int32_t goal, uint64_t *seed) {
    cr_assert_eq(wend_field_repair(field), WEND_OK);
    wend_field_step(field, UINT64_MAX, NULL);
    compare_field(f, field, mover, goal, seed);
}

static wend_search *make_search(void) {
    wend_search_def def = default_search();
    wend_search *search;
    def.nodes = 1 << 17;
    cr_assert_eq(wend_search_create(&def, &search), WEND_OK);
    return search;
}

static void accelerate(wend_map *map, int32_t landmarks) {
    wend_acceleration acceleration = default_acceleration();
    acceleration.landmarks = landmarks;
    for (acceleration.mover = 0; acceleration.mover < 2; acceleration.mover++)
        cr_assert_eq(wend_map_accelerate(map, &acceleration), ACCELERATED);
}

Test(sheets, costs_equal_dijkstras_before_and_after_edits) {
    static floors f;
    wend_search *search = make_search();
    uint64_t seed = 3, compared = 0;
    for (int round = 0; compared < 3000; round++) {
        const bool even = round % 2;
        floors_draw(&f, &seed, even);
        wend_map *map = floors_map(&f);
        if (round % 4 > 0) accelerate(map, round % 4 == 3 ? 4 : 0);
        const int32_t goal = (int32_t)draw(&seed, FLOORS_CELLS), mover = round / 2 % 2;
        const wend_cell cell = floors_cell(&f, goal);
        wend_field_def def = default_field();
        wend_field *field;
        def.map = map, def.mover = mover, def.goals = &cell, def.goal_count = 1;
        cr_assert_eq(wend_field_create(&def, &field), WEND_OK);
        for (int edits = 0; edits < 4; edits++) {
            if (edits > 0) floors_edit(&f, map, &seed, even);
            compared += compare_paths(&f, map, search, &seed);
            repair_field(&f, field, mover, goal, &seed);
        }
        wend_field_destroy(field);
        wend_map_release(map);
    }
    wend_search_destroy(search);
}

/* Without stairs the corner rules are those of a plane. */
Test(sheets, a_plane_cut_into_sheets_costs_what_the_plane_costs_under_every_rule) {
    static floors f;
    wend_search *search = make_search();
    uint64_t seed = 8;
    for (int round = 0; round < 12; round++) {
        floors_draw(&f, &seed, false);
        for (int32_t i = 0; i < FLOORS_CELLS; i++)
            for (int k = 0; k < 4; k++) {
                const int32_t x = floors_x(i) + floors_dx[k], y = floors_y(i) + floors_dy[k];
                const bool on = x >= 0 && y >= 0 && x < FLOOR_WIDTH && y < FLOOR_HEIGHT;
                f.next[i][k] = on ? i + floors_dx[k] + floors_dy[k] * FLOOR_WIDTH : -1;
            }
        f.corners = round % 3, f.neighbours = round % 4 == 3 ? 4 : 8;
        wend_map *map = floors_map(&f);
        cr_assert(compare_paths(&f, map, search, &seed) > 0);
        floors_edit(&f, map, &seed, false);
        compare_paths(&f, map, search, &seed);
        wend_map_release(map);
    }
    wend_search_destroy(search);
}

/* Where a step leads from sheet to sheet their places tell nothing: costs stay right. */
Test(sheets, a_step_across_the_border_of_two_sheets_costs_what_it_costs) {
    wend_sheet sheets[2] = {{{{0, 0, 0}, {63, 63, 0}}, {0, 0, 0}}, {{{64, 0, 0}, {127, 63, 0}}, {5000, 0, 0}}};
    wend_map_def def = default_map();
    wend_map *map;
    wend_search *search = make_search();
    def.width = 128, def.height = 64, def.sheets = sheets, def.sheet_count = 2;
    cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
    for (int tables = 0; tables < 2; tables++) {
        wend_request request = path_request(map, (wend_cell){60, 10, 0}, (wend_cell){70, 10, 0});
        cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
        cr_assert_eq(wend_search_step(search, UINT64_MAX, NULL), WEND_STATUS_FOUND);
        cr_assert_eq(result_now(search).cost, 100);
        wend_acceleration acceleration = default_acceleration();
        acceleration.landmarks = 0;
        cr_assert_eq(wend_map_accelerate(map, &acceleration), ACCELERATED);
    }
    wend_search_destroy(search);
    wend_map_release(map);
}

Test(sheets, reach_ends_in_the_goals_sheet) {
    static floors f;
    uint64_t seed = 5;
    wend_search *search = make_search();
    floors_draw(&f, &seed, true);
    memset(f.classes, 1, sizeof f.classes);
    wend_map *map = floors_map(&f);
    for (int tables = 0; tables < 2; tables++) {
        for (int i = 0; i < 30; i++) {
            const int32_t start = (int32_t)draw(&seed, FLOORS_CELLS), goal = (int32_t)draw(&seed, FLOORS_CELLS);
            wend_request request = path_request(map, floors_cell(&f, start), floors_cell(&f, goal));
            static wend_cell path[FLOORS_CELLS];
            size_t count;
            request.reach = 3;
            cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
            cr_assert_eq(wend_search_step(search, UINT64_MAX, NULL), WEND_STATUS_FOUND);
            cr_assert_eq(wend_search_get_path(search, path, FLOORS_CELLS, &count), WEND_OK);
            const wend_cell end = path[count - 1];
            cr_assert_eq(end.x / FLOORS_SIDE, request.goal.x / FLOORS_SIDE);
            cr_assert(abs(end.x - request.goal.x) <= 3 && abs(end.y - request.goal.y) <= 3);
        }
        accelerate(map, 0);
    }
    wend_search_destroy(search);
    wend_map_release(map);
}

static int64_t cost_by(wend_search *search, wend_map *map, int32_t heuristic, wend_cell start, wend_cell goal) {
    wend_request request = path_request(map, start, goal);
    more_of(&request)->heuristic = heuristic;
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    cr_assert_eq(wend_search_step(search, UINT64_MAX, NULL), WEND_STATUS_FOUND);
    return result_now(search).cost;
}

/* Two rooms that a link of 600 joins, and another one. While landmarks are made it becomes a seam, which costs 10. */
Test(sheets, landmarks_that_were_under_way_know_a_link_that_became_a_seam) {
    NEEDS_FAST();
    const wend_sheet sheets[2] = {{{{0, 0, 0}, {63, 63, 0}}, {0, 0, 0}}, {{{64, 0, 0}, {127, 63, 0}}, {0, 0, 0}}};
    const wend_cell a = {20, 10, 0}, b = {64 + 21, 10, 0};
    wend_map_def def = default_map();
    wend_map *map;
    uint64_t left = 1;
    def.width = 128, def.height = 64, def.sheets = sheets, def.sheet_count = 2;
    cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
    wend_edit *edit = begin_edit(map);
    wend_edit_fill_box(edit, (wend_box){{0, 0, 0}, {127, 63, 0}}, WEND_CLASS_BLOCKED);
    wend_edit_fill_box(edit, (wend_box){{0, 0, 0}, {40, 20, 0}}, WEND_CLASS_OPEN);
    wend_edit_fill_box(edit, (wend_box){{64 + 21, 0, 0}, {64 + 61, 20, 0}}, WEND_CLASS_OPEN);
    cr_assert_eq(wend_edit_add_link_both(edit, a, b, 600), WEND_OK);
    cr_assert_eq(wend_edit_add_link_both(edit, (wend_cell){40, 20, 0}, (wend_cell){64 + 61, 20, 0}, 300), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    wend_acceleration acceleration = default_acceleration();
    acceleration.tables = 0, acceleration.later = 1, acceleration.landmarks = 4;
    cr_assert_eq(wend_map_accelerate(map, &acceleration), WEND_OK);
    wend_map_maintain(map, WEND_MAINTAIN_ALL, 300, &left);
    cr_assert_gt(left, 0u);
    edit = begin_edit(map);
    cr_assert_eq(wend_edit_add_link_both(edit, a, b, WEND_LINK_SEAM), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    while (left > 0) wend_map_maintain(map, WEND_MAINTAIN_ALL, 300, &left);
    wend_search *search = make_search();
    for (int32_t k = 0; k < 100; k++) {
        const wend_cell start = {k % 41, k % 21, 0}, goal = {64 + 22 + k * 7 % 40, k * 5 % 21, 0};
        cr_assert_eq(cost_by(search, map, WEND_HEURISTIC_EXACT, start, goal),
                     cost_by(search, map, WEND_HEURISTIC_ZERO, start, goal));
    }
    wend_search_destroy(search);
    wend_map_release(map);
}

static wend_error make_with(wend_sheet sheet, int32_t wrap) {
    const wend_sheet sheets[2] = {{{{0, 0, 0}, {63, 99, 0}}, {0, 0, 0}}, sheet};
    wend_map_def def = default_map();
    wend_map *map;
    def.width = 200, def.height = 100, def.sheets = sheets, def.sheet_count = 2, def.wrap = wrap;
    const wend_error error = wend_map_create(&def, &map);
    if (!error) wend_map_release(map);
    return error;
}

Test(sheets, refused_are_boxes_that_overlap_or_do_not_end_at_chunks) {
    const wend_box good = {{64, 0, 0}, {127, 63, 0}};
    cr_assert_eq(make_with((wend_sheet){good, {0, 0, 0}}, 0), WEND_OK);
    cr_assert_eq(make_with((wend_sheet){{{128, 0, 0}, {199, 99, 0}}, {9, 9, 0}}, 0), WEND_OK);
    cr_assert_eq(make_with((wend_sheet){good, {0, 0, 0}}, WEND_WRAP_X), WEND_UNSUPPORTED);
    cr_assert_eq(make_with((wend_sheet){good, {0, -1, 0}}, 0), WEND_BAD_ARGUMENT);
    cr_assert_eq(make_with((wend_sheet){good, {0, 0, 1}}, 0), WEND_BAD_ARGUMENT);
    cr_assert_eq(make_with((wend_sheet){{{65, 0, 0}, {127, 63, 0}}, {0, 0, 0}}, 0), WEND_BAD_ARGUMENT);
    cr_assert_eq(make_with((wend_sheet){{{64, 0, 0}, {126, 63, 0}}, {0, 0, 0}}, 0), WEND_BAD_ARGUMENT);
    cr_assert_eq(make_with((wend_sheet){{{0, 64, 0}, {127, 99, 0}}, {0, 0, 0}}, 0), WEND_BAD_ARGUMENT);
    cr_assert_eq(make_with((wend_sheet){{{128, 0, 0}, {255, 99, 0}}, {0, 0, 0}}, 0), WEND_BAD_ARGUMENT);
}

Test(sheets, seams_lead_only_between_neighbours_on_the_ground) {
    static floors f;
    uint64_t seed = 1;
    size_t count;
    floors_draw(&f, &seed, true);
    wend_map *map = floors_map(&f);
    wend_sheet read[FLOORS_SHEETS];
    wend_map_get_sheets(map, read, FLOORS_SHEETS, &count);
    cr_assert_eq(count, FLOORS_SHEETS);
    for (int32_t i = 0; i < FLOORS_SHEETS; i++) {
        const wend_sheet own = floors_sheet(i);
        cr_assert_eq(memcmp(&read[i], &own, sizeof own), 0);
    }
    wend_edit *edit = begin_edit(map);
    const wend_cell from = {10, 10, 0};
    cr_assert_eq(wend_edit_add_link(edit, from, (wend_cell){64 + 11, 10, 0}, WEND_LINK_SEAM), WEND_OK);
    cr_assert_eq(wend_edit_add_link(edit, from, (wend_cell){64 + 11, 10, 0}, 7), WEND_OK);
    cr_assert_eq(wend_edit_add_link(edit, from, (wend_cell){11, 11, 0}, WEND_LINK_SEAM), WEND_OK);
    cr_assert_eq(wend_edit_remove_link(edit, from, (wend_cell){11, 11, 0}), WEND_OK);
    cr_assert_eq(wend_edit_add_link(edit, from, (wend_cell){11, 10, 0}, WEND_LINK_SEAM), WEND_BAD_ARGUMENT);
    wend_edit_discard(edit);
    edit = begin_edit(map);
    cr_assert_eq(wend_edit_add_link(edit, from, (wend_cell){64 + 12, 10, 0}, WEND_LINK_SEAM), WEND_BAD_ARGUMENT);
    wend_edit_discard(edit);
    wend_map_release(map);
}
