/* SPDX-License-Identifier: MIT */
/* Routes: once, round and round, there and back; joined where they are near, followed without searches, led round
 * gaps. */
#include "crowd/crowd_support.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <wend/units.h>
#include <wend/ways.h>

static const char *const yard[] = {
    "................", "................", "....########....", "................",
    "................", "................", "................", "................",
};

static uint32_t add_route(town *t, int32_t mode, const wend_cell *corners, uint32_t count) {
    uint32_t route = 99;
    wend_route_def def = default_route();
    def.mode = mode, def.corners = corners, def.corner_count = count;
    cr_assert_eq(wend_crowd_add_route(t->crowd, &def, &route), WEND_OK);
    return route;
}

static void take(town *t, uint32_t agent, uint32_t route) {
    cr_assert_eq(wend_crowd_patrol(t->crowd, t->agents[agent].id, route), WEND_OK);
    t->agents[agent].begun++;
}

static const wend_cell ring[4] = {{2, 1, 0}, {13, 1, 0}, {13, 6, 0}, {2, 6, 0}};

Test(routes, once_ends_at_the_last_corner) {
    OWNED(town_close) town t;
    town_open(&t, yard, 8, NULL);
    const uint32_t a = town_add(&t, 0, 1, 1000), route = add_route(&t, WEND_ROUTE_ONCE, ring, 3);
    take(&t, a, route);
    cr_assert_eq(town_counts(&t).busy, 1);
    town_walk(&t, 40);
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_ARRIVED);
    cr_assert(town_is_at(&t, a, 13, 6));
    cr_assert_eq(town_counts(&t).searches_begun, 3); /* two legs, and the way to the route */
    take(&t, a, route);                              /* the agent is at the end already */
    town_walk(&t, 10);
    cr_assert_eq(town_count(&t, a, WEND_AGENT_EVENT_ARRIVED), 2);
}

Test(routes, a_loop_goes_on_for_ever_without_searches) {
    OWNED(town_close) town t;
    town_open(&t, yard, 8, NULL);
    const uint32_t a = town_add(&t, 2, 1, 1000), b = town_add(&t, 8, 4, 1000);
    const uint32_t route = add_route(&t, WEND_ROUTE_LOOP, ring, 4);
    take(&t, a, route);
    take(&t, b, route);
    town_frames(&t, 10);
    const uint64_t searches = town_counts(&t).searches_begun;
    cr_assert_eq(searches, 6); /* four legs, two ways to join */
    cr_assert_eq(town_counts(&t).busy, 0);
    int visits = 0;
    for (int frame = 0; frame < 320; frame++) {
        town_frame(&t);
        visits += town_is_at(&t, a, 13, 6);
    }
    cr_assert_geq(visits, 10); /* the way round has 32 steps */
    cr_assert_eq(town_counts(&t).searches_begun, searches);
    cr_assert_eq(t.event_count, 0);
    town_halt(&t, a);
    town_frame(&t);
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_REPLACED);
}

/* A unit of the host stands in a corridor for a long time. */
static void wait_in_a_corridor(int32_t mode) {
    static const char *const corridor[] = {"................"};
    static const wend_cell ends[2] = {{1, 0, 0}, {14, 0, 0}}, between = {8, 0, 0};
    OWNED(town_close) town t;
    town_open(&t, corridor, 1, NULL);
    const uint32_t a = town_add(&t, 0, 0, 1000);
    take(&t, a, add_route(&t, mode, ends, 2));
    town_frames(&t, 3);
    cr_assert_eq(wend_map_occupy(t.map, between), WEND_OK);
    town_frames(&t, 4000);
    cr_assert_eq(t.event_count, (uint32_t)town_count(&t, a, WEND_AGENT_EVENT_REROUTED), "no goal ended");
    cr_assert_eq(wend_map_vacate(t.map, between), WEND_OK);
    bool here = false, there = false;
    for (int frame = 0; frame < 700; frame++) {
        town_frame(&t);
        here = here || (there && town_is_at(&t, a, 1, 0));
        there = there || town_is_at(&t, a, 14, 0);
    }
    cr_assert(here && there);
}

Test(routes, without_an_end_do_not_end_where_others_are_in_the_way) {
    wait_in_a_corridor(WEND_ROUTE_LOOP);
    wait_in_a_corridor(WEND_ROUTE_BACK);
}

