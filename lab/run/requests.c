/* SPDX-License-Identifier: MIT */
/* Drives a run by requests: agents ask, cancel and move goals as the scenario has it, and cells are edited; then each
   completion is checked and counted. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "run/lab.h"
#include "shared/array.h"
#include "shared/messages.h"
#include <wend/control.h>

enum { SAMPLE_WORK = 6000000, FLOOD_WORK = 1000000000, IDLE_FRAMES_MAX = 1000, IDLE_FRAMES_MAX_TIMED = 1000000 };

/* ---- the inbox: completions wait here until the tick is over ---- */

/* The context of an agent's requests. A broken service may pass another address: the mark tells. A completion that
   comes with another address is dropped; the checker then misses it. */
struct lab_asker {
    uint64_t mark;
    lab_run *run;
};

#define ASKER_MARK UINT64_C(0x5AC0FFEE0DDBA115)

static uint32_t agent_of(const lab_run *run, const lab_asker *asker) {
    return asker ? (uint32_t)(asker - run->askers) : AGENTS_NONE;
}

static void queue_completion(void *context, const wend_completion *completion) {
    const lab_asker *asker = context;
    if (!asker || asker->mark != ASKER_MARK) return;
    lab_inbox *inbox = &asker->run->inbox;
    if (inbox->out_of_memory) return;
    const size_t cells = completion->cells ? completion->cell_count : 0;
    if (!ARRAY_ROOM(inbox->list, inbox->capacity, inbox->count + 1) ||
        !ARRAY_ROOM(inbox->cells_at, inbox->at_capacity, inbox->count + 1) ||
        !ARRAY_ROOM(inbox->cells, inbox->cell_capacity, inbox->cell_count + cells)) {
        inbox->out_of_memory = true;
        return;
    }
    inbox->list[inbox->count] = *completion;
    /* The context comes back in two ways, which must agree. */
    if (completion->context != context) inbox->list[inbox->count].context = NULL;
    inbox->cells_at[inbox->count++] = inbox->cell_count;
    if (cells > 0) memcpy(inbox->cells + inbox->cell_count, completion->cells, cells * sizeof *inbox->cells);
    inbox->cell_count += cells;
}

/* ---- asking ---- */

static bool ask(lab_run *run, uint32_t agent) {
    wend_request request;
    wend_search_options options;
    wend_request_init(&request, sizeof request);
    wend_search_options_init(&options, sizeof options);
    wend_ticket ticket = {0, 0};
    agents_fill_request(run->all, agent, &request, &options);
    request.map = run->map;
    request.options = &options;
    options.engine = run->settings->engine;
    request.on_done = queue_completion;
    request.context = &run->askers[agent];
    if (run->settings->scenario->rivals) request.agent = agent / 2;
    wend_error error = wend_service_submit(run->service, &request, &ticket);
    checker_submitted(run->watch, agent, &request, error, ticket);
    if (error == WEND_OK) {
        run->accepted++;
        agents_accepted(run->all, agent, ticket);
    } else {
        if (error == WEND_BUSY) run->busy++;
        if (error == WEND_BUSY && agents_is_urgent(agent)) run->urgent_busy++;
        agents_refused(run->all, agent, run->frame);
    }
    return load_submitted(run->load, agent, agents_is_urgent(agent), &request, error);
}

static void cancel(lab_run *run, uint32_t agent, wend_ticket ticket) {
    checker_cancelled(run->watch, agent, wend_service_cancel(run->service, ticket));
}

/* A player submits with one hand, and 10 frames later with the other: it cancels the first hand's request before that.
 * A hand waits for the delivery of its cancelled request. */
static bool click(lab_run *run, uint32_t agent, bool hides) {
    const uint32_t other = agents_other_hand(agent);
    wend_ticket ticket;
    agents_ask_in(run->all, other, run->frame + run->settings->scenario->click_frames);
    if (agents_cancel(run->all, other, &ticket)) cancel(run, other, ticket);
    return hides || agents_is_pending(run->all, agent) || ask(run, agent);
}

