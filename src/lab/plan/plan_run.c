/* SPDX-License-Identifier: MIT */
/* Runs the load of a plan once, frame by frame, and judges whether it held. */
#include <stdlib.h>

#include "lab/plan/plan.h"
#include "lab/shared/host.h"
#include "lab/shared/clock.h"
#include "lab/shared/series.h"

/* A run that does not keep up goes on after the last request for so many times its length, for the figures. */
enum { REST_TIMES = 4 };

#define HOPELESS_NS UINT64_C(3000000000)

typedef struct load_run load_run;

/* The context of a request. */
typedef struct answer_slot {
    load_run *run;
    bool answered;
} answer_slot;

struct load_run {
    const plan_load *load;
    const plan_setup *setup;
    plan_result *result;
    plan_spots *spots;
    answer_slot *slots;
    wend_service *service;
    wend_figures *figures;
    size_t asked, due; /* requests submitted; requests whose time is over */
    series latency;
    series tick_ns;
    bool out_of_memory;
};

void plan_service_def(const plan_setup *setup, wend_service_def *out) {
    wend_service_def_init(out, sizeof *out);
    out->queue = setup->queue;
    out->lanes = setup->lanes;
    out->nodes = setup->nodes;
    out->max_path_cells = setup->max_path_cells;
}

/* Figures without records: only their counts are read. */
static wend_error attach_figures(wend_service *service, wend_figures **out) {
    wend_figures_def def;
    wend_figures_def_init(&def, sizeof def);
    def.frames = 0;
    const wend_error error = wend_figures_create(&def, out);
    return error ? error : wend_service_set_figures(service, *out);
}

void plan_read_general(const wend_figures *figures, plan_result *out) {
    wend_figures_counts counts = {.struct_bytes = sizeof counts};
    wend_figures_get_counts(figures, &counts);
    for (int32_t i = 0; i < WEND_GENERAL_COUNT; i++) out->general[i] = counts.general_answers[i];
}

bool plan_open_service(const plan_setup *setup, wend_service **out, wend_figures **figures) {
    wend_service_def def;
    wend_tuning tuning;
    plan_service_def(setup, &def);
    wend_tuning_init(&tuning, sizeof tuning);
    tuning.prefault = wend_service_bytes(&def) <= (size_t)1 << 28;
    def.tuning = &tuning;
    wend_error error = wend_service_create(&def, out);
    if (error == WEND_OK) error = attach_figures(*out, figures);
    if (error == WEND_OK) return true;
    return lab_fail("a service of %zu bytes: %s", wend_service_bytes(&def), wend_error_detail(error));
}

/* ---- answers ---- */

static void take_answer(void *context, const wend_completion *completion) {
    answer_slot *slot = context;
    load_run *run = slot->run;
    const plan_ask *ask = &run->load->asks[slot - run->slots];
    slot->answered = true;
    run->result->answered++;
    if (completion->status == WEND_STATUS_OUT_OF_NODES || completion->status == WEND_STATUS_TOO_LONG)
        run->result->unserved++;
    if (completion->cell_count > run->result->longest_path) run->result->longest_path = completion->cell_count;
    if (!series_add(&run->latency, completion->frames)) run->out_of_memory = true;
    if (run->spots != NULL) plan_spots_add(run->spots, ask->start, ask->goal, completion);
}

/* ---- frames ---- */

static bool submit_due(load_run *run, uint64_t frame) {
    const plan_load *load = run->load;
    for (; run->asked < load->count && load->asks[run->asked].frame == frame; run->asked++) {
        wend_request request;
        wend_request_init(&request, sizeof request);
        request.mover = load->mover;
        if (load->recorded != NULL) request = load->recorded->kinds[load->asks[run->asked].kind];
        request.map = load->map;
        request.urgency = load->asks[run->asked].urgency;
        request.start = load->asks[run->asked].start;
        request.goal = load->asks[run->asked].goal;
        request.on_done = take_answer;
        request.context = &run->slots[run->asked];
        const wend_error error = wend_service_submit(run->service, &request, NULL);
        if (error == WEND_BUSY)
            run->result->refused++;
        else if (error != WEND_OK)
            return lab_fail("a request in frame %llu: %s", (unsigned long long)frame, wend_error_detail(error));
    }
    const uint64_t pending = wend_service_get_pending(run->service);
    if (pending > run->result->queue_peak) run->result->queue_peak = pending;
    return true;
}

static bool tick_once(load_run *run, const wend_budget *budget) {
    wend_frame frame = {.struct_bytes = sizeof frame};
    const uint64_t began = lab_thread_ns();
    const wend_error error = wend_service_tick(run->service, budget, &frame);
    const uint64_t ns = lab_thread_ns() - began;
    if (error != WEND_OK) return lab_fail("a frame: %s", wend_error_detail(error));
    run->result->expansions += frame.expansions;
    run->result->all_ns += ns;
    if (frame.expansions > run->result->max_frame_expansions) run->result->max_frame_expansions = frame.expansions;
    if (run->out_of_memory || !series_add(&run->tick_ns, ns)) return lab_fail("out of memory for the counts");
    return true;
}

