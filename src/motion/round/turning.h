/* SPDX-License-Identifier: MIT */
/* Internal: a curve of arcs and straight pieces for a vehicle that has a least radius of turning. */
#ifndef WEND_SRC_MOTION_ROUND_TURNING_H
#define WEND_SRC_MOTION_ROUND_TURNING_H

#include "motion/clear/ground.h"
#include <wend/geometry.h>

enum { WEND__VEHICLE_TURNS = 500 };

typedef struct wend__vehicle {
    const wend__obstacles *ground;
    int32_t clearance, turning, spacing; ///< in thousandths
    wend__milli_point heading;           ///< 0, 0: any
    void (*give)(void *context, wend__milli_point point);
    void *context;
} wend__vehicle;

/// Outputs the points of the curve.
/// @param turns   of a pulled line without links; at least one
/// @return WEND_OK, WEND_BLOCKED, WEND_UNSUPPORTED (more than WEND__VEHICLE_TURNS)
wend_error wend__vehicle_round(const wend__vehicle *vehicle, const wend_turn *turns, size_t count);

#endif
