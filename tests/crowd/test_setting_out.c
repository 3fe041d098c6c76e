/* SPDX-License-Identifier: MIT */
/* Agents that set out before their searches end: they do so only where they may, arrive all the same, go back where
 * the prefix was wrong, and never go farther than that before the answer is there. */
#include "crowd/crowd_support.h"
#include "models/few_or_many.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <wend/boxes.h>
#include <wend/crowd_tuning.h>

enum { SIDE = 120, FEW = 40 };

static town t;

/* Walls that stand across the way, with gaps at alternate ends: prefixes lead into dead ends. */
static wend_map *walls(void) {
    wend_map *map = grid_map(SIDE, SIDE);
    wend_edit *edit = begin_edit(map);
    for (int32_t x = 15, i = 0; x < SIDE; x += 15, i++)
        for (int32_t y = 0; y < SIDE; y++)
            if (i % 2 ? y >= 8 : y < SIDE - 8) wend_edit_set_cell(edit, (wend_cell){x, y, 0}, 0);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

static wend_crowd_def def_of(uint32_t head_start) {
    wend_crowd_def def = default_crowd();
    def.agents = 64;
    tuning_of(&def)->head_start = head_start;
    def.path_bytes = 1 << 18;
    return def;
}

static void open_town(uint32_t head_start, uint64_t budget) {
    const wend_crowd_def def = def_of(head_start);
    town_open_on(&t, walls(), &def, 0);
    t.budget = budget;
}

static int32_t apart(wend_cell a, wend_cell b) {
    const int32_t x = abs(a.x - b.x), y = abs(a.y - b.y);
    return x > y ? x : y;
}

Test(setting_out, without_it_an_agent_waits_for_its_path) {
    open_town(0, FEW);
    const uint32_t a = town_add(&t, 2, 60, 1000);
    town_go(&t, a, 110, 60);
    town_frames(&t, 20);
    cr_assert(town_is_at(&t, a, 2, 60));
    cr_assert_eq(town_counts(&t).head_starts, 0);
    town_walk(&t, 5000);
    cr_assert(town_is_at(&t, a, 110, 60));
    town_close(&t);
}

Test(setting_out, an_agent_moves_in_the_second_frame_and_arrives) {
    open_town(12, FEW);
    const uint32_t a = town_add(&t, 2, 60, 1000);
    town_go(&t, a, 110, 60);
    town_frames(&t, 2);
    cr_assert(!town_is_at(&t, a, 2, 60));
    cr_assert_eq(town_counts(&t).head_starts, 1);
    town_walk(&t, 5000);
    cr_assert(town_is_at(&t, a, 110, 60));
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_ARRIVED);
    cr_assert_eq(town_counts(&t).searches_begun, 1, "the answer was joined, not searched for again");
    town_close(&t);
}

Test(setting_out, goes_no_farther_than_the_head_start) {
    for (uint32_t most = 1; most < 20; most += 6) {
        open_town(most, 10);
        const wend_cell start = {2, 60, 0};
        const uint32_t a = town_add(&t, start.x, start.y, 1000);
        town_go(&t, a, 110, 60);
        uint32_t away = 0;
        for (int i = 0; i < 120 && town_counts(&t).searches > 0; i++) {
            town_frame(&t);
            if (town_counts(&t).searches > 0 && (uint32_t)apart(town_cell(&t, a), start) > away)
                away = (uint32_t)apart(town_cell(&t, a), start);
        }
        cr_assert(away > 0 && away <= most, "%u of %u", away, most);
        town_close(&t);
    }
}

/* The goal is walled in after the search has begun, in a map that still has it open: no path leads there. */
Test(setting_out, an_agent_whose_goal_cannot_be_reached_ends_its_goal_once) {
    open_town(12, FEW);
    const uint32_t a = town_add(&t, 2, 60, 1000);
    town_go(&t, a, 110, 60);
    town_frames(&t, 3);
    cr_assert(!town_is_at(&t, a, 2, 60));
    for (int32_t y = 0; y < SIDE; y++) town_set(&t, 50, y, 0);
    town_walk(&t, 20000);
    cr_assert_eq(town_count(&t, a, WEND_AGENT_EVENT_PARTIAL) + town_count(&t, a, WEND_AGENT_EVENT_GAVE_UP), 1);
    town_close(&t);
}

Test(setting_out, a_newer_goal_and_a_halt_end_it) {
    open_town(12, FEW);
    const uint32_t a = town_add(&t, 2, 60, 1000), b = town_add(&t, 2, 40, 1000);
    town_go(&t, a, 110, 60);
    town_go(&t, b, 110, 40);
    town_frames(&t, 4);
    town_go(&t, a, 2, 110);
    town_halt(&t, b);
    town_walk(&t, 5000);
    cr_assert(town_is_at(&t, a, 2, 110));
    cr_assert_lt(apart(town_cell(&t, b), (wend_cell){2, 40, 0}), 13);
    town_close(&t);
}

/* Runs many agents. The town checks each frame: no two share a cell, and each step is legal. */
static uint64_t many(uint32_t head_start, uint32_t workers, uint32_t *frames, uint64_t *searches) {
    const wend_crowd_def def = def_of(head_start);
    town_open_on(&t, walls(), &def, workers);
    t.budget = 1500;
    uint32_t agents[40];
    for (int32_t i = 0; i < 40; i++) {
        agents[i] = town_add(&t, 1 + i % 10, 10 + 2 * i, 400 + 15 * (uint32_t)i);
        town_go(&t, agents[i], 110 + i % 8, 100 - 2 * i);
    }
    *frames = town_walk(&t, 20000);
    for (int32_t i = 0; i < 40; i++) cr_assert_eq(town_last(&t, agents[i]), WEND_AGENT_EVENT_ARRIVED, "%d", (int)i);
    cr_assert_eq(town_counts(&t).head_starts > 20, head_start > 0);
    *searches = town_counts(&t).searches_begun;
    const uint64_t hash = t.hash;
    town_close(&t);
    return hash;
}

Test(setting_out, s2_many_arrive_the_same_for_any_number_of_workers) {
    uint32_t frames, without;
    uint64_t searches, others;
    const uint64_t hash = many(16, 0, &frames, &searches);
    if (few_or_many(0, 1)) cr_assert_eq(many(16, 1, &without, &others), hash);
    cr_assert_eq(many(16, 3, &without, &others), hash);
    (void)many(0, 0, &without, &others);
    cr_assert_leq(frames, without + without / 10, "%u frames, without %u", frames, without);
    cr_assert_leq(searches, others + others / 4, "%lu, without %lu", (unsigned long)searches, (unsigned long)others);
}

Test(setting_out, a_head_start_that_is_too_long_is_refused) {
    open_town(WEND_MAX_HEAD_START, FEW);
    wend_crowd_def def = def_of(WEND_MAX_HEAD_START + 1);
    def.service = t.service, def.map = t.map;
    wend_crowd *crowd;
    cr_assert_eq(wend_crowd_create(&def, &crowd), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_crowd_bytes(&def), 0);
    town_close(&t);
}
