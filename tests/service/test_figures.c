/* SPDX-License-Identifier: MIT */
/* Figures: records and histograms agree with frames and completions, in bounded memory, and change nothing. */
#include "models/fast.h"
#include "service/frame_log/frame_log.h"
#include "models/options.h"
#include "service/service_support.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/explain.h>
#include <wend/figures.h>
#include <wend/layers.h>
#include <wend/units.h>

enum { SIDE = 60, REQUESTS = 40 };

static wend_figures *figures_of(uint32_t frames, uint32_t slices, uint32_t completions, counting *counts) {
    wend_figures_def def = default_figures();
    def.frames = frames, def.slices = slices, def.completions = completions;
    if (counts) def.allocator = counting_allocator(counts);
    return made_figures(&def);
}

static wend_figures_stats counts_of(const wend_figures *figures) {
    wend_figures_stats counts = {.struct_bytes = sizeof counts};
    cr_assert_eq(wend_figures_get_stats(figures, &counts), WEND_OK);
    return counts;
}

static size_t records_of(const wend_figures *figures, int32_t kind, uint64_t from, void *out, size_t bytes,
                         size_t capacity) {
    size_t count;
    cr_assert_eq(wend_figures_get_records(figures, kind, from, out, bytes, capacity, &count), WEND_OK);
    return count;
}

static wend_histogram histogram_of(const wend_figures *figures, int32_t kind, int32_t band) {
    wend_histogram histogram = {.struct_bytes = sizeof histogram};
    cr_assert_eq(wend_figures_get_histogram(figures, kind, band, &histogram), WEND_OK);
    return histogram;
}

static void submit_many(wend_service *service, wend_map *map) {
    uint64_t random = 3;
    for (int i = 0; i < REQUESTS; i++) {
        const int32_t x = (int32_t)draw(&random, SIDE), y = (int32_t)draw(&random, SIDE);
        submit_from_to(service, map, at(0, 0), at(x, y), i % 4 == 0 ? 1000 : i % 4 == 1 ? -1000 : 0);
    }
}

/* Frames into `all`, until nothing is pending. Returns how many. */
static size_t run_all(wend_service *service, wend_map *map, wend_frame *all, size_t capacity) {
    size_t count = 0;
    submit_many(service, map);
    while (wend_service_get_work(service) > 0) {
        cr_assert_lt(count, capacity);
        all[count++] = frame_of(service, 300);
    }
    return count;
}

static void expect_same(const wend_frame_record *record, const wend_frame *frame) {
    cr_expect_eq(record->frame, frame->frame);
    cr_expect_eq(record->budget, 300);
    cr_expect_eq(record->budget_us, WEND_NO_LIMIT);
    cr_expect_eq(record->expansions, frame->expansions);
    cr_expect_eq(record->rounds, frame->rounds);
    cr_expect_eq(record->intakes, frame->intakes);
    cr_expect_eq(record->deliveries, frame->deliveries);
    cr_expect_eq(record->cells, frame->cells);
    cr_expect_eq(record->waiting, frame->waiting);
    cr_expect_eq(record->running, frame->running);
    cr_expect_eq(record->finished, frame->finished);
    cr_expect_eq(record->shared, frame->shared);
    cr_expect(record->began_ns <= record->intake_ns && record->intake_ns <= record->rounds_ns &&
              record->rounds_ns <= record->ended_ns);
    cr_expect_eq((record->ended_ns - record->began_ns) / 1000, frame->us);
}

Test(figures, frames_are_those_that_ticks_told) {
    static wend_frame all[2000];
    static wend_frame_record records[2000];
    wend_service_def def = small_def();
    wend_service *service = service_of(&def);
    OWNED_MAP *map = rough_map(SIDE, SIDE, 20, 7);
    wend_figures *figures = figures_of(2000, 0, 0, NULL);
    cr_assert_eq(wend_service_set_figures(service, figures), WEND_OK);
    const size_t count = run_all(service, map, all, 2000);
    cr_expect_gt(count, 10);
    cr_expect_eq(counts_of(figures).frames, count);
    cr_assert_eq(records_of(figures, WEND_FIGURES_FRAMES, 0, records, sizeof *records, 2000), count);
    for (size_t i = 0; i < count; i++) expect_same(&records[i], &all[i]);
    cr_expect_eq(records_of(figures, WEND_FIGURES_FRAMES, count - 1, records, sizeof *records, 2000), 1);
    cr_expect_eq(records[0].frame, all[count - 1].frame);
    wend_service_destroy(service);
    wend_figures_destroy(figures);
}

