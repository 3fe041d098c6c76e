/* SPDX-License-Identifier: MIT */
/* Commands that run frames: a number of them, until all requests are answered, until all agents have arrived. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "run/run.h"
#include <wend/control.h>
#include <wend/save.h>
#include <wend/service_tuning.h>

/* The map as built before the first frame is epoch 0, whatever its version numbers. */
static int begin_frames(script_state *script) {
    bool first = script->frames == 0;
    int status = script_publish(script);
    if (status) return status;
    if (!first) return script->recorded ? CLI_DONE : cli_engine_upkeep(script->built.map);
    status = script_accelerate_first(script);
    if (status) return status;
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(script->built.map, &info);
    script->first_epoch = info.epoch;
    script->changed = true;
    if (script->options->record_file) status = script_make_service(script);
    return !status ? script_film_begin(script) : status;
}

bool script_trial_goes_on(const script_state *script, script_moment moment, const wend_frame *frame) {
    const script_trial *trial = script->options->trial;
    if (!trial || !script->service) return true;
    return trial->watch(trial->context, moment, script->service, frame);
}

/* Returns the budget of a line's frames. */
static wend_budget budget_of(const script_state *script, const wend_order *order) {
    wend_budget budget;
    wend_budget_init(&budget, sizeof budget);
    if (order->kind == WEND_ORDER_FRAME) budget.limits = &order->frame.limits;
    const bool given = wend_order_gave(order, &order->frame.budget.expansions);
    budget.expansions = given ? order->frame.budget.expansions : script->options->budget;
    return budget;
}

/* Restarts the hashes, as in a playback. */
static int record_late(script_state *script) {
    const script_options *options = script->options;
    if (!options->record_file || options->record_from == 0 || script->record.file.stream || !script->service ||
        script->frames < options->record_from)
        return CLI_DONE;
    script->completed = script->hash = script->positions = 0;
    return world_recording_open_late(&script->record, options->record_file, script->service, script->built.map,
                                     script->world.crowd);
}

/* @return CLI_ENDED: the watcher has seen enough */
static int show_hash(script_state *script) {
    const script_options *options = script->options;
    uint64_t hash = 0;
    if (!options->hash_frames && !options->after_frame) return CLI_DONE;
    if (options->before_hash) options->before_hash(options->watcher, script);
    if (wend_world_hash(script->world.map, script->service, script->world.crowd, &hash)) return CLI_BAD_INPUT;
    if (options->hash_frames)
        fprintf(options->out, "{\"frame\":%" PRIu64 ",\"hash\":\"%016" PRIx64 "\"}\n", script->frames, hash);
    return !options->after_frame || options->after_frame(options->watcher, script, hash) ? CLI_DONE : CLI_ENDED;
}

int script_hash_before(script_state *script, int32_t kind) {
    const script_hash_due due = script->hash_due;
    if (due == SCRIPT_HASHED) return CLI_DONE;
    if (kind == WEND_ORDER_UPDATE && due == SCRIPT_TICK_DONE) {
        script->hash_due = SCRIPT_STEP_DONE;
    } else if (kind == WEND_ORDER_FADE && due != SCRIPT_TIME_PASSED) {
        script->hash_due = SCRIPT_TIME_PASSED;
    } else {
        script->hash_due = SCRIPT_HASHED;
        return show_hash(script);
    }
    return CLI_DONE;
}

/* Edits were published before; then come intake, rounds and delivery, watched paths, then one step of the crowd. */
static int run_frame(script_state *script, const wend_order *order) {
    enum { A_FRAME = 1000 };
    wend_budget budget = budget_of(script, order);
    if (script->options->trial) {
        wend_budget_init(&budget, sizeof budget);
        budget.expansions = script->options->trial->budget;
    }
    if (script->maps)
        return script_fail(script, script->reader.words[0].column, "only frame runs the frames of several maps");
    if (script->options->most_frames > 0 && script->frames >= script->options->most_frames)
        return script_fail(script, script->reader.words[0].column, "more than %" PRIu64 " frames",
                           script->options->most_frames);
    if (script->frames == UINT64_MAX)
        return script_fail(script, script->reader.words[0].column, "more frames than can be counted");
    int status = script_hash_before(script, WEND_ORDER_FRAME);
    if (status) return status;
    script->frames++;
    wend_frame frame = {.struct_bytes = sizeof frame};
    if (!script_trial_goes_on(script, SCRIPT_BEGINS, NULL)) return CLI_ENDED;
    wend_error error = script->service ? wend_service_tick(script->service, &budget, &frame) : WEND_OK;
    if (!script_trial_goes_on(script, SCRIPT_TICKED, &frame)) return CLI_ENDED;
    if (!error) status = script_during_end(script);
    if (!error && !status) status = script_nearest_step(script);
    if (!error && !status) status = script_watch_step(script);
    if (!error && !status && !script->recorded) status = script_crowd_step(script, A_FRAME, WEND_NO_LIMIT);
    if (!error && !status && !script->recorded) error = world_layers_pass(&script->world, 1);
    script_film_frame(script);
    if (!error && !status) status = record_late(script);
    if (script->recorded) script->hash_due = SCRIPT_TICK_DONE;
    if (!error && !status && !script->recorded) status = show_hash(script);
    if (!error) return status;
    return script_fail(script, script->reader.words[0].column, "frame %" PRIu64 ": %s", script->frames,
                       wend_error_detail(error));
}

