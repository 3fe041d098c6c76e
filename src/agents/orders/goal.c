/* SPDX-License-Identifier: MIT */
/* An agent's goal begins and ends, and whether it is met or taken. Every goal ends once, with one event. */
#include "agents/orders/goal.h"

#include "agents/plan/path.h"
#include "agents/plan/path_request.h"
#include "agents/plan/strays.h"
#include "agents/state/crowd_state.h"
#include "agents/state/flows.h"

void wend__stepping_remove(wend_crowd *crowd, uint32_t index) {
    WEND__DEBUG_ASSERT(crowd->step_count > 0 && crowd->agents[index].step_slot > 0);
    const uint32_t last = crowd->stepping[--crowd->step_count];
    crowd->stepping[crowd->agents[index].step_slot - 1] = last;
    wend__agent_touch(crowd, last)->step_slot = crowd->agents[index].step_slot;
    wend__agent_touch(crowd, index)->step_slot = 0;
}

void wend__steer_drop_step(wend_crowd *crowd, uint32_t index) {
    if (crowd->agents[index].step_slot == 0) return;
    wend__stepping_remove(crowd, index);
    wend__events_release(crowd);
}

void wend__goal_set_speed(wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const bool slowed =
        agent->goal.kind == WEND__GOAL_CELL && agent->goal.pace > 0 && agent->goal.pace < agent->own_speed;
    crowd->speed[index] = slowed ? agent->goal.pace : agent->own_speed;
}

/* Where an agent rests now may be dangerous: then the next update sends it out. */
static void end_straying(wend_crowd *crowd, uint32_t index) {
    wend__strays_end(crowd, index);
    if (crowd->agents[index].wary) crowd->danger_revision = UINT64_MAX;
}

void wend__goal_clear(wend_crowd *crowd, uint32_t index) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    wend__flow_leave(crowd, &agent->goal);
    wend__members_leave(crowd, index);
    wend__path_request_drop(crowd, index);
    wend__path_clear(crowd, index);
    wend__steer_drop_step(crowd, index);
    end_straying(crowd, index);
    in_traffic->steered = 0;
    in_traffic->follows = 0;
    agent->with_target = false;
    agent->home = in_traffic->at;
    agent->goal.kind = WEND__GOAL_NONE;
    agent->goal.keep = false;
    wend__goal_set_speed(crowd, index);
    agent->pushed_by_endless = agent->keeps_goal = agent->displaced = false;
    agent->stall = wend__stall_from(crowd->counts.updates);
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
    wend__agent *agent = wend__agent_touch(crowd, index);
    const wend__agent_goal *goal = &agent->goal;
    const wend_cell asked = goal->end_places > 0 ? goal->asked : goal->cell;
    const bool at_cell =
        goal->kind == WEND__GOAL_CELL && !goal->for_route && wend__same_cell(asked, crowd->in_traffic[index].at);
    agent->arrived = event == WEND_AGENT_EVENT_ARRIVED || event == WEND_AGENT_EVENT_PARTIAL;
    wend__goal_clear(crowd, index);
    agent->keeps_goal = at_cell && event == WEND_AGENT_EVENT_ARRIVED;
}

void wend__goal_decide_mover(wend_crowd *crowd, uint32_t index, const wend__agent_goal *goal) {
    wend__version *version = wend__map_newest(crowd->def.map);
    wend__strays_decide_for(crowd, version, index, goal);
    wend__map_release(version, false);
}

