/* SPDX-License-Identifier: MIT */
/* Internal: what a heuristic may add to the distance: lower bounds of the cost from a cell to the nearest goal, by the
 * numbers of cells. src/fast/landmarks makes the numbers; without that room no version has any.
 *
 * A search sets up its bounds once, when it begins: the two landmarks that say most of start and goals, and the
 * interval that the goals' distances from each of them lie in. Outside of the interval a cell is at least as far from
 * every goal as it is from the interval. The bound is admissible, and consistent: it differs between the ends of a step
 * by no more than the step costs. So does the greater of it and of any other consistent bound. On a graph it may differ
 * by more, where numbers are rounded: there the bound is admissible only. */
#ifndef WEND_SRC_SEARCH_RULES_BOUND_H
#define WEND_SRC_SEARCH_RULES_BOUND_H

#include "map/store/map_layout.h"

enum {
    WEND__LANDMARK_SLOTS = 2 * WEND_MAX_LANDMARKS,
    WEND__LANDMARK_PAGES = 64, ///< bases of a landmark in a paged strip
    WEND__LANDMARK_PAGE_BITS = 10,
    WEND__LANDMARK_FRACTION = 24, ///< bits of a rate behind the point
    WEND__STRIP_SHIFT = 10,
    WEND__STRIP_CELLS = 1 << WEND__STRIP_SHIFT
};

/// A cell's numbers. A strip has a word that marks it as paged, `count` bases or as many times 64, and the
/// cells' codes side by side.
typedef struct wend__landmark_cell {
    const uint32_t *strip;
    const uint16_t *codes;
} wend__landmark_cell;

/// Words before the codes, an even number.
WEND__INLINE size_t wend__landmark_head(uint32_t count, bool paged) {
    return (1 + (paged ? (size_t)count * WEND__LANDMARK_PAGES : count) + 1) & ~(size_t)1;
}

WEND__INLINE wend__landmark_cell wend__landmark_cell_in(const uint32_t *strip, uint32_t count, size_t cell) {
    const size_t head = wend__landmark_head(count, strip[0] != 0);
    return (wend__landmark_cell){strip, (const uint16_t *)(const void *)(strip + head) + cell * count};
}

/// Returns the number from one landmark. The cell has numbers.
WEND__INLINE uint32_t wend__landmark_number(wend__landmark_cell cell, unsigned slot) {
    const uint32_t code = cell.codes[slot];
    if (WEND__LIKELY(cell.strip[0] == 0)) return cell.strip[1 + slot] + code;
    return cell.strip[1 + slot * WEND__LANDMARK_PAGES + (code >> WEND__LANDMARK_PAGE_BITS)] +
           (code & ((1u << WEND__LANDMARK_PAGE_BITS) - 1));
}

enum {
    WEND__BOUND_LANDMARKS = 2,    ///< landmarks that a search uses
    WEND__BOUND_GOAL_CELLS = 4096 ///< goal cells that are read; a search with more has no landmark bounds
};

typedef struct wend__landmark_bounds {
    const struct wend__landmarks *landmarks; ///< NULL: none, and no bound may be computed
    const uint32_t *const *strips;           ///< strips of the landmarks
    size_t columns;                          ///< columns of the table of chunks
    uint32_t count;                          ///< number of slots
    uint64_t rate;                           ///< cost of a difference of one number, in the search's unit
    uint32_t slot[WEND__BOUND_LANDMARKS];    ///< slots of these landmarks; may contain one twice
    int32_t least[WEND__BOUND_LANDMARKS];    ///< the goals' least number in each; -1 if lower numbers give no bound
    int32_t greatest[WEND__BOUND_LANDMARKS]; ///< the goals' greatest; INT32_MAX if higher numbers give no bound
    int32_t slack;                           ///< amount by which a difference of numbers may be too great
} wend__landmark_bounds;

/// The goals of a search: cells, and all cells within `reach` of them (by the greatest of dx, dy and dz). Without
/// links, a search meets the rim of that box first, and cells inside may have bounds above 0.
typedef struct wend__landmark_goals {
    const wend_cell *cells;
    uint32_t count;
    int32_t reach;
} wend__landmark_goals;

/// Bounds by all landmarks of a graph, for a search with one goal. A node's numbers lie in one cache line, and
/// reading them takes longer than comparing them; so a search uses all.
typedef struct wend__node_bounds {
    const struct wend__landmarks *landmarks; ///< NULL: none, and no bound may be computed
    const uint32_t *const *strips;           ///< strips of the landmarks; none is paged
    uint32_t count;                          ///< number of slots
    uint32_t rate;                           ///< cost of a difference of one number
    int32_t slack;                           ///< amount by which a difference of numbers may be too great
    int32_t least[WEND__LANDMARK_SLOTS], greatest[WEND__LANDMARK_SLOTS]; ///< as in wend__landmark_bounds
} wend__node_bounds;

