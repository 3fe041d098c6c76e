/* SPDX-License-Identifier: MIT */
/* Random numbers of a range, the same for a seed on every platform. */
#ifndef WEND_LAB_SHARED_RANDOM_H
#define WEND_LAB_SHARED_RANDOM_H

#include "base/hash.h"

/// 0 to count − 1; count from 1 to 2^32. (The bias is below one in 2^32.)
static inline uint64_t random_below(uint64_t *state, uint64_t count) {
    return (wend__random(state) >> 32) * count >> 32;
}

/// From min to max, both in.
static inline int32_t random_between(uint64_t *state, int32_t min, int32_t max) {
    return (int32_t)(min + (int64_t)random_below(state, (uint64_t)((int64_t)max - min + 1)));
}

#endif
