/* SPDX-License-Identifier: MIT */
/* What the service adds to bare searches, how evenly frames cost, and what waiting requests cost. Prints CSV. */
#include <stdio.h>
#include <stdlib.h>

#include "scenery.h"

enum { SIDE = 512, QUERIES = 200, REPEATS = 5, WAITING = 60000 };

static wend_request random_request(wend_map *map, uint64_t *state) {
    wend_request request = wend_request_default();
    request.map = map;
    request.start = (wend_cell){(int)bench_random(state, SIDE), (int)bench_random(state, SIDE), 0};
    request.goal = (wend_cell){(int)bench_random(state, SIDE), (int)bench_random(state, SIDE), 0};
    return request;
}

static double bare(wend_map *map, uint64_t seed) {
    wend_search_def def = wend_search_default();
    wend_search *search;
    if (wend_search_create(&def, &search) != WEND_OK) exit(2);
    static wend_cell cells[SIDE * SIDE];
    size_t count;
    double begun = bench_cpu_us();
    for (int i = 0; i < QUERIES; i++) {
        wend_request request = random_request(map, &seed);
        if (wend_search_begin(search, &request) != WEND_OK) exit(2);
        while (wend_search_step(search, WEND_NO_LIMIT, NULL) == WEND_STATUS_PENDING) continue;
        wend_search_path(search, cells, SIDE * SIDE, &count);
    }
    double us = bench_cpu_us() - begun;
    wend_search_destroy(search);
    return us;
}

static void ignore(void *context, const wend_completion *completion) {
    (void)context, (void)completion;
}

static wend_service *service_of(uint32_t lanes, uint64_t slice) {
    wend_service_def def = wend_service_default();
    def.lanes = lanes, def.slice = slice;
    def.max_path_cells = SIDE * SIDE;
    wend_service *service;
    if (wend_service_create(&def, &service) != WEND_OK) exit(2);
    return service;
}

static double through_service(wend_map *map, uint64_t seed, uint32_t lanes, uint64_t slice, uint64_t frame_expansions) {
    wend_service *service = service_of(lanes, slice);
    double begun = bench_cpu_us();
    for (int i = 0; i < QUERIES; i++) {
        wend_request request = random_request(map, &seed);
        request.on_done = ignore;
        if (wend_service_submit(service, &request, NULL) != WEND_OK) exit(2);
    }
    wend_budget budget = wend_budget_default();
    budget.expansions = frame_expansions;
    while (wend_service_work(service) > 0) wend_service_tick(service, &budget, NULL);
    double us = bench_cpu_us() - begun;
    wend_service_destroy(service);
    return us;
}

static double least(double a, double b) {
    return a < b ? a : b;
}

/* Each setting against bare searches of the same queries, turn by turn, best of REPEATS. */
static void overhead(wend_map *map) {
    static const struct {
        uint32_t lanes;
        uint64_t slice, frame;
    } rows[] = {{1, 1000, WEND_NO_LIMIT}, {4, 1000, WEND_NO_LIMIT}, {4, 1000, 20000},
                {4, 250, 20000},          {8, 1000, 20000},         {16, 1000, 20000}};
    puts("lanes,slice,frame_expansions,us_a_query,ratio_to_bare");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double alone = 1e18, served = 1e18;
        for (int repeat = 0; repeat < REPEATS; repeat++) {
            alone = least(alone, bare(map, 7));
            served = least(served, through_service(map, 7, rows[i].lanes, rows[i].slice, rows[i].frame));
        }
        printf("%u,%llu,%lld,%.1f,%.3f\n", rows[i].lanes, (unsigned long long)rows[i].slice, (long long)rows[i].frame,
               served / QUERIES, served / alone);
    }
}

/* Submission, intake and delivery of requests that need no search, many waiting at a time. */
static void waiting(wend_map *map) {
    wend_service *service = service_of(4, 1000);
    wend_request request = wend_request_default();
    request.map = map;
    request.start = request.goal = (wend_cell){1, 1, 0};
    request.on_done = ignore;
    double begun = bench_cpu_us();
    for (int i = 0; i < WAITING; i++) wend_service_submit(service, &request, NULL);
    double submitted = bench_cpu_us();
    wend_service_tick(service, NULL, NULL);
    double done = bench_cpu_us();
    puts("waiting,submit_us_each,intake_and_delivery_us_each");
    printf("%d,%.3f,%.3f\n", WAITING, (submitted - begun) / WAITING, (done - submitted) / WAITING);
    wend_service_destroy(service);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void frames(wend_map *map) {
    enum { FRAMES = 1000 };
    static double us[FRAMES];
    wend_service *service = service_of(4, 1000);
    wend_budget budget = wend_budget_default();
    budget.expansions = 20000;
    uint64_t seed = 9;
    for (int i = 0; i < FRAMES; i++) {
        while (wend_service_pending(service) < 64) {
            wend_request request = random_request(map, &seed);
            request.on_done = ignore;
            wend_service_submit(service, &request, NULL);
        }
        double begun = bench_cpu_us();
        wend_service_tick(service, &budget, NULL);
        us[i] = bench_cpu_us() - begun;
    }
    qsort(us, FRAMES, sizeof *us, by_value);
    puts("frames,expansions_each,us_p50,us_p99,us_max");
    printf("%d,20000,%.0f,%.0f,%.0f\n", FRAMES, us[FRAMES / 2], us[FRAMES * 99 / 100], us[FRAMES - 1]);
    wend_service_destroy(service);
}

/* One frame that answers requests for a goal nobody can reach, beside searches for 20,000 expansions; and without them. */
static double frame_us(wend_map *map, wend_cell closed, int impossible, wend_frame *frame) {
    wend_service *service = service_of(4, 1000);
    wend_budget budget = wend_budget_default();
    uint64_t seed = 11;
    budget.expansions = 20000;
    for (int i = 0; i < 64 + impossible; i++) {
        wend_request request = random_request(map, &seed);
        request.on_done = ignore;
        if (i >= 64) request.goal = closed;
        wend_service_submit(service, &request, NULL);
    }
    double begun = bench_cpu_us();
    wend_service_tick(service, &budget, frame);
    double us = bench_cpu_us() - begun;
    wend_service_destroy(service);
    return us;
}

static void unreachable(void) {
    enum { IMPOSSIBLE = 10000 };
    wend_map *map = bench_map_rooms(SIDE, 16);
    wend_edit *edit;
    wend_cell middle = {SIDE / 2, SIDE / 2, 0};
    if (wend_edit_begin(map, &edit) != WEND_OK) exit(2);
    wend_edit_fill(edit, (wend_box){{middle.x - 1, middle.y - 1, 0}, {middle.x + 1, middle.y + 1, 0}}, 0);
    wend_edit_set(edit, middle, 1);
    if (wend_edit_publish(edit, NULL) != WEND_OK) exit(2);
    double with = 1e18, without = 1e18;
    wend_frame frame;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        without = least(without, frame_us(map, middle, 0, &frame));
        with = least(with, frame_us(map, middle, IMPOSSIBLE, &frame));
    }
    puts("impossible,expansions,frame_us,frame_us_without,us_each");
    printf("%llu,%llu,%.0f,%.0f,%.3f\n", (unsigned long long)frame.statuses[WEND_STATUS_NO_PATH],
           (unsigned long long)frame.expansions, with, without, (with - without) / IMPOSSIBLE);
    wend_map_release(map);
}

int main(void) {
    wend_map *map = bench_map_rooms(SIDE, 16);
    overhead(map);
    waiting(map);
    unreachable();
    frames(map);
    wend_map_release(map);
    return 0;
}
