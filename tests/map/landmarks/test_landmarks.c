/* SPDX-License-Identifier: MIT */
/* Landmarks: their numbers compared with a plain search, what they cost, and who may ask for them. */
#define _POSIX_C_SOURCE 200809L
#include "map/version/version.h"
#include "models/landmarks_model.h"
#include "map/acceleration.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- numbers ---- */

static void make_and_check(int32_t width, int32_t height, uint32_t blocked, uint64_t seed, int32_t count) {
    static const int32_t pairs[4][2] = {{10, 14}, {1000, 1414}, {5, 7}, {3, 5}};
    const wend_map_rules rules = rules_of_costs(pairs[seed % 4][0], pairs[seed % 4][1]);
    world w = world_create(width, height, blocked, seed, &rules);
    cr_assert_eq(wend__map_prepare_landmarks(w.map, count), WEND_OK);
    check_fresh_map(&w.w, w.map, count);
    check_left(&w.w, w.map);
    world_free(&w);
}

Test(landmarks, are_as_far_as_a_plain_search_says_on_small_maps) {
    static const int32_t sizes[][2] = {{1, 1}, {1, 2}, {1, 9}, {40, 1}, {2, 2}, {3, 3}, {64, 1}, {1, 65}, {9, 7}};
    for (uint64_t i = 0; i < 9; i++)
        for (uint32_t blocked = 0; blocked <= 1000; blocked += 200)
            for (uint64_t seed = 0; seed < 8; seed++)
                make_and_check(sizes[i][0], sizes[i][1], blocked, seed * 97 + seed, 1 + (int32_t)(seed % 8));
}

Test(landmarks, are_as_far_as_a_plain_search_says_at_the_rims_of_chunks) {
    for (int32_t side = 63; side <= 65; side++)
        for (uint64_t seed = 0; seed < 4; seed++) make_and_check(side, 63 + (int32_t)(seed % 3), 250, seed, 4);
}

Test(landmarks, are_as_far_as_a_plain_search_says_over_several_chunks) {
    static const uint32_t blocked[] = {0, 20, 200, 330, 380, 1000};
    for (uint64_t i = 0; i < 6; i++) make_and_check(170, 135, blocked[i], i, i % 2 ? 8 : 4);
    make_and_check(1100, 20, 150, 3, 2);
}

Test(landmarks, have_numbers_for_each_component) {
    const char *rows[] = {"..#.....#.", "..#.###.#.", "..#.#.#.##", "###.###.#.",
                          "....#...#.", "#########.", "......#..."};
    world w = world_of_text(rows, 7, 3);
    cr_assert_gt(info_of(w.map).components, 3u);
    world_free(&w);
}

Test(landmarks, are_the_same_under_other_rules_and_on_slow_ground) {
    for (int32_t corners = WEND_CORNERS_NEVER; corners <= WEND_CORNERS_ALWAYS; corners++)
        for (int32_t neighbours = 4; neighbours <= 8; neighbours += 4) {
            wend_map_rules rules;
            wend_map_rules_init(&rules, sizeof rules);
            rules.corners = corners, rules.neighbours = neighbours;
            world w = world_create(90, 70, 250, 7, &rules);
            cr_assert_eq(wend__map_prepare_landmarks(w.map, 4), WEND_OK);
            check_fresh_map(&w.w, w.map, 4);
            world_free(&w);
        }
}

/* ---- walls of closed steps ---- */

/* Some thin walls, closed both ways. */
static void wall_off(world *w, uint32_t count) {
    wend_edit *edit = edit_begin(w->map);
    while (count--) {
        const int32_t x = 1 + (int32_t)draw(&w->seed, (uint32_t)w->w.m.width - 2);
        const int32_t y = 1 + (int32_t)draw(&w->seed, (uint32_t)w->w.m.height - 2), d = (int32_t)draw(&w->seed, 8);
        walled_wall(&w->w, edit, x, y, step_x[d], step_y[d]);
    }
    edit_publish(edit);
}

Test(landmarks, made_where_thin_walls_are_go_round_them) {
    for (uint64_t seed = 1; seed <= 12; seed++) {
        world w = world_create(40, 30, (uint32_t)seed % 3 * 100, seed, NULL);
        wall_off(&w, 20 * (uint32_t)seed);
        cr_assert_eq(wend__map_prepare_landmarks(w.map, 4), WEND_OK);
        check_fresh_map(&w.w, w.map, 4);
        check_left(&w.w, w.map);
        open_all_steps(&w);
        check_left(&w.w, w.map);
        world_free(&w);
    }
}

