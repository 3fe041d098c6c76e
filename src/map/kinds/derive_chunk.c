/* SPDX-License-Identifier: MIT */
/* Derives what follows from a chunk's terrain, for each kind of map. */
#include "map/kinds/derive_chunk.h"
#include "map/kinds/graph.h"
#include "map/kinds/masks.h"
#include "map/kinds/voxels.h"
#include "map/store/map_layout.h"

wend_error wend__chunk_derive(wend__mask_deriver *deriver, wend__chunk *chunk, int32_t column, int32_t row) {
    const wend__version *v = deriver->version;
    if (v->kind == WEND_KIND_VOXEL) return wend__voxels_derive(v, chunk, column, row);
    if (v->kind == WEND_KIND_GRAPH) {
        wend__graph_derive(v, chunk, column);
        return WEND_OK;
    }
    uint8_t max_factor;
    int32_t key;
    const wend__plane *masks = wend__masks_derive(deriver, column, row, UINT64_MAX, &max_factor, &key);
    return wend__masks_store(deriver, chunk, masks, max_factor, key);
}
