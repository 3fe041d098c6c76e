/* SPDX-License-Identifier: MIT */
/* Decides what an agent at rest does next: it ends its goal, wants a step, or waits for a search. */
#include "agents/orders/goal.h"

#include "agents/orders/march.h"
#include "agents/plan/path.h"
#include "agents/plan/path_request.h"
#include "agents/plan/window.h"
#include "agents/state/flows.h"
#include "map/ground/ground.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"

static bool has_moved(const wend_crowd *crowd, uint32_t index) {
    return wend__path_number(&crowd->paths, crowd->in_traffic[index].at) != crowd->agents[index].goal.origin;
}

/* Returns whether an agent goes along a route without an end, where waiting may help. */
static bool is_endless(const wend_crowd *crowd, uint32_t index, int32_t why) {
    const wend__agent_goal *goal = &crowd->agents[index].goal;
    if (goal->kind != WEND__GOAL_ROUTE || why == WEND_WHY_NO_PATH) return false;
    return crowd->routes.of[goal->route].mode != WEND_ROUTE_ONCE;
}

/* Ends the goal. A goal to keep does not end, nor does a route without an end: the agent stays and searches again
 * later. On the way of a march the goal stays, too: the agent rests. */
static void end_goal(wend_crowd *crowd, uint32_t index, int32_t event, int32_t why) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    const bool endless = is_endless(crowd, index, why);
    if (agent->goal.on_leg) {
        wend__march_rest(crowd, index);
        return;
    }
    if (!agent->goal.keep && !endless) {
        wend__goal_end(crowd, index, event, event == WEND_AGENT_EVENT_GAVE_UP ? why : WEND_WHY_NONE);
        return;
    }
    wend__path_request_drop(crowd, index);
    wend__path_clear(crowd, index);
    agent->stall = wend__stall_from(crowd->counts.updates);
    agent->request.due = crowd->counts.updates + crowd->tuning.retry_updates;
    if (!endless) return;
    agent->request.purpose = WEND__PURPOSE_PLAN;
    agent->request.wanted = true; /* from `due` on */
}

void wend__goal_give_up(wend_crowd *crowd, uint32_t index, int32_t why) {
    end_goal(crowd, index, WEND_AGENT_EVENT_GAVE_UP, why);
}

/* Returns why an agent gets no step: a body with no neighbour is stopped by the ground. */
static int32_t why_it_stands(const wend_crowd *crowd, uint32_t index) {
    enum { AROUND = 9, ITS_OWN = 4 };
    const wend__traffic_agent *own = &crowd->in_traffic[index];
    const wend_map *map = crowd->def.map;
    if (!own->body || own->size > 1 || map->sheets) return WEND_WHY_BLOCKED;
    for (int32_t k = 0; k < AROUND; k++) {
        const wend_cell cell = {wend__wrapped(own->at.x + k % 3 - 1, map->wrap & WEND_WRAP_X ? map->width : 0),
                                wend__wrapped(own->at.y + k / 3 - 1, map->wrap & WEND_WRAP_Y ? map->height : 0), 0};
        if (wend__map_has(map, cell) && wend__map_occupants(map, cell) > (k == ITS_OWN)) return WEND_WHY_BLOCKED;
    }
    return WEND_WHY_NO_PATH;
}

bool wend__goal_end_stalled(wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const bool plans = agent->stall.best == UINT32_MAX && agent->path.kind == WEND__PATH_NONE;
    if (WEND__LIKELY(!wend__stalls_for(crowd, index, WEND__STALL_ENDS))) return false;
    if (plans && crowd->phase[index] != WEND__PHASE_STEPPING) return false; /* no way is known yet */
    if (agent->goal.keep || wend__goal_is_endless(crowd, &agent->goal) || wend__waits_for_way(crowd, index))
        return false;
    const uint64_t walk = (wend__path_steps(&agent->path) + UINT64_C(2)) * 1000 / crowd->speed[index];
    const uint64_t others = (uint64_t)WEND__STALL_EACH * crowd->count; /* they may go first */
    if (!wend__stalls_for(crowd, index, WEND__STALL_ENDS + walk + others)) return false;
    end_goal(crowd, index, WEND_AGENT_EVENT_GAVE_UP, why_it_stands(crowd, index));
    return true;
}

