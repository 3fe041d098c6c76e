/* SPDX-License-Identifier: MIT */
/* Internal: voxels: open bits of chunks, and the steps out of a voxel, which searches need at each expansion. */
#ifndef WEND_SRC_MAP_KINDS_VOXELS_H
#define WEND_SRC_MAP_KINDS_VOXELS_H

#include "map/store/planes.h"

/// All 27 cells around a place and the place itself.
#define WEND__VOXEL_ALL_NEAR UINT32_C(0x7FFFFFF)

/// Returns true if all neighbours of this place are in its chunk: no coordinate is 0 or 15: two adjacent bits differ.
static inline bool wend__voxel_inside(uint32_t local) {
    return ((((local ^ local >> 1) & 0x777u) + 0x777u) & 0x888u) == 0x888u;
}

/// The open cells around such a place: bit (dz + 1) * 9 + (dy + 1) * 3 + dx + 1; bit 13 is the place itself. Each layer
/// has three rows of 16 bits, in one word or two: they are shifted down, then each row's three bits are put together.
static inline uint32_t wend__voxel_near_inside(const wend__bits *open, uint32_t local) {
    const uint32_t at = local - 0x111, shift = at & 63, below = at >> 6, above = (at + 0x20) >> 6;
    uint32_t near = 0;
    for (uint32_t z = 0; z < 3; z++) {
        uint64_t rows = open->rows[below + 4 * z] >> shift | open->rows[above + 4 * z] << 1 << (63 - shift);
        rows &= UINT64_C(0x0000000700070007);
        near |= (uint32_t)((rows | rows >> 13 | rows >> 26) & 511) << 9 * z;
    }
    return near;
}

/// Returns the steps that the rules allow for these open cells, without regard to closed steps.
uint32_t wend__voxel_rule_steps(const wend__version *version, uint32_t near);

/// The steps if all cells around are open.
static inline uint32_t wend__voxel_every_step(const wend__version *version) {
    return (UINT32_C(1) << version->rules.neighbours) - 1;
}

/// The steps, of the 26, out of a voxel that is on the map, open or not.
uint32_t wend__voxel_steps(const wend__version *version, wend_cell cell);

/// wend__voxel_steps(version, cell), for callers that know the cell's chunk and place.
static inline uint32_t wend__voxel_steps_at(const wend__version *version, const wend__chunk *chunk, uint32_t local,
                                            wend_cell cell) {
    if (chunk->closed_near || !wend__voxel_inside(local)) return wend__voxel_steps(version, cell);
    if (chunk->open == &wend__voxels_open) return wend__voxel_every_step(version);
    uint32_t near = wend__voxel_near_inside(chunk->open, local);
    return near == WEND__VOXEL_ALL_NEAR ? wend__voxel_every_step(version) : wend__voxel_rule_steps(version, near);
}

/// Derives a chunk's open bits, largest factor and `closed_near` from its terrain. No other version holds its block.
wend_error wend__voxels_derive(const wend__version *version, wend__chunk *chunk, int32_t column, int32_t row);
/// Returns true if the chunk already has all this.
bool wend__voxels_derived(const wend__version *version, const wend__chunk *chunk, int32_t column, int32_t row);
/// How many cells of a chunk are on the map, in x, y and z.
typedef struct wend__extent {
    unsigned width, height, depth;
} wend__extent;
wend__extent wend__voxels_extent(const wend__version *version, int32_t column, int32_t row);
/// Returns which of a row of 64 places, four rows of cells, are on the map.
uint64_t wend__voxels_on_map(const wend__extent *extent, unsigned row);
/// Gives places beyond the map's rim the class of the chunk's first cell, so that the chunk has as few classes as
/// possible. No other version holds its block.
void wend__voxels_paint_rim(wend__chunk *chunk, wend__extent extent);
/// If one of a chunk's two classes is open, makes bit 1 stand for it, so that the same bits serve as open bits.
void wend__voxels_orient_bits(wend__chunk *chunk, const uint8_t factors[256], wend__extent extent);

#endif
