/* SPDX-License-Identifier: MIT */
/* Agents that the host steers step by step. */
#include "crowd/crowd_support.h"
#include "crowd/player_course.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <wend/agents.h>
#include <wend/units.h>
#include <wend/ways.h>

static const char *const field[] = {"........", "........", "........", "........"};
static const char *const corridor[] = {"########", "........", "########"};

static wend_error try_step(town *t, uint32_t agent, int32_t x, int32_t y) {
    return wend_crowd_step(t->crowd, t->agents[agent].id, (wend_cell){x, y, 0});
}

static void steer(town *t, uint32_t agent, int32_t x, int32_t y) {
    cr_assert_eq(try_step(t, agent, x, y), WEND_OK);
}

/* The checker counts the event of a step that cannot begin as the end of a goal. */
static void steer_refused(town *t, uint32_t agent, int32_t x, int32_t y, int32_t why) {
    const uint32_t before = town_count(t, agent, WEND_AGENT_EVENT_GAVE_UP);
    const wend_cell cell = town_cell(t, agent);
    t->agents[agent].begun++;
    steer(t, agent, x, y);
    town_frame(t);
    cr_assert_eq(town_count(t, agent, WEND_AGENT_EVENT_GAVE_UP), before + 1);
    cr_assert_eq(town_why(t, agent), why);
    cr_assert(town_is_at(t, agent, cell.x, cell.y));
}

static void steer_in_vain(town *t, uint32_t agent, int32_t x, int32_t y) {
    steer_refused(t, agent, x, y, WEND_WHY_BLOCKED);
}

static void let_follow(town *t, uint32_t agent, uint32_t target) {
    wend_crowd_goal goal = default_crowd_goal();
    goal.kind = WEND_CROWD_FOLLOW, goal.target = t->agents[target].id;
    t->agents[agent].begun++;
    cr_assert_eq(wend_crowd_go(t->crowd, &t->agents[agent].id, 1, &goal), WEND_OK);
}

/* ---- one step ---- */

Test(player, a_step_begins_in_the_next_update_and_gives_no_event) {
    OWNED(town_close) town t;
    town_open(&t, field, 4, NULL);
    const uint32_t p = town_add(&t, 1, 1, 250);
    steer(&t, p, 2, 1);
    cr_assert(town_is_at(&t, p, 1, 1));
    cr_assert_eq(town_state(&t, p).steered, true);
    for (int frame = 1; frame <= 4; frame++) {
        town_frame(&t);
        const wend_agent_state state = town_state(&t, p);
        cr_assert(town_is_at(&t, p, 2, 1));
        cr_assert_eq(state.point.x, 1000 + 250 * frame);
        cr_assert_eq(state.state, frame < 4 ? WEND_AGENT_WALKING : WEND_AGENT_IDLE);
        cr_assert(state.has_goal == 0 && state.steps_left == 0);
    }
    town_frames(&t, 10);
    cr_assert(town_is_at(&t, p, 2, 1), "one step only");
    cr_assert_eq(t.event_count, 0);
    cr_assert_eq(town_counts(&t).busy, 0);
}

Test(player, a_diagonal_gives_its_rest_of_time_to_the_step_after_it) {
    OWNED(town_close) town t;
    town_open(&t, field, 4, NULL);
    const uint32_t p = town_add(&t, 0, 0, 250);
    steer(&t, p, 1, 1);
    town_frames(&t, 5);
    steer(&t, p, 2, 1); /* 1,400 take 5.6 updates: the sixth ends it */
    town_frame(&t);
    const wend_agent_state state = town_state(&t, p);
    cr_assert(town_is_at(&t, p, 2, 1));
    cr_assert_eq(state.point.x, 1100);
    cr_assert_eq(t.event_count, 0);
}

