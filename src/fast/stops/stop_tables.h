/* SPDX-License-Identifier: MIT */
/* Internal to this room: how stops are made, shared and updated. */
#ifndef WEND_SRC_FAST_STOPS_STOP_TABLES_H
#define WEND_SRC_FAST_STOPS_STOP_TABLES_H

#include "map/edit/edit.h"
#include "fast/stops/exits.h"
#include "fast/stops/stops.h"

/// Returns true if jump tables, and so stops, serve these rules.
static inline bool wend__stops_serve(const wend_map_rules *rules) {
    return rules->neighbours == 8 && rules->corners == WEND_CORNERS_NEVER;
}

/// The exits of a special cell by arrival, and the arrivals for which it is a stop.
typedef struct wend__stop {
    uint64_t exits;
    uint8_t arrivals;
} wend__stop;
wend__stop wend__stop_of_nine(const wend__nine *nine, const wend__step_prices *prices, bool entrance);

/// The 3 x 3 around a cell that is on the map.
void wend__nine_of_cell(const wend__version *view, int32_t x, int32_t y, wend__nine *nine);

/// Which neighbours are open.
uint8_t wend__nine_open(const wend__nine *nine);
/// Returns true if a 3 x 3 makes its cell special, even without links.
bool wend__nine_special(const wend__nine *nine);

/// Sets the stops of a cell (y << 6 | x): a bit for each arrival.
void wend__stop_lines_set(wend__stop_lines *lines, unsigned cell, unsigned arrivals);

/// Computes wend__stop_chunk.over of a chunk, from its masks and from cells, masks and jump tables beyond its rims.
void wend__lines_over_rim(const wend__version *version, int32_t column, int32_t row,
                          uint64_t over[WEND__MARKS_AXES][WEND__QUADRANTS]);

/// Returns true if a chunk may have special cells, by its own cells and those around it.
bool wend__stop_chunk_possible(const wend__version *version, int32_t column, int32_t row);
/// Makes the stops of a chunk. *out is NULL if it needs none.
wend_error wend__stop_chunk_build(const wend__version *version, int32_t column, int32_t row,
                                  const wend__stop_chunk **out);

/// A chunk's stops with one reference, zeroed, room for `count` special cells; NULL: out of memory.
/// @param open   with room for masks of open neighbours
wend__stop_chunk *wend__stop_chunk_create(wend_map *map, uint32_t count, bool open);
/// Puts the stops of chunk `index` into a block that no version has; the reference passes to the block.
void wend__stop_block_put(wend__stop_block *block, unsigned index, const wend__stop_chunk *chunk);
wend__stop_block *wend__stop_block_create(wend_map *map);      ///< one reference, no content
wend__stops *wend__stops_create(const wend__version *version); ///< one reference, no blocks

/// Makes the stops of a version that has jump tables and no stops.
wend_error wend__stops_make(wend__version *version);
/// The same chunk by chunk: makes the stops of chunk i of a block. *block is NULL until a chunk has stops.
wend_error wend__stop_block_continue(const wend__version *version, size_t index, unsigned i, wend__stop_block **block);
/// Gives a version the stops of a complete block. Without memory they are released.
wend_error wend__stops_attach(wend__version *version, size_t index, wend__stop_block *block);

/* ---- as derived data: see version/derivation.h ---- */

void wend__stops_share(wend__version *version, const wend__version *from);
void wend__stops_drop(wend__version *version);
wend_error wend__stops_rebuild(wend_edit *edit, uint32_t changes);

/* ---- made and discarded for a map ---- */

/// Makes the tables of an edit's draft, or prunes those it has. WEND_OK, WEND_OUT_OF_MEMORY (free the draft).
wend_error wend__tables_make(wend_edit *edit);
void wend__tables_drop(wend__version *draft);
bool wend__map_has_jumps(const wend_map *map, int32_t mover);
/// Makes jump tables for the default mover in the newest version, or prunes those it has: for tests.
/// @return WEND_OK (also if nothing was to be done), WEND_UNSUPPORTED, WEND_IN_USE, WEND_OUT_OF_MEMORY
wend_error wend__map_prepare_jumps(wend_map *map);
/// Discard them: for tests. @return WEND_OK, WEND_IN_USE, WEND_OUT_OF_MEMORY
wend_error wend__map_drop_jumps(wend_map *map);
/// Prune up to max_chunks chunks, of all movers. @param left   receives how many are still unpruned; may be NULL
wend_error wend__map_prune_jumps(wend_map *map, uint32_t max_chunks, uint32_t *left);

/* ---- made in slices ---- */

/// Returns true if the mover is to have tables, and the newest version has none for it.
bool wend__map_lacks_tables(wend_map *map, int32_t mover);

/// Makes tables that movers lack, for about so much effort (see wend_map_maintain()).
/// @param any   receives whether any were lacking
/// @return WEND_OK, WEND_IN_USE (they are made, but a batch is open: call again), WEND_OUT_OF_MEMORY (the next call
///         begins again)
wend_error wend__map_continue_tables(wend_map *map, uint64_t effort, bool *any);
/// Returns about how much effort is left.
uint64_t wend__map_tables_left(wend_map *map);
/// Discard unfinished tables: as derived data, see version/derivation.h.
void wend__tables_end(wend_map *map);

#endif
