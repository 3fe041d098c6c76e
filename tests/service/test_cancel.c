/* SPDX-License-Identifier: MIT */
/* Cancelling at every stage, closing, and calls inside callbacks. */
#include "service/service_support.h"
#include "models/options.h"

#include <criterion/criterion.h>

static wend_service *service;
static wend_map *open, *moat;

static void begin(void) {
    wend_service_def def = small_def();
    def.queue = 8;
    service = service_of(&def);
    open = open_map(30, 30);
    moat = moat_map(100);
}

static void end(void) {
    end_service(service, open, moat);
}

TestSuite(cancel, .init = begin, .fini = end);

static wend_ticket submit_flood(int32_t urgency) {
    return submit_from_to(service, moat, at(0, 0), moat_goal(100), urgency);
}

static void cancelled_in_next_frame(wend_ticket ticket, const wend_budget *budget) {
    size_t before = seen_count;
    cr_assert_eq(wend_service_cancel(service, ticket), WEND_OK);
    frame_with(service, budget);
    cr_assert_eq(seen_count, before + 1);
    cr_assert_eq(seen_log[before].completion.status, WEND_STATUS_CANCELLED);
    cr_assert_eq(wend_service_cancel(service, ticket), WEND_STALE_TICKET);
}

Test(cancel, in_the_inbox) {
    wend_budget budget = default_budget();
    wend_ticket ticket = submit_from_to(service, open, at(0, 0), at(9, 9), 0);
    cancelled_in_next_frame(ticket, &budget);
    cr_assert_eq(seen_log[0].completion.expansions, 0);
    cr_assert_eq(seen_log[0].completion.wait_frames, 1);
}

Test(cancel, beyond_the_intake_limit) {
    wend_budget budget = default_budget();
    limits_of(&budget)->intakes = 1, budget.expansions = 10;
    wend_ticket tickets[5];
    for (int i = 0; i < 5; i++) tickets[i] = submit_flood(0);
    frame_with(service, &budget);
    cr_assert_eq(entry_of(service, tickets[4])->state, WEND__ARRIVED, "the case occurred");
    cancelled_in_next_frame(tickets[4], &budget);
    cancelled_in_next_frame(tickets[3], &budget);
    cr_assert_eq(seen_log[0].completion.number, 4);
}

Test(cancel, cancellations_are_not_limited) {
    wend_budget budget = default_budget();
    limits_of(&budget)->intakes = 1;
    wend_ticket tickets[8];
    for (int i = 0; i < 8; i++) tickets[i] = submit_flood(0);
    for (int i = 7; i >= 0; i--) wend_service_cancel(service, tickets[i]);
    wend_frame frame = frame_with(service, &budget);
    cr_assert_eq(seen_status(WEND_STATUS_CANCELLED), 8);
    cr_assert_eq(frame.intakes, 0);
    cr_assert_eq(frame.expansions, 0);
}

Test(cancel, while_waiting_and_while_parked) {
    wend_budget budget = budget_of(100);
    wend_ticket parked = submit_flood(0), second = submit_flood(0);
    frame_with(service, &budget);
    wend_ticket third = submit_flood(9), fourth = submit_flood(9);
    frame_with(service, &budget);
    cr_assert_neq(entry_of(service, parked)->slot, WEND__NONE);
    cr_assert_eq(entry_of(service, parked)->spent, 50, "parked");
    wend_ticket waiting = submit_flood(-1);
    frame_with(service, &budget);
    cr_assert_eq(entry_of(service, waiting)->slot, WEND__NONE, "waiting");
    cancelled_in_next_frame(waiting, &budget);
    cancelled_in_next_frame(parked, &budget);
    cancelled_in_next_frame(third, &budget);
    cancelled_in_next_frame(second, &budget);
    cancelled_in_next_frame(fourth, &budget);
    cr_assert_eq(wend__pool_free_pages(&service->pool), service->pool.page_count);
}

Test(cancel, what_is_finished_and_not_delivered) {
    wend_budget budget = default_budget();
    limits_of(&budget)->deliveries = 1;
    submit_from_to(service, open, at(0, 0), at(9, 9), 0);
    wend_ticket second = submit_from_to(service, open, at(0, 0), at(9, 9), 0);
    frame_with(service, &budget);
    cr_assert_eq(entry_of(service, second)->state, WEND__FINISHED);
    cr_assert_gt(entry_of(service, second)->spent, 0);
    cancelled_in_next_frame(second, &budget);
    cr_assert_null(seen_log[1].completion.cells);
    cr_assert_eq(seen_log[1].completion.cost, -1);
    cr_assert_eq(service->paths.free_count, service->paths.count);
}

