/* SPDX-License-Identifier: MIT */
/* Units at delivery: the next cells of a path are compared with where they are. */
#include "service/suite.h"
#include "models/options.h"

#include <wend/units.h>

static void begin(void) {
    begin_small();
    map = open_map(40, 21);
}

TestSuite(units, .init = begin, .fini = end);

static void service_with(uint32_t horizon, uint32_t restarts) {
    wend_service_def def = small_def();
    tuning.horizon = horizon, tuning.restarts = restarts;
    service_anew(&def);
}

static void stand(wend_cell cell) {
    cr_assert_eq(wend_map_occupy(map, cell), WEND_OK);
}

static void leave(wend_cell cell) {
    cr_assert_eq(wend_map_vacate(map, cell), WEND_OK);
}

static wend_request across(int32_t occupied) {
    wend_request request = request_on(service, map, at(0, 10), at(39, 10));
    options_of(&request)->occupied = occupied;
    return request;
}

/* Found, and waiting for its delivery behind another one. */
static void found_and_waiting(const wend_request *request) {
    submit_from_to(service, map, at(0, 0), at(0, 0), 0);
    submit(service, request);
    frame_delivering(service, 1);
    cr_assert_eq(wend__finished_count(service), 1);
}

/* The way there is straight: a unit on its i-th cell is met only up to the horizon. */
Test(units, s24_the_next_cells_are_checked_and_no_more) {
    const uint32_t horizons[] = {0, 1, 2, 8, 38, 39, 40, 65536};
    for (int i = 0; i < 8; i++) {
        service_with(horizons[i], 8);
        for (int32_t x = 1; x < 39; x++) {
            wend_request request = across(WEND_OCCUPIED_BLOCK);
            found_and_waiting(&request);
            stand(at(x, 10));
            wend_frame frame = frame_of(service, 0);
            bool met = (uint32_t)x <= horizons[i];
            cr_assert_eq(frame.deliveries, !met, "horizon %d, x %d", (int)horizons[i], x);
            cr_assert_eq(frame.outdated, met);
            cr_assert_eq(frame.checks, met, "the map is the same, so only what goes back counts");
            drain(service, 100000);
            cr_assert_eq(last()->status, WEND_STATUS_FOUND);
            cr_assert_eq(last()->restarts, met);
            cr_assert_eq(last()->cost, met ? 398 : 390, "around it");
            leave(at(x, 10));
        }
    }
}

/* Units beyond `occupied_within` do not count, however near on the path. */
Test(units, s24_those_too_far_from_the_start_are_not_met) {
    service_with(65536, 8);
    for (int32_t within = 0; within < 39; within += 6)
        for (int32_t x = 1; x < 39; x++) {
            wend_request request = across(WEND_OCCUPIED_BLOCK);
            options_of(&request)->occupied_within = within;
            found_and_waiting(&request);
            stand(at(x, 10));
            cr_assert_eq(frame_of(service, 0).outdated, x <= within, "within %d, x %d", within, x);
            drain(service, 100000);
            cr_assert_eq(last()->cost, x <= within ? 398 : 390);
            leave(at(x, 10));
        }
}

Test(units, those_that_do_not_block_are_not_asked) {
    const int32_t occupied[] = {WEND_OCCUPIED_IGNORE, 7};
    for (int i = 0; i < 2; i++) {
        wend_request request = across(occupied[i]);
        found_and_waiting(&request);
        stand(at(1, 10));
        wend_frame frame = frame_of(service, 0);
        cr_assert_eq(frame.deliveries, 1);
        cr_assert_eq(last()->cost, 390, "as searched");
        leave(at(1, 10));
    }
}

Test(units, on_stale_deliver_hands_over_what_is_free) {
    for (int32_t x = 1; x <= 8; x++) {
        wend_request request = across(WEND_OCCUPIED_BLOCK);
        options_of(&request)->on_stale = WEND_ON_STALE_DELIVER;
        found_and_waiting(&request);
        stand(at(x, 10));
        wend_frame frame = frame_of(service, 0);
        cr_assert_eq(frame.deliveries, 1);
        cr_assert_eq(frame.outdated, 0);
        cr_assert_eq(last()->status, WEND_STATUS_STALE);
        cr_assert_eq(last()->cell_count, (size_t)x);
        cr_assert_eq(last()->cost, (x - 1) * 10);
        cr_assert_eq(last()->restarts, 0);
        leave(at(x, 10));
    }
}

/* Older requests expire one by one, each before the tested one is handed over. In each callback a unit takes the third
 * cell of the tested request's way, wherever that leads. */
static wend_cell taken;
static void take_its_third_cell(const seen *one) {
    if (one->completion.status != WEND_STATUS_EXPIRED) return;
    wend_cell cells[4];
    wend__answer_cells(service, &service->entries[a_finished(service)], 3, cells);
    taken = cells[3];
    stand(taken);
}

