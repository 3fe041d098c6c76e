/* SPDX-License-Identifier: MIT */
/* A crowd is steady: nothing is allocated after creation, the same calls give the same bytes for any number of workers,
 * full ones refuse, and memory goes back. */
#include "models/counting.h"
#include "models/few_or_many.h"
#include "models/options.h"
#include "crowd/crowd_support.h"

#include <criterion/criterion.h>
#include <wend/agents.h>
#include <wend/host.h>
#include <wend/query.h>
#include <wend/units.h>

/* Rooms of 16 x 16 with doors in their walls, and some slow ground. */
static wend_map *rooms(wend_allocator allocator, bool accelerated) {
    wend_map_def def = default_map();
    def.width = def.height = 80, def.allocator = allocator;
    wend_map *map = made_map(&def);
    wend_edit *edit = begin_edit(map);
    for (int32_t y = 0; y < 80; y++)
        for (int32_t x = 0; x < 80; x++) {
            bool wall = (x % 16 == 0 && y % 8 != 3) || (y % 16 == 0 && x % 8 != 5);
            wend_edit_set_cell(edit, (wend_cell){x, y, 0}, wall ? 0 : (x * 7 + y * 3) % 11 == 0 ? 3 : 1);
        }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    if (accelerated) cr_assert_eq(wend_map_accelerate(map, NULL), WEND_OK);
    return map;
}

static void fill(town *t, uint32_t agents) {
    uint64_t seed = 1;
    while (t->agent_count < agents) {
        wend_cell cell;
        wend_agent_def def = default_agent();
        cr_assert_eq(wend_map_random_cell(t->map, 0, (wend_cell){1, 1, 0}, seed++, &def.cell), WEND_OK);
        cell = def.cell;
        uint32_t units;
        wend_map_get_occupants(t->map, cell, &units);
        def.speed_milli = 200 + (uint32_t)(seed % 5) * 90, def.urgency = (int32_t)(seed % 3);
        if (units == 0) town_add_def(t, &def);
    }
}

/* Goals of every kind come and go, doors open and close. */
static void bustle(town *t, uint32_t frames) {
    uint64_t seed = 77;
    for (uint32_t frame = 0; frame < frames; frame++) {
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t a = (uint32_t)(++seed * 2654435761u % t->agent_count);
            wend_cell cell;
            wend_map_random_cell(t->map, 0, (wend_cell){1, 1, 0}, seed, &cell);
            uint32_t group[3] = {a, (a + 1) % t->agent_count, (a + 2) % t->agent_count};
            town_go_all(t, group, seed % 7 == 0 ? 3 : 1, cell, (int32_t)(seed % 3));
        }
        if (frame % 20 == 10) town_set(t, 16, 3 + 8 * (int32_t)(frame / 20 % 8), frame % 40 == 10 ? 0 : 1);
        town_frame(t);
    }
}

static uint64_t hash_of(uint32_t workers, uint64_t budget, uint32_t frames) {
    static town t;
    town_open_on(&t, rooms(wend_allocator_default(), true), NULL, workers);
    t.budget = budget;
    fill(&t, 120);
    bustle(&t, frames);
    uint64_t hash = t.hash;
    town_close(&t);
    return hash;
}

Test(steady, the_bytes_are_the_same_for_any_number_of_workers) {
    for (uint64_t budget = 3000; budget <= 1000000; budget += 997000) {
        const uint32_t frames = budget == 1000000 ? 300 : (uint32_t)few_or_many(100, 300);
        const uint64_t hash = hash_of(0, budget, frames);
        if (budget == 1000000) cr_assert_eq(hash, UINT64_C(0x1e326a3093c81fe5), "hash %llx", (unsigned long long)hash);
        for (uint32_t workers = (uint32_t)few_or_many(8, 1); workers <= 8; workers *= workers == 2 ? 4 : 2)
            cr_assert_eq(hash_of(workers, budget, frames), hash);
    }
}

