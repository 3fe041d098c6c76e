/* SPDX-License-Identifier: MIT */
/* Maps with sheets: costs of all engines and of fields are compared with Dijkstra's algorithm on the floors; and
 * refusals. */
#include "models/fast.h"
#include "models/few_or_many.h"
#include "models/both.h"
#include "models/floors.h"
#include "models/options.h"

#include <wend/field.h>
#include <wend/query.h>

static const int32_t engines[] = {WEND_ENGINE_ASTAR, WEND_ENGINE_JUMP, WEND_ENGINE_AUTO};

static void compare_path(const floors *f, wend_map *map, wend_search *search, int32_t mover, int32_t start,
                         int32_t goal, int32_t engine, int64_t cost) {
    static wend_cell path[FLOORS_CELLS];
    wend_request request = path_request(map, floors_cell(f, start), floors_cell(f, goal));
    request.mover = mover;
    options_of(&request)->engine = engine;
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
    cr_assert_eq(wend_field_repair(field, false), WEND_OK);
    wend_field_step(field, UINT64_MAX, NULL);
    compare_field(f, field, mover, goal, seed);
}

static wend_search *make_search(void) {
    wend_search_def def = default_search();
    def.nodes = 1 << 17;
    return made_search(&def);
}

static void accelerate(wend_map *map, int32_t landmarks) {
    wend_acceleration acceleration = default_acceleration();
    acceleration.landmarks = landmarks;
    for (acceleration.mover = 0; acceleration.mover < 2; acceleration.mover++)
        cr_assert_eq(wend_map_accelerate(map, &acceleration), ACCELERATED);
}

Test(sheets, costs_equal_dijkstras_before_and_after_edits) {
    static floors f;
    OWNED_SEARCH *search = make_search();
    uint64_t seed = 3, compared = 0;
    for (int round = 0; compared < (uint64_t)few_or_many(700, 3000); round++) {
        const bool even = round % 2;
        floors_draw(&f, &seed, even);
        OWNED_MAP *map = floors_map(&f);
        if (round % 4 > 0) accelerate(map, round % 4 == 3 ? 4 : 0);
        const int32_t goal = (int32_t)draw(&seed, FLOORS_CELLS), mover = round / 2 % 2;
        const wend_cell cell = floors_cell(&f, goal);
        wend_field_def def = default_field();
        def.map = map, def.mover = mover, def.goals = &cell, def.goal_count = 1;
        OWNED_FIELD *field = made_field(&def);
        for (int edits = 0; edits < 4; edits++) {
            if (edits > 0) floors_edit(&f, map, &seed, even);
            compared += compare_paths(&f, map, search, &seed);
            repair_field(&f, field, mover, goal, &seed);
        }
    }
}

Test(sheets, s11_costs_equal_dijkstras_with_links_for_some_movers) {
    static floors f;
    OWNED_SEARCH *search = make_search();
    uint64_t seed = 5;
    for (int round = 0; round < few_or_many(8, 80); round++) {
        floors_draw(&f, &seed, round % 2);
        OWNED_MAP *map = floors_map(&f);
        if (round % 4 < 2) accelerate(map, 4);
        for (int i = 0; i < FLOORS_LINKS; i++) floors_edit_link(&f, map, &seed);
        if (round % 4 == 2) accelerate(map, 4);
        for (int edits = 0; edits < 4; edits++) {
            compare_paths(&f, map, search, &seed);
            floors_edit_link(&f, map, &seed);
            floors_edit(&f, map, &seed, round % 2);
        }
    }
}

/* The corner rules are those of a plane. */
Test(sheets, a_plane_cut_into_sheets_costs_what_the_plane_costs_under_every_rule) {
    static floors f;
    OWNED_SEARCH *search = make_search();
    uint64_t seed = 8;
    for (int round = 0; round < 12; round++) {
        floors_draw(&f, &seed, false);
        floors_join_plane(&f);
        f.corners = round % 3, f.neighbours = round % 4 == 3 ? 4 : 8;
        OWNED_MAP *map = floors_map(&f);
        cr_assert(compare_paths(&f, map, search, &seed) > 0);
        floors_edit(&f, map, &seed, false);
        compare_paths(&f, map, search, &seed);
    }
}

