/* SPDX-License-Identifier: MIT */
/* What edits leave of landmarks, against every step that terrain and closed steps allow; and which edits take them. */
#include "map/version/version.h"
#include "models/landmarks_model.h"
#include "map/acceleration.h"

#include <criterion/criterion.h>

enum { STEPS_KEPT = 64 };

/* ---- after edits ---- */

typedef enum change { OPENS, CLOSES, BOTH } change;

static wend_cell any_cell(world *w) {
    const int32_t x = (int32_t)draw(&w->seed, (uint32_t)w->w.m.width);
    return at(x, (int32_t)draw(&w->seed, (uint32_t)w->w.m.height));
}

static change fill_box(world *w, wend_edit *edit, int32_t most_x, int32_t most_y, uint8_t class) {
    const wend_cell a = any_cell(w);
    const int32_t x1 = a.x + (int32_t)draw(&w->seed, (uint32_t)most_x),
                  y1 = a.y + (int32_t)draw(&w->seed, (uint32_t)most_y);
    const int32_t width = w->w.m.width, height = w->w.m.height;
    const wend_box box = box_of(a.x, a.y, x1 < width ? x1 : width - 1, y1 < height ? y1 : height - 1);
    for (int32_t y = box.min.y; y <= box.max.y; y++)
        for (int32_t x = box.min.x; x <= box.max.x; x++) w->w.m.classes[y * width + x] = class;
    cr_assert_eq(wend_edit_fill_box(edit, box, class), WEND_OK);
    return class == WALL ? CLOSES : OPENS;
}

static change flip_cells(world *w, wend_edit *edit, uint32_t count) {
    change all = CLOSES;
    while (count--) {
        const wend_cell c = any_cell(w);
        const bool open = w->w.m.classes[c.y * w->w.m.width + c.x] == WALL;
        set_cell(w, edit, c.x, c.y, open ? OPEN : WALL);
        if (open) all = BOTH;
    }
    return all;
}

static change set_steps(world *w, wend_edit *edit, bool open) {
    static wend_step closed[STEPS_KEPT];
    size_t count = 0;
    if (open) wend_map_get_closed_steps(w->map, closed, STEPS_KEPT, &count);
    for (size_t i = 0; i < count && i < STEPS_KEPT; i++) {
        const wend_cell from = closed[i].from, to = closed[i].to;
        const int32_t dx = to.x - from.x, dy = to.y - from.y;
        if (w->w.m.rules.neighbours == 4 && dx && dy) continue;
        if (draw(&w->seed, 3)) walled_set(&w->w, edit, from.x, from.y, dx, dy, true);
    }
    for (uint32_t n = open ? 0 : 1 + draw(&w->seed, 20); n > 0; n--) {
        const wend_cell c = any_cell(w);
        const uint32_t d = draw(&w->seed, (uint32_t)w->w.m.rules.neighbours);
        if ((uint32_t)(c.x + step_x[d]) >= (uint32_t)w->w.m.width) continue;
        if ((uint32_t)(c.y + step_y[d]) >= (uint32_t)w->w.m.height) continue;
        if (draw(&w->seed, 2))
            walled_wall(&w->w, edit, c.x, c.y, step_x[d], step_y[d]);
        else
            walled_set(&w->w, edit, c.x, c.y, step_x[d], step_y[d], false);
    }
    return open ? OPENS : CLOSES;
}

static change publish_change(world *w, bool steps) {
    wend_edit *edit = edit_begin(w->map);
    const uint32_t roll = draw(&w->seed, steps ? 24 : 16);
    change did = BOTH;
    if (roll < 8)
        did = flip_cells(w, edit, roll < 6 ? 1 : 1 + draw(&w->seed, 12));
    else if (roll < 11)
        did = fill_box(w, edit, 8, 8, draw(&w->seed, 3) ? OPEN : WALL);
    else if (roll < 13)
        did = fill_box(w, edit, roll == 11 ? 30 : 1, roll == 11 ? 1 : 30, OPEN); /* dig */
    else if (roll < 15)
        did = fill_box(w, edit, roll == 13 ? 90 : 2, roll == 13 ? 2 : 90, WALL);
    else if (roll < 16)
        did = fill_box(w, edit, 100, 100, draw(&w->seed, 2) ? OPEN : WALL);
    else
        did = set_steps(w, edit, roll < 20);
    edit_publish(edit);
    return did;
}