Test(routes, an_agent_joins_at_the_nearest_cell) {
    OWNED(town_close) town t;
    town_open(&t, yard, 8, NULL);
    const uint32_t a = town_add(&t, 9, 4, 1000);
    take(&t, a, add_route(&t, WEND_ROUTE_LOOP, ring, 4));
    town_frames(&t, 4);
    /* two steps to the south, then on to the west */
    cr_assert(town_is_at(&t, a, 9, 6) || town_is_at(&t, a, 8, 6) || town_is_at(&t, a, 7, 6));
    town_frames(&t, 4);
    cr_assert(town_cell(&t, a).y == 6 && town_cell(&t, a).x < 6);
}

Test(routes, back_goes_there_and_back_and_another_way_down_a_ledge) {
    OWNED(town_close) town t;
    static const char *const ledge[] = {".......", ".......", "......."};
    town_open(&t, ledge, 3, NULL);
    wend_edit *edit = begin_edit(t.map);
    for (int32_t y = 0; y < 2; y++) /* eastwards only, but in the last row */
        wend_edit_set_step(edit, (wend_cell){4, y, 0}, (wend_cell){3, y, 0}, false);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    const wend_cell ends[2] = {{0, 0, 0}, {6, 0, 0}};
    const uint32_t a = town_add(&t, 0, 0, 1000);
    take(&t, a, add_route(&t, WEND_ROUTE_BACK, ends, 2));
    int low = 0, east = 0, west = 0;
    for (int frame = 0; frame < 80; frame++) {
        town_frame(&t); /* the town checks that each step is legal */
        low += town_cell(&t, a).y == 2;
        east += town_is_at(&t, a, 6, 0), west += town_is_at(&t, a, 0, 0);
    }
    cr_assert(low > 4 && east >= 4 && west >= 4);
    cr_assert_eq(t.event_count, 0);
}

Test(routes, an_edit_that_cuts_one_is_reported_and_the_gap_gone_round) {
    OWNED(town_close) town t;
    town_open(&t, yard, 8, NULL);
    const uint32_t a = town_add(&t, 2, 1, 1000);
    take(&t, a, add_route(&t, WEND_ROUTE_LOOP, ring, 4));
    town_frames(&t, 6);
    town_set(&t, 9, 1, 0);
    town_frames(&t, 3);
    cr_assert_eq(town_count(&t, a, WEND_AGENT_EVENT_REROUTED), 1);
    int passed = 0;
    for (int frame = 0; frame < 12; frame++) {
        town_frame(&t);
        passed += town_is_at(&t, a, 10, 1) || town_is_at(&t, a, 11, 1);
    }
    cr_assert_geq(passed, 1); /* the agent is back on its route soon behind the gap */
    town_set(&t, 9, 1, 1);
    town_frames(&t, 10);
    const uint64_t searches = town_counts(&t).searches_begun;
    town_frames(&t, 100);
    cr_assert_eq(town_counts(&t).searches_begun, searches);
}

Test(routes, where_no_way_leads_on_the_agent_goes_as_near_as_it_gets) {
    OWNED(town_close) town t;
    town_open(&t, yard, 8, NULL);
    const uint32_t a = town_add(&t, 1, 5, 1000);
    const wend_cell far[2] = {{2, 6, 0}, {12, 6, 0}};
    for (int32_t y = 0; y < 8; y++) town_set(&t, 8, y, 0);
    take(&t, a, add_route(&t, WEND_ROUTE_ONCE, far + 1, 1));
    town_walk(&t, 40);
    cr_assert(town_last(&t, a) == WEND_AGENT_EVENT_PARTIAL || town_last(&t, a) == WEND_AGENT_EVENT_GAVE_UP);
    take(&t, a, add_route(&t, WEND_ROUTE_ONCE, far, 2)); /* the first corner can be reached */
    town_walk(&t, 80);
    cr_assert(town_last(&t, a) == WEND_AGENT_EVENT_PARTIAL || town_last(&t, a) == WEND_AGENT_EVENT_GAVE_UP);
}

Test(routes, a_large_mover_has_ways_of_its_own) {
    OWNED(town_close) town t;
    static const char *const gate[] = {"........", "...#....", "..##....", "........", "........", "........"};
    wend_mover mover = default_mover();
    mover.size = 2;
    wend_map *map = grid_map(8, 6);
    cr_assert_eq(wend_map_add_mover(map, &mover, NULL), WEND_OK);
    for (int32_t y = 0; y < 6; y++)
        for (int32_t x = 0; x < 8; x++)
            if (gate[y][x] == '#') cr_assert_eq(wend_map_set_cell(map, (wend_cell){x, y, 0}, 0, NULL), WEND_OK);
    town_open_on(&t, map, NULL, 0);
    const wend_cell ends[2] = {{0, 0, 0}, {6, 0, 0}};
    wend_agent_def cart = default_agent();
    cart.cell = (wend_cell){0, 3, 0}, cart.mover = 1, cart.speed_milli = 1000;
    const uint32_t a = town_add(&t, 0, 0, 1000), b = town_add_def(&t, &cart);
    const uint32_t route = add_route(&t, WEND_ROUTE_ONCE, ends, 2);
    take(&t, a, route);
    take(&t, b, route);
    for (int frame = 0; frame < 60 && !town_is_at(&t, a, 6, 0); frame++) town_frame(&t);
    cr_assert_eq(town_count(&t, a, WEND_AGENT_EVENT_ARRIVED) + town_counts(&t).busy, 2);
    town_go(&t, a, 7, 5);
    town_walk(&t, 100);
    cr_assert(town_is_at(&t, b, 6, 0));
}

