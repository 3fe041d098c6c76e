/* SPDX-License-Identifier: MIT */
/* Crowds whose updates have little work for deferred steps: they wait, nothing is lost, and all arrive. */
#include "crowd/crowd_support.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <wend/agents.h>

enum { SIDE = 44, GROUP = 80, SEARCH = 32 };

static wend_map *open_map(void) {
    return grid_map(SIDE, SIDE);
}

/* Blocks of agents in two corners. */
static void open_crowd(town *t, uint32_t work, uint32_t fields, uint32_t workers) {
    wend_crowd_def def = default_crowd();
    def.agents = TOWN_AGENTS, tuning_of(&def)->work = work, tuning_of(&def)->fields = fields,
    tuning_of(&def)->field_agents = GROUP / 2;
    town_open_on(t, open_map(), &def, workers);
    for (int32_t i = 0; i < GROUP; i++) {
        const int32_t far = i % 2 * (SIDE - 8);
        town_add(t, far + i / 2 % 8, far + i / 16, 700);
    }
}

/* Sends each block to the place of the other. */
static void cross(town *t) {
    uint32_t agents[2][GROUP / 2];
    for (uint32_t i = 0; i < GROUP; i++) agents[i % 2][i / 2] = i;
    town_go_all(t, agents[0], GROUP / 2, (wend_cell){SIDE - 5, SIDE - 5, 0}, 0);
    town_go_all(t, agents[1], GROUP / 2, (wend_cell){4, 4, 0}, 0);
}

static uint32_t walk(uint32_t work, uint32_t fields, uint32_t workers, uint64_t *put_off, uint64_t *hash) {
    static town t;
    uint32_t frames = 0;
    open_crowd(&t, work, fields, workers);
    cross(&t);
    for (*put_off = 0; town_counts(&t).busy > 0 && frames < 20000; frames++) {
        if (frames % 16 == 3) town_set(&t, SIDE / 2, SIDE / 2, frames % 32 == 3 ? 0 : 1);
        town_frame(&t);
        *put_off += town_counts(&t).put_off;
    }
    for (uint32_t i = 0; i < GROUP; i++) cr_assert_eq(town_last(&t, i), WEND_AGENT_EVENT_ARRIVED);
    *hash = t.hash;
    town_close(&t);
    return frames;
}

Test(crowd_work, what_finds_none_left_waits_and_all_arrive) {
    for (uint32_t fields = 0; fields <= 2; fields += 2) {
        uint64_t put_off, hash;
        const uint32_t frames = walk(0, fields, 0, &put_off, &hash);
        cr_assert_eq(put_off, 0, "the default suffices");
        cr_assert_leq(frames, walk(100, fields, 0, &put_off, &hash) + 8);
        cr_assert_gt(put_off, 0);
        (void)walk(1, fields, 0, &put_off, &hash);
        cr_assert_gt(put_off, GROUP);
    }
}

Test(crowd_work, the_bytes_are_the_same_for_any_number_of_workers) {
    uint64_t put_off, hash, other;
    (void)walk(100, 1, 0, &put_off, &hash);
    (void)walk(100, 1, 4, &put_off, &other);
    cr_assert_eq(hash, other);
}

Test(crowd_work, orders_and_updates_ask_for_so_many_searches_the_urgent_ones_first) {
    static town t;
    const uint32_t urgent = GROUP - 1;
    open_crowd(&t, 10 * SEARCH, 0, 0);
    cr_assert_eq(wend_crowd_set_urgency(t.crowd, t.agents[urgent].id, 1), WEND_OK);
    for (uint32_t i = 0; i < GROUP; i++) town_go(&t, i, SIDE / 2, (int32_t)i / 2);
    cr_assert_eq(town_counts(&t).searches_begun, 10, "an eighth is for the urgent one");
    cr_assert_eq(town_counts(&t).put_off, GROUP - 10);
    town_frame(&t);
    cr_assert_eq(town_state(&t, urgent).state, WEND_AGENT_WALKING);
    cr_assert_eq(town_state(&t, urgent - 1).state, WEND_AGENT_WAITING);
    uint32_t frames = 0;
    for (uint64_t before = 10, now; before < GROUP; before = now, town_frame(&t), frames++) {
        now = town_counts(&t).searches_begun;
        cr_assert(now >= before && now <= before + 10);
    }
    cr_assert_leq(frames, GROUP / 4);
    town_walk(&t, 20000);
    cr_assert_eq(town_counts(&t).put_off, 0);
    town_close(&t);
}
