/* SPDX-License-Identifier: MIT */
/* Agents that the host moves step by step. An order to step lasts until the end of the next update: the step begins in
 * it, or the agent gives GAVE_UP. Such agents are in an array of their own, so that an update looks at no others. */
#include "crowd/orders/steer.h"

#include "crowd/orders/wish.h"
#include "crowd/paths/trip.h"
#include "crowd/state/notes.h"
#include "crowd/state/told_orders.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"

/* ---- the agents with an order to step ---- */

static void list(wend_crowd *crowd, uint32_t index) {
    crowd->stepping[crowd->step_count++] = index;
    crowd->agents[index].step_place = crowd->step_count;
}

static void unlist(wend_crowd *crowd, uint32_t index) {
    const uint32_t last = crowd->stepping[--crowd->step_count];
    crowd->stepping[crowd->agents[index].step_place - 1] = last;
    crowd->agents[last].step_place = crowd->agents[index].step_place;
    crowd->agents[index].step_place = 0;
}

void wend__step_drop(wend_crowd *crowd, uint32_t index) {
    if (crowd->agents[index].step_place == 0) return;
    unlist(crowd, index);
    wend__notes_release(crowd);
}

/* ---- the order ---- */

static void steer(wend_crowd *crowd, uint32_t index, wend_cell cell) {
    wend__agent *agent = &crowd->agents[index];
    if (agent->wish.kind != WEND__WISH_NONE)
        wend__wish_end(crowd, index, WEND_AGENT_EVENT_REPLACED, WEND_WHY_NONE);
    else
        wend__wish_settle(crowd, index);
    agent->arrived = false;
    crowd->travellers[index].steered = 1;
    if (wend__same_cell(cell, crowd->travellers[index].at)) return;
    wend__notes_reserve(crowd);
    list(crowd, index);
    agent->step = cell;
    if (crowd->phase[index] == WEND__STANDS) crowd->phase[index] = WEND__WANTS;
}

wend_error wend_crowd_step(wend_crowd *crowd, wend_agent_id id, wend_cell cell) {
    WEND__CROWD_CALL(crowd);
    const int32_t slot = wend__crowd_slot(crowd, id);
    if (slot < 0) return wend__crowd_refuse_id(id);
    wend_error error = wend__check_cell(crowd->def.map, "cell", cell);
    if (error) return error;
    const bool has_place = crowd->agents[slot].step_place > 0;
    if (!has_place && !wend__notes_fit(crowd, 1)) return wend__crowd_refuse_events();
    const bool told = wend__told_begin(crowd);
    steer(crowd, (uint32_t)slot, cell);
    if (told) wend__told_step(crowd, (uint32_t)slot, cell);
    wend__told_end(crowd, told);
    return WEND_OK;
}

/* ---- in an update ---- */

void wend__steer_look(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    wend__traveller *traveller = &crowd->travellers[index];
    if (agent->step_place == 0)
        wend__wish_sleep(crowd, index);
    else if (wend__step_cost(version, traveller->mover, traveller->at, agent->step) != UINT64_MAX)
        traveller->next = agent->step;
}

void wend__steer_went(wend_crowd *crowd, uint32_t index) {
    wend__step_drop(crowd, index);
    wend__trip_clear(crowd, index);
    crowd->agents[index].home = crowd->travellers[index].at;
}

void wend__steer_moved(wend_crowd *crowd, uint32_t index) {
    crowd->travellers[index].steered = 1;
    wend__trip_clear(crowd, index);
    crowd->agents[index].home = crowd->travellers[index].at;
    crowd->phase[index] = crowd->agents[index].step_place > 0 ? WEND__WANTS : WEND__STANDS;
}

void wend__steps_end(wend_crowd *crowd) {
    while (crowd->step_count > 0) {
        const uint32_t index = crowd->stepping[crowd->step_count - 1];
        unlist(crowd, index);
        wend__notes_end(crowd, index, WEND_AGENT_EVENT_GAVE_UP, WEND_WHY_BLOCKED);
        if (crowd->phase[index] != WEND__STEPS) wend__wish_sleep(crowd, index);
    }
}
