/* SPDX-License-Identifier: MIT */
/* The checker of agents that walk finds each kind of broken promise, and nothing where nothing is broken. */
#include "models/made.h"
#include "promises/walk_checker.h"

#include <wend/edit.h>

#include <criterion/criterion.h>
#include <criterion/redirect.h>

static wend_map *map;
static terrain_copy land;
static walk_checker *watch;
static promises ledger;

/* 6 x 4 cells, with a wall at 3,0 and 3,1. */
static void begin(void) {
    wend_map_def def = default_map();
    def.width = 6, def.height = 4;
    cr_redirect_stderr();
    ledger = (promises){0};
    cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
    IN_BATCH(map, wend_edit_fill_box(edit, (wend_box){{3, 0, 0}, {3, 1, 0}}, WEND_CLASS_BLOCKED));
    cr_assert_eq(terrain_read(map, &land), WEND_OK);
    cr_assert_not_null(watch = walk_checker_create(&land, 2, &ledger));
}

static void end(void) {
    walk_checker_free(watch);
    terrain_free(&land);
    wend_map_release(map);
}

TestSuite(walk_checker, .init = begin, .fini = end);

static void add(uint32_t agent, int32_t x, int32_t y) {
    walk_checker_added(watch, agent, (wend_cell){x, y, 0}, 500);
}

static void see(uint32_t agent, int32_t x, int32_t y, int32_t at_x, int32_t at_y) {
    walk_checker_saw(watch, agent, (wend_cell){x, y, 0}, (wend_point){at_x, at_y, 0});
}

/* Only that promise is broken. */
static void only(int promise) {
    for (int i = 0; i < PROMISE_COUNT; i++) cr_assert_eq(ledger.broken[i] > 0, i == promise, "%s", promise_name(i));
}

Test(walk_checker, two_who_walk_well) {
    add(0, 0, 0);
    add(1, 5, 3);
    walk_checker_set_goal(watch, 0, (wend_cell){1, 1, 0}, 0);
    see(0, 1, 1, 354, 354);
    see(1, 5, 3, 5000, 3000);
    walk_checker_frame_ends(watch, 0);
    see(0, 1, 1, 707, 707);
    see(1, 4, 3, 4500, 3000);
    walk_checker_frame_ends(watch, 0);
    see(0, 1, 1, 1000, 1000);
    see(1, 4, 3, 4000, 3000);
    walk_checker_frame_ends(watch, 0);
    walk_checker_heard(watch, 0, WEND_AGENT_EVENT_ARRIVED, (wend_cell){1, 1, 0});
    walk_checker_finish(watch, 0);
    only(-1);
    cr_assert_eq(walk_checker_steps(watch), 2);
    cr_assert_eq(walk_checker_way(watch, 0), 14);
}

Test(walk_checker, one_takes_the_place_that_another_leaves) {
    add(0, 0, 0);
    add(1, 1, 0);
    see(0, 1, 0, 500, 0);
    see(1, 2, 0, 1500, 0);
    walk_checker_frame_ends(watch, 0);
    only(-1);
}

Test(walk_checker, two_in_one_cell) {
    add(0, 0, 0);
    add(1, 2, 0);
    see(0, 1, 0, 500, 0);
    see(1, 1, 0, 1500, 0);
    walk_checker_frame_ends(watch, 0);
    only(WALK_overlap);
}

Test(walk_checker, a_step_into_a_wall_past_a_corner_too_far_or_off_the_map) {
    static const wend_cell tos[] = {{3, 0, 0}, {3, 2, 0}, {0, 1, 0}, {2, -1, 0}};
    for (int i = 0; i < 4; i++) {
        const uint64_t before = ledger.broken[WALK_legal_steps];
        walk_checker_added(watch, 0, (wend_cell){2, 1, 0}, 500);
        see(0, tos[i].x, tos[i].y, 2000, 1000);
        cr_assert_eq(ledger.broken[WALK_legal_steps], before + 1, "%d", i);
        walk_checker_free(watch);
        watch = walk_checker_create(&land, 2, &ledger);
    }
}

Test(walk_checker, two_change_places) {
    add(0, 0, 0);
    add(1, 1, 0);
    see(0, 1, 0, 500, 0);
    see(1, 0, 0, 500, 0);
    walk_checker_frame_ends(watch, 0);
    only(WALK_swaps);
}

