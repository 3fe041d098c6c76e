/* SPDX-License-Identifier: MIT */
/* Internal: planes, bits, closed steps and blocks, which versions share by counting references. */
#ifndef WEND_SRC_MAP_STORE_PLANES_H
#define WEND_SRC_MAP_STORE_PLANES_H

#include "map/store/map_layout.h"

/// Masks and open bits that all maps share: every neighbour, or voxel, open, and none.
extern const wend__plane wend__masks_open, wend__masks_closed;
extern const wend__bits wend__voxels_open, wend__voxels_blocked;
bool wend__closed_alike(const wend__closed *a, const wend__closed *b); ///< NULL: no step is closed
wend__block *wend__block_create(wend_map *map);                        ///< its chunks are still to be written
wend__block *wend__block_copy(wend_map *map, const wend__block *from); ///< without jump tables
/// With the mutex held: release what a block's chunks hold; and remove a user of its jump tables, if it has any. The
/// last one releases them.
void wend__block_release_chunks(wend__family *family, const wend__block *block);
void wend__block_release_jumps(wend__family *family, wend__block *block);
/// Sum up a block's largest factor from its chunks'.
void wend__block_sum(wend__block *block);

#endif