/* With a limit of time and without. The clock advances at each reading, and only then. */
Test(figures, say_expansions_and_time_of_each_kind_of_work) {
    static fake_clock clock;
    static wend_frame_record records[400];
    clock = (fake_clock){.now = 5000, .step = 700};
    wend_service_def def = small_def();
    def.clock = clock_of(&clock);
    wend_service *service = service_of(&def);
    OWNED_MAP *map = rough_map(SIDE, SIDE, 20, 7);
    wend_figures *figures = figures_of(400, 0, 0, NULL);
    cr_assert_null(wend_service_get_figures(service));
    cr_assert_eq(wend_service_set_figures(service, figures), WEND_OK);
    cr_assert_eq(wend_service_get_figures(service), figures);
    for (int i = 0; i < 60; i++) {
        wend_request request = request_on(service, map, at(i % SIDE, 1), at(SIDE - 1, i % SIDE));
        options_of(&request)->engine = i % 3;
        submit(service, &request);
    }
    wend_budget budget = default_budget();
    for (int i = 0; wend_service_get_work(service) > 0; i++) {
        budget.expansions = i % 2 ? WEND_NO_LIMIT : 150, budget.us = i % 2 ? 20 : WEND_NO_LIMIT;
        frame_with(service, &budget);
    }
    const size_t count = records_of(figures, WEND_FIGURES_FRAMES, 0, records, sizeof *records, 400);
    wend_figures_stats counts = counts_of(figures);
    cr_assert_eq(counts.frames, count);
    for (size_t i = 0; i < count; i++) {
        uint64_t expansions = 0, ns = 0;
        for (int work = 0; work < 8; work++) {
            expansions += records[i].work_expansions[work], ns += records[i].work_ns[work];
            counts.work_expansions[work] -= records[i].work_expansions[work];
            counts.work_ns[work] -= records[i].work_ns[work];
            cr_expect(records[i].work_expansions[work] > 0 || records[i].work_ns[work] == 0);
        }
        cr_expect_eq(expansions, records[i].expansions);
        cr_expect_leq(ns, records[i].rounds_ns - records[i].intake_ns);
        cr_expect_eq(ns > 0, expansions > 0);
    }
    for (int work = 0; work < 8; work++) cr_expect(counts.work_expansions[work] == 0 && counts.work_ns[work] == 0);
    wend_service_destroy(service);
    wend_figures_destroy(figures);
}

Test(figures, rings_keep_the_last_records) {
    static wend_frame all[2000];
    wend_frame_record records[10];
    wend_done_record done[10];
    wend_service_def def = small_def();
    wend_service *service = service_of(&def);
    OWNED_MAP *map = rough_map(SIDE, SIDE, 20, 7);
    wend_figures *figures = figures_of(3, 0, 2, NULL);
    cr_assert_eq(wend_service_set_figures(service, figures), WEND_OK);
    const size_t count = run_all(service, map, all, 2000);
    cr_assert_eq(records_of(figures, WEND_FIGURES_FRAMES, 0, records, sizeof *records, 10), 3);
    for (size_t i = 0; i < 3; i++) expect_same(&records[i], &all[count - 3 + i]);
    cr_expect_eq(records_of(figures, WEND_FIGURES_FRAMES, 0, records, sizeof *records, 1), 3, "one fits");
    cr_expect_eq(records[0].frame, all[count - 3].frame);
    cr_assert_eq(records_of(figures, WEND_FIGURES_COMPLETIONS, 0, done, sizeof *done, 10), 2);
    for (size_t i = 0; i < 2; i++) {
        const wend_completion *last = &seen_log[seen_count - 2 + i].completion;
        cr_expect_eq(done[i].number, last->number);
        cr_expect_eq(done[i].status, last->status);
        cr_expect_eq(done[i].expansions, last->expansions);
        cr_expect_eq(done[i].frames, last->frames);
        cr_expect_eq(done[i].wait_frames, last->wait_frames);
        cr_expect_eq(done[i].engine, last->engine);
        cr_expect_eq(done[i].shared, last->shared);
    }
    wend_service_destroy(service);
    wend_figures_destroy(figures);
}

