/* SPDX-License-Identifier: MIT */
/* Internal: landmarks, and how far every cell is from each: what lets a search aim round what lies between it and its goal.
 *
 * By the triangle inequality a way from a to b costs at least | d(a) - d(b) |, d being the cost from a landmark (Goldberg and
 * Harrelson 2005; Sturtevant, Felner, Barrer, Schaeffer and Burch 2009 on grids). For that d need not be a distance: any
 * numbers will do that differ by no more than a step costs, for each step that there is. So distances once worked out are never
 * changed: a step that is gone takes nothing away from that, nor one that comes back. Where a step is new that makes a short
 * cut, or leads to a cell that was blocked when they were made, the version has them no more.
 *
 * Each component has landmarks of its own, under the same numbers. */
#ifndef WEND_SRC_LANDMARKS_H
#define WEND_SRC_LANDMARKS_H

#include "map/map_internal.h"

enum {
    WEND__LANDMARK_FAR = (1 << 27) - 1, ///< most that a cell of a map with landmarks is from one, in units
    WEND__LANDMARK_BLOCKS = 1024        ///< most blocks of a map with landmarks, as of one that jump search serves
};

/// Shared by all versions that hold it; immutable once one can be seen.
typedef struct wend__landmarks {
    uint32_t references; ///< guarded by the map's mutex
    uint32_t count;      ///< 1 to WEND_MAX_LANDMARKS
    size_t bytes;
    uint32_t straight, diagonal;  ///< what steps cost, in units: the greatest common divisor of the rules' costs
    int32_t columns;              ///< chunks
    _Alignas(64) uint32_t from[]; ///< wend__landmark_index(): units, by landmark; UINT32_MAX: a cell that was blocked
} wend__landmarks;

/// Where the numbers of a cell begin.
static inline size_t wend__landmark_index(const wend__landmarks *l, int32_t x, int32_t y) {
    const size_t chunk = (size_t)(y >> WEND__CHUNK_SHIFT) * (size_t)l->columns + (size_t)(x >> WEND__CHUNK_SHIFT);
    return (chunk << 2 * WEND__CHUNK_SHIFT | (size_t)(y & 63) << WEND__CHUNK_SHIFT | (size_t)(x & 63)) * l->count;
}

/// What a way between two cells costs at least, by their numbers of one landmark.
static inline uint32_t wend__landmark_apart(uint32_t a, uint32_t b) {
    return a > b ? a - b : b - a;
}

#endif
