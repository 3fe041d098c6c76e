/* SPDX-License-Identifier: MIT */
/* Internal: where a walker can stand in one chunk, and how far it can rise there. */
#ifndef WEND_SRC_MAP_MOVERS_STANDING_H
#define WEND_SRC_MAP_MOVERS_STANDING_H

#include "map/kinds/walkers.h"
#include <wend/movers.h>

/// Chunks of the column that standing depends on: from one below (the floor) to two above (headroom and its levels).
enum { WEND__STANDING_BELOW = 1, WEND__STANDING_ABOVE = 2 };

/// A layer of a chunk in four parts of 64 cells: a row of a chunk is one of them, in one layer.
enum { WEND__STANDING_PARTS = 4 };

/// Computes the walker's factors in parts of a chunk, 0 where it cannot stand, and how far it can rise: see
/// wend__footing.
/// @param parts   a bit for each part; nothing of the others is written
/// @return false: it stands nowhere in these parts
/// Cost: O(cells + (headroom + levels) of each column).
bool wend__standing(const wend__version *version, const wend_mover *mover, int32_t column, int32_t row, unsigned parts,
                    uint8_t factors[WEND__CHUNK_CELLS], uint8_t rise[WEND__CHUNK_CELLS]);
/// Returns the rows of a chunk on which standing depends in the chunk that is so many chunks below it; negative: above.
uint64_t wend__standing_read(const wend_mover *mover, int32_t chunks);

#endif
