/* SPDX-License-Identifier: MIT */
/* Internal: costs by place: a map's layers as searches read them.
 *
 * All layers of a moment are one tree of shared objects: root -> layer -> block (16 x 16 chunks) -> plane (a byte for
 * each cell of a chunk). A search holds a root. A writer copies what anybody else holds, from the root down, and never
 * changes it. */
#ifndef WEND_SRC_MAP_VERSION_LAYERS_H
#define WEND_SRC_MAP_VERSION_LAYERS_H

#include "map/store/map_layout.h"
#include <wend/layers.h>

/// The values of a chunk as they were after `halved` halvings of the layer.
typedef struct wend__layer_plane {
    wend__shared shared;
    uint64_t halved;
    uint8_t most; ///< the largest of the values
    uint8_t values[WEND__CHUNK_CELLS];
} wend__layer_plane;

typedef struct wend__layer_block {
    wend__shared shared;
    wend__layer_plane *planes[WEND__BLOCK_CHUNKS]; ///< NULL: all 0
} wend__layer_block;

typedef struct wend__layer {
    wend__shared shared;
    uint32_t half_life;
    int32_t within;              ///< distance of a layer of walls, which has no blocks; else 0
    wend__layer_block *blocks[]; ///< blocks of the version's table
} wend__layer;

typedef struct wend__layers {
    wend__shared shared;
    uint64_t updates;               ///< number of updates so far
    int32_t chunk_y, block_columns; ///< layout of the map's versions
    uint32_t blocks;                ///< number of blocks of their tables
    uint32_t count;
    wend__layer *layers[WEND_MAX_LAYERS];
} wend__layers;

/// The weights of a profile. It never changes.
typedef struct wend__profile {
    uint32_t count;
    wend_layer_weight weights[WEND_MAX_PROFILE_LAYERS];
} wend__profile;

/// Layers and profiles of a map.
typedef struct wend__tolls {
    wend__layers *layers; ///< a reference to the present layers
    uint32_t profile_count;
    wend__profile profiles[WEND_MAX_PROFILES];
} wend__tolls;

/// Returns the layers of this moment, with a reference for wend__shared_release(). The map has a profile.
const wend__layers *wend__layers_acquire(wend_map *map);
/// Returns a profile of the map, from 1 on.
const wend__profile *wend__profile_of(const wend_map *map, int32_t profile);
/// Returns the weights of a profile of the map, 0: none; with the layers' names in recordings.
struct wend_weights wend__profile_weights(const wend_map *map, int32_t profile);
/// Returns WEND_OK, or WEND_BAD_ARGUMENT: not 0, and no profile of the map.
wend_error wend__check_profile(const wend_map *map, const char *name, int32_t profile);

/// Returns the value of a place in a layer that is not of walls, also if a graph has no node there now.
uint8_t wend__layer_value(const wend__layers *layers, int32_t layer, wend__place place);

/// Sets how many updates have passed; `passed` may be less than before. Later planes are removed then: they
/// would come back once as many had passed again. @return WEND_OK, WEND_OUT_OF_MEMORY
wend_error wend__layers_set_updates(wend_map *map, uint64_t passed);

/* ---- reads by searches: layers of walls follow from the search's version ---- */

/// Returns whether a chunk of the table may have a value above 0 that counts in a profile.
bool wend__layers_touch(const wend__layers *layers, const wend__profile *profile, const wend__version *v,
                        wend__place place);
/// Returns the greatest extra cost of a step.
uint32_t wend__layers_most(const wend__profile *profile);
/// Writes the extra cost of a step into each cell of a chunk, if wend__layers_most() is at most INT16_MAX.
void wend__layers_fold_narrow(const wend__layers *layers, const wend__profile *profile, const wend__version *v,
                              wend__place place, uint16_t costs[WEND__CHUNK_CELLS]);
/// Writes the extra cost of a step into each cell of a chunk.
void wend__layers_fold(const wend__layers *layers, const wend__profile *profile, const wend__version *v,
                       wend__place place, uint32_t costs[WEND__CHUNK_CELLS]);
/// Returns the extra cost of a step into a cell.
uint32_t wend__layers_cost(const wend__layers *layers, const wend__profile *profile, const wend__version *v,
                           wend__place place);

/// Returns whether a chunk of a flat grid may have a value above 0 in a layer of walls: walls.c.
bool wend__walls_touch(const wend__version *v, int32_t column, int32_t row);
/// Writes the values of a chunk. `within`: 1 to WEND_MAX_WITHIN. Cost: O(within x rows).
void wend__walls_fill(const wend__version *v, int32_t within, int32_t column, int32_t row,
                      uint8_t values[WEND__CHUNK_CELLS]);
/// Returns the value of a cell. Cost: O(within) if terrain is bits or uniform.
uint8_t wend__walls_value(const wend__version *v, int32_t within, int32_t x, int32_t y);

/// Gives a fork the layers and profiles of its map. @return WEND_OK, WEND_OUT_OF_MEMORY
wend_error wend__layers_fork(wend_map *map, wend_map *fork);
void wend__layers_free(wend_map *map); ///< when its map is freed

#endif
