/* SPDX-License-Identifier: MIT */
/* Every limit at its value and one past it: the definition's, the queue's, paths', the arena's, deadlines. */
#include "service/service_support.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static wend_error create_error(const wend_service_def *def) {
    wend_service *service = NULL;
    wend_error error = wend_service_create(def, &service);
    cr_assert_eq(error == WEND_OK, service != NULL);
    cr_assert_eq(error == WEND_OK, wend_service_bytes(def) > 0, "bytes says 0 for what create refuses");
    wend_service_destroy(service);
    return error;
}

#define TRY(field, value, expected)                                                                                    \
    do {                                                                                                               \
        wend_service_def def = small_def();                                                                            \
        def.field = (value);                                                                                           \
        cr_assert_eq(create_error(&def), expected, #field " = " #value);                                               \
    } while (0)

#define TRY_TUNING(field, value, expected)                                                                             \
    do {                                                                                                               \
        wend_service_def def = small_def();                                                                            \
        tuning.field = (value);                                                                                        \
        cr_assert_eq(create_error(&def), expected, #field " = " #value);                                               \
    } while (0)

Test(limits, of_a_definition) {
    TRY(struct_bytes, 1, WEND_BAD_ARGUMENT);
    TRY(queue, 0, WEND_BAD_ARGUMENT);
    TRY(queue, 1, WEND_OK);
    TRY(queue, (1u << 24) + 1, WEND_BAD_ARGUMENT);
    TRY_TUNING(searches, 1, WEND_BAD_ARGUMENT); /* two lanes */
    TRY_TUNING(searches, 2, WEND_OK);
    TRY_TUNING(searches, 65536, WEND_OK);
    TRY_TUNING(searches, 65537, WEND_BAD_ARGUMENT);
    TRY_TUNING(lanes, 0, WEND_BAD_ARGUMENT);
    TRY_TUNING(lanes, 8, WEND_OK);
    TRY_TUNING(lanes, 9, WEND_BAD_ARGUMENT); /* eight searches */
    TRY_TUNING(struct_bytes, 1, WEND_BAD_ARGUMENT);
    TRY_TUNING(struct_bytes, offsetof(wend_service_tuning, share_cells) - 1, WEND_BAD_ARGUMENT);
    TRY_TUNING(list, 0, WEND_BAD_ARGUMENT);
    TRY_TUNING(list, 256, WEND_OK);
    TRY_TUNING(list, 257, WEND_BAD_ARGUMENT);
    TRY(workers, 1, WEND_OK);
    TRY(workers, 64, WEND_OK);
    TRY(workers, 65, WEND_BAD_ARGUMENT);
    TRY(workers, UINT32_MAX, WEND_BAD_ARGUMENT);
    TRY_TUNING(fair, UINT32_MAX, WEND_OK);
    TRY_TUNING(evictions, 1000000, WEND_OK);
    TRY_TUNING(evictions, 1000001, WEND_BAD_ARGUMENT);
    TRY_TUNING(restarts, 1000000, WEND_OK);
    TRY_TUNING(restarts, 1000001, WEND_BAD_ARGUMENT);
    TRY_TUNING(slice, 0, WEND_BAD_ARGUMENT);
    TRY_TUNING(slice, UINT64_MAX, WEND_OK);
    TRY_TUNING(quantum, 0, WEND_OK);
    TRY_TUNING(quantum, UINT64_MAX, WEND_OK);
    TRY_TUNING(share_cells, UINT64_C(1) << 31, WEND_OK);
    TRY_TUNING(share_cells, (UINT64_C(1) << 31) + 1, WEND_BAD_ARGUMENT);
    TRY_TUNING(rush, 1000, WEND_OK);
    TRY_TUNING(rush, 1001, WEND_BAD_ARGUMENT);
    TRY_TUNING(far_nodes, WEND_MAX_FAR_NODES, WEND_OK);
    TRY_TUNING(far_nodes, WEND_MAX_FAR_NODES + 1, WEND_BAD_ARGUMENT);
    TRY(nodes, 0, WEND_OK);
    TRY(nodes, UINT64_MAX, WEND_BAD_ARGUMENT);
    TRY(max_path_cells, 0, WEND_BAD_ARGUMENT);
    TRY(max_path_cells, 1, WEND_OK);
    TRY(max_path_cells, (UINT64_C(1) << 32) + 1, WEND_BAD_ARGUMENT);
    TRY(path_bytes, 0, WEND_OK); /* raised to one longest path */
    TRY(path_bytes, UINT64_MAX, WEND_BAD_ARGUMENT);
    TRY(allocator.free, NULL, WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_service_bytes(NULL), 0);
    cr_assert_eq(wend_service_create(NULL, NULL), WEND_BAD_ARGUMENT);
    wend_service_def def = small_def();
    cr_assert_eq(wend_service_create(&def, NULL), WEND_BAD_ARGUMENT);
}

enum { STALE = 0xa5, PAGE = 4096 };
static uint8_t *stale_memory;

static void *stale_alloc(void *context, size_t bytes, size_t alignment) {
    (void)context, (void)alignment;
    stale_memory = aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
    memset(stale_memory, STALE, bytes);
    return stale_memory;
}

static void stale_free(void *context, void *memory, size_t bytes) {
    (void)context, (void)bytes;
    free(memory);
}

/* Returns the number of pages whose first byte was never written. */
static size_t pages_untouched(const wend_service_def *def) {
    wend_service *service = service_of(def);
    size_t untouched = 0;
    for (size_t at = 0; at < wend_service_bytes(def); at += PAGE) untouched += stale_memory[at] == STALE;
    wend_service_destroy(service);
    return untouched;
}

Test(limits, prefault_touches_every_page_and_nothing_else_does) {
    wend_service_def def = small_def();
    def.allocator = (wend_allocator){.alloc = stale_alloc, .free = stale_free};
    const size_t pages = wend_service_bytes(&def) / PAGE;
    cr_assert_gt(pages_untouched(&def), pages / 2);
    tuning.prefault = 1;
    cr_assert_eq(pages_untouched(&def), 0);
}

Test(limits, no_tuning_means_the_defaults) {
    wend_service_def def = small_def();
    def.tuning = NULL;
    OWNED_SERVICE *service = service_of(&def);
    wend_service_tuning defaults = default_tuning();
    const wend_service_tuning *own = &service->tuning;
    cr_assert(own->list == defaults.list && own->fair == defaults.fair && own->evictions == defaults.evictions);
    cr_assert(own->restarts == defaults.restarts && own->goals == defaults.goals);
    cr_assert(own->horizon == defaults.horizon && own->prefault == defaults.prefault);
    cr_assert(own->slice == defaults.slice && own->quantum == defaults.quantum);
    const size_t bytes = wend_service_bytes(&def);
    def.tuning = &defaults;
    cr_assert_eq(wend_service_bytes(&def), bytes);
    defaults.goals *= 2;
    cr_assert_gt(wend_service_bytes(&def), bytes);
}

Test(limits, a_tuning_is_copied) {
    wend_service_def def = small_def();
    OWNED_SERVICE *service = service_of(&def);
    memset(&tuning, 0, sizeof tuning);
    cr_assert_eq(service->tuning.slice, 50);
    cr_assert_eq(service->def.tuning, &service->tuning);
    OWNED_MAP *map = open_map(20, 20);
    submit_from_to(service, map, at(0, 0), at(9, 9), 0);
    drain(service, 1000);
    cr_assert_eq(seen_status(WEND_STATUS_FOUND), 1);
}

Test(limits, of_lanes) {
    wend_service_def def = small_def();
    tuning.searches = 65, tuning.lanes = 64;
    cr_assert_eq(create_error(&def), WEND_OK);
    tuning.lanes = 65;
    cr_assert_eq(create_error(&def), WEND_BAD_ARGUMENT);
}

Test(limits, the_largest_queue_and_path_are_computed_without_overflow) {
    wend_service_def def = small_def();
    def.queue = 1u << 24, def.max_path_cells = UINT64_C(1) << 32, def.nodes = UINT64_C(1) << 30;
    if (sizeof(size_t) == 8)
        cr_assert_gt(wend_service_bytes(&def), (size_t)UINT64_C(50000000000));
    else
        cr_assert_eq(wend_service_bytes(&def), 0);
}

Test(limits, the_pool_is_rounded_up_to_a_page_a_lane) {
    wend_service_def def = small_def();
    tuning.lanes = 3;
    def.nodes = 1;
    wend_service *service = service_of(&def);
    cr_assert_eq(service->pool.page_count, 3);
    wend_service_destroy(service);
    def.nodes = 3 * WEND_PAGE_NODES + 1;
    service = service_of(&def);
    cr_assert_eq(service->pool.page_count, 4);
    wend_service_destroy(service);
}

static wend_service *service;
static wend_map *map;

static void submit_again(const seen *last) {
    if (last->completion.number < 50) submit_from_to(service, map, at(0, 0), at(5, 5), 0);
}

Test(limits, a_queue_of_one_and_of_two) {
    for (uint32_t queue = 1; queue <= 2; queue++) {
        wend_service_def def = small_def();
        def.queue = queue;
        service = service_of(&def);
        map = open_map(20, 20);
        wend_request request = request_on(service, map, at(0, 0), at(9, 9));
        for (uint32_t i = 0; i < queue; i++) submit(service, &request);
        cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_BUSY);
        seen_hook = submit_again; /* the place is free before the callback */
        drain(service, 1000);
        cr_assert_eq(seen_status(WEND_STATUS_FOUND), 50 + queue);
        seen_hook = NULL;
        wend_service_destroy(service);
        wend_map_release(map);
        seen_clear();
    }
}

Test(limits, bad_requests_are_refused) {
    wend_service_def def = small_def();
    service = service_of(&def);
    map = open_map(20, 20);
    const wend_request good = request_on(service, map, at(0, 0), at(1, 1));
#define BAD_AT(at, field, value)                                                                                       \
    do {                                                                                                               \
        wend_request request = good;                                                                                   \
        at field = (value);                                                                                            \
        cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_BAD_ARGUMENT, #field " = " #value);            \
    } while (0)
#define BAD(field, value) BAD_AT(request., field, value)
#define BAD_MORE(field, value) BAD_AT(options_of(&request)->, field, value)
    BAD_MORE(struct_bytes, 0);
    BAD(struct_bytes, 0);
    BAD(map, NULL);
    BAD(urgency, 1001);
    BAD(urgency, -1001);
    BAD_MORE(engine, 3);
    BAD_MORE(heuristic, 4);
    BAD_MORE(weight_milli, 999);
    BAD_MORE(weight_milli, WEND_WEIGHT_MAX_MILLI + 1);
    BAD(deadline_frames, 0);
    cr_assert_eq(wend_service_get_pending(service), 0);
    wend_service_destroy(service);
    wend_map_release(map);
}

/* ---- paths ---- */

static wend_service *service_for_paths(uint64_t cells, uint64_t path_bytes) {
    wend_service_def def = small_def();
    def.max_path_cells = cells, def.path_bytes = path_bytes;
    return service_of(&def);
}

Test(limits, too_long_is_one_cell_past_the_limit) {
    map = snake_map(21, 30);
    uint64_t whole = snake_cells(21, 30);
    for (uint64_t cells = whole - 2; cells <= whole + 1; cells++) {
        service = service_for_paths(cells, 0);
        submit_from_to(service, map, at(0, 0), at(20, 29), 0);
        drain(service, 1000);
        const wend_completion *c = &seen_log[0].completion;
        cr_assert_eq(c->status, cells < whole ? WEND_STATUS_TOO_LONG : WEND_STATUS_FOUND);
        cr_assert_eq(c->cell_count, cells < whole ? cells : whole);
        size_t walkable;
        uint64_t cost;
        cr_assert_eq(wend_map_path_cost(map, WEND_MOVER_DEFAULT, seen_log[0].cells, c->cell_count, &walkable, &cost),
                     WEND_OK);
        cr_assert_eq(walkable, c->cell_count);
        cr_assert_eq(cost, (uint64_t)c->cost);
        cr_assert_eq(seen_log[0].cells[0].x, 0);
        wend_service_destroy(service);
        seen_clear();
    }
    wend_map_release(map);
}

Test(limits, a_longest_path_of_one_cell) {
    service = service_for_paths(1, 0);
    map = open_map(9, 9);
    submit_from_to(service, map, at(4, 4), at(4, 4), 0);
    submit_from_to(service, map, at(4, 4), at(5, 4), 0);
    drain(service, 1000);
    cr_assert_eq(seen_log[0].completion.status, WEND_STATUS_FOUND);
    cr_assert_eq(seen_log[1].completion.status, WEND_STATUS_TOO_LONG);
    cr_assert_eq(seen_log[1].completion.cell_count, 1);
    cr_assert_eq(seen_log[1].completion.cost, 0);
    wend_service_destroy(service);
    wend_map_release(map);
}

/* Paths of every length about a block's, through the arena and back. */
Test(limits, paths_survive_the_arena) {
    service = service_for_paths(4096, 0);
    map = open_map(400, 2);
    for (int32_t x = 1; x < 400; x++) {
        wend_request request = request_on(service, map, at(0, 0), at(x, x % 2));
        if (x % 3 == 0) request.start = at(x, x % 2), request.goal = at(0, 1);
        submit(service, &request);
        drain(service, 1000);
        const seen *s = &seen_log[seen_count - 1];
        size_t walkable;
        uint64_t cost;
        cr_assert_eq(wend_map_path_cost(map, WEND_MOVER_DEFAULT, s->cells, s->completion.cell_count, &walkable, &cost),
                     WEND_OK);
        cr_assert_eq(walkable, (size_t)x + 1);
        cr_assert_eq(cost, (uint64_t)s->completion.cost);
        cr_assert(s->cells[x].x == request.goal.x && s->cells[x].y == request.goal.y);
    }
    wend_service_destroy(service);
    wend_map_release(map);
}

/* The arena holds one path; eight finish at once. */
Test(limits, a_full_arena_keeps_finished_searches_in_their_slots) {
    map = snake_map(21, 30);
    service = service_for_paths(snake_cells(21, 30), 0);
    shrink_arena(service, snake_cells(21, 30));
    wend_request request = request_on(service, map, at(0, 0), at(20, 29));
    for (int i = 0; i < 12; i++) submit(service, &request);
    wend_frame frame = frame_delivering(service, 1);
    cr_assert_eq(frame.deliveries, 1);
    cr_assert_gt(service->holding, 0, "the case occurred");
    cr_assert_leq(frame.finished, 9, "eight slots, one path in the arena");
    cr_assert_eq(frame.waiting, 12 - frame.finished - frame.running - 1);
    for (int i = 0; i < 20; i++) frame_delivering(service, 1);
    cr_assert_eq(seen_status(WEND_STATUS_FOUND), 12);
    for (size_t i = 0; i < 12; i++) {
        cr_assert_eq(seen_log[i].completion.number, i);
        cr_assert_eq(seen_log[i].completion.cell_count, snake_cells(21, 30));
        cr_assert_eq(seen_log[i].cells[snake_cells(21, 30) - 1].x, 20);
    }
    cr_assert_eq(service->holding, 0);
    wend_service_destroy(service);
    wend_map_release(map);
}

/* ---- deadlines ---- */

Test(limits, deadlines_expire_by_the_nth_delivery) {
    for (uint64_t deadline = 1; deadline <= 4; deadline++) {
        wend_service_def def = small_def();
        service = service_of(&def);
        map = moat_map(100);
        wend_request request = request_on(service, map, at(0, 0), moat_goal(100));
        frame_of(service, 100);
        request.deadline_frames = deadline;
        submit(service, &request);
        for (uint64_t i = 1; i < deadline; i++) {
            frame_of(service, 100);
            cr_assert_eq(seen_count, 0);
        }
        wend_frame frame = frame_of(service, 100);
        cr_assert_eq(seen_count, 1);
        cr_assert_eq(seen_log[0].completion.status, WEND_STATUS_EXPIRED);
        cr_assert_eq(seen_log[0].completion.frames, deadline);
        cr_assert_eq(seen_log[0].completion.expansions, deadline * 100, "it was searched up to the last frame");
        cr_assert_eq(frame.running, 0);
        wend_service_destroy(service);
        wend_map_release(map);
        seen_clear();
    }
}

Test(limits, an_answer_in_the_last_frame_is_no_expiry) {
    wend_service_def def = small_def();
    service = service_of(&def);
    map = open_map(20, 20);
    wend_request request = request_on(service, map, at(0, 0), at(9, 0));
    request.deadline_frames = 1;
    submit(service, &request);
    request.deadline_frames = UINT64_MAX - 1; /* later than any frame */
    submit(service, &request);
    frame_of(service, 1000);
    cr_assert_eq(seen_status(WEND_STATUS_FOUND), 2);
    wend_service_destroy(service);
    wend_map_release(map);
}

Test(limits, deadlines_hold_for_what_was_not_taken_in) {
    wend_service_def def = small_def();
    service = service_of(&def);
    map = open_map(20, 20);
    wend_budget budget = default_budget();
    limits_of(&budget)->intakes = 1, budget.expansions = 0;
    wend_request request = request_on(service, map, at(0, 0), at(9, 0));
    for (int i = 0; i < 4; i++) {
        request.deadline_frames = i == 2 ? 1 : WEND_NO_LIMIT;
        submit(service, &request);
    }
    wend_frame frame = frame_with(service, &budget);
    cr_assert_eq(frame.intakes, 1);
    cr_assert_eq(seen_count, 1);
    cr_assert_eq(seen_log[0].completion.number, 2);
    cr_assert_eq(seen_log[0].completion.status, WEND_STATUS_EXPIRED);
    cr_assert_eq(seen_log[0].completion.wait_frames, 1);
    drain(service, 1000);
    cr_assert_eq(seen_status(WEND_STATUS_FOUND), 3);
    wend_service_destroy(service);
    wend_map_release(map);
}

Test(limits, cancelled_beats_expired) {
    wend_service_def def = small_def();
    service = service_of(&def);
    map = moat_map(100);
    wend_request request = request_on(service, map, at(0, 0), moat_goal(100));
    request.deadline_frames = 2;
    wend_ticket ticket = submit(service, &request);
    frame_of(service, 100);
    wend_service_cancel(service, ticket);
    frame_of(service, 100);
    cr_assert_eq(seen_count, 1);
    cr_assert_eq(seen_log[0].completion.status, WEND_STATUS_CANCELLED);
    wend_service_destroy(service);
    wend_map_release(map);
}
