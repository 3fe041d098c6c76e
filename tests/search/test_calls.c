/* SPDX-License-Identifier: MIT */
/* Calls for first steps and small questions: a path in one call, acceleration, one step, one cell.
 */
#include "map/version/map.h"
#include "models/both.h"
#include "models/corridors.h"
#include "models/fast.h"
#include "models/defaults.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>
#include <wend/wend.h>
#include <wend/query.h>
#include <wend/ways.h>

static wend_map *map_of(int32_t width, int32_t height, int32_t kind) {
    wend_map_def def = default_map();
    def.kind = kind, def.width = width, def.height = height;
    return made_map(&def);
}

static wend_cell at(int32_t x, int32_t y) {
    return (wend_cell){x, y, 0};
}

static wend_map_info info_of(const wend_map *map) {
    wend_map_info info = info_now(map);
    return info;
}

Test(calls, find_path_tells_errors_from_endings) {
    OWNED_MAP *map = map_of(5, 3, WEND_KIND_GRID);
    wend_cell cells[8];
    size_t count = 77;
    wend_status status = 77;
    cr_assert_eq(wend_find_path(map, at(0, 0), at(4, 2), cells, 8, &count, &status), WEND_OK);
    cr_assert(status == WEND_STATUS_FOUND && count == 5 && cells[4].x == 4 && cells[4].y == 2);
    cr_assert_eq(wend_find_path(map, at(0, 0), at(4, 2), NULL, 0, &count, NULL), WEND_OK);
    cr_assert_eq(count, 5u, "more than fit");
    cr_assert_eq(wend_find_path(map, at(0, 0), at(4, 2), NULL, 0, NULL, NULL), WEND_OK);
    cr_assert_eq(wend_find_path(map, at(0, 0), at(5, 2), cells, 8, &count, &status), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_find_path(NULL, at(0, 0), at(4, 2), cells, 8, &count, &status), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_find_path(map, at(0, 0), at(4, 2), NULL, 8, &count, &status), WEND_BAD_ARGUMENT);
    for (int32_t y = 0; y < 3; y++) cr_assert_eq(wend_map_set_cell(map, at(2, y), WEND_CLASS_BLOCKED, NULL), WEND_OK);
    cr_assert_eq(wend_find_path(map, at(0, 0), at(4, 2), cells, 8, &count, &status), WEND_OK);
    cr_assert(status == WEND_STATUS_NO_PATH && count == 0);
}

static void find(wend_map *map, wend_cell from, wend_cell to, size_t cells) {
    size_t count;
    wend_status status;
    cr_assert_eq(wend_find_path(map, from, to, NULL, 0, &count, &status), WEND_OK);
    cr_assert(status == WEND_STATUS_FOUND && count == cells, "%d, %zu cells", (int)status, count);
}

/* The spare memory of a map; it stays there. */
static void *spare_of(wend_map *map, size_t *bytes) {
    void *spare = wend__map_take_spare(map, bytes);
    size_t none;
    cr_assert_null(wend__map_take_spare(map, &none));
    if (spare) wend__map_leave_spare(map, spare, *bytes);
    return spare;
}

Test(calls, leave_their_memory_to_the_next_one) {
    OWNED_MAP *map = map_of(5, 5, WEND_KIND_GRID);
    wend_nearest_def def = default_nearest();
    wend_hit hit;
    size_t bytes, count;
    cr_assert_null(spare_of(map, &bytes));
    const uint64_t held = info_of(map).bytes;
    find(map, at(0, 0), at(4, 4), 5);
    void *const spare = spare_of(map, &bytes);
    cr_assert_not_null(spare);
    cr_assert_leq(bytes, 8u << 20);
    memset(spare, 0xA5, bytes); /* contents do not matter */
    find(map, at(0, 0), at(4, 4), 5);
    def.map = map, def.start = at(0, 0), def.classes[0] = 1u << WEND_CLASS_OPEN;
    cr_assert_eq(wend_find_nearest(&def, &hit, 1, &count), WEND_OK);
    cr_assert_eq(count, 1u);
    cr_assert_eq(spare_of(map, &bytes), spare);
    cr_assert_eq(info_of(map).bytes, held);
}

