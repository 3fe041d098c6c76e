/* SPDX-License-Identifier: MIT */
/* Large groups go by flow fields, on ways as cheap as those of searches; small ones do not. */
#include "models/counting.h"
#include "field/field_state.h"
#include "crowd/crowd_support.h"
#include "models/few_or_many.h"
#include "models/worlds.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/field.h>

enum { SIDE = 96, GROUP = 70 };

/* Rooms of 16 x 16 with doors in their walls. */
static wend_map *rooms(void) {
    wend_map *map = grid_map(SIDE, SIDE);
    wend_edit *edit = begin_edit(map);
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++) {
            const bool wall = (x % 16 == 0 && y % 8 > 2) || (y % 16 == 0 && x % 8 > 2);
            wend_edit_set_cell(edit, (wend_cell){x, y, 0}, wall ? 0 : 1);
        }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

static wend_crowd_def defs(uint32_t fields, uint32_t field_agents) {
    wend_crowd_def def = default_crowd();
    def.agents = TOWN_AGENTS;
    tuning_of(&def)->fields = fields, tuning_of(&def)->field_agents = field_agents;
    return def;
}

/* A block of agents in the upper left corner. */
static void fill(town *t, uint32_t count) {
    for (int32_t y = 1; t->agent_count < count; y++)
        for (int32_t x = 1; x < 16 && t->agent_count < count; x++)
            if (y % 16 != 0) town_add(t, x, y, 500);
}

static void go_all(town *t, uint32_t first, uint32_t count, wend_cell cell) {
    uint32_t agents[TOWN_AGENTS];
    for (uint32_t i = 0; i < count; i++) agents[i] = first + i;
    town_go_all(t, agents, count, cell, 0);
}

static void walk_group(town *t, const wend_crowd_def *def, uint32_t count) {
    town_open_on(t, rooms(), def, 0);
    fill(t, count);
    go_all(t, 0, count, (wend_cell){86, 86, 0});
    town_walk(t, 20000);
    for (uint32_t i = 0; i < count; i++) cr_assert_eq(town_last(t, i), WEND_AGENT_EVENT_ARRIVED);
}

Test(crowd_fields, a_large_group_goes_by_a_field) {
    static town by_field, alone;
    const wend_crowd_def one = defs(1, 0), none = defs(0, 0);
    walk_group(&by_field, &one, GROUP);
    walk_group(&alone, &none, GROUP);
    cr_assert_eq(town_counts(&by_field).field_goals, GROUP);
    cr_assert_eq(town_counts(&alone).field_goals, 0);
    town_close(&by_field);
    town_close(&alone);
}

Test(crowd_fields, a_small_group_searches) {
    static town t;
    const wend_crowd_def def = defs(1, GROUP);
    walk_group(&t, &def, GROUP - 1);
    cr_assert_eq(town_counts(&t).field_goals, 0);
    town_close(&t);
}

Test(crowd_fields, agents_sent_alone_to_one_cell_get_a_field_when_they_are_enough) {
    static town t;
    const wend_crowd_def def = defs(1, 20);
    town_open_on(&t, rooms(), &def, 0);
    fill(&t, 60);
    for (uint32_t i = 0; i < 60; i++) {
        town_go(&t, i, 86, 86);
        cr_assert_eq(town_counts(&t).field_goals, i < 19 ? 0 : i - 18);
        if (i == 10) town_halt(&t, 3), town_go(&t, 3, 86, 86); /* counts once */
    }
    town_walk(&t, 20000);
    for (uint32_t i = 0; i < 60; i++) cr_assert_neq(town_last(&t, i), WEND_AGENT_EVENT_GAVE_UP);
    town_close(&t);
}

Test(crowd_fields, a_group_takes_its_field_to_the_next_goal_and_another_finds_none) {
    static town t;
    const wend_crowd_def def = defs(1, 40);
    town_open_on(&t, rooms(), &def, 0);
    fill(&t, 90);
    go_all(&t, 0, 45, (wend_cell){86, 86, 0});
    town_frames(&t, 30);
    go_all(&t, 0, 45, (wend_cell){86, 10, 0});
    cr_assert_eq(town_counts(&t).field_goals, 90);
    go_all(&t, 45, 45, (wend_cell){10, 86, 0});
    cr_assert_eq(town_counts(&t).field_goals, 90, "the field is in use");
    go_all(&t, 45, 45, (wend_cell){86, 10, 0});
    cr_assert_leq(town_counts(&t).field_goals, 135);
    town_walk(&t, 20000);
    for (uint32_t i = 0; i < 90; i++) cr_assert_neq(town_last(&t, i), WEND_AGENT_EVENT_GAVE_UP);
    town_close(&t);
}