/* A request is late from the frame on in which its answer should have come. */
static void count_late(load_run *run, uint64_t frame) {
    const plan_load *load = run->load;
    for (; run->due < run->asked && load->asks[run->due].frame + load->within - 1 <= frame; run->due++)
        if (!run->slots[run->due].answered) run->result->late++;
}

static bool is_decided(const load_run *run) {
    const plan_result *result = run->result;
    return result->refused > 0 || result->unserved > 0 || result->late > run->load->count / 100;
}

/* A load of too many expansions is cut, but not below four times the frames that an answer may take; except where it is
 * far too much, or takes four times the time that its frames have, and seconds. */
static bool is_too_long(const load_run *run, uint64_t frame, uint64_t most_expansions) {
    const uint64_t frame_ns = 1000000000 / run->load->hz, took_ns = run->result->all_ns;
    if (frame >= run->load->frames || run->result->expansions <= most_expansions) return false;
    if (took_ns > HOPELESS_NS && took_ns / 4 > (frame + 1) * frame_ns) return true;
    return frame >= 4 * run->load->within || run->result->expansions / PLAN_HOPELESS_TIMES > most_expansions;
}

/* The frames in which agents ask, and those in which the last answers are due; for all figures until all have come. */
static bool all_frames(load_run *run, plan_depth depth, uint64_t most_expansions) {
    const plan_load *load = run->load;
    plan_result *result = run->result;
    const uint64_t last_due = load->frames + load->within - 1, end = load->frames * REST_TIMES + last_due;
    wend_budget budget;
    wend_budget_init(&budget, sizeof budget);
    budget.expansions = run->setup->budget;
    for (uint64_t frame = 0; frame < end; frame++) {
        if (frame >= last_due && (depth == PLAN_VERDICT || wend_service_get_pending(run->service) == 0)) break;
        const uint64_t began = lab_thread_ns();
        bool good = submit_due(run, frame);
        result->submit_ns += lab_thread_ns() - began;
        good = good && tick_once(run, &budget);
        if (!good) return good;
        count_late(run, frame);
        result->frames = frame + 1;
        if (depth == PLAN_VERDICT && is_decided(run)) break;
        if (is_too_long(run, frame, most_expansions)) break;
    }
    return true;
}

/* ---- the verdict ---- */

void plan_judge(const plan_load *load, const plan_setup *setup, plan_result *result) {
    uint64_t frames = result->frames < load->frames ? result->frames : load->frames;
    if (load->replayed) frames += load->within - 1; /* it may be one burst, which need not be over at once */
    result->why = NULL;
    if (result->refused > 0)
        result->why = "the queue was full (BUSY)";
    else if (result->unserved > 0)
        result->why = "requests ended as out_of_nodes or too_long";
    else if (result->late > result->requests / 100)
        result->why = "more than one answer in a hundred came late";
    else if (setup->budget < UINT64_MAX / load->frames && result->expansions > setup->budget * frames)
        result->why = "the requests of a frame need more than its budget";
    result->holds = result->why == NULL;
}

static void close_run(load_run *run) {
    wend_service_destroy(run->service);
    wend_figures_destroy(run->figures);
    free(run->slots);
    series_free(&run->latency);
    series_free(&run->tick_ns);
}

bool plan_run(const plan_load *load, const plan_setup *setup, plan_depth depth, uint64_t most_expansions,
              plan_spots *spots, plan_result *out) {
    load_run run = {.load = load, .setup = setup, .result = out, .spots = spots};
    *out = (plan_result){.requests = load->count};
    run.slots = calloc(load->count, sizeof *run.slots);
    if (run.slots == NULL) return lab_fail("out of memory for the answers");
    for (size_t i = 0; i < load->count; i++) run.slots[i].run = &run;
    const uint64_t began = lab_thread_ns();
    bool good = plan_open_service(setup, &run.service, &run.figures);
    out->create_ns = lab_thread_ns() - began;
    good = good && all_frames(&run, depth, most_expansions);
    if (good) {
        wend_stats stats = {.struct_bytes = sizeof stats};
        wend_service_get_stats(run.service, &stats);
        out->nodes_peak = stats.nodes_in_use_peak;
        plan_read_general(run.figures, out);
        out->latency = series_percentiles(&run.latency);
        out->tick_ns = series_percentiles(&run.tick_ns).p99;
        plan_judge(load, setup, out);
    }
    close_run(&run);
    return good;
}