Test(figures, say_which_answers_were_shared) {
    static wend_frame all[2000];
    static wend_frame_record records[2000];
    wend_done_record done[3 * REQUESTS];
    wend_service_def def = small_def();
    def.share = 1, def.queue = 2 * REQUESTS;
    wend_service *service = service_of(&def);
    OWNED_MAP *map = rough_map(SIDE, SIDE, 20, 7);
    wend_figures *figures = figures_of(2000, 0, 3 * REQUESTS, NULL);
    cr_assert_eq(wend_service_set_figures(service, figures), WEND_OK);
    submit_many(service, map); /* the same requests again */
    const size_t count = run_all(service, map, all, 2000);
    uint64_t shared = 0, answers = 0;
    cr_assert_eq(records_of(figures, WEND_FIGURES_FRAMES, 0, records, sizeof *records, 2000), count);
    for (size_t i = 0; i < count; i++) shared += records[i].shared;
    cr_assert_eq(records_of(figures, WEND_FIGURES_COMPLETIONS, 0, done, sizeof *done, 3 * REQUESTS), 2 * REQUESTS);
    for (size_t i = 0; i < 2 * REQUESTS; i++) {
        cr_expect_eq(done[i].shared, seen_log[seen_count - 2 * REQUESTS + i].completion.shared);
        answers += (uint64_t)done[i].shared;
    }
    cr_expect_gt(shared, REQUESTS / 2);
    cr_expect_eq(answers, shared);
    cr_expect_eq(counts_of(figures).shared, shared);
    wend_service_destroy(service);
    wend_figures_destroy(figures);
}

/* A struct of a caller with fewer fields, or with more. */
Test(figures, records_fit_other_versions) {
    enum { LONGER = sizeof(wend_frame_record) + 8 };
    uint8_t longer[LONGER];
    uint64_t shorter[2][2];
    wend_service_def def = small_def();
    wend_service *service = service_of(&def);
    wend_figures *figures = figures_of(2, 0, 0, NULL);
    wend_service_set_figures(service, figures);
    frame_of(service, 7);
    frame_of(service, 8);
    memset(longer, 0xff, sizeof longer);
    cr_assert_eq(records_of(figures, WEND_FIGURES_FRAMES, 1, longer, LONGER, 1), 1);
    for (size_t i = sizeof(wend_frame_record); i < LONGER; i++) cr_expect_eq(longer[i], 0);
    cr_assert_eq(records_of(figures, WEND_FIGURES_FRAMES, 0, shorter, sizeof shorter[0], 2), 2);
    cr_expect(shorter[0][0] == 1 && shorter[1][0] == 2);
    wend_service_destroy(service);
    wend_figures_destroy(figures);
}

Test(figures, slices_add_up_to_their_frames) {
    static wend_frame all[2000];
    static wend_slice_record slices[20000];
    wend_service_def def = small_def();
    def.workers = 1;
    wend_service *service = service_of(&def);
    OWNED_MAP *map = rough_map(SIDE, SIDE, 20, 7);
    wend_figures *figures = figures_of(0, 20000, 0, NULL);
    cr_assert_eq(wend_service_set_figures(service, figures), WEND_OK);
    const size_t count = run_all(service, map, all, 2000);
    const size_t slice_count = records_of(figures, WEND_FIGURES_SLICES, 0, slices, sizeof *slices, 20000);
    uint64_t told = wend_service_get_slices(service, 0) + wend_service_get_slices(service, 1), fair = 0;
    cr_expect_eq(slice_count, told);
    for (size_t i = 0, next = 0; i < count; i++) {
        uint64_t expansions = 0;
        for (; next < slice_count && slices[next].frame == all[i].frame; next++) {
            expansions += slices[next].expansions;
            fair += slices[next].fair;
            cr_expect(slices[next].began_ns <= slices[next].ended_ns && slices[next].requests >= 1);
            cr_expect(slices[next].lane < tuning.lanes && slices[next].thread <= 1 &&
                      slices[next].round < all[i].rounds && slices[next].number <= REQUESTS);
        }
        cr_expect_eq(expansions, all[i].expansions);
    }
    cr_expect_geq(fair, slice_count / 8 - 1);
    wend_service_destroy(service);
    wend_figures_destroy(figures);
}

