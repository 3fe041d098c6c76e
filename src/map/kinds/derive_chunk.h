/* SPDX-License-Identifier: MIT */
/* Internal: what follows from a chunk's terrain, whatever kind the map is of. */
#ifndef WEND_SRC_MAP_KINDS_DERIVE_CHUNK_H
#define WEND_SRC_MAP_KINDS_DERIVE_CHUNK_H

#include "map/kinds/masks.h"
#include "map/store/map_layout.h"

/// Derive all that follows from a chunk's terrain. No other version holds its block.
wend_error wend__chunk_derive(wend__mask_deriver *deriver, wend__chunk *chunk, int32_t column, int32_t row);

#endif
