/* SPDX-License-Identifier: MIT */
/* S15: the map changes while searches run. What is found can be walked at hand-over; what cannot is searched again, a
 * bounded number of times, or comes as `stale`. */
#include "service/suite.h"
#include "models/options.h"

static void close_small(void) {
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    if (map) {
        wend__version *newest = wend__map_acquire(map, false);
        cr_assert_null(newest->older, "every older version is given back");
        cr_assert_eq(newest->pins, 0);
        wend__map_release(newest, false);
    }
    wend_map_release(map);
    map = NULL;
    seen_clear();
}

TestSuite(outdated, .init = begin_small, .fini = close_small);

static uint64_t put_class(wend_map *on, wend_cell cell, uint8_t terrain) {
    uint64_t epoch = 0;
    wend_edit *edit = begin_edit(on);
    cr_assert_eq(wend_edit_set_cell(edit, cell, terrain), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, &epoch), WEND_OK);
    return epoch;
}

static void block(wend_cell cell) {
    put_class(map, cell, WEND_CLASS_BLOCKED);
}

static wend_frame run(uint64_t expansions) {
    return frame_of(service, expansions);
}

/* What a search alone finds: its cells, and what it takes. */
static wend_cell alone_cells[4096];
static size_t alone_count;
static uint64_t alone_expansions;
static void search_alone(wend_map *on, wend_cell start, wend_cell goal) {
    wend_search_def def = default_search();
    OWNED_SEARCH *search = made_search(&def);
    wend_request request = request_on(NULL, on, start, goal);
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    wend_search_step(search, WEND_NO_LIMIT, &alone_expansions);
    alone_count = 0;
    wend_search_get_path(search, alone_cells, 4096, &alone_count);
}

/* A request across a snake's only path, in the middle of its search. */
enum { WIDE = 21, HIGH = 20 };
static const wend_cell far_end = {WIDE - 1, HIGH - 1, 0}; /* the path goes down, up, ... */
static wend_request across(void) {
    return request_on(service, map, at(0, 0), at(WIDE - 1, 0));
}
static void begin_across(const wend_request *request) {
    submit(service, request);
    run(100);
    cr_assert_eq(seen_count, 0);
    cr_assert_eq(service->running, 1);
}

Test(outdated, s15_a_path_that_stands_comes_with_todays_cost_and_both_epochs) {
    map = snake_map(WIDE, HIGH);
    search_alone(map, at(0, 0), at(WIDE - 1, 0));
    wend_request request = across();
    begin_across(&request);
    put_class(map, at(0, 5), 3);
    wend_frame frame = {.struct_bytes = sizeof frame};
    while (seen_count == 0) frame = run(100);
    cr_assert_eq(last()->status, WEND_STATUS_FOUND);
    cr_assert_eq(last()->cost, (int64_t)(alone_count - 1) * 10 + 20);
    cr_assert_eq(last()->cell_count, alone_count);
    cr_assert_eq(last()->epoch, 1);
    cr_assert_eq(last()->checked, 2);
    cr_assert_eq(last()->restarts, 0);
    cr_assert_eq(last()->expansions, alone_expansions);
    cr_assert_eq(frame.checks, 1);
    cr_assert_eq(frame.outdated, 0);
}

Test(outdated, an_answer_of_the_newest_version_is_not_checked) {
    map = snake_map(WIDE, HIGH);
    wend_request request = across();
    submit(service, &request);
    wend_frame frame = run(10000);
    cr_assert_eq(last()->status, WEND_STATUS_FOUND);
    cr_assert_eq(frame.checks, 0);
    cr_assert_eq(last()->epoch, 1);
    cr_assert_eq(last()->checked, 1);
}

