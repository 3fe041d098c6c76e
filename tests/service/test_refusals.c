/* SPDX-License-Identifier: MIT */
/* S15: refusals wait for their delivery while the map changes. A refusal for a blocked end is true on the map of
 * hand-over. */
#include "service/suite.h"
#include "models/options.h"

static void begin(void) {
    begin_small();
    map = open_map(20, 20);
}

TestSuite(refusals, .init = begin, .fini = end);

static void put_class(wend_cell cell, uint8_t terrain) {
    cr_assert_eq(wend_map_set_cell(map, cell, terrain, NULL), WEND_OK);
}

/* Two requests, and a frame that delivers only the first: the other has its answer, and waits. */
static void answer_behind_another(const wend_request *request) {
    submit_from_to(service, map, at(0, 0), at(0, 0), 0);
    submit(service, request);
    frame_delivering(service, 1);
    cr_assert_eq(wend__finished_count(service), 1);
}

Test(refusals, an_end_that_opened_meanwhile_is_searched) {
    for (int goal = 0; goal < 2; goal++) {
        wend_request request = request_on(service, map, at(3, 3), at(9, 3));
        wend_cell blocked = goal ? request.goal : request.start;
        put_class(blocked, WEND_CLASS_BLOCKED);
        answer_behind_another(&request);
        put_class(blocked, WEND_CLASS_OPEN);
        drain(service, 1000);
        cr_assert_eq(last()->status, WEND_STATUS_FOUND);
        cr_assert_eq(last()->cost, 60);
        cr_assert_eq(last()->restarts, 1);
    }
}

Test(refusals, or_is_stale_where_it_may_not_be_searched) {
    put_class(at(9, 3), WEND_CLASS_BLOCKED);
    wend_request request = request_on(service, map, at(3, 3), at(9, 3));
    options_of(&request)->on_stale = WEND_ON_STALE_DELIVER;
    answer_behind_another(&request);
    put_class(at(9, 3), WEND_CLASS_OPEN);
    drain(service, 1000);
    cr_assert_eq(last()->status, WEND_STATUS_STALE);
    cr_assert_eq(last()->cell_count, 0);
    cr_assert_eq(last()->checked, 2);
}

Test(refusals, one_that_stands_has_the_version_of_hand_over) {
    put_class(at(9, 3), WEND_CLASS_BLOCKED);
    wend_request request = request_on(service, map, at(3, 3), at(9, 3));
    answer_behind_another(&request);
    put_class(at(3, 3), WEND_CLASS_BLOCKED);
    drain(service, 1000);
    cr_assert_eq(last()->status, WEND_STATUS_START_BLOCKED, "looked at before the goal");
    cr_assert_eq(last()->epoch, 2);
    cr_assert_eq(last()->checked, 2);
}

/* Refusals at the beginning of a search, on a later version than the intake's, which wait for delivery. */
Test(refusals, what_a_search_is_told_at_its_beginning_is_looked_at_again) {
    submit_from_to(service, map, at(0, 0), at(0, 19), 0);
    wend_request request = request_on(service, map, at(3, 3), at(9, 3));
    submit(service, &request);
    frame_of(service, 0);
    put_class(at(3, 3), WEND_CLASS_BLOCKED);
    frame_delivering(service, 1);
    cr_assert_eq(wend__finished_count(service), 1);
    cr_assert_eq(service->entries[a_finished(service)].status, WEND_STATUS_START_BLOCKED);
    put_class(at(3, 3), WEND_CLASS_OPEN);
    drain(service, 1000);
    cr_assert_eq(last()->status, WEND_STATUS_FOUND);
    cr_assert_eq(last()->epoch, 2);
}

/* No way out of the cell it was built over, to the other goal; then the cell is open, and it is a goal itself. */
Test(refusals, a_start_that_became_open_and_will_do_is_a_path_of_one_cell) {
    for (int32_t y = 0; y < 20; y++) put_class(at(10, y), WEND_CLASS_BLOCKED);
    put_class(at(3, 3), WEND_CLASS_BLOCKED);
    const wend_cell beyond = at(15, 3);
    wend_request request = request_on(service, map, at(3, 3), at(3, 3));
    options_of(&request)->leave_blocked_start = true;
    options_of(&request)->more_goals = &beyond, options_of(&request)->more_goal_count = 1;
    answer_behind_another(&request);
    put_class(at(3, 3), WEND_CLASS_OPEN);
    drain(service, 1000);
    cr_assert_eq(last()->status, WEND_STATUS_FOUND);
    cr_assert_eq(last()->cost, 0);
    cr_assert_eq(last()->cell_count, 1);
    cr_assert_eq(seen_log[seen_count - 1].cells[0].x, 3);
}
