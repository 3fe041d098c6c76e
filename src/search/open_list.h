/* SPDX-License-Identifier: MIT */
/* Internal: the open list: a ring of buckets (Dial 1969) under a two-level bitmap, last in first out within a bucket. */
#ifndef WEND_SRC_OPEN_LIST_H
#define WEND_SRC_OPEN_LIST_H

#include "search/pool.h"

enum { WEND__BUCKETS = 4096 };

typedef struct wend__open {
    uint32_t *entries;     ///< the pool's; a position is block << 5 | place, place 0 links to the position before
    uint64_t words;        ///< which words of `bits` are not 0
    uint64_t bits[WEND__BUCKETS / 64];
    uint32_t current;      ///< bucket being emptied
    unsigned shift;        ///< a bucket holds 2^shift values of f
    uint32_t free_block;   ///< blocks given back, chained through entry 0; 0: none
    uint32_t fresh, fresh_end; ///< blocks of the newest page, not used yet
    uint32_t spare;        ///< free blocks in hand
    uint32_t top[WEND__BUCKETS]; ///< position of each bucket's top entry; valid where its bit is set
} wend__open;

#endif
