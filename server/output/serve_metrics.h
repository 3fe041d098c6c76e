/* SPDX-License-Identifier: MIT */
/* Figures of a service as text for Prometheus. The library adds those of its clients. */
#ifndef WEND_SERVER_OUTPUT_SERVE_METRICS_H
#define WEND_SERVER_OUTPUT_SERVE_METRICS_H

#include <wend/figures.h>
#include <wend/wend.h>

/// Sums over all frames, which figures do not have.
typedef struct serve_totals {
    uint64_t frames, submitted, evictions, outdated;
    uint64_t statuses[WEND_STATUS_COUNT];
    uint64_t waiting, running, finished; ///< at the end of the last frame
} serve_totals;

/// Adds a frame.
void serve_totals_add(serve_totals *totals, const wend_frame *frame);

/// Returns the largest value that a bucket of wend_histogram counts.
static inline uint64_t serve_bucket_top(uint32_t bucket) {
    if (bucket < 16) return bucket;
    const uint32_t shift = (bucket - 16) / 8 + 1;
    return ((UINT64_C(9) + (bucket - 16) % 8) << shift) - 1;
}

/// The numbers in the text.
typedef struct serve_numbers {
    const serve_totals *totals;
    const wend_figures *figures;                       ///< NULL: no histograms and no engines
    uint64_t budget, budget_us;                        ///< budget of a frame; WEND_NO_LIMIT: none
    uint64_t service_bytes, map_bytes, resident_bytes; ///< 0: unknown
    bool journal;                                      ///< there is a journal, with these numbers
    uint64_t journal_bytes, journal_failures;
    const char *node, *map; ///< names in a cluster; NULL: none
    bool owns, ready, connected;
    const wend_histogram *appends; ///< microseconds of appends to the log
    uint64_t term, entries, lag, takeovers, moved, unknowns, checked;
} serve_numbers;

/// Writes the text, in the format of Prometheus, version 0.0.4. It ends with a zero where capacity > 0.
/// @return its length without the zero; from `capacity` on: only the first capacity - 1 bytes are there
/// Cost: O(histograms).
size_t serve_metrics_write(const serve_numbers *numbers, char *out, size_t capacity);

#endif
