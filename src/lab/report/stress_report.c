/* SPDX-License-Identifier: MIT */
/* The results of a stress run: a table for people, JSON for programs. */
#include <inttypes.h>
#include <stdio.h>

#include "lab/trace/work.h"
#include "lab/shared/grouped.h"
#include "lab/run/stress.h"

/* ---- JSON ---- */

static void json_percentiles(const char *name, wend_percentiles p) {
    printf("\"%s\":{\"p50\":%" PRIu64 ",\"p99\":%" PRIu64 ",\"max\":%" PRIu64 "},", name, p.p50, p.p99, p.max);
}

/* To the nearest microsecond. */
static wend_percentiles microseconds(wend_percentiles ns) {
    return (wend_percentiles){(ns.p50 + 500) / 1000, (ns.p99 + 500) / 1000, (ns.max + 500) / 1000};
}

/* Nanoseconds, with p99.9. */
static void json_times(const char *name, series *ns) {
    const wend_percentiles p = microseconds(series_percentiles(ns));
    printf("\"%s\":{\"p50\":%" PRIu64 ",\"p99\":%" PRIu64 ",\"p999\":%" PRIu64 ",\"max\":%" PRIu64 "},", name, p.p50,
           p.p99, (series_permille(ns, 999) + 500) / 1000, p.max);
}

static void json_number_or_null(const char *name, uint64_t number) {
    if (number > 0)
        printf("\"%s\":%" PRIu64 ",", name, number);
    else
        printf("\"%s\":null,", name);
}

static void json_statuses(const stress_run *run) {
    printf("\"statuses\":{");
    for (int32_t i = 1; i < WEND_STATUS_COUNT; i++)
        printf("%s\"%s\":%" PRIu64, i > 1 ? "," : "", wend_status_name(i), run->statuses[i]);
    printf("},");
}

static void json_promises(const stress_run *run) {
    printf("\"promises\":{");
    for (int i = 0; i < CHECKER_PROMISE_COUNT; i++)
        if (checker_applies(run->watch, i))
            printf("%s\"%s\":{\"checked\":%" PRIu64 ",\"broken\":%" PRIu64 "}", i > 0 ? "," : "", checker_name(i),
                   checker_checked(run->watch, i), checker_broken(run->watch, i));
    printf("},");
}

static wend_percentiles percentiles_of(const wend_histogram *histogram) {
    return (wend_percentiles){wend_histogram_percentile(histogram, 500), wend_histogram_percentile(histogram, 990),
                              histogram->max};
}

/* Bands of urgency without a request are left out. */
static void json_bands(const stress_run *run) {
    const char *separator = "";
    printf("\"urgency_bands\":[");
    for (int32_t band = 0; band < WEND_BAND_COUNT; band++) {
        wend_histogram wait = {.struct_bytes = sizeof wait}, latency = {.struct_bytes = sizeof latency};
        wend_figures_get_histogram(run->figures, WEND_HISTOGRAM_WAIT, band, &wait);
        wend_figures_get_histogram(run->figures, WEND_HISTOGRAM_LATENCY, band, &latency);
        if (wait.total == 0) continue;
        const wend_percentiles waits = percentiles_of(&wait), latencies = percentiles_of(&latency);
        printf("%s{\"band\":%" PRId32 ",\"requests\":%" PRIu64 ",\"wait_frames\":[%" PRIu64 ",%" PRIu64 ",%" PRIu64
               "],\"latency_frames\":[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]}",
               separator, band, wait.total, waits.p50, waits.p99, waits.max, latencies.p50, latencies.p99,
               latencies.max);
        separator = ",";
    }
    printf("],");
}

static void json_engines(const stress_run *run) {
    static const char *const names[] = {[WEND_ENGINE_ASTAR] = "astar", [WEND_ENGINE_JUMP] = "jump"};
    wend_figures_counts counts = {.struct_bytes = sizeof counts};
    wend_figures_get_counts(run->figures, &counts);
    printf("\"engines\":{");
    for (int i = WEND_ENGINE_ASTAR; i <= WEND_ENGINE_JUMP; i++)
        printf("%s\"%s\":{\"answers\":%" PRIu64 ",\"spent\":%" PRIu64 "}", i > WEND_ENGINE_ASTAR ? "," : "", names[i],
               counts.engine_answers[i], counts.engine_expansions[i]);
    printf("},");
}

static wend_stats stats_of(const stress_run *run) {
    wend_stats stats = {.struct_bytes = sizeof stats};
    wend_service_get_stats(run->service, &stats);
    return stats;
}

/* Searches that lost their version of the map. `outdated` counts them where they were started again, beside answers
   that failed a check; searches with no restarts left came as stale without a check. */
static uint64_t retired(const stress_run *run) {
    wend_stats stats = stats_of(run);
    uint64_t all = stats.outdated + checker_late(run->watch);
    return all > stats.checks ? all - stats.checks : 0;
}

static uint64_t map_bytes_peak(const stress_run *run) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(run->map, &info);
    return info.bytes_peak;
}