/* Returns whether the agent is as near as needed when its goal cell is taken. */
static bool is_near_enough(const wend_crowd *crowd, uint32_t index) {
    const wend__agent_goal *goal = &crowd->agents[index].goal;
    if (goal->kind != WEND__GOAL_CELL || (goal->ends_partial && goal->end_places == 0)) return false;
    const wend_cell asked = goal->end_places > 0 ? goal->asked : goal->cell;
    return wend__crowd_within(crowd, asked, goal->near_enough, crowd->in_traffic[index].at);
}

/* Returns whether all of the body would be on the map with its corner at a cell. */
static bool is_on_map_at(const wend_crowd *crowd, uint32_t index, wend_cell cell) {
    const int32_t more = crowd->in_traffic[index].size - 1;
    const int32_t up = crowd->def.map->kind == WEND_KIND_VOXEL ? more : 0;
    return wend__map_inside(crowd->def.map, (wend_cell){cell.x + more, cell.y + more, cell.z + up});
}

/* Returns whether a unit that an agent did not get past may have left: it has walked since its last search. The unit is
 * one that it can't push, or its goal cell was taken. */
static bool may_be_free(const wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const wend__agent_goal *goal = &agent->goal;
    if (agent->path.kind != WEND__PATH_BEFORE_UNITS) return false;
    if (wend__same_cell(agent->request.start, crowd->in_traffic[index].at)) return false;
    if (agent->stall.before_player) return true;
    return goal->kind == WEND__GOAL_CELL && goal->reach == 0 && is_on_map_at(crowd, index, goal->cell) &&
           !wend__is_taken(crowd, index, goal->cell);
}

/* Before a goal ends: searches again if a way may lead on by now, as the map has changed since the last search, or a
 * unit has left. A search that leads no nearer counts as a try, so edits elsewhere do not keep up a goal for ever.
 * Returns whether it searches. */
static bool looks_again(wend_crowd *crowd, uint32_t index, int32_t why) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    if (agent->goal.keep || is_endless(crowd, index, why)) return false; /* the goal does not end */
    if (!wend__path_request_is_outdated(crowd, index) && !may_be_free(crowd, index)) return false;
    if (agent->stall.tries > crowd->tuning.tries) return false;
    const bool units = agent->path.kind == WEND__PATH_BEFORE_UNITS;
    agent->stall.tries++;
    wend__path_request_begin(crowd, index, units ? WEND__PURPOSE_NEAREST : WEND__PURPOSE_PLAN);
    return true;
}

/* Ends the goal where the agent is: PARTIAL if it has moved, else GAVE_UP. */
static void stay_near(wend_crowd *crowd, uint32_t index, int32_t why) {
    if (wend__end_place_assign(crowd, index)) return;
    if (why == WEND_WHY_BLOCKED && is_near_enough(crowd, index)) {
        end_goal(crowd, index, WEND_AGENT_EVENT_ARRIVED, WEND_WHY_NONE);
        return;
    }
    if (looks_again(crowd, index, why)) return;
    end_goal(crowd, index, has_moved(crowd, index) ? WEND_AGENT_EVENT_PARTIAL : WEND_AGENT_EVENT_GAVE_UP, why);
}

/* ---- trying again ---- */

