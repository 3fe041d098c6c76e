/* SPDX-License-Identifier: MIT */
/* The reason of each wait of an agent, and other public data on its way. check_crowd compares it with its models. */
#include "crowd/crowd_support.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <wend/agents.h>
#include <wend/boxes.h>
#include <wend/control.h>
#include <wend/crowd_tuning.h>
#include <wend/figures.h>
#include <wend/stream.h>
#include <wend/units.h>

static const char *const corridor[] = {"############", "............", "############"};

enum { SPEED = 1000, GOAL_X = 10 };

/* Checks what an agent waits for, on which cell, and for which agent; UINT32_MAX: none. */
static void expect_waits(const town *t, uint32_t agent, int32_t waits, int32_t x, int32_t y, uint32_t blocker) {
    const wend_agent_state state = town_state(t, agent);
    cr_expect_str_eq(wend_constant_name(WEND_NAME_WAIT, state.waits), wend_constant_name(WEND_NAME_WAIT, waits));
    cr_expect(state.blocked_cell.x == x && state.blocked_cell.y == y, "%d,%d", (int)state.blocked_cell.x,
              (int)state.blocked_cell.y);
    const wend_agent_id id = blocker == UINT32_MAX ? (wend_agent_id){0, 0} : t->agents[blocker].id;
    cr_expect(state.blocker.index == id.index && state.blocker.generation == id.generation);
}

/* Opens a corridor with an agent on its way along it, and lets it come to the obstacle. */
static uint32_t walk_corridor(town *t) {
    const uint32_t a = town_add(t, 0, 1, SPEED);
    town_go(t, a, GOAL_X, 1);
    town_frames(t, 8);
    return a;
}

static uint32_t add_parked(town *t, int32_t x, int32_t y) {
    wend_agent_def def = default_agent();
    def.cell = (wend_cell){x, y, 0}, def.parked = true;
    return town_add_def(t, &def);
}

Test(waits, nothing_keeps_one_that_walks_or_stands_where_it_was_sent) {
    OWNED(town_close) town t;
    town_open(&t, corridor, 3, NULL);
    const uint32_t a = town_add(&t, 0, 1, 250);
    expect_waits(&t, a, WEND_WAIT_NONE, 0, 1, UINT32_MAX);
    town_go(&t, a, GOAL_X, 1);
    expect_waits(&t, a, WEND_WAIT_SEARCH, 0, 1, UINT32_MAX);
    town_frames(&t, 6);
    const wend_agent_state state = town_state(&t, a);
    expect_waits(&t, a, WEND_WAIT_NONE, state.cell.x, 1, UINT32_MAX);
    cr_assert(state.path_end.x == GOAL_X && state.path_end.y == 1);
    town_walk(&t, 100);
    expect_waits(&t, a, WEND_WAIT_NONE, GOAL_X, 1, UINT32_MAX);
    cr_assert_eq(town_state(&t, a).path_end.x, GOAL_X);
}

Test(waits, for_its_search_and_for_room_in_the_queue) {
    OWNED(town_close) town t;
    wend_map *map = grid_map(64, 64);
    town_open_queue(&t, map, 1);
    const uint32_t a = town_add(&t, 0, 0, SPEED), b = town_add(&t, 0, 2, SPEED);
    t.budget = 1;
    town_go(&t, a, 60, 60), town_go(&t, b, 60, 50);
    town_frames(&t, 2);
    expect_waits(&t, a, WEND_WAIT_SEARCH, 0, 0, UINT32_MAX);
    expect_waits(&t, b, WEND_WAIT_QUEUE, 0, 2, UINT32_MAX);
    cr_assert(town_state(&t, a).ticket.generation > 0 && town_state(&t, b).ticket.generation == 0);
}

