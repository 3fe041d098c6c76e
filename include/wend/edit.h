/* SPDX-License-Identifier: MIT */
/* Edits: a batch of changes that becomes visible when it is published.
 *
 * A map has one open batch at a time. A batch keeps its first error: later calls and wend_edit_publish() return it.
 * One thread at a time uses a batch. */
#ifndef WEND_EDIT_H
#define WEND_EDIT_H

#include <wend/map.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wend_edit wend_edit;

/// Open a batch of changes.
/// @param out   receives the batch, for wend_edit_publish() or wend_edit_discard()
/// @return WEND_OK, WEND_IN_USE (a batch is open), WEND_OUT_OF_MEMORY
/// Threads: any. Cost: O(chunks / 256).
WEND_API wend_error wend_edit_begin(wend_map *map, wend_edit **out);

/// Set the terrain class of one cell.
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (its chunk is not loaded), WEND_OUT_OF_MEMORY
/// Threads: any, one at a time. Cost: O(1); O(chunk) for the first change of a chunk.
WEND_API wend_error wend_edit_set_cell(wend_edit *edit, wend_cell cell, uint8_t terrain);

/// Set the terrain class of all cells of a box. On a graph it sets the existing nodes; the box ends at the last node at
/// most.
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (max before min), WEND_OUT_OF_MEMORY
/// Threads: any, one at a time. Cost: O(chunks + cells of chunks partly covered).
WEND_API wend_error wend_edit_fill_box(wend_edit *edit, wend_box box, uint8_t terrain);

/// Set the terrain classes of a box from an array, row by row and layer by layer. On a graph the entries of absent
/// nodes are ignored.
/// @param terrain        one class a cell
/// @param stride_bytes   bytes from one row to the next, at least the box's width. From one layer to the next it is
///                       that times the box's rows
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (max before min, stride too short), WEND_OUT_OF_MEMORY
/// Threads: any, one at a time. Cost: O(cells of the box).
WEND_API wend_error wend_edit_set_box(wend_edit *edit, wend_box box, const uint8_t *terrain, size_t stride_bytes);