static bool due_ask(lab_run *run, bool hides) {
    const bool clicks = run->settings->scenario->click_frames > 0;
    uint32_t agent = agents_take_due(run->all, run->frame);
    while (agent != AGENTS_NONE) {
        const uint32_t next = agents_next_due(run->all, agent);
        if (!(clicks ? click(run, agent, hides) : ask(run, agent))) return false;
        agent = next;
    }
    return true;
}

/* Every this many frames no player wants anything. */
static void cancel_all(lab_run *run) {
    wend_ticket ticket;
    for (uint32_t i = 0; i < agents_pending_count(run->all); i++) {
        const uint32_t agent = agents_pending_at(run->all, i);
        if (agents_cancel(run->all, agent, &ticket)) cancel(run, agent, ticket);
    }
    load_all_cancelled(run->load);
}

static void cancel_some(lab_run *run) {
    for (uint64_t i = 0; i < run->settings->cancels; i++) {
        wend_ticket ticket;
        uint32_t agent = agents_pick_to_cancel(run->all, &ticket);
        if (agent == AGENTS_NONE) return;
        cancel(run, agent, ticket);
    }
}

/* Many times as many ask as the service has answered in the mean frame, at first as many as the queue holds. One in a
   hundred is urgent; the urgent ask first. */
static bool too_many_ask(lab_run *run) {
    const uint64_t frames = run->frame > 1 ? run->frame - 1 : 1;
    uint64_t wanted = run->settings->scenario->times_served * run->completed / frames;
    if (run->completed == 0) wanted = run->def.queue;
    run->urgent_asks += wanted;
    for (; run->urgent_asks >= 100; run->urgent_asks -= 100) {
        const uint32_t agent = agents_next_free(run->all, true);
        if (agent != AGENTS_NONE && !ask(run, agent)) return false;
    }
    for (uint64_t i = wanted / 100; i < wanted; i++) {
        const uint32_t agent = agents_next_free(run->all, false);
        if (agent == AGENTS_NONE) return true;
        if (!ask(run, agent)) return false;
    }
    return true;
}

static void move_goals(lab_run *run) {
    const uint32_t each = run->settings->scenario->move_frames;
    for (uint32_t i = 0; i < agents_pending_count(run->all); i++) {
        const uint32_t agent = agents_pending_at(run->all, i);
        wend_ticket ticket;
        wend_cell goal;
        if ((run->frame + agent) % each != 0 || !agents_move_goal(run->all, agent, &ticket, &goal)) continue;
        const wend_error error = wend_service_set_goal(run->service, ticket, goal);
        if (error == WEND_OK) checker_moved(run->watch, agent, goal);
        load_moved(run->load, agent, error);
    }
}

/* Submits, cancels and moves what the agents want before a frame. @return false where memory ran out */
static bool ask_all(lab_run *run) {
    const stress_scenario *scenario = run->settings->scenario;
    const bool hides = scenario->hide_frame > 0 && run->frame % scenario->hide_frame == 0;
    bool ok = true;
    if (scenario->move_frames > 0) move_goals(run);
    if (scenario->times_served > 0)
        ok = too_many_ask(run);
    else
        ok = due_ask(run, hides);
    cancel_some(run);
    if (hides) cancel_all(run);
    return ok;
}

/* ---- before a tick ---- */

