/* SPDX-License-Identifier: MIT */
/* Routes of a crowd: agents that patrol, or walk a way by its corners. */
#ifndef WEND_ROUTES_H
#define WEND_ROUTES_H

#include <wend/crowd.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Modes of a route. LOOP and BACK go on for ever.
enum {
    WEND_ROUTE_ONCE = 0, ///< from its first corner to its last, where the agent stays; agents that find others there
                         ///< stay on places of their own, as wend_crowd_go() gives them to a group
    WEND_ROUTE_LOOP = 1, ///< from the last corner to the first again
    WEND_ROUTE_BACK = 2  ///< there and back again
};

/// A way by its corners.
typedef struct wend_route_def {
    uint32_t struct_bytes;
    int32_t mode;             ///< WEND_ROUTE_…
    const wend_cell *corners; ///< copied; two consecutive ones need not be neighbours
    uint32_t corner_count;    ///< from 1
    uint32_t reserved;        ///< 0
} wend_route_def;

/// Set the defaults: ONCE, no corners.
/// @param bytes   sizeof *route
/// Threads: any. Cost: O(1).
WEND_API void wend_route_def_init(wend_route_def *route, size_t bytes);

/// Add a route, which stays as long as the crowd. Where wend_crowd_tuning.route_cells has no room for the cells of a
/// leg, the leg is a gap: agents search for the way to the next corner each time that they come there (REROUTED).
/// @param out   receives its number; the first is 0
/// @return WEND_OK, WEND_BUSY (no room for another route or its cells), WEND_OUT_OF_RANGE (a corner is off the map),
///         WEND_BAD_ARGUMENT
/// Threads: owner. Cost: O(corners).
WEND_API wend_error wend_crowd_add_route(wend_crowd *crowd, const wend_route_def *route, uint32_t *out);

/// Send an agent along a route, in place of the goal that it has. When the first agent of a mover takes it, the way
/// from each corner to the next is searched once. Then the agent joins the route at the cell of it that is cheapest to
/// reach, among the 64 nearest. Following it costs no search. Where an edit cuts the route, the agent searches for a
/// way round the gap (REROUTED). It is PARTIAL or GAVE_UP where no way leads to a cell of the route. Where others are
/// in the way, an agent on a LOOP or BACK route waits and searches again, and its goal does not end.
/// @param route   from wend_crowd_add_route()
/// @return WEND_OK, WEND_STALE_TICKET, WEND_BAD_ARGUMENT (no such route), WEND_BUSY (events; no room for the route's
///         cells: a route takes them for each mover that goes along it)
/// Threads: owner. Cost: O(corners).
WEND_API wend_error wend_crowd_patrol(wend_crowd *crowd, wend_agent_id id, uint32_t route);

#ifdef __cplusplus
}
#endif
#endif
