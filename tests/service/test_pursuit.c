/* SPDX-License-Identifier: MIT */
/* A request's goal moves, in every state that the request can be in. */
#include "service/suite.h"
#include "models/few_or_many.h"
#include "models/options.h"

#include <pthread.h>

TestSuite(pursuit, .init = begin_small, .fini = end);

static void move(wend_ticket ticket, wend_cell goal) {
    cr_assert_eq(wend_service_set_goal(service, ticket, goal), WEND_OK);
}

/* The last completion is `found`, a cheapest path on today's map, and it ends there. */
static void found_at(wend_cell goal) {
    const seen *one = &seen_log[seen_count - 1];
    cr_assert_eq(one->completion.status, WEND_STATUS_FOUND, "%s", wend_status_name(one->completion.status));
    wend_cell end = one->cells[one->completion.cell_count - 1];
    cr_assert(end.x == goal.x && end.y == goal.y && end.z == goal.z);
    wend_search_def def = default_search();
    OWNED_SEARCH *search = made_search(&def);
    wend_request request = request_on(NULL, map, one->cells[0], goal);
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    wend_search_step(search, WEND_NO_LIMIT, NULL);
    wend_completion alone = result_now(search);
    cr_assert_eq(alone.cost, one->completion.cost);
}

static uint8_t state_of(wend_ticket ticket) {
    return entry_of(service, ticket)->state;
}

Test(pursuit, before_it_is_taken_in_the_last_call_wins) {
    map = open_map(40, 40);
    wend_ticket ticket = submit_from_to(service, map, at(0, 0), at(9, 9), 0);
    move(ticket, at(20, 3));
    move(ticket, at(30, 7));
    frame_of(service, 100000);
    found_at(at(30, 7));
    cr_assert_eq(last()->restarts, 0);
    cr_assert_eq(wend_service_set_goal(service, ticket, at(1, 1)), WEND_STALE_TICKET);
}

Test(pursuit, beyond_the_intake_limit) {
    map = open_map(40, 40);
    wend_budget budget = default_budget();
    limits_of(&budget)->intakes = 1;
    wend_ticket tickets[3];
    for (int i = 0; i < 3; i++) tickets[i] = submit_from_to(service, map, at(0, 0), at(9, 9), 0);
    frame_with(service, &budget);
    cr_assert_eq(state_of(tickets[2]), WEND__ARRIVED, "the case occurred");
    move(tickets[2], at(0, 39));
    drain(service, 100000);
    found_at(at(0, 39));
    cr_assert_eq(last()->number, 2);
}

Test(pursuit, off_the_map_is_refused_and_changes_nothing) {
    map = open_map(40, 30);
    wend_ticket ticket = submit_from_to(service, map, at(0, 0), at(9, 9), 0);
    static const wend_cell off[] = {
        {40, 0, 0}, {0, 30, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}, {INT32_MIN, INT32_MAX, 0}};
    for (int i = 0; i < 7; i++) cr_assert_eq(wend_service_set_goal(service, ticket, off[i]), WEND_OUT_OF_RANGE);
    frame_of(service, 100000);
    found_at(at(9, 9));
    for (int i = 0; i < 7; i++)
        cr_assert_eq(wend_service_set_goal(service, ticket, off[i]), WEND_STALE_TICKET, "there is no map to ask");
    const wend_ticket none[] = {{0, 0}, {1, 1}, {UINT32_MAX, 1}};
    for (int i = 0; i < 3; i++) cr_assert_eq(wend_service_set_goal(service, none[i], at(1, 1)), WEND_STALE_TICKET);
}

Test(pursuit, a_request_that_waits_is_answered_without_a_search_where_it_can_be) {
    map = closed_map(40);
    cr_assert_eq(wend_map_set_cell(map, at(30, 30), WEND_CLASS_BLOCKED, NULL), WEND_OK);
    const wend_cell goals[] = {at(30, 30), closed_goal(40), at(1, 0)};
    const int32_t expected[] = {WEND_STATUS_GOAL_BLOCKED, WEND_STATUS_NO_PATH, WEND_STATUS_FOUND};
    for (int spent = 0; spent < 2; spent++) {
        wend_ticket tickets[3];
        for (int i = 0; i < 3; i++) tickets[i] = submit_from_to(service, map, at(1, 0), at(39, 39), 0);
        frame_of(service, spent ? 90 : 0);
        for (int i = 0; i < 3; i++) {
            cr_assert_eq(state_of(tickets[i]), WEND__WAITING);
            cr_assert_eq(entry_of(service, tickets[i])->begun, spent && i < 2, "with and without a search");
            move(tickets[i], goals[i]);
        }
        wend_frame frame = frame_of(service, 0);
        cr_assert_eq(frame.deliveries, 3);
        cr_assert_eq(frame.running, 0);
        for (size_t i = 0; i < 3; i++) {
            const wend_completion *c = &seen_log[seen_count - 3 + i].completion;
            cr_assert_eq(c->status, expected[i]);
            cr_assert_eq(c->cell_count, i == 2);
            cr_assert_eq(c->epoch, 2);
            cr_assert_eq(c->checked, 2);
        }
    }
    cr_assert_eq(service->pool.page_count, wend__pool_free_pages(&service->pool));
}

