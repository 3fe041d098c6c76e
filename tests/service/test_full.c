/* SPDX-License-Identifier: MIT */
/* A full queue: places and pages for the urgent, displaced requests, how long it is; many requests and maps at once. */
#include "service/service_support.h"
#include "models/options.h"

#include <criterion/criterion.h>

static wend_service *service;
static wend_map *open;

static void make(uint32_t queue, uint32_t reserve, uint32_t displace) {
    wend_service_def def = small_def();
    def.path_bytes = (uint64_t)queue * 64 * 2;
    def.queue = queue, def.reserve = reserve, def.displace = displace;
    service = service_of(&def);
}

static void begin(void) {
    open = open_map(40, 40);
}

static void end(void) {
    end_service(service, open, NULL);
}

TestSuite(full, .init = begin, .fini = end);

static wend_error submit_far(int32_t urgency, wend_ticket *ticket) {
    wend_request request = request_on(service, open, at(0, 0), at(39, 39));
    request.urgency = urgency;
    return wend_service_submit(service, &request, ticket);
}

static wend_frame small_frame(void) {
    wend_budget budget = budget_of(0);
    return frame_with(service, &budget);
}

Test(full, keeps_places_for_the_urgent) {
    make(8, 3, 0);
    for (int i = 0; i < 5; i++) cr_assert_eq(submit_far(i % 2 - 1, NULL), WEND_OK);
    cr_assert_eq(submit_far(0, NULL), WEND_BUSY);
    cr_assert_eq(submit_far(-1000, NULL), WEND_BUSY);
    for (int i = 0; i < 3; i++) cr_assert_eq(submit_far(1, NULL), WEND_OK);
    cr_assert_eq(submit_far(1000, NULL), WEND_BUSY, "one past");
    wend_stats stats = stats_now(service);
    cr_assert_eq(stats.refused_busy, 3);
}

Test(full, may_keep_all_places_for_the_urgent_but_no_more) {
    make(2, 2, 0);
    cr_assert_eq(submit_far(0, NULL), WEND_BUSY);
    cr_assert_eq(submit_far(1, NULL), WEND_OK);
    wend_service_def def = small_def();
    def.reserve = def.queue + 1;
    cr_assert_eq(wend_service_bytes(&def), 0);
}

Test(full, displaces_the_least_urgent_and_of_those_the_newest) {
    make(4, 0, 1);
    const int32_t urgencies[] = {3, -2, -2, 3};
    for (int i = 0; i < 4; i++) cr_assert_eq(submit_far(urgencies[i], NULL), WEND_OK);
    cr_assert_eq(submit_far(-2, NULL), WEND_BUSY, "nobody is less urgent");
    cr_assert_eq(submit_far(3, NULL), WEND_OK);
    cr_assert_eq(submit_far(-1, NULL), WEND_OK);
    cr_assert_eq(submit_far(3, NULL), WEND_OK, "number 5, of -1, gives its place again");
    cr_assert_eq(submit_far(3, NULL), WEND_BUSY, "all that are less urgent have given their places");
    small_frame();
    cr_assert_eq(seen_count, 3);
    cr_assert_eq(seen_status(WEND_STATUS_DISPLACED), 3);
    cr_assert_not_null(seen_number(1));
    cr_assert_not_null(seen_number(2));
    cr_assert_not_null(seen_number(5));
    cr_assert_eq(seen_number(2)->completion.expansions, 0);
    cr_assert_eq(seen_number(2)->completion.frames, 1);
    cr_assert_eq(wend_service_get_pending(service), 4);
    cr_assert_eq(submit_far(4, NULL), WEND_OK);
    small_frame();
    cr_assert_eq(seen_number(6)->completion.status, WEND_STATUS_DISPLACED, "the newest of equals");
}

Test(full, finds_the_least_urgent_whatever_urgencies_were_set) {
    make(64, 0, 1);
    wend_ticket tickets[64];
    int32_t urgency[64];
    uint64_t state = 5;
    for (int i = 0; i < 64; i++) {
        urgency[i] = 0;
        cr_assert_eq(submit_far(0, &tickets[i]), WEND_OK);
    }
    small_frame();
    for (int i = 0; i < 64; i++) {
        urgency[i] = (int32_t)draw(&state, 7);
        cr_assert_eq(wend_service_set_urgency(service, tickets[i], urgency[i]), WEND_OK);
    }
    small_frame();
    for (int taken = 0; taken < 40; taken++) {
        int least = -1;
        for (int i = 0; i < 64; i++)
            if (urgency[i] < 1000 && (least < 0 || urgency[i] <= urgency[least])) least = i;
        cr_assert_eq(submit_far(1000, NULL), WEND_OK);
        small_frame();
        cr_assert_eq(seen_count, (size_t)taken + 1);
        cr_assert_eq(seen_log[taken].completion.number, (uint64_t)least);
        urgency[least] = 1000;
    }
}

Test(full, tells_neighbours_apart_at_both_ends_of_the_urgencies) {
    static const int32_t less[] = {WEND_URGENCY_MIN, WEND_URGENCY_MIN + 1, -1, 0, WEND_URGENCY_MAX - 1};
    for (size_t k = 0; k < sizeof less / sizeof less[0]; k++) {
        make(1, 0, 1);
        cr_assert_eq(submit_far(less[k], NULL), WEND_OK);
        cr_expect_eq(submit_far(less[k], NULL), WEND_BUSY, "%d", less[k]);
        cr_expect_eq(submit_far(less[k] + 1, NULL), WEND_OK, "%d", less[k]);
        small_frame();
        cr_expect_eq(wend_service_get_pending(service), 1);
        if (k + 1 < sizeof less / sizeof less[0]) wend_service_destroy(service);
    }
}

