/* SPDX-License-Identifier: MIT */
/* Landmarks mended: how far the effort goes, what islands get, and what mended numbers take of memory. */
#define _POSIX_C_SOURCE 200809L
#include "map/landmarks/landmark_tables.h"
#include "map/version/version.h"
#include "models/landmarks_model.h"
#include "map/acceleration.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <time.h>

enum { WIDTH = 150, HEIGHT = 41, COUNT = 4, ALL = (1 << COUNT) - 1, KEPT = 20, NONE = WEND__LANDMARK_NONE };

/* ---- worlds ---- */

/* Corridors one above the other, joined at one end and the other by turns. */
static world winding(int32_t width, int32_t height, int32_t landmarks) {
    world w = world_create(width, height, 0, 1, NULL);
    wend_edit *edit = edit_begin(w.map);
    for (int32_t y = 1; y < height; y += 2)
        for (int32_t x = 0; x < width; x++)
            if (x != (y % 4 == 1 ? width - 1 : 0)) set_cell(&w, edit, x, y, WALL);
    edit_publish(edit);
    if (landmarks) cr_assert_eq(wend__map_prepare_landmarks(w.map, landmarks), WEND_OK);
    return w;
}

static uint32_t standing_of(wend_map *map) {
    wend__version *v = wend__map_acquire(map, false);
    const uint32_t standing = v->landmarks ? v->landmarks->valid : 0;
    wend__map_release(v, false);
    return standing;
}

static uint32_t number_at(wend_map *map, int32_t x, int32_t y, uint32_t landmark) {
    wend__version *v = wend__map_acquire(map, false);
    const uint32_t number = wend__landmark_numbers(v->landmarks, x, y)[landmark];
    wend__map_release(v, false);
    return number;
}

/* Publish, and hold what is left of the landmarks against those from before. True: they were mended. */
static bool publish_and_check(world *w, wend_edit *edit) {
    wend__version *before = wend__map_acquire(w->map, false);
    edit_publish(edit);
    wend__version *now = wend__map_acquire(w->map, false);
    const bool mended = now->landmarks && now->landmarks != before->landmarks;
    if (mended) check_mended(&w->w, before->landmarks, now->landmarks);
    check_left(&w->w, w->map);
    wend__map_release(now, false);
    wend__map_release(before, false);
    return mended;
}

static bool open_and_check(world *w, int32_t x, int32_t y) {
    wend_edit *edit = edit_begin(w->map);
    set_cell(w, edit, x, y, OPEN);
    return publish_and_check(w, edit);
}

static wend_cell any_cell(world *w) {
    const int32_t x = (int32_t)draw(&w->seed, (uint32_t)w->w.m.width);
    return at(x, (int32_t)draw(&w->seed, (uint32_t)w->w.m.height));
}

static void set_box(world *w, wend_edit *edit, wend_box box, uint8_t class) {
    for (int32_t y = box.min.y; y <= box.max.y; y++)
        for (int32_t x = box.min.x; x <= box.max.x; x++) w->w.m.classes[y * w->w.m.width + x] = class;
    cr_assert_eq(wend_edit_fill_box(edit, box, class), WEND_OK);
}

/* ---- the effort ---- */

/* Gaps in walls between corridors, each closed by a thin wall below it: a step that opens lowers what lies behind, each
   number once, as all steps are straight. */
static const int32_t gaps[][2] = {{40, 21}, {0, 1}, {149, 3}, {75, 39}};

static world with_gaps(int32_t landmarks) {
    world w = winding(WIDTH, HEIGHT, 0);
    wend_edit *edit = edit_begin(w.map);
    for (int i = 0; i < 4; i++) {
        set_cell(&w, edit, gaps[i][0], gaps[i][1], OPEN);
        walled_wall(&w.w, edit, gaps[i][0], gaps[i][1], 0, 1);
    }
    edit_publish(edit);
    cr_assert_eq(wend__map_prepare_landmarks(w.map, landmarks), WEND_OK);
    return w;
}

static bool open_gap(world *w, int gap) {
    const int32_t x = gaps[gap][0], y = gaps[gap][1];
    wend_edit *edit = edit_begin(w->map);
    walled_set(&w->w, edit, x, y, 0, 1, true);
    walled_set(&w->w, edit, x, y + 1, 0, -1, true);
    return publish_and_check(w, edit);
}

/* Of the only landmark: a cell that is lowered counts as one, a strip that is written to as 16. */
static uint32_t effort_for(const world *w, const wend__landmarks *before, const wend__landmarks *now) {
    uint32_t strips = 0;
    for (size_t i = 0; i < now->strip_count; i++) strips += now->strips[i] != before->strips[i];
    return count_lowered(&w->w, before, now, 0) + 16 * strips;
}

/* What a gap takes. */
static uint32_t effort_of(const world *w, int gap) {
    world fork = world_fork(w);
    wend__version *before = wend__map_acquire(fork.map, false);
    wend__map_set_landmark_effort(fork.map, WEND_NO_LIMIT);
    cr_assert(open_gap(&fork, gap));
    wend__version *now = wend__map_acquire(fork.map, false);
    const uint32_t effort = effort_for(w, before->landmarks, now->landmarks);
    wend__map_release(now, false);
    wend__map_release(before, false);
    world_free(&fork);
    return effort;
}