/* All that a second kind of agents takes of a route is room for cells. */
Test(routes, a_second_mover_takes_no_route) {
    OWNED(town_close) town t;
    wend_mover swimmer = default_mover();
    wend_map *map = grid_map(16, 16);
    cr_assert_eq(wend_map_add_mover(map, &swimmer, NULL), WEND_OK);
    wend_crowd_def two = default_crowd();
    tuning_of(&two)->routes = 2;
    town_open_on(&t, map, &two, 0);
    wend_agent_def def = default_agent();
    def.cell = (wend_cell){2, 6, 0}, def.mover = 1, def.speed_milli = 1000;
    const uint32_t a = town_add(&t, 2, 1, 1000), b = town_add_def(&t, &def);
    cr_assert_eq(add_route(&t, WEND_ROUTE_LOOP, ring, 4), 0);
    take(&t, a, 0);
    take(&t, b, 0);
    cr_assert_eq(add_route(&t, WEND_ROUTE_LOOP, ring, 3), 1);
    const wend_route_def third = {.struct_bytes = sizeof third, .corners = ring, .corner_count = 1};
    cr_assert_eq(wend_crowd_add_route(t.crowd, &third, NULL), WEND_BUSY);
    cr_assert_eq(wend_crowd_patrol(t.crowd, t.agents[a].id, 2), WEND_BAD_ARGUMENT);
    take(&t, b, 1);
    take(&t, a, 1);
    int visits = 0;
    for (int frame = 0; frame < 80; frame++)
        town_frame(&t), visits += town_is_at(&t, a, 13, 6) + town_is_at(&t, b, 13, 6);
    cr_assert_geq(visits, 4);
}

Test(routes, are_refused_where_they_do_not_fit) {
    OWNED(town_close) town t;
    wend_crowd_def small = default_crowd();
    tuning_of(&small)->routes = 2, tuning_of(&small)->route_cells = 6;
    town_open(&t, yard, 8, &small);
    const uint32_t a = town_add(&t, 2, 1, 1000);
    wend_route_def def = default_route();
    cr_assert_eq(wend_crowd_add_route(t.crowd, &def, NULL), WEND_BAD_ARGUMENT);
    def.corners = ring, def.corner_count = 1, def.mode = 3;
    cr_assert_eq(wend_crowd_add_route(t.crowd, &def, NULL), WEND_BAD_ARGUMENT);
    def.mode = WEND_ROUTE_LOOP;
    const wend_cell off = {16, 0, 0};
    def.corners = &off;
    cr_assert_eq(wend_crowd_add_route(t.crowd, &def, NULL), WEND_OUT_OF_RANGE);
    def.corners = ring, def.corner_count = 7;
    cr_assert_eq(wend_crowd_add_route(t.crowd, &def, NULL), WEND_BUSY);
    const uint32_t route = add_route(&t, WEND_ROUTE_LOOP, ring, 2);
    cr_assert_eq(wend_crowd_patrol(t.crowd, t.agents[a].id, route + 1), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_crowd_patrol(t.crowd, (wend_agent_id){0, 77}, route), WEND_STALE_TICKET);
    take(&t, a, route); /* the legs have no room: the agent searches from corner to corner */
    int visits = 0;
    for (int frame = 0; frame < 100; frame++) town_frame(&t), visits += town_is_at(&t, a, 13, 1);
    cr_assert_geq(visits, 2);
    cr_assert_eq(wend_crowd_patrol(t.crowd, t.agents[a].id, route), WEND_OK);
    t.agents[a].begun++;
    add_route(&t, WEND_ROUTE_ONCE, ring, 1);
    cr_assert_eq(wend_crowd_add_route(t.crowd, &def, NULL), WEND_BUSY);
}

/* ---- places at the end ---- */

enum { FIELD = 40 };

static wend_map *open_field(void) {
    wend_map *map;
    map = grid_map(FIELD, FIELD);
    return map;
}

