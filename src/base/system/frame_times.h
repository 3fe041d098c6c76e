/* SPDX-License-Identifier: MIT */
/* When frames are due, for libwend-uv and `wend serve`: frame n at start + n / rate, rounded once, so no error adds
 * up. */
#ifndef WEND_SRC_BASE_SYSTEM_FRAME_TIMES_H
#define WEND_SRC_BASE_SYSTEM_FRAME_TIMES_H

#include <stdint.h>

#define WEND__NS_PER_S UINT64_C(1000000000)

typedef struct wend__frame_times {
    uint64_t start_ns;
    uint32_t rate_hz;
} wend__frame_times;

/// Returns when frame n is due. Computed in whole seconds, so that nothing overflows for 500 years.
static inline uint64_t wend__frame_due(const wend__frame_times *times, uint64_t n) {
    uint64_t seconds = n / times->rate_hz, rest = n % times->rate_hz;
    return times->start_ns + seconds * WEND__NS_PER_S + rest * WEND__NS_PER_S / times->rate_hz;
}

/// Returns the last frame that is due at a time, which is not before the start.
static inline uint64_t wend__frame_last_due(const wend__frame_times *times, uint64_t now_ns) {
    uint64_t elapsed = now_ns - times->start_ns;
    uint64_t n = elapsed / WEND__NS_PER_S * times->rate_hz + elapsed % WEND__NS_PER_S * times->rate_hz / WEND__NS_PER_S;
    return wend__frame_due(times, n + 1) <= now_ns ? n + 1 : n; /* rounded down, so this frame may be due already */
}

#endif