/* Wanted chunks are forgotten after some frames. */
static bool wants_land(const script_state *script) {
    wend_map_info info = {.struct_bytes = sizeof info};
    size_t count = 0;
    wend_map_get_info(script->world.map, &info);
    return info.streamed && !wend_service_get_wanted(script->service, script->world.map, NULL, 0, &count) && count > 0;
}

/* Returns whether a frame would change and print nothing. A request that waits for land is no work, but its frames are
 * counted. A recording has all frames. */
static bool nothing_to_do(const script_state *script) {
    const wend_service *service = script->service;
    if (script_during_waits(script) || script->options->trial) return false; /* a trial counts all frames */
    if (script->options->hash_frames || script->options->after_frame) return false;
    if (script->nearest.count > 0) return false;
    if (!service) return true;
    if (script->recorded || script->options->record_file) return false;
    if (script->options->hash && script->world.crowd) return false; /* each step is in the hash */
    if (script->world.jams && !cli_jams_rest(script->world.jams)) return false;
    return wend_service_get_work(service) == 0 && wend_service_get_pending(service) == 0 &&
           script_crowd_is_quiet(script) && script_watch_is_quiet(script) && !wants_land(script);
}

/* The frame of several maps is run when each of their scripts has read its line. */
static int add_frame(script_state *script, const wend_order *order) {
    const wend_budget budget = budget_of(script, order);
    const int status = begin_frames(script);
    script->frames += order->frame.count;
    script_maps_add_frame(script, &budget);
    return status;
}

/* A frame without work is counted but not run, so `frame 1000000000` takes no time. */
int script_act_frame(script_state *script, wend_order *order) {
    enum { MOST_RECORDED = 1000000 };
    uint64_t left = order->frame.count;
    int status = CLI_DONE;
    if (left == 0) return CLI_DONE;
    if (script->options->record_file && left > MOST_RECORDED)
        return script_fail(script, script->reader.words[1].column,
                           "a recording has a line for each frame: at most %d at once", MOST_RECORDED);
    if (left > UINT64_MAX - script->frames)
        return script_fail(script, script->reader.words[1].column, "more frames than can be counted");
    if (script->maps) return add_frame(script, order);
    status = begin_frames(script);
    for (; !status && left > 0 && !nothing_to_do(script); left--) status = run_frame(script, order);
    if (!status) script->frames += left;
    if (!status && !script->recorded && world_layers_pass(&script->world, left)) return script_no_memory(script);
    return status;
}

/* No frame changes anything any more: pending requests wait for land. */
static bool waits_for_more(const script_state *script) {
    return script->service && wend_service_get_work(script->service) == 0;
}

/* Runs at least one frame, which takes in requests and reads a changed map. */
int script_act_drain(script_state *script, wend_order *order) {
    int status = CLI_DONE;
    const wend__order_reader *reader = &script->reader;
    if (budget_of(script, order).expansions == 0)
        return script_fail(script, reader->words[reader->word_count - 1].column,
                           "with a budget of 0 a drain has no end");
    if (script->pending == 0 && script->nearest.count == 0) return CLI_DONE;
    status = begin_frames(script);
    do status = !status ? run_frame(script, order) : status;
    while (!status && script->pending > 0 && !waits_for_more(script));
    return status;
}

int script_act_walk(script_state *script, wend_order *order) {
    int status = CLI_DONE;
    if (!script_crowd_is_busy(script)) return CLI_DONE;
    status = begin_frames(script);
    for (uint64_t left = order->frame.count; !status && left > 0 && script_crowd_is_busy(script); left--)
        status = run_frame(script, order);
    return status;
}