/* Other factors, corners, neighbours. */
static change change_rules(world *w) {
    wend_map_rules *rules = &w->w.m.rules;
    const uint32_t roll = draw(&w->seed, 4);
    if (roll == 0) rules->neighbours = rules->neighbours == 8 ? 4 : 8;
    if (roll == 1) rules->corners = (rules->corners + 1) % 3;
    if (roll >= 2) rules->factors[MUD] = (uint8_t)(rules->factors[MUD] ? 0 : 7);
    cr_assert_eq(wend_map_set_rules(w->map, rules), WEND_OK);
    return roll >= 2 && !rules->factors[MUD] ? CLOSES : BOTH;
}

/* Other costs and back: none is left, and none comes back. */
static void change_costs(world *w) {
    const wend_map_rules before = w->w.m.rules, other = rules_of_costs(1000, 1414);
    w->w.m.rules.cost_straight = other.cost_straight, w->w.m.rules.cost_diagonal = other.cost_diagonal;
    w->w.m.rules.cost_space = other.cost_space;
    cr_assert_eq(wend_map_set_rules(w->map, &w->w.m.rules), WEND_OK);
    cr_assert_eq(info_of(w->map).landmarks, 0);
    w->w.m.rules = before;
    cr_assert_eq(wend_map_set_rules(w->map, &w->w.m.rules), WEND_OK);
    cr_assert_eq(info_of(w->map).landmarks, 0);
}

static uint32_t standing(const wend__version *v) {
    return v->landmarks ? v->landmarks->valid : 0;
}

static uint32_t resting(const wend__version *v) {
    return v->landmarks ? wend__landmarks_in_repair(v->landmarks) : 0;
}

/* Numbers are lowered where steps belie them, or landmarks rest; else they stay where they are. */
static void check_change(world *w, const wend__version *before, const wend__version *now, bool steps) {
    cr_assert_eq(standing(now) | resting(now), standing(before) | resting(before));
    if (now->landmarks == before->landmarks) return;
    if (now->landmarks && !steps) check_mended(&w->w, before->landmarks, now->landmarks);
    w->rested += (standing(before) & resting(now)) != 0;
    w->mended += standing(now) != 0;
    w->risen += (resting(before) & standing(now)) != 0;
}

static void mend(world *w, bool steps) {
    wend__version *before = wend__map_acquire(w->map, false);
    uint64_t left;
    cr_assert_eq(wend__map_mend_landmarks(w->map, 1 + draw(&w->seed, 300), &left), WEND_OK);
    wend__version *now = wend__map_acquire(w->map, false);
    cr_assert_eq(now->landmarks == before->landmarks, resting(before) == 0);
    cr_assert_eq(left == 0, resting(now) == 0);
    cr_assert_eq(now->landmarks_age, before->landmarks_age);
    check_change(w, before, now, steps);
    wend__map_release(now, false);
    wend__map_release(before, false);
    check_left(&w->w, w->map);
}

static void any_change(world *w, bool steps) {
    static const uint64_t efforts[] = {0, 1, 7, 60, 500, WEND_LANDMARK_EFFORT, WEND_NO_LIMIT, WEND_NO_LIMIT};
    wend__map_set_landmark_effort(w->map, efforts[draw(&w->seed, sizeof efforts / sizeof *efforts)]);
    wend__version *before = wend__map_acquire(w->map, false);
    const change did = draw(&w->seed, 10) || !steps ? publish_change(w, steps) : change_rules(w);
    wend__version *now = wend__map_acquire(w->map, false);
    cr_assert(did != CLOSES || now->landmarks == before->landmarks || resting(before),
              "what was closed changed numbers");
    check_change(w, before, now, steps);
    wend__map_release(now, false);
    wend__map_release(before, false);
    check_left(&w->w, w->map);
}

static void prepare_again(world *w) {
    open_all_steps(w);
    check_left(&w->w, w->map);
    if (draw(&w->seed, 4) == 0) change_costs(w);
    cr_assert_eq(wend__map_prepare_landmarks(w->map, 1 + (int32_t)draw(&w->seed, 8)), WEND_OK);
    check_left(&w->w, w->map);
}

static void edit_fork(world *w, bool steps) {
    world fork = world_fork(w);
    cr_assert_eq(info_of(fork.map).landmarks, info_of(w->map).landmarks);
    for (int i = 0; i < 12; i++) any_change(i % 2 ? &fork : w, steps);
    prepare_again(&fork);
    check_left(&w->w, w->map);
    world_free(&fork);
}