/* A wall with a door at its far end: what lies behind is far, until the wall is taken down. */
Test(landmarks, made_beside_a_thin_wall_are_mended_when_it_opens) {
    world w = world_create(30, 9, 0, 1, NULL);
    wend_edit *edit = edit_begin(w.map);
    for (int32_t x = 0; x < 29; x++)
        for (int32_t dx = -1; dx <= 1; dx++)
            if (x + dx >= 0) walled_wall(&w.w, edit, x, 3, dx, 1);
    walled_wall(&w.w, edit, 29, 3, -1, 1);
    edit_publish(edit);
    cr_assert_eq(wend__map_prepare_landmarks(w.map, 2), WEND_OK);
    check_fresh_map(&w.w, w.map, 2);
    check_opening(&w, open_steps, NULL);
    world_free(&w);
}

/* Ledges that one can step off but not climb: none is reached from below. */
static double us_with_ledges(int32_t ledges) {
    world w = world_create(512, 512, 0, 3, NULL);
    wend_edit *edit = edit_begin(w.map);
    for (int32_t i = 0; i < ledges; i++)
        for (int d = 0; d < 8; d++)
            walled_set(&w.w, edit, 5 * i + 3 + step_x[d], 9 + step_y[d], -step_x[d], -step_y[d], false);
    edit_publish(edit);
    struct timespec begun, ended;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begun);
    cr_assert_eq(wend__map_prepare_landmarks(w.map, 4), WEND_OK);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
    check_left(&w.w, w.map);
    world_free(&w);
    return (double)(ended.tv_sec - begun.tv_sec) * 1e6 + (double)(ended.tv_nsec - begun.tv_nsec) / 1e3;
}

Test(landmarks, take_no_longer_where_steps_lead_one_way) {
    const double without = us_with_ledges(0), with = us_with_ledges(100); /* it was 100 times as long */
    cr_assert_lt(with, 10 * without, "%.0f us with ledges, %.0f without", with, without);
}

/* ---- limits and memory ---- */

/* An allocator whose memory holds what it is told to hold. */
static void *filled_alloc(void *context, size_t bytes, size_t alignment) {
    void *pointer = malloc(bytes);
    (void)alignment;
    return pointer ? memset(pointer, *(const int *)context, bytes) : NULL;
}

Test(landmarks, are_the_same_whatever_the_memory_held_before) {
    static int fills[2] = {0, 0xFF};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        world w = world_create(40, 30, (uint32_t)seed % 4 * 100, seed, NULL);
        wend__version *made[2];
        wend_map *maps[2];
        for (int i = 0; i < 2; i++) {
            const wend_allocator a = {.context = &fills[i], .alloc = filled_alloc, .free = plain_free};
            maps[i] = map_with(&w.w.m, a, WEND_NO_LIMIT);
            close_some(&w.w, maps[i], seed, 60 * (uint32_t)seed);
            cr_assert_eq(wend__map_prepare_landmarks(maps[i], 4), WEND_OK);
            made[i] = wend__map_acquire(maps[i], false);
        }
        cr_assert_eq(landmarks_sum(made[0]), landmarks_sum(made[1]), "seed %d", (int)seed);
        for (int i = 0; i < 2; i++) {
            wend__map_release(made[i], false);
            wend_map_release(maps[i]);
        }
        world_free(&w);
    }
}

Test(landmarks, are_freed_when_nobody_has_them_any_more) {
    counting c = {0};
    world w = world_create(130, 70, 100, 9, NULL);
    wend_map *map = map_with(&w.w.m, counting_allocator(&c), WEND_NO_LIMIT), *fork;
    const uint64_t bytes = info_of(map).bytes;
    cr_assert_eq(wend__map_prepare_landmarks(map, 4), WEND_OK);
    const uint64_t made = info_of(map).landmark_bytes;
    cr_assert_eq(info_of(map).bytes, bytes + made);
    wend__version *held = wend__map_acquire(map, true);
    cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
    cr_assert_eq(wend__map_prepare_landmarks(map, 0), WEND_OK);
    cr_assert(info_of(map).landmarks == 0 && info_of(fork).landmarks == 4);
    check_fresh(&w.w, held);
    wend__map_release(held, true);
    cr_assert_geq(info_of(map).bytes, bytes + made);
    cr_assert_eq(wend__map_prepare_landmarks(fork, 0), WEND_OK);
    wend_map_release(fork);
    cr_assert_eq(info_of(map).bytes, bytes);
    wend_map_release(map);
    cr_assert(c.bytes == 0 && c.blocks == 0);
    world_free(&w);
}