/* The first move changes engines; from then on the search goes on. */
Test(pursuit, a_search_in_flight_goes_on) {
    map = open_map(200, 200);
    wend_ticket ticket = submit_from_to(service, map, at(0, 0), at(199, 150), 0);
    frame_of(service, 100);
    cr_assert_eq(service->running, 1);
    move(ticket, at(199, 151));
    wend_frame frame = frame_of(service, 60);
    cr_assert_eq(frame.evictions, 0);
    cr_assert_eq(frame.outdated, 0);
    cr_assert_eq(entry_of(service, ticket)->restarts, 1);
    uint64_t spent = entry_of(service, ticket)->spent;
    cr_assert_eq(spent, 160, "what was spent counts");
    for (int i = 0; i < 5; i++) {
        move(ticket, at(199, 152 + i));
        frame_of(service, 10);
    }
    cr_assert_eq(seen_count, 0);
    drain(service, 100000);
    found_at(at(199, 156));
    cr_assert_eq(last()->restarts, 1, "it never began again");
    cr_assert_gt(last()->expansions, 210);
    cr_assert_eq(last()->number, 0);
}

Test(pursuit, a_target_that_walks_each_frame_is_caught) {
    map = rough_map(150, 150, 25, 7);
    IN_BATCH(map, wend_edit_fill_box(edit, (wend_box){at(0, 140), at(149, 149)}, WEND_CLASS_OPEN),
             wend_edit_fill_box(edit, (wend_box){at(0, 0), at(9, 149)}, WEND_CLASS_OPEN));
    wend_ticket ticket = submit_from_to(service, map, at(0, 0), at(149, 149), 0);
    uint64_t frames = 0;
    int32_t x = 149;
    for (; seen_count == 0; frames++) {
        cr_assert_lt(frames, 3000, "it never ends");
        x = frames % 200 < 100 ? x - 1 : x + 1;
        move(ticket, at(x, 145));
        frame_of(service, 37);
    }
    cr_assert_gt(frames, 50, "it took a while");
    found_at(at(x, 145));
}

Test(pursuit, the_same_goal_again_is_no_change) {
    map = moat_map(60);
    wend_ticket ticket = submit_from_to(service, map, at(0, 0), moat_goal(60), 0);
    for (int i = 0; i < 5; i++) {
        frame_of(service, 50);
        move(ticket, moat_goal(60));
    }
    drain(service, 100000);
    found_at(moat_goal(60));
    cr_assert_eq(last()->restarts, 0);
}

Test(pursuit, its_place_in_the_order_stays) {
    wend_service_def def = small_def();
    tuning.lanes = 1, tuning.fair = 0;
    service_anew(&def);
    map = moat_map(60);
    wend_ticket tickets[4];
    for (int i = 0; i < 4; i++) tickets[i] = submit_from_to(service, map, at(0, 0), moat_goal(60), 0);
    frame_of(service, 200);
    move(tickets[0], at(59, 59));
    drain(service, 500);
    cr_assert_eq(seen_log[0].completion.number, 0, "it went first");
    cr_assert_eq(seen_log[0].completion.restarts, 1);
    for (uint64_t i = 0; i < 4; i++) cr_assert_eq(seen_log[i].completion.number, i);
}

/* Three are finished, one is delivered; the others are to go elsewhere. */
Test(pursuit, what_waits_for_delivery_is_searched_again) {
    map = open_map(40, 40);
    wend_ticket tickets[3];
    for (int i = 0; i < 3; i++) tickets[i] = submit_from_to(service, map, at(0, 0), at(9, 9), 0);
    frame_delivering(service, 1);
    cr_assert_eq(seen_count, 1);
    cr_assert_eq(state_of(tickets[1]), WEND__FINISHED);
    cr_assert_eq(wend_service_set_goal(service, tickets[0], at(1, 1)), WEND_STALE_TICKET);
    move(tickets[2], at(39, 2));
    wend_frame frame = frame_delivering(service, 1);
    cr_assert_eq(seen_count, 2);
    cr_assert_eq(seen_log[1].completion.number, 1);
    cr_assert_eq(seen_log[1].completion.restarts, 0);
    cr_assert_eq(frame.outdated, 0);
    drain(service, 100000);
    found_at(at(39, 2));
    cr_assert_eq(last()->number, 2);
    cr_assert_eq(last()->restarts, 1);
    cr_assert_eq(service->paths.free_count, service->paths.count);
}

