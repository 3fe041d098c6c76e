/* SPDX-License-Identifier: MIT */
/* Internal: marks of units: where a search among units has to look closely, kept up as they move.
 *
 * Apart from the versions, like the counts in occupancy.h, they follow from the units alone, whatever the terrain. A
 * unit's cell is marked for all directions. So are the cells next to it for the directions in which the way around the
 * unit begins there: of a unit to the north or south, east and west; of one to the east or west, north and south; */
#ifndef WEND_SRC_FAST_STOPS_UNITS_H
#define WEND_SRC_FAST_STOPS_UNITS_H

#include "fast/stops/marks.h"
#include "map/version/accelerator.h"

/// The units in a chunk and next to it. 64-byte aligned.
typedef struct wend__unit_chunk {
    wend__marks marks;               ///< the first member: a block of marks points to it
    uint64_t held[WEND__CHUNK_SIDE]; ///< cells with a unit: row y, bit x
    uint8_t near[WEND__CHUNK_CELLS]; ///< by y << 6 | x: bit d where the neighbour in direction d has a unit
    uint32_t units;                  ///< cells with a unit
    uint32_t touched;                ///< bits in `held` and `near`; above 0 the chunk is special in its block
} wend__unit_chunk;

/// The marks of a map.
typedef struct wend__units {
    size_t block_columns, block_count;
    wend__mark_block *blocks[]; ///< NULL: no unit ever stood there or next to it
} wend__units;

/// A block's marks; NULL: it has none.
static inline const wend__mark_block *wend__unit_block(const wend_map *map, size_t block) {
    return map->units ? map->units->blocks[block] : NULL;
}

/// The units of a chunk of a block that wend__unit_block() returned; NULL: it has none.
static inline const wend__unit_chunk *wend__unit_chunk_of(const wend__mark_block *block, unsigned chunk) {
    return (const wend__unit_chunk *)(const void *)block->chunks[chunk];
}

/// From now on a flat grid is to have marks: its mover has jump tables, or is to have them.
/// Threads: any. Cost: O(1).
void wend__units_want(wend_map *map);
/// Makes the marks once they are wanted: all searches that see units call this at their start.
/// Threads: any, while no unit moves. Cost: O(chunks with units) once, then O(1).
void wend__units_make(wend_map *map);

/* The functions of their row in the table of derived data. */

void wend__units_moved(wend_map *map, wend_cell cell, bool came);
void wend__units_free(wend_map *map);

#endif
