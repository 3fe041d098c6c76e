/* SPDX-License-Identifier: MIT */
/* A queue longer than a service has entries: the same promises, and a frame takes in a bounded number of requests. */
#include "models/options.h"
#include "service/backlog/backlog.h"
#include "service/service_support.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { QUEUE = WEND__BACKLOG_FROM + 5000 };

static wend_service *service;
static wend_map *open;

/* The outcome of a request, by its number. */
typedef struct outcome {
    int32_t status; ///< 0: pending
    uint64_t frame;
    wend_completion completion;
} outcome;

static outcome *outcomes;
static uint64_t last_number;
static size_t completed;

static void done(void *context, const wend_completion *completion) {
    outcome *own = &outcomes[completion->number];
    cr_assert_eq(own->status, 0, "exactly once");
    cr_assert_eq(context, (void *)&last_number);
    *own = (outcome){completion->status, service->frame, *completion};
    completed++;
}

static void make(uint32_t reserve, uint32_t displace) {
    wend_service_def def = small_def();
    def.queue = QUEUE, def.reserve = reserve, def.displace = displace;
    def.path_bytes = (uint64_t)QUEUE * 64;
    service = service_of(&def);
    open = open_map(30, 30);
    outcomes = calloc(4 * QUEUE, sizeof *outcomes);
    completed = 0;
}

static void end(void) {
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    wend_map_release(open);
    free(outcomes);
}

static wend_request request_of(int32_t urgency) {
    wend_request request = path_request(open, at(1, 2), at(5, 4));
    request.urgency = urgency, request.on_done = done, request.context = &last_number;
    return request;
}

static wend_error submit_one(int32_t urgency, wend_ticket *ticket) {
    const wend_request request = request_of(urgency);
    return wend_service_submit(service, &request, ticket);
}

static void tick(uint64_t expansions) {
    wend_budget budget = budget_of(expansions);
    wend_frame frame = {.struct_bytes = sizeof frame};
    cr_assert_eq(wend_service_tick(service, &budget, &frame), WEND_OK);
    cr_assert_leq(frame.expansions, expansions);
    cr_assert_leq(frame.intakes, service->inbox.backlog.entries);
}

static void finish(void) {
    for (int frames = 0; wend_service_get_work(service) > 0; frames++) {
        cr_assert_lt(frames, 1000);
        tick(WEND_NO_LIMIT);
    }
}

Test(backlog, takes_up_at_most_160_bytes_a_request) {
    wend_service_def few = default_service();
    wend_service_def many = default_service();
    few.queue = 1000, many.queue = 1000000;
    cr_assert_leq(wend_service_bytes(&many) - wend_service_bytes(&few), (size_t)160 * 999000);
}

Test(backlog, serves_all_and_the_urgent_first) {
    make(0, 0);
    for (int i = 0; i < QUEUE - 10; i++) cr_assert_eq(submit_one(0, NULL), WEND_OK);
    for (int i = 0; i < 10; i++) cr_assert_eq(submit_one(i, NULL), WEND_OK);
    cr_assert_eq(submit_one(1000, NULL), WEND_BUSY, "one past");
    tick(100);
    cr_assert_gt(completed, 5);
    for (int i = 0; i < 9; i++) cr_assert_eq(outcomes[QUEUE - 1 - i].frame, 1, "the urgent do not wait for a place");
    wend_ticket ticket;
    for (int i = 0; i < 5; i++) cr_assert_eq(submit_one(1000, &ticket), WEND_OK);
    tick(100);
    for (int i = 0; i < 5; i++) cr_assert_eq(outcomes[QUEUE + i].frame, 2);
    cr_assert_eq(outcomes[QUEUE + 4].completion.ticket.index, ticket.index);
    cr_assert_eq(outcomes[QUEUE + 4].completion.ticket.generation, ticket.generation);
    cr_assert_eq(wend_service_cancel(service, ticket), WEND_STALE_TICKET);
    finish();
    cr_assert_eq(completed, QUEUE + 5);
    for (size_t i = 0; i < completed; i++) cr_assert_eq(outcomes[i].status, WEND_STATUS_FOUND);
    end();
}

