/* SPDX-License-Identifier: MIT */
/* Agents on unloaded land: they go on by time, and stand on a free cell when they are back. */
#include "models/defaults.h"
#include "models/few_or_many.h"
#include "models/random.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/wend.h>
#include <wend/agents.h>
#include <wend/stream.h>
#include <wend/units.h>

enum { SIDE = WEND_CHUNK_SIDE, COLUMNS = 4, ROWS = 2, MOST = 80 };

typedef struct country {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id ids[MOST];
    bool present[MOST], away[MOST];
    uint32_t count, aways, backs;
    wend_agent_event last;
    uint64_t seed, expansions; ///< expansions of a frame
} country;

static country c;

static uint32_t dice(uint32_t below) {
    return draw(&c.seed, below);
}

static void on_event(void *context, const wend_agent_event *event) {
    (void)context;
    const size_t i = (size_t)(uintptr_t)event->context;
    c.last = *event;
    if (event->event == WEND_AGENT_EVENT_AWAY) {
        cr_assert(!c.away[i], "it is told once");
        c.away[i] = true;
        c.aways++;
    } else if (event->event == WEND_AGENT_EVENT_BACK) {
        cr_assert(c.away[i]);
        c.away[i] = false;
        c.backs++;
    }
}

static void change(int32_t x, int32_t y, bool load, int32_t land) {
    IN_BATCH(c.map,
             cr_assert_eq(load ? wend_edit_load(edit, x, y, NULL, 0) : wend_edit_unload(edit, x, y, land), WEND_OK));
}

static void begin(uint32_t fields) {
    memset(&c, 0, sizeof c);
    c.seed = 1, c.expansions = 20000;
    wend_map_def map = default_map();
    map.width = COLUMNS * SIDE, map.height = ROWS * SIDE, map.streamed = 1;
    cr_assert_eq(wend_map_create(&map, &c.map), WEND_OK);
    for (int32_t i = 0; i < COLUMNS * ROWS; i++) change(i % COLUMNS, i / COLUMNS, true, 0);
    wend_service_def service = default_service();
    service.workers = 0;
    cr_assert_eq(wend_service_create(&service, &c.service), WEND_OK);
    wend_crowd_def def = default_crowd();
    def.service = c.service, def.map = c.map, def.agents = MOST, def.on_event = on_event,
    tuning_of(&def)->fields = fields;
    cr_assert_eq(wend_crowd_create(&def, &c.crowd), WEND_OK);
}

static void end(void) {
    wend_crowd_destroy(c.crowd);
    wend_service_destroy(c.service);
    wend_map_release(c.map);
}

TestSuite(away, .fini = end);

static uint32_t add(int32_t x, int32_t y) {
    wend_agent_def def = default_agent();
    def.cell = (wend_cell){x, y, 0}, def.speed_milli = 1000, def.context = (void *)(uintptr_t)c.count;
    cr_assert_eq(wend_crowd_add(c.crowd, &def, &c.ids[c.count]), WEND_OK);
    c.present[c.count] = true;
    return c.count++;
}

static void go(uint32_t agent, int32_t x, int32_t y) {
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = (wend_cell){x, y, 0};
    cr_assert_eq(wend_crowd_go(c.crowd, &c.ids[agent], 1, &goal), WEND_OK);
}

static wend_agent_state state_of(uint32_t agent) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    cr_assert_eq(wend_crowd_get_agent(c.crowd, c.ids[agent], &state), WEND_OK);
    return state;
}

static bool is_loaded(wend_cell cell) {
    int32_t land;
    cr_assert_eq(wend_map_get_land(c.map, cell.x / SIDE, cell.y / SIDE, &land), WEND_OK);
    return land == WEND_LAND_LOADED;
}

static bool same(wend_cell a, wend_cell b) {
    return a.x == b.x && a.y == b.y;
}

/* Checks that all other agents stand on loaded land, each on a cell of its own, and are counted as units there. */
static void check(void) {
    static uint8_t held[COLUMNS * SIDE * ROWS * SIDE];
    memset(held, 0, sizeof held);
    for (uint32_t i = 0; i < c.count; i++) {
        if (!c.present[i]) continue;
        const wend_agent_state state = state_of(i);
        cr_assert_eq(state.state == WEND_AGENT_AWAY, c.away[i]);
        if (c.away[i]) cr_assert_eq(state.waits, WEND_WAIT_LAND);
        if (c.away[i]) continue;
        cr_assert(is_loaded(state.cell), "agent %u at %d,%d", i, state.cell.x, state.cell.y);
        cr_assert_eq(held[state.cell.y * COLUMNS * SIDE + state.cell.x]++, 0);
    }
    if (dice(8) > 0) return;
    for (int32_t y = 0; y < ROWS * SIDE; y++)
        for (int32_t x = 0; x < COLUMNS * SIDE; x++) {
            uint32_t units;
            cr_assert_eq(wend_map_get_occupants(c.map, (wend_cell){x, y, 0}, &units), WEND_OK);
            cr_assert_eq(units, held[y * COLUMNS * SIDE + x]);
        }
}

