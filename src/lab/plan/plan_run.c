/* SPDX-License-Identifier: MIT */
/* Runs the load of a plan once, frame by frame, and judges whether it held: as requests to a service, or as wishes of
   agents that walk in a crowd. */
#include <stdlib.h>
#include <wend/query.h>
#include <wend/tuning.h>

#include "lab/plan/plan.h"
#include "lab/shared/clock.h"
#include "lab/shared/host.h"
#include "lab/shared/array.h"

/* A run that does not keep up goes on after the last request for so many times its length, for the figures. */
enum { REST_TIMES = 4 };
/* An agent walks so many cells a second, by straight steps; and the crowd keeps so many blocks of its path. */
enum { CELLS_A_SECOND = 5, PATH_BLOCKS = 8, BLOCK_BYTES = 64, FRAME_MILLI = 1000 };

#define HOPELESS_NS UINT64_C(3000000000)

typedef struct trial trial;

/* The context of a request. */
typedef struct answer_slot {
    trial *run;
    bool answered;
} answer_slot;

struct trial {
    const plan_load *load;
    const plan_setup *setup;
    plan_result *result;
    plan_spots *spots;
    wend_service *service;
    wend_figures *figures;
    size_t asked, due; /* requests submitted; requests whose time is over */
    series tick_ns;
    bool out_of_memory;

    answer_slot *slots; /* of requests: theirs */
    series latency;

    wend_crowd *crowd; /* of agents that walk; NULL: requests are submitted */
    wend_agent_id *ids;
    uint64_t events;
    series crowd_ns;
};

/* ---- the service ---- */

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

static void read_general(const wend_figures *figures, plan_result *out) {
    wend_figures_stats counts = {.struct_bytes = sizeof counts};
    wend_figures_get_stats(figures, &counts);
    for (int32_t i = 0; i < WEND_GENERAL_COUNT; i++) out->general[i] = counts.general_answers[i];
}

static bool open_service(trial *run) {
    wend_service_def def;
    wend_tuning tuning;
    plan_service_def(run->setup, &def);
    wend_tuning_init(&tuning, sizeof tuning);
    tuning.prefault = wend_service_bytes(&def) <= (size_t)1 << 28;
    def.tuning = &tuning;
    wend_error error = wend_service_create(&def, &run->service);
    if (error == WEND_OK) error = attach_figures(run->service, &run->figures);
    if (error == WEND_OK) return true;
    return lab_fail("a service of %zu bytes: %s", wend_service_bytes(&def), wend_error_detail(error));
}

/* ---- the crowd ---- */

static void count_event(void *context, const wend_agent_event *event) {
    (void)event;
    ++*(uint64_t *)context;
}

void plan_crowd_def(const plan_load *load, wend_service *service, wend_crowd_def *out) {
    if (load->played) {
        *out = load->played->crowd;
        return;
    }
    wend_crowd_def_init(out, sizeof *out);
    out->agents = load->agents;
    out->service = service;
    out->map = load->map;
    out->path_bytes = (uint64_t)load->agents * PATH_BLOCKS * BLOCK_BYTES;
}

size_t plan_crowd_bytes(const plan_load *load) {
    wend_service_def def;
    wend_crowd_def crowd;
    wend_service *service;
    if (load->played) return load->played->crowd_bytes;
    wend_service_def_init(&def, sizeof def);
    if (!load->walk || wend_service_create(&def, &service) != WEND_OK) return 0;
    plan_crowd_def(load, service, &crowd);
    const size_t bytes = wend_crowd_bytes(&crowd);
    wend_service_destroy(service);
    return bytes;
}

/* An agent whose place is taken gets the nearest free one. */
static bool add_agent(trial *run, uint32_t agent) {
    const plan_load *load = run->load;
    wend_agent_def def;
    wend_agent_def_init(&def, sizeof def);
    def.cell = load->places[agent];
    def.mover = load->mover;
    def.speed_milli = (uint32_t)(CELLS_A_SECOND * 1000 / load->hz);
    if (def.speed_milli == 0) def.speed_milli = 1;
    wend_error error = wend_crowd_add(run->crowd, &def, &run->ids[agent]);
    if (error == WEND_BUSY) {
        size_t count = 0;
        wend_places_def places;
        wend_places_def_init(&places, sizeof places);
        places.mover = load->mover;
        places.goal = places.from = def.cell;
        wend_map_free_places(load->map, &places, &def.cell, 1, &count);
        if (count == 1) error = wend_crowd_add(run->crowd, &def, &run->ids[agent]);
    }
    if (error == WEND_OK) return true;
    if (error == WEND_BUSY) return lab_fail("the map has no free cell for agent %u of %u", agent + 1, load->agents);
    return lab_fail("agent %u of %u: %s", agent + 1, load->agents, wend_error_detail(error));
}