/* Edits before the tick, as in a game. Allocations of the map for them do not count as the frame's. */
static bool edit_some(lab_run *run, lab_times *times) {
    const uint64_t allocations = run->map_memory.allocations, before = run->land.epoch;
    uint64_t cells = 0;
    if (!run->hand) return true;
    const wend_error error = editor_go(run->hand, run->map, run->frame, &cells);
    if (error != WEND_OK)
        return lab_fail("the edits before frame %llu: %s", (unsigned long long)run->frame, wend_error_detail(error));
    const lab_moment began = lab_now();
    if (!lab_upkeep(run)) return false;
    times->edits = lab_since(began);
    run->allocations_edits += run->map_memory.allocations - allocations;
    if (cells == 0) return true;
    times->edits.ns += editor_publishing(run->hand).ns;
    times->edits.cpu_ns += editor_publishing(run->hand).cpu_ns;
    run->edits += cells;
    run->epochs++;
    checker_edited(run->watch, before);
    checker_compared(run->watch, editor_compare(run->hand, run->map));
    return series_add(&run->edit_ns, times->edits.ns) || lab_fail("out of memory for the counts");
}

static bool before_tick(lab_run *run, bool asking, lab_times *times) {
    if (asking && !ask_all(run)) return lab_fail("out of memory for the promises");
    if (!edit_some(run, times)) return false;
    run->inbox.count = run->inbox.cell_count = 0;
    checker_frame_begins(run->watch);
    return true;
}

/* ---- after it ---- */

static bool count_completion(lab_run *run, uint32_t agent, const wend_completion *completion) {
    const bool known = checker_completed(run->watch, agent, completion);
    const bool found = completion->status == WEND_STATUS_FOUND;
    run->hash = wend__hash_answer(run->hash, completion->number, completion->status, completion->cost,
                                  completion->cells, completion->cell_count);
    lab_log_completion(run, agent, completion);
    run->completed++;
    if (completion->status >= 0 && completion->status < WEND_STATUS_COUNT) run->statuses[completion->status]++;
    bool good = !known || load_completed(run->load, agent, agents_is_urgent(agent), completion);
    good = good && series_add(&run->wait, completion->wait_frames) && series_add(&run->latency, completion->frames);
    if (found)
        good = good && series_add(&run->found_cells, completion->cell_count) &&
               series_add(&run->found_expansions, completion->expansions);
    if (agents_is_urgent(agent))
        good = good && series_add(&run->urgent_wait, completion->wait_frames) &&
               series_add(&run->urgent_latency, completion->frames);
    if (known) agents_answered(run->all, agent, run->frame, completion);
    if (!found || !completion->cells) return good;
    return good && lab_track_add(run, agent, completion->cells, completion->cell_count, true);
}

static wend_map_info info_of(const lab_run *run) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(run->map, &info);
    return info;
}

static bool after_tick(lab_run *run, const wend_frame *frame) {
    bool good = !run->inbox.out_of_memory;
    checker_frame_ran(run->watch, frame);
    for (size_t i = 0; i < run->inbox.count && good; i++) {
        wend_completion completion = run->inbox.list[i];
        if (completion.cells) completion.cells = run->inbox.cells + run->inbox.cells_at[i];
        good = count_completion(run, agent_of(run, completion.context), &completion);
    }
    const wend_map_info info = info_of(run);
    load_frame_ran(run->load, frame, run->service_memory.bytes);
    checker_frame_ends(run->watch, frame, run->allocations_after, &info);
    const bool idle = frame->expansions == 0 && run->inbox.count == 0 && run->frame > run->settings->frames;
    run->idle = idle ? run->idle + 1 : 0;
    return good && series_add(&run->frame_answers, run->inbox.count);
}

/* A service that does nothing for many frames while requests are pending is stuck: the checker then reports them. */
static bool goes_on(const lab_run *run) {
    const uint64_t most = run->settings->budget_us > 0 ? IDLE_FRAMES_MAX_TIMED : IDLE_FRAMES_MAX;
    return wend_service_get_pending(run->service) > 0 && run->idle <= most;
}

static void finish_requests(lab_run *run) {
    const wend_map_info info = info_of(run);
    checker_compared(run->watch, terrain_compare(&run->land, run->map));
    checker_finish(run->watch, wend_service_get_pending(run->service), &info);
    load_finish(run->load);
}

