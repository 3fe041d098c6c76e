/* SPDX-License-Identifier: MIT */
/* Details of crowd.h. */
#include "detail/refused.h"
#include <wend/agents.h>
#include <wend/body.h>
#include <wend/boxes.h>
#include <wend/query.h>

#define GONE "the agent #,# (index, generation) is removed, or was never there"
#define IN_CALLBACK "a callback of the crowd or of its service runs: call it after that"

static wend_map *map;
static wend_service *service;
static wend_crowd *crowd;
static wend_agent_id first, gone;

static void call_in_callback(void *context, const wend_agent_event *event) {
    wend_agent_event other = {.struct_bytes = sizeof other};
    (void)context, (void)event;
    FAILS(IN_CALLBACK, IN_CALLBACK, wend_crowd_update(crowd, 1000, NULL, NULL));
    FAILS(IN_CALLBACK, IN_CALLBACK, wend_crowd_poll(crowd, &other));
    FAILS(IN_CALLBACK, IN_CALLBACK, wend_crowd_destroy(crowd));
}

static wend_agent_id add_at(wend_cell cell) {
    wend_agent_id id;
    wend_agent_def agent = default_agent();
    agent.cell = cell;
    cr_assert_eq(wend_crowd_add(crowd, &agent, &id), WEND_OK);
    return id;
}

/* An agent, a second that is gone, and a wall at 5,5. */
static void set_up(void) {
    map = make_grid();
    wend_service_def all = default_service();
    cr_assert_eq(wend_service_create(&all, &service), WEND_OK);
    cr_assert_eq(wend_map_set_cell(map, CELL(5, 5), 0, NULL), WEND_OK);
    wend_crowd_def def = default_crowd();
    def.map = map, def.service = service, def.on_event = call_in_callback;
    cr_assert_eq(wend_crowd_create(&def, &crowd), WEND_OK);
    first = add_at(CELL(0, 0)), gone = add_at(CELL(4, 0));
    cr_assert_eq(wend_crowd_remove(crowd, gone), WEND_OK);
}

static void tear_down(void) {
    cr_assert_eq(wend_crowd_destroy(crowd), WEND_OK);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    wend_map_release(map);
}

Test(detail, of_making_a_crowd, .init = set_up, .fini = tear_down) {
    wend_crowd *made;
    wend_crowd_def def = default_crowd();
    def.map = map, def.service = service, def.path_bytes = UINT64_MAX;
    BAD("path_bytes is 18446744073709551615, but must be from 0 to #", wend_crowd_create(&def, &made));
    BAD("preset is 0, but must be from 1 to 3", wend_crowd_def_preset(&(wend_crowd_def){0}, sizeof def, 0));
}

Test(detail, of_agents, .init = set_up, .fini = tear_down) {
    wend_agent_id id;
    wend_agent_def agent = default_agent();
    agent.speed_milli = 0;
    BAD("speed_milli is 0, but must be from 1 to 1000000", wend_crowd_add(crowd, &agent, &id));
    FAILS(STALE_TICKET, GONE, wend_crowd_remove(crowd, gone));
    FAILS(STALE_TICKET, GONE, wend_crowd_move(crowd, gone, CELL(1, 1)));
    FAILS(STALE_TICKET, GONE, wend_crowd_set_speed(crowd, gone, 1000));
    FAILS(STALE_TICKET, GONE, wend_crowd_set_urgency(crowd, gone, 0));
    FAILS(STALE_TICKET, GONE, wend_crowd_wait_for(crowd, gone, NULL, 0));
    BAD("profile is 1, but must be 0", wend_crowd_set_profile(crowd, &first, 1, 1));
    BAD(NO_MOVER, wend_crowd_set_mover(crowd, &first, 1, 1));
}

Test(detail, of_orders, .init = set_up, .fini = tear_down) {
    wend_crowd_goal goal = default_crowd_goal();
    goal.kind = 3;
    BAD("goal.kind is 3, but must be from 0 to 2", wend_crowd_go(crowd, &first, 1, &goal));
    FAILS(STALE_TICKET, GONE, wend_crowd_halt(crowd, &gone, 1));
    FAILS(STALE_TICKET, GONE, wend_crowd_step(crowd, gone, CELL(1, 1)));
}

