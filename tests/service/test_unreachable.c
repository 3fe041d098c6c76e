/* SPDX-License-Identifier: MIT */
/* Goals that nobody can reach: answered at intake from the map's components, without a search. */
#include "service/suite.h"
#include "models/options.h"

TestSuite(unreachable, .init = begin_small, .fini = end);

static void put_class(wend_map *on, wend_cell cell, uint8_t class) {
    cr_assert_eq(wend_map_set_cell(on, cell, class, NULL), WEND_OK);
}

Test(unreachable, s23_is_answered_at_intake_for_nothing) {
    map = closed_map(100);
    submit_from_to(service, map, at(0, 0), closed_goal(100), 0);
    submit_from_to(service, map, closed_goal(100), at(99, 99), -1000);
    wend_budget budget = default_budget();
    budget.expansions = limits_of(&budget)->rounds = 0; /* no expansions needed */
    wend_frame frame = frame_with(service, &budget);
    cr_assert_eq(frame.expansions, 0);
    cr_assert_eq(frame.rounds, 0);
    cr_assert_eq(frame.intakes, 2);
    cr_assert_eq(frame.checks, 0);
    cr_assert_eq(seen_count, 2);
    for (int i = 0; i < 2; i++) {
        const wend_completion *c = &seen_log[i].completion;
        cr_assert_eq(c->status, WEND_STATUS_NO_PATH);
        cr_assert_eq(c->expansions, 0);
        cr_assert_eq(c->cost, -1);
        cr_assert_eq(c->cell_count, 0);
        cr_assert_eq(c->frames, 1);
        cr_assert_eq(c->wait_frames, 1);
        cr_assert_eq(c->restarts, 0);
        cr_assert_eq(c->epoch, 1);
        cr_assert_eq(c->checked, 1);
        cr_assert_eq(c->exact, 1);
    }
}

Test(unreachable, s23_comes_before_a_limit_and_needs_no_deadline) {
    map = closed_map(20);
    wend_request request = request_on(service, map, at(0, 0), closed_goal(20));
    options_of(&request)->max_expansions = 0;
    submit(service, &request);
    options_of(&request)->max_expansions = WEND_NO_LIMIT;
    request.deadline_frames = 1;
    submit(service, &request);
    frame_of(service, 0);
    cr_assert_eq(seen_status(WEND_STATUS_NO_PATH), 2);
}

Test(unreachable, s23_a_blocked_start_reaches_what_its_steps_lead_to) {
    const char *const rows[] = {"..#..", //
                                "..#..", //
                                "##..#", //
                                "..#..", //
                                "..#.."};
    map = text_map(rows, 5);
    wend_request request = request_on(service, map, at(2, 1), at(0, 0));
    options_of(&request)->leave_blocked_start = true;
    const struct {
        wend_cell start, goal;
        wend_status status;
    } cases[] = {{{2, 1, 0}, {0, 0, 0}, WEND_STATUS_FOUND},   {{2, 1, 0}, {4, 0, 0}, WEND_STATUS_FOUND},
                 {{2, 1, 0}, {0, 4, 0}, WEND_STATUS_NO_PATH}, {{1, 2, 0}, {0, 4, 0}, WEND_STATUS_FOUND},
                 {{1, 2, 0}, {4, 4, 0}, WEND_STATUS_FOUND},   {{0, 2, 0}, {4, 4, 0}, WEND_STATUS_NO_PATH}};
    enum { CASES = sizeof cases / sizeof *cases };
    for (size_t i = 0; i < CASES; i++) {
        request.start = cases[i].start, request.goal = cases[i].goal;
        submit(service, &request);
    }
    drain(service, 1000);
    for (size_t i = 0; i < CASES; i++) {
        cr_assert_eq(seen_number(i)->completion.status, cases[i].status, "case %zu", i);
        cr_assert_eq(seen_number(i)->completion.expansions == 0, cases[i].status == WEND_STATUS_NO_PATH);
    }
}

