/* SPDX-License-Identifier: MIT */
/* The gain of workers: expansions a second of the ticking thread alone, and with helpers; and what all of them spend
 * on it. Prints CSV. Wall time counts here, so other load on the machine shows: the best of several turns is told,
 * and how many processors' worth of time the threads got in it.
 *
 *   bench_workers [TURNS]      8 where not given */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "scenery.h"
#include "map/acceleration.h"

enum { SIDE = 1024, TURNS = 8, MOST = 3 };

typedef struct setting {
    const char *name;
    uint32_t lanes;
    uint64_t slice, frame; ///< expansions
    int reach;             ///< goals lie that far at most; 0: anywhere
    uint32_t requests;
    int32_t engine;
} setting;

typedef struct figures {
    double wall_us, cpu_us;
    uint64_t expansions, helped, slices;
} figures;

static double us_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static void ignore(void *context, const wend_completion *completion) {
    (void)context, (void)completion;
}

static int32_t near(uint64_t *state, int32_t from, int reach) {
    int32_t to = from - reach + (int32_t)bench_random(state, 2 * (uint32_t)reach + 1);
    return to < 0 ? 0 : to >= SIDE ? SIDE - 1 : to;
}

static void submit_all(wend_service *service, wend_map *map, const setting *s) {
    uint64_t state = 5;
    for (uint32_t i = 0; i < s->requests; i++) {
        wend_request request;
        wend_request_init(&request, sizeof request);
        request.map = map;
        request.on_done = ignore;
        request.engine = s->engine;
        request.start = (wend_cell){(int)bench_random(&state, SIDE), (int)bench_random(&state, SIDE), 0};
        request.goal = (wend_cell){(int)bench_random(&state, SIDE), (int)bench_random(&state, SIDE), 0};
        if (s->reach > 0)
            request.goal =
                (wend_cell){near(&state, request.start.x, s->reach), near(&state, request.start.y, s->reach), 0};
        if (wend_service_submit(service, &request, NULL) != WEND_OK) exit(2);
    }
}

static figures run(wend_map *map, const setting *s, uint32_t workers) {
    wend_service_def def;
    wend_service_def_init(&def, sizeof def);
    wend_tuning tuning;
    wend_tuning_init(&tuning, sizeof tuning);
    def.tuning = &tuning;
    def.lanes = s->lanes, tuning.slice = s->slice, def.workers = workers;
    def.nodes = 64 * UINT64_C(65536);
    wend_service *service;
    if (wend_service_create(&def, &service) != WEND_OK) exit(2);
    submit_all(service, map, s);
    wend_budget budget;
    wend_budget_init(&budget, sizeof budget);
    budget.expansions = s->frame;
    wend_frame frame = {.struct_bytes = sizeof frame};
    figures f = {0};
    double wall = us_of(CLOCK_MONOTONIC), cpu = us_of(CLOCK_PROCESS_CPUTIME_ID);
    while (wend_service_get_work(service) > 0) {
        if (wend_service_tick(service, &budget, &frame) != WEND_OK) exit(2);
        f.expansions += frame.expansions;
    }
    f.wall_us = us_of(CLOCK_MONOTONIC) - wall;
    f.cpu_us = us_of(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    for (uint32_t i = 0; i <= workers; i++) f.slices += wend_service_get_slices(service, i);
    f.helped = f.slices - wend_service_get_slices(service, 0);
    wend_service_destroy(service);
    return f;
}

int main(int argc, char **argv) {
    static const setting settings[] = {{"long", 4, 1000, WEND_NO_LIMIT, 0, 256, WEND_ENGINE_ASTAR},
                                       {"long, slices of 250", 4, 250, WEND_NO_LIMIT, 0, 256, WEND_ENGINE_ASTAR},
                                       {"long, frames of 20000", 4, 1000, 20000, 0, 256, WEND_ENGINE_ASTAR},
                                       {"long, frames of 400000", 4, 1000, 400000, 0, 256, WEND_ENGINE_ASTAR},
                                       {"short", 4, 1000, WEND_NO_LIMIT, 12, 20000, WEND_ENGINE_ASTAR},
                                       {"short, frames of 20000", 4, 1000, 20000, 12, 20000, WEND_ENGINE_ASTAR},
                                       {"long jump", 4, 1000, WEND_NO_LIMIT, 0, 256, WEND_ENGINE_JUMP},
                                       {"short jump", 4, 1000, WEND_NO_LIMIT, 40, 20000, WEND_ENGINE_JUMP}};
    int turns = argc > 1 ? atoi(argv[1]) : TURNS;
    wend_map *map = bench_map_random(SIDE, SIDE, 200, 0);
    if (wend__map_prepare_jumps(map) != WEND_OK) exit(2);
    puts("searches,workers,million_expansions_a_second,speed_up,cpu_ns_an_expansion,processors,slices_by_workers_"
         "percent");
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        figures best[MOST + 1] = {{0}};
        for (int turn = 0; turn < turns; turn++) /* turn by turn, so that all meet the same load */
            for (uint32_t workers = 0; workers <= MOST; workers++) {
                figures f = run(map, &settings[i], workers);
                if (turn == 0 || f.wall_us < best[workers].wall_us) best[workers] = f;
            }
        for (uint32_t workers = 0; workers <= MOST; workers++) {
            const figures *f = &best[workers];
            printf("\"%s\",%u,%.1f,%.2f,%.1f,%.2f,%.0f\n", settings[i].name, workers,
                   (double)f->expansions / f->wall_us, best[0].wall_us / f->wall_us,
                   f->cpu_us * 1e3 / (double)f->expansions, f->cpu_us / f->wall_us,
                   100.0 * (double)f->helped / (double)f->slices);
        }
    }
    wend_map_release(map);
    return 0;
}