static wend_ticket target;
static int32_t hook_result;
static void cancel_target(const seen *last) {
    if (last->completion.number == 0) hook_result = wend_service_cancel(service, target);
}

/* OK from cancel means cancelled, in the next frame: so it may not be delivered as found in this one. */
Test(cancel, in_a_callback_what_this_frame_would_deliver) {
    seen_hook = cancel_target;
    submit_from_to(service, open, at(0, 0), at(9, 9), 0);
    target = submit_from_to(service, open, at(0, 0), at(8, 8), 0);
    submit_from_to(service, open, at(0, 0), at(7, 7), 0);
    frame_of(service, 10000);
    cr_assert_eq(hook_result, WEND_OK);
    cr_assert_eq(seen_count, 2);
    cr_assert_eq(seen_log[1].completion.number, 2);
    frame_of(service, 10000);
    cr_assert_eq(seen_log[2].completion.number, 1);
    cr_assert_eq(seen_log[2].completion.status, WEND_STATUS_CANCELLED);
}

Test(cancel, in_a_callback_on_the_last_day) {
    seen_hook = cancel_target;
    submit_from_to(service, open, at(0, 0), at(9, 9), 0);
    wend_request request = request_on(service, open, at(0, 0), at(8, 8));
    request.deadline_frames = 1;
    target = submit(service, &request);
    frame_of(service, 10000);
    cr_assert_eq(hook_result, WEND_OK);
    cr_assert_eq(seen_count, 2, "its deadline holds too");
    cr_assert_eq(seen_log[1].completion.status, WEND_STATUS_CANCELLED);
}

Test(cancel, in_a_callback_what_was_delivered) {
    seen_hook = cancel_target;
    target = submit_from_to(service, open, at(0, 0), at(9, 9), 0);
    frame_of(service, 10000);
    cr_assert_eq(hook_result, WEND_STALE_TICKET, "its own ticket is stale");
}

Test(cancel, a_change_left_behind_does_not_touch_the_next_request) {
    wend_ticket first = submit_from_to(service, open, at(0, 0), at(9, 9), 0);
    wend_service_set_urgency(service, first, 7);
    wend_service_cancel(service, first);
    frame_of(service, 1000);
    wend_ticket second = submit_from_to(service, open, at(0, 0), at(9, 9), 3);
    cr_assert_eq(second.index, first.index);
    frame_of(service, 1);
    cr_assert_eq(entry_of(service, second)->request.urgency, 3);
    drain(service, 1000);
    cr_assert_eq(seen_log[1].completion.status, WEND_STATUS_FOUND);
}

static void set_then_resubmit(const seen *last) {
    if (last->completion.number != 0) return;
    wend_service_set_urgency(service, target, 9); /* the later request is delivered in this frame */
}

Test(cancel, an_urgency_set_in_the_frame_of_delivery_is_lost_with_the_request) {
    seen_hook = set_then_resubmit;
    submit_from_to(service, open, at(0, 0), at(9, 9), 0);
    target = submit_from_to(service, open, at(0, 0), at(8, 8), 0);
    frame_of(service, 10000);
    cr_assert_eq(seen_count, 2);
    wend_ticket next = submit_from_to(service, moat, at(0, 0), moat_goal(100), 1);
    cr_assert_eq(next.index, target.index);
    frame_of(service, 100);
    cr_assert_eq(entry_of(service, next)->request.urgency, 1);
}

/* ---- close ---- */

Test(cancel, close_refuses_and_cancels_all_stages) {
    wend_budget budget = default_budget();
    limits_of(&budget)->deliveries = 1, limits_of(&budget)->intakes = 4, budget.expansions = 300;
    submit_from_to(service, open, at(0, 0), at(0, 0), 0);
    submit_from_to(service, open, at(0, 0), at(9, 9), 5);
    submit_flood(0);
    submit_flood(-1);
    submit_flood(0);
    frame_with(service, &budget);
    cr_assert_eq(seen_count, 1);
    cr_assert_eq(wend__finished_count(service), 1);
    wend_service_close(service);
    wend_service_close(service);
    wend_request request = request_on(service, open, at(0, 0), at(1, 1));
    cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_CLOSED);
    wend_frame frame = frame_of(service, 1000);
    cr_assert_eq(frame.expansions, 0);
    cr_assert_eq(seen_status(WEND_STATUS_CANCELLED), 4);
    cr_assert_eq(wend_service_get_pending(service), 0);
    frame_of(service, 1000);
    cr_assert_eq(seen_count, 5);
}

