/* SPDX-License-Identifier: MIT */
/* Near fields, compared with a plain relaxation of the same square, and agents that steer by them. */
#include "agents/plan/path.h"
#include "crowd/crowd_support.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "models/few_or_many.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <wend/agents.h>

enum { SIDE = 40, NEAR = WEND__NEAR_SIDE, MARGIN = 8 };

/* Opens a random map where an agent has a path to a far corner. */
static void open_world(town *t, int32_t neighbours, uint64_t seed) {
    wend_map_def def = default_map();
    wend_map_rules rules = default_rules();
    rules.neighbours = neighbours, rules.factors[2] = 3;
    def.width = def.height = SIDE, def.rules = &rules;
    wend_map *map = made_map(&def);
    wend_edit *edit = begin_edit(map);
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++) {
            const uint32_t kind = draw(&seed, 8);
            if (x + y > 0 && x + y < 2 * SIDE - 2 && kind < 2)
                wend_edit_set_cell(edit, (wend_cell){x, y, 0}, (uint8_t)(kind * 2));
        }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    town_open_on(t, map, NULL, 0);
    town_add(t, 0, 0, 1000);
    town_go(t, 0, SIDE - 1, SIDE - 1);
}

/* Computes the remaining cost from each cell of the square, by Bellman and Ford, from the path as the host sees it. */
static void relax_all(const town *t, const wend__near_field *near, uint64_t left[NEAR][NEAR]) {
    wend_cell cells[SIDE * SIDE];
    size_t count;
    cr_assert_eq(wend_crowd_get_path(t->crowd, t->agents[0].id, cells, SIDE * SIDE, &count), WEND_OK);
    if (count > WEND__NEAR_AHEAD + 1) count = WEND__NEAR_AHEAD + 1;
    wend__version *version = wend__map_newest(t->map);
    memset(left, 0xFF, sizeof(uint64_t[NEAR][NEAR]));
    uint64_t cost = 0;
    for (size_t k = count; k-- > 0;) {
        const int32_t x = cells[k].x - near->x, y = cells[k].y - near->y;
        if (k + 1 < count) cost += wend__step_cost(version, 0, cells[k], cells[k + 1]);
        if (x > 0 && y > 0 && x < NEAR - 1 && y < NEAR - 1 && cost < left[y][x]) left[y][x] = cost;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t k = 0; k < 9 * NEAR * NEAR; k++) {
            const int32_t x = k / 9 % NEAR, y = k / 9 / NEAR, to_x = x + k % 3 - 1, to_y = y + k / 3 % 3 - 1;
            const wend_cell from = {near->x + x, near->y + y, 0}, to = {near->x + to_x, near->y + to_y, 0};
            if (x < 1 || y < 1 || x > NEAR - 2 || y > NEAR - 2 || to_x < 0 || to_y < 0 || to_x == NEAR || to_y == NEAR)
                continue;
            if (!wend__map_has(t->map, from) || !wend__map_has(t->map, to) || left[to_y][to_x] == UINT64_MAX) continue;
            const uint64_t step = wend__step_cost(version, 0, from, to);
            if (step == UINT64_MAX || left[to_y][to_x] + step >= left[y][x]) continue;
            left[y][x] = left[to_y][to_x] + step;
            changed = true;
        }
    }
    wend__map_release(version, false);
}

/* A field counts a straight step as 1 with 4 neighbours and as 5 with 8; the map counts it as 10. */
static void compare(const town *t, int32_t neighbours, uint32_t *known) {
    const uint64_t unit = neighbours == 4 ? 10 : 2;
    static uint64_t left[NEAR][NEAR];
    wend__near_field near;
    wend__version *version = wend__map_newest(t->map);
    wend__near_compute(t->crowd, version, 0, &near);
    wend__map_release(version, false);
    relax_all(t, &near, left);
    const wend_cell at = town_state(t, 0).cell;
    const uint64_t own = left[at.y - near.y][at.x - near.x];
    for (int32_t y = 1; y < NEAR - 1; y++)
        for (int32_t x = 1; x < NEAR - 1; x++) {
            const uint8_t found = wend__near_left(&near, (wend_cell){near.x + x, near.y + y, 0});
            const bool must = left[y][x] <= own + MARGIN * 10 && left[y][x] / unit < WEND__NEAR_UNKNOWN;
            cr_assert(!must || found != WEND__NEAR_UNKNOWN, "%d,%d", (int)x, (int)y);
            if (!must) continue;
            cr_assert_eq(found * unit, left[y][x], "%d,%d", (int)x, (int)y);
            ++*known;
        }
}