/* Returns whether the front of the queue waiting at `cell` is moving, or waits for a window to close. */
static bool queue_moves(wend_crowd *crowd, uint32_t index, wend_cell cell) {
    enum { LONGEST = 16 };
    uint32_t waiting = index;
    for (uint32_t k = 0; k < LONGEST; k++) {
        if (wend__window_closes(crowd, cell)) return true;
        const wend__cell_takers found = wend__cells_taken_by(crowd, waiting, cell);
        wend__work_spend(&crowd->work, WEND__WORK_CHECK);
        if (found.foreign || found.stands || found.holder == (int32_t)index) return false;
        if (found.holder == WEND__NO_AGENT)
            return waiting != index || !wend__traffic_step_is_touched(crowd->traffic, index, cell);
        const wend__traffic_agent *other = &crowd->in_traffic[found.holder];
        if (crowd->phase[found.holder] == WEND__PHASE_STEPPING) return true;
        if (wend__same_cell(other->next, other->at)) return wend__is_searching(&crowd->agents[found.holder].request);
        waiting = (uint32_t)found.holder;
        cell = other->next;
    }
    return true;
}

/* Returns when the next try may come: after twice as long with each try. */
static uint64_t next_try_at(const wend_crowd *crowd, const wend__stall *stall) {
    const uint32_t doublings = stall->backoff < WEND__MOST_DOUBLINGS ? stall->backoff : WEND__MOST_DOUBLINGS;
    return crowd->counts.updates + ((uint64_t)crowd->tuning.retry_updates << doublings);
}

void wend__try_again(wend_crowd *crowd, uint32_t index, wend_cell ahead, bool taken) {
    enum { PATIENT = 2 }; /* tries during which an agent does not accept another cell than its goal */
    const wend__path_request *request = &crowd->agents[index].request;
    if (wend__is_searching(request) || crowd->counts.updates < request->due) return;
    wend__agent *agent = wend__agent_touch(crowd, index);
    wend__stall *stall = &agent->stall;
    const bool tried = stall->tries >= crowd->tuning.tries, follows = agent->goal.kind == WEND__GOAL_FOLLOW;
    if (tried && follows && crowd->in_traffic[index].body) { /* a body that may not fit rests until its target moves */
        wend__path_clear(crowd, index);
        agent->path.kind = WEND__PATH_BEFORE_UNITS;
        return;
    }
    if (tried && !follows) {
        if (taken)
            stay_near(crowd, index, WEND_WHY_BLOCKED);
        else if (!wend__end_place_assign(crowd, index))
            end_goal(crowd, index, WEND_AGENT_EVENT_GAVE_UP, why_it_stands(crowd, index));
        return;
    }
    if (!wend__crowd_work_begin(crowd, index, WEND__WORK_CHECK)) return;
    const bool behind = !taken && queue_moves(crowd, index, ahead);
    agent->request.due = next_try_at(crowd, stall);
    stall->backoff++;
    stall->stood = 0;
    if (behind && !wend__stalls_for(crowd, index, WEND__STALL_QUEUES)) return; /* a search would find the same way */
    stall->tries += !behind;
    const bool foreign = wend__cells_taken_by(crowd, index, ahead).foreign;
    stall->before_player = foreign;
    const bool nearest = taken || foreign || (tried && follows); /* a follower rests as near as it gets */
    wend__path_request_begin(crowd, index, nearest ? WEND__PURPOSE_NEAREST : WEND__PURPOSE_AROUND);
    agent->request.goal_only = !taken && stall->tries <= PATIENT;
}

/* ---- the next step ---- */

/* A step along the path ends a stand: wend__path_drop(). Fewer steps left than ever before begin the tries again. */
static void measure_progress(wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    wend__stall *stall = wend__stall_touch(crowd, index);
    const uint32_t steps = wend__path_steps(&agent->path);
    stall->stood++;
    if (agent->path.kind == WEND__PATH_NONE || steps >= stall->best) return;
    stall->best = steps;
    stall->tries = 0;
    stall->backoff /= 2;
    stall->since = crowd->counts.updates;
}

/* A follower without a place at its target rests as near as it got. It searches again when the target has moved, and
 * less and less often while it stands. A body stops searching until the map changes, as it may not fit into
 * a free place. */
