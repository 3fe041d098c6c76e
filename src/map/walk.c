/* SPDX-License-Identifier: MIT */
/* Walking: what a single step costs, and how far a given path can be walked. */
#include "map/map_internal.h"

/* The direction from a cell to a neighbour, or -1: not one step. */
static int32_t direction(wend_cell from, wend_cell to) {
    int32_t dx = to.x - from.x, dy = to.y - from.y;
    for (int32_t d = 0; d < WEND__DIRECTIONS; d++)
        if (wend__dx[d] == dx && wend__dy[d] == dy) return d;
    return -1;
}

uint64_t wend__version_walk(const wend__version *v, int32_t mover, const wend_cell *cells, uint64_t steps, uint64_t *cost) {
    (void)mover;
    *cost = 0;
    for (uint64_t i = 0; i < steps; i++) {
        int32_t d = direction(cells[i], cells[i + 1]);
        if (d < 0 || !(wend__version_steps(v, cells[i].x, cells[i].y) >> d & 1)) return i;
        int32_t step = d < WEND__NE ? v->rules.cost_straight : v->rules.cost_diagonal;
        *cost += (uint64_t)(uint32_t)step * wend__version_factor(v, cells[i + 1].x, cells[i + 1].y);
    }
    return steps;
}

