/* SPDX-License-Identifier: MIT */
/* Internal: A* on flat grids for one goal, without links or occupied cells; any terrain, mover,
 * weight and heuristic. */
#ifndef WEND_SRC_SEARCH_GRID_GRID_ASTAR_H
#define WEND_SRC_SEARCH_GRID_GRID_ASTAR_H

#include "map/landmarks/bearings.h"
#include "search/store/search_state.h"

typedef struct wend__grid_astar_search {
    wend__search search;
    bool inconsistent; ///< weighted, euclid or manhattan: computed in whole units; f may fall
    uint32_t estimate_straight, estimate_diagonal;
    wend__bearings bearings;               ///< what landmarks tell it, in units
    const wend__grid_canonical *canonical; ///< steps where all cells cost the same; NULL: all legal ones everywhere
} wend__grid_astar_search;

extern const wend__engine wend__grid_astar;

static inline wend__grid_astar_search *wend__grid_of(const wend__search *search) {
    return (wend__grid_astar_search *)search;
}

#endif