/* Corridors as wide as a chunk, each of which leads back below the last one: a search needs pages for all chunks. */
Test(calls, begin_again_where_a_search_needs_more_memory_than_maps_spare) {
    enum { CHUNKS = 17, SIDE = 64 * CHUNKS };
    OWNED_MAP *map = map_of(SIDE, SIDE, WEND_KIND_GRID);
    size_t bytes, count;
    wend_edit *edit = begin_edit(map);
    for (int32_t y = 63, turn = 0; y < SIDE - 1; y += 64, turn ^= 1) {
        const wend_box wall = {at(turn ? 1 : 0, y), at(turn ? SIDE - 1 : SIDE - 2, y)};
        cr_assert_eq(wend_edit_fill_box(edit, wall, WEND_CLASS_BLOCKED), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    wend_search_def few = default_search();
    few.nodes = 256 * WEND_PAGE_NODES;
    wend_request request = default_request();
    request.map = map, request.start = at(0, 0), request.goal = at(SIDE - 1, SIDE - 1);
    wend_search *search = made_search(&few);
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    cr_assert_eq(wend_search_step(search, WEND_NO_LIMIT, NULL), WEND_STATUS_OUT_OF_NODES, "or this tests nothing");
    wend_search_destroy(search);
    wend_status status;
    cr_assert_eq(wend_find_path(map, request.start, request.goal, NULL, 0, &count, &status), WEND_OK);
    cr_assert_eq(status, WEND_STATUS_FOUND);
    cr_assert_gt(count, (size_t)(SIDE - 64) * CHUNKS);
    cr_assert_not_null(spare_of(map, &bytes));
    cr_assert_leq(bytes, 8u << 20);
    const wend_cell goal = request.goal;
    wend_nearest_def def = default_nearest();
    wend_hit hit;
    def.map = map, def.start = at(0, 0), def.cells = &goal, def.cell_count = 1;
    cr_assert_eq(wend_find_nearest(&def, &hit, 1, &count), WEND_OK);
    cr_assert(count == 1 && hit.cell.x == goal.x && hit.cell.y == goal.y);
}

static void *find_often(void *map) {
    for (int i = 0; i < 500; i++) find(map, at(0, i % 5), at(4, 4 - i % 5), 5);
    return NULL;
}

Test(calls, find_paths_on_several_threads) {
    OWNED_MAP *map = map_of(5, 5, WEND_KIND_GRID);
    pthread_t threads[3];
    size_t bytes;
    for (int i = 0; i < 3; i++) cr_assert_eq(pthread_create(&threads[i], NULL, find_often, map), 0);
    for (int i = 0; i < 3; i++) cr_assert_eq(pthread_join(threads[i], NULL), 0);
    cr_assert_not_null(spare_of(map, &bytes));
}

Test(calls, set_cell_publishes_one_cell) {
    OWNED_MAP *map = map_of(4, 4, WEND_KIND_GRID);
    uint64_t epoch;
    uint8_t class;
    cr_assert_eq(wend_map_get_epoch(map), 0u);
    cr_assert_eq(wend_map_set_cell(map, at(1, 2), 7, &epoch), WEND_OK);
    cr_assert(epoch == 1 && wend_map_get_epoch(map) == 1);
    cr_assert_eq(wend_map_get_terrain(map, at(1, 2), &class), WEND_OK);
    cr_assert_eq(class, 7);
    cr_assert_eq(wend_map_set_cell(map, at(4, 0), 7, &epoch), WEND_OUT_OF_RANGE);
    wend_edit *edit;
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK, "the failed call has left no batch open");
    cr_assert_eq(wend_map_set_cell(map, at(1, 2), 1, &epoch), WEND_IN_USE);
    wend_edit_discard(edit);
    cr_assert_eq(wend_map_get_epoch(map), 1u);
}

static int32_t legal(const wend_map *map, wend_cell from, wend_cell to, uint64_t *cost) {
    bool result = true;
    cr_assert_eq(wend_map_step_legal(map, WEND_MOVER_DEFAULT, from, to, &result, cost), WEND_OK);
    return result;
}

Test(calls, walls_and_links_of_both_directions_in_one_call) {
    OWNED_MAP *map = map_of(6, 6, WEND_KIND_GRID);
    uint64_t cost;
    cr_assert(legal(map, at(1, 1), at(2, 1), &cost) && cost == 10);
    cr_assert(legal(map, at(1, 1), at(2, 2), &cost) && cost == 14);
    cr_assert(!legal(map, at(1, 1), at(3, 1), &cost) && cost == 0);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(set_step_both(edit, at(1, 1), at(2, 1), 0), WEND_OK);
    cr_assert_eq(add_link_both(edit, at(0, 0), at(5, 5), 3), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert(!legal(map, at(1, 1), at(2, 1), NULL) && !legal(map, at(2, 1), at(1, 1), NULL));
    cr_assert(legal(map, at(0, 0), at(5, 5), &cost) && cost == 3);
    cr_assert(legal(map, at(5, 5), at(0, 0), &cost) && cost == 3);
    cr_assert_eq(info_of(map).closed_steps, 2u);
    cr_assert_eq(wend_map_step_legal(map, 1, at(0, 0), at(1, 0), NULL, NULL), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_step_legal(map, 0, at(0, 0), at(6, 0), NULL, NULL), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_map_step_legal(map, 0, at(0, 0), at(1, 0), NULL, NULL), WEND_OK);
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    cr_assert_eq(set_step_both(edit, at(1, 1), at(4, 1), 0), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_BAD_ARGUMENT);
}

Test(calls, null_is_fine_for_what_a_caller_does_not_want) {
    OWNED_MAP *map = map_of(6, 6, WEND_KIND_GRID);
    const wend_cell path[] = {{0, 0, 0}, {1, 1, 0}};
    cr_assert_eq(wend_map_path_cost(map, 0, path, 2, NULL, NULL), WEND_OK);
    cr_assert_eq(wend_map_reachable(map, 0, at(0, 0), at(5, 5), NULL), WEND_OK);
    cr_assert_eq(wend_map_line_of_sight(map, 0, at(0, 0), at(5, 5), NULL, NULL), WEND_OK);
    cr_assert_eq(wend_map_nearest_open(map, 0, at(0, 0), 3, NULL, NULL), WEND_OK);
    wend_map_get_links(map, NULL, 0, NULL);
    wend_map_get_closed_steps(map, NULL, 0, NULL);
}

/* ---- acceleration ---- */

static wend_error accelerate(wend_map *map, int32_t tables, int32_t landmarks, uint64_t max_bytes) {
    wend_acceleration def = default_acceleration();
    def.tables = tables, def.landmarks = landmarks, def.max_bytes = max_bytes;
    return wend_map_accelerate(map, &def);
}

Test(calls, accelerate_makes_and_discards_what_it_is_asked_for) {
    NEEDS_FAST();
    wend_map *map = map_of(200, 100, WEND_KIND_GRID);
    cr_assert_eq(wend_map_accelerate(map, NULL), WEND_OK);
    cr_assert(info_of(map).jumps == 1 && info_of(map).landmarks == 4);
    cr_assert_eq(accelerate(map, 1, 2, WEND_NO_LIMIT), WEND_OK);
    cr_assert(info_of(map).jumps == 1 && info_of(map).landmarks == 2);
    cr_assert_eq(accelerate(map, 0, 0, WEND_NO_LIMIT), WEND_OK);
    cr_assert(info_of(map).jumps == 0 && info_of(map).landmarks == 0);
    cr_assert_eq(accelerate(map, 1, 4, 1000), WEND_OUT_OF_MEMORY);
    cr_assert(info_of(map).jumps == 0 && info_of(map).landmarks == 0, "nothing changed");
    cr_assert_eq(accelerate(map, 1, WEND_MAX_LANDMARKS + 1, WEND_NO_LIMIT), WEND_BAD_ARGUMENT);
    cr_assert_eq(accelerate(map, 1, -1, WEND_NO_LIMIT), WEND_BAD_ARGUMENT);
    wend_acceleration def = default_acceleration();
    def.units = 1;
    cr_assert_eq(wend_map_accelerate(map, &def), WEND_OK, "as with 0");
    wend_acceleration_init(&def, sizeof def);
    def.mover = 1;
    cr_assert_eq(wend_map_accelerate(map, &def), WEND_BAD_ARGUMENT, "no such mover");
    wend_map_release(map);
    map = map_of(20, 10, WEND_KIND_VOXEL);
    cr_assert_eq(wend_map_accelerate(map, NULL), WEND_OK);
    cr_assert(info_of(map).jumps == 0 && info_of(map).landmarks == 4, "landmarks alone");
    cr_assert_eq(accelerate(map, 1, 0, WEND_NO_LIMIT), WEND_UNSUPPORTED);
    cr_assert_eq(info_of(map).landmarks, 4);
    cr_assert_eq(accelerate(map, 0, 0, WEND_NO_LIMIT), WEND_OK, "nothing to discard");
    wend_map_release(map);
}

Test(calls, accelerate_leaves_tables_and_landmarks_for_later) {
    NEEDS_FAST();
    OWNED_MAP *map = map_of(200, 100, WEND_KIND_GRID);
    wend_acceleration def = default_acceleration();
    def.later = 1, def.max_bytes = 200 * 100 * 8 + 8 * 24576 - 1;
    cr_assert_eq(wend_map_accelerate(map, &def), WEND_OUT_OF_MEMORY);
    def.max_bytes++;
    cr_assert_eq(wend_map_accelerate(map, &def), WEND_OK);
    cr_assert(info_of(map).jumps == 0 && info_of(map).landmarks == 0 && info_of(map).landmark_left > 0);
    for (uint64_t left = 1; left > 0;) cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_ALL, 3000, &left), WEND_OK);
    cr_assert(info_of(map).jumps == 1 && info_of(map).landmarks == 4 && info_of(map).landmark_left == 0);
}