void wend__goal_begin(wend_crowd *crowd, uint32_t index, const wend__agent_goal *goal) {
    wend__agent *agent = wend__agent_touch(crowd, index);
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
    wend__goal_set_speed(crowd, index);
    wend__flow_join(crowd, goal);
    if (goal->keep) wend__members_join(crowd, &wend__agent_touch(crowd, goal->target.index)->first_fleer, index);
    agent->goal.origin = wend__path_number(&crowd->paths, in_traffic->at);
    agent->path.kind = WEND__PATH_NONE; /* the old path does not lead to the new goal */
    agent->stall = wend__stall_from(crowd->counts.updates);
    agent->arrived = agent->keeps_goal = agent->displaced = false;
    agent->home_pushes = agent->window_backoff = 0;
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

/* ---- whether a goal is met or taken ---- */

bool wend__goal_is_met(const wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__agent_goal *goal = &crowd->agents[index].goal;
    wend_cell at = crowd->in_traffic[index].at;
    if (goal->kind == WEND__GOAL_CELL) return wend__is_at_goal(crowd, at, goal);
    if (goal->kind != WEND__GOAL_FOLLOW && goal->kind != WEND__GOAL_FLEE) return false;
    wend_cell target = crowd->in_traffic[goal->target.index].at;
    if (goal->kind == WEND__GOAL_FLEE) return wend__cells_apart(crowd->def.map, at, target) >= (uint32_t)goal->distance;
    if (version->kind != WEND_KIND_GRAPH) return wend__crowd_within(crowd, target, goal->reach, at);
    return wend__same_cell(at, target) ||
           wend__step_cost(version, crowd->in_traffic[index].mover, at, target) != UINT64_MAX;
}

bool wend__follow_the_same(const wend_crowd *crowd, uint32_t index, uint32_t other) {
    const wend__agent_goal *own = &crowd->agents[index].goal, *its = &crowd->agents[other].goal;
    return own->kind == WEND__GOAL_FOLLOW && its->kind == WEND__GOAL_FOLLOW && own->target.index == its->target.index &&
           own->target.generation == its->target.generation;
}

bool wend__is_companion(const wend_crowd *crowd, uint32_t index, uint32_t other) {
    return wend__follow_the_same(crowd, index, other) && crowd->agents[other].with_target;
}

/* Returns whether an agent waits for another one that stands. */
static bool waits_for_standing(const wend_crowd *crowd, uint32_t index, uint32_t other) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[other];
    if (crowd->phase[other] == WEND__PHASE_STEPPING) return false;
    if (!wend__traffic_waits_for(crowd->traffic, (int32_t)index, (int32_t)other)) return false;
    return wend__same_cell(in_traffic->next, in_traffic->at) || in_traffic->waited >= crowd->tuning.retry_updates;
}

wend__cell_takers wend__cells_taken_by(const wend_crowd *crowd, uint32_t index, wend_cell cell) {
    const int32_t size = crowd->in_traffic[index].size;
    const int32_t layers = crowd->def.map->kind == WEND_KIND_VOXEL ? size : 1;
    wend__cell_takers found = {.holder = WEND__NO_AGENT};
    for (int32_t z = cell.z; z < cell.z + layers; z++)
        for (int32_t y = cell.y; y < cell.y + size; y++)
            for (int32_t x = cell.x; x < cell.x + size; x++) {
                const wend_cell covered = {x, y, z};
                const int32_t holder = wend__traffic_holder(crowd->traffic, covered);
                if (holder == (int32_t)index) continue;
                if (holder == WEND__NO_AGENT)
                    found.hosts |= wend__map_occupants(crowd->def.map, covered) > 0;
                else if (found.holder == WEND__NO_AGENT)
                    found.holder = holder;
                if (holder == WEND__NO_AGENT) continue;
                found.stands |= wend__is_companion(crowd, index, (uint32_t)holder);
                found.foreign |= waits_for_standing(crowd, index, (uint32_t)holder);
                if (crowd->phase[holder] != WEND__PHASE_ASLEEP) continue;
                if (crowd->in_traffic[holder].has_goal) continue; /* a fleeing agent leaves when it is approached */
                found.stands = true;
                found.at_goal |= crowd->agents[holder].keeps_goal;
                found.hosts |= crowd->in_traffic[holder].steered || crowd->in_traffic[holder].parked;
            }
    found.foreign |= found.hosts;
    return found;
}

bool wend__is_taken(const wend_crowd *crowd, uint32_t index, wend_cell cell) {
    const wend__traffic_agent *own = &crowd->in_traffic[index];
    if (own->ghost || !wend__traffic_is_held(crowd->traffic, cell, own->size, (int32_t)index)) return false;
    const wend__cell_takers found = wend__cells_taken_by(crowd, index, cell);
    return found.stands || found.foreign;
}

bool wend__home_is_taken(const wend_crowd *crowd, uint32_t index, bool *for_good) {
    const wend__agent *agent = &crowd->agents[index];
    *for_good = false;
    if (crowd->in_traffic[index].ghost) return false;
    const wend__cell_takers found = wend__cells_taken_by(crowd, index, agent->home);
    const bool stands = agent->keeps_goal ? found.at_goal : found.stands;
    *for_good = stands && !found.hosts;
    return stands || found.foreign;
}
