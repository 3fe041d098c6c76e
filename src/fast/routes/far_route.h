/* SPDX-License-Identifier: MIT */
/* Internal: routes across a far layer: lists of crossings, made finer part by part where a unit walks.
 *
 * A route is found at the highest level at which its start and its goal lie some areas apart. It is never followed gate
 * by gate: a part of the route is searched again, exactly, one level lower, towards a crossing some places ahead, and
 * only the first half of that part is kept. So the places of gates do not show in the path. A part of level 0 ends in
 * legs: paths in cells that an ordinary search finds. */
#ifndef WEND_SRC_FAST_ROUTES_FAR_ROUTE_H
#define WEND_SRC_FAST_ROUTES_FAR_ROUTE_H

#include "fast/far/far_flood.h"
#include "fast/far/far_gates.h"

enum {
    WEND__FAR_AREAS = 4096,  ///< most areas of the top level, or 16 times those within
    WEND__FAR_REST = 24,     ///< most areas of the rest of a part
    WEND__FAR_WEIGHT = 1020, ///< weight of the search at the top level, in thousandths
    WEND__FAR_ROOM = 4096,   ///< most crossings of a route that is found with all its parts
    WEND__FAR_PART = 1024,   ///< most crossings of a part of it
    WEND__FAR_BY_LINK = 4,   ///< as the side of a crossing: an end of a link
    WEND__FAR_BEGIN = 40     ///< crossings of a route's beginning, if only that is requested
};

/// A crossing: the cell entered, and the side of its area at which it lies; or an end of a link.
typedef struct wend__far_crossing_at {
    int32_t x, y;
    uint32_t side;
} wend__far_crossing_at;

/// Crossings from a start to a goal.
typedef struct wend__far_route {
    bool found;
    int32_t level;   ///< level of the crossings
    uint64_t cost;   ///< in the map's costs: an upper bound for walking it
    uint64_t effort; ///< effort of the search, in expansions of a plain grid
    bool whole;      ///< all crossings are of that level; else the last ones are of a higher level
    uint32_t count, room;
    wend__far_crossing_at *crossings; ///< the caller's memory, with `room` entries
    /* a part of a route of the level above */
    bool last;          ///< the part leads to the goal
    uint32_t next;      ///< the route's next crossing behind the part
    int32_t rest_count; ///< areas of the level above in the part's discarded rest; -1: more than `rest` holds
    wend__far_area rest[WEND__FAR_REST];
} wend__far_route;

/// An end of a route: the known costs between its cell and the gates of its area, by level. It is kept
/// for the next route, which may have the same goal. That route counts its effort again, so results do not depend on
/// earlier queries.
typedef struct wend__far_end {
    uint64_t layer; ///< wend__far.identity
    wend_cell cell;
    int32_t levels; ///< number of known levels, from 0 on; 0: none
    int32_t told;   ///< number of those levels counted in the effort of this route
    uint64_t effort[WEND__FAR_LEVELS];
    uint32_t costs[WEND__FAR_LEVELS][WEND__FAR_GATES];
} wend__far_end;

/// A link, or, as one, the route's start (an exit) with its goal (an entrance).
typedef struct wend__far_stop {
    wend_cell entrance, exit;
    uint64_t entrance_component, exit_component;
    uint64_t cost;  ///< cost of the link
    uint64_t bound; ///< expected cost from its exit to the goal
    uint64_t spent; ///< cost from the start to its exit, if that is settled
    uint32_t parent;
    bool settled;
} wend__far_stop;

/// A search for a chain of links: see far_links.c.
enum { WEND__FAR_LINKS = 64 }; ///< most links considered for a route: those by which it could be cheapest
typedef struct wend__far_chain {
    const wend__version *view;
    struct wend__far_finder *finder;
    uint32_t count; ///< number of links. The last stop, behind them, belongs to start and goal
    wend__far_stop stops[WEND__FAR_LINKS + 1];
    uint64_t costs[WEND__FAR_LINKS + 1]
                  [WEND__FAR_LINKS + 1]; ///< costs on the ground, or expected ones; UINT64_MAX: no way
    bool priced[WEND__FAR_LINKS + 1][WEND__FAR_LINKS + 1];
    uint64_t effort;
} wend__far_chain;

/// Memory for one search at a time.
typedef struct wend__far_finder {
    const wend__version *view;
    wend_cell goal;
    wend__far_search search;
    uint64_t effort;
    uint32_t costs[2][WEND__FAR_GATES]; ///< costs from the start, and to the goal, at the gates of their areas
    wend__far_area areas_of[2];
    wend__far_end ends[2]; ///< ends of the route, used by its first part and its last one
    wend__far_flood flood;
    uint64_t floods; ///< number of floods, for benches: known ends need none
    wend__far_chain chain;
    wend__far_nodes areas[WEND__FAR_AREAS];
    wend__far_crossing_at lists[2][WEND__FAR_ROOM], parts[2][WEND__FAR_PART], joined[WEND__FAR_ROOM];
    wend__far_node nodes[]; ///< the open list's numbers follow, as many as nodes
} wend__far_finder;

size_t wend__far_finder_bytes(uint32_t nodes);
void wend__far_finder_init(wend__far_finder *finder, uint32_t nodes);

/// Finds a route on a view with a layer without stale objects. Start and goal are open cells of it; or the goal lies in
/// a known but unloaded chunk: then its gates lead to it at the estimate.
/// route->found is false if the layer has no way, or there is no room for nodes or crossings.
void wend__far_find(wend__far_finder *finder, const wend__version *view, wend_cell start, wend_cell goal,
                    wend__far_route *route);

/// Finds the next part of a route of level 1 or 2, one level lower. The finder found the route, on that view.
/// @param before   the part before: its last crossing leads to `from`; NULL: `from` is the route's start
/// @param part     receives it: not `before`
void wend__far_find_part(wend__far_finder *finder, const wend__version *view, const wend__far_route *route,
                         const wend__far_route *before, wend_cell from, wend_cell goal, wend__far_route *part);

/// Finds a route and its parts: crossings of level 0, as far as there is room for parts, then some that lie farther
/// apart. They lie in the finder's memory, until it searches again.
/// @param least   stop after this many crossings of level 0; UINT32_MAX: all
void wend__far_find_ground(wend__far_finder *finder, const wend__version *view, wend_cell start, wend_cell goal,
                           uint32_t least, wend__far_route *route);

/// Finds the same routes, also over links, on a map with up to 4,096: each link's ends are crossings. far_links.c.
void wend__far_find_all(wend__far_finder *finder, const wend__version *view, wend_cell start, wend_cell goal,
                        uint32_t least, wend__far_route *route);

/// A leg that begins behind crossing i - 1 of a part of level 0 ends at crossing i + WEND__FAR_LEG_AHEAD - 1, or at
/// the goal. LEG_KEEP: how many of its crossings are walked before the next leg is searched.
enum { WEND__FAR_LEG_AHEAD = 3, WEND__FAR_LEG_KEEP = 2 };

/// Returns the cell before a crossing; for an end of a link, the end itself.
static inline wend_cell wend__far_cell_before(wend__far_crossing_at c) {
    static const int8_t dx[5] = {-1, 0, 1, 0, 0}, dy[5] = {0, -1, 0, 1, 0};
    return (wend_cell){c.x + dx[c.side], c.y + dy[c.side], 0};
}

static inline wend_cell wend__far_cell_of(wend__far_crossing_at c) {
    return (wend_cell){c.x, c.y, 0};
}

#endif