static uint64_t hash_with(bool noted, counting *counts) {
    static wend_frame all[2000];
    wend_service_def def = small_def();
    wend_service *service = service_of(&def);
    wend_map *map = rough_map(SIDE, SIDE, 20, 7);
    wend_figures *figures = figures_of(50, 50, 50, counts);
    const size_t calls = counts->calls;
    if (noted) cr_assert_eq(wend_service_set_figures(service, figures), WEND_OK);
    run_all(service, map, all, 2000);
    const uint64_t hash = seen_hash();
    cr_expect_eq(counts->calls, calls, "frames allocate nothing");
    wend_service_destroy(service);
    wend_figures_destroy(figures);
    wend_map_release(map);
    seen_clear();
    return hash;
}

Test(figures, change_no_answer_and_allocate_nothing) {
    counting counts = {0};
    cr_expect_eq(hash_with(true, &counts), hash_with(false, &counts));
    cr_expect_eq(counts.blocks, 0);
}

Test(figures, take_the_bytes_that_they_say) {
    wend_figures_def def = default_figures();
    counting counts = {.fail_at = 1};
    def.allocator = counting_allocator(&counts);
    wend_figures *figures;
    cr_expect_eq(wend_figures_create(&def, &figures), WEND_OUT_OF_MEMORY);
    counts.fail_at = 0;
    cr_assert_eq(wend_figures_create(&def, &figures), WEND_OK);
    cr_expect_eq(counts.bytes, wend__figures_bytes(&def));
    wend_figures_destroy(figures);
    wend_figures_destroy(NULL);
    def.slices = (1 << 24) + 1;
    cr_expect_eq(wend__figures_bytes(&def), 0);
    cr_expect_eq(wend_figures_create(&def, &figures), WEND_BAD_ARGUMENT);
}

static void set_inside(const seen *last) {
    cr_expect_eq(wend_service_set_figures(last->completion.context, NULL), WEND_IN_CALLBACK);
}

Test(figures, histograms_are_those_of_the_completions) {
    static wend_frame all[2000];
    wend_service_def def = small_def();
    wend_service *service = service_of(&def);
    OWNED_MAP *map = rough_map(SIDE, SIDE, 20, 7);
    wend_figures *figures = figures_of(0, 0, 0, NULL);
    cr_assert_eq(wend_service_set_figures(service, figures), WEND_OK);
    seen_hook = set_inside;
    const size_t frames = run_all(service, map, all, 2000);
    seen_hook = NULL;
    wend_stats stats = stats_now(service);
    wend_histogram wait = histogram_of(figures, WEND_HISTOGRAM_WAIT, WEND_BAND_ALL);
    cr_expect_eq(wait.total, REQUESTS);
    cr_expect_eq(wend_histogram_percentile(&wait, 500), stats.wait_frames.p50);
    cr_expect_eq(wend_histogram_percentile(&wait, 990), stats.wait_frames.p99);
    cr_expect_eq(wend_histogram_percentile(&wait, 1000), stats.wait_frames.max);
    cr_expect_eq(wait.max, stats.wait_frames.max);
    uint64_t sum = 0, spent = 0, total = 0;
    for (size_t i = 0; i < seen_count; i++) sum += seen_log[i].completion.frames;
    cr_expect_eq(histogram_of(figures, WEND_HISTOGRAM_LATENCY, WEND_BAND_ALL).sum, sum);
    for (int32_t band = 0; band < WEND_BAND_COUNT; band++)
        total += histogram_of(figures, WEND_HISTOGRAM_LATENCY, band).total;
    cr_expect_eq(total, REQUESTS);
    cr_expect_eq(histogram_of(figures, WEND_HISTOGRAM_LATENCY, 4).total, REQUESTS / 4);
    cr_expect_eq(histogram_of(figures, WEND_HISTOGRAM_LATENCY, 0).total, REQUESTS / 4);
    cr_expect_eq(histogram_of(figures, WEND_HISTOGRAM_LATENCY, 1).total, 0);
    wend_histogram of_frames = histogram_of(figures, WEND_HISTOGRAM_FRAME_EXPANSIONS, WEND_BAND_ALL);
    cr_expect_eq(of_frames.total, frames);
    cr_expect_eq(of_frames.sum, stats.expansions);
    wend_figures_stats counts = counts_of(figures);
    for (int i = 0; i < 8; i++) spent += counts.engine_expansions[i];
    cr_expect_eq(spent, stats.expansions);
    wend_histogram none = {.struct_bytes = sizeof none};
    cr_expect_eq(wend_figures_get_histogram(figures, -1, 0, &none), WEND_BAD_ARGUMENT);
    cr_expect_eq(wend_figures_get_histogram(figures, WEND_HISTOGRAM_COUNT, 0, &none), WEND_BAD_ARGUMENT);
    cr_expect_eq(wend_figures_get_histogram(figures, 0, WEND_BAND_COUNT, &none), WEND_BAD_ARGUMENT);
    cr_expect_eq(wend_histogram_percentile(&none, 500), 0);
    wend_service_destroy(service);
    wend_figures_destroy(figures);
}

