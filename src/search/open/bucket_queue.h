/* SPDX-License-Identifier: MIT */
/* Internal: the open list as a bucket queue: a ring of buckets (Dial 1969) under a two-level
 * bitmap. A bucket is last in, first out.
 *
 * A bucket holds 2^shift values of f. The ring must cover the largest rise of f in one step, so
 * the search chooses the shift from the map's costs. With shift 0, the usual case, entries leave
 * in exact order of f. The newest entry of the lowest bucket comes first, so ties depend on the
 * search alone.
 *
 * An entry is a node's id, 4 bytes. A bucket is a stack of blocks; a block has 31 entries and a
 * link, and comes from the pool's open pages. Stale entries, whose nodes became cheaper or are
 * closed, stay where they are and are skipped when they come off. */
#ifndef WEND_SRC_SEARCH_OPEN_BUCKET_QUEUE_H
#define WEND_SRC_SEARCH_OPEN_BUCKET_QUEUE_H

#include "base/base.h"

enum {
    WEND__BUCKETS = 4096,
    WEND__OPEN_BLOCK_SHIFT = 5,  ///< entries of a block: 32, the first of them a link
    WEND__OPEN_PAGE_BLOCKS = 32, ///< 4 KiB
    WEND__OPEN_PAGE_WORDS = WEND__OPEN_PAGE_BLOCKS << WEND__OPEN_BLOCK_SHIFT
};
/// No page, no node.
#define WEND__NONE UINT32_MAX

typedef struct wend__open {
    uint32_t *entries;         ///< the pool's; a position is block << 5 | index, index 0 links to the position before
    uint64_t words;            ///< bitmap of the words of `bits` that are not 0
    uint32_t current;          ///< bucket being emptied
    uint32_t shift;            ///< a bucket holds 2^shift values of f
    uint32_t free_block;       ///< free blocks, chained through place 0; 0: none
    uint32_t fresh, fresh_end; ///< lists of chained entries: entries of the newest page, not used
    uint32_t pages;            ///< lists of chained entries: how many pages have entries
    uint32_t spare;            ///< number of free blocks
    uint32_t pushed;           ///< strict order: how many entries were pushed
    uint64_t base;             ///< strict order: keys below it are in the first bucket
    uint64_t bits[WEND__BUCKETS / 64];
    uint32_t top[WEND__BUCKETS]; ///< position of each bucket's top entry; 0: empty
} wend__open;

static inline void wend__open_init(wend__open *open) {
    open->words = 0;
    for (unsigned i = 0; i < WEND__BUCKETS / 64; i++) open->bits[i] = 0;
    for (unsigned i = 0; i < WEND__BUCKETS; i++) open->top[i] = 0;
}

/// Empty the list. Cost: O(buckets in use), not O(buckets).
static inline void wend__open_reset(wend__open *open, uint32_t *entries, uint32_t shift) {
    for (; open->words; open->words &= open->words - 1) {
        unsigned word = wend__ctz64(open->words);
        for (; open->bits[word]; open->bits[word] &= open->bits[word] - 1)
            open->top[word << 6 | wend__ctz64(open->bits[word])] = 0;
    }
    open->entries = entries;
    open->shift = shift;
    open->current = open->free_block = open->fresh = open->fresh_end = open->spare = open->pages = 0;
}

/// Adds the blocks of another open page. Block 0 of the pool is never used: position 0 means none.
static inline void wend__open_add_page(wend__open *open, uint32_t page) {
    WEND__DEBUG_ASSERT(open->entries);
    const uint32_t first = page == 0 ? 1 : page * WEND__OPEN_PAGE_BLOCKS;
    for (uint32_t block = (page + 1) * WEND__OPEN_PAGE_BLOCKS; block-- > first; open->spare++) {
        open->entries[block << WEND__OPEN_BLOCK_SHIFT] = open->free_block;
        open->free_block = block;
    }
}

WEND__INLINE uint32_t wend__open_take_block(wend__open *open) {
    WEND__DEBUG_ASSERT(open->spare > 0);
    open->spare--;
    uint32_t block = open->free_block;
    open->free_block = open->entries[block << WEND__OPEN_BLOCK_SHIFT];
    return block;
}