Test(unreachable, s23_follows_edits_rules_and_forks) {
    map = closed_map(40);
    wend_cell goal = closed_goal(40), gate = at(goal.x, goal.y - 1);
    wend_map *fork = forked(map);
    put_class(fork, gate, WEND_CLASS_OPEN);
    submit_from_to(service, map, at(0, 0), goal, 0);
    submit_from_to(service, fork, at(0, 0), goal, 0);
    drain(service, 10000);
    cr_assert_eq(seen_number(0)->completion.status, WEND_STATUS_NO_PATH);
    cr_assert_eq(seen_number(1)->completion.status, WEND_STATUS_FOUND);
    wend_map_release(fork);
    submit_from_to(service, map, at(0, 0), goal, 0); /* opened between submit and intake */
    put_class(map, gate, 9);
    drain(service, 10000);
    cr_assert_eq(last()->status, WEND_STATUS_FOUND);
    submit_from_to(service, map, at(0, 0), goal, 0);
    wend_map_rules rules = default_rules();
    rules.factors[9] = 0;
    cr_assert_eq(wend_map_set_rules(map, &rules), WEND_OK);
    cr_assert_eq(frame_of(service, 10000).expansions, 0);
    cr_assert_eq(last()->status, WEND_STATUS_NO_PATH);
}

/* Two requests: a frame answers both and delivers the first. Checks the outcome of the second. */
static void answer_two(int32_t on_stale, wend_ticket *second) {
    map = closed_map(40);
    wend_request request = request_on(service, map, at(0, 0), closed_goal(40));
    submit(service, &request);
    options_of(&request)->on_stale = on_stale;
    *second = submit(service, &request);
    wend_frame frame = frame_delivering(service, 1);
    cr_assert_eq(frame.finished, 1);
    cr_assert_eq(seen_count, 1);
}

static wend_cell gate(void) {
    return at(closed_goal(40).x, closed_goal(40).y - 1);
}

Test(unreachable, s15_where_a_way_opens_before_hand_over_it_is_searched) {
    wend_ticket second;
    answer_two(WEND_ON_STALE_RESTART, &second);
    put_class(map, gate(), WEND_CLASS_OPEN);
    wend_frame frame = frame_of(service, 100000);
    cr_assert_eq(seen_count, 1, "not in the frame that found it out");
    cr_assert_eq(frame.outdated, 1);
    cr_assert_eq(frame.checks, 1);
    cr_assert_eq(frame.waiting, 1);
    frame = frame_of(service, 100000);
    cr_assert_eq(seen_count, 2);
    cr_assert_eq(last()->status, WEND_STATUS_FOUND);
    cr_assert_eq(last()->restarts, 1);
    cr_assert_eq(last()->epoch, 2);
    cr_assert_eq(last()->checked, 2);
    cr_assert_eq(last()->expansions, frame.expansions);
    cr_assert_gt(last()->expansions, 0);
    cr_assert_eq(last()->frames, 3);
}

Test(unreachable, s15_or_is_stale_where_that_is_asked_for) {
    wend_ticket second;
    answer_two(WEND_ON_STALE_DELIVER, &second);
    put_class(map, gate(), WEND_CLASS_OPEN);
    wend_frame frame = frame_of(service, 100000);
    cr_assert_eq(last()->status, WEND_STATUS_STALE);
    cr_assert_eq(last()->cost, -1);
    cr_assert_eq(last()->cell_count, 0);
    cr_assert_eq(last()->epoch, 1);
    cr_assert_eq(last()->checked, 2);
    cr_assert_eq(frame.checks, 1);
    cr_assert_eq(frame.outdated, 0);
    cr_assert_eq(frame.expansions, 0);
}

Test(unreachable, s15_otherwise_it_is_what_the_map_of_hand_over_says) {
    wend_ticket second;
    answer_two(WEND_ON_STALE_RESTART, &second);
    put_class(map, at(39, 39), WEND_CLASS_BLOCKED); /* still unreachable */
    cr_assert_eq(frame_of(service, 100000).checks, 0);
    cr_assert_eq(last()->status, WEND_STATUS_NO_PATH);
    cr_assert_eq(last()->epoch, 2);
    cr_assert_eq(last()->checked, 2);
    cr_assert_eq(last()->restarts, 0);
}

Test(unreachable, s15_or_blocked_by_now) {
    for (int end = 0; end < 2; end++) {
        wend_ticket second;
        answer_two(WEND_ON_STALE_RESTART, &second);
        put_class(map, end ? closed_goal(40) : at(0, 0), WEND_CLASS_BLOCKED);
        frame_of(service, 100000);
        cr_assert_eq(last()->status, end ? WEND_STATUS_GOAL_BLOCKED : WEND_STATUS_START_BLOCKED);
        cr_assert_eq(last()->epoch, 2);
        cr_assert_eq(last()->checked, 2);
        wend_map_release(map);
        map = NULL;
        seen_clear();
    }
}

