/* SPDX-License-Identifier: MIT */
/* Checks whether a request is valid. */
#include "map/kinds/graph.h"
#include "map/movers/views.h"
#include "map/version/map.h"
#include "search/request/request.h"

wend_request wend__request_default(void) {
    return (wend_request){.struct_bytes = sizeof(wend_request),
                          .weight_milli = 1000,
                          .max_expansions = WEND_NO_LIMIT,
                          .deadline_frames = WEND_NO_LIMIT,
                          .occupied_within = WEND_EVERYWHERE,
                          .agent = WEND_NO_AGENT};
}

void wend_request_init(wend_request *request, size_t bytes) {
    const wend_request own = wend__request_default();
    wend__sized_init(request, bytes, &own, sizeof own);
}

bool wend__request_take(const wend_request *theirs, wend_request *out) {
    *out = wend__request_default();
    return wend__sized_take(out, sizeof *out, WEND__FIRST_BYTES(wend_request, context), theirs);
}

static bool is_within(int64_t value, int64_t least, int64_t most) {
    return value >= least && value <= most;
}

static bool numbers_fit(const wend_request *request) {
    return is_within(request->urgency, WEND_URGENCY_MIN, WEND_URGENCY_MAX) &&
           is_within(request->engine, WEND_ENGINE_AUTO, WEND_ENGINE_JUMP) &&
           is_within(request->heuristic, WEND_HEURISTIC_EXACT, WEND_HEURISTIC_ZERO) &&
           is_within(request->weight_milli, 1000, WEND_WEIGHT_MAX_MILLI) &&
           is_within(request->on_stale, WEND_ON_STALE_RESTART, WEND_ON_STALE_DELIVER) &&
           is_within(request->mode, WEND_MODE_EXACT, WEND_MODE_NEAREST) &&
           is_within(request->reach, 0, WEND_MAX_REACH) &&
           is_within(request->occupied, WEND_OCCUPIED_BLOCK, WEND_MAX_COST) &&
           is_within(request->occupied_within, WEND_EVERYWHERE, WEND_MAX_REACH) &&
           is_within(request->more_goal_count, 0, WEND_MAX_GOALS - 1) && request->deadline_frames > 0;
}

/* On a graph distances in cells have no meaning, and nearest requires coordinates. */
static bool fits_kind(const wend_request *request) {
    if (wend__map_kind(request->map) != WEND_KIND_GRAPH) return true;
    if (request->reach > 0 || request->occupied_within != WEND_EVERYWHERE) return false;
    return request->mode == WEND_MODE_EXACT || wend__map_graph(request->map)->coordinates;
}

wend_error wend__request_check(const wend_request *request) {
    if (!request->map) return WEND_BAD_ARGUMENT;
    if (request->flags & ~(uint32_t)WEND_REQUEST_LEAVE_BLOCKED_START) return WEND_BAD_ARGUMENT;
    if (!numbers_fit(request) || !fits_kind(request)) return WEND_BAD_ARGUMENT;
    if (request->more_goal_count > 0 && !request->more_goals) return WEND_BAD_ARGUMENT;
    /* Each map has the default mover, so that one needs no lock. */
    if (request->mover != 0 && !is_within(request->mover, 1, (int64_t)wend__map_movers(request->map) - 1))
        return WEND_BAD_ARGUMENT;
    bool on_map = wend__map_has(request->map, request->start) && wend__map_has(request->map, request->goal);
    for (uint32_t i = 0; i < request->more_goal_count; i++)
        on_map = on_map && wend__map_has(request->map, request->more_goals[i]);
    return on_map ? WEND_OK : WEND_OUT_OF_RANGE;
}
