/* SPDX-License-Identifier: MIT */
/* Internal: masks of the chunks of a grid: which neighbours of each cell are open. */
#ifndef WEND_SRC_MAP_KINDS_MASKS_H
#define WEND_SRC_MAP_KINDS_MASKS_H

#include "map/store/map_layout.h"

enum { WEND__MEMO = 64, WEND__OPEN_STRIDE = 80 };

/// Derives the masks of many chunks of one version, whose terrain must be final.
typedef struct wend__mask_deriver {
    const wend__version *version;
    wend__plane scratch;
    uint8_t cells[WEND__CHUNK_SIDE + 2][WEND__OPEN_STRIDE]; ///< open bytes of a chunk and the cells around it
    bool closed_near; ///< of the chunk last derived: closed steps bear on its cells
    uint8_t closed[WEND__CHUNK_SIDE + 2][WEND__OPEN_STRIDE]; ///< where settled: like `cells`, which steps were closed
    /* Chunks amid uniform ones look alike all along a rim or a filled box: those of one deriver share a plane. */
    uint16_t memo_keys[WEND__MEMO];
    const wend__plane *memo[WEND__MEMO];
} wend__mask_deriver;

void wend__mask_deriver_init(wend__mask_deriver *deriver, const wend__version *version);

/// What a chunk's masks and largest factor should be. The plane is a shared one, or deriver->scratch; deriver->closed_near
/// says whether it holds final steps.
/// @param rows   a bit for each row whose masks may no longer be true
const wend__plane *wend__masks_derive(wend__mask_deriver *deriver, int32_t column, int32_t row, uint64_t rows,
                                      uint8_t *max_factor, int32_t *key);

/// Is what wend__masks_derive() said another thing than what the chunk has?
bool wend__masks_differ(const wend__mask_deriver *deriver, const wend__chunk *chunk, const wend__plane *masks,
                        uint8_t max_factor);

/// Give a chunk what wend__masks_derive() said. It is not written to where it has that already, as its block may be shared.
/// @return WEND_OK or WEND_OUT_OF_MEMORY
wend_error wend__masks_store(wend__mask_deriver *deriver, wend__chunk *chunk, const wend__plane *masks,
                             uint8_t max_factor, int32_t key);

#endif