Test(outdated, s15_a_path_that_does_not_stand_is_searched_again) {
    map = open_map(30, 30);
    submit_from_to(service, map, at(0, 15), at(29, 15), 0);
    search_alone(map, at(0, 15), at(29, 15));
    run(alone_expansions - 1);
    block(at(20, 15)); /* a little way round */
    uint64_t expansions = alone_expansions, checks = 0, outdated = 0;
    for (int i = 0; seen_count == 0; i++) {
        wend_frame frame = run(1000);
        checks += frame.checks;
        outdated += frame.outdated;
        if (i == 0) cr_assert_eq(seen_count, 0, "not in the frame that found the old one");
    }
    search_alone(map, at(0, 15), at(29, 15));
    cr_assert_eq(last()->status, WEND_STATUS_FOUND);
    cr_assert_eq(last()->number, 0);
    cr_assert_eq(last()->epoch, 1);
    cr_assert_eq(last()->checked, 1);
    cr_assert_eq(last()->restarts, 1);
    cr_assert_eq(last()->expansions, expansions + alone_expansions);
    cr_assert_eq(last()->cell_count, alone_count);
    cr_assert_eq(last()->frames, 3);
    cr_assert_eq(last()->wait_frames, 1, "the first slice counts, not the second");
    cr_assert_eq(checks, 1);
    cr_assert_eq(outdated, 1);
    wend_stats stats = stats_now(service);
    cr_assert_eq(stats.checks, 1);
    cr_assert_eq(stats.outdated, 1);
}

Test(outdated, it_keeps_its_place_in_the_order_of_service) {
    wend_service_def def = small_def();
    tuning.lanes = 1, tuning.fair = 0;
    service_anew(&def);
    map = snake_map(WIDE, HIGH);
    search_alone(map, at(0, 0), at(WIDE - 1, 0));
    wend_request request = across();
    for (int i = 0; i < 4; i++) submit(service, &request);
    run(alone_expansions - 1);
    put_class(map, at(1, HIGH - 1), WEND_CLASS_BLOCKED);
    run(1); /* found, and outdated */
    cr_assert_eq(service->figures.outdated, 1);
    put_class(map, at(1, HIGH - 1), WEND_CLASS_OPEN);
    uint32_t index = service->ages.chain.first;
    for (uint64_t number = 0; number < 4; number++, index = service->entries[index].next)
        cr_assert_eq(service->entries[index].number, number);
    cr_assert_eq(index, WEND__NONE);
    run(alone_expansions);
    cr_assert_eq(seen_count, 1, "it went first");
    cr_assert_eq(seen_log[0].completion.number, 0);
    cr_assert_eq(seen_log[0].completion.status, WEND_STATUS_FOUND);
    drain(service, 10000);
    for (uint64_t i = 0; i < 4; i++) cr_assert_eq(seen_log[i].completion.number, i);
}

/* A wall with two gates, one of them closed: each toggle makes every way through the wall impossible. */
static const wend_cell gates[2] = {{10, 2, 0}, {10, 18, 0}};
static int open_gate;
static void make_gates(void) {
    map = open_map(21, 21);
    IN_BATCH(map, wend_edit_fill_box(edit, (wend_box){at(10, 0), at(10, 20)}, WEND_CLASS_BLOCKED),
             wend_edit_set_cell(edit, gates[0], WEND_CLASS_OPEN));
    open_gate = 0;
}
static void toggle(void) {
    wend_edit *edit = begin_edit(map);
    wend_edit_set_cell(edit, gates[open_gate], WEND_CLASS_BLOCKED);
    open_gate = 1 - open_gate;
    wend_edit_set_cell(edit, gates[open_gate], WEND_CLASS_OPEN);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}
static wend_request through_the_wall(void) {
    return request_on(service, map, at(0, 10), at(20, 10));
}
/* Expansions a frame so that a search takes two frames, whichever gate is open. */
static uint64_t half_a_search(void) {
    search_alone(map, at(0, 10), at(20, 10));
    uint64_t first = alone_expansions;
    toggle();
    search_alone(map, at(0, 10), at(20, 10));
    uint64_t less = first < alone_expansions ? first : alone_expansions, more = first + alone_expansions - less;
    cr_assert_leq(more, 2 * (less - 1));
    return less - 1;
}

