/* SPDX-License-Identifier: MIT */
/* The random numbers of tests and benches: the same on every machine. */
#ifndef WEND_TESTS_RANDOM_H
#define WEND_TESTS_RANDOM_H

#include <stdint.h>

/// Returns 31 random bits. (Knuth 1998: the linear congruential generator of MMIX.)
static inline uint32_t draw_bits(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/// Returns a number from 0 to below - 1.
static inline uint32_t draw(uint64_t *state, uint32_t below) {
    return (uint32_t)((uint64_t)draw_bits(state) * below >> 31);
}

/// Returns 64 random bits, for which any seed will do. (Steele, Lea and Flood 2014: SplitMix.)
static inline uint64_t split_bits(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

#endif