Test(player, a_step_that_cannot_begin_gives_up_and_nothing_else_happens) {
    OWNED(town_close) town t;
    static const char *const rows[] = {"....#...", "........"};
    town_open(&t, rows, 2, NULL);
    const uint32_t p = town_add(&t, 3, 0, 250), q = town_add(&t, 2, 0, 250);
    cr_assert_eq(wend_map_occupy(t.map, (wend_cell){2, 1, 0}), WEND_OK);
    steer_in_vain(&t, p, 4, 0); /* a wall */
    steer_in_vain(&t, p, 4, 1); /* a corner */
    steer_in_vain(&t, p, 6, 1); /* no neighbour */
    steer_in_vain(&t, p, 2, 1); /* a unit of the host */
    steer(&t, q, 2, 0);
    steer_in_vain(&t, p, 2, 0); /* steered, too */
    cr_assert_eq(town_state(&t, p).state, WEND_AGENT_IDLE);
    cr_assert_eq(town_counts(&t).steps, 0);
    steer(&t, p, 3, 1);
    town_frame(&t);
    steer_refused(&t, p, 3, 0, WEND_WHY_STEPPING); /* the step before is under way */
    town_frames(&t, 1);
    steer_refused(&t, p, 3, 0, WEND_WHY_STEPPING); /* the step ends with this update, without time left */
    steer(&t, p, 3, 0);                            /* the step is over */
    town_frame(&t);
    cr_assert(town_is_at(&t, p, 3, 0));
    cr_assert_eq(town_count(&t, p, WEND_AGENT_EVENT_GAVE_UP), 7);
    cr_assert_eq(town_count(&t, q, WEND_AGENT_EVENT_GAVE_UP), 0);
}

Test(player, an_edit_before_the_update_closes_its_step) {
    OWNED(town_close) town t;
    town_open(&t, field, 4, NULL);
    const uint32_t p = town_add(&t, 1, 1, 1000);
    steer(&t, p, 2, 1);
    town_set(&t, 2, 1, 0);
    t.agents[p].begun++;
    town_frame(&t);
    cr_assert_eq(town_last(&t, p), WEND_AGENT_EVENT_GAVE_UP);
    town_set(&t, 1, 1, 0);
    steer(&t, p, 1, 2); /* the agent walks out of a wall */
    town_frame(&t);
    cr_assert(town_is_at(&t, p, 1, 2));
}

Test(player, the_later_of_two_orders_counts) {
    OWNED(town_close) town t;
    town_open(&t, field, 4, NULL);
    const uint32_t p = town_add(&t, 1, 1, 1000);
    steer(&t, p, 2, 1);
    steer(&t, p, 1, 2);
    town_frame(&t);
    cr_assert(town_is_at(&t, p, 1, 2));
    steer(&t, p, 7, 3);
    steer(&t, p, 1, 2); /* a step to its own cell: stand */
    town_frame(&t);
    cr_assert_eq(t.event_count, 0);
}

Test(player, bad_arguments_change_nothing) {
    OWNED(town_close) town t;
    wend_crowd_def def = default_crowd();
    def.agents = tuning_of(&def)->events = 2;
    town_open(&t, field, 4, &def);
    const uint32_t p = town_add(&t, 1, 1, 1000), q = town_add(&t, 5, 1, 1000);
    cr_assert_eq(try_step(&t, p, -1, 1), WEND_OUT_OF_RANGE);
    cr_assert_eq(try_step(&t, p, 8, 1), WEND_OUT_OF_RANGE);
    cr_assert_eq(town_state(&t, p).steered, false);
    for (int i = 0; i < 5; i++) steer(&t, p, 2, 1); /* all need a single place for their event */
    steer(&t, q, 4, 1);
    cr_assert_eq(try_step(&t, q, 5, 0), WEND_OK);
    town_halt(&t, q);
    town_halt(&t, p);
    town_go(&t, q, 3, 1);
    town_go(&t, p, 3, 1);
    cr_assert_eq(try_step(&t, p, 2, 1), WEND_BUSY, "the end of its wish has the place");
    town_halt(&t, p);
    town_remove(&t, q);
    cr_assert_eq(try_step(&t, q, 4, 1), WEND_STALE_TICKET);
    town_frame(&t);
    for (int i = 0; i < 10; i++) {
        const uint32_t other = town_add(&t, 5, 1, 1000);
        steer(&t, other, 4, 1);
        steer(&t, p, 2, 2);
        town_remove(&t, other);
        town_halt(&t, p);
    }
}

Test(player, one_that_is_added_steered_stands_from_the_beginning) {
    OWNED(town_close) town t;
    town_open(&t, corridor, 3, NULL);
    wend_agent_def def = default_agent();
    def.cell = (wend_cell){3, 1, 0}, def.steered = true;
    const uint32_t p = town_add_def(&t, &def), a = town_add(&t, 1, 1, 1000);
    cr_assert_eq(town_state(&t, p).steered, true);
    town_go(&t, a, 5, 1);
    town_walk(&t, 5000);
    cr_assert(town_is_at(&t, p, 3, 1) && town_is_at(&t, a, 2, 1));
}

/* ---- goals ---- */