Test(outdated, after_so_many_restarts_it_is_stale_with_the_longest_walkable_prefix) {
    for (uint32_t restarts = 0; restarts <= 3; restarts++) {
        wend_service_def def = small_def();
        tuning.restarts = restarts;
        wend_service_destroy(service);
        service = service_of(&def);
        make_gates();
        uint64_t each = half_a_search(), outdated = 0;
        wend_request request = through_the_wall();
        submit(service, &request);
        int frames = 0;
        for (; seen_count == 0; frames++) {
            toggle();
            if (frames == (int)restarts * 2) search_alone(map, at(0, 10), at(20, 10)); /* expected result */
            outdated += run(each).outdated;
        }
        cr_assert_eq(frames, 2 * (int)restarts + 2);
        cr_assert_eq(outdated, restarts);
        cr_assert_eq(last()->status, WEND_STATUS_STALE);
        cr_assert_eq(last()->restarts, (int32_t)restarts);
        cr_assert_eq(last()->checked, last()->epoch + 1);
        size_t count = last()->cell_count, all;
        uint64_t cost;
        cr_assert(count > 1 && count < alone_count);
        for (size_t i = 0; i < count; i++)
            cr_assert(seen_log[0].cells[i].x == alone_cells[i].x && seen_log[0].cells[i].y == alone_cells[i].y);
        cr_assert_eq(wend_map_path_cost(map, WEND_MOVER_DEFAULT, alone_cells, alone_count, &all, &cost), WEND_OK);
        cr_assert_eq(count, all, "not a cell less than can be walked");
        cr_assert_eq((uint64_t)last()->cost, cost);
        close_small();
        begin_small();
    }
}

Test(outdated, on_stale_deliver_is_stale_at_once) {
    make_gates();
    uint64_t each = half_a_search();
    wend_request request = through_the_wall();
    options_of(&request)->on_stale = WEND_ON_STALE_DELIVER;
    submit(service, &request);
    run(each);
    toggle();
    wend_frame frame = run(each);
    cr_assert_eq(last()->status, WEND_STATUS_STALE);
    cr_assert_eq(last()->restarts, 0);
    cr_assert_gt(last()->cell_count, 1);
    cr_assert_eq(frame.outdated, 0);
    cr_assert_eq(frame.checks, 1);
    cr_assert_eq(frame.statuses[WEND_STATUS_STALE], 1);
    options_of(&request)->on_stale = 2;
    cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_BAD_ARGUMENT);
    options_of(&request)->on_stale = -1;
    cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_BAD_ARGUMENT);
}

Test(outdated, a_piece_of_one_cell_is_a_piece) {
    map = snake_map(WIDE, HIGH);
    wend_request request = across();
    options_of(&request)->on_stale = WEND_ON_STALE_DELIVER;
    begin_across(&request);
    block(at(0, 1));
    drain(service, 1000);
    cr_assert_eq(last()->status, WEND_STATUS_STALE);
    cr_assert_eq(last()->cell_count, 1);
    cr_assert_eq(last()->cost, 0);
}

Test(outdated, a_start_blocked_meanwhile_is_start_blocked) {
    for (int leaving = 0; leaving < 2; leaving++) {
        map = snake_map(WIDE, HIGH);
        wend_request request = across();
        options_of(&request)->leave_blocked_start = leaving;
        begin_across(&request);
        block(at(0, 0));
        drain(service, 1000);
        cr_assert_eq(last()->status, leaving ? WEND_STATUS_FOUND : WEND_STATUS_START_BLOCKED);
        cr_assert_eq(last()->cost >= 0, leaving);
        cr_assert_eq(last()->epoch, 1);
        cr_assert_eq(last()->checked, 2);
        cr_assert_eq(last()->restarts, 0);
        close_small();
        begin_small();
    }
}

