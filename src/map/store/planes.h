/* SPDX-License-Identifier: MIT */
/* Internal: planes, bits, closed steps and blocks, which versions share by counting references. */
#ifndef WEND_SRC_MAP_STORE_PLANES_H
#define WEND_SRC_MAP_STORE_PLANES_H

#include "map/store/map_layout.h"

/// Masks and open bits that all maps share: every neighbour, or voxel, open, and none. Their references are not
/// counted.
extern const wend__plane wend__masks_open, wend__masks_closed;
extern const wend__bits wend__voxels_open, wend__voxels_blocked;
/// A plane with one reference, whose bytes are still to be written; NULL: out of memory.
wend__plane *wend__plane_create(wend_map *map);
void wend__plane_retain(wend_map *map, const wend__plane *plane);
void wend__plane_release(wend_map *map, const wend__plane *plane); ///< NULL is ignored
wend__bits *wend__bits_create(wend_map *map);                      ///< like wend__plane_create()
void wend__bits_retain(wend_map *map, const wend__bits *bits);     ///< NULL is ignored
void wend__bits_release(wend_map *map, const wend__bits *bits);    ///< NULL is ignored
wend__closed *wend__closed_create(wend_map *map); ///< one reference, no step closed; NULL: out of memory
void wend__closed_retain(wend_map *map, const wend__closed *closed);
void wend__closed_release(wend_map *map, const wend__closed *closed);  ///< NULL is ignored
bool wend__closed_alike(const wend__closed *a, const wend__closed *b); ///< NULL: no step is closed
wend__block *wend__block_create(wend_map *map);                        ///< its chunks are still to be written
wend__block *wend__block_copy(wend_map *map, const wend__block *from); ///< without jump tables
void wend__block_release(wend_map *map, wend__block *block);
/// Sum up a block's largest factor from its chunks'.
void wend__block_sum(wend__block *block);

#endif