Test(steady, nothing_is_allocated_after_creation) {
    for (int later = 0; later < 2; later++) {
        counting of_map = {0}, of_crowd = {0};
        wend_crowd_def def = default_crowd();
        def.agents = TOWN_AGENTS, def.allocator = counting_allocator(&of_crowd);
        static town t;
        town_open_on(&t, rooms(counting_allocator(&of_map), !later), &def, 0);
        if (later) cr_assert_eq(wend_map_accelerate(t.map, NULL), WEND_OK);
        if (later) town_add(&t, 1, 1, 250); /* the first unit makes all marks */
        cr_assert_eq(of_crowd.calls, 1);
        size_t calls = of_map.calls;
        fill(&t, 120);
        uint64_t seed = 5;
        for (uint32_t frame = 0; frame < 200; frame++) {
            uint32_t a[4] = {frame % 120, (frame + 1) % 120, (frame + 2) % 120, (frame + 3) % 120};
            wend_cell cell;
            wend_map_random_cell(t.map, 0, (wend_cell){1, 1, 0}, seed++, &cell);
            town_go_all(&t, a, 1 + frame % 4, cell, 0);
            town_frame(&t);
        }
        cr_assert_eq(of_map.calls, calls, "the map allocated for its units");
        cr_assert_eq(of_crowd.calls, 1);
        town_close(&t);
        cr_assert_eq(of_crowd.blocks, 0);
        cr_assert_eq(of_map.blocks, 0);
    }
}

Test(steady, bytes_says_what_create_asks_for) {
    counting c = {0};
    static town t;
    wend_crowd_def def = default_crowd();
    def.agents = 100, def.allocator = counting_allocator(&c);
    town_open_on(&t, rooms(wend_allocator_default(), true), &def, 0);
    def.service = t.service, def.map = t.map;
    cr_assert_eq(c.bytes, wend_crowd_bytes(&def));
    town_close(&t);
}

Test(steady, a_full_crowd_refuses_and_ids_go_stale) {
    static town t;
    wend_crowd_def def = default_crowd();
    def.agents = 2;
    town_open_on(&t, rooms(wend_allocator_default(), true), &def, 0);
    uint32_t a = town_add(&t, 1, 1, 250);
    town_add(&t, 2, 1, 250);
    wend_agent_def agent = default_agent();
    agent.cell = (wend_cell){3, 1, 0};
    wend_agent_id id;
    cr_assert_eq(wend_crowd_add(t.crowd, &agent, &id), WEND_BUSY);
    wend_agent_id old = t.agents[a].id;
    town_remove(&t, a);
    cr_assert_eq(wend_crowd_add(t.crowd, &agent, &id), WEND_OK);
    cr_assert_eq(id.index, old.index);
    cr_assert_neq(id.generation, old.generation);
    cr_assert_eq(wend_crowd_halt(t.crowd, &old, 1), WEND_STALE_TICKET);
    cr_assert_eq(wend_crowd_set_speed(t.crowd, old, 1), WEND_STALE_TICKET);
    cr_assert_eq(wend_crowd_move(t.crowd, id, (wend_cell){2, 1, 0}), WEND_BUSY);
    cr_assert_eq(wend_crowd_move(t.crowd, id, (wend_cell){0, 0, 0}), WEND_BLOCKED);
    cr_assert_eq(wend_crowd_move(t.crowd, id, (wend_cell){80, 0, 0}), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_crowd_move(t.crowd, id, (wend_cell){9, 9, 0}), WEND_OK);
    town_close(&t);
}

Test(steady, a_crowd_may_go_before_its_searches_end) {
    counting c = {0};
    static town t;
    wend_crowd_def def = default_crowd();
    def.allocator = counting_allocator(&c);
    town_open_on(&t, rooms(wend_allocator_default(), true), &def, 0);
    uint32_t a = town_add(&t, 1, 1, 250);
    town_go(&t, a, 70, 70);
    cr_assert_eq(wend_crowd_destroy(t.crowd), WEND_OK);
    cr_assert_eq(c.blocks, 1, "the service still knows it");
    cr_assert_eq(wend_service_tick(t.service, NULL, NULL), WEND_OK);
    cr_assert_eq(c.blocks, 0);
    wend_service_destroy(t.service);
    wend_map_release(t.map);
}