static void rest_near_target(wend_crowd *crowd, uint32_t index) {
    enum { MOST_TRIES = 4 };
    wend__agent *agent = wend__agent_touch(crowd, index);
    agent->with_target = true;
    if (wend__is_searching(&agent->request) || crowd->counts.updates < agent->request.due) return;
    const bool rests = agent->stall.backoff >= MOST_TRIES && crowd->in_traffic[index].body;
    if (rests && !wend__path_request_is_outdated(crowd, index)) return;
    agent->request.due = next_try_at(crowd, &agent->stall);
    if (agent->stall.backoff < MOST_TRIES) agent->stall.backoff++;
    wend__path_request_begin(crowd, index, WEND__PURPOSE_NEAREST);
}

/* Returns whether an agent blocked by a unit of the host has patience left. The agent searches again from time to time,
 * as the unit may have gone. */
static bool waits_for_player(wend_crowd *crowd, uint32_t index) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    wend__stall *stall = &agent->stall;
    if (!stall->before_player || crowd->tuning.patience_updates == 0) return false;
    if (stall->no_way_since == 0) stall->no_way_since = crowd->counts.updates + 1;
    if (!wend__waits_for_way(crowd, index)) return false;
    if (crowd->counts.updates < agent->request.due) return true;
    agent->request.due = crowd->counts.updates + crowd->tuning.retry_updates;
    wend__path_request_begin(crowd, index, WEND__PURPOSE_NEAREST);
    return true;
}

/* Handles the end of the path where the goal is not met: ends the goal, or searches again. */
static void handle_path_end(wend_crowd *crowd, uint32_t index) {
    const uint8_t ends = crowd->agents[index].path.kind;
    if (crowd->agents[index].goal.kind == WEND__GOAL_FOLLOW && ends == WEND__PATH_BEFORE_UNITS) {
        rest_near_target(crowd, index);
        return;
    }
    if (wend__is_searching(&crowd->agents[index].request)) return;
    wend__agent *agent = wend__agent_touch(crowd, index);
    bool pursues = agent->goal.kind == WEND__GOAL_FOLLOW || agent->goal.kind == WEND__GOAL_FLEE;
    if (!pursues && ends == WEND__PATH_NEAR_GOAL) {
        stay_near(crowd, index, WEND_WHY_NO_PATH);
    } else if (!pursues && ends == WEND__PATH_BEFORE_UNITS) {
        if (!waits_for_player(crowd, index)) stay_near(crowd, index, WEND_WHY_BLOCKED);
    } else if (ends == WEND__PATH_LEG) {
        wend__path_request_begin(crowd, index, WEND__PURPOSE_LEG);
    } else if (ends == WEND__PATH_NONE || (ends == WEND__PATH_PIECE && agent->stall.tries == 0)) {
        agent->stall.tries += ends == WEND__PATH_PIECE;
        wend__path_request_begin(crowd, index, WEND__PURPOSE_PLAN);
    } else if (crowd->counts.updates >= agent->request.due) {
        if (agent->stall.tries >= crowd->tuning.tries) {
            stay_near(crowd, index, ends == WEND__PATH_PIECE ? WEND_WHY_LIMIT : WEND_WHY_NO_PATH);
            return;
        }
        agent->request.due = next_try_at(crowd, &agent->stall);
        agent->stall.tries++;
        agent->stall.backoff++;
        wend__path_request_begin(crowd, index, pursues ? WEND__PURPOSE_RETARGET : WEND__PURPOSE_PLAN);
    }
}

/* Searches again once the map has changed, if no way led to the goal. Returns whether the agent waits for a way. */
static bool search_for_way(wend_crowd *crowd, uint32_t index) {
    const wend__path_request *request = &crowd->agents[index].request;
    if (!wend__waits_for_way(crowd, index)) return false;
    if (wend__is_searching(request) || crowd->counts.updates < request->due ||
        wend__path_request_is_futile(crowd, index))
        return true;
    wend__agent_touch(crowd, index)->request.due = crowd->counts.updates + crowd->tuning.retry_updates;
    wend__path_request_begin(crowd, index, WEND__PURPOSE_PLAN);
    return true;
}

/* Returns whether the path is closed only where it enters a chunk that is known, but not loaded. The agent walks up to
 * that chunk, and goes on by time as an AWAY agent. */
