/* SPDX-License-Identifier: MIT */
/* Creates figures, gives them to a service, and reads them. */
#include "service/frame_log/frame_log.h"

#include "mark/beside.h"

#include <string.h>
#include <wend/host.h>

enum { MOST_RECORDS = 1 << 24 };

void wend_figures_def_init(wend_figures_def *def, size_t bytes) {
    const wend_figures_def own = {
        .struct_bytes = sizeof own, .frames = 1024, .updates = 1024, .allocator = wend_allocator_default()};
    wend__sized_init(def, bytes, &own, sizeof own);
}

static bool take_def(const wend_figures_def *theirs, wend_figures_def *out) {
    wend_figures_def_init(out, sizeof *out);
    if (!WEND__READ_STRUCT(wend_figures_def, allocator, out, theirs)) return false;
    const wend__range ranges[] = {{"frames", out->frames, 0, MOST_RECORDS},
                                  {"slices", out->slices, 0, MOST_RECORDS},
                                  {"completions", out->completions, 0, MOST_RECORDS},
                                  {"updates", out->updates, 0, MOST_RECORDS},
                                  {"reserved", out->reserved, 0, 0}};
    return !wend__check_ranges(ranges, 5) && !wend__check_allocator(&out->allocator);
}

/* All records are made of 64-bit numbers, so one kind may follow the other. */
static size_t bytes_of(const wend_figures_def *def) {
    return sizeof(wend_figures) + (size_t)def->frames * sizeof(wend_frame_record) +
           (size_t)def->slices * sizeof(wend_slice_record) + (size_t)def->completions * sizeof(wend_done_record) +
           (size_t)def->updates * sizeof(wend_update_record);
}

size_t wend__figures_bytes(const wend_figures_def *def) {
    wend_figures_def own;
    return take_def(def, &own) ? bytes_of(&own) : 0;
}

wend_error wend_figures_create(const wend_figures_def *def, wend_figures **out) {
    wend_figures_def own;
    if (!out) return wend__refuse_null("out");
    if (!take_def(def, &own)) return WEND_BAD_ARGUMENT;
    own.allocator = wend__allocator_or_default(own.allocator);
    const size_t bytes = bytes_of(&own);
    wend_figures *figures = wend__allocate(&own.allocator, bytes, 64);
    if (!figures) return WEND_OUT_OF_MEMORY;
    memset(figures, 0, bytes);
    figures->def = own;
    figures->bytes = bytes;
    figures->frames = (wend_frame_record *)(void *)(figures + 1);
    figures->slices = (wend_slice_record *)(void *)(figures->frames + own.frames);
    figures->completions = (wend_done_record *)(void *)(figures->slices + own.slices);
    figures->updates = (wend_update_record *)(void *)(figures->completions + own.completions);
    WEND__BORN(figures, "the figures");
    *out = figures;
    return WEND_OK;
}

void wend__figures_leave(wend_service *service) {
    if (service->noted) service->noted->service = NULL;
    service->noted = NULL;
}

void wend_figures_destroy(wend_figures *figures) {
    if (!figures) return;
    WEND__GONE(figures, "the figures");
    if (figures->service) wend__figures_leave(figures->service);
    const wend_allocator allocator = figures->def.allocator;
    allocator.free(allocator.context, figures, figures->bytes);
}

wend_error wend_service_set_figures(wend_service *service, wend_figures *figures) {
    WEND__ALONE(service, "the service");
    if (figures) WEND__ALIVE(figures, "the figures");
    if (service->ticking) return wend__refuse_in_frame();
    if (figures && !wend__arena_shares(service->arena, figures)) return wend__refuse_arenas();
    if (figures && figures->service && figures->service != service)
        return wend__refuse(WEND_IN_USE, "another service has the figures");
    wend__figures_leave(service);
    service->noted = figures;
    if (figures) figures->service = service;
    return WEND_OK;
}

const wend_figures *wend_service_get_figures(const wend_service *service) {
    WEND__ALONE(service, "the service");
    return service->noted;
}

wend_error wend_figures_get_stats(const wend_figures *figures, wend_figures_stats *out) {
    WEND__ALIVE(figures, "the figures");
    wend_figures_stats own = figures->counts;
    return WEND__GIVE(wend_figures_stats, general_answers, out, &own) ? WEND_OK : WEND_BAD_ARGUMENT;
}