Test(calls, a_failed_accelerate_leaves_what_was_asked_for_later) {
    NEEDS_FAST();
    OWNED_MAP *map = map_of(200, 100, WEND_KIND_GRID);
    wend_acceleration def = default_acceleration();
    def.later = 1;
    cr_assert_eq(wend_map_accelerate(map, &def), WEND_OK);
    cr_assert_eq(accelerate(map, 1, 3, 1000), WEND_OUT_OF_MEMORY);
    for (uint64_t left = 1; left > 0;) cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_ALL, 30000, &left), WEND_OK);
    cr_assert(info_of(map).jumps == 1 && info_of(map).landmarks == 4);
}

Test(calls, a_definition_asks_for_acceleration_at_creation) {
    NEEDS_FAST();
    wend_map_def def = default_map();
    wend_acceleration acceleration = default_acceleration();
    def.width = def.height = 100, def.acceleration = &acceleration;
    wend_map *map = made_map(&def);
    cr_assert(info_of(map).jumps == 1 && info_of(map).landmarks == 4);
    wend_map_release(map);
    static const char file[] = "Rows 2\nColumns 3\n1 1 1\n1 0 1\n";
    map = NULL;
    cr_assert_eq(wend_map_parse(file, sizeof file - 1, &def, &map, NULL, NULL), WEND_OK);
    cr_assert_eq(info_of(map).jumps, 1);
    wend_map_release(map);
    map = NULL;
    def.kind = WEND_KIND_VOXEL;
    acceleration.landmarks = 0;
    cr_assert_eq(wend_map_create(&def, &map), WEND_UNSUPPORTED);
    cr_assert_null(map);
}

