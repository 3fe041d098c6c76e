/* SPDX-License-Identifier: MIT */
/* The frames of a stress run: agents ask, the service ticks, completions are checked and counted. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lab/shared/hash.h"
#include "cli/shared/engine.h"
#include "cli/shared/messages.h"
#include "lab/run/stress.h"

enum { IDLE_FRAMES_MAX = 1000, IDLE_FRAMES_MAX_TIMED = 1000000 };

static uint64_t now_ns(clockid_t which) {
    struct timespec now;
    clock_gettime(which, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Edits before the tick, as in a game. Allocations of the map for them do not count as the frame's. @return −1 to go
   on */
static int edit_some(stress_run *run, stress_times *times) {
    if (run->hand == NULL) return -1;
    uint64_t allocations = run->map_memory.allocations, before = run->land.epoch, cells = 0;
    wend_error error = editor_go(run->hand, run->map, run->frame, &cells);
    uint64_t publish_cpu = 0, publish_ns = cells > 0 ? editor_publish_ns(run->hand, &publish_cpu) : 0;
    uint64_t began = now_ns(CLOCK_MONOTONIC), cpu_began = now_ns(CLOCK_PROCESS_CPUTIME_ID);
    int status = error == WEND_OK ? cli_engine_upkeep(run->map) : -1;
    times->edits_cpu = now_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_began + publish_cpu;
    times->edits = now_ns(CLOCK_MONOTONIC) - began + publish_ns;
    if (error != WEND_OK)
        return cli_fail("the edits before frame %llu: %s", (unsigned long long)run->frame, wend_error_detail(error));
    if (status != -1) return status;
    run->allocations_edits += run->map_memory.allocations - allocations;
    if (cells == 0) return -1;
    run->edits += cells;
    run->epochs++;
    if (!series_add(&run->edit_ns, times->edits)) return cli_fail("out of memory for the counts");
    checker_edited(run->watch, before);
    checker_compared(run->watch, editor_compare(run->hand, run->map));
    return -1;
}

/* A tally takes memory for the largest number, and a broken service may report any number. */
static uint64_t at_most(uint64_t value, uint64_t limit) {
    return value < limit ? value : limit;
}

static bool count_completion(stress_run *run, uint32_t agent, const wend_completion *completion) {
    bool known = checker_completed(run->watch, agent, completion);
    run->hash = hash64_completion(run->hash, completion);
    stress_log_completion(run, agent, completion);
    run->completed++;
    if (completion->status >= 0 && completion->status < WEND_STATUS_COUNT) run->statuses[completion->status]++;
    run->path_cells += completion->cell_count;
    uint64_t wait = at_most(completion->wait_frames, run->frame), latency = at_most(completion->frames, run->frame);
    bool ok = !known || load_completed(run->load, agent, agents_is_urgent(agent), completion);
    ok = ok && tally_add(&run->wait, wait) && tally_add(&run->latency, latency);
    if (ok && completion->status == WEND_STATUS_FOUND)
        ok = series_add(&run->found_cells, completion->cell_count) &&
             series_add(&run->found_expansions, completion->expansions);
    if (ok && agents_is_urgent(agent))
        ok = tally_add(&run->urgent_wait, wait) && tally_add(&run->urgent_latency, latency);
    if (known) agents_answered(run->all, agent, run->frame, completion);
    return ok;
}

static bool keep_track(stress_run *run, uint32_t agent, const wend_completion *completion) {
    if (agent >= run->track_count || completion->status != WEND_STATUS_FOUND || completion->cells == NULL) return true;
    stress_track *track = &run->tracks[agent];
    wend_cell *cells = realloc(track->cells, completion->cell_count * sizeof *cells);
    if (cells == NULL) return false;
    memcpy(cells, completion->cells, completion->cell_count * sizeof *cells);
    *track = (stress_track){cells, completion->cell_count};
    return true;
}

