/* SPDX-License-Identifier: MIT */
/* Budgets of every kind, time, replays, figures, determinism. */
#include "models/worlds.h"
#include "base/base.h"
#include "service/service_support.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <wend/host.h>

Test(frames, of_no_expansions_time_or_rounds_take_in_and_deliver) {
    OWNED_MAP *open = open_map(20, 20);
    for (int i = 0; i < 3; i++) {
        wend_service_def def = small_def();
        OWNED_SERVICE *service = service_of(&def);
        wend_budget budget = default_budget();
        if (i == 0)
            budget.expansions = 0;
        else if (i == 1)
            budget.us = 0;
        else
            limits_of(&budget)->rounds = 0;
        submit_from_to(service, open, at(0, 0), at(9, 9), 0);
        for (int j = 0; j < 20; j++) submit_from_to(service, open, at(0, 0), at(0, 0), 0);
        wend_frame frame = frame_with(service, &budget);
        cr_assert_eq(frame.intakes, 21);
        cr_assert_eq(frame.deliveries, 20);
        cr_assert_eq(frame.expansions + frame.rounds, 0);
        cr_assert_eq(frame.waiting, 1);
    }
}

Test(frames, refuse_a_bad_budget) {
    wend_service_def def = small_def();
    OWNED_SERVICE *service = service_of(&def);
    wend_budget budget = default_budget();
    budget.struct_bytes = WEND__FIRST_BYTES(wend_budget, us) - 1;
    cr_assert_eq(wend_service_tick(service, &budget, NULL), WEND_BAD_ARGUMENT);
    wend_budget_init(&budget, sizeof budget);
    budget.reserved = 1;
    cr_assert_eq(wend_service_tick(service, &budget, NULL), WEND_BAD_ARGUMENT);
    cr_assert_eq(service->frame, 0);
    cr_assert_eq(wend_service_tick(service, NULL, NULL), WEND_OK);
    cr_assert_eq(service->frame, 1);
}

Test(frames, limits_of_intakes_deliveries_and_cells) {
    wend_service_def def = small_def();
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *open = open_map(40, 40);
    wend_budget budget = default_budget();
    for (int i = 0; i < 30; i++) submit_from_to(service, open, at(0, 0), at(9, 0), 0);
    limits_of(&budget)->intakes = 12, limits_of(&budget)->deliveries = 5;
    wend_frame frame = frame_with(service, &budget);
    cr_assert_eq(frame.intakes, 12);
    cr_assert_eq(frame.deliveries, 5);
    cr_assert_eq(frame.cells, 50);
    cr_assert_eq(frame.finished, 7);
    cr_assert_eq(frame.waiting, 18);
    limits_of(&budget)->intakes = limits_of(&budget)->deliveries = 0; /* still at least one */
    frame = frame_with(service, &budget);
    cr_assert_eq(frame.intakes, 1);
    cr_assert_eq(frame.deliveries, 1);
    wend_budget_init(&budget, sizeof budget);
    limits_of(&budget)->cells = 35; /* passed by the fourth */
    cr_assert_eq(frame_with(service, &budget).deliveries, 4);
    limits_of(&budget)->cells = 40; /* reached by the fourth, passed by the fifth */
    cr_assert_eq(frame_with(service, &budget).deliveries, 5);
    limits_of(&budget)->cells = 0;
    cr_assert_eq(frame_with(service, &budget).deliveries, 1);
    drain(service, 10000);
    cr_assert_eq(seen_count, 30);
}

Test(frames, limits_of_rounds) {
    wend_service_def def = small_def();
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *moat = moat_map(100);
    for (int i = 0; i < 3; i++) submit_from_to(service, moat, at(i, 0), moat_goal(100), 0);
    wend_budget budget = default_budget();
    limits_of(&budget)->rounds = 7;
    wend_frame frame = frame_with(service, &budget);
    cr_assert_eq(frame.rounds, 7);
    cr_assert_eq(frame.expansions, 7 * 2 * 50);
}

