/* SPDX-License-Identifier: MIT */
/* The cost of a given path, and how far it can be walked. */
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "map/version/version.h"

wend_error wend_map_step_legal(const wend_map *map, int32_t mover, wend_cell from, wend_cell to, bool *legal,
                               uint64_t *cost) {
    WEND__ALIVE(map, "the map");
    wend_error error = wend__check_mover(map, mover);
    if (!error) error = wend__check_cell(map, "from", from);
    if (!error) error = wend__check_cell(map, "to", to);
    if (error) return error;
    wend__version *v = wend__map_newest(map);
    uint64_t step = UINT64_MAX;
    if (wend__cell_factor(wend__version_view(v, mover), from) != 0) step = wend__step_cost(v, mover, from, to);
    wend__map_release(v, false);
    if (legal) *legal = step != UINT64_MAX;
    if (cost) *cost = step != UINT64_MAX ? step : 0;
    return WEND_OK;
}

wend_error wend_map_path_cost(const wend_map *map, int32_t mover, const wend_cell *cells, size_t count,
                              size_t *walkable, uint64_t *cost) {
    WEND__ALIVE(map, "the map");
    wend_error error = wend__check_count("count", count);
    if (!error) error = wend__check_mover(map, mover);
    if (!error) error = wend__check_each_cell(map, "cells", cells, count);
    if (error) return error;
    uint64_t sum = 0;
    wend__version *v = wend__map_newest(map);
    bool open = wend__cell_factor(wend__version_view(v, mover), cells[0]) != 0;
    size_t walked = open ? (size_t)wend__version_walk(v, mover, cells, count - 1, &sum) + 1 : 0;
    wend__map_release(v, false);
    if (walkable) *walkable = walked;
    if (cost) *cost = sum;
    return WEND_OK;
}
