/* SPDX-License-Identifier: MIT */
/* Internal: shorter ways for a part of a line, on other sides of obstacles. */
#ifndef WEND_SRC_MOTION_CLEAR_DETOUR_H
#define WEND_SRC_MOTION_CLEAR_DETOUR_H

#include "motion/clear/taut.h"

/// The nodes of one search: two or more for each corner, and both ends. CROWDED: there are more corners.
enum { WEND__DETOUR_NODES = 320, WEND__DETOUR_CROWDED = -2 };

/// Returns the length of a piece in sixteenths of a thousandth, rounded down.
uint32_t wend__piece_length(wend__milli_point a, wend__milli_point b);

/// Finds a shortest way from a to b among lines between points near corners of obstacles. No line enters a polygon.
/// @param limit   only shorter ways are looked for; sixteenths of a thousandth
/// @param effort  how many pieces it may check; receives the rest
/// @param out     receives the bends of the way
/// @return how many, at most WEND__TAUT_MOST; -1: none was found; WEND__DETOUR_CROWDED
int32_t wend__detour(const wend__obstacles *ground, const wend__disc *disc, wend__milli_point a, wend__milli_point b,
                     uint32_t limit, uint32_t *effort, wend__milli_point *out);

#endif
