/* SPDX-License-Identifier: MIT */
/* Voxels: which cells of a chunk are open, and which steps lead out of one. */
#include "map/map_private.h"

int32_t wend__voxels_derive(const wend__version *version, wend__chunk *chunk, int32_t column, int32_t row) {
    (void)version, (void)column, (void)row;
    chunk->open = &wend__voxels_open;
    chunk->max_factor = 1;
    return WEND_OK;
}

uint32_t wend__voxel_steps(const wend__version *version, wend_cell cell) {
    (void)version, (void)cell;
    return 0;
}
