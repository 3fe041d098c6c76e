/* SPDX-License-Identifier: MIT */
/* Every goal ends, and everybody comes to rest, where two ways could be taken in turns for ever. */
#include "crowd/crowd_support.h"
#include "models/more.h"

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
    wend_map *map;
    cr_assert_eq(wend_graph_create(&def, &map), WEND_OK);
    OWNED(town_close) town t;
    town_open_on(&t, map, NULL, 0);
    town_add(&t, 4, 0, 1000), town_add(&t, 7, 0, 1000);
    const uint32_t agent = town_add(&t, 2, 0, 1000);
    town_go(&t, agent, 3, 0);
    town_walk(&t, 500);
    cr_assert_eq(town_last(&t, agent), WEND_AGENT_EVENT_ARRIVED);
}

/* Each agent keeps one block of its path, so a way over links is walked in pieces. From 0,0 and from 1,0 a link each
 * leads on: the first is dear, somebody stands at the end of the second. */
Test(ends, one_that_walks_pieces_of_two_ways_in_turns_gives_up) {
    static const char *const rows[] = {"..", "##", "#.", "..", "#3"};
    wend_crowd_def def = default_crowd();
    def.agents = TOWN_AGENTS;
    def.path_bytes = 1;
    tuning_of(&def)->tries = 8, tuning_of(&def)->retry_updates = 1, tuning_of(&def)->units_within = 12;
    OWNED(town_close) town t;
    town_open(&t, rows, 5, &def);
    wend_edit *edit = begin_edit(t.map);
    wend_edit_add_link(edit, (wend_cell){0, 0, 0}, (wend_cell){1, 2, 0}, 60000);
    wend_edit_add_link(edit, (wend_cell){1, 0, 0}, (wend_cell){1, 4, 0}, 3);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
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