/// Push an entry into a bucket. Takes at most one spare block.
WEND__INLINE void wend__open_push_bucket(wend__open *open, uint32_t bucket, uint32_t id) {
    WEND__DEBUG_ASSERT(bucket < WEND__BUCKETS);
    uint32_t at = open->top[bucket];
    if (WEND__UNLIKELY(((at + 1) & 31) <= 1)) { /* no block, or the block is full */
        uint32_t block = wend__open_take_block(open) << WEND__OPEN_BLOCK_SHIFT;
        open->entries[block] = at;
        at = block;
    }
    open->entries[++at] = id;
    open->top[bucket] = at;
    open->bits[bucket >> 6] |= UINT64_C(1) << (bucket & 63);
    open->words |= UINT64_C(1) << (bucket >> 6);
}

WEND__INLINE void wend__open_push(wend__open *open, uint64_t f, uint32_t id) {
    wend__open_push_bucket(open, (uint32_t)(f >> open->shift) & (WEND__BUCKETS - 1), id);
}

/// Returns whether the test holds for any entry of a bucket.
static inline bool wend__open_any_in(const wend__open *open, uint32_t bucket, const void *owner,
                                     bool (*holds)(const void *owner, uint32_t id)) {
    for (uint32_t at = open->top[bucket]; at != 0; at = (at & 31) == 1 ? open->entries[at - 1] : at - 1)
        if (holds(owner, open->entries[at])) return true;
    return false;
}

/// Returns whether the test holds for any entry of the list.
static inline bool wend__open_any(const wend__open *open, const void *owner,
                                  bool (*holds)(const void *owner, uint32_t id)) {
    for (uint64_t words = open->words; words; words &= words - 1) {
        const unsigned word = wend__ctz64(words);
        for (uint64_t bits = open->bits[word]; bits; bits &= bits - 1)
            if (wend__open_any_in(open, word << 6 | wend__ctz64(bits), owner, holds)) return true;
    }
    return false;
}

/// Moves `current` to the lowest bucket that is not empty. False: all are empty.
WEND__INLINE bool wend__open_advance(wend__open *open) {
    uint32_t word = open->current >> 6;
    uint64_t here = open->bits[word] & (~UINT64_C(0) << (open->current & 63));
    if (WEND__LIKELY(here != 0)) {
        open->current = word << 6 | wend__ctz64(here);
        return true;
    }
    uint64_t words = open->words & ~((UINT64_C(2) << word) - 1);
    if (words == 0) words = open->words; /* go round the ring, perhaps to this word's lower buckets */
    if (words == 0) return false;
    word = wend__ctz64(words);
    open->current = word << 6 | wend__ctz64(open->bits[word]);
    return true;
}

/// Pop the newest entry of bucket `current`, which is not empty.
WEND__INLINE uint32_t wend__open_pop(wend__open *open) {
    uint32_t bucket = open->current, at = open->top[bucket], id = open->entries[at];
    WEND__DEBUG_ASSERT(at != 0);
    if (WEND__LIKELY((at & 31) != 1)) {
        open->top[bucket] = at - 1;
        return id;
    }
    uint32_t below = open->entries[at - 1];
    open->entries[at - 1] = open->free_block;
    open->free_block = at >> WEND__OPEN_BLOCK_SHIFT;
    open->spare++;
    open->top[bucket] = below;
    if (below == 0 && (open->bits[bucket >> 6] &= ~(UINT64_C(1) << (bucket & 63))) == 0)
        open->words &= ~(UINT64_C(1) << (bucket >> 6));
    return id;
}

/* ---- open_compaction.c: removes from an open list of blocks the entries that will never be expanded ---- */

/// Tests and changes whether an entry's node is open.
typedef struct wend__open_nodes {
    const void *owner;
    bool (*is_open)(const void *owner, uint32_t id);
    void (*flip_open)(const void *owner, uint32_t id); ///< from open to closed, or back
} wend__open_nodes;

/// Removes the entries of closed nodes, and all but the first to come off of an open node.
/// @param pages   open pages that the list has
/// @param floor   of multilevel buckets; NULL: the buckets are a ring
/// @return blocks that became free; 0 if they are fewer than an eighth of all. So the work is at
/// most eight blocks for each block that is filled later.
uint32_t wend__open_compact(wend__open *open, const wend__open_nodes *nodes, uint32_t pages, const uint64_t *floor);

#endif
