/* SPDX-License-Identifier: MIT */
/* Requests without a callback: what waits for a poll has bounds, and holds nothing that others need. */
#include "service/service_support.h"
#include "models/few_or_many.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { WIDE = 63, HIGH = 60, SMALL = 21 };

static wend_service *service;
static wend_map *map;
static wend_cell cells[4096];

static wend_service_def polls_def(void) {
    wend_service_def def = small_def();
    def.queue = 400;
    tuning.slice = 10000;
    def.max_path_cells = 2048;
    def.path_bytes = 0; /* one longest path of cell numbers: 137 blocks, or eight paths across the snake */
    return def;
}

static void begin_with(wend_service_def def) {
    service = service_of(&def);
    map = snake_map(WIDE, HIGH);
}

static void begin(void) {
    begin_with(polls_def());
}

static void end(void) {
    end_service(service, map, NULL);
}

TestSuite(polls, .init = begin, .fini = end);

static wend_request across(bool polled) {
    wend_request request = request_on(service, map, at(0, 0), at(WIDE - 1, 0));
    if (polled) request.on_done = NULL;
    return request;
}

static void submit_polled(int count) {
    const wend_request request = across(true);
    for (int i = 0; i < count; i++) submit(service, &request);
}

static void expect_slots_free(void) {
    cr_assert_eq(service->running + service->holding, 0);
    cr_assert_eq(wend__pool_free_pages(&service->pool), service->pool.page_count);
}

/* Frames until nothing is left but polls; a spinning host would never come to an end. */
static void settle(void) {
    drain(service, WEND_NO_LIMIT);
    cr_assert_eq(wend_service_get_work(service), 0);
    expect_slots_free();
}

static wend_completion poll_one(void) {
    wend_completion completion = {.struct_bytes = sizeof completion};
    cr_assert_eq(wend_service_poll(service, &completion, cells, 4096), WEND_OK);
    return completion;
}

Test(polls, nobody_who_polls_does_not_keep_a_callback_waiting) {
    submit_polled(300);
    settle();
    cr_assert_lt(service->awaiting_poll_count, 300, "the arena was too small for all");
    cr_assert_gt(service->awaiting_poll_count, 0);
    wend_request urgent = across(false);
    urgent.urgency = 1000;
    submit(service, &urgent);
    cr_assert_eq(wend_service_get_work(service), 1);
    settle();
    cr_assert_eq(seen_count, 1);
    cr_assert_eq(seen_log[0].completion.status, WEND_STATUS_FOUND);
    cr_assert_eq(seen_log[0].completion.frames, 1);
}

Test(polls, those_who_poll_get_each_completion_once) {
    submit_polled(300);
    bool had[300] = {false};
    uint64_t restarts = 0;
    for (int i = 0; i < 300; i++) {
        settle();
        const wend_completion completion = poll_one();
        cr_assert_eq(completion.status, WEND_STATUS_FOUND);
        cr_assert_eq(completion.cell_count, snake_cells(WIDE, HIGH));
        cr_assert_not(had[completion.number]);
        had[completion.number] = true;
        restarts += (uint64_t)completion.restarts;
        cr_assert_leq(completion.restarts, 1, "it begins again at most once, when its length is known");
        if (i < 290) cr_assert_gt(wend_service_get_work(service), 0, "a poll makes room");
    }
    cr_assert_gt(restarts, 0, "some did not fit at first");
    wend_completion none = {.struct_bytes = sizeof none};
    cr_assert_eq(wend_service_poll(service, &none, cells, 4096), WEND_EMPTY);
    cr_assert_eq(service->polls.used + service->polls.reserved, 0);
    cr_assert_eq(service->paths.free_count, service->paths.count);
}

Test(polls, a_request_that_begins_again_for_room_has_all_its_expansions) {
    submit_polled(1);
    settle();
    const uint64_t needs = poll_one().expansions;
    wend_request request = across(true);
    request.max_expansions = needs;
    for (int i = 0; i < 30; i++) submit(service, &request);
    for (int i = 0; i < 30; i++) {
        settle();
        const wend_completion completion = poll_one();
        cr_assert_eq(completion.status, WEND_STATUS_FOUND);
        cr_assert_eq(completion.expansions, needs * (1 + (uint64_t)completion.restarts));
    }
}

