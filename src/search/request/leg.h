/* SPDX-License-Identifier: MIT */
/* Internal: the first leg of a search of WEND_MODE_FAR, as the core keeps it. The first step finds a route; the search
 * owes its effort. Then an ordinary search goes to the third crossing of the route, or to the goal if that is nearer.
 * The crossings behind it wait in a page of the search. */
#ifndef WEND_SRC_SEARCH_REQUEST_LEG_H
#define WEND_SRC_SEARCH_REQUEST_LEG_H

#include "search/store/pages.h"

enum { WEND__FAR_NODES = 16384 }; ///< room for nodes of a route by default

/// The functions that find routes on versions with a far layer, as data of a table above.
typedef struct wend__leg_finding {
    /// Memory for one route at a time, with room for a number of nodes.
    size_t (*finder_bytes)(uint32_t nodes);
    void (*finder_init)(struct wend__far_finder *finder, uint32_t nodes);
    /// Returns whether a search of a request looks for a route first. The view has a far layer.
    bool (*serves)(const wend__version *view, const wend__request *request);
    /// Finds the route. Sets `far` of the search, and adds its effort to `owed`; far.aimed is false if the search
    /// goes to its goal. Without a page it starves, and then finds nothing.
    void (*find)(wend__search *search, wend__stock *stock);
    /// Returns whether a part of a layer is stale: no route is found by it.
    bool (*is_stale)(const struct wend__far *layer);
    /// Spends this effort on stale parts of the newest version's layers.
    void (*repair)(wend_map *map, uint64_t effort);
} wend__leg_finding;
extern const wend__leg_finding wend__leg_hooks;

/// The bytes of a finder; 0: without nodes, or without far layers, there is none.
static inline size_t wend__finder_bytes(uint32_t nodes) {
    return nodes > 0 ? wend__leg_hooks.finder_bytes(nodes) : 0;
}

static inline bool wend__leg_serves(const wend__version *view, const wend__request *request) {
    return view->far && wend__leg_hooks.serves(view, request);
}

/// Makes a request one for a leg to a cell. A weight, or manhattan with diagonal steps, would make the rest of the
/// way cost more than the route reported: a leg is a cheapest path.
static inline void wend__leg_aim(wend__request *request, wend_cell target) {
    request->goal = target;
    request->reach = 0;
    request->weight_milli = 1000;
    if (request->heuristic == WEND_HEURISTIC_MANHATTAN) request->heuristic = WEND_HEURISTIC_EXACT;
}

/// A crossing in a page: the cell entered. Layers are for sides up to 65,536 cells.
typedef struct wend__leg_cell {
    uint16_t x, y;
} wend__leg_cell;

/// Gives the page of crossings back to the search's own pages. NONE is ignored.
void wend__leg_forget(wend__search *search);

/// Writes the first `count` crossings behind the leg; count <= far.count.
void wend__leg_crossings(const wend__search *search, wend_cell *out, uint32_t count);
/// Returns the first of them that leads into a chunk that is not loaded; far.count: there is none.
uint32_t wend__leg_unloaded(const wend__search *search);

#endif
