/* SPDX-License-Identifier: MIT */
/* Internal: the open list as multilevel buckets (Denardo and Fox 1979), in the arrays of
 * bucket_queue.h. The general engine and the graph engine use it.
 *
 * The 4,096 buckets are four levels of 1,024. Take a key as digits of ten bits. The highest
 * digit in which it differs from `floor` gives the level, and that digit gives the bucket. So a
 * bucket of level 0 holds one key, and 2^40 keys fit without a choice of width, whatever links
 * and edges cost. When the lower levels are empty, the lowest bucket of the next level becomes
 * the floor, and its entries move down. An entry moves at most three times. Its key is computed
 * again when it moves, as an entry is only an id; entries of closed nodes are dropped.
 *
 * A key below the floor is raised to it. In a bucket the newest entry comes first; moving a
 * bucket reverses its order. So ties depend on the search alone here, too. */
#ifndef WEND_SRC_SEARCH_OPEN_MULTILEVEL_BUCKETS_H
#define WEND_SRC_SEARCH_OPEN_MULTILEVEL_BUCKETS_H

#include "search/open/bucket_queue.h"

enum { WEND__LEVEL_BITS = 10, WEND__LEVEL_BUCKETS = 1 << WEND__LEVEL_BITS, WEND__LEVEL_TOP = 3 };

/// The bucket of a key that is not below the floor. A key too far above it gets the last bucket: it
/// comes off too early there, and moves to its place.
WEND__INLINE uint32_t wend__level_bucket(uint64_t floor, uint64_t key) {
    WEND__DEBUG_ASSERT(key >= floor);
    const uint64_t farthest = (UINT64_C(1) << 40) - (UINT64_C(1) << 31);
    if (WEND__UNLIKELY(key - floor > farthest)) key = floor + farthest;
    uint64_t unlike = key ^ floor;
    if (WEND__LIKELY(unlike < WEND__LEVEL_BUCKETS)) return (uint32_t)key & (WEND__LEVEL_BUCKETS - 1);
    uint32_t tier = unlike >> 20 == 0 ? 1 : unlike >> 30 == 0 ? 2 : WEND__LEVEL_TOP;
    return tier << WEND__LEVEL_BITS | ((uint32_t)(key >> tier * WEND__LEVEL_BITS) & (WEND__LEVEL_BUCKETS - 1));
}

/// The lowest bucket of a level, from digit `from` on; the top level is a ring. WEND__NONE: the
/// level is empty.
static inline uint32_t wend__level_first(const wend__open *open, uint32_t tier, uint32_t from) {
    WEND__DEBUG_ASSERT(tier <= WEND__LEVEL_TOP && from < WEND__LEVEL_BUCKETS);
    const uint32_t base = tier * (WEND__LEVEL_BUCKETS / 64);
    const uint64_t words = open->words >> base & 0xffff;
    if (words == 0) return WEND__NONE;
    uint32_t word = from >> 6;
    uint64_t here = open->bits[base + word] & ~UINT64_C(0) << (from & 63);
    if (here == 0) {
        uint64_t later = words & ~((UINT64_C(2) << word) - 1);
        word = wend__ctz64(later != 0 ? later : words);
        here = open->bits[base + word];
    }
    return tier << WEND__LEVEL_BITS | word << 6 | wend__ctz64(here);
}

static inline uint32_t wend__level_digit(uint64_t key, uint32_t tier) {
    return (uint32_t)(key >> tier * WEND__LEVEL_BITS) & (WEND__LEVEL_BUCKETS - 1);
}

/// The lowest key of a bucket above level 0. It becomes the floor when the bucket moves down.
static inline uint64_t wend__level_floor(uint64_t floor, uint32_t bucket) {
    WEND__DEBUG_ASSERT(bucket >= WEND__LEVEL_BUCKETS && bucket < WEND__BUCKETS);
    const uint32_t tier = bucket >> WEND__LEVEL_BITS, shift = tier * WEND__LEVEL_BITS;
    const uint32_t digit = bucket & (WEND__LEVEL_BUCKETS - 1);
    const uint64_t ahead = (digit - wend__level_digit(floor, tier)) & (WEND__LEVEL_BUCKETS - 1);
    return ((floor >> shift) + ahead) << shift;
}

/// Results of wend__levels_advance(): the list is empty; bucket `current` holds the entries of the
/// least key; the entries of bucket `current`, of a higher level, must move down before the next
/// call.
enum { WEND__LEVELS_EMPTY, WEND__LEVELS_READY, WEND__LEVELS_MOVE };

/// Finds the lowest key, which becomes the floor.
WEND__INLINE int wend__levels_advance(wend__open *open, uint64_t *floor) {
    uint32_t bucket = wend__level_first(open, 0, wend__level_digit(*floor, 0));
    if (WEND__LIKELY(bucket != WEND__NONE)) {
        *floor = (*floor & ~(uint64_t)(WEND__LEVEL_BUCKETS - 1)) | bucket;
        open->current = bucket;
        return WEND__LEVELS_READY;
    }
    for (uint32_t tier = 1; bucket == WEND__NONE && tier <= WEND__LEVEL_TOP; tier++)
        bucket = wend__level_first(open, tier, wend__level_digit(*floor, tier));
    if (bucket == WEND__NONE) return WEND__LEVELS_EMPTY;
    *floor = wend__level_floor(*floor, bucket);
    open->current = bucket;
    return WEND__LEVELS_MOVE;
}

#endif