/* Across sheets distances of places mean nothing: costs stay right. */
Test(sheets, a_step_across_the_border_of_two_sheets_costs_what_it_costs) {
    wend_sheet sheets[2] = {{{{0, 0, 0}, {63, 63, 0}}, {0, 0, 0}}, {{{64, 0, 0}, {127, 63, 0}}, {5000, 0, 0}}};
    wend_map_def def = default_map();
    OWNED_SEARCH *search = make_search();
    def.width = 128, def.height = 64, def.sheets = sheets, def.sheet_count = 2;
    OWNED_MAP *map = made_map(&def);
    for (int tables = 0; tables < 2; tables++) {
        wend_request request = path_request(map, (wend_cell){60, 10, 0}, (wend_cell){70, 10, 0});
        cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
        cr_assert_eq(wend_search_step(search, UINT64_MAX, NULL), WEND_STATUS_FOUND);
        cr_assert_eq(result_now(search).cost, 100);
        wend_acceleration acceleration = default_acceleration();
        acceleration.landmarks = 0;
        cr_assert_eq(wend_map_accelerate(map, &acceleration), ACCELERATED);
    }
}

/* ---- within reach ---- */

/* A plane needs no rule: all of its cells that are near are within reach. */
static void find_within_plane(int32_t goal, int32_t reach, bool *within) {
    for (int32_t i = 0; i < FLOORS_CELLS; i++)
        within[i] = i / FLOOR_CELLS == goal / FLOOR_CELLS && floors_near(i, goal, reach);
}

/* Compares a search with the cheapest cell within reach of its goals. Returns the cell where it ends; -1: nowhere. */
static int32_t compare_reach(const floors *f, wend_search *search, const int64_t *distances,
                             const wend_request *request, const bool *within) {
    static wend_cell path[FLOORS_CELLS];
    int64_t least = -1;
    bool open = false;
    for (int32_t i = 0; i < FLOORS_CELLS; i++) {
        if (!within[i] || !floors_factor(f, request->mover, i)) continue;
        open = true;
        if (distances[i] >= 0 && (least < 0 || distances[i] < least)) least = distances[i];
    }
    cr_assert_eq(wend_search_begin(search, request), WEND_OK);
    wend_search_step(search, UINT64_MAX, NULL);
    const wend_completion result = result_now(search);
    cr_assert_eq(result.status,
                 least >= 0 ? WEND_STATUS_FOUND
                 : open     ? WEND_STATUS_NO_PATH
                            : WEND_STATUS_GOAL_BLOCKED,
                 "%s", wend_status_name(result.status));
    if (least < 0) return -1;
    cr_assert_eq((int64_t)result.cost, least, "%d, not %d", (int)result.cost, (int)least);
    size_t count;
    cr_assert_eq(wend_search_get_path(search, path, FLOORS_CELLS, &count), WEND_OK);
    int32_t end = 0;
    while (!same_cell(floors_cell(f, end), path[count - 1])) end++;
    cr_assert(within[end]);
    return end;
}

enum { REACH_GOALS = 8 };

/* Returns true where the search ends in a sheet in which no goal is. */
static bool try_reach(const floors *f, wend_map *map, wend_search *search, bool plane, uint32_t number,
                      uint64_t *seed) {
    static int64_t distances[FLOORS_CELLS];
    static bool within[FLOORS_CELLS], other[FLOORS_CELLS];
    int32_t goals[REACH_GOALS];
    wend_cell cells[REACH_GOALS];
    const uint32_t count = number % 6 == 5 ? REACH_GOALS : number % 4 == 0 ? 2 : 1;
    const int32_t start = (int32_t)draw(seed, FLOORS_CELLS), reach = 1 + (int32_t)draw(seed, 14);
    wend_request request = path_request(map, (wend_cell){0, 0, 0}, (wend_cell){0, 0, 0});
    request.reach = reach, request.mover = (int32_t)(number % 2);
    if (!floors_factor(f, request.mover, start)) return false;
    memset(within, 0, sizeof within);
    for (uint32_t k = 0; k < count; k++) {
        goals[k] = (int32_t)draw(seed, FLOORS_CELLS), cells[k] = floors_cell(f, goals[k]);
        if (plane)
            find_within_plane(goals[k], reach, other);
        else
            floors_find_within(f, goals[k], reach, other);
        for (int32_t i = 0; i < FLOORS_CELLS; i++) within[i] |= other[i];
    }
    request.start = floors_cell(f, start), request.goal = cells[0];
    options_of(&request)->engine = engines[number % 3];
    options_of(&request)->more_goals = cells + 1, options_of(&request)->more_goal_count = count - 1;
    if (number % 5 == 0) options_of(&request)->occupied = WEND_OCCUPIED_BLOCK;
    floors_measure(f, request.mover, start, false, distances);
    const int32_t end = compare_reach(f, search, distances, &request, within);
    for (uint32_t k = 0; k < count; k++)
        if (end < 0 || f->sheets[end] == f->sheets[goals[k]]) return false;
    return true;
}

