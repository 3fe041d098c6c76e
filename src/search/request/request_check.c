/* SPDX-License-Identifier: MIT */
/* Checks whether a request is valid. */
#include "map/kinds/graph.h"
#include "map/version/layers.h"
#include "map/movers/views.h"
#include "map/version/map.h"
#include "search/request/request.h"

static const wend_request default_request = {
    .struct_bytes = sizeof default_request, .deadline_frames = WEND_NO_LIMIT, .agent = WEND_NO_AGENT};
static const wend_search_options default_options = {.struct_bytes = sizeof default_options,
                                                    .weight_milli = 1000,
                                                    .max_expansions = WEND_NO_LIMIT,
                                                    .occupied_within = WEND_EVERYWHERE};

void wend_request_init(wend_request *request, size_t bytes) {
    wend__sized_init(request, bytes, &default_request, sizeof default_request);
}

void wend_search_options_init(wend_search_options *options, size_t bytes) {
    wend__sized_init(options, bytes, &default_options, sizeof default_options);
}

/* X(field), of wend_request and of wend_search_options */
#define COMMON(X)                                                                                                      \
    X(map) X(start) X(goal) X(urgency) X(mover) X(mode) X(reach) X(agent) X(deadline_frames) X(on_done) X(context)
#define OPTIONS(X)                                                                                                     \
    X(engine)                                                                                                          \
    X(heuristic)                                                                                                       \
    X(weight_milli)                                                                                                    \
    X(on_stale) X(occupied) X(occupied_within) X(unloaded) X(more_goal_count) X(more_goals) X(max_expansions) X(profile)
#define FROM_COMMON(field) .field = common->field,
#define FROM_OPTIONS(field) .field = options->field,
#define FROM_REQUEST(field) .field = request->field,

static wend__request join(const wend_request *common, const wend_search_options *options) {
    return (wend__request){COMMON(FROM_COMMON) OPTIONS(FROM_OPTIONS).flags =
                               (options->leave_blocked_start ? WEND__REQUEST_LEAVES_START : 0) |
                               (options->far_begin ? WEND__REQUEST_FAR_BEGIN : 0)};
}

wend__request wend__request_default(void) {
    return join(&default_request, &default_options);
}

bool wend__request_take(const wend_request *theirs, wend__request *out) {
    wend_request common = default_request;
    wend_search_options options = default_options;
    if (!WEND__READ_STRUCT(wend_request, options, &common, theirs)) return false;
    if (common.options && !WEND__READ_STRUCT(wend_search_options, max_expansions, &options, common.options))
        return false;
    *out = join(&common, &options);
    return true;
}

void wend__request_give(const wend__request *request, wend_request *common, wend_search_options *options) {
    *common = (wend_request){.struct_bytes = sizeof *common, COMMON(FROM_REQUEST).options = options};
    *options = (wend_search_options){.struct_bytes = sizeof *options,
                                     OPTIONS(FROM_REQUEST).leave_blocked_start =
                                         (request->flags & WEND__REQUEST_LEAVES_START) != 0,
                                     .far_begin = (request->flags & WEND__REQUEST_FAR_BEGIN) != 0};
}

/* X(struct, field, least, most) */
#define NUMBERS(X)                                                                                                     \
    X(request, urgency, WEND_URGENCY_MIN, WEND_URGENCY_MAX)                                                            \
    X(options, engine, WEND_ENGINE_AUTO, WEND_ENGINE_JUMP)                                                             \
    X(options, heuristic, WEND_HEURISTIC_EXACT, WEND_HEURISTIC_ZERO)                                                   \
    X(options, weight_milli, 1000, WEND_WEIGHT_MAX_MILLI)                                                              \
    X(options, on_stale, WEND_ON_STALE_RESTART, WEND_ON_STALE_DELIVER)                                                 \
    X(request, mode, WEND_MODE_EXACT, WEND_MODE_FAR)                                                                   \
    X(request, reach, 0, WEND_MAX_REACH)                                                                               \
    X(options, occupied, WEND_OCCUPIED_BLOCK, WEND_MAX_COST)                                                           \
    X(options, occupied_within, WEND_EVERYWHERE, WEND_MAX_REACH)                                                       \
    X(options, unloaded, WEND_UNLOADED_BLOCK, WEND_UNLOADED_KNOWN)                                                     \
    X(options, more_goal_count, 0, WEND_MAX_GOALS - 1)