Test(player, steering_ends_the_goal_and_a_goal_ends_steering) {
    OWNED(town_close) town t;
    town_open(&t, field, 4, NULL);
    const uint32_t p = town_add(&t, 0, 0, 250);
    town_go(&t, p, 7, 0);
    town_frames(&t, 3);
    t.agents[p].begun++;
    steer(&t, p, 1, 1); /* a step is under way, and is finished */
    town_frame(&t);
    cr_assert_eq(town_count(&t, p, WEND_AGENT_EVENT_REPLACED), 1);
    cr_assert_eq(town_count(&t, p, WEND_AGENT_EVENT_GAVE_UP), 1);
    cr_assert(town_is_at(&t, p, 1, 0));
    cr_assert_eq(town_state(&t, p).state, WEND_AGENT_IDLE);
    steer(&t, p, 1, 1);
    town_go(&t, p, 3, 0);
    cr_assert_eq(town_state(&t, p).steered, false);
    town_walk(&t, 100);
    cr_assert(town_is_at(&t, p, 3, 0));
    cr_assert_eq(town_count(&t, p, WEND_AGENT_EVENT_REPLACED), 1, "a step is no wish");
    steer(&t, p, 4, 0);
    town_halt(&t, p);
    town_frame(&t);
    cr_assert(town_is_at(&t, p, 3, 0));
    cr_assert_eq(town_state(&t, p).steered, false);
}

/* ---- others ---- */

Test(player, idle_ones_make_way_step_by_step) {
    OWNED(town_close) town t;
    static const char *const rows[] = {"####.###", "........", "########"};
    town_open(&t, rows, 3, NULL);
    const uint32_t p = town_add(&t, 2, 1, 1000), a = town_add(&t, 3, 1, 1000), b = town_add(&t, 4, 1, 1000);
    for (int32_t x = 3; x <= 5; x++) {
        steer(&t, p, x, 1);
        town_frame(&t);
        cr_assert(town_is_at(&t, p, x, 1), "%d", (int)x);
    }
    cr_assert_eq(t.event_count, 0);
    cr_assert(town_cell(&t, a).x > 5 || town_cell(&t, a).y == 0);
    cr_assert(town_cell(&t, b).x > 5 || town_cell(&t, b).y == 0);
}

Test(player, nobody_pushes_one_that_is_steered) {
    OWNED(town_close) town t;
    town_open(&t, corridor, 3, NULL);
    const uint32_t p = town_add(&t, 3, 1, 250);
    wend_agent_def urgent = default_agent();
    urgent.cell = (wend_cell){0, 1, 0}, urgent.urgency = WEND_URGENCY_MAX;
    const uint32_t a = town_add_def(&t, &urgent);
    steer(&t, p, 3, 1);
    town_go(&t, a, 7, 1);
    town_walk(&t, 5000);
    cr_assert(town_is_at(&t, p, 3, 1));
    cr_assert(town_is_at(&t, a, 2, 1));
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_PARTIAL);
    town_halt(&t, p);
    town_go(&t, a, 5, 1);
    town_walk(&t, 5000);
    cr_assert(town_is_at(&t, a, 5, 1), "no longer steered, it makes way");
}

Test(player, two_that_are_steered_follow_each_other_and_do_not_push) {
    OWNED(town_close) town t;
    town_open(&t, corridor, 3, NULL);
    const uint32_t p = town_add(&t, 3, 1, 1000), q = town_add(&t, 4, 1, 1000);
    steer(&t, p, 4, 1);
    steer(&t, q, 5, 1);
    town_frame(&t);
    cr_assert(town_is_at(&t, p, 4, 1) && town_is_at(&t, q, 5, 1));
    t.agents[p].begun++, t.agents[q].begun++;
    steer(&t, p, 5, 1);
    steer(&t, q, 4, 1);
    town_frame(&t);
    cr_assert(town_is_at(&t, p, 4, 1) && town_is_at(&t, q, 5, 1), "they do not change places");
    cr_assert_eq(t.event_count, 2);
}

Test(player, one_that_is_steered_goes_before_the_most_urgent) {
    OWNED(town_close) town t;
    static const char *const rows[] = {".#.", "...", "#.#"};
    town_open(&t, rows, 3, NULL);
    wend_agent_def urgent = default_agent();
    urgent.cell = (wend_cell){0, 1, 0}, urgent.urgency = WEND_URGENCY_MAX, urgent.speed_milli = 1000;
    const uint32_t a = town_add_def(&t, &urgent), p = town_add(&t, 2, 1, 1000);
    town_go(&t, a, 1, 2);
    steer(&t, p, 1, 1);
    town_frame(&t);
    cr_assert(town_is_at(&t, p, 1, 1) && town_is_at(&t, a, 0, 1));
}