/// Open or close the step from a cell to a neighbour, in this direction only: one-way ledges, thin walls.
/// A diagonal step also depends on the straight steps around it, as it does on the cells: see the corner rules.
/// @param open   1 or 0
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (a graph, or no neighbours under the rules that the batch
///         began with), WEND_OUT_OF_MEMORY
/// Threads: any, one at a time. Cost: O(1); O(chunk) for the first change of a chunk.
WEND_API wend_error wend_edit_set_step(wend_edit *edit, wend_cell from, wend_cell to, int32_t open);

/// Open or close the steps between two cells in both directions: a thin wall, or a passage through one.
/// On an error neither direction has changed.
/// @param open   1 or 0
/// @return as wend_edit_set_step()
/// Threads: any, one at a time. Cost: as wend_edit_set_step().
WEND_API wend_error wend_edit_set_step_both(wend_edit *edit, wend_cell a, wend_cell b, int32_t open);

/// Add a link, or change the cost of the link from `from` to `to`. Searches do not use a link with a blocked end.
/// @param cost   1 to WEND_MAX_COST
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (cost; from = to; the map has WEND_MAX_LINKS),
///         WEND_OUT_OF_MEMORY
/// Threads: any, one at a time. Cost: O(log links); O(links) for publishing a batch with links. On a map with jump
/// tables the publish also makes stops for each chunk where links begin: the first 4,096 links, all over 4,096 x 4,096
/// cells, take 45 to 55 ms (`bench_bounds "links on"`, a small virtual machine), one more 0.7 ms. To spread that over
/// frames, publish them in several batches.
WEND_API wend_error wend_edit_add_link(wend_edit *edit, wend_cell from, wend_cell to, int32_t cost);

/// Add links of the same cost in both directions. The batch keeps an error, so no single direction is published.
/// @param cost   1 to WEND_MAX_COST
/// @return as wend_edit_add_link()
/// Threads: any, one at a time. Cost: as wend_edit_add_link().
WEND_API wend_error wend_edit_add_link_both(wend_edit *edit, wend_cell a, wend_cell b, int32_t cost);

/// Remove a link. The batch does not keep WEND_EMPTY as its error.
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_EMPTY (no such link), WEND_OUT_OF_MEMORY
/// Threads: any, one at a time. Cost: as wend_edit_add_link().
WEND_API wend_error wend_edit_remove_link(wend_edit *edit, wend_cell from, wend_cell to);

/// Load a chunk of a streamed grid, or replace one that is loaded: its cells get their classes, and all steps out of
/// them are open. Cells of chunks that are not loaded are blocked, and other changes of them are refused.
/// @param chunk_x, chunk_y   the chunk's place: x and y of its cells ÷ WEND_CHUNK_SIDE
/// @param terrain            one class a cell, row by row, for the cells that are on the map; NULL: all are open
/// @param stride_bytes       from one row to the next, at least the chunk's cells in a row; ignored without terrain
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (not streamed, stride too short), WEND_OUT_OF_MEMORY
/// Threads: any, one at a time. Cost: O(cells of the chunk).
WEND_API wend_error wend_edit_load(wend_edit *edit, int32_t chunk_x, int32_t chunk_y, const uint8_t *terrain,
                                   size_t stride_bytes);

/// Unload a chunk of a streamed grid. Its cells are blocked then, and its closed steps are gone. Links and units stay:
/// they count again once it is loaded.
/// @param land   WEND_LAND_KNOWN: a hash of its cells and closed steps is kept, by which watched paths are verified
///               once it is loaded again, and the far layer knows its ways (WEND_UNLOADED_KNOWN): the first such unload
///               makes a layer, unless wend_acceleration.far was 0; WEND_LAND_ABSENT: nothing is
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (not streamed, not loaded, land), WEND_OUT_OF_MEMORY
/// Threads: any, one at a time. Cost: O(cells of the chunk); at the publish, where the chunk's part of the far layer is
/// stale, 0.1 to 1.2 ms for each mover to make that.
WEND_API wend_error wend_edit_unload(wend_edit *edit, int32_t chunk_x, int32_t chunk_y, int32_t land);

/// Make the batch the newest version, and free the batch. On an error the map has not changed; the batch is freed too.
/// Running searches continue on the version that they began on. Where more than max_versions would be in use, searches
/// on the oldest version start again in their service's next frame.
/// @param epoch   receives the new version's number; may be NULL
/// @return WEND_OK, the batch's first error, WEND_OUT_OF_MEMORY
/// Threads: any. Cost: for each mover O(chunks touched + links that end in them). Where links connect other components
/// than before, also O(those links). With landmarks see publish_effort of wend_map_accelerate().
WEND_API wend_error wend_edit_publish(wend_edit *edit, uint64_t *epoch);

/// Discard the batch, and free it. NULL is ignored.
/// Threads: any, one at a time. Cost: O(chunks touched).
WEND_API void wend_edit_discard(wend_edit *edit);

/// Predict whether publishing the batch would disconnect two cells that are connected now.
/// @param mover         WEND_MOVER_DEFAULT, or an added one
/// @param disconnects   receives 1 or 0. 0 also where the cells are not connected now. 1 where the batch blocks one
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT, WEND_OUT_OF_MEMORY, the batch's first error
/// Threads: any, one at a time. Cost: O(cells of chunks touched + rims of the areas above them).
WEND_API wend_error wend_edit_would_disconnect(const wend_edit *edit, int32_t mover, wend_cell a, wend_cell b,
                                               int32_t *disconnects);

/// Set the terrain class of one cell in a batch of its own: begin, set, publish. On an error the map has not changed.
/// @param epoch   receives the new version's number; may be NULL
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_IN_USE (a batch is open), WEND_OUT_OF_MEMORY
/// Threads: any. Cost: a publish. A batch is cheaper for more than one cell.
WEND_API wend_error wend_map_set_cell(wend_map *map, wend_cell cell, uint8_t terrain, uint64_t *epoch);

#ifdef __cplusplus
}
#endif
#endif
