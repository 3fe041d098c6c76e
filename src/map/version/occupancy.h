/* SPDX-License-Identifier: MIT */
/* Internal: counts of units by cell, apart from the versions. One thread writes; searches read between its writes. */
#ifndef WEND_SRC_MAP_VERSION_OCCUPANCY_H
#define WEND_SRC_MAP_VERSION_OCCUPANCY_H

#include "map/ground/within.h"

/// For each chunk in which a unit ever stood: a plane of counts, a byte for each of its 4,096 cells.
typedef struct wend__occupancy {
    int32_t kind, chunk_y, columns;
    size_t chunks;
    size_t bytes;
    uint64_t hash;     ///< of all units: a sum over them, kept as they come and go
    uint8_t *planes[]; ///< NULL: no unit ever stood there
} wend__occupancy;

/// Returns the counts of a chunk; NULL: it has no units.
static inline const uint8_t *wend__occupancy_plane(const wend__occupancy *occupancy, int32_t column, int32_t row) {
    return occupancy ? occupancy->planes[(size_t)row * (size_t)occupancy->columns + (size_t)column] : NULL;
}

/// Returns the number of units on a cell that is on the map.
static inline uint32_t wend__occupancy_at(const wend__occupancy *occupancy, wend_cell cell) {
    if (!occupancy) return 0;
    wend__place place = wend__place_in(occupancy->kind, occupancy->chunk_y, cell);
    const uint8_t *plane = wend__occupancy_plane(occupancy, place.column, place.row);
    return plane ? plane[place.local] : 0;
}

/// Prefetches that number.
WEND__INLINE void wend__occupancy_prefetch(const wend__occupancy *occupancy, wend_cell cell) {
    if (!occupancy) return;
    const wend__place place = wend__place_in(occupancy->kind, occupancy->chunk_y, cell);
    const uint8_t *plane = wend__occupancy_plane(occupancy, place.column, place.row);
    if (plane) WEND__PREFETCH(&plane[place.local]);
}

/// As wend_map_occupy() and wend_map_vacate(). `told`: the call is recorded.
wend_error wend__map_occupy(wend_map *map, wend_cell cell, bool told);
/// The same for a cell inside of the map, also if a graph's node was removed.
wend_error wend__map_restore_unit(wend_map *map, wend_cell cell, bool told);
wend_error wend__map_vacate(wend_map *map, wend_cell cell, bool told);
uint32_t wend__map_occupants(const wend_map *map, wend_cell cell);
/// Returns true if a unit stands on a cell that a mover of that size covers at `cell`, but not at `start`.
/// Cost: O(size^2), O(size^3) in space.
bool wend__map_occupied(const wend_map *map, wend_cell cell, int32_t size, wend_cell start);
/// The same for the units of a range, and its start.
bool wend__map_occupied_in(const wend_map *map, wend_cell cell, int32_t size, const wend__unit_range *range);

/// Returns a hash of all units. Cost: O(1); debug builds compare it with the sum over all cells.
uint64_t wend__occupancy_hash(const wend_map *map, const wend__version *version);

/// Frees the counts of chunks that have no units and are not loaded on that version. Threads: as units that come.
/// Cost: O(chunks).
void wend__occupancy_trim(wend_map *map, const wend__version *version);
void wend__occupancy_free(wend_map *map); ///< when its map is freed

#endif