static void close_it(const seen *last) {
    if (last->completion.number == 0) wend_service_close(service);
}

Test(cancel, close_in_a_callback_counts_from_the_next_frame) {
    seen_hook = close_it;
    for (int i = 0; i < 4; i++) submit_from_to(service, open, at(0, 0), at(9, i), 0);
    frame_of(service, 10000);
    cr_assert_eq(seen_count, 1);
    frame_of(service, 10000);
    cr_assert_eq(seen_count, 4);
    cr_assert_eq(seen_status(WEND_STATUS_CANCELLED), 3);
}

static void resubmit_all(const seen *last) {
    wend_request request = request_on(service, open, at(0, 0), at(9, 9));
    wend_error error = wend_service_submit(service, &request, NULL);
    cr_assert_eq(error, last->completion.number < 1000 ? WEND_OK : WEND_CLOSED);
    if (last->completion.number == 999) wend_service_close(service);
}

/* Every place is taken; each callback takes its own again. */
Test(cancel, callbacks_submit_into_a_full_queue) {
    seen_hook = resubmit_all;
    for (int i = 0; i < 8; i++) submit_from_to(service, open, at(0, 0), at(9, 9), 0);
    while (!service->inbox.closed) {
        cr_assert_eq(wend_service_get_pending(service), 8);
        frame_of(service, 1000);
    }
    seen_hook = NULL;
    drain(service, 1000);
    cr_assert_gt(seen_count, 1000);
}

static int destroyed;
static void during_destroy(const seen *last) {
    destroyed++;
    wend_request request = request_on(service, open, at(0, 0), at(9, 9));
    cr_assert_eq(last->completion.status, WEND_STATUS_CANCELLED);
    cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_CLOSED);
    cr_assert_eq(wend_service_destroy(service), WEND_IN_CALLBACK);
    cr_assert_eq(wend_service_tick(service, NULL, NULL), WEND_IN_CALLBACK);
    wend_service_cancel(service, target);
    wend_service_set_urgency(service, target, 4);
}

Test(cancel, callbacks_during_destroy) {
    wend_service_def def = small_def();
    wend_service *first = service;
    service = service_of(&def);
    seen_hook = during_destroy;
    submit_from_to(service, open, at(0, 0), at(9, 9), 0);
    target = submit_flood(0);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    cr_assert_eq(destroyed, 2);
    seen_hook = NULL;
    service = first;
    cr_assert_eq(wend_service_destroy(NULL), WEND_OK);
}

/* Any limits of a frame, and any progress of the search. */
Test(cancel, from_the_ticking_thread_not_one_expansion_follows) {
    enum { ASKED = 3000 };
    static uint64_t spent[ASKED]; /* plus 1, at the cancellation; 0: not cancelled */
    uint64_t seed = 11, begun = 0, next = 0;
    OWNED_MAP *rough = rough_map(60, 60, 20, 3);
    static wend_ticket tickets[ASKED];
    while (next < ASKED) {
        wend_request request = request_on(service, rough, at((int)draw(&seed, 60), 0), at((int)draw(&seed, 60), 59));
        request.urgency = (int32_t)draw(&seed, 5);
        options_of(&request)->engine = (int32_t)draw(&seed, 3);
        while (next < ASKED && wend_service_submit(service, &request, &tickets[next]) == WEND_OK) next++;
        for (uint64_t i = next < 20 ? 0 : next - 20; i < next; i++) {
            uint32_t index;
            if (draw(&seed, 4) > 0 || !wend__inbox_find(service, tickets[i], &index)) continue;
            const uint64_t now = index == WEND__NONE ? 0 : service->entries[index].spent;
            cr_assert_eq(wend_service_cancel(service, tickets[i]), WEND_OK);
            if (spent[i] == 0) spent[i] = 1 + now;
            begun += now > 0;
        }
        wend_budget budget = default_budget();
        budget.expansions = draw(&seed, 400);
        if (draw(&seed, 3) == 0) limits_of(&budget)->changes = 1;
        if (draw(&seed, 3) == 0) limits_of(&budget)->deliveries = 1;
        frame_with(service, &budget);
    }
    drain(service, WEND_NO_LIMIT);
    for (uint64_t i = 0; i < ASKED; i++) {
        const wend_completion *c = &seen_log[i].completion;
        if (spent[c->number] == 0) continue;
        cr_assert_eq(c->status, WEND_STATUS_CANCELLED);
        cr_assert_eq(c->expansions, spent[c->number] - 1);
    }
    cr_assert_gt(begun, 100);
}
