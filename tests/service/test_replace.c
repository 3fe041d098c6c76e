/* SPDX-License-Identifier: MIT */
/* A newer request of an agent completes the older one as replaced: at every stage, in callbacks, together with
 * cancelling, deadlines and closing; and random calls against a plain list of the requests of each agent. */
#include "models/options.h"
#include "service/service_support.h"

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

TestSuite(replace, .init = begin, .fini = end);

static wend_request of_agent(uint64_t agent, wend_map *map, wend_cell goal) {
    wend_request request = request_on(service, map, at(0, 0), goal);
    request.agent = agent;
    return request;
}

static wend_ticket submit_of(uint64_t agent) {
    wend_request request = of_agent(agent, open, at(9, 9));
    return submit(service, &request);
}

static wend_ticket submit_flood_of(uint64_t agent) {
    wend_request request = of_agent(agent, moat, moat_goal(100));
    return submit(service, &request);
}

static void expect_status(uint64_t number, wend_status status) {
    const seen *one = seen_number(number);
    cr_assert_not_null(one, "number %llu is not complete", (unsigned long long)number);
    cr_assert_eq(one->completion.status, status, "number %llu is %s, not %s", (unsigned long long)number,
                 wend_status_name(one->completion.status), wend_status_name(status));
}

Test(replace, s27_the_older_ends_in_the_next_frame_without_an_expansion) {
    submit_of(7);
    submit_of(7);
    frame_of(service, 10000);
    expect_status(0, WEND_STATUS_REPLACED);
    expect_status(1, WEND_STATUS_FOUND);
    cr_assert_eq(seen_number(0)->completion.expansions, 0);
    cr_assert_eq(seen_number(0)->completion.cost, -1);
    cr_assert_null(seen_number(0)->completion.cells);
    cr_assert_eq(seen_number(0)->frame, 1);
}

Test(replace, other_agents_and_none_are_left_alone) {
    submit_of(7);
    submit_of(8);
    submit_of(WEND_NO_AGENT);
    submit_of(WEND_NO_AGENT);
    submit_of(0);
    frame_of(service, 10000);
    cr_assert_eq(seen_status(WEND_STATUS_FOUND), 5);
    submit_of(7);
    frame_of(service, 10000);
    cr_assert_eq(seen_status(WEND_STATUS_FOUND), 6, "what was delivered is not pending");
}

Test(replace, a_running_and_a_parked_search) {
    wend_budget budget = budget_of(100);
    const wend_ticket running = submit_flood_of(1);
    frame_with(service, &budget);
    cr_assert_gt(entry_of(service, running)->spent, 0, "the case occurred");
    const uint64_t spent = entry_of(service, running)->spent;
    submit_of(1);
    frame_with(service, &budget);
    expect_status(0, WEND_STATUS_REPLACED);
    cr_assert_eq(seen_number(0)->completion.expansions, spent);
    drain(service, 1000);
    cr_assert_eq(wend__pool_free_pages(&service->pool), service->pool.page_count);
}

Test(replace, beyond_the_intake_limit) {
    wend_budget budget = default_budget();
    limits_of(&budget)->intakes = 1, budget.expansions = 10;
    submit_flood_of(WEND_NO_AGENT);
    submit_flood_of(WEND_NO_AGENT);
    const wend_ticket last = submit_flood_of(3);
    frame_with(service, &budget);
    cr_assert_eq(entry_of(service, last)->state, WEND__ARRIVED, "the case occurred");
    submit_flood_of(3);
    frame_with(service, &budget);
    expect_status(2, WEND_STATUS_REPLACED);
}

Test(replace, what_is_finished_and_not_delivered) {
    submit_of(WEND_NO_AGENT);
    const wend_ticket second = submit_of(2);
    frame_delivering(service, 1);
    cr_assert_eq(entry_of(service, second)->state, WEND__FINISHED, "the case occurred");
    submit_of(2);
    frame_delivering(service, 1);
    expect_status(1, WEND_STATUS_REPLACED);
    drain(service, 1000);
    expect_status(2, WEND_STATUS_FOUND);
    cr_assert_eq(service->paths.free_count, service->paths.count);
}

/* ---- together with other changes ---- */

Test(replace, the_ticket_of_the_older_is_stale_at_once) {
    const wend_ticket older = submit_of(1), newer = submit_of(1);
    cr_assert_eq(wend_service_cancel(service, older), WEND_STALE_TICKET);
    cr_assert_eq(wend_service_set_urgency(service, older, 3), WEND_STALE_TICKET);
    cr_assert_eq(wend_service_set_goal(service, older, at(1, 1)), WEND_STALE_TICKET);
    cr_assert_eq(wend_service_cancel(service, newer), WEND_OK);
    frame_of(service, 1000);
    expect_status(0, WEND_STATUS_REPLACED);
    expect_status(1, WEND_STATUS_CANCELLED);
}

