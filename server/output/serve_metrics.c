/* SPDX-License-Identifier: MIT */
/* Figures of a service as text for Prometheus. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "output/serve_metrics.h"
#include <wend/explain.h>
#include <wend/search_options.h>

void serve_totals_add(serve_totals *totals, const wend_frame *frame) {
    totals->frames++;
    totals->submitted += frame->submitted;
    totals->evictions += frame->evictions;
    totals->outdated += frame->outdated;
    for (int32_t i = 0; i < WEND_STATUS_COUNT; i++) totals->statuses[i] += frame->statuses[i];
    totals->waiting = frame->waiting;
    totals->running = frame->running;
    totals->finished = frame->finished;
}

/* ---- text ---- */

typedef struct page {
    char *out;
    size_t capacity, length;
} page;

static void print(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void print(page *p, const char *format, ...) {
    va_list arguments;
    char *at = p->length < p->capacity ? p->out + p->length : NULL;
    va_start(arguments, format);
    const int length = vsnprintf(at, at ? p->capacity - p->length : 0, format, arguments);
    va_end(arguments);
    if (length > 0) p->length += (size_t)length;
}

static void head(page *p, const char *name, const char *type, const char *help) {
    print(p, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void single(page *p, const char *name, const char *type, const char *help, uint64_t value) {
    head(p, name, type, help);
    print(p, "%s %" PRIu64 "\n", name, value);
}

/* A number of units, or of microseconds in seconds. */
static void print_value(page *p, uint64_t value, bool seconds) {
    if (seconds)
        print(p, "%" PRIu64 ".%06" PRIu64, value / 1000000, value % 1000000);
    else
        print(p, "%" PRIu64, value);
}

/* ---- histograms ---- */

/* The buckets of a metric are always the same ones: up to 2^powers - 1. */
enum { FRAMES_POWERS = 16, US_POWERS = 24, REQUESTS_POWERS = 20, EXPANSIONS_POWERS = 30 };

/* Lines of one histogram. Each power of two less one is the top of a bucket, so the counts are exact. No time is zero:
   buckets of seconds begin at a microsecond. */
static void print_buckets(page *p, const char *name, const char *label, const wend_histogram *h, int powers,
                          bool seconds) {
    const char *comma = label[0] != '\0' ? "," : "";
    uint64_t count = 0;
    uint32_t bucket = 0;
    for (int power = seconds ? 1 : 0; power <= powers; power++) {
        const uint64_t top = (UINT64_C(1) << power) - 1;
        while (bucket < WEND_HISTOGRAM_BUCKETS && serve_bucket_top(bucket) <= top) count += h->counts[bucket++];
        print(p, "%s_bucket{%s%sle=\"", name, label, comma);
        print_value(p, top, seconds);
        print(p, "\"} %" PRIu64 "\n", count);
    }
    print(p, "%s_bucket{%s%sle=\"+Inf\"} %" PRIu64 "\n", name, label, comma, h->total);
    print(p, label[0] != '\0' ? "%s_sum{%s} " : "%s_sum%s ", name, label);
    print_value(p, h->sum, seconds);
    print(p, label[0] != '\0' ? "\n%s_count{%s} %" PRIu64 "\n" : "\n%s_count%s %" PRIu64 "\n", name, label, h->total);
}

static void print_histogram(page *p, const wend_figures *figures, const char *name, int32_t kind, int powers,
                            const char *help) {
    wend_histogram h = {.struct_bytes = sizeof h};
    if (wend_figures_get_histogram(figures, kind, WEND_BAND_ALL, &h)) return;
    head(p, name, "histogram", help);
    print_buckets(p, name, "", &h, powers, kind == WEND_HISTOGRAM_FRAME_US);
}

static void print_bands(page *p, const wend_figures *figures, const char *name, int32_t kind, const char *help) {
    static const char *const labels[WEND_BAND_COUNT] = {"urgency=\"-1000 to -601\"", "urgency=\"-600 to -201\"",
                                                        "urgency=\"-200 to 200\"", "urgency=\"201 to 600\"",
                                                        "urgency=\"601 to 1000\""};
    wend_histogram h = {.struct_bytes = sizeof h};
    head(p, name, "histogram", help);
    for (int32_t band = 0; band < WEND_BAND_COUNT; band++) {
        if (!wend_figures_get_histogram(figures, kind, band, &h))
            print_buckets(p, name, labels[band], &h, FRAMES_POWERS, false);
    }
}

/* Percentiles of the last RECENT frames, or updates of the crowd. */
static void print_recent(page *p, const wend_figures *figures, const char *name, int32_t kind, const char *help) {
    enum { RECENT = 1024 };
    static const struct {
        const char *label;
        uint32_t permille;
    } parts[] = {{"0.5", 500}, {"0.99", 990}, {"1", 1000}};
    wend_histogram h = {.struct_bytes = sizeof h};
    if (wend_figures_get_recent(figures, kind, WEND_BAND_ALL, RECENT, &h)) return;
    head(p, name, "gauge", help);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        print(p, "%s{quantile=\"%s\"} ", name, parts[i].label);
        print_value(p, wend_histogram_percentile(&h, parts[i].permille),
                    kind == WEND_HISTOGRAM_FRAME_US || kind == WEND_HISTOGRAM_UPDATE_US);
        print(p, "\n");
    }
}

/* ---- parts ---- */

static void print_frames(page *p, const serve_numbers *n) {
    single(p, "wend_frames_total", "counter", "Frames that were run.", n->totals->frames);
    if (n->budget != WEND_NO_LIMIT)
        single(p, "wend_frame_budget_expansions", "gauge", "Expansions that a frame may spend.", n->budget);
    if (n->budget_us != WEND_NO_LIMIT) {
        head(p, "wend_frame_budget_seconds", "gauge", "Time that a frame may spend.");
        print(p, "wend_frame_budget_seconds ");
        print_value(p, n->budget_us, true);
        print(p, "\n");
    }
    if (!n->figures) return;
    print_histogram(p, n->figures, "wend_frame_seconds", WEND_HISTOGRAM_FRAME_US, US_POWERS, "Time of a frame.");
    print_histogram(p, n->figures, "wend_frame_expansions", WEND_HISTOGRAM_FRAME_EXPANSIONS, EXPANSIONS_POWERS,
                    "Expansions that a frame spent.");
    print_recent(p, n->figures, "wend_recent_frame_seconds", WEND_HISTOGRAM_FRAME_US, "Time of the last 1,024 frames.");
    print_recent(p, n->figures, "wend_recent_update_seconds", WEND_HISTOGRAM_UPDATE_US,
                 "Time of the last 1,024 updates of the crowd.");
    print_recent(p, n->figures, "wend_recent_standing_agents", WEND_HISTOGRAM_STANDS,
                 "Agents that wanted a step in the last 1,024 updates and got none.");
}

static void print_requests(page *p, const serve_numbers *n) {
    const serve_totals *t = n->totals;
    single(p, "wend_requests_total", "counter", "Requests that were accepted.", t->submitted);
    single(p, "wend_requests_waiting", "gauge", "Requests that waited at the end of the last frame.", t->waiting);
    single(p, "wend_requests_running", "gauge", "Requests with a search in flight then.", t->running);
    single(p, "wend_requests_finished", "gauge", "Requests that were finished and not delivered then.", t->finished);
    single(p, "wend_evictions_total", "counter", "Searches that lost their memory and began again.", t->evictions);
    single(p, "wend_outdated_total", "counter", "Searches that began again as the map changed.", t->outdated);
    head(p, "wend_completions_total", "counter", "Completions by status.");
    for (int32_t i = WEND_STATUS_FOUND; i < WEND_STATUS_COUNT; i++)
        print(p, "wend_completions_total{status=\"%s\"} %" PRIu64 "\n", wend_status_name(i), t->statuses[i]);
    if (!n->figures) return;
    print_histogram(p, n->figures, "wend_queue_requests", WEND_HISTOGRAM_WAITING, REQUESTS_POWERS,
                    "Requests that waited at the end of a frame.");
    print_bands(p, n->figures, "wend_request_wait_frames", WEND_HISTOGRAM_WAIT,
                "Frames until the search of a request began.");
    print_bands(p, n->figures, "wend_request_latency_frames", WEND_HISTOGRAM_LATENCY,
                "Frames until a request was delivered.");
    print_histogram(p, n->figures, "wend_request_expansions", WEND_HISTOGRAM_EXPANSIONS, EXPANSIONS_POWERS,
                    "Expansions of a request.");
}

static void print_engines(page *p, const wend_figures *figures) {
    static const char *const names[] = {"none", "astar", "jump"}; /* by WEND_ENGINE_… */
    enum { ENGINE_COUNT = sizeof names / sizeof names[0] };
    wend_figures_stats counts = {.struct_bytes = sizeof counts};
    if (wend_figures_get_stats(figures, &counts)) return;
    head(p, "wend_answers_total", "counter", "Completions by the engine that answered.");
    for (int i = 0; i < ENGINE_COUNT; i++)
        print(p, "wend_answers_total{engine=\"%s\"} %" PRIu64 "\n", names[i], counts.engine_answers[i]);
    head(p, "wend_general_answers_total", "counter", "Completions by the general A*, by reason.");
    for (int32_t i = WEND_GENERAL_NONE + 1; i < WEND_GENERAL_COUNT; i++)
        print(p, "wend_general_answers_total{reason=\"%s\"} %" PRIu64 "\n", wend_constant_name(WEND_NAME_GENERAL, i),
              counts.general_answers[i]);
    head(p, "wend_expansions_total", "counter", "Expansions of completed requests by engine.");
    for (int i = 0; i < ENGINE_COUNT; i++)
        print(p, "wend_expansions_total{engine=\"%s\"} %" PRIu64 "\n", names[i], counts.engine_expansions[i]);
}

static void print_memory(page *p, const serve_numbers *n) {
    head(p, "wend_memory_bytes", "gauge", "Memory by owner.");
    print(p, "wend_memory_bytes{owner=\"service\"} %" PRIu64 "\n", n->service_bytes);
    print(p, "wend_memory_bytes{owner=\"map\"} %" PRIu64 "\n", n->map_bytes);
    if (n->resident_bytes != 0)
        single(p, "process_resident_memory_bytes", "gauge", "Resident memory of the process.", n->resident_bytes);
}

static void print_journal(page *p, const serve_numbers *n) {
    single(p, "wend_journal_bytes", "gauge", "Bytes of the journal that are on disk.", n->journal_bytes);
    single(p, "wend_journal_failures_total", "counter", "Orders refused as the journal could not be written.",
           n->journal_failures);
}

static void print_of_node(page *p, const serve_numbers *n, const char *name, const char *type, const char *help,
                          uint64_t value) {
    head(p, name, type, help);
    print(p, "%s{map=\"%s\",node=\"%s\"} %" PRIu64 "\n", name, n->map, n->node, value);
}

static void print_node(page *p, const serve_numbers *n) {
    print_of_node(p, n, "wend_cluster_owns", "gauge", "1 where this node owns the map.", n->owns);
    print_of_node(p, n, "wend_cluster_connected", "gauge", "1 where the log in NATS can be used.", n->connected);
    print_of_node(p, n, "wend_cluster_unknown_total", "counter", "Entries for which the log gave no answer.",
                  n->unknowns);
    print_of_node(p, n, "wend_cluster_term", "gauge", "Term of the map's owner, as this node knows it.", n->term);
    print_of_node(p, n, "wend_cluster_entries", "gauge", "Entries of the log that this node has.", n->entries);
    print_of_node(p, n, "wend_cluster_lag", "gauge",
                  "Entries that the owner had, when it was last looked at, and this "
                  "node has not.",
                  n->lag);
    print_of_node(p, n, "wend_cluster_ready", "gauge", "1 where this node serves the map as the log has it.", n->ready);
    print_of_node(p, n, "wend_cluster_checked", "gauge", "Last entry with a hash of the state that this node compared.",
                  n->checked);
    print_of_node(p, n, "wend_cluster_takeovers_total", "counter", "Times that this node came to own the map.",
                  n->takeovers);
    char labels[192];
    snprintf(labels, sizeof labels, "map=\"%s\",node=\"%s\"", n->map, n->node);
    head(p, "wend_cluster_append_seconds", "histogram", "Time of an append to the log, with its repetitions.");
    print_buckets(p, "wend_cluster_append_seconds", labels, n->appends, US_POWERS, true);
    print_of_node(p, n, "wend_cluster_moved_total", "counter", "Orders refused, as another node owns the map.",
                  n->moved);
}

size_t serve_metrics_write(const serve_numbers *numbers, char *out, size_t capacity) {
    page p = {out, capacity, 0};
    if (capacity > 0) out[0] = '\0';
    print_frames(&p, numbers);
    print_requests(&p, numbers);
    if (numbers->figures) print_engines(&p, numbers->figures);
    print_memory(&p, numbers);
    if (numbers->journal) print_journal(&p, numbers);
    if (numbers->node) print_node(&p, numbers);
    return p.length;
}
