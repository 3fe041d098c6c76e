/* SPDX-License-Identifier: MIT */
/* Internal: the nearest places by travelled cost, picked among the cells that a search without an estimate takes in the
 * order of their cost. */
#ifndef WEND_SRC_SEARCH_GENERAL_COLLECT_H
#define WEND_SRC_SEARCH_GENERAL_COLLECT_H

#include "search/store/search_state.h"

typedef struct wend__collector {
    const wend_nearest_def *def;
    const uint32_t *numbers; ///< numbers of the cells to choose from, sorted; NULL: by class
    int32_t mover_size;
    wend_hit *hits; ///< sorted
    size_t count, capacity;
    uint32_t met;                      ///< number of taken cells among them
    bool done;                         ///< no further cell can be among the nearest
    const struct wend__layers *layers; ///< of `score`
    const struct wend__profile *score; ///< NULL: places have none
} wend__collector;

/// Checks a cell that the search has taken.
void wend__collect(wend__collector *collector, const wend__search *search, wend_cell cell, uint64_t cost);

#endif