Test(waits, for_work_where_the_update_has_too_little) {
    OWNED(town_close) town t;
    wend_crowd_def def = default_crowd();
    def.agents = 64, tuning_of(&def)->work = 64;
    town_open(&t, corridor, 3, &def);
    uint32_t agents[6];
    for (uint32_t i = 0; i < 6; i++) agents[i] = town_add(&t, (int32_t)i, 1, SPEED);
    for (uint32_t i = 0; i < 6; i++) town_go(&t, agents[i], 11, 1);
    for (uint32_t i = 0; i < 6; i++)
        cr_expect_eq(town_state(&t, agents[i]).waits, i < 2 ? WEND_WAIT_SEARCH : WEND_WAIT_WORK, "agent %u", i);
    cr_assert_gt(town_counts(&t).put_off, 0);
    town_walk(&t, 1000);
}

Test(waits, for_the_field_of_its_group) {
    OWNED(town_close) town t;
    static const char *const rows[] = {"................", "................", "................", "................"};
    wend_crowd_def def = default_crowd();
    def.agents = 64, tuning_of(&def)->field_agents = 4;
    town_open(&t, rows, 4, &def);
    uint32_t agents[8];
    for (uint32_t i = 0; i < 8; i++) agents[i] = town_add(&t, (int32_t)i % 2, (int32_t)i / 2, SPEED);
    t.budget = 1;
    town_go_all(&t, agents, 8, (wend_cell){15, 1, 0}, 0);
    town_frame(&t);
    for (uint32_t i = 0; i < 8; i++) cr_expect_eq(town_state(&t, agents[i]).waits, WEND_WAIT_FIELD);
}

Test(waits, behind_an_agent_that_it_does_not_push) {
    OWNED(town_close) town t;
    town_open(&t, corridor, 3, NULL);
    const uint32_t b = town_add(&t, 5, 1, SPEED), a = town_add(&t, 0, 1, SPEED);
    cr_assert_eq(wend_crowd_wait_for(t.crowd, t.agents[a].id, &t.agents[b].id, 1), WEND_OK);
    town_go(&t, a, GOAL_X, 1);
    town_frames(&t, 8);
    expect_waits(&t, a, WEND_WAIT_AGENT, 5, 1, b);
    cr_assert_eq(town_state(&t, a).state, WEND_AGENT_BLOCKED);
    expect_waits(&t, b, WEND_WAIT_NONE, 5, 1, UINT32_MAX);
}

Test(waits, behind_a_parked_agent_and_a_player) {
    OWNED(town_close) town t;
    town_open(&t, corridor, 3, NULL);
    const uint32_t b = add_parked(&t, 5, 1), a = walk_corridor(&t);
    expect_waits(&t, a, WEND_WAIT_PARKED, 5, 1, b);
    town_remove(&t, b);
    const uint32_t p = town_add(&t, 5, 1, SPEED);
    cr_assert_eq(wend_crowd_step(t.crowd, t.agents[p].id, (wend_cell){5, 1, 0}), WEND_OK);
    town_frame(&t);
    expect_waits(&t, a, WEND_WAIT_PLAYER, 5, 1, p);
    expect_waits(&t, p, WEND_WAIT_NONE, 5, 1, UINT32_MAX);
}

Test(waits, before_a_unit_of_the_host_and_a_box) {
    for (int boxes = 0; boxes < 2; boxes++) {
        OWNED(town_close) town t;
        town_open(&t, corridor, 3, NULL);
        const wend_cell cell = {5, 1, 0};
        cr_assert_eq(boxes ? wend_crowd_clear_box(t.crowd, (wend_box){cell, cell}) : wend_map_occupy(t.map, cell),
                     WEND_OK);
        const uint32_t a = walk_corridor(&t);
        expect_waits(&t, a, boxes ? WEND_WAIT_BOX : WEND_WAIT_UNIT, 5, 1, UINT32_MAX);
    }
}

