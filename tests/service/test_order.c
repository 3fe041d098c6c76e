/* SPDX-License-Identifier: MIT */
/* The order of service: urgency, postponed requests, submission number, the fair lane, lists. */
#include "service/service_support.h"

#include <criterion/criterion.h>

/* With one lane the order of running is the order of service. */
static wend_service_def one_lane(void) {
    wend_service_def def = small_def();
    tuning.lanes = 1, tuning.fair = 0;
    return def;
}

Test(order, the_more_urgent_is_finished_first) {
    wend_service_def def = one_lane();
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *moat = moat_map(40);
    const int32_t urgency[] = {-1000, 5, 1000, 5, 999};
    for (int i = 0; i < 5; i++) submit_from_to(service, moat, at(i, 0), moat_goal(40), urgency[i]);
    drain(service, 400);
    const uint64_t expected[] = {2, 4, 1, 3, 0};
    cr_assert_eq(seen_count, 5);
    for (int i = 0; i < 5; i++) cr_assert_eq(seen_log[i].completion.number, expected[i]);
    for (int i = 1; i < 5; i++) cr_assert_gt(seen_log[i].frame, seen_log[i - 1].frame);
}

Test(order, an_urgent_request_preempts_and_the_parked_search_goes_on) {
    wend_service_def def = one_lane();
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *moat = moat_map(100);
    uint64_t alone = cost_of_flood(moat, 100);
    submit_from_to(service, moat, at(0, 0), moat_goal(100), 0);
    frame_of(service, 1000);
    submit_from_to(service, moat, at(1, 0), moat_goal(100), 1);
    wend_frame frame = frame_of(service, 1000);
    cr_assert_eq(frame.running, 2, "one runs, one is parked");
    drain(service, 1000);
    cr_assert_eq(seen_log[0].completion.number, 1);
    cr_assert_eq(seen_log[1].completion.number, 0);
    cr_assert_eq(seen_log[1].completion.expansions, alone, "nothing of it was lost");
    cr_assert_eq(seen_log[1].completion.restarts, 0);
}

Test(order, set_urgency_moves_a_request_and_the_last_call_wins) {
    wend_service_def def = one_lane();
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *moat = moat_map(40);
    submit_from_to(service, moat, at(0, 0), moat_goal(40), 0);
    submit_from_to(service, moat, at(1, 0), moat_goal(40), 0);
    wend_ticket third = submit_from_to(service, moat, at(2, 0), moat_goal(40), 0);
    cr_assert_eq(wend_service_set_urgency(service, third, 1001), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_service_set_urgency(service, third, -1001), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_service_set_urgency(service, third, -5), WEND_OK); /* before it is taken in */
    frame_of(service, 200);
    cr_assert_eq(wend_service_set_urgency(service, third, -7), WEND_OK);
    cr_assert_eq(wend_service_set_urgency(service, third, 7), WEND_OK);
    frame_of(service, 200);
    const wend__entry *entry = entry_of(service, third);
    cr_assert_eq(entry->spent, 200, "it runs now");
    cr_assert_eq(service->entries[0].spent, 200);
    cr_assert_eq(wend_service_set_urgency(service, third, -7), WEND_OK); /* while parked */
    drain(service, 400);
    cr_assert_eq(seen_log[2].completion.number, 2);
}

Test(order, a_search_is_postponed_after_a_quantum) {
    wend_service_def def = one_lane();
    tuning.quantum = 500;
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *moat = moat_map(100), *open = open_map(30, 30);
    submit_from_to(service, moat, at(0, 0), moat_goal(100), 0); /* thousands */
    submit_from_to(service, open, at(0, 0), at(29, 29), 0);     /* about thirty */
    frame_of(service, 450);
    cr_assert_eq(seen_count, 0, "not before its quantum is over");
    frame_of(service, 450);
    cr_assert_eq(seen_count, 1);
    cr_assert_eq(seen_log[0].completion.number, 1);
    submit_from_to(service, open, at(0, 0), at(29, 29), -1); /* goes behind equals only */
    for (int i = 0; i < 8; i++) frame_of(service, 500);
    cr_assert_eq(seen_count, 1);
    drain(service, 5000);
    cr_assert_eq(seen_log[1].completion.number, 0);
}

