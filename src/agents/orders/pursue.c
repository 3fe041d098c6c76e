/* SPDX-License-Identifier: MIT */
/* Agents that follow or flee, and agents that return home after a push. */
#include "agents/orders/goal.h"

#include "agents/plan/path.h"
#include "agents/plan/path_request.h"
#include "agents/plan/window.h"
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
    uint32_t moved = wend__cells_apart(crowd->def.map, crowd->in_traffic[goal->target.index].at, goal->cell);
    const wend_cell at = crowd->in_traffic[index].at;
    const bool leg = agent->path.kind == WEND__PATH_LEG; /* the rest of the way is not in the path */
    const uint32_t slack = (leg ? wend__cells_apart(crowd->def.map, at, goal->cell) : agent->path.stored.steps) / 4;
    return moved > 0 && moved >= slack;
}

/* For a goal to keep: returns true if the agent waits until its next search, which comes at once after a move. */
static bool waits_to_flee(wend_crowd *crowd, uint32_t index) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    wend__agent_goal *goal = &agent->goal;
    const uint32_t at = wend__path_number(&crowd->paths, crowd->in_traffic[index].at);
    if (wend__is_searching(&agent->request) || wend__path_steps(&agent->path) > 0) return false;
    if (agent->path.kind != WEND__PATH_NONE) {
        if (at == goal->origin) agent->request.due = crowd->counts.updates + crowd->tuning.retry_updates;
        wend__path_clear(crowd, index);
        agent->stall = wend__stall_from(crowd->counts.updates);
        goal->origin = at;
    }
    return crowd->counts.updates < agent->request.due;
}

/* Keeps an agent that meets its goal where it is. */
static void stay_at_goal(wend_crowd *crowd, uint32_t index) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    wend__path_request_drop(crowd, index);
    wend__path_clear(crowd, index);
    agent->stall = wend__stall_from(crowd->counts.updates);
    if (!agent->goal.keep) return;
    agent->request.due = 0;
    wend__agent_sleep(crowd, index);
}

bool wend__pursue(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    const wend__agent_goal *goal = &agent->goal;
    wend__path_request *request = &agent->request;
    if (!wend__crowd_has(crowd, goal->target)) {
        wend__goal_end(crowd, index, WEND_AGENT_EVENT_GAVE_UP, WEND_WHY_GONE);
        return true;
    }
    agent->with_target = goal->kind == WEND__GOAL_FOLLOW && wend__goal_is_met(crowd, version, index);
    if (agent->with_target || wend__goal_is_met(crowd, version, index)) {
        if (goal->kind == WEND__GOAL_FLEE && !goal->keep)
            wend__goal_end(crowd, index, WEND_AGENT_EVENT_ARRIVED, WEND_WHY_NONE);
        else
            stay_at_goal(crowd, index);
        return true;
    }
    if (goal->keep && waits_to_flee(crowd, index)) return true;
    bool path = agent->path.kind != WEND__PATH_NONE;
    if (path && !wend__is_searching(request) && crowd->counts.updates >= request->due && target_moved(crowd, index)) {
        request->due = crowd->counts.updates + crowd->tuning.retry_updates;
        agent->stall.backoff = 0;
        agent->stall.since = crowd->counts.updates;
        wend__path_request_begin(crowd, index, WEND__PURPOSE_RETARGET);
    }
    return false;
}

/* ---- home ---- */

enum {
    MOST_PUSHES = 32,   ///< pushes on the way home since the last goal
    IDLE_PATIENCE = 32, ///< waits of retry_updates after which an agent without a goal cell stays where it is
    PUSHES_A_WAY = 8,   ///< a way home by pushing counts as so many, and so many are allowed to a further try
    BACKOFF = 3, ///< doublings of retry_updates for the first try of an agent with a goal cell, and most further ones
    WAITS = 4    ///< waits of retry_updates until a window opens for an agent that pushing does not bring back
};

/* Lets the agent stay where it is: at home, or for good elsewhere. */
static void make_home(wend_crowd *crowd, uint32_t index, bool home) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    const bool keeps_goal = agent->keeps_goal && home, displaced = agent->displaced;
    const uint32_t backoff = agent->stall.backoff;
    wend__goal_clear(crowd, index);
    agent->stall.backoff = backoff;
    agent->keeps_goal = keeps_goal, agent->displaced = displaced, agent->arrived &= home;
}

static bool is_path_home_lost(const wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    return wend__path_steps(&crowd->agents[index].path) == 0 ||
           wend__step_cost(version, in_traffic->mover, in_traffic->at, wend__path_next(crowd, index)) == UINT64_MAX;
}

