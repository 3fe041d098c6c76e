/* SPDX-License-Identifier: MIT */
/* Manners of agents: overtaking, letting others in, resting undisturbed. Each case in several sizes. */
#include "crowd/crowd_support.h"
#include "models/few_or_many.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <wend/agents.h>
#include <wend/units.h>

static wend_map *field_of(int32_t width, int32_t height) {
    return grid_map(width, height);
}

/* A room of 5 x `height` cells to the right of a wall, with one door. */
static void open_room(town *t, int32_t height, int32_t door, const wend_crowd_def *def) {
    town_open_on(t, field_of(9, height), def, 0);
    IN_BATCH(t->map, for (int32_t y = 0; y < height; y++) wend_edit_set_cell(edit, (wend_cell){3, y, 0}, y == door));
}

static uint32_t add_mover(town *t, int32_t x, int32_t y, int32_t mover) {
    wend_agent_def def = default_agent();
    def.cell = (wend_cell){x, y, 0}, def.mover = mover;
    return town_add_def(t, &def);
}

static uint32_t add_with(town *t, int32_t x, int32_t y, uint32_t flags) {
    wend_agent_def def = default_agent();
    def.cell = (wend_cell){x, y, 0}, def.speed_milli = 1000;
    set_as(&def, flags);
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
    const int32_t mover = add_mover_of_size(t.map, size);
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

/* Followers settle round a target that stands, follow it when it goes, never push it off its goal, and settle again. */
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

/* More followers than there are places near the target, packed from the left, the right, or spread. They come to rest
 * where they are, and none moves until the target does. */
static void pack(int32_t width, int32_t height, uint32_t count, wend_cell at, int32_t order) {
    OWNED(town_close) town t;
    town_open_on(&t, field_of(width, height), NULL, 0);
    const uint32_t leader = town_add(&t, at.x, at.y, 250), cells = (uint32_t)(width * height);
    for (uint32_t i = 0, added = 0; added < count; i++) {
        const uint32_t number = order == 0   ? i
                                : order == 1 ? cells - 1 - i
                                             : i * 7 % cells; /* 7 divides no size here */
        const wend_cell cell = {(int32_t)number / height, (int32_t)number % height, 0};
        if (same_cell(cell, at)) continue;
        follow(&t, town_add(&t, cell.x, cell.y, 250 + 50 * (added++ % 3)), leader);
    }
    town_frames(&t, 800);
    const uint64_t steps = town_counts(&t).steps;
    town_frames(&t, 200);
    cr_expect_eq(town_counts(&t).steps, steps, "%u on %d x %d round %d,%d, order %d", count, (int)width, (int)height,
                 (int)at.x, (int)at.y, (int)order);
    const wend_cell away = {at.x > width / 2 ? 0 : width - 1, 0, 0};
    town_go(&t, leader, away.x, away.y);
    town_frames(&t, 400);
    cr_expect(town_is_at(&t, leader, away.x, away.y));
    cr_expect_gt(town_counts(&t).steps, steps + count, "they follow again");
}

Test(manners, packed_followers_come_to_rest) {
    static const int32_t sizes[][2] = {{20, 3}, {20, 2}, {12, 5}, {9, 9}, {30, 4}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (uint32_t count = 9; count <= 25; count += 8)
            for (int32_t order = few_or_many((int32_t)(s + count / 8) % 3, 0); order < 3; order += few_or_many(3, 1)) {
                const int32_t width = sizes[s][0], height = sizes[s][1];
                pack(width, height, count, (wend_cell){width / 2, height / 2, 0}, order);
                pack(width, height, count, (wend_cell){1, 0, 0}, order);
            }
}

/* Both pass each corner of the loop again and again: neither is driven back along it, nor cuts it short when pushed. */
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
            cr_assert_eq(wend_crowd_patrol(t.crowd, t.agents[a[k]].id, route), WEND_OK);
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
                cr_expect_geq(passed[k][c], 6, "side %d, patrol %d, corner %d", (int)side, k, c); /* 2 frames each */
    }
}