Test(backlog, serves_the_oldest_of_the_least_urgent_too) {
    make(0, 0);
    for (int i = 0; i < QUEUE; i++) cr_assert_eq(submit_one(i == 0 ? -1000 : 0, NULL), WEND_OK);
    for (int i = 0; i < 60; i++) {
        tick(200);
        while (submit_one(1, NULL) == WEND_OK) continue;
    }
    cr_assert_neq(outcomes[0].status, 0, "one lane in eight is for it");
    end();
    cr_assert_gt(completed, QUEUE);
}

Test(backlog, changes_requests_that_wait) {
    make(0, 0);
    wend_ticket *tickets = malloc(QUEUE * sizeof *tickets);
    for (int i = 0; i < QUEUE; i++) {
        wend_request request = request_of(0);
        request.agent = (uint64_t)i;
        if (i % 100 == 7) request.deadline_frames = 3 + (uint64_t)i % 5;
        cr_assert_eq(wend_service_submit(service, &request, &tickets[i]), WEND_OK);
    }
    enum { URGENT = QUEUE - 1, MOVED = QUEUE - 2, CANCELLED = QUEUE - 3, REPLACED = QUEUE - 4 };
    cr_assert_eq(wend_service_set_urgency(service, tickets[URGENT], 900), WEND_OK);
    cr_assert_eq(wend_service_set_urgency(service, tickets[MOVED], 800), WEND_OK);
    cr_assert_eq(wend_service_set_goal(service, tickets[MOVED], at(1, 9)), WEND_OK);
    cr_assert_eq(wend_service_set_goal(service, tickets[MOVED], at(1, 30)), WEND_OUT_OF_RANGE);
    cr_assert_eq(wend_service_cancel(service, tickets[CANCELLED]), WEND_OK);
    cr_assert_eq(wend_service_cancel(service, tickets[CANCELLED]), WEND_OK);
    tick(60);
    cr_assert_eq(outcomes[URGENT].status, WEND_STATUS_FOUND);
    cr_assert_eq(outcomes[MOVED].completion.cell_count, 8);
    cr_assert_eq(outcomes[CANCELLED].status, WEND_STATUS_CANCELLED);
    cr_assert_eq(outcomes[CANCELLED].completion.expansions, 0);
    wend_request again = request_of(-5);
    again.agent = REPLACED;
    cr_assert_eq(wend_service_submit(service, &again, NULL), WEND_OK);
    cr_assert_eq(wend_service_cancel(service, tickets[REPLACED]), WEND_STALE_TICKET);
    tick(10);
    cr_assert_eq(outcomes[REPLACED].status, WEND_STATUS_REPLACED);
    for (int i = 0; i < 6; i++) tick(10);
    for (int i = 7; i < QUEUE; i += 100) {
        cr_assert_neq(outcomes[i].status, 0, "due by now");
        cr_assert_leq(outcomes[i].completion.frames, 3 + (uint64_t)i % 5);
    }
    size_t count;
    const uint64_t pending = wend_service_get_pending(service);
    cr_assert_eq(wend_service_cancel_map(service, open, &count), WEND_OK);
    cr_assert_eq(count, pending);
    finish();
    cr_assert_eq(completed, QUEUE + 1);
    free(tickets);
    end();
}

