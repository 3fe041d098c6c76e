/* SPDX-License-Identifier: MIT */
/* Commands that run frames: a number of them, until all requests are answered, until all agents have arrived. */
#include <inttypes.h>
#include <string.h>

#include "cli/run/run.h"
#include "cli/shared/engine.h"

enum { COUNT, BUDGET, ROUNDS, INTAKES, DELIVERIES, PATH_CELLS, CHANGES, CHECKS, CHOSEN, LIMITS };

static const char *const limit_names[LIMITS] = {NULL,    "budget",  "rounds", "intakes", "deliveries",
                                                "cells", "changes", "checks", "chosen"};

static void begin_limits(const cli_script *script, cli_arguments *out) {
    for (int i = ROUNDS; i < LIMITS; i++) out->numbers[i] = WEND_NO_LIMIT;
    out->numbers[BUDGET] = script->options->budget;
}

static int read_budget(cli_script *script, size_t at, cli_arguments *out) {
    cli_word word = script->words[at], key, value;
    if (!cli_word_split(word, &key, &value) || !cli_word_is(key, "budget"))
        return cli_script_fail(script, word.column, "only budget=N is allowed here, not '%s'", cli_quoted(word).text);
    return cli_read_range(script, value, "budget", 0, UINT64_MAX, &out->numbers[BUDGET]);
}

/* One of a frame's limits; each may be given once. */
static int read_limit(cli_script *script, size_t at, uint32_t *given, cli_arguments *out) {
    cli_word word = script->words[at], key, value;
    int which = 0;
    if (cli_word_split(word, &key, &value))
        for (int i = BUDGET; i < LIMITS; i++)
            if (cli_word_is(key, limit_names[i])) which = i;
    if (which == 0)
        return cli_script_fail(script, word.column, "only limits such as budget=N are allowed here, not '%s'",
                               cli_quoted(word).text);
    if (*given >> which & 1) return cli_script_fail(script, word.column, "%s is given twice", limit_names[which]);
    *given |= UINT32_C(1) << which;
    return cli_read_range(script, value, limit_names[which], 0, UINT64_MAX, &out->numbers[which]);
}

int cli_parse_frame(cli_script *script, cli_arguments *out) {
    size_t at = 1;
    int status = -1;
    uint32_t given = 0;
    out->numbers[COUNT] = 1;
    begin_limits(script, out);
    if (at < script->word_count && memchr(script->words[at].text, '=', script->words[at].length) == NULL)
        status = cli_read_range(script, script->words[at++], "a number of frames", 0, UINT64_MAX, &out->numbers[COUNT]);
    for (; status == -1 && at < script->word_count; at++) status = read_limit(script, at, &given, out);
    return status;
}

int cli_parse_drain(cli_script *script, cli_arguments *out) {
    int status = -1;
    begin_limits(script, out);
    if (script->word_count > 1) status = read_budget(script, 1, out);
    if (status != -1 || out->numbers[BUDGET] > 0) return status;
    return cli_script_fail(script, script->words[script->word_count - 1].column,
                           "with a budget of 0 a drain has no end");
}

int cli_parse_walk(cli_script *script, cli_arguments *out) {
    enum { MOST_FRAMES = 100000 };
    int status = -1;
    bool frames = false, budget = false;
    begin_limits(script, out);
    out->numbers[COUNT] = MOST_FRAMES;
    for (size_t i = 1; status == -1 && i < script->word_count; i++) {
        cli_word word = script->words[i], key, value;
        const bool split = cli_word_split(word, &key, &value), is_frames = split && cli_word_is(key, "frames");
        if (!is_frames && !(split && cli_word_is(key, "budget")))
            return cli_script_fail(script, word.column, "only frames=N and budget=N are allowed here, not '%s'",
                                   cli_quoted(word).text);
        bool *given = is_frames ? &frames : &budget;
        if (*given) return cli_script_fail(script, word.column, "%s is given twice", is_frames ? "frames" : "budget");
        *given = true;
        status = cli_read_range(script, value, is_frames ? "frames" : "budget", 0, UINT64_MAX,
                                &out->numbers[is_frames ? COUNT : BUDGET]);
    }
    return status;
}

/* The map as built before the first frame is epoch 0, whatever its version numbers. */
static int begin_frames(cli_script *script) {
    bool first = script->frames == 0;
    int status = cli_script_publish(script);
    if (status != -1) return status;
    if (!first) return script->recorded ? -1 : cli_engine_upkeep(script->built.map);
    status = cli_script_accelerate_first(script);
    if (status != -1) return status;
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(script->built.map, &info);
    script->first_epoch = info.epoch;
    script->changed = true;
    if (script->options->record_file != NULL) status = cli_script_make_service(script);
    return status == -1 ? cli_film_begin(script) : status;
}