Test(calls, maintain_prunes_until_nothing_is_left) {
    NEEDS_FAST();
    OWNED_MAP *map = map_of(300, 300, WEND_KIND_GRID);
    cr_assert_eq(accelerate(map, 1, 0, WEND_NO_LIMIT), WEND_OK);
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 0; i < 300 * 300; i++)
        if (is_corridor_wall(i % 300, i / 300, 1))
            cr_assert_eq(wend_edit_set_cell(edit, at(i % 300, i / 300), WEND_CLASS_BLOCKED), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    uint64_t left = info_of(map).jump_unpruned, before;
    cr_assert_gt(left, 1u);
    cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_ALL, 0, &before), WEND_OK);
    cr_assert_eq(before, left * WEND_PRUNE_EFFORT);
    cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_ALL, 1, &left), WEND_OK);
    cr_assert_eq(left, before - WEND_PRUNE_EFFORT, "one chunk at least");
    cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_ALL, WEND_NO_LIMIT, &left), WEND_OK);
    cr_assert(left == 0 && info_of(map).jump_unpruned == 0);
    cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_ALL, 100, NULL), WEND_OK);
}

Test(calls, maintain_does_only_the_work_that_it_is_asked_for) {
    NEEDS_FAST();
    OWNED_MAP *map = map_of(300, 300, WEND_KIND_GRID);
    wend_acceleration def = default_acceleration();
    def.landmarks = 2, def.publish_effort = 1;
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_fill_box(edit, (wend_box){{100, 0, 0}, {100, 298, 0}}, WEND_CLASS_BLOCKED), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(wend_map_accelerate(map, &def), WEND_OK);
    edit = begin_edit(map);
    cr_assert_eq(wend_edit_set_cell(edit, at(100, 0), WEND_CLASS_OPEN), WEND_OK); /* landmarks are dropped */
    for (int32_t i = 0; i < 64 * 65; i++)
        if (is_corridor_wall(i % 64, i / 64, 1))
            cr_assert_eq(wend_edit_set_cell(edit, at(128 + i % 64, 64 + i / 64), WEND_CLASS_BLOCKED), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    const wend_map_info before = info_of(map);
    uint64_t left;
    cr_assert(before.jump_unpruned > 0 && before.landmark_left > 0 && before.landmarks < 2);
    cr_assert_eq(wend_map_maintain(map, 0, 1, NULL), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_ALL + 1, 1, NULL), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_TABLES, WEND_NO_LIMIT, &left), WEND_OK);
    cr_assert(left == 0 && info_of(map).jump_unpruned == before.jump_unpruned);
    cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_PRUNE, WEND_NO_LIMIT, &left), WEND_OK);
    cr_assert(left == 0 && info_of(map).jump_unpruned == 0 && info_of(map).landmarks == before.landmarks);
    cr_assert_eq(info_of(map).landmark_left, before.landmark_left);
    do cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_LANDMARKS, WEND_NO_LIMIT, &left), WEND_OK);
    while (left > 0);
    cr_assert_eq(info_of(map).landmarks, 2);
}

