/* SPDX-License-Identifier: MIT */
/* The most expansions that a request may take, all restarts together: a request that needs E is answered with E, and
 * ends as `limit` with one less. And units that step onto goals while searches are under way. */
#include "service/service_support.h"
#include "fast/acceleration.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <wend/units.h>

enum { REQUESTS = 40, SEEDS = 60 };

typedef struct plan {
    uint64_t seed;
    uint64_t most[REQUESTS]; ///< by submission number
} plan;

static wend_cell any_cell(uint64_t *seed, int32_t side) {
    return at((int32_t)draw(seed, (uint32_t)side), (int32_t)draw(seed, (uint32_t)side));
}

/* Requests of all engines. The pool has room for all, so that no pages are taken from others. */
static void run(const plan *p) {
    const int32_t side = 90;
    uint64_t seed = p->seed;
    wend_service_def def = small_def();
    tuning.lanes = 1 + draw(&seed, 4), tuning.slice = 1 + draw(&seed, 200);
    tuning.searches = REQUESTS + 8;
    def.nodes = 1024 * WEND_PAGE_NODES;
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *map = rough_map(side, side, 10 + draw(&seed, 25), seed);
    if (draw(&seed, 2)) cr_assert_eq(wend__map_prepare_jumps(map), WEND_OK);
    for (uint64_t i = 0; i < REQUESTS; i++) {
        wend_request request = request_on(service, map, any_cell(&seed, side), any_cell(&seed, side));
        options_of(&request)->engine = (int32_t)draw(&seed, 3);
        request.mode = draw(&seed, 4) == 0 ? WEND_MODE_NEAREST : WEND_MODE_EXACT;
        request.reach = draw(&seed, 5) == 0 ? 2 : 0;
        options_of(&request)->weight_milli = draw(&seed, 5) == 0 ? 1500 : 1000;
        options_of(&request)->max_expansions = p->most[i];
        submit(service, &request);
    }
    const uint64_t budget = 100 + draw(&seed, 3000);
    while (wend_service_get_work(service) > 0) frame_of(service, budget);
}

/* An earlier frame is possible, as a search that has spent its limit is checked once more in the same round. */
Test(max, with_what_they_need_all_are_answered_as_without_a_limit) {
    static plan p;
    static wend_completion free[REQUESTS];
    for (p.seed = 1; p.seed <= SEEDS; p.seed++) {
        for (int i = 0; i < REQUESTS; i++) p.most[i] = WEND_NO_LIMIT;
        run(&p);
        for (uint64_t i = 0; i < REQUESTS; i++) free[i] = seen_number(i)->completion;
        seen_clear();
        for (int less = 0; less < 2; less++) {
            for (int i = 0; i < REQUESTS; i++) p.most[i] = free[i].expansions - (less && free[i].expansions > 0);
            run(&p);
            for (uint64_t i = 0; i < REQUESTS; i++) {
                const wend_completion got = seen_number(i)->completion;
                const bool limited = less && free[i].expansions > 0;
                cr_assert_eq(got.status, limited ? WEND_STATUS_LIMIT : free[i].status,
                             "seed %d, request %d: %s, not %s, in %d", (int)p.seed, (int)i,
                             wend_status_name(got.status), wend_status_name(free[i].status), (int)p.most[i]);
                cr_assert_eq(got.expansions, p.most[i]);
                if (!limited) cr_assert_eq(got.cost, free[i].cost);
            }
            seen_clear();
        }
    }
}

/* ---- restarts ---- */

/* A search across, while the way is walled up wholly or except a gap, before delivery. */
static const seen *across(uint64_t most, bool gap) {
    wend_service_def def = small_def();
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *map = open_map(40, 21);
    wend_request request = request_on(service, map, at(0, 10), at(39, 10));
    options_of(&request)->max_expansions = most;
    submit_from_to(service, map, at(0, 0), at(0, 0), 0);
    submit(service, &request);
    frame_delivering(service, 1);
    IN_BATCH(map, cr_assert_eq(wend_edit_fill_box(edit, (wend_box){{20, gap, 0}, {20, 20, 0}}, 0), WEND_OK));
    drain(service, 100000);
    return seen_number(1);
}

Test(max, counts_all_restarts) {
    for (int gap = 0; gap < 2; gap++) {
        const wend_completion free = across(WEND_NO_LIMIT, gap)->completion;
        cr_assert_eq(free.status, gap ? WEND_STATUS_FOUND : WEND_STATUS_NO_PATH);
        cr_assert_gt(free.expansions, 0);
        seen_clear();
        const wend_completion enough = across(free.expansions, gap)->completion;
        cr_assert_eq(enough.status, free.status, "%s", wend_status_name(enough.status));
        cr_assert_eq(enough.expansions, free.expansions);
        cr_assert_eq(enough.cost, free.cost);
        seen_clear();
        const wend_completion less = across(free.expansions - 1, gap)->completion;
        cr_assert_eq(less.status, WEND_STATUS_LIMIT, "%s", wend_status_name(less.status));
        cr_assert_eq(less.expansions, free.expansions - 1);
        seen_clear();
    }
}

/* ---- goals that units take ---- */

typedef struct chase {
    wend_service *service;
    wend_map *map;
    wend_ticket ticket;
} chase;

/* Begun, a few expansions in, among others that are searched too. */
static chase chase_from_corner(int32_t reach) {
    wend_service_def def = small_def();
    chase c = {.service = service_of(&def), .map = open_map(200, 200)};
    wend_request request = request_on(c.service, c.map, at(0, 0), at(150, 150));
    options_of(&request)->occupied = WEND_OCCUPIED_BLOCK;
    request.reach = reach;
    c.ticket = submit(c.service, &request);
    frame_of(c.service, 20);
    cr_assert_eq(seen_count, 0);
    return c;
}

static void end_chase(chase *c) {
    wend_service_destroy(c->service);
    wend_map_release(c->map);
    seen_clear();
}

Test(max, a_goal_that_a_unit_takes_is_blocked_in_the_next_frame) {
    chase c = chase_from_corner(0);
    cr_assert_eq(wend_map_occupy(c.map, at(150, 150)), WEND_OK);
    const wend_frame frame = frame_of(c.service, 100000);
    cr_assert_lt(frame.expansions, 10);
    cr_assert_eq(seen_count, 1);
    cr_assert_eq(seen_log[0].completion.status, WEND_STATUS_GOAL_BLOCKED);
    end_chase(&c);
}

Test(max, with_reach_the_search_for_a_taken_goal_goes_on) {
    chase c = chase_from_corner(1);
    cr_assert_eq(wend_map_occupy(c.map, at(150, 150)), WEND_OK);
    frame_of(c.service, 100000);
    cr_assert_eq(seen_log[0].completion.status, WEND_STATUS_FOUND);
    end_chase(&c);
}

Test(max, a_goal_that_moved_away_may_be_taken) {
    for (int taken = 0; taken < 2; taken++) {
        chase c = chase_from_corner(0);
        cr_assert_eq(wend_service_set_goal(c.service, c.ticket, at(150, 120)), WEND_OK);
        frame_of(c.service, 20);
        cr_assert_eq(wend_map_occupy(c.map, taken ? at(150, 120) : at(150, 150)), WEND_OK);
        const wend_frame frame = frame_of(c.service, 100000);
        if (taken) cr_assert_lt(frame.expansions, 10);
        cr_assert_eq(seen_log[0].completion.status, taken ? WEND_STATUS_GOAL_BLOCKED : WEND_STATUS_FOUND);
        end_chase(&c);
    }
}