Test(outdated, a_goal_blocked_meanwhile_is_goal_blocked) {
    map = snake_map(WIDE, HIGH);
    wend_request request = across();
    begin_across(&request);
    block(request.goal);
    drain(service, 1000);
    cr_assert_eq(last()->status, WEND_STATUS_GOAL_BLOCKED);
    cr_assert_eq(last()->cost, -1);
    cr_assert_eq(last()->epoch, 2);
    cr_assert_eq(last()->checked, 2);
    options_of(&request)->on_stale = WEND_ON_STALE_DELIVER;
    put_class(map, request.goal, WEND_CLASS_OPEN);
    submit(service, &request);
    run(100);
    block(request.goal);
    drain(service, 1000);
    cr_assert_eq(last()->status, WEND_STATUS_STALE);
    cr_assert_eq(last()->cell_count, snake_cells(WIDE, HIGH) - (size_t)(HIGH - 1) - 1);
}

/* Blocked after the intake, before the search begins: answered when it begins, on that version. */
Test(outdated, what_a_search_is_told_at_its_beginning_has_one_version) {
    map = open_map(20, 20);
    submit_from_to(service, map, at(0, 0), at(9, 9), 0);
    submit_from_to(service, map, at(5, 5), at(9, 8), 0);
    run(0);
    block(at(9, 9));
    block(at(5, 5));
    wend_frame frame = run(1000);
    cr_assert_eq(frame.expansions, 0);
    cr_assert_eq(frame.checks, 0);
    cr_assert_eq(seen_log[0].completion.status, WEND_STATUS_GOAL_BLOCKED);
    cr_assert_eq(seen_log[1].completion.status, WEND_STATUS_START_BLOCKED);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(seen_log[i].completion.epoch, 2);
        cr_assert_eq(seen_log[i].completion.checked, 2);
    }
}

/* Answered at intake, handed over a frame later. */
Test(outdated, what_was_judged_without_a_search_has_one_version) {
    map = open_map(20, 20);
    wend_request request = request_on(service, map, at(0, 0), at(0, 0));
    submit(service, &request);
    request.start = request.goal = at(1, 1);
    submit(service, &request);
    request.start = request.goal = at(2, 2);
    submit(service, &request);
    request.goal = at(3, 3);
    options_of(&request)->max_expansions = 0;
    submit(service, &request);
    frame_delivering(service, 1);
    cr_assert_eq(seen_count, 1);
    block(at(2, 2));
    drain(service, 1000);
    const int32_t expected[] = {WEND_STATUS_FOUND, WEND_STATUS_FOUND, WEND_STATUS_START_BLOCKED, WEND_STATUS_LIMIT};
    const uint64_t epochs[] = {0, 1, 1, 0}; /* found paths are checked again */
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(seen_log[i].completion.status, expected[i], "request %d", i);
        cr_assert_eq(seen_log[i].completion.epoch, epochs[i], "request %d", i);
        cr_assert_eq(seen_log[i].completion.checked, epochs[i], "request %d", i);
    }
}

Test(outdated, what_ends_before_its_search_has_the_version_at_hand_over) {
    map = open_map(20, 20);
    wend_ticket ticket = submit_from_to(service, map, at(0, 0), at(9, 9), 0);
    wend_request request = request_on(service, map, at(0, 0), at(9, 9));
    request.deadline_frames = 2;
    submit(service, &request);
    run(0);
    block(at(5, 5));
    wend_service_cancel(service, ticket);
    run(0);
    cr_assert_eq(seen_log[0].completion.status, WEND_STATUS_CANCELLED);
    cr_assert_eq(seen_log[1].completion.status, WEND_STATUS_EXPIRED);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(seen_log[i].completion.epoch, 1);
        cr_assert_eq(seen_log[i].completion.checked, 1);
    }
}

