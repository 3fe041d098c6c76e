/* SPDX-License-Identifier: MIT */
/* The nearest mode in a service: where the goal cannot be reached, and what a search that is cut short has to give. */
#include "service/suite.h"
#include "models/options.h"

TestSuite(pieces, .init = begin_small, .fini = end);

static wend_request nearest(wend_cell start, wend_cell goal) {
    wend_request request = request_on(service, map, start, goal);
    request.mode = WEND_MODE_NEAREST;
    return request;
}

/* From the start on it can be walked today, for what it says that it costs. */
static void can_be_walked(const seen *one, wend_cell start) {
    const wend_completion *c = &one->completion;
    cr_assert_gt(c->cell_count, 0);
    cr_assert(one->cells[0].x == start.x && one->cells[0].y == start.y);
    size_t walkable;
    uint64_t cost;
    cr_assert_eq(wend_map_path_cost(map, WEND_MOVER_DEFAULT, one->cells, c->cell_count, &walkable, &cost), WEND_OK);
    cr_assert_eq(walkable, c->cell_count);
    cr_assert_eq((int64_t)cost, c->cost);
}

static void put_class(wend_cell cell, uint8_t terrain) {
    cr_assert_eq(wend_map_set_cell(map, cell, terrain, NULL), WEND_OK);
}

static void nothing_is_held(void) {
    cr_assert_eq(service->running, 0);
    cr_assert_eq(service->holding, 0);
    cr_assert_eq(wend__pool_free_pages(&service->pool), service->pool.page_count);
    cr_assert_eq(service->paths.free_count, service->paths.count);
}

Test(pieces, s5_a_goal_that_cannot_be_reached_is_partial) {
    map = closed_map(40);
    const wend_cell goals[] = {closed_goal(40), {20, 19, 0}, {3, 3, 0}};
    put_class(at(3, 3), WEND_CLASS_BLOCKED);
    for (int i = 0; i < 3; i++) {
        wend_request request = nearest(at(0, 0), goals[i]);
        submit(service, &request);
        wend_frame frame = frame_of(service, 100000);
        cr_assert_eq(last()->status, WEND_STATUS_PARTIAL);
        cr_assert_eq(frame.statuses[WEND_STATUS_PARTIAL], 1);
        can_be_walked(&seen_log[seen_count - 1], at(0, 0));
    }
    wend_cell end = seen_log[seen_count - 1].cells[last()->cell_count - 1];
    cr_assert(end.x == 3 && end.y == 2, "of the nearest the one with the lowest y");
    wend_request request = nearest(at(0, 0), at(39, 39));
    submit(service, &request);
    frame_of(service, 100000);
    cr_assert_eq(last()->status, WEND_STATUS_FOUND);
    nothing_is_held();
}

Test(pieces, at_its_limit_a_nearest_search_gives_what_it_has) {
    map = moat_map(60);
    uint64_t cells = 0;
    for (uint64_t most = 0; most <= 800; most += 40) {
        wend_request request = nearest(at(0, 0), moat_goal(60));
        options_of(&request)->max_expansions = most;
        submit(service, &request);
        request.mode = WEND_MODE_EXACT;
        submit(service, &request);
        drain(service, 70);
        const seen *piece = seen_number(most / 20), *none = seen_number(most / 20 + 1);
        cr_assert_eq(piece->completion.status, WEND_STATUS_LIMIT);
        cr_assert_eq(piece->completion.expansions, most);
        cr_assert_eq(none->completion.status, WEND_STATUS_LIMIT);
        cr_assert_eq(none->completion.cell_count, 0);
        if (most == 0)
            cr_assert_eq(piece->completion.cell_count, 0, "it never began");
        else
            can_be_walked(piece, at(0, 0));
        cr_assert_geq(piece->completion.cell_count, cells, "never farther away than with less");
        cells = piece->completion.cell_count;
    }
    cr_assert_gt(cells, 10);
    nothing_is_held();
}

