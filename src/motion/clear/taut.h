/* SPDX-License-Identifier: MIT */
/* Internal: the shortest line round one bend of a line, as far from all that blocks as a radius says.
 *
 * A polygon of 32 corners round a disc stands for it. A line that does not enter the polygon round any corner of what
 * blocks keeps its distance from all that blocks. Four sides of the polygon are those of a square of the disc's
 * width, so a disc passes through gaps that are exactly as wide. */
#ifndef WEND_SRC_MOTION_CLEAR_TAUT_H
#define WEND_SRC_MOTION_CLEAR_TAUT_H

#include "motion/clear/hull.h"

enum { WEND__DISC_CORNERS = 32, WEND__TAUT_MOST = WEND__HULL_MOST };

typedef struct wend__disc {
    int32_t radius; ///< in thousandths
    int32_t extent; ///< no corner is farther from the centre along x or y
    /// Eight at a time, one in each eighth of a turn: two for each quarter, in the order right down, left down, right
    /// up, left up: each across from one of WEND__CORNER_NW and so on.
    wend__milli_point corner[WEND__DISC_CORNERS];
} wend__disc;

wend__disc wend__disc_of(int32_t radius_milli);

/// Returns true if a piece enters no polygon round a corner of an obstacle, and crosses no side that blocks. Returns
/// false also for some pieces that end just before a polygon. Cost: O(length x radius).
bool wend__piece_is_free(const wend__obstacles *ground, const wend__disc *disc, wend__milli_point a,
                         wend__milli_point b);

/// Finds the shortest line from a to b that differs from a, bend, b only within that triangle. Neither side of the bend
/// enters a polygon.
/// @param out   receives the bends of this line: none if it is straight, `bend` itself if nothing is shorter
/// @param round   receives the corner that each bend goes round
/// @return how many, at most WEND__TAUT_MOST; -1: there are more, or the triangle is too large
int32_t wend__taut_bend(const wend__obstacles *ground, const wend__disc *disc, wend__milli_point a,
                        wend__milli_point bend, wend__milli_point b, wend__milli_point *out, wend__milli_point *round);

/// Returns true if the line presses on the polygon round a corner at `bend`, one of its points: nothing is shorter.
static inline bool wend__taut_presses(wend__milli_point a, wend__milli_point bend, wend__milli_point b,
                                      wend__milli_point round) {
    const int64_t turn = wend__cross(a, bend, b), first = wend__cross(a, bend, round);
    const int64_t second = wend__cross(bend, b, round);
    return turn > 0 ? first > 0 && second > 0 : turn < 0 && first < 0 && second < 0;
}

#endif