/* Budgets that lanes cannot share evenly are spent to the last expansion. */
Test(frames, every_small_budget_is_spent_exactly) {
    for (uint32_t lanes = 1; lanes <= 8; lanes++) {
        wend_service_def def = small_def();
        tuning.lanes = lanes;
        def.nodes = 400 * WEND_PAGE_NODES; /* no search ends or starves meanwhile */
        OWNED_SERVICE *service = service_of(&def);
        OWNED_MAP *moat = moat_map(300);
        for (int i = 0; i < 8; i++) submit_from_to(service, moat, at(i, 0), moat_goal(300), i % 3);
        for (uint64_t budget = 0; budget < 200; budget++) {
            wend_frame frame = frame_of(service, budget);
            cr_assert_eq(frame.expansions, budget);
            cr_assert_eq(frame.rounds, (budget + 50 * lanes - 1) / (50 * lanes), "the odd ones go to the first lanes");
        }
    }
}

/* ---- time ---- */

/* A clock for which an expansion takes a microsecond. */
static wend_service *timed;
static uint64_t extra_ns;
static uint64_t now_by_expansions(void *context) {
    (void)context;
    uint64_t ns = extra_ns;
    if (timed)
        for (uint32_t i = 0; i < timed->inbox.fresh_entry; i++) ns += timed->entries[i].spent * 1000;
    return ns;
}

/* The time of a round is known after the first one. */
Test(frames, of_microseconds_begin_no_round_that_would_take_too_long) {
    wend_service_def def = small_def();
    def.clock = (wend_clock){NULL, now_by_expansions};
    timed = service_of(&def);
    OWNED_MAP *moat = moat_map(200);
    for (int i = 0; i < 3; i++) submit_from_to(timed, moat, at(i, 0), moat_goal(200), 0);
    wend_budget budget = default_budget();
    const uint64_t us[] = {1, 99, 100, 101, 1000, 1234};
    for (size_t i = 0; i < 6; i++) {
        budget.us = us[i];
        wend_frame frame = frame_with(timed, &budget);
        cr_assert_eq(frame.us, frame.expansions);
        cr_assert_eq(frame.rounds, us[i] < 100 ? 1 : us[i] / 100, "a round is 100 expansions");
        uint64_t expansions = 0, ns = 0;
        for (unsigned work = 0; work < 8; work++) expansions += frame.work_expansions[work], ns += frame.work_ns[work];
        cr_assert_eq(expansions, frame.expansions);
        cr_assert_eq(ns, frame.us * 1000);
    }
    wend_service_destroy(timed);
    timed = NULL;
}

static void takes_time(const seen *last) {
    (void)last;
    extra_ns += 40000;
}

static uint64_t now_by_reads(void *context) {
    (void)context;
    return extra_ns += 10000;
}

/* A round takes 10 us, a callback 40: time is kept for callbacks, so answers are delivered as they come. */
Test(frames, of_microseconds_leave_time_for_callbacks) {
    wend_service_def def = small_def();
    tuning.slice = 5;
    def.clock = (wend_clock){NULL, now_by_reads};
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *open = open_map(60, 60);
    seen_hook = takes_time;
    wend_budget budget = default_budget();
    budget.us = 1000;
    for (int i = 0; i < 200; i++) {
        while (wend_service_get_pending(service) < 60) submit_from_to(service, open, at(0, 0), at(20, 20), 0);
        wend_frame frame = frame_with(service, &budget);
        cr_assert_leq(frame.us, 1000 + 40 + 50, "a callback and some looks at the clock too much, at most");
        if (i > 20) cr_assert_leq(frame.finished, 10, "frame %d: %zu", i, (size_t)frame.finished);
    }
    cr_assert_gt(seen_count, 200 * 8);
}

