/* SPDX-License-Identifier: MIT */
/* Internal: A* on voxels: one goal, no links, nobody in the way; 26 or 6 neighbours. */
#ifndef WEND_SRC_SEARCH_VOXEL_VOXEL_ASTAR_H
#define WEND_SRC_SEARCH_VOXEL_VOXEL_ASTAR_H

#include "search/store/search_state.h"

/// In units.
typedef struct wend__voxel_costs {
    uint32_t edge[WEND__SPACE_DIRECTIONS]; ///< cost of a step
    uint32_t straight, second, third; ///< what the longest, the second and the shortest side add to the estimate a cell
} wend__voxel_costs;

typedef struct wend__voxel_astar_search {
    wend__search search;
    wend__voxel_costs costs;
    const wend__voxel_canonical *legal; ///< its table says which steps are legal; NULL: wend__voxel_rule_steps() does
    const wend__voxel_canonical *canonical; ///< which are worth taking on even ground; NULL: all legal ones everywhere
    int32_t layer_rows;                     ///< the map's chunk_y. A path is read when its version may be gone
} wend__voxel_astar_search;

extern const wend__engine wend__voxel_astar;

static inline wend__voxel_astar_search *wend__voxel_of(const wend__search *search) {
    return (wend__voxel_astar_search *)search;
}

#endif
