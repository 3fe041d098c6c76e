/* SPDX-License-Identifier: MIT */
/* Frames of a service whose searches owe expansions: no frame exceeds its budget, all of it is spent while there is
 * work, and lanes, slices, budgets and workers do not change the counts of a request. */
#include "service/service_support.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <wend/units.h>
#include <wend/ways.h>

enum { SIDE = 50, REQUESTS = 24 };

static wend_map *dear_map(void) {
    wend_map *map = open_map(SIDE, SIDE);
    wend_edit *edit = begin_edit(map);
    for (int32_t hub = 0; hub < 5; hub++)
        for (int32_t i = 0; i < 200; i++)
            cr_assert_eq(wend_edit_add_link(edit, &(wend_link){at(hub * 9, hub * 9),
                                                               at(SIDE - 1 - i % 40, SIDE - 1 - i / 40), 9999, 0}),
                         WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    for (int32_t i = 0; i < 100; i++) cr_assert_eq(wend_map_occupy(map, at(i * 37 % SIDE, i * 23 % SIDE)), WEND_OK);
    return map;
}

static void submit_all(wend_service *service, wend_map *map) {
    static wend_cell goals[10];
    for (int32_t i = 0; i < 10; i++) goals[i] = at(SIDE - 1, i);
    for (int32_t i = 0; i < REQUESTS; i++) {
        wend_request request = request_on(service, map, at(i % 5 * 9, i % 5 * 9), at(SIDE - 1 - i, 40));
        options_of(&request)->occupied = i % 3 == 0 ? WEND_OCCUPIED_IGNORE : 20;
        options_of(&request)->more_goals = goals, options_of(&request)->more_goal_count = i % 4 == 0 ? 10 : 0;
        submit(service, &request);
    }
}

/* Expansions of each request. */
static void run(uint32_t lanes, uint32_t workers, uint64_t slice, uint64_t budget, uint64_t counted[REQUESTS]) {
    wend_service_def def = small_def();
    tuning.lanes = lanes, def.workers = workers;
    def.nodes = 64 * 64 * WEND_PAGE_NODES; /* nothing is evicted, and searched again */
    tuning.searches = 64, tuning.slice = slice;
    wend_service *service = service_of(&def);
    wend_map *map = dear_map();
    submit_all(service, map);
    uint64_t sum = 0, by_request = 0;
    while (wend_service_get_work(service) > 0) {
        const wend_frame frame = frame_of(service, budget);
        cr_assert_leq(frame.expansions, budget);
        if (wend_service_get_pending(service) > 0) cr_assert_eq(frame.expansions, budget, "all of it is spent");
        sum += frame.expansions;
    }
    for (uint64_t i = 0; i < REQUESTS; i++) {
        const wend_completion *done = &seen_number(i)->completion;
        cr_assert_eq(done->status, WEND_STATUS_FOUND);
        cr_assert_eq(done->restarts, 0);
        by_request += counted[i] = done->expansions;
    }
    cr_assert_eq(by_request, sum);
    wend_service_destroy(service);
    wend_map_release(map);
    seen_clear();
}

Test(counted, frames_are_exact_and_counts_do_not_depend_on_them) {
    static const uint64_t budgets[] = {1, 7, 1000, 100000}, slices[] = {1, 30, 1000};
    uint64_t first[REQUESTS], other[REQUESTS];
    run(1, 0, 1000, WEND_NO_LIMIT, first);
    for (unsigned i = 0; i < REQUESTS; i++) cr_assert_gt(first[i], 100, "each begins at a hub of 200 links");
    for (unsigned i = 0; i < 12; i++) {
        run(1 + i % 4, 0, slices[i % 3], budgets[i / 3], other);
        cr_assert_arr_eq(first, other, sizeof first);
    }
}

Test(counted, workers_change_nothing) {
    uint64_t first[REQUESTS], other[REQUESTS];
    run(4, 0, 100, 5000, first);
    for (uint32_t workers = 1; workers <= 4; workers++) {
        run(4, workers, 100, 5000, other);
        cr_assert_arr_eq(first, other, sizeof first);
    }
}