/* With stairs in two of three rounds, up to eight goals. */
Test(sheets, s37_reach_goes_over_seams_that_are_within_it_and_through_no_floor) {
    static floors f;
    OWNED_SEARCH *search = make_search();
    uint64_t seed = 5;
    uint32_t crossed = 0;
    const uint32_t tries = (uint32_t)enough_or_many(6, 24);
    for (int round = 0; round < 12; round++) {
        floors_draw(&f, &seed, round % 2);
        if (round % 3 == 2) floors_join_plane(&f);
        OWNED_MAP *map = floors_map(&f);
        if (round % 4 > 1) accelerate(map, round % 4 == 3 ? 4 : 0);
        for (uint32_t i = 0; i < tries; i++) crossed += try_reach(&f, map, search, round % 3 == 2, i, &seed);
    }
    cr_assert_gt(crossed, tries / 2, "%u ended beyond a seam", crossed);
}

/* ---- nearest ---- */

enum { FAR_RADIUS = 1 << 20 };
#define NOT_JOINED (INT64_C(1) << 40)

static int64_t place_way(int32_t a, int32_t b) {
    const int64_t x = abs(floors_x(a) - floors_x(b)), y = abs(floors_y(a) - floors_y(b));
    return 10 * (x > y ? x : y) + 4 * (x < y ? x : y);
}

/* Computes how far away each sheet begins, as in S37: relaxed until nothing changes. */
static void measure_sheets(const floors *f, int32_t goal, int32_t radius, int64_t begins[FLOORS_SHEETS]) {
    for (int32_t i = 0; i < FLOORS_SHEETS; i++) begins[i] = i == f->sheets[goal] ? 0 : NOT_JOINED;
    for (bool more = true; more;) {
        more = false;
        for (int32_t i = 0; i < FLOORS_CELLS; i++)
            for (int k = 0; k < 8; k++) {
                const int32_t to = k < 4 ? f->next[i][k] : floors_diagonal(f, i, k - 4);
                if (to < 0 || !floors_near(i, goal, radius) || !floors_near(to, goal, radius)) continue;
                int64_t way = begins[f->sheets[to]];
                if (place_way(i, goal) > way) way = place_way(i, goal);
                if (place_way(to, goal) > way) way = place_way(to, goal);
                if (way >= begins[f->sheets[i]]) continue;
                begins[f->sheets[i]] = way;
                more = true;
            }
    }
}

/* Returns the nearest of some cells: by S37's distance, then by place, then by y and x in the map; -1: none. */
static int32_t find_nearest(const floors *f, int32_t goal, int32_t radius, const bool *counts) {
    int64_t begins[FLOORS_SHEETS], keys[3] = {0}, best[3] = {0};
    int32_t nearest = -1;
    measure_sheets(f, goal, radius, begins);
    for (int32_t i = 0; i < FLOORS_CELLS; i++) {
        const int64_t begin = begins[f->sheets[i]], way = place_way(i, goal);
        if (!counts[i] || !floors_near(i, goal, radius) || (radius < FAR_RADIUS && begin == NOT_JOINED)) continue;
        keys[0] = begin == NOT_JOINED ? NOT_JOINED + way : begin > way ? begin : way;
        keys[1] = way;
        keys[2] = (int64_t)floors_y(i) << 32 | floors_cell(f, i).x;
        int k = 0;
        while (k < 2 && keys[k] == best[k]) k++;
        if (nearest >= 0 && keys[k] >= best[k]) continue;
        nearest = i;
        memcpy(best, keys, sizeof best);
    }
    return nearest;
}