/* ---- records ---- */

/* The last `kept` of `total` records of `size` bytes. */
typedef struct ring {
    const void *records;
    size_t size;
    uint64_t kept, total;
} ring;

static ring ring_of(const wend_figures *figures, int32_t kind) {
    const wend_figures_def *def = &figures->def;
    const wend_figures_stats *counts = &figures->counts;
    switch (kind) {
    case WEND_FIGURES_FRAMES: return (ring){figures->frames, sizeof *figures->frames, def->frames, counts->frames};
    case WEND_FIGURES_SLICES: return (ring){figures->slices, sizeof *figures->slices, def->slices, counts->slices};
    case WEND_FIGURES_COMPLETIONS:
        return (ring){figures->completions, sizeof *figures->completions, def->completions, counts->completions};
    default: return (ring){figures->updates, sizeof *figures->updates, def->updates, counts->updates};
    }
}

/* The caller's struct may be of another version. */
static void copy(const ring *from, uint64_t record, void *to, size_t bytes) {
    memset(to, 0, bytes);
    memcpy(to, (const uint8_t *)from->records + record % from->kept * from->size,
           bytes < from->size ? bytes : from->size);
}

wend_error wend_figures_get_records(const wend_figures *figures, int32_t kind, uint64_t from, void *out, size_t bytes,
                                    size_t capacity, size_t *count) {
    WEND__ALIVE(figures, "the figures");
    const wend_error error = wend__check_range("kind", kind, WEND_FIGURES_FRAMES, WEND_FIGURES_UPDATES);
    if (error) return error;
    if (!out && capacity > 0) return wend__refuse_null("out");
    const ring all = ring_of(figures, kind);
    const uint64_t oldest = all.total > all.kept ? all.total - all.kept : 0;
    const uint64_t first = from > oldest ? from : oldest;
    const size_t found = first < all.total ? (size_t)(all.total - first) : 0;
    for (size_t i = 0; i < found && i < capacity; i++) copy(&all, first + i, (uint8_t *)out + i * bytes, bytes);
    if (count) *count = found;
    return WEND_OK;
}

/* ---- histograms ---- */

int32_t wend__urgency_band(int32_t urgency) {
    return urgency <= -601 ? 0 : urgency <= -201 ? 1 : urgency <= 200 ? 2 : urgency <= 600 ? 3 : 4;
}

static void merge(wend_histogram *into, const wend_histogram *other) {
    into->total += other->total;
    into->sum += other->sum;
    if (other->max > into->max) into->max = other->max;
    for (uint32_t i = 0; i < WEND_HISTOGRAM_BUCKETS; i++) into->counts[i] += other->counts[i];
}

wend_error wend_figures_get_histogram(const wend_figures *figures, int32_t kind, int32_t band, wend_histogram *out) {
    WEND__ALIVE(figures, "the figures");
    wend_error error = wend__check_range("kind", kind, 0, WEND_HISTOGRAM_COUNT - 1);
    if (!error) error = wend__check_range("band", band, WEND_BAND_ALL, WEND_BAND_COUNT - 1);
    if (error) return error;
    wend_histogram own = {0};
    if (band == WEND_BAND_ALL) merge(&own, &figures->of_frames[kind]);
    for (int32_t i = 0; i < WEND_BAND_COUNT; i++)
        if (band == WEND_BAND_ALL || band == i) merge(&own, &figures->of_requests[kind][i]);
    return WEND__GIVE(wend_histogram, counts, out, &own) ? WEND_OK : WEND_BAD_ARGUMENT;
}

uint64_t wend_histogram_percentile(const wend_histogram *histogram, uint32_t permille) {
    const uint64_t total = histogram->total;
    const uint64_t rank = total / 1000 * permille + (total % 1000 * permille + 999) / 1000;
    uint64_t seen = 0;
    for (uint32_t i = 0; i < WEND_HISTOGRAM_BUCKETS; i++) {
        seen += histogram->counts[i];
        if (seen >= rank && seen > 0)
            return wend__bucket_top(i) < histogram->max ? wend__bucket_top(i) : histogram->max;
    }
    return 0;
}
