/* SPDX-License-Identifier: MIT */
/* wend in the race: one service, one thread, a budget in microseconds of processor time.
 *
 *   bench_race MAP SCEN FRAME_US distinct|shared
 *
 * One thread needs one lane. A slice is short by the shortest frames, as the first round of a frame runs whatever
 * time there is. With one shared goal requests share their search. */
#include "harness.h"
#include "race.h"

static uint64_t cpu_ns(void *context) {
    (void)context;
    return (uint64_t)(cpu_us() * 1000);
}

static race *racing;

static void done(void *context, const wend_completion *completion) {
    race_served(racing, (uint32_t)(uintptr_t)context, completion->status == WEND_STATUS_FOUND);
}

static void ask(void *state, race *all, uint32_t index) {
    wend_request request = path_request(all->task.map, all->asks[index].start, all->asks[index].goal);
    request.urgency = index >= RACE_AGENTS ? WEND_URGENCY_MAX : 0;
    request.on_done = done;
    request.context = (void *)(uintptr_t)index;
    if (wend_service_submit(state, &request, NULL) != WEND_OK) abort();
}

static void frame(void *state, race *all) {
    wend_budget budget = default_budget();
    if (all->frame_us > 0) budget.us = (uint64_t)all->frame_us;
    wend_service_tick(state, &budget, NULL);
}

int main(int argc, char **argv) {
    race all;
    race_open(&all, argc, argv);
    racing = &all;
    if (wend_map_accelerate(all.task.map, NULL) != WEND_OK) return 2;
    wend_service_def def = default_service();
    const uint64_t cells = (uint64_t)(all.task.width + 63) * (uint64_t)(all.task.height + 63);
    def.queue = 2 * RACE_ALL;
    def.nodes = cells > def.nodes ? cells : def.nodes;
    def.path_bytes = UINT64_C(8) << 20;
    def.share = all.shared;
    def.clock = (wend_clock){.now_ns = cpu_ns};
    wend_service_tuning tuning = default_tuning();
    tuning.prefault = 1;
    tuning.lanes = 1, tuning.slice = 500;
    tuning.share_cells = cells;
    def.tuning = &tuning;
    wend_service *service;
    if (wend_service_create(&def, &service) != WEND_OK) return 2;
    const race_player player = {.name = "wend", .state = service, .ask = ask, .frame = frame};
    race_run(&all, &player);
    wend_service_destroy(service);
    race_close(&all);
    return 0;
}
