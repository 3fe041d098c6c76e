/* SPDX-License-Identifier: MIT */
/* Internal: free places around a goal, in memory that the caller has. */
#ifndef WEND_SRC_CROWD_AROUND_FREE_PLACES_H
#define WEND_SRC_CROWD_AROUND_FREE_PLACES_H

#include "map/store/map_layout.h"

/// A plain Dijkstra (1959) in memory of its own, for a bounded number of cells.
typedef struct wend__flood wend__flood;

size_t wend__flood_bytes(uint32_t cells);
wend__flood *wend__flood_init(void *memory, uint32_t cells);

/// Is a place taken for the caller?
typedef bool wend__taken_fn(void *context, wend_cell cell);

typedef struct wend__places_search {
    wend__flood *flood;
    const wend__version *version;
    int32_t mover;
    wend_cell goal, from;
    wend__taken_fn *taken; ///< NULL: none is
    /// Called with each place that is found: from then on `taken` says that its cells are. NULL: a large place is
    /// compared with all that were found before it.
    void (*give)(void *context, wend_cell place, size_t number);
    void *context;
} wend__places_search;

/// The cell where the search begins: the goal, or the nearest cell to it that can be entered and is connected with
/// `from`. False: there is none.
bool wend__places_centre(const wend__places_search *search, wend_cell *centre);
/// As wend_map_free_places(). @return the number of places
size_t wend__places_find(const wend__places_search *search, wend_cell centre, wend_cell *out, size_t capacity);

#endif
