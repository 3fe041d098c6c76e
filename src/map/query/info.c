/* SPDX-License-Identifier: MIT */
/* The description of a map: its size, rules, links, derived data and memory. */
#include "map/components/components.h"
#include "map/kinds/graph.h"
#include "map/landmarks/landmark_prepare.h"
#include "map/landmarks/landmark_tables.h"
#include "map/movers/views.h"
#include "map/store/map_layout.h"

static void describe(const wend__version *v, wend_map_info *out) {
    out->epoch = v->epoch;
    out->components = wend__version_components(v);
    out->links = v->links ? v->links->count : 0;
    out->closed_steps = v->closed_steps;
    out->movers = wend__version_movers(v);
    out->jumps = v->jumps;
    out->jump_unpruned = 0;
    for (int32_t i = 0; i < out->movers; i++) out->jump_unpruned += wend__version_view(v, i)->jumps_unpruned;
    out->landmarks = v->landmarks ? (int32_t)wend__popcount64(v->landmarks->valid) >> v->landmarks->directed : 0;
    out->landmark_age = v->landmarks_age;
    out->landmark_bytes = v->landmarks ? wend__landmarks_bytes(v->landmarks) : 0;
}

wend_error wend_map_get_info(const wend_map *map, wend_map_info *out) {
    wend_map_info info = {.kind = map->kind,
                          .width = map->width,
                          .height = map->height,
                          .depth = map->depth,
                          .cells = (uint64_t)map->width * (uint64_t)map->height * (uint64_t)map->depth};
    if (map->graph) {
        info.cells = map->graph->present_count;
        info.edges = map->graph->edges;
        info.has_coordinates = map->graph->coordinates != NULL;
        info.cost_per_unit = map->graph->cost_per_unit;
    }
    info.landmark_effort = map->landmark_effort;
    info.marks_units = atomic_load_explicit(&map->unit_state, memory_order_acquire) == WEND__UNITS_KEPT;
    info.unit_bytes = map->unit_bytes;
    info.landmark_left = wend__map_landmarks_left((wend_map *)map);
    wend__mutex_lock(map->mutex);
    describe(map->newest, &info);
    info.bytes = map->family->bytes;
    info.bytes_peak = map->family->bytes_peak;
    info.jump_bytes = map->family->jump_bytes;
    wend__mutex_unlock(map->mutex);
    return WEND__GIVE(wend_map_info, landmark_effort, out, &info) ? WEND_OK : WEND_BAD_ARGUMENT;
}

uint64_t wend_map_get_epoch(const wend_map *map) {
    wend__mutex_lock(map->mutex);
    const uint64_t epoch = map->newest->epoch;
    wend__mutex_unlock(map->mutex);
    return epoch;
}

wend_error wend_map_get_rules(const wend_map *map, wend_map_rules *out) {
    wend__mutex_lock(map->mutex);
    const wend_map_rules rules = map->newest->rules;
    wend__mutex_unlock(map->mutex);
    return WEND__GIVE(wend_map_rules, factors, out, &rules) ? WEND_OK : WEND_BAD_ARGUMENT;
}
