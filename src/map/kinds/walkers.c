/* SPDX-License-Identifier: MIT */
/* The steps of walkers. */
#include "map/kinds/walkers.h"
#include "map/kinds/walls.h"
#include "map/store/directions.h"

static bool is_on_map(const wend__version *v, wend_cell c) {
    return wend__on_map(v, c.x, c.y) && (uint32_t)c.z < (uint32_t)v->depth;
}

static const wend__chunk *chunk_of(const wend__version *view, wend_cell cell, uint32_t *local) {
    const wend__place p = wend__place_of(view, cell);
    *local = p.local;
    return wend__version_chunk(view, p.column, p.row);
}

static bool can_stand(const wend__version *view, wend_cell cell) {
    uint32_t local;
    const wend__chunk *chunk = chunk_of(view, cell, &local);
    return chunk->open->rows[local >> 6] >> (local & 63) & 1;
}

/* Returns how far the walker can rise in a cell of the map. */
static uint8_t rise_of(const wend__version *view, wend_cell cell) {
    uint32_t local;
    const wend__footing *footing = wend__footing_of(chunk_of(view, cell, &local)->open);
    return footing ? footing->rise[local] : 0;
}

static bool is_stairs(const wend__version *view, wend_cell cell) {
    return is_on_map(view, cell) && rise_of(view, cell) & WEND__RISE_STAIRS;
}

uint32_t wend__walker_steps(const wend__version *view, wend_cell cell, uint32_t steps) {
    const uint32_t up = UINT32_C(1) << 4, down = UINT32_C(1) << 5;
    uint32_t kept = UINT32_C(15) | UINT32_C(15) << 10; /* straight and diagonal steps in the plane */
    if (steps & (up | down) && is_stairs(view, cell)) {
        if (is_stairs(view, (wend_cell){cell.x, cell.y, cell.z + 1})) kept |= up;
        if (is_stairs(view, (wend_cell){cell.x, cell.y, cell.z - 1})) kept |= down;
    }
    return steps & kept;
}

/* Only a step by one level leads to a neighbour, and can be closed. */
static bool is_closed(const wend__version *view, wend_cell from, wend_cell to) {
    if (view->closed_steps == 0) return false;
    const int32_t d = wend__space_direction(to.x - from.x, to.y - from.y, to.z - from.z);
    return d >= 0 && wend__closed_at(view, from) >> d & 1;
}

uint32_t wend__level_steps(const wend__version *view, wend_cell cell, bool into, wend__level_step *out) {
    if (!wend__is_walker(view)) return 0;
    const wend__walker walker = view->walker;
    const int32_t up = into ? walker.drop : walker.step_up, down = into ? walker.step_up : walker.drop;
    const int32_t rise = rise_of(view, cell) & WEND__RISE_LEVELS;
    const int32_t top = wend__least(up, rise), bottom = wend__least(down, cell.z);
    uint32_t count = 0;
    for (unsigned d = WEND__N; d < WEND__NE; d++)
        for (int32_t k = -bottom; k <= top; k++) {
            const wend_cell other = {cell.x + wend__dx[d], cell.y + wend__dy[d], cell.z + k};
            if (k == 0 || !is_on_map(view, other) || !can_stand(view, other)) continue;
            if (k < 0 && (rise_of(view, other) & WEND__RISE_LEVELS) < -k) continue;
            if (into ? is_closed(view, other, cell) : is_closed(view, cell, other)) continue;
            const uint32_t levels = (uint32_t)(k < 0 ? -k : k);
            out[count++] = (wend__level_step){other, (1 + levels) * (uint32_t)view->rules.cost_straight};
        }
    return count;
}

uint64_t wend__level_step_cost(const wend__version *view, wend_cell from, wend_cell to) {
    const int32_t levels = to.z - from.z, k = levels < 0 ? -levels : levels;
    const wend_cell lower = levels < 0 ? to : from;
    const bool straight =
        (to.x == from.x) != (to.y == from.y) && wend__flat_direction(to.x - from.x, to.y - from.y) >= 0;
    if (!straight || k == 0 || k > (levels < 0 ? view->walker.drop : view->walker.step_up)) return UINT64_MAX;
    if ((rise_of(view, lower) & WEND__RISE_LEVELS) < k || is_closed(view, from, to)) return UINT64_MAX;
    return (1 + (uint64_t)k) * (uint64_t)view->rules.cost_straight;
}
