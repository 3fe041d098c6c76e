/* SPDX-License-Identifier: MIT */
/* A frame's microseconds hold in every phase: what it has no time for the next one goes on with, and counts
 * replay it. */
#include "service/suite.h"
#include "models/few_or_many.h"
#include "models/options.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MANY = 600, TICK_NS = 10000 };

static fake_clock now;
static wend_ticket tickets[MANY];

static void begin_with(uint32_t restarts) {
    wend_service_def def = small_def();
    now = (fake_clock){.now = 1, .step = TICK_NS};
    def.queue = 2 * MANY;
    tuning.searches = 64, tuning.slice = 100000;
    def.path_bytes = 1 << 20;
    tuning.restarts = restarts;
    def.clock = clock_of(&now);
    service = service_of(&def);
}

static void begin(void) {
    begin_with(8);
}

TestSuite(time, .init = begin, .fini = end);

/* Each look at the clock takes 10 us. */
static wend_frame frame_of_us(uint64_t us) {
    wend_budget budget = default_budget();
    budget.us = us;
    return frame_with(service, &budget);
}

static wend_frame frame_of_changes(uint64_t changes) {
    wend_budget budget = default_budget();
    limits_of(&budget)->changes = changes, budget.expansions = 0;
    return frame_with(service, &budget);
}

/* MANY requests across, found; all but one are not delivered. */
static void find_all(void) {
    map = open_map(40, 40);
    for (int32_t i = 0; i < MANY; i++) tickets[i] = submit_from_to(service, map, at(0, 20), at(39, 20), 0);
    frame_delivering(service, 1);
    cr_assert_eq(wend__finished_count(service), MANY - 1);
}

static void set_class(wend_cell cell, uint8_t terrain) {
    cr_assert_eq(wend_map_set_cell(map, cell, terrain, NULL), WEND_OK);
}

/* ---- delivery ---- */

Test(time, answers_behind_an_edit_are_judged_as_long_as_there_is_time) {
    find_all();
    set_class(at(20, 20), WEND_CLASS_BLOCKED);
    wend_budget budget = default_budget();
    budget.us = 1000, budget.expansions = 0;
    wend_frame frame = frame_with(service, &budget);
    cr_assert_leq(frame.us, 1000 + 3 * TICK_NS / 1000);
    cr_assert_gt(frame.outdated, 50);
    cr_assert_lt(frame.outdated, 100, "%zu were judged, a look at the clock for each", (size_t)frame.outdated);
    cr_assert_eq(frame.checks, frame.outdated);
    cr_assert_eq(frame.finished, MANY - 1 - frame.outdated, "the next frame goes on");
    uint64_t outdated = frame.outdated;
    while (wend__finished_count(service) > 0) outdated += frame_with(service, &budget).outdated;
    cr_assert_eq(outdated, MANY - 1);
    drain(service, WEND_NO_LIMIT);
    cr_assert_eq(seen_status(WEND_STATUS_FOUND), MANY);
    for (uint64_t i = 1; i < MANY; i++) cr_assert_eq(seen_number(i)->completion.restarts, 1);
}

Test(time, checks_have_a_limit_of_their_own) {
    find_all();
    set_class(at(20, 20), WEND_CLASS_BLOCKED);
    wend_budget budget = budget_of(0);
    for (uint64_t checks = 0; checks < 5; checks++) {
        limits_of(&budget)->checks = checks;
        wend_frame frame = frame_with(service, &budget);
        cr_assert_eq(frame.checks, checks > 0 ? checks : 1, "one answer is looked at in any case");
        cr_assert_eq(frame.outdated, frame.checks);
    }
    set_class(at(20, 20), WEND_CLASS_OPEN); /* the remaining answers stay valid */
    limits_of(&budget)->checks = 3;
    wend_frame frame = frame_with(service, &budget);
    cr_assert_eq(frame.checks, 3);
    cr_assert_eq(frame.deliveries, 3);
    limits_of(&budget)->deliveries = 2;
    frame = frame_with(service, &budget);
    cr_assert_eq(frame.checks, 2, "what was looked at and not delivered does not count");
    cr_assert_eq(frame.deliveries, 2);
}

/* ---- changes ---- */

