/* SPDX-License-Identifier: MIT */
/* Internal: whether two cells are connected. */
#ifndef WEND_SRC_MAP_QUERY_REACHABLE_H
#define WEND_SRC_MAP_QUERY_REACHABLE_H

#include "map/store/map_layout.h"

/// Are two cells that are open for a mover connected? Weakly: where all steps lead both ways, it is the same as reachable.
bool wend__version_connected(const wend__version *version, int32_t mover, wend_cell a, wend_cell b);

/// The component of a cell that is open in this version (or ground), links not counted, as a number that is the same for
/// two cells of it exactly if they are connected. Any kind of map. Cost: O(log side).
uint64_t wend__component_of(const wend__version *ground, wend_cell cell);

#endif
