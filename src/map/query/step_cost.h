/* SPDX-License-Identifier: MIT */
/* Internal: the cost of a step, and the length of a path that can be walked. */
#ifndef WEND_SRC_MAP_QUERY_STEP_COST_H
#define WEND_SRC_MAP_QUERY_STEP_COST_H

#include "map/store/map_layout.h"

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
