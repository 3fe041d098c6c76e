/* SPDX-License-Identifier: MIT */
/* Requests that are alike share a search: one search, a completion each, and whatever a host does to one of them is
 * done to that one alone. */
#include "service/suite.h"
#include "service/share/share.h"
#include "models/options.h"

#include <wend/ways.h>

static wend_request request;

/* A search of some 400 expansions from corner to corner of a snake. */
static void begin(uint32_t share) {
    wend_service_def def = small_def();
    def.share = share;
    tuning.lanes = 1;
    map = snake_map(39, 19);
    service = service_of(&def);
    request = request_on(service, map, at(0, 0), at(38, 18));
    options_of(&request)->engine = WEND_ENGINE_ASTAR;
}

/* Expansions of the search alone. */
static uint64_t spent_alone(void) {
    begin(0);
    submit(service, &request);
    drain(service, 1000);
    const uint64_t spent = seen_number(0)->completion.expansions;
    end();
    return spent;
}

static uint64_t spent_by_all(void) {
    uint64_t sum = 0;
    for (size_t i = 0; i < seen_count; i++) sum += seen_log[i].completion.expansions;
    return sum;
}

Test(share, requests_that_are_alike_run_one_search_and_end_each) {
    const uint64_t alone = spent_alone();
    begin(1);
    for (int i = 0; i < 20; i++) submit(service, &request);
    drain(service, 100);
    cr_assert_eq(seen_count, 20);
    for (size_t i = 0; i < 20; i++) {
        const wend_completion *each = &seen_log[i].completion, *first = &seen_log[0].completion;
        cr_assert_eq(each->number, i);
        cr_assert_eq(each->status, WEND_STATUS_FOUND);
        cr_assert_eq(each->shared, 1);
        cr_assert_eq(each->cost, first->cost);
        cr_assert_eq(each->expansions, i == 0 ? alone : 0);
        cr_assert_eq(each->cell_count, first->cell_count);
        cr_assert_arr_eq(seen_log[i].cells, seen_log[0].cells, each->cell_count * sizeof(wend_cell));
        cr_assert_eq(seen_log[i].frame, seen_log[0].frame);
        cr_assert_eq(each->wait_frames, 1);
    }
    wend_stats stats = stats_now(service);
    cr_assert_eq(stats.shared, 20);
    cr_assert_eq(stats.expansions, alone);
    end();
}

Test(share, one_alone_does_not_say_so) {
    begin(1);
    submit(service, &request);
    drain(service, 100);
    cr_assert_eq(seen_log[0].completion.shared, 0);
    submit(service, &request);
    drain(service, 100);
    cr_assert_eq(seen_log[1].completion.shared, 0);
    cr_assert_gt(seen_log[1].completion.expansions, 0);
    end();
}

Test(share, another_option_is_another_search) {
    const uint64_t alone = spent_alone();
    begin(1);
    submit(service, &request);
    wend_request other = request;
    other.start = at(1, 0);
    submit(service, &other);
    other = request, other.goal = at(38, 17);
    submit(service, &other);
    other = request, options_of(&other)->weight_milli = 2000;
    submit(service, &other);
    other = request, other.mode = WEND_MODE_NEAREST;
    submit(service, &other);
    other = request, options_of(&other)->occupied = WEND_OCCUPIED_BLOCK;
    submit(service, &other);
    drain(service, 100);
    cr_assert_eq(seen_count, 6);
    for (size_t i = 0; i < 6; i++) cr_assert_eq(seen_log[i].completion.shared, 0);
    cr_assert_gt(spent_by_all(), 5 * alone / 2);
    end();
}

Test(share, a_request_that_comes_later_joins_the_search_under_way) {
    const uint64_t alone = spent_alone();
    begin(1);
    submit(service, &request);
    frame_of(service, alone / 2);
    submit(service, &request);
    frame_of(service, alone / 4);
    drain(service, 100);
    cr_assert_eq(spent_by_all(), alone);
    cr_assert_eq(seen_number(1)->completion.wait_frames, 1);
    cr_assert_eq(seen_number(1)->completion.shared, 1);
    end();
}

Test(share, a_newer_map_is_another_search) {
    const uint64_t alone = spent_alone();
    begin(1);
    submit(service, &request);
    frame_of(service, alone / 2);
    wend_edit *edit = begin_edit(map);
    wend_edit_set_cell(edit, at(1, 9), WEND_CLASS_OPEN);
    wend_edit_publish(edit, NULL);
    submit(service, &request);
    drain(service, 100);
    cr_assert_eq(seen_number(0)->completion.shared, 0);
    cr_assert_eq(seen_number(1)->completion.shared, 0);
    cr_assert_gt(seen_number(1)->completion.expansions, 0);
    end();
}