Test(order, being_postponed_does_not_outweigh_urgency) {
    wend_service_def def = one_lane();
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *open = open_map(30, 30);
    const wend_ticket urgent = submit_from_to(service, open, at(0, 0), at(29, 29), 0);
    const wend_ticket fresh = submit_from_to(service, open, at(0, 0), at(29, 29), -1);
    frame_of(service, 0);
    wend__entry *first = entry_of(service, urgent), *second = entry_of(service, fresh);
    const uint32_t indexes[2] = {(uint32_t)(first - service->entries), (uint32_t)(second - service->entries)};
    first->postponed = true;
    cr_assert(wend__order_before(service, indexes[0], indexes[1]));
    cr_assert_not(wend__order_before(service, indexes[1], indexes[0]));
    second->request.urgency = 0;
    cr_assert(wend__order_before(service, indexes[1], indexes[0]), "among equals it counts before number");
    second->request.urgency = -1, first->postponed = false;
    drain(service, 1000);
}

/* Searches dealt later and not begun, and ended ones, hold slots until the round is settled. */
Test(order, a_search_is_postponed_whatever_the_other_lanes_were_dealt) {
    wend_service_def def = small_def();
    tuning.lanes = 4, tuning.searches = 16, tuning.list = 8;
    tuning.slice = 500, tuning.quantum = 1000, tuning.fair = 0;
    def.queue = 1024;
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *moat = moat_map(126), *open = open_map(30, 30);
    for (int i = 0; i < 60; i++) submit_from_to(service, open, at(0, 0), at(29, 29), 0);
    wend_ticket ticket = submit_from_to(service, moat, at(0, 0), moat_goal(126), 0);
    for (int i = 0; i < 900; i++) submit_from_to(service, open, at(0, 0), at(29, 29), 0);
    frame_of(service, 0);
    const wend__entry *entry = entry_of(service, ticket);
    while (seen_count < 960) {
        frame_of(service, 2000);
        cr_assert_leq(entry->spent, tuning.quantum + tuning.slice);
    }
    cr_assert(entry->postponed);
}

/* A stream of urgent requests that need all there is, and an old one. Returns frames until its delivery, or `most`. */
static uint64_t frames_under_stream(uint32_t fair, uint64_t most, uint64_t *urgent_done) {
    wend_service_def def = small_def();
    tuning.fair = fair, tuning.lanes = 4;
    wend_service *service = service_of(&def);
    wend_map *moat = moat_map(60);
    submit_from_to(service, moat, at(0, 0), moat_goal(60), -10);
    uint64_t frames = 0;
    for (; frames < most && !seen_number(0); frames++) {
        while (wend_service_get_pending(service) < 10) submit_from_to(service, moat, at(1, 1), moat_goal(60), 10);
        wend_frame frame = frame_of(service, 1600);
        cr_assert_eq(frame.expansions, 1600);
    }
    *urgent_done = seen_count - (seen_number(0) != NULL);
    wend_service_destroy(service);
    wend_map_release(moat);
    seen_clear();
    return frames;
}

Test(order, the_fair_lane_bounds_the_wait_under_a_stream_of_urgent_requests) {
    wend_map *moat = moat_map(60);
    uint64_t cost = cost_of_flood(moat, 60), urgent;
    wend_map_release(moat);
    /* An eighth of 1,600 a frame, in slices of 50: 4 of 32 lanes. */
    uint64_t frames = frames_under_stream(8, 1000, &urgent);
    cr_assert_leq(frames, cost / 200 + 2);
    cr_assert_geq(frames, cost / 200, "and it gets no more than that");
    cr_assert_geq(urgent, frames * 1400 / cost - 5, "the urgent keep seven eighths");
}

