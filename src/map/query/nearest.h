/* SPDX-License-Identifier: MIT */
/* Internal: distances that say which cell is nearest, and the nearest cell of a component. */
#ifndef WEND_SRC_MAP_QUERY_NEAREST_H
#define WEND_SRC_MAP_QUERY_NEAREST_H

#include "map/store/map_layout.h"

/// On grids and voxels: the cell nearest to `goal`, by the measure of wend_map_nearest_open(), in the component of
/// `start`, which is open; links do not count. False: no cell within max_cells is certain to be the nearest.
/// Cost: O(cells looked at x log side).
bool wend__nearest_connected(const wend__version *version, int32_t mover, wend_cell start, wend_cell goal,
                             int32_t max_cells, wend_cell *out);

/// The measure of nearest on grids and voxels: the cost of the way on an empty map to a cell that far away along each
/// axis. On graphs, below: the square of the distance, less than 2^66.
uint64_t wend__empty_way(const wend_map_rules *rules, uint32_t a, uint32_t b, uint32_t c);
typedef struct wend__nearness {
    uint64_t high, low; ///< less is nearer
} wend__nearness;
wend__nearness wend__square_distance(wend_cell a, wend_cell b);

/// Ties between equally near cells go to the lower z, then y, then x.
static inline bool wend__earlier(wend_cell a, wend_cell b) {
    return a.z != b.z ? a.z < b.z : a.y != b.y ? a.y < b.y : a.x < b.x;
}

static inline bool wend__nearer(wend__nearness a, wend__nearness b) {
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

#endif
