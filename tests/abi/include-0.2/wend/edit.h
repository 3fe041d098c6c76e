/* SPDX-License-Identifier: MIT */
/* Edits: a batch of changes that becomes visible when it is published.
 *
 * A map has one open batch at a time. The first error of a batch stays: later calls return it, and so does
 * wend_edit_publish(). One thread at a time uses a batch. */
#ifndef WEND_EDIT_H
#define WEND_EDIT_H

#include <wend/map.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wend_edit wend_edit;

/// @return WEND_OK, WEND_IN_USE (a batch is open), WEND_OUT_OF_MEMORY
/// Threads: any. Cost: O(chunks / 256).
WEND_API wend_error wend_edit_begin(wend_map *map, wend_edit **out);

/// Set the class of one cell. @return WEND_OK, WEND_OUT_OF_RANGE, WEND_OUT_OF_MEMORY. Cost: O(1), O(chunk) the first time.
WEND_API wend_error wend_edit_set_cell(wend_edit *edit, wend_cell cell, uint8_t terrain);

/// Set the class of all cells of a box; of a graph, of all nodes that there are, up to the last one. Errors as
/// wend_edit_set_cell(), and WEND_BAD_ARGUMENT (max before min).
/// Cost: O(chunks + cells of chunks partly covered).
WEND_API wend_error wend_edit_fill_box(wend_edit *edit, wend_box box, uint8_t terrain);

/// Set the classes of a box from an array, row by row and layer by layer; stride_bytes from one row to the next, and times
/// the box's rows from one layer to the next. Of a graph, what the array says of nodes that there are not is passed over.
/// Errors as wend_edit_fill_box(); WEND_BAD_ARGUMENT also where the stride is too short. Cost: O(cells of the box).
WEND_API wend_error wend_edit_set_box(wend_edit *edit, wend_box box, const uint8_t *terrain, size_t stride_bytes);

/// Open or close one step from a cell to a neighbour, that direction only: one-way ledges, thin walls. A diagonal step also
/// depends on the straight ones around it, as on the cells: see the corner rules.
/// @param open   1 or 0
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (no neighbours under the rules that the batch began with, or a
///         graph), WEND_OUT_OF_MEMORY. Cost: O(1), O(chunk) the first time.
WEND_API wend_error wend_edit_set_step(wend_edit *edit, wend_cell from, wend_cell to, int32_t open);

/// The same in both directions: a thin wall between two cells, or a passage through one. Errors and cost as
/// wend_edit_set_step(); on an error neither direction has changed.
WEND_API wend_error wend_edit_set_step_both(wend_edit *edit, wend_cell a, wend_cell b, int32_t open);

/// Add a link, or give the one from `from` to `to` another cost. A link with a blocked end leads nowhere.
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (cost; from = to; there are WEND_MAX_LINKS), WEND_OUT_OF_MEMORY.
/// Cost: O(log links); publishing a batch with links O(links).
WEND_API wend_error wend_edit_add_link(wend_edit *edit, wend_cell from, wend_cell to, int32_t cost);

/// Add links of the same cost in both directions. Errors and cost as wend_edit_add_link(); an error sticks, so that no
/// single direction is published.
WEND_API wend_error wend_edit_add_link_both(wend_edit *edit, wend_cell a, wend_cell b, int32_t cost);

/// Remove a link. WEND_EMPTY, which does not stick, where there is none.
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_EMPTY, WEND_OUT_OF_MEMORY. Cost: as wend_edit_add_link().
WEND_API wend_error wend_edit_remove_link(wend_edit *edit, wend_cell from, wend_cell to);

/// Make the batch the newest version, and free it. On error nothing has changed, and the batch is freed too.
/// Searches under way go on with the version they began on; where more than max_versions would be in use, those on the
/// oldest start again in their service's next frame.
/// @param epoch   receives the new version's number; may be NULL
/// @return WEND_OK, the batch's first error, WEND_OUT_OF_MEMORY
/// Threads: any. Cost: O(chunks touched + links that end in them), for each mover; where links connect other components
/// than before, O(links that do so) for that mover; with landmarks see publish_effort of wend_map_accelerate().
WEND_API wend_error wend_edit_publish(wend_edit *edit, uint64_t *epoch);

/// Forget the batch. NULL is ignored. Cost: O(chunks touched).
WEND_API void wend_edit_discard(wend_edit *edit);

/// Would publishing the batch as it stands part two cells that are connected now (build a wall across the only way)?
/// @param mover      WEND_MOVER_DEFAULT, or one added
/// @param disconnects   receives 1 or 0; 0 also where they are not connected now; 1 where the batch blocks one of them
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT, WEND_OUT_OF_MEMORY, the batch's first error
/// Cost: O(cells of chunks touched + rims of the areas above them).
WEND_API wend_error wend_edit_would_disconnect(const wend_edit *edit, int32_t mover, wend_cell a, wend_cell b,
                                               int32_t *disconnects);

/// Set the class of one cell without a batch of one's own: begin, set, publish.
/// @param epoch   receives the new version's number; may be NULL
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_IN_USE (a batch is open), WEND_OUT_OF_MEMORY (nothing has changed on an error)
/// Threads: any. Cost: a publish; a batch is cheaper for more than one cell.
WEND_API wend_error wend_map_set_cell(wend_map *map, wend_cell cell, uint8_t terrain, uint64_t *epoch);

#ifdef __cplusplus
}
#endif
#endif