/// The functions that set up bounds on versions with landmarks, as data of a table above.
typedef struct wend__bound_setup {
    uint64_t (*init)(wend__landmark_bounds *bounds, const wend__version *view, wend_cell start,
                     const wend__landmark_goals *goals, uint32_t unit);
    uint64_t (*init_node)(wend__node_bounds *bounds, const wend__version *version, uint32_t start, uint32_t goal);
} wend__bound_setup;
extern const wend__bound_setup wend__bound_hooks;

/// Sets up the landmark bounds of a search.
/// @param view   the version as the search's mover sees it; of a graph the version
/// @param unit   bounds are counted in this many units of the map's costs, of which all costs are multiples; at least 1
/// @return the bound from the start; 0 also where there are no landmark bounds
/// Cost: O(cells on the rims of goals; with links all goal cells), at most WEND__BOUND_GOAL_CELLS.
static inline uint64_t wend__landmark_bounds_init(wend__landmark_bounds *landmark_bounds, const wend__version *view,
                                                  wend_cell start, const wend__landmark_goals *goals, uint32_t unit) {
    landmark_bounds->landmarks = NULL;
    return view->landmarks ? wend__bound_hooks.init(landmark_bounds, view, start, goals, unit) : 0;
}

/// Returns the bound by a cell's numbers.
WEND__INLINE uint64_t wend__landmark_bound_by(const wend__landmark_bounds *b, wend__landmark_cell cell) {
    int32_t most = b->slack;
    for (unsigned i = 0; i < WEND__BOUND_LANDMARKS; i++) {
        const int32_t at = (int32_t)wend__landmark_number(cell, b->slot[i]);
        const int32_t beyond = at - b->greatest[i], below = b->least[i] - at;
        if (beyond > most) most = beyond;
        if (below > most) most = below;
    }
    const uint64_t part =
        (UINT64_C(1) << WEND__LANDMARK_FRACTION) - 1; /* part of a unit: costs are whole numbers, so this rounds up */
    return ((uint64_t)(uint32_t)(most - b->slack) * b->rate + part) >> WEND__LANDMARK_FRACTION;
}

/// Returns the bound from a cell that can be entered, by its place: wend__place_of().
WEND__INLINE uint64_t wend__landmark_bound_at(const wend__landmark_bounds *b, wend__place place) {
    const size_t chunk = (size_t)place.row * b->columns + (size_t)place.column;
    const uint32_t *strip = b->strips[chunk << 2 | place.local >> WEND__STRIP_SHIFT];
    return wend__landmark_bound_by(b, wend__landmark_cell_in(strip, b->count, place.local & (WEND__STRIP_CELLS - 1)));
}

/// The same, of a cell of a grid.
WEND__INLINE uint64_t wend__landmark_bound(const wend__landmark_bounds *b, int32_t x, int32_t y) {
    return wend__landmark_bound_at(b, wend__place_in(WEND_KIND_GRID, 0, (wend_cell){x, y, 0}));
}

/* ---- a single goal on a graph ---- */

/// The same on a graph. @return the bound from the start; 0 also where there are no landmark bounds. Cost: O(slots).
static inline uint64_t wend__node_bounds_init(wend__node_bounds *landmark_bounds, const wend__version *version,
                                              uint32_t start, uint32_t goal) {
    landmark_bounds->landmarks = NULL;
    return version->landmarks ? wend__bound_hooks.init_node(landmark_bounds, version, start, goal) : 0;
}

/// The place of a node's codes, to be fetched ahead.
WEND__INLINE const uint16_t *wend__node_codes(const wend__node_bounds *b, uint32_t node) {
    const uint32_t *const strip = b->strips[node >> WEND__STRIP_SHIFT];
    return (const uint16_t *)(const void *)(strip + wend__landmark_head(b->count, false)) +
           (size_t)(node & (WEND__STRIP_CELLS - 1)) * b->count;
}

/// The greatest difference of `count` slots, at least `most`. Compilers make vectors of it where the count is constant.
WEND__INLINE int32_t wend__node_apart(const wend__node_bounds *b, const uint32_t *bases, const uint16_t *codes,
                                      uint32_t count, int32_t most) {
    for (uint32_t i = 0; i < count; i++) {
        const int32_t at = (int32_t)(bases[i] + codes[i]);
        const int32_t beyond = at - b->greatest[i], below = b->least[i] - at, apart = beyond > below ? beyond : below;
        most = apart > most ? apart : most;
    }
    return most;
}

/// Returns the bound from a node. All nodes that a search with landmark bounds meets have numbers.
WEND__INLINE uint64_t wend__node_bound(const wend__node_bounds *b, uint32_t node) {
    const uint32_t *const bases = b->strips[node >> WEND__STRIP_SHIFT] + 1;
    const uint16_t *const codes = wend__node_codes(b, node);
    const uint32_t usual = 8;
    const int32_t most = WEND__LIKELY(b->count == usual) ? wend__node_apart(b, bases, codes, usual, b->slack)
                                                         : wend__node_apart(b, bases, codes, b->count, b->slack);
    return (uint64_t)(uint32_t)(most - b->slack) * b->rate;
}

#endif