Test(frames, of_microseconds_search_also_after_a_slow_callback) {
    wend_service_def def = small_def();
    def.clock = (wend_clock){NULL, now_by_reads};
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *open = open_map(20, 20), *moat = moat_map(200);
    wend_budget budget = default_budget();
    budget.us = 800, limits_of(&budget)->deliveries = 1;
    seen_hook = takes_time;
    submit_from_to(service, moat, at(0, 0), moat_goal(200), 0);
    for (int i = 0; i < 10; i++) submit_from_to(service, open, at(0, 0), at(0, 0), 0);
    frame_with(service, &budget);
    service->delivery_ns = UINT64_MAX / 1000; /* a delivery that took years */
    wend_frame frame = frame_with(service, &budget);
    cr_assert_geq(frame.rounds, 8, "an eighth of the time");
    cr_assert_leq(frame.rounds, 12);
}

Test(frames, of_microseconds_give_the_intake_half) {
    wend_service_def def = small_def();
    fake_clock clock = {0, 10000, 0};
    def.clock = clock_of(&clock);
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *moat = moat_map(100);
    for (int i = 0; i < 64; i++) submit_from_to(service, moat, at(0, 0), moat_goal(100), 0);
    wend_budget budget = default_budget();
    budget.us = 100;
    wend_frame frame = frame_with(service, &budget);
    cr_assert_eq(frame.intakes, 40, "five looks of 10 us, one for each eight");
    cr_assert_eq(frame.rounds, 4, "10 us each, and a look before the first");
}

Test(frames, of_microseconds_take_in_at_least_some_and_search_at_least_a_round) {
    wend_service_def def = small_def();
    fake_clock clock = {5, 1000000, 0}; /* every look at it takes a millisecond */
    def.clock = clock_of(&clock);
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *open = open_map(60, 60);
    for (int i = 0; i < 64; i++) submit_from_to(service, open, at(0, 0), at(9, 9), 0);
    wend_budget budget = default_budget();
    budget.us = 1;
    wend_frame frame = frame_with(service, &budget);
    cr_assert_eq(frame.intakes, 8);
    cr_assert_eq(frame.rounds, 1);
    uint64_t frames = 0;
    for (; wend_service_get_work(service) > 0; frames++) {
        frame = frame_with(service, &budget);
        cr_assert_geq(frame.deliveries, 1);
        cr_assert_lt(frames, 100);
    }
    cr_assert_eq(seen_status(WEND_STATUS_FOUND), 64);
}

typedef struct record {
    uint64_t rounds, intakes, deliveries, changes, checks, chosen;
} record;

/* A load by the frame's number, with callbacks that ask again. */
static void load(wend_service *service, wend_map *rough, int frame, uint64_t *seed) {
    for (int i = 0; i < 12 && wend_service_get_pending(service) < 50; i++) {
        wend_request request = request_on(service, rough, at((int32_t)draw(seed, 100), (int32_t)draw(seed, 100)),
                                          at((int32_t)draw(seed, 100), (int32_t)draw(seed, 100)));
        request.urgency = (int32_t)draw(seed, 3);
        if (draw(seed, 9) == 0) request.deadline_frames = 1 + draw(seed, 5);
        if (draw(seed, 9) == 0) options_of(&request)->max_expansions = draw(seed, 1000);
        wend_ticket ticket = submit(service, &request);
        if (draw(seed, 9) == 0) wend_service_cancel(service, ticket);
        if (draw(seed, 9) == 0) wend_service_set_urgency(service, ticket, 9);
    }
    if (frame % 10 == 9) wend_service_cancel(service, (wend_ticket){draw(seed, 64), 1 + draw(seed, 3)});
}

static uint64_t run_load(const wend_service_def *def, const wend_budget *budget, record *records, bool replay) {
    wend_service *service = service_of(def);
    wend_map *rough = rough_map(100, 100, 30, 4);
    uint64_t seed = 77;
    for (int i = 0; i < 100; i++) {
        load(service, rough, i, &seed);
        wend_budget own = *budget;
        if (replay)
            own.us = WEND_NO_LIMIT, limits_of(&own)->rounds = records[i].rounds,
            limits_of(&own)->intakes = records[i].intakes, limits_of(&own)->deliveries = records[i].deliveries,
            limits_of(&own)->changes = records[i].changes, limits_of(&own)->checks = records[i].checks,
            limits_of(&own)->chosen = records[i].chosen;
        wend_frame frame = frame_with(service, &own);
        if (records && !replay)
            records[i] =
                (record){frame.rounds, frame.intakes, frame.deliveries, frame.changes, frame.checks, frame.chosen};
    }
    wend_service_destroy(service);
    wend_map_release(rough);
    uint64_t hash = seen_hash();
    cr_assert_gt(seen_count, 300);
    seen_clear();
    return hash;
}