/* With patience it has searched for the nearest cell, stands there, and has no next cell. */
Test(waits, with_patience_it_still_knows_who_is_in_the_way) {
    enum { PATIENCE = 1000 };
    for (int32_t kind = WEND_WAIT_PLAYER; kind <= WEND_WAIT_UNIT; kind++) {
        OWNED(town_close) town t;
        wend_crowd_def def = default_crowd();
        def.agents = 8, tuning_of(&def)->patience_updates = PATIENCE;
        town_open(&t, corridor, 3, &def);
        uint32_t b = UINT32_MAX;
        if (kind == WEND_WAIT_UNIT)
            cr_assert_eq(wend_map_occupy(t.map, (wend_cell){5, 1, 0}), WEND_OK);
        else
            b = kind == WEND_WAIT_PARKED ? add_parked(&t, 5, 1) : town_add(&t, 5, 1, SPEED);
        if (kind == WEND_WAIT_PLAYER)
            cr_assert_eq(wend_crowd_step(t.crowd, t.agents[b].id, (wend_cell){5, 1, 0}), WEND_OK);
        const uint32_t a = walk_corridor(&t);
        town_frames(&t, PATIENCE / 2);
        cr_assert(town_is_at(&t, a, 4, 1) && town_state(&t, a).has_goal);
        const wend_agent_state state = town_state(&t, a);
        if (state.waits != WEND_WAIT_SEARCH) expect_waits(&t, a, kind, 5, 1, b);
        town_halt(&t, a);
    }
}

/* Sends an agent to a cell enclosed by units of the host, and lets it come as near as it can. */
static uint32_t come_near_units(town *t, wend_map_def def, wend_cell from, wend_cell to, const wend_cell *units,
                                size_t count) {
    wend_crowd_def crowd_def = default_crowd();
    crowd_def.agents = 8, tuning_of(&crowd_def)->patience_updates = 1000;
    wend_map *map = made_map(&def);
    town_open_on(t, map, &crowd_def, 0);
    for (size_t k = 0; k < count; k++) cr_assert_eq(wend_map_occupy(map, units[k]), WEND_OK);
    const uint32_t a = town_add(t, from.x, from.y, SPEED);
    town_go(t, a, to.x, to.y);
    town_frames(t, 500); /* the agent has searched for the nearest cell, and stands there */
    while (town_state(t, a).waits == WEND_WAIT_SEARCH) town_frame(t);
    return a;
}

Test(waits, the_unit_may_stand_over_the_rim) {
    static const wend_cell units[] = {{0, 0, 0}, {6, 0, 0}};
    OWNED(town_close) town t;
    wend_map_def def = default_map();
    def.width = 12, def.height = 1, def.wrap = WEND_WRAP_X;
    const uint32_t a = come_near_units(&t, def, (wend_cell){9, 0, 0}, (wend_cell){2, 0, 0}, units, 2);
    expect_waits(&t, a, WEND_WAIT_UNIT, 0, 0, UINT32_MAX);
    town_halt(&t, a);
}

Test(waits, a_hexagon_waits_for_units_on_its_six_neighbours) {
    /* Two rings of units enclose the goal; the agent stands in a gap of the outer one. The square around it has a unit
     * of the inner ring that is no neighbour. */
    static const wend_cell units[] = {{5, 4, 0}, {6, 4, 0}, {6, 5, 0}, {5, 6, 0}, {4, 6, 0}, {4, 5, 0},
                                      {5, 3, 0}, {6, 3, 0}, {7, 3, 0}, {7, 4, 0}, {7, 5, 0}, {6, 6, 0},
                                      {4, 7, 0}, {3, 7, 0}, {3, 6, 0}, {3, 5, 0}, {4, 4, 0}};
    OWNED(town_close) town t;
    wend_map_def def = default_map();
    wend_map_rules rules = default_rules();
    rules.neighbours = 6, def.width = def.height = 12, def.rules = &rules;
    const uint32_t a = come_near_units(&t, def, (wend_cell){5, 9, 0}, (wend_cell){5, 5, 0}, units, 17);
    const wend_agent_state state = town_state(&t, a);
    const int32_t dx = state.blocked_cell.x - state.cell.x, dy = state.blocked_cell.y - state.cell.y;
    cr_assert_eq(state.waits, WEND_WAIT_UNIT);
    cr_assert(town_is_at(&t, a, 5, 7), "at %d,%d", (int)state.cell.x, (int)state.cell.y);
    cr_assert(dx != dy && abs(dx) <= 1 && abs(dy) <= 1, "%d,%d from its cell", (int)dx, (int)dy);
    town_halt(&t, a);
}

