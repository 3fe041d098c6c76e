/* SPDX-License-Identifier: MIT */
/* Updates within a budget: agents left out go on in the next one, and the number of choices repeats an update. */
#include "crowd/crowd_support.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/agents.h>
#include <wend/crowd_tuning.h>

enum { SIDE = 40, WALKERS = 200, UPDATES = 120 };

/// A clock that advances by `each` ns at each reading.
typedef struct steps_clock {
    uint64_t ns, each;
} steps_clock;

static uint64_t read_clock(void *context) {
    steps_clock *clock = context;
    return clock->ns += clock->each;
}

/// Walkers from the left of an open map to its right.
typedef struct march {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id ids[WALKERS];
    steps_clock clock;
} march;

static void march_open(march *m) {
    memset(m, 0, sizeof *m);
    wend_map_def of_map = default_map();
    of_map.width = of_map.height = SIDE;
    cr_assert_eq(wend_map_create(&of_map, &m->map), WEND_OK);
    wend_service_def service = default_service();
    service.clock = (wend_clock){&m->clock, read_clock};
    cr_assert_eq(wend_service_create(&service, &m->service), WEND_OK);
    wend_crowd_def def = default_crowd();
    def.service = m->service, def.map = m->map;
    cr_assert_eq(wend_crowd_create(&def, &m->crowd), WEND_OK);
    wend_crowd_goal goal = default_crowd_goal();
    for (int32_t i = 0; i < WALKERS; i++) {
        wend_agent_def agent = default_agent();
        agent.cell = (wend_cell){i / SIDE * 2, i % SIDE, 0}, agent.speed_milli = 1000;
        cr_assert_eq(wend_crowd_add(m->crowd, &agent, &m->ids[i]), WEND_OK);
    }
    goal.cell = (wend_cell){SIDE - 3, SIDE / 2, 0};
    cr_assert_eq(wend_crowd_go(m->crowd, m->ids, WALKERS, &goal), WEND_OK);
}

static void march_close(march *m) {
    cr_assert_eq(wend_crowd_destroy(m->crowd), WEND_OK);
    cr_assert_eq(wend_service_destroy(m->service), WEND_OK);
    wend_map_release(m->map);
}

/* Runs an update, and returns the hash of all places after it. */
static uint64_t march_update(march *m, const wend_update_budget *budget, uint64_t *choices) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    wend_budget tick = default_budget();
    tick.expansions = 100000;
    cr_assert_eq(wend_service_tick(m->service, &tick, NULL), WEND_OK);
    cr_assert_eq(wend_crowd_update(m->crowd, 1000, budget, choices), WEND_OK);
    cr_assert_eq(wend_crowd_get_view(m->crowd, &view), WEND_OK);
    uint64_t hash = 1;
    for (uint32_t i = 0; i < view.count; i++)
        hash = (hash ^ ((uint64_t)view.points[i].x * 65536 + (uint64_t)view.points[i].y)) * UINT64_C(1099511628211);
    return hash;
}

static uint64_t steps_of(const march *m) {
    wend_crowd_stats counts = {.struct_bytes = sizeof counts};
    wend_crowd_get_stats(m->crowd, &counts);
    return counts.steps;
}

Test(update_budget, s34_the_choices_of_a_timed_update_repeat_it) {
    march timed, again;
    march_open(&timed), march_open(&again);
    wend_update_budget within, repeat;
    wend_update_budget_init(&within, sizeof within), wend_update_budget_init(&repeat, sizeof repeat);
    int cut = 0;
    for (int i = 0; i < UPDATES; i++) {
        timed.clock.each = 1000 + (uint64_t)(i * 7919 % 5000);
        within.us = 1 + (uint64_t)i % 60;
        uint64_t choices;
        const uint64_t hash = march_update(&timed, &within, &choices);
        cut += choices > 0 && choices < WALKERS / 2;
        repeat.choices = choices;
        cr_assert_eq(march_update(&again, &repeat, &choices), hash, "update %d", i);
        cr_assert_eq(choices, repeat.choices);
    }
    cr_assert(cut > UPDATES / 8, "%d updates were cut short", cut);
    march_close(&timed), march_close(&again);
}