Test(outdated, what_ends_during_its_search_has_both_versions) {
    map = moat_map(60);
    wend_request request = request_on(service, map, at(0, 0), moat_goal(60));
    options_of(&request)->max_expansions = 200;
    submit(service, &request);
    run(100);
    block(at(50, 50));
    wend_frame frame = run(100);
    cr_assert_eq(last()->status, WEND_STATUS_LIMIT);
    cr_assert_eq(last()->epoch, 1);
    cr_assert_eq(last()->checked, 2);
    cr_assert_eq(frame.checks, 0, "there is nothing to check on the map");
}

Test(outdated, s15_a_way_that_closes_during_its_search_is_no_path_without_another) {
    map = moat_map(40);
    wend_cell goal = moat_goal(40), gate = at(goal.x, goal.y - 1);
    search_alone(map, at(0, 0), goal);
    wend_request request = request_on(service, map, at(0, 0), goal);
    submit(service, &request);
    options_of(&request)->on_stale = WEND_ON_STALE_DELIVER;
    submit(service, &request);
    run(alone_expansions); /* half of each */
    block(gate);
    drain(service, 1000);
    const wend_completion *again = &seen_number(0)->completion, *as_is = &seen_number(1)->completion;
    cr_assert_eq(again->status, WEND_STATUS_NO_PATH);
    cr_assert_eq(again->restarts, 1);
    cr_assert_eq(again->expansions, alone_expansions);
    cr_assert_eq(again->epoch, 2);
    cr_assert_eq(again->checked, 2);
    cr_assert_eq(as_is->status, WEND_STATUS_STALE);
    cr_assert_gt(as_is->cell_count, 1, "up to the gate");
    cr_assert_eq(as_is->epoch, 1);
    cr_assert_eq(as_is->checked, 2);
}

Test(outdated, without_expansions_or_frames_left_it_is_stale) {
    make_gates();
    uint64_t each = half_a_search();
    toggle();
    search_alone(map, at(0, 10), at(20, 10));
    wend_request request = through_the_wall();
    const uint64_t most[] = {alone_expansions, alone_expansions + 1};
    for (int i = 0; i < 2; i++) { /* at the limit, and one short of it */
        options_of(&request)->max_expansions = most[i];
        submit(service, &request);
        run(each);
        toggle();
        drain(service, each);
        cr_assert_eq(last()->status, i == 0 ? WEND_STATUS_STALE : WEND_STATUS_LIMIT);
        cr_assert_eq(last()->expansions, most[i]);
        cr_assert_eq(last()->restarts, i);
        toggle();
    }
    options_of(&request)->max_expansions = WEND_NO_LIMIT;
    for (uint64_t frames = 2; frames <= 3; frames++) { /* found in the second frame */
        request.deadline_frames = frames;
        submit(service, &request);
        run(each);
        toggle();
        drain(service, frames == 2 ? each : 1);
        cr_assert_eq(last()->frames, frames);
        cr_assert_eq(last()->status, frames == 2 ? WEND_STATUS_STALE : WEND_STATUS_EXPIRED);
        toggle();
    }
    request.deadline_frames = 3; /* a frame is left to search again */
    submit(service, &request);
    run(each);
    toggle();
    drain(service, 10000);
    cr_assert_eq(last()->frames, 3);
    cr_assert_eq(last()->status, WEND_STATUS_FOUND);
}

Test(outdated, one_that_was_sent_back_can_be_cancelled_and_expires) {
    make_gates();
    uint64_t each = half_a_search();
    wend_request request = through_the_wall();
    request.deadline_frames = 4;
    wend_ticket ticket = submit(service, &request);
    submit(service, &request);
    run(each * 2);
    toggle();
    wend_frame frame = run(each * 2);
    cr_assert_eq(frame.outdated, 2);
    cr_assert_eq(frame.waiting, 2);
    cr_assert_eq(wend_service_cancel(service, ticket), WEND_OK);
    run(0);
    cr_assert_eq(last()->status, WEND_STATUS_CANCELLED);
    cr_assert_eq(last()->number, 0);
    run(0);
    cr_assert_eq(last()->status, WEND_STATUS_EXPIRED);
    cr_assert_eq(last()->frames, 4);
    cr_assert_eq(seen_count, 2);
}