Test(waits, for_a_way_that_an_edit_closed) {
    OWNED(town_close) town t;
    wend_crowd_def def = default_crowd();
    def.agents = 8, tuning_of(&def)->patience_updates = 100;
    town_open(&t, corridor, 3, &def);
    const uint32_t a = town_add(&t, 0, 1, SPEED);
    town_go(&t, a, GOAL_X, 1);
    town_frames(&t, 3);
    town_set(&t, 6, 1, 0);
    town_frames(&t, 20);
    cr_assert(town_is_at(&t, a, 5, 1));
    expect_waits(&t, a, WEND_WAIT_WAY, 6, 1, UINT32_MAX);
    town_halt(&t, a);
    expect_waits(&t, a, WEND_WAIT_NONE, 5, 1, UINT32_MAX);
}

Test(waits, a_follower_waits_for_its_target) {
    OWNED(town_close) town t;
    town_open(&t, corridor, 3, NULL);
    const uint32_t b = town_add(&t, 8, 1, SPEED), a = town_add(&t, 0, 1, SPEED);
    wend_crowd_goal goal = default_crowd_goal();
    goal.kind = WEND_CROWD_FOLLOW, goal.target = t.agents[b].id, goal.reach = 2;
    cr_assert_eq(wend_crowd_go(t.crowd, &t.agents[a].id, 1, &goal), WEND_OK);
    t.agents[a].begun++;
    town_frames(&t, 12);
    expect_waits(&t, a, WEND_WAIT_TARGET, 6, 1, b);
}

Test(waits, a_route_has_its_number_for_each_mover_and_none_without) {
    OWNED(town_close) town t;
    static const char *const rows[] = {"................", "................", "................", "................"};
    town_open(&t, rows, 4, NULL);
    const wend_cell corners[2][2] = {{{2, 0, 0}, {12, 0, 0}}, {{2, 2, 0}, {12, 2, 0}}};
    wend_mover mover = default_mover();
    mover.size = 2;
    int32_t large;
    cr_assert_eq(wend_map_add_mover(t.map, &mover, &large), WEND_OK);
    uint32_t agents[3];
    for (uint32_t k = 0; k < 3; k++) {
        wend_agent_def def = default_agent();
        def.cell = (wend_cell){5 * (int32_t)k, 2, 0}, def.mover = k == 2 ? large : 0;
        agents[k] = town_add_def(&t, &def);
        cr_assert_eq(town_state(&t, agents[k]).route, -1);
    }
    for (uint32_t k = 0; k < 2; k++) {
        wend_route_def def = default_route();
        uint32_t route;
        def.mode = WEND_ROUTE_LOOP, def.corners = corners[k], def.corner_count = 2;
        cr_assert_eq(wend_crowd_add_route(t.crowd, &def, &route), WEND_OK);
    }
    for (uint32_t k = 0; k < 3; k++) {
        cr_assert_eq(wend_crowd_patrol(t.crowd, t.agents[agents[k]].id, k > 0), WEND_OK);
        t.agents[agents[k]].begun++;
        cr_assert_eq(town_state(&t, agents[k]).route, k > 0);
    }
    expect_waits(&t, agents[0], WEND_WAIT_SEARCH, 0, 2, UINT32_MAX);
    town_frames(&t, 10);
    for (uint32_t k = 0; k < 3; k++) cr_assert_eq(town_state(&t, agents[k]).route, k > 0);
    for (uint32_t k = 0; k < 3; k++) town_halt(&t, agents[k]);
    cr_assert_eq(town_state(&t, agents[2]).route, -1);
}

