/* SPDX-License-Identifier: MIT */
/* A goal waits for a way through a door that closes for a moment. */
#include "crowd/crowd_support.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <wend/units.h>

/* The door is at 8,2. */
static const char *const rooms[] = {"........#.......", "........#.......", "................", "........#.......",
                                    "........#......."};

enum { PATIENCE = 100, DOOR_X = 8, DOOR_Y = 2, GOAL_X = 14, NEAR = 3 };

static void open_rooms(town *t, uint32_t patience) {
    wend_crowd_def def = default_crowd();
    def.agents = 64, tuning_of(&def)->patience_updates = patience;
    town_open(t, rooms, 5, &def);
}

static void set_door(town *t, uint8_t class) {
    town_set(t, DOOR_X, DOOR_Y, class);
}

static bool has_goal(const town *t, uint32_t agent) {
    return town_state(t, agent).has_goal;
}

Test(patience, waits_at_a_door_that_closes_and_goes_on) {
    OWNED(town_close) town t;
    open_rooms(&t, PATIENCE);
    const uint32_t a = town_add(&t, 1, 2, 1000);
    town_go(&t, a, GOAL_X, 2);
    town_frames(&t, 4);
    set_door(&t, 0);
    town_frames(&t, PATIENCE - 10);
    cr_assert(town_is_at(&t, a, DOOR_X - 1, DOOR_Y));
    const uint64_t searches = town_counts(&t).searches_begun;
    cr_assert(searches <= 4, "%u searches", (unsigned)searches);
    set_door(&t, 1);
    town_frames(&t, 1 + 2 * (GOAL_X - DOOR_X + 1));
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_ARRIVED);
    cr_assert_eq(town_counts(&t).searches_begun, searches, "the path is as it was");
}

Test(patience, ends_after_its_last_update) {
    for (uint32_t patience = 0; patience <= PATIENCE; patience += PATIENCE / 2) {
        OWNED(town_close) town t;
        open_rooms(&t, patience);
        set_door(&t, 0);
        const uint32_t a = town_add(&t, 1, 2, 1000);
        town_go(&t, a, GOAL_X, 2);
        uint32_t frames = 0;
        for (; has_goal(&t, a) && frames < 3 * PATIENCE; frames++) town_frame(&t);
        cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_PARTIAL);
        const uint32_t least = patience > DOOR_X ? patience : DOOR_X - 2;
        cr_assert(frames >= least && frames <= least + NEAR, "%u frames, not about %u", frames, least);
    }
}

Test(patience, begins_before_a_closed_door) {
    OWNED(town_close) town t;
    open_rooms(&t, PATIENCE);
    set_door(&t, 0);
    const uint32_t a = town_add(&t, 1, 2, 1000), b = town_add(&t, 1, 4, 1000);
    town_go(&t, a, GOAL_X, 2), town_go(&t, b, GOAL_X, 4);
    town_frames(&t, PATIENCE / 2);
    set_door(&t, 1);
    town_walk(&t, PATIENCE);
    cr_assert(town_is_at(&t, a, GOAL_X, 2) && town_is_at(&t, b, GOAL_X, 4));
}

Test(patience, counts_from_each_closing) {
    OWNED(town_close) town t;
    open_rooms(&t, PATIENCE);
    const uint32_t a = town_add(&t, 1, 2, 100);
    town_go(&t, a, GOAL_X, 2);
    for (int k = 0; k < 6 && has_goal(&t, a); k++) {
        set_door(&t, 0);
        town_frames(&t, PATIENCE - 20);
        set_door(&t, 1);
        town_frames(&t, 20);
    }
    town_walk(&t, 200);
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_ARRIVED);
}

static void patrol(town *t, int32_t mode, uint32_t agent) {
    static const wend_cell corners[] = {{1, 2, 0}, {GOAL_X, 2, 0}};
    uint32_t route;
    wend_route_def def = default_route();
    def.corners = corners, def.corner_count = 2, def.mode = mode;
    cr_assert_eq(wend_crowd_add_route(t->crowd, &def, &route), WEND_OK);
    cr_assert_eq(wend_crowd_patrol(t->crowd, t->agents[agent].id, route), WEND_OK);
    t->agents[agent].begun++;
}

