/* SPDX-License-Identifier: MIT */
/* Where a frame cannot deliver all answers, the most urgent go first, its order stays, and nobody starves. */
#include "models/options.h"
#include "service/service_support.h"

#include <criterion/criterion.h>

enum { MANY = 200 };

static wend_map *open;
static wend_service *service;

static void begin(void) {
    open = open_map(40, 40);
}

static void end(void) {
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    seen_clear();
    wend_map_release(open);
}

TestSuite(choice, .init = begin, .fini = end);

/* `fair`: every fair-th chosen answer is the one that has waited longest. */
static void serve(uint32_t fair) {
    wend_service_def def = small_def();
    def.queue = 4 * MANY;
    tuning.fair = fair;
    service = service_of(&def);
}

/* An answer without a search. */
static wend_ticket ask(int32_t urgency) {
    return submit_from_to(service, open, at(0, 0), at(0, 0), urgency);
}

static wend_budget deliver_most(uint64_t deliveries) {
    wend_budget budget = default_budget();
    limits_of(&budget)->deliveries = deliveries;
    return budget;
}

static bool came(uint64_t number) {
    return seen_number(number) != NULL;
}

Test(choice, s20_the_most_urgent_come_first_and_by_number_within_a_frame) {
    serve(0);
    uint64_t seed = 7;
    int32_t urgency[MANY];
    for (int i = 0; i < MANY; i++) ask(urgency[i] = (int32_t)draw(&seed, 9));
    const wend_budget budget = deliver_most(20);
    for (size_t frame = 0; frame < MANY / 20; frame++) {
        cr_assert_eq(frame_with(service, &budget).deliveries, 20); /* which checks the order in the frame */
        for (int left = 0; left < MANY; left++)
            for (size_t k = 20 * frame; !came((uint64_t)left) && k < seen_count; k++) {
                const uint64_t other = seen_log[k].completion.number;
                cr_assert(urgency[other] > urgency[left] ||
                          (urgency[other] == urgency[left] && other < (uint64_t)left));
            }
    }
    cr_assert_eq(seen_count, MANY);
}

Test(choice, what_comes_later_and_is_more_urgent_goes_before_what_is_left_over) {
    serve(0);
    for (int i = 0; i < 50; i++) ask(0);
    const wend_budget budget = deliver_most(5);
    frame_with(service, &budget);
    for (int i = 0; i < 3; i++) ask(9);
    cr_assert_eq(frame_with(service, &budget).finished, 43);
    for (uint64_t i = 0; i < 3; i++) cr_assert(came(50 + i));
    const uint64_t order[] = {5, 6, 50, 51, 52};
    for (int i = 0; i < 5; i++) cr_assert_eq(seen_log[5 + i].completion.number, order[i]);
}

Test(choice, a_limit_of_cells_takes_the_most_urgent) {
    serve(0);
    for (int i = 0; i < 10; i++) submit_from_to(service, open, at(0, 0), at(9, 0), i == 8);
    wend_budget budget = deliver_most(WEND_NO_LIMIT);
    limits_of(&budget)->cells = 15;
    cr_assert_eq(frame_with(service, &budget).deliveries, 2);
    cr_assert(came(0) && came(8));
    cr_assert_eq(frame_with(service, &budget).deliveries, 2);
    cr_assert(came(1) && came(2));
}

Test(choice, one_in_so_many_is_the_one_that_has_waited_longest) {
    serve(8);
    ask(-5);
    uint64_t number = 1;
    const wend_budget budget = deliver_most(2);
    uint64_t frames = 0;
    for (; !came(0); frames++) {
        for (int i = 0; i < 4; i++, number++) ask(100);
        frame_with(service, &budget);
        cr_assert_lt(frames, 100, "it starves");
    }
    cr_assert_leq(frames, 4);
}

Test(choice, an_answer_left_over_may_become_more_urgent) {
    serve(0);
    wend_ticket tickets[10];
    for (int i = 0; i < 10; i++) tickets[i] = ask(0);
    const wend_budget budget = deliver_most(2);
    frame_with(service, &budget);
    cr_assert_eq(wend_service_set_urgency(service, tickets[9], 5), WEND_OK);
    cr_assert_eq(wend_service_set_urgency(service, tickets[2], -5), WEND_OK);
    frame_with(service, &budget);
    cr_assert(came(9) && came(3));
    frame_of(service, 0);
    cr_assert_eq(seen_count, 10);
    cr_assert_eq(seen_log[4].completion.number, 2, "a frame without limits goes by number");
}

Test(choice, an_answer_left_over_may_be_cancelled_and_its_goal_moved) {
    serve(0);
    wend_ticket tickets[10];
    for (int i = 0; i < 10; i++) tickets[i] = ask(0);
    wend_budget budget = deliver_most(1);
    frame_with(service, &budget);
    cr_assert_eq(wend_service_cancel(service, tickets[5]), WEND_OK);
    cr_assert_eq(wend_service_set_goal(service, tickets[6], at(3, 0)), WEND_OK);
    frame_with(service, &budget);
    frame_of(service, 1000);
    cr_assert_eq(seen_number(5)->completion.status, WEND_STATUS_CANCELLED);
    cr_assert_eq(seen_number(6)->completion.cell_count, 4);
    cr_assert_eq(seen_count, 10);
}

