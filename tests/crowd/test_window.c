/* SPDX-License-Identifier: MIT */
/* Jams that pushing cannot solve: a window around them does, and ends where it no longer applies. */
#include "crowd/crowd_support.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/agents.h>
#include <wend/units.h>

/* Five agents in a corridor that is closed at one end, in the wrong order. */
static const char *const dead_end[] = {"...######", "........#", "...######"};

static void open_dead_end(town *t, uint32_t speed) {
    town_open(t, dead_end, 3, NULL);
    for (int32_t k = 0; k < 5; k++) town_add(t, 3 + k, 1, speed);
    for (uint32_t k = 0; k < 5; k++) town_go(t, k, 7 - (int32_t)k, 1);
}

static void check_in_order(const town *t) {
    for (uint32_t k = 0; k < 5; k++) {
        cr_assert(town_is_at(t, k, 7 - (int32_t)k, 1), "agent %u", k);
        cr_assert_eq(town_last(t, k), WEND_AGENT_EVENT_ARRIVED);
    }
}

Test(window, sorts_agents_in_a_dead_end) {
    static town t;
    open_dead_end(&t, 1000);
    town_walk(&t, 400);
    check_in_order(&t);
    town_close(&t);
}

/* Nobody waits for the slowest, apart from those that go where it is before them. */
Test(window, moves_agents_of_different_speeds_each_at_its_own) {
    static town t;
    open_dead_end(&t, 700);
    cr_assert_eq(wend_crowd_set_speed(t.crowd, t.agents[2].id, 90), WEND_OK);
    const uint32_t frames = town_walk(&t, 4000);
    cr_assert_leq(frames, 145);
    check_in_order(&t);
    town_close(&t);
}

/* Waits until the window moves the agents: an arrived agent leaves without being pushed by a neighbour. */
static void wait_for_window(town *t) {
    for (int frame = 0; town_is_at(t, 2, 5, 1); frame++) {
        cr_assert_lt(frame, 400);
        town_frame(t);
    }
}

Test(window, closes_where_an_edit_changes_the_map) {
    static town t;
    open_dead_end(&t, 1000);
    wait_for_window(&t);
    town_set(&t, 0, 0, 0);
    town_walk(&t, 1500);
    check_in_order(&t);
    town_close(&t);
}

Test(window, closes_where_a_member_is_removed) {
    static town t;
    open_dead_end(&t, 1000);
    wait_for_window(&t);
    town_remove(&t, 4);
    town_walk(&t, 1500);
    for (uint32_t k = 0; k < 4; k++) cr_assert(town_is_at(&t, k, 7 - (int32_t)k, 1), "agent %u", k);
    town_close(&t);
}

Test(window, lets_a_member_be_steered_at_once) {
    static town t;
    open_dead_end(&t, 1000);
    wait_for_window(&t);
    const wend_cell at = town_cell(&t, 2);
    cr_assert_eq(wend_crowd_step(t.crowd, t.agents[2].id, at), WEND_OK);
    t.agents[2].begun++;
    town_frames(&t, 400);
    cr_assert(town_is_at(&t, 2, at.x, at.y), "nobody moves a player");
    for (uint32_t k = 0; k < 5; k++) town_go(&t, k, 7 - (int32_t)k, 1);
    town_walk(&t, 1500);
    check_in_order(&t);
    town_close(&t);
}

/* Steps that were found for one mover are not made by another. */
Test(window, closes_where_a_member_becomes_another_mover) {
    static town t;
    wend_mover heavy = {.struct_bytes = sizeof heavy, .size = 1};
    memset(heavy.factors, 1, sizeof heavy.factors);
    heavy.factors[0] = heavy.factors[3] = 0;
    int32_t mover;
    open_dead_end(&t, 1000);
    cr_assert_eq(wend_map_add_mover(t.map, &heavy, &mover), WEND_OK);
    wait_for_window(&t);
    wend_agent_id ids[5];
    for (uint32_t k = 0; k < 5; k++) ids[k] = t.agents[k].id, t.agents[k].mover = mover;
    cr_assert_eq(wend_crowd_set_mover(t.crowd, ids, 5, mover), WEND_OK);
    for (uint32_t k = 0; k < 5; k++) town_go(&t, k, 7 - (int32_t)k, 1);
    town_walk(&t, 1500);
    check_in_order(&t);
    town_close(&t);
}

/* A unit of the host comes to stand in the window. */
Test(window, does_not_walk_over_units_of_the_host) {
    static town t;
    open_dead_end(&t, 1000);
    wait_for_window(&t);
    const wend_cell bay = {2, 2, 0};
    for (uint32_t k = 0; k < 5; k++) cr_assert_not(town_is_at(&t, k, 2, 2));
    cr_assert_eq(wend_map_occupy(t.map, bay), WEND_OK);
    for (int frame = 0; frame < 600; frame++) {
        town_frame(&t);
        for (uint32_t k = 0; k < 5; k++) cr_assert_not(town_is_at(&t, k, 2, 2));
    }
    cr_assert_eq(wend_map_vacate(t.map, bay), WEND_OK);
    town_close(&t);
}

/* Others neither walk into a window nor through it. Two agents that want to cross come through afterwards. */
Test(window, keeps_others_out_and_lets_them_on) {
    static town t;
    open_dead_end(&t, 1000);
    const uint32_t guest = town_add(&t, 0, 0, 1000), other = town_add(&t, 0, 2, 1000);
    town_go(&t, guest, 0, 2), town_go(&t, other, 0, 0);
    town_walk(&t, 1000);
    check_in_order(&t);
    cr_assert(town_is_at(&t, guest, 0, 2) && town_is_at(&t, other, 0, 0));
    town_close(&t);
}
