/* SPDX-License-Identifier: MIT */
/* The cost of a given path, how far it can be walked, and where it turns. */
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "map/version/version.h"

wend_error wend_map_step_legal(const wend_map *map, int32_t mover, wend_cell from, wend_cell to, int32_t *legal,
                               uint64_t *cost) {
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

/* The cells at which a path turns. */

static bool same_step(wend_cell a, wend_cell b, wend_cell c) {
    return b.x - a.x == c.x - b.x && b.y - a.y == c.y - b.y && b.z - a.z == c.z - b.z;
}

wend_error wend_path_turns(const wend_cell *cells, size_t cell_count, wend_cell *out, size_t capacity, size_t *count) {
    if (!count) return wend__refuse_null("count");
    wend_error error = wend__check_room("cells", cells, cell_count);
    if (!error) error = wend__check_room("out", out, capacity);
    if (error) return error;
    size_t turns = 0;
    for (size_t i = 0; i < cell_count; i++) {
        if (i > 0 && i + 1 < cell_count && same_step(cells[i - 1], cells[i], cells[i + 1])) continue;
        if (turns < capacity) out[turns] = cells[i];
        turns++;
    }
    *count = turns;
    return WEND_OK;
}
