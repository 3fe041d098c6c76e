/* SPDX-License-Identifier: MIT */
/* Internal: who stands where: counts beside the versions. One thread at a time writes; searches read between its frames. */
#ifndef WEND_SRC_MAP_VERSION_OCCUPANCY_H
#define WEND_SRC_MAP_VERSION_OCCUPANCY_H

#include "map/store/map_layout.h"

/// A plane of counts, a byte for each of its 4,096 places, for each chunk where somebody ever stood.
typedef struct wend__crowd {
    int32_t kind, chunk_y, columns;
    size_t chunks;
    size_t bytes;
    uint8_t *planes[]; ///< NULL: nobody
} wend__crowd;

/// The counts of a chunk; NULL: nobody is there.
static inline const uint8_t *wend__crowd_plane(const wend__crowd *crowd, int32_t column, int32_t row) {
    return crowd ? crowd->planes[(size_t)row * (size_t)crowd->columns + (size_t)column] : NULL;
}

/// How many stand on a cell that is on the map.
static inline uint32_t wend__crowd_at(const wend__crowd *crowd, wend_cell cell) {
    if (!crowd) return 0;
    wend__place place = wend__place_in(crowd->kind, crowd->chunk_y, cell);
    const uint8_t *plane = wend__crowd_plane(crowd, place.column, place.row);
    return plane ? plane[place.local] : 0;
}

/// How many stand on a cell of the map.
uint32_t wend__map_occupants(const wend_map *map, wend_cell cell);
/// Does anybody stand where a mover of that size would at `cell`, but for the cells that it covers at `start`?
/// Cost: O(size^2), O(size^3) in space.
bool wend__map_crowded(const wend_map *map, wend_cell cell, int32_t size, wend_cell start);

void wend__crowd_free(wend_map *map); ///< of a map that goes away

#endif