Test(order, without_a_fair_lane_urgency_is_strict) {
    wend_map *moat = moat_map(60);
    const uint64_t cost = cost_of_flood(moat, 60);
    uint64_t urgent;
    wend_map_release(moat);
    cr_assert_eq(frames_under_stream(0, 200, &urgent), 200, "it waits for ever");
    cr_assert_geq(urgent, 200 * 1600 / cost - 5, "the urgent have all of it");
}

Test(order, the_fair_share_counts_dealt_lanes_over_rounds_and_frames) {
    wend_service_def def = one_lane();
    tuning.fair = 8;
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *moat = moat_map(100);
    submit_from_to(service, moat, at(0, 0), moat_goal(100), 0);
    submit_from_to(service, moat, at(1, 0), moat_goal(100), 1);
    for (int i = 1; i <= 24; i++) {
        frame_of(service, 10); /* a lane a frame */
        cr_assert_eq(service->entries[0].spent, (uint64_t)(i / 8) * 10, "frame %d", i);
    }
    frame_of(service, 0);
    cr_assert_eq(service->lanes_scheduled, 24, "no lane is dealt where nothing runs");
}

Test(order, the_fair_lane_serves_the_next_oldest_where_the_oldest_is_dealt) {
    wend_service_def def = small_def();
    tuning.lanes = 2, tuning.fair = 2, tuning.list = 1;
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *moat = moat_map(100);
    submit_from_to(service, moat, at(0, 0), moat_goal(100), 9);
    submit_from_to(service, moat, at(1, 0), moat_goal(100), 0);
    submit_from_to(service, moat, at(2, 0), moat_goal(100), 5);
    frame_of(service, 100);
    cr_assert_eq(service->entries[0].spent, 50);
    cr_assert_eq(service->entries[1].spent, 50);
    cr_assert_eq(service->entries[2].spent, 0);
}

Test(order, short_searches_share_a_round) {
    uint64_t rounds[2];
    OWNED_MAP *open = open_map(20, 20);
    for (uint32_t i = 0; i < 2; i++) {
        wend_service_def def = small_def();
        tuning.slice = 1000, tuning.searches = 64, tuning.list = i == 0 ? 1 : 16;
        wend_service *service = service_of(&def);
        for (int j = 0; j < 64; j++) submit_from_to(service, open, at(0, 0), at(9, 9), 0);
        wend_frame frame = frame_of(service, 100000);
        rounds[i] = frame.rounds;
        cr_assert_eq(seen_status(WEND_STATUS_FOUND), 64);
        wend_service_destroy(service);
        seen_clear();
    }
    cr_assert_eq(rounds[0], 32, "a list of one: two searches a round");
    cr_assert_leq(rounds[1], 12);
}

Test(order, what_a_lane_did_not_reach_is_not_running) {
    wend_service_def def = one_lane();
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *moat = moat_map(80);
    for (int i = 0; i < 6; i++) submit_from_to(service, moat, at(i, 0), moat_goal(80), 0);
    service->list_length = 4; /* as after a round of short searches */
    wend_frame frame = frame_of(service, 50);
    cr_assert_eq(service->lanes[0].count, 4);
    cr_assert_eq(frame.running, 1);
    cr_assert_eq(frame.waiting, 5);
}

Test(order, what_a_lane_does_not_use_comes_back) {
    wend_service_def def = small_def();
    tuning.lanes = 4, tuning.slice = 1000000, tuning.list = 1;
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *moat = moat_map(80), *open = open_map(10, 10);
    submit_from_to(service, moat, at(0, 0), moat_goal(80), 0);
    for (int i = 0; i < 3; i++) submit_from_to(service, open, at(0, 0), at(3, 3), 0);
    wend_frame frame = frame_of(service, 4000);
    cr_assert_eq(seen_count, 3);
    cr_assert_eq(frame.expansions, 4000);
    cr_assert_gt(frame.rounds, 1);
}
