/* SPDX-License-Identifier: MIT */
/* The gain of workers: expansions a second of the ticking thread alone, and with helpers; and what all of them spend
 * on it. Prints CSV. Wall time counts here, so other load on the machine shows: the best of several turns is printed,
 * and how many processors' worth of time the threads got in it.
 *
 *   bench_workers [TURNS]      8 where not given */
#include "scenery.h"
#include "fast/acceleration.h"
#include "../tests/models/options.h"
#include <wend/control.h>

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

static int32_t near(uint64_t *state, int32_t from, int reach) {
    int32_t to = from - reach + (int32_t)bench_random(state, 2 * (uint32_t)reach + 1);
    return to < 0 ? 0 : to >= SIDE ? SIDE - 1 : to;
}

static void submit_all(wend_service *service, wend_map *map, const setting *s) {
    uint64_t state = 5;
    for (uint32_t i = 0; i < s->requests; i++) {
        const wend_cell start = random_place(SIDE, SIDE, &state);
        wend_request request = path_request(map, start, random_place(SIDE, SIDE, &state));
        request.on_done = ignore;
        options_of(&request)->engine = s->engine;
        if (s->reach > 0)
            request.goal =
                (wend_cell){near(&state, request.start.x, s->reach), near(&state, request.start.y, s->reach), 0};
        submit(service, &request);
    }
}

static figures run(wend_map *map, const setting *s, uint32_t workers) {
    wend_service_def def = default_service();
    wend_service_tuning tuning = default_tuning();
    def.tuning = &tuning;
    tuning.lanes = s->lanes, tuning.slice = s->slice, def.workers = workers;
    def.nodes = 64 * UINT64_C(65536);
    wend_service *service = open_service(&def);
    submit_all(service, map, s);
    const wend_budget budget = budget_of(s->frame);
    wend_frame frame = {.struct_bytes = sizeof frame};
    figures f = {0};
    double wall = wall_us(), cpu = process_us();
    while (wend_service_get_work(service) > 0) {
        check(wend_service_tick(service, &budget, &frame));
        f.expansions += frame.expansions;
    }
    f.wall_us = wall_us() - wall;
    f.cpu_us = process_us() - cpu;
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
    check(wend__map_prepare_jumps(map));
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