Test(update_budget, s34_who_is_left_out_goes_first_in_the_next_update) {
    OWNED(march_close) march m;
    march_open(&m);
    wend_update_budget budget;
    wend_update_budget_init(&budget, sizeof budget);
    budget.choices = 16;
    wend_agent_state state = {.struct_bytes = sizeof state};
    uint64_t choices = 0;
    for (int i = 0; i < UPDATES; i++) {
        march_update(&m, &budget, &choices);
        cr_assert_leq(choices, 32, "of a round, rounded up");
    }
    for (uint32_t i = 0; i < WALKERS; i++) {
        cr_assert_eq(wend_crowd_get_agent(m.crowd, m.ids[i], &state), WEND_OK);
        cr_assert(state.cell.x != (int32_t)i / SIDE * 2 || state.cell.y != (int32_t)i % SIDE, "%u never moved", i);
    }
}

Test(update_budget, all_come_to_their_goals_within_a_small_one) {
    OWNED(march_close) march m;
    march_open(&m);
    wend_update_budget budget;
    wend_update_budget_init(&budget, sizeof budget);
    budget.choices = 48;
    wend_crowd_stats counts = {.struct_bytes = sizeof counts};
    for (int i = 0; i < 3000 && (i == 0 || counts.busy > 0); i++) {
        march_update(&m, &budget, NULL);
        wend_crowd_get_stats(m.crowd, &counts);
    }
    cr_assert_eq(counts.busy, 0);
    cr_assert_eq(counts.event_counts[WEND_AGENT_EVENT_ARRIVED], WALKERS);
}

Test(update_budget, without_limits_it_is_the_plain_update) {
    march plain, other;
    march_open(&plain), march_open(&other);
    for (int i = 0; i < UPDATES; i++) {
        uint64_t choices = 0;
        const uint64_t hash = march_update(&other, NULL, &choices);
        wend_budget tick = default_budget();
        tick.expansions = 100000;
        cr_assert_eq(wend_service_tick(plain.service, &tick, NULL), WEND_OK);
        cr_assert_eq(wend_crowd_update(plain.crowd, 1000, NULL, NULL), WEND_OK);
        wend_crowd_view view = {.struct_bytes = sizeof view};
        cr_assert_eq(wend_crowd_get_view(plain.crowd, &view), WEND_OK);
        uint64_t same = 1;
        for (uint32_t k = 0; k < view.count; k++)
            same = (same ^ ((uint64_t)view.points[k].x * 65536 + (uint64_t)view.points[k].y)) * UINT64_C(1099511628211);
        cr_assert_eq(same, hash);
    }
    cr_assert(steps_of(&plain) == steps_of(&other) && steps_of(&plain) > WALKERS);
    march_close(&plain), march_close(&other);
}

Test(update_budget, s34_a_steered_agent_steps_in_any_case) {
    OWNED(march_close) march m;
    march_open(&m);
    wend_update_budget budget;
    wend_update_budget_init(&budget, sizeof budget);
    budget.choices = 0;
    wend_agent_state state = {.struct_bytes = sizeof state};
    const wend_agent_id player = m.ids[WALKERS - 1];
    for (int i = 0; i < 5; i++) {
        cr_assert_eq(wend_crowd_get_agent(m.crowd, player, &state), WEND_OK);
        const wend_cell to = {state.cell.x + 1, state.cell.y, 0};
        cr_assert_eq(wend_crowd_step(m.crowd, player, to), WEND_OK);
        march_update(&m, &budget, NULL);
        cr_assert_eq(wend_crowd_get_agent(m.crowd, player, &state), WEND_OK);
        cr_assert(state.cell.x == to.x && state.cell.y == to.y, "step %d", i);
    }
}
