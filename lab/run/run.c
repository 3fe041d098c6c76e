/* SPDX-License-Identifier: MIT */
/* The frames of a run: the driver's work before a tick, the tick, the crowd's step; then all is checked and counted. */
#include "run/lab.h"

#include <wend/record.h>

#include "shared/messages.h"

static bool fail_frame(const lab_run *run, wend_error error) {
    return lab_fail("frame %llu: %s", (unsigned long long)run->frame, wend_error_detail(error));
}

static bool add_times(series *ns, series *cpu_ns, lab_moment time) {
    return series_add(ns, time.ns) && series_add(cpu_ns, time.cpu_ns);
}

static bool count_frame(lab_run *run, const wend_frame *frame, const lab_times *times) {
    const lab_moment all = {times->edits.ns + times->tick.ns + times->step.ns,
                            times->edits.cpu_ns + times->tick.cpu_ns + times->step.cpu_ns};
    run->expansions += frame->expansions;
    run->rounds += frame->rounds;
    run->evictions += frame->evictions;
    run->all_ns += all.ns;
    if (frame->expansions > run->max_frame_expansions) run->max_frame_expansions = frame->expansions;
    return lab_log_frame(run, frame, times) && add_times(&run->frame_ns, &run->frame_cpu_ns, all) &&
           add_times(&run->tick_ns, &run->tick_cpu_ns, times->tick) &&
           (!run->driver->step || add_times(&run->step_ns, &run->step_cpu_ns, times->step)) &&
           series_add(&run->frame_expansions, frame->expansions);
}

bool lab_frame(lab_run *run) {
    wend_frame frame = {.struct_bytes = sizeof frame};
    lab_times times = {0};
    if (!run->driver->before(run, run->frame <= run->settings->frames, &times)) return false;
    lab_moment began = lab_now();
    wend_error error = wend_service_tick(run->service, &run->budget, &frame);
    times.tick = lab_since(began);
    if (error == WEND_OK && run->driver->step) {
        began = lab_now();
        error = run->driver->step(run);
        times.step = lab_since(began);
        times.ended_ns = began.ns + times.step.ns;
    }
    if (error != WEND_OK) return fail_frame(run, error);
    run->allocations_after = lab_allocations(run);
    return (run->driver->after(run, &frame) && count_frame(run, &frame, &times)) ||
           lab_fail("out of memory for the counts");
}

static bool end_recording(lab_run *run) {
    if (!run->settings->record) return true;
    const wend_error error = wend_service_end_recording(run->service);
    return error == WEND_OK || lab_fail("the recording is not complete: %s", wend_error_detail(error));
}

bool lab_go(lab_run *run) {
    bool good = true;
    while (good && (run->frame < run->settings->frames || run->driver->goes_on(run))) {
        run->frame++;
        good = lab_frame(run);
        lab_progress("frames", run->frame, run->settings->frames);
    }
    lab_progress_end();
    if (good) run->driver->finish(run);
    if (run->trace.out) trace_end(&run->trace);
    return end_recording(run) && good;
}