Test(units, restarts_are_bounded) {
    OWNED_MAP *moat = moat_map(120);
    for (uint32_t restarts = 0; restarts < 4; restarts++) {
        wend_service_def def = small_def();
        tuning.fair = 0, tuning.restarts = restarts;
        wend_service_destroy(service);
        service = service_of(&def);
        for (uint32_t i = 0; i <= restarts; i++) {
            wend_request older = request_on(service, moat, at(0, 0), moat_goal(120));
            older.urgency = -1, older.deadline_frames = 1 + i;
            submit(service, &older);
        }
        wend_request request = across(WEND_OCCUPIED_BLOCK);
        submit(service, &request);
        seen_hook = take_its_third_cell;
        uint64_t outdated = 0;
        for (uint32_t i = 0; i <= restarts; i++) {
            cr_assert_eq(wend_service_get_pending(service), 2 + restarts - i, "each frame one expired");
            outdated += frame_of(service, 1500).outdated;
        }
        seen_hook = NULL;
        cr_assert_eq(wend_service_get_pending(service), 0);
        cr_assert_eq(outdated, restarts);
        const wend_completion *c = last();
        cr_assert_eq(c->status, WEND_STATUS_STALE);
        cr_assert_eq(c->restarts, (int32_t)restarts);
        cr_assert_eq(c->cell_count, 3, "up to the unit");
        cr_assert(seen_log[seen_count - 1].cells[2].x != taken.x || seen_log[seen_count - 1].cells[2].y != taken.y);
        wend_map_release(map);
        map = open_map(40, 21);
    }
}

Test(units, walled_in_by_units_there_is_no_path) {
    for (int32_t y = 0; y < 21; y++) stand(at(1, y));
    wend_request request = across(WEND_OCCUPIED_BLOCK);
    submit(service, &request);
    drain(service, 100000);
    cr_assert_eq(last()->status, WEND_STATUS_NO_PATH);
    request.mode = WEND_MODE_NEAREST;
    submit(service, &request);
    drain(service, 100000);
    cr_assert_eq(last()->status, WEND_STATUS_PARTIAL);
    cr_assert_eq(last()->cell_count, 1, "it stands where it can");
}

Test(units, a_partial_path_is_checked_too) {
    stand(at(39, 10)); /* on the goal */
    wend_request request = across(WEND_OCCUPIED_BLOCK);
    request.mode = WEND_MODE_NEAREST;
    options_of(&request)->on_stale = WEND_ON_STALE_DELIVER;
    found_and_waiting(&request);
    stand(at(5, 9)), stand(at(5, 10)); /* units on the way to 39,9 */
    frame_of(service, 0);
    cr_assert_eq(last()->status, WEND_STATUS_STALE);
    cr_assert_eq(last()->cell_count, 5);
}

Test(units, s24_its_own_unit_never_stands_in_its_way) {
    const int32_t mover = add_mover_of_size(map, 2);
    for (int32_t i = 0; i < 4; i++) stand(at(i % 2, 10 + i / 2)); /* all that it covers; its first steps lead over it */
    wend_request request = across(WEND_OCCUPIED_BLOCK);
    request.goal = at(38, 10), request.mover = mover;
    submit(service, &request);
    drain(service, 100000);
    cr_assert_eq(last()->status, WEND_STATUS_FOUND);
    cr_assert_eq(last()->cost, 380);
    options_of(&request)->on_stale = WEND_ON_STALE_DELIVER;
    found_and_waiting(&request);
    stand(at(5, 11)); /* next to the cell's own way, but the mover is large */
    frame_of(service, 0);
    cr_assert_eq(last()->status, WEND_STATUS_STALE);
    cr_assert_eq(last()->cell_count, 4, "at 3 it covers 3 and 4");
}

static void put_class(wend_cell cell, uint8_t terrain) {
    cr_assert_eq(wend_map_set_cell(map, cell, terrain, NULL), WEND_OK);
}

Test(units, on_a_newer_version_what_they_cost_is_counted_anew) {
    wend_request request = across(7);
    found_and_waiting(&request);
    stand(at(4, 10));
    stand(at(30, 10)); /* beyond the horizon it still costs */
    stand(at(0, 10));  /* the unit of the agent itself */
    put_class(at(20, 10), 3);
    frame_of(service, 0);
    cr_assert_eq(last()->status, WEND_STATUS_FOUND);
    cr_assert_eq(last()->cost, 390 + 20 + 2 * 7);
    options_of(&request)->on_stale = WEND_ON_STALE_DELIVER;
    found_and_waiting(&request);
    wend_cell cells[21];
    wend__answer_cells(service, &service->entries[a_finished(service)], 20, cells);
    put_class(cells[20], WEND_CLASS_BLOCKED);
    for (int i = 10; i < 14; i++) stand(cells[i]);
    frame_of(service, 0);
    cr_assert_eq(last()->status, WEND_STATUS_STALE);
    cr_assert_eq(last()->cell_count, 20);
    uint64_t cost;
    cr_assert_eq(wend_map_path_cost(map, 0, seen_log[seen_count - 1].cells, last()->cell_count, NULL, &cost), WEND_OK);
    for (size_t i = 1; i < last()->cell_count; i++)
        cost += wend__map_occupants(map, seen_log[seen_count - 1].cells[i]) ? 7 : 0;
    cr_assert_eq((uint64_t)last()->cost, cost);
    cr_assert_geq(cost, 19 * 10 + 4 * 7);
}