static wend_ticket second;
static void move_second(const seen *one) {
    if (one->completion.number == 0) move(second, at(30, 1));
}

Test(pursuit, in_a_callback_it_is_for_the_next_frame) {
    map = open_map(40, 40);
    submit_from_to(service, map, at(0, 0), at(9, 9), 0);
    second = submit_from_to(service, map, at(0, 0), at(8, 8), 0);
    seen_hook = move_second;
    frame_of(service, 100000);
    cr_assert_eq(seen_count, 2, "the frame under way delivers what it has");
    found_at(at(8, 8));
    wend_ticket other = submit_from_to(service, map, at(0, 0), at(7, 7), 0); /* the call was not for it */
    cr_assert_eq(other.index, second.index);
    frame_of(service, 100000);
    found_at(at(7, 7));
}

Test(pursuit, cancelled_requests_stay_cancelled) {
    map = open_map(40, 40);
    wend_ticket ticket = submit_from_to(service, map, at(0, 0), at(9, 9), 0);
    wend_service_cancel(service, ticket);
    move(ticket, at(5, 5));
    frame_of(service, 100000);
    cr_assert_eq(last()->status, WEND_STATUS_CANCELLED);
    for (int i = 0; i < 2; i++) ticket = submit_from_to(service, map, at(0, 0), at(9, 9), 0);
    wend_service_cancel(service, (wend_ticket){ticket.index, ticket.generation});
    frame_delivering(service, 1);
    cr_assert_eq(state_of(ticket), WEND__FINISHED, "cancelled, not delivered");
    move(ticket, at(5, 5));
    frame_of(service, 100000);
    cr_assert_eq(last()->status, WEND_STATUS_CANCELLED);
}

Test(pursuit, without_expansions_left_it_is_at_its_limit) {
    map = open_map(40, 40);
    wend_request request = request_on(service, map, at(0, 0), at(39, 30));
    submit(service, &request);
    wend_ticket ticket = submit(service, &request);
    frame_delivering(service, 1);
    uint64_t spent = entry_of(service, ticket)->spent;
    entry_of(service, ticket)->request.max_expansions = spent; /* as if submitted with this goal */
    move(ticket, at(0, 39));
    frame_of(service, 100000);
    cr_assert_eq(last()->status, WEND_STATUS_LIMIT);
    cr_assert_eq(last()->cell_count, 0);
    cr_assert_eq(last()->expansions, spent);
}

Test(pursuit, what_is_too_late_expires) {
    map = open_map(40, 40);
    wend_request request = request_on(service, map, at(0, 0), at(39, 30));
    submit(service, &request);
    request.deadline_frames = 1;
    wend_ticket ticket = submit(service, &request);
    frame_delivering(service, 1);
    cr_assert_eq(state_of(ticket), WEND__FINISHED, "found in time, but not delivered");
    move(ticket, at(0, 39));
    frame_of(service, 0);
    cr_assert_eq(last()->status, WEND_STATUS_EXPIRED);
    cr_assert_eq(last()->cell_count, 0);
}

Test(pursuit, urgency_and_goal_may_change_together) {
    map = moat_map(60);
    submit_from_to(service, map, at(0, 0), moat_goal(60), 1);
    submit_from_to(service, map, at(0, 0), moat_goal(60), 1);
    wend_ticket ticket = submit_from_to(service, map, at(0, 0), moat_goal(60), 0);
    frame_of(service, 100);
    cr_assert_eq(wend_service_set_urgency(service, ticket, 9), WEND_OK);
    move(ticket, at(5, 0));
    frame_of(service, 100);
    cr_assert_eq(last()->number, 2);
    found_at(at(5, 0));
}

Test(pursuit, further_goals_are_forgotten) {
    map = open_map(60, 60);
    const wend_cell more[] = {{3, 3, 0}, {4, 4, 0}};
    wend_request request = request_on(service, map, at(0, 0), at(50, 50));
    options_of(&request)->more_goals = more, options_of(&request)->more_goal_count = 2;
    wend_ticket ticket = submit(service, &request);
    uint32_t room = service->inbox.goals.free_count;
    move(ticket, at(50, 50)); /* the same, but without the others */
    frame_of(service, 0);
    cr_assert_eq(service->inbox.goals.free_count, room + 2);
    drain(service, 100000);
    found_at(at(50, 50));
}

