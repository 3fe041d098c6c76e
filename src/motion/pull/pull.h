/* SPDX-License-Identifier: MIT */
/* Internal: the state of pulling one path, and making the last turns taut. */
#ifndef WEND_SRC_MOTION_PULL_PULL_H
#define WEND_SRC_MOTION_PULL_PULL_H

#include "motion/pull/line.h"
#include <wend/geometry.h>

/// Turns that are not final yet. When there are as many, the first half is final.
enum { WEND__PULL_WINDOW = 64 };

typedef struct wend__pull {
    const wend_map *map;
    const wend__version *version, *view; ///< view: what the mover sees
    int32_t size;                        ///< of the mover
    bool units;                          ///< pieces do not pass through occupied cells
    bool even;                           ///< all open cells have factor 1
    const wend_cell *cells;              ///< the path
    uint32_t cell_count;
    wend_turn *out;
    size_t capacity, given;
    uint32_t count; ///< turns in the window
    wend_turn turn[WEND__PULL_WINDOW];
    wend__price line[WEND__PULL_WINDOW]; ///< price of the line from a turn to the next
    bool settled[WEND__PULL_WINDOW];     ///< no change near this turn was found to help since its neighbours changed
} wend__pull;

/// Returns whether the mover can walk the line from a to b for less than `limit` (a rounded-down price).
/// @param price   receives its price where it can
bool wend__pull_line(const wend__pull *pull, wend_cell a, wend_cell b, uint64_t limit, wend__price *price);

/// The best turn that was found between two cells.
typedef struct wend__bend {
    wend_cell cell;
    wend__price in, out; ///< of the lines to and from it
    uint64_t limit;      ///< another one has to be surely less than that; rounded down
} wend__bend;

/// Look for a cheaper turn between a and b at a cell and all around it.
/// @return true: *bend is now such a turn
bool wend__pull_try_around(const wend__pull *pull, wend_cell a, wend_cell b, wend_cell at, wend__bend *bend);

/// Move, drop and split the window's turns, its ends apart, until no such change makes the line cheaper.
void wend__pull_tighten(wend__pull *pull);

#endif