static void run(int32_t width, int32_t height, uint32_t blocked, uint64_t seed, bool steps) {
    world w = world_create(width, height, blocked, seed, NULL);
    for (int i = 0; i < 300; i++) {
        if (info_of(w.map).landmark_bytes == 0 || draw(&w.seed, 25) == 0) prepare_again(&w);
        if (draw(&w.seed, 40) == 0) edit_fork(&w, steps);
        any_change(&w, steps);
        if (draw(&w.seed, 4) == 0) mend(&w, steps);
    }
    cr_assert(w.rested > 0 && w.risen > 0 && w.mended > 0);
    cr_log_info("%d x %d: landmarks were mended %u times, came to rest %u times and stood again %u times", (int)width,
                (int)height, (unsigned)w.mended, (unsigned)w.rested, (unsigned)w.risen);
    world_free(&w);
}

Test(landmarks, that_are_left_after_edits_are_belied_by_no_step) {
    run(130, 70, 5, 1, false);
    run(70, 66, 150, 2, false);
    run(66, 130, 330, 3, false);
}

Test(landmarks, that_are_left_after_steps_and_rules_changed_are_belied_by_no_step) {
    run(130, 70, 5, 4, true);
    run(70, 66, 150, 5, true);
    run(40, 30, 330, 6, true);
    run(20, 12, 250, 7, true);
}

/* Made while steps are closed, some one way only. */
Test(landmarks, made_while_steps_are_closed_are_belied_by_no_step_when_they_are_open) {
    for (uint64_t seed = 1; seed <= 40; seed++) {
        world w = world_create(24, 17, (uint32_t)seed % 4 * 100, seed, NULL);
        w.w.m.rules.neighbours = seed % 5 == 0 ? 4 : 8;
        w.w.m.rules.corners = (int32_t)(seed % 3);
        cr_assert_eq(wend_map_set_rules(w.map, &w.w.m.rules), WEND_OK);
        close_some(&w.w, w.map, seed, 8 * (uint32_t)seed);
        cr_assert_eq(wend__map_prepare_landmarks(w.map, 4), WEND_OK);
        check_left(&w.w, w.map);
        for (int i = 0; i < 4; i++) any_change(&w, true);
        open_all_steps(&w);
        check_left(&w.w, w.map);
        world_free(&w);
    }
}

/* A cell that opens behind closed steps is a way through the wall only when these open. */
Test(landmarks, are_looked_at_when_a_step_into_a_new_cell_opens) {
    const char *rows[] = {"..#..", "..#..", "..#..", "..#..", "..#..", "....."};
    world w = world_of_text(rows, 6, 2);
    publish_step(&w, 1, 0, 1, 0, false);
    publish_step(&w, 3, 0, -1, 0, false);
    publish_cell(&w, 2, 0, OPEN);
    check_left(&w.w, w.map);
    publish_step(&w, 1, 0, 1, 0, true);
    check_left(&w.w, w.map);
    cr_assert_eq(info_of(w.map).landmarks, 2);
    check_opening(&w, open_steps, NULL);
    world_free(&w);
}

/* ---- which edits take them ---- */

/* Doors, crowds, boxes put down and taken up again: cells that were open when the landmarks were made. */
Test(landmarks, stay_when_cells_and_steps_close_and_open_again) {
    world w = world_create(130, 70, 250, 1, NULL);
    cr_assert_eq(wend__map_prepare_landmarks(w.map, 4), WEND_OK);
    for (uint64_t round = 1; round <= 120; round++) {
        walled before = walled_copy(&w.w);
        wend_edit *edit = edit_begin(w.map);
        for (int i = 0; i < 5; i++) set_cell(&w, edit, any_cell(&w).x, any_cell(&w).y, WALL);
        if (round % 4 == 0) fill_box(&w, edit, 20, 20, WALL);
        edit_publish(edit);
        close_some(&w.w, w.map, round, 9);
        edit = edit_begin(w.map);
        for (int32_t i = 0; i < cells_of(&w.w); i++) set_cell(&w, edit, i % 130, i / 130, before.m.classes[i]);
        edit_publish(edit);
        open_all_steps(&w);
        cr_assert_eq(info_of(w.map).landmarks, 4, "gone in round %u", (unsigned)round);
        walled_free(&before);
    }
    wend__version *v = wend__map_acquire(w.map, false);
    check_fresh(&w.w, v);
    wend__map_release(v, false);
    world_free(&w);
}