/* ---- life ---- */

/* In scenario `clicks` an agent is a player with two hands. */
static uint64_t players(const lab_settings *settings) {
    return settings->agents * (settings->scenario->click_frames > 0 ? 2 : 1);
}

static uint64_t queue_of(const lab_settings *settings) {
    return players(settings) / settings->scenario->queue_part;
}

static lab_asker *open_askers(lab_run *run) {
    const uint64_t count = players(run->settings);
    lab_asker *askers = calloc((size_t)count, sizeof *askers);
    for (uint64_t i = 0; askers && i < count; i++) askers[i] = (lab_asker){ASKER_MARK, run};
    return askers;
}

static agents *open_agents(const lab_run *run) {
    const lab_settings *settings = run->settings;
    const agents_def def = {.land = &run->land,
                            .scenario = settings->scenario,
                            .count = (uint32_t)players(settings),
                            .unreachable_percent = (uint32_t)settings->unreachable,
                            .same_goal_percent = (uint32_t)settings->same_goal,
                            .seed = settings->seed,
                            .frames = settings->frames,
                            .track_cells = settings->edits > 0};
    return agents_create(&def);
}

static checker *open_checker(lab_run *run) {
    const wend_map_info info = info_of(run);
    const checker_def def = {.ledger = &run->promises,
                             .land = &run->land,
                             .edits = run->settings->edits > 0,
                             .agents = (uint32_t)players(run->settings),
                             .queue = run->def.queue,
                             .lanes = run->tuning.lanes,
                             .slice = run->tuning.slice,
                             .budget = run->budget.expansions,
                             .max_path_cells = run->def.max_path_cells,
                             .nodes_suffice = run->nodes_suffice,
                             .restarts = run->tuning.restarts,
                             .sample_work = SAMPLE_WORK,
                             .flood_work = FLOOD_WORK,
                             .map_bytes = info.bytes,
                             .version_bytes = run->version_bytes,
                             .versions = run->versions,
                             .drafts = info.jumps != 0 ? 2 : 1};
    return checker_create(&def);
}

static load_checker *open_load(const lab_run *run) {
    const load_def def = {.watch = run->watch,
                          .land = &run->land,
                          .load = run->settings->scenario->load,
                          .edits = run->settings->edits > 0,
                          .agents = (uint32_t)players(run->settings),
                          .service = &run->def,
                          .budget = run->budget,
                          .shared_goal = agents_shared_goal(run->all)};
    return load_create(&def);
}

static editor *open_editor(lab_run *run) {
    const editor_def def = {.land = &run->land,
                            .all = run->all,
                            .each_frame = run->settings->edits,
                            .walls = run->settings->scenario->walls,
                            .beat = run->settings->scenario->edit_beat,
                            .seed = run->settings->seed};
    return editor_create(&def);
}

static bool open_requests(lab_run *run) {
    run->askers = open_askers(run);
    run->all = open_agents(run);
    run->watch = open_checker(run);
    if (run->askers && run->all && run->watch) run->load = open_load(run);
    if (run->load && run->settings->edits > 0) run->hand = open_editor(run);
    const bool good = run->load && (run->hand || run->settings->edits == 0);
    return good || lab_fail("out of memory for %u agents", (unsigned)players(run->settings));
}

/* The service ends first: it completes what is pending. */
static void close_requests(lab_run *run) {
    load_free(run->load);
    checker_free(run->watch);
    editor_free(run->hand);
    agents_free(run->all);
    free(run->askers);
    free(run->inbox.list);
    free(run->inbox.cells_at);
    free(run->inbox.cells);
}

const lab_driver lab_requests = {.queue = queue_of,
                                 .open = open_requests,
                                 .close = close_requests,
                                 .before = before_tick,
                                 .after = after_tick,
                                 .goes_on = goes_on,
                                 .finish = finish_requests};
