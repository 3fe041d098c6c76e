/* SPDX-License-Identifier: MIT */
/* Internal: the open cells of a chunk of one or two classes, row by row, without a look at factors for each row. */
#ifndef WEND_SRC_MAP_STORE_OPEN_ROWS_H
#define WEND_SRC_MAP_STORE_OPEN_ROWS_H

#include "map/store/map_layout.h"

/// The open cells of row y are (rows[y] & mask) ^ flip. Beyond the map's rim they are not defined.
typedef struct wend__open_rows {
    const uint64_t *rows;
    uint64_t mask, flip;
} wend__open_rows;

/// @return false: the chunk has a byte for each cell
static inline bool wend__open_rows_of(const uint8_t factors[256], const wend__chunk *chunk, wend__open_rows *out) {
    static const uint64_t none[WEND__CHUNK_SIDE];
    if (chunk->terrain) return false;
    const wend__bits *bits = chunk->bits;
    const bool zero = factors[bits ? bits->classes[0] : chunk->uniform] != 0;
    const bool one = factors[bits ? bits->classes[1] : chunk->uniform] != 0;
    out->rows = bits ? bits->rows : none;
    out->mask = zero != one ? UINT64_MAX : 0;
    out->flip = zero ? UINT64_MAX : 0;
    return true;
}

static inline uint64_t wend__row_of(const wend__open_rows *open, int32_t y) {
    return (open->rows[y & 63] & open->mask) ^ open->flip;
}

#endif