/* It has no number. A short cut or not: it gets some. */
Test(landmarks, are_mended_when_a_cell_opens_that_was_blocked_when_they_were_made) {
    const char *rows[] = {"......", "......", "#####.", "#####.", "......", "...#.."};
    static const int32_t cells[][2] = {{1, 2}, {3, 3}, {3, 5}, {0, 2}, {4, 3}};
    world w = world_of_text(rows, 6, 4);
    for (int i = 0; i < 5; i++) check_opening(&w, open_cell, cells[i]);
    cr_assert(info_of(w.map).landmarks == 4 && info_of(w.map).landmark_age == 0);
    world_free(&w);
}

/* Not even where it is a chunk of one class again, and there are cells beyond the map's rim that look at it. */
Test(landmarks, stay_when_a_cell_at_the_rim_closes_and_opens_again) {
    world w = world_create(70, 90, 0, 1, NULL);
    cr_assert_eq(wend__map_prepare_landmarks(w.map, 4), WEND_OK);
    for (int i = 0; i < 2; i++) {
        publish_cell(&w, i ? 69 : 30, i ? 40 : 89, WALL);
        publish_cell(&w, i ? 69 : 30, i ? 40 : 89, OPEN);
        cr_assert_eq(info_of(w.map).landmarks, 4);
    }
    world_free(&w);
}

static void open_diagonal(world *w, const void *what) {
    (void)what;
    wend_edit *edit = edit_begin(w->map);
    walled_set(&w->w, edit, 0, 0, 1, 1, true);
    walled_set(&w->w, edit, 1, 1, -1, -1, true);
    edit_publish(edit);
}

Test(landmarks, are_mended_when_a_diagonal_step_opens_that_was_closed_when_they_were_made) {
    world w = world_create(9, 9, 0, 1, NULL);
    wend_edit *edit = edit_begin(w.map);
    for (int32_t i = 0; i < 8; i++) walled_wall(&w.w, edit, i, i, 1, 1);
    edit_publish(edit);
    cr_assert_eq(wend__map_prepare_landmarks(w.map, 2), WEND_OK);
    check_fresh_map(&w.w, w.map, 2);
    check_opening(&w, open_diagonal, NULL);
    publish_step(&w, 0, 0, 1, 1, true); /* one way, then the other */
    check_left(&w.w, w.map);
    publish_step(&w, 1, 1, -1, -1, true);
    check_left(&w.w, w.map);
    cr_assert_eq(info_of(w.map).landmarks, 2);
    world_free(&w);
}

Test(landmarks, go_when_a_cost_changes) {
    static const int32_t pairs[2][2] = {{10, 15}, {9, 14}};
    world w = world_create(20, 20, 200, 1, NULL);
    for (int i = 0; i < 2; i++) {
        const wend_map_rules other = rules_of_costs(pairs[i][0], pairs[i][1]), before = w.w.m.rules;
        cr_assert_eq(wend__map_prepare_landmarks(w.map, 2), WEND_OK);
        cr_assert_eq(wend_map_set_rules(w.map, &other), WEND_OK);
        cr_assert_eq(info_of(w.map).landmarks, 0);
        cr_assert_eq(wend_map_set_rules(w.map, &before), WEND_OK);
        cr_assert_eq(info_of(w.map).landmarks, 0);
    }
    world_free(&w);
}

Test(landmarks, are_mended_when_a_short_cut_is_dug) {
    static const int32_t cells[][2] = {{0, 50}, {100, 50}, {198, 50}};
    world w = world_with_wall(2), other = world_with_wall(0);
    const uint64_t bytes = info_of(w.map).landmark_bytes;
    cr_assert_eq(info_of(w.map).bytes, info_of(other.map).bytes + bytes);
    publish_cell(&w, 150, 20, WALL);
    cr_assert_eq(info_of(w.map).landmarks, 2);
    cr_assert_eq(info_of(w.map).landmark_age, 1u);
    for (int i = 0; i < 3; i++) check_opening(&w, open_cell, cells[i]);
    world_free(&w);
    world_free(&other);
}

/* ---- fresh or not ---- */

static bool makes_a_version(wend_map *map, int32_t count) {
    const uint64_t serial = wend__map_serial(map), epoch = map_epoch(map);
    cr_assert_eq(wend__map_prepare_landmarks(map, count), WEND_OK);
    cr_assert_eq(map_epoch(map), epoch);
    cr_assert(wend__map_serial(map) - serial <= 1);
    return wend__map_serial(map) != serial;
}