/* ---- retired versions ---- */

static void versions(int32_t most) {
    cr_assert_eq(wend_map_set_max_versions(map, most), WEND_OK);
}

Test(outdated, with_one_version_every_edit_starts_searches_again) {
    map = snake_map(WIDE, HIGH);
    versions(1);
    search_alone(map, at(0, 0), at(WIDE - 1, 0));
    wend_request request = across();
    options_of(&request)->on_stale = WEND_ON_STALE_DELIVER; /* no answer so far that could be outdated */
    begin_across(&request);
    put_class(map, far_end, 9);
    wend_frame frame = run(100);
    cr_assert_eq(frame.outdated, 1);
    cr_assert_eq(frame.checks, 0);
    cr_assert_eq(service->running, 1);
    cr_assert_eq(service->entries[0].version->epoch, 2);
    drain(service, 1000);
    cr_assert_eq(last()->status, WEND_STATUS_FOUND);
    cr_assert_eq(last()->epoch, 2);
    cr_assert_eq(last()->checked, 2);
    cr_assert_eq(last()->restarts, 1);
    search_alone(map, at(0, 0), at(WIDE - 1, 0)); /* slow ground counts more */
    cr_assert_eq(last()->expansions, 100 + alone_expansions);
}

Test(outdated, with_two_versions_the_older_searches_start_again) {
    map = snake_map(WIDE, HIGH);
    versions(2);
    wend_request request = across();
    begin_across(&request);
    for (int i = 2; i < 9; i++) { /* as the only one on an old version it goes on */
        put_class(map, far_end, (uint8_t)i);
        cr_assert_eq(run(1).outdated, 0);
    }
    submit(service, &request);
    run(100);
    cr_assert_eq(service->running, 2);
    cr_assert_eq(service->entries[0].version->epoch, 1);
    cr_assert_eq(service->entries[1].version->epoch, 8);
    put_class(map, far_end, 9);
    cr_assert_eq(run(100).outdated, 1, "three are in use: the newest, 8 and 1");
    cr_assert_eq(service->entries[0].version->epoch, 9);
    cr_assert_eq(service->entries[1].version->epoch, 8);
    drain(service, 1000);
    cr_assert_eq(seen_number(0)->completion.restarts, 1);
    cr_assert_eq(seen_number(1)->completion.restarts, 0);
    cr_assert_eq(seen_number(1)->completion.epoch, 8);
    cr_assert_eq(seen_number(1)->completion.checked, 9);
}

Test(outdated, with_an_edit_each_frame_it_ends_all_the_same) {
    wend_service_def def = small_def();
    tuning.restarts = 5;
    service_anew(&def);
    map = snake_map(WIDE, HIGH);
    versions(1);
    wend_request request = across();
    submit(service, &request);
    uint64_t outdated = 0, frames = 0;
    for (; seen_count == 0; frames++) {
        outdated += run(100).outdated;
        put_class(map, far_end, (uint8_t)(1 + frames % 9));
    }
    cr_assert_eq(frames, 7);
    cr_assert_eq(outdated, 5);
    cr_assert_eq(last()->status, WEND_STATUS_STALE);
    cr_assert_eq(last()->cell_count, 0);
    cr_assert_eq(last()->cost, -1);
    cr_assert_eq(last()->expansions, 600);
    cr_assert_eq(last()->restarts, 5);
    cr_assert_lt(last()->epoch, last()->checked);
}