static bool enters_known_land(wend_crowd *crowd, const wend__version *version, uint32_t index, uint32_t open) {
    const wend__agent *agent = &crowd->agents[index];
    const uint8_t leads = agent->path.kind;
    if (version->known == 0 || leads == WEND__PATH_FIELD_PIECE || leads == WEND__PATH_NONE) return false;
    const wend_cell next = wend__path_cell_ahead(crowd, index, open + 1);
    const wend__chunk *chunk = wend__version_chunk(version, next.x >> WEND__CHUNK_SHIFT, next.y >> WEND__CHUNK_SHIFT);
    if (chunk->land != WEND_LAND_KNOWN) return false;
    if (open == 0 && !agent->leaves && !wend__is_searching(&agent->request)) {
        wend__agent_touch(crowd, index)->leaves = true;
        crowd->leaving_count++;
    }
    return true;
}

/* Searches if an edit closed a step ahead. The agent walks on up to the gap. Returns whether it is there. */
static bool handle_gap(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    uint32_t open = wend__path_check(crowd, version, index);
    if (open == UINT32_MAX) {
        /* the gap of a route lies behind the path's end; NONE comes before the answer, and shows no open way */
        const bool leads = agent->path.kind != WEND__PATH_NONE && agent->path.kind != WEND__PATH_NEAR_GOAL;
        if (leads && agent->goal.kind == WEND__GOAL_CELL) wend__stall_touch(crowd, index)->no_way_since = 0;
        return false;
    }
    if (enters_known_land(crowd, version, index, open)) return open == 0;
    if (agent->path.kind == WEND__PATH_NONE) { /* the path leads to the goal before this one */
        wend__path_cut(crowd, index, open);
        if (agent->request.led) wend__path_request_begin(crowd, index, agent->request.purpose);
        return open == 0;
    }
    if (agent->path.kind == WEND__PATH_FIELD_PIECE) return wend__flow_cut(crowd, version, index, open);
    bool requested = wend__is_searching(&agent->request) && agent->request.purpose != WEND__PURPOSE_AROUND;
    if (!requested && crowd->counts.updates >= agent->request.due && !wend__path_request_is_futile(crowd, index)) {
        wend__agent_touch(crowd, index)->request.due = crowd->counts.updates + crowd->tuning.retry_updates;
        wend__path_request_begin(crowd, index, WEND__PURPOSE_REROUTE);
    }
    if (open == 0) wend__stall_touch(crowd, index)->stood = 0; /* no agent blocks it */
    return open == 0;
}

/* Returns whether the way back to the path is open. Else the path is lost. */
static bool returns_to_path(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const wend__near_state near = wend__near_find(crowd, version, index);
    if (near == WEND__NEAR_FOUND) {
        wend__path_join_end(crowd, version, index);
        return true;
    }
    if (near == WEND__NEAR_LATER && crowd->agents[index].path.recent_count > WEND__RECENT_CELLS) return false;
    wend__path_rejoin(crowd, version, index);
    if (crowd->agents[index].path.recent_count == 0) return true;
    wend_cell next = wend__path_next(crowd, index);
    if (wend__step_cost(version, in_traffic->mover, in_traffic->at, next) != UINT64_MAX) return true;
    wend__path_clear(crowd, index);
    return false;
}

/* Returns whether the agent has recent cells but no path to return to: it lost its path, and was pushed again. */
static bool lost_its_path(const wend__agent *agent) {
    const wend__agent_path *path = &agent->path;
    return path->recent_count > 0 && path->stored.steps == 0 && path->kind == WEND__PATH_NONE &&
           !wend__is_searching(&agent->request);
}