static void check_effort(const world *w, int gap, uint64_t effort, bool stands) {
    world fork = world_fork(w);
    wend__map_set_landmark_effort(fork.map, effort);
    open_gap(&fork, gap);
    const wend_map_info info = info_of(fork.map);
    cr_assert(info.landmarks == stands && (info.landmark_unrepaired == 0) == stands && info.landmark_age == 1);
    world_free(&fork);
}

Test(landmarks, rest_where_the_effort_is_one_too_little) {
    world w = with_gaps(1);
    for (int gap = 0; gap < 4; gap++) {
        const uint32_t effort = effort_of(&w, gap);
        cr_assert_gt(effort, 16u);
        check_effort(&w, gap, effort, true);
        check_effort(&w, gap, effort - 1, false);
    }
    world_free(&w);
}

/* What was spent in one publish does not count in the next. */
Test(landmarks, may_take_the_effort_anew_in_each_publish) {
    world w = with_gaps(1);
    for (int gap = 0; gap < 4; gap++) {
        wend__map_set_landmark_effort(w.map, effort_of(&w, gap));
        cr_assert(open_gap(&w, gap));
        cr_assert_eq(info_of(w.map).landmarks, 1);
    }
    world_free(&w);
}

/* A world some of whose landmarks rest. */
static world with_some_resting(void) {
    world w = with_gaps(COUNT);
    uint32_t standing = 0;
    for (uint64_t effort = 200; standing == 0; effort += 50) {
        world fork = world_fork(&w);
        wend__map_set_landmark_effort(fork.map, effort);
        open_gap(&fork, 0);
        standing = standing_of(fork.map);
        world_free(standing ? &w : &fork);
        if (standing) w = fork;
    }
    cr_assert_neq(standing, (uint32_t)ALL);
    cr_assert_eq(info_of(w.map).landmarks, (int32_t)wend__popcount64(standing));
    cr_assert_gt(info_of(w.map).landmark_unrepaired, 0u);
    return w;
}

/* Asking for them makes all again, also where some rest; and those of a fork rest on. */
Test(landmarks, that_rest_are_made_anew_where_the_host_asks) {
    world w = with_some_resting(), fork = world_fork(&w);
    const uint32_t standing = standing_of(w.map);
    cr_assert_eq(wend__map_prepare_landmarks(w.map, COUNT), WEND_OK);
    check_fresh_map(&w.w, w.map, COUNT);
    check_left(&fork.w, fork.map);
    cr_assert_eq(standing_of(fork.map), standing);
    world_free(&fork);
    world_free(&w);
}

/* By publishes that open nothing, or ways through walls, or shut doors where numbers are to be lowered next. */
static void publish_some(world *w, int how, int publish) {
    wend_edit *edit = edit_begin(w->map);
    const int32_t x = (int32_t)draw(&w->seed, WIDTH), y = (int32_t)draw(&w->seed, HEIGHT / 2) * 2;
    if (how == 1 && publish < 9) set_cell(w, edit, x, y + 1, OPEN);
    if (how == 2 && publish < 40)
        set_box(w, edit, box_of(4 * publish % WIDTH, 20, 4 * publish % WIDTH + 2, 20), publish % 2 ? WALL : OPEN);
    publish_and_check(w, edit);
}

Test(landmarks, that_rest_stand_again_by_later_publishes) {
    for (int how = 0; how < 3; how++) {
        world w = with_some_resting();
        wend__map_set_landmark_effort(w.map, 150);
        int publishes = 0;
        for (; info_of(w.map).landmark_unrepaired > 0; publishes++) {
            publish_some(&w, how, publishes);
            cr_assert_lt(publishes, 2000);
        }
        cr_assert_gt(publishes, 2);
        cr_assert_eq(standing_of(w.map), (uint32_t)ALL);
        world_free(&w);
    }
}

static bool mends_one_version(wend_map *map, uint64_t cells, uint64_t *left) {
    const uint64_t serial = wend__map_serial(map), epoch = map_epoch(map);
    cr_assert_eq(wend__map_mend_landmarks(map, cells, left), WEND_OK);
    cr_assert_eq(map_epoch(map), epoch);
    cr_assert_leq(wend__map_serial(map) - serial, 1u);
    return wend__map_serial(map) != serial;
}

/* Also while a batch is open, which then has them as they are. */
Test(landmarks, are_mended_in_idle_time) {
    world w = with_some_resting();
    const uint64_t age = info_of(w.map).landmark_age;
    uint64_t left = 77;
    int calls = 0;
    cr_assert_not(mends_one_version(w.map, 0, &left));
    cr_assert_eq(left, info_of(w.map).landmark_unrepaired);
    wend__map_set_landmark_effort(w.map, 0);
    wend_edit *edit = edit_begin(w.map);
    set_cell(&w, edit, 50, 2, WALL);
    for (; left > 0; calls++)
        cr_assert(mends_one_version(w.map, 25, calls % 2 && calls > 9 ? NULL : &left) || left == 0);
    cr_assert_gt(calls, 5);
    cr_assert(standing_of(w.map) == ALL && info_of(w.map).landmark_age == age);
    edit_publish(edit);
    cr_assert(standing_of(w.map) == ALL && info_of(w.map).landmark_age == age + 1);
    check_left(&w.w, w.map);
    cr_assert_not(mends_one_version(w.map, WEND_NO_LIMIT, &left));
    cr_assert_not(mends_one_version(w.map, 1, NULL));
    world_free(&w);
}

