/* SPDX-License-Identifier: MIT */
/* Questions that need no request: reachable, sight, nearest open cell, path cost, one step, turns, world coordinates.
 *
 * A question about a map is answered at its newest version, for one mover. WEND_BAD_ARGUMENT: the map has no such mover. */
#ifndef WEND_QUERY_H
#define WEND_QUERY_H

#include <wend/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Is there any way from one cell to another? Answered from labels that every edit keeps up to date, without a search.
/// @param mover      WEND_MOVER_DEFAULT, or one added
/// @param reachable  receives 1 or 0; 0 where either cell is blocked for it. Links and closed steps are looked at as if
///                   they led both ways: where there are any, 1 means maybe
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT. Threads: any. Cost: O(log side).
WEND_API wend_error wend_map_reachable(const wend_map *map, int32_t mover, wend_cell a, wend_cell b,
                                       int32_t *reachable);

/// Can one walk the straight line between two cells' centres? Every cell the line passes through must be open; where it
/// passes exactly through a corner, the map's corner rule decides (with 4 or 6 neighbours, and with 18 at a corner in space:
/// all cells around open). A closed step on the way blocks it. For a large mover: all places its cell passes through.
/// @param visible   receives 1 or 0
/// @param last      receives the last cell reached on the way, `to` itself when visible; may be NULL
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED (a graph). Threads: any. Cost: O(distance).
WEND_API wend_error wend_map_line_of_sight(const wend_map *map, int32_t mover, wend_cell from, wend_cell to,
                                           int32_t *visible, wend_cell *last);

/// Farthest that wend_map_nearest_open() looks, in cells.
#define WEND_MAX_NEAREST 1024

/// The open cell nearest to a cell: by the cost of fewest-cost steps on empty ground, ties by lower z, then y,
/// then x. On a graph: the nearest node by straight distance, ties by lower id, any number of cells away.
/// @param max_cells   how far to look in x, y and z, 0 to WEND_MAX_NEAREST
/// @param found       receives 1, or 0 where nothing is open within reach (out untouched)
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED (a graph without coordinates). Threads: any.
/// Cost: O(distance to the answer, squared; cubed in space); O(nodes) on a graph.
WEND_API wend_error wend_map_nearest_open(const wend_map *map, int32_t mover, wend_cell cell, int32_t max_cells,
                                          int32_t *found, wend_cell *out);

/// What a given path costs: each step's cost times the factor of the cell it enters; the first cell is free. Where there is
/// a link (or several edges) from a cell to the next, the cheapest way counts. Units that stand about are not asked.
/// @param walkable   receives how many cells, from the first on, can be walked one after another: count when the whole
///                   path can be; 0 when the first is not open. May be NULL.
/// @param cost       receives the cost of those
/// @return WEND_OK, WEND_OUT_OF_RANGE (some cell is off the map), WEND_BAD_ARGUMENT (no cells; no such mover)
/// Threads: any. Cost: O(count).
WEND_API wend_error wend_map_path_cost(const wend_map *map, int32_t mover, const wend_cell *cells, size_t count,
                                       size_t *walkable, uint64_t *cost);

/// May a mover take this one step: to a neighbour, through a link, or along an edge? Units are not asked.
/// @param legal   receives 1 or 0; 0 also where it cannot stand on `from`; may be NULL
/// @param cost    receives what the step costs, 0 where it is not legal; may be NULL
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (no such mover)
/// Threads: any. Cost: O(1), O(edges of `from`) on a graph.
WEND_API wend_error wend_map_step_legal(const wend_map *map, int32_t mover, wend_cell from, wend_cell to,
                                        int32_t *legal, uint64_t *cost);

/// The cells of a path at which it turns, both ends included.
/// @param out     may be NULL with capacity 0, to count only
/// @param count   receives how many there are, also when that is more than capacity (then capacity of them are written)
/// @return WEND_OK, WEND_BAD_ARGUMENT. Threads: any. Cost: O(cell_count).
WEND_API wend_error wend_path_turns(const wend_cell *cells, size_t cell_count, wend_cell *out, size_t capacity,
                                    size_t *count);

/// Where a map's cells lie in a host's world. Plain; it never grows.
typedef struct wend_placement {
    double origin_x, origin_y;      ///< world coordinates of the first corner of cell 0,0
    double cell_width, cell_height; ///< world units, above 0; isometric: of the diamond
    int32_t y_up;                   ///< 0: a larger cell y has a larger world y; 1: a smaller one
    int32_t isometric;              ///< 0: rectangles; 1: diamonds, where cell 1,0 lies right and down of 0,0
} wend_placement;

/// The world coordinates of a cell's centre; z is ignored.
/// @return WEND_OK, WEND_BAD_ARGUMENT (a size that is not above 0 or not finite, a flag that is not 0 or 1)
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_placement_get_world(const wend_placement *placement, wend_cell cell, double *x, double *y);

/// The cell that holds a point, on the map or not: coordinates are rounded down, also negative ones; z is 0.
/// @return WEND_OK, WEND_BAD_ARGUMENT as above, WEND_OUT_OF_RANGE (outside int32_t, or not finite: out untouched)
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_placement_get_cell(const wend_placement *placement, double x, double y, wend_cell *out);

#ifdef __cplusplus
}
#endif
#endif