Test(unreachable, one_that_is_searched_after_all_can_be_cancelled) {
    wend_ticket second;
    answer_two(WEND_ON_STALE_RESTART, &second);
    put_class(map, gate(), WEND_CLASS_OPEN);
    frame_of(service, 100000);
    cr_assert_eq(wend_service_cancel(service, second), WEND_OK);
    cr_assert_eq(frame_of(service, 100000).expansions, 0);
    cr_assert_eq(last()->status, WEND_STATUS_CANCELLED);
}

/* Closed again before its turn comes: it is not searched for nothing. */
Test(unreachable, one_whose_way_closes_before_it_begins_is_answered_when_it_begins) {
    wend_ticket second;
    answer_two(WEND_ON_STALE_RESTART, &second);
    put_class(map, gate(), WEND_CLASS_OPEN);
    frame_of(service, 100000);
    put_class(map, gate(), WEND_CLASS_BLOCKED);
    wend_frame frame = frame_of(service, 100000);
    cr_assert_eq(frame.expansions, 0);
    cr_assert_eq(last()->status, WEND_STATUS_NO_PATH);
    cr_assert_eq(last()->restarts, 1);
    cr_assert_eq(last()->epoch, 3);
    cr_assert_eq(last()->checked, 3);
}

/* ---- a flood of impossible requests ---- */

enum { SIDE = 512, IMPOSSIBLE = 10000, POSSIBLE = 200 };

/* Both services get the same requests that can be had; one of them, among these, many that cannot. */
static void submit_both(wend_service *with, wend_service *without) {
    uint64_t seed = 11, other = 11;
    for (int i = 0; i < IMPOSSIBLE + POSSIBLE; i++) {
        if (i % (IMPOSSIBLE / POSSIBLE + 1) == 0) {
            wend_cell from = at((int32_t)draw(&seed, SIDE), (int32_t)draw(&seed, SIDE / 4));
            wend_cell to = at((int32_t)draw(&seed, SIDE), (int32_t)draw(&seed, SIDE / 4));
            submit_from_to(with, map, from, to, 0);
            submit_from_to(without, map, from, to, 0);
        } else {
            wend_cell from = at((int32_t)draw(&other, SIDE), (int32_t)draw(&other, SIDE / 4));
            wend_request request = request_on(with, map, from, closed_goal(SIDE));
            request.urgency = 1000; /* more urgent than all others */
            submit(with, &request);
        }
    }
}

static uint64_t sum_of_found(uint64_t *frames, size_t from) {
    uint64_t found = 0;
    for (size_t i = from; i < seen_count; i++) {
        if (seen_log[i].completion.status != WEND_STATUS_FOUND) continue;
        frames[found++] = seen_log[i].completion.frames;
    }
    return found;
}

Test(unreachable, s23_ten_thousand_cost_nothing_and_hold_up_nobody) {
    static uint64_t frames_with[POSSIBLE], frames_without[POSSIBLE];
    wend_service_def def = default_service();
    def.queue = IMPOSSIBLE + POSSIBLE;
    OWNED_SERVICE *with = service_of(&def), *without = service_of(&def);
    map = closed_map(SIDE);
    submit_both(with, without);
    wend_frame first = frame_of(with, 2000);
    cr_assert_eq(first.intakes, IMPOSSIBLE + POSSIBLE);
    cr_assert_eq(first.statuses[WEND_STATUS_NO_PATH], IMPOSSIBLE);
    cr_assert_eq(first.expansions, 2000, "all for those that can be had");
    drain(with, 2000);
    uint64_t spent = 0;
    for (size_t i = 0; i < seen_count; i++)
        if (seen_log[i].completion.status == WEND_STATUS_NO_PATH) spent += seen_log[i].completion.expansions;
    cr_assert_eq(spent, 0);
    cr_assert_eq(sum_of_found(frames_with, 0), POSSIBLE);
    size_t before = seen_count;
    drain(without, 2000);
    cr_assert_eq(sum_of_found(frames_without, before), POSSIBLE);
    cr_assert_gt(frames_without[POSSIBLE - 1], 5u, "it took some frames");
    for (int i = 0; i < POSSIBLE; i++) cr_assert_leq(frames_with[i], frames_without[i] + 1);
}