static void expect_cell(const floors *f, wend_cell cell, int32_t expected, int32_t goal, bool plane) {
    const wend_cell best = floors_cell(f, expected);
    int32_t i = 0;
    while (!same_cell(floors_cell(f, i), cell)) i++;
    if (plane)
        cr_assert_eq(place_way(i, goal), place_way(expected, goal));
    else
        cr_assert(same_cell(cell, best), "goal %d: %d, not %d", goal, i, expected);
}

/* Returns true where the nearest cell lies in another sheet. */
static bool try_nearest(const floors *f, wend_map *map, wend_search *search, bool plane, uint32_t number,
                        uint64_t *seed) {
    static int64_t distances[FLOORS_CELLS];
    static bool counts[FLOORS_CELLS];
    static wend_cell path[FLOORS_CELLS];
    const int32_t mover = (int32_t)(number % 2), start = (int32_t)draw(seed, FLOORS_CELLS);
    const int32_t goal = (int32_t)draw(seed, FLOORS_CELLS), within = (int32_t)draw(seed, 6);
    bool found = false;
    wend_cell open;
    for (int32_t i = 0; i < FLOORS_CELLS; i++)
        counts[i] = floors_factor(f, mover, i) > 0 && (!plane || i / FLOOR_CELLS == goal / FLOOR_CELLS);
    const int32_t first = find_nearest(f, goal, within, counts);
    cr_assert_eq(wend_map_nearest_open(map, mover, floors_cell(f, goal), within, &found, &open), WEND_OK);
    cr_assert_eq(found, first >= 0);
    if (found) expect_cell(f, open, first, goal, plane);
    if (!floors_factor(f, mover, start)) return false;
    floors_measure(f, mover, start, false, distances);
    for (int32_t i = 0; i < FLOORS_CELLS; i++) counts[i] = distances[i] >= 0;
    if (counts[goal] || (plane && start / FLOOR_CELLS != goal / FLOOR_CELLS)) return false;
    const int32_t nearest = find_nearest(f, goal, FAR_RADIUS, counts);
    wend_request request = path_request(map, floors_cell(f, start), floors_cell(f, goal));
    size_t count;
    request.mover = mover, request.mode = WEND_MODE_NEAREST;
    options_of(&request)->engine = engines[number % 3];
    if (number % 4 == 0) options_of(&request)->occupied = WEND_OCCUPIED_BLOCK;
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    while (wend_search_step(search, 1 + number % 7 * 40, NULL) == WEND_STATUS_PENDING) continue;
    cr_assert_eq(result_now(search).status, WEND_STATUS_PARTIAL);
    cr_assert_eq(wend_search_get_path(search, path, FLOORS_CELLS, &count), WEND_OK);
    expect_cell(f, path[count - 1], nearest, goal, plane);
    if (!plane) cr_assert_eq((int64_t)result_now(search).cost, distances[nearest]);
    return f->sheets[nearest] != f->sheets[goal];
}

Test(sheets, s37_nearest_goes_by_places_and_no_nearer_than_seams_lead) {
    static floors f;
    OWNED_SEARCH *search = make_search();
    uint64_t seed = 9;
    uint32_t crossed = 0;
    const uint32_t tries = (uint32_t)enough_or_many(14, 30);
    for (int round = 0; round < enough_or_many(12, 24); round++) {
        floors_draw(&f, &seed, round % 2);
        for (int32_t i = 0; i < 2 * FLOOR_WIDTH && round % 2; i++) /* walls: much cannot be reached */
            f.classes[(i / FLOOR_WIDTH * FLOOR_HEIGHT + 10 + round) * FLOOR_WIDTH + i % FLOOR_WIDTH] = 0;
        if (round % 3 == 2) floors_join_plane(&f);
        if (round % 6 == 1) { /* no seams between the floors: all of the other one comes last */
            floors_join_plane(&f);
            for (int32_t i = FLOOR_CELLS; i < FLOORS_CELLS; i++) f.classes[i] = i % 3 > 0;
        }
        OWNED_MAP *map = floors_map(&f);
        if (round % 4 > 1) accelerate(map, round % 4 == 3 ? 4 : 0);
        for (uint32_t i = 0; i < tries; i++) crossed += try_nearest(&f, map, search, round % 3 == 2, i, &seed);
    }
    cr_assert_gt(crossed, tries, "%u in another sheet", crossed);
}

