/* SPDX-License-Identifier: MIT */
/* One step of a crowd: steps under way go on, agents at rest are looked at, traffic decides, steps begin. */
#include "crowd/flow/flows.h"
#include "crowd/orders/choose_step.h"
#include "crowd/orders/steer.h"
#include "crowd/orders/goal.h"
#include "crowd/paths/head_start.h"
#include "crowd/paths/path.h"
#include "crowd/state/events.h"
#include "crowd/state/record_orders.h"
#include "map/query/step_cost.h"
#include "map/version/version.h"
#include "motion/walk/walk.h"

enum { UNITS_OF_COST = 1000000, MOST_ROUNDS = 64, LOOKED_AT = 1 };

/* The step is done. What is left of the time is kept as a number below 0. */
static void end_step(wend_crowd *crowd, uint32_t index) {
    wend__traveller *traveller = &crowd->travellers[index];
    traveller->from = traveller->at;
    crowd->phase[index] = WEND__PHASE_AWAKE;
}

/* Progress of an agent in this update. */
static int64_t time_of(const wend_crowd *crowd, uint32_t index) {
    return crowd->speed[index] * crowd->scale;
}

/* Lists those at rest that want something; returns how many they are. */
static uint32_t go_on(wend_crowd *crowd) {
    const uint8_t *phase = crowd->phase;
    int64_t *left = crowd->remaining;
    uint32_t count = 0;
    for (uint32_t i = 0; i < crowd->used; i++) {
        if (phase[i] < WEND__PHASE_STEPPING) continue;
        const int64_t time = time_of(crowd, i);
        if (phase[i] == WEND__PHASE_STEPPING) {
            if ((left[i] -= time) > 0) continue;
            end_step(crowd, i);
        } else {
            left[i] = -time;
        }
        crowd->awake[count++] = i;
    }
    return count;
}

/* Each agent at rest is looked at once for each step that it ends, else once an update. One without time left begins no
 * step, and is not pushed. */
static void look_at(wend_crowd *crowd, const wend__version *version, uint32_t i) {
    wend__traveller *traveller = &crowd->travellers[i];
    traveller->ready = crowd->remaining[i] < 0;
    if (crowd->remaining[i] == LOOKED_AT) return;
    wend__agent_choose_step(crowd, version, i);
    if (crowd->remaining[i] == 0) crowd->remaining[i] = LOOKED_AT;
}

/* Look at those who want something, at those with a path or at those without one, from a place in the list on. */
static void look_at_some(wend_crowd *crowd, const wend__version *version, uint32_t count, uint32_t first, bool path) {
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t place = first + k < count ? first + k : first + k - count, i = crowd->awake[place];
        if (crowd->phase[i] == WEND__PHASE_AWAKE && (wend__path_steps(&crowd->agents[i].path) > 0) == path)
            look_at(crowd, version, i);
    }
}

/* Those at the end of their paths look first: where one of them arrives, its cell is taken for all others. */
static void look_around(wend_crowd *crowd, const wend__version *version, uint32_t count, uint32_t first) {
    look_at_some(crowd, version, count, first, false);
    look_at_some(crowd, version, count, first, true);
}

/* Where the list begins in this update: with the one for which the work did not suffice before. */
static uint32_t first_place(wend_crowd *crowd, uint32_t count) {
    uint32_t first = 0;
    while (first < count && crowd->first_starved != WEND__NONE && crowd->awake[first] < crowd->first_starved) first++;
    crowd->first_starved = WEND__NONE;
    if (first == count) first = 0;
    crowd->work_exempt = count > 0 ? crowd->awake[first] : WEND__NONE;
    return first;
}

/* One that is pushed aside for another comes to rest when the wishes of those end who push, if they have an end. */
static void note_push(wend_crowd *crowd, uint32_t index) {
    const int32_t root = crowd->travellers[index].root;
    const wend__agent *by = &crowd->agents[root];
    if (root == (int32_t)index) return;
    const bool wishes = by->goal.kind != WEND__GOAL_NONE;
    crowd->agents[index].pushed_by_endless = wishes ? wend__goal_is_endless(crowd, &by->goal) : by->pushed_by_endless;
}