/* Neither landmarks nor a grid. */
Test(landmarks, need_no_mending_where_there_are_none) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    def.kind = WEND_KIND_VOXEL, def.width = def.height = def.depth = 20;
    wend_map *maps[2] = {map_of_size(20, 20)};
    cr_assert_eq(wend_map_create(&def, &maps[1]), WEND_OK);
    for (int i = 0; i < 2; i++) {
        uint64_t left = 5;
        cr_assert_not(mends_one_version(maps[i], WEND_NO_LIMIT, &left));
        cr_assert_eq(left, 0u);
        wend_map_release(maps[i]);
    }
}

Test(landmarks, effort_is_reported_and_inherited_by_forks) {
    wend_map *map = map_of_size(70, 30), *fork, *second;
    cr_assert_eq(info_of(map).landmark_effort, (uint64_t)WEND_LANDMARK_EFFORT);
    cr_assert_eq(WEND_LANDMARK_EFFORT, 4096);
    cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
    cr_assert_eq(info_of(fork).landmark_effort, (uint64_t)WEND_LANDMARK_EFFORT);
    wend__map_set_landmark_effort(fork, 0);
    wend__map_set_landmark_effort(map, WEND_NO_LIMIT);
    cr_assert_eq(wend_map_fork(fork, &second), WEND_OK);
    cr_assert_eq(info_of(map).landmark_effort, WEND_NO_LIMIT);
    cr_assert_eq(info_of(fork).landmark_effort, 0u);
    cr_assert_eq(info_of(second).landmark_effort, 0u);
    wend__map_set_landmark_effort(fork, 5);
    cr_assert_eq(info_of(second).landmark_effort, 0u);
    wend_map_release(second);
    wend_map_release(fork);
    wend_map_release(map);
}

/* ---- islands ---- */

static void check_island(world *w, int32_t x, int32_t y) {
    for (uint32_t i = 0; i < COUNT; i++) cr_assert_eq(number_at(w->map, x, y, i), NONE);
}

/* A cell that opens amid blocked ones has no step, and those that join it lead nowhere that has numbers. */
Test(landmarks, know_nothing_of_islands_until_these_join_the_rest) {
    static const int32_t cells[][2] = {{70, 20}, {71, 20}, {70, 21}, {71, 21}, {66, 10}, {66, 11}, {67, 11}};
    world w = world_create(WIDTH, HEIGHT, 0, 1, NULL);
    wend_edit *edit = edit_begin(w.map);
    set_box(&w, edit, box_of(20, 5, 120, 35), WALL);
    edit_publish(edit);
    cr_assert_eq(wend__map_prepare_landmarks(w.map, COUNT), WEND_OK);
    wend__map_set_landmark_effort(w.map, 0); /* nothing is lowered */
    for (int i = 0; i < 7; i++) {
        cr_assert_not(open_and_check(&w, cells[i][0], cells[i][1]));
        check_island(&w, cells[i][0], cells[i][1]);
    }
    edit = edit_begin(w.map);
    set_box(&w, edit, box_of(66, 12, 66, 20), OPEN);
    set_box(&w, edit, box_of(67, 20, 69, 20), OPEN);
    cr_assert_not(publish_and_check(&w, edit)); /* two islands are one */
    check_island(&w, 66, 20);
    cr_assert_eq(info_of(w.map).landmarks, COUNT);
    wend__map_set_landmark_effort(w.map, WEND_LANDMARK_EFFORT);
    edit = edit_begin(w.map);
    set_box(&w, edit, box_of(66, 5, 66, 9), OPEN);
    cr_assert(publish_and_check(&w, edit));
    cr_assert_eq(info_of(w.map).landmarks, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        cr_assert_eq(number_at(w.map, 66, 20, i), number_at(w.map, 66, 4, i) + 16 * 5); /* costs 10 and 14 */
        for (int c = 0; c < 7; c++) cr_assert_neq(number_at(w.map, cells[c][0], cells[c][1], i), NONE);
    }
    check_island(&w, 40, 20); /* still blocked */
    world_free(&w);
}

/* Numbers of two components count from landmarks of their own: those of one are lowered by the other's, or those by
   these. */
Test(landmarks, of_two_components_fit_each_other_when_these_join) {
    const char *rows[] = {"....#....", ".##.#.##.", ".#..#..#.", ".##.#.##.", "....#...."};
    static const int32_t doors[][2] = {{4, 2}, {4, 0}, {4, 4}, {4, 3}};
    world w = world_of_text(rows, 5, COUNT);
    for (int i = 0; i < 4; i++) check_opening(&w, open_cell, doors[i]);
    for (int i = 0; i < 4; i++) open_and_check(&w, doors[i][0], doors[i][1]);
    cr_assert_eq(info_of(w.map).landmarks, COUNT);
    world_free(&w);
}

/* ---- too far ---- */

/* One that is dropped has no say any more: a step opens that belies its numbers alone. */
static void check_gone(world *w, uint32_t gone) {
    int32_t last = 0;
    while (number_at(w->map, last + 1, 0, gone) != NONE) last++;
    publish_step(w, last, 0, 1, 0, false);
    wend_edit *edit = edit_begin(w->map);
    walled_set(&w->w, edit, last, 0, 1, 0, true);
    cr_assert_not(publish_and_check(w, edit));
}