Test(waits, the_next_try_counts_down) {
    OWNED(town_close) town t;
    town_open(&t, corridor, 3, NULL);
    (void)add_parked(&t, 5, 1);
    const uint32_t a = walk_corridor(&t);
    uint32_t most = 0, before = 0, decreased = 0;
    for (int k = 0; k < 60 && town_state(&t, a).has_goal; k++, town_frame(&t)) {
        const uint32_t left = town_state(&t, a).next_try;
        decreased += left + 1 == before;
        before = left;
        if (left > most) most = left;
    }
    cr_assert(most >= 8 && decreased >= 8, "%u %u", most, decreased);
}

Test(waits, a_caller_with_the_older_struct_gets_what_it_knows) {
    OWNED(town_close) town t;
    town_open(&t, corridor, 3, NULL);
    const uint32_t a = town_add(&t, 3, 1, SPEED);
    wend_agent_state state;
    memset(&state, 0x5a, sizeof state);
    state.struct_bytes = offsetof(wend_agent_state, waits);
    cr_assert_eq(wend_crowd_get_agent(t.crowd, t.agents[a].id, &state), WEND_OK);
    cr_assert(state.cell.x == 3 && state.profile == 0);
    for (size_t i = offsetof(wend_agent_state, waits); i < sizeof state; i++)
        cr_assert_eq(((const uint8_t *)&state)[i], 0x5a);
}

/* A record has as many steps and stands as the agents' states, and the histogram counts these. */
Test(waits, figures_note_updates_and_who_stands) {
    OWNED(town_close) town t;
    town_open(&t, corridor, 3, NULL);
    (void)add_parked(&t, 5, 1);
    for (int32_t i = 0; i < 3; i++) town_go(&t, town_add(&t, i, 1, SPEED), GOAL_X, 1);
    wend_figures_def def = default_figures();
    def.updates = 8;
    wend_figures *figures = made_figures(&def);
    town_frames(&t, 2);
    cr_assert_eq(wend_service_set_figures(t.service, figures), WEND_OK);
    uint64_t stands = 0, most = 0, steps = town_counts(&t).steps;
    for (uint64_t k = 1; k <= 12; k++) {
        wend_update_record record;
        size_t count;
        town_frame(&t);
        cr_assert_eq(wend_figures_get_records(figures, WEND_FIGURES_UPDATES, k - 1, &record, sizeof record, 1, &count),
                     WEND_OK);
        cr_assert_eq(count, 1);
        uint64_t blocked = 0;
        for (uint32_t i = 0; i < t.agent_count; i++)
            blocked += town_state(&t, i).state == WEND_AGENT_BLOCKED && town_state(&t, i).waits == WEND_WAIT_PARKED;
        cr_expect(record.update == k + 2 && record.stands >= blocked && record.ended_ns >= record.began_ns);
        cr_expect_eq(record.steps, town_counts(&t).steps - steps);
        steps = town_counts(&t).steps;
        if (k > 8) stands += record.stands;
        if (k > 8 && record.stands > most) most = record.stands;
    }
    wend_histogram recent = {.struct_bytes = sizeof recent}, all = recent;
    cr_assert_eq(wend_figures_get_recent(figures, WEND_HISTOGRAM_STANDS, WEND_BAND_ALL, 4, &recent), WEND_OK);
    cr_expect(recent.total == 4 && recent.sum == stands && recent.max == most && most > 0);
    cr_assert_eq(wend_figures_get_recent(figures, WEND_HISTOGRAM_UPDATE_US, WEND_BAND_ALL, 100, &recent), WEND_OK);
    cr_expect_eq(recent.total, 8, "as many as are kept");
    cr_assert_eq(wend_figures_get_histogram(figures, WEND_HISTOGRAM_UPDATE_US, WEND_BAND_ALL, &all), WEND_OK);
    cr_expect_eq(all.total, 12);
    cr_assert_eq(wend_service_set_figures(t.service, NULL), WEND_OK);
    wend_figures_destroy(figures);
}

