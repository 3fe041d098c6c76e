/* SPDX-License-Identifier: MIT */
/* An agent of a large group takes its way from a field, piece by piece. So it needs no search until it is near, and
 * after an edit the next piece follows the repaired field. */
#include "crowd/flow/flows.h"
#include "crowd/paths/path_request.h"
#include "crowd/paths/path.h"
#include "crowd/state/events.h"
#include "map/query/step_cost.h"
#include <wend/field.h>

enum {
    PIECE = 64,       ///< steps taken from the field at once
    LOW = 16,         ///< fewer steps left: the next piece is taken
    MOST_WAITS = 1024 ///< updates that an agent waits for the field until it searches
};

static wend__flow *flow_of(const wend_crowd *crowd, uint32_t index) {
    return &crowd->flows[crowd->agents[index].goal.flow - 1];
}

bool wend__flow_is_near(const wend_crowd *crowd, const wend__agent_goal *goal, wend_cell at) {
    const wend__flow *flow = &crowd->flows[goal->flow - 1];
    return crowd->def.map->kind != WEND_KIND_GRAPH && wend__cells_apart(at, flow->goal) <= flow->near_cells;
}

/* ---- what the field says ---- */

/* FOUND: the field leads on from the cell. PENDING: not yet. Anything else: a search has to. */
static wend_status ask_field(const wend_crowd *crowd, uint32_t index, wend_cell cell, wend_cell *next) {
    const wend__flow *flow = flow_of(crowd, index);
    if (flow->failed) return WEND_STATUS_NO_PATH;
    if (flow->stale || !flow->field) return WEND_STATUS_PENDING;
    const wend_status status = wend_field_next(flow->field, cell, next, NULL);
    if (status == WEND_STATUS_FOUND && wend__flow_is_near(crowd, &crowd->agents[index].goal, cell))
        return WEND_STATUS_PARTIAL;
    return status == WEND_STATUS_FOUND && wend__same_cell(cell, *next) ? WEND_STATUS_PARTIAL : status;
}

/* Add a piece to the path. The field may be of an older version, so its steps are walked on the newest one. */
static uint32_t add_piece(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent_path *path = &crowd->agents[index].path;
    const int32_t mover = crowd->travellers[index].mover;
    const bool older = wend_field_get_epoch(flow_of(crowd, index)->field) != version->epoch;
    uint32_t steps = 0;
    for (wend_cell next; steps < PIECE; steps++, path->end = next) {
        if (ask_field(crowd, index, path->end, &next) != WEND_STATUS_FOUND) break;
        if (older && wend__step_cost(version, mover, path->end, next) == UINT64_MAX) break;
        if (!wend__stored_path_append(&crowd->paths, &path->stored, path->end, next)) break;
    }
    if (steps == 0) return 0;
    path->kind = WEND__PATH_FIELD_PIECE;
    crowd->agents[index].goal.field_waits = 0;
    return steps;
}

/* ---- leading ---- */

/* A search leads on, once and for all. */
static void search_rest(wend_crowd *crowd, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    wend__flow_leave(crowd, &agent->goal);
    if (agent->path.kind == WEND__PATH_FIELD_PIECE) agent->path.kind = WEND__PATH_PIECE;
    agent->patience.least_on_path = agent->patience.least_for_goal = UINT32_MAX;
    wend__path_request_begin(crowd, index, WEND__PURPOSE_PLAN, UINT32_MAX);
}

/* Take the way from where the agent is. False: the field does not lead on from there. */
static bool set_out(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    wend__path_clear(crowd, index);
    const uint32_t steps = add_piece(crowd, version, index);
    if (steps == 0) return false;
    agent->path.serial = version->serial;
    agent->path.verified = 0;
    agent->patience.least_on_path = steps;
    agent->patience.stalled = 0;
    agent->goal.off_path = false;
    return true;
}

static bool wait_for_field(wend_crowd *crowd, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    if (++agent->goal.field_waits > MOST_WAITS) search_rest(crowd, index);
    return wend__path_steps(&agent->path) == 0;
}

