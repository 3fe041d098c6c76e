/* SPDX-License-Identifier: MIT */
/* Internal: line of sight between any two points, in thousandths of a cell. */
#ifndef WEND_SRC_MOTION_ROUND_POINT_SIGHT_H
#define WEND_SRC_MOTION_ROUND_POINT_SIGHT_H

#include "map/store/map_layout.h"
#include <wend/motion.h>

/// The centre of a cell of a grid.
wend_point wend__centre(wend_cell cell);
/// Can the mover walk the straight line between two points? Refuses lines along the border of two cells.
/// @param view   what the mover sees of a version; no graph
bool wend__points_see(const wend__version *view, wend_point a, wend_point b);

#endif