Test(choice, a_path_left_over_is_compared_with_the_newest_map) {
    serve(0);
    for (int i = 0; i < 4; i++) submit_from_to(service, open, at(0, 0), at(9, 0), 0);
    const wend_budget budget = deliver_most(1);
    frame_with(service, &budget);
    cr_assert_eq(wend_map_set_cell(open, at(5, 0), 0, NULL), WEND_OK);
    drain(service, 1000);
    cr_assert_eq(seen_count, 4);
    cr_assert_eq(seen_number(0)->completion.restarts, 0);
    for (uint64_t i = 1; i < 4; i++) cr_assert_eq(seen_number(i)->completion.restarts, 1);
}

/* Closing delivers all other requests as cancelled, in order. */
Test(choice, s19_answers_left_over_are_cancelled_in_order_of_submission) {
    serve(0);
    for (int i = 0; i < 30; i++) ask(i % 7);
    const wend_budget budget = deliver_most(3);
    frame_with(service, &budget);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    cr_assert_eq(seen_count, 30);
    for (size_t i = 4; i < 30; i++) cr_assert_lt(seen_log[i - 1].completion.number, seen_log[i].completion.number);
    serve(0);
}

/* ---- sharing, time, replays ---- */

/* All want to get to one cell, and the last ones are urgent. */
Test(choice, with_one_goal_for_all_the_urgent_are_answered_in_the_first_frames) {
    wend_service_def def = small_def();
    def.queue = 4 * MANY, def.share = 1;
    service = service_of(&def);
    for (int i = 0; i < MANY; i++)
        submit_from_to(service, open, at(i % 40, i / 40), at(39, 39), i >= MANY - 10 ? 100 : 0);
    wend_budget budget = deliver_most(20);
    uint64_t answered = 0;
    for (uint64_t frame = 1; answered == 0 && frame < 100; frame++) {
        frame_with(service, &budget);
        if (seen_count > 0) answered = frame;
    }
    for (uint64_t i = MANY - 10; i < MANY; i++) cr_assert(came(i), "%d", (int)i);
    cr_assert_leq(seen_count, 20);
}

/* A callback takes one to three microseconds. */
static fake_clock own_clock;
static void spend_time(const seen *last) {
    own_clock.now += 1000 + last->completion.number % 3 * 1000;
}

static wend_frame recorded[100];
static uint64_t run_timed(bool replay, size_t *cut, size_t *late) {
    own_clock = (fake_clock){.now = 1, .step = 50};
    seen_hook = spend_time;
    wend_service_def def = small_def();
    def.queue = 4 * MANY;
    if (!replay) def.clock = clock_of(&own_clock);
    service = service_of(&def);
    uint64_t seed = 5;
    for (int i = 0; i < 100; i++) {
        const uint64_t before = seen_count;
        uint64_t urgent = UINT64_MAX;
        for (uint32_t k = draw(&seed, 40); k > 0 && i < 60; k--) ask((int32_t)draw(&seed, 3));
        if (i % 5 == 4) urgent = service->inbox.number, ask(100);
        wend_budget budget = default_budget();
        if (replay) {
            limits_of(&budget)->rounds = recorded[i].rounds, limits_of(&budget)->intakes = recorded[i].intakes;
            limits_of(&budget)->deliveries = recorded[i].deliveries, limits_of(&budget)->changes = recorded[i].changes;
            limits_of(&budget)->checks = recorded[i].checks, limits_of(&budget)->chosen = recorded[i].chosen;
        } else {
            budget.us = 30;
        }
        const wend_frame frame = frame_with(service, &budget);
        if (!replay) recorded[i] = frame;
        cr_assert_eq(frame.deliveries, recorded[i].deliveries);
        cr_assert_eq(frame.chosen, recorded[i].chosen);
        cr_assert_leq(frame.deliveries, frame.chosen);
        cr_assert_eq(seen_count - before, frame.deliveries);
        *cut += frame.chosen < frame.deliveries + frame.finished;
        *late += urgent != UINT64_MAX && !came(urgent);
    }
    drain(service, WEND_NO_LIMIT);
    seen_hook = NULL;
    return seen_hash();
}

Test(choice, s16_a_timed_frame_that_chose_is_replayed_by_its_counts) {
    size_t cut = 0, late = 0;
    const uint64_t hash = run_timed(false, &cut, &late);
    cr_assert_gt(cut, 20, "the clock left answers over");
    cr_assert_leq(late, 2, "%d urgent ones came late", (int)late);
    seen_clear();
    wend_service_destroy(service);
    cr_assert_eq(run_timed(true, &cut, &late), hash);
}