Test(time, cancellations_stop_at_the_clock_and_nothing_is_spent_on_what_is_left) {
    map = moat_map(100);
    for (int32_t i = 0; i < MANY; i++) tickets[i] = submit_from_to(service, map, at(i % 50, 0), moat_goal(100), i % 3);
    wend_frame frame = frame_of(service, 0);
    cr_assert_eq(frame.intakes, MANY);
    for (int32_t i = 0; i < MANY; i++) cr_assert_eq(wend_service_cancel(service, tickets[i]), WEND_OK);
    frame = frame_of_us(200);
    cr_assert_leq(frame.us, 200 + 3 * TICK_NS / 1000);
    cr_assert_eq(frame.changes, 80, "ten looks at the clock in half of the time, one for each eight");
    uint64_t frames = 1, changes = frame.changes, expansions = frame.expansions;
    for (; wend_service_get_work(service) > 0; frames++) {
        frame = frame_of_us(200);
        cr_assert_leq(frame.us, 200 + 3 * TICK_NS / 1000);
        changes += frame.changes;
        expansions += frame.expansions;
    }
    cr_assert_eq(expansions, 0);
    cr_assert_eq(changes, MANY, "once each, whichever frame finished them");
    cr_assert_gt(frames, 2);
    cr_assert_eq(seen_status(WEND_STATUS_CANCELLED), MANY);
}

/* Cancellations of a frame that had no time, and of a later one, in frames without a clock: as S17 has it. */
Test(time, s17_a_frame_without_a_clock_catches_up_with_all_cancellations) {
    map = moat_map(100);
    for (int32_t i = 0; i < MANY; i++) tickets[i] = submit_from_to(service, map, at(i % 50, 0), moat_goal(100), i % 3);
    frame_of(service, 0);
    for (int32_t i = 0; i < MANY / 2; i++) wend_service_cancel(service, tickets[i]);
    frame_of_changes(7);
    cr_assert_eq(seen_count, 7);
    for (int32_t i = MANY / 2; i < MANY; i++) wend_service_cancel(service, tickets[i]);
    frame_of_changes(5);
    cr_assert_eq(seen_count, 12, "the earlier ones come first");
    for (size_t i = 0; i < 12; i++) cr_assert_lt(seen_log[i].completion.number, MANY / 2);
    wend_frame frame = frame_of(service, 100000);
    cr_assert_eq(seen_status(WEND_STATUS_CANCELLED), MANY);
    cr_assert_eq(frame.expansions, 0);
    cr_assert_eq(frame.changes, MANY - 12);
}

/* After WEND_OK from cancel nothing else is delivered, even in frames short of time. */
Test(time, what_had_finished_is_delivered_as_cancelled_before_its_turn_to_be_cancelled) {
    find_all();
    for (int32_t i = 1; i < MANY; i++) cr_assert_eq(wend_service_cancel(service, tickets[i]), WEND_OK);
    wend_frame frame = frame_of_changes(10);
    cr_assert_eq(frame.changes, 10);
    cr_assert_eq(frame.deliveries, MANY - 1);
    cr_assert_eq(seen_status(WEND_STATUS_CANCELLED), MANY - 1);
    cr_assert_eq(service->paths.free_count, service->paths.count);
    /* Reused entries: the remaining changes of old requests must not touch them. */
    for (int32_t i = 0; i < MANY; i++) submit_from_to(service, map, at(0, 0), at(5, 5), 0);
    while (wend_service_get_work(service) > 0) {
        wend_budget budget = default_budget();
        limits_of(&budget)->changes = 10;
        frame_with(service, &budget);
    }
    cr_assert_eq(seen_status(WEND_STATUS_FOUND), MANY + 1);
}

Test(time, a_goal_that_moved_holds_for_what_had_finished_however_short_a_frame_is) {
    find_all();
    for (int32_t i = 1; i < MANY; i++) cr_assert_eq(wend_service_set_goal(service, tickets[i], at(0, i % 40)), WEND_OK);
    wend_frame frame = frame_of_changes(10);
    cr_assert_eq(frame.changes, 10);
    drain(service, WEND_NO_LIMIT);
    for (uint64_t i = 1; i < MANY; i++) {
        const seen *s = seen_number(i);
        cr_assert_eq(s->completion.status, WEND_STATUS_FOUND);
        cr_assert_eq(s->cells[s->completion.cell_count - 1].x, 0);
        cr_assert_eq(s->cells[s->completion.cell_count - 1].y, (int32_t)(i % 40));
    }
}

Test(time, goals_that_move_stop_at_the_clock) {
    find_all();
    for (int32_t i = 1; i < MANY; i++) wend_service_set_goal(service, tickets[i], at(0, i % 40));
    wend_budget budget = default_budget();
    budget.us = 200, budget.expansions = 0;
    wend_frame frame = frame_with(service, &budget);
    cr_assert_eq(frame.changes, 80);
    cr_assert_leq(frame.us, 200 + 3 * TICK_NS / 1000);
}

