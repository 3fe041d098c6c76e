/* SPDX-License-Identifier: MIT */
/* Footprints: a path cell by cell, with the direction of each print. */
#ifndef WEND_SRC_EXTRA_DRAWING_FOOT_TRACK_H
#define WEND_SRC_EXTRA_DRAWING_FOOT_TRACK_H

#include "extra/drawing/drawing.h"

/// Called with each cell on the way of a path, and the direction in which the path leaves it: dx and dy from −1 to 1.
typedef void wend__feet_fn(void *context, wend__spot at, int32_t dx, int32_t dy);
void wend__feet_walk(const wend__drawing *drawing, const wend_picture_path *path, wend__feet_fn *visit, void *context);

#endif