Test(frames, of_time_are_replayed_by_what_they_recorded) {
    wend_service_def def = small_def();
    fake_clock clock = {0, 3700, 0};
    def.clock = clock_of(&clock);
    wend_budget budget = default_budget();
    budget.us = 60;
    record records[100];
    uint64_t hash = run_load(&def, &budget, records, false);
    size_t cut = 0;
    for (int i = 0; i < 100; i++) cut += records[i].intakes == 8 || records[i].rounds < 20;
    cr_assert_gt(cut, 50, "the clock did cut frames");
    def.clock = wend__clock_default();
    cr_assert_eq(run_load(&def, &budget, records, true), hash);
}

/* ---- determinism ---- */

Test(frames, the_same_calls_give_the_same_completions) {
    wend_budget budget = budget_of(3000);
    for (uint32_t lanes = 1; lanes <= 4; lanes += 3) {
        wend_service_def def = small_def();
        tuning.lanes = lanes;
        def.nodes = 10 * WEND_PAGE_NODES; /* with evictions */
        uint64_t first = run_load(&def, &budget, NULL, false);
        counting counts = {0};
        def.allocator = counting_allocator(&counts); /* other addresses, memory that is not clear */
        cr_assert_eq(run_load(&def, &budget, NULL, false), first);
    }
}

static void compare_paths(const world *grid, wend_map *map, const wend_service_def *def, const wend_cell *ends,
                          seen *first) {
    wend_service *service = service_of(def);
    for (size_t i = 0; i < 20; i++) submit_from_to(service, map, ends[2 * i], ends[2 * i + 1], (int32_t)(i % 3));
    drain(service, 977);
    for (size_t i = 0; i < 20; i++) {
        const seen *s = seen_number(i);
        cr_assert_not_null(s);
        if (first[i].cells) {
            cr_assert_eq(s->completion.cell_count, first[i].completion.cell_count);
            for (size_t j = 0; j < s->completion.cell_count; j++)
                cr_assert(s->cells[j].x == first[i].cells[j].x && s->cells[j].y == first[i].cells[j].y);
        } else if (s->completion.status == WEND_STATUS_FOUND) {
            int64_t walked = world_path(grid, ends[2 * i], ends[2 * i + 1], s->cells, s->completion.cell_count);
            cr_assert_eq(walked, s->completion.cost);
            cr_assert_eq(walked, world_cost(grid, ends[2 * i], ends[2 * i + 1]));
            first[i].completion = s->completion;
            first[i].cells = malloc(s->completion.cell_count * sizeof *s->cells);
            for (size_t j = 0; j < s->completion.cell_count; j++) first[i].cells[j] = s->cells[j];
        }
    }
    wend_service_destroy(service);
    seen_clear();
}

Test(frames, paths_never_depend_on_lanes_slices_or_the_pool) {
    oracle_random random = {12};
    size_t paths = 0;
    for (int trial = 0; trial < 15; trial++) {
        world grid = {0};
        world_begin(&grid, WEND_KIND_GRID, 90, 70, 1);
        world_scatter(&grid, &random, 0.25, 0.2, 5);
        grid.rules.neighbours = trial % 3 == 0 ? 4 : 8, grid.rules.corners = trial % 3;
        wend_map *map = world_map(&grid);
        wend_cell ends[40];
        seen first[20] = {0};
        for (int i = 0; i < 40; i++) ends[i] = world_any_cell(&grid, &random);
        const uint64_t slices[] = {1, 7, 64, 10000};
        for (int i = 0; i < 4; i++) {
            wend_service_def def = small_def();
            tuning.slice = slices[i], tuning.lanes = 1u << i, tuning.quantum = 1 + slices[3 - i];
            def.nodes = (i < 2 ? 100 : 8) * WEND_PAGE_NODES;
            compare_paths(&grid, map, &def, ends, first);
        }
        for (int i = 0; i < 20; i++) paths += first[i].cells != NULL, free(first[i].cells);
        wend_map_release(map);
        world_free(&grid);
    }
    cr_assert_gt(paths, 50);
}