Test(units, on_a_newer_version_those_too_far_cost_nothing) {
    wend_request request = across(7);
    options_of(&request)->occupied_within = 20;
    found_and_waiting(&request);
    stand(at(20, 10));
    stand(at(21, 10));
    put_class(at(30, 10), 3);
    frame_of(service, 0);
    cr_assert_eq(last()->status, WEND_STATUS_FOUND);
    cr_assert_eq(last()->cost, 390 + 20 + 7);
}

Test(units, what_was_cut_for_the_map_is_cut_again_for_units) {
    wend_request request = across(WEND_OCCUPIED_BLOCK);
    options_of(&request)->on_stale = WEND_ON_STALE_DELIVER;
    for (int32_t x = 2; x < 9; x++) {
        found_and_waiting(&request);
        put_class(at(5, 10), WEND_CLASS_BLOCKED);
        stand(at(x, 10));
        wend_frame frame = frame_of(service, 0);
        cr_assert_eq(frame.checks, 1);
        cr_assert_eq(last()->status, WEND_STATUS_STALE);
        cr_assert_eq(last()->cell_count, x < 5 ? (size_t)x : 5);
        leave(at(x, 10));
        put_class(at(5, 10), WEND_CLASS_OPEN);
    }
}

Test(units, too_long_a_way_costs_what_its_piece_costs) {
    wend_service_def def = small_def();
    def.max_path_cells = 11;
    service_anew(&def);
    for (int32_t y = 0; y < 21; y++) stand(at(5, y));
    wend_request request = across(7);
    submit(service, &request);
    drain(service, 100000);
    cr_assert_eq(last()->status, WEND_STATUS_TOO_LONG);
    cr_assert_eq(last()->cost, 107);
}

/* ---- goals closed in by units ---- */

static void ring(wend_map *wide, int32_t x, int32_t y) {
    for (int32_t i = 0; i < 25; i++)
        if (i / 5 % 4 == 0 || i % 5 % 4 == 0)
            cr_assert_eq(wend_map_occupy(wide, at(x + i % 5 - 2, y + i / 5 - 2)), WEND_OK);
}

/* Runs requests to goals in rings, and others, under some slice and number of workers. Returns a hash of all answers
 * and their expansions. */
static uint64_t ask_for_rings(uint32_t workers, uint64_t slice, uint64_t budget) {
    wend_service_def def = small_def();
    def.workers = workers;
    tuning.lanes = 1 + workers, tuning.slice = slice;
    wend_service *own = service_of(&def);
    wend_map *wide = open_map(150, 150);
    for (int32_t i = 0; i < 6; i++) ring(wide, 20 + 22 * i, 120);
    for (int32_t i = 0; i < 24; i++) {
        wend_request request = request_on(own, wide, at(5 * i, 3 + i), at(20 + 22 * (i % 6), i % 4 ? 120 : 60));
        options_of(&request)->occupied = WEND_OCCUPIED_BLOCK;
        request.mode = i % 3 ? WEND_MODE_EXACT : WEND_MODE_NEAREST;
        submit(own, &request);
    }
    drain(own, budget);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < 24; i++) {
        const wend_completion *done = &seen_number(i)->completion;
        const bool inside = i % 4 != 0, nearest = i % 3 == 0;
        cr_assert_eq(done->status, !inside ? WEND_STATUS_FOUND : nearest ? WEND_STATUS_PARTIAL : WEND_STATUS_NO_PATH);
        if (inside && !nearest) cr_assert_leq(done->expansions, 500u);
        sum = sum * 31 + done->expansions * 7 + (uint64_t)done->cost;
    }
    cr_assert_eq(wend_service_destroy(own), WEND_OK);
    wend_map_release(wide);
    seen_clear();
    return sum;
}

Test(units, s24_goals_in_rings_are_told_for_the_same_expansions_however_the_work_is_split) {
    const uint64_t whole = ask_for_rings(0, 1000, 1000000);
    cr_assert_eq(ask_for_rings(0, 7, 1000000), whole);
    cr_assert_eq(ask_for_rings(0, 1, 100), whole);
    cr_assert_eq(ask_for_rings(2, 50, 700), whole);
    cr_assert_eq(ask_for_rings(2, 1000, 1000000), whole);
}
