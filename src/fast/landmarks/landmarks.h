/* SPDX-License-Identifier: MIT */
/* Internal: landmarks, and a number for every cell and landmark: a heuristic that includes obstacles (ALT).
 *
 * By the triangle inequality a way from a to b costs at least | d(a) - d(b) |, where d is the cost from a landmark
 * (Goldberg and Harrelson 2005; Sturtevant, Felner, Barrer, Schaeffer and Burch 2009 on grids). d need not be a
 * distance: it is enough that the two ends of every step differ by no more than the step costs. A *number* is such a d,
 * in units that a scale chooses. docs/design/landmarks.md has the proof.
 *
 * Numbers lie in strips of 1,024 cells, a quarter of a chunk, which versions share until a number is lowered. A cell
 * has a *code* of 16 bits for each landmark. In most strips the number is a base and the code. Where walls part cells
 * with numbers that differ by more, the strip is *paged*: the upper 6 bits of the code choose one of 64 bases. Each
 * component has landmarks of its own, under the same slots.
 *
 * On a graph with edges that cost more one way than back a landmark has two slots, with the costs from it and those to
 * it. Each bounds the cost in one direction: from a to b it is at least from(b) - from(a), and at least to(a) - to(b).
 * */

/* Tried: landmarks for all searches of A*. Where they say no more of the start than the plain estimate, A* takes 1.3
 * to 1.8 times as long with them; from a 32nd more on they pay. */
#ifndef WEND_SRC_FAST_LANDMARKS_LANDMARKS_H
#define WEND_SRC_FAST_LANDMARKS_LANDMARKS_H

#include "search/rules/bound.h"

enum {
    WEND__LANDMARK_BLOCKS = 1024, ///< most blocks of a map with landmarks, as for jump search
    WEND__LANDMARK_NONE = 0,      ///< the code of a cell without a number: nothing led to it
    WEND__LANDMARK_SPAN = 65535,  ///< the greatest code; the least is 1
    WEND__LANDMARK_WEIGHTS = 3    ///< number of weights: of straight, diagonal and space diagonal steps
};

/// The meaning of numbers. A step's weight is the most by which its ends' numbers differ, at most the step's cost.
typedef struct wend__landmark_scale {
    uint64_t rate;                            ///< cost of 1, with 24 bits behind the point, rounded down
    uint32_t weights[WEND__LANDMARK_WEIGHTS]; ///< weights of steps of factor 1, on grids and voxels
    uint32_t slack;                           ///< 1: numbers are rounded down, so a difference may be one too great
} wend__landmark_scale;

/// Shared between versions. Once searches can see a version with them, only the fields that the mutex guards change.
typedef struct wend__landmarks {
    wend__shared shared; ///< references of versions, and of landmarks with these as `parent`
    uint32_t count;      ///< number of slots, 1 to WEND__LANDMARK_SLOTS: one a landmark, or two if `directed`
    uint32_t valid;      ///< a bit for each slot that searches use, as its numbers fit all steps. Never 0
    bool directed;       ///< a graph's: an even slot has the costs from a landmark, the next one those to it
    bool unpaged;        ///< no strip may be paged: a graph's
    wend__landmark_scale scale;
    int32_t columns; ///< columns of the table of chunks
    size_t strip_count;
    size_t filled;                  ///< strips in which some cell may have a number; the others are blank
    size_t paged;                   ///< number of paged strips
    struct wend__landmarks *parent; ///< owner of the shared strips; NULL: all are own. Guarded by the mutex
    uint64_t *own;                  ///< a bit for each strip that these own; guarded by the mutex
    const uint32_t *strips[];       ///< four a chunk, see wend__landmark_cell
} wend__landmarks;

WEND__INLINE bool wend__landmark_has(wend__landmark_cell cell, unsigned slot) {
    return cell.codes[slot] != WEND__LANDMARK_NONE;
}

static inline size_t wend__landmark_strip(const wend__landmarks *l, wend__place place) {
    const size_t chunk = (size_t)place.row * (size_t)l->columns + (size_t)place.column;
    return chunk << 2 | place.local >> WEND__STRIP_SHIFT;
}

static inline wend__landmark_cell wend__landmark_at(const wend__landmarks *l, wend__place place) {
    return wend__landmark_cell_in(l->strips[wend__landmark_strip(l, place)], l->count,
                                  place.local & (WEND__STRIP_CELLS - 1));
}

/// The slots of `landmarks` landmarks. @param graph   the map's; NULL: it is none
uint32_t wend__landmark_slots(const wend__graph *graph, uint32_t landmarks);

/// Returns true if a version has landmarks that searches can use.
static inline bool wend__landmarks_usable(const wend__version *v) {
    return v->landmarks != NULL;
}

#endif