static wend_error check_numbers(const wend__request *request) {
    wend_error error = WEND_OK;
#define WEND_X(where, field, least, most)                                                                              \
    if (!error) error = wend__check_range(#where "." #field, request->field, least, most);
    NUMBERS(WEND_X)
#undef WEND_X
    if (error || request->deadline_frames > 0) return error;
    return wend__refuse(WEND_BAD_ARGUMENT, "request.deadline_frames is 0, but must be at least 1");
}

/* On a graph distances in cells have no meaning, and nearest requires coordinates. */
static wend_error check_graph(const wend__request *request) {
    if (request->reach > 0)
        return wend__refuse(WEND_BAD_ARGUMENT, "request.reach is above 0, but a graph has no cells");
    if (request->occupied_within != WEND_EVERYWHERE)
        return wend__refuse(WEND_BAD_ARGUMENT, "options.occupied_within is given, but a graph has no cells");
    if (request->mode == WEND_MODE_EXACT || wend__map_placed(request->map)) return WEND_OK;
    return wend__refuse(WEND_BAD_ARGUMENT, "request.mode asks for the nearest node, but the nodes have no coordinates");
}

static wend_error check_far(const wend_map *map) {
    wend_map_rules rules = {.struct_bytes = sizeof rules};
    if (map->wrap) return wend__refuse(WEND_UNSUPPORTED, "request.mode is far, but the map wraps: it has no far layer");
    if (map->sheets)
        return wend__refuse(WEND_UNSUPPORTED, "request.mode is far, but the map has sheets, and no far layer");
    wend_map_get_rules(map, &rules);
    const bool serves = wend__map_kind(map) == WEND_KIND_GRID && rules.neighbours == 8;
    if (serves && rules.corners == WEND_CORNERS_NEVER) return WEND_OK;
    return wend__refuse(WEND_BAD_ARGUMENT,
                        "request.mode is far, which needs a flat grid with 8 neighbours and corners never cut");
}

wend_error wend__request_check_form(const wend__request *request) {
    const wend_map *map = request->map;
    if (!map) return wend__refuse_null("request.map");
    wend_error error = check_numbers(request);
    if (!error && request->mode == WEND_MODE_FAR) error = check_far(map);
    if (!error && wend__map_kind(map) == WEND_KIND_GRAPH) error = check_graph(request);
    if (!error) error = wend__check_room("options.more_goals", request->more_goals, request->more_goal_count);
    /* Each map has the default mover, so checking that one needs no lock. */
    if (!error && request->mover != WEND_MOVER_DEFAULT) error = wend__check_mover(map, request->mover);
    return error ? error : wend__check_profile(map, "options.profile", request->profile);
}

wend_error wend__request_check(const wend__request *request) {
    const wend_map *map = request->map;
    wend_error error = wend__request_check_form(request);
    if (!error) error = wend__check_cell(map, "request.start", request->start);
    if (!error) error = wend__check_cell(map, "request.goal", request->goal);
    if (error || request->more_goal_count == 0) return error;
    return wend__check_each_cell(map, "options.more_goals", request->more_goals, request->more_goal_count);
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

void wend__request_bound(const wend__version *version, const wend__request *request, bool *exact,
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
    if (!graph && rules->neighbours == 8 && excess != 1000) /* a single division, so that the result is rounded once */
        bound = (bound * 2 * rules->cost_straight + rules->cost_diagonal - 1) / rules->cost_diagonal;
    else
        bound = (bound * excess + 999) / 1000;
    *exact = bound == 1000;
    *bound_milli = (int32_t)bound;
}