static bool begin_way(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend_cell next;
    const wend_status status = ask_field(crowd, index, crowd->travellers[index].at, &next);
    if (status == WEND_STATUS_PENDING) return wait_for_field(crowd, index);
    if (status != WEND_STATUS_FOUND) {
        search_rest(crowd, index);
        return false;
    }
    if (!wend__crowd_work_begin(crowd, index, PIECE)) return true;
    return !set_out(crowd, version, index) && wait_for_field(crowd, index);
}

/* Does the path's end cost less than ever before on this map? On a way round others it may cost more. */
static bool comes_nearer(const wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    wend__patience *patience = &crowd->agents[index].patience;
    const uint64_t serial = wend__map_serial(crowd->def.map);
    uint64_t rest = UINT64_MAX;
    (void)wend_field_next(flow_of(crowd, index)->field, agent->path.end, NULL, &rest);
    if (patience->remaining_serial == serial && rest >= patience->remaining_cost) return false;
    patience->remaining_serial = serial;
    patience->remaining_cost = rest;
    return true;
}

/* Progress is counted in steps left, which are more by a piece now. */
static void note_piece(const wend_crowd *crowd, uint32_t index, uint32_t steps) {
    wend__agent *agent = &crowd->agents[index];
    wend__patience *patience = &agent->patience;
    const bool nearer = comes_nearer(crowd, index);
    if (patience->least_on_path != UINT32_MAX) patience->least_on_path += steps;
    if (nearer && patience->least_for_goal != UINT32_MAX) patience->least_for_goal += steps;
    if (agent->path.verified == UINT32_MAX) agent->path.verified = agent->path.stored.steps - steps;
}

static bool lead_on(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    wend_cell next;
    const wend_status status = ask_field(crowd, index, agent->path.end, &next);
    if (status != WEND_STATUS_PENDING && status != WEND_STATUS_FOUND) {
        search_rest(crowd, index);
        return false;
    }
    if (status == WEND_STATUS_FOUND && !wend__crowd_work_begin(crowd, index, PIECE))
        return wend__path_steps(&agent->path) == 0;
    const uint32_t steps = status == WEND_STATUS_FOUND ? add_piece(crowd, version, index) : 0;
    if (steps > 0) note_piece(crowd, index, steps);
    return steps == 0 && wend__path_steps(&agent->path) == 0 && wait_for_field(crowd, index);
}

/* The way is broken ahead: the field knows a way from where the agent is when it is repaired. */
static void reroute(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    const wend__flow *flow = flow_of(crowd, index);
    wend_cell next;
    if (agent->path.recent_count > 0 || flow->failed || flow->stale) return;
    if (wend_field_get_epoch(flow->field) != version->epoch) return;
    if (ask_field(crowd, index, crowd->travellers[index].at, &next) != WEND_STATUS_FOUND) return;
    if (!wend__crowd_work_begin(crowd, index, PIECE)) return;
    wend__path_request_drop(crowd, index);
    if (!set_out(crowd, version, index)) return;
    agent->patience.least_for_goal = agent->patience.least_on_path;
    wend__events_add_reroute(crowd, index);
}

bool wend__flow_follow(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    const wend__agent_path *path = &agent->path;
    if (!agent->goal.flow) return false;
    if (agent->goal.off_path && path->kind == WEND__PATH_FIELD_PIECE) reroute(crowd, version, index);
    if (wend__is_searching(&agent->request)) return false;
    if (path->kind == WEND__PATH_NONE) return begin_way(crowd, version, index);
    return path->kind == WEND__PATH_FIELD_PIECE && path->stored.steps < LOW && lead_on(crowd, version, index);
}

bool wend__flow_cut(wend_crowd *crowd, const wend__version *version, uint32_t index, uint32_t open) {
    wend__agent *agent = &crowd->agents[index];
    agent->goal.off_path = true;
    reroute(crowd, version, index);
    if (!agent->goal.off_path) return false;
    wend_cell end = wend__path_cell_ahead(crowd, index, open);
    wend__stored_path_truncate(&crowd->paths, &agent->path.stored, open);
    agent->path.end = end;
    return open == 0;
}