Test(share, the_search_outlives_its_first_request) {
    const uint64_t alone = spent_alone();
    begin(1);
    wend_ticket tickets[3];
    for (int i = 0; i < 3; i++) tickets[i] = submit(service, &request);
    frame_of(service, alone / 2);
    cr_assert_eq(wend_service_cancel(service, tickets[0]), WEND_OK);
    frame_of(service, alone / 4);
    cr_assert_eq(seen_number(0)->completion.status, WEND_STATUS_CANCELLED);
    cr_assert_eq(seen_number(0)->completion.expansions, alone / 2);
    drain(service, 100);
    cr_assert_eq(seen_number(1)->completion.status, WEND_STATUS_FOUND);
    cr_assert_eq(seen_number(1)->completion.expansions, alone - alone / 2);
    cr_assert_eq(seen_number(2)->completion.expansions, 0);
    cr_assert_eq(seen_number(1)->completion.restarts, 0);
    cr_assert_eq(spent_by_all(), alone);
    end();
}

Test(share, the_search_ends_when_the_last_request_goes) {
    const uint64_t alone = spent_alone();
    begin(1);
    wend_ticket tickets[5];
    for (int i = 0; i < 5; i++) tickets[i] = submit(service, &request);
    frame_of(service, alone / 2);
    for (int i = 0; i < 5; i++) cr_assert_eq(wend_service_cancel(service, tickets[i]), WEND_OK);
    drain(service, 1000);
    cr_assert_eq(seen_status(WEND_STATUS_CANCELLED), 5);
    cr_assert_eq(spent_by_all(), alone / 2);
    cr_assert_eq(service->running, 0);
    end();
}

Test(share, it_is_as_urgent_as_its_most_urgent_request) {
    begin(1);
    wend_request rival = request;
    rival.goal = at(38, 17), rival.urgency = 5;
    submit(service, &request);
    submit(service, &rival);
    frame_of(service, 60); /* the rival's slices come first */
    const wend_ticket urgent = submit(service, &request);
    cr_assert_eq(wend_service_set_urgency(service, urgent, 10), WEND_OK);
    drain(service, 50);
    cr_assert_lt(seen_number(0)->frame, seen_number(1)->frame);
    cr_assert_eq(seen_number(0)->frame, seen_number(2)->frame);
    cr_assert_gt(seen_number(2)->completion.expansions, 0, "the first in order pays");
    end();
}

Test(share, a_deadline_ends_its_own_request_alone) {
    const uint64_t alone = spent_alone();
    begin(1);
    request.deadline_frames = 3;
    submit(service, &request);
    request.deadline_frames = WEND_NO_LIMIT;
    submit(service, &request);
    request.deadline_frames = 4;
    submit(service, &request);
    drain(service, alone / 8);
    cr_assert_eq(seen_number(0)->completion.status, WEND_STATUS_EXPIRED);
    cr_assert_eq(seen_number(0)->frame, 3);
    cr_assert_eq(seen_number(1)->completion.status, WEND_STATUS_FOUND);
    cr_assert_eq(seen_number(2)->completion.status, WEND_STATUS_EXPIRED);
    cr_assert_eq(seen_number(2)->frame, 4);
    cr_assert_eq(spent_by_all(), alone);
    end();
}

Test(share, a_limit_counts_from_joining_on) {
    const uint64_t alone = spent_alone();
    begin(1);
    options_of(&request)->max_expansions = alone - 10;
    submit(service, &request); /* ends before the search does */
    frame_of(service, alone / 2);
    submit(service, &request); /* sees its end */
    options_of(&request)->max_expansions = 20;
    submit(service, &request);
    drain(service, 1);
    cr_assert_eq(seen_number(2)->completion.status, WEND_STATUS_LIMIT);
    cr_assert_eq(seen_number(2)->frame, 1 + 20);
    cr_assert_eq(seen_number(0)->completion.status, WEND_STATUS_LIMIT);
    cr_assert_eq(seen_number(0)->completion.expansions, alone - 10);
    cr_assert_eq(seen_number(1)->completion.status, WEND_STATUS_FOUND);
    cr_assert_eq(seen_number(1)->completion.expansions, 10);
    end();
}

