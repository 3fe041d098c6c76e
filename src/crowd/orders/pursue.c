/* SPDX-License-Identifier: MIT */
/* Agents that follow or flee, and agents that return home after a push. */
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

/* Returns whether the target has moved too far for the path. The tolerance grows with the path. */
static bool target_moved(const wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const wend__agent_goal *goal = &agent->goal;
    uint32_t moved = wend__cells_apart(crowd->travellers[goal->target.index].at, goal->cell);
    uint32_t slack = agent->path.stored.steps / 4;
    return moved > 0 && moved >= slack;
}

/* For a goal to keep: returns whether the agent waits until its next search, which is at once if it has moved since
 * the last. */
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

/* Keeps an agent that meets its goal where it is. */
static void stay_at_goal(wend_crowd *crowd, uint32_t index) {
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
            stay_at_goal(crowd, index);
        return true;
    }
    if (goal->keep && waits_to_flee(crowd, index)) return true;
    bool path = agent->path.kind != WEND__PATH_NONE;
    if (path && !wend__is_searching(request) && crowd->counts.updates >= request->due && target_moved(crowd, index)) {
        request->due = crowd->counts.updates + crowd->def.retry_updates;
        wend__path_request_begin(crowd, index, WEND__PURPOSE_RETARGET, UINT32_MAX);
    }
    return false;
}

/* ---- home ---- */

static void make_home(wend_crowd *crowd, uint32_t index) {
    bool arrived = crowd->agents[index].arrived;
    wend__goal_clear(crowd, index);
    crowd->agents[index].arrived = arrived;
}

static bool is_path_home_lost(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__traveller *traveller = &crowd->travellers[index];
    if (wend__path_steps(&crowd->agents[index].path) == 0) return true;
    wend_cell next = wend__path_next(crowd, index);
    return wend__step_cost(version, traveller->mover, traveller->at, next) == UINT64_MAX;
}

/* Two agents may need each other's homes and push each other for ever. So a way home for which others made room
 * counts several times. */
static void count_way_home(wend__agent *agent) {
    enum { PUSHES = 8 };
    if (agent->home_pushed) agent->home_pushes += PUSHES;
    agent->home_pushed = false;
}

/* An agent goes home over free cells only. After a wait, others make room for it a few times, as two agents may
 * stand on each other's home. */
void wend__go_home(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    enum { PATIENCE = 32, ASKS = 32 }; /* PATIENCE: waits between searches */
    wend__agent *agent = &crowd->agents[index];
    wend__traveller *traveller = &crowd->travellers[index];
    wend__path_request *request = &agent->request;
    bool waited_long = agent->patience.stalled++ > PATIENCE * crowd->def.retry_updates;
    bool home = wend__same_cell(traveller->at, agent->home);
    if (home) count_way_home(agent);
    if (home || request->failure || waited_long || wend__is_taken(crowd, index, agent->home)) {
        make_home(crowd, index);
        return;
    }
    if (request->ticket.generation) return;
    if (agent->path.recent_count > 0) wend__path_rejoin(crowd, version, index);
    if (!request->wanted && !is_path_home_lost(crowd, version, index)) {
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