/* The far part of a corridor opens: a landmark at the near end may be too far from it, one at the wall is not. */
static int32_t left_in_corridor(int32_t straight, int32_t length, int32_t blocked_from) {
    const wend_map_rules rules = rules_of_costs(straight, straight + 1);
    world w = world_create(length, 1, 0, 1, &rules);
    wend_edit *edit = edit_begin(w.map);
    set_box(&w, edit, box_of(blocked_from, 0, length - 1, 0), WALL);
    edit_publish(edit);
    cr_assert_eq(wend__map_prepare_landmarks(w.map, 2), WEND_OK);
    cr_assert_eq(number_at(w.map, 0, 0, 1), 0u);
    cr_assert_eq(number_at(w.map, blocked_from - 1, 0, 0), 0u);
    wend__map_set_landmark_effort(w.map, WEND_NO_LIMIT);
    edit = edit_begin(w.map);
    set_box(&w, edit, box_of(blocked_from, 0, length - 1, 0), OPEN);
    cr_assert(publish_and_check(&w, edit));
    const uint32_t standing = standing_of(w.map);
    cr_assert(standing & 1);
    if (standing & 2) cr_assert_eq(number_at(w.map, length - 1, 0, 1), (uint32_t)(length - 1) * (uint32_t)straight);
    cr_assert_eq(info_of(w.map).landmark_unrepaired, 0u);
    if (!(standing & 2)) check_gone(&w, 1);
    const int32_t left = info_of(w.map).landmarks;
    world_free(&w);
    return left;
}

/* 2^27 is 256 steps of 2^19, and 2^27 - 1 is 511 steps of 262,657. */
Test(landmarks, are_given_up_where_a_way_is_too_long) {
    cr_assert_eq(left_in_corridor(1 << 19, 256, 200), 2);
    cr_assert_eq(left_in_corridor(1 << 19, 257, 200), 1);
    cr_assert_eq(left_in_corridor(1 << 19, 257, 256), 1);
    cr_assert_eq(left_in_corridor(262657, 512, 400), 2);
    cr_assert_eq(left_in_corridor(262657, 513, 400), 1);
}

/* ---- too much at once ---- */

/* A corridor, and so many niches above it, each as wide as a cell: nothing comes nearer when they open. */
static int32_t open_niches(int32_t niches, uint64_t effort, uint64_t *unmended) {
    world w = world_create(2 * niches + 1, 2, 0, 1, NULL);
    wend_edit *edit = edit_begin(w.map);
    set_box(&w, edit, box_of(0, 1, 2 * niches, 1), WALL);
    edit_publish(edit);
    cr_assert_eq(wend__map_prepare_landmarks(w.map, 1), WEND_OK);
    wend__map_set_landmark_effort(w.map, effort);
    edit = edit_begin(w.map);
    for (int32_t i = 0; i < niches; i++) set_cell(&w, edit, 2 * i + 1, 1, OPEN);
    edit_publish(edit);
    check_left(&w.w, w.map);
    const wend_map_info info = info_of(w.map);
    const bool kept = info.landmark_bytes > 0;
    *unmended = info.landmark_unrepaired;
    cr_assert_eq(wend__map_mend_landmarks(w.map, WEND_NO_LIMIT, NULL), WEND_OK);
    cr_assert_eq(info_of(w.map).landmarks, kept);
    world_free(&w);
    return kept;
}

/* Copying the strips that the niches are in, and then so many cells. */
static uint64_t effort_for_niches(int32_t niches, uint64_t cells) {
    return cells ? cells + 16 * (uint64_t)((2 * niches + 64) / 64) : 0;
}

Test(landmarks, are_given_up_where_more_is_to_be_mended_than_is_kept) {
    static const int32_t mended[] = {0, 1, 9000};
    uint64_t unmended;
    cr_assert_eq(WEND_MAX_UNREPAIRED, 8192);
    for (int i = 0; i < 3; i++) {
        const int32_t most = mended[i] + WEND_MAX_UNREPAIRED;
        const uint64_t effort = effort_for_niches(most, (uint64_t)mended[i]);
        cr_assert(open_niches(most, effort, &unmended));
        cr_assert_eq(unmended, (uint64_t)WEND_MAX_UNREPAIRED);
        cr_assert_not(open_niches(most + 1, effort, &unmended));
        cr_assert_eq(unmended, 0u);
    }
    cr_assert(open_niches(30000, effort_for_niches(30000, 30000), &unmended));
    cr_assert_eq(unmended, 0u);
    cr_assert(open_niches(30000, WEND_NO_LIMIT, &unmended));
}

/* A map is walled up and opened again, which changes no number: but all of it is looked at. */
static int32_t left_when_opened(int32_t width, int32_t height, uint64_t effort) {
    world w = world_create(width, height, 0, 1, NULL);
    cr_assert_eq(wend__map_prepare_landmarks(w.map, 2), WEND_OK);
    wend__map_set_landmark_effort(w.map, effort);
    for (int i = 0; i < 2; i++) {
        wend_edit *edit = edit_begin(w.map);
        set_box(&w, edit, box_of(0, 0, width - 1, height - 1), i ? OPEN : WALL);
        edit_publish(edit);
    }
    check_left(&w.w, w.map);
    const int32_t left = info_of(w.map).landmarks;
    world_free(&w);
    return left;
}