/* Returns whether the step ends in this update, too. */
static bool begin_step(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__traveller *traveller = &crowd->travellers[index];
    wend__agent *agent = &crowd->agents[index];
    uint64_t cost = wend__step_cost(version, traveller->mover, traveller->from, traveller->at);
    if (crowd->phase[index] == WEND__PHASE_ASLEEP) /* one that keeps pace is not in the way of the next step */
        crowd->remaining[index] = crowd->travellers[traveller->root].steered ? -time_of(crowd, index) : 0;
    agent->length = (int64_t)cost * UNITS_OF_COST;
    crowd->remaining[index] += agent->length;
    crowd->phase[index] = WEND__PHASE_STEPPING;
    crowd->counts.steps++;
    agent->left_cell = traveller->from;
    wend__head_start_step_began(crowd, index);
    if (agent->first_fleer) wend__fleers_wake(crowd, index);
    if (traveller->pushed) note_push(crowd, index);
    if (traveller->steered)
        wend__steer_step_began(crowd, index);
    else if (!wend__path_step_began(crowd, version, index, traveller->from))
        wend__path_clear(crowd, index);
    if (crowd->remaining[index] > 0) return false;
    end_step(crowd, index);
    return true;
}

/* Begin the steps that traffic allows, of agents that want one and of those that were pushed. Returns how many of them
 * are at rest again. */
static uint32_t begin_steps(wend_crowd *crowd, const wend__version *version, uint32_t count) {
    uint32_t again = 0, moved;
    const int32_t *movers = wend__traffic_moved(crowd->traffic, &moved);
    for (uint32_t k = 0; k < moved; k++) again += begin_step(crowd, version, (uint32_t)movers[k]);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = crowd->awake[k];
        if (crowd->phase[i] != WEND__PHASE_AWAKE) continue;
        if (!crowd->travellers[i].moved)
            crowd->remaining[i] = LOOKED_AT;
        else if (crowd->travellers[i].ghost)
            again += begin_step(crowd, version, i);
    }
    return again;
}

static void run(wend_crowd *crowd, uint32_t elapsed_milli) {
    wend__version *version = wend__map_newest(crowd->def.map);
    crowd->scale = (wend__walk_milli(version) / 1000) * elapsed_milli;
    const uint32_t count = go_on(crowd);
    const uint32_t first = first_place(crowd, count);
    uint32_t again = count;
    crowd->work = wend__work_of(crowd->def.work);
    for (uint32_t round = 0; again > 0 && round < MOST_ROUNDS; round++) {
        look_around(crowd, version, count, first);
        wend__traffic_decide(crowd->traffic, version, crowd->awake, count, &crowd->work, wend__path_next_cells, crowd);
        again = begin_steps(crowd, version, count);
    }
    wend__map_release(version, false);
}

wend_error wend_crowd_update(wend_crowd *crowd, uint32_t elapsed_milli) {
    WEND__CROWD_CALL(crowd);
    if (wend__crowd_in_callback(crowd)) return wend__crowd_refuse_callback();
    wend_error error = wend__check_range("elapsed_milli", elapsed_milli, 0, WEND_MAX_ELAPSED_MILLI);
    if (error) return error;
    const bool recorded = wend__crowd_record_begin(crowd);
    if (recorded) wend__crowd_record_update(crowd, elapsed_milli);
    crowd->updating = true;
    crowd->counts.updates++;
    crowd->elapsed = elapsed_milli;
    wend__flows_update(crowd);
    run(crowd, elapsed_milli);
    if (elapsed_milli > 0) wend__steer_end_update(crowd);
    wend__crowd_record_end(crowd, recorded);
    wend__events_deliver(crowd);
    crowd->updating = false;
    return WEND_OK;
}
