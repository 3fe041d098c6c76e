/* SPDX-License-Identifier: MIT */
/* Internal: curves by + - x / and sqrt alone, so that they are the same bytes everywhere. */
#ifndef WEND_SRC_MOTION_ROUND_CURVE_H
#define WEND_SRC_MOTION_ROUND_CURVE_H

#include <stdbool.h>
#include <stdint.h>
#include <wend/motion.h>

/// A piece of a curve: a point for each t from 0 to 1.
typedef struct wend__curve {
    double point[4][3]; ///< arc: begin, corner, end; spline: four points, the curve goes from the second to the third
    double knot[4];     ///< spline
    double weight;      ///< arc: of the corner
    bool spline;
    uint32_t samples; ///< chords that the piece is cut into
} wend__curve;

/// An arc that rounds a corner. It begins and ends at most half way to the neighbours.
/// @return false: the three points lie on one line
bool wend__curve_arc(wend_point before, wend_point corner, wend_point after, double radius, double spacing,
                     wend__curve *out);
/// The piece of a centripetal Catmull-Rom spline from b to c (Yuksel, Schaefer and Keyser 2011).
void wend__curve_spline(wend_point a, wend_point b, wend_point c, wend_point d, double spacing, wend__curve *out);
/// Sample i, from 0 to `samples`, rounded to thousandths.
wend_point wend__curve_sample(const wend__curve *curve, uint32_t i);

#endif