/* ---- the last frames only ---- */

static wend_histogram recent_of(const wend_figures *figures, int32_t kind, int32_t band, uint32_t frames) {
    wend_histogram histogram = {.struct_bytes = sizeof histogram};
    cr_assert_eq(wend_figures_get_recent(figures, kind, band, frames, &histogram), WEND_OK);
    return histogram;
}

/* Makes the histogram of some values in another way: by the tops of buckets. */
static void expect_values(const wend_histogram *histogram, const uint64_t *values, size_t count) {
    uint64_t sum = 0, max = 0;
    cr_expect_eq(histogram->total, count);
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
        max = values[i] > max ? values[i] : max;
    }
    cr_expect_eq(histogram->sum, sum);
    cr_expect_eq(histogram->max, max);
    for (uint32_t bucket = 0; bucket < WEND_HISTOGRAM_BUCKETS; bucket++) {
        uint64_t in = 0;
        for (size_t i = 0; i < count; i++)
            in += values[i] <= wend__bucket_top(bucket) && (bucket == 0 || values[i] > wend__bucket_top(bucket - 1));
        cr_expect_eq(histogram->counts[bucket], in);
    }
}

Test(figures, recent_ones_are_those_of_the_last_frames_only) {
    enum { KEPT = 4, MOST = 2000 };
    static wend_frame all[MOST];
    static uint64_t values[MOST];
    static const uint32_t spans[] = {1, 2, 3, KEPT, KEPT + 1, 1 << 24};
    OWNED_MAP *map = grid_map(SIDE, SIDE);
    wend_service_def def = small_def();
    wend_service *service = service_of(&def);
    wend_figures *figures = figures_of(KEPT, 0, 4 * REQUESTS, NULL);
    cr_assert_eq(recent_of(figures, WEND_HISTOGRAM_FRAME_US, WEND_BAND_ALL, 9).total, 0);
    cr_assert_eq(wend_service_set_figures(service, figures), WEND_OK);
    const size_t frames = run_all(service, map, all, MOST);
    cr_assert(frames > KEPT, "%zu frames", frames);
    for (size_t k = 0; k < sizeof spans / sizeof spans[0]; k++) {
        const size_t kept = spans[k] < KEPT ? spans[k] : KEPT;
        for (size_t i = 0; i < kept; i++) values[i] = all[frames - kept + i].expansions;
        wend_histogram recent = recent_of(figures, WEND_HISTOGRAM_FRAME_EXPANSIONS, WEND_BAND_ALL, spans[k]);
        expect_values(&recent, values, kept);
        for (size_t i = 0; i < kept; i++) values[i] = all[frames - kept + i].waiting;
        recent = recent_of(figures, WEND_HISTOGRAM_WAITING, WEND_BAND_ALL, spans[k]);
        expect_values(&recent, values, kept);
        cr_expect_eq(recent_of(figures, WEND_HISTOGRAM_WAITING, 2, spans[k]).total, 0, "frames have no urgency");
        size_t done = 0, in_bands = 0;
        for (size_t i = 0; i < seen_count; i++) {
            const wend_completion *completion = &seen_log[i].completion;
            const bool within = seen_log[i].frame + spans[k] > all[frames - 1].frame;
            if (within) values[done++] = completion->frames;
        }
        recent = recent_of(figures, WEND_HISTOGRAM_LATENCY, WEND_BAND_ALL, spans[k]);
        expect_values(&recent, values, done);
        for (int32_t band = 0; band < WEND_BAND_COUNT; band++)
            in_bands += recent_of(figures, WEND_HISTOGRAM_WAIT, band, spans[k]).total;
        cr_expect_eq(in_bands, done);
    }
    cr_expect_eq(recent_of(figures, WEND_HISTOGRAM_WAIT, 4, 1 << 24).total, REQUESTS / 4);
    wend_service_destroy(service);
    wend_figures_destroy(figures);
}