static void frames(uint32_t count, bool checked) {
    for (uint32_t i = 0; i < count; i++) {
        wend_budget budget = default_budget();
        budget.expansions = c.expansions;
        cr_assert_eq(wend_service_tick(c.service, &budget, NULL), WEND_OK);
        cr_assert_eq(wend_crowd_update(c.crowd, 1000, NULL, NULL), WEND_OK);
        if (checked) check();
    }
}

Test(away, s32_an_agent_goes_on_by_time_and_comes_back_where_it_would_be) {
    begin(0);
    const uint32_t a = add(5, 5);
    go(a, 250, 5);
    frames(10, true);
    const int32_t x = state_of(a).cell.x;
    change(0, 0, false, WEND_LAND_KNOWN);
    frames(20, true);
    cr_assert(c.aways == 1 && c.backs == 0);
    cr_assert_eq(state_of(a).cell.x, x + 20, "by time alone: %d to %d", x, state_of(a).cell.x);
    change(0, 0, true, 0);
    frames(1, true);
    cr_assert(c.backs == 1 && same(c.last.cell, (wend_cell){x + 21, 5, 0}));
    frames(300, true);
    cr_assert(same(state_of(a).cell, (wend_cell){250, 5, 0}) && state_of(a).state == WEND_AGENT_ARRIVED);
}

Test(away, an_agent_crosses_known_land_but_not_what_is_forgotten) {
    begin(0);
    const uint32_t a = add(5, 5), b = add(5, 100);
    go(a, 250, 5);
    go(b, 250, 100);
    frames(3, true);
    change(1, 0, false, WEND_LAND_KNOWN);
    change(2, 0, false, WEND_LAND_KNOWN);
    for (int32_t i = 1; i < 3; i++) change(i, 1, false, WEND_LAND_ABSENT);
    frames(300, true);
    cr_assert(same(state_of(a).cell, (wend_cell){250, 5, 0}));
    cr_assert(c.aways == 1 && c.backs == 1);
    cr_assert_lt(state_of(b).cell.x, SIDE);
}

Test(away, an_agent_that_is_called_back_does_not_go_on) {
    begin(0);
    const uint32_t a = add(5, 5);
    go(a, 250, 5);
    frames(40, true);
    change(1, 0, false, WEND_LAND_KNOWN);
    while (state_of(a).cell.x < SIDE - 3) frames(1, true);
    go(a, 5, 60);
    c.expansions = 0;
    frames(10, true);
    c.expansions = 20000;
    frames(150, true);
    cr_assert(c.aways == 0 && same(state_of(a).cell, (wend_cell){5, 60, 0}));
}

Test(away, two_that_went_the_same_way_stand_beside_each_other) {
    begin(0);
    const uint32_t a = add(10, 5), b = add(9, 5);
    go(a, 250, 5);
    go(b, 100, 5);
    frames(4, true);
    change(1, 0, false, WEND_LAND_KNOWN);
    go(a, 100, 5); /* both paths end on that cell, as each is asked for alone */
    change(1, 0, true, 0);
    frames(5, true);
    change(0, 0, false, WEND_LAND_KNOWN);
    change(1, 0, false, WEND_LAND_KNOWN);
    frames(200, true);
    cr_assert(same(state_of(a).cell, state_of(b).cell), "nobody is in the way of one that is away");
    change(1, 0, true, 0);
    frames(1, true);
    cr_assert(c.backs == 2 && !same(state_of(a).cell, state_of(b).cell));
}

Test(away, orders_wait_and_the_host_may_put_an_agent_elsewhere) {
    begin(0);
    const uint32_t a = add(70, 5), b = add(75, 5), d = add(80, 5);
    change(1, 0, false, WEND_LAND_KNOWN);
    frames(1, true);
    cr_assert_eq(c.aways, 3);
    go(a, 200, 5);
    go(b, 90, 9);
    cr_assert_eq(wend_crowd_halt(c.crowd, &c.ids[b], 1), WEND_OK);
    cr_assert_eq(wend_crowd_step(c.crowd, c.ids[d], (wend_cell){81, 5, 0}), WEND_OK);
    cr_assert_eq(wend_crowd_set_mover(c.crowd, &c.ids[a], 1, WEND_MOVER_DEFAULT), WEND_BAD_ARGUMENT);
    frames(3, true);
    cr_assert_eq(wend_crowd_move(c.crowd, c.ids[b], (wend_cell){10, 10, 0}), WEND_OK);
    c.away[b] = false;
    cr_assert_eq(wend_crowd_remove(c.crowd, c.ids[d]), WEND_OK);
    c.present[d] = false;
    frames(3, true);
    cr_assert_eq(wend_crowd_move(c.crowd, c.ids[a], (wend_cell){70, 6, 0}), WEND_BLOCKED, "it is not loaded");
    change(1, 0, true, 0);
    frames(200, true);
    cr_assert(same(state_of(a).cell, (wend_cell){200, 5, 0}) && same(state_of(b).cell, (wend_cell){10, 10, 0}));
    wend_crowd_stats stats = {.struct_bytes = sizeof stats};
    cr_assert_eq(wend_crowd_get_stats(c.crowd, &stats), WEND_OK);
    cr_assert(stats.states[WEND_AGENT_AWAY] == 0 && stats.event_counts[WEND_AGENT_EVENT_BACK] == 1);
}

