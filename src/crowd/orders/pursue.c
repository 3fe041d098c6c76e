/* SPDX-License-Identifier: MIT */
/* Agents that follow others or flee from them, and agents that were pushed aside and come back. */
#include "crowd/orders/look.h"
#include "crowd/orders/wish.h"
#include "crowd/paths/ask.h"
#include "crowd/paths/trip.h"
#include "crowd/state/peers.h"
#include "map/query/step_cost.h"

void wend__flight_wake(wend_crowd *crowd, uint32_t target) {
    for (uint32_t next = crowd->agents[target].fleer; next; next = crowd->agents[next - 1].wish.behind)
        if (crowd->phase[next - 1] == WEND__STANDS) crowd->phase[next - 1] = WEND__WANTS;
}

void wend__flight_end(wend_crowd *crowd, uint32_t target) {
    wend__flight_wake(crowd, target);
    while (crowd->agents[target].fleer) wend__peers_leave(crowd, crowd->agents[target].fleer - 1);
}

/* The target has moved so far that the path does not lead to it any more: the nearer it is, the sooner. */
static bool has_strayed(const wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const wend__wish *wish = &agent->wish;
    uint32_t moved = wend__cells_apart(crowd->travellers[wish->target.index].at, wish->cell);
    uint32_t slack = agent->trip.kept.steps / 4;
    return moved > 0 && moved >= slack;
}

/* A flight that lasts. Where the agent stands, as its path has led it nowhere or not far enough, it searches: at once
 * if it has moved since the last search, else later. True: it waits. */
static bool waits_to_flee(wend_crowd *crowd, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    wend__wish *wish = &agent->wish;
    const wend_cell at = crowd->travellers[index].at;
    if (wend__searches(&agent->quest) || wend__trip_steps(&agent->trip) > 0) return false;
    if (agent->trip.ends != WEND__ENDS_NOWHERE) {
        if (wend__same_cell(at, wish->origin)) agent->quest.due = crowd->counts.updates + crowd->def.retry_updates;
        wend__trip_clear(crowd, index);
        agent->patience = wend__fresh_patience();
        wish->origin = at;
    }
    return crowd->counts.updates < agent->quest.due;
}

/* It stands where it wants to. */
static void stay(wend_crowd *crowd, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    wend__ask_drop(crowd, index);
    wend__trip_clear(crowd, index);
    agent->patience = wend__fresh_patience();
    if (!agent->wish.keeps) return;
    agent->quest.due = 0;
    wend__wish_sleep(crowd, index);
}

bool wend__pursue(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    const wend__wish *wish = &agent->wish;
    wend__quest *quest = &agent->quest;
    if (wend__crowd_slot(crowd, wish->target) < 0) {
        wend__wish_end(crowd, index, WEND_AGENT_EVENT_GAVE_UP, WEND_WHY_GONE);
        return true;
    }
    if (wend__wish_is_met(crowd, version, index)) {
        if (wish->kind == WEND__WISH_FLEE && !wish->keeps)
            wend__wish_end(crowd, index, WEND_AGENT_EVENT_ARRIVED, WEND_WHY_NONE);
        else
            stay(crowd, index);
        return true;
    }
    if (wish->keeps && waits_to_flee(crowd, index)) return true;
    bool path = agent->trip.ends != WEND__ENDS_NOWHERE;
    if (path && !wend__searches(quest) && crowd->counts.updates >= quest->due && has_strayed(crowd, index)) {
        quest->due = crowd->counts.updates + crowd->def.retry_updates;
        wend__ask(crowd, index, WEND__QUEST_AIM, UINT32_MAX);
    }
    return false;
}

/* ---- home ---- */

static void stay_here(wend_crowd *crowd, uint32_t index) {
    bool arrived = crowd->agents[index].arrived;
    wend__wish_settle(crowd, index);
    crowd->agents[index].arrived = arrived;
}

static bool lost_way(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__traveller *traveller = &crowd->travellers[index];
    if (wend__trip_steps(&crowd->agents[index].trip) == 0) return true;
    wend_cell next = wend__trip_next(crowd, index);
    return wend__step_cost(version, traveller->mover, traveller->at, next) == UINT64_MAX;
}

/* Two can need each other's places to get home, and push each other away for ever. So a way home for which others
 * had to make room counts for more than its asks. */
static void count_way(wend__agent *agent) {
    enum { WAY = 8 };
    if (agent->asked) agent->asks += WAY;
    agent->asked = false;
}

/* It goes only where nobody is, as it is the last to have a right to be anywhere. Where that takes long, others make
 * room for it a few times: two of them can stand in each other's place. */
void wend__go_home(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    enum { PATIENCE = 32, ASKS = 32 }; /* PATIENCE: of waits between searches */
    wend__agent *agent = &crowd->agents[index];
    wend__traveller *traveller = &crowd->travellers[index];
    wend__quest *quest = &agent->quest;
    bool waited_long = agent->patience.stalled++ > PATIENCE * crowd->def.retry_updates;
    bool home = wend__same_cell(traveller->at, agent->home);
    if (home) count_way(agent);
    if (home || quest->failed || waited_long || wend__is_taken(crowd, index, agent->home)) {
        stay_here(crowd, index);
        return;
    }
    if (quest->ticket.generation) return;
    if (agent->trip.trail_count > 0) wend__trip_rejoin(crowd, version, index);
    if (!quest->wanted && !lost_way(crowd, version, index)) {
        wend_cell next = wend__trip_next(crowd, index);
        bool free = !wend__traffic_is_held(crowd->traffic, next, traveller->size, (int32_t)index);
        bool asks = agent->patience.stalled > crowd->def.retry_updates && agent->asks < ASKS;
        if (free || asks) traveller->next = next;
        if (!free && asks) agent->asks++, agent->asked = true;
        return;
    }
    if (crowd->counts.updates < quest->due) return;
    quest->due = crowd->counts.updates + crowd->def.retry_updates;
    wend__trip_clear(crowd, index);
    wend__ask(crowd, index, WEND__QUEST_HOME, 0);
}
