/* SPDX-License-Identifier: MIT */
/* Internal: square roots of integers. */
#ifndef WEND_SRC_BASE_ROOT_H
#define WEND_SRC_BASE_ROOT_H

#include "base/base.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* Returns an approximate root: the hardware's where it has one, at most one off; else by Newton's method. */
static inline uint64_t wend__about_root(uint64_t square) {
#if defined(__SSE2__)
    return (uint64_t)_mm_cvttsd_si64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd((double)square)));
#elif defined(__aarch64__)
    return (uint64_t)vget_lane_f64(vsqrt_f64(vdup_n_f64((double)square)), 0);
#else
    uint64_t root = UINT64_C(1) << (wend__top64(square | 1) + 2) / 2, next;
    while ((next = (root + square / root) / 2) < root) root = next;
    return root;
#endif
}

/// Returns the square root, rounded down. Integers correct the hardware's root, whatever its rounding.
static inline uint64_t wend__root_down(uint64_t square) {
    uint64_t root = wend__about_root(square);
    if (root > UINT32_MAX) root = UINT32_MAX;
    root -= root * root > square;
    return root + (square - root * root > 2 * root);
}

#endif
