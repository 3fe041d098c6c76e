/* SPDX-License-Identifier: MIT */
/* Internal: canonical successors (Sturtevant and Rabin 2016): among several cheapest paths round a cell a search
 * follows only one. The tables follow from a map's rules alone. Each is made once in a process, together with the first
 * map of such rules, so that no search waits for it. */
#ifndef WEND_SRC_MAP_CANONICAL_CANONICAL_H
#define WEND_SRC_MAP_CANONICAL_CANONICAL_H

#include "map/store/directions.h"
#include "map/store/map_layout.h"

/// Makes the table of a map of this kind and these rules, so that its first search finds it made.
void wend__canonical_prepare(int32_t kind, const wend_map_rules *rules);

/* ---- grid_canonical.c ---- */

/* Canonical successors on grids (Sturtevant and Rabin 2016): among several cheapest paths
 * round a cell a search follows only one. */

/// Steps worth taking: [direction of arrival, WEND__DIRECTIONS for the start][which neighbours are open].
typedef uint8_t wend__grid_canonical[WEND__DIRECTIONS + 1][256];

/// Tables: one for each of the three corner rules with 8 neighbours, one for 4 neighbours, one for hexagons.
enum { WEND__GRID_CANONICAL_FOUR = 3, WEND__GRID_CANONICAL_HEX, WEND__GRID_CANONICAL_TABLES };

/// Returns a table. Threads: any. Cost: O(1); the first call for it 40 µs.
const wend__grid_canonical *wend__grid_canonical_of(int table);

/// The table for these rules; -1: there is none, and a search must take all steps.
int wend__grid_canonical_choose(const wend_map_rules *rules);

/// Comparisons with the cells north, east, south and west, by the extra cost to enter them: two bits each, from the
/// lowest on.
enum {
    WEND__TOLL_LESS,
    WEND__TOLL_EQUAL,
    WEND__TOLL_MORE, ///< at most 2 (D - S) more
    WEND__TOLL_MUCH_MORE
};

/// The steps to take: [direction of arrival, WEND__DIRECTIONS for the start][the four comparisons].
typedef uint8_t wend__grid_toll_kept[WEND__DIRECTIONS + 1][256];

/// For cells with different costs to enter: steps that are worth taking whatever the differences, and
/// steps that depend on the differences.
typedef struct wend__grid_toll_steps {
    wend__grid_canonical always, asked;
    wend__grid_toll_kept kept; ///< the same in all tables
} wend__grid_toll_steps;

/// Returns the table of the same number. Threads: any. Cost: O(1); the first call for it 50 µs.
const wend__grid_toll_steps *wend__grid_toll_steps_of(int table);

/// Returns whether canonical successors are valid for all cells of a chunk.
bool wend__grid_canonical_holds(const wend__version *version, int32_t column, int32_t row);

/* ---- voxel_canonical.c ---- */

/* Canonical successors on voxels: among several cheapest paths round a voxel a search
 * follows only one. */

/// Tables by rows of three cells around a voxel, by z, then y: the steps that are illegal, and the
/// steps that are worth taking after each direction of arrival (WEND__SPACE_DIRECTIONS: the start).
typedef struct wend__voxel_canonical {
    uint32_t illegal[9][8];
    uint32_t kept[WEND__SPACE_DIRECTIONS + 1][9][8];
} wend__voxel_canonical;

/// Tables, one each: 26 neighbours with corners `never` (or `one`, whose legal steps the table
/// does not contain); 26 with `always`; 6.
enum {
    WEND__VOXEL_CANONICAL_STRICT,
    WEND__VOXEL_CANONICAL_ALWAYS,
    WEND__VOXEL_CANONICAL_SIX,
    WEND__VOXEL_CANONICAL_TABLES
};

/// Returns a table. Threads: any. Cost: O(1); the first call for it 100 µs.
const wend__voxel_canonical *wend__voxel_canonical_of(int table);

/// The table for these rules; -1: there is none.
int wend__voxel_canonical_choose(const wend_map_rules *rules);

/// Returns whether these costs allow a search to omit steps.
bool wend__voxel_canonical_holds(const wend_map_rules *rules);

/// The union of the rows' entries for 27 cells: bit (dz + 1) * 9 + (dy + 1) * 3 + dx + 1 is set
/// where a cell is open.
WEND__INLINE uint32_t wend__voxel_canonical_rows(const uint32_t rows[9][8], uint32_t near) {
    return rows[0][near & 7] | rows[1][near >> 3 & 7] | rows[2][near >> 6 & 7] | rows[3][near >> 9 & 7] |
           rows[4][near >> 12 & 7] | rows[5][near >> 15 & 7] | rows[6][near >> 18 & 7] | rows[7][near >> 21 & 7] |
           rows[8][near >> 24 & 7];
}

#endif