static void wait_for_player(uint32_t patience, uint32_t wait, bool arrives) {
    wend_crowd_def def = default_crowd();
    def.agents = TOWN_AGENTS, tuning_of(&def)->patience_updates = patience, tuning_of(&def)->tries = 1000;
    OWNED(town_close) town t;
    open_room(&t, 3, 1, &def);
    const uint32_t player = add_with(&t, 3, 1, AS_STEERED), npc = town_add(&t, 0, 1, 500);
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

/* ---- groups ---- */

/* Sends a block of agents from the upper left to a cell, and returns the frames until all have ended. */
static uint32_t send_group(town *t, uint32_t *agents, uint32_t count, const wend_crowd_goal *goal) {
    wend_agent_id ids[128];
    for (uint32_t i = 0; i < count; i++) {
        agents[i] = town_add(t, 1 + (int32_t)(i % 10), 1 + (int32_t)(i / 10), 500);
        ids[i] = t->agents[agents[i]].id;
        t->agents[agents[i]].begun++;
    }
    cr_assert_eq(wend_crowd_go(t->crowd, ids, count, goal), WEND_OK);
    return town_walk(t, 3000);
}

static bool anyone_at(const town *t, int32_t x, int32_t y) {
    uint32_t units;
    return wend_map_get_occupants(t->map, (wend_cell){x, y, 0}, &units) == WEND_OK && units == 1;
}

Test(manners, groups_form_and_are_turned_the_way_they_go) {
    static const struct {
        int32_t formation, spacing, cells[5][2]; /* relative to the goal; all go east */
    } forms[] = {{WEND_AS_LINE, 2, {{0, 0}, {0, 2}, {0, -2}, {0, 4}, {0, -4}}},
                 {WEND_AS_COLUMN, 1, {{0, 0}, {-1, 0}, {-2, 0}, {-3, 0}, {-4, 0}}},
                 {WEND_AS_WEDGE, 3, {{0, 0}, {-3, 3}, {-3, -3}, {-6, 6}, {-6, -6}}},
                 {WEND_AS_BOX, 1, {{0, 0}, {0, 1}, {0, -1}, {-1, 0}, {-1, 1}}}};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        OWNED(town_close) town t;
        uint32_t agents[5];
        town_open_on(&t, field_of(60, 30), NULL, 0);
        wend_crowd_goal goal = default_crowd_goal();
        goal.cell = (wend_cell){45, 8, 0}, goal.formation = forms[k].formation;
        goal.spacing = (uint32_t)forms[k].spacing;
        send_group(&t, agents, 5, &goal);
        for (int i = 0; i < 5; i++)
            cr_expect(anyone_at(&t, 45 + forms[k].cells[i][0], 8 + forms[k].cells[i][1]), "formation %d, place %d",
                      (int)forms[k].formation, i);
    }
}

/* A place in a wall, or off the map, is the nearest free cell. */
Test(manners, a_formation_gives_way_to_walls) {
    OWNED(town_close) town t;
    uint32_t agents[20];
    town_open_on(&t, field_of(60, 30), NULL, 0);
    IN_BATCH(t.map, for (int32_t y = 10; y < 26; y++) wend_edit_set_cell(edit, (wend_cell){45, y, 0}, 0));
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = (wend_cell){45, 5, 0}, goal.formation = WEND_AS_LINE, goal.spacing = 2;
    send_group(&t, agents, 20, &goal);
    for (int i = 0; i < 20; i++) cr_expect_eq(town_last(&t, agents[i]), WEND_AGENT_EVENT_ARRIVED);
}

