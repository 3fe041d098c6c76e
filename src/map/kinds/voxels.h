/* SPDX-License-Identifier: MIT */
/* Internal: what lies around a voxel, and which steps lead out of it; what a search asks for each cell it expands. */
#ifndef WEND_SRC_MAP_KINDS_VOXELS_H
#define WEND_SRC_MAP_KINDS_VOXELS_H

#include "map/store/map_layout.h"
#include "map/store/planes.h"

/// All 27 cells around a place and the place itself.
#define WEND__VOXEL_ALL_NEAR UINT32_C(0x7FFFFFF)

/// Has this place of a chunk all its neighbours in the same chunk? Each of its three coordinates is neither 0 nor 15: some
/// two bits next to each other differ.
static inline bool wend__voxel_inside(uint32_t local) {
    return ((((local ^ local >> 1) & 0x777u) + 0x777u) & 0x888u) == 0x888u;
}

/// Which cells around such a place are open: bit (dz + 1) * 9 + (dy + 1) * 3 + dx + 1; bit 13 is its own. Of each layer
/// three rows, 16 bits each, which lie in one word or two, are moved down; then each row's three bits together.
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

/// The same of any cell of the map; cells beyond the rim are not open.
uint32_t wend__voxel_near(const wend__version *version, wend_cell cell);

/// The steps that the rules allow amid open and blocked cells like these, closed steps not looked at.
uint32_t wend__voxel_rule_steps(const wend__version *version, uint32_t near);

/// closed_space.c: what closed steps leave of those. O(1).
uint32_t wend__voxel_unclosed(const wend__version *version, wend_cell cell, uint32_t near, uint32_t steps);

/// Those where all cells around are open.
static inline uint32_t wend__voxel_every_step(const wend__version *version) {
    return (UINT32_C(1) << version->rules.neighbours) - 1;
}

/// Which of the 26 steps lead out of a voxel that is on the map (open or not).
uint32_t wend__voxel_steps(const wend__version *version, wend_cell cell);

/// wend__voxel_steps(version, cell) for who knows the cell's chunk and place in it.
static inline uint32_t wend__voxel_steps_at(const wend__version *version, const wend__chunk *chunk, uint32_t local,
                                            wend_cell cell) {
    if (chunk->closed_near || !wend__voxel_inside(local)) return wend__voxel_steps(version, cell);
    if (chunk->open == &wend__voxels_open) return wend__voxel_every_step(version);
    uint32_t near = wend__voxel_near_inside(chunk->open, local);
    return near == WEND__VOXEL_ALL_NEAR ? wend__voxel_every_step(version) : wend__voxel_rule_steps(version, near);
}

/// Give a chunk of voxels its open bits, its largest factor and `settled`, from its terrain, which is final. The chunk's
/// block is the draft's own, or nobody else's yet.
wend_error wend__voxels_derive(const wend__version *version, wend__chunk *chunk, int32_t column, int32_t row);
/// Would that leave the chunk as it is?
bool wend__voxels_derived(const wend__version *version, const wend__chunk *chunk, int32_t column, int32_t row);
/// How many cells of a chunk are on the map, in x, y and z.
typedef struct wend__extent {
    unsigned width, height, depth;
} wend__extent;
wend__extent wend__voxels_extent(const wend__version *version, int32_t column, int32_t row);
/// Which of a row of 64 places (four rows of cells) are on the map.
uint64_t wend__voxels_on_map(const wend__extent *extent, unsigned row);
/// Give the places of a draft's own chunk that are beyond the map's rim the class of its first cell, so that they do not
/// keep it from having one class, or two.
void wend__voxels_paint_rim(wend__chunk *chunk, wend__extent extent);
/// Let the bits of a draft's own chunk, where some are open and some blocked, be its open bits as well.
void wend__voxels_turn_bits(wend__chunk *chunk, const uint8_t factors[256], wend__extent extent);

#endif