static uint64_t map_bytes(void) {
    wend_map_info info = {.struct_bytes = sizeof info};
    cr_assert_eq(wend_map_get_info(c.map, &info), WEND_OK);
    return info.bytes;
}

Test(away, counts_of_units_follow_what_is_loaded) {
    begin(0);
    const uint32_t a = add(5, 5), b = add(70, 70);
    frames(1, true);
    const uint64_t two = map_bytes();
    go(a, 250, 5);
    frames(240, true);
    const uint64_t all = map_bytes();
    cr_assert_geq(all - two, 3u * SIDE * SIDE, "it came through three chunks");
    for (int32_t x = 0; x < 3; x++) change(x, 0, false, WEND_LAND_KNOWN);
    frames(1, true);
    cr_assert_leq(map_bytes() + 3u * SIDE * SIDE, all, "nobody is there any more");
    cr_assert_eq(state_of(b).state, WEND_AGENT_IDLE);
}

Test(away, a_crowd_on_a_large_streamed_map_has_no_fields) {
    size_t bytes[2];
    begin(0);
    for (int i = 0; i < 2; i++) {
        wend_map_def map = default_map();
        map.width = 32 * SIDE, map.height = 32 * SIDE + i, map.streamed = 1; /* 1,024 chunks, and 1,056 */
        OWNED_MAP *large = made_map(&map);
        wend_crowd_def def = default_crowd();
        def.service = c.service, def.map = large;
        bytes[i] = wend_crowd_bytes(&def);
    }
    cr_assert_gt(bytes[0], bytes[1] + (size_t)32 * SIDE * 32 * SIDE * 6);
}

/* ---- anything at any time ---- */

static void do_something(void) {
    const uint32_t agent = dice(c.count);
    const int32_t x = (int32_t)dice(COLUMNS * SIDE), y = (int32_t)dice(ROWS * SIDE);
    switch (dice(12)) {
    case 0:
        if (c.present[agent]) wend_crowd_remove(c.crowd, c.ids[agent]);
        c.present[agent] = c.away[agent] = false;
        break;
    case 1:
        if (c.present[agent] && wend_crowd_move(c.crowd, c.ids[agent], (wend_cell){x, y, 0}) == WEND_OK)
            c.away[agent] = false;
        break;
    case 2:
        if (c.present[agent]) wend_crowd_halt(c.crowd, &c.ids[agent], 1);
        break;
    case 3:
        if (c.present[agent]) wend_crowd_step(c.crowd, c.ids[agent], (wend_cell){x, y, 0});
        break;
    case 4: { /* a group */
        wend_agent_id ids[MOST];
        size_t count = 0;
        for (uint32_t i = 0; i < c.count; i++)
            if (c.present[i] && dice(2)) ids[count++] = c.ids[i];
        wend_crowd_goal goal = default_crowd_goal();
        goal.cell = (wend_cell){x, y, 0};
        if (count > 0) cr_assert_eq(wend_crowd_go(c.crowd, ids, count, &goal), WEND_OK);
        break;
    }
    case 5: {
        const uint32_t other = dice(c.count);
        wend_crowd_goal goal = default_crowd_goal();
        goal.kind = dice(2) ? WEND_CROWD_FOLLOW : WEND_CROWD_FLEE, goal.target = c.ids[other], goal.keep = 0;
        if (other != agent && c.present[agent] && c.present[other])
            cr_assert_eq(wend_crowd_go(c.crowd, &c.ids[agent], 1, &goal), WEND_OK);
        break;
    }
    default:
        if (c.present[agent]) go(agent, x, y);
    }
}

static void run(uint64_t seed) {
    begin(seed % 2 ? 1 : 0);
    c.seed = seed;
    while (c.count < 60) add((int32_t)(c.count % 12) * 20 + (int32_t)dice(9), (int32_t)(c.count / 12) * 25);
    for (int round = 0; round < few_or_many(150, 1500); round++) {
        const int32_t x = (int32_t)dice(COLUMNS), y = (int32_t)dice(ROWS);
        const bool loaded = is_loaded((wend_cell){x * SIDE, y * SIDE, 0});
        if (dice(3) == 0) change(x, y, !loaded, dice(4) ? WEND_LAND_KNOWN : WEND_LAND_ABSENT);
        for (uint32_t i = dice(4); i > 0; i--) do_something();
        frames(1 + dice(10), true);
    }
    for (int32_t i = 0; i < COLUMNS * ROWS; i++) change(i % COLUMNS, i / COLUMNS, true, 0);
    frames(50, true);
    for (uint32_t i = 0; i < c.count; i++) cr_assert(!c.present[i] || !c.away[i], "all are back");
}

Test(away, nobody_is_lost_whatever_is_loaded_and_ordered) {
    for (uint64_t seed = 1; seed <= (uint64_t)few_or_many(2, 40); seed++) {
        run(seed);
        if (seed < (uint64_t)few_or_many(2, 40)) end();
    }
    cr_assert_gt(c.aways, 20u);
}
