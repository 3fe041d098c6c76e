/* SPDX-License-Identifier: MIT */
/* Runs the load of a plan once, frame by frame, and judges whether it held: as requests to a service, or as goals of
   agents that walk in a crowd. */
#include <stdlib.h>
#include <wend/query.h>

#include "plan/plan.h"
#include "run/lab.h"
#include "shared/messages.h"

/* A run that does not keep up goes on after the last request for this many times its length, for the figures. */
enum { REST_TIMES = 4 };
/* An agent walks this many cells a second, by straight steps; and the crowd keeps this many blocks of its path. */
enum { CELLS_A_SECOND = 5, PATH_BLOCKS = 8, BLOCK_BYTES = 64, FRAME_MILLI = 1000 };
enum { FEW_UPDATES = 5 };     /* the median walker may wait so long for a path */
enum { MOST_WINDOW = 65536 }; /* updates of which jams are counted */

#define HOPELESS_NS UINT64_C(3000000000)

typedef struct trial trial;

/* The context of a request. */
typedef struct answer_slot {
    trial *run;
    bool answered;
} answer_slot;

/* How many updates in a row a walker has waited for a path; the most of its present wish. */
typedef struct path_wait {
    uint32_t now, most;
    bool wished;
} path_wait;

/* A run of the laboratory with the load as driver: requests, or a crowd. */
struct trial {
    lab_run lab; /* first: the driver's functions get its address */
    const plan_load *load;
    const plan_setup *setup;
    const plan_trial *how;
    plan_result *result;
    size_t asked, due;  /* requests submitted; requests past their time */
    answer_slot *slots; /* slots for answers of requests */
    wend_agent_id *ids; /* ids of a crowd */
    path_wait *waits;   /* waits of its agents, by their index */
    cli_jams *jams;     /* jams of all its updates */
    uint64_t events;
};

/* ---- the service ---- */

