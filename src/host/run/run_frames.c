/* SPDX-License-Identifier: MIT */
/* Commands that run frames: a number of them, until all requests are answered, until all agents have arrived. */
#include <inttypes.h>
#include <string.h>

#include "host/run/run.h"
#include "host/world/engine.h"

/* The map as built before the first frame is epoch 0, whatever its version numbers. */
static int begin_frames(host_script *script) {
    bool first = script->frames == 0;
    int status = host_script_publish(script);
    if (status != -1) return status;
    if (!first) return script->recorded ? -1 : host_engine_upkeep(script->built.map);
    status = host_script_accelerate_first(script);
    if (status != -1) return status;
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(script->built.map, &info);
    script->first_epoch = info.epoch;
    script->changed = true;
    if (script->options->record_file != NULL) status = host_script_make_service(script);
    return status == -1 ? host_film_begin(script) : status;
}

bool host_trial_goes_on(const host_script *script, host_moment moment, const wend_frame *frame) {
    const host_trial *trial = script->options->trial;
    if (!trial || !script->service) return true;
    return trial->watch(trial->context, moment, script->service, frame);
}

/* The budget of a line's frames. */
static wend_budget budget_of(const host_script *script, const wend__order *order) {
    wend_budget budget;
    wend_budget_init(&budget, sizeof budget);
    if (order->kind == WEND__ORDER_FRAME) budget = order->frame.budget;
    budget.us = WEND_NO_LIMIT;
    const bool given = wend__order_gave(order, &order->frame.budget.expansions);
    budget.expansions = given ? order->frame.budget.expansions : script->options->budget;
    return budget;
}

/* Edits were published before; then come intake, rounds and delivery, watched paths, then one step of the crowd. */
static int run_frame(host_script *script, const wend__order *order) {
    enum { A_FRAME = 1000 };
    wend_budget budget = budget_of(script, order);
    if (script->options->trial) {
        wend_budget_init(&budget, sizeof budget);
        budget.expansions = script->options->trial->budget;
    }
    if (script->maps != NULL)
        return host_script_fail(script, script->reader.words[0].column, "only frame runs the frames of several maps");
    if (script->options->most_frames > 0 && script->frames >= script->options->most_frames)
        return host_script_fail(script, script->reader.words[0].column, "more than %" PRIu64 " frames",
                                script->options->most_frames);
    if (script->frames == UINT64_MAX)
        return host_script_fail(script, script->reader.words[0].column, "more frames than can be counted");
    script->frames++;
    wend_frame frame = {.struct_bytes = sizeof frame};
    if (!host_trial_goes_on(script, HOST_BEGINS, NULL)) return HOST_DONE;
    wend_error error = script->service != NULL ? wend_service_tick(script->service, &budget, &frame) : WEND_OK;
    if (!host_trial_goes_on(script, HOST_TICKED, &frame)) return HOST_DONE;
    int status = error == WEND_OK ? host_during_end(script) : -1;
    if (error == WEND_OK && status == -1) status = host_watch_step(script);
    if (error == WEND_OK && status == -1 && !script->recorded) status = host_script_crowd_step(script, A_FRAME);
    host_film_frame(script);
    if (error == WEND_OK) return status;
    return host_script_fail(script, script->reader.words[0].column, "frame %" PRIu64 ": %s", script->frames,
                            wend_error_detail(error));
}

/* A frame would change nothing and print nothing. A request that waits until others are polled is no work, but its
 * frames are counted. A recording has all frames. */
static bool nothing_to_do(const host_script *script) {
    const wend_service *service = script->service;
    if (host_during_waits(script) || script->options->trial) return false; /* a trial counts all frames */
    if (service == NULL) return true;
    if (script->recorded || script->record.file != NULL) return false;
    if (script->options->hash && script->host.crowd != NULL) return false; /* each step is in the hash */
    return wend_service_get_work(service) == 0 && wend_service_get_pending(service) == 0 &&
           host_script_crowd_is_quiet(script) && host_watch_is_quiet(script);
}

/* The frame of several maps is run when each of their scripts has read its line. */
static int note_frame(host_script *script, const wend__order *order) {
    const wend_budget budget = budget_of(script, order);
    const int status = begin_frames(script);
    script->frames += order->frame.count;
    host_maps_note_frame(script, &budget);
    return status;
}

/* A frame without work is counted but not run, so `frame 1000000000` takes no time. */
int host_act_frame(host_script *script, wend__order *order) {
    enum { MOST_RECORDED = 1000000 };
    uint64_t left = order->frame.count;
    int status = -1;
    if (left == 0) return -1;
    if (script->options->record_file != NULL && left > MOST_RECORDED)
        return host_script_fail(script, script->reader.words[1].column,
                                "a recording has a line for each frame: at most %d at once", MOST_RECORDED);
    if (left > UINT64_MAX - script->frames)
        return host_script_fail(script, script->reader.words[1].column, "more frames than can be counted");
    if (script->maps != NULL) return note_frame(script, order);
    status = begin_frames(script);
    for (; status == -1 && left > 0 && !nothing_to_do(script); left--) status = run_frame(script, order);
    if (status == -1) script->frames += left;
    return status;
}

int host_act_drain(host_script *script, wend__order *order) {
    int status = -1;
    const wend__order_reader *reader = &script->reader;
    if (budget_of(script, order).expansions == 0)
        return host_script_fail(script, reader->words[reader->word_count - 1].column,
                                "with a budget of 0 a drain has no end");
    if (script->pending == 0) return -1;
    status = begin_frames(script);
    while (status == -1 && script->pending > 0) status = run_frame(script, order);
    return status;
}

int host_act_walk(host_script *script, wend__order *order) {
    int status = -1;
    if (!host_script_crowd_is_busy(script)) return -1;
    status = begin_frames(script);
    for (uint64_t left = order->frame.count; status == -1 && left > 0 && host_script_crowd_is_busy(script); left--)
        status = run_frame(script, order);
    return status;
}
