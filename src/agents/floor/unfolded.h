/* SPDX-License-Identifier: MIT */
/* Internal: the ground near a seam as an agent meets it from its cell: by places, from cell to cell over seams, never
 * through a floor. A body's points over a seam keep the numbers of its own sheet. */
#ifndef WEND_SRC_AGENTS_FLOOR_UNFOLDED_H
#define WEND_SRC_AGENTS_FLOOR_UNFOLDED_H

#include "agents/floor/vectors.h"
#include "map/ground/ground.h"

enum {
    WEND__UNFOLDED_REACH = 10, ///< cells to each side
    WEND__UNFOLDED_SIDE = 2 * WEND__UNFOLDED_REACH + 1,
    WEND__UNFOLDED_CELLS = WEND__UNFOLDED_SIDE * WEND__UNFOLDED_SIDE,
    WEND__UNFOLDED_SHIFTS = 8, ///< most sheets with shifted numbers; more are not seen
    WEND__UNFOLDED_NONE = 255,
    WEND__NEAR_SEAM = 9,      ///< cells to a seam, also of steps to the side of it, within which a sight is needed
    WEND__UNFOLDED_KEPT = 256 ///< kept at once
};

/// A picture of the ground. Nothing depends on movers: classes other than 0 count as ground.
typedef struct wend__unfolded {
    bool made;
    uint64_t serial; ///< serial of the version
    wend_cell cell;  ///< cell in the middle
    uint32_t shift_count;
    wend_cell shifts[WEND__UNFOLDED_SHIFTS]; ///< the map's cell of a place is the place plus this
    uint8_t of[WEND__UNFOLDED_CELLS];        ///< row by row: its shift; WEND__UNFOLDED_NONE: nothing is there
    uint8_t walls[WEND__UNFOLDED_CELLS];     ///< WEND__WALL_… and WEND__LEDGE_… at edges between two ground cells
} wend__unfolded;

/// Makes the picture round a cell. Cost: some 20 us.
void wend__unfold(const wend__version *version, wend_cell cell, wend__unfolded *out);
/// Returns whether a step leads from a cell straight in a direction, on the map or over a seam, and where; it may be
/// blocked.
bool wend__unfolded_step(const wend__version *version, wend_cell from, unsigned d, wend_cell *to);

static inline uint32_t wend__unfolded_index(const wend__unfolded *sight, int32_t x, int32_t y) {
    const uint32_t column = (uint32_t)(x - sight->cell.x + WEND__UNFOLDED_REACH);
    const uint32_t row = (uint32_t)(y - sight->cell.y + WEND__UNFOLDED_REACH);
    if (column >= WEND__UNFOLDED_SIDE || row >= WEND__UNFOLDED_SIDE) return WEND__UNFOLDED_CELLS;
    return row * WEND__UNFOLDED_SIDE + column;
}

/// Returns the shift of a place; WEND__UNFOLDED_NONE: it is not seen.
static inline uint8_t wend__unfolded_shift(const wend__unfolded *sight, int32_t x, int32_t y) {
    const uint32_t index = wend__unfolded_index(sight, x, y);
    return index == WEND__UNFOLDED_CELLS ? WEND__UNFOLDED_NONE : sight->of[index];
}

/// Returns the WEND__WALL_… of a place that is seen.
static inline uint8_t wend__unfolded_walls(const wend__unfolded *sight, int32_t x, int32_t y) {
    const uint32_t index = wend__unfolded_index(sight, x, y);
    return index == WEND__UNFOLDED_CELLS ? 0 : sight->walls[index];
}

/// Returns the cell at a place; one off the map where nothing is seen.
static inline wend_cell wend__unfolded_cell(const wend__unfolded *sight, int32_t x, int32_t y) {
    const uint8_t shift = wend__unfolded_shift(sight, x, y);
    if (shift == WEND__UNFOLDED_NONE) return (wend_cell){-1, -1, 0};
    return (wend_cell){x + sight->shifts[shift].x, y + sight->shifts[shift].y, 0};
}

#endif