Test(pieces, at_its_deadline_a_nearest_search_gives_what_it_has) {
    wend_service_def def = small_def();
    tuning.lanes = 1, tuning.fair = 0;
    service_anew(&def);
    map = moat_map(60);
    wend_request request = nearest(at(0, 0), moat_goal(60));
    request.deadline_frames = 3;
    submit(service, &request);
    request.urgency = -1;
    submit(service, &request); /* never begun */
    for (int i = 0; i < 3; i++) frame_of(service, 99);
    cr_assert_eq(seen_count, 2);
    for (size_t i = 0; i < 2; i++) cr_assert_eq(seen_log[i].completion.status, WEND_STATUS_EXPIRED);
    can_be_walked(&seen_log[0], at(0, 0));
    cr_assert_gt(seen_log[0].completion.cell_count, 1);
    cr_assert_eq(seen_log[1].completion.cell_count, 0);
    nothing_is_held();
}

Test(pieces, without_nodes_a_nearest_search_gives_what_it_has) {
    wend_service_def def = small_def();
    tuning.lanes = 1, tuning.searches = 2;
    def.nodes = 2 * WEND_PAGE_NODES;
    service_anew(&def);
    map = moat_map(250);
    wend_request request = nearest(at(0, 0), moat_goal(250));
    submit(service, &request);
    drain(service, 100000);
    cr_assert_eq(last()->status, WEND_STATUS_OUT_OF_NODES);
    can_be_walked(&seen_log[seen_count - 1], at(0, 0));
    cr_assert_gt(last()->cell_count, 1);
    nothing_is_held();
}

Test(pieces, what_is_cancelled_or_retired_has_no_piece) {
    wend_service_def def = small_def();
    tuning.restarts = 0;
    service_anew(&def);
    map = moat_map(60);
    wend_request request = nearest(at(0, 0), moat_goal(60));
    wend_ticket ticket = submit(service, &request);
    submit(service, &request);
    frame_of(service, 200);
    cr_assert_eq(service->running, 2);
    wend_service_cancel(service, ticket);
    cr_assert_eq(wend_map_set_max_versions(map, 1), WEND_OK);
    put_class(at(59, 59), 2);
    frame_of(service, 0);
    cr_assert_eq(seen_log[0].completion.status, WEND_STATUS_CANCELLED);
    cr_assert_eq(seen_log[1].completion.status, WEND_STATUS_STALE);
    for (size_t i = 0; i < 2; i++) cr_assert_eq(seen_log[i].completion.cell_count, 0);
    nothing_is_held();
}

Test(pieces, a_piece_too_long_is_too_long) {
    map = moat_map(60);
    for (uint64_t most = 8; most <= 9; most++) {
        wend_service_def def = small_def();
        def.max_path_cells = most;
        service_anew(&def);
        wend_request request = nearest(at(0, 0), moat_goal(60));
        options_of(&request)->max_expansions = 700;
        submit(service, &request);
        drain(service, 1000);
        cr_assert_eq(last()->status, WEND_STATUS_TOO_LONG);
        cr_assert_eq(last()->cell_count, most);
        can_be_walked(&seen_log[seen_count - 1], at(0, 0));
        nothing_is_held();
    }
    wend_service_def def = small_def(); /* exactly as long as it may be */
    service_anew(&def);
    wend_request request = nearest(at(0, 0), moat_goal(60));
    options_of(&request)->max_expansions = 700;
    submit(service, &request);
    drain(service, 1000);
    cr_assert_eq(last()->status, WEND_STATUS_LIMIT);
    uint64_t whole = last()->cell_count;
    for (uint64_t most = whole - 1; most <= whole; most++) {
        def.max_path_cells = most;
        service_anew(&def);
        request.context = service;
        submit(service, &request);
        drain(service, 1000);
        cr_assert_eq(last()->status, most == whole ? WEND_STATUS_LIMIT : WEND_STATUS_TOO_LONG);
        cr_assert_eq(last()->cell_count, most);
    }
}

