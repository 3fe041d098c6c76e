/* SPDX-License-Identifier: MIT */
/* Goals of a single agent: going, arriving, being replaced, halting, coming as near as possible. */
#include "crowd/crowd_support.h"

#include <criterion/criterion.h>
#include <wend/units.h>

static const char *const field[] = {"........", "........", "........", "........"};

Test(orders, an_agent_arrives_after_as_many_frames_as_its_way_takes) {
    OWNED(town_close) town t;
    town_open(&t, field, 4, NULL);
    uint32_t a = town_add(&t, 0, 0, 250);
    town_go(&t, a, 5, 0);
    for (int frame = 1; frame <= 20; frame++) {
        town_frame(&t);
        cr_assert(town_is_at(&t, a, (frame + 3) / 4, 0),
                  "it holds the next cell from the frame in which a step begins");
    }
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_ARRIVED);
    cr_assert_eq(t.event_count, 1);
    cr_assert_eq(town_state(&t, a).state, WEND_AGENT_ARRIVED);
}

Test(orders, diagonal_and_slow_steps_take_longer_without_rounding) {
    static const char *const rows[] = {"..3.", "#.#.", "...."};
    OWNED(town_close) town t;
    town_open(&t, rows, 3, NULL);
    uint32_t a = town_add(&t, 0, 0, 300);
    town_go(&t, a, 3, 0);
    /* costs 10 + 30 + 10 = 5,000 thousandths */
    cr_assert_eq(town_walk(&t, 100), 17);
    town_go(&t, a, 3, 2);
    cr_assert_eq(town_walk(&t, 100), 7);
}

Test(orders, already_there_is_arrived_in_the_next_frame) {
    OWNED(town_close) town t;
    town_open(&t, field, 4, NULL);
    uint32_t a = town_add(&t, 2, 2, 250);
    town_go(&t, a, 2, 2);
    town_frame(&t);
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_ARRIVED);
    town_go_all(&t, &a, 1, (wend_cell){4, 2, 0}, 2);
    town_frame(&t);
    cr_assert_eq(town_count(&t, a, WEND_AGENT_EVENT_ARRIVED), 2);
    cr_assert(town_is_at(&t, a, 2, 2));
}

Test(orders, a_new_goal_replaces_the_old_one) {
    OWNED(town_close) town t;
    town_open(&t, field, 4, NULL);
    uint32_t a = town_add(&t, 0, 0, 250);
    town_go(&t, a, 7, 0);
    town_frames(&t, 6);
    town_go(&t, a, 0, 3);
    town_frame(&t);
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_REPLACED);
    town_walk(&t, 100);
    cr_assert(town_is_at(&t, a, 0, 3));
    cr_assert_eq(town_count(&t, a, WEND_AGENT_EVENT_ARRIVED), 1);
}

Test(orders, a_halted_agent_finishes_its_step) {
    OWNED(town_close) town t;
    town_open(&t, field, 4, NULL);
    uint32_t a = town_add(&t, 0, 0, 250);
    town_go(&t, a, 7, 0);
    town_frames(&t, 5);
    town_halt(&t, a);
    town_frames(&t, 10);
    cr_assert(town_is_at(&t, a, 2, 0));
    wend_agent_state state = town_state(&t, a);
    cr_assert_eq(state.state, WEND_AGENT_IDLE);
    cr_assert_eq(state.point.x, 2000);
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_REPLACED);
    cr_assert_eq(t.event_count, 1);
}

Test(orders, a_removed_agent_is_gone_and_its_goal_replaced) {
    OWNED(town_close) town t;
    town_open(&t, field, 4, NULL);
    uint32_t a = town_add(&t, 0, 0, 250);
    town_go(&t, a, 7, 0);
    town_frames(&t, 5);
    town_remove(&t, a);
    wend_agent_state state = {.struct_bytes = sizeof state};
    cr_assert_eq(wend_crowd_get_agent(t.crowd, t.agents[a].id, &state), WEND_STALE_TICKET);
    uint32_t units;
    wend_map_get_occupants(t.map, (wend_cell){2, 0, 0}, &units);
    cr_assert_eq(units, 0);
    town_frame(&t);
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_REPLACED);
}

