/* SPDX-License-Identifier: MIT */
/* Agents that follow others or flee from them, and agents that were pushed aside and come back. */
#include "crowd/orders/choose_step.h"
#include "crowd/orders/goal.h"
#include "crowd/paths/path_request.h"
#include "crowd/paths/path.h"
#include "map/query/step_cost.h"

void wend__fleers_wake(wend_crowd *crowd, uint32_t target) {
    for (uint32_t next = crowd->agents[target].first_fleer; next; next = crowd->agents[next - 1].goal.next)
        if (crowd->phase[next - 1] == WEND__PHASE_ASLEEP) crowd->phase[next - 1] = WEND__PHASE_AWAKE;
}

void wend__fleers_release(wend_crowd *crowd, uint32_t target) {
    wend__fleers_wake(crowd, target);
    while (crowd->agents[target].first_fleer) wend__members_leave(crowd, crowd->agents[target].first_fleer - 1);
}

/* The target has moved so far that the path does not lead to it any more: the nearer it is, the sooner. */
static bool has_strayed(const wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const wend__agent_goal *goal = &agent->goal;
    uint32_t moved = wend__cells_apart(crowd->travellers[goal->target.index].at, goal->cell);
    uint32_t slack = agent->path.stored.steps / 4;
    return moved > 0 && moved >= slack;
}

/* A flight that lasts. Where the agent stands, as its path has led it nowhere or not far enough, it searches: at once
 * if it has moved since the last search, else later. True: it waits. */
static bool waits_to_flee(wend_crowd *crowd, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    wend__agent_goal *goal = &agent->goal;
    const wend_cell at = crowd->travellers[index].at;
    if (wend__is_searching(&agent->request) || wend__path_steps(&agent->path) > 0) return false;
    if (agent->path.kind != WEND__PATH_NONE) {
        if (wend__same_cell(at, goal->origin)) agent->request.due = crowd->counts.updates + crowd->def.retry_updates;
        wend__path_clear(crowd, index);
        agent->patience = wend__new_patience();
        goal->origin = at;
    }
    return crowd->counts.updates < agent->request.due;
}

/* It stands where it wants to. */
static void stay(wend_crowd *crowd, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    wend__path_request_drop(crowd, index);
    wend__path_clear(crowd, index);
    agent->patience = wend__new_patience();
    if (!agent->goal.keep) return;
    agent->request.due = 0;
    wend__agent_sleep(crowd, index);
}

bool wend__pursue(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    const wend__agent_goal *goal = &agent->goal;
    wend__path_request *request = &agent->request;
    if (!wend__crowd_has(crowd, goal->target)) {
        wend__goal_end(crowd, index, WEND_AGENT_EVENT_GAVE_UP, WEND_WHY_GONE);
        return true;
    }
    if (wend__goal_is_met(crowd, version, index)) {
        if (goal->kind == WEND__GOAL_FLEE && !goal->keep)
            wend__goal_end(crowd, index, WEND_AGENT_EVENT_ARRIVED, WEND_WHY_NONE);
        else
            stay(crowd, index);
        return true;
    }
    if (goal->keep && waits_to_flee(crowd, index)) return true;
    bool path = agent->path.kind != WEND__PATH_NONE;
    if (path && !wend__is_searching(request) && crowd->counts.updates >= request->due && has_strayed(crowd, index)) {
        request->due = crowd->counts.updates + crowd->def.retry_updates;
        wend__path_request_begin(crowd, index, WEND__PURPOSE_RETARGET, UINT32_MAX);
    }
    return false;
}

/* ---- home ---- */

static void stay_here(wend_crowd *crowd, uint32_t index) {
    bool arrived = crowd->agents[index].arrived;
    wend__goal_clear(crowd, index);
    crowd->agents[index].arrived = arrived;
}

static bool lost_way(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__traveller *traveller = &crowd->travellers[index];
    if (wend__path_steps(&crowd->agents[index].path) == 0) return true;
    wend_cell next = wend__path_next(crowd, index);
    return wend__step_cost(version, traveller->mover, traveller->at, next) == UINT64_MAX;
}

/* Two can need each other's places to get home, and push each other away for ever. So a way home for which others
 * had to make room counts for more than its asks. */
static void count_way(wend__agent *agent) {
    enum { WAY = 8 };
    if (agent->home_pushed) agent->home_pushes += WAY;
    agent->home_pushed = false;
}

/* It goes only where nobody is, as it is the last to have a right to be anywhere. Where that takes long, others make
 * room for it a few times: two of them can stand in each other's place. */
void wend__go_home(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    enum { PATIENCE = 32, ASKS = 32 }; /* PATIENCE: of waits between searches */
    wend__agent *agent = &crowd->agents[index];
    wend__traveller *traveller = &crowd->travellers[index];
    wend__path_request *request = &agent->request;
    bool waited_long = agent->patience.stalled++ > PATIENCE * crowd->def.retry_updates;
    bool home = wend__same_cell(traveller->at, agent->home);
    if (home) count_way(agent);
    if (home || request->failure || waited_long || wend__is_taken(crowd, index, agent->home)) {
        stay_here(crowd, index);
        return;
    }
    if (request->ticket.generation) return;
    if (agent->path.recent_count > 0) wend__path_rejoin(crowd, version, index);
    if (!request->wanted && !lost_way(crowd, version, index)) {
        wend_cell next = wend__path_next(crowd, index);
        bool free = !wend__traffic_is_held(crowd->traffic, next, traveller->size, (int32_t)index);
        bool may_push = agent->patience.stalled > crowd->def.retry_updates && agent->home_pushes < ASKS;
        if (free || may_push) traveller->next = next;
        if (!free && may_push) agent->home_pushes++, agent->home_pushed = true;
        return;
    }
    if (crowd->counts.updates < request->due) return;
    request->due = crowd->counts.updates + crowd->def.retry_updates;
    wend__path_clear(crowd, index);
    wend__path_request_begin(crowd, index, WEND__PURPOSE_HOME, 0);
}