/* All arrive, near the end. Returns the sum of their distances from it, by the larger of dx and dy. */
static uint32_t sum_of_distances(const town *t, uint32_t first, uint32_t count, wend_cell end) {
    uint32_t sum = 0;
    for (uint32_t i = first; i < first + count; i++) {
        const wend_cell at = town_cell(t, i);
        const int32_t dx = abs(at.x - end.x), dy = abs(at.y - end.y);
        cr_assert_eq(town_last(t, i), WEND_AGENT_EVENT_ARRIVED, "agent %u: %d", i, (int)town_last(t, i));
        cr_assert_eq(town_state(t, i).has_goal, 0);
        sum += (uint32_t)(dx > dy ? dx : dy);
    }
    return sum;
}

Test(routes, those_that_end_at_one_cell_get_places_of_their_own) {
    enum { WALKERS = 150 };
    static const wend_cell corners[] = {{3, 20, 0}, {20, 20, 0}};
    OWNED(town_close) town t;
    wend_crowd_def def = default_crowd();
    def.agents = 256;
    town_open_on(&t, open_field(), &def, 0);
    const uint32_t route = add_route(&t, WEND_ROUTE_ONCE, corners, 2);
    for (uint32_t i = 0; i < WALKERS; i++)
        take(&t, town_add(&t, 1 + (int32_t)(i % 30), 2 * (int32_t)(i / 30), 500), route);
    town_walk(&t, 4000);
    /* 169 cells are within 6 of the end: 1 + 8 + 16 + 24 + 32 + 40 + 29 of the last ring, 8 x 1 x 1 + … + 29 x 6 */
    const uint32_t least = 8 * 1 + 16 * 2 + 24 * 3 + 32 * 4 + 40 * 5 + 29 * 6;
    const uint32_t sum = sum_of_distances(&t, 0, WALKERS, corners[1]);
    cr_assert(sum >= least && sum < least * 11 / 10, "%u, not about %u", sum, least);
}

Test(routes, all_arrive_in_a_dead_end) {
    static const char *const rows[] = {"....########", "............", "....########"};
    static const wend_cell corners[] = {{0, 0, 0}, {11, 1, 0}};
    OWNED(town_close) town t;
    town_open(&t, rows, 3, NULL);
    const uint32_t route = add_route(&t, WEND_ROUTE_ONCE, corners, 2);
    for (int32_t i = 0; i < 10; i++) take(&t, town_add(&t, i % 4, i / 4, 500), route);
    town_walk(&t, 2000);
    sum_of_distances(&t, 0, 10, corners[1]);
    for (int32_t x = 9; x < 12; x++) {
        uint32_t units;
        wend_map_get_occupants(t.map, (wend_cell){x, 1, 0}, &units);
        cr_assert_eq(units, 1, "nobody stands on %d", (int)x);
    }
}

Test(routes, large_ones_and_units_of_the_host_have_their_places_at_the_end) {
    static const wend_cell corners[] = {{2, 2, 0}, {20, 20, 0}};
    OWNED(town_close) town t;
    int32_t size_2;
    town_open_on(&t, open_field(), NULL, 0);
    size_2 = add_mover_of_size(t.map, 2);
    cr_assert_eq(wend_map_occupy(t.map, corners[1]), WEND_OK);
    const uint32_t route = add_route(&t, WEND_ROUTE_ONCE, corners, 2);
    for (uint32_t i = 0; i < 12; i++) {
        wend_agent_def def = default_agent();
        def.cell = (wend_cell){3 * (int32_t)(i % 6), 3 * (int32_t)(i / 6), 0};
        def.mover = i % 2 ? size_2 : WEND_MOVER_DEFAULT, def.speed_milli = 500;
        take(&t, town_add_def(&t, &def), route);
    }
    town_walk(&t, 4000); /* the checker looks whether they share cells */
    sum_of_distances(&t, 0, 12, corners[1]);
}

Test(routes, an_edit_takes_places_away) {
    static const wend_cell corners[] = {{2, 20, 0}, {20, 20, 0}};
    OWNED(town_close) town t;
    town_open_on(&t, open_field(), NULL, 0);
    const uint32_t route = add_route(&t, WEND_ROUTE_ONCE, corners, 2);
    for (int32_t i = 0; i < 30; i++) take(&t, town_add(&t, i % 10, i / 10, 250), route);
    for (int32_t y = 10; y < 30; y++) {
        town_frames(&t, 12);
        town_set(&t, 21, y, 0); /* blocks a cell next to the end */
        town_set(&t, 19, y > 19 ? y : 39, y > 19 ? 0 : 1);
    }
    town_walk(&t, 4000);
    for (uint32_t i = 0; i < 30; i++) cr_assert_neq(town_last(&t, i), WEND_AGENT_EVENT_GAVE_UP);
}
