/* SPDX-License-Identifier: MIT */
/* Reads a finished request's answer: its cells, wherever they lie, and the units on them. */
#include "service/delivery/delivery.h"

#include "field/many/field_search.h"
#include "map/version/layers.h"
#include "search/request/leg.h"
#include "search/request/request_land.h"
#include "service/store/path_arena.h"

void wend__answer_cells(wend_service *service, const wend__entry *entry, uint64_t steps, wend_cell *out) {
    if (entry->in_field) {
        wend__field_walk(service->share.field, entry->request.start, steps, out);
    } else if (entry->slot != WEND__NONE) {
        wend__search_cells(&service->slots[entry->slot].search, out, steps + 1);
    } else {
        wend__size size = wend__size_of(entry->request.map);
        *out = entry->request.start;
        wend__paths_spread(&service->paths, size, &entry->path, entry->request.start, steps, out + 1);
    }
}

/* The arena stores crossings as further cells of the path. */
void wend__answer_crossings(wend_service *service, const wend__entry *entry, wend_cell *out) {
    if (entry->slot != WEND__NONE)
        wend__leg_crossings(&service->slots[entry->slot].search, out + entry->steps + 1, entry->crossings);
    else
        wend__paths_spread(&service->paths, wend__size_of(entry->request.map), &entry->path, entry->request.start,
                           entry->steps + entry->crossings, out + 1);
}

size_t wend__answer_unloaded(const wend_map *map, const wend_cell *crossings, size_t count) {
    if (count == 0 || !map->streamed) return count;
    wend__version *newest = wend__map_newest(map);
    size_t i = 0;
    while (i < count && wend__is_loaded(newest, crossings[i])) i++;
    wend__map_release(newest, false);
    return i;
}

void wend__answer_count(wend_service *service, wend__entry *entry) {
    if (entry->steps != WEND__UNCOUNTED) return;
    entry->steps = wend__field_walk(service->share.field, entry->request.start, service->def.max_path_cells, NULL);
}

int64_t wend__answer_extra_cost(const wend__version *version, const wend__request *request, const wend_cell *cells,
                                uint64_t steps) {
    int64_t cost = 0;
    if (request->occupied > WEND_OCCUPIED_IGNORE) {
        int32_t size = wend__version_mover_size(version, request->mover);
        uint64_t crowded = 0;
        wend__unit_range seen;
        wend__unit_range_set(&seen, version, request->start, request->occupied_within);
        for (uint64_t i = 1; i <= steps; i++) crowded += wend__map_occupied_in(request->map, cells[i], size, &seen);
        cost = (int64_t)crowded * request->occupied;
    }
    const wend__layers *layers = request->profile != WEND_PROFILE_NONE ? request->map->tolls->layers : NULL;
    for (uint64_t i = 1; layers && i <= steps; i++)
        cost += wend__layers_cost(layers, wend__profile_of(request->map, request->profile), version,
                                  wend__place_of(version, cells[i]));
    return cost;
}

uint64_t wend__answer_clear_steps(const wend__version *newest, const wend__request *request, const wend_cell *cells,
                                  uint64_t steps) {
    int32_t size = wend__version_mover_size(newest, request->mover);
    uint64_t clear = 0;
    wend__unit_range seen;
    wend__unit_range_set(&seen, newest, request->start, request->occupied_within);
    while (clear < steps && !wend__map_occupied_in(request->map, cells[clear + 1], size, &seen)) clear++;
    return clear;
}