/* 100 agents form a box in at most 1.3 times as long as the farthest needs straight on. */
Test(manners, a_hundred_form_in_time) {
    OWNED(town_close) town t;
    uint32_t agents[100];
    town_open_on(&t, field_of(80, 40), NULL, 0);
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = (wend_cell){70, 20, 0}, goal.formation = WEND_AS_BOX, goal.spacing = 2;
    const uint32_t frames = send_group(&t, agents, 100, &goal);
    uint32_t farthest = 0;
    for (int32_t i = 0; i < 100; i++) {
        const wend_cell end = town_cell(&t, agents[i]);
        const int32_t x = end.x - 1 - i % 10, y = end.y - 1 - i / 10, high = y < 0 ? -y : y;
        const uint32_t way =
            (uint32_t)(10 * (x > high ? x : high) + 4 * (x > high ? high : x)); /* in tenths of a cell */
        if (way > farthest) farthest = way;
    }
    cr_expect_leq(frames, farthest * 2 / 10 * 13 / 10, "%u frames, straight on %u", frames, farthest * 2 / 10);
}

Test(manners, a_group_keeps_the_pace_of_its_slowest) {
    for (int32_t pace = 0; pace < 2; pace++) {
        OWNED(town_close) town t;
        town_open_on(&t, field_of(60, 10), NULL, 0);
        const uint32_t slow = town_add(&t, 1, 4, 250), fast = town_add(&t, 1, 5, 1000);
        wend_crowd_goal goal = default_crowd_goal();
        goal.cell = (wend_cell){50, 4, 0}, goal.pace = pace;
        const wend_agent_id ids[] = {t.agents[slow].id, t.agents[fast].id};
        cr_assert_eq(wend_crowd_go(t.crowd, ids, 2, &goal), WEND_OK);
        t.agents[slow].begun++, t.agents[fast].begun++;
        town_frames(&t, 80);
        const int32_t lead = town_cell(&t, fast).x - town_cell(&t, slow).x;
        cr_expect(pace ? lead >= -1 && lead <= 1 : lead > 20, "pace %d: %d cells ahead", (int)pace, (int)lead);
        cr_expect_eq(town_state(&t, fast).speed_milli, 1000, "its own speed stays");
        town_walk(&t, 1000);
        town_go(&t, fast, 1, 4);
        town_frames(&t, 40);
        cr_expect_leq(town_cell(&t, fast).x, 15, "alone it is fast again");
    }
}

Test(manners, nobody_pushes_a_parked_one) {
    static const char *const rows[] = {"#.........", "..........", "#........."};
    OWNED(town_close) town t;
    town_open(&t, rows, 3, NULL);
    const uint32_t parked = add_with(&t, 5, 1, AS_PARKED);
    cr_assert_eq(town_state(&t, parked).parked, true);
    for (int32_t i = 0; i < 3; i++) town_go(&t, town_add(&t, 1, i, 300 + 100 * (uint32_t)i), 9, i);
    for (int frame = 0; frame < 100; frame++) {
        town_frame(&t);
        cr_assert(town_is_at(&t, parked, 5, 1));
    }
    for (uint32_t i = 1; i <= 3; i++) cr_expect_eq(town_last(&t, i), WEND_AGENT_EVENT_ARRIVED);
    const uint32_t in_the_way = add_with(&t, 0, 1, AS_PARKED), last = town_add(&t, 1, 1, 500);
    town_go(&t, in_the_way, 2, 0); /* a parked agent still goes by itself */
    town_go(&t, last, 0, 1);
    town_walk(&t, 300);
    cr_expect(town_is_at(&t, in_the_way, 2, 0) && town_is_at(&t, last, 0, 1));
}

Test(manners, near_enough_counts_where_the_cell_is_taken) {
    for (int32_t near_enough = 0; near_enough < 3; near_enough++) {
        OWNED(town_close) town t;
        town_open_on(&t, field_of(20, 9), NULL, 0);
        wend_crowd_goal goal = default_crowd_goal();
        goal.cell = (wend_cell){15, 4, 0}, goal.near_enough = near_enough;
        for (int32_t i = 0; i < 12; i++) {
            const uint32_t agent = town_add(&t, i % 3, i / 3, 500);
            cr_assert_eq(wend_crowd_go(t.crowd, &t.agents[agent].id, 1, &goal), WEND_OK);
            t.agents[agent].begun++;
        }
        town_walk(&t, 1000);
        uint32_t arrived = 0;
        for (uint32_t i = 0; i < 12; i++) arrived += town_last(&t, i) == WEND_AGENT_EVENT_ARRIVED;
        cr_expect_eq(arrived, near_enough == 0 ? 1 : near_enough == 1 ? 9 : 12, "near %d: %u", near_enough, arrived);
    }
}

