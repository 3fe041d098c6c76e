/* SPDX-License-Identifier: MIT */
/* A disc before a step of its path for which it has no room: searches see only cells, not what stays at the corners of a
 * diagonal. It goes round that by its near field. */
#include "agents/plan/path.h"

#include "agents/plan/path_request.h"
#include "map/store/directions.h"

/* Returns whether a disc on its path has no room for the next step. */
static bool has_no_room(const wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const wend_cell at = in_traffic->at, next = wend__path_next(crowd, index);
    if (!in_traffic->body || in_traffic->size > 1 || version->sheets || version->rules.neighbours != 8) return false;
    if (agent->goal.kind == WEND__GOAL_ROUTE || agent->path.recent_count > 0 || agent->path.stored.steps == 0)
        return false;
    if (wend__flat_direction(next.x - at.x, next.y - at.y) < 0) return false;
    return !wend__disc_may_step(crowd, version, index, at, next);
}

bool wend__path_go_round(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend_cell cells[WEND__BLOCK_DIRECTIONS + 1];
    uint32_t passed;
    if (!has_no_room(crowd, version, index) || !wend__crowd_work_begin(crowd, index, WEND__WORK_NEAR_FIELD))
        return false;
    const uint32_t steps = wend__near_way_round(crowd, version, index, wend__disc_may_step, cells, &passed);
    if (steps == 0 || !wend__path_lead(crowd, version, index, passed, cells, steps)) return false;
    wend__path_request_drop(crowd, index);
    wend__agent_touch(crowd, index)->path.changes++;
    wend__agent_touch(crowd, index)->stall.stood = 0;
    wend__events_add_reroute(crowd, index);
    return true;
}