Test(polls, the_more_urgent_get_room_first) {
    submit_polled(60);
    settle();
    wend_request urgent = across(true);
    urgent.urgency = 5;
    const wend_ticket ticket = submit(service, &urgent);
    (void)ticket;
    settle();
    const uint32_t before = service->awaiting_poll_count;
    poll_one();
    settle();
    cr_assert_eq(service->awaiting_poll_count, before);
    for (uint32_t i = 1; i < before; i++) poll_one();
    cr_assert_eq(poll_one().number, 60, "the first that found room since");
}

Test(polls, their_number_has_a_limit_at_which_submit_is_busy) {
    end();
    wend_service_def def = polls_def();
    tuning.polls = 5;
    begin_with(def);
    wend_request polled = request_on(service, map, at(0, 0), at(0, 5)), called = polled;
    polled.on_done = NULL;
    for (int i = 0; i < 5; i++) submit(service, &polled);
    cr_assert_eq(wend_service_submit(service, &polled, NULL), WEND_BUSY, "one past it");
    submit(service, &called);
    settle();
    cr_assert_eq(wend_service_submit(service, &polled, NULL), WEND_BUSY, "they wait for a poll now");
    submit(service, &called);
    poll_one();
    submit(service, &polled);
    cr_assert_eq(wend_service_submit(service, &polled, NULL), WEND_BUSY);
    wend_stats stats = stats_now(service);
    cr_assert_eq(stats.refused_busy, 3);
    settle();
    cr_assert_eq(seen_count, 2);
    end();
    tuning.polls = 0;
    begin_with(def);
    polled.map = called.map = map;
    called.context = service;
    cr_assert_eq(wend_service_submit(service, &polled, NULL), WEND_BUSY);
    submit(service, &called);
    settle();
}

/* ---- work and waking ---- */

static int wakes;
static void wake(void *context) {
    (void)context;
    wakes++;
}

static wend_ticket shelve_one(void) {
    submit_polled(30);
    const wend_request request = across(true);
    const wend_ticket ticket = submit(service, &request);
    settle();
    cr_assert_eq(service->entries[ticket.index].state, WEND__SHELVED);
    wakes = 0;
    wend_service_set_wake(service, wake, NULL);
    return ticket;
}

Test(polls, one_that_waits_for_room_can_be_cancelled_and_that_is_work) {
    const wend_ticket ticket = shelve_one();
    const uint32_t before = service->awaiting_poll_count;
    cr_assert_eq(wend_service_cancel(service, ticket), WEND_OK);
    cr_assert_eq(wakes, 1);
    cr_assert_eq(wend_service_get_work(service), 1);
    frame_of(service, 0);
    cr_assert_eq(wend_service_get_work(service), 0);
    cr_assert_eq(service->awaiting_poll_count, before + 1);
    for (uint32_t i = 0; i < before; i++) cr_assert_eq(poll_one().status, WEND_STATUS_FOUND);
    cr_assert_eq(poll_one().status, WEND_STATUS_CANCELLED);
}

Test(polls, one_that_waits_for_room_takes_a_new_goal_and_urgency) {
    const wend_ticket ticket = shelve_one();
    cr_assert_eq(wend_service_set_goal(service, ticket, at(0, 0)), WEND_OK); /* which needs no search */
    cr_assert_eq(wakes, 1);
    settle();
    cr_assert_eq(wend_service_cancel(service, ticket), WEND_STALE_TICKET, "it is answered");
    wakes = 0;
    submit_polled(1);
    settle();
    cr_assert_eq(wakes, 1);
}