Test(share, equal_limits_end_as_alone) {
    const uint64_t alone = spent_alone();
    for (uint64_t most = alone - 1; most <= alone; most++) {
        begin(1);
        options_of(&request)->max_expansions = most;
        for (int i = 0; i < 3; i++) submit(service, &request);
        drain(service, 100);
        cr_assert_eq(seen_status(most < alone ? WEND_STATUS_LIMIT : WEND_STATUS_FOUND), 3);
        end();
    }
}

Test(share, a_moved_goal_leaves_the_others) {
    const uint64_t alone = spent_alone();
    begin(1);
    wend_ticket tickets[3];
    for (int i = 0; i < 3; i++) tickets[i] = submit(service, &request);
    frame_of(service, alone / 2);
    cr_assert_eq(wend_service_set_goal(service, tickets[0], at(2, 0)), WEND_OK);
    cr_assert_eq(wend_service_set_goal(service, tickets[2], at(4, 0)), WEND_OK);
    drain(service, 100);
    cr_assert_eq(seen_number(0)->cells[seen_number(0)->completion.cell_count - 1].x, 2);
    cr_assert_eq(seen_number(2)->cells[seen_number(2)->completion.cell_count - 1].x, 4);
    cr_assert_eq(seen_number(1)->completion.restarts, 0);
    cr_assert_eq(seen_number(1)->completion.expansions, alone - alone / 2);
    end();
}

Test(share, all_are_told_that_there_is_no_path) {
    begin(1);
    wend_edit *edit = NULL; /* a step in one direction only: components cannot tell */
    cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
    wend_edit_set_step(edit, at(0, 17), at(0, 18), false);
    wend_edit_set_step(edit, at(38, 17), at(38, 18), false);
    wend_edit_publish(edit, NULL);
    for (int i = 0; i < 4; i++) submit(service, &request);
    drain(service, 100);
    cr_assert_eq(seen_count, 4);
    for (size_t i = 0; i < 4; i++) cr_assert_eq(seen_log[i].completion.status, seen_log[0].completion.status);
    end();
}

Test(share, a_prefix_is_that_of_the_search) {
    const uint64_t alone = spent_alone();
    begin(1);
    wend_ticket tickets[2];
    for (int i = 0; i < 2; i++) tickets[i] = submit(service, &request);
    frame_of(service, alone / 2);
    wend_prefix own = {.struct_bytes = sizeof own}, other = own;
    wend_cell cells[2][800];
    cr_assert_eq(wend_service_get_prefix(service, tickets[0], cells[0], 800, &own), WEND_OK);
    cr_assert_eq(wend_service_get_prefix(service, tickets[1], cells[1], 800, &other), WEND_OK);
    cr_assert_eq(own.cell_count, other.cell_count);
    cr_assert_arr_eq(cells[0], cells[1], own.cell_count * sizeof(wend_cell));
    end();
}

/* ---- heap ---- */

Test(share, members_come_in_order_of_service) {
    enum { COUNT = 200 };
    wend_service_def def = small_def();
    def.share = 1, def.queue = COUNT;
    service = service_of(&def);
    map = snake_map(39, 19);
    request = request_on(service, map, at(0, 0), at(38, 18));
    uint64_t random = 7;
    for (uint32_t i = 0; i < COUNT; i++) {
        request.urgency = (int32_t)draw(&random, 9);
        submit(service, &request);
    }
    frame_of(service, 1);
    wend__group *group = NULL;
    for (uint32_t i = 0; i < COUNT && !group; i++) group = wend__group_of(service, i);
    cr_assert_not_null(group);
    cr_assert_eq(group->count, COUNT - 1);
    while (group->count > 1) {
        const uint32_t first = group->first;
        const uint32_t some = draw(&random, COUNT);
        cr_assert(wend__member_heap_before(service, group->leader, first));
        if (some != first && service->entries[some].state == WEND__JOINED && draw(&random, 2)) {
            wend__member_heap_remove(service, group, some);
            wend__member_heap_add(service, group, some);
        }
        cr_assert_eq(group->first, first);
        wend__member_heap_remove(service, group, first);
        service->entries[first].state = WEND__BARRED;
        cr_assert(wend__member_heap_before(service, first, group->first));
        wend__group probe = *group;
        cr_assert_eq(probe.count, group->count);
    }
    wend_map_release(map); /* the service is not used any more: its requests were taken apart */
}