Test(landmarks, are_given_up_where_steps_are_new_to_too_many_cells) {
    cr_assert_eq(8 * WEND_MAX_UNREPAIRED, 256 * 256);
    cr_assert_eq(left_when_opened(256, 256, 0), 2);
    cr_assert_eq(left_when_opened(331, 198, 0), 0); /* 65,538 cells */
    cr_assert_eq(left_when_opened(331, 198, 2 * WEND_MAX_UNREPAIRED), 2);
    cr_assert_eq(left_when_opened(331, 198, WEND_NO_LIMIT), 2);
}

/* Not even to say where takes long then. */
Test(landmarks, are_given_up_soon_where_far_too_much_opens) {
    world w = world_create(1024, 1024, 400, 1, NULL);
    struct timespec begun, ended;
    cr_assert_eq(wend__map_prepare_landmarks(w.map, 4), WEND_OK);
    double us[2];
    for (int i = 0; i < 2; i++) { /* first without */
        world fork = world_fork(&w);
        if (i == 0) cr_assert_eq(wend__map_prepare_landmarks(fork.map, 0), WEND_OK);
        wend_edit *edit = edit_begin(fork.map);
        cr_assert_eq(wend_edit_fill_box(edit, box_of(100, 100, 899, 899), OPEN), WEND_OK);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begun);
        edit_publish(edit);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
        us[i] = (double)(ended.tv_sec - begun.tv_sec) * 1e6 + (double)(ended.tv_nsec - begun.tv_nsec) / 1e3;
        cr_assert_eq(info_of(fork.map).landmark_bytes, 0u);
        world_free(&fork);
    }
    cr_log_info("%.0f us, without landmarks %.0f", us[1], us[0]);
    cr_assert_lt(us[1], 10 * us[0] + 5000, "%.0f us, without landmarks %.0f", us[1],
                 us[0]); /* it was 200 times as long */
    world_free(&w);
}

/* ---- memory ---- */

/* Of landmarks that nobody holds but the newest version: their strips, and one generation of others, each once. */
static void check_bytes(wend_map *map, const wend_map *bare) {
    wend__version *v = wend__map_acquire(map, false);
    const wend__landmarks *l = v->landmarks;
    const uint64_t strip = (uint64_t)WEND__STRIP_CELLS * l->count * 4;
    const uint64_t table = wend__landmarks_bytes(l) - l->strip_count * strip;
    uint64_t more = 0;
    if (l->parent) {
        more = table;
        for (size_t i = 0; i < (l->strip_count + 63) / 64; i++) more += (uint64_t)wend__popcount64(l->own[i]) * strip;
        cr_assert_null(l->parent->parent);
    }
    for (uint32_t i = 0; i < l->count; i++) {
        more += l->repairs[i].room * sizeof *l->repairs[i].cells;
        if (l->parent) more += l->parent->repairs[i].room * sizeof *l->repairs[i].cells;
    }
    cr_assert_leq(table, sizeof *l + l->strip_count * 9 + 8);
    cr_assert_eq(info_of(map).bytes, info_of(bare).bytes + wend__landmarks_bytes(l) + more);
    wend__map_release(v, false);
}

/* A map of its own allocator in place of a world's. */
static wend_map *map_counted(const world *w, counting *c) {
    return map_with(&w->w.m, counting_allocator(c), WEND_NO_LIMIT);
}

static wend_error toggle_cell(wend_map *map, wend_cell cell, uint8_t class) {
    wend_edit *edit;
    wend_error error = wend_edit_begin(map, &edit);
    if (error) return error;
    wend_edit_set_cell(edit, cell, class);
    return wend_edit_publish(edit, NULL);
}

Test(landmarks, take_a_table_and_what_was_touched_more_however_often_they_are_mended) {
    counting c[2] = {{0}, {0}};
    world w = winding(200, 101, COUNT);
    wend_map *map = map_counted(&w, &c[0]), *bare = map_counted(&w, &c[1]);
    cr_assert_eq(wend__map_prepare_landmarks(map, COUNT), WEND_OK);
    check_bytes(map, bare);
    for (int i = 0; i < 400; i++) {
        const wend_cell cell = any_cell(&w);
        const uint8_t class = draw(&w.seed, 5) ? OPEN : WALL;
        cr_assert_eq(toggle_cell(map, cell, class), WEND_OK);
        cr_assert_eq(toggle_cell(bare, cell, class), WEND_OK);
        check_bytes(map, bare);
    }
    cr_assert_eq(wend__map_prepare_landmarks(map, 0), WEND_OK);
    cr_assert_eq(info_of(map).bytes, info_of(bare).bytes);
    wend_map_release(map);
    wend_map_release(bare);
    cr_assert(c[0].bytes == 0 && c[0].blocks == 0);
    world_free(&w);
}

/* Forks, versions that are held, of them or of the map, and what their landmarks were. */
typedef struct keeper {
    wend_map *maps[KEPT];
    wend__version *versions[KEPT];
    uint64_t sums[KEPT];
} keeper;

static void check_kept(const keeper *k) {
    for (int i = 0; i < KEPT; i++)
        if (k->versions[i]) cr_assert_eq(landmarks_sum(k->versions[i]), k->sums[i], "version %d", i);
}

static void let_version_go(keeper *k, int i) {
    if (k->versions[i]) wend__map_release(k->versions[i], true);
    k->versions[i] = NULL;
}

static void let_go(keeper *k, int i) {
    let_version_go(k, i);
    if (k->maps[i]) wend_map_release(k->maps[i]);
    k->maps[i] = NULL;
}

