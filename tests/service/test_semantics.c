/* SPDX-License-Identifier: MIT */
/* The rows of the semantics table that concern the service, each by its number. */
#include "service/suite.h"
#include "models/options.h"

static void open_small(void) {
    begin_small();
    map = open_map(40, 40);
}

TestSuite(semantics, .init = open_small, .fini = end);

Test(semantics, s2_start_is_goal_is_one_cell_for_nothing) {
    submit_from_to(service, map, at(3, 4), at(3, 4), 0);
    wend_frame frame = frame_of(service, 100);
    cr_assert_eq(seen_count, 1);
    const wend_completion *c = &seen_log[0].completion;
    cr_assert_eq(c->status, WEND_STATUS_FOUND);
    cr_assert_eq(c->cost, 0);
    cr_assert_eq(c->cell_count, 1);
    cr_assert(seen_log[0].cells[0].x == 3 && seen_log[0].cells[0].y == 4);
    cr_assert_eq(c->expansions, 0);
    cr_assert_eq(frame.expansions, 0);
    cr_assert_eq(c->wait_frames, 1);
}

static wend_map *with_block(wend_cell cell) {
    wend_map *blocked = open_map(10, 10);
    cr_assert_eq(wend_map_set_cell(blocked, cell, WEND_CLASS_BLOCKED, NULL), WEND_OK);
    return blocked;
}

Test(semantics, s3_s4_s5_blocked_ends_are_told_apart) {
    OWNED_MAP *blocked = with_block(at(5, 5));
    submit_from_to(service, blocked, at(5, 5), at(5, 5), 0); /* the start comes first */
    submit_from_to(service, blocked, at(5, 5), at(1, 1), 0);
    submit_from_to(service, blocked, at(1, 1), at(5, 5), 0);
    wend_request leaving = request_on(service, blocked, at(5, 5), at(5, 6));
    options_of(&leaving)->leave_blocked_start = true;
    submit(service, &leaving);
    leaving.goal = at(5, 5);
    submit(service, &leaving);
    wend_frame frame = frame_of(service, 100);
    cr_assert_eq(seen_count, 5);
    const int32_t expected[] = {WEND_STATUS_START_BLOCKED, WEND_STATUS_START_BLOCKED, WEND_STATUS_GOAL_BLOCKED,
                                WEND_STATUS_FOUND, WEND_STATUS_GOAL_BLOCKED};
    for (int i = 0; i < 5; i++) cr_assert_eq(seen_log[i].completion.status, expected[i], "request %d", i);
    cr_assert_eq(seen_log[3].completion.cost, 10);
    cr_assert_eq(seen_log[0].completion.epoch, 1);
    cr_assert_eq(seen_log[0].completion.checked, 1);
    cr_assert_eq(frame.intakes, 5);
}

Test(semantics, s6_out_of_range_is_refused_without_a_completion) {
    const wend_cell off[] = {{-1, 0, 0}, {0, -1, 0}, {40, 0, 0},        {0, 40, 0},
                             {0, 0, 1},  {0, 0, -1}, {INT32_MIN, 0, 0}, {0, INT32_MAX, 0}};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        wend_ticket ticket = {77, 77};
        wend_request request = request_on(service, map, off[i], at(1, 1));
        cr_assert_eq(wend_service_submit(service, &request, &ticket), WEND_OUT_OF_RANGE);
        request = request_on(service, map, at(1, 1), off[i]);
        cr_assert_eq(wend_service_submit(service, &request, &ticket), WEND_OUT_OF_RANGE);
        cr_assert_eq(ticket.index, 77, "out is untouched");
    }
    cr_assert_eq(wend_service_get_pending(service), 0);
    frame_of(service, 100);
    cr_assert_eq(seen_count, 0);
    submit_from_to(service, map, at(39, 39), at(0, 0), 0); /* the last cells are on it */
    drain(service, 10000);
    cr_assert_eq(seen_status(WEND_STATUS_FOUND), 1);
}

Test(semantics, s16_budgets_are_exact) {
    OWNED_MAP *moat = moat_map(100);
    for (int i = 0; i < 5; i++) submit_from_to(service, moat, at(i, 0), moat_goal(100), 0);
    uint64_t sum = 0;
    for (int i = 0; i < 40; i++) {
        wend_frame frame = frame_of(service, 777);
        cr_assert_eq(frame.expansions, 777, "all of it is spent while there is work");
        sum += frame.expansions;
    }
    while (wend_service_get_work(service) > 0) sum += frame_of(service, 777).expansions;
    cr_assert_eq(seen_status(WEND_STATUS_FOUND), 5);
    uint64_t by_request = 0;
    for (size_t i = 0; i < seen_count; i++) by_request += seen_log[i].completion.expansions;
    cr_assert_eq(by_request, sum);
}