Test(manners, one_that_is_put_elsewhere_stays_parked_and_follows) {
    OWNED(town_close) town t;
    town_open_on(&t, field_of(20, 3), NULL, 0);
    const uint32_t parked = add_with(&t, 2, 1, AS_PARKED), leader = town_add(&t, 15, 1, 250);
    const uint32_t follower = town_add(&t, 0, 0, 250);
    follow(&t, follower, leader);
    cr_assert_eq(wend_crowd_move(t.crowd, t.agents[parked].id, (wend_cell){5, 1, 0}), WEND_OK);
    cr_assert_eq(wend_crowd_move(t.crowd, t.agents[follower].id, (wend_cell){9, 1, 0}), WEND_OK);
    t.agents[parked].cell = (wend_cell){5, 1, 0}, t.agents[follower].cell = (wend_cell){9, 1, 0};
    cr_expect_eq(town_state(&t, parked).parked, true);
    const uint32_t walker = town_add(&t, 1, 1, 500);
    town_go(&t, walker, 7, 1);
    town_frames(&t, 200);
    cr_expect(town_is_at(&t, parked, 5, 1) && town_is_at(&t, walker, 7, 1) && town_is_at(&t, leader, 15, 1));
    cr_expect_eq(apart(&t, follower, leader), 1);
}

/* Counted from the requested cell, not from the place that the agent got. */
Test(manners, near_enough_is_near_the_goal) {
    static const char *const rows[] = {"####################.", "....................."};
    OWNED(town_close) town t;
    town_open(&t, rows, 2, NULL);
    for (int32_t x = 14; x < 21; x++) add_with(&t, x, 1, AS_PARKED);
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = (wend_cell){20, 1, 0}, goal.near_enough = 2;
    const uint32_t agent = town_add(&t, 1, 1, 500);
    cr_assert_eq(wend_crowd_go(t.crowd, &t.agents[agent].id, 1, &goal), WEND_OK);
    t.agents[agent].begun++;
    town_walk(&t, 1000);
    cr_expect_eq(town_last(&t, agent), WEND_AGENT_EVENT_PARTIAL);
}

Test(manners, near_enough_counts_before_a_parked_one) {
    OWNED(town_close) town t;
    town_open_on(&t, field_of(20, 9), NULL, 0);
    add_with(&t, 15, 4, AS_PARKED);
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = (wend_cell){15, 4, 0}, goal.near_enough = 1;
    const uint32_t agent = town_add(&t, 1, 4, 500);
    cr_assert_eq(wend_crowd_go(t.crowd, &t.agents[agent].id, 1, &goal), WEND_OK);
    t.agents[agent].begun++;
    town_walk(&t, 300);
    cr_expect_eq(town_last(&t, agent), WEND_AGENT_EVENT_ARRIVED);
}

Test(manners, what_is_out_of_range_is_refused) {
    OWNED(town_close) town t;
    town_open_on(&t, field_of(10, 10), NULL, 0);
    const uint32_t agent = town_add(&t, 0, 0, 250);
    wend_crowd_goal goal = default_crowd_goal();
    const wend_crowd_goal good = goal;
    wend_crowd_goal bad[] = {good, good, good, good, good, good};
    bad[0].near_enough = -1, bad[1].near_enough = WEND_MAX_REACH + 1, bad[2].formation = -1;
    bad[3].formation = WEND_AS_BOX + 1, bad[4].spacing = UINT32_MAX, bad[5].spacing = WEND_MAX_SPACING + 1;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect_eq(wend_crowd_go(t.crowd, &t.agents[agent].id, 1, &bad[i]), WEND_BAD_ARGUMENT, "%zu", i);
    goal.near_enough = WEND_MAX_REACH, goal.spacing = WEND_MAX_SPACING;
    cr_expect_eq(wend_crowd_go(t.crowd, &t.agents[agent].id, 1, &goal), WEND_OK);
    t.agents[agent].begun++;
}