static int64_t cost_by(wend_search *search, wend_map *map, int32_t heuristic, wend_cell start, wend_cell goal) {
    wend_request request = path_request(map, start, goal);
    options_of(&request)->heuristic = heuristic;
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
    uint64_t left = 1;
    def.width = 128, def.height = 64, def.sheets = sheets, def.sheet_count = 2;
    OWNED_MAP *map = made_map(&def);
    wend_edit *edit = begin_edit(map);
    wend_edit_fill_box(edit, (wend_box){{0, 0, 0}, {127, 63, 0}}, WEND_CLASS_BLOCKED);
    wend_edit_fill_box(edit, (wend_box){{0, 0, 0}, {40, 20, 0}}, WEND_CLASS_OPEN);
    wend_edit_fill_box(edit, (wend_box){{64 + 21, 0, 0}, {64 + 61, 20, 0}}, WEND_CLASS_OPEN);
    cr_assert_eq(add_link_both(edit, a, b, 600), WEND_OK);
    cr_assert_eq(add_link_both(edit, (wend_cell){40, 20, 0}, (wend_cell){64 + 61, 20, 0}, 300), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    wend_acceleration acceleration = default_acceleration();
    acceleration.tables = 0, acceleration.later = 1, acceleration.landmarks = 4;
    cr_assert_eq(wend_map_accelerate(map, &acceleration), WEND_OK);
    wend_map_maintain(map, WEND_MAINTAIN_ALL, 300, &left);
    cr_assert_gt(left, 0u);
    edit = begin_edit(map);
    cr_assert_eq(add_link_both(edit, a, b, WEND_LINK_SEAM), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    while (left > 0) wend_map_maintain(map, WEND_MAINTAIN_ALL, 300, &left);
    OWNED_SEARCH *search = make_search();
    for (int32_t k = 0; k < 100; k++) {
        const wend_cell start = {k % 41, k % 21, 0}, goal = {64 + 22 + k * 7 % 40, k * 5 % 21, 0};
        cr_assert_eq(cost_by(search, map, WEND_HEURISTIC_EXACT, start, goal),
                     cost_by(search, map, WEND_HEURISTIC_ZERO, start, goal));
    }
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
    OWNED_MAP *map = floors_map(&f);
    wend_sheet read[FLOORS_SHEETS];
    wend_map_get_sheets(map, read, FLOORS_SHEETS, &count);
    cr_assert_eq(count, FLOORS_SHEETS);
    for (int32_t i = 0; i < FLOORS_SHEETS; i++) {
        const wend_sheet own = floors_sheet(i);
        cr_assert_eq(memcmp(&read[i], &own, sizeof own), 0);
    }
    wend_edit *edit = begin_edit(map);
    const wend_cell from = {10, 10, 0};
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){from, {64 + 11, 10, 0}, WEND_LINK_SEAM, 0}), WEND_OK);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){from, {64 + 11, 10, 0}, 7, 0}), WEND_OK);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){from, {11, 11, 0}, WEND_LINK_SEAM, 0}), WEND_OK);
    cr_assert_eq(wend_edit_remove_link(edit, from, (wend_cell){11, 11, 0}), WEND_OK);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){from, {11, 10, 0}, WEND_LINK_SEAM, 0}), WEND_BAD_ARGUMENT);
    wend_edit_discard(edit);
    edit = begin_edit(map);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){from, {64 + 12, 10, 0}, WEND_LINK_SEAM, 0}), WEND_BAD_ARGUMENT);
    wend_edit_discard(edit);
}