/* Returns true if the path's end is taken. The target next to which a follower stops on a graph does not count. */
static bool end_is_taken(const wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const wend__agent_path *path = &agent->path;
    const bool follows = agent->goal.kind == WEND__GOAL_FOLLOW && crowd->def.map->kind == WEND_KIND_GRAPH;
    const bool leads_on =
        path->kind == WEND__PATH_PIECE || path->kind == WEND__PATH_FIELD_PIECE || path->kind == WEND__PATH_LEG;
    if (path->kind == WEND__PATH_NONE || leads_on || path->stored.steps > WEND__NEAR_END) return false;
    if (follows && wend__same_cell(path->end, crowd->in_traffic[agent->goal.target.index].at)) return false;
    return wend__is_taken(crowd, index, path->end);
}

/* Returns the next cell on the path, or on the way to it. */
static wend_cell next_cell(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const uint32_t off = crowd->agents[index].path.recent_count;
    if (off == 0 || wend__near_find(crowd, version, index) != WEND__NEAR_FOUND) return wend__path_next(crowd, index);
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    return wend__near_next(wend__near_own(crowd, index), wend__version_view(version, in_traffic->mover),
                           in_traffic->at);
}

/* Gives an agent a place near its goal cell, if another one rests there. A unit of the host may leave again. */
static bool gets_place(wend_crowd *crowd, uint32_t index) {
    const wend__agent_path *path = &crowd->agents[index].path;
    if (path->kind != WEND__PATH_TO_GOAL) return false;
    return !wend__cells_taken_by(crowd, index, path->end).foreign && wend__cell_place_assign(crowd, index);
}

static void step_on_path(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const wend__agent_path *path = &agent->path;
    if (lost_its_path(agent)) wend__path_clear(crowd, index);
    if (path->recent_count > 0 && !returns_to_path(crowd, version, index)) return;
    wend__head_start(crowd, index);
    const bool ends = wend__path_steps(path) == 0;
    const bool waits = path->kind == WEND__PATH_NEAR_GOAL || (ends && path->kind != WEND__PATH_BEFORE_UNITS);
    const bool waits_for_way = waits && search_for_way(crowd, index);
    if (ends) {
        if (!waits_for_way) handle_path_end(crowd, index);
        return;
    }
    if (path->recent_count == 0) {
        const bool stops = agent->request.stops_at_start && wend__same_cell(path->base, agent->request.start);
        if (stops && wend__is_searching(&agent->request)) return;
        if (handle_gap(crowd, version, index)) return;
        if (wend__far_way_runs_out(crowd, index)) wend__path_request_begin(crowd, index, WEND__PURPOSE_LEG);
    }
    if (agent->request.ticket.generation && agent->request.purpose == WEND__PURPOSE_NEAREST) return;
    wend_cell next = next_cell(crowd, version, index);
    if (end_is_taken(crowd, index)) {
        if (wend__end_place_assign(crowd, index) || gets_place(crowd, index)) return;
        wend__try_again(crowd, index, path->end, true);
        if (wend__path_steps(path) == 0 || wend__same_cell(next, path->end) || wend__is_searching(&agent->request))
            return;
    } else if (agent->stall.stood > crowd->tuning.retry_updates && path->kind != WEND__PATH_NONE) {
        const bool due = crowd->counts.updates >= agent->request.due; /* at the rate of searches */
        if (due && wend__path_go_round(crowd, version, index)) return;
        wend__try_again(crowd, index, next, false);
        if (wend__path_steps(path) == 0) return; /* the goal has ended */
    }
    in_traffic->next = next;
}

/* Returns whether at most one try is left, and the agent stands again. A follower at rest as near to its target as it
 * got is not stuck. */
static bool is_stuck(const wend_crowd *crowd, const wend__agent *agent) {
    const bool rests = agent->path.kind == WEND__PATH_BEFORE_UNITS && agent->path.stored.steps == 0;
    if (rests && agent->goal.kind == WEND__GOAL_FOLLOW) return false;
    return agent->stall.stood > 2 && agent->stall.tries + 1 >= crowd->tuning.tries;
}

/* Returns whether an agent's body is in its goal cell, but has yet to come to rest there. What stands in its way to the
 * middle may never go. */
