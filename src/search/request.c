/* SPDX-License-Identifier: MIT */
/* What can be said of a request before any search: whether it is valid, answered already, and how good its answer is. */
#include "search/search_internal.h"

wend_request wend_request_default(void) {
    return (wend_request){.struct_bytes = sizeof(wend_request),
                          .weight_milli = 1000,
                          .max_expansions = WEND_NO_LIMIT,
                          .deadline_frames = WEND_NO_LIMIT};
}

int32_t wend__request_check(const wend_request *request) {
    if (!request || request->struct_bytes != sizeof *request || !request->map) return WEND_BAD_ARGUMENT;
    if (request->flags & ~(uint32_t)WEND_REQUEST_LEAVE_BLOCKED_START) return WEND_BAD_ARGUMENT;
    if (request->urgency < WEND_URGENCY_MIN || request->urgency > WEND_URGENCY_MAX) return WEND_BAD_ARGUMENT;
    if (request->engine < WEND_ENGINE_AUTO || request->engine > WEND_ENGINE_ASTAR) return WEND_BAD_ARGUMENT;
    if (request->heuristic < WEND_HEURISTIC_EXACT || request->heuristic > WEND_HEURISTIC_ZERO) return WEND_BAD_ARGUMENT;
    if (request->weight_milli < 1000 || request->weight_milli > WEND_WEIGHT_MAX_MILLI) return WEND_BAD_ARGUMENT;
    if (request->on_stale < WEND_ON_STALE_RESTART || request->on_stale > WEND_ON_STALE_DELIVER)
        return WEND_BAD_ARGUMENT;
    if (request->deadline_frames == 0) return WEND_BAD_ARGUMENT;
    bool on_map = wend__map_has(request->map, request->start) && wend__map_has(request->map, request->goal);
    return on_map ? WEND_OK : WEND_OUT_OF_RANGE;
}

/* A blocked start belongs to no component, but its steps may lead into some. */
static bool leads_to(const wend__version *version, wend_cell start, wend_cell goal) {
    if (wend__version_factor(version, start.x, start.y) > 0) return wend__version_connected(version, WEND_MOVER_DEFAULT, start, goal);
    for (unsigned steps = wend__version_steps(version, start.x, start.y); steps; steps &= steps - 1) {
        unsigned d = wend__ctz32(steps);
        const wend_cell beside = {start.x + wend__dx[d], start.y + wend__dy[d], 0};
        if (wend__version_connected(version, WEND_MOVER_DEFAULT, beside, goal)) return true;
    }
    return false;
}

int32_t wend__request_answer(const wend__version *version, const wend_request *request) {
    const wend_cell start = request->start, goal = request->goal;
    bool leaves = request->flags & WEND_REQUEST_LEAVE_BLOCKED_START;
    if (!leaves && wend__version_factor(version, start.x, start.y) == 0) return WEND_STATUS_START_BLOCKED;
    if (wend__version_factor(version, goal.x, goal.y) == 0) return WEND_STATUS_GOAL_BLOCKED;
    if (start.x == goal.x && start.y == goal.y) return WEND_STATUS_FOUND;
    return leads_to(version, start, goal) ? WEND_STATUS_PENDING : WEND_STATUS_NO_PATH;
}

void wend__request_bound(const wend__version *version, const wend_request *request, int32_t *exact,
                         int32_t *bound_milli) {
    const wend_map_rules *rules = &version->rules;
    int64_t bound = request->heuristic == WEND_HEURISTIC_ZERO ? 1000 : request->weight_milli;
    if (request->heuristic == WEND_HEURISTIC_MANHATTAN && rules->neighbours == 8) /* it says 2 S where D would do */
        bound = (bound * 2 * rules->cost_straight + rules->cost_diagonal - 1) / rules->cost_diagonal;
    *exact = bound == 1000 && (request->heuristic != WEND_HEURISTIC_MANHATTAN || rules->neighbours == 4);
    *bound_milli = (int32_t)bound;
}