Test(figures, buckets_rise_and_bands_part_urgencies) {
    for (uint32_t i = 1; i < WEND_HISTOGRAM_BUCKETS; i++) cr_expect_gt(wend__bucket_top(i), wend__bucket_top(i - 1));
    cr_expect_eq(wend__bucket_top(15), 15);
    cr_expect_eq(wend__bucket_top(16), 17);
    cr_expect_eq(wend__bucket_top(WEND_HISTOGRAM_BUCKETS - 1), UINT64_MAX);
    const int32_t first[] = {-1000, -600, -200, 201, 601};
    for (int32_t i = 0; i < WEND_BAND_COUNT; i++) {
        cr_expect_eq(wend__urgency_band(first[i]), i);
        cr_expect(i == 0 || wend__urgency_band(first[i] - 1) == i - 1);
    }
    cr_expect_eq(wend__urgency_band(1000), 4);
}

/* ---- answers by the general A* ---- */

static void expect_reason(wend_map *map, const wend_request *request, int32_t reason) {
    wend_service_def def = small_def();
    wend_service *service = service_of(&def);
    wend_figures *figures = figures_of(0, 0, 1, NULL);
    wend_done_record done;
    cr_assert_eq(wend_service_set_figures(service, figures), WEND_OK);
    submit(service, request);
    drain(service, WEND_NO_LIMIT);
    const wend_figures_stats counts = counts_of(figures);
    for (int32_t i = 0; i < WEND_GENERAL_COUNT; i++)
        cr_expect_eq(counts.general_answers[i], i == reason, "%s, where %s was wanted",
                     wend_constant_name(WEND_NAME_GENERAL, i), wend_constant_name(WEND_NAME_GENERAL, reason));
    cr_assert_eq(records_of(figures, WEND_FIGURES_COMPLETIONS, 0, &done, sizeof done, 1), 1);
    cr_expect_eq(done.general, reason);
    cr_expect_eq(counts.work_expansions[WEND_WORK_GENERAL_ASTAR] > 0, reason != WEND_GENERAL_NONE);
    wend_service_destroy(service);
    wend_figures_destroy(figures);
    wend_map_release(map);
    seen_clear();
}

static wend_map *fast_map(void) {
    NEEDS_FAST();
    wend_map *map = open_map(SIDE, SIDE);
    cr_assert_eq(wend_map_accelerate(map, NULL), WEND_OK);
    return map;
}

/* A request that jump search with stops serves on a map with tables. */
static wend_request reaching(wend_map *map) {
    wend_request request = request_on(NULL, map, at(2, 2), at(40, 31));
    request.reach = 2;
    return request;
}

Test(figures, tell_no_reason_where_a_faster_engine_answers) {
    wend_map *map = fast_map();
    wend_request request = reaching(map);
    expect_reason(map, &request, WEND_GENERAL_NONE);
}

Test(figures, tell_that_a_request_asks_for_astar) {
    wend_map *map = fast_map();
    wend_request request = reaching(map);
    options_of(&request)->engine = WEND_ENGINE_ASTAR;
    expect_reason(map, &request, WEND_GENERAL_ENGINE);
}

Test(figures, tell_that_a_heuristic_is_another) {
    wend_map *map = fast_map();
    wend_request request = reaching(map);
    options_of(&request)->heuristic = WEND_HEURISTIC_ZERO;
    expect_reason(map, &request, WEND_GENERAL_HEURISTIC);
}