Test(calls, explain_says_why_a_request_is_not_accelerated) {
    NEEDS_FAST();
    OWNED_MAP *map = map_of(300, 300, WEND_KIND_GRID);
    int32_t engine;
    const char *why;
    wend_request request = default_request();
    request.map = map, request.goal = at(299, 200);
    cr_assert_eq(wend_request_explain(&request, &engine, &why), WEND_OK);
    cr_assert_eq(engine, WEND_ENGINE_ASTAR);
    cr_assert(strstr(why, "wend_map_accelerate()"));
    cr_assert_eq(wend_map_accelerate(map, NULL), WEND_OK);
    cr_assert_eq(wend_request_explain(&request, &engine, &why), WEND_OK);
    cr_assert(engine == WEND_ENGINE_JUMP && !why);
    options_of(&request)->heuristic = WEND_HEURISTIC_EUCLID;
    cr_assert_eq(wend_request_explain(&request, NULL, &why), WEND_OK);
    cr_assert(strstr(why, "heuristic"));
    options_of(&request)->heuristic = WEND_HEURISTIC_EXACT, options_of(&request)->weight_milli = 1500;
    cr_assert_eq(wend_request_explain(&request, &engine, &why), WEND_OK);
    cr_assert(engine == WEND_ENGINE_JUMP && !why, "a cheapest path keeps any bound");
    options_of(&request)->weight_milli = 1000, options_of(&request)->engine = WEND_ENGINE_ASTAR;
    cr_assert_eq(wend_request_explain(&request, &engine, &why), WEND_OK);
    cr_assert(engine == WEND_ENGINE_ASTAR && strstr(why, "asks for A*"));
    request.goal = at(300, 0);
    cr_assert_eq(wend_request_explain(&request, NULL, NULL), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_request_explain(NULL, NULL, NULL), WEND_BAD_ARGUMENT);
}
