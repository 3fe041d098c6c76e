/* SPDX-License-Identifier: MIT */
/* Internal: lower bounds of path costs on an empty map, computed from the map's integer costs. */
#ifndef WEND_SRC_SEARCH_RULES_DISTANCE_H
#define WEND_SRC_SEARCH_RULES_DISTANCE_H

#include "base/base.h"

/// Octile distance: S for each step along the longer side, and D - S more for each diagonal one.
/// With D = 2 S it is the Manhattan distance, with S = D = 0 it is 0: one formula serves `exact`,
/// `manhattan` and `zero`.
WEND__INLINE uint64_t wend__octile(uint32_t dx, uint32_t dy, uint32_t straight, uint32_t diagonal) {
    uint32_t longer = dx > dy ? dx : dy, shorter = dx > dy ? dy : dx;
    return (uint64_t)straight * longer + (uint64_t)(diagonal - straight) * shorter;
}

/// Floor of the square root, by integer Newton steps from above.
static inline uint64_t wend__square_root(uint64_t n) {
    if (n < 2) return n;
    unsigned bits = 64;
    while (!(n >> (bits - 1))) bits--;
    uint64_t root = UINT64_C(1) << ((bits + 1) / 2);
    for (;;) {
        uint64_t next = (root + n / root) / 2;
        if (next >= root) return root;
        root = next;
    }
}

/// Floor of the square root of factor / divisor x square. Where the product would exceed 64 bits
/// the factor loses its last bits; the result is still a lower bound.
static inline uint64_t wend__scaled_root(uint64_t square, uint64_t factor, unsigned divisor) {
    unsigned shift = 0;
    while (square > 0 && (factor >> 2 * shift) > UINT64_MAX / square) shift++;
    return wend__square_root((factor >> 2 * shift) * square / divisor) << shift;
}

/// min(S, D / sqrt 2) x distance, rounded down.
static inline uint64_t wend__euclid(uint32_t dx, uint32_t dy, uint32_t straight, uint32_t diagonal) {
    uint64_t square = (uint64_t)dx * dx + (uint64_t)dy * dy;
    uint64_t factor = 2 * (uint64_t)straight * straight, other = (uint64_t)diagonal * diagonal;
    return wend__scaled_root(square, other < factor ? other : factor, 2);
}

#endif