/* ---- figures ---- */

static int by_size(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void check_percentile(uint64_t *values, size_t count, unsigned percent, uint64_t said) {
    qsort(values, count, sizeof *values, by_size);
    uint64_t exact = values[(count * percent + 99) / 100 - 1];
    cr_assert_geq(said, exact);
    cr_assert_leq(said, exact <= 15 ? exact : exact + exact / 8, "p%u: %zu for %zu", percent, (size_t)said,
                  (size_t)exact);
}

Test(frames, figures_add_up) {
    wend_service_def def = small_def();
    OWNED_SERVICE *service = service_of(&def);
    OWNED_MAP *rough = rough_map(100, 100, 30, 4);
    uint64_t seed = 5, expansions = 0, rounds = 0, submitted = 0, deliveries = 0, frames = 0, statuses[16] = {0};
    for (int i = 0; i < 400; i++) {
        if (i < 100) load(service, rough, i, &seed);
        wend_frame frame = frame_of(service, 500);
        cr_assert_eq(frame.frame, ++frames);
        expansions += frame.expansions, rounds += frame.rounds, submitted += frame.submitted;
        deliveries += frame.deliveries;
        for (int j = 0; j < 16; j++) statuses[j] += frame.statuses[j];
    }
    while (wend_service_get_work(service) > 0) {
        wend_frame frame = frame_of(service, 500);
        frames++, expansions += frame.expansions, rounds += frame.rounds, deliveries += frame.deliveries;
        for (int j = 0; j < 16; j++) statuses[j] += frame.statuses[j];
    }
    wend_stats stats = stats_now(service);
    cr_assert_eq(stats.struct_bytes, sizeof stats);
    cr_assert_eq(stats.frames, frames);
    cr_assert_eq(stats.expansions, expansions);
    cr_assert_eq(stats.rounds, rounds);
    cr_assert_eq(stats.submitted, submitted);
    cr_assert_eq(stats.completed, submitted);
    cr_assert_eq(deliveries, submitted);
    cr_assert_eq(stats.pending, 0);
    cr_assert_eq(seen_count, submitted);
    for (int i = 0; i < 16; i++) {
        cr_assert_eq(stats.statuses[i], statuses[i]);
        cr_assert_eq(seen_status(i), statuses[i]);
    }
    cr_assert(statuses[WEND_STATUS_FOUND] > 0 && statuses[WEND_STATUS_EXPIRED] > 0 &&
              statuses[WEND_STATUS_CANCELLED] > 0);
    cr_assert_gt(stats.nodes_in_use_peak, 0);
    cr_assert_leq(stats.nodes_in_use_peak, 64 * WEND_PAGE_NODES);
    uint64_t *waits = malloc(seen_count * sizeof *waits), *latencies = malloc(seen_count * sizeof *latencies);
    for (size_t i = 0; i < seen_count; i++) {
        waits[i] = seen_log[i].completion.wait_frames;
        latencies[i] = seen_log[i].completion.frames;
        cr_assert_leq(waits[i], latencies[i]);
        cr_assert_geq(waits[i], 1);
    }
    check_percentile(waits, seen_count, 50, stats.wait_frames.p50);
    check_percentile(waits, seen_count, 99, stats.wait_frames.p99);
    check_percentile(latencies, seen_count, 50, stats.latency_frames.p50);
    check_percentile(latencies, seen_count, 99, stats.latency_frames.p99);
    cr_assert_eq(stats.latency_frames.max, latencies[seen_count - 1]);
    cr_assert_eq(stats.wait_frames.max, waits[seen_count - 1]);
    cr_assert_gt(stats.latency_frames.p99, 15, "beyond what is counted one by one");
    free(waits);
    free(latencies);
}

/* ---- the wake hook ---- */

static int wakes;
static void wake(void *context) {
    wakes += *(int *)context;
}
static wend_map *wake_map;
static void ask_again(const seen *last) {
    if (last->completion.number == 2) submit_from_to(last->completion.context, wake_map, at(0, 0), at(1, 1), 0);
}

Test(frames, wake_is_called_when_there_is_work_again) {
    wend_service_def def = small_def();
    OWNED_SERVICE *service = service_of(&def);
    wake_map = open_map(20, 20);
    int one = 1;
    submit_from_to(service, wake_map, at(0, 0), at(1, 1), 0);
    wend_service_set_wake(service, wake, &one);
    submit_from_to(service, wake_map, at(0, 0), at(1, 1), 0);
    cr_assert_eq(wakes, 0, "there was work already");
    frame_of(service, 1000);
    seen_hook = ask_again;
    submit_from_to(service, wake_map, at(0, 0), at(1, 1), 0);
    cr_assert_eq(wakes, 1);
    frame_of(service, 1000);
    cr_assert_eq(wakes, 2, "a callback submitted into an idle service");
    frame_of(service, 1000);
    const wend_request refused = request_on(service, wake_map, at(0, 0), at(-1, 0));
    wend_service_submit(service, &refused, NULL);
    cr_assert_eq(wakes, 2, "what is refused is no work");
    wend_service_set_wake(service, NULL, NULL);
    submit_from_to(service, wake_map, at(0, 0), at(1, 1), 0);
    cr_assert_eq(wakes, 2);
    wend_map_release(wake_map);
}

/* A clock for which an expansion on voxels takes three microseconds, and on a grid one. */
static wend_map *slow_map;
static uint64_t now_by_kinds(void *context) {
    (void)context;
    static uint64_t before, reused; /* expansions of the former requests of reused entries */
    uint64_t ns = 0;
    for (uint32_t i = 0; timed && i < timed->inbox.fresh_entry; i++)
        ns += timed->entries[i].spent * (timed->entries[i].request.map == slow_map ? 3000 : 1000);
    if (ns < before) reused += before - ns;
    before = ns;
    return ns + reused;
}

Test(frames, tell_kinds_of_work_apart) {
    wend_service_def def = small_def();
    def.clock = (wend_clock){NULL, now_by_kinds};
    timed = service_of(&def);
    wend_map_def space = default_map();
    space.width = space.height = space.depth = 48, space.kind = WEND_KIND_VOXEL;
    cr_assert_eq(wend_map_create(&space, &slow_map), WEND_OK);
    OWNED_MAP *moat = moat_map(200);
    wend_budget budget = default_budget();
    budget.us = 2000;
    for (int i = 0; i < 40; i++) {
        if (wend_service_get_pending(timed) < 4) {
            submit_from_to(timed, moat, at(0, 0), moat_goal(200), 0);
            wend_request request = request_on(timed, slow_map, at(0, 0), (wend_cell){47, 40, 23});
            submit(timed, &request);
        }
        const wend_frame frame = frame_with(timed, &budget);
        const uint64_t grid = frame.work_expansions[WEND_WORK_GRID_ASTAR],
                       voxels = frame.work_expansions[WEND_WORK_VOXEL_ASTAR];
        cr_assert_eq(grid + voxels, frame.expansions);
        cr_assert_leq(frame.work_ns[WEND_WORK_GRID_ASTAR] + frame.work_ns[WEND_WORK_VOXEL_ASTAR], frame.us * 1000);
        cr_assert_eq(frame.us, grid + 3 * voxels);
        cr_assert_leq(frame.us, 2000 + 200, "a tenth too much at most");
    }
    wend_service_destroy(timed);
    timed = NULL;
    wend_map_release(slow_map);
}
