/* SPDX-License-Identifier: MIT */
/* LINK_AHEAD: events of a drop, a jump or a teleport, a step before the agent takes it and when it takes it. */
#include "crowd/crowd_support.h"
#include "models/both.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <wend/agents.h>
#include <wend/body.h>
#include <wend/ways.h>

typedef struct told {
    int32_t from, to, ahead;
    uint64_t update;
} told;

static void add_link(town *t, int32_t from, int32_t to, int32_t cost) {
    IN_BATCH(t->map, cr_assert_eq(wend_edit_add_link(edit, &(wend_link){{from, 0, 0}, {to, 0, 0}, cost, 0}), WEND_OK));
}

static void remove_link(town *t, int32_t from, int32_t to) {
    IN_BATCH(t->map,
             cr_assert_eq(wend_edit_remove_link(edit, (wend_cell){from, 0, 0}, (wend_cell){to, 0, 0}), WEND_OK));
}

static void close_step(town *t, int32_t a, int32_t b) {
    IN_BATCH(t->map, cr_assert_eq(set_step_both(edit, (wend_cell){a, 0, 0}, (wend_cell){b, 0, 0}, 0), WEND_OK));
}

static void open_row(town *t, const char *row, uint32_t link_events) {
    wend_crowd_def def = default_crowd();
    def.agents = 8, tuning_of(&def)->link_events = link_events;
    town_open(t, &row, 1, &def);
}

/* The events of links, from the first one on, are these. */
static void expect_told(const town *t, const told *all, uint32_t count) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < t->event_count; i++) {
        const wend_agent_event *e = &t->events[i];
        if (e->event != WEND_AGENT_EVENT_LINK_AHEAD) continue;
        cr_assert_lt(found, count, "one more: %d to %d, ahead %d", (int)e->cell.x, (int)e->to.x, (int)e->ahead);
        const told *want = &all[found++];
        cr_assert(e->cell.x == want->from && e->to.x == want->to && e->ahead == want->ahead,
                  "number %u: %d to %d, ahead %d", found, (int)e->cell.x, (int)e->to.x, (int)e->ahead);
        cr_assert(e->cell.y == 0 && e->cell.z == 0 && e->to.y == 0 && e->to.z == 0);
        if (want->update > 0) cr_assert_eq(e->update, want->update, "number %u", found);
    }
    cr_assert_eq(found, count);
}

/* A course with a teleport over a wall, 3 to 5, of three steps; and a drop, 7 to 8, whose step is closed. */
static void open_course(town *t, uint32_t link_events) {
    open_row(t, "....#.......", link_events);
    add_link(t, 3, 5, 30);
    close_step(t, 7, 8);
    add_link(t, 7, 8, 20);
    town_go(t, town_add(t, 0, 0, 1000), 11, 0);
}

Test(link_events, a_teleport_and_a_drop_are_told_a_step_before_and_when_they_begin) {
    OWNED(town_close) town t;
    open_course(&t, 1);
    town_frame(&t);
    const uint64_t first = town_is_at(&t, 0, 1, 0) ? 1 : 2; /* the update in which it sets out */
    town_walk(&t, 40);
    cr_assert(town_is_at(&t, 0, 11, 0));
    const told all[] = {{3, 5, 1, first + 2}, {3, 5, 0, first + 3}, {7, 8, 1, first + 7}, {7, 8, 0, first + 8}};
    expect_told(&t, all, 4);
    cr_assert_eq(town_counts(&t).event_counts[WEND_AGENT_EVENT_LINK_AHEAD], 4);
}

Test(link_events, without_them_nothing_else_changes) {
    uint64_t frames[2];
    for (uint32_t on = 0; on < 2; on++) {
        OWNED(town_close) town t;
        open_course(&t, on);
        frames[on] = town_walk(&t, 40);
        cr_assert_eq(town_count(&t, 0, WEND_AGENT_EVENT_LINK_AHEAD), on ? 4 : 0);
        cr_assert_eq(town_count(&t, 0, WEND_AGENT_EVENT_ARRIVED), 1);
    }
    cr_assert_eq(frames[0], frames[1]);
}

/* A link between neighbours is taken where it is cheaper than the step. */
Test(link_events, a_link_that_costs_more_than_the_step_is_no_leap) {
    for (int32_t cost = 9; cost <= 11; cost++) {
        OWNED(town_close) town t;
        open_row(&t, "......", 1);
        add_link(&t, 2, 3, cost);
        town_go(&t, town_add(&t, 0, 0, 500), 5, 0);
        town_walk(&t, 40);
        expect_told(&t, (const told[]){{2, 3, 1, 0}, {2, 3, 0, 0}}, cost < 10 ? 2 : 0);
    }
}

Test(link_events, a_leap_onto_the_next_link_tells_of_both) {
    OWNED(town_close) town t;
    open_row(&t, "..#.#..", 1);
    add_link(&t, 1, 3, 20);
    add_link(&t, 3, 5, 20);
    town_go(&t, town_add(&t, 0, 0, 1000), 6, 0);
    town_walk(&t, 40);
    expect_told(&t, (const told[]){{1, 3, 1, 0}, {1, 3, 0, 0}, {3, 5, 1, 0}, {3, 5, 0, 0}}, 4);
}

