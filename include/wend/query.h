/* SPDX-License-Identifier: MIT */
/* Queries without a request: reachability, line of sight, nearest open cell, path cost, one step, turns, placement.
 *
 * A query on a map reads the newest version, for one mover. WEND_BAD_ARGUMENT: the map has no such mover. */
#ifndef WEND_QUERY_H
#define WEND_QUERY_H

#include <wend/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Test whether two cells are connected. Compares the labels of connected components, without a search. Every edit
/// keeps the labels up to date.
/// @param mover      WEND_MOVER_DEFAULT, or an added one
/// @param reachable  receives 1 or 0. 0 where either cell is blocked for the mover. Links and closed steps count as
///                   if they led both ways: on a map that has any, 1 means maybe
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT
/// Threads: any. Cost: O(log side).
WEND_API wend_error wend_map_reachable(const wend_map *map, int32_t mover, wend_cell a, wend_cell b,
                                       int32_t *reachable);

/// Test whether a mover can walk the straight line between the centres of two cells. Every cell on the line must be
/// open. Where the line passes exactly through a corner, the map's corner rule decides. With 4 or 6 neighbours, and
/// with 18 at a corner in space, all cells around the corner must be open. A closed step on the line blocks it.
/// A large mover must be able to stand on every cell of the line.
/// @param mover     WEND_MOVER_DEFAULT, or an added one
/// @param visible   receives 1 or 0
/// @param last      receives the last cell reached, `to` itself when visible; may be NULL
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED (a graph)
/// Threads: any. Cost: O(distance).
WEND_API wend_error wend_map_line_of_sight(const wend_map *map, int32_t mover, wend_cell from, wend_cell to,
                                           int32_t *visible, wend_cell *last);

/// Largest radius of wend_map_nearest_open(), in cells.
#define WEND_MAX_NEAREST 1024

/// Find the open cell nearest to a cell. On a grid the distance is the cost of the cheapest steps on terrain without
/// obstacles; ties go to the lower z, then y, then x. On a graph it is the straight distance, over any number of
/// cells; ties go to the lower id.
/// @param mover       WEND_MOVER_DEFAULT, or an added one
/// @param max_cells   radius in x, y and z, in cells: 0 to WEND_MAX_NEAREST
/// @param found       receives 1, or 0 where no cell within the radius is open (then out is untouched)
/// @param out         receives the cell
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED (a graph without coordinates)
/// Threads: any. Cost: O(distance to the answer, squared; cubed in space); O(nodes) on a graph.
WEND_API wend_error wend_map_nearest_open(const wend_map *map, int32_t mover, wend_cell cell, int32_t max_cells,
                                          int32_t *found, wend_cell *out);

/// Compute the cost of a given path: each step's cost times the factor of the cell it enters. The first cell is free.
/// Where a link or several edges lead from a cell to the next, the cheapest counts. Occupancy is ignored.
/// @param mover      WEND_MOVER_DEFAULT, or an added one
/// @param walkable   receives the number of cells, from the first on, that can be walked one after another: `count`
///                   for the whole path, 0 when the first is not open; may be NULL
/// @param cost       receives the cost of those cells
/// @return WEND_OK, WEND_OUT_OF_RANGE (a cell is off the map), WEND_BAD_ARGUMENT (no cells; no such mover)
/// Threads: any. Cost: O(count).
WEND_API wend_error wend_map_path_cost(const wend_map *map, int32_t mover, const wend_cell *cells, size_t count,
                                       size_t *walkable, uint64_t *cost);

/// Test whether a mover may take one step: to a neighbour, through a link, or along an edge. Occupancy is ignored.
/// @param mover   WEND_MOVER_DEFAULT, or an added one
/// @param legal   receives 1 or 0; 0 also where the mover cannot stand on `from`; may be NULL
/// @param cost    receives the cost of the step, 0 where it is not legal; may be NULL
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (no such mover)
/// Threads: any. Cost: O(1), O(edges of `from`) on a graph.
WEND_API wend_error wend_map_step_legal(const wend_map *map, int32_t mover, wend_cell from, wend_cell to,
                                        int32_t *legal, uint64_t *cost);

/// Get the cells at which a path turns, and both ends.
/// @param out     receives the first `capacity` cells; may be NULL with capacity 0, to count only
/// @param count   receives the number of turns, also when that is more than capacity
/// @return WEND_OK, WEND_BAD_ARGUMENT
/// Threads: any. Cost: O(cell_count).
WEND_API wend_error wend_path_turns(const wend_cell *cells, size_t cell_count, wend_cell *out, size_t capacity,
                                    size_t *count);

/// Position and size of a map's cells in a host's world. A plain struct, which never grows.
typedef struct wend_placement {
    double origin_x, origin_y;      ///< world coordinates of the first corner of cell 0,0
    double cell_width, cell_height; ///< world units, above 0; isometric: of the diamond
    int32_t y_up;                   ///< 0: a larger cell y has a larger world y; 1: a smaller one
    int32_t isometric;              ///< 0: rectangles; 1: diamonds, where cell 1,0 lies right and down of 0,0
} wend_placement;

/// Get the world coordinates of a cell's centre; z is ignored.
/// @param x, y   receive the coordinates, in world units
/// @return WEND_OK, WEND_BAD_ARGUMENT (a size that is not above 0 or not finite, a flag that is not 0 or 1)
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_placement_get_world(const wend_placement *placement, wend_cell cell, double *x, double *y);

/// Get the cell that holds a point, on the map or not. Coordinates are rounded down, also negative ones; z is 0.
/// @param x, y   coordinates, in world units
/// @param out    receives the cell; untouched on error
/// @return WEND_OK, WEND_BAD_ARGUMENT (as wend_placement_get_world()), WEND_OUT_OF_RANGE (outside int32_t, or not
///         finite)
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_placement_get_cell(const wend_placement *placement, double x, double y, wend_cell *out);

#ifdef __cplusplus
}
#endif
#endif
