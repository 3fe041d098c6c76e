/* SPDX-License-Identifier: MIT */
/* Agents on routes. An agent joins its route at the nearest cell and extends its path with the route's cells, piece
 * by piece. It searches only around gaps. */
#include "agents/orders/goal.h"
#include "agents/plan/path.h"
#include "agents/plan/path_request.h"
#include "map/query/step_cost.h"

typedef enum extension { EXTENDED, BEFORE_GAP, ROUTE_ENDS } extension;

/* Finds the position on the route where the path ends. An agent on its route skips positions before the gap. */
static bool find_position(const wend_crowd *crowd, const wend__version *version, uint32_t index,
                          wend__route_position *out) {
    const wend__routes *routes = &crowd->routes;
    const wend__agent_goal *goal = &crowd->agents[index].goal;
    const wend_cell end = crowd->agents[index].path.end;
    wend__route_position position = {0, 0};
    if (goal->on_route) position = goal->position;
    for (uint32_t left = wend__route_length(routes, goal->route) + 1; left > 0; left--) {
        if (goal->on_route && !wend__route_next(routes, goal->route, &position)) break;
        const bool here = wend__same_cell(wend__route_cell(routes, version, goal->route, position), end);
        if (here && (!goal->on_route || wend__route_resumes(crowd, version, index, position))) {
            *out = position;
            return true;
        }
        if (!goal->on_route && !wend__route_next(routes, goal->route, &position)) break;
    }
    return false;
}

/* Joins the route at the end of the path. The next search is due soon, as each corner may have a gap. */
static bool join_route(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    const uint64_t soon = agent->goal.on_route ? crowd->counts.updates + crowd->tuning.retry_updates : 0;
    if (agent->request.due > soon) agent->request.due = soon;
    agent->goal.route_steps = 0;
    agent->goal.cell = agent->path.end;
    agent->goal.on_route = agent->goal.position_known = find_position(crowd, version, index, &agent->goal.position);
    if (!agent->goal.position_known) wend__path_clear(crowd, index);
    return agent->goal.position_known;
}

/* Appends cells of the route to the path, as far as their steps are open. */
static extension extend_path(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    const wend__routes *routes = &crowd->routes;
    const uint32_t route = agent->goal.route;
    const int32_t mover = crowd->in_traffic[index].mover;
    uint32_t added = 0;
    for (uint32_t tries = routes->of[route].leg_count + WEND__PATH_PIECE_STEPS;
         tries > 0 && added < WEND__PATH_PIECE_STEPS; tries--) {
        wend__route_position position = agent->goal.position;
        if (!wend__route_next(routes, route, &position)) return ROUTE_ENDS;
        const wend_cell cell = wend__route_cell(routes, version, route, position);
        if (!wend__same_cell(cell, agent->path.end)) {
            if (wend__step_cost(version, mover, agent->path.end, cell) == UINT64_MAX) return BEFORE_GAP;
            if (!wend__stored_path_append(&crowd->paths, &agent->path.stored, agent->path.end, cell)) return EXTENDED;
            agent->path.end = agent->goal.cell = cell;
            agent->goal.route_steps++;
            added++;
        }
        agent->goal.position = position;
    }
    return EXTENDED;
}

/* Cuts the path `open` steps ahead, where an edit closed a step. */
static void cut_path(wend_crowd *crowd, uint32_t index, uint32_t open) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    const uint32_t gone = agent->path.stored.steps - open;
    const bool on_route = gone <= agent->goal.route_steps;
    const uint32_t back = on_route ? gone : agent->goal.route_steps;
    wend__path_cut(crowd, index, open);
    wend__route_back(&crowd->routes, agent->goal.route, &agent->goal.position, back);
    agent->goal.route_steps -= back;
    agent->goal.cell = agent->path.end;
    if (!on_route) agent->path.kind = WEND__PATH_NONE;
}

static void request_if_due(wend_crowd *crowd, uint32_t index, uint8_t purpose) {
    wend__path_request *request = &wend__agent_touch(crowd, index)->request;
    if (wend__path_request_is_futile(crowd, index)) return;
    if (wend__is_searching(request) || request->failure != WEND_WHY_NONE || crowd->counts.updates < request->due)
        return;
    request->due = crowd->counts.updates + crowd->tuning.retry_updates;
    wend__path_request_begin(crowd, index, purpose);
}

/* Searches for a path to the route if the agent is off the route. At its end the agent takes a place. */
static void return_to_route(wend_crowd *crowd, uint32_t index) {
    wend__agent_goal *goal = &wend__agent_touch(crowd, index)->goal;
    if (goal->on_route) wend__route_back(&crowd->routes, goal->route, &goal->position, goal->route_steps);
    goal->route_steps = 0;
    if (!wend__end_place_assign(crowd, index)) request_if_due(crowd, index, WEND__PURPOSE_PLAN);
}

bool wend__patrol(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    wend__agent_path *path = &agent->path;
    if (!wend__legs_ready(crowd, agent->goal.route, agent->urgency)) return wend__path_steps(path) == 0;
    if (path->kind == WEND__PATH_NONE) return_to_route(crowd, index);
    if (path->kind != WEND__PATH_TO_GOAL) return false;
    if (!agent->goal.position_known && !join_route(crowd, version, index)) return true;
    if (agent->goal.route_steps > path->stored.steps) agent->goal.route_steps = path->stored.steps;
    const uint32_t open = wend__path_check(crowd, version, index);
    if (open != UINT32_MAX) cut_path(crowd, index, open);
    if (path->kind == WEND__PATH_NONE) request_if_due(crowd, index, WEND__PURPOSE_REROUTE);
    if (path->kind == WEND__PATH_TO_GOAL && wend__route_end_check(crowd, index)) return false;
    if (path->kind == WEND__PATH_NONE || path->stored.steps >= WEND__PATH_LOW_STEPS ||
        wend__is_searching(&agent->request))
        return false;
    const uint32_t before = path->stored.steps;
    const extension found = extend_path(crowd, version, index);
    wend__near_path_grew(crowd, index, path->stored.steps - before);
    if (path->stored.steps > before) agent->stall.no_way_since = 0;
    if (agent->stall.best != UINT32_MAX) agent->stall.best += path->stored.steps - before;
    if (found == BEFORE_GAP && path->stored.steps < WEND__PATH_LOW_STEPS)
        request_if_due(crowd, index, WEND__PURPOSE_REROUTE);
    if (wend__path_steps(path) > 0) return false;
    if (found == ROUTE_ENDS) wend__goal_end(crowd, index, WEND_AGENT_EVENT_ARRIVED, WEND_WHY_NONE);
    return found != BEFORE_GAP;
}