Test(player, a_ghost_steps_through_others) {
    OWNED(town_close) town t;
    town_open(&t, corridor, 3, NULL);
    wend_agent_def ghost = default_agent();
    ghost.cell = (wend_cell){2, 1, 0}, ghost.ghost = true, ghost.speed_milli = 1000;
    const uint32_t p = town_add_def(&t, &ghost), a = town_add(&t, 3, 1, 1000);
    steer(&t, p, 3, 1);
    town_frame(&t);
    cr_assert(town_is_at(&t, p, 3, 1) && town_is_at(&t, a, 3, 1));
    cr_assert(town_state(&t, p).ghost && town_state(&t, p).steered);
}

Test(player, a_steered_agent_that_is_put_elsewhere_stays_steered) {
    OWNED(town_close) town t;
    town_open(&t, field, 4, NULL);
    const uint32_t p = town_add(&t, 1, 1, 250);
    steer(&t, p, 2, 1);
    town_frames(&t, 2);
    cr_assert_eq(wend_crowd_move(t.crowd, t.agents[p].id, (wend_cell){6, 3, 0}), WEND_OK);
    t.agents[p].cell = (wend_cell){6, 3, 0};
    steer(&t, p, 5, 3);
    cr_assert_eq(wend_crowd_move(t.crowd, t.agents[p].id, (wend_cell){6, 2, 0}), WEND_OK);
    t.agents[p].cell = (wend_cell){6, 2, 0};
    town_frame(&t); /* the step of before, from where it is now */
    cr_assert(town_is_at(&t, p, 5, 3));
    cr_assert_eq(town_state(&t, p).steered, true);
    cr_assert_eq(t.event_count, 0);
}

Test(player, links_are_steps_too) {
    OWNED(town_close) town t;
    static const char *const rows[] = {"...#....", "...#...."};
    town_open(&t, rows, 2, NULL);
    IN_BATCH(t.map, cr_assert_eq(wend_edit_add_link(edit, &(wend_link){{1, 0, 0}, {6, 1, 0}, 20, 0}), WEND_OK));
    const uint32_t p = town_add(&t, 1, 0, 500);
    steer(&t, p, 6, 1);
    town_frames(&t, 4);
    cr_assert(town_is_at(&t, p, 6, 1));
    cr_assert_eq(town_state(&t, p).state, WEND_AGENT_IDLE);
    steer_in_vain(&t, p, 1, 0); /* the link leads one way only */
}

/* ---- among followers ---- */

Test(player, in_a_corridor_followers_back_out_before_her) {
    OWNED(town_close) town t;
    static const char *const rows[] = {"....##########", "..............", "....##########"};
    town_open(&t, rows, 3, NULL);
    const uint32_t p = town_add(&t, 13, 1, 250);
    for (uint32_t i = 0; i < 6; i++) let_follow(&t, town_add(&t, 12 - (int32_t)i, 1, 250), p);
    town_frames(&t, 50);
    uint32_t frames = 0;
    for (int32_t x = 12; x >= 4; x--)
        for (bool began = false; !began; frames++) {
            const wend_agent_state state = town_state(&t, p);
            const bool stands = state.from.x == state.cell.x;
            t.agents[p].begun += stands;
            if (stands) steer(&t, p, x, 1);
            town_frame(&t);
            began = town_cell(&t, p).x == x;
            if (began) t.agents[p].begun--;
        }
    cr_assert_leq(frames, 9 * 4 + 12, "%u frames for nine steps", frames);
}

Test(player, a_player_among_her_followers_is_never_boxed_in) {
    for (int map = 0; map < COURSE_MAPS; map++) {
        const course_result her = course_run(map, COURSE_STEERED, 12, 500, 1);
        printf("%s: blocked in %u of %u turns, %u at most in a row\n", course_map_names[map], (unsigned)her.blocked,
               (unsigned)her.turns, (unsigned)her.longest);
        cr_assert_eq(her.turns, 500);
        cr_assert_eq(her.pushed, 0);
        cr_assert_leq(her.longest, 16);
        cr_assert_leq(her.blocked, 125);
        cr_assert_geq(her.targets, 20);
    }
}