static bool open_crowd(trial *run) {
    const uint32_t agents = run->load->agents;
    wend_crowd_def crowd;
    plan_crowd_def(run->load, run->service, &crowd);
    crowd.on_event = count_event;
    crowd.context = &run->events;
    run->ids = calloc(agents, sizeof *run->ids);
    if (!run->ids) return lab_fail("out of memory for the agents");
    const wend_error error = wend_crowd_create(&crowd, &run->crowd);
    if (error != WEND_OK) return lab_fail("a crowd of %u agents: %s", agents, wend_error_detail(error));
    bool good = true;
    for (uint32_t agent = 0; good && agent < agents; agent++) good = add_agent(run, agent);
    return good;
}

/* ---- answers ---- */

static void take_answer(void *context, const wend_completion *completion) {
    answer_slot *slot = context;
    trial *run = slot->run;
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

static wend_error submit_request(trial *run, const plan_ask *ask) {
    const plan_load *load = run->load;
    wend_request request;
    wend_request_init(&request, sizeof request);
    request.mover = load->mover;
    if (load->recorded != NULL) request = load->recorded->kinds[ask->kind];
    request.map = load->map;
    request.urgency = ask->urgency;
    request.start = ask->start;
    request.goal = ask->goal;
    request.on_done = take_answer;
    request.context = &run->slots[ask - load->asks];
    const wend_error error = wend_service_submit(run->service, &request, NULL);
    run->result->refused += error == WEND_BUSY;
    return error == WEND_BUSY ? WEND_OK : error;
}

static wend_error send_agent(trial *run, const plan_ask *ask) {
    wend_crowd_goal goal;
    wend_crowd_goal_init(&goal, sizeof goal);
    goal.cell = ask->goal;
    return wend_crowd_go(run->crowd, &run->ids[ask->agent], 1, &goal);
}

static void note_pending(trial *run) {
    const uint64_t pending = wend_service_get_pending(run->service);
    if (pending > run->result->queue_peak) run->result->queue_peak = pending;
}

static bool ask_due(trial *run, uint64_t frame) {
    const plan_load *load = run->load;
    for (; run->asked < load->count && load->asks[run->asked].frame == frame; run->asked++) {
        const plan_ask *ask = &load->asks[run->asked];
        const wend_error error = run->crowd ? send_agent(run, ask) : submit_request(run, ask);
        if (error != WEND_OK)
            return lab_fail("a %s in frame %llu: %s", run->crowd ? "wish" : "request", (unsigned long long)frame,
                            wend_error_detail(error));
    }
    note_pending(run);
    return true;
}

static bool step_once(trial *run, const wend_budget *budget) {
    wend_frame frame = {.struct_bytes = sizeof frame};
    plan_result *result = run->result;
    const uint64_t began = lab_thread_ns();
    wend_error error = wend_service_tick(run->service, budget, &frame);
    const uint64_t ticked = lab_thread_ns();
    note_pending(run);
    if (error == WEND_OK && run->crowd) error = wend_crowd_update(run->crowd, FRAME_MILLI);
    const uint64_t ended = lab_thread_ns();
    note_pending(run);
    if (error != WEND_OK) return lab_fail("a frame: %s", wend_error_detail(error));
    result->expansions += frame.expansions;
    result->all_ns += ticked - began;
    if (frame.expansions > result->max_frame_expansions) result->max_frame_expansions = frame.expansions;
    const bool good = !run->out_of_memory && series_add(&run->tick_ns, ticked - began) &&
                      (!run->crowd || series_add(&run->crowd_ns, ended - ticked));
    return good || lab_fail("out of memory for the counts");
}

/* A request is late from the frame on in which its answer should have come. */
static void count_late(trial *run, uint64_t frame) {
    const plan_load *load = run->load;
    for (; run->due < run->asked && load->asks[run->due].frame + load->within - 1 <= frame; run->due++)
        if (!run->slots[run->due].answered) run->result->late++;
}

static bool is_decided(const trial *run) {
    const plan_result *result = run->result;
    return result->refused > 0 || result->unserved > 0 || result->late > run->load->count / 100;
}

/* A load of too many expansions is cut, but not below four times the frames that an answer may take; except where it is
 * far too much, or takes four times the time that its frames have, and seconds. */
static bool is_too_long(const trial *run, uint64_t frame, uint64_t most_expansions) {
    const uint64_t frame_ns = 1000000000 / run->load->hz, took_ns = run->result->all_ns;
    if (frame >= run->load->frames || run->result->expansions <= most_expansions) return false;
    if (took_ns > HOPELESS_NS && took_ns / 4 > (frame + 1) * frame_ns) return true;
    return frame >= 4 * run->load->within || run->result->expansions / PLAN_HOPELESS_TIMES > most_expansions;
}

/* The frames in which agents ask, and those in which the last answers are due; for all figures of requests until all
   have come. */
static bool all_frames(trial *run, plan_depth depth, uint64_t most_expansions) {
    const plan_load *load = run->load;
    plan_result *result = run->result;
    const uint64_t last_due = load->frames + load->within - 1, end = load->frames * REST_TIMES + last_due;
    wend_budget budget;
    wend_budget_init(&budget, sizeof budget);
    budget.expansions = run->setup->budget;
    for (uint64_t frame = 0; frame < end; frame++) {
        const bool rest = depth == PLAN_FIGURES && !run->crowd && wend_service_get_pending(run->service) > 0;
        if (frame >= last_due && !rest) break;
        const uint64_t began = lab_thread_ns();
        if (!ask_due(run, frame)) return false;
        result->submit_ns += lab_thread_ns() - began;
        if (!step_once(run, &budget)) return false;
        result->frames = frame + 1;
        if (run->crowd) continue;
        count_late(run, frame);
        if (depth == PLAN_VERDICT && is_decided(run)) break;
        if (is_too_long(run, frame, most_expansions)) break;
    }
    return true;
}

/* ---- the verdict ---- */

/* The service counts its answers by frames, exactly up to 15, above that rounded up by an eighth. A request that is
 * still pending when the last answers are due is late; whether it is one in a hundred of the others is what counts. */
void plan_read_counts(const plan_load *load, const wend_service *service, plan_result *result) {
    wend_stats stats = {.struct_bytes = sizeof stats};
    wend_service_get_stats(service, &stats);
    result->answered = stats.completed;
    result->requests = stats.submitted;
    result->refused = stats.refused_busy;
    result->unserved = stats.statuses[WEND_STATUS_OUT_OF_NODES] + stats.statuses[WEND_STATUS_TOO_LONG];
    result->expansions = stats.expansions;
    result->nodes_peak = stats.nodes_in_use_peak;
    result->latency = stats.latency_frames;
    result->late = stats.latency_frames.p99 > load->within ? result->requests : stats.pending;
}

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

static void read_answers(trial *run) {
    plan_result *result = run->result;
    wend_stats stats = {.struct_bytes = sizeof stats};
    wend_service_get_stats(run->service, &stats);
    result->nodes_peak = stats.nodes_in_use_peak;
    result->latency = series_percentiles(&run->latency);
}

static void read_walk(trial *run) {
    plan_read_counts(run->load, run->service, run->result);
    run->result->longest_path = run->setup->max_path_cells;
    run->result->submit_ns = run->result->create_ns = 0; /* a crowd's are not measured */
}

static bool open_slots(trial *run) {
    const size_t count = run->load->count;
    run->slots = calloc(count, sizeof *run->slots);
    for (size_t i = 0; run->slots && i < count; i++) run->slots[i].run = run;
    return run->slots || lab_fail("out of memory for the answers");
}

static void close_run(trial *run) {
    wend_crowd_destroy(run->crowd);
    wend_service_destroy(run->service);
    wend_figures_destroy(run->figures);
    free(run->slots);
    free(run->ids);
    series_free(&run->latency);
    series_free(&run->tick_ns);
    series_free(&run->crowd_ns);
}

bool plan_run(const plan_load *load, const plan_setup *setup, const plan_trial *how, plan_result *out) {
    trial run = {.load = load, .setup = setup, .result = out, .spots = how->spots};
    *out = (plan_result){.requests = load->count};
    const uint64_t began = lab_thread_ns();
    bool good = open_service(&run);
    out->create_ns = lab_thread_ns() - began;
    good =
        good && (how->walk ? open_crowd(&run) : open_slots(&run)) && all_frames(&run, how->depth, how->most_expansions);
    if (good) {
        if (how->walk)
            read_walk(&run);
        else
            read_answers(&run);
        read_general(run.figures, out);
        out->tick_ns = series_percentiles(&run.tick_ns).p99;
        out->crowd_ns = series_percentiles(&run.crowd_ns).p99;
        plan_judge(load, setup, out);
    }
    close_run(&run);
    return good;
}
