/* SPDX-License-Identifier: MIT */
/* Internal: the rim of streamed land: where components end at chunks that are not loaded. */
#ifndef WEND_SRC_MAP_COMPONENTS_LAND_RIM_H
#define WEND_SRC_MAP_COMPONENTS_LAND_RIM_H

#include "map/store/map_layout.h"

/// A chunk that is not loaded, and a lower bound of the cost of a way through it, from the start to a goal.
typedef struct wend__beyond {
    int32_t x, y;
    uint64_t cost;
} wend__beyond;

enum {
    WEND__MOST_BEYOND = 4,
    WEND__RIM_MOST = 16384 ///< most expansions of a query
};

/// A query about the rim, and its answer so far. With `any` it asks only whether there is a rim.
typedef struct wend__rim_walk {
    const wend__version *view; ///< the mover's view; its chunks do not know which are loaded
    const wend__version *version;
    int32_t size;           ///< size of the mover
    wend_cell start;        ///< start of the way
    const wend_cell *goals; ///< any of them ends the way
    uint32_t goal_count;
    int32_t reach;          ///< reach of the goals, in cells
    uint64_t below;         ///< only chunks that cost less count; WEND_NO_LIMIT: all do
    uint64_t cheapest_link; ///< lower bound of a link's cost; WEND_NO_LIMIT: there is no link
    bool any;
    uint32_t taken; ///< expansions so far. Beyond WEND__RIM_MOST the search ends
    uint32_t count;
    wend__beyond found[WEND__MOST_BEYOND]; ///< by cost, then from north to south and from west to east
} wend__rim_walk;

/// Initializes a walk over the land's rim; the caller then sets the other fields.
wend__rim_walk wend__rim_walk_of(const wend__version *version, int32_t mover);

/// Returns true if the mover, standing at a cell, would cover a chunk that is not loaded, and records the chunk.
bool wend__rim_add_place(wend__rim_walk *walk, wend_cell cell);

/// Records the unloaded chunks next to a cell, whatever component it belongs to.
void wend__rim_add_cell(wend__rim_walk *walk, wend_cell cell);

/// Records the unloaded chunks next to all components of a name (wend__component_name()).
/// Cost: O(areas that hold a part of them, adjoin unloaded land, and may cost less than the best found); with links,
/// O(links).
void wend__rim_add_component(wend__rim_walk *walk, uint64_t name);

#endif
