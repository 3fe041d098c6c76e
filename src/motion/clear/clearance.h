/* SPDX-License-Identifier: MIT */
/* Internal: the distance of a line from all obstacles. */
#ifndef WEND_SRC_MOTION_CLEAR_CLEARANCE_H
#define WEND_SRC_MOTION_CLEAR_CLEARANCE_H

#include "base/system/root.h"
#include "motion/clear/ground.h"

/// Returns the distance between the piece from a to b and all obstacles, in thousandths rounded down, or `most` if it
/// is more. 0: it touches or crosses an obstacle. Cost: O(length x most).
int32_t wend__piece_clearance(const wend__obstacles *ground, wend__milli_point a, wend__milli_point b, int32_t most);

/// @param out   receives the corner of a cell that is nearest, or an end of the nearest side
int32_t wend__piece_nearest(const wend__obstacles *ground, wend__milli_point a, wend__milli_point b, int32_t most,
                            wend__milli_point *out);

#endif
