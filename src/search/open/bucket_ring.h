/* SPDX-License-Identifier: MIT */
/* Internal: the bucket queue as an expansion loop works on it. The loop's copy of its fields
 * fits in registers, and the bucket being emptied is outside the ring. So the next node is known
 * before the last node's successors are pushed, and the processor can start on it. */
#ifndef WEND_SRC_SEARCH_OPEN_BUCKET_RING_H
#define WEND_SRC_SEARCH_OPEN_BUCKET_RING_H

#include "search/open/bucket_queue.h"

typedef struct wend__ring {
    uint32_t *entries;
    uint64_t words;      ///< bitmap of the words of `bits` that are not 0
    uint32_t current;    ///< bucket being emptied; the queue does not hold its entries meanwhile
    uint32_t head;       ///< position of its top entry; 0: empty
    uint32_t free_block; ///< first of `spare` free blocks
    uint32_t spare;
} wend__ring;

WEND__INLINE void wend__ring_take_out(wend__ring *ring, wend__open *open) {
    const uint32_t word = ring->current >> 6;
    ring->head = open->top[ring->current];
    open->top[ring->current] = 0;
    if ((open->bits[word] &= ~(UINT64_C(1) << (ring->current & 63))) == 0) ring->words &= ~(UINT64_C(1) << word);
}

/// Begins to work on an open list. Nothing else may use it until wend__ring_save().
WEND__INLINE wend__ring wend__ring_load(wend__open *open) {
    wend__ring ring = {.entries = open->entries,
                       .words = open->words,
                       .current = open->current,
                       .free_block = open->free_block,
                       .spare = open->spare};
    wend__ring_take_out(&ring, open);
    return ring;
}

WEND__INLINE void wend__ring_save(const wend__ring *ring, wend__open *open) {
    open->words = ring->words;
    open->current = ring->current;
    open->free_block = ring->free_block;
    open->spare = ring->spare;
    if (ring->head == 0) return;
    open->top[ring->current] = ring->head;
    open->bits[ring->current >> 6] |= UINT64_C(1) << (ring->current & 63);
    open->words |= UINT64_C(1) << (ring->current >> 6);
}

/// Puts an entry on top of the entry at position `at`. Returns its position. Takes at most one spare
/// block.
WEND__INLINE uint32_t wend__ring_put(wend__ring *ring, uint32_t at, uint32_t id) {
    if (WEND__UNLIKELY(((at + 1) & 31) <= 1)) { /* no block, or the block is full */
        WEND__DEBUG_ASSERT(ring->spare > 0);
        const uint32_t block = ring->free_block << WEND__OPEN_BLOCK_SHIFT;
        ring->spare--;
        ring->free_block = ring->entries[block];
        ring->entries[block] = at;
        at = block;
    }
    ring->entries[++at] = id;
    return at;
}

/// Push an entry into a bucket that is not the current one.
WEND__INLINE void wend__ring_push_ahead(wend__ring *ring, wend__open *open, uint32_t bucket, uint32_t id) {
    WEND__DEBUG_ASSERT(bucket < WEND__BUCKETS && bucket != ring->current);
    open->top[bucket] = wend__ring_put(ring, open->top[bucket], id);
    open->bits[bucket >> 6] |= UINT64_C(1) << (bucket & 63);
    ring->words |= UINT64_C(1) << (bucket >> 6);
}

/// Push an entry into the current bucket.
WEND__INLINE void wend__ring_push_here(wend__ring *ring, uint32_t id) {
    ring->head = wend__ring_put(ring, ring->head, id);
}

WEND__INLINE void wend__ring_push(wend__ring *ring, wend__open *open, uint32_t bucket, uint32_t id) {
    if (bucket == ring->current)
        wend__ring_push_here(ring, id);
    else
        wend__ring_push_ahead(ring, open, bucket, id);
}

/// The current bucket is empty: move to the lowest that is not. False: all are empty.
WEND__INLINE bool wend__ring_advance(wend__ring *ring, wend__open *open) {
    WEND__DEBUG_ASSERT(ring->head == 0);
    uint32_t word = ring->current >> 6;
    uint64_t here = open->bits[word] & (~UINT64_C(0) << (ring->current & 63));
    if (here == 0) {
        uint64_t words = ring->words & ~((UINT64_C(2) << word) - 1);
        if (words == 0) words = ring->words; /* go round the ring, perhaps to this word's lower buckets */
        if (words == 0) return false;
        word = wend__ctz64(words);
        here = open->bits[word];
    }
    ring->current = word << 6 | wend__ctz64(here);
    wend__ring_take_out(ring, open);
    return true;
}

/// Pop the newest entry of the current bucket, which is not empty.
WEND__INLINE uint32_t wend__ring_pop(wend__ring *ring) {
    WEND__DEBUG_ASSERT(ring->head != 0);
    const uint32_t at = ring->head, id = ring->entries[at];
    ring->head = at - 1;
    if (WEND__UNLIKELY((at & 31) == 1)) {
        ring->head = ring->entries[at - 1];
        ring->entries[at - 1] = ring->free_block;
        ring->free_block = at >> WEND__OPEN_BLOCK_SHIFT;
        ring->spare++;
    }
    return id;
}

#endif
