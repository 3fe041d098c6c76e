/* SPDX-License-Identifier: MIT */
/* Internal: free places around a goal, in memory that the caller has. */
#ifndef WEND_SRC_CROWD_AROUND_FREE_PLACES_H
#define WEND_SRC_CROWD_AROUND_FREE_PLACES_H

#include "crowd/around/flood.h"

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

/// Do two places share a cell?
static inline bool wend__places_overlap(wend_cell a, int32_t a_size, wend_cell b, int32_t b_size) {
    return a.x < b.x + b_size && b.x < a.x + a_size && a.y < b.y + b_size && b.y < a.y + a_size && a.z < b.z + b_size &&
           b.z < a.z + a_size;
}

/// The cell where the search begins: the goal, or the nearest cell to it that can be entered and is connected with
/// `from`. False: there is none.
bool wend__places_centre(const wend__places_search *search, wend_cell *centre);
/// As wend_map_free_places(). @return the number of places
size_t wend__places_find(const wend__places_search *search, wend_cell centre, wend_cell *out, size_t capacity);

#endif