/* The version is the fork's own first one, or (`map`) the one it was made from. */
static void hold(keeper *k, int i, wend_map *of, bool map) {
    let_go(k, i);
    cr_assert_eq(wend_map_fork(of, &k->maps[i]), WEND_OK);
    k->versions[i] = wend__map_acquire(map ? of : k->maps[i], true);
    k->sums[i] = landmarks_sum(k->versions[i]);
}

/* Of all that is held, as any two hands might: held, mended on, let go. */
static void use_keeper(keeper *k, wend_map *map, world *w, int rounds) {
    for (int round = 0; round < rounds; round++) {
        const int i = (int)draw(&w->seed, KEPT), other = (int)draw(&w->seed, KEPT);
        switch (draw(&w->seed, 6)) {
        case 0: hold(k, i, map, draw(&w->seed, 2)); break;
        case 1:
            if (k->maps[other] && other != i) hold(k, i, k->maps[other], false);
            break;
        case 2: let_go(k, i); break;
        case 3:
            if (k->maps[i]) cr_assert_eq(toggle_cell(k->maps[i], any_cell(w), OPEN), WEND_OK);
            break;
        default: cr_assert_eq(toggle_cell(map, any_cell(w), draw(&w->seed, 4) ? OPEN : WALL), WEND_OK);
        }
        if (round % 8 == 0) check_kept(k);
    }
    check_kept(k);
}

Test(landmarks, of_held_versions_and_forks_stay_as_they_are_while_all_mend_on) {
    for (uint64_t seed = 1; seed <= 4; seed++) {
        counting c[2] = {{0}, {0}};
        world w = winding(WIDTH, HEIGHT, COUNT);
        wend_map *map = map_counted(&w, &c[0]);
        keeper k = {.maps = {NULL}};
        w.seed = seed;
        cr_assert_eq(wend_map_set_max_versions(map, WEND_MAX_VERSIONS), WEND_OK);
        cr_assert_eq(wend__map_prepare_landmarks(map, COUNT), WEND_OK);
        use_keeper(&k, map, &w, 400);
        for (int left = KEPT; left > 0; left--) {
            let_go(&k, (int)(left * 7 + (int)seed) % KEPT);
            check_kept(&k);
        }
        for (int i = 0; i < KEPT; i++) let_go(&k, i);
        /* One who mends absorbs all that nobody else holds any more. */
        for (int32_t y = 1; y < HEIGHT; y += 2) cr_assert_eq(toggle_cell(map, at(30, y), OPEN), WEND_OK);
        cr_assert_eq(info_of(map).landmarks, COUNT);
        for (int32_t i = 0; i < cells_of(&w.w); i++) {
            uint8_t *class = &w.w.m.classes[i];
            cr_assert_eq(wend_map_get_terrain_box(map, box_of(i % WIDTH, i / WIDTH, i % WIDTH, i / WIDTH), class, 1),
                         WEND_OK);
        }
        wend_map *bare = map_counted(&w, &c[1]);
        check_bytes(map, bare);
        check_left(&w.w, map);
        wend_map_release(bare);
        use_keeper(&k, map, &w, 60);
        for (int i = 0; i < KEPT; i++) let_version_go(&k, i);
        wend_map_release(map); /* the forks go last */
        for (int i = 0; i < KEPT; i++) let_go(&k, i);
        cr_assert(c[0].bytes == 0 && c[0].blocks == 0);
        world_free(&w);
    }
}

/* ---- no room ---- */

static wend_error open_one(wend_map *map) {
    return toggle_cell(map, at(40, 21), OPEN);
}

static wend_error open_another(wend_map *map) {
    return toggle_cell(map, at(90, 11), OPEN);
}

/* More steps than a list begins with room for, and more cells waiting than a queue does. */
static wend_error open_most(wend_map *map) {
    wend_edit *edit;
    wend_error error = wend_edit_begin(map, &edit);
    if (error) return error;
    wend_edit_fill_box(edit, box_of(1, 1, WIDTH - 2, HEIGHT - 2), OPEN);
    return wend_edit_publish(edit, NULL);
}

static uint64_t map_sum(wend_map *map) {
    wend__version *v = wend__map_acquire(map, false);
    const uint64_t sum = landmarks_sum(v) * 31 + v->landmarks->valid;
    wend__map_release(v, false);
    return sum;
}

/* As fail_everywhere(), where landmarks have a parent: a publish absorbs it even if it fails then, and frees bytes. */
static void fail_mending(wend_map *map, counting *c, int32_t (*act)(wend_map *map)) {
    const wend_map_info before = info_of(map);
    const uint64_t sum = map_sum(map);
    wend_error error = WEND_OUT_OF_MEMORY;
    for (size_t n = 1; error; n++) {
        c->calls = 0, c->fail_at = n;
        error = act(map);
        c->fail_at = 0;
        const wend_map_info now = info_of(map);
        cr_assert_eq(c->bytes, now.bytes);
        if (!error) break;
        cr_assert_eq(error, WEND_OUT_OF_MEMORY);
        cr_assert(now.bytes <= before.bytes && now.epoch == before.epoch && now.landmark_age == before.landmark_age);
        cr_assert_eq(map_sum(map), sum);
    }
}

