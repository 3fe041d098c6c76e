/* SPDX-License-Identifier: MIT */
/* Growing: conditions of links may be added. See docs/stability.md. */
/* Links and closed steps: teleports, doors, ledges, thin walls. */
#ifndef WEND_WAYS_H
#define WEND_WAYS_H

#include <wend/edit.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The cost of a seam: a link that is a step between two cells that lie side by side on the ground (wend_sheet). It
/// costs what the step costs, by the class that it enters, and heeds the corner rule. Steps of the map and seams count
/// as ways round its corner.
enum { WEND_LINK_SEAM = 0 };

/// A directed connection between two cells: a teleport, a door, a ladder, a jump.
typedef struct wend_link {
    wend_cell from, to;
    int32_t cost;    ///< 1 to WEND_MAX_COST, not multiplied by a terrain factor; or WEND_LINK_SEAM
    uint32_t movers; ///< bit 1 << mover for each mover that takes it; 0: all do
} wend_link;

/// Get the links of the newest version, sorted by their ends.
/// @param out     receives the first `capacity` links; may be NULL with capacity 0, to count only
/// @param count   receives the number of links, also when that is more than capacity
/// Threads: any. Cost: O(count).
WEND_API void wend_map_get_links(const wend_map *map, wend_link *out, size_t capacity, size_t *count);

/// Get the sheets of a map, as they were given.
/// @param out     receives the first `capacity` sheets; may be NULL with capacity 0, to count only
/// @param count   receives the number of sheets, also when that is more than capacity
/// Threads: any. Cost: O(count).
WEND_API void wend_map_get_sheets(const wend_map *map, wend_sheet *out, size_t capacity, size_t *count);

/// A step from a cell to a neighbour.
typedef struct wend_step {
    wend_cell from, to;
} wend_step;

/// Get the closed steps of the newest version, sorted by chunk and cell.
/// @param out     receives the first `capacity` steps; may be NULL with capacity 0, to count only
/// @param count   receives the number of steps, also when that is more than capacity
/// Threads: any. Cost: O(chunks + count).
WEND_API void wend_map_get_closed_steps(const wend_map *map, wend_step *out, size_t capacity, size_t *count);

/// Open or close the step from a cell to a neighbour, in this direction only: one-way ledges, thin walls.
/// A diagonal step also depends on the straight steps around it, as it does on the cells: see the corner rules.
/// @param open   false: close it
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (a graph, or no neighbours under the rules that the batch
///         began with), WEND_OUT_OF_MEMORY
/// Threads: any, one at a time. Cost: O(1); O(chunk) for the first change of a chunk.
WEND_API wend_error wend_edit_set_step(wend_edit *edit, wend_cell from, wend_cell to, bool open);

/// Movers below this number can have links of their own: WEND_MOVER_DEFAULT is one of them.
#define WEND_LINK_MOVERS 32

/// Add a link, or change the cost and movers of the link from `from` to `to`. Searches do not use a link with a blocked
/// end.
/// @param link   copied. `cost`: 1 to WEND_MAX_COST; on a map with sheets also WEND_LINK_SEAM, from a cell to another
///               sheet, or to a diagonal neighbour past the corner of another sheet. `movers`: a ladder for people, a
///               hatch for cats, also for movers that the map gets later; a later call with 0 opens the link to all. A
///               mover that avoids classes (wend_map_mover_avoiding()) takes the links of the mover that it is like
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (cost; from = to; a seam that is not for all movers; neighbours
///         over the rim of a map that wraps, whatever its rules; the map has WEND_MAX_LINKS), WEND_OUT_OF_MEMORY
/// Threads: any, one at a time. Cost: O(log links); O(links) for publishing a batch with links. On a map with jump
/// tables the publish also makes stops for each chunk where links begin: the first 4,096 links, all over 4,096 x 4,096
/// cells, take 45 to 55 ms (`bench_bounds "links on"`, a small virtual machine), one more 0.7 ms. To spread that over
/// frames, publish them in several batches.
WEND_API wend_error wend_edit_add_link(wend_edit *edit, const wend_link *link);

/// Remove a link. The batch does not keep WEND_EMPTY as its error.
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_EMPTY (no such link), WEND_OUT_OF_MEMORY
/// Threads: any, one at a time. Cost: as wend_edit_add_link().
WEND_API wend_error wend_edit_remove_link(wend_edit *edit, wend_cell from, wend_cell to);

/// For wend_edit_add_node(): the lowest id of no node, neither of the batch nor of a live version.
#define WEND_ANY_NODE UINT32_MAX

/// Add a node to a graph, without edges.
/// @param node          its id, that of no node; or WEND_ANY_NODE
/// @param coordinates   in the unit of the definition; ignored where the graph has none
/// @param terrain       its class
/// @param out           receives its id; may be NULL
/// @return WEND_OK, WEND_UNSUPPORTED (no graph), WEND_OUT_OF_RANGE (not below the capacity, or no id is left),
///         WEND_BAD_ARGUMENT (there is such a node), WEND_OUT_OF_MEMORY
/// Threads: any, one at a time. Cost: O(1); for the first change of 4,096 nodes O(4,096). WEND_ANY_NODE: O(nodes / 64).
/// The first after wend_map_fork(): O(nodes).
WEND_API wend_error wend_edit_add_node(wend_edit *edit, uint32_t node, wend_cell coordinates, uint8_t terrain,
                                       uint32_t *out);

/// Remove a node from a graph, with all its edges and links. Units on it stay counted.
/// @return WEND_OK, WEND_UNSUPPORTED (no graph), WEND_OUT_OF_RANGE (no such node), WEND_OUT_OF_MEMORY
/// Threads: any, one at a time. Cost: O(edges of the node and of the 63 next to it).
WEND_API wend_error wend_edit_remove_node(wend_edit *edit, uint32_t node);

/// Set the one edge from a node to another, in place of all that there are. It is directed.
/// @param cost   1 to WEND_MAX_COST
/// @return WEND_OK, WEND_UNSUPPORTED (no graph), WEND_OUT_OF_RANGE (no such node), WEND_BAD_ARGUMENT (cost, or the
///         graph has WEND_MAX_EDGES), WEND_OUT_OF_MEMORY
/// Threads: any, one at a time. Cost: O(edges of 64 nodes at each end).
WEND_API wend_error wend_edit_set_edge(wend_edit *edit, uint32_t from, uint32_t to, int32_t cost);

/// Remove all edges from a node to another.
/// @return as wend_edit_set_edge(), and WEND_EMPTY (there is none), which does not fail the batch
/// Threads: any, one at a time. Cost: O(edges of 64 nodes at each end).
WEND_API wend_error wend_edit_remove_edge(wend_edit *edit, uint32_t from, uint32_t to);

#ifdef __cplusplus
}
#endif
#endif
