/* SPDX-License-Identifier: MIT */
/* Internal: the weight of a search as a ratio of whole numbers, so that keys are exact. */
#ifndef WEND_SRC_SEARCH_RULES_WEIGHTS_H
#define WEND_SRC_SEARCH_RULES_WEIGHTS_H

#include "map/store/rules.h"

/// A node's key is g x its cost + h x its estimate. The weight is h / g.
typedef struct wend__weights {
    uint64_t g, h;
} wend__weights;

/// The smallest numbers for a weight. Where a key could exceed 63 bits the weight becomes a little
/// smaller; so the bound still holds.
/// @param milli   the weight x 1000
/// @param most    no cost and no estimate is above it
static inline wend__weights wend__weights_of(int32_t milli, uint64_t most) {
    const uint32_t divisor = wend__common_divisor(1000, (uint32_t)milli);
    wend__weights weights = {1000 / divisor, (uint32_t)milli / divisor};
    while (weights.g + weights.h > 1 && most > (UINT64_C(1) << 63) / (weights.g + weights.h)) {
        weights.g = (weights.g + 1) / 2;
        weights.h /= 2;
    }
    return weights;
}

#endif
