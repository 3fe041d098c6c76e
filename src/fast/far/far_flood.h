/* SPDX-License-Identifier: MIT */
/* Internal: distances inside of one chunk of a grid, from a cell or to it, in far units. */
#ifndef WEND_SRC_FAST_FAR_FAR_FLOOD_H
#define WEND_SRC_FAST_FAR_FAR_FLOOD_H

#include "fast/far/far.h"

enum { WEND__FAR_BUCKETS = 16384, WEND__FAR_PUSHES = 8 * WEND__CHUNK_CELLS };

/// The chunk and the last distances. Bucket d holds cells at distance d (Dial 1969).
typedef struct wend__far_flood {
    uint32_t diagonal;                  ///< far units
    bool mixed;                         ///< distances depend on the direction
    bool full;                          ///< all 4,096 cells are open, at factor 1
    uint8_t steps[WEND__CHUNK_CELLS];   ///< legal steps inside of the chunk
    uint8_t factors[WEND__CHUNK_CELLS]; ///< where mixed
    uint32_t distance[WEND__CHUNK_CELLS];
    uint8_t entered[WEND__CHUNK_CELLS]; ///< directions in which a cell was reached at its distance
    uint32_t pushed;                    ///< number of cells pushed by the last flood, a measure of its work
    uint8_t worth[8][256];              ///< steps worth taking, by direction of arrival and legal steps
    uint16_t bucket[WEND__FAR_BUCKETS];
    struct {
        uint16_t cell, next;
    } push[WEND__FAR_PUSHES];
} wend__far_flood;

/// Sets what all chunks of a layer share. A repeated call with equal costs does nothing. At first `diagonal` is 0.
void wend__far_flood_init(wend__far_flood *flood, const wend__far *far);
void wend__far_flood_read(wend__far_flood *flood, const wend__version *view, int32_t column, int32_t row);
/// The distances from a cell (y << 6 | x), or backwards to it; WEND__FAR_NONE: no way inside of the chunk.
void wend__far_flood_run(wend__far_flood *flood, uint32_t cell, bool backwards);
/// The distances from a cell to some others only, which it can reach: all other distances are wrong. Not for `mixed`.
void wend__far_flood_reach(wend__far_flood *flood, uint32_t cell, const uint32_t *targets, uint32_t count);
/// Returns whether a chunk has slow ground or closed steps.
bool wend__far_is_mixed(const wend__version *view, int32_t column, int32_t row);

#endif
