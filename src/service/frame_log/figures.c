/* SPDX-License-Identifier: MIT */
/* Figures: the work of each frame, and totals since creation. */
#include "service/frame_log/frame_log.h"

#include "service/state/service_state.h"

static void count(wend__histogram *histogram, uint64_t value) {
    histogram->counts[wend__bucket_of(value)]++;
    histogram->total++;
    if (value > histogram->max) histogram->max = value;
}

/* Returns the least value that `percent` of all do not exceed, rounded up to its bucket's top. */
static uint64_t percentile(const wend__histogram *histogram, unsigned percent) {
    uint64_t rank = histogram->total / 100 * percent + (histogram->total % 100 * percent + 99) / 100, seen = 0;
    for (unsigned i = 0; i < WEND__HISTOGRAM; i++) {
        seen += histogram->counts[i];
        if (seen >= rank && seen > 0)
            return wend__bucket_top(i) < histogram->max ? wend__bucket_top(i) : histogram->max;
    }
    return 0;
}

static wend_percentiles percentiles_of(const wend__histogram *histogram) {
    return (wend_percentiles){percentile(histogram, 50), percentile(histogram, 99), histogram->max};
}

void wend__figures_completed(wend__figures *figures, const wend__entry *entry) {
    figures->completed++;
    figures->statuses[entry->status]++;
    figures->shared += entry->shared;
    count(&figures->wait, entry->wait_frames);
    count(&figures->latency, entry->delivered_frame - entry->submitted_frame);
}

void wend__figures_frame(wend_service *service, wend_frame *frame) {
    wend__mutex_lock(service->inbox.mutex);
    wend__inbox *inbox = &service->inbox;
    const uint64_t submitted = inbox->submitted, pending = inbox->pending;
    if (pending + frame->deliveries > 0) /* an idle frame has no pace */
        inbox->served = inbox->served == 0
                            ? frame->deliveries * WEND__SERVED_ONE
                            : inbox->served - inbox->served / 8 + frame->deliveries * (WEND__SERVED_ONE / 8);
    wend__mutex_unlock(service->inbox.mutex);
    frame->submitted = submitted - service->submitted_before;
    service->submitted_before = submitted;
    frame->running = service->running;
    frame->finished = wend__finished_count(service);
    frame->waiting = pending - frame->running - frame->finished;
    frame->evictions = service->frame_evictions;
    frame->checks = service->frame_checks;
    frame->outdated = service->frame_outdated;
    service->figures.frames++;
    service->figures.evictions += frame->evictions;
    service->figures.checks += frame->checks;
    service->figures.outdated += frame->outdated;
    service->figures.expansions += frame->expansions;
    service->figures.rounds += frame->rounds;
}

wend_error wend_service_get_stats(const wend_service *service, wend_stats *out) {
    WEND__ALONE(service, "the service");
    const wend__figures *figures = &service->figures;
    wend_stats own = {.frames = figures->frames,
                      .completed = figures->completed,
                      .expansions = figures->expansions,
                      .rounds = figures->rounds,
                      .us = figures->ns / 1000,
                      .evictions = figures->evictions,
                      .checks = figures->checks,
                      .outdated = figures->outdated,
                      .shared = figures->shared,
                      .nodes_in_use_peak = (uint64_t)figures->pages_peak * WEND_PAGE_NODES,
                      .wait_frames = percentiles_of(&figures->wait),
                      .latency_frames = percentiles_of(&figures->latency)};
    for (unsigned i = 0; i < 16; i++) own.statuses[i] = figures->statuses[i];
    wend__mutex_lock(service->inbox.mutex);
    own.submitted = service->inbox.submitted;
    own.refused_busy = service->inbox.refused;
    own.pending = service->inbox.pending;
    wend__mutex_unlock(service->inbox.mutex);
    return WEND__GIVE(wend_stats, statuses, out, &own) ? WEND_OK : WEND_BAD_ARGUMENT;
}