Test(polls, a_poll_that_makes_room_wakes_and_others_do_not) {
    shelve_one();
    poll_one();
    cr_assert_eq(wakes, 1);
    cr_assert_gt(wend_service_get_work(service), 0);
    poll_one();
    cr_assert_eq(wakes, 1, "there was work already");
    settle();
}

Test(polls, a_deadline_is_work_and_is_kept) {
    submit_polled(30);
    settle();
    wend_request request = across(true);
    request.deadline_frames = 4;
    submit(service, &request);
    uint64_t frames = drain(service, WEND_NO_LIMIT);
    cr_assert_eq(frames, 4);
    for (uint32_t i = service->awaiting_poll_count; i > 1; i--) poll_one();
    const wend_completion last = poll_one();
    cr_assert_eq(last.status, WEND_STATUS_EXPIRED);
    cr_assert_eq(last.frames, 4);
}

Test(polls, closing_cancels_what_waits_for_room) {
    shelve_one();
    wend_service_close(service);
    cr_assert_eq(wakes, 1);
    cr_assert_gt(wend_service_get_work(service), 0);
    settle();
    cr_assert_eq(service->awaiting_poll_count, 31);
    uint32_t cancelled = 0;
    for (int i = 0; i < 31; i++) cancelled += poll_one().status == WEND_STATUS_CANCELLED;
    cr_assert_gt(cancelled, 10);
}

/* ---- with others ---- */

/* Callbacks fill the arena, frame after frame; what is polled gets its room between them all the same. */
Test(polls, polled_ones_are_served_among_callbacks_that_never_end) {
    uint64_t polled = 0, frames = 0;
    for (; polled < 20; frames++) {
        cr_assert_lt(frames, 3000, "%zu polled", (size_t)polled);
        const wend_request called = across(false);
        while (wend_service_get_pending(service) < 60) submit(service, &called);
        if (frames < 20) submit_polled(1);
        wend_budget budget = default_budget();
        budget.deliveries = 2;
        frame_with(service, &budget);
        wend_completion completion = {.struct_bytes = sizeof completion};
        while (wend_service_poll(service, &completion, cells, 4096) == WEND_OK) polled++;
    }
    cr_assert_gt(seen_count, 20);
}

/* Requests that left the shelf and wait for a slot have a promise of room only: a more urgent request may take it. */
Test(polls, an_urgent_one_takes_the_room_that_waiting_ones_were_promised) {
    wend_service_def def = polls_def();
    tuning.fair = 0;
    def.lanes = 1;
    end();
    begin_with(def);
    wend_request low = across(true);
    low.urgency = -1000;
    for (int i = 0; i < 100; i++) submit(service, &low);
    settle();
    while (service->awaiting_poll_count > 0) poll_one();
    cr_assert_gt(service->polls.promised, 0);

    wend_request urgent = across(true);
    urgent.urgency = 1000;
    submit(service, &urgent);
    for (int frame = 0; frame < 3; frame++) {
        const wend_request called = across(false);
        while (wend_service_get_pending(service) < 200) submit(service, &called);
        frame_of(service, 3000);
    }
    cr_assert_eq(poll_one().number, 100, "the urgent one is the first to be answered");
}