static bool is_to_settle(const wend_crowd *crowd, uint32_t index) {
    return crowd->in_traffic[index].body && crowd->agents[index].goal.reach == 0 && !wend__body_rests(crowd, index) &&
           !wend__stalls_for(crowd, index, WEND__STALL_ENDS);
}

/* Sends a member of a group on to the cell that was ordered, if a way leads there by now: no way did when the places of
 * the group were found. Returns whether it goes on. */
static bool goes_on_to_ordered(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    wend__agent_goal *goal = &agent->goal;
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const wend__version *view = wend__version_view(version, in_traffic->mover);
    if (!goal->ends_partial || goal->end_places > 0 || wend__same_cell(goal->asked, in_traffic->at)) return false;
    if (wend__cell_factor(view, goal->asked) == 0 || wend__cell_factor(view, in_traffic->at) == 0) return false;
    if (!wend__version_connected(version, in_traffic->mover, in_traffic->at, goal->asked)) return false;
    wend__flow_leave(crowd, goal);
    goal->cell = goal->asked;
    goal->ends_partial = false;
    agent->stall = wend__stall_from(crowd->counts.updates);
    agent->path.kind = WEND__PATH_NONE;
    wend__path_request_begin(crowd, index, WEND__PURPOSE_PLAN);
    return true;
}

/* Returns whether an agent has yet to walk up to a gap of its route that no way leads round. */
static bool walks_up_to_gap(const wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    return agent->goal.kind == WEND__GOAL_ROUTE && agent->path.kind == WEND__PATH_TO_GOAL &&
           wend__path_steps(&agent->path) > 0;
}

void wend__agent_choose_step(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    in_traffic->next = in_traffic->at;
    if (WEND__UNLIKELY(agent->wary) && wend__danger_leave(crowd, version, index)) {
        const bool no_way = agent->request.failure != WEND_WHY_NONE && agent->goal.kind != WEND__GOAL_NONE;
        if (no_way) wend__goal_give_up(crowd, index, agent->request.failure);
        return;
    }
    if (in_traffic->steered) {
        wend__steer_choose_step(crowd, version, index);
        return;
    }
    if (agent->goal.kind == WEND__GOAL_NONE) {
        wend__go_home(crowd, version, index);
        return;
    }
    bool pursues = agent->goal.kind == WEND__GOAL_FOLLOW || agent->goal.kind == WEND__GOAL_FLEE;
    if (pursues && wend__pursue(crowd, version, index)) return;
    if (agent->goal.kind == WEND__GOAL_ROUTE && wend__patrol(crowd, version, index)) return;
    if (agent->goal.kind == WEND__GOAL_CELL && wend__is_at_goal(crowd, in_traffic->at, &agent->goal)) {
        if (agent->goal.on_leg) {
            wend__march_rest(crowd, index);
            return;
        }
        if (goes_on_to_ordered(crowd, version, index)) return;
        if (is_to_settle(crowd, index)) return;
        if (agent->goal.reach > 0 && wend__doorway_leave(crowd, version, index)) return;
        bool asked_for = !agent->goal.ends_partial;
        wend__goal_end(crowd, index, asked_for ? WEND_AGENT_EVENT_ARRIVED : WEND_AGENT_EVENT_PARTIAL, WEND_WHY_NONE);
        return;
    }
    const wend__path_request *request = &agent->request;
    if (request->wanted && (request->deferred || crowd->counts.updates >= request->due))
        wend__path_request_retry(crowd, index);
    if (request->failure != WEND_WHY_NONE && !walks_up_to_gap(crowd, index)) {
        stay_near(crowd, index, request->failure);
        return;
    }
    if (wend__flow_follow(crowd, version, index)) return;
    if (wend__march_holds(crowd, index)) {
        wend__stall_touch(crowd, index)->since = crowd->counts.updates;
        return;
    }
    measure_progress(crowd, index);
    if (wend__goal_end_stalled(crowd, index)) return;
    if (is_stuck(crowd, agent) && wend__window_open(crowd, version, index)) return;
    step_on_path(crowd, version, index);
}
