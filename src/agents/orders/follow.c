/* SPDX-License-Identifier: MIT */
/* An agent of a large group reads its path from a flow field, piece by piece, until it is near the goal. After an
 * edit the next piece follows the repaired field. */
#include "agents/plan/path.h"
#include "field/field_state.h"
#include "agents/plan/path_request.h"
#include "agents/state/crowd_state.h"
#include "agents/state/flows.h"
#include "map/query/step_cost.h"
#include <wend/field.h>

enum { MOST_WAITS = 1024 }; ///< updates without progress after which an agent that waits for the field searches

static wend__flow *flow_of(const wend_crowd *crowd, uint32_t index) {
    return &crowd->flows[crowd->agents[index].goal.flow - 1];
}

bool wend__flow_is_near(const wend_crowd *crowd, const wend__agent_goal *goal, wend_cell at) {
    const wend__flow *flow = &crowd->flows[goal->flow - 1];
    return crowd->def.map->kind != WEND_KIND_GRAPH &&
           wend__cells_apart(crowd->def.map, at, flow->goal) <= flow->near_cells;
}

/* ---- the field's next step ---- */

/* Returns FOUND if the field leads on from the cell, PENDING if it will; otherwise the agent has to search. */
static wend_status read_field(const wend_crowd *crowd, uint32_t index, wend_cell cell, wend_cell *next) {
    const wend__flow *flow = flow_of(crowd, index);
    if (flow->failed) return WEND_STATUS_NO_PATH;
    if (flow->stale || !flow->field) return WEND_STATUS_PENDING;
    const wend_status status = wend_field_next(flow->field, cell, next, NULL);
    if (status == WEND_STATUS_FOUND && wend__flow_is_near(crowd, &crowd->agents[index].goal, cell))
        return WEND_STATUS_PARTIAL;
    return status == WEND_STATUS_FOUND && wend__same_cell(cell, *next) ? WEND_STATUS_PARTIAL : status;
}

/* Appends a piece to the path. Checks its steps on the newest version, as the field may belong to an older one. */
static uint32_t add_piece(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent_path *path = &wend__agent_touch(crowd, index)->path;
    const int32_t mover = crowd->in_traffic[index].mover;
    const bool older = wend__field_epoch(flow_of(crowd, index)->field) != version->epoch;
    uint32_t steps = 0;
    for (wend_cell next; steps < WEND__PATH_PIECE_STEPS; steps++, path->end = next) {
        if (read_field(crowd, index, path->end, &next) != WEND_STATUS_FOUND) break;
        if (older && wend__step_cost(version, mover, path->end, next) == UINT64_MAX) break;
        if (!wend__stored_path_append(&crowd->paths, &path->stored, path->end, next)) break;
    }
    if (steps == 0) return 0;
    wend__near_path_grew(crowd, index, steps);
    path->kind = WEND__PATH_FIELD_PIECE;
    return steps;
}

/* ---- leading ---- */

/* Leaves the field; a search finds the rest of the path. */
static void search_rest(wend_crowd *crowd, uint32_t index) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    wend__flow_leave(crowd, &agent->goal);
    if (agent->path.kind == WEND__PATH_FIELD_PIECE) agent->path.kind = WEND__PATH_PIECE;
    agent->stall.best = UINT32_MAX;
    wend__path_request_begin(crowd, index, WEND__PURPOSE_PLAN);
}

/* Starts the path at the agent's cell. Returns false if the field has no step there. */
static bool start_path(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    wend__path_clear(crowd, index);
    const uint32_t steps = add_piece(crowd, version, index);
    if (steps == 0) return false;
    agent->path.revision = version->revision;
    agent->path.verified = 0;
    agent->stall.stood = 0;
    agent->goal.off_path = false;
    return true;
}

static bool wait_for_field(wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    if (crowd->counts.updates - agent->stall.since > MOST_WAITS) search_rest(crowd, index);
    return wend__path_steps(&agent->path) == 0;
}

