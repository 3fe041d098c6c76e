/* SPDX-License-Identifier: MIT */
/* Runs the load of a plan with agents that walk: each request of the load is a wish of an agent in a crowd. */
#include <stdlib.h>

#include "lab/plan/plan.h"
#include "lab/shared/host.h"
#include "lab/shared/clock.h"
#include "lab/shared/series.h"

/* An agent walks so many cells a second, by straight steps; and the crowd keeps so many blocks of its path. */
enum { CELLS_A_SECOND = 5, PATH_BLOCKS = 8, BLOCK_BYTES = 64, FRAME_MILLI = 1000 };

typedef struct walkers {
    const plan_load *load;
    const plan_setup *setup;
    plan_result *result;
    wend_service *service;
    wend_figures *figures;
    wend_crowd *crowd;
    wend_agent_id *ids;
    size_t asked;
    uint64_t events;
    series tick_ns, crowd_ns;
} walkers;

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

/* ---- the crowd ---- */

static bool open_walkers(walkers *all) {
    wend_crowd_def crowd;
    const bool good = plan_open_service(all->setup, &all->service, &all->figures);
    if (!good) return good;
    plan_crowd_def(all->load, all->service, &crowd);
    crowd.on_event = count_event;
    crowd.context = &all->events;
    const wend_error error = wend_crowd_create(&crowd, &all->crowd);
    if (error != WEND_OK) return lab_fail("a crowd of %u agents: %s", all->load->agents, wend_error_detail(error));
    return true;
}

/* An agent whose place is taken gets the nearest free one. */
static bool add_agent(walkers *all, uint32_t agent) {
    const plan_load *load = all->load;
    wend_agent_def def;
    wend_agent_def_init(&def, sizeof def);
    def.cell = load->places[agent];
    def.mover = load->mover;
    def.speed_milli = (uint32_t)(CELLS_A_SECOND * 1000 / load->hz);
    if (def.speed_milli == 0) def.speed_milli = 1;
    wend_error error = wend_crowd_add(all->crowd, &def, &all->ids[agent]);
    if (error == WEND_BUSY) {
        size_t count = 0;
        wend_places_def places;
        wend_places_def_init(&places, sizeof places);
        places.mover = load->mover;
        places.goal = places.from = def.cell;
        wend_map_free_places(load->map, &places, &def.cell, 1, &count);
        if (count == 1) error = wend_crowd_add(all->crowd, &def, &all->ids[agent]);
    }
    if (error == WEND_OK) return true;
    if (error == WEND_BUSY) return lab_fail("the map has no free cell for agent %u of %u", agent + 1, load->agents);
    return lab_fail("agent %u of %u: %s", agent + 1, load->agents, wend_error_detail(error));
}

static bool wish_due(walkers *all, uint64_t frame) {
    const plan_load *load = all->load;
    for (; all->asked < load->count && load->asks[all->asked].frame == frame; all->asked++) {
        const plan_ask *ask = &load->asks[all->asked];
        wend_crowd_goal goal;
        wend_crowd_goal_init(&goal, sizeof goal);
        goal.cell = ask->goal;
        const wend_error error = wend_crowd_go(all->crowd, &all->ids[ask->agent], 1, &goal);
        if (error != WEND_OK)
            return lab_fail("a wish in frame %llu: %s", (unsigned long long)frame, wend_error_detail(error));
    }
    return true;
}

static void note_pending(walkers *all) {
    const uint64_t pending = wend_service_get_pending(all->service);
    if (pending > all->result->queue_peak) all->result->queue_peak = pending;
}

static bool step_once(walkers *all, const wend_budget *budget) {
    wend_frame frame = {.struct_bytes = sizeof frame};
    const uint64_t began = lab_thread_ns();
    wend_error error = wend_service_tick(all->service, budget, &frame);
    const uint64_t ticked = lab_thread_ns();
    note_pending(all);
    if (error == WEND_OK) error = wend_crowd_update(all->crowd, FRAME_MILLI);
    const uint64_t ended = lab_thread_ns();
    note_pending(all);
    if (error != WEND_OK) return lab_fail("a frame: %s", wend_error_detail(error));
    all->result->all_ns += ticked - began;
    if (frame.expansions > all->result->max_frame_expansions) all->result->max_frame_expansions = frame.expansions;
    if (series_add(&all->tick_ns, ticked - began) && series_add(&all->crowd_ns, ended - ticked)) return true;
    return lab_fail("out of memory for the counts");
}

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

static bool all_frames(walkers *all) {
    const plan_load *load = all->load;
    wend_budget budget;
    wend_budget_init(&budget, sizeof budget);
    budget.expansions = all->setup->budget;
    for (uint64_t frame = 0; frame < load->frames + load->within - 1; frame++) {
        bool good = wish_due(all, frame);
        note_pending(all);
        good = good && step_once(all, &budget);
        if (!good) return good;
        all->result->frames = frame + 1;
    }
    return true;
}

bool plan_walk(const plan_load *load, const plan_setup *setup, plan_result *out) {
    walkers all = {.load = load, .setup = setup, .result = out};
    *out = (plan_result){0};
    all.ids = calloc(load->agents, sizeof *all.ids);
    if (all.ids == NULL) return lab_fail("out of memory for the agents");
    bool good = open_walkers(&all);
    for (uint32_t agent = 0; good && agent < load->agents; agent++) good = add_agent(&all, agent);
    good = good && all_frames(&all);
    if (good) {
        plan_read_counts(load, all.service, out);
        plan_read_general(all.figures, out);
        out->longest_path = setup->max_path_cells;
        out->tick_ns = series_percentiles(&all.tick_ns).p99;
        out->crowd_ns = series_percentiles(&all.crowd_ns).p99;
        plan_judge(load, setup, out);
    }
    wend_crowd_destroy(all.crowd);
    wend_service_destroy(all.service);
    wend_figures_destroy(all.figures);
    free(all.ids);
    series_free(&all.tick_ns);
    series_free(&all.crowd_ns);
    return good;
}
