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

static size_t walk(const wend__version *v, const wend_cell *cells, size_t count, uint64_t *cost) {
    if (!wend__version_factor(v, cells[0].x, cells[0].y)) return 0;
    size_t i = 1;
    for (; i < count; i++) {
        int32_t d = direction(cells[i - 1], cells[i]);
        if (d < 0 || !(wend__version_steps(v, cells[i - 1].x, cells[i - 1].y) >> d & 1)) break;
        int32_t step = d < WEND__NE ? v->rules.cost_straight : v->rules.cost_diagonal;
        *cost += (uint64_t)(uint32_t)step * wend__version_factor(v, cells[i].x, cells[i].y);
    }
    return i;
}

int32_t wend_map_path_cost(const wend_map *map, const wend_cell *cells, size_t count, size_t *walkable,
                           uint64_t *cost) {
    if (!count) return WEND_BAD_ARGUMENT;
    for (size_t i = 0; i < count; i++)
        if (!wend__cell_on_map(map, cells[i])) return WEND_OUT_OF_RANGE;
    uint64_t sum = 0;
    wend__version *v = wend__map_look(map);
    size_t walked = walk(v, cells, count, &sum);
    wend__map_release(v, false);
    if (walkable) *walkable = walked;
    *cost = sum;
    return WEND_OK;
}