/* ---- scenes in which an agent waits for what no test above waits for ---- */

/* Runs frames until the agent waits for `kind`, for at most 400. */
static void frames_until(town *t, uint32_t agent, int32_t kind) {
    for (int frame = 0; town_state(t, agent).waits != kind; frame++) {
        cr_assert_lt(frame, 400, "it never waits for %s", wend_constant_name(WEND_NAME_WAIT, kind));
        town_frame(t);
    }
}

/* The host cancels its search. The agent searches again at `next_try`, and the service has nothing to do meanwhile. */
Test(waits, for_its_next_try_where_the_queue_is_empty) {
    OWNED(town_close) town t;
    town_open_on(&t, grid_map(64, 64), NULL, 0);
    const uint32_t a = town_add(&t, 0, 0, SPEED);
    t.budget = 1;
    town_go(&t, a, 60, 60);
    town_frame(&t);
    cr_assert_eq(wend_service_cancel(t.service, town_state(&t, a).ticket), WEND_OK);
    town_frame(&t);
    for (uint32_t left = town_state(&t, a).next_try; left > 0; left--, town_frame(&t)) {
        cr_assert_eq(wend_service_get_pending(t.service), 0);
        cr_expect_eq(town_state(&t, a).next_try, left);
        expect_waits(&t, a, WEND_WAIT_TIME, 0, 0, UINT32_MAX);
    }
    frames_until(&t, a, WEND_WAIT_SEARCH);
    town_halt(&t, a);
}

/* With a budget of no choices 16 agents choose. Those left out wait for work, though the update before refused them. */
Test(waits, for_work_where_the_update_leaves_out_a_refused_search) {
    enum { COUNT = 20, CHOOSE = 16 };
    OWNED(town_close) town t;
    wend_map *map = grid_map(64, 64);
    town_open_queue(&t, map, 1);
    uint32_t agents[COUNT], of[WEND_WAIT_WINDOW + 1] = {0};
    t.budget = 1;
    for (uint32_t i = 0; i < COUNT; i++) agents[i] = town_add(&t, 0, 2 * (int32_t)i, SPEED);
    for (uint32_t i = 0; i < COUNT; i++) town_go(&t, agents[i], 60, 60 - (int32_t)i);
    town_frame(&t);
    for (uint32_t i = 0; i < COUNT; i++)
        cr_expect_eq(town_state(&t, agents[i]).waits, i == 0 ? WEND_WAIT_SEARCH : WEND_WAIT_QUEUE);
    wend_update_budget least;
    wend_update_budget_init(&least, sizeof least);
    least.choices = 0;
    cr_assert_eq(wend_crowd_update(t.crowd, 1000, &least, NULL), WEND_OK);
    for (uint32_t i = 0; i < COUNT; i++) of[town_state(&t, agents[i]).waits]++;
    cr_expect_eq(of[WEND_WAIT_SEARCH], 1);
    cr_expect_eq(of[WEND_WAIT_QUEUE], CHOOSE - 1);
    cr_expect_eq(of[WEND_WAIT_WORK], COUNT - CHOOSE);
}

