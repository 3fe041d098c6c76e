/* SPDX-License-Identifier: MIT */
/* Internal: the cells that the straight line between two points passes through, exactly, in integers. */
#ifndef WEND_SRC_MOTION_CLEAR_POINT_LINE_H
#define WEND_SRC_MOTION_CLEAR_POINT_LINE_H

#include "map/store/map_layout.h"

/// An axis of a line. Coordinates are shifted by half a cell, so that borders are multiples of 1000.
typedef struct wend__axis {
    int32_t cell, sign;
    int64_t to_border; ///< from the start to the next border
    int64_t way;       ///< distance from the start to the end
} wend__axis;

typedef struct wend__point_line {
    wend__axis axis[3];
    bool on_border; ///< the line runs along a border of cells
} wend__point_line;

/// Begins at a point. A start on a border counts to the cell ahead.
wend__point_line wend__point_line_of(wend_point a, wend_point b);
/// Cross the next borders, several at once at an edge or a corner. A border that the line just reaches with its end is
/// crossed, too, as the next line may begin there.
/// @return false: no border is left
bool wend__point_line_next(wend__point_line *line);

static inline wend_cell wend__point_line_cell(const wend__point_line *line) {
    return (wend_cell){line->axis[0].cell, line->axis[1].cell, line->axis[2].cell};
}

/// Returns whether the mover can walk the straight line between two points. Refuses lines along the border of two
/// cells.
/// @param view   the mover's view of a version; no graph
bool wend__points_see(const wend__version *view, wend_point a, wend_point b);

#endif
