/* SPDX-License-Identifier: MIT */
/* The tiles of a layer or chunk: numbers, from a JSON list or from base64. */
#ifndef WEND_SRC_EXTRA_TILED_DATA_H
#define WEND_SRC_EXTRA_TILED_DATA_H

#include "extra/tiled/tiled_json.h"

/// Some tiles of a layer, row by row: all of a finite layer, or a chunk.
typedef struct wend__tile_block {
    char what[WEND__NAME_BYTES + 64]; ///< "layer 'ground'", begins errors
    const json_t *data;
    const char *encoding, *compression; ///< may be NULL
    int32_t x, y, width, height;
} wend__tile_block;

/// Could its data hold as many tiles as it claims? Called before memory is taken for them.
wend_error wend__tile_block_check(const wend__tiled *t, const wend__tile_block *block);
/// Called with each tile's number, flip bits included, in order. @return WEND_OK, or an error that stops the block
typedef int32_t wend__tile_fn(wend__tiled *t, const wend__tile_block *block, size_t index, uint32_t number);
wend_error wend__tile_block_read(wend__tiled *t, const wend__tile_block *block, wend__tile_fn *put);

#endif