Test(near_field, has_the_exact_costs_of_its_square) {
    uint32_t known = 0;
    const uint32_t seeds = (uint32_t)enough_or_many(4, 120);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        static town t;
        const int32_t neighbours = seed % 2 ? 4 : 8;
        open_world(&t, neighbours, seed);
        for (int frame = 0; frame < 40; frame++) {
            town_frame(&t);
            if (town_state(&t, 0).steps_left > 0) compare(&t, neighbours, &known);
        }
        town_close(&t);
    }
    cr_assert_gt(known, 1500 * seeds, "%u", (unsigned)known);
}

/* Two streams cross on an open square; agents that are pushed far go on without a search. */
static void cross_streams(uint32_t fields, uint32_t most_searches) {
    static town t;
    const uint32_t agents = (uint32_t)enough_or_many(200, 400);
    town_open_on(&t, grid_map(48, 48), NULL, 0);
    if (fields > 0) t.crowd->near_fields.count = fields;
    for (int32_t i = 0; i < (int32_t)agents; i++) town_add(&t, 1 + i % 40, 4 + i / 40 % 10 * 4, 1000);
    for (uint32_t i = 0; i < agents; i++) town_go(&t, i, 47 - (int32_t)i % 40, 43 - (int32_t)i / 40 % 10 * 4);
    town_walk(&t, 2000);
    for (uint32_t i = 0; i < agents; i++) cr_assert_eq(town_last(&t, i), WEND_AGENT_EVENT_ARRIVED, "%u", (unsigned)i);
    wend_crowd_stats stats = {.struct_bytes = sizeof stats};
    cr_assert_eq(wend_crowd_get_stats(t.crowd, &stats), WEND_OK);
    cr_assert_lt(stats.searches_begun, most_searches * agents, "%u", (unsigned)stats.searches_begun);
    uint32_t owners = 0;
    for (uint32_t i = 0; i < agents; i++) owners += wend__near_own(t.crowd, i) != NULL;
    if (fields > 0) cr_assert_eq(owners, fields, "%u", (unsigned)owners);
    town_close(&t);
}

Test(near_field, leads_back_without_a_search) {
    cross_streams(0, 3);
}

/* As in a large crowd, which has fewer fields than agents: they take them from each other. */
Test(near_field, is_taken_from_agents_that_do_not_use_it) {
    cross_streams(40, 3);
    cross_streams(1, 6);
}

/* A field of an agent that has passed its end, here a bend of the route, would lead back there. */
Test(near_field, leads_on_behind_the_bends_of_a_route) {
    enum { LAPS = 300, NOW_AND_THEN = 3 };
    static const wend_cell corners[4] = {{1, 1, 0}, {18, 1, 0}, {18, 3, 0}, {1, 3, 0}};
    OWNED(town_close) town t;
    uint32_t route = 0, seen = 0;
    wend_route_def def = default_route();
    def.mode = WEND_ROUTE_LOOP, def.corners = corners, def.corner_count = 4;
    town_open_on(&t, grid_map(20, 5), NULL, 0);
    const uint32_t a = town_add(&t, 1, 1, 1000);
    cr_assert_eq(wend_crowd_add_route(t.crowd, &def, &route), WEND_OK);
    cr_assert_eq(wend_crowd_patrol(t.crowd, t.agents[a].id, route), WEND_OK);
    for (int frame = 0; frame < LAPS; frame++) {
        town_frame(&t);
        if (frame % NOW_AND_THEN > 0 || town_state(&t, a).steps_left == 0) continue;
        wend__version *version = wend__map_newest(t.map);
        cr_assert_eq(wend__near_find(t.crowd, version, a), WEND__NEAR_FOUND);
        wend__map_release(version, false);
        const wend__near_field *near = wend__near_own(t.crowd, a);
        const wend_cell at = town_cell(&t, a), next = wend__path_cell_ahead(t.crowd, a, 1);
        cr_assert_lt(wend__near_left(near, next), wend__near_left(near, at), "%d,%d", (int)at.x, (int)at.y);
        seen++;
    }
    cr_assert_gt(seen, LAPS / NOW_AND_THEN / 2);
}
