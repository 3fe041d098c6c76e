/* SPDX-License-Identifier: MIT */
/* Internal: routes of a crowd: their corners, and the cells of their legs, which lead from corner to corner. */
#ifndef WEND_SRC_CROWD_STORE_ROUTES_H
#define WEND_SRC_CROWD_STORE_ROUTES_H

#include "map/store/map_layout.h"
#include <wend/crowd.h>

#define WEND__NO_ROUTE UINT32_MAX

enum { WEND__LEG_NEW, WEND__LEG_REQUESTED, WEND__LEG_DONE };

/// From a corner to the next. Where no way leads there, a leg has only its first cell, and the next leg begins beyond
/// the gap.
typedef struct wend__route_leg {
    wend_crowd *crowd;
    uint32_t route;
    uint32_t from, to;     ///< corners
    uint32_t first, count; ///< cells
    wend_ticket ticket;    ///< ASKED
    uint8_t state;
} wend__route_leg;

/// A route as one mover goes it. BACK is stored as a loop with its corners there and back again, since steps may lead
/// one way only.
typedef struct wend__route {
    int32_t mode;  ///< WEND_ROUTE_…
    int32_t mover; ///< -1: nobody has taken it
    uint32_t corners, corner_count;
    uint32_t legs, leg_count, done;
    uint32_t base;    ///< its number for the host
    uint32_t waiting; ///< ONCE: one more than the first agent on its way to a place at the end; 0: none
    uint32_t spread;  ///< ONCE: cells from the end to the farthest such place so far
    uint32_t other;   ///< the same route for another mover; WEND__NO_ROUTE: none
} wend__route;

/// A cell of a route. A corner is in two legs.
typedef struct wend__route_position {
    uint32_t leg, at;
} wend__route_position;

/// Cells are numbers (wend__cell_number()). Nothing is removed.
typedef struct wend__routes {
    wend__route *of; ///< the host's routes, and from `capacity` on their copies for other movers
    wend__route_leg *legs;
    uint32_t *cells;
    uint32_t count, capacity; ///< of the host's routes
    uint32_t copies;          ///< at most as many as legs, as each has one
    uint32_t leg_count, leg_capacity, cell_count, cell_capacity;
} wend__routes;

/// Number of legs that a route of so many corners has.
uint32_t wend__route_legs(int32_t mode, uint32_t corners);
/// Give a route its legs for a mover. False: there is no room for them.
bool wend__route_set_up(wend__routes *routes, wend_crowd *crowd, uint32_t route, int32_t mover);
/// Store a leg's cells. Where there is no room it keeps its first one.
void wend__leg_store(wend__routes *routes, const wend__version *version, wend__route_leg *leg, const wend_cell *cells,
                     size_t count);

wend_cell wend__route_cell(const wend__routes *routes, const wend__version *version, uint32_t route,
                           wend__route_position position);
/// The next cell of a route; false at the end of one that has one. From a leg's end to the beginning of the next the
/// cell mostly stays the same.
bool wend__route_next(const wend__routes *routes, uint32_t route, wend__route_position *position);
/// So many steps back, as far as there are cells.
void wend__route_back(const wend__routes *routes, uint32_t route, wend__route_position *position, uint32_t steps);
/// Cells of all its legs.
uint32_t wend__route_length(const wend__routes *routes, uint32_t route);

#endif