Test(semantics, s16_a_requests_most_expansions_are_exact) {
    OWNED_MAP *moat = moat_map(50);
    submit_from_to(service, moat, at(0, 0), moat_goal(50), 0);
    drain(service, 1000);
    uint64_t whole = seen_log[0].completion.expansions;
    cr_assert_gt(whole, 1000);
    const uint64_t limits[] = {1, 49, 50, 51, 1000};
    for (size_t i = 0; i < 5; i++) {
        wend_request request = request_on(service, moat, at(0, 0), moat_goal(50));
        options_of(&request)->max_expansions = limits[i];
        submit(service, &request);
        drain(service, 333);
        const wend_completion *c = &seen_log[i + 1].completion;
        cr_assert_eq(c->status, WEND_STATUS_LIMIT);
        cr_assert_eq(c->expansions, limits[i]);
        cr_assert_eq(c->cost, -1);
    }
}

Test(semantics, s16_a_limit_of_nothing_still_answers_without_a_search) {
    wend_request request = request_on(service, map, at(1, 1), at(1, 1));
    options_of(&request)->max_expansions = 0;
    submit(service, &request);
    request.goal = at(2, 1);
    submit(service, &request);
    wend_frame frame = frame_of(service, 100);
    cr_assert_eq(frame.expansions, 0);
    cr_assert_eq(seen_log[0].completion.status, WEND_STATUS_FOUND);
    cr_assert_eq(seen_log[1].completion.status, WEND_STATUS_LIMIT);
}

Test(semantics, s17_cancel_completes_once_and_spends_nothing_more) {
    OWNED_MAP *moat = moat_map(200);
    wend_ticket ticket = submit_from_to(service, moat, at(0, 0), moat_goal(200), 0);
    frame_of(service, 500);
    cr_assert_eq(seen_count, 0);
    cr_assert_eq(wend_service_cancel(service, ticket), WEND_OK);
    cr_assert_eq(wend_service_cancel(service, ticket), WEND_OK, "twice is once");
    wend_frame frame = frame_of(service, 500);
    cr_assert_eq(frame.expansions, 0);
    cr_assert_eq(seen_count, 1);
    cr_assert_eq(seen_log[0].completion.status, WEND_STATUS_CANCELLED);
    cr_assert_eq(seen_log[0].completion.expansions, 500);
    cr_assert_eq(seen_log[0].completion.frames, 2);
    cr_assert_eq(wend_service_cancel(service, ticket), WEND_STALE_TICKET);
    cr_assert_eq(wend_service_set_urgency(service, ticket, 1), WEND_STALE_TICKET);
    frame_of(service, 500);
    cr_assert_eq(seen_count, 1);
}

static int callbacks;
static void inside(const seen *last) {
    (void)last;
    wend_frame frame = {.struct_bytes = sizeof frame};
    if (callbacks++ > 0) return;
    cr_assert_eq(wend_service_tick(service, NULL, &frame), WEND_IN_CALLBACK);
    cr_assert_eq(wend_service_destroy(service), WEND_IN_CALLBACK);
    submit_from_to(service, map, at(1, 1), at(1, 1), 0);
}

static wend_ticket later;
static wend_map *elsewhere;
static void change_things(const seen *last) {
    if (last->completion.number != 2) return;
    cr_assert_eq(wend_service_set_urgency(service, later, 5), WEND_OK);
    cr_assert_eq(wend_map_set_cell(elsewhere, at(1, 1), WEND_CLASS_BLOCKED, NULL), WEND_OK);
}

Test(semantics, s18_urgencies_and_edits_of_a_callback_count_from_the_next_frame) {
    wend_service_destroy(service);
    wend_service_def def = small_def();
    tuning.lanes = 1, tuning.fair = 0;
    service = service_of(&def);
    OWNED_MAP *moat = moat_map(100);
    elsewhere = open_map(20, 20);
    wend_ticket first = submit_from_to(service, moat, at(0, 0), moat_goal(100), 1);
    later = submit_from_to(service, moat, at(1, 0), moat_goal(100), 0);
    submit_from_to(service, map, at(0, 0), at(0, 0), 0);
    seen_hook = change_things;
    frame_of(service, 100);
    cr_assert_eq(seen_count, 1);
    cr_assert_eq(entry_of(service, first)->spent, 100);
    cr_assert_eq(entry_of(service, later)->spent, 0);
    submit_from_to(service, elsewhere, at(0, 0), at(1, 1), 9);
    frame_of(service, 100);
    cr_assert_eq(entry_of(service, first)->spent, 100);
    cr_assert_eq(entry_of(service, later)->spent, 100, "it is the more urgent now");
    cr_assert_eq(seen_number(3)->completion.status, WEND_STATUS_GOAL_BLOCKED);
    drain(service, 1000);
    wend_map_release(elsewhere);
}

