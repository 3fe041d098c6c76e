/* SPDX-License-Identifier: MIT */
/* Internal: square roots of integers. */
#ifndef WEND_SRC_BASE_SYSTEM_ROOT_H
#define WEND_SRC_BASE_SYSTEM_ROOT_H

#include "base/base.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* Returns a root that may be one off: the hardware's where it has one; else by Newton's method, from less than a tenth
 * above the root: for f from 1 to 4, f / 3 + 3 / 4 is a tangent of its root. */
static inline uint64_t wend__about_root(uint64_t square) {
#if defined(__SSE2__)
    return (uint64_t)_mm_cvttsd_si64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd((double)square)));
#elif defined(__aarch64__)
    return (uint64_t)vget_lane_f64(vsqrt_f64(vdup_n_f64((double)square)), 0);
#else
    const unsigned half = wend__top64(square |= 1) / 2;
    uint64_t root = (square >> half) / 3 + (UINT64_C(3) << half) / 4 + 2, next;
    while ((next = (root + square / root) / 2) < root) root = next;
    return root;
#endif
}

/// Returns the square root, rounded down. Integers set it right, whatever the hardware's rounding.
static inline uint64_t wend__root_down(uint64_t square) {
    uint64_t root = wend__about_root(square);
    if (root > UINT32_MAX) root = UINT32_MAX;
    root -= root * root > square;
    return root + (square - root * root > 2 * root);
}

#endif
