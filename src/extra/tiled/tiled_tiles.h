/* SPDX-License-Identifier: MIT */
/* The tilesets of a Tiled map: the terrain class of each tile. */
#ifndef WEND_SRC_EXTRA_TILED_TILES_H
#define WEND_SRC_EXTRA_TILED_TILES_H

#include "extra/tiled/tiled.h"

/// A tile with a class of its own; tiles that are not listed are of class 1.
typedef struct wend__tile {
    uint32_t id; ///< within its tileset
    uint8_t terrain;
} wend__tile;

struct wend__tileset {
    uint32_t first;    ///< number of its tile 0 in layers
    uint32_t count;    ///< tile ids are below
    wend__tile *tiles; ///< by id
    size_t tile_count;
};

wend_error wend__tilesets_read(wend__tiled *t);
void wend__tilesets_drop(wend__tiled *t);
/// The class of a tile by its number in layers, without the flip bits; −1: the number belongs to no tileset.
int32_t wend__tile_class(const wend__tiled *t, uint32_t number);

#endif