static void read_limits(const uint64_t *numbers, wend_budget *out) {
    wend_budget_init(out, sizeof *out);
    out->expansions = numbers[BUDGET];
    out->rounds = numbers[ROUNDS];
    out->intakes = numbers[INTAKES];
    out->deliveries = numbers[DELIVERIES];
    out->cells = numbers[PATH_CELLS];
    out->changes = numbers[CHANGES];
    out->checks = numbers[CHECKS];
    out->chosen = numbers[CHOSEN];
}

bool cli_trial_goes_on(const cli_script *script, cli_moment moment, const wend_frame *frame) {
    const cli_trial *trial = script->options->trial;
    if (!trial || !script->service) return true;
    return trial->watch(trial->context, moment, script->service, frame);
}

/* Edits were published before; then come intake, rounds and delivery, watched paths, then one step of the crowd. */
static int run_frame(cli_script *script, const uint64_t *numbers) {
    enum { A_FRAME = 1000 };
    wend_budget budget;
    read_limits(numbers, &budget);
    if (script->options->trial) {
        wend_budget_init(&budget, sizeof budget);
        budget.expansions = script->options->trial->budget;
    }
    if (script->maps != NULL)
        return cli_script_fail(script, script->words[0].column, "only frame runs the frames of several maps");
    if (script->options->most_frames > 0 && script->frames >= script->options->most_frames)
        return cli_script_fail(script, script->words[0].column, "more than %" PRIu64 " frames",
                               script->options->most_frames);
    if (script->frames == UINT64_MAX)
        return cli_script_fail(script, script->words[0].column, "more frames than can be counted");
    script->frames++;
    wend_frame frame = {.struct_bytes = sizeof frame};
    if (!cli_trial_goes_on(script, CLI_BEGINS, NULL)) return CLI_DONE;
    wend_error error = script->service != NULL ? wend_service_tick(script->service, &budget, &frame) : WEND_OK;
    if (!cli_trial_goes_on(script, CLI_TICKED, &frame)) return CLI_DONE;
    int status = error == WEND_OK ? cli_during_end(script) : -1;
    if (error == WEND_OK && status == -1) status = cli_watch_step(script);
    if (error == WEND_OK && status == -1 && !script->recorded) status = cli_crowd_step(script, A_FRAME);
    cli_film_frame(script);
    if (error == WEND_OK) return status;
    return cli_script_fail(script, script->words[0].column, "frame %" PRIu64 ": %s", script->frames,
                           wend_error_detail(error));
}

/* A frame would change nothing and print nothing. A request that waits until others are polled is no work, but its
 * frames are counted. A recording has all frames. */
static bool nothing_to_do(const cli_script *script) {
    const wend_service *service = script->service;
    if (cli_during_waits(script) || script->options->trial) return false; /* a trial counts all frames */
    if (service == NULL) return true;
    if (script->recorded || script->record.file != NULL) return false;
    if (script->options->hash && script->crowd != NULL) return false; /* each step is in the hash */
    return wend_service_get_work(service) == 0 && wend_service_get_pending(service) == 0 &&
           cli_crowd_is_quiet(script) && cli_watch_is_quiet(script);
}

/* The frame of several maps is run when each of their scripts has read its line. */
static int note_frame(cli_script *script, const cli_arguments *arguments) {
    wend_budget budget;
    const int status = begin_frames(script);
    read_limits(arguments->numbers, &budget);
    script->frames += arguments->numbers[COUNT];
    cli_maps_note_frame(script, &budget);
    return status;
}

/* A frame without work is counted but not run, so `frame 1000000000` takes no time. */
int cli_act_frame(cli_script *script, const cli_arguments *arguments) {
    enum { MOST_RECORDED = 1000000 };
    uint64_t left = arguments->numbers[COUNT];
    int status = -1;
    if (left == 0) return -1;
    if (script->options->record_file != NULL && left > MOST_RECORDED)
        return cli_script_fail(script, script->words[1].column,
                               "a recording has a line for each frame: at most %d at once", MOST_RECORDED);
    if (left > UINT64_MAX - script->frames)
        return cli_script_fail(script, script->words[1].column, "more frames than can be counted");
    if (script->maps != NULL) return note_frame(script, arguments);
    status = begin_frames(script);
    for (; status == -1 && left > 0 && !nothing_to_do(script); left--) status = run_frame(script, arguments->numbers);
    if (status == -1) script->frames += left;
    return status;
}

int cli_act_drain(cli_script *script, const cli_arguments *arguments) {
    int status = -1;
    if (script->pending == 0) return -1;
    status = begin_frames(script);
    while (status == -1 && script->pending > 0) status = run_frame(script, arguments->numbers);
    return status;
}

int cli_act_walk(cli_script *script, const cli_arguments *arguments) {
    int status = -1;
    if (!cli_crowd_is_busy(script)) return -1;
    status = begin_frames(script);
    for (uint64_t left = arguments->numbers[COUNT]; status == -1 && left > 0 && cli_crowd_is_busy(script); left--)
        status = run_frame(script, arguments->numbers);
    return status;
}
