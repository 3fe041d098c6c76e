/* SPDX-License-Identifier: MIT */
/* Internal: free places around a goal, found in memory of the caller. */
#ifndef WEND_SRC_AGENTS_STATE_FREE_PLACES_H
#define WEND_SRC_AGENTS_STATE_FREE_PLACES_H

#include "map/store/map_layout.h"

/// A Dijkstra search in memory of its own, for a bounded number of cells.
typedef struct wend__flood wend__flood;

size_t wend__flood_bytes(uint32_t cells);
wend__flood *wend__flood_init(void *memory, uint32_t cells);

/// Returns how many cells the last search in it reached.
uint32_t wend__flood_reached(const wend__flood *flood);

/// Returns whether a place is taken.
typedef bool wend__taken_fn(void *context, wend_cell cell);

typedef struct wend__places_search {
    wend__flood *flood;
    const wend__version *version;
    int32_t mover;
    wend_cell goal, from;
    wend__taken_fn *taken; ///< NULL: no place is taken
    wend__taken_fn *ends;  ///< cells beyond which the search does not go, except the first cell. May be NULL
    /// Reserves each place that is found: from then on `taken` returns true for its cells. NULL: a large place is
    /// compared with all places found before.
    void (*give)(void *context, wend_cell place, size_t number);
    void *context;
} wend__places_search;

/// Finds the cell where the search begins: the goal, or the nearest cell that is connected with `from`.
/// @return false: there is none
bool wend__places_centre(const wend__places_search *search, wend_cell *centre);
/// As wend_map_free_places(). @return the number of places
size_t wend__places_find(const wend__places_search *search, wend_cell centre, wend_cell *out, size_t capacity);

#endif