static void json_horde(const stress_run *run) {
    const horde_sums sums = load_horde(run->load);
    if (load_flood_cells(run->load) == 0) return;
    printf("\"flood_cells\":%" PRIu64 ",\"horde_requests\":%" PRIu64 ",\"horde_expansions\":%" PRIu64
           ",\"lone_expansions\":%" PRIu64 ",",
           load_flood_cells(run->load), sums.asked, sums.spent, sums.lone);
}

void stress_print_json(stress_run *run) {
    const stress_settings *settings = run->settings;
    printf("{\"agents\":%" PRIu64 ",\"frames\":%" PRIu64 ",\"asking_frames\":%" PRIu64 ",\"scenario\":\"%s\",",
           settings->agents, run->frame, settings->frames, settings->scenario->name);
    printf("\"accepted\":%" PRIu64 ",\"busy\":%" PRIu64 ",\"urgent_busy\":%" PRIu64 ",\"completed\":%" PRIu64 ",",
           run->accepted, run->busy, run->urgent_busy, run->completed);
    json_statuses(run);
    printf("\"expansions\":%" PRIu64 ",", run->expansions);
    json_number_or_null("budget", settings->budget);
    json_number_or_null("budget_us", settings->budget_us);
    printf("\"max_frame_expansions\":%" PRIu64 ",\"rounds\":%" PRIu64 ",\"evictions\":%" PRIu64 ",",
           run->max_frame_expansions, run->rounds, run->evictions);
    json_times("frame_us", &run->frame_ns);
    json_times("frame_cpu_us", &run->frame_cpu_ns);
    json_times("tick_us", &run->tick_ns);
    json_times("tick_cpu_us", &run->cpu_ns);
    json_percentiles("edit_us", microseconds(series_percentiles(&run->edit_ns)));
    json_percentiles("wait_frames", tally_percentiles(&run->wait));
    json_percentiles("latency_frames", tally_percentiles(&run->latency));
    json_percentiles("urgent_wait_frames", tally_percentiles(&run->urgent_wait));
    json_percentiles("urgent_latency_frames", tally_percentiles(&run->urgent_latency));
    json_percentiles("path_cells", series_percentiles(&run->found_cells));
    json_percentiles("path_expansions", series_percentiles(&run->found_expansions));
    printf("\"service_bytes\":%zu,\"allocations_after_create\":%" PRIu64 ",\"map_bytes_peak\":%" PRIu64 ",",
           wend_service_bytes(&run->def), run->allocations_after, map_bytes_peak(run));
    wend_stats stats = stats_of(run);
    printf("\"shared\":%" PRIu64 ",", stats.shared);
    printf("\"edits\":%" PRIu64 ",\"epochs\":%" PRIu64 ",\"checks\":%" PRIu64 ",\"outdated\":%" PRIu64
           ",\"retired\":%" PRIu64 ",",
           run->edits, run->epochs, stats.checks, stats.outdated, retired(run));
    for (uint32_t i = 0; i <= run->def.workers; i++)
        printf("%s%" PRIu64, i == 0 ? "\"worker_slices\":[" : ",", wend_service_get_slices(run->service, i));
    printf("],");
    json_bands(run);
    json_engines(run);
    work_json(run->figures);
    json_promises(run);
    json_horde(run);
    printf("\"violations\":%" PRIu64 ",\"hash\":\"%016" PRIx64 "\"}\n", checker_broken_total(run->watch), run->hash);
}

/* ---- the table ---- */

static const char *as_bytes(uint64_t bytes, char out[CLI_NUMBER_BYTES]) {
    if (bytes < 1000000)
        snprintf(out, CLI_NUMBER_BYTES, "%.0f kB", (double)bytes / 1e3);
    else
        snprintf(out, CLI_NUMBER_BYTES, "%.1f MB", (double)bytes / 1e6);
    return out;
}

#define AS_BYTES(number) as_bytes(number, (char[CLI_NUMBER_BYTES]){0})

static void row(FILE *out, const char *what, wend_percentiles p, const char *unit) {
    fprintf(out, "  %-34s %9s %9s %9s  %s\n", what, GROUPED(p.p50), GROUPED(p.p99), GROUPED(p.max), unit);
}

static void print_head(const stress_run *run, FILE *out) {
    const stress_settings *settings = run->settings;
    fprintf(out, "%s: %" PRId32 " x %" PRId32 " cells, %s of them open\n", settings->map_name, run->land.width,
            run->land.height, GROUPED(run->land.open));
    fprintf(out, "%s agent%s asked for paths during %s frame%s", GROUPED(settings->agents),
            settings->agents == 1 ? "" : "s", GROUPED(settings->frames), settings->frames == 1 ? "" : "s");
    if (settings->budget > 0) fprintf(out, " of at most %s expansions each", GROUPED(settings->budget));
    if (settings->budget_us > 0) fprintf(out, " of at most %s us each", GROUPED(settings->budget_us));
    if (run->frame > settings->frames)
        fprintf(out, ";\n%s more answered the rest", GROUPED(run->frame - settings->frames));
    fprintf(out, ".\n\n");
}

