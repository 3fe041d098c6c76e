/* SPDX-License-Identifier: MIT */
/* The agents' wishes before a frame: requests, cancellations and moved goals, as the scenario has it. */
#include "lab/run/stress.h"

static bool ask(stress_run *run, uint32_t agent) {
    wend_request request;
    wend_request_init(&request, sizeof request);
    wend_ticket ticket = {0, 0};
    agents_wish(run->all, agent, &request);
    request.map = run->map;
    request.engine = run->settings->rules.engine;
    request.on_done = stress_take;
    request.context = stress_context(agent);
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

static void cancel(stress_run *run, uint32_t agent, wend_ticket ticket) {
    checker_cancelled(run->watch, agent, wend_service_cancel(run->service, ticket));
}

/* A player asks with one hand, and 10 frames later with the other: it cancels the first hand's request before that. A
   hand whose cancelled request is not delivered yet cannot ask. */
static bool click(stress_run *run, uint32_t agent, bool hides) {
    const uint32_t other = agents_other_hand(agent);
    wend_ticket ticket;
    agents_ask_in(run->all, other, run->frame + run->settings->scenario->click_frames);
    if (agents_cancel(run->all, other, &ticket)) cancel(run, other, ticket);
    return hides || agents_is_pending(run->all, agent) || ask(run, agent);
}

static bool due_ask(stress_run *run, bool hides) {
    const bool clicks = run->settings->scenario->click_frames > 0;
    uint32_t agent = agents_take_due(run->all, run->frame);
    while (agent != AGENTS_NONE) {
        const uint32_t next = agents_next_due(run->all, agent);
        if (!(clicks ? click(run, agent, hides) : ask(run, agent))) return false;
        agent = next;
    }
    return true;
}

/* Every so many frames no player wants anything. */
static void cancel_all(stress_run *run) {
    wend_ticket ticket;
    for (uint32_t i = 0; i < agents_pending_count(run->all); i++) {
        const uint32_t agent = agents_pending_at(run->all, i);
        if (agents_cancel(run->all, agent, &ticket)) cancel(run, agent, ticket);
    }
    load_all_cancelled(run->load);
}

static void cancel_some(stress_run *run) {
    for (uint64_t i = 0; i < run->settings->cancels; i++) {
        wend_ticket ticket;
        uint32_t agent = agents_pick_to_cancel(run->all, &ticket);
        if (agent == AGENTS_NONE) return;
        cancel(run, agent, ticket);
    }
}

/* Many times as many ask as the service has answered in the mean frame, at first as many as the queue holds. One in a
   hundred is urgent; the urgent ask first. */
static bool too_many_ask(stress_run *run) {
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

static void move_goals(stress_run *run) {
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

bool stress_ask(stress_run *run) {
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
