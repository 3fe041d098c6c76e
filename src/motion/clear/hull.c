/* SPDX-License-Identifier: MIT */
/* The hull of points within the triangle of a bend, a point at a time. */
#include "motion/clear/hull.h"

#include <string.h>

void wend__hull_begin(wend__hull *hull, wend__milli_point a, wend__milli_point bend, wend__milli_point b) {
    const int64_t turn = wend__cross(a, bend, b);
    hull->a = a, hull->bend = bend, hull->b = b;
    hull->side = (turn > 0) - (turn < 0);
    hull->count = 2, hull->full = false;
    hull->point[0] = hull->round[0] = a, hull->point[1] = hull->round[1] = b;
}

int32_t wend__hull_side(const wend__hull *hull, wend__milli_point point) {
    WEND__DEBUG_ASSERT(hull->count >= 2);
    for (int32_t side = 0; side + 1 < hull->count; side++)
        if (wend__hull_turn(hull, hull->point[side], hull->point[side + 1], point) < 0) return side;
    return -1;
}

void wend__hull_widen(wend__hull *hull, int32_t side, wend__milli_point point, wend__milli_point round) {
    WEND__DEBUG_ASSERT(side >= 0 && side + 1 < hull->count);
    int32_t last = side; /* the sides from the first to the last see the point */
    while (last + 2 < hull->count && wend__hull_turn(hull, hull->point[last + 1], hull->point[last + 2], point) < 0)
        last++;
    const int32_t hidden = last - side;
    if (hidden == 0 && hull->count == WEND__HULL_MOST + 2) {
        hull->full = true;
        return;
    }
    const size_t after = (size_t)(hull->count - side - 1 - hidden) * sizeof *hull->point;
    memmove(&hull->point[side + 2], &hull->point[side + 1 + hidden], after);
    memmove(&hull->round[side + 2], &hull->round[side + 1 + hidden], after);
    hull->point[side + 1] = point, hull->round[side + 1] = round;
    WEND__DEBUG_ASSERT(hull->count + 1 - hidden <= WEND__HULL_MOST + 2);
    hull->count += 1 - hidden;
}
