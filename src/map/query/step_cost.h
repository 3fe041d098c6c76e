/* SPDX-License-Identifier: MIT */
/* Internal: the cost of a step, and the length of a path that can be walked. */
#ifndef WEND_SRC_MAP_QUERY_STEP_COST_H
#define WEND_SRC_MAP_QUERY_STEP_COST_H

#include "map/store/directions.h"
#include "map/store/map_layout.h"

/// Returns whether all steps of a mover's view are plain ones: on a grid, without links and slow ground. Then a step that
/// the mask of a cell has leads to an open cell of factor 1.
static inline bool wend__has_plain_steps(const wend__version *view, const wend__version *version) {
    return view->kind == WEND_KIND_GRID && view->max_factor <= 1 && !version->links;
}

/// Returns the cost of a step on a grid onto a cell of factor 1; UINT64_MAX: there is none.
static inline uint64_t wend__plain_step_cost(const wend__version *view, wend_cell a, wend_cell b) {
    const int32_t d = wend__flat_direction(b.x - a.x, b.y - a.y);
    if (d < 0 || !(wend__version_steps(view, a.x, a.y) >> d & 1)) return UINT64_MAX;
    return (uint64_t)(d < WEND__NE ? view->rules.cost_straight : view->rules.cost_diagonal);
}

/// Returns the cost of the cheapest step, edge or link from a cell to another; UINT64_MAX: there is none. `a` itself
/// may be blocked. Cost: O(1); O(log edges of a) on a graph.
uint64_t wend__step_cost(const wend__version *version, int32_t mover, wend_cell a, wend_cell b);
/// Returns whether wend__step_cost() is that of a link, no seam. Cost: the same.
bool wend__step_is_leap(const wend__version *version, int32_t mover, wend_cell a, wend_cell b);
/// Returns how many of the steps from cells[0] to cells[steps] can be taken one after another, and their cost. All
/// cells are on the map. cells[0] itself may be blocked.
uint64_t wend__version_walk(const wend__version *version, int32_t mover, const wend_cell *cells, uint64_t steps,
                            uint64_t *cost);

/// Returns true if two cells that are open for a mover are connected, also by links. Steps count both ways, so that
/// means reachable if all steps lead both ways.
bool wend__version_connected(const wend__version *version, int32_t mover, wend_cell a, wend_cell b);

/// Returns the last cell that the straight line between two cells reaches, as in wend_map_line_of_sight(); `from` if
/// that is blocked. No graph.
/// @param view   the mover's view of a version
wend_cell wend__sight_end(const wend__version *view, wend_cell from, wend_cell to);

#endif
