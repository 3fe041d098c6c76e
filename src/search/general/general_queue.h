/* SPDX-License-Identifier: MIT */
/* Internal: the open list of the general engine: multilevel buckets, or entries in strict order. */
#ifndef WEND_SRC_SEARCH_GENERAL_GENERAL_QUEUE_H
#define WEND_SRC_SEARCH_GENERAL_GENERAL_QUEUE_H

#include "search/general/general_nodes.h"
#include "search/open/multilevel_buckets.h"

WEND__INLINE void wend__general_push(wend__search *s, uint64_t key, uint32_t id) {
    if (key < s->floor_f) key = s->floor_f;
    wend__open_push_bucket(&s->open, wend__level_bucket(s->floor_f, key), id);
}

WEND__INLINE void wend__general_push_strict(wend__search *s, uint64_t g, wend_cell cell, uint32_t id) {
    const uint64_t estimate = wend__heuristic_left(&wend__general_of(s)->heuristic, cell);
    wend__strict_push(&s->open,
                      wend__strict_make(&s->open, wend__general_weighted_key(s, g, estimate), estimate, id, 0));
}

/* The next entry, which must be there. */
WEND__INLINE uint32_t wend__general_pop(wend__search *s) {
    if (WEND__LIKELY(!wend__general_of(s)->strict)) return wend__open_pop(&s->open);
    const uint32_t id = wend__strict_first(&s->open)->node;
    wend__strict_pop(&s->open);
    return id;
}

WEND__INLINE bool wend__general_spare(wend__search *s, wend__stock *stock) {
    const bool strict = wend__general_of(s)->strict;
    if (WEND__LIKELY(s->open.spare >= WEND__DIRECTIONS)) return true;
    if (strict ? wend__pages_spare_strict(s, stock) : wend__pages_spare(s, stock)) return true;
    wend__pages_starve(s, 0, 1);
    return false;
}

/// Find the lowest key. False where there is none, or where pages are lacking.
bool wend__general_advance(wend__search *search, wend__stock *stock);

/// Does the open list hold a node that would count?
bool wend__general_any_live(wend__search *search);

/// Push all open nodes again, by their new keys. False where blocks run out.
bool wend__general_sort_again(wend__search *search);

/// Remove stale entries: see wend__search_compact().
bool wend__general_compact(wend__search *search);

#endif
