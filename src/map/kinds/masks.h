/* SPDX-License-Identifier: MIT */
/* Internal: masks of the chunks of a grid: the open neighbours of each cell. */
#ifndef WEND_SRC_MAP_KINDS_MASKS_H
#define WEND_SRC_MAP_KINDS_MASKS_H

#include "map/store/map_layout.h"

enum { WEND__MEMO = 64, WEND__OPEN_STRIDE = 80 };

/// Derives the masks of many chunks of one version with final terrain.
typedef struct wend__mask_deriver {
    const wend__version *version;
    wend__plane scratch;
    uint8_t cells[WEND__CHUNK_SIDE + 2][WEND__OPEN_STRIDE]; ///< open bytes of a chunk and the cells around it
    bool closed_near; ///< for the chunk derived last: closed steps change its masks
    uint8_t closed[WEND__CHUNK_SIDE + 2][WEND__OPEN_STRIDE]; ///< with closed_near: the closed steps of the same cells
    /* Uniform chunks between uniform ones have equal masks along a rim or a filled box, and share a plane. */
    uint16_t memo_keys[WEND__MEMO];
    const wend__plane *memo[WEND__MEMO];
} wend__mask_deriver;

void wend__mask_deriver_init(wend__mask_deriver *deriver, const wend__version *version);

/// Derives a chunk's masks and largest factor. Returns a shared plane or deriver->scratch; deriver->closed_near is true
/// if it holds steps instead of open neighbours.
/// @param rows   a bit for each row with masks that may be stale
const wend__plane *wend__masks_derive(wend__mask_deriver *deriver, int32_t column, int32_t row, uint64_t rows,
                                      uint8_t *max_factor, int32_t *key);

/// The open neighbours of each cell of a chunk, whether or not there are closed steps.
void wend__masks_of_open(const wend__version *version, int32_t column, int32_t row, uint8_t out[WEND__CHUNK_CELLS]);

/// Returns true if the result of wend__masks_derive() differs from the chunk's masks.
bool wend__masks_differ(const wend__mask_deriver *deriver, const wend__chunk *chunk, const wend__plane *masks,
                        uint8_t max_factor);

/// Stores the result of wend__masks_derive(). An equal result is not written to the chunk, as its block may be
/// shared.
/// @return WEND_OK or WEND_OUT_OF_MEMORY
wend_error wend__masks_store(wend__mask_deriver *deriver, wend__chunk *chunk, const wend__plane *masks,
                             uint8_t max_factor, int32_t key);

/// Derive all data that follows from a chunk's terrain. No other version holds its block.
wend_error wend__chunk_derive(wend__mask_deriver *deriver, wend__chunk *chunk, int32_t column, int32_t row);

#endif