Test(orders, where_the_goal_cannot_be_reached_the_nearest_cell_is_partial) {
    static const char *const rows[] = {"....#...", "....#...", "....#..."};
    OWNED(town_close) town t;
    town_open(&t, rows, 3, NULL);
    uint32_t a = town_add(&t, 0, 1, 1000);
    town_go(&t, a, 6, 1);
    town_walk(&t, 100);
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_PARTIAL);
    cr_assert(town_is_at(&t, a, 3, 1));
    town_go(&t, a, 6, 1);
    town_walk(&t, 100);
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_GAVE_UP, "its own cell is the nearest");
    cr_assert_eq(town_why(&t, a), WEND_WHY_NO_PATH);
}

Test(orders, of_several_sent_to_one_cell_the_first_arrives) {
    OWNED(town_close) town t;
    town_open(&t, field, 4, NULL);
    uint32_t a[4];
    for (int32_t i = 0; i < 4; i++) a[i] = town_add(&t, 0, i, 500);
    for (uint32_t i = 0; i < 4; i++) town_go(&t, a[i], 7, 1);
    town_walk(&t, 2000);
    uint32_t arrived = 0, partial = 0;
    for (uint32_t i = 0; i < 4; i++) {
        arrived += town_last(&t, a[i]) == WEND_AGENT_EVENT_ARRIVED;
        partial += town_last(&t, a[i]) == WEND_AGENT_EVENT_PARTIAL;
    }
    cr_assert_eq(arrived, 1);
    cr_assert_eq(partial, 3);
}

Test(orders, an_edit_that_breaks_the_path_reroutes) {
    static const char *const rows[] = {"........", ".######.", "........"};
    OWNED(town_close) town t;
    town_open(&t, rows, 3, NULL);
    uint32_t a = town_add(&t, 0, 0, 1000);
    town_go(&t, a, 7, 0);
    town_frames(&t, 2);
    town_set(&t, 4, 0, 0);
    town_walk(&t, 100);
    cr_assert_eq(town_count(&t, a, WEND_AGENT_EVENT_REROUTED), 1);
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_ARRIVED);
}

Test(orders, an_agent_walks_out_of_its_own_cell_when_that_is_blocked) {
    OWNED(town_close) town t;
    town_open(&t, field, 4, NULL);
    uint32_t a = town_add(&t, 3, 2, 1000);
    town_set(&t, 3, 2, 0);
    town_frames(&t, 5);
    cr_assert(town_is_at(&t, a, 3, 2));
    town_go(&t, a, 7, 2);
    town_walk(&t, 100);
    cr_assert(town_is_at(&t, a, 7, 2));
}

Test(orders, idle_ones_step_aside_and_come_back) {
    static const char *const rows[] = {"##.#####", "........", "########"};
    OWNED(town_close) town t;
    town_open(&t, rows, 3, NULL);
    uint32_t idle = town_add(&t, 2, 1, 500), a = town_add(&t, 0, 1, 500);
    town_go(&t, a, 7, 1);
    town_walk(&t, 1000);
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_ARRIVED);
    cr_assert(town_is_at(&t, idle, 2, 1));
    cr_assert_eq(town_last(&t, idle), 0);
}

Test(orders, units_of_the_host_are_gone_around_or_end_the_goal) {
    static const char *const rows[] = {"........", ".######.", "........"};
    OWNED(town_close) town t;
    town_open(&t, rows, 3, NULL);
    uint32_t a = town_add(&t, 0, 0, 1000);
    cr_assert_eq(wend_map_occupy(t.map, (wend_cell){4, 0, 0}), WEND_OK);
    town_go(&t, a, 7, 0);
    town_walk(&t, 500);
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_ARRIVED);
    town_set(&t, 0, 2, 0);
    town_go(&t, a, 0, 0);
    town_walk(&t, 2000);
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_PARTIAL);
    cr_assert_eq(wend_map_vacate(t.map, (wend_cell){4, 0, 0}), WEND_OK);
}

Test(orders, a_group_gets_the_cells_nearest_to_the_goal) {
    OWNED(town_close) town t;
    town_open(&t, field, 4, NULL);
    uint32_t a[5];
    for (int32_t i = 0; i < 4; i++) a[i] = town_add(&t, 0, i, 500);
    a[4] = town_add(&t, 1, 1, 500);
    town_go_all(&t, a, 5, (wend_cell){5, 1, 0}, 0);
    town_walk(&t, 200);
    bool held[4][8] = {{false}};
    for (uint32_t i = 0; i < 5; i++) {
        cr_assert_eq(town_last(&t, a[i]), WEND_AGENT_EVENT_ARRIVED);
        wend_cell cell = town_cell(&t, a[i]);
        held[cell.y][cell.x] = true;
    }
    cr_assert(held[1][5] && held[0][5] && held[2][5] && held[1][4] && held[1][6]);
}

