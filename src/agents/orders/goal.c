/* SPDX-License-Identifier: MIT */
/* An agent's goal begins and ends. Every goal ends once, with one event. */
#include "agents/orders/goal.h"

#include "agents/state/flows.h"
#include "agents/plan/path_request.h"
#include "agents/plan/path.h"
#include "agents/state/crowd_state.h"

void wend__goal_set_speed(wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const bool slowed =
        agent->goal.kind == WEND__GOAL_CELL && agent->goal.pace > 0 && agent->goal.pace < agent->own_speed;
    crowd->speed[index] = crowd->in_traffic[index].speed = slowed ? agent->goal.pace : agent->own_speed;
}

void wend__goal_clear(wend_crowd *crowd, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    wend__flow_leave(crowd, &agent->goal);
    wend__members_leave(crowd, index);
    wend__path_request_drop(crowd, index);
    wend__path_clear(crowd, index);
    wend__steer_drop_step(crowd, index);
    in_traffic->steered = 0;
    in_traffic->follows = 0;
    agent->with_target = false;
    agent->home = in_traffic->at;
    agent->goal.kind = WEND__GOAL_NONE;
    agent->goal.keep = false;
    wend__goal_set_speed(crowd, index);
    agent->pushed_by_endless = agent->keeps_goal = agent->displaced = false;
    agent->away_since = 0;
    agent->patience = wend__new_patience();
    in_traffic->next = in_traffic->at;
    in_traffic->urgency = WEND_URGENCY_MIN;
    in_traffic->has_goal = 0;
    wend__traffic_end_goal(crowd->traffic, index);
    in_traffic->ready = crowd->phase[index] != WEND__PHASE_STEPPING;
    if (crowd->phase[index] == WEND__PHASE_AWAKE) crowd->phase[index] = WEND__PHASE_ASLEEP;
}

void wend__agent_sleep(wend_crowd *crowd, uint32_t index) {
    wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    in_traffic->next = in_traffic->at;
    in_traffic->ready = 1;
    crowd->phase[index] = WEND__PHASE_ASLEEP;
}

void wend__goal_end(wend_crowd *crowd, uint32_t index, int32_t event, int32_t why) {
    wend__events_add_end(crowd, index, event, why);
    wend__agent *agent = &crowd->agents[index];
    const wend__agent_goal *goal = &agent->goal;
    const wend_cell asked = goal->end_places > 0 ? goal->asked : goal->cell;
    const bool at_cell =
        goal->kind == WEND__GOAL_CELL && !goal->for_route && wend__same_cell(asked, crowd->in_traffic[index].at);
    agent->arrived = event == WEND_AGENT_EVENT_ARRIVED || event == WEND_AGENT_EVENT_PARTIAL;
    wend__goal_clear(crowd, index);
    agent->keeps_goal = at_cell && event == WEND_AGENT_EVENT_ARRIVED;
}

void wend__goal_begin(wend_crowd *crowd, uint32_t index, const wend__agent_goal *goal) {
    wend__agent *agent = &crowd->agents[index];
    wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    if (agent->goal.kind != WEND__GOAL_NONE)
        wend__events_add_end(crowd, index, WEND_AGENT_EVENT_REPLACED, WEND_WHY_NONE);
    else
        wend__path_clear(crowd, index); /* a path home */
    wend__steer_drop_step(crowd, index);
    wend__events_reserve(crowd);
    crowd->counts.goals_begun++;
    wend__path_request_drop(crowd, index);
    agent->request.due = 0;
    wend__flow_leave(crowd, &agent->goal);
    wend__members_leave(crowd, index);
    agent->goal = *goal;
    agent->goal_number = crowd->counts.goals_begun;
    wend__goal_set_speed(crowd, index);
    wend__flow_join(crowd, goal);
    if (goal->keep) wend__members_join(crowd, &crowd->agents[goal->target.index].first_fleer, index);
    agent->goal.origin = wend__path_number(&crowd->paths, in_traffic->at);
    agent->path.kind = WEND__PATH_NONE; /* the old path does not lead to the new goal */
    agent->patience = wend__new_patience();
    agent->arrived = agent->keeps_goal = agent->displaced = false;
    agent->away_since = 0;
    agent->home_pushes = agent->home_backoff = agent->window_backoff = 0;
    agent->window_due = 0;
    agent->home_pushed = false;
    in_traffic->steered = 0;
    in_traffic->follows = goal->kind == WEND__GOAL_FOLLOW ? goal->target.index + 1 : 0;
    agent->with_target = false;
    in_traffic->urgency = agent->urgency;
    wend__traffic_end_goal(crowd->traffic, index);
    in_traffic->has_goal = 1;
    if (crowd->phase[index] == WEND__PHASE_ASLEEP) crowd->phase[index] = WEND__PHASE_AWAKE;
}
