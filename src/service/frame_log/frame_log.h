/* SPDX-License-Identifier: MIT */
/* Internal: records frames, slices and completions, if the host gave its service figures. */
#ifndef WEND_SRC_SERVICE_FRAME_LOG_FRAME_LOG_H
#define WEND_SRC_SERVICE_FRAME_LOG_FRAME_LOG_H

#include "service/state/service_state.h"
#include <wend/figures.h>
#include <stdint.h>

/// Phases of a frame, in the order of their ends.
enum { WEND__PHASE_INTAKE, WEND__PHASE_ROUNDS };

void wend__frame_log_phase(wend_service *service, int phase);
/// Records the end of a frame. `began_ns` and `ended_ns` were read anyway.
void wend__frame_log_frame(wend_service *service, const wend__budget *budget, const wend_frame *frame,
                           uint64_t began_ns, uint64_t ended_ns);
bool wend__frame_log_keep_slices(const wend_service *service);
/// Records the beginning and end of a lane's slice, on the thread that runs it. Writes to the lane only.
void wend__frame_log_slice_begins(const wend_service *service, wend__lane *lane, uint32_t thread);
void wend__frame_log_slice_ends(const wend_service *service, wend__lane *lane);
/// Records the slices of a round's lanes in lane order, before requests end.
void wend__frame_log_round(wend_service *service, uint64_t round);
void wend__frame_log_completion(wend_service *service, const wend__entry *entry);
/// Records the end of a crowd's update, if the service has figures.
void wend__frame_log_update(wend_service *service, const wend_update_record *update);

/* ---- figures.c: the work of frames ---- */

void wend__figures_completed(wend__figures *figures, const wend__entry *entry);
void wend__figures_frame(wend_service *service, wend_frame *frame);
/// Takes the host's figures from a service, if it has any.
void wend__figures_leave(wend_service *service);

/* ---- figures_recent.c ---- */

/// Adds a value to a histogram.
void wend__histogram_add(wend_histogram *histogram, uint64_t value);

/* ---- histogram: buckets of histograms, fine for small values ---- */

/// Values up to 15 have a bucket each; above, the three bits below the highest choose one of eight.
static inline uint32_t wend__bucket_of(uint64_t value) {
    if (value < 16) return (uint32_t)value;
    uint32_t shift = 1;
    while (value >> shift >= 16) shift++;
    return 16 + (shift - 1) * 8 + ((uint32_t)(value >> shift) - 8);
}

/// Returns the largest value of a bucket.
static inline uint64_t wend__bucket_top(uint32_t bucket) {
    if (bucket < 16) return bucket;
    const uint32_t shift = (bucket - 16) / 8 + 1;
    const uint64_t mantissa = 8 + (bucket - 16) % 8;
    return (mantissa << shift) + ((UINT64_C(1) << shift) - 1);
}

/* ---- rings: figures in memory. Each ring keeps the last records of a kind ---- */

struct wend_figures {
    wend_figures_def def;
    size_t bytes;
    wend_service *service;     ///< NULL: none
    wend_frame_record *frames; ///< record i is at i modulo the definition's number
    wend_slice_record *slices;
    wend_done_record *completions;
    wend_update_record *updates;
    wend_figures_stats counts;
    uint64_t last_frame; ///< number of the last frame noted
    uint64_t phases[2];  ///< end times of the current frame's phases
    wend_histogram of_frames[WEND_HISTOGRAM_COUNT];
    wend_histogram of_requests[WEND_HISTOGRAM_COUNT][WEND_BAND_COUNT];
};

/// Returns the bytes that wend_figures_create() takes from the allocator, in one piece; 0 for a bad def.
size_t wend__figures_bytes(const wend_figures_def *def);

/// Returns the band of an urgency, 0 to WEND_BAND_COUNT − 1.
int32_t wend__urgency_band(int32_t urgency);

#endif
