/* SPDX-License-Identifier: MIT */
/* Every goal ends, and all agents come to rest, where two ways could be taken in turns for ever. */
#include "crowd/crowd_support.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <wend/agents.h>
#include <wend/units.h>
#include <wend/ways.h>

/* 4 and 7 are the homes of two agents; their ways home, 0-7-4 and 1-4-7, lead over the other's. A third one walks from
 * 2 over 4 to 3. Edges are two steps long. */
Test(ends, two_who_need_each_others_place_to_get_home_come_to_rest) {
    static const uint32_t ways[][2] = {{0, 7}, {7, 4}, {1, 4}, {4, 7}, {7, 1}, {4, 6}, {6, 0}, {2, 4}, {4, 3}};
    wend_edge edges[9];
    for (int i = 0; i < 9; i++) edges[i] = (wend_edge){ways[i][0], ways[i][1], 2000};
    wend_graph_def def = default_graph();
    def.node_count = 8, def.edges = edges, def.edge_count = 9;
    wend_map *map = made_graph(&def);
    OWNED(town_close) town t;
    town_open_on(&t, map, NULL, 0);
    town_add(&t, 4, 0, 1000), town_add(&t, 7, 0, 1000);
    const uint32_t agent = town_add(&t, 2, 0, 1000);
    town_go(&t, agent, 3, 0);
    town_walk(&t, 500);
    cr_assert_eq(town_last(&t, agent), WEND_AGENT_EVENT_ARRIVED);
}

/* Each agent keeps one block of its path, so the agent walks a way over links in pieces. A link leads on from 0,0 and
 * from 1,0: the first is expensive, an agent stands at the end of the second. */
Test(ends, one_that_walks_pieces_of_two_ways_in_turns_gives_up) {
    static const char *const rows[] = {"..", "##", "#.", "..", "#3"};
    wend_crowd_def def = default_crowd();
    def.agents = TOWN_AGENTS, def.path_bytes = 1;
    tuning_of(&def)->tries = 8, tuning_of(&def)->retry_updates = 1, tuning_of(&def)->units_within = 12;
    OWNED(town_close) town t;
    town_open(&t, rows, 5, &def);
    IN_BATCH(t.map, wend_edit_add_link(edit, &(wend_link){{0, 0, 0}, {1, 2, 0}, 60000, 0}),
             wend_edit_add_link(edit, &(wend_link){{1, 0, 0}, {1, 4, 0}, 3, 0}));
    cr_assert_eq(wend_map_occupy(t.map, (wend_cell){1, 3, 0}), WEND_OK);
    town_add(&t, 0, 3, 350), town_add(&t, 1, 4, 350);
    const uint32_t a = town_add(&t, 1, 0, 350);
    town_go(&t, a, 0, 3);
    town_walk(&t, 4000);
    cr_assert_eq(wend_map_vacate(t.map, (wend_cell){1, 3, 0}), WEND_OK);
}

/* The goal is beyond a wall, so the path ends at 30, next to the agent. A player pushes it there before its search has
 * ended. */
Test(ends, one_pushed_onto_the_end_of_its_path_ends_there) {
    static const char *const rows[] = {"...............................#..."};
    OWNED(town_close) town t;
    town_open(&t, rows, 1, NULL);
    const uint32_t player = town_add(&t, 28, 0, 1000), a = town_add(&t, 29, 0, 1000);
    t.budget = 1;
    town_go(&t, a, 33, 0);
    cr_assert_eq(wend_crowd_step(t.crowd, t.agents[player].id, (wend_cell){29, 0, 0}), WEND_OK);
    t.agents[player].begun++;
    town_frame(&t);
    cr_assert(town_is_at(&t, a, 30, 0));
    cr_assert_eq(town_last(&t, a), 0, "its search has not ended");
    t.budget = 100000;
    town_frames(&t, 3);
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_PARTIAL);
}

/* The goal is beyond a wall. The step ahead, to 4,0, is closed, so the agent has to go back and take the link. A unit
 * stands there: a second search, among units, takes two steps' time, and must not begin behind the closed step. */