Test(waits, for_the_others_of_its_formation) {
    OWNED(town_close) town t;
    static const char *const rows[] = {
        "################################################", "................................................",
        "................................................", "................................................",
        "################################################"};
    town_open(&t, rows, 5, NULL);
    uint32_t agents[3], waited = 0;
    for (uint32_t i = 0; i < 3; i++) agents[i] = town_add(&t, (int32_t)i, 1 + (int32_t)i, i == 0 ? 50 : SPEED);
    wend_agent_id ids[3];
    for (uint32_t i = 0; i < 3; i++) ids[i] = t.agents[agents[i]].id, t.agents[agents[i]].begun++;
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = (wend_cell){44, 2, 0}, goal.formation = WEND_AS_LINE;
    cr_assert_eq(wend_crowd_go(t.crowd, ids, 3, &goal), WEND_OK);
    for (int k = 0; k < 200; k++, town_frame(&t))
        for (uint32_t i = 0; i < 3; i++) waited += town_state(&t, agents[i]).waits == WEND_WAIT_GROUP;
    cr_expect_gt(waited, 0);
    for (uint32_t i = 0; i < 3; i++) town_halt(&t, agents[i]);
}

Test(waits, for_land_that_is_unloaded) {
    enum { SIDE = 64 };
    OWNED(town_close) town t;
    wend_map_def def = default_map();
    uint8_t open[SIDE * SIDE];
    def.width = def.height = SIDE, def.streamed = true;
    wend_map *map = made_map(&def);
    wend_edit *edit = begin_edit(map);
    memset(open, 1, sizeof open);
    cr_assert_eq(wend_edit_load(edit, 0, 0, open, SIDE), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    town_open_on(&t, map, NULL, 0);
    const uint32_t a = town_add(&t, 5, 5, SPEED);
    edit = begin_edit(map);
    cr_assert_eq(wend_edit_unload(edit, 0, 0, WEND_LAND_KNOWN), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    t.frame++; /* not town_frame(): it checks that agents hold their cells */
    cr_assert_eq(wend_crowd_update(t.crowd, 1000, NULL, NULL), WEND_OK);
    expect_waits(&t, a, WEND_WAIT_LAND, 5, 5, UINT32_MAX);
}

Test(waits, while_a_jam_is_sorted_out) {
    static const char *const dead_end[] = {"...######", "........#", "...######"};
    OWNED(town_close) town t;
    town_open(&t, dead_end, 3, NULL);
    for (int32_t k = 0; k < 5; k++) town_add(&t, 3 + k, 1, SPEED);
    for (uint32_t k = 0; k < 5; k++) town_go(&t, k, 7 - (int32_t)k, 1);
    frames_until(&t, 0, WEND_WAIT_WINDOW);
    town_walk(&t, 400);
}

/* A full queue ends no goal (see QUEUE above); a closed service does. */
Test(waits, none_where_the_service_is_closed) {
    OWNED(town_close) town t;
    town_open(&t, corridor, 3, NULL);
    const uint32_t a = town_add(&t, 0, 1, SPEED);
    wend_service_close(t.service);
    town_go(&t, a, GOAL_X, 1);
    town_frame(&t);
    expect_waits(&t, a, WEND_WAIT_NONE, 0, 1, UINT32_MAX);
    cr_expect(town_last(&t, a) == WEND_AGENT_EVENT_GAVE_UP && town_why(&t, a) == WEND_WHY_LIMIT);
}

Test(waits, each_reason_has_a_name) {
    static const char *const waits[] = {"none", "search", "queue", "work",   "time",   "field", "group", "target",
                                        "way",  "land",   "agent", "player", "parked", "unit",  "box",   "window"};
    static const char *const whys[] = {"none", "no_path", "blocked", "limit", "gone", "stepping"};
    for (int32_t i = 0; i < 16; i++) cr_expect_str_eq(wend_constant_name(WEND_NAME_WAIT, i), waits[i]);
    for (int32_t i = 0; i < 6; i++) cr_expect_str_eq(wend_constant_name(WEND_NAME_WHY, i), whys[i]);
    cr_expect_str_eq(wend_constant_name(WEND_NAME_WAIT, WEND_WAIT_WINDOW + 1), "unknown");
    cr_expect_str_eq(wend_constant_name(WEND_NAME_WAIT, -1), "unknown");
    cr_expect_str_eq(wend_constant_name(WEND_NAME_WHY, WEND_WHY_STEPPING + 1), "unknown");
}
