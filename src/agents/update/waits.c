/* SPDX-License-Identifier: MIT */
/* Finds why an agent does not go on when the host asks, from the present agents, units and boxes. */
#include "agents/manners/boxes.h"
#include "agents/orders/goal.h"
#include "agents/orders/march.h"
#include "agents/plan/path.h"
#include "agents/plan/path_request.h"
#include "agents/plan/window.h"
#include "agents/update/agents.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"
#include "map/version/version.h"

static wend__agent_wait wait_for(const wend_crowd *crowd, uint32_t index, int32_t kind) {
    return (wend__agent_wait){kind, WEND__NO_AGENT, crowd->in_traffic[index].at};
}

/* ---- obstacles ---- */

static int32_t kind_of_agent(const wend__traffic_agent *agent) {
    return agent->steered ? WEND_WAIT_PLAYER : agent->parked ? WEND_WAIT_PARKED : WEND_WAIT_AGENT;
}

/* Finds the obstacle on one cell besides the agent. NONE: nothing. */
static wend__agent_wait obstacle_on(const wend_crowd *crowd, uint32_t index, wend_cell cell) {
    wend__agent_wait found = {WEND_WAIT_NONE, WEND__NO_AGENT, cell};
    if (!wend__map_has(crowd->def.map, cell)) return found;
    const int32_t holder = wend__traffic_holder(crowd->traffic, cell);
    const uint32_t units = wend__map_occupants(crowd->def.map, cell);
    const uint32_t of_boxes = wend__traffic_units_left(crowd->traffic, WEND__NO_AGENT, cell);
    if (holder >= 0 && holder != (int32_t)index) {
        found.kind = kind_of_agent(&crowd->in_traffic[holder]);
        found.blocker = holder;
    } else if (units > of_boxes + (holder >= 0)) {
        found.kind = WEND_WAIT_UNIT;
    } else if (of_boxes > wend__traffic_units_left(crowd->traffic, (int32_t)index, cell)) {
        found.kind = WEND_WAIT_BOX;
    } else if (wend__window_closes(crowd, cell)) {
        found.kind = WEND_WAIT_WINDOW;
    }
    return found;
}

/* The same for all cells that the agent would cover. Obstacles that only the host can move count before others. */
static wend__agent_wait obstacle_at(const wend_crowd *crowd, uint32_t index, wend_cell at) {
    const int32_t size = crowd->in_traffic[index].size;
    const int32_t layers = crowd->def.map->kind == WEND_KIND_VOXEL ? size : 1;
    wend__agent_wait worst = {WEND_WAIT_NONE, WEND__NO_AGENT, at};
    if (crowd->in_traffic[index].ghost) return worst;
    for (int32_t k = 0; k < size * size * layers; k++) {
        const wend_cell cell = {at.x + k % size, at.y + k / size % size, at.z + k / (size * size)};
        const wend__agent_wait found = obstacle_on(crowd, index, cell);
        if (found.kind > worst.kind) worst = found;
    }
    worst.cell = at;
    return worst;
}

/* Finds the obstacle of a step that an agent wanted in the last update. */
static wend__agent_wait before_step(const wend_crowd *crowd, uint32_t index, wend_cell next) {
    wend__agent_wait found = obstacle_at(crowd, index, next);
    if (found.kind != WEND_WAIT_NONE) return found;
    /* The obstacle is an agent whose step crosses or that goes first, or the disc of a body. */
    wend__version *version = wend__map_newest(crowd->def.map);
    found.blocker = wend__traffic_crossed(crowd->traffic, version, index, next);
    wend__map_release(version, false);
    found.kind = found.blocker >= 0 ? kind_of_agent(&crowd->in_traffic[found.blocker]) : WEND_WAIT_AGENT;
    return found;
}

/* Returns whether all cells that the agent would cover are on the map. Places of several cells do not wrap. */
static bool is_place_on_map(const wend_crowd *crowd, uint32_t index, wend_cell at) {
    const wend_map *map = crowd->def.map;
    const int32_t more = crowd->in_traffic[index].size - 1;
    const wend_cell last = {at.x + more, at.y + more, at.z + (map->kind == WEND_KIND_VOXEL ? more : 0)};
    return wend__map_has(map, at) && wend__map_has(map, last);
}