Test(full, takes_the_place_of_a_cancelled_one_first) {
    make(2, 0, 1);
    wend_ticket second;
    cr_assert_eq(submit_far(0, NULL), WEND_OK);
    cr_assert_eq(submit_far(0, &second), WEND_OK);
    cr_assert_eq(submit_far(1, NULL), WEND_OK);
    cr_assert_eq(wend_service_cancel(service, second), WEND_OK);
    small_frame();
    cr_assert_eq(seen_count, 1);
    cr_assert_eq(seen_log[0].completion.status, WEND_STATUS_CANCELLED);
    cr_assert_eq(wend_service_get_pending(service), 2);
}

Test(full, displaces_no_search_in_flight) {
    make(2, 0, 1);
    wend_budget budget = budget_of(10);
    for (int i = 0; i < 2; i++) {
        wend_request request = request_on(service, open, at(0, 0), at(39, 38));
        options_of(&request)->engine = WEND_ENGINE_ASTAR, options_of(&request)->heuristic = WEND_HEURISTIC_ZERO;
        cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_OK);
    }
    wend_frame frame = frame_with(service, &budget);
    cr_assert_eq(frame.running, 2, "the case occurred");
    cr_assert_eq(submit_far(9, NULL), WEND_BUSY);
}

Test(full, says_how_many_frames_its_length_means) {
    make(64, 0, 0);
    cr_assert_eq(wend_service_get_wait(service), 0);
    for (int i = 0; i < 60; i++) cr_assert_eq(submit_far(0, NULL), WEND_OK);
    cr_assert_eq(wend_service_get_wait(service), WEND_NO_LIMIT, "no frame has served any yet");
    for (int i = 0; i < 20; i++) frame_delivering(service, 2);
    cr_assert_eq(wend_service_get_pending(service), 20);
    cr_assert_eq(wend_service_get_wait(service), 10);
    for (int i = 0; i < 10; i++) frame_delivering(service, 2);
    cr_assert_eq(wend_service_get_wait(service), 0);
}

Test(full, counts_a_part_of_a_frame_as_one) {
    make(64, 0, 0);
    for (int i = 0; i < 5; i++) cr_assert_eq(submit_far(0, NULL), WEND_OK);
    frame_delivering(service, 2);
    cr_assert_eq(wend_service_get_pending(service), 3);
    cr_assert_eq(wend_service_get_wait(service), 2, "one and a half");
    for (int i = 0; i < 2; i++) frame_delivering(service, 2);
    for (int i = 0; i < 4; i++) cr_assert_eq(submit_far(0, NULL), WEND_OK);
    for (int i = 0; i < 150; i++) small_frame();
    cr_assert_eq(wend_service_get_pending(service), 4);
    cr_assert_eq(wend_service_get_wait(service), (4 * 65536 + 6) / 7, "the pace has fallen to 7 of 65,536 a frame");
}

Test(full, cancels_all_requests_of_one_map_of_sixty_four) {
    enum { MAPS = 64, EACH = 50 };
    make(MAPS * EACH, 0, 0);
    wend_map *maps[MAPS];
    size_t count;
    for (int i = 0; i < MAPS; i++) maps[i] = open_map(12, 12);
    for (int i = 0; i < MAPS * EACH; i++) submit_from_to(service, maps[i % MAPS], at(0, 0), at(11, 11), i % 3);
    cr_assert_eq(wend_service_cancel_map(service, NULL, &count), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_service_cancel_map(service, open, &count), WEND_OK);
    cr_assert_eq(count, 0);
    for (int i = 0; i < MAPS; i += 4) {
        cr_assert_eq(wend_service_cancel_map(service, maps[i], &count), WEND_OK);
        cr_assert_eq(count, EACH);
        cr_assert_eq(wend_service_cancel_map(service, maps[i], &count), WEND_OK);
        cr_assert_eq(count, 0, "each once");
        wend_map_release(maps[i]); /* pending requests hold the map */
    }
    const wend_frame frame = frame_of(service, WEND_NO_LIMIT);
    cr_assert_eq(frame.deliveries, MAPS * EACH, "64 maps in one frame");
    for (size_t i = 0; i < seen_count; i++) {
        const wend_completion *c = &seen_log[i].completion;
        cr_assert_eq(c->number, i);
        cr_assert_eq(c->status, i % 4 == 0 ? WEND_STATUS_CANCELLED : WEND_STATUS_FOUND);
        cr_assert(i % 4 != 0 || c->expansions == 0);
    }
    for (int i = 0; i < MAPS; i++)
        if (i % 4 != 0) wend_map_release(maps[i]);
}

/* Searches that are not urgent use every page, except the reserve. */
Test(full, keeps_pages_for_the_urgent_and_gives_them_where_nothing_else_goes_on) {
    enum { SIDE = 512 };
    OWNED_MAP *large = open_map(SIDE, SIDE);
    uint64_t expansions[2];
    for (int reserve = 0; reserve < 2; reserve++) {
        wend_service_def def = small_def();
        def.nodes = 16 * WEND_PAGE_NODES, def.reserve = reserve ? def.queue / 2 : 0;
        service = service_of(&def);
        wend_request request = request_on(service, large, at(0, 0), at(SIDE - 1, 0));
        options_of(&request)->engine = WEND_ENGINE_ASTAR;
        cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_OK);
        drain(service, WEND_NO_LIMIT);
        cr_assert_eq(seen_count, 1);
        cr_assert_eq(seen_log[0].completion.status, WEND_STATUS_FOUND, "alone it gets what it needs");
        expansions[reserve] = seen_log[0].completion.expansions;
        seen_clear();
        if (reserve == 0) cr_assert_eq(wend_service_destroy(service), WEND_OK);
    }
    cr_assert_eq(expansions[0], expansions[1]);
}