Test(ends, one_whose_way_was_closed_does_not_search_from_behind_the_gap) {
    static const char *const rows[] = {".......#."};
    OWNED(town_close) town t;
    town_open(&t, rows, 1, NULL);
    const uint32_t a = town_add(&t, 0, 0, 1000);
    town_go(&t, a, 8, 0);
    for (int k = 0; k < 9 && !town_is_at(&t, a, 3, 0); k++) town_frame(&t);
    IN_BATCH(t.map, wend_edit_add_link(edit, &(wend_link){{0, 0, 0}, {6, 0, 0}, 10, 0}),
             wend_edit_set_step(edit, (wend_cell){3, 0, 0}, (wend_cell){4, 0, 0}, false));
    cr_assert_eq(wend_map_occupy(t.map, (wend_cell){1, 0, 0}), WEND_OK);
    t.budget = 2;
    town_walk(&t, 2000);
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_PARTIAL);
    cr_assert(town_is_at(&t, a, 3, 0), "the nearest to the goal that it can reach");
    cr_assert_eq(wend_map_vacate(t.map, (wend_cell){1, 0, 0}), WEND_OK);
}

static int polls_of(wend_crowd *crowd, const wend_agent_id *ids, int most) {
    wend_agent_event event = {.struct_bytes = sizeof event};
    static uint64_t last_update;
    static uint32_t last_agent;
    int polled = 0;
    if (most == 0) last_update = last_agent = 0;
    while (polled < most && wend_crowd_poll(crowd, &event) == WEND_OK) {
        uint32_t agent = 0;
        while (ids[agent].index != event.agent.index) agent++;
        cr_assert_eq(event.event, WEND_AGENT_EVENT_ARRIVED);
        cr_assert(event.update > last_update || (event.update == last_update && agent > last_agent));
        last_update = event.update, last_agent = agent;
        polled++;
    }
    return polled;
}

/* A host that polls fewer events than come: the remaining events move up to make room, and stay in order. */
Test(ends, wait_in_order_for_a_host_that_polls_a_few_at_a_time) {
    enum { AGENTS = 5, EVENTS = 7, FRAMES = 300 };
    OWNED(town_close) town t;
    wend_crowd_def def = default_crowd();
    wend_agent_id ids[AGENTS];
    int begun = 0, refused = 0, polled = polls_of(NULL, NULL, 0);
    town_open(&t, (const char *const[]){"...", "...", "...", "...", "..."}, AGENTS, NULL);
    def.agents = AGENTS, def.service = t.service, def.map = t.map, tuning_of(&def)->events = EVENTS;
    wend_crowd *crowd = made_crowd(&def);
    for (int32_t i = 0; i < AGENTS; i++) {
        wend_agent_def agent = default_agent();
        agent.speed_milli = 1000, agent.cell.y = i;
        cr_assert_eq(wend_crowd_add(crowd, &agent, &ids[i]), WEND_OK);
    }
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int32_t i = 0; i < AGENTS; i++) {
            wend_agent_state state = {.struct_bytes = sizeof state};
            wend_crowd_goal goal = default_crowd_goal();
            cr_assert_eq(wend_crowd_get_agent(crowd, ids[i], &state), WEND_OK);
            if (state.has_goal) continue;
            goal.cell = (wend_cell){state.cell.x == 2 ? 0 : 2, i, 0};
            const wend_error error = wend_crowd_go(crowd, &ids[i], 1, &goal);
            cr_assert(error == WEND_OK || error == WEND_BUSY);
            begun += !error, refused += error == WEND_BUSY;
        }
        cr_assert_eq(wend_service_tick(t.service, NULL, NULL), WEND_OK);
        cr_assert_eq(wend_crowd_update(crowd, 1000, NULL, NULL), WEND_OK);
        if (frame % 2) polled += polls_of(crowd, ids, 1 + frame % 3);
    }
    cr_assert(polled > EVENTS * 10 && refused > 0);
    for (int frame = 0; frame < 10; frame++) {
        cr_assert_eq(wend_service_tick(t.service, NULL, NULL), WEND_OK);
        cr_assert_eq(wend_crowd_update(crowd, 1000, NULL, NULL), WEND_OK);
    }
    polled += polls_of(crowd, ids, EVENTS + 1);
    cr_assert_eq(polled, begun, "each goal ended once");
    cr_assert_eq(wend_crowd_destroy(crowd), WEND_OK);
}