static bool judge(stress_run *run, const wend_frame *frame) {
    bool ok = !run->inbox.out_of_memory;
    checker_frame_ran(run->watch, frame);
    for (size_t i = 0; i < run->inbox.count && ok; i++) {
        wend_completion completion = stress_inbox_get(&run->inbox, i);
        uint32_t agent = stress_context_agent(completion.context);
        ok = count_completion(run, agent, &completion) && keep_track(run, agent, &completion);
    }
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(run->map, &info);
    run->allocations_after = run->service_memory.allocations + run->map_memory.allocations - run->allocations_before -
                             run->allocations_edits;
    load_frame_ran(run->load, frame, run->service_memory.bytes);
    checker_frame_ends(run->watch, frame, run->allocations_after, &info);
    return ok;
}

static bool count_frame(stress_run *run, const wend_frame *frame, const stress_times *times) {
    run->expansions += frame->expansions;
    run->rounds += frame->rounds;
    run->evictions += frame->evictions;
    run->all_ns += times->edits + times->tick;
    if (frame->expansions > run->max_frame_expansions) run->max_frame_expansions = frame->expansions;
    stress_log_frame(run, frame, times);
    if (run->trace.out != NULL && !trace_frame(&run->trace, run->figures)) return false;
    return series_add(&run->frame_ns, times->edits + times->tick) && series_add(&run->tick_ns, times->tick) &&
           series_add(&run->frame_cpu_ns, times->edits_cpu + times->cpu) &&
           series_add(&run->cpu_ns, times->cpu) && series_add(&run->frame_expansions, frame->expansions) &&
           series_add(&run->frame_answers, run->inbox.count);
}

/* One frame, and the edits before it. @return −1 to go on, else the exit status. */
static int one_frame(stress_run *run, wend_frame *frame) {
    stress_times times = {0};
    int status = edit_some(run, &times);
    if (status != -1) return status;
    stress_inbox_clear(&run->inbox);
    checker_frame_begins(run->watch);
    uint64_t cpu_began = now_ns(CLOCK_PROCESS_CPUTIME_ID), began = now_ns(CLOCK_MONOTONIC);
    wend_error error = wend_service_tick(run->service, &run->budget, frame);
    times.tick = now_ns(CLOCK_MONOTONIC) - began;
    times.cpu = now_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_began;
    if (error != WEND_OK) return cli_fail("frame %llu: %s", (unsigned long long)run->frame, wend_error_detail(error));
    if (!judge(run, frame) || !count_frame(run, frame, &times)) return cli_fail("out of memory for the counts");
    return -1;
}

/* A service that does nothing for many frames while requests are pending is stuck: the checker then reports them. */
static bool stuck(const stress_run *run, const wend_frame *frame, uint64_t *idle) {
    *idle = frame->expansions == 0 && run->inbox.count == 0 ? *idle + 1 : 0;
    return *idle > (run->settings->budget_us > 0 ? IDLE_FRAMES_MAX_TIMED : IDLE_FRAMES_MAX);
}

static int drain(stress_run *run) {
    uint64_t idle = 0, before = run->completed, left = wend_service_get_pending(run->service);
    while (wend_service_get_pending(run->service) > 0) {
        wend_frame frame = {.struct_bytes = sizeof frame};
        run->frame++;
        int status = one_frame(run, &frame);
        if (status != -1) return status;
        if (stuck(run, &frame, &idle)) break;
        cli_progress("draining", run->completed - before, left);
    }
    return -1;
}

int stress_go(stress_run *run) {
    stress_take_into(&run->inbox);
    while (run->frame < run->settings->frames) {
        wend_frame frame = {.struct_bytes = sizeof frame};
        run->frame++;
        if (!stress_ask(run)) return cli_fail("out of memory for the promises");
        int status = one_frame(run, &frame);
        if (status != -1) return status;
        cli_progress("frames", run->frame, run->settings->frames);
    }
    int status = drain(run);
    if (status != -1) return status;
    checker_compared(run->watch, terrain_compare(&run->land, run->map));
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(run->map, &info);
    checker_finish(run->watch, wend_service_get_pending(run->service), &info);
    load_finish(run->load);
    cli_progress_end();
    return -1;
}
