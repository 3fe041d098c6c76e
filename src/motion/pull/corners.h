/* SPDX-License-Identifier: MIT */
/* Internal: the corners of blocked cells that the shortest line round a bend touches, on a flat grid. */
#ifndef WEND_SRC_MOTION_PULL_CORNERS_H
#define WEND_SRC_MOTION_PULL_CORNERS_H

#include "motion/clear/hull.h"

/// Finds the shortest line from a to b that differs from a, p, b only within that triangle. Both sides of the bend are
/// in sight. Closed steps do not count. Cost: O(rows of the triangle x (words of a row + corners)).
/// @param out   receives the line. Its points between a and b are corners of blocked cells
void wend__bend_corners(const wend__version *view, wend_cell a, wend_cell p, wend_cell b, wend__hull *out);

/// Returns whether one of the four cells around a corner is blocked. All of these are on the map.
bool wend__corner_blocked(const wend__version *view, wend_cell north_west);

static inline wend__milli_point wend__cell_spot(wend_cell c) {
    return (wend__milli_point){c.x * WEND__THOUSAND, c.y * WEND__THOUSAND};
}

#endif
