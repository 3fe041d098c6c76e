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
    return WEND__READ_STRUCT(wend_request, context, out, theirs);
}

/* X(field, least, most) */
#define NUMBERS(X)                                                                                                     \
    X(urgency, WEND_URGENCY_MIN, WEND_URGENCY_MAX)                                                                     \
    X(engine, WEND_ENGINE_AUTO, WEND_ENGINE_JUMP)                                                                      \
    X(heuristic, WEND_HEURISTIC_EXACT, WEND_HEURISTIC_ZERO)                                                            \
    X(weight_milli, 1000, WEND_WEIGHT_MAX_MILLI)                                                                       \
    X(on_stale, WEND_ON_STALE_RESTART, WEND_ON_STALE_DELIVER)                                                          \
    X(mode, WEND_MODE_EXACT, WEND_MODE_FAR)                                                                            \
    X(reach, 0, WEND_MAX_REACH)                                                                                        \
    X(occupied, WEND_OCCUPIED_BLOCK, WEND_MAX_COST)                                                                    \
    X(occupied_within, WEND_EVERYWHERE, WEND_MAX_REACH)                                                                \
    X(unloaded, WEND_UNLOADED_BLOCK, WEND_UNLOADED_KNOWN)                                                              \
    X(more_goal_count, 0, WEND_MAX_GOALS - 1)

static wend_error check_numbers(const wend_request *request) {
    wend_error error = WEND_OK;
#define WEND_X(field, least, most)                                                                                     \
    if (!error) error = wend__check_range("request." #field, request->field, least, most);
    NUMBERS(WEND_X)
#undef WEND_X
    if (error || request->deadline_frames > 0) return error;
    return wend__refuse(WEND_BAD_ARGUMENT, "request.deadline_frames is 0, but must be at least 1");
}

/* On a graph distances in cells have no meaning, and nearest requires coordinates. */
static wend_error check_graph(const wend_request *request) {
    if (request->reach > 0)
        return wend__refuse(WEND_BAD_ARGUMENT, "request.reach is above 0, but a graph has no cells");
    if (request->occupied_within != WEND_EVERYWHERE)
        return wend__refuse(WEND_BAD_ARGUMENT, "request.occupied_within is given, but a graph has no cells");
    if (request->mode == WEND_MODE_EXACT || wend__map_graph(request->map)->coordinates) return WEND_OK;
    return wend__refuse(WEND_BAD_ARGUMENT, "request.mode asks for the nearest node, but the nodes have no coordinates");
}

static wend_error check_far(const wend_map *map) {
    wend_map_rules rules = {.struct_bytes = sizeof rules};
    wend_map_get_rules(map, &rules);
    const bool serves = wend__map_kind(map) == WEND_KIND_GRID && rules.neighbours == 8;
    if (serves && rules.corners == WEND_CORNERS_NEVER) return WEND_OK;
    return wend__refuse(WEND_BAD_ARGUMENT,
                        "request.mode is far, which needs a flat grid with 8 neighbours and corners never cut");
}

wend_error wend__request_check(const wend_request *request) {
    const wend_map *map = request->map;
    if (!map) return wend__refuse_null("request.map");
    wend_error error = wend__check_flags(request->flags, WEND_REQUEST_LEAVE_BLOCKED_START | WEND_REQUEST_FAR_BEGIN);
    if (!error) error = check_numbers(request);
    if (!error && request->mode == WEND_MODE_FAR) error = check_far(map);
    if (!error && wend__map_kind(map) == WEND_KIND_GRAPH) error = check_graph(request);
    if (!error) error = wend__check_room("request.more_goals", request->more_goals, request->more_goal_count);
    /* Each map has the default mover, so that one needs no lock. */
    if (!error && request->mover != WEND_MOVER_DEFAULT) error = wend__check_mover(map, request->mover);
    if (!error) error = wend__check_cell(map, "request.start", request->start);
    if (!error) error = wend__check_cell(map, "request.goal", request->goal);
    if (error || request->more_goal_count == 0) return error;
    return wend__check_each_cell(map, "request.more_goals", request->more_goals, request->more_goal_count);
}

/* ---- the quality of an answer: exact, or within a bound of the cheapest ---- */

/* The factor by which `manhattan` can exceed the cost of a path on an empty map: 2 S for D, 3 S
 * for T; in thousandths, rounded up. (On graphs the exact estimate takes its place.) */
static int64_t manhattan_excess(const wend_map_rules *rules) {
    int64_t excess = 1000, s = rules->cost_straight;
    if (rules->neighbours == 4 || rules->neighbours == 6) return excess;
    excess = (2000 * s + rules->cost_diagonal - 1) / rules->cost_diagonal;
    if (rules->neighbours != 26) return excess;
    int64_t space = (3000 * s + rules->cost_space - 1) / rules->cost_space;
    return space > excess ? space : excess;
}

void wend__request_bound(const wend__version *version, const wend_request *request, int32_t *exact,
                         int32_t *bound_milli) {
    int64_t bound = request->weight_milli;
    if (!wend__request_bound_asks(request)) {
        *exact = bound == 1000;
        *bound_milli = (int32_t)bound;
        return;
    }
    const wend_map_rules *rules = &version->rules;
    bool graph = version->kind == WEND_KIND_GRAPH;
    int64_t excess = graph ? 1000 : manhattan_excess(rules);
    if (!graph && rules->neighbours == 8 && excess != 1000) /* one division, so that it is rounded once */
        bound = (bound * 2 * rules->cost_straight + rules->cost_diagonal - 1) / rules->cost_diagonal;
    else
        bound = (bound * excess + 999) / 1000;
    *exact = bound == 1000;
    *bound_milli = (int32_t)bound;
}
