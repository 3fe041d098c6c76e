/* SPDX-License-Identifier: MIT */
/* Internal: what a step costs, and how far a path can be walked. */
#ifndef WEND_SRC_MAP_QUERY_STEP_COST_H
#define WEND_SRC_MAP_QUERY_STEP_COST_H

#include "map/store/map_layout.h"

/// The cheapest way from a cell to another in one step, edge or link; UINT64_MAX: there is none. `a`'s own view
/// is not asked about. Cost: O(1), O(edges of a) on a graph.
uint64_t wend__step_cost(const wend__version *version, int32_t mover, wend_cell a, wend_cell b);
/// How many of these steps, from cells[0] through cells[steps], can be taken one after another, and what those cost. All
/// cells are on the map; cells[0]'s own view is not asked about.
uint64_t wend__version_walk(const wend__version *version, int32_t mover, const wend_cell *cells, uint64_t steps,
                            uint64_t *cost);

#endif