Test(outdated, a_thousand_versions_under_one_search_take_bounded_memory) {
    map = snake_map(WIDE, HIGH);
    wend_request request = across();
    begin_across(&request);
    put_class(map, far_end, 2);
    wend_map_info before = {.struct_bytes = sizeof before}, after = {.struct_bytes = sizeof after};
    wend_map_get_info(map, &before);
    for (int i = 0; i < 1000; i++) put_class(map, far_end, (uint8_t)(2 + i % 9));
    wend_map_get_info(map, &after);
    cr_assert_eq(before.bytes, after.bytes);
    drain(service, 1000);
    cr_assert_eq(last()->status, WEND_STATUS_FOUND);
    cr_assert_eq(last()->epoch, 1);
    cr_assert_eq(last()->checked, 1002);
}

/* ---- too long, held ---- */

Test(outdated, of_a_path_too_long_only_the_prefix_is_checked) {
    wend_service_def def = small_def();
    def.max_path_cells = 30;
    service_anew(&def);
    map = snake_map(WIDE, HIGH);
    wend_request request = across();
    begin_across(&request);
    block(at(4, 4)); /* far behind the thirtieth cell */
    put_class(map, at(0, 3), 2);
    drain(service, 1000);
    cr_assert_eq(last()->status, WEND_STATUS_TOO_LONG);
    cr_assert_eq(last()->cell_count, 30);
    cr_assert_eq(last()->cost, 300);
    cr_assert_eq(last()->checked, 3);
    put_class(map, at(4, 4), WEND_CLASS_OPEN);
    options_of(&request)->on_stale = WEND_ON_STALE_DELIVER;
    submit(service, &request);
    run(100);
    block(at(0, 8));
    drain(service, 1000);
    cr_assert_eq(last()->status, WEND_STATUS_STALE);
    cr_assert_eq(last()->cell_count, 8);
    cr_assert_eq(last()->cost, 80);
}

/* Paths that find no room in the arena wait in their slots: the map may change, and their version may be freed. */
Test(outdated, paths_that_wait_in_their_slots_are_checked_too) {
    wend_service_def def = small_def();
    def.path_bytes = 0, def.max_path_cells = 250;
    service_anew(&def);
    shrink_arena(service, def.max_path_cells);
    map = snake_map(WIDE, HIGH);
    wend_request request = across();
    for (int i = 0; i < 6; i++) {
        options_of(&request)->on_stale = i % 2 ? WEND_ON_STALE_DELIVER : WEND_ON_STALE_RESTART;
        submit(service, &request);
    }
    wend_budget budget = default_budget();
    limits_of(&budget)->deliveries = 1;
    frame_with(service, &budget);
    cr_assert_eq(seen_count, 1);
    cr_assert_eq(service->holding, 5);
    block(at(0, 7));
    limits_of(&budget)->deliveries = 2;
    frame_with(service, &budget); /* 1 is stale, 2 goes back */
    cr_assert_eq(seen_count, 2);
    cr_assert_eq(last()->status, WEND_STATUS_STALE);
    cr_assert_eq(last()->cell_count, 7);
    cr_assert_eq(service->holding, 3);
    cr_assert_eq(service->figures.outdated, 1);
    put_class(map, at(0, 7), 2);
    drain(service, 100000);
    cr_assert_eq(seen_count, 6);
    for (size_t i = 2; i < 6; i++) {
        cr_assert_eq(seen_log[i].completion.status, WEND_STATUS_FOUND);
        cr_assert_eq(seen_log[i].completion.cost, 2110);
        cr_assert_eq(seen_log[i].completion.epoch, seen_log[i].completion.number == 2 ? 3 : 1);
        cr_assert_eq(seen_log[i].completion.checked, 3);
    }
    cr_assert_eq(service->paths.free_count, service->paths.count);
    cr_assert_eq(service->holding, 0);
}

/* ---- callbacks, rules ---- */

static void block_on_first(const seen *one) {
    if (one->completion.number == 0) block(at(5, 7));
}