/* Finds the neighbour of a cell at one of 27 offsets, also over the rim. Returns false if the agent has none there. */
static bool neighbour_at(const wend_crowd *crowd, const wend__version *version, uint32_t index, int32_t offset,
                         wend_cell *neighbour) {
    const wend_cell at = crowd->in_traffic[index].at;
    const int32_t dx = offset % 3 - 1, dy = offset / 3 % 3 - 1, dz = offset / 9 - 1;
    if (wend__is_hex(version) && wend__hexagons(dx, dy) > 1) return false;
    *neighbour = wend__wrapped_cell(version, (wend_cell){at.x + dx, at.y + dy, at.z + dz});
    return is_place_on_map(crowd, index, *neighbour);
}

/* Finds the obstacle of an agent that stands as near to its goal as it can get: an obstacle of the host next to it. */
static wend__agent_wait before_unit(const wend_crowd *crowd, uint32_t index) {
    enum { AROUND = 27 };
    wend__agent_wait best = wait_for(crowd, index, WEND_WAIT_UNIT);
    uint32_t least = UINT32_MAX;
    wend__version *version = wend__map_newest(crowd->def.map);
    for (int32_t k = 0; k < AROUND && version->kind != WEND_KIND_GRAPH; k++) {
        wend_cell next;
        if (!neighbour_at(crowd, version, index, k, &next)) continue;
        const wend__agent_wait found = obstacle_at(crowd, index, next);
        const uint32_t left = wend__cells_apart(crowd->def.map, next, crowd->agents[index].goal.cell);
        if (found.kind < WEND_WAIT_PLAYER || left >= least) continue;
        least = left;
        best = found;
    }
    wend__map_release(version, false);
    return best;
}

/* ---- an agent that wants no step now ---- */

/* The path has steps left, but the agent did not want the next one. */
static wend__agent_wait before_path(const wend_crowd *crowd, uint32_t index) {
    const wend__agent_path *path = &crowd->agents[index].path;
    wend__agent_wait found = wait_for(crowd, index, WEND_WAIT_TIME);
    if (path->recent_count > WEND__RECENT_CELLS) return found;
    const wend_cell next = wend__path_next(crowd, index);
    wend__version *version = wend__map_newest(crowd->def.map);
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const bool closed = wend__step_cost(version, in_traffic->mover, in_traffic->at, next) == UINT64_MAX;
    wend__map_release(version, false);
    if (closed) return (wend__agent_wait){WEND_WAIT_WAY, WEND__NO_AGENT, next};
    const bool taken = path->kind != WEND__PATH_NONE && path->stored.steps <= WEND__NEAR_END;
    wend__agent_wait obstacle = obstacle_at(crowd, index, next);
    if (obstacle.kind == WEND_WAIT_NONE && taken) obstacle = obstacle_at(crowd, index, path->end);
    return obstacle.kind == WEND_WAIT_NONE ? found : obstacle;
}

/* A wanted search without a ticket has several causes: no work was left for it, it ended without an answer and is due
 * later, the last update left the agent out, or the service refused it in that update. */
static wend__agent_wait before_search(const wend_crowd *crowd, uint32_t index) {
    const wend__path_request *request = &crowd->agents[index].request;
    const bool left_out = crowd->in_traffic[index].ready == WEND__READY_UNASKED;
    if (request->ticket.generation) return wait_for(crowd, index, WEND_WAIT_SEARCH);
    if (request->deferred || left_out) return wait_for(crowd, index, WEND_WAIT_WORK);
    const bool refused = crowd->counts.updates >= request->due && crowd->busy_at >= crowd->counts.updates;
    return wait_for(crowd, index, refused ? WEND_WAIT_QUEUE : WEND_WAIT_TIME);
}

/* An agent without a goal that was pushed off its cell. */
static wend__agent_wait on_way_home(const wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    if (wend__same_cell(crowd->in_traffic[index].at, agent->home)) return wait_for(crowd, index, WEND_WAIT_NONE);
    if (wend__is_searching(&agent->request)) return before_search(crowd, index);
    const wend__agent_wait home = obstacle_at(crowd, index, agent->home);
    if (home.kind != WEND_WAIT_NONE) return home;
    return wend__path_steps(&agent->path) > 0 ? before_path(crowd, index) : wait_for(crowd, index, WEND_WAIT_TIME);
}