static uint64_t live(uint64_t seed) {
    uint64_t answers = 0, asked = 0, hash = 17;
    wend_service_def def = polls_def();
    def.lanes = 1 + draw(&seed, 4);
    def.nodes = (4 + draw(&seed, 30)) * WEND_PAGE_NODES;
    begin_with(def);
    wend_map *small = snake_map(SMALL, HIGH);
    wend_ticket tickets[64] = {0};
    for (int i = 0; i < 300 || wend_service_get_pending(service) > 0; i++) {
        cr_assert_lt(i, 20000);
        for (uint32_t j = draw(&seed, 12); i < 300 && j > 0; j--) {
            wend_request request = draw(&seed, 2) ? across(draw(&seed, 3) > 0)
                                                  : request_on(service, small, at(0, 0), at(SMALL - 1, HIGH - 1));
            if (draw(&seed, 3) == 0) request.on_done = NULL;
            request.urgency = (int32_t)draw(&seed, 4);
            if (draw(&seed, 6) == 0) request.deadline_frames = 1 + draw(&seed, 30);
            wend_ticket ticket;
            if (wend_service_submit(service, &request, &ticket) != WEND_OK) continue;
            tickets[asked++ % 64] = ticket;
        }
        const wend_ticket any = tickets[draw(&seed, 64)];
        if (draw(&seed, 5) == 0) wend_service_cancel(service, any);
        if (draw(&seed, 5) == 0) wend_service_set_urgency(service, any, (int32_t)draw(&seed, 9));
        if (draw(&seed, 5) == 0) wend_service_set_goal(service, any, at(0, (int32_t)draw(&seed, HIGH)));
        frame_of(service, draw(&seed, 20000));
        cr_assert_leq(service->polls.used + service->polls.reserved, service->polls.limit);
        wend_completion completion = {.struct_bytes = sizeof completion};
        while (draw(&seed, 4) > 0 && wend_service_poll(service, &completion, cells, 4096) == WEND_OK) {
            hash = hash * 31 + completion.number * 7 + (uint64_t)completion.status + completion.cell_count;
            answers++;
        }
    }
    cr_assert_eq(answers + seen_count, asked, "one completion for each");
    cr_assert_eq(service->polls.used + service->polls.reserved + service->polls.promised, 0);
    expect_slots_free();
    hash += seen_hash();
    wend_map_release(small);
    end();
    return hash;
}

Test(polled, crowds_of_both_kinds_are_answered_once_each_and_the_same_each_time) {
    for (int seed = few_or_many(4, 12); seed > 0; seed--) cr_assert_eq(live((uint64_t)seed), live((uint64_t)seed));
}

Test(polls, many_at_once_are_those_that_single_ones_are) {
    enum { MANY = 7, ROOM = 4096 };
    wend_completion one[MANY], many[MANY + 1];
    static wend_cell alone[MANY][ROOM];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < MANY; i++) {
            wend_request request = request_on(service, map, at(0, 0), at(0, 5 + 2 * i));
            request.on_done = NULL;
            if (i == 3) request.goal = at(1, 1), request.max_expansions = 1; /* no path, no cells */
            submit(service, &request);
        }
        settle();
        if (round == 0) {
            for (int i = 0; i < MANY; i++) {
                one[i] = poll_one();
                for (size_t c = 0; c < one[i].cell_count; c++) alone[i][c] = cells[c];
            }
            continue;
        }
        size_t taken = 0, used = 0;
        many[0].struct_bytes = sizeof many[0];
        /* Room for the first three, less one cell: two. */
        const size_t three = one[0].cell_count + one[1].cell_count + one[2].cell_count;
        cr_assert_eq(wend_service_poll_many(service, many, MANY, &taken, cells, three - 1), WEND_OK);
        cr_assert_eq(taken, 2);
        used = one[0].cell_count + one[1].cell_count;
        size_t rest = 0;
        many[2].struct_bytes = sizeof many[2];
        cr_assert_eq(wend_service_poll_many(service, many + 2, MANY - 1, &rest, cells + used, ROOM - used), WEND_OK);
        cr_assert_eq(rest, MANY - 2);
        cr_assert_eq(wend_service_poll_many(service, many, MANY, &rest, cells, ROOM), WEND_EMPTY);
        cr_assert_eq(rest, 0);
    }
    const wend_cell *next = cells;
    for (int i = 0; i < MANY; i++) {
        cr_assert_eq(many[i].status, one[i].status);
        cr_assert_eq(many[i].cost, one[i].cost);
        cr_assert_eq(many[i].cell_count, one[i].cell_count);
        cr_assert_eq(many[i].cells, many[i].cell_count > 0 ? next : NULL);
        for (size_t c = 0; c < many[i].cell_count; c++) {
            cr_assert_eq(many[i].cells[c].x, alone[i][c].x);
            cr_assert_eq(many[i].cells[c].y, alone[i][c].y);
        }
        next += many[i].cell_count;
    }
}
