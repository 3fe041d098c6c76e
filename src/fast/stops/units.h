/* SPDX-License-Identifier: MIT */
/* Internal: marks of units: where a search among units has to check cells, updated as units move.
 *
 * Apart from the versions, like the counts in occupancy.h, they follow from the units alone, whatever the terrain. A
 * unit's cell is marked for all directions. So are the cells next to it for the directions in which the way around the
 * unit begins there: with a unit to the north or south, east and west; with one to the east or west, north and south.
 *
 * Each move changes the marks at once, unless the map has a reader: the pool of a service with a crowd. Then a move
 * only records its row, and the service has rows marked before a round in which a search sees their chunk. So crowds
 * pay for marks only where they search among units, which is in few places. */
#ifndef WEND_SRC_FAST_STOPS_UNITS_H
#define WEND_SRC_FAST_STOPS_UNITS_H

#include "fast/stops/marks.h"
#include "map/version/accelerator.h"

/// The units in a chunk and next to it. 64-byte aligned.
typedef struct wend__unit_chunk {
    wend__marks marks;               ///< the first member: a block of marks points to it
    uint64_t held[WEND__CHUNK_SIDE]; ///< cells with a unit: row y, bit x
    uint8_t near[WEND__CHUNK_CELLS]; ///< by y << 6 | x: bit d if the neighbour in direction d has a unit
    uint32_t units;                  ///< cells with a unit
    uint32_t touched;                ///< bits in `held` and `near`; above 0 the chunk is special in its block
    uint64_t stale;                  ///< rows in which units came or left since they were marked
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

/// Requests marks for a flat grid: its mover has jump tables, or is to have them.
/// Threads: any. Cost: O(1).
void wend__units_want(wend_map *map);
/// Makes requested marks: all searches that see units call this at their start.
/// Threads: any, while no unit moves. Cost: O(chunks with units) once, then O(1).
void wend__units_make(wend_map *map);

/// Marks the units of some chunks, and of chunks next to these: all marks of the chunks are right then, until a unit
/// moves. Threads: the ticking one of the map's reader, between rounds; or as units that move.
/// @param chunks   columns and rows, inclusive; those off the map are left out
void wend__units_follow(wend_map *map, wend_box chunks);
/// Sets or ends the map's reader. NULL: each move changes the marks. Threads: as units that move.
void wend__units_set_reader(wend_map *map, const void *pool);
/// Returns whether the marks show a search all units that it sees. Makes marks requested since it began.
/// If they are incomplete, they will be complete from the next move on. Threads: as wend__units_make().
bool wend__units_show(wend_map *map, const void *pool);

/* The functions of their row in the table of derived data. */

void wend__units_moved(wend_map *map, wend_cell cell, bool came);
void wend__units_free(wend_map *map);

#endif