void plan_service_def(const plan_setup *setup, wend_service_def *out, wend_service_tuning *tuning) {
    wend_service_def_init(out, sizeof *out);
    out->queue = setup->queue;
    out->nodes = setup->nodes;
    out->max_path_cells = setup->max_path_cells;
    wend_service_tuning_init(tuning, sizeof *tuning);
    tuning->lanes = setup->lanes;
    out->tuning = tuning;
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
    wend_service_tuning tuning;
    plan_service_def(run->setup, &def, &tuning);
    tuning.prefault = wend_service_bytes(&def) <= (size_t)1 << 28;
    wend_error error = wend_service_create(&def, &run->lab.service);
    if (error == WEND_OK) error = attach_figures(run->lab.service, &run->lab.figures);
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

/* An agent with a taken place gets the nearest free one. */
static bool add_agent(trial *run, uint32_t agent) {
    const plan_load *load = run->load;
    wend_agent_def def;
    wend_agent_def_init(&def, sizeof def);
    def.cell = load->places[agent];
    def.mover = load->mover;
    def.speed_milli = (uint32_t)(CELLS_A_SECOND * 1000 / load->hz);
    if (def.speed_milli == 0) def.speed_milli = 1;
    wend_error error = wend_crowd_add(run->lab.crowd, &def, &run->ids[agent]);
    if (error == WEND_BUSY) {
        size_t count = 0;
        wend_places_def places;
        wend_places_def_init(&places, sizeof places);
        places.mover = load->mover;
        places.goal = places.from = def.cell;
        wend_map_free_places(load->map, &places, &def.cell, 1, &count);
        if (count == 1) error = wend_crowd_add(run->lab.crowd, &def, &run->ids[agent]);
    }
    if (error == WEND_OK) return true;
    if (error == WEND_BUSY) return lab_fail("the map has no free cell for agent %u of %u", agent + 1, load->agents);
    return lab_fail("agent %u of %u: %s", agent + 1, load->agents, wend_error_detail(error));
}

/* Counts the updates of the whole run, where the window can be so long. */
static wend_error make_jams(trial *run) {
    const uint64_t frames = run->load->frames + run->load->within;
    run->jams = cli_jams_create(frames < MOST_WINDOW - 64 ? (uint32_t)(frames * 8 / 7 + 8) : MOST_WINDOW);
    return run->jams ? WEND_OK : WEND_OUT_OF_MEMORY;
}

static void read_jams(const trial *run) {
    plan_result *out = run->result;
    out->jam_updates = cli_jams_updates(run->jams);
    out->jam_waits = cli_jams_waits(run->jams);
    out->jam_count = cli_jams_worst(run->jams, run->load->map, PLAN_CHOKE_WIDTH, out->jams, PLAN_SPOTS_MAX);
}

static bool open_crowd(trial *run) {
    const uint32_t count = run->load->agents;
    wend_crowd_def crowd;
    plan_crowd_def(run->load, run->lab.service, &crowd);
    crowd.on_event = count_event;
    crowd.context = &run->events;
    run->ids = calloc(count, sizeof *run->ids);
    run->waits = calloc(count, sizeof *run->waits);
    if (!run->ids || !run->waits) return lab_fail("out of memory for the agents");
    wend_error error = wend_crowd_create(&crowd, &run->lab.crowd);
    if (error == WEND_OK) error = make_jams(run);
    if (error != WEND_OK) return lab_fail("a crowd of %u agents: %s", count, wend_error_detail(error));
    bool good = true;
    for (uint32_t agent = 0; good && agent < count; agent++) good = add_agent(run, agent);
    return good;
}

/* ---- answers ---- */

static void count_answer(void *context, const wend_completion *completion) {
    answer_slot *slot = context;
    trial *run = slot->run;
    const plan_ask *ask = &run->load->asks[slot - run->slots];
    slot->answered = true;
    run->result->answered++;
    if (completion->status == WEND_STATUS_OUT_OF_NODES || completion->status == WEND_STATUS_TOO_LONG)
        run->result->unserved++;
    if (completion->cell_count > run->result->longest_path) run->result->longest_path = completion->cell_count;
    if (!series_add(&run->lab.latency, completion->frames)) run->lab.out_of_memory = true;
    if (run->how->spots) plan_spots_add(run->how->spots, ask->start, ask->goal, completion);
}

/* ---- frames ---- */

static wend_error submit_request(trial *run, const plan_ask *ask) {
    const plan_load *load = run->load;
    wend_request request;
    wend_request_init(&request, sizeof request);
    request.mover = load->mover;
    if (load->recorded) {
        const plan_kind *kind = &load->recorded->kinds[ask->kind];
        request = kind->request;
        request.options = &kind->options;
    }
    request.map = load->map;
    request.urgency = ask->urgency;
    request.start = ask->start;
    request.goal = ask->goal;
    request.on_done = count_answer;
    request.context = &run->slots[ask - load->asks];
    const wend_error error = wend_service_submit(run->lab.service, &request, NULL);
    run->result->refused += error == WEND_BUSY;
    return error == WEND_BUSY ? WEND_OK : error;
}

static void end_wish(trial *run, path_wait *wait) {
    if (wait->wished && !series_add(&run->lab.stuck, wait->most)) run->lab.out_of_memory = true;
    *wait = (path_wait){0};
}

static wend_error send_agent(trial *run, const plan_ask *ask) {
    wend_crowd_goal goal;
    path_wait *wait = &run->waits[run->ids[ask->agent].index];
    end_wish(run, wait);
    wait->wished = true;
    wend_crowd_goal_init(&goal, sizeof goal);
    goal.cell = ask->goal;
    return wend_crowd_go(run->lab.crowd, &run->ids[ask->agent], 1, &goal);
}

static void count_pending(trial *run) {
    const uint64_t pending = wend_service_get_pending(run->lab.service);
    if (pending > run->result->queue_peak) run->result->queue_peak = pending;
}

/* Loads count frames from 0. */
static bool ask_due(lab_run *lab, bool asking, lab_times *times) {
    trial *run = (trial *)lab;
    const plan_load *load = run->load;
    const lab_moment began = lab_now();
    (void)asking;
    for (; run->asked < load->count && load->asks[run->asked].frame == lab->frame - 1; run->asked++) {
        const plan_ask *ask = &load->asks[run->asked];
        const wend_error error = lab->crowd ? send_agent(run, ask) : submit_request(run, ask);
        if (error != WEND_OK)
            return lab_fail("a %s in frame %llu: %s", lab->crowd ? "wish" : "request",
                            (unsigned long long)lab->frame - 1, wend_error_detail(error));
    }
    times->edits = lab_since(began);
    run->result->submit_ns += times->edits.cpu_ns;
    count_pending(run);
    return true;
}

static wend_error step_crowd(lab_run *lab) {
    count_pending((trial *)lab);
    if (!lab->crowd) return WEND_OK;
    const wend_error error = wend_crowd_update(lab->crowd, FRAME_MILLI, NULL, NULL);
    if (!error) cli_jams_count(((trial *)lab)->jams, lab->crowd);
    return error;
}

/* An agent with a goal and no path, or stopped on its path, waits. */
static void count_waits(trial *run) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    (void)wend_crowd_get_view(run->lab.crowd, &view);
    for (uint32_t i = 0; i < view.count; i++) {
        path_wait *wait = &run->waits[i];
        wait->now = view.states[i] == WEND_AGENT_WAITING ? wait->now + 1 : 0;
        if (wait->now > wait->most) wait->most = wait->now;
    }
}

