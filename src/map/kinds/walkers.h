/* SPDX-License-Identifier: MIT */
/* Internal: walkers: movers that need a floor. The open cells of a walker's view are those on which it can stand.
 *
 * Steps in a plane, and straight up and down on stairs, are among the 26 directions: wend__voxel_steps(). Steps to
 * another level are listed here. A step between two levels needs open cells above its lower end, whichever way it
 * leads; so a view stores for each cell how far the walker can rise there. */
#ifndef WEND_SRC_MAP_KINDS_WALKERS_H
#define WEND_SRC_MAP_KINDS_WALKERS_H

#include "map/store/map_layout.h"

enum {
    WEND__RISE_LEVELS = 15,  ///< mask of open cells above the headroom, at most 15
    WEND__RISE_STAIRS = 0x80 ///< the cell is of class WEND_CLASS_STAIRS
};

/// The open bits of a chunk of a walker's view, and how far it can rise: 0 where it cannot stand. A chunk without such
/// cells has wend__voxels_blocked instead.
typedef struct wend__footing {
    wend__bits open; ///< first member, as chunks point to it
    uint8_t rise[WEND__CHUNK_CELLS];
} wend__footing;

/// Returns NULL if these are not the open bits of a walker's view, or are those of a chunk without cells to stand on.
static inline const wend__footing *wend__footing_of(const wend__bits *open) {
    return open->shared.bytes == sizeof(wend__footing) ? (const wend__footing *)(const void *)open : NULL;
}

static inline bool wend__is_walker(const wend__version *view) {
    return view->walker.headroom > 0;
}

/// Returns the steps, of the 26, that a walker can take: in its plane, and on stairs.
uint32_t wend__walker_steps(const wend__version *view, wend_cell cell, uint32_t steps);

typedef struct wend__level_step {
    wend_cell cell;
    uint32_t cost; ///< cost onto a cell of factor 1
} wend__level_step;

enum { WEND__LEVEL_STEPS = 4 * 2 * WEND_MAX_LEVELS };

/// List the steps out of a cell to other levels, on stairs excepted: north, east, south, west, each upwards from the
/// lowest. Into: the steps that lead to the cell, from cells on which the walker can stand.
/// @param out   has room for WEND__LEVEL_STEPS
/// @return how many there are; 0 for movers that are no walkers
/// Cost: O(step_up + drop).
uint32_t wend__level_steps(const wend__version *view, wend_cell cell, bool into, wend__level_step *out);

/// Returns the cost of such a step onto a cell of factor 1; UINT64_MAX: there is none. The walker can stand on `to`.
uint64_t wend__level_step_cost(const wend__version *view, wend_cell from, wend_cell to);

#endif
