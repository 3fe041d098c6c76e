/* SPDX-License-Identifier: MIT */
/* Internal: A* on voxels for one goal, without links or occupied cells; 26 or 6 neighbours. */
#ifndef WEND_SRC_SEARCH_VOXEL_VOXEL_ASTAR_H
#define WEND_SRC_SEARCH_VOXEL_VOXEL_ASTAR_H

#include "search/rules/bound.h"
#include "search/store/search_state.h"

/// Step costs and estimate factors, in units.
typedef struct wend__voxel_costs {
    uint32_t edge[WEND__SPACE_DIRECTIONS]; ///< cost of a step
    uint32_t straight, second, third; ///< added to the estimate for each cell of the longest, second and shortest side
} wend__voxel_costs;

typedef struct wend__voxel_astar_search {
    wend__search search;
    wend__voxel_costs costs;
    const wend__voxel_canonical *legal;     ///< table of legal steps; NULL: computed by wend__voxel_rule_steps()
    const wend__voxel_canonical *canonical; ///< steps among cells of equal cost; NULL: all legal ones everywhere
    uint32_t lines;        ///< straight directions after which, amid open cells, only the same step is worth taking
    uint32_t shortest_run; ///< steps of a run within which f never rises by more than the ring of buckets holds
    bool far_runs;         ///< the map is even, and the estimate is not 0: runs go over pages
    wend__landmark_bounds landmark_bounds; ///< bounds by landmarks, in units
    int32_t layer_rows;                    ///< the map's chunk_y: a path may be read after its version is gone
} wend__voxel_astar_search;

extern const wend__engine wend__voxel_astar;

static inline wend__voxel_astar_search *wend__voxel_of(const wend__search *search) {
    return (wend__voxel_astar_search *)search;
}

#endif
