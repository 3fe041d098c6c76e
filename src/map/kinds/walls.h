/* SPDX-License-Identifier: MIT */
/* Internal: closed steps of a grid, and the thin walls that they form. */
#ifndef WEND_SRC_MAP_KINDS_WALLS_H
#define WEND_SRC_MAP_KINDS_WALLS_H

#include "map/store/map_layout.h"

/// Returns the closed steps out of a cell of the map: bit d is direction d, of the 8 or of the 26. Cost: O(1).
uint32_t wend__closed_at(const wend__version *version, wend_cell cell);

/// Thin walls inside a chunk. Bit x of row y: there is one between that cell and its neighbour in that direction.
typedef struct wend__walls {
    uint64_t east[WEND__CHUNK_SIDE], south[WEND__CHUNK_SIDE];
    uint64_t south_east[WEND__CHUNK_SIDE], south_west[WEND__CHUNK_SIDE]; ///< 0 where diagonal steps do not connect
} wend__walls;
void wend__walls_of(const wend__closed *closed, bool diagonal, wend__walls *out);
/// Returns a row of `east`.
uint64_t wend__walls_east(const wend__closed *closed, unsigned y);
/// Returns true if a thin wall separates a cell and its neighbour in direction d. Both are on the map.
bool wend__walled(const wend__version *version, int32_t x, int32_t y, unsigned d);

#endif
