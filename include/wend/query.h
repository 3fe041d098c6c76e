/* SPDX-License-Identifier: MIT */
/* Queries without a request: reachability, line of sight, nearest open cell, path cost, one step, free places.
 *
 * A query on a map reads the newest version, for one mover. WEND_BAD_ARGUMENT: the map has no such mover. */
#ifndef WEND_QUERY_H
#define WEND_QUERY_H

#include <wend/edit.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Test whether two cells are connected. Compares the labels of connected components, without a search. Every edit
/// keeps the labels up to date.
/// @param mover      WEND_MOVER_DEFAULT, or an added one
/// @param reachable  receives whether they are; false where either cell is blocked for the mover. Links and closed
///                   steps count as if they led both ways: on a map that has any, true means maybe
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT
/// Threads: any. Cost: O(log side).
WEND_API wend_error wend_map_reachable(const wend_map *map, int32_t mover, wend_cell a, wend_cell b, bool *reachable);

/// Test whether a mover can walk the straight line between the centres of two cells. Every cell on the line must be
/// open. Where the line passes exactly through a corner, the map's corner rule decides. With 4 or 6 neighbours, and
/// with 18 at a corner in space, all cells around the corner must be open. A closed step on the line blocks it.
/// A large mover must be able to stand on every cell of the line.
/// @param mover     WEND_MOVER_DEFAULT, or an added one
/// @param visible   receives whether it can
/// @param last      receives the last cell reached, `to` itself when visible; may be NULL
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED (a graph)
/// Threads: any. Cost: O(distance).
WEND_API wend_error wend_map_line_of_sight(const wend_map *map, int32_t mover, wend_cell from, wend_cell to,
                                           bool *visible, wend_cell *last);

/// Largest radius of wend_map_nearest_open(), in cells.
#define WEND_MAX_NEAREST 1024

/// Find the open cell nearest to a cell. On a grid the distance is the cost of the cheapest steps on terrain without
/// obstacles; ties go to the lower z, then y, then x. On a graph it is the straight distance, over any number of
/// cells; ties go to the lower id.
/// @param mover       WEND_MOVER_DEFAULT, or an added one
/// @param max_cells   radius in x, y and z, in cells: 0 to WEND_MAX_NEAREST
/// @param found       receives true, or false where no cell within the radius is open (then out is untouched)
/// @param out         receives the cell
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED (a graph without coordinates)
/// Threads: any. Cost: O(distance to the answer, squared; cubed in space); O(nodes) on a graph.
WEND_API wend_error wend_map_nearest_open(const wend_map *map, int32_t mover, wend_cell cell, int32_t max_cells,
                                          bool *found, wend_cell *out);

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
/// @param legal   receives whether it may; false also where the mover cannot stand on `from`; may be NULL
/// @param cost    receives the cost of the step, 0 where it is not legal; may be NULL
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (no such mover)
/// Threads: any. Cost: O(1), O(edges of `from`) on a graph.
WEND_API wend_error wend_map_step_legal(const wend_map *map, int32_t mover, wend_cell from, wend_cell to, bool *legal,
                                        uint64_t *cost);

/// A question for wend_map_free_places().
typedef struct wend_places_def {
    uint32_t struct_bytes;
    int32_t mover;      ///< WEND_MOVER_DEFAULT, or an added one. Places of a large mover do not overlap
    wend_cell goal;     ///< the places are the cheapest to reach from here
    wend_cell from;     ///< they are connected with this cell (wend_map_reachable())
    bool occupied;      ///< false: units are ignored; true: no unit stands on a place. Default true
    uint32_t max_cells; ///< most cells looked at, from 1. Default 65,536
} wend_places_def;

/// Set the defaults: the default mover, the cells 0,0,0.
/// @param bytes   sizeof *def
/// Threads: any. Cost: O(1).
WEND_API void wend_places_def_init(wend_places_def *def, size_t bytes);

/// Find free places around a goal, by the cost of the way from the goal to them; the goal is the first, if it is free.
/// Ties go to the lower z, then y, then x. Where the goal cannot be entered, or is not connected with `from`, the
/// nearest cell that can takes its place (wend_map_nearest_open()). Units do not stop the way. Takes its memory from
/// the C library and frees it before it returns.
/// @param out     receives the places, up to capacity
/// @param count   receives their number, up to capacity
/// @return WEND_OK (also where there are fewer), WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT, WEND_OUT_OF_MEMORY
/// Threads: any; with `occupied` as wend_map_occupy(). Cost: O(cells looked at × log).
WEND_API wend_error wend_map_free_places(wend_map *map, const wend_places_def *def, wend_cell *out, size_t capacity,
                                         size_t *count);

/// Choose a random cell that is open for a mover and connected with another (wend_map_reachable()). All are equally
/// likely where at least one cell in a hundred will do. The same seed gives the same cell on the same map.
/// @param from   where the agent stands; the answer where no other cell will do
/// @param out    receives the cell
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (no such mover; it cannot stand on `from`)
/// Threads: any. Cost: O(cells ÷ cells that will do); at most O(cells).
WEND_API wend_error wend_map_random_cell(const wend_map *map, int32_t mover, wend_cell from, uint64_t seed,
                                         wend_cell *out);

/// Count the cells of each terrain class in the newest version; on a graph, the nodes.
/// @param counts   receives the counts; their sum is wend_map_info.cells
/// Threads: any. Cost: O(chunks), and O(chunk) for each chunk of more than one class.
WEND_API void wend_map_get_class_counts(const wend_map *map, uint64_t counts[256]);

/// Predict whether publishing the batch would disconnect two cells that are connected now.
/// @param mover         WEND_MOVER_DEFAULT, or an added one
/// @param disconnects   receives whether it would: false also where the cells are not connected now, true where the
///                      batch blocks one
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT, WEND_OUT_OF_MEMORY, the batch's first error
/// Threads: any, one at a time. Cost: O(cells of chunks touched + rims of the areas above them).
WEND_API wend_error wend_edit_would_disconnect(const wend_edit *edit, int32_t mover, wend_cell a, wend_cell b,
                                               bool *disconnects);

#ifdef __cplusplus
}
#endif
#endif
