/* SPDX-License-Identifier: MIT */
/* One path in one call; and why a request gets the engine that it gets. */
#include "map/movers/views.h"
#include "map/units/units.h"
#include "search/engines.h"

#include "map/query/step_cost.h"
#include "map/version/map.h"

/* Four records a cell are the most that any engine needs. Memory that is never touched costs nothing; where the
 * allocator refuses so much, less has to do. */
static wend_error create_search(const wend_map_info *info, wend_search **out) {
    wend_search_def def;
    wend_search_def_init(&def, sizeof def);
    const bool flat = info->kind == WEND_KIND_GRID;
    const int32_t side = flat ? 64 : info->kind == WEND_KIND_VOXEL ? 16 : 4096;
    uint64_t chunks = (uint64_t)((info->width - 1) / side + 1);
    if (info->kind != WEND_KIND_GRAPH) chunks *= (uint64_t)((info->height - 1) / side + 1);
    if (info->kind == WEND_KIND_VOXEL) chunks *= (uint64_t)((info->depth - 1) / side + 1);
    def.nodes = 4 * WEND_PAGE_NODES * chunks;
    wend_error error = wend_search_create(&def, out);
    while (error && def.nodes > WEND_PAGE_NODES) {
        def.nodes /= 2;
        error = wend_search_create(&def, out);
    }
    return error;
}

wend_error wend_find_path(wend_map *map, wend_cell start, wend_cell goal, wend_cell *cells, size_t capacity,
                          size_t *count, wend_status *status) {
    if (!map) return wend__refuse_null("map");
    wend_error error = wend__check_room("cells", cells, capacity);
    if (error) return error;
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    wend_request request = wend__request_default();
    request.map = map, request.start = start, request.goal = goal;
    error = wend__request_check(&request);
    wend_search *search;
    if (!error) error = create_search(&info, &search);
    if (error) return error;
    error = wend_search_begin(search, &request);
    if (!error) {
        const wend_status ended = wend_search_step(search, WEND_NO_LIMIT, NULL);
        size_t length = 0;
        wend_search_get_path(search, cells, capacity, &length);
        if (count) *count = length;
        if (status) *status = ended;
    }
    wend_search_destroy(search);
    return error;
}

/* ---- which engine, and why ---- */

static const char *why_map(const wend__version *v) {
    if (v->kind != WEND_KIND_GRID) return "jump search serves flat grids only";
    if (v->rules.neighbours != 8) return "the map's rules: jump search needs 8 neighbours";
    if (v->rules.corners != WEND_CORNERS_NEVER) return "the map's rules: jump search needs corners that are never cut";
    return v->jumps ? NULL : "the map, or its view for the mover, has no jump tables: see wend_map_accelerate()";
}

static const char *why_request(const wend_request *request) {
    if (request->engine == WEND_ENGINE_ASTAR) return "the request asks for A*";
    if (request->occupied != WEND_OCCUPIED_IGNORE && !wend__units_serve(request->map))
        return "the request sees units, and the map had no memory for their marks";
    if (request->heuristic != WEND_HEURISTIC_EXACT) return "the request asks for another heuristic than exact";
    return NULL;
}

static const char *why_not(const wend__version *v, const wend_request *request) {
    const wend__version *view = wend__version_view(v, request->mover);
    const char *why = why_map(view);
    if (!why) why = why_request(request);
    if (!why && wend__cell_factor(view, request->start) == 0) why = "the start is blocked";
    if (!why && request->occupied != WEND_OCCUPIED_IGNORE && wend__version_mover_size(v, request->mover) > 1)
        why = "the mover has several cells, and the request sees units";
    if (!why && request->engine == WEND_ENGINE_AUTO)
        why = "A* is expected to be faster here, as obstacles are small and close together";
    return why ? why : "the costs of steps, or the size of the map, are not served by jump search";
}

wend_error wend_request_explain(const wend_request *request, int32_t *engine, const char **why) {
    wend_request own;
    if (!wend__request_take(request, &own)) return WEND_BAD_ARGUMENT;
    wend_error error = wend__request_check(&own);
    if (error) return error;
    wend__version *v = wend__map_newest(own.map);
    const int32_t chosen = wend__request_engine(v, &own);
    if (engine) *engine = chosen;
    if (why) *why = chosen == WEND_ENGINE_JUMP ? NULL : why_not(v, &own);
    wend__map_release(v, false);
    return WEND_OK;
}
