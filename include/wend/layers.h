/* SPDX-License-Identifier: MIT */
/* Growing: limits may rise; settings may be added. See docs/stability.md. */
/* Costs by place: danger, influence, traffic. Layers of values from 0 to 255, which fade with time, and profiles that
 * say how much a request minds them.
 *
 * Layers are kept outside the versions, as occupancy is: a change makes no epoch. But a search keeps the values of the
 * moment when it began: they do not change while it runs. A step into a cell costs, for each layer of the request's
 * profile, weight × value ÷ 16 more, rounded down. So costs only rise, and answers are exact. A mover of several cells
 * pays for its own cell alone. A fork begins with the layers and profiles of its map. Only A* serves such requests.
 *
 * Threads: all calls that change layers: the one that ticks the services that use the map, between frames or in a
 * callback; one at a time. */
#ifndef WEND_LAYERS_H
#define WEND_LAYERS_H

#include <wend/map.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEND_MAX_LAYERS 64
#define WEND_MAX_PROFILES 127
/// Most layers of a profile.
#define WEND_MAX_PROFILE_LAYERS 8
/// Farthest that a layer of walls reaches, in cells.
#define WEND_MAX_WITHIN 31
/// Largest radius of a disc.
#define WEND_MAX_DISC 255

typedef struct wend_layer_def {
    uint32_t struct_bytes;
    uint32_t
        half_life; ///< the values halve, rounded down, each time this number of updates is complete. Default 0: never
    int32_t
        within; ///< 1 to WEND_MAX_WITHIN: a layer of walls, on flat grids. A cell that is d king's moves from the next
    ///< cell blocked for the default mover, or from the rim, has 255 × (within + 1 − d) ÷ within, rounded
    ///< down; a blocked one 255. A search reads them off its version. Default 0: the host sets the values
} wend_layer_def;

/// Set the defaults of a definition.
/// @param bytes   sizeof *def
/// Threads: any. Cost: O(1).
WEND_API void wend_layer_def_init(wend_layer_def *def, size_t bytes);

/// Add a layer, all 0.
/// @param layer   receives its number: 0, 1, … in the order of adding
/// @return WEND_OK, WEND_BAD_ARGUMENT (also half_life of walls), WEND_BUSY (WEND_MAX_LAYERS), WEND_UNSUPPORTED (walls
///         in space or on a graph), WEND_OUT_OF_MEMORY
/// Cost: O(blocks of 1,024 × 1,024 cells); as each first call after a search began.
WEND_API wend_error wend_map_add_layer(wend_map *map, const wend_layer_def *def, int32_t *layer);

/// Add a disc to the values of a layer, in space a ball; 255 is the most. At a distance of d cells from the centre it
/// is peak × (r² − d²) ÷ r², rounded down, with r = radius + 1. It goes on over the rim of a map that wraps: d is the
/// shorter way round. On a map with sheets it ends at the border of the centre's sheet, also at seams.
/// @param radius   0 to WEND_MAX_DISC; on graphs 0
/// @param peak     1 to 255
/// @return WEND_OK, WEND_BAD_ARGUMENT (also a layer of walls), WEND_OUT_OF_RANGE (centre), WEND_OUT_OF_MEMORY (nothing
///         changed)
/// Cost: O(cells of the disc); a copy of 4,096 bytes for each of its chunks, the first time after a search began.
WEND_API wend_error wend_map_add_layer_disc(wend_map *map, int32_t layer, wend_cell centre, int32_t radius,
                                            int32_t peak);

/// Set the values of a layer in a box.
/// @param values         row after row, in space layer after layer
/// @param stride_bytes   from a row to the next, at least the width of the box
/// @return WEND_OK, WEND_BAD_ARGUMENT (also a layer of walls), WEND_OUT_OF_RANGE, WEND_OUT_OF_MEMORY (nothing changed)
/// Cost: O(cells), and as wend_map_add_layer_disc().
WEND_API wend_error wend_map_set_layer_box(wend_map *map, int32_t layer, wend_box box, const uint8_t *values,
                                           size_t stride_bytes);

/// Let time pass for all layers, in updates.
/// @return WEND_OK, WEND_OUT_OF_MEMORY (nothing changed)
/// Cost: O(1): values are halved where they are read.
WEND_API wend_error wend_map_update_layers(wend_map *map, uint32_t steps);

/// Get the value of a cell.
/// @return WEND_OK, WEND_BAD_ARGUMENT (no such layer), WEND_OUT_OF_RANGE
/// Cost: O(1).
WEND_API wend_error wend_map_get_layer_value(const wend_map *map, int32_t layer, wend_cell cell, uint8_t *value);

/// Get the values of a layer in a box, as they are now.
/// @param values         receives row after row, in space layer after layer
/// @param stride_bytes   from a row to the next, at least the width of the box
/// @return WEND_OK, WEND_BAD_ARGUMENT (no such layer), WEND_OUT_OF_RANGE
/// Cost: O(cells).
WEND_API wend_error wend_map_get_layer_box(const wend_map *map, int32_t layer, wend_box box, uint8_t *values,
                                           size_t stride_bytes);

typedef struct wend_layer_info {
    uint32_t struct_bytes;
    uint32_t half_life;
    uint64_t updates; ///< updates of the map's layers so far
    int32_t layers;   ///< of the map
    int32_t within;   ///< of a layer of walls; else 0
} wend_layer_info;

/// Get what a layer is.
/// @return WEND_OK, WEND_BAD_ARGUMENT (no such layer)
/// Cost: O(1).
WEND_API wend_error wend_map_get_layer(const wend_map *map, int32_t layer, wend_layer_info *out);

typedef struct wend_layer_weight {
    int32_t layer;
    int32_t weight; ///< 1 to WEND_MAX_COST
} wend_layer_weight;

/// Add a profile: the layers that a kind of request minds, such as those of its faction, and how much.
/// @param weights   layers of the map, each once
/// @param count     1 to WEND_MAX_PROFILE_LAYERS
/// @param profile   receives its number, 1 and more, for wend_search_options.profile; that of an equal one where the
///                  map has it
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_BUSY (WEND_MAX_PROFILES), WEND_OUT_OF_MEMORY
/// Cost: O(profiles).
WEND_API wend_error wend_map_add_profile(wend_map *map, const wend_layer_weight *weights, uint32_t count,
                                         int32_t *profile);

/// Get the weights of a profile.
/// @param weights   receives them; room for WEND_MAX_PROFILE_LAYERS
/// @return WEND_OK, WEND_BAD_ARGUMENT (no such profile)
/// Cost: O(1).
WEND_API wend_error wend_map_get_profile(const wend_map *map, int32_t profile, wend_layer_weight *weights,
                                         uint32_t *count);

#ifdef __cplusplus
}
#endif
#endif