/* Each move drops a search with its pages, and looks around its new goal. */
Test(time, goals_that_move_are_timed_one_by_one_where_searches_have_begun) {
    enum { BEGUN = 40 };
    map = moat_map(100);
    for (int32_t i = 0; i < BEGUN; i++) {
        wend_request request = request_on(service, map, at(i, 0), moat_goal(100));
        request.urgency = i, request.reach = 3;
        tickets[i] = submit(service, &request);
        frame_of(service, 20);
    }
    for (int32_t i = 0; i < BEGUN; i++) {
        cr_assert_neq(entry_of(service, tickets[i])->slot, WEND__NONE, "request %d has begun", (int)i);
        cr_assert_eq(wend_service_set_goal(service, tickets[i], at(99, i)), WEND_OK);
    }
    const wend_frame frame = frame_of_us(200);
    cr_assert_eq(frame.changes, 10, "ten looks at the clock in half of the time");
    drain(service, WEND_NO_LIMIT);
    cr_assert_eq(seen_status(WEND_STATUS_FOUND), BEGUN);
}

static double seconds_of_moving_goals(int32_t count) {
    wend_service_def def = small_def();
    def.queue = (uint32_t)count, def.path_bytes = 16 << 20;
    wend_service *wide = service_of(&def);
    wend_ticket *all = malloc((size_t)count * sizeof *all);
    for (int32_t i = 0; i < count; i++) all[i] = submit_from_to(wide, map, at(0, 0), at(3, 0), 0);
    wend_budget budget = default_budget();
    limits_of(&budget)->deliveries = 1;
    frame_with(wide, &budget);
    uint64_t seed = 9;
    for (int32_t i = count; i-- > 1;) { /* in any order */
        const int32_t j = (int32_t)draw(&seed, (uint32_t)i + 1);
        const wend_ticket swap = all[i];
        all[i] = all[j];
        all[j] = swap;
        wend_service_set_goal(wide, all[i], at(0, 3));
    }
    budget.expansions = 0;
    const clock_t begun = clock();
    cr_assert_geq(frame_with(wide, &budget).changes, (uint64_t)count - 2);
    const double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    wend_service_destroy(wide);
    seen_clear();
    free(all);
    return seconds;
}

/* Four times as many took sixteen times as long, seconds in all. */
Test(time, moving_the_goals_of_finished_requests_takes_time_in_proportion) {
    map = open_map(10, 10);
    double ratio = 1000;
    for (int i = 0; i < 5 && ratio > 9; i++) {
        const double few = seconds_of_moving_goals(8000), many = seconds_of_moving_goals(32000);
        if (many / (few + 1e-9) < ratio) ratio = many / (few + 1e-9);
    }
    cr_assert_lt(ratio, 9, "%.1f times as long", ratio);
}

/* ---- intake ---- */

Test(time, requests_that_look_far_around_their_goals_are_timed_one_by_one) {
    map = closed_map(100);
    wend_request request = request_on(service, map, at(0, 0), closed_goal(100));
    request.reach = 255;
    for (int32_t i = 0; i < MANY; i++) submit(service, &request);
    wend_frame frame = frame_of_us(100);
    cr_assert_eq(frame.intakes, 5, "five looks at the clock");
    wend_service_close(service);
    drain(service, 0);
    wend_service_destroy(service);
    begin();
    request.context = service, request.reach = 0;
    wend_cell goals[WEND_MAX_GOALS - 1];
    for (int32_t i = 0; i < WEND_MAX_GOALS - 1; i++) goals[i] = at(i, 99);
    options_of(&request)->more_goals = goals, options_of(&request)->more_goal_count = WEND_MAX_GOALS - 1;
    for (int32_t i = 0; i < 64; i++) submit(service, &request);
    frame = frame_of_us(100);
    cr_assert_eq(frame.intakes, 5);
}

/* ---- deadlines ---- */

Test(time, deadlines_stop_at_the_clock_and_nothing_is_spent_on_what_is_overdue) {
    map = moat_map(100);
    wend_request request = request_on(service, map, at(0, 0), moat_goal(100));
    request.deadline_frames = 2;
    for (int32_t i = 0; i < MANY; i++) submit(service, &request);
    frame_of(service, 0);
    wend_budget budget = default_budget();
    budget.us = 200, limits_of(&budget)->rounds = 0;
    wend_frame frame = frame_with(service, &budget);
    cr_assert_leq(frame.us, 200 + 4 * TICK_NS / 1000, "%zu us, %zu changes, %zu deliveries", (size_t)frame.us,
                  (size_t)frame.changes, (size_t)frame.deliveries);
    cr_assert_gt(frame.changes, 0);
    cr_assert_lt(frame.changes, 200);
    uint64_t expansions = 0;
    while (wend_service_get_work(service) > 0) {
        frame = frame_of_us(500);
        cr_assert_leq(frame.us, 500 + 5 * TICK_NS / 1000);
        expansions += frame.expansions;
    }
    cr_assert_eq(expansions, 0);
    cr_assert_eq(seen_status(WEND_STATUS_EXPIRED), MANY);
}

/* ---- closing ---- */

