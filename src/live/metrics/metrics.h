/* SPDX-License-Identifier: MIT */
/* Internal: figures of a service and a server as text for Prometheus. */
#ifndef WEND_SRC_LIVE_METRICS_METRICS_H
#define WEND_SRC_LIVE_METRICS_METRICS_H

#include <wend/live.h>

/// Sums over all frames, which figures do not have.
typedef struct wend__live_totals {
    uint64_t frames, submitted, evictions, outdated;
    uint64_t statuses[WEND_STATUS_COUNT];
    uint64_t waiting, running, finished; ///< at the end of the last frame
} wend__live_totals;

/// Add a frame.
void wend__live_totals_add(wend__live_totals *totals, const wend_frame *frame);

/// The numbers that the text is made of.
typedef struct wend__live_numbers {
    const wend__live_totals *totals;
    const wend_figures *figures;                       ///< NULL: no histograms and no engines
    const wend_live_counts *counts;                    ///< NULL: no clients
    uint64_t budget, budget_us;                        ///< of a frame; WEND_NO_LIMIT: none
    uint64_t service_bytes, map_bytes, resident_bytes; ///< 0: not known
} wend__live_numbers;

/// Write the text, in the format that a Prometheus server reads, version 0.0.4. It ends with a zero where capacity > 0.
/// @return its length without the zero; from `capacity` on: only the first capacity - 1 bytes are there
/// Cost: O(histograms).
size_t wend__live_metrics(const wend__live_numbers *numbers, char *out, size_t capacity);

#endif