Test(replace, of_cancel_and_replace_the_earlier_wins) {
    const wend_ticket first = submit_flood_of(1);
    frame_of(service, 10);
    cr_assert_eq(wend_service_cancel(service, first), WEND_OK);
    submit_flood_of(1);
    cr_assert_eq(wend_service_cancel(service, first), WEND_OK, "cancelled it is, and stays");
    frame_of(service, 10);
    expect_status(0, WEND_STATUS_CANCELLED);
    submit_of(1);
    frame_of(service, 1000);
    expect_status(1, WEND_STATUS_REPLACED);
    expect_status(2, WEND_STATUS_FOUND);
}

Test(replace, a_goal_and_an_urgency_asked_for_before_are_lost) {
    const wend_ticket older = submit_flood_of(1);
    frame_of(service, 10);
    wend_service_set_goal(service, older, at(0, 0));
    wend_service_set_urgency(service, older, 9);
    submit_of(1);
    const wend_frame frame = frame_of(service, 1000);
    expect_status(0, WEND_STATUS_REPLACED);
    cr_assert_eq(frame.changes, 1, "one record of changes");
}

Test(replace, replaced_beats_expired) {
    wend_request request = of_agent(1, moat, moat_goal(100));
    request.deadline_frames = 2;
    submit(service, &request);
    frame_of(service, 10);
    submit(service, &request);
    frame_of(service, 10);
    expect_status(0, WEND_STATUS_REPLACED);
    frame_of(service, 10);
    expect_status(1, WEND_STATUS_EXPIRED);
}

Test(replace, a_refused_request_replaces_none) {
    for (uint64_t i = 0; i < 8; i++) submit_of(i);
    wend_request request = of_agent(3, open, at(1, 1));
    cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_BUSY);
    request.goal = at(-1, 0);
    cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_OUT_OF_RANGE);
    request.goal = at(0, 0), request.urgency = 1001;
    cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_BAD_ARGUMENT);
    frame_of(service, 100000);
    cr_assert_eq(seen_status(WEND_STATUS_FOUND), 8);
}

Test(replace, between_two_frames_the_last_stays) {
    for (int i = 0; i < 4; i++) {
        const wend_request request = of_agent((uint64_t)i / 3, open, at(9, i));
        cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_OK);
    }
    frame_of(service, 10000);
    for (uint64_t i = 0; i < 4; i++) expect_status(i, i < 2 ? WEND_STATUS_REPLACED : WEND_STATUS_FOUND);
}

/* ---- callbacks, closing ---- */

static void ask_for_two(const seen *last) {
    if (last->completion.number == 0) submit_of(2);
}

/* The older has finished, and this very frame would deliver it: as with a cancellation, the next one does. */
Test(replace, in_a_callback_what_this_frame_would_deliver) {
    seen_hook = ask_for_two;
    submit_of(1);
    submit_of(2);
    submit_of(3);
    frame_of(service, 10000);
    cr_assert_eq(seen_count, 2);
    frame_of(service, 10000);
    expect_status(1, WEND_STATUS_REPLACED);
    expect_status(3, WEND_STATUS_FOUND);
}

Test(replace, in_a_callback_on_the_last_day) {
    seen_hook = ask_for_two;
    submit_of(1);
    wend_request request = of_agent(2, open, at(9, 9));
    request.deadline_frames = 1;
    submit(service, &request);
    frame_of(service, 10000);
    expect_status(1, WEND_STATUS_REPLACED);
    cr_assert_eq(seen_number(1)->frame, 1, "its deadline holds too");
}

static void again_of_its_own(const seen *last) {
    if (last->completion.number == 0) submit_of(1);
}

Test(replace, in_the_callback_of_the_request_itself_there_is_nothing_to_replace) {
    seen_hook = again_of_its_own;
    submit_of(1);
    frame_of(service, 10000);
    frame_of(service, 10000);
    expect_status(0, WEND_STATUS_FOUND);
    expect_status(1, WEND_STATUS_FOUND);
}

Test(replace, what_was_replaced_before_the_closing_stays_replaced) {
    submit_flood_of(1);
    frame_of(service, 10);
    submit_flood_of(1);
    wend_service_close(service);
    frame_of(service, 10);
    expect_status(0, WEND_STATUS_REPLACED);
    expect_status(1, WEND_STATUS_CANCELLED);
}

Test(replace, where_changes_are_limited_a_later_frame_delivers_it_and_closing_does_not_change_that) {
    wend_budget budget = budget_of(50);
    for (uint64_t i = 0; i < 4; i++) submit_flood_of(i);
    frame_with(service, &budget);
    for (uint64_t i = 0; i < 4; i++) submit_of(i);
    limits_of(&budget)->changes = 1;
    frame_with(service, &budget);
    cr_assert(service->behind, "the case occurred");
    wend_service_close(service);
    while (wend_service_get_work(service) > 0) frame_with(service, &budget);
    for (uint64_t i = 0; i < 4; i++) expect_status(i, WEND_STATUS_REPLACED);
}

/* ---- random calls ---- */

enum { MOST = 40000, AGENTS = 24, QUEUE = 50 };