static wend_error prepare_four(wend_map *map) {
    return wend__map_prepare_landmarks(map, 4);
}

static wend_error prepare_seven(wend_map *map) {
    return wend__map_prepare_landmarks(map, 7);
}

static wend_error prepare_none(wend_map *map) {
    return wend__map_prepare_landmarks(map, 0);
}

static wend_error open_boxes(wend_map *map) {
    wend_edit *edit;
    wend_error error = wend_edit_begin(map, &edit);
    if (error) return error;
    wend_edit_fill_box(edit, box_of(60, 60, 70, 66), OPEN);
    wend_edit_fill_box(edit, box_of(3, 5, 90, 40), OPEN);
    return wend_edit_publish(edit, NULL);
}

static uint64_t map_sum(wend_map *map) {
    wend__version *v = wend__map_acquire(map, false);
    const uint64_t sum = landmarks_sum(v) + (uint64_t)(uintptr_t)v;
    wend__map_release(v, false);
    return sum;
}

Test(landmarks, are_unchanged_whichever_allocation_fails) {
    counting c = {0};
    world w = world_create(130, 70, 300, 5, NULL);
    wend_map *map = map_with(&w.w.m, counting_allocator(&c), WEND_NO_LIMIT);
    fail_everywhere(map, &c, prepare_four, map_sum);
    check_fresh_map(&w.w, map, 4);
    fail_everywhere(map, &c, open_boxes, map_sum);
    fail_everywhere(map, &c, prepare_seven, map_sum);
    cr_assert_eq(info_of(map).landmarks, 7);
    fail_everywhere(map, &c, prepare_none, map_sum);
    cr_assert_eq(info_of(map).landmarks, 0);
    wend_map_release(map);
    cr_assert(c.bytes == 0 && c.blocks == 0);
    world_free(&w);
}

Test(landmarks, are_refused_where_the_limit_of_bytes_is_met) {
    counting c = {0};
    world w = world_create(130, 70, 300, 5, NULL);
    wend_map *map = map_with(&w.w.m, counting_allocator(&c), WEND_NO_LIMIT);
    cr_assert_eq(prepare_four(map), WEND_OK);
    const uint64_t peak = info_of(map).bytes_peak;
    wend_map_release(map);
    for (uint64_t less = 0; less < 2; less++) {
        map = map_with(&w.w.m, counting_allocator(&c), peak - less);
        const uint64_t bytes = info_of(map).bytes;
        cr_assert_eq(prepare_four(map), less ? WEND_OUT_OF_MEMORY : WEND_OK);
        cr_assert_eq(info_of(map).landmarks, less ? 0 : 4);
        if (less) cr_assert_eq(info_of(map).bytes, bytes);
        wend_map_release(map);
    }
    cr_assert_eq(c.bytes, 0u);
    world_free(&w);
}

/* ---- who may ask ---- */

Test(landmarks, are_as_many_as_were_asked_for_or_none) {
    static const int32_t wrong[] = {-1, 9, INT32_MIN, INT32_MAX};
    world w = world_create(70, 30, 200, 3, NULL);
    cr_assert_eq(wend__map_prepare_landmarks(w.map, 2), WEND_OK);
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(wend__map_prepare_landmarks(w.map, wrong[i]), WEND_BAD_ARGUMENT);
        check_fresh_map(&w.w, w.map, 2);
    }
    for (int32_t count = 8; count >= 1; count -= 7) {
        cr_assert_eq(wend__map_prepare_landmarks(w.map, count), WEND_OK);
        check_fresh_map(&w.w, w.map, count);
    }
    cr_assert_eq(wend__map_prepare_landmarks(w.map, 0), WEND_OK);
    cr_assert_eq(info_of(w.map).landmarks, 0);
    world_free(&w);
}

