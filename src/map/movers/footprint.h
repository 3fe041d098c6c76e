/* SPDX-License-Identifier: MIT */
/* Internal: the factors and closed steps of a mover of any size, in one chunk. */
#ifndef WEND_SRC_MAP_MOVERS_FOOTPRINT_H
#define WEND_SRC_MAP_MOVERS_FOOTPRINT_H

#include "map/store/map_layout.h"
#include <wend/movers.h>

enum {
    WEND__FOOTPRINT_CELLS = 31 * 31 * 32
}; ///< a chunk of voxels and 15 more cells along each axis; a grid's chunk needs less

typedef struct wend__footprint {
    const wend__version *version;
    int32_t size;
    uint8_t
        lowered[256]; ///< a class's factor - 1, blocked: 255; so the largest over the mover's cells is its factor there
    uint8_t cells[WEND__FOOTPRINT_CELLS];
} wend__footprint;

void wend__footprint_init(wend__footprint *footprint, const wend__version *version, const wend_mover *mover);
/// Returns in how many chunks the mover can cover cells when it stands in one: 1, 4 (right and down) or 8 (and up).
unsigned wend__footprint_parts(const wend__footprint *footprint);
/// Finds the k-th of these chunks (sign 1), or the chunk of which this is the k-th (sign -1). False: it is off the map.
bool wend__footprint_part(const wend__version *v, int32_t column, int32_t row, unsigned k, int32_t sign, int32_t *c,
                          int32_t *r);
/// Returns true if the classes of chunks alone show that the mover's factor is the same in the whole chunk.
bool wend__footprint_uniform(const wend__footprint *footprint, int32_t column, int32_t row, uint8_t *factor);
/// Computes the mover's factors in a chunk, at least in these rows of 64 cells; 0 beyond the map's rim.
void wend__footprint_factors(wend__footprint *footprint, int32_t column, int32_t row, uint64_t rows,
                             uint8_t factors[WEND__CHUNK_CELLS]);
/// Returns true if any cell that the mover can cover from this chunk has closed steps.
bool wend__footprint_any_closed(const wend__footprint *footprint, int32_t column, int32_t row);
/// Computes the steps closed for the mover in a chunk: those closed for any cell that it covers.
/// @param room   for WEND__FOOTPRINT_CELLS words
void wend__footprint_closed(const wend__footprint *footprint, int32_t column, int32_t row, uint32_t *room,
                            uint32_t steps[WEND__CHUNK_CELLS]);

#endif
