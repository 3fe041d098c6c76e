/* SPDX-License-Identifier: MIT */
/* Internal: prices of straight lines between cells, in integers: length x factor of the cell that each part is in. */
#ifndef WEND_SRC_MOTION_PULL_LINE_H
#define WEND_SRC_MOTION_PULL_LINE_H

#include "map/ground/ground.h"

/// A price in 2^-20 of a cell's length at factor 1, rounded down and up. The true price lies between both.
typedef struct wend__price {
    uint64_t low, high;
} wend__price;

static inline wend__price wend__price_sum(wend__price a, wend__price b) {
    return (wend__price){a.low + b.low, a.high + b.high};
}

/// Returns the distance between the centres of two cells, as all lines here by their places on the ground, the shorter
/// way round if the map wraps.
wend__price wend__cell_distance(const wend__version *version, wend_cell a, wend_cell b);

/// The cells that a line between two centres passes through, one after another.
typedef struct wend__ray {
    wend_cell at;        ///< the cell that the line is in
    int32_t sign[3];     ///< along x, y, z
    int64_t count[3];    ///< how many cells the line goes along each axis
    int64_t gone[3];     ///< cells behind the line's present cell, along each axis
    int64_t weight[3];   ///< weight of half a cell along an axis, in parts of the line
    int64_t done, whole; ///< parts of the line that lie before `at`, and of the whole line
    const wend__version *version;
} wend__ray;

/// @param version   the mover's view, on a map with sheets
void wend__ray_begin(wend__ray *line, const wend__version *version, wend_cell from, wend_cell to);
/// Goes on to the next cell; on a map with sheets it stays if no step leads on.
/// @return how many parts of the line lie in the cell left; `done` is `whole` after the last
int64_t wend__ray_next(wend__ray *line);

/// Returns the price of a line that the mover can walk.
wend__price wend__line_price(const wend__version *view, wend_cell from, wend_cell to);
/// Returns along how many axes a step to a neighbour leads.
static inline int32_t wend__step_axes(const wend__version *version, wend_cell from, wend_cell to) {
    if (WEND__LIKELY(!version->sheets)) return (from.x != to.x) + (from.y != to.y) + (from.z != to.z);
    const wend_cell way = wend__place_difference(version, from, to);
    return (way.x != 0) + (way.y != 0);
}

/// Returns the price of steps among cells of factor 1: how many lead along one axis, along two, along three.
wend__price wend__steps_price(const uint32_t count[3]);
/// Returns the price of one step of a path, to a neighbour.
wend__price wend__step_price(const wend__version *view, wend_cell from, wend_cell to);
/// Returns whether units stand where the mover enters a cell of the line, except at `from`, not covered at `start`.
bool wend__line_occupied(const wend_map *map, const wend__version *view, int32_t size, wend_cell start, wend_cell from,
                         wend_cell to);

#endif