Test(semantics, s18_inside_a_callback) {
    seen_hook = inside;
    submit_from_to(service, map, at(0, 0), at(0, 0), 0);
    frame_of(service, 100);
    cr_assert_eq(seen_count, 1, "what a callback submits is not taken in by the same frame");
    frame_of(service, 100);
    cr_assert_eq(seen_count, 2);
    cr_assert_eq(seen_log[1].completion.frames, 1);
}

Test(semantics, s19_destroy_completes_everything_in_order) {
    wend_service_def def = small_def();
    wend_service *other = service_of(&def);
    OWNED_MAP *moat = moat_map(100);
    for (int i = 0; i < 10; i++) submit_from_to(other, moat, at(i, 0), moat_goal(100), i);
    frame_of(other, 700);
    for (int i = 0; i < 5; i++) submit_from_to(other, moat, at(i, 1), moat_goal(100), i);
    cr_assert_eq(seen_count, 0);
    cr_assert_eq(wend_service_destroy(other), WEND_OK);
    cr_assert_eq(seen_count, 15);
    cr_assert_eq(seen_status(WEND_STATUS_CANCELLED), 15);
    for (size_t i = 0; i < 15; i++) cr_assert_eq(seen_log[i].completion.number, i);
    cr_assert_eq(seen_log[0].completion.frames, 1, "no frame ran since");
    cr_assert_eq(seen_log[14].completion.frames, 0);
}

/* Apart, because arguments have no order of their own: compilers differ. */
static wend_cell draw_cell(uint64_t *seed, uint32_t side) {
    int32_t x = (int32_t)draw(seed, side), y = (int32_t)draw(seed, side);
    return at(x, y);
}

Test(semantics, s20_callbacks_come_by_frame_then_submission_number) {
    OWNED_MAP *rough = rough_map(60, 60, 25, 5);
    uint64_t seed = 9;
    for (int i = 0; i < 60; i++) {
        wend_cell start = draw_cell(&seed, 60), goal = draw_cell(&seed, 60);
        submit_from_to(service, rough, start, goal, (int32_t)draw(&seed, 9));
    }
    uint64_t frames = drain(service, 1000); /* frame_of() checks the order */
    cr_assert_gt(frames, 3);
    cr_assert_eq(seen_count, 60);
    size_t overtakes = 0;
    for (size_t i = 1; i < 60; i++) overtakes += seen_log[i].completion.number < seen_log[i - 1].completion.number;
    cr_assert_gt(overtakes, 0, "between frames the urgent do overtake");
}

Test(semantics, s21_a_stale_ticket_is_never_someone_elses) {
    wend_ticket first = submit_from_to(service, map, at(0, 0), at(0, 0), 0);
    frame_of(service, 10);
    wend_ticket second = submit_from_to(service, map, at(0, 0), at(5, 5), 0);
    cr_assert_eq(first.index, second.index, "the place is used again");
    cr_assert_neq(first.generation, second.generation);
    cr_assert_eq(wend_service_cancel(service, first), WEND_STALE_TICKET);
    const wend_ticket never[] = {
        {0, 0}, {63, 1}, {64, 1}, {UINT32_MAX, UINT32_MAX}, {second.index, second.generation + 1}};
    for (size_t i = 0; i < 5; i++) cr_assert_eq(wend_service_cancel(service, never[i]), WEND_STALE_TICKET);
    drain(service, 1000);
    cr_assert_eq(seen_log[1].completion.status, WEND_STATUS_FOUND);
    cr_assert_eq(seen_log[1].completion.ticket.generation, second.generation);
}

Test(semantics, s21_generations_pass_over_zero) {
    submit_from_to(service, map, at(0, 0), at(0, 0), 0);
    service->inbox.backlog.waiters[0].generation = UINT32_MAX;
    frame_of(service, 10);
    wend_ticket ticket = submit_from_to(service, map, at(0, 0), at(0, 0), 0);
    cr_assert_eq(ticket.index, 0);
    cr_assert_eq(ticket.generation, 1);
}

Test(semantics, s22_a_full_queue_says_so) {
    wend_ticket ticket = {5, 5};
    for (int i = 0; i < 64; i++) submit_from_to(service, map, at(0, 0), at(1, 0), 0);
    wend_request request = request_on(service, map, at(0, 0), at(1, 0));
    cr_assert_eq(wend_service_submit(service, &request, &ticket), WEND_BUSY);
    cr_assert_eq(ticket.index, 5);
    cr_assert_eq(wend_service_get_pending(service), 64);
    wend_stats stats = stats_now(service);
    cr_assert_eq(stats.refused_busy, 1);
    drain(service, 1000);
    cr_assert_eq(seen_status(WEND_STATUS_FOUND), 64);
    submit_from_to(service, map, at(0, 0), at(1, 0), 0);
}