Test(landmarks, are_unchanged_whichever_allocation_fails_while_they_are_mended) {
    static int32_t (*const acts[])(wend_map *) = {open_one, open_another, open_most};
    world w = winding(WIDTH, HEIGHT, COUNT);
    for (int i = 0; i < 3; i++) {
        counting c = {0};
        wend_map *map = map_counted(&w, &c);
        cr_assert_eq(wend__map_prepare_landmarks(map, COUNT), WEND_OK);
        wend__map_set_landmark_effort(map, WEND_NO_LIMIT);
        fail_everywhere(map, &c, acts[i], map_sum);
        cr_assert(info_of(map).landmarks == COUNT && info_of(map).landmark_age == 1);
        fail_mending(map, &c, acts[(i + 1) % 3]);
        fail_mending(map, &c, acts[(i + 2) % 3]);
        cr_assert_eq(info_of(map).landmarks, COUNT);
        wend_map_release(map);
        cr_assert(c.bytes == 0 && c.blocks == 0);
    }
    world_free(&w);
}

/* The limit can only be told once it is known what a publish takes: so it is written where the map keeps it. */
static wend_error open_within(const world *w, int32_t (*act)(wend_map *map), uint64_t more, uint64_t *taken) {
    counting c = {0};
    wend_map *map = map_counted(w, &c);
    cr_assert_eq(wend__map_prepare_landmarks(map, COUNT), WEND_OK);
    wend__map_set_landmark_effort(map, WEND_NO_LIMIT);
    const uint64_t sum = map_sum(map), bytes = info_of(map).bytes;
    map->family->bytes_peak = bytes;
    if (more != WEND_NO_LIMIT) map->family->max_bytes = bytes + more;
    const wend_error error = act(map);
    if (error) cr_assert(map_sum(map) == sum && info_of(map).bytes == bytes && info_of(map).landmark_age == 0);
    if (!error) cr_assert(info_of(map).landmarks == COUNT && info_of(map).landmark_age == 1);
    *taken = info_of(map).bytes_peak - bytes;
    wend_map_release(map);
    cr_assert_eq(c.bytes, 0u);
    return error;
}

Test(landmarks, are_mended_at_the_limit_of_bytes_and_not_one_byte_below) {
    static int32_t (*const acts[])(wend_map *) = {open_one, open_most};
    world w = winding(WIDTH, HEIGHT, COUNT);
    for (int i = 0; i < 2; i++) {
        uint64_t takes, taken;
        cr_assert_eq(open_within(&w, acts[i], WEND_NO_LIMIT, &takes), WEND_OK);
        cr_assert_eq(open_within(&w, acts[i], takes, &taken), WEND_OK);
        cr_assert_eq(taken, takes);
        cr_assert_eq(open_within(&w, acts[i], takes - 1, &taken), WEND_OUT_OF_MEMORY);
    }
    world_free(&w);
}

/* ---- steps closed one way ---- */

/* Cells and steps open and none closes: in the end it is as if all had opened at once. */
Test(landmarks, mended_while_steps_lead_one_way_fit_when_these_open) {
    for (uint64_t seed = 1; seed <= 30; seed++) {
        world w = world_create(40, 30, 200 + 10 * (uint32_t)seed, seed, NULL);
        close_some(&w.w, w.map, seed, 10 * (uint32_t)seed);
        cr_assert_eq(wend__map_prepare_landmarks(w.map, COUNT), WEND_OK);
        wend__version *before = wend__map_acquire(w.map, false);
        for (int i = 0; i < 12; i++) {
            wend_edit *edit = edit_begin(w.map);
            for (int n = 0; n < 6; n++) {
                const wend_cell c = any_cell(&w);
                set_cell(&w, edit, c.x, c.y, OPEN);
                const uint32_t d = draw(&w.seed, 8);
                if (walled_closed(&w.w, c.x, c.y, step_x[d], step_y[d]))
                    walled_set(&w.w, edit, c.x, c.y, step_x[d], step_y[d], true);
            }
            edit_publish(edit);
            check_left(&w.w, w.map);
        }
        open_all_steps(&w);
        check_left(&w.w, w.map);
        cr_assert_eq(info_of(w.map).landmarks, COUNT);
        wend__version *now = wend__map_acquire(w.map, false);
        check_mended(&w.w, before->landmarks, now->landmarks);
        wend__map_release(now, false);
        wend__map_release(before, false);
        world_free(&w);
    }
}

/* Where steps open and no cell does numbers may be wrong by less than a step costs. */
Test(landmarks, are_mended_where_a_step_makes_them_wrong_by_a_little) {
    static const int32_t pairs[4][2] = {{10, 14}, {10, 17}, {10, 19}, {10, 11}};
    for (uint64_t seed = 1; seed <= 40; seed++) {
        const wend_map_rules rules = rules_of_costs(pairs[seed % 4][0], pairs[seed % 4][1]);
        world w = world_create(30, 20, 10 * (uint32_t)seed, seed, &rules);
        wend_edit *edit = edit_begin(w.map);
        for (uint64_t i = 0; i < seed; i++) {
            const wend_cell c = at(1 + (int32_t)draw(&w.seed, 28), 1 + (int32_t)draw(&w.seed, 18));
            const uint32_t d = draw(&w.seed, 8);
            walled_wall(&w.w, edit, c.x, c.y, step_x[d], step_y[d]);
        }
        edit_publish(edit);
        cr_assert_eq(wend__map_prepare_landmarks(w.map, COUNT), WEND_OK);
        check_opening(&w, open_steps, NULL);
        world_free(&w);
    }
}