Test(link_events, of_a_steered_agent_only_the_leap_is_told) {
    OWNED(town_close) town t;
    open_row(&t, "..#..", 1);
    add_link(&t, 1, 3, 20);
    const uint32_t player = town_add(&t, 0, 0, 1000);
    for (int32_t i = 0; i < 3; i++) {
        static const int32_t cells[] = {1, 3, 4};
        cr_assert_eq(wend_crowd_step(t.crowd, t.agents[player].id, (wend_cell){cells[i], 0, 0}), WEND_OK);
        town_frames(&t, 3);
        cr_assert(town_is_at(&t, player, cells[i], 0));
    }
    expect_told(&t, (const told[]){{1, 3, 0, 0}}, 1);
}

/* The link is removed when the agent would leap; in a later version it is back. */
Test(link_events, a_link_that_an_edit_removed_is_not_told_as_taken) {
    OWNED(town_close) town t;
    wend_crowd_def def = default_crowd();
    def.agents = 8, tuning_of(&def)->link_events = 1, tuning_of(&def)->patience_updates = 100;
    town_open(&t, (const char *const[]){"...#.."}, 1, &def);
    add_link(&t, 2, 4, 20);
    town_go(&t, town_add(&t, 0, 0, 500), 5, 0);
    for (int i = 0; i < 20 && town_count(&t, 0, WEND_AGENT_EVENT_LINK_AHEAD) == 0; i++) town_frame(&t);
    expect_told(&t, (const told[]){{2, 4, 1, 0}}, 1);
    remove_link(&t, 2, 4);
    town_frames(&t, 10);
    expect_told(&t, (const told[]){{2, 4, 1, 0}}, 1);
    cr_assert(town_is_at(&t, 0, 2, 0));
    add_link(&t, 2, 4, 20);
    town_walk(&t, 200);
    cr_assert(town_is_at(&t, 0, 5, 0));
    expect_told(&t, (const told[]){{2, 4, 1, 0}, {2, 4, 0, 0}}, 2); /* the path began at the link */
}

/* A host that polls late: events without room are left out, and each goal ends all the same. */
Test(link_events, those_without_room_are_left_out) {
    enum { EVENTS = 3 };
    OWNED(town_close) town t;
    uint32_t links = 0, arrived = 0;
    wend_agent_event event = {.struct_bytes = sizeof event};
    open_course(&t, 1);
    wend_crowd_def def = default_crowd();
    wend_agent_def agent = default_agent();
    wend_crowd_goal goal = default_crowd_goal();
    wend_agent_id id;
    def.agents = 1, def.service = t.service, def.map = t.map;
    tuning_of(&def)->link_events = 1, tuning_of(&def)->events = EVENTS;
    town_remove(&t, 0);
    wend_crowd *late = made_crowd(&def);
    agent.speed_milli = 1000, goal.cell.x = 11;
    cr_assert_eq(wend_crowd_add(late, &agent, &id), WEND_OK);
    cr_assert_eq(wend_crowd_go(late, &id, 1, &goal), WEND_OK);
    for (int i = 0; i < 40; i++) {
        cr_assert_eq(wend_service_tick(t.service, NULL, NULL), WEND_OK);
        cr_assert_eq(wend_crowd_update(late, 1000, NULL, NULL), WEND_OK);
    }
    while (wend_crowd_poll(late, &event) == WEND_OK) {
        links += event.event == WEND_AGENT_EVENT_LINK_AHEAD && event.cell.x == 3 && event.to.x == 5;
        arrived += event.event == WEND_AGENT_EVENT_ARRIVED;
    }
    cr_assert(links == EVENTS - 1 && arrived == 1);
    cr_assert_eq(wend_crowd_destroy(late), WEND_OK);
}

/* The events come when the centre reaches the link's first cell; then the body is at the end at once. */
Test(link_events, a_body_tells_before_it_jumps) {
    OWNED(town_close) town t;
    wend_body_def body = default_body();
    open_row(&t, ".....#.....", 1);
    add_link(&t, 4, 6, 30);
    const uint32_t agent = town_add(&t, 0, 0, 400);
    cr_assert_eq(wend_crowd_set_body(t.crowd, t.agents[agent].id, &body), WEND_OK);
    town_go(&t, agent, 9, 0);
    for (int i = 0; i < 200 && town_last(&t, agent) != WEND_AGENT_EVENT_ARRIVED; i++) {
        cr_assert_eq(wend_service_tick(t.service, NULL, NULL), WEND_OK);
        t.frame++;
        cr_assert_eq(wend_crowd_update(t.crowd, 1000, NULL, NULL), WEND_OK);
    }
    cr_assert(town_is_at(&t, agent, 9, 0));
    expect_told(&t, (const told[]){{4, 6, 1, 0}, {4, 6, 0, 0}}, 2);
    cr_assert_lt(t.events[0].update, t.events[1].update);
    cr_assert_eq(wend_crowd_remove(t.crowd, t.agents[agent].id), WEND_OK);
}