Test(landmarks, are_refused_on_voxels_and_graphs) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    wend_graph_def graph;
    wend_graph_def_init(&graph, sizeof graph);
    wend_map *maps[2];
    def.kind = WEND_KIND_VOXEL, def.width = def.height = def.depth = 20;
    graph.node_count = 5;
    cr_assert_eq(wend_map_create(&def, &maps[0]), WEND_OK);
    cr_assert_eq(wend_graph_create(&graph, &maps[1]), WEND_OK);
    for (int i = 0; i < 2; i++) {
        const uint64_t serial = wend__map_serial(maps[i]);
        cr_assert_eq(wend__map_prepare_landmarks(maps[i], 4), WEND_UNSUPPORTED);
        cr_assert_eq(wend__map_serial(maps[i]), serial);
        cr_assert_eq(info_of(maps[i]).landmarks, 0);
        wend_map_release(maps[i]);
    }
}

static wend_error corridor(int32_t length, int32_t straight, int32_t diagonal) {
    const wend_map_rules rules = rules_of_costs(straight, diagonal);
    world w = world_create(length, 1, 0, 1, &rules);
    const uint64_t serial = wend__map_serial(w.map), bytes = info_of(w.map).bytes;
    const wend_error error = wend__map_prepare_landmarks(w.map, 2);
    cr_assert_eq(info_of(w.map).landmarks, error ? 0 : 2);
    if (error) cr_assert(wend__map_serial(w.map) == serial && info_of(w.map).bytes == bytes);
    if (!error) check_fresh_map(&w.w, w.map, 2);
    world_free(&w);
    return error;
}

/* 2^27 is 256 steps of 2^19, and 2^27 - 1 is 511 steps of 262,657. */
Test(landmarks, are_refused_where_a_way_is_too_long) {
    cr_assert_eq(corridor(256, 1 << 19, (1 << 19) + 1), WEND_OK);
    cr_assert_eq(corridor(257, 1 << 19, (1 << 19) + 1), WEND_UNSUPPORTED);
    cr_assert_eq(corridor(512, 262657, 262658), WEND_OK);
    cr_assert_eq(corridor(513, 262657, 262658), WEND_UNSUPPORTED);
    cr_assert_eq(corridor(2000, 500000, 750000), WEND_OK); /* units of 250,000 */
}

Test(landmarks, are_refused_where_diagonal_steps_cost_as_much_as_one_or_two) {
    cr_assert_eq(corridor(10, 10, 10), WEND_UNSUPPORTED);
    cr_assert_eq(corridor(10, 10, 20), WEND_UNSUPPORTED);
    cr_assert_eq(corridor(10, 10, 11), WEND_OK);
    cr_assert_eq(corridor(10, 10, 19), WEND_OK);
}

/* The way is too long from the landmark, though not from the component's first cell. */
Test(landmarks, are_refused_where_a_way_is_too_long_from_a_landmark_only) {
    const wend_map_rules rules = rules_of_costs(1 << 19, (1 << 19) + 1);
    world w = world_create(400, 2, 0, 1, &rules);
    wend_edit *edit = edit_begin(w.map);
    for (int32_t x = 0; x < 400; x++)
        if (x != 200) set_cell(&w, edit, x, 0, WALL);
    edit_publish(edit);
    cr_assert_eq(wend__map_prepare_landmarks(w.map, 1), WEND_UNSUPPORTED);
    cr_assert_eq(info_of(w.map).landmarks, 0);
    edit = edit_begin(w.map);
    set_cell(&w, edit, 201, 1, WALL);
    edit_publish(edit);
    cr_assert_eq(wend__map_prepare_landmarks(w.map, 1), WEND_OK);
    check_fresh_map(&w.w, w.map, 1);
    world_free(&w);
}

/* 1,024 blocks would do, but for the memory. */
Test(landmarks, are_refused_above_1024_blocks) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    wend_map *map;
    def.max_bytes = UINT64_C(64) << 20;
    def.width = 65536;
    for (int32_t blocks = 16; blocks <= 17; blocks++) {
        def.height = blocks == 16 ? 16384 : 16385;
        cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
        cr_assert_eq(wend__map_prepare_landmarks(map, 1), blocks == 16 ? WEND_OUT_OF_MEMORY : WEND_UNSUPPORTED);
        cr_assert_eq(wend__map_prepare_landmarks(map, 0), WEND_OK);
        wend_map_release(map);
    }
}
