/* SPDX-License-Identifier: MIT */
/* Flights that last. */
#include "crowd/crowd_support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <wend/agents.h>

enum { WIDE = 40, HIGH = 20 };

static wend_map *open_field(void) {
    wend_map *map;
    map = grid_map(WIDE, HIGH);
    return map;
}

static void flee(town *t, uint32_t agent, uint32_t target, int32_t distance) {
    wend_crowd_goal goal = default_crowd_goal();
    goal.kind = WEND_CROWD_FLEE, goal.target = t->agents[target].id, goal.distance = distance, goal.keep = 1;
    t->agents[agent].begun++;
    cr_assert_eq(wend_crowd_go(t->crowd, &t->agents[agent].id, 1, &goal), WEND_OK);
}

static int32_t apart(const town *t, uint32_t a, uint32_t b) {
    const wend_cell x = town_cell(t, a), y = town_cell(t, b);
    const int32_t dx = abs(x.x - y.x), dy = abs(x.y - y.y);
    return dx > dy ? dx : dy;
}

Test(flee, one_that_lasts_runs_again_and_again) {
    OWNED(town_close) town t;
    town_open_on(&t, open_field(), NULL, 0);
    const uint32_t wolf = town_add(&t, 0, 10, 100), hare = town_add(&t, 8, 10, 500);
    flee(&t, hare, wolf, 6);
    town_frames(&t, 20);
    cr_assert(town_is_at(&t, hare, 8, 10), "the wolf is far away");
    for (int32_t x = 5; x <= 30; x += 5) {
        town_go(&t, wolf, x, 10);
        for (int frame = 0; frame < 60; frame++) {
            town_frame(&t);
            cr_assert_geq(apart(&t, wolf, hare), 4, "it is as fast as five wolves");
        }
        cr_assert_geq(apart(&t, wolf, hare), 6);
    }
    cr_assert_eq(town_count(&t, hare, WEND_AGENT_EVENT_ARRIVED), 0);
    cr_assert_eq(town_state(&t, hare).has_goal, 1);
    town_remove(&t, wolf);
    const uint32_t other = town_add(&t, 1, 1, 100); /* in the place of the wolf */
    town_frame(&t);
    cr_assert_eq(town_why(&t, hare), WEND_WHY_GONE);
    flee(&t, hare, other, 6);
    town_halt(&t, hare);
    town_frames(&t, 2);
    cr_assert_eq(t.agents[hare].ended, 2);
}

Test(flee, goes_where_the_only_way_is) {
    static const int32_t dx[] = {0, 1, 0, -1}, dy[] = {-1, 0, 1, 0};
    for (int side = 0; side < 4; side++) {
        OWNED(town_close) town t;
        town_open_on(&t, grid_map(21, 21), NULL, 0);
        wend_edit *edit = begin_edit(t.map);
        for (int32_t y = 0; y < 21; y++)
            for (int32_t x = 0; x < 21; x++) {
                const int32_t along = (x - 10) * dx[side] + (y - 10) * dy[side];
                if (along < 0 || (dx[side] ? y : x) != 10) wend_edit_set_cell(edit, (wend_cell){x, y, 0}, 0);
            }
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        const uint32_t wolf = town_add(&t, 10, 10, 100), hare = town_add(&t, 10 + dx[side], 10 + dy[side], 500);
        flee(&t, hare, wolf, 6);
        town_frames(&t, 60);
        cr_expect(town_is_at(&t, hare, 10 + 6 * dx[side], 10 + 6 * dy[side]), "side %d", side);
    }
}

Test(flee, one_that_is_far_away_searches_nothing) {
    OWNED(town_close) town t;
    town_open_on(&t, open_field(), NULL, 0);
    const uint32_t wolf = town_add(&t, 0, 0, 250);
    for (int32_t i = 0; i < 10; i++) flee(&t, town_add(&t, 30, 5 + i, 250), wolf, 10);
    town_go(&t, wolf, 10, 19);
    town_frames(&t, 150);
    cr_assert_eq(town_counts(&t).searches_begun, 1, "the wolf's");
    cr_assert(town_is_at(&t, 1, 30, 5));
    cr_assert_eq(wend_crowd_move(t.crowd, t.agents[wolf].id, (wend_cell){29, 3, 0}), WEND_OK);
    t.agents[wolf].cell = (wend_cell){29, 3, 0};
    town_frames(&t, 200);
    for (uint32_t i = 1; i <= 10; i++) cr_assert_geq(apart(&t, wolf, i), 10);
    cr_assert_gt(town_counts(&t).searches_begun, 10);
}

Test(flee, one_that_can_get_no_farther_stays_and_tries_again) {
    OWNED(town_close) town t;
    static const char *const rows[] = {"#########...", "#.......#...", "#########...", "............"};
    town_open(&t, rows, 4, NULL);
    const uint32_t hare = town_add(&t, 4, 1, 500), wolf = town_add(&t, 11, 3, 500);
    flee(&t, hare, wolf, 20);
    for (int turn = 0; turn < 3; turn++) {
        town_go(&t, wolf, 0, 3);
        town_frames(&t, 100);
        cr_assert(town_is_at(&t, hare, 7, 1), "as far as it gets");
        town_go(&t, wolf, 10, 3);
        town_frames(&t, 100);
        cr_assert(town_is_at(&t, hare, 1, 1));
    }
    cr_assert_eq(town_count(&t, hare, WEND_AGENT_EVENT_GAVE_UP) + town_count(&t, hare, WEND_AGENT_EVENT_PARTIAL), 0);
    const uint64_t searches = town_counts(&t).searches_begun;
    town_frames(&t, 100);
    cr_assert_leq(town_counts(&t).searches_begun, searches + 13, "not in each update");
}