/* Returns whether an agent is where FOLLOW or FLEE wants it, until its target moves. */
static bool is_with_target(const wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    if (agent->goal.kind == WEND__GOAL_FOLLOW) return agent->with_target;
    return agent->goal.kind == WEND__GOAL_FLEE && crowd->phase[index] == WEND__PHASE_ASLEEP;
}

/* Returns the wait that others, the map or the host must end first, apart from obstacles on the path. NONE: nothing. */
static int32_t wait_for_others(const wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const wend__agent_goal *goal = &agent->goal;
    const bool at_end = wend__path_steps(&agent->path) == 0;
    if (goal->kind == WEND__GOAL_ROUTE && at_end) {
        const wend__route *route = &crowd->routes.of[goal->route];
        if (route->done < route->leg_count) return WEND_WAIT_SEARCH;
    }
    if (goal->kind == WEND__GOAL_CELL && goal->flow && at_end) return WEND_WAIT_FIELD;
    if (goal->kind == WEND__GOAL_CELL && goal->march && (at_end ? goal->on_leg : wend__march_holds(crowd, index)))
        return WEND_WAIT_GROUP;
    if (crowd->in_traffic[index].ready == WEND__READY_UNASKED) return WEND_WAIT_WORK;
    if (agent->leaves) return WEND_WAIT_LAND;
    return WEND_WAIT_NONE;
}

/* Explains an agent with a goal that wants no step now. */
static wend__agent_wait on_way(const wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const wend__agent_goal *goal = &agent->goal;
    if (is_with_target(crowd, index)) {
        const bool there = wend__crowd_has(crowd, goal->target); /* else the target was removed since the last update */
        return (wend__agent_wait){WEND_WAIT_TARGET, there ? (int32_t)goal->target.index : WEND__NO_AGENT,
                                  crowd->in_traffic[index].at};
    }
    if (wend__is_searching(&agent->request)) return before_search(crowd, index);
    const int32_t others = wait_for_others(crowd, index);
    if (others != WEND_WAIT_NONE) return wait_for(crowd, index, others);
    const bool minds_units = agent->stall.before_player && !crowd->in_traffic[index].ghost;
    if (minds_units && agent->stall.no_way_since > 0) return before_unit(crowd, index);
    if (agent->stall.no_way_since > 0 && wend__path_steps(&agent->path) == 0)
        return wait_for(crowd, index, WEND_WAIT_WAY);
    if (wend__path_steps(&agent->path) > 0) return before_path(crowd, index);
    const bool settles = crowd->in_traffic[index].body && wend__same_cell(crowd->in_traffic[index].at, goal->cell);
    return wait_for(crowd, index, settles ? WEND_WAIT_NONE : WEND_WAIT_TIME);
}

/* Returns whether an agent wants a step: not if since its choice it got another goal, or its box was released. */
static bool wants_step(const wend_crowd *crowd, uint32_t index) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const wend__agent *agent = &crowd->agents[index];
    if (wend__same_cell(in_traffic->next, in_traffic->at)) return false;
    return wend__path_steps(&agent->path) > 0 ||
           (agent->leaves_box && wend__traffic_box_of(crowd->traffic, index, in_traffic->at) != WEND__NO_BOX);
}

wend__agent_wait wend__agent_wait_of(const wend_crowd *crowd, uint32_t index) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const uint8_t phase = crowd->phase[index];
    if (phase == WEND__PHASE_AWAY) return wait_for(crowd, index, WEND_WAIT_LAND);
    if (phase == WEND__PHASE_STEPPING || in_traffic->steered) return wait_for(crowd, index, WEND_WAIT_NONE);
    if (wend__window_holds(crowd, index)) return wait_for(crowd, index, WEND_WAIT_WINDOW);
    if (wants_step(crowd, index))
        return in_traffic->waited > 0 ? before_step(crowd, index, in_traffic->next)
                                      : wait_for(crowd, index, WEND_WAIT_NONE);
    return crowd->agents[index].goal.kind == WEND__GOAL_NONE ? on_way_home(crowd, index) : on_way(crowd, index);
}
