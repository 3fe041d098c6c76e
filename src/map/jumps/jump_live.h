/* SPDX-License-Identifier: MIT */
/* Internal to this room: the state of pruning a chunk: words of rows (bit x of word y) for each direction. */
#ifndef WEND_SRC_JUMP_LIVE_H
#define WEND_SRC_JUMP_LIVE_H

#include "map/jumps/jump_tables.h"
#include "map/jumps/jumps.h"
#include "map/store/map_layout.h"

typedef struct wend__jump_liveness {
    const wend__jump_planes *planes;
    uint64_t waiting[4][WEND__CHUNK_SIDE]; ///< cells entered as a jump point in the direction, not known as live
    uint64_t live[4][WEND__CHUNK_SIDE];    ///< those known as live
    uint64_t fresh[4][WEND__CHUNK_SIDE];   ///< live ones that the last pass found
    uint64_t runs[4][WEND__CHUNK_SIDE];    ///< the run from the cell ends at a live point
    uint64_t leaving[4][WEND__CHUNK_SIDE]; ///< it leaves the chunk
} wend__jump_liveness;

/// Find the points that are live because of the fresh ones, then those that are live because of these, and so on.
void wend__jump_find_rest(wend__jump_liveness *lives, const wend__jump_table *table, const uint8_t *masks);

#endif
