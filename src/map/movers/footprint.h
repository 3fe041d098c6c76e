/* SPDX-License-Identifier: MIT */
/* Internal: how a mover fits in the places of a chunk. */
#ifndef WEND_SRC_MAP_MOVERS_FOOTPRINT_H
#define WEND_SRC_MAP_MOVERS_FOOTPRINT_H

#include "map/store/map_layout.h"

enum {
    WEND__FOOTPRINT_CELLS = 31 * 31 * 32
}; ///< a chunk of voxels and 15 cells more each way; that of a grid needs less

typedef struct wend__footprint {
    const wend__version *version;
    int32_t size;
    uint8_t
        lowered[256]; ///< factor - 1 of a class, blocked 255: so the largest of some cells tells how one stands there
    uint8_t cells[WEND__FOOTPRINT_CELLS];
} wend__footprint;

void wend__footprint_init(wend__footprint *footprint, const wend__version *version, const wend_mover *mover);
/// Of how many chunks a mover that stands in one may cover cells: 1, 4 (right and down) or 8 (and up).
unsigned wend__footprint_parts(const wend__footprint *footprint);
/// The k-th of those (sign 1), or the one of which this is the k-th (sign -1). False: there is none.
bool wend__footprint_part(const wend__version *v, int32_t column, int32_t row, unsigned k, int32_t sign, int32_t *c,
                          int32_t *r);
/// Can one say, without looking at the cells, that the mover's factor is the same all over a chunk?
bool wend__footprint_uniform(const wend__footprint *footprint, int32_t column, int32_t row, uint8_t *factor);
/// The factors in a chunk, in these rows of 64 places at least; 0 beyond the map's rim.
void wend__footprint_factors(wend__footprint *footprint, int32_t column, int32_t row, uint64_t rows,
                             uint8_t factors[WEND__CHUNK_CELLS]);
/// Is any step closed of the cells that a mover which stands in a chunk may cover?
bool wend__footprint_any_closed(const wend__footprint *footprint, int32_t column, int32_t row);
/// Which steps are closed for the mover in a chunk: those that are for any cell that it covers.
/// @param room   for WEND__FOOTPRINT_CELLS words
void wend__footprint_closed(const wend__footprint *footprint, int32_t column, int32_t row, uint32_t *room,
                            uint32_t steps[WEND__CHUNK_CELLS]);

#endif
