/* SPDX-License-Identifier: MIT */
/* Internal: the forms of a chunk's terrain: one class, two classes as bits, or a byte a cell. */
#ifndef WEND_SRC_MAP_STORE_TERRAIN_H
#define WEND_SRC_MAP_STORE_TERRAIN_H

#include "map/store/map_layout.h"

/// Bytes of 0xFF and 0 from the bits of a word, lowest first.
void wend__spread_row(uint64_t word, uint8_t out[WEND__CHUNK_SIDE]);
/// The classes of a row; those beyond the map's rim may be any.
void wend__chunk_row(const wend__chunk *chunk, unsigned y, uint8_t out[WEND__CHUNK_SIDE]);
/// Which cells of a row are open: bit x; beyond the map's rim it may be any.
uint64_t wend__open_row(const uint8_t factors[256], const wend__chunk *chunk, unsigned y);
/// All classes of a chunk as bytes; 0 beyond the rim.
void wend__chunk_expand(const wend__chunk *chunk, unsigned width, unsigned height, uint8_t *bytes);
void wend__chunk_make_uniform(wend_map *map, wend__chunk *chunk, uint8_t class);

enum { WEND__FORM_AS_IS, WEND__FORM_UNIFORM, WEND__FORM_BITS, WEND__FORM_BYTES };
typedef struct wend__form {
    int32_t kind;
    uint8_t classes[2];
} wend__form;

/// The form that a chunk has to have under these rules, where it is not the one it has.
wend__form wend__chunk_form(const wend__chunk *chunk, const wend_map_rules *rules, unsigned width, unsigned height);
/// Give it to a chunk of a block that nobody shares.
wend_error wend__chunk_reform(wend_map *map, wend__chunk *chunk, const wend__form *form, unsigned width,
                              unsigned height);

/// The classes of `count` places of a chunk, one after another.
void wend__chunk_read_run(const wend__chunk *chunk, unsigned place, unsigned count, uint8_t *out);
/// Are these the classes of `count` places of a chunk, one after another?
bool wend__chunk_run_is(const wend__chunk *chunk, unsigned place, unsigned count, const uint8_t *classes);

#endif
