/* SPDX-License-Identifier: MIT */
/* Runs a script with agents as the load of a plan: its orders, edits and requests in their frames, under a setup. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "plan/plan_cli.h"
#include "script/script.h"
#include "cli/output/messages.h"
#include "shared/clock.h"
#include "shared/array.h"

/* A run with too small a budget ends early: after this many times the frames that the first run took. */
enum { FRAMES_TIMES = 4, LEAST_FRAMES = 1000, FRAMES_MAX = 2000000 };

typedef struct player {
    const plan_load *load;
    plan_result *result;
    uint64_t began;
    series tick_ns, crowd_ns;
    bool out_of_memory, stopped;
} player;

static void count_pending(player *all, const wend_service *service) {
    const uint64_t pending = wend_service_get_pending(service);
    if (pending > all->result->queue_peak) all->result->queue_peak = pending;
}

static void count_tick(player *all, const wend_frame *frame) {
    const uint64_t ns = lab_thread_ns() - all->began;
    plan_result *result = all->result;
    result->frames++;
    result->all_ns += ns;
    if (frame->expansions > result->max_frame_expansions) result->max_frame_expansions = frame->expansions;
    all->out_of_memory = !series_add(&all->tick_ns, ns) || all->out_of_memory;
}

static bool is_too_long(const player *all) {
    const uint64_t first = all->load->frames;
    return all->result->frames > (first > 0 ? FRAMES_TIMES * first + LEAST_FRAMES : FRAMES_MAX);
}

static bool watch_frame(void *context, script_moment moment, const wend_service *service, const wend_frame *frame) {
    player *all = context;
    if (moment == SCRIPT_TICKED) count_tick(all, frame);
    if (moment == SCRIPT_STEPPED)
        all->out_of_memory = !series_add(&all->crowd_ns, lab_thread_ns() - all->began) || all->out_of_memory;
    count_pending(all, service);
    all->stopped = all->out_of_memory || is_too_long(all);
    if (moment == SCRIPT_ENDS || all->stopped) plan_read_counts(all->load, service, all->result);
    all->began = lab_thread_ns();
    return !all->stopped;
}

static void judge_run(player *all, const plan_setup *setup) {
    plan_result *result = all->result;
    result->longest_path = setup->max_path_cells;
    result->tick_ns = series_percentiles(&all->tick_ns).p99;
    result->crowd_ns = series_percentiles(&all->crowd_ns).p99;
    if (all->stopped) result->late = result->requests;
    if (all->load->frames > 0) plan_judge(all->load, setup, result); /* the first run only measures how long it is */
}

static bool play_script(const plan_load *load, const plan_setup *setup, plan_result *out) {
    plan_played *played = load->played;
    player all = {.load = load, .result = out};
    script_trial trial = {.budget = setup->budget, .watch = watch_frame, .context = &all};
    wend_service_tuning tuning;
    plan_service_def(setup, &trial.service, &tuning);
    const script_options options = {.trial = &trial, .out = fopen("/dev/null", "w")};
    script_state script;
    *out = (plan_result){0};
    if (!options.out) {
        cli_fail("/dev/null cannot be opened");
        return false;
    }
    script_init(&script, played->path, played->text, played->size, &options);
    int status = script_run(&script);
    script_free(&script);
    cli_world_free(&script.built);
    fclose(options.out);
    if (all.stopped || !status) {
        status = all.out_of_memory ? cli_fail("out of memory for the counts") : CLI_DONE;
        played->crowd = trial.crowd;
        played->crowd_bytes = trial.crowd_bytes;
        if (!status && all.stopped && load->frames == 0)
            status = cli_fail_at(played->path, 0, 0, "it runs more than %d frames", FRAMES_MAX);
        if (!status && out->frames == 0) status = cli_fail_at(played->path, 0, 0, "it has no frames");
        if (!status && out->requests == 0) status = cli_fail_at(played->path, 0, 0, "it asks for no path");
        if (!status) judge_run(&all, setup);
    }
    series_free(&all.tick_ns);
    series_free(&all.crowd_ns);
    return !status;
}

/* The last answers are due some frames after the last line. */
int plan_play_open(plan_load *load, plan_played *played) {
    const char *const more = played->recorded ? "\nframe\nupdate" : "\nframe";
    const size_t bytes = played->size + load->within * strlen(more) + 2;
    char *text = realloc(played->text, bytes);
    if (!text) return cli_fail("out of memory for the script");
    char *end = text + played->size;
    for (uint64_t i = 0; i < load->within; i++) end = stpcpy(end, more);
    end = stpcpy(end, "\n");
    played->text = text;
    played->size = (size_t)(end - text);
    played->play = play_script;
    load->played = played;
    load->replayed = load->walk = true;
    return CLI_DONE;
}
