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

/// Set the terrain class of one cell in a batch of its own: begin, set, publish. On an error the map has not changed.
/// @param epoch   receives the new version's number; may be NULL
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_IN_USE (a batch is open), WEND_OUT_OF_MEMORY
/// Threads: any. Cost: a publish. A batch is cheaper for more than one cell.
WEND_API wend_error wend_map_set_cell(wend_map *map, wend_cell cell, uint8_t terrain, uint64_t *epoch);

#ifdef __cplusplus
}
#endif
#endif