/* The expected status of each request, where the calls decide it; else PENDING. */
typedef struct plain_model {
    uint64_t agents[AGENTS + 1]; ///< agent of each number; the last one stands for none
    uint64_t latest[AGENTS];     ///< newest request of each agent; UINT64_MAX: none
    wend_ticket tickets[MOST];
    wend_status must[MOST];
    bool done[MOST];
    uint64_t count;
    uint64_t random; ///< for callbacks
} plain_model;

static plain_model *model;

static void model_submit(uint64_t *random) {
    const uint32_t which = draw(random, AGENTS + 4);
    wend_request request = of_agent(model->agents[which < AGENTS ? which : AGENTS], draw(random, 8) ? open : moat,
                                    at((int32_t)draw(random, 30), (int32_t)draw(random, 30)));
    if (draw(random, 8) == 0) request.deadline_frames = 1 + draw(random, 4);
    request.urgency = (int32_t)draw(random, 3);
    wend_ticket ticket;
    const wend_error error = wend_service_submit(service, &request, &ticket);
    cr_assert(error == WEND_OK || error == WEND_BUSY);
    if (error != WEND_OK) return;
    const uint64_t number = model->count++;
    model->tickets[number] = ticket;
    if (which >= AGENTS) return;
    const uint64_t older = model->latest[which];
    if (older != UINT64_MAX && !model->done[older] && model->must[older] == WEND_STATUS_PENDING)
        model->must[older] = WEND_STATUS_REPLACED;
    model->latest[which] = number;
}

static void model_cancel(uint64_t *random) {
    if (model->count == 0) return;
    const uint32_t back = draw(random, model->count < 80 ? (uint32_t)model->count : 80);
    const uint64_t number = model->count - 1 - back;
    const bool stale = model->done[number] || model->must[number] == WEND_STATUS_REPLACED;
    cr_assert_eq(wend_service_cancel(service, model->tickets[number]), stale ? WEND_STALE_TICKET : WEND_OK);
    if (!stale) model->must[number] = WEND_STATUS_CANCELLED;
}

static void model_completed(const seen *last) {
    const uint64_t number = last->completion.number;
    const wend_status status = last->completion.status, must = model->must[number];
    cr_assert(!model->done[number]);
    model->done[number] = true;
    if (must != WEND_STATUS_PENDING)
        cr_assert_eq(status, must, "number %llu: %s", (unsigned long long)number, wend_status_name(status));
    else
        cr_assert(status != WEND_STATUS_REPLACED && status != WEND_STATUS_CANCELLED);
    if (model->count < MOST - 10 && draw(&model->random, 4) == 0) model_submit(&model->random);
}

static void random_frame(uint64_t *random) {
    wend_budget budget = default_budget();
    budget.expansions = draw(random, 3000);
    if (draw(random, 4) == 0) limits_of(&budget)->changes = draw(random, 4);
    if (draw(random, 4) == 0) limits_of(&budget)->deliveries = draw(random, 6);
    if (draw(random, 4) == 0) limits_of(&budget)->intakes = draw(random, 6);
    frame_with(service, &budget);
}

static uint64_t random_calls(uint64_t seed) {
    wend_service_def def = small_def();
    def.queue = QUEUE;
    wend_service *other = service;
    service = service_of(&def);
    model = calloc(1, sizeof *model);
    cr_assert_not_null(model);
    for (uint64_t i = 0; i < AGENTS; i++) {
        model->agents[i] = i < 8 ? i : i < 16 ? i << 32 : WEND_NO_AGENT - i; /* numbers that lie close, or far apart */
        model->latest[i] = UINT64_MAX;
    }
    model->agents[AGENTS] = WEND_NO_AGENT;
    seen_hook = model_completed;
    while (model->count < MOST - 100) {
        const uint32_t what = draw(&seed, 10);
        if (what < 7)
            model_submit(&seed);
        else if (what < 9)
            model_cancel(&seed);
        else
            random_frame(&seed);
    }
    seen_hook = NULL;
    drain(service, 100000);
    const uint64_t hash = seen_hash();
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    service = other;
    free(model);
    return hash;
}

Test(replace, random_calls_end_as_a_plain_list_says_and_the_same_each_time) {
    const uint64_t first = random_calls(5);
    cr_assert_gt(seen_status(WEND_STATUS_REPLACED), MOST / 20);
    cr_assert_gt(seen_status(WEND_STATUS_CANCELLED), MOST / 50);
    seen_clear();
    cr_assert_eq(random_calls(5), first);
}

/* Many agents at once, in a queue that fills ticket by ticket: each finds its own older request. */
Test(replace, as_many_agents_as_the_queue_has_places) {
    enum { MANY = 1000 };
    wend_service_def def = small_def();
    def.queue = 2 * MANY;
    wend_service *other = service;
    service = service_of(&def);
    for (uint64_t i = 0; i < MANY; i++) submit_of(i * i * i);
    for (uint64_t i = MANY; i > 0; i--) submit_of((i - 1) * (i - 1) * (i - 1));
    frame_of(service, 0);
    cr_assert_eq(seen_count, MANY);
    cr_assert_eq(seen_status(WEND_STATUS_REPLACED), MANY);
    drain(service, 100000);
    cr_assert_eq(seen_status(WEND_STATUS_FOUND), MANY);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    service = other;
}
