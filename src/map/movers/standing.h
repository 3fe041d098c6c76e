/* SPDX-License-Identifier: MIT */
/* Internal: where a walker can stand in one chunk, and how far it can rise there. */
#ifndef WEND_SRC_MAP_MOVERS_STANDING_H
#define WEND_SRC_MAP_MOVERS_STANDING_H

#include "map/kinds/walkers.h"
#include <wend/movers.h>

/// Chunks of the column that standing depends on: from one below (the floor) to two above (headroom and its levels).
enum { WEND__STANDING_BELOW = 1, WEND__STANDING_ABOVE = 2 };

/// Computes the walker's factors in a chunk, 0 where it cannot stand, and how far it can rise: see wend__footing.
/// @return false: it stands nowhere. Then `rise` is not written
/// Cost: O(cells + (headroom + levels) of each column).
bool wend__standing(const wend__version *version, const wend_mover *mover, int32_t column, int32_t row,
                    uint8_t factors[WEND__CHUNK_CELLS], uint8_t rise[WEND__CHUNK_CELLS]);

#endif