Test(orders, a_group_on_two_sides_of_a_wall_gets_places_on_both) {
    static const char *const rows[] = {"....#....", "....#....", "....#...."};
    OWNED(town_close) town t;
    town_open(&t, rows, 3, NULL);
    const uint32_t right[] = {town_add(&t, 8, 0, 500), town_add(&t, 8, 1, 500)};
    const uint32_t left[] = {town_add(&t, 0, 0, 500), town_add(&t, 0, 1, 500)};
    const uint32_t all[] = {right[0], left[0], right[1], left[1]};
    town_go_all(&t, all, 4, (wend_cell){2, 1, 0}, 0);
    town_walk(&t, 100);
    bool goal = false;
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(town_last(&t, left[i]), WEND_AGENT_EVENT_ARRIVED);
        cr_assert_eq(town_last(&t, right[i]), WEND_AGENT_EVENT_PARTIAL);
        cr_assert_eq(town_cell(&t, right[i]).x, 5);
        goal |= town_is_at(&t, left[i], 2, 1);
    }
    cr_assert(goal);
}

/* The agent's own next cell is free, but another cell that it would cover is not. */
Test(orders, a_large_agent_sees_units_of_the_host_on_all_its_cells) {
    static const char *const rows[] = {"............", "............"};
    for (int32_t row = 0; row < 2; row++) {
        OWNED(town_close) town t;
        town_open(&t, rows, 2, NULL);
        wend_agent_def def = default_agent();
        def.speed_milli = 1000;
        def.mover = add_mover_of_size(t.map, 2);
        const uint32_t a = town_add_def(&t, &def);
        cr_assert_eq(wend_map_occupy(t.map, (wend_cell){6, row, 0}), WEND_OK);
        town_go(&t, a, 10, 0);
        const uint32_t frames = town_walk(&t, 5000);
        cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_PARTIAL);
        cr_assert(town_is_at(&t, a, 4, 0));
        cr_assert_lt(frames, 200, "%u frames", frames);
        cr_assert_eq(wend_map_vacate(t.map, (wend_cell){6, row, 0}), WEND_OK);
    }
}

Test(orders, a_follower_keeps_near_and_stops_when_its_target_goes) {
    OWNED(town_close) town t;
    town_open(&t, field, 4, NULL);
    uint32_t a = town_add(&t, 0, 0, 500), b = town_add(&t, 3, 3, 500);
    wend_crowd_goal goal = default_crowd_goal();
    goal.kind = WEND_CROWD_FOLLOW, goal.target = t.agents[b].id, goal.reach = 1;
    t.agents[a].begun++;
    cr_assert_eq(wend_crowd_go(t.crowd, &t.agents[a].id, 1, &goal), WEND_OK);
    town_go(&t, b, 7, 0);
    town_frames(&t, 60);
    wend_cell cell = town_cell(&t, a);
    cr_assert(cell.x >= 6 && cell.y <= 1);
    cr_assert_eq(town_last(&t, a), 0);
    cr_assert_eq(town_counts(&t).busy, 0);
    town_remove(&t, b);
    town_frames(&t, 2);
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_GAVE_UP);
    cr_assert_eq(town_why(&t, a), WEND_WHY_GONE);
}

Test(orders, one_that_flees_arrives_when_it_is_far_enough) {
    OWNED(town_close) town t;
    town_open(&t, field, 4, NULL);
    uint32_t a = town_add(&t, 2, 1, 500), b = town_add(&t, 1, 1, 500);
    wend_crowd_goal goal = default_crowd_goal();
    goal.kind = WEND_CROWD_FLEE, goal.target = t.agents[b].id, goal.distance = 5;
    t.agents[a].begun++;
    cr_assert_eq(wend_crowd_go(t.crowd, &t.agents[a].id, 1, &goal), WEND_OK);
    town_frames(&t, 30);
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_ARRIVED);
    cr_assert_eq(town_cell(&t, a).x, 6);
}
