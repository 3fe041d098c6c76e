/* SPDX-License-Identifier: MIT */
/* Internal: the full engine's open list: buckets in four tiers (Denardo and Fox 1979), over the arrays of bucket_queue.h.
 *
 * The ring's 4,096 buckets are four tiers of 1,024 here. Seen as digits of ten bits, a key lies in the tier of the highest
 * digit in which it differs from `floor`, in the bucket of its digit there; so tier 0 holds single keys, and 2^40 values of
 * keys fit in without any choice of width: links and dear edges need none. When a tier's lower ones are empty, its lowest
 * bucket's beginning becomes the floor and its entries move down, each at most three times in all. A moved entry's key is
 * worked out anew, as entries are ids only; closed nodes are dropped by the way.
 *
 * Keys are never below the floor: what would be is raised to it. The rule of ties is the ring's: the newest first, where
 * moving turns a bucket's order round. So ties depend on the search alone here too. */
#ifndef WEND_SRC_SEARCH_OPEN_MULTILEVEL_BUCKETS_H
#define WEND_SRC_SEARCH_OPEN_MULTILEVEL_BUCKETS_H

#include "search/open/bucket_queue.h"

enum { WEND__LEVEL_BITS = 10, WEND__LEVEL_BUCKETS = 1 << WEND__LEVEL_BITS, WEND__LEVEL_TOP = 3 };

/// Bucket of a key that is not below the floor. One too far above for the four tiers takes the last place that there is:
/// it comes too early then, and is put in its place when it moves down.
WEND__INLINE uint32_t wend__level_bucket(uint64_t floor, uint64_t key) {
    const uint64_t farthest = (UINT64_C(1) << 40) - (UINT64_C(1) << 31);
    if (WEND__UNLIKELY(key - floor > farthest)) key = floor + farthest;
    uint64_t unlike = key ^ floor;
    if (WEND__LIKELY(unlike < WEND__LEVEL_BUCKETS)) return (uint32_t)key & (WEND__LEVEL_BUCKETS - 1);
    uint32_t tier = unlike >> 20 == 0 ? 1 : unlike >> 30 == 0 ? 2 : WEND__LEVEL_TOP;
    return tier << WEND__LEVEL_BITS | ((uint32_t)(key >> tier * WEND__LEVEL_BITS) & (WEND__LEVEL_BUCKETS - 1));
}

/// The lowest bucket of a tier, from digit `from` on, round the end for the top one; WEND__NONE: it is empty.
static inline uint32_t wend__level_first(const wend__open *open, uint32_t tier, uint32_t from) {
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

/// Where a bucket of a tier above the lowest begins, which becomes the floor.
static inline uint64_t wend__level_floor(uint64_t floor, uint32_t bucket) {
    const uint32_t tier = bucket >> WEND__LEVEL_BITS, shift = tier * WEND__LEVEL_BITS;
    const uint32_t digit = bucket & (WEND__LEVEL_BUCKETS - 1);
    const uint64_t ahead = (digit - wend__level_digit(floor, tier)) & (WEND__LEVEL_BUCKETS - 1);
    return ((floor >> shift) + ahead) << shift;
}

/// What wend__levels_advance() found: nothing; entries of the least key, in bucket `current`; a bucket of a higher tier,
/// `current`, whose entries are to be moved down before it is asked again.
enum { WEND__LEVELS_EMPTY, WEND__LEVELS_READY, WEND__LEVELS_MOVE };

/// Find the lowest key, which becomes the floor.
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