Test(detail, of_boxes, .init = set_up, .fini = tear_down) {
    bool clear;
    BAD("box.max is 1,1,0, before box.min, 2,2,0", wend_crowd_clear_box(crowd, (wend_box){CELL(2, 2), CELL(1, 1)}));
    FAILS(OUT_OF_RANGE, "box.max" OFF_GRID, wend_crowd_is_clear(crowd, (wend_box){CELL(9, 0), CELL(10, 0)}, &clear));
    FAILS(EMPTY, "the box is not being cleared", wend_crowd_release_box(crowd, (wend_box){CELL(3, 1), CELL(3, 1)}));
    BAD(ABSENT("boxes"), wend_crowd_get_boxes(crowd, NULL, 1, NULL));
}

Test(detail, of_bodies, .init = set_up, .fini = tear_down) {
    wend_body_def body = default_body();
    FAILS(STALE_TICKET, GONE, wend_crowd_set_body(crowd, gone, &body));
    FAILS(STALE_TICKET, "the agent #,# (index, generation) has no body", wend_crowd_set_body(crowd, first, NULL));
    wend_body_state state = {.struct_bytes = sizeof state};
    wend_body_state small = {.struct_bytes = 1};
    FAILS(STALE_TICKET, "the agent #,# (index, generation) has no body", wend_crowd_get_body(crowd, first, &state));
    cr_assert_eq(wend_crowd_set_body(crowd, first, &body), WEND_OK);
    FAILS(IN_USE, "the agent has a body already", wend_crowd_set_body(crowd, first, &body));
    BAD(SIZED("wend_body_state", 1), wend_crowd_get_body(crowd, first, &small));
    const wend_point still = {0, 0, 0}, off = {-1000, 0, 0}, high = {1000, 1000, 1}, fast = {1001, 0, 0};
    FAILS(OUT_OF_RANGE, "the cell of at is -1,0,0...", wend_crowd_place_body(crowd, first, off, still));
    BAD("at.z is 1, but must be 0", wend_crowd_place_body(crowd, first, high, still));
    BAD("velocity.z is 1, but must be 0", wend_crowd_place_body(crowd, first, still, high));
    BAD("the velocity is above the agent's speed", wend_crowd_place_body(crowd, first, still, fast));
    cr_assert_eq(wend_crowd_remove(crowd, first), WEND_OK);
}

Test(detail, of_routes, .init = set_up, .fini = tear_down) {
    const wend_cell corner = CELL(0, 0);
    uint32_t number;
    wend_route_def route = default_route();
    route.corners = &corner;
    BAD("corners has 0 items, but must have from 1 to 4294967295", wend_crowd_add_route(crowd, &route, &number));
    FAILS(STALE_TICKET, GONE, wend_crowd_patrol(crowd, gone, 0));
}

Test(detail, of_updates_and_views, .init = set_up, .fini = tear_down) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    wend_crowd_view view = {.struct_bytes = 1};
    wend_crowd_stats counts = {.struct_bytes = 1};
    wend_crowd_goal goal = default_crowd_goal();
    FAILS(STALE_TICKET, GONE, wend_crowd_get_agent(crowd, gone, &state));
    FAILS(STALE_TICKET, GONE, wend_crowd_get_goal(crowd, gone, &goal));
    FAILS(STALE_TICKET, GONE, wend_crowd_get_path(crowd, gone, NULL, 0, NULL));
    BAD(SIZED("wend_crowd_view", 1), wend_crowd_get_view(crowd, &view));
    BAD(SIZED("wend_crowd_stats", 1), wend_crowd_get_stats(crowd, &counts));
    cr_assert_eq(wend_crowd_go(crowd, &first, 1, &goal), WEND_OK);
    cr_assert_eq(wend_crowd_update(crowd, 1000, NULL, NULL), WEND_OK); /* it is there: an event */
}

Test(detail, of_places_and_chance, .init = set_up, .fini = tear_down) {
    wend_places_def places;
    wend_cell cell;
    size_t count;
    wend_places_def_init(&places, sizeof places);
    places.max_cells = 0;
    BAD("max_cells is 0, but must be from 1 to 268435456", wend_map_free_places(map, &places, &cell, 1, &count));
    BAD("the mover cannot stand on from, 5,5,0", wend_map_random_cell(map, 0, CELL(5, 5), 1, &cell));
}
