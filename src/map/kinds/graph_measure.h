/* SPDX-License-Identifier: MIT */
/* Internal: roots in integers, and the usual case of a graph's estimate for loops that ask for many. */
#ifndef WEND_SRC_GRAPH_MEASURE_H
#define WEND_SRC_GRAPH_MEASURE_H

#include "map/kinds/graph.h"

/// 4,096 times the root of i, for i from 64 to 256.
extern const uint16_t wend__graph_roots[193];

/// Bits above the highest one that is set; n is not 0.
static inline unsigned wend__graph_free_bits(uint64_t n) {
#if defined(__GNUC__)
    return (unsigned)__builtin_clzll(n);
#else
    unsigned count = 0;
    while (!(n >> 63)) n <<= 1, count++;
    return count;
#endif
}

/// The root of a number of 63 or 64 bits, rounded down. A straight line between two of the table's roots is right to
/// about 16 bits, and Newton's step doubles that; it never ends below the root rounded down, whatever it began from, so
/// what is left is to go down: by 1 every now and then, without a branch, and hardly ever by more.
WEND__INLINE uint64_t wend__graph_root(uint64_t n) {
    const uint16_t *at = wend__graph_roots + ((n >> 56) - 64);
    uint64_t r = ((uint64_t)at[0] << 16) + ((uint64_t)(at[1] - at[0]) * (n >> 32 & 0xffffff) >> 8);
    r = (r + n / r) >> 1;
    if (r > UINT32_MAX) r = UINT32_MAX;
    r -= r * r > n;
    while (WEND__UNLIKELY(r * r > n)) r--;
    return r;
}

/// As wend__graph_estimate(), but 1 less where rounding the distance makes that difference. The rate is cost_per_unit.
WEND__INLINE uint64_t wend__graph_estimate_at(const wend__graph *graph, uint64_t rate, wend_cell from, wend_cell to) {
    const int64_t dx = (int64_t)from.x - to.x, dy = (int64_t)from.y - to.y, dz = (int64_t)from.z - to.z;
    const int64_t half = INT64_C(1) << 31;
    if (WEND__UNLIKELY((uint64_t)((dx + half) | (dy + half) | (dz + half)) >> 32)) /* the squares may outgrow 64 bits */
        return wend__graph_estimate(graph, from, to);
    const uint64_t sum = (uint64_t)(dx * dx) + (uint64_t)(dy * dy) + (uint64_t)(dz * dz);
    if (sum == 0) return 0;
    const unsigned shift = wend__graph_free_bits(sum) / 2;
    const uint64_t units = wend__graph_root(sum << 2 * shift);
    return ((rate >> 32) * units + ((rate & UINT32_MAX) * units >> 32)) >> shift;
}

#endif