Test(outdated, s18_an_edit_in_a_callback_counts_for_later_deliveries_of_the_frame) {
    map = open_map(20, 20);
    submit_from_to(service, map, at(0, 5), at(9, 5), 0);
    submit_from_to(service, map, at(0, 7), at(9, 7), 0);
    submit_from_to(service, map, at(0, 9), at(9, 9), 0);
    seen_hook = block_on_first;
    wend_frame frame = run(100000);
    seen_hook = NULL;
    cr_assert_eq(frame.checks, 2);
    cr_assert_eq(frame.outdated, 1);
    cr_assert_eq(seen_count, 2);
    cr_assert_eq(seen_log[1].completion.number, 2);
    cr_assert_eq(seen_log[1].completion.epoch, 0);
    cr_assert_eq(seen_log[1].completion.checked, 1);
    run(100000);
    cr_assert_eq(seen_count, 3);
    cr_assert_eq(last()->number, 1);
    cr_assert_eq(last()->status, WEND_STATUS_FOUND);
    cr_assert_eq(last()->epoch, 1);
    cr_assert_gt(last()->cost, 90);
}

static void edit_own_map(const seen *one) {
    (void)one;
    block(at(5, 5));
}

Test(outdated, edits_are_refused_at_no_time) {
    map = open_map(20, 20);
    submit_from_to(service, map, at(0, 0), at(9, 9), 0);
    block(at(1, 5)); /* in the inbox */
    run(0);
    block(at(2, 5)); /* taken in */
    run(3);
    cr_assert_eq(service->running, 1);
    block(at(3, 5)); /* under way */
    seen_hook = edit_own_map;
    drain(service, 1000);
    seen_hook = NULL;
    cr_assert_eq(last()->epoch, 2);
    cr_assert_eq(last()->checked, 3);
    wend_map_info info = info_now(map);
    cr_assert_eq(info.epoch, 4);
}

Test(outdated, new_rules_are_a_new_map_to_what_waits_for_delivery) {
    const char *const rows[] = {".#", ".."};
    map = text_map(rows, 2);
    wend_map_rules info_rules = rules_now(map);
    info_rules.corners = WEND_CORNERS_ALWAYS;
    cr_assert_eq(wend_map_set_rules(map, &info_rules), WEND_OK);
    for (int i = 0; i < 2; i++) submit_from_to(service, map, at(0, 0), at(1, 1), 0);
    frame_delivering(service, 1);
    cr_assert_eq(last()->cost, 14);
    info_rules.corners = WEND_CORNERS_NEVER;
    cr_assert_eq(wend_map_set_rules(map, &info_rules), WEND_OK);
    drain(service, 1000);
    cr_assert_eq(last()->status, WEND_STATUS_FOUND);
    cr_assert_eq(last()->cost, 20);
    cr_assert_eq(last()->restarts, 1);
    cr_assert_eq(last()->epoch, 1, "no new epoch");
}

Test(outdated, a_fork_has_a_life_of_its_own) {
    map = snake_map(WIDE, HIGH);
    wend_request request = across();
    begin_across(&request);
    OWNED_MAP *fork = forked(map);
    put_class(fork, at(1, HIGH - 1), WEND_CLASS_BLOCKED);
    request.map = fork;
    submit(service, &request);
    drain(service, 1000);
    cr_assert_eq(seen_number(0)->completion.status, WEND_STATUS_FOUND);
    cr_assert_eq(seen_number(0)->completion.checked, 1);
    cr_assert_eq(seen_number(1)->completion.status, WEND_STATUS_NO_PATH);
    cr_assert_eq(seen_number(1)->completion.checked, 2);
    cr_assert_eq(service->figures.checks, 0);
}

Test(outdated, destroy_restarts_nothing) {
    make_gates();
    uint64_t each = half_a_search();
    wend_request request = through_the_wall();
    for (int i = 0; i < 3; i++) submit(service, &request);
    frame_delivering(service, 1); /* all found, one delivered */
    submit(service, &request);
    frame_delivering(service, 1);
    run(each);
    toggle();
    wend_service_destroy(service);
    cr_assert_eq(seen_count, 4);
    begin_small();
}
