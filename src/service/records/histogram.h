/* SPDX-License-Identifier: MIT */
/* Internal: buckets of histograms, fine where values are small. */
#ifndef WEND_SRC_SERVICE_RECORDS_HISTOGRAM_H
#define WEND_SRC_SERVICE_RECORDS_HISTOGRAM_H

#include <stdint.h>

/// Values up to 15 have a bucket each; above, the three bits below the highest choose one of eight.
static inline uint32_t wend__bucket_of(uint64_t value) {
    if (value < 16) return (uint32_t)value;
    uint32_t shift = 1;
    while (value >> shift >= 16) shift++;
    return 16 + (shift - 1) * 8 + ((uint32_t)(value >> shift) - 8);
}

/// The largest value of a bucket.
static inline uint64_t wend__bucket_top(uint32_t bucket) {
    if (bucket < 16) return bucket;
    const uint32_t shift = (bucket - 16) / 8 + 1;
    const uint64_t lead = 8 + (bucket - 16) % 8;
    return (lead << shift) + ((UINT64_C(1) << shift) - 1);
}

#endif
