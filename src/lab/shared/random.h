/* SPDX-License-Identifier: MIT */
/* A small generator of random numbers: the same numbers for a seed on every platform. */
#ifndef WEND_SRC_LAB_SHARED_RANDOM_H
#define WEND_SRC_LAB_SHARED_RANDOM_H

#include <stdint.h>

/// A counter in steps of the golden ratio with mixed bits: good enough for tests, and each seed has its own stream.
static inline uint64_t random_next(uint64_t *state) {
    uint64_t mixed = *state += UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    return mixed ^ mixed >> 31;
}

/// 0 to count − 1; count from 1 to 2^32. (The bias is below one in 2^32.)
static inline uint64_t random_below(uint64_t *state, uint64_t count) {
    return (random_next(state) >> 32) * count >> 32;
}

/// From min to max, both in.
static inline int32_t random_between(uint64_t *state, int32_t min, int32_t max) {
    return (int32_t)(min + (int64_t)random_below(state, (uint64_t)((int64_t)max - min + 1)));
}

#endif
