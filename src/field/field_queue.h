/* SPDX-License-Identifier: MIT */
/* Internal: the bucket queue of a field. Its room is bounded: marked cells may be in no bucket, and are found by their
 * marks when it is their turn. */
#ifndef WEND_SRC_FIELD_FIELD_QUEUE_H
#define WEND_SRC_FIELD_FIELD_QUEUE_H

#include "field/field_state.h"

/// Pages of entries for a field of so many chunks: one entry for four cells, and some for each bucket.
static inline uint32_t wend__field_open_pages(uint32_t chunks) {
    return chunks + 16;
}

/// Empty the queue. All marked cells are in no bucket then.
void wend__field_scatter(wend_field *f);

/// Move on to the lowest key of which a cell with that mark is left. False: no cell has it.
bool wend__field_advance(wend_field *f, uint8_t mark);

/// Queue a cell that has its mark and its cost. Takes at most one block; where there is none, the cell is in no bucket.
static inline void wend__field_push(wend_field *f, uint32_t id, uint32_t cost) {
    const uint32_t key = cost >> f->shift;
    if (WEND__LIKELY(key - f->key < WEND__BUCKETS && f->open.spare > 0)) {
        wend__open_push_bucket(&f->open, key & (WEND__BUCKETS - 1), id);
        return;
    }
    wend__field_mark(f, id);
    if (key < f->outside) f->outside = key;
}

#endif