Test(time, closing_stops_at_the_clock_and_nothing_is_spent_afterwards) {
    map = moat_map(100);
    for (int32_t i = 0; i < MANY; i++) submit_from_to(service, map, at(i % 50, 0), moat_goal(100), i % 3);
    frame_of(service, 1000);
    wend_service_close(service);
    wend_frame frame = frame_of_us(200);
    cr_assert_leq(frame.us, 200 + 3 * TICK_NS / 1000);
    cr_assert_gt(frame.waiting + frame.running, 0, "some are left");
    uint64_t expansions = frame.expansions;
    while (wend_service_get_work(service) > 0) expansions += frame_of_us(200).expansions;
    cr_assert_eq(expansions, 0);
    cr_assert_eq(seen_status(WEND_STATUS_CANCELLED), MANY);
}

/* ---- replays ---- */

enum { FRAMES = 400 };
static wend_frame recorded[FRAMES];

static void any_change(uint64_t *seed, wend_ticket ticket) {
    switch (draw(seed, 4)) {
    case 0: wend_service_cancel(service, ticket); break;
    case 1: wend_service_set_urgency(service, ticket, (int32_t)draw(seed, 5)); break;
    default: wend_service_set_goal(service, ticket, at((int32_t)draw(seed, 40), (int32_t)draw(seed, 40))); break;
    }
}

static uint64_t callback_seed;
static void change_in_callback(const seen *last) {
    (void)last;
    if (draw(&callback_seed, 3) == 0) any_change(&callback_seed, tickets[draw(&callback_seed, MANY)]);
}

/* Crowds make and change requests, and walls come and go; `record` adds the counts of each frame. */
static uint64_t live(uint64_t seed, bool record) {
    begin_with(3);
    map = open_map(40, 40);
    now.step = 1500;
    callback_seed = seed;
    seen_hook = change_in_callback;
    for (int i = 0; i < FRAMES; i++) {
        for (uint32_t j = 0; i < FRAMES - 100 && j < MANY; j += 1 + draw(&seed, 20)) {
            wend_request request = request_on(service, map, at((int32_t)draw(&seed, 40), (int32_t)draw(&seed, 40)),
                                              at((int32_t)draw(&seed, 40), (int32_t)draw(&seed, 40)));
            request.urgency = (int32_t)draw(&seed, 3);
            if (draw(&seed, 4) == 0) request.deadline_frames = 1 + draw(&seed, 8);
            if (draw(&seed, 9) == 0) request.reach = (int32_t)draw(&seed, 9);
            if (wend_service_get_pending(service) < 2 * MANY) tickets[j] = submit(service, &request);
        }
        for (uint32_t j = draw(&seed, 4) == 0 ? draw(&seed, 300) : 0; j-- > 0;)
            any_change(&seed, tickets[draw(&seed, MANY)]);
        if (draw(&seed, 3) == 0)
            set_class(at((int32_t)draw(&seed, 40), (int32_t)draw(&seed, 40)),
                      draw(&seed, 3) ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN);
        wend_budget budget = default_budget();
        if (record) {
            budget.us = 20 + (uint64_t)(i % 7) * 60;
        } else {
            limits_of(&budget)->rounds = recorded[i].rounds, limits_of(&budget)->intakes = recorded[i].intakes;
            limits_of(&budget)->deliveries = recorded[i].deliveries, limits_of(&budget)->changes = recorded[i].changes;
            limits_of(&budget)->checks = recorded[i].checks, limits_of(&budget)->chosen = recorded[i].chosen;
        }
        wend_frame frame = frame_with(service, &budget);
        frame.us = 0;
        memset(frame.work_ns, 0, sizeof frame.work_ns);
        if (record) recorded[i] = frame;
        cr_assert_eq(memcmp(&frame, &recorded[i], sizeof frame), 0, "frame %d", i + 1);
    }
    seen_hook = NULL;
    drain(service, WEND_NO_LIMIT);
    const uint64_t hash = seen_hash();
    end();
    return hash;
}

Test(timed, frames_cut_in_any_phase_are_replayed_from_their_counts) {
    const uint64_t seeds = (uint64_t)few_or_many(2, 20);
    uint64_t behind = 0, judged = 0, late = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        const uint64_t hash = live(seed, true);
        for (int i = 0; i < FRAMES; i++) {
            judged += recorded[i].outdated > 0 && recorded[i].finished > 0;
            behind += recorded[i].changes > 8 && recorded[i].waiting > 0;
            late += recorded[i].statuses[WEND_STATUS_EXPIRED] > 0;
        }
        cr_assert_eq(live(seed, false), hash, "seed %zu", (size_t)seed);
    }
    cr_assert(behind > 5 * seeds && judged > 5 * seeds && late > 5 * seeds, "%zu, %zu, %zu", (size_t)behind,
              (size_t)judged, (size_t)late);
}