Test(walk_checker, two_cross_on_diagonals) {
    add(0, 0, 0);
    add(1, 1, 0);
    see(0, 1, 1, 354, 354);
    see(1, 0, 1, 646, 354);
    walk_checker_frame_ends(watch, 0);
    only(WALK_crossings);
}

Test(walk_checker, two_cross_on_diagonals_one_later_than_the_other) {
    add(0, 0, 0);
    add(1, 1, 0);
    see(0, 1, 1, 354, 354);
    see(1, 1, 0, 1000, 0);
    walk_checker_frame_ends(watch, 0);
    only(-1);
    see(0, 1, 1, 707, 707);
    see(1, 0, 1, 646, 354);
    walk_checker_frame_ends(watch, 0);
    only(WALK_crossings);
}

Test(walk_checker, beside_the_line_and_too_fast) {
    add(0, 0, 0);
    see(0, 1, 0, 400, 100);
    only(WALK_gliding);
    walk_checker_free(watch);
    watch = walk_checker_create(&land, 2, &ledger);
    add(0, 0, 0);
    see(0, 1, 0, 800, 0);
    only(WALK_gliding);
}

Test(walk_checker, ends_of_goals) {
    add(0, 0, 0);
    walk_checker_set_goal(watch, 0, (wend_cell){1, 0, 0}, 0);
    walk_checker_heard(watch, 0, WEND_AGENT_EVENT_REROUTED, (wend_cell){0, 0, 0});
    walk_checker_heard(watch, 0, WEND_AGENT_EVENT_PARTIAL, (wend_cell){0, 0, 0});
    only(-1);
    walk_checker_heard(watch, 0, WEND_AGENT_EVENT_PARTIAL, (wend_cell){0, 0, 0});
    cr_assert_eq(ledger.broken[WALK_endings], 1, "twice");
    walk_checker_set_goal(watch, 0, (wend_cell){1, 0, 0}, 0);
    walk_checker_heard(watch, 0, WEND_AGENT_EVENT_ARRIVED, (wend_cell){0, 0, 0});
    cr_assert_eq(ledger.broken[WALK_endings], 2, "elsewhere");
    walk_checker_finish(watch, 1);
    cr_assert_eq(ledger.broken[WALK_endings], 3, "never");
    only(WALK_endings);
}

Test(walk_checker, allocations) {
    walk_checker_frame_ends(watch, 1);
    only(WALK_memory);
}

/* Agent 0 stands at 0,0 without a body, or has one; agent 1 stands so far to the right. */
static void stay(uint32_t frames, int32_t away, bool has_body, bool searches) {
    for (uint32_t i = 0; i < frames; i++) {
        if (has_body)
            walk_checker_saw_body(watch, 0, (wend_cell){0, 0, 0});
        else
            see(0, 0, 0, 0, 0);
        walk_checker_saw_body(watch, 1, (wend_cell){away, 0, 0});
        if (searches) walk_checker_searches(watch, 0);
        walk_checker_frame_ends(watch, 0);
    }
}

/* A goal five frames away: 415 frames in which nobody is near, be it one after another or not. */
static void leave_behind(bool has_body) {
    add(0, 0, 0);
    add(1, 4, 0);
    walk_checker_set_goal(watch, 0, (wend_cell){2, 2, 0}, 5);
    stay(400, 4, has_body, false);
    stay(500, 3, has_body, false);
    stay(500, 4, has_body, true);
    stay(15, 4, has_body, false);
    only(-1);
    stay(9, 4, has_body, false);
    only(WALK_left_behind);
    cr_assert_eq(ledger.broken[WALK_left_behind], 1, "once a goal");
}

Test(walk_checker, one_left_behind) {
    leave_behind(false);
}

Test(walk_checker, a_body_left_behind) {
    leave_behind(true);
}

Test(walk_checker, a_goal_whose_walk_is_not_known_is_not_left_behind) {
    add(0, 0, 0);
    add(1, 4, 0);
    walk_checker_set_goal(watch, 0, (wend_cell){2, 2, 0}, 0);
    stay(2000, 4, true, false);
    only(-1);
}
