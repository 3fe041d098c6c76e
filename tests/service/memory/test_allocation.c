/* SPDX-License-Identifier: MIT */
/* Memory of services: one allocation at creation, none afterwards; maps are released. */
#include "service/service_support.h"

#include <criterion/criterion.h>

Test(allocation, create_asks_once_for_what_bytes_says) {
    counting counts = {0};
    wend_service_def def = small_def();
    def.allocator = counting_allocator(&counts);
    wend_service *service = service_of(&def);
    cr_assert_eq(counts.calls, 1);
    cr_assert_eq(counts.blocks, 1);
    cr_assert_eq(counts.bytes, wend_service_bytes(&def));
    cr_assert_leq(counts.largest_alignment, 64);
    wend_service_destroy(service);
    cr_assert_eq(counts.blocks, 0);
    cr_assert_eq(counts.bytes, 0, "free gets the same bytes");
}

Test(allocation, every_allocation_of_creation_may_fail) {
    counting counts = {0};
    wend_service_def def = small_def();
    def.allocator = counting_allocator(&counts);
    OWNED_SERVICE *service = (wend_service *)&def;
    size_t failures = 0;
    for (counts.fail_at = 1;; counts.fail_at++, failures++) {
        counts.calls = 0;
        wend_error error = wend_service_create(&def, &service);
        if (error == WEND_OK) break;
        cr_assert_eq(error, WEND_OUT_OF_MEMORY);
        cr_assert_eq(service, (wend_service *)&def, "out is untouched");
        cr_assert_eq(counts.blocks, 0);
    }
    cr_assert_eq(failures, 1);
}

Test(allocation, the_default_fits_a_server) {
    wend_service_def def = default_service();
    size_t bytes = wend_service_bytes(&def);
    cr_assert_gt(bytes, 0);
    cr_assert_lt(bytes, (size_t)64 << 20);
}

/* A busy hour in small: found, blocked, cancelled, expired, evicted, too long. */
Test(allocation, nothing_is_allocated_after_creation) {
    counting counts = {0}, of_map = {0};
    wend_service_def def = small_def();
    def.allocator = counting_allocator(&counts), def.nodes = 6 * WEND_PAGE_NODES;
    def.max_path_cells = 100;
    wend_service *service = service_of(&def);
    wend_map_def map_def = default_map();
    map_def.width = map_def.height = 150, map_def.allocator = counting_allocator(&of_map);
    wend_map *map = made_map(&map_def);
    wend_edit *edit = begin_edit(map);
    uint64_t seed = 3;
    for (int i = 0; i < 7000; i++)
        wend_edit_set_cell(edit, at((int32_t)draw(&seed, 150), (int32_t)draw(&seed, 150)), 0);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    size_t calls = counts.calls, map_calls = of_map.calls;
    for (int i = 0; i < 300; i++) {
        for (int j = 0; j < 6 && wend_service_get_pending(service) < 60; j++) {
            wend_request request = request_on(service, map, at((int32_t)draw(&seed, 150), (int32_t)draw(&seed, 150)),
                                              at((int32_t)draw(&seed, 150), (int32_t)draw(&seed, 150)));
            request.urgency = (int32_t)draw(&seed, 5);
            if (draw(&seed, 4) == 0) request.deadline_frames = 1 + draw(&seed, 9);
            wend_ticket ticket = submit(service, &request);
            if (draw(&seed, 7) == 0) wend_service_cancel(service, ticket);
        }
        frame_of(service, 2000);
    }
    cr_assert_eq(counts.calls, calls);
    cr_assert_eq(of_map.calls, map_calls, "nor by the map");
    const int32_t expected[] = {WEND_STATUS_FOUND,        WEND_STATUS_NO_PATH,   WEND_STATUS_START_BLOCKED,
                                WEND_STATUS_GOAL_BLOCKED, WEND_STATUS_CANCELLED, WEND_STATUS_EXPIRED,
                                WEND_STATUS_TOO_LONG};
    for (int i = 0; i < 7; i++) cr_assert_gt(seen_status(expected[i]), 0, "%s", wend_status_name(expected[i]));
    wend_stats stats = stats_now(service);
    cr_assert_gt(stats.evictions, 0);
    wend_service_destroy(service);
    wend_map_release(map);
    cr_assert_eq(of_map.blocks, 0);
    cr_assert_eq(counts.blocks, 0);
}

static size_t blocks_in_callback;
static counting *watched;
static void look(const seen *last) {
    (void)last;
    blocks_in_callback = watched->blocks;
}

Test(allocation, a_request_holds_its_map_until_its_completion) {
    counting of_map = {0};
    wend_service_def def = small_def();
    wend_service *service = service_of(&def);
    wend_map_def map_def = default_map();
    map_def.width = map_def.height = 20, map_def.allocator = counting_allocator(&of_map);
    watched = &of_map;
    seen_hook = look;
    wend_map *map = made_map(&map_def);
    const wend_request request = request_on(service, map, at(0, 0), at(9, 9));
    submit(service, &request);
    submit(service, &request);
    wend_map_release(map);
    cr_assert_gt(of_map.blocks, 0);
    frame_of(service, 1000);
    cr_assert_gt(blocks_in_callback, 0);
    cr_assert_eq(of_map.blocks, 0, "the last completion gave the map back");
    map = NULL; /* and so does destroy */
    cr_assert_eq(wend_map_create(&map_def, &map), WEND_OK);
    submit_from_to(service, map, at(0, 0), at(9, 9), 0);
    wend_map_release(map);
    wend_service_destroy(service);
    cr_assert_eq(of_map.blocks, 0);
}
