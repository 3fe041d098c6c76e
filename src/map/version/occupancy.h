/* SPDX-License-Identifier: MIT */
/* Internal: who stands where: counts beside the versions. One thread at a time writes; searches read between its frames. */
#ifndef WEND_SRC_MAP_VERSION_OCCUPANCY_H
#define WEND_SRC_MAP_VERSION_OCCUPANCY_H

#include "map/store/map_layout.h"

/// A plane of counts, a byte for each of its 4,096 places, for each chunk where somebody ever stood.
typedef struct wend__occupancy {
    int32_t kind, chunk_y, columns;
    size_t chunks;
    size_t bytes;
    uint8_t *planes[]; ///< NULL: nobody
} wend__occupancy;

/// The counts of a chunk; NULL: nobody is there.
static inline const uint8_t *wend__occupancy_plane(const wend__occupancy *occupancy, int32_t column, int32_t row) {
    return occupancy ? occupancy->planes[(size_t)row * (size_t)occupancy->columns + (size_t)column] : NULL;
}

/// How many stand on a cell that is on the map.
static inline uint32_t wend__occupancy_at(const wend__occupancy *occupancy, wend_cell cell) {
    if (!occupancy) return 0;
    wend__place place = wend__place_in(occupancy->kind, occupancy->chunk_y, cell);
    const uint8_t *plane = wend__occupancy_plane(occupancy, place.column, place.row);
    return plane ? plane[place.local] : 0;
}

/// How many stand on a cell of the map.
uint32_t wend__map_occupants(const wend_map *map, wend_cell cell);
/// Does anybody stand where a mover of that size would at `cell`, but for the cells that it covers at `start`?
/// Cost: O(size^2), O(size^3) in space.
bool wend__map_occupied(const wend_map *map, wend_cell cell, int32_t size, wend_cell start);

void wend__occupancy_free(wend_map *map); ///< of a map that goes away

#endif
