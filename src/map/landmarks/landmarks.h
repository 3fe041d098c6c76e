/* SPDX-License-Identifier: MIT */
/* Internal: landmarks, and how far every cell is from each: what lets a search aim round what lies between it and its goal.
 *
 * By the triangle inequality a way from a to b costs at least | d(a) - d(b) |, d being the cost from a landmark (Goldberg and
 * Harrelson 2005; Sturtevant, Felner, Barrer, Schaeffer and Burch 2009 on grids). For that d need not be a distance: any
 * numbers will do that differ by no more than a step costs, for each step that there is. So a step that is gone takes nothing
 * away from that, nor one that comes back. Where a step is new that makes a short cut, numbers are lowered, outwards from it
 * until they fit; a landmark rests while some do not yet, and nobody goes by it.
 *
 * Numbers lie in strips of 64 x 16 cells, which versions share until one lowers any. Each component has landmarks of its own,
 * under the same numbers. */
#ifndef WEND_SRC_LANDMARKS_H
#define WEND_SRC_LANDMARKS_H

#include "map/store/map_layout.h"

enum {
    WEND__LANDMARK_FAR = (1 << 27) - 1, ///< most that a cell of a map with landmarks is from one, in units
    WEND__LANDMARK_NONE = UINT32_MAX,   ///< of a cell that was blocked, and has had no step to any other since
    WEND__LANDMARK_BLOCKS = 1024,       ///< most blocks of a map with landmarks, as of one that jump search serves
    WEND__STRIP_SHIFT = 4,              ///< strips are as wide as a chunk, and so high
    WEND__STRIP_CELLS = WEND__CHUNK_SIDE << WEND__STRIP_SHIFT
};

/// Cells whose numbers were lowered while those beside them have not been held against that yet: number << 32 | cell, counted
/// row by row. Where a cell's number is another now, it is none of them.
typedef struct wend__repair_queue {
    uint64_t *cells;
    size_t count, room;
} wend__repair_queue;

/// Shared by all versions that hold them; nothing but what the mutex guards changes once a version with them can be seen.
typedef struct wend__landmarks {
    uint32_t references;         ///< versions, and landmarks whose `parent` these are; guarded by the map's mutex
    uint32_t count;              ///< 1 to WEND_MAX_LANDMARKS
    uint32_t valid;              ///< which of them suit all steps, a bit each
    uint32_t straight, diagonal; ///< what steps cost, in units: the greatest common divisor of the rules' costs
    int32_t columns;             ///< of strips: the map's chunks
    size_t strip_count;
    struct wend__landmarks *parent; ///< whose strips these have but for their own; NULL: all are. Guarded by the mutex
    uint64_t *own;                  ///< which strips are these landmarks' own, a bit each; guarded likewise
    wend__repair_queue repairs[WEND_MAX_LANDMARKS]; ///< of those that rest; neither standing nor resting: given up
    const uint32_t *strips[]; ///< row by row; in each the numbers of a cell side by side, in units
} wend__landmarks;

static inline size_t wend__landmark_strip(const wend__landmarks *l, int32_t x, int32_t y) {
    return (size_t)(y >> WEND__STRIP_SHIFT) * (size_t)l->columns + (size_t)(x >> WEND__CHUNK_SHIFT);
}

/// Where the numbers of a cell begin in its strip.
static inline size_t wend__landmark_place(const wend__landmarks *l, int32_t x, int32_t y) {
    return (size_t)((y & ((1 << WEND__STRIP_SHIFT) - 1)) << WEND__CHUNK_SHIFT | (x & (WEND__CHUNK_SIDE - 1))) *
           l->count;
}

/// The numbers of a cell, by landmark.
static inline const uint32_t *wend__landmark_numbers(const wend__landmarks *l, int32_t x, int32_t y) {
    return l->strips[wend__landmark_strip(l, x, y)] + wend__landmark_place(l, x, y);
}

/// Which of them rest, a bit each.
static inline uint32_t wend__landmarks_in_repair(const wend__landmarks *l) {
    uint32_t resting = 0;
    for (uint32_t i = 0; i < l->count; i++) resting |= (uint32_t)(l->repairs[i].count > 0) << i;
    return resting;
}

/// Has a version any that searches can go by?
static inline bool wend__landmarks_usable(const wend__version *v) {
    return v->landmarks && v->landmarks->valid;
}

/// What a way between two cells costs at least, by their numbers of one landmark.
static inline uint32_t wend__landmark_apart(uint32_t a, uint32_t b) {
    return a > b ? a - b : b - a;
}

#endif
