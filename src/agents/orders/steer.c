/* SPDX-License-Identifier: MIT */
/* Agents that the host moves step by step. An ordered step begins in the next update, or the agent gives GAVE_UP.
 * Agents with such an order are in a list, so that an update visits no others. */
#include "agents/orders/goal.h"

#include "agents/plan/path.h"
#include "agents/plan/path_request.h"
#include "agents/state/crowd_state.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "recording/crowd/crowd_orders.h"
#include <wend/agents.h>

/* ---- the order ---- */

static void add_to_stepping(wend_crowd *crowd, uint32_t index) {
    WEND__DEBUG_ASSERT(crowd->agents[index].step_slot == 0);
    crowd->stepping[crowd->step_count++] = index;
    wend__agent_touch(crowd, index)->step_slot = crowd->step_count;
}

static void order_step(wend_crowd *crowd, uint32_t index, wend_cell cell) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    if (agent->goal.kind != WEND__GOAL_NONE)
        wend__goal_end(crowd, index, WEND_AGENT_EVENT_REPLACED, WEND_WHY_NONE);
    else
        wend__goal_clear(crowd, index);
    agent->arrived = false;
    crowd->in_traffic[index].steered = 1;
    if (wend__same_cell(cell, crowd->in_traffic[index].at)) return;
    wend__events_reserve(crowd);
    add_to_stepping(crowd, index);
    agent->step = cell;
    if (crowd->phase[index] == WEND__PHASE_ASLEEP) crowd->phase[index] = WEND__PHASE_AWAKE;
}

wend_error wend_crowd_step(wend_crowd *crowd, wend_agent_id id, wend_cell cell) {
    WEND__CROWD_CALL(crowd);
    uint32_t index;
    if (!wend__crowd_find(crowd, id, &index)) return wend__crowd_refuse_id(id);
    wend_error error = wend__check_cell(crowd->def.map, "cell", cell);
    if (error) return error;
    const bool has_place = crowd->agents[index].step_slot > 0;
    if (!has_place && !wend__events_fit(crowd, 1)) return wend__crowd_refuse_events();
    const bool recorded = wend__crowd_record_begin(crowd);
    order_step(crowd, index, cell);
    if (recorded) wend__crowd_record_step(crowd, index, cell);
    wend__crowd_record_end(crowd, recorded);
    return WEND_OK;
}

/* ---- in an update ---- */

void wend__steer_choose_step(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    if (agent->step_slot == 0)
        wend__agent_sleep(crowd, index);
    else if (wend__step_cost(version, in_traffic->mover, in_traffic->at, agent->step) == UINT64_MAX)
        return;
    else
        in_traffic->next = agent->step;
}

void wend__steer_step_began(wend_crowd *crowd, uint32_t index) {
    wend__steer_drop_step(crowd, index);
    wend__path_clear(crowd, index);
    wend__agent_touch(crowd, index)->home = crowd->in_traffic[index].at;
}

void wend__steer_moved(wend_crowd *crowd, uint32_t index) {
    crowd->in_traffic[index].steered = 1;
    wend__path_clear(crowd, index);
    wend__agent_touch(crowd, index)->home = crowd->in_traffic[index].at;
    crowd->phase[index] = crowd->agents[index].step_slot > 0 ? WEND__PHASE_AWAKE : WEND__PHASE_ASLEEP;
}

void wend__steer_end_update(wend_crowd *crowd) {
    while (crowd->step_count > 0) {
        const uint32_t index = crowd->stepping[crowd->step_count - 1];
        wend__stepping_remove(crowd, index);
        const bool stepping = crowd->phase[index] > WEND__PHASE_AWAY && !crowd->in_traffic[index].ready;
        wend__events_add_end(crowd, index, WEND_AGENT_EVENT_GAVE_UP, stepping ? WEND_WHY_STEPPING : WEND_WHY_BLOCKED);
        if (crowd->phase[index] == WEND__PHASE_AWAKE) wend__agent_sleep(crowd, index);
    }
}

void wend__agent_settle(wend_crowd *crowd, uint32_t index, bool steered, bool keeps_path) {
    WEND__DEBUG_ASSERT(crowd->phase[index] != WEND__PHASE_ABSENT);
    wend__agent *agent = wend__agent_touch(crowd, index);
    bool has_goal = agent->goal.kind != WEND__GOAL_NONE;
    crowd->remaining[index] = 0;
    agent->left_cell = crowd->in_traffic[index].at;
    wend__fleers_wake(crowd, index);
    if (steered) {
        wend__steer_moved(crowd, index);
        return;
    }
    crowd->phase[index] = has_goal ? WEND__PHASE_AWAKE : WEND__PHASE_ASLEEP;
    if (!has_goal) {
        wend__goal_clear(crowd, index);
        return;
    }
    wend__path_request_drop(crowd, index);
    if (!keeps_path) wend__path_clear(crowd, index);
    crowd->in_traffic[index].urgency = agent->urgency;
    crowd->in_traffic[index].has_goal = 1;
}
