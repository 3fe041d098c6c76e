/* SPDX-License-Identifier: MIT */
/* Internal: sorting of numbers. */
#ifndef WEND_SRC_MAP_STORE_SORT_H
#define WEND_SRC_MAP_STORE_SORT_H

#include "base/base.h"

/// Sorts numbers; scratch has room for as many.
void wend__sort_numbers(uint64_t *numbers, uint64_t *scratch, size_t count);

/// Returns the lowest number of i's set. A number's parent is not above the number.
static inline uint32_t wend__set_find(uint32_t *parents, uint32_t i) {
    while (parents[i] != i) i = parents[i] = parents[parents[i]];
    return i;
}

/// @return false: both are in one set already
static inline bool wend__set_unite(uint32_t *parents, uint32_t a, uint32_t b) {
    a = wend__set_find(parents, a);
    b = wend__set_find(parents, b);
    if (a < b)
        parents[b] = a;
    else
        parents[a] = b;
    return a != b;
}

#endif