Test(pieces, s15_a_partial_path_that_does_not_stand_is_searched_again_or_cut) {
    for (int deliver = 0; deliver < 2; deliver++) {
        map = closed_map(40);
        wend_request request = nearest(at(0, 20), closed_goal(40));
        options_of(&request)->on_stale = deliver ? WEND_ON_STALE_DELIVER : WEND_ON_STALE_RESTART;
        submit(service, &request);
        frame_of(service, 20);
        cr_assert_eq(service->running, 1);
        wend_edit *edit; /* a wall across every short way */
        cr_assert_eq(wend_edit_begin(map, &edit), WEND_OK);
        wend_edit_fill_box(edit, (wend_box){at(5, 5), at(5, 35)}, WEND_CLASS_BLOCKED);
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        drain(service, 100000);
        const wend_completion *c = last();
        cr_assert_eq(c->status, deliver ? WEND_STATUS_STALE : WEND_STATUS_PARTIAL);
        cr_assert_eq(c->restarts, !deliver);
        can_be_walked(&seen_log[seen_count - 1], at(0, 20));
        if (deliver) cr_assert_eq(seen_log[seen_count - 1].cells[c->cell_count - 1].x, 4);
        wend_map_release(map);
    }
    map = NULL;
}

Test(pieces, s15_where_a_way_to_the_goal_opens_a_partial_path_is_searched_again) {
    for (int k = 0; k < 4; k++) {
        const bool opens = k % 2, restarts = k / 2;
        const wend_cell goal = closed_goal(40), gate = at(goal.x, goal.y - 1);
        map = closed_map(40);
        wend_request request = nearest(at(0, 20), goal);
        options_of(&request)->on_stale = restarts ? WEND_ON_STALE_RESTART : WEND_ON_STALE_DELIVER;
        submit(service, &request);
        frame_of(service, 20);
        cr_assert_eq(service->running, 1);
        put_class(opens ? gate : at(39, 39), opens ? WEND_CLASS_OPEN : WEND_CLASS_BLOCKED);
        drain(service, 100000);
        const wend_completion *c = last();
        cr_assert_eq(c->status, opens && restarts ? WEND_STATUS_FOUND : WEND_STATUS_PARTIAL);
        cr_assert_eq(c->restarts, opens && restarts);
        can_be_walked(&seen_log[seen_count - 1], at(0, 20));
        wend_map_release(map);
    }
    map = NULL;
}

Test(pieces, s15_a_piece_that_does_not_stand_is_cut) {
    map = moat_map(60);
    wend_request request = nearest(at(0, 30), moat_goal(60));
    options_of(&request)->max_expansions = 300;
    request.deadline_frames = 9;
    submit(service, &request);
    frame_of(service, 200);
    put_class(at(4, 30), WEND_CLASS_BLOCKED);
    put_class(at(2, 30), 3);
    drain(service, 100000);
    cr_assert_eq(last()->status, WEND_STATUS_STALE, "no expansions are left to search it again");
    cr_assert_eq(last()->cell_count, 4);
    cr_assert_eq(last()->cost, 50);
    can_be_walked(&seen_log[seen_count - 1], at(0, 30));
    nothing_is_held();
}

/* Pieces find no room in the arena, and their versions are freed. */
Test(pieces, they_wait_in_their_slots_where_the_arena_is_full) {
    wend_service_def def = small_def();
    def.path_bytes = 0, def.max_path_cells = 300;
    tuning.quantum = 50; /* they take turns */
    service_anew(&def);
    shrink_arena(service, 2);
    map = moat_map(60);
    for (int i = 0; i < 6; i++) {
        wend_request request = nearest(at(0, 0), moat_goal(60));
        request.deadline_frames = 2;
        submit(service, &request);
    }
    frame_of(service, 6 * 200);
    cr_assert_geq(service->running, 4);
    put_class(at(59, 0), 9);
    wend_budget budget = default_budget();
    limits_of(&budget)->deliveries = 1, budget.expansions = 6;
    frame_with(service, &budget);
    cr_assert_geq(service->holding, 2);
    for (uint8_t i = 2; i < 9; i++) put_class(at(59, 59), i); /* versions come and go */
    for (int i = 0; i < 5; i++) frame_with(service, &budget);
    cr_assert_eq(seen_count, 6);
    for (size_t i = 0; i < 6; i++) {
        cr_assert_eq(seen_log[i].completion.status, WEND_STATUS_EXPIRED);
        can_be_walked(&seen_log[i], at(0, 0));
    }
    nothing_is_held();
}