/* The map's version is pinned only while agents use the field. */
Test(crowd_fields, a_field_is_gone_when_nobody_uses_it) {
    static town t;
    const wend_crowd_def def = defs(1, 40);
    wend_map_rules rules = default_rules();
    town_open_on(&t, rooms(), &def, 0);
    fill(&t, 50);
    go_all(&t, 0, 50, (wend_cell){86, 86, 0});
    town_frames(&t, 10);
    cr_assert_eq(wend_map_set_rules(t.map, &rules), WEND_IN_USE);
    town_walk(&t, 20000);
    town_frame(&t);
    cr_assert_eq(wend_map_set_rules(t.map, &rules), WEND_OK);
    town_close(&t);
}

/* ---- bytes ---- */

Test(crowd_fields, a_crowd_has_the_memory_of_its_fields_from_its_creation) {
    static town t;
    counting calls = {0};
    wend_crowd_def def = defs(3, 30);
    def.allocator = counting_allocator(&calls);
    town_open_on(&t, rooms(), &def, 0);
    def.service = t.service, def.map = t.map;
    const size_t with = wend_crowd_bytes(&def);
    tuning_of(&def)->fields = 0;
    wend_field_def field = default_field();
    field.map = t.map;
    cr_assert_geq(with, wend_crowd_bytes(&def) + 3 * (wend__field_bytes(&field) - 4096));
    fill(&t, 90);
    for (uint32_t i = 0; i < 3; i++) go_all(&t, i * 30, 30, (wend_cell){86, 10 + 30 * (int32_t)i, 0});
    town_walk(&t, 20000);
    cr_assert_eq(town_counts(&t).field_goals, 90);
    cr_assert_eq(calls.calls, 1);
    town_close(&t);
}

static uint64_t hash_of(uint32_t workers, uint64_t budget) {
    static town t;
    const wend_crowd_def def = defs(2, 40);
    town_open_on(&t, rooms(), &def, workers);
    t.budget = budget;
    fill(&t, 100);
    for (uint32_t frame = 0; frame < (uint32_t)enough_or_many(240, 400); frame++) {
        if (frame % 100 == 0) go_all(&t, 0, 60, (wend_cell){86 - (int32_t)frame / 10, 86, 0});
        if (frame % 130 == 50) go_all(&t, 60, 40, (wend_cell){86, 10 + (int32_t)frame / 10, 0});
        if (frame % 10 == 5) town_set(&t, 16, (int32_t)(frame / 10 % 8) * 8 + 1, frame % 20 == 5 ? 0 : 1);
        town_frame(&t);
    }
    const uint64_t hash = t.hash;
    cr_assert_gt(town_counts(&t).field_goals, 200);
    town_close(&t);
    return hash;
}

Test(crowd_fields, the_bytes_are_the_same_for_any_number_of_workers) {
    for (uint64_t budget = 2000; budget <= 100000; budget += 98000) {
        const uint64_t hash = hash_of(0, budget);
        for (uint32_t workers = (uint32_t)few_or_many(4, 1); workers <= 4; workers *= 4)
            cr_assert_eq(hash_of(workers, budget), hash);
    }
}

/* ---- against the models ---- */

/* -1: there is no way. */
static int64_t cost_left(const world *w, int mover, wend_cell cell, wend_cell goal) {
    wend_request request = default_request();
    request.mover = mover, request.start = cell, request.goal = goal;
    return world_ask(w, &request).cost;
}

typedef struct haunt {
    world w;
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    oracle_random random;
    int mover;
    wend_cell goal;
    wend_agent_id ids[8];
    wend_cell before[8];
    uint32_t count;
} haunt;

