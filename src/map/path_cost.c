/* SPDX-License-Identifier: MIT */
/* What a given path costs, and how far it can be walked. */
#include "map/map_private.h"

/* The direction from a cell to a neighbour, or -1: not one step. */
static int32_t direction(wend_cell from, wend_cell to) {
    int32_t dx = to.x - from.x, dy = to.y - from.y;
    for (int32_t d = 0; d < WEND__DIRECTIONS; d++)
        if (wend__dx[d] == dx && wend__dy[d] == dy) return d;
    return -1;
}

uint64_t wend__version_walk(const wend__version *v, const wend_cell *cells, uint64_t steps, uint64_t *cost) {
    *cost = 0;
    for (uint64_t i = 0; i < steps; i++) {
        int32_t d = direction(cells[i], cells[i + 1]);
        if (d < 0 || !(wend__version_steps(v, cells[i].x, cells[i].y) >> d & 1)) return i;
        int32_t step = d < WEND__NE ? v->rules.cost_straight : v->rules.cost_diagonal;
        *cost += (uint64_t)(uint32_t)step * wend__version_factor(v, cells[i + 1].x, cells[i + 1].y);
    }
    return steps;
}

int32_t wend_map_path_cost(const wend_map *map, const wend_cell *cells, size_t count, size_t *walkable,
                           uint64_t *cost) {
    if (!count) return WEND_BAD_ARGUMENT;
    for (size_t i = 0; i < count; i++)
        if (!wend__cell_on_map(map, cells[i])) return WEND_OUT_OF_RANGE;
    uint64_t sum = 0;
    wend__version *v = wend__map_look(map);
    bool open = wend__version_factor(v, cells[0].x, cells[0].y) != 0;
    size_t walked = open ? (size_t)wend__version_walk(v, cells, count - 1, &sum) + 1 : 0;
    wend__map_release(v, false);
    if (walkable) *walkable = walked;
    *cost = sum;
    return WEND_OK;
}
