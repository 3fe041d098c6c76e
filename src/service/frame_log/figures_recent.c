/* SPDX-License-Identifier: MIT */
/* Histograms of the last frames, made from the records when the host requests them. */
#include "service/frame_log/frame_log.h"

enum { MOST_FRAMES = 1 << 24, US = 1000 };

void wend__histogram_add(wend_histogram *histogram, uint64_t value) {
    histogram->counts[wend__bucket_of(value)]++;
    histogram->total++;
    histogram->sum += value;
    if (value > histogram->max) histogram->max = value;
}

/* Returns how many of the last `wanted` records are kept. */
static uint64_t kept_of(uint64_t total, uint32_t capacity, uint32_t wanted) {
    const uint64_t kept = total < capacity ? total : capacity;
    return kept < wanted ? kept : wanted;
}

static void add_frames(const wend_figures *figures, int32_t kind, uint32_t frames, wend_histogram *out) {
    const uint64_t total = figures->counts.frames, count = kept_of(total, figures->def.frames, frames);
    for (uint64_t i = total - count; i < total; i++) {
        const wend_frame_record *record = &figures->frames[i % figures->def.frames];
        const uint64_t us = (record->ended_ns - record->began_ns) / US;
        wend__histogram_add(out, kind == WEND_HISTOGRAM_FRAME_US  ? us
                                 : kind == WEND_HISTOGRAM_WAITING ? record->waiting
                                                                  : record->expansions);
    }
}

static void add_updates(const wend_figures *figures, int32_t kind, uint32_t frames, wend_histogram *out) {
    const uint64_t total = figures->counts.updates, count = kept_of(total, figures->def.updates, frames);
    for (uint64_t i = total - count; i < total; i++) {
        const wend_update_record *record = &figures->updates[i % figures->def.updates];
        const uint64_t us = (record->ended_ns - record->began_ns) / US;
        wend__histogram_add(out, kind == WEND_HISTOGRAM_STANDS ? record->stands : us);
    }
}

/* Completions of a frame are recorded before the frame: those of the current frame do not count. */
static void add_completions(const wend_figures *figures, int32_t kind, int32_t band, uint32_t frames,
                            wend_histogram *out) {
    const uint64_t total = figures->counts.completions, last = figures->last_frame;
    const uint64_t first = last > frames ? last - frames + 1 : 0;
    const uint64_t count = kept_of(total, figures->def.completions, UINT32_MAX);
    for (uint64_t i = total; i > total - count; i--) {
        const wend_done_record *record = &figures->completions[(i - 1) % figures->def.completions];
        if (record->frame < first) return;
        if (record->frame > last) continue;
        if (band != WEND_BAND_ALL && band != wend__urgency_band(record->urgency)) continue;
        wend__histogram_add(out, kind == WEND_HISTOGRAM_WAIT      ? record->wait_frames
                                 : kind == WEND_HISTOGRAM_LATENCY ? record->frames
                                                                  : record->expansions);
    }
}

wend_error wend_figures_get_recent(const wend_figures *figures, int32_t kind, int32_t band, uint32_t frames,
                                   wend_histogram *out) {
    WEND__ALIVE(figures, "the figures");
    wend_error error = wend__check_range("kind", kind, 0, WEND_HISTOGRAM_COUNT - 1);
    if (!error) error = wend__check_range("band", band, WEND_BAND_ALL, WEND_BAND_COUNT - 1);
    if (!error) error = wend__check_range("frames", frames, 1, MOST_FRAMES);
    if (error) return error;
    wend_histogram own = {0};
    const bool of_request =
        kind == WEND_HISTOGRAM_WAIT || kind == WEND_HISTOGRAM_LATENCY || kind == WEND_HISTOGRAM_EXPANSIONS;
    if (of_request)
        add_completions(figures, kind, band, frames, &own);
    else if (band == WEND_BAND_ALL && (kind == WEND_HISTOGRAM_UPDATE_US || kind == WEND_HISTOGRAM_STANDS))
        add_updates(figures, kind, frames, &own);
    else if (band == WEND_BAND_ALL)
        add_frames(figures, kind, frames, &own);
    return WEND__GIVE(wend_histogram, counts, out, &own) ? WEND_OK : WEND_BAD_ARGUMENT;
}
