/* SPDX-License-Identifier: MIT */
/* Internal: when frames are due. Frame n is due at start + n / rate, rounded once, so that nothing adds up. */
#ifndef WEND_SRC_UV_RASTER_H
#define WEND_SRC_UV_RASTER_H

#include <stdint.h>

#define WEND__NS_PER_S UINT64_C(1000000000)

typedef struct wend__raster {
    uint64_t start_ns;
    uint32_t rate_hz;
} wend__raster;

/// When frame n is due. Whole seconds apart, so that nothing overflows for 500 years.
static inline uint64_t wend__raster_due(const wend__raster *raster, uint64_t n) {
    uint64_t seconds = n / raster->rate_hz, rest = n % raster->rate_hz;
    return raster->start_ns + seconds * WEND__NS_PER_S + rest * WEND__NS_PER_S / raster->rate_hz;
}

/// The last frame that is due at a time, which is not before the start.
static inline uint64_t wend__raster_last(const wend__raster *raster, uint64_t now_ns) {
    uint64_t elapsed = now_ns - raster->start_ns;
    uint64_t n =
        elapsed / WEND__NS_PER_S * raster->rate_hz + elapsed % WEND__NS_PER_S * raster->rate_hz / WEND__NS_PER_S;
    return wend__raster_due(raster, n + 1) <= now_ns ? n + 1 : n; /* its time is rounded down: it may be due already */
}

#endif
