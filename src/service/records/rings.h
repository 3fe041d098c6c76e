/* SPDX-License-Identifier: MIT */
/* Internal: figures in memory. Each ring keeps the last records of a kind. */
#ifndef WEND_SRC_SERVICE_RECORDS_RINGS_H
#define WEND_SRC_SERVICE_RECORDS_RINGS_H

#include <wend/figures.h>

struct wend_figures {
    wend_figures_def def;
    size_t bytes;
    wend_frame_record *frames; ///< record i is at i modulo the definition's number
    wend_slice_record *slices;
    wend_done_record *completions;
    wend_figures_stats counts;
    uint64_t phases[2]; ///< of the frame under way: when they ended
    wend_histogram of_frames[WEND_HISTOGRAM_COUNT];
    wend_histogram of_requests[WEND_HISTOGRAM_COUNT][WEND_BAND_COUNT];
};

#endif
