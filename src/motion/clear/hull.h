/* SPDX-License-Identifier: MIT */
/* Internal: the hull of points within the triangle of a bend, on the side of the bend. It is the shortest line from one
 * end to the other that keeps these points on one side. */
#ifndef WEND_SRC_MOTION_CLEAR_HULL_H
#define WEND_SRC_MOTION_CLEAR_HULL_H

#include "motion/clear/ground.h"

enum { WEND__HULL_MOST = 64 };

typedef struct wend__hull {
    wend__milli_point a, bend, b;
    int64_t side;  ///< 1: the bend turns clockwise; -1: the other way; 0: it is straight
    int32_t count; ///< points of the line, a and b included
    bool full;     ///< a point was left out, as WEND__HULL_MOST lie between a and b
    wend__milli_point point[WEND__HULL_MOST + 2];
    wend__milli_point round[WEND__HULL_MOST + 2]; ///< what each point keeps clear of; ends: themselves
} wend__hull;

void wend__hull_begin(wend__hull *hull, wend__milli_point a, wend__milli_point bend, wend__milli_point b);
/// Returns the first side of the line with a point on its outer side, that of the bend; -1: the point lies inside.
int32_t wend__hull_side(const wend__hull *hull, wend__milli_point point);
/// Makes the line go by such a point, instead of the points that it hides.
void wend__hull_widen(wend__hull *hull, int32_t side, wend__milli_point point, wend__milli_point round);

/// Returns the cross product of the ways from a to b and from a to c, above 0 if c lies inside of the line from a to b.
static inline int64_t wend__hull_turn(const wend__hull *hull, wend__milli_point a, wend__milli_point b,
                                      wend__milli_point c) {
    return hull->side * wend__cross(a, b, c);
}

#endif