Test(steady, a_service_that_is_busy_delays_searches) {
    static town t;
    wend_map *map = rooms(wend_allocator_default(), true);
    town_open_queue(&t, map, 3);
    fill(&t, 40);
    for (uint32_t i = 0; i < 40; i++) town_go(&t, i, 70, 1 + (int32_t)i);
    town_walk(&t, 20000);
    for (uint32_t i = 0; i < 40; i++) cr_assert_neq(town_last(&t, i), 0);
    town_close(&t);
}

typedef struct inside {
    wend_crowd *crowd;
    wend_service *service;
    uint32_t calls;
} inside;

static void call_inside(void *context, const wend_agent_event *event) {
    inside *i = context;
    i->calls++;
    cr_assert_eq(wend_crowd_update(i->crowd, 1000, NULL, NULL), WEND_IN_CALLBACK);
    cr_assert_eq(wend_crowd_destroy(i->crowd), WEND_IN_CALLBACK);
    wend_agent_event out = {.struct_bytes = sizeof out};
    cr_assert_eq(wend_crowd_poll(i->crowd, &out), WEND_IN_CALLBACK);
    if (i->calls == 1) {
        wend_crowd_goal goal = default_crowd_goal();
        goal.cell = (wend_cell){3, 1, 0};
        cr_assert_eq(wend_crowd_go(i->crowd, &event->agent, 1, &goal), WEND_OK);
    }
}

Test(steady, callbacks_may_give_goals_but_not_update) {
    inside i = {0};
    wend_service_def service = default_service();
    cr_assert_eq(wend_service_create(&service, &i.service), WEND_OK);
    wend_crowd_def def = default_crowd();
    def.service = i.service, def.map = rooms(wend_allocator_default(), true);
    def.on_event = call_inside, def.context = &i;
    cr_assert_eq(wend_crowd_create(&def, &i.crowd), WEND_OK);
    wend_agent_def agent = default_agent();
    agent.cell = (wend_cell){1, 1, 0};
    wend_agent_id id;
    cr_assert_eq(wend_crowd_add(i.crowd, &agent, &id), WEND_OK);
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = (wend_cell){2, 1, 0};
    cr_assert_eq(wend_crowd_go(i.crowd, &id, 1, &goal), WEND_OK);
    for (int frame = 0; frame < 30; frame++) {
        wend_service_tick(i.service, NULL, NULL);
        wend_crowd_update(i.crowd, 1000, NULL, NULL);
    }
    cr_assert_eq(i.calls, 2);
    wend_crowd_destroy(i.crowd);
    wend_service_destroy(i.service);
    wend_map_release(def.map);
}

Test(steady, bad_definitions_are_refused) {
    static town t;
    town_open_on(&t, rooms(wend_allocator_default(), true), NULL, 0);
    wend_crowd_def def = default_crowd();
    wend_crowd *crowd;
    cr_assert_eq(wend_crowd_create(&def, &crowd), WEND_BAD_ARGUMENT, "no service, no map");
    def.service = t.service, def.map = t.map, def.agents = 0;
    cr_assert_eq(wend_crowd_create(&def, &crowd), WEND_BAD_ARGUMENT);
    def.agents = WEND_MAX_AGENTS + 1;
    cr_assert_eq(wend_crowd_create(&def, &crowd), WEND_BAD_ARGUMENT);
    def.agents = 10, tuning_of(&def)->tries = 0;
    cr_assert_eq(wend_crowd_create(&def, &crowd), WEND_BAD_ARGUMENT);
    tuning_of(&def)->tries = 1, tuning_of(&def)->units_within = 256;
    cr_assert_eq(wend_crowd_bytes(&def), 0);
    tuning_of(&def)->units_within = 255, tuning_of(&def)->events = 9;
    cr_assert_eq(wend_crowd_create(&def, &crowd), WEND_BAD_ARGUMENT, "fewer events than agents");
    town_close(&t);
}