/* ---- in every state, at random, and from another thread ---- */

/* Everything ends; the same calls give the same. */
static uint64_t random_pursuits(uint64_t seed, uint64_t *restarts) {
    wend_service_def def = small_def();
    def.nodes = (2 + draw(&seed, 9)) * WEND_PAGE_NODES;
    tuning.slice = 1 + draw(&seed, 100), tuning.lanes = 1 + draw(&seed, 3), tuning.goals = 20;
    tuning.evictions = draw(&seed, 3);
    wend_service *of_mine = service_of(&def);
    if (draw(&seed, 2)) shrink_arena(of_mine, 300);
    wend_map *rough = rough_map(90, 90, 30, 11);
    wend_ticket tickets[200];
    uint32_t count = 0;
    for (int frame = 0; frame < 150; frame++) {
        for (uint32_t i = draw(&seed, 3); i > 0 && count < 200 && wend_service_get_pending(of_mine) < 60; i--) {
            wend_cell more[5];
            for (int j = 0; j < 5; j++) more[j] = at((int32_t)draw(&seed, 90), (int32_t)draw(&seed, 90));
            wend_request request = request_on(of_mine, rough, more[3], more[4]);
            request.urgency = (int32_t)draw(&seed, 3);
            if (draw(&seed, 4) == 0) request.deadline_frames = 1 + draw(&seed, 20);
            if (draw(&seed, 4) == 0) options_of(&request)->max_expansions = draw(&seed, 900);
            if (draw(&seed, 4) == 0) request.mode = WEND_MODE_NEAREST;
            options_of(&request)->more_goals = more;
            options_of(&request)->more_goal_count = draw(&seed, 4);
            if (wend_service_submit(of_mine, &request, &tickets[count]) == WEND_OK) count++;
        }
        for (uint32_t i = draw(&seed, 8); i > 0 && count > 0; i--) {
            wend_ticket ticket = tickets[count - 1 - draw(&seed, count < 20 ? count : 20)];
            if (draw(&seed, 20) == 0) wend_service_cancel(of_mine, ticket);
            wend_service_set_goal(of_mine, ticket, at((int32_t)draw(&seed, 90), (int32_t)draw(&seed, 90)));
        }
        wend_budget budget = default_budget();
        budget.expansions = draw(&seed, 800);
        if (draw(&seed, 3) == 0) limits_of(&budget)->deliveries = draw(&seed, 3);
        if (draw(&seed, 5) == 0) limits_of(&budget)->intakes = 1;
        frame_with(of_mine, &budget);
    }
    drain(of_mine, 700);
    cr_assert_eq(seen_count, count);
    for (size_t i = 0; i < seen_count; i++) *restarts += (uint64_t)seen_log[i].completion.restarts;
    cr_assert_eq(of_mine->inbox.goals.free_count, 20);
    cr_assert_eq(of_mine->paths.free_count, of_mine->paths.count);
    cr_assert_eq(wend__pool_free_pages(&of_mine->pool), of_mine->pool.page_count);
    cr_assert_eq(of_mine->running, 0);
    cr_assert_eq(of_mine->holding, 0);
    wend_service_destroy(of_mine);
    wend_map_release(rough);
    uint64_t hash = seen_hash();
    seen_clear();
    return hash;
}

Test(pursuit, random_pursuits_all_end_and_can_be_replayed) {
    uint64_t restarts = 0;
    for (uint64_t seed = 0; seed < (uint64_t)few_or_many(40, 400); seed++) {
        uint64_t hash = random_pursuits(seed, &restarts);
        if (seed % 4 == 0) cr_assert_eq(hash, random_pursuits(seed, &restarts));
    }
    cr_assert_gt(restarts, 500, "%d", (int)restarts);
}

static wend_ticket chased[8];
static void *chase(void *context) {
    uint64_t seed = 77;
    (void)context;
    for (int i = 0; i < 20000; i++)
        wend_service_set_goal(service, chased[draw(&seed, 8)],
                              at((int32_t)draw(&seed, 100), (int32_t)draw(&seed, 100)));
    return NULL;
}

Test(pursuit, another_thread_may_move_goals) {
    map = rough_map(100, 100, 20, 5);
    for (int i = 0; i < 8; i++) chased[i] = submit_from_to(service, map, at(i, 0), at(99, 90 + i), 0);
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, chase, NULL), 0);
    for (int i = 0; i < 400 && wend_service_get_work(service) > 0; i++) frame_of(service, 200);
    cr_assert_eq(pthread_join(thread, NULL), 0);
    drain(service, 2000);
    cr_assert_eq(seen_count, 8);
}
