/* SPDX-License-Identifier: MIT */
/* Internal: the forms of a chunk's terrain: one class, two classes as bits, or a byte a cell. */
#ifndef WEND_SRC_MAP_STORE_TERRAIN_H
#define WEND_SRC_MAP_STORE_TERRAIN_H

#include "map/store/map_layout.h"

/// Expands the bits of a word, lowest first, to bytes of 0xFF and 0.
void wend__spread_row(uint64_t word, uint8_t out[WEND__CHUNK_SIDE]);
/// The classes of a row. Beyond the map's rim they are not defined.
void wend__chunk_row(const wend__chunk *chunk, unsigned y, uint8_t out[WEND__CHUNK_SIDE]);
/// The open cells of a row: bit x. Beyond the map's rim they are not defined.
uint64_t wend__open_row(const uint8_t factors[256], const wend__chunk *chunk, unsigned y);
/// The same for all rows of a chunk of one or two classes, which asks for their factors once: row y's open cells are
/// (rows[y] & mask) ^ flip.
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

/// All classes of a chunk as bytes; 0 beyond the rim.
void wend__chunk_expand(const wend__chunk *chunk, unsigned width, unsigned height, uint8_t *bytes);
/// Returns a hash of the classes and closed steps of a grid's chunk, whatever form they are stored in.
uint32_t wend__chunk_hash(const wend__version *v, int32_t column, int32_t row);
void wend__chunk_make_uniform(wend_map *map, wend__chunk *chunk, uint8_t class);

enum { WEND__FORM_AS_IS, WEND__FORM_UNIFORM, WEND__FORM_BITS, WEND__FORM_BYTES };
typedef struct wend__form {
    int32_t kind;
    uint8_t classes[2];
} wend__form;

/// Returns the smallest form that a chunk can have under these rules; WEND__FORM_AS_IS: the chunk has it already.
wend__form wend__chunk_form(const wend__chunk *chunk, const wend_map_rules *rules, unsigned width, unsigned height);
/// Gives a chunk that form. No other version holds its block.
wend_error wend__chunk_reform(wend_map *map, wend__chunk *chunk, const wend__form *form, unsigned width,
                              unsigned height);

/// The classes of `count` places of a chunk, one after another.
void wend__chunk_read_run(const wend__chunk *chunk, unsigned place, unsigned count, uint8_t *out);
/// Returns true if these are the classes of `count` places of a chunk, one after another.
bool wend__chunk_run_is(const wend__chunk *chunk, unsigned place, unsigned count, const uint8_t *classes);

/// Returns whether up to 64 cells have only these two classes; a bit for each of such cells, 1 for `other`.
bool wend__row_of_two(const uint8_t *cells, unsigned width, uint8_t first, uint8_t second);
uint64_t wend__pack_run(const uint8_t *cells, unsigned count, uint8_t base, uint8_t other);

#endif
