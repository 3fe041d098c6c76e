/* SPDX-License-Identifier: MIT */
/* Internal: the bucket queue of a field. Its room is bounded: marked cells may be in no bucket. A *gather* finds them
 * when it is their turn, chunk by chunk, so that no call takes long.
 *
 * For each chunk the field has a lower bound of the keys of such cells: 0 if unknown, WEND__FIELD_LATER if cells wait
 * for another phase, WEND__FIELD_FAR if there are none. */
#ifndef WEND_SRC_FIELD_FIELD_QUEUE_H
#define WEND_SRC_FIELD_FIELD_QUEUE_H

#include "field/field_state.h"

/// Marked cells are in no bucket, and nothing searches for them before wend__field_recall(). Above all keys.
#define WEND__FIELD_LATER (WEND__FIELD_FAR - 1)

/// Pages of entries for a field of this many chunks: one entry for four cells, and some for each bucket.
static inline uint32_t wend__field_open_pages(uint32_t chunks) {
    return chunks + 16;
}

/// Records that a cell with a mark is in no bucket. It is found after the next wend__field_recall().
static inline void wend__field_mark(wend_field *f, uint32_t id) {
    if (f->least[id >> 12] == WEND__FIELD_FAR) f->least[id >> 12] = WEND__FIELD_LATER;
}

/// Empties the queue. No marked cell is in a bucket then; cells that were have keys from `key` on. Cost: O(chunks).
void wend__field_scatter(wend_field *f, uint32_t key);

/// Searches for all marked cells that are in no bucket. Cost: O(chunks).
void wend__field_recall(wend_field *f);

typedef enum wend__advance {
    WEND__FIELD_EMPTY,  ///< no cell has the mark
    WEND__FIELD_BUCKET, ///< the current bucket has the lowest key
    WEND__FIELD_GATHERS ///< a gather has begun; ask again when it is done
} wend__advance;

/// Moves to the lowest key of which a cell with that mark is left.
wend__advance wend__field_advance(wend_field *f, uint8_t mark);

/// Continues a gather: over one chunk at most. Its work is owed.
void wend__field_gather(wend_field *f);

/// Gives the queue more of its blocks. Returns false if it has all.
static inline bool wend__field_add_page(wend_field *f) {
    if (f->added_pages == f->open_pages) return false;
    wend__open_add_page(&f->open, f->added_pages++);
    return true;
}

/// Queues a cell that has its mark and its cost. Takes at most one block; without any, the cell is in no bucket.
static inline void wend__field_push(wend_field *f, uint32_t id, uint32_t cost) {
    WEND__DEBUG_ASSERT(id >> 12 < f->chunks && cost != WEND__FIELD_FAR);
    const uint32_t key = cost >> f->shift, chunk = id >> 12;
    const bool fits = key - f->key < WEND__BUCKETS && (f->open.spare > 0 || wend__field_add_page(f));
    if (WEND__LIKELY(fits)) {
        wend__open_push_bucket(&f->open, key & (WEND__BUCKETS - 1), id);
        return;
    }
    if (key < f->least[chunk]) f->least[chunk] = key;
    if (key < f->outside) f->outside = key;
}

#endif