/* Counts a way home by pushing several times: two agents may need each other's homes and push each other for ever. */
static void count_way_home(wend__agent *agent) {
    if (agent->home_pushed) agent->home_pushes += PUSHES_A_WAY;
    agent->home_pushed = false;
}

/* Begins the clock of the way home when an agent first stands off it. */
static void begin_clock(wend_crowd *crowd, uint32_t index) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    if (agent->stall.best != UINT32_MAX) return;
    agent->stall.best = wend__path_steps(&agent->path);
    agent->stall.since = crowd->counts.updates;
}

/* Reports once that an agent has not returned to its goal within its patience, or a multiple of that during first tries
 * blocked by agents that can make room. Waits for room for the event. */
static void report_displaced(wend_crowd *crowd, uint32_t index, bool taken) {
    enum { DEFAULT_PATIENCE = 64, TIMES_ON_THE_WAY = 8 };
    wend__agent *agent = wend__agent_touch(crowd, index);
    uint64_t patience = crowd->tuning.patience_updates ? crowd->tuning.patience_updates : DEFAULT_PATIENCE;
    if (!taken && !agent->request.failure && agent->stall.backoff < BACKOFF) patience *= TIMES_ON_THE_WAY;
    if (agent->displaced || crowd->counts.updates - agent->stall.since < patience) return;
    agent->displaced = wend__events_add_extra(crowd, index, WEND_AGENT_EVENT_DISPLACED);
}

/* Begins another try to get home: a new search, for which other agents cost more, and some pushes more. */
static void try_home_again(wend_crowd *crowd, uint32_t index) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    wend__path_request_drop(crowd, index);
    wend__path_clear(crowd, index);
    agent->stall.stood = 0;
    if (agent->stall.backoff < BACKOFF) agent->stall.backoff++;
    if (agent->home_pushes > MOST_PUSHES - PUSHES_A_WAY) agent->home_pushes = MOST_PUSHES - PUSHES_A_WAY;
}

/* Returns whether the present try to get home is over, or an edit may have opened a way where there was none. */
static bool is_try_over(const wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const wend__path_request *request = &agent->request;
    const bool opened = request->failure && request->map_revision != version->revision;
    const uint32_t doublings = BACKOFF + (agent->stall.backoff < BACKOFF ? agent->stall.backoff : BACKOFF);
    return agent->stall.stood > crowd->tuning.retry_updates << doublings ||
           (opened && crowd->counts.updates >= request->due);
}

/* Walks along the path home over free cells. After a wait it pushes a few times, as two agents may swap homes. */
static void step_home(wend_crowd *crowd, uint32_t index) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const wend_cell next = wend__path_next(crowd, index);
    const bool free = !wend__traffic_is_held(crowd->traffic, next, in_traffic->size, (int32_t)index);
    const bool may_push = agent->stall.stood > crowd->tuning.retry_updates && agent->home_pushes < MOST_PUSHES;
    if (free || may_push) in_traffic->next = next;
    if (!free && may_push) agent->home_pushes++, agent->home_pushed = true;
}

/* Keeps trying if the agent owns its goal cell, until another agent does. Other agents stay where they are after the
 * first try. */
void wend__go_home(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    wend__path_request *request = &agent->request;
    const bool home = wend__same_cell(crowd->in_traffic[index].at, agent->home);
    if (home) count_way_home(agent);
    bool for_good = false;
    const bool taken = !home && wend__home_is_taken(crowd, index, &for_good);
    const bool waited_long = agent->stall.stood++ > IDLE_PATIENCE * crowd->tuning.retry_updates;
    const bool stays = agent->keeps_goal ? for_good && agent->displaced : taken || waited_long || request->failure;
    if (home || stays) {
        make_home(crowd, index, home);
        return;
    }
    if (agent->keeps_goal) begin_clock(crowd, index);
    if (agent->keeps_goal) report_displaced(crowd, index, taken);
    if (agent->keeps_goal && is_try_over(crowd, version, index)) try_home_again(crowd, index);
    const bool away_long = crowd->counts.updates - agent->stall.since >= WAITS * (uint64_t)crowd->tuning.retry_updates;
    if (agent->keeps_goal && !taken && away_long && wend__window_open(crowd, version, index)) return;
    if (taken || request->failure || request->ticket.generation) return;
    if (agent->path.recent_count > 0) wend__path_rejoin(crowd, version, index);
    if (!request->wanted && !is_path_home_lost(crowd, version, index)) {
        step_home(crowd, index);
        return;
    }
    if (crowd->counts.updates < request->due) return;
    request->due = crowd->counts.updates + crowd->tuning.retry_updates;
    wend__path_clear(crowd, index);
    wend__path_request_begin(crowd, index, WEND__PURPOSE_HOME);
}