Test(patience, keeps_patrols_at_a_door) {
    for (int32_t mode = WEND_ROUTE_ONCE; mode <= WEND_ROUTE_BACK; mode++) {
        OWNED(town_close) town t;
        open_rooms(&t, PATIENCE);
        const uint32_t a = town_add(&t, 1, 1, 1000);
        patrol(&t, mode, a);
        town_frames(&t, 5);
        for (int k = 0; k < 3; k++) {
            set_door(&t, 0);
            town_frames(&t, PATIENCE - 10);
            set_door(&t, 1);
            if (mode == WEND_ROUTE_ONCE) break;
            town_frames(&t, 40);
            cr_assert(has_goal(&t, a), "%d", (int)mode);
        }
        if (mode == WEND_ROUTE_ONCE) {
            town_walk(&t, 40);
            cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_ARRIVED);
        }
    }
}

Test(patience, ends_on_a_route_too) {
    OWNED(town_close) town t;
    open_rooms(&t, PATIENCE);
    const uint32_t a = town_add(&t, 1, 1, 1000);
    patrol(&t, WEND_ROUTE_ONCE, a);
    town_frames(&t, 5);
    town_set(&t, GOAL_X, 2, 0), set_door(&t, 0);
    town_frames(&t, PATIENCE - 10);
    cr_assert(has_goal(&t, a));
    town_frames(&t, PATIENCE + 40);
    cr_assert_not(has_goal(&t, a));
}

/* A node of a graph without coordinates has no nearest one: the goal waits where it is. */
Test(patience, on_a_graph_without_coordinates) {
    static const wend_edge edges[] = {{0, 1, 1000}, {1, 2, 1000}};
    OWNED(town_close) town t;
    wend_graph_def graph = default_graph();
    graph.node_count = 3, graph.edges = edges, graph.edge_count = 2;
    wend_map *map = made_graph(&graph);
    wend_crowd_def def = default_crowd();
    def.agents = 64, tuning_of(&def)->patience_updates = PATIENCE;
    town_open_on(&t, map, &def, 0);
    town_set(&t, 1, 0, 0);
    const uint32_t a = town_add(&t, 0, 0, 1000);
    town_go(&t, a, 2, 0);
    town_frames(&t, PATIENCE / 2);
    town_set(&t, 1, 0, 1);
    town_walk(&t, 40);
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_ARRIVED);
}

/* A long search answers that no way leads to the last node: its edge leads away from it. While it runs, the agent is
 * to set out along the road, but a unit stands on its first node. */
Test(patience, ends_where_each_search_gives_a_step_ahead_of_its_answer) {
    enum { ROAD = 400 };
    wend_edge edges[ROAD] = {{ROAD, 0, 1000}};
    for (uint32_t i = 1; i < ROAD; i++) edges[i] = (wend_edge){i - 1, i, 1000};
    OWNED(town_close) town t;
    wend_graph_def graph = default_graph();
    graph.node_count = ROAD + 1, graph.edges = edges, graph.edge_count = ROAD;
    wend_map *map = made_graph(&graph);
    wend_crowd_def def = default_crowd();
    def.agents = TOWN_AGENTS, tuning_of(&def)->patience_updates = PATIENCE, tuning_of(&def)->head_start = 20;
    town_open_on(&t, map, &def, 0);
    t.budget = ROAD / 8;
    cr_assert_eq(wend_map_occupy(map, (wend_cell){1, 0, 0}), WEND_OK);
    const uint32_t a = town_add(&t, 0, 0, 1000);
    town_go(&t, a, ROAD, 0);
    town_walk(&t, 2 * PATIENCE);
    cr_assert_gt(town_counts(&t).head_starts, 0);
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_GAVE_UP);
    cr_assert_eq(town_why(&t, a), WEND_WHY_NO_PATH);
    cr_assert_eq(wend_map_vacate(map, (wend_cell){1, 0, 0}), WEND_OK);
}