static void print_costs(stress_run *run, FILE *out) {
    fprintf(out, "  %-34s %9s %9s %9s  unit\n", "", "p50", "p99", "max");
    row(out, "A frame takes", microseconds(series_percentiles(&run->frame_ns)), "us");
    row(out, "  of processor time", microseconds(series_percentiles(&run->frame_cpu_ns)), "us");
    if (run->hand != NULL)
        row(out, "  publishing a batch of edits", microseconds(series_percentiles(&run->edit_ns)), "us");
    if (run->hand != NULL || run->settings->budget_us > 0)
        row(out, "  ticking", microseconds(series_percentiles(&run->tick_ns)), "us");
    if (run->settings->budget_us > 0)
        row(out, "  ticking, processor time", microseconds(series_percentiles(&run->cpu_ns)), "us");
    row(out, "A frame expands", series_percentiles(&run->frame_expansions), "expansions");
    row(out, "A frame answers", series_percentiles(&run->frame_answers), "requests");
    row(out, "A search begins after", tally_percentiles(&run->wait), "frames");
    row(out, "  of the most urgent 1 %", tally_percentiles(&run->urgent_wait), "frames");
    row(out, "A request is answered after", tally_percentiles(&run->latency), "frames");
    row(out, "  of the most urgent 1 %", tally_percentiles(&run->urgent_latency), "frames");
    row(out, "A path found has", series_percentiles(&run->found_cells), "cells");
    row(out, "  and took", series_percentiles(&run->found_expansions), "expansions");
    fprintf(out, "\n");
}

static void print_edits(const stress_run *run, FILE *out) {
    wend_stats stats = stats_of(run);
    fprintf(out, "  Edits       %s cells in %s epochs; %s answers compared with a newer map,\n", GROUPED(run->edits),
            GROUPED(run->epochs), GROUPED(stats.checks));
    fprintf(out, "              %s searches started again, %s lost their version\n", GROUPED(stats.outdated),
            GROUPED(retired(run)));
}

static void print_answers(const stress_run *run, FILE *out) {
    fprintf(out, "  Requests    %s accepted, %s refused, %s completed:", GROUPED(run->accepted), GROUPED(run->busy),
            GROUPED(run->completed));
    const char *separator = " ";
    for (int32_t i = 1; i < WEND_STATUS_COUNT; i++) {
        if (run->statuses[i] == 0) continue;
        fprintf(out, "%s%s %s", separator, GROUPED(run->statuses[i]), wend_status_name(i));
        separator = ", ";
    }
    double seconds = (double)run->all_ns / 1e9;
    fprintf(out, "\n");
    if (seconds > 0)
        fprintf(out, "  Throughput  %s paths and %.1f million expansions a second of frame time (%.2f s)\n",
                GROUPED((uint64_t)((double)run->statuses[WEND_STATUS_FOUND] / seconds)),
                (double)run->expansions / seconds / 1e6, seconds);
    work_line(out, run->figures);
    if (run->hand != NULL) print_edits(run, out);
    fprintf(out, "  Memory      service %s, map %s at most; %s allocations after creation\n",
            AS_BYTES(wend_service_bytes(&run->def)), AS_BYTES(map_bytes_peak(run)), GROUPED(run->allocations_after));
}

static void print_sharing(const stress_run *run, FILE *out) {
    const horde_sums sums = load_horde(run->load);
    const wend_stats stats = stats_of(run);
    if (!run->def.share) return;
    fprintf(out, "  Sharing     %s answers from searches of others' too", GROUPED(stats.shared));
    if (sums.asked > 0)
        fprintf(out, ";\n              %s to one cell took %s expansions, lone searches take %s, a flood %s",
                GROUPED(sums.asked), GROUPED(sums.spent), GROUPED(sums.lone), GROUPED(load_flood_cells(run->load)));
    fprintf(out, "\n");
}

static void print_promises(const stress_run *run, FILE *out) {
    uint64_t broken = checker_broken_total(run->watch);
    int kinds = 0;
    for (int i = 0; i < CHECKER_PROMISE_COUNT; i++) kinds += checker_applies(run->watch, i);
    fprintf(out, "  Promises    %d kinds checked %s times while it ran: %s broken\n", kinds,
            GROUPED(checker_checked_total(run->watch)), broken == 0 ? "none" : GROUPED(broken));
    for (int i = 0; i < CHECKER_PROMISE_COUNT; i++) {
        if (checker_broken(run->watch, i) == 0) continue;
        fprintf(out, "    %s: %s of %s (%s)\n", checker_name(i), GROUPED(checker_broken(run->watch, i)),
                GROUPED(checker_checked(run->watch, i)), checker_text(i));
    }
    fprintf(out, "  Hash        %016" PRIx64 " over all completions\n", run->hash);
}

void stress_print_table(stress_run *run, FILE *out) {
    print_head(run, out);
    print_costs(run, out);
    print_answers(run, out);
    print_sharing(run, out);
    print_promises(run, out);
}