static bool begin_path(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend_cell next;
    const wend_status status = read_field(crowd, index, crowd->in_traffic[index].at, &next);
    if (status == WEND_STATUS_PENDING) return wait_for_field(crowd, index);
    if (status != WEND_STATUS_FOUND) {
        search_rest(crowd, index);
        return false;
    }
    if (!wend__crowd_work_begin(crowd, index, WEND__PATH_PIECE_STEPS)) return true;
    return !start_path(crowd, version, index) && wait_for_field(crowd, index);
}

/* Returns whether the cost from the path's end is the least so far on this map. A way around others may cost more. */
static bool comes_nearer(wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    wend__stall *stall = &wend__agent_touch(crowd, index)->stall;
    const uint64_t revision = wend__map_revision(crowd->def.map);
    uint64_t rest = UINT64_MAX;
    (void)wend_field_next(flow_of(crowd, index)->field, agent->path.end, NULL, &rest);
    if (stall->remaining_revision == revision && rest >= stall->remaining_cost) return false;
    stall->remaining_revision = revision;
    stall->remaining_cost = rest;
    return true;
}

/* Progress is measured in steps left: the new piece must not count as a loss. */
static void count_piece(wend_crowd *crowd, uint32_t index, uint32_t steps) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    wend__stall *stall = &agent->stall;
    if (comes_nearer(crowd, index) && stall->best != UINT32_MAX) stall->best += steps;
    if (agent->path.verified == UINT32_MAX) agent->path.verified = agent->path.stored.steps - steps;
}

static bool extend_path(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    wend_cell next;
    const wend_status status = read_field(crowd, index, agent->path.end, &next);
    if (status != WEND_STATUS_PENDING && status != WEND_STATUS_FOUND) {
        search_rest(crowd, index);
        return false;
    }
    if (status == WEND_STATUS_FOUND && !wend__crowd_work_begin(crowd, index, WEND__PATH_PIECE_STEPS))
        return wend__path_steps(&agent->path) == 0;
    const uint32_t steps = status == WEND_STATUS_FOUND ? add_piece(crowd, version, index) : 0;
    if (steps > 0) count_piece(crowd, index, steps);
    return steps == 0 && wend__path_steps(&agent->path) == 0 && wait_for_field(crowd, index);
}

/* Starts a new path at the agent's cell, once the field is repaired. */
static void reroute_by_field(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    const wend__flow *flow = flow_of(crowd, index);
    wend_cell next;
    if (agent->path.recent_count > 0 || flow->failed || flow->stale) return;
    if (wend__field_epoch(flow->field) != version->epoch) return;
    if (read_field(crowd, index, crowd->in_traffic[index].at, &next) != WEND_STATUS_FOUND) return;
    if (!wend__crowd_work_begin(crowd, index, WEND__PATH_PIECE_STEPS)) return;
    wend__path_request_drop(crowd, index);
    if (!start_path(crowd, version, index)) return;
    agent->stall.best = wend__path_steps(&agent->path);
    wend__events_add_reroute(crowd, index);
}

bool wend__flow_follow(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const wend__agent_path *path = &agent->path;
    if (!agent->goal.flow) return false;
    if (agent->goal.off_path && path->kind == WEND__PATH_FIELD_PIECE) reroute_by_field(crowd, version, index);
    if (wend__is_searching(&agent->request)) return false;
    if (path->kind == WEND__PATH_NONE) return begin_path(crowd, version, index);
    return path->kind == WEND__PATH_FIELD_PIECE && path->stored.steps < WEND__PATH_LOW_STEPS &&
           extend_path(crowd, version, index);
}

bool wend__flow_cut(wend_crowd *crowd, const wend__version *version, uint32_t index, uint32_t open) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    agent->goal.off_path = true;
    reroute_by_field(crowd, version, index);
    if (!agent->goal.off_path) return false;
    wend__path_cut(crowd, index, open);
    return open == 0;
}
