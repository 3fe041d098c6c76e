/* SPDX-License-Identifier: MIT */
/* Internal: landmarks, and the distance of every cell from each: an admissible heuristic that knows of obstacles (ALT).
 *
 * By the triangle inequality a way from a to b costs at least | d(a) - d(b) |, where d is the cost from a landmark
 * (Goldberg and Harrelson 2005; Sturtevant, Felner, Barrer, Schaeffer and Burch 2009 on grids). d need not be a
 * distance: it is enough that the two ends of every step differ by no more than the step costs. So removed steps never
 * make d wrong, and neither does a step that comes back. A new step that is a short cut does: then distances are
 * lowered, outwards from it, until they fit. As long as some do not fit, the landmark is in repair, and no search uses
 * it.
 *
 * Distances lie in strips of 64 x 16 cells, which versions share until one is lowered. Each component has landmarks of
 * its own, under the same numbers. */
#ifndef WEND_SRC_LANDMARKS_H
#define WEND_SRC_LANDMARKS_H

#include "map/store/map_layout.h"

enum {
    WEND__LANDMARK_FAR = (1 << 27) - 1, ///< the largest distance, in units; a map with farther cells has no landmarks
    WEND__LANDMARK_NONE = UINT32_MAX,   ///< of a cell without a distance: it was blocked and had no step since
    WEND__LANDMARK_BLOCKS = 1024,       ///< most blocks of a map with landmarks, as for jump search
    WEND__STRIP_SHIFT = 4,              ///< strips are as wide as a chunk, and 1 << 4 cells high
    WEND__STRIP_CELLS = WEND__CHUNK_SIDE << WEND__STRIP_SHIFT
};

/// Queue of cells whose distance decreased but whose neighbours are not relaxed yet: distance << 32 | cell, numbered
/// row by row. An entry is stale where the cell has another distance now.
typedef struct wend__repair_queue {
    uint64_t *cells;
    size_t count, room;
} wend__repair_queue;

/// Shared between versions. Once searches can see a version with them, only what the mutex guards changes.
typedef struct wend__landmarks {
    uint32_t references;         ///< of versions, and of landmarks whose `parent` these are; guarded by the mutex
    uint32_t count;              ///< 1 to WEND_MAX_LANDMARKS
    uint32_t valid;              ///< a bit for each whose distances fit all steps: searches use these
    uint32_t straight, diagonal; ///< costs of steps, in units of the greatest common divisor of both
    int32_t columns;             ///< of strips: the map's chunks
    size_t strip_count;
    struct wend__landmarks *parent; ///< whose other strips these share; NULL: all are own. Guarded by the mutex
    uint64_t *own;                  ///< a bit for each strip that these own; guarded by the mutex
    wend__repair_queue
        repairs[WEND_MAX_LANDMARKS]; ///< of those in repair. A landmark neither valid nor in repair is unused
    const uint32_t *strips[];        ///< row by row; in each a cell's distances side by side, in units
} wend__landmarks;

static inline size_t wend__landmark_strip(const wend__landmarks *l, int32_t x, int32_t y) {
    return (size_t)(y >> WEND__STRIP_SHIFT) * (size_t)l->columns + (size_t)(x >> WEND__CHUNK_SHIFT);
}

/// Where a cell's distances begin in its strip.
static inline size_t wend__landmark_place(const wend__landmarks *l, int32_t x, int32_t y) {
    return (size_t)((y & ((1 << WEND__STRIP_SHIFT) - 1)) << WEND__CHUNK_SHIFT | (x & (WEND__CHUNK_SIDE - 1))) *
           l->count;
}

/// A cell's distances, by landmark.
static inline const uint32_t *wend__landmark_numbers(const wend__landmarks *l, int32_t x, int32_t y) {
    return l->strips[wend__landmark_strip(l, x, y)] + wend__landmark_place(l, x, y);
}

/// A bit for each landmark in repair.
static inline uint32_t wend__landmarks_in_repair(const wend__landmarks *l) {
    uint32_t in_repair = 0;
    for (uint32_t i = 0; i < l->count; i++) in_repair |= (uint32_t)(l->repairs[i].count > 0) << i;
    return in_repair;
}

/// Has a version landmarks that searches can use?
static inline bool wend__landmarks_usable(const wend__version *v) {
    return v->landmarks && v->landmarks->valid;
}

/// The least cost of a way between two cells, by their distances from one landmark.
static inline uint32_t wend__landmark_apart(uint32_t a, uint32_t b) {
    return a > b ? a - b : b - a;
}

#endif
