/* SPDX-License-Identifier: MIT */
/* Internal: a line that is being pulled: its last turns, and changes that make it cheaper. */
#ifndef WEND_SRC_MOTION_PULL_WINDOW_H
#define WEND_SRC_MOTION_PULL_WINDOW_H

#include "motion/clear/clear_line.h"
#include "motion/pull/line.h"
#include <wend/geometry.h>

enum {
    WEND__PULL_WINDOW = 64, ///< turns that are not final. When the window is full, the first half becomes final
    WEND__PULL_HELD = 64,   ///< final turns that are not output yet, as they may turn out needless
    WEND__AROUND = 9,       ///< a cell of a flat grid and those around it
    WEND__AROUND_SPACE = 27 ///< a voxel and those around it
};

typedef struct wend__pull {
    wend__clear_line *clear; ///< NULL: the line need not keep a distance
    const wend_map *map;
    const wend__version *version, *view; ///< `view`: the mover's view
    int32_t size;                        ///< size of the mover
    bool units;                          ///< pieces do not pass through occupied cells
    bool even;                           ///< all open cells have factor 1
    bool all_open;                       ///< all cells of the stretch have factor 1
    bool touches;                        ///< a piece may touch the corner of a blocked cell
    bool flat;                           ///< the stretch is on a flat grid, in one sheet
    uint32_t pins;                       ///< of the next string
    bool skip;                           ///< the next turn was given with the part before
    bool loose;                          ///< the last held turn may be needless: its neighbours changed
    bool plain;                          ///< on a flat grid that is even and does not wrap, with no units in the way
    const wend_cell *cells;              ///< the path
    uint32_t cell_count;
    wend_turn *out;
    size_t capacity, given;
    uint32_t count; ///< turns in the window
    wend_turn turn[WEND__PULL_WINDOW];
    wend__price line[WEND__PULL_WINDOW]; ///< price of the line from a turn to the next
    bool settled[WEND__PULL_WINDOW];     ///< no change near this turn helped since its neighbours changed
    wend__price line_in;                 ///< price of the line from the last held turn to the window's first one
    uint32_t held_count;
    wend_turn held[WEND__PULL_HELD];
    wend__price held_line[WEND__PULL_HELD]; ///< price of the line to a held turn
} wend__pull;

/// The best turn found between two cells.
typedef struct wend__pull_bend {
    wend_cell cell;
    wend__price in, out; ///< prices of the lines to and from it
    uint64_t limit;      ///< rounded-down price that another turn has to beat surely
} wend__pull_bend;

/// Cells around one, and the lines between them and an end.
typedef struct wend__pull_cells {
    int32_t count;
    wend_cell cell[WEND__AROUND_SPACE];
    wend__price line[WEND__AROUND_SPACE];
} wend__pull_cells;

/// Returns whether the steps out of two cells of a path go the same way.
static inline bool wend__pull_same_step(const wend_cell *a, const wend_cell *b) {
    return a[1].x - a[0].x == b[1].x - b[0].x && a[1].y - a[0].y == b[1].y - b[0].y &&
           a[1].z - a[0].z == b[1].z - b[0].z;
}
/// Returns whether units stand in the way of a line.
bool wend__pull_units_between(const wend__pull *pull, wend_cell a, wend_cell b);
/// Returns whether the mover can walk the line from a to b for less than `limit` (a rounded-down price).
/// @param price   the distance; receives the line's price if it can
bool wend__pull_distance(const wend__pull *pull, wend_cell a, wend_cell b, uint64_t limit, wend__price *price);
/// The same; computes the distance.
bool wend__pull_line(const wend__pull *pull, wend_cell a, wend_cell b, uint64_t limit, wend__price *price);
/// Returns whether the mover can walk the line from a to b, and that is not more expensive than two lines by a cell
/// between them, of this price. On even ground a straight line never is.
/// @param price   receives the line's price if it can
bool wend__pull_shortcut(const wend__pull *pull, wend_cell a, wend_cell b, wend__price by_two, wend__price *price);
/// Gets cell i of those around a cell and the cell itself. @return false: it is off the map
bool wend__pull_cell_around(const wend__pull *pull, wend_cell at, int32_t i, wend_cell *out);

/// Drops turn i. @param line   the price of the line between its neighbours
void wend__pull_drop_turn(wend__pull *pull, uint32_t i, wend__price line);
void wend__pull_move_turn(wend__pull *pull, uint32_t i, const wend__pull_bend *bend);
/// Makes two turns of turn i: at its present cell, and `second`. The window is not full.
/// @param lines   prices of the lines to, between and from these
void wend__pull_split_turn(wend__pull *pull, uint32_t i, wend_cell second, const wend__price lines[3]);

/// Looks for a cheaper turn between a and b at a cell and all around it.
/// @return true: *bend is now such a turn
bool wend__pull_try_around(const wend__pull *pull, wend_cell a, wend_cell b, wend_cell at, wend__pull_bend *bend);

/// Drops the window's turns whose neighbours are joined by a line that is not more expensive.
void wend__pull_drop_needless(wend__pull *pull);
/// Moves, drops and splits the window's turns, except its ends, until no such change makes the line cheaper.
void wend__pull_tighten(wend__pull *pull);

#endif