/* A door that leads one way, be it in or out: what lies behind it is as near both ways. */
Test(landmarks, are_lowered_both_ways_where_a_step_leads_one_way) {
    for (int32_t down = 0; down < 2; down++) {
        world w = winding(30, 9, 2);
        for (int32_t y = 3; y <= 5; y += 2) {
            publish_step(&w, 10, y - 1, 0, 1, false);
            publish_step(&w, 10, y, 0, 1, false);
            publish_step(&w, 10, y + 1, 0, -1, false);
            publish_step(&w, 10, y, 0, -1, false);
        }
        wend__version *before = wend__map_acquire(w.map, false);
        open_and_check(&w, 10, 3);
        open_and_check(&w, 10, 5);
        for (int32_t y = 3; y <= 5; y += 2) {
            publish_step(&w, 10, y - down, 0, down ? 1 : -1, true);
            publish_step(&w, 10, y + 1 - down, 0, down ? 1 : -1, true);
        }
        cr_assert_eq(info_of(w.map).closed_steps, 4u);
        open_all_steps(&w);
        wend__version *now = wend__map_acquire(w.map, false);
        cr_assert_eq(now->landmarks->valid, 3u);
        check_mended(&w.w, before->landmarks, now->landmarks);
        wend__map_release(now, false);
        wend__map_release(before, false);
        world_free(&w);
    }
}

/* Numbers go on across a step that leads one way, whichever: as if it led both. */
Test(landmarks, are_lowered_past_steps_that_lead_one_way) {
    for (int32_t back = 0; back < 2; back++) {
        world w = with_gaps(COUNT);
        walled both = walled_copy(&w.w);
        for (int32_t y = 2; y < HEIGHT; y += 4) {
            publish_step(&w, 60 + back, y, back ? -1 : 1, 0, false);
            publish_step(&w, 90 - back, y + 2, back ? 1 : -1, 0, false);
        }
        wend__version *before = wend__map_acquire(w.map, false);
        for (int gap = 0; gap < 4; gap++) {
            const int32_t x = gaps[gap][0], y = gaps[gap][1];
            wend_edit *edit = edit_begin(w.map);
            walled_set(&w.w, edit, x, y, 0, 1, true);
            walled_set(&w.w, edit, x, y + 1, 0, -1, true);
            edit_publish(edit);
            walled_set(&both, NULL, x, y, 0, 1, true);
            walled_set(&both, NULL, x, y + 1, 0, -1, true);
        }
        wend__version *now = wend__map_acquire(w.map, false);
        cr_assert_eq(now->landmarks->valid, (uint32_t)ALL);
        check_mended(&both, before->landmarks, now->landmarks);
        wend__map_release(now, false);
        wend__map_release(before, false);
        walled_free(&both);
        world_free(&w);
    }
}

/* ---- many at once ---- */

static void open_all(world *w, const void *what) {
    wend_edit *edit = edit_begin(w->map);
    (void)what;
    set_box(w, edit, box_of(0, 0, w->w.m.width - 1, w->w.m.height - 1), OPEN);
    edit_publish(edit);
}

Test(landmarks, are_mended_where_thousands_of_cells_open_at_once) {
    for (uint32_t blocked = 100; blocked <= 900; blocked += 400) {
        world w = world_create(130, 70, blocked, blocked, NULL);
        cr_assert_eq(wend__map_prepare_landmarks(w.map, COUNT), WEND_OK);
        wend__map_set_landmark_effort(w.map, WEND_NO_LIMIT);
        wend__version *before = wend__map_acquire(w.map, false);
        open_all(&w, NULL);
        wend__version *now = wend__map_acquire(w.map, false);
        cr_assert_eq(now->landmarks->valid, (uint32_t)ALL);
        check_mended(&w.w, before->landmarks, now->landmarks);
        check_left(&w.w, w.map);
        wend__map_release(now, false);
        wend__map_release(before, false);
        world_free(&w);
    }
}

/* What was open is so again; what was not has numbers now. */
Test(landmarks, outlive_a_map_that_is_walled_up_and_opened_again) {
    world w = winding(WIDTH, HEIGHT, COUNT);
    walled was = walled_copy(&w.w);
    wend__version *before = wend__map_acquire(w.map, false);
    wend_edit *edit = edit_begin(w.map);
    set_box(&w, edit, box_of(0, 0, WIDTH - 1, HEIGHT - 1), WALL);
    cr_assert_not(publish_and_check(&w, edit));
    edit = edit_begin(w.map);
    for (int32_t i = 0; i < cells_of(&w.w); i++) set_cell(&w, edit, i % WIDTH, i / WIDTH, was.m.classes[i]);
    cr_assert_not(publish_and_check(&w, edit));
    edit = edit_begin(w.map);
    set_box(&w, edit, box_of(0, 0, WIDTH - 1, HEIGHT - 1), WALL);
    cr_assert_not(publish_and_check(&w, edit));
    wend__map_set_landmark_effort(w.map, WEND_NO_LIMIT);
    open_all(&w, NULL);
    check_left(&w.w, w.map);
    wend__version *now = wend__map_acquire(w.map, false);
    cr_assert(now->landmarks_age == 4 && now->landmarks->valid == (uint32_t)ALL);
    check_mended(&w.w, before->landmarks, now->landmarks);
    wend__map_release(now, false);
    wend__map_release(before, false);
    walled_free(&was);
    world_free(&w);
}