Test(figures, tell_that_a_start_is_blocked) {
    wend_map *map = fast_map();
    wend_request request = reaching(map);
    cr_assert_eq(wend_map_set_cell(map, request.start, WEND_CLASS_BLOCKED, NULL), WEND_OK);
    options_of(&request)->leave_blocked_start = true;
    expect_reason(map, &request, WEND_GENERAL_START);
}

Test(figures, tell_that_a_map_has_no_tables) {
    wend_map *map = open_map(SIDE, SIDE);
    wend_request request = reaching(map);
    expect_reason(map, &request, WEND_GENERAL_TABLES);
}

Test(figures, tell_that_a_large_mover_is_among_units) {
    wend_map *map = fast_map();
    wend_request request = reaching(map);
    wend_mover mover = default_mover();
    mover.size = 2;
    cr_assert_eq(wend_map_add_mover(map, &mover, &request.mover), WEND_OK);
    wend_acceleration fast = default_acceleration();
    fast.mover = request.mover;
    cr_assert_eq(wend_map_accelerate(map, &fast), WEND_OK);
    cr_assert_eq(wend_map_occupy(map, at(20, 20)), WEND_OK);
    options_of(&request)->occupied = WEND_OCCUPIED_BLOCK;
    expect_reason(map, &request, WEND_GENERAL_UNITS);
}

Test(figures, tell_that_a_map_is_of_another_kind) {
    wend_map_def def = default_map();
    def.kind = WEND_KIND_VOXEL, def.width = def.height = SIDE, def.depth = 4;
    wend_map *map = made_map(&def);
    wend_request request = reaching(map);
    expect_reason(map, &request, WEND_GENERAL_KIND);
}

Test(figures, tell_that_a_box_lies_over_the_rim) {
    NEEDS_FAST();
    wend_map_def def = default_map();
    def.width = def.height = SIDE, def.wrap = WEND_WRAP_X;
    wend_map *map = made_map(&def);
    cr_assert_eq(wend_map_accelerate(map, NULL), WEND_OK);
    wend_request request = reaching(map);
    request.goal = at(0, 31);
    expect_reason(map, &request, WEND_GENERAL_RULES);
}

Test(figures, tell_that_a_request_pays_for_layers) {
    wend_map *map = fast_map();
    wend_request request = reaching(map);
    wend_layer_def def = default_layer();
    wend_layer_weight weight = {0, 8};
    cr_assert_eq(wend_map_add_layer(map, &def, &weight.layer), WEND_OK);
    cr_assert_eq(wend_map_add_profile(map, &weight, 1, &options_of(&request)->profile), WEND_OK);
    expect_reason(map, &request, WEND_GENERAL_LAYERS);
}

/* A row of units closes the goal in. Jump search finds no way, and the nearest cell is for another engine to find. */
Test(figures, tell_that_another_engine_could_not_end_the_search) {
    wend_map *map = fast_map();
    wend_request request = reaching(map);
    for (int32_t y = 0; y < SIDE; y++) cr_assert_eq(wend_map_occupy(map, at(20, y)), WEND_OK);
    request.mode = WEND_MODE_NEAREST;
    options_of(&request)->occupied = WEND_OCCUPIED_BLOCK;
    expect_reason(map, &request, WEND_GENERAL_AGAIN);
}

Test(figures, each_reason_of_the_general_search_has_a_word_and_a_sentence) {
    static const char *const words[WEND_GENERAL_COUNT] = {"none",  "engine", "heuristic", "start", "tables",
                                                          "rules", "units",  "kind",      "again", "layers"};
    for (int32_t i = 0; i < WEND_GENERAL_COUNT; i++) {
        cr_expect_str_eq(wend_constant_name(WEND_NAME_GENERAL, i), words[i]);
        cr_expect_str_neq(wend_constant_name(WEND_NAME_GENERAL_TEXT, i), "unknown");
    }
    cr_expect_str_eq(wend_constant_name(WEND_NAME_GENERAL, WEND_GENERAL_COUNT), "unknown");
    cr_expect_str_eq(wend_constant_name(WEND_NAME_GENERAL_TEXT, -1), "unknown");
}