Test(landmarks, are_made_anew_only_where_something_changed) {
    world w = world_create(130, 70, 200, 3, NULL);
    cr_assert_not(makes_a_version(w.map, 0));
    cr_assert(makes_a_version(w.map, 4));
    cr_assert_not(makes_a_version(w.map, 4));
    cr_assert(makes_a_version(w.map, 3));
    cr_assert(makes_a_version(w.map, 4));
    for (int i = 0; i < 60; i++) {
        publish_change(&w, true);
        const wend_map_info info = info_of(w.map);
        const bool fresh = info.landmarks == 4 && info.landmark_age == 0; /* nothing was written but what was there */
        cr_assert_neq(makes_a_version(w.map, 4), fresh);
        cr_assert_not(makes_a_version(w.map, 4));
    }
    change_costs(&w);
    cr_assert(makes_a_version(w.map, 4));
    cr_assert(makes_a_version(w.map, 0));
    cr_assert_eq(info_of(w.map).landmark_bytes, 0u);
    cr_assert_not(makes_a_version(w.map, 0));
    world_free(&w);
}

Test(landmarks, grow_older_with_each_publish_that_changes_a_step) {
    world w = world_create(130, 70, 0, 3, NULL);
    cr_assert_eq(wend__map_prepare_landmarks(w.map, 2), WEND_OK);
    publish_cell(&w, 64, 30, WALL);
    cr_assert_eq(info_of(w.map).landmark_age, 1u);
    publish_cell(&w, 64, 30, WALL);
    publish_cell(&w, 20, 30, MUD);
    cr_assert_eq(info_of(w.map).landmark_age, 1u);
    publish_step(&w, 80, 40, 1, 0, false);
    cr_assert_eq(info_of(w.map).landmark_age, 2u);
    cr_assert(makes_a_version(w.map, 2));
    cr_assert_eq(info_of(w.map).landmark_age, 0u);
    world_free(&w);
}

Test(landmarks, are_kept_when_jump_tables_movers_and_questions_come) {
    world w = world_create(130, 70, 100, 3, NULL);
    wend_mover mover;
    wend_mover_init(&mover, sizeof mover);
    int32_t id, disconnects;
    mover.size = 2;
    cr_assert_eq(wend__map_prepare_landmarks(w.map, 3), WEND_OK);
    cr_assert_eq(wend__map_prepare_jumps(w.map), WEND_OK);
    cr_assert_eq(wend_map_add_mover(w.map, &mover, &id), WEND_OK);
    wend_edit *edit = edit_begin(w.map);
    set_cell(&w, edit, 64, 30, WALL);
    cr_assert_eq(wend_edit_would_disconnect(edit, 0, at(1, 1), at(100, 60), &disconnects), WEND_OK);
    edit_publish(edit);
    cr_assert_eq(wend__map_drop_jumps(w.map), WEND_OK);
    cr_assert_eq(info_of(w.map).landmarks, 3);
    cr_assert_eq(info_of(w.map).landmark_age, 1u);
    check_left(&w.w, w.map);
    world_free(&w);
}

/* ---- old versions and forks ---- */

Test(landmarks, of_older_versions_and_forks_stay_as_they_are) {
    enum { KEPT = 8 };
    world w = world_create(130, 70, 100, 9, NULL), forks[KEPT];
    wend__version *kept[KEPT];
    uint64_t sums[KEPT];
    for (int i = 0; i < KEPT; i++) {
        cr_assert_eq(wend__map_prepare_landmarks(w.map, 1 + i), WEND_OK);
        publish_change(&w, false);
        kept[i] = wend__map_acquire(w.map, true);
        sums[i] = landmarks_sum(kept[i]);
        forks[i] = world_fork(&w);
    }
    cr_assert_eq(wend__map_prepare_landmarks(w.map, 0), WEND_OK);
    for (int i = 0; i < KEPT; i++) {
        check_left(&forks[i].w, forks[i].map);
        any_change(&forks[i], false);
        cr_assert_eq(landmarks_sum(kept[i]), sums[i]);
        wend__map_release(kept[i], true);
    }
    world_free(&w);
    for (int i = 0; i < KEPT; i++) {
        any_change(&forks[i], false);
        world_free(&forks[i]);
    }
}