Test(backlog, displaces_the_least_urgent_newest) {
    make(1, 1);
    for (int i = 0; i < QUEUE - 1; i++) cr_assert_eq(submit_one(i % 3 - 1, NULL), WEND_OK);
    cr_assert_eq(submit_one(-1, NULL), WEND_BUSY);
    cr_assert_eq(submit_one(0, NULL), WEND_OK, "in place of one of -1");
    cr_assert_eq(submit_one(1, NULL), WEND_OK, "the place for the urgent");
    cr_assert_eq(submit_one(1, NULL), WEND_OK);
    tick(0);
    const int newest = (QUEUE - 2) / 3 * 3;
    for (int i = 0; i < QUEUE - 1; i++)
        cr_assert_eq(outcomes[i].status, i == newest || i == newest - 3 ? WEND_STATUS_DISPLACED : 0);
    cr_assert_eq(wend_service_get_pending(service), QUEUE);
    finish();
    end();
}

Test(backlog, ends_with_its_service) {
    make(0, 0);
    for (int i = 0; i < QUEUE; i++) cr_assert_eq(submit_one(i % 5, NULL), WEND_OK);
    tick(30);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    cr_assert_eq(completed, QUEUE);
    for (int i = 0; i < QUEUE; i++)
        cr_assert(outcomes[i].status == WEND_STATUS_CANCELLED || outcomes[i].status == WEND_STATUS_FOUND);
    wend_map_release(open);
    free(outcomes);
}

/* Any number of ended requests, and few deliveries a frame. */
Test(backlog, serves_the_urgent_while_thousands_of_cancelled_ones_are_delivered) {
    make(0, 0);
    size_t cancelled;
    for (int i = 0; i < QUEUE - 10; i++) cr_assert_eq(submit_one(0, NULL), WEND_OK);
    cr_assert_eq(wend_service_cancel_map(service, open, &cancelled), WEND_OK);
    cr_assert_eq(cancelled, QUEUE - 10);
    wend_budget budget = default_budget();
    limits_of(&budget)->deliveries = 100;
    for (int i = 0; i < 3; i++) cr_assert_eq(wend_service_tick(service, &budget, NULL), WEND_OK);
    cr_assert_eq(submit_one(1000, NULL), WEND_OK);
    cr_assert_eq(wend_service_tick(service, &budget, NULL), WEND_OK);
    wend_stats stats = stats_now(service);
    cr_assert_gt(stats.expansions, 0, "it was searched in the frame that took it in");
    end();
}

/* Long searches keep all entries for long, so that none is free in turn. */
Test(backlog, an_urgent_one_passes_all_that_are_less_urgent) {
    make(0, 0);
    for (int i = 0; i < QUEUE - 100; i++) cr_assert_eq(submit_one(0, NULL), WEND_OK);
    tick(1);
    while (completed == 0) tick(1);
    const size_t before = completed;
    wend_ticket urgent, less;
    cr_assert_eq(submit_one(500, &urgent), WEND_OK);
    tick(0);
    cr_assert_eq(submit_one(300, &less), WEND_OK);
    tick(0);
    cr_assert_neq(service->inbox.backlog.waiters[urgent.index].entry, WEND__NONE);
    cr_assert_neq(service->inbox.backlog.waiters[less.index].entry, WEND__NONE, "others of 0 have entries");
    cr_assert_eq(completed, before);
    end();
}

/* The deadline passes in a frame without time to take it in. */
Test(backlog, a_cancelled_one_does_not_expire) {
    make(0, 0);
    wend_ticket tickets[40];
    wend_request request = request_of(0);
    request.deadline_frames = 2;
    for (int i = 0; i < 40; i++) cr_assert_eq(wend_service_submit(service, &request, &tickets[i]), WEND_OK);
    for (int i = 0; i < 40; i++) cr_assert_eq(wend_service_cancel(service, tickets[i]), WEND_OK);
    wend_budget budget = default_budget();
    limits_of(&budget)->intakes = 5;
    for (int i = 0; i < 2; i++) cr_assert_eq(wend_service_tick(service, &budget, NULL), WEND_OK);
    cr_assert_eq(completed, 40);
    for (int i = 0; i < 40; i++) cr_assert_eq(outcomes[i].status, WEND_STATUS_CANCELLED);
    end();
}