static void haunt_open(haunt *h, int kind, uint64_t seed) {
    h->random.state = seed;
    world_options options = {.kind = kind};
    options.slow = oracle_below(&h->random, 2), options.links = oracle_below(&h->random, 2);
    options.steps = oracle_below(&h->random, 2), options.movers = oracle_below(&h->random, 2);
    world_fill(&h->w, &h->random, &options);
    h->map = world_map(&h->w);
    wend_service_def service = default_service();
    cr_assert_eq(wend_service_create(&service, &h->service), WEND_OK);
    wend_crowd_def def = defs(1, 2);
    def.service = h->service, def.map = h->map;
    cr_assert_eq(wend_crowd_create(&def, &h->crowd), WEND_OK);
}

static wend_cell haunt_cell(haunt *h) {
    wend_cell cell = world_cell(&h->w, oracle_below(&h->random, h->w.cells));
    for (int i = 0; i < 50 && !world_factor(&h->w, h->mover, cell); i++)
        cell = world_cell(&h->w, oracle_below(&h->random, h->w.cells));
    return cell;
}

/* Each is sent alone, so that all have the very cell as their goal. */
static void haunt_fill(haunt *h) {
    wend_agent_def agent = default_agent();
    wend_crowd_goal goal = default_crowd_goal();
    agent.ghost = true, agent.speed_milli = h->w.kind == WEND_KIND_GRAPH ? 20000 : 300;
    agent.mover = h->mover = oracle_below(&h->random, h->w.mover_count);
    h->goal = goal.cell = haunt_cell(h);
    for (h->count = 0; h->count < 8;) {
        agent.cell = haunt_cell(h);
        if (wend_crowd_add(h->crowd, &agent, &h->ids[h->count])) break;
        h->before[h->count] = agent.cell;
        cr_assert_eq(wend_crowd_go(h->crowd, &h->ids[h->count++], 1, &goal), WEND_OK);
    }
}

/* Agents from the second on go by the field. Returns how many of their steps were seen. */
static uint32_t haunt_look(haunt *h) {
    const wend_request request = {.mover = h->mover};
    uint32_t steps = 0;
    for (uint32_t i = 1; i < h->count; i++) {
        wend_agent_state state = {.struct_bytes = sizeof state};
        cr_assert_eq(wend_crowd_get_agent(h->crowd, h->ids[i], &state), WEND_OK);
        const wend_cell from = h->before[i];
        h->before[i] = state.cell;
        const uint64_t step = world_step(&h->w, &request, from, state.cell);
        if (memcmp(&from, &state.cell, sizeof from) == 0 || step == UINT64_MAX) continue;
        const int64_t cost = cost_left(&h->w, h->mover, from, h->goal);
        if (cost < 0) continue; /* no way leads to the goal: the agent goes as near as it gets */
        const int64_t walked = cost - cost_left(&h->w, h->mover, state.cell, h->goal);
        cr_assert(walked > 0 && walked <= (int64_t)step, "away from the goal");
        const bool one = h->w.kind != WEND_KIND_GRAPH; /* short edges may be several in an update */
        if (one) cr_assert_eq(walked, (int64_t)step, "not on a cheapest way");
        steps++;
    }
    return steps;
}

static uint32_t haunt_run(int kind, uint64_t seed) {
    static haunt h;
    uint32_t steps = 0;
    haunt_open(&h, kind, seed);
    haunt_fill(&h);
    for (int frame = 0; frame < 120; frame++) {
        cr_assert_eq(wend_service_tick(h.service, NULL, NULL), WEND_OK);
        cr_assert_eq(wend_crowd_update(h.crowd, 1000, NULL, NULL), WEND_OK);
        steps += haunt_look(&h);
    }
    wend_crowd_destroy(h.crowd);
    wend_service_destroy(h.service);
    wend_map_release(h.map);
    return steps;
}

/* Checks random worlds, in which ghosts block no agent. */
Test(crowd_fields, each_step_is_on_a_cheapest_way) {
    const int kinds[] = {WEND_KIND_GRID, WEND_KIND_VOXEL, WEND_KIND_GRAPH};
    const uint64_t worlds[] = {12, 12, 60};
    for (uint64_t k = 0; k < 3; k++) {
        uint32_t steps = 0;
        for (uint64_t seed = 1; seed <= worlds[k]; seed++) steps += haunt_run(kinds[k], 100 * k + seed);
        cr_assert_gt(steps, 20, "kind %d: %u steps", kinds[k], steps);
    }
}