/* A request is late from the frame on in which its answer should have come. */
static bool count_late(lab_run *lab, const wend_frame *frame) {
    trial *run = (trial *)lab;
    const plan_load *load = run->load;
    (void)frame;
    count_pending(run);
    if (lab->crowd) count_waits(run);
    for (; run->slots && run->due < run->asked && load->asks[run->due].frame + load->within <= lab->frame; run->due++)
        if (!run->slots[run->due].answered) run->result->late++;
    return !lab->out_of_memory;
}

static bool is_decided(const trial *run) {
    const plan_result *result = run->result;
    return result->refused > 0 || result->unserved > 0 || result->late > run->load->count / 100;
}

/* A load of too many expansions is cut, but not below four times the frames that an answer may take; except where it is
 * far too much, or takes four times the time that its frames have, and seconds. */
static bool is_too_long(const trial *run) {
    const uint64_t frame_ns = 1000000000 / run->load->hz, took_ns = run->lab.tick_cpu_ns.sum;
    const uint64_t frames = run->lab.frame, most = run->how->most_expansions;
    if (frames > run->load->frames || run->lab.expansions <= most) return false;
    if (took_ns > HOPELESS_NS && took_ns / 4 > frames * frame_ns) return true;
    return frames > 4 * run->load->within || run->lab.expansions / PLAN_HOPELESS_TIMES > most;
}

/* The frames in which agents ask, and those in which the last answers are due; for all figures of requests until all
   have come. */
static bool goes_on(const trial *run) {
    const plan_load *load = run->load;
    const uint64_t frames = run->lab.frame, last_due = load->frames + load->within - 1;
    const bool walks = run->lab.crowd, verdict = run->how->depth == PLAN_VERDICT;
    if (walks) return frames < last_due;
    if (frames > 0 && ((verdict && is_decided(run)) || is_too_long(run))) return false;
    const bool rest = !verdict && wend_service_get_pending(run->lab.service) > 0;
    return frames < last_due || (rest && frames < load->frames * REST_TIMES + last_due);
}

static bool all_frames(trial *run) {
    bool good = true;
    run->lab.budget.expansions = run->setup->budget;
    while (good && goes_on(run)) {
        run->lab.frame++;
        good = lab_frame(&run->lab);
    }
    return good;
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
    else if (result->stand.p50 > FEW_UPDATES)
        result->why = "walkers stand for want of paths";
    result->holds = !result->why;
}

static void read_result(trial *run) {
    plan_result *result = run->result;
    lab_run *lab = &run->lab;
    wend_stats stats = {.struct_bytes = sizeof stats};
    wend_service_get_stats(lab->service, &stats);
    result->frames = lab->frame;
    result->expansions = lab->expansions;
    result->max_frame_expansions = lab->max_frame_expansions;
    result->nodes_peak = stats.nodes_in_use_peak;
    result->all_ns = lab->tick_cpu_ns.sum;
    result->tick_ns = series_percentiles(&lab->tick_cpu_ns).p99;
    result->latency = series_percentiles(&lab->latency);
    read_general(lab->figures, result);
    if (!lab->crowd) return;
    plan_read_counts(run->load, lab->service, result);
    for (uint32_t i = 0; i < run->load->agents; i++) end_wish(run, &run->waits[i]);
    result->stand = series_percentiles(&lab->stuck);
    read_jams(run);
    result->crowd_ns = series_percentiles(&lab->step_cpu_ns).p99;
    result->longest_path = run->setup->max_path_cells;
    result->submit_ns = result->create_ns = 0; /* a crowd's are not measured */
}

static bool open_slots(trial *run) {
    const size_t count = run->load->count;
    run->slots = calloc(count, sizeof *run->slots);
    for (size_t i = 0; run->slots && i < count; i++) run->slots[i].run = run;
    return run->slots || lab_fail("out of memory for the answers");
}

static void close_run(lab_run *lab) {
    trial *run = (trial *)lab;
    free(run->slots);
    free(run->ids);
    free(run->waits);
    cli_jams_free(run->jams);
}

static const lab_driver driver = {.close = close_run, .before = ask_due, .step = step_crowd, .after = count_late};

bool plan_run(const plan_load *load, const plan_setup *setup, const plan_trial *how, plan_result *out) {
    static const lab_settings settings = {0}; /* no log, no trace */
    trial run = {
        .lab = {.settings = &settings, .driver = &driver}, .load = load, .setup = setup, .how = how, .result = out};
    *out = (plan_result){.requests = load->count};
    wend_budget_init(&run.lab.budget, sizeof run.lab.budget);
    const lab_moment began = lab_now();
    bool good = open_service(&run);
    out->create_ns = lab_since(began).cpu_ns;
    good = good && (how->walk ? open_crowd(&run) : open_slots(&run)) && all_frames(&run);
    if (good) {
        read_result(&run);
        plan_judge(load, setup, out);
    }
    lab_close(&run.lab);
    return good;
}
