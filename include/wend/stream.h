/* SPDX-License-Identifier: MIT */
/* Streamed grids: land that comes and goes in chunks. control.h has the chunks that requests want. */
#ifndef WEND_STREAM_H
#define WEND_STREAM_H

#include <wend/edit.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Load a chunk of a streamed grid, or replace a loaded one: its cells get their classes, and all steps out of
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
/// @param land   WEND_LAND_KNOWN: the far layer knows its ways (WEND_UNLOADED_KNOWN): the first such unload
///               makes a layer, unless wend_acceleration.far was 0. Where the same batch changed the chunk before, no
///               way leads through it until it is loaded again: publish in between. WEND_LAND_ABSENT: nothing is
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (not streamed, not loaded, land), WEND_OUT_OF_MEMORY
/// Threads: any, one at a time. Cost: O(cells of the chunk); at the publish, where the chunk's part of the far layer is
/// stale, 0.1 to 1.2 ms for each mover to make that.
WEND_API wend_error wend_edit_unload(wend_edit *edit, int32_t chunk_x, int32_t chunk_y, int32_t land);

/// Get what is there of a chunk of a streamed grid.
/// @param chunk_x, chunk_y   as in wend_edit_load()
/// @param land               receives WEND_LAND_…
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (not streamed)
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_map_get_land(const wend_map *map, int32_t chunk_x, int32_t chunk_y, int32_t *land);

#ifdef __cplusplus
}
#endif
#endif