/* ---- agents that wait for others ---- */

static void wait_for(town *t, uint32_t agent, const uint32_t *others, size_t count) {
    wend_agent_id ids[WEND_MAX_WAITED_FOR];
    for (size_t i = 0; i < count; i++) ids[i] = t->agents[others[i]].id;
    cr_assert_eq(wend_crowd_wait_for(t->crowd, t->agents[agent].id, ids, count), WEND_OK);
}

static void open_lane(town *t, int32_t length, uint32_t patience) {
    wend_crowd_def def = default_crowd();
    def.agents = TOWN_AGENTS, tuning_of(&def)->patience_updates = patience;
    town_open_on(t, field_of(length, 1), &def, 0);
}

/* In a lane one wide others push a standing agent along, except an agent that waits for it, and others for that one. */
static void meet_in_lane(int32_t length, uint32_t between, bool waits) {
    OWNED(town_close) town t;
    open_lane(&t, length, 1000);
    const uint32_t walker = town_add(&t, 0, 0, 500);
    for (uint32_t i = 0; i < between; i++) town_add(&t, 1 + 2 * (int32_t)i, 0, 250);
    const int32_t stands = 2 + 2 * (int32_t)between;
    const uint32_t hero = town_add(&t, stands, 0, 500);
    if (waits) wait_for(&t, walker, &hero, 1);
    town_go(&t, walker, stands + 2, 0);
    bool moved = false;
    for (int frame = 0; frame < 200; frame++) {
        town_frame(&t);
        moved = moved || !town_is_at(&t, hero, stands, 0);
        if (waits) cr_assert(town_is_at(&t, hero, stands, 0), "length %d, %u between", (int)length, between);
    }
    if (!waits) {
        cr_expect(moved, "length %d, %u between", (int)length, between);
        return;
    }
    cr_expect_eq(town_last(&t, walker), 0, "it still waits");
    town_go(&t, hero, length - 1, 0); /* the others are in the way of the walker only */
    town_walk(&t, 1500);
    cr_expect(town_is_at(&t, hero, length - 1, 0));
    cr_expect(town_is_at(&t, walker, stands + 2, 0), "length %d, %u between", (int)length, between);
}

Test(manners, nobody_pushes_one_that_it_waits_for) {
    for (int32_t length = 12; length <= 20; length += 4)
        for (uint32_t between = 0; between < 3; between++)
            for (int waits = 0; waits < 2; waits++) meet_in_lane(length, between, waits);
}

/* On open ground it goes round instead. */
Test(manners, one_that_waits_for_others_goes_round_them) {
    for (int32_t height = 3; height <= 9; height += 2) {
        OWNED(town_close) town t;
        town_open_on(&t, field_of(20, height), NULL, 0);
        uint32_t heroes[8];
        for (int32_t i = 0; i < height - 1; i++) heroes[i] = town_add(&t, 10, i, 250);
        const uint32_t walker = town_add(&t, 2, 0, 500);
        wait_for(&t, walker, heroes, (size_t)height - 1);
        town_go(&t, walker, 18, 0);
        for (uint32_t frame = 0; frame < 300; frame++) {
            town_frame(&t);
            for (int32_t i = 0; i < height - 1; i++) cr_assert(town_is_at(&t, heroes[i], 10, i));
        }
        cr_expect(town_is_at(&t, walker, 18, 0), "height %d", (int)height);
    }
}

/* Without patience it stops as before a unit of the host, and the goal ends. */
Test(manners, one_that_waits_for_another_has_no_more_patience_than_before_a_player) {
    for (uint32_t patience = 0; patience <= 1000; patience += 500) {
        OWNED(town_close) town t;
        open_lane(&t, 12, patience);
        const uint32_t walker = town_add(&t, 0, 0, 500), hero = town_add(&t, 6, 0, 250);
        wait_for(&t, walker, &hero, 1);
        town_go(&t, walker, 10, 0);
        town_frames(&t, 250);
        cr_expect_eq(town_last(&t, walker) == 0, patience > 0, "patience %u", patience);
        town_frames(&t, 1000);
        cr_expect_eq(town_last(&t, walker), WEND_AGENT_EVENT_PARTIAL, "patience %u", patience);
        cr_expect(town_is_at(&t, hero, 6, 0));
    }
}

