/* SPDX-License-Identifier: MIT */
/* Manners of agents: who overtakes, who lets others in, who rests and is left alone. Each case in several sizes. */
#include "crowd/crowd_support.h"

#include <criterion/criterion.h>

static wend_map *field_of(int32_t width, int32_t height) {
    wend_map_def def = default_map();
    def.width = width, def.height = height;
    wend_map *map;
    cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
    return map;
}

/* A room of 5 x `height` cells to the right of a wall, with one door. */
static void open_room(town *t, int32_t height, int32_t door, const wend_crowd_def *def) {
    town_open_on(t, field_of(9, height), def, 0);
    wend_edit *edit = begin_edit(t->map);
    for (int32_t y = 0; y < height; y++) wend_edit_set_cell(edit, (wend_cell){3, y, 0}, y == door);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static uint32_t add_mover(town *t, int32_t x, int32_t y, int32_t mover) {
    wend_agent_def def = default_agent();
    def.cell = (wend_cell){x, y, 0}, def.mover = mover;
    return town_add_def(t, &def);
}

static uint32_t add_with(town *t, int32_t x, int32_t y, uint32_t flags) {
    wend_agent_def def = default_agent();
    def.cell = (wend_cell){x, y, 0}, def.flags = flags, def.speed_milli = 1000;
    return town_add_def(t, &def);
}

static void follow(town *t, uint32_t agent, uint32_t target) {
    wend_crowd_goal goal = default_crowd_goal();
    goal.kind = WEND_CROWD_FOLLOW, goal.target = t->agents[target].id;
    cr_assert_eq(wend_crowd_go(t->crowd, &t->agents[agent].id, 1, &goal), WEND_OK);
    t->agents[agent].begun++;
}

static uint32_t apart(const town *t, uint32_t a, uint32_t b) {
    const wend_cell p = town_cell(t, a), q = town_cell(t, b);
    const uint32_t x = (uint32_t)(p.x > q.x ? p.x - q.x : q.x - p.x), y = (uint32_t)(p.y > q.y ? p.y - q.y : q.y - p.y);
    return x > y ? x : y;
}

Test(manners, nobody_sent_to_one_cell_stays_before_the_door) {
    for (int32_t height = 3; height <= 7; height += 2)
        for (int32_t count = 2; count <= 2 * height && count <= 10; count += 3) {
            OWNED(town_close) town t;
            open_room(&t, height, height - 2, NULL);
            for (int32_t i = 0; i < count; i++) town_add(&t, i / height, i % height, 250);
            for (int32_t i = 0; i < count; i++) town_go(&t, (uint32_t)i, 7, 1);
            town_walk(&t, 3000);
            for (int32_t i = 0; i < count; i++)
                cr_expect_geq(town_cell(&t, (uint32_t)i).x, 4, "%d of %d before a room %d high", (int)i, (int)count,
                              (int)height);
        }
}

Test(manners, one_that_is_near_enough_does_not_stop_in_a_door) {
    for (int32_t count = 2; count <= 8; count += 2) {
        OWNED(town_close) town t;
        open_room(&t, 5, 2, NULL);
        uint32_t agents[8];
        for (int32_t i = 0; i < count; i++) agents[i] = town_add(&t, i % 3, i / 3, 250);
        for (int32_t i = 0; i < count; i++) town_go_all(&t, &agents[i], 1, (wend_cell){6, 2, 0}, 3);
        town_walk(&t, 1000);
        for (int32_t i = 0; i < count; i++) {
            cr_expect_eq(town_last(&t, agents[i]), WEND_AGENT_EVENT_ARRIVED, "%d of %d", (int)i, (int)count);
            cr_expect_neq(town_cell(&t, agents[i]).x, 3, "%d of %d stands in the door", (int)i, (int)count);
        }
    }
}

Test(manners, a_corridor_is_no_door_and_fills_up_from_its_end) {
    static const char *const rows[] = {"....########", "............", "....########"};
    OWNED(town_close) town t;
    town_open(&t, rows, 3, NULL);
    for (int32_t i = 0; i < 5; i++) town_go(&t, town_add(&t, i % 4, i / 4, 500), 11, 1);
    town_walk(&t, 2000);
    for (int32_t x = 7; x < 12; x++) {
        uint32_t units;
        wend_map_get_occupants(t.map, (wend_cell){x, 1, 0}, &units);
        cr_expect_eq(units, 1, "nobody stands on %d", (int)x);
    }
}

/* Alone the fast one takes 49 cells at its speed; it may take half as long again. */
static void overtake(int32_t height, uint32_t slow_count, uint32_t slow, uint32_t fast, bool fast_first) {
    OWNED(town_close) town t;
    town_open_on(&t, field_of(60, height), NULL, 0);
    const uint32_t horse = town_add(&t, 1, height / 2, fast);
    if (fast_first) town_go(&t, horse, 50, height / 2);
    for (uint32_t i = 0; i < slow_count; i++) {
        const uint32_t cart = town_add(&t, 5 + 2 * (int32_t)i, height / 2, slow);
        town_go(&t, cart, 52 + 2 * (int32_t)i, height / 2);
    }
    if (!fast_first) town_go(&t, horse, 50, height / 2);
    town_frames(&t, 49 * 1000 / fast * 3 / 2 + 20);
    cr_expect_eq(town_last(&t, horse), WEND_AGENT_EVENT_ARRIVED, "height %d, %u slow ones of %u, fast %u, first %d",
                 (int)height, slow_count, slow, fast, fast_first);
}

Test(manners, fast_ones_overtake_slow_ones) {
    for (int32_t height = 3; height <= 9; height += 3)
        for (uint32_t count = 1; count <= 3; count++)
            for (int first = 0; first < 2; first++) {
                overtake(height, count, 50, 500, first);
                overtake(height, count, 200, 300, first);
            }
}

/* A street just twice as wide as they are, along x or y. */
static void meet_head_on(int32_t size, int32_t width, int32_t row_a, int32_t row_b, bool upright) {
    const int32_t length = 24, end = length - size;
    OWNED(town_close) town t;
    town_open_on(&t, upright ? field_of(width, length) : field_of(length, width), NULL, 0);
    wend_mover tank = default_mover();
    tank.size = size;
    int32_t mover;
    cr_assert_eq(wend_map_add_mover(t.map, &tank, &mover), WEND_OK);
    const uint32_t a = upright ? add_mover(&t, row_a, 0, mover) : add_mover(&t, 0, row_a, mover);
    const uint32_t b = upright ? add_mover(&t, row_b, end, mover) : add_mover(&t, end, row_b, mover);
    town_go(&t, a, upright ? row_b : end, upright ? end : row_b);
    town_go(&t, b, upright ? row_a : 0, upright ? 0 : row_a);
    town_frames(&t, 4 * (uint32_t)length * 2);
    cr_expect_eq(town_last(&t, a), WEND_AGENT_EVENT_ARRIVED, "a: size %d, rows %d and %d", size, row_a, row_b);
    cr_expect_eq(town_last(&t, b), WEND_AGENT_EVENT_ARRIVED, "b: size %d, rows %d and %d", size, row_a, row_b);
}

Test(manners, large_ones_that_meet_pass_each_other) {
    for (int32_t size = 2; size <= 4; size++)
        for (int32_t row_a = 0; row_a <= size; row_a++)
            for (int32_t row_b = 0; row_b <= size; row_b++) {
                meet_head_on(size, 2 * size, row_a, row_b, false);
                meet_head_on(size, 2 * size, row_a, row_b, true);
            }
}

/* They settle round a target that stands, follow it when it goes, never push it off its goal, and settle again. */
static void gather(uint32_t count) {
    OWNED(town_close) town t;
    town_open_on(&t, field_of(50, 20), NULL, 0);
    const uint32_t leader = town_add(&t, 15, 10, 250);
    for (uint32_t i = 0; i < count; i++)
        follow(&t, town_add(&t, (int32_t)(i % 10), (int32_t)(i / 10), 200 + 50 * (i % 3)), leader);
    for (int trip = 0; trip < 2; trip++) {
        town_frames(&t, 700);
        const uint64_t steps = town_counts(&t).steps;
        town_frames(&t, 100);
        cr_expect_eq(town_counts(&t).steps, steps, "%u followers stir", count);
        for (uint32_t i = 1; i <= count && count <= 8; i++) cr_expect_eq(apart(&t, i, leader), 1, "of %u", count);
        if (trip == 0) town_go(&t, leader, 40, 10);
    }
    cr_expect(town_is_at(&t, leader, 40, 10));
    cr_expect_eq(town_count(&t, leader, WEND_AGENT_EVENT_DISPLACED), 0);
}

Test(manners, followers_rest_and_leave_their_target_alone) {
    for (uint32_t count = 1; count <= 20; count += count < 8 ? 7 : 12) gather(count);
}

/* Both pass each corner of the loop again and again: nobody is driven back along it, nor cuts it short when pushed. */
Test(manners, two_patrols_meet_on_one_loop) {
    for (int32_t side = 8; side <= 20; side += 4) {
        const int32_t far = side - 1;
        const wend_cell corners[2][4] = {{{0, 0, 0}, {far, 0, 0}, {far, far, 0}, {0, far, 0}},
                                         {{0, 0, 0}, {0, far, 0}, {far, far, 0}, {far, 0, 0}}};
        OWNED(town_close) town t;
        town_open_on(&t, field_of(side, side), NULL, 0);
        const uint32_t a[2] = {town_add(&t, 0, 0, 500), town_add(&t, far, far / 2, 500)};
        for (int k = 0; k < 2; k++) {
            wend_route_def def = default_route();
            def.mode = WEND_ROUTE_LOOP, def.corners = corners[k], def.corner_count = 4;
            uint32_t route;
            cr_assert_eq(wend_crowd_add_route(t.crowd, &def, &route), WEND_OK);
            cr_assert_eq(wend_crowd_take(t.crowd, t.agents[a[k]].id, route), WEND_OK);
            t.agents[a[k]].begun++;
        }
        uint32_t passed[2][4] = {{0}};
        for (int32_t frame = 0; frame < 5 * 8 * far; frame++) { /* time for five rounds */
            town_frame(&t);
            for (int k = 0; k < 2; k++)
                for (int c = 0; c < 4; c++) passed[k][c] += same_cell(town_cell(&t, a[k]), corners[k][c]);
        }
        for (int k = 0; k < 2; k++)
            for (int c = 0; c < 4; c++)
                cr_expect_geq(passed[k][c], 2 * 3, "side %d, patrol %d, corner %d", (int)side, k,
                              c); /* 2 frames each */
    }
}

static void wait_for_player(uint32_t patience, uint32_t wait, bool arrives) {
    wend_crowd_def def = default_crowd();
    def.agents = TOWN_AGENTS, def.patience_updates = patience, def.tries = 1000;
    OWNED(town_close) town t;
    open_room(&t, 3, 1, &def);
    const uint32_t player = add_with(&t, 3, 1, WEND_AGENT_STEERED), npc = town_add(&t, 0, 1, 500);
    town_go(&t, npc, 7, 1);
    town_frames(&t, wait);
    for (int32_t x = 4; x < 6; x++) {
        cr_assert_eq(wend_crowd_step(t.crowd, t.agents[player].id, (wend_cell){x, x - 3, 0}), WEND_OK);
        t.agents[player].begun++;
        town_frames(&t, 2);
    }
    town_frames(&t, 300);
    cr_expect_eq(town_last(&t, npc) == WEND_AGENT_EVENT_ARRIVED, arrives, "patience %u, wait %u", patience, wait);
}

Test(manners, an_agent_waits_for_a_player_as_long_as_it_has_patience) {
    wait_for_player(500, 40, true);
    wait_for_player(500, 400, true);
    wait_for_player(100, 400, false);
    wait_for_player(0, 200, false);
}
