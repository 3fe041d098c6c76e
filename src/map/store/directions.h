/* SPDX-License-Identifier: MIT */
/* Internal: the directions of grids and of voxels. */
#ifndef WEND_SRC_MAP_STORE_DIRECTIONS_H
#define WEND_SRC_MAP_STORE_DIRECTIONS_H

#include "base/base.h"
#include <wend/map.h>

/* Directions, as bits of a mask and in node records: straight ones first, clockwise from north. */
enum { WEND__N, WEND__E, WEND__S, WEND__W, WEND__NE, WEND__SE, WEND__SW, WEND__NW, WEND__DIRECTIONS };
/* The steps between hexagons in axial coordinates: across a side of each. */
enum { WEND__HEX_STEPS = 15 | 1 << WEND__NE | 1 << WEND__SW };
extern const int8_t wend__dx[WEND__DIRECTIONS], wend__dy[WEND__DIRECTIONS];

/* The 26 directions of voxels: straight ones first (north, east, south, west, up, down), then the flat diagonals, then
 * those in space; within each group by z, then y, then x. */
enum { WEND__SPACE_DIRECTIONS = 26, WEND__SPACE_FLAT = 6, WEND__SPACE_SPACE = 18 };
extern const int8_t wend__sx[WEND__SPACE_DIRECTIONS], wend__sy[WEND__SPACE_DIRECTIONS],
    wend__sz[WEND__SPACE_DIRECTIONS];

/// Returns the number of steps between two hexagons that lie that far apart in axial coordinates.
WEND__INLINE uint32_t wend__hexagons(int32_t dx, int32_t dy) {
    const uint32_t x = (uint32_t)(dx < 0 ? -dx : dx), y = (uint32_t)(dy < 0 ? -dy : dy), longer = x > y ? x : y;
    return (dx ^ dy) < 0 ? longer : x + y;
}

/// The direction of each offset: by z, y, x from -1 to 1 each; -1: not a step.
extern const int8_t wend__flat_directions[9], wend__space_directions[27];

static inline bool wend__is_unit(int32_t offset) {
    return (uint32_t)offset + 1 < 3;
}

/// Returns the direction of an offset, among the 8 and among the 26; -1: it has none.
static inline int32_t wend__flat_direction(int32_t dx, int32_t dy) {
    return wend__is_unit(dx) && wend__is_unit(dy) ? wend__flat_directions[dy * 3 + dx + 4] : -1;
}

static inline int32_t wend__space_direction(int32_t dx, int32_t dy, int32_t dz) {
    bool near = wend__is_unit(dx) && wend__is_unit(dy) && wend__is_unit(dz);
    return near ? wend__space_directions[dz * 9 + dy * 3 + dx + 13] : -1;
}

/// Returns the direction that leads back, of the 8.
static inline unsigned wend__opposite(unsigned direction) {
    return direction ^ 2;
}

#endif