Test(manners, a_window_does_not_move_one_that_its_opener_waits_for) {
    static const char *const rows[] = {"########.###", "............", "############"};
    for (int waits = 0; waits < 2; waits++) {
        OWNED(town_close) town t;
        wend_crowd_def def = default_crowd();
        def.agents = TOWN_AGENTS, tuning_of(&def)->patience_updates = 0;
        town_open(&t, rows, 3, &def);
        const uint32_t walker = town_add(&t, 0, 1, 500), hero = town_add(&t, 6, 1, 500);
        if (waits) wait_for(&t, walker, &hero, 1);
        town_go(&t, walker, 11, 1);
        bool moved = false;
        for (int frame = 0; frame < 400; frame++) {
            town_frame(&t);
            moved = moved || !town_is_at(&t, hero, 6, 1);
        }
        cr_expect_eq(moved, !waits);
        cr_expect_eq(town_is_at(&t, walker, 11, 1), !waits);
    }
}

/* A removed agent is forgotten: a new agent in its slot can be pushed. */
Test(manners, nobody_waits_for_one_that_is_removed) {
    OWNED(town_close) town t;
    open_lane(&t, 12, 1000);
    const uint32_t walker = town_add(&t, 0, 0, 500), hero = town_add(&t, 4, 0, 500), other = town_add(&t, 9, 0, 500);
    const uint32_t both[] = {hero, other};
    wait_for(&t, walker, both, 2);
    town_remove(&t, hero);
    const uint32_t next = town_add(&t, 5, 0, 500);
    cr_assert_eq(t.agents[next].id.index, t.agents[hero].id.index);
    town_go(&t, walker, 6, 0);
    town_frames(&t, 100);
    cr_expect(town_is_at(&t, walker, 6, 0) && town_is_at(&t, other, 9, 0));
    town_go(&t, walker, 8, 0);
    town_frames(&t, 200);
    cr_expect(!town_is_at(&t, walker, 8, 0) && town_is_at(&t, other, 9, 0), "it still waits for the other");
    cr_assert_eq(wend_crowd_wait_for(t.crowd, t.agents[walker].id, NULL, 0), WEND_OK);
    town_walk(&t, 400);
    cr_expect(town_is_at(&t, walker, 8, 0) && !town_is_at(&t, other, 9, 0));
}

Test(manners, whom_an_agent_waits_for_is_checked) {
    OWNED(town_close) town t;
    town_open_on(&t, field_of(20, 3), NULL, 0);
    wend_agent_id ids[WEND_MAX_WAITED_FOR + 1];
    for (int32_t i = 0; i <= WEND_MAX_WAITED_FOR; i++) ids[i] = t.agents[town_add(&t, i, 0, 250)].id;
    const wend_agent_id waiter = t.agents[town_add(&t, 0, 2, 250)].id, none = {0};
    cr_expect_eq(wend_crowd_wait_for(t.crowd, waiter, ids, WEND_MAX_WAITED_FOR), WEND_OK);
    cr_expect_eq(wend_crowd_wait_for(t.crowd, waiter, ids, WEND_MAX_WAITED_FOR + 1), WEND_BAD_ARGUMENT);
    cr_expect_eq(wend_crowd_wait_for(t.crowd, waiter, NULL, 1), WEND_BAD_ARGUMENT);
    cr_expect_eq(wend_crowd_wait_for(t.crowd, waiter, &waiter, 1), WEND_BAD_ARGUMENT);
    cr_expect_eq(wend_crowd_wait_for(t.crowd, waiter, &none, 1), WEND_STALE_TICKET);
    cr_expect_eq(wend_crowd_wait_for(t.crowd, none, ids, 1), WEND_STALE_TICKET);
}
