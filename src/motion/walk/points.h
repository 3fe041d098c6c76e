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
/// The same, but over a rim or a seam the step goes on beyond its first cell to its end.
wend_point wend__point_in_step(const wend_map *map, wend_cell from, wend_cell to, int64_t done, int64_t length);
/// A coordinate between two points; done < 2^31, length is 1 to 2^31 - 1, and the points differ by less than 2^32.
static inline int32_t wend__part_of_way(int32_t from, int32_t to, int64_t done, int64_t length) {
    return from == to ? to : (int32_t)(from + ((int64_t)to - from) * done / length);
}
/// Returns the signs of the offset between two cells; on a graph between their coordinates.
wend_cell wend__facing(const wend_map *map, wend_cell from, wend_cell to);

/// Lead an agent from a path that it walks onto a newer one from the same start: as later prefixes of a search do, and
/// the path that it finds (see wend_search_get_prefix()). It leaves the way walked at its last cell that is on the
/// newer path. Where it costs less, it goes straight across to a later cell of that path instead: diagonally and then
/// along, or the other way round, up to 64 steps; not on a graph. Each step of this joint is legal on the newest
/// version; those of the newer path are not looked at. Units do not matter.
/// @param mover    WEND_MOVER_DEFAULT, or an added one
/// @param walked   the cells from the start to where the agent stands; all of them, or from any cell on that is on the
///                 newer path if that is cut there, too
/// @param path     the newer path
/// @param out      receives the first `capacity` cells from where the agent stands to the end of the newer path; NULL
///                 with capacity 0; not one of the others
/// @param count    receives the number of cells, also when that is more than capacity; may be NULL
/// @return WEND_OK, WEND_EMPTY (no such joint: a step back is not legal), WEND_OUT_OF_RANGE (a cell),
///         WEND_BAD_ARGUMENT (no cells, no such mover, other starts)
/// Threads: any. Cost: O(cells); up to 256 × path where the ways part early.
wend_error wend__path_join(const wend_map *map, int32_t mover, const wend_cell *walked, size_t walked_count,
                           const wend_cell *path, size_t path_count, wend_cell *out, size_t capacity, size_t *count);

#endif
