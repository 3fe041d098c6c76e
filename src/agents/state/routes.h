/* SPDX-License-Identifier: MIT */
/* Internal: routes of a crowd: their corners, and the cells of their legs, which lead from corner to corner. */
#ifndef WEND_SRC_AGENTS_STATE_ROUTES_H
#define WEND_SRC_AGENTS_STATE_ROUTES_H

#include "map/store/map_layout.h"
#include <wend/crowd.h>

#define WEND__NO_ROUTE UINT32_MAX

enum { WEND__LEG_NEW, WEND__LEG_REQUESTED, WEND__LEG_DONE };

/// The way from a corner to the next. Without one the leg has only its first cell, and the next begins beyond the gap.
typedef struct wend__route_leg {
    wend_crowd *crowd;
    uint32_t route;
    uint32_t from, to;     ///< corners
    uint32_t first, count; ///< cells
    wend_ticket ticket;    ///< REQUESTED
    uint8_t state;
} wend__route_leg;

/// A route for one mover. BACK is stored as a loop over its corners there and back, since steps may lead one way only.
typedef struct wend__route {
    int32_t mode;  ///< WEND_ROUTE_…
    int32_t mover; ///< -1: no agent has taken the route
    uint32_t corners, corner_count;
    uint32_t legs, leg_count, done;
    uint32_t base;    ///< the route's number for the host
    uint32_t waiting; ///< ONCE: head of the list of agents on their way to a place at the end
    uint32_t spread;  ///< ONCE: cells from the end to the farthest such place so far
    uint32_t other;   ///< the same route for another mover; WEND__NO_ROUTE: none
} wend__route;

/// A cell of a route. A corner is in two legs.
typedef struct wend__route_position {
    uint32_t leg, at;
} wend__route_position;

/// Cells are numbers (wend__cell_number()). Nothing is removed.
typedef struct wend__routes {
    wend__route *of; ///< the host's routes; from `capacity` on their copies for other movers
    wend__route_leg *legs;
    uint32_t *cells;
    uint32_t count, capacity; ///< number of the host's routes, and room for them
    uint32_t copies;          ///< number of copies, at most that of legs, as each has one
    uint32_t leg_count, leg_capacity, cell_count, cell_capacity;
} wend__routes;

uint32_t wend__route_legs(int32_t mode, uint32_t corners);
/// Creates the legs of a route for a mover. Returns false if there is no room.
bool wend__route_set_up(wend__routes *routes, wend_crowd *crowd, uint32_t route, int32_t mover);
/// Stores a leg's cells; if there is no room, only its first one.
void wend__leg_store(wend__routes *routes, const wend__version *version, wend__route_leg *leg, const wend_cell *cells,
                     size_t count);

wend_cell wend__route_cell(const wend__routes *routes, const wend__version *version, uint32_t route,
                           wend__route_position position);
/// Advances to the next cell of a route. Returns false at the end of ONCE. The end of a leg and the beginning of the
/// next are mostly the same cell.
bool wend__route_next(const wend__routes *routes, uint32_t route, wend__route_position *position);
/// Goes `steps` steps back, as far as there are cells.
void wend__route_back(const wend__routes *routes, uint32_t number, wend__route_position *position, uint32_t steps);
/// Returns the number of cells of all legs.
uint32_t wend__route_length(const wend__routes *routes, uint32_t number);

#endif
