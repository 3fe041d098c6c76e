/* SPDX-License-Identifier: MIT */
/* Internal: where cells lie as points. */
#ifndef WEND_SRC_MOTION_WALK_POINTS_H
#define WEND_SRC_MOTION_WALK_POINTS_H

#include "map/store/map_layout.h"
#include <wend/map.h>

/// Units of progress in a thousandth of a straight step. Progress counts millionths of a cost.
int64_t wend__walk_milli(const wend__version *version);

/// The point done / length of the way from a cell to another, both rounded to `from`.
wend_point wend__point_between(const wend_map *map, wend_cell from, wend_cell to, int64_t done, int64_t length);
/// A coordinate between two points; done < 2^31, length is 1 to 2^31 - 1, and the points differ by less than 2^32.
static inline int32_t wend__part_of_way(int32_t from, int32_t to, int64_t done, int64_t length) {
    return from == to ? to : (int32_t)(from + ((int64_t)to - from) * done / length);
}
/// Returns the signs of the offset between two cells; on a graph between their coordinates.
wend_cell wend__facing(const wend_map *map, wend_cell from, wend_cell to);

#endif
