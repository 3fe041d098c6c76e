/* SPDX-License-Identifier: MIT */
/* The results of a run: a table for people, JSON for programs. */
#include <inttypes.h>

#include "report/report.h"
#include "shared/grouped.h"
#include <wend/control.h>

/* The frames after the last asking are not measured where agents walk: fewer and fewer do. */
static void leave_out_rest(lab_run *run) {
    series *const measured[] = {&run->frame_ns,    &run->frame_cpu_ns, &run->tick_ns,
                                &run->tick_cpu_ns, &run->step_ns,      &run->step_cpu_ns};
    for (size_t i = 0; run->settings->walk && i < sizeof measured / sizeof measured[0]; i++)
        if (measured[i]->count > run->settings->frames) measured[i]->count = (size_t)run->settings->frames;
}

static wend_stats stats_of(const lab_run *run) {
    wend_stats stats = {.struct_bytes = sizeof stats};
    wend_service_get_stats(run->service, &stats);
    return stats;
}

static uint64_t map_bytes_peak(const lab_run *run) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(run->map, &info);
    return info.bytes_peak;
}

/* Searches that lost their version of the map. `outdated` counts them where they were started again, besides answers
   that failed a check; searches with no restarts left came as stale without a check. */
static uint64_t retired(const lab_run *run) {
    wend_stats stats = stats_of(run);
    uint64_t all = stats.outdated + checker_late(run->watch);
    return all > stats.checks ? all - stats.checks : 0;
}

/* Percentage of ended goals that were met. */
static double met_percent(const lab_run *run) {
    const uint64_t met = run->ends[WEND_AGENT_EVENT_ARRIVED];
    return run->goals > 0 ? 100.0 * (double)met / (double)run->goals : 100;
}

/* ---- JSON ---- */

static void json_percentiles(const char *name, wend_percentiles p) {
    printf("\"%s\":{\"p50\":%" PRIu64 ",\"p99\":%" PRIu64 ",\"max\":%" PRIu64 "},", name, p.p50, p.p99, p.max);
}

/* To the nearest microsecond. */
static wend_percentiles microseconds(wend_percentiles ns) {
    return (wend_percentiles){(ns.p50 + 500) / 1000, (ns.p99 + 500) / 1000, (ns.max + 500) / 1000};
}

static void json_us(const char *name, series *ns) {
    json_percentiles(name, microseconds(series_percentiles(ns)));
}

/* Nanoseconds, with p99.9. */
static void json_times(const char *name, series *ns) {
    const wend_percentiles p = microseconds(series_percentiles(ns));
    printf("\"%s\":{\"p50\":%" PRIu64 ",\"p99\":%" PRIu64 ",\"p999\":%" PRIu64 ",\"max\":%" PRIu64 "},", name, p.p50,
           p.p99, (series_permille(ns, 999) + 500) / 1000, p.max);
}

/* Thousandths as decimals. */
static void json_ratios(const char *name, series *thousandths) {
    const wend_percentiles p = series_percentiles(thousandths);
    printf("\"%s\":{\"p50\":%.3f,\"p99\":%.3f,\"max\":%.3f},", name, (double)p.p50 / 1e3, (double)p.p99 / 1e3,
           (double)p.max / 1e3);
}

static void json_number_or_null(const char *name, uint64_t number) {
    if (number > 0)
        printf("\"%s\":%" PRIu64 ",", name, number);
    else
        printf("\"%s\":null,", name);
}

static void json_statuses(const lab_run *run) {
    printf("\"completed\":%" PRIu64 ",\"statuses\":{", run->completed);
    for (int32_t i = 1; i < WEND_STATUS_COUNT; i++)
        printf("%s\"%s\":%" PRIu64, i > 1 ? "," : "", wend_status_name(i), run->statuses[i]);
    printf("},\"expansions\":%" PRIu64 ",", run->expansions);
    json_number_or_null("budget", run->settings->budget);
    json_number_or_null("budget_us", run->settings->budget_us);
    printf("\"max_frame_expansions\":%" PRIu64 ",", run->max_frame_expansions);
}

static void json_slices(const lab_run *run) {
    for (uint32_t i = 0; i <= run->def.workers; i++)
        printf("%s%" PRIu64, i == 0 ? "\"worker_slices\":[" : ",", wend_service_get_slices(run->service, i));
    printf("],");
}

static void json_promises(const lab_run *run) {
    const char *separator = "";
    printf("\"promises\":{");
    for (int i = 0; i < PROMISE_COUNT; i++) {
        if (!promise_applies(&run->promises, i)) continue;
        printf("%s\"%s\":{\"checked\":%" PRIu64 ",\"broken\":%" PRIu64 "}", separator, promise_name(i),
               run->promises.checked[i], run->promises.broken[i]);
        separator = ",";
    }
    printf("},");
}

static void json_end(const lab_run *run) {
    printf("\"violations\":%" PRIu64 ",\"hash\":\"%016" PRIx64 "\"}\n", promises_broken(&run->promises), run->hash);
}

static wend_percentiles percentiles_of(const wend_histogram *histogram) {
    return (wend_percentiles){wend_histogram_percentile(histogram, 500), wend_histogram_percentile(histogram, 990),
                              histogram->max};
}

/* Bands of urgency without a request are left out. */
static void json_bands(const lab_run *run) {
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

static void json_engines(const lab_run *run) {
    static const char *const names[] = {[WEND_ENGINE_ASTAR] = "astar", [WEND_ENGINE_JUMP] = "jump"};
    wend_figures_stats counts = {.struct_bytes = sizeof counts};
    wend_figures_get_stats(run->figures, &counts);
    printf("\"engines\":{");
    for (int i = WEND_ENGINE_ASTAR; i <= WEND_ENGINE_JUMP; i++)
        printf("%s\"%s\":{\"answers\":%" PRIu64 ",\"spent\":%" PRIu64 "}", i > WEND_ENGINE_ASTAR ? "," : "", names[i],
               counts.engine_answers[i], counts.engine_expansions[i]);
    printf("},");
}

static void json_horde(const lab_run *run) {
    const horde_sums sums = load_horde(run->load);
    if (load_flood_cells(run->load) == 0) return;
    printf("\"flood_cells\":%" PRIu64 ",\"horde_requests\":%" PRIu64 ",\"horde_expansions\":%" PRIu64
           ",\"lone_expansions\":%" PRIu64 ",",
           load_flood_cells(run->load), sums.asked, sums.spent, sums.lone);
}

static void json_of_requests(lab_run *run) {
    const lab_settings *settings = run->settings;
    printf("{\"agents\":%" PRIu64 ",\"frames\":%" PRIu64 ",\"asking_frames\":%" PRIu64 ",\"scenario\":\"%s\",",
           settings->agents, run->frame, settings->frames, settings->scenario->name);
    printf("\"accepted\":%" PRIu64 ",\"busy\":%" PRIu64 ",\"urgent_busy\":%" PRIu64 ",", run->accepted, run->busy,
           run->urgent_busy);
    json_statuses(run);
    printf("\"rounds\":%" PRIu64 ",\"evictions\":%" PRIu64 ",", run->rounds, run->evictions);
    json_times("frame_us", &run->frame_ns);
    json_times("frame_cpu_us", &run->frame_cpu_ns);
    json_times("tick_us", &run->tick_ns);
    json_times("tick_cpu_us", &run->tick_cpu_ns);
    json_us("edit_us", &run->edit_ns);
    json_percentiles("wait_frames", series_percentiles(&run->wait));
    json_percentiles("latency_frames", series_percentiles(&run->latency));
    json_percentiles("urgent_wait_frames", series_percentiles(&run->urgent_wait));
    json_percentiles("urgent_latency_frames", series_percentiles(&run->urgent_latency));
    json_percentiles("path_cells", series_percentiles(&run->found_cells));
    json_percentiles("path_expansions", series_percentiles(&run->found_expansions));
    printf("\"service_bytes\":%zu,\"allocations_after_create\":%" PRIu64 ",\"map_bytes_peak\":%" PRIu64 ",",
           wend_service_bytes(&run->def), run->allocations_after, map_bytes_peak(run));
    wend_stats stats = stats_of(run);
    printf("\"shared\":%" PRIu64 ",", stats.shared);
    printf("\"edits\":%" PRIu64 ",\"epochs\":%" PRIu64 ",\"checks\":%" PRIu64 ",\"outdated\":%" PRIu64
           ",\"retired\":%" PRIu64 ",",
           run->edits, run->epochs, stats.checks, stats.outdated, retired(run));
    json_slices(run);
    json_bands(run);
    json_engines(run);
    work_json(run->figures);
    json_promises(run);
    json_horde(run);
    json_end(run);
}

static void json_goals(const lab_run *run) {
    printf("\"wishes\":%" PRIu64 ",\"arrived\":%" PRIu64 ",\"partial\":%" PRIu64 ",\"gave_up\":{", run->goals,
           run->ends[WEND_AGENT_EVENT_ARRIVED], run->ends[WEND_AGENT_EVENT_PARTIAL]);
    for (int32_t why = WEND_WHY_NO_PATH; why <= WEND_WHY_LIMIT; why++)
        printf("%s\"%s\":%" PRIu64, why > WEND_WHY_NO_PATH ? "," : "", wend_constant_name(WEND_NAME_WHY, why),
               run->whys[why]);
    printf("},\"rerouted\":%" PRIu64 ",\"unfinished\":%" PRIu64 ",\"met_percent\":%.2f,",
           run->ends[WEND_AGENT_EVENT_REROUTED], run->open_goals, met_percent(run));
}

static void json_of_crowd(lab_run *run) {
    const lab_settings *settings = run->settings;
    wend_crowd_stats counts = {.struct_bytes = sizeof counts};
    const wend_stats stats = stats_of(run);
    wend_crowd_get_stats(run->crowd, &counts);
    printf("{\"agents\":%" PRIu64 ",\"frames\":%" PRIu64 ",\"asking_frames\":%" PRIu64
           ",\"scenario\":\"%s\",\"walk\":true,\"units_within\":%" PRIu64 ",",
           settings->agents, run->frame, settings->frames, settings->scenario->name, settings->units_within);
    json_goals(run);
    printf("\"steps\":%" PRIu64 ",\"searches\":%" PRIu64 ",\"put_off\":%" PRIu64 ",",
           walk_checker_steps(run->walk_watch), counts.searches_begun, run->put_off);
    printf("\"accepted\":%" PRIu64 ",\"busy\":%" PRIu64 ",", run->accepted, run->busy);
    json_statuses(run);
    json_percentiles("wait_frames", stats.wait_frames);
    json_percentiles("latency_frames", stats.latency_frames);
    printf("\"map_bytes_peak\":%" PRIu64 ",", map_bytes_peak(run));
    json_slices(run);
    json_ratios("time_ratio", &run->times);
    json_ratios("distance_ratio", &run->ways);
    json_percentiles("stuck_frames", series_percentiles(&run->stuck));
    json_us("frame_us", &run->frame_ns);
    json_us("tick_us", &run->tick_ns);
    json_us("crowd_us", &run->step_ns);
    json_us("frame_cpu_us", &run->frame_cpu_ns);
    json_us("tick_cpu_us", &run->tick_cpu_ns);
    json_us("crowd_cpu_us", &run->step_cpu_ns);
    printf("\"doors\":%" PRIu32 ",\"doors_changed\":%" PRIu64 ",\"epochs\":%" PRIu64 ",",
           run->doors != NULL ? walk_doors_count(run->doors) : 0, run->edits, run->epochs);
    printf("\"service_bytes\":%zu,\"crowd_bytes\":%zu,\"allocations_after_create\":%" PRIu64 ",",
           wend_service_bytes(&run->def), run->crowd_bytes, run->allocations_after);
    work_json(run->figures);
    json_promises(run);
    printf("\"overlaps\":%" PRIu64 ",\"illegal_steps\":%" PRIu64 ",", run->promises.broken[WALK_overlap],
           run->promises.broken[WALK_legal_steps]);
    json_end(run);
}

void report_json(lab_run *run) {
    leave_out_rest(run);
    if (run->settings->walk)
        json_of_crowd(run);
    else
        json_of_requests(run);
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

static void row_us(FILE *out, const char *what, series *ns) {
    row(out, what, microseconds(series_percentiles(ns)), "us");
}

static void row_of(FILE *out, const char *what, series *values, const char *unit) {
    row(out, what, series_percentiles(values), unit);
}

static void row_of_ratios(FILE *out, const char *what, series *thousandths, const char *unit) {
    const wend_percentiles p = series_percentiles(thousandths);
    fprintf(out, "  %-34s %9.2f %9.2f %9.2f  %s\n", what, (double)p.p50 / 1e3, (double)p.p99 / 1e3, (double)p.max / 1e3,
            unit);
}

static void print_map(const lab_run *run, FILE *out) {
    const terrain_copy *land = &run->land;
    fprintf(out, "%s: ", run->settings->map_name);
    if (land->kind == WEND_KIND_GRAPH)
        fprintf(out, "%s nodes", GROUPED(land->open + land->blocked));
    else
        fprintf(out, "%" PRId32 " x %" PRId32, land->width, land->height);
    if (land->kind == WEND_KIND_VOXEL) fprintf(out, " x %" PRId32, land->depth);
    fprintf(out, "%s, %s of them open\n", land->kind == WEND_KIND_GRAPH ? "" : " cells", GROUPED(land->open));
}

static void print_head(const lab_run *run, FILE *out) {
    const lab_settings *settings = run->settings;
    fprintf(out, "%s agent%s asked for paths during %s frame%s", GROUPED(settings->agents),
            settings->agents == 1 ? "" : "s", GROUPED(settings->frames), settings->frames == 1 ? "" : "s");
    if (settings->budget > 0) fprintf(out, " of at most %s expansions each", GROUPED(settings->budget));
    if (settings->budget_us > 0) fprintf(out, " of at most %s us each", GROUPED(settings->budget_us));
    if (run->frame > settings->frames)
        fprintf(out, ";\n%s more answered the rest", GROUPED(run->frame - settings->frames));
    fprintf(out, ".\n\n");
}

static void print_costs(lab_run *run, FILE *out) {
    fprintf(out, "  %-34s %9s %9s %9s  unit\n", "", "p50", "p99", "max");
    row_us(out, "A frame takes", &run->frame_ns);
    row_us(out, "  of processor time", &run->frame_cpu_ns);
    if (run->hand) row_us(out, "  publishing a batch of edits", &run->edit_ns);
    if (run->hand || run->settings->budget_us > 0) row_us(out, "  ticking", &run->tick_ns);
    if (run->settings->budget_us > 0) row_us(out, "  ticking, processor time", &run->tick_cpu_ns);
    row_of(out, "A frame expands", &run->frame_expansions, "expansions");
    row_of(out, "A frame answers", &run->frame_answers, "requests");
    row_of(out, "A search begins after", &run->wait, "frames");
    row_of(out, "  of the most urgent 1 %", &run->urgent_wait, "frames");
    row_of(out, "A request is answered after", &run->latency, "frames");
    row_of(out, "  of the most urgent 1 %", &run->urgent_latency, "frames");
    row_of(out, "A path found has", &run->found_cells, "cells");
    row_of(out, "  and took", &run->found_expansions, "expansions");
    fprintf(out, "\n");
}

static void print_edits(const lab_run *run, FILE *out) {
    wend_stats stats = stats_of(run);
    fprintf(out, "  Edits       %s cells in %s epochs; %s answers compared with a newer map,\n", GROUPED(run->edits),
            GROUPED(run->epochs), GROUPED(stats.checks));
    fprintf(out, "              %s searches started again, %s lost their version\n", GROUPED(stats.outdated),
            GROUPED(retired(run)));
}

static void print_answers(const lab_run *run, FILE *out) {
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
        fprintf(out, "  Throughput  %s and %.1f million expansions a second of frame time (%.2f s)\n",
                COUNTED((uint64_t)((double)run->statuses[WEND_STATUS_FOUND] / seconds), "path"),
                (double)run->expansions / seconds / 1e6, seconds);
    work_line(out, run->figures);
    if (run->hand) print_edits(run, out);
    fprintf(out, "  Memory      service %s, map %s at most; %s allocations after creation\n",
            AS_BYTES(wend_service_bytes(&run->def)), AS_BYTES(map_bytes_peak(run)), GROUPED(run->allocations_after));
}

static void print_sharing(const lab_run *run, FILE *out) {
    const horde_sums sums = load_horde(run->load);
    const wend_stats stats = stats_of(run);
    if (!run->def.share) return;
    fprintf(out, "  Sharing     %s answers from searches of others' too", GROUPED(stats.shared));
    if (sums.asked > 0)
        fprintf(out, ";\n              %s to one cell took %s expansions, lone searches take %s, a flood %s",
                GROUPED(sums.asked), GROUPED(sums.spent), GROUPED(sums.lone), GROUPED(load_flood_cells(run->load)));
    fprintf(out, "\n");
}

static void print_promises(const lab_run *run, FILE *out) {
    const promises *all = &run->promises;
    const uint64_t broken = promises_broken(all);
    int kinds = 0;
    for (int i = 0; i < PROMISE_COUNT; i++) kinds += promise_applies(all, i);
    fprintf(out, "  Promises    %d kinds checked %s times while it ran: %s broken\n", kinds,
            GROUPED(promises_checked(all)), broken == 0 ? "none" : GROUPED(broken));
    for (int i = 0; i < PROMISE_COUNT; i++)
        if (all->broken[i] > 0)
            fprintf(out, "    %s: %s of %s (%s)\n", promise_name(i), GROUPED(all->broken[i]), GROUPED(all->checked[i]),
                    promise_text(i));
    fprintf(out, "  Hash        %016" PRIx64 " over all %s\n", run->hash,
            run->settings->walk ? "positions" : "completions");
}

static void print_goals(const lab_run *run, FILE *out) {
    const uint64_t *ends = run->ends;
    fprintf(out, "  Goals       %s: %s arrived (%.2f %%), %s as near as it gets, %s gave up, %s have no end\n",
            GROUPED(run->goals), GROUPED(ends[WEND_AGENT_EVENT_ARRIVED]), met_percent(run),
            GROUPED(ends[WEND_AGENT_EVENT_PARTIAL]), GROUPED(ends[WEND_AGENT_EVENT_GAVE_UP]), GROUPED(run->open_goals));
    fprintf(out, "  Ways        %s, %s times rerouted\n", COUNTED(walk_checker_steps(run->walk_watch), "step"),
            GROUPED(ends[WEND_AGENT_EVENT_REROUTED]));
    if (run->put_off > 0)
        fprintf(out, "  Put off     %s searches and steps, to the next frame\n", GROUPED(run->put_off));
    work_line(out, run->figures);
    if (run->doors)
        fprintf(out, "  Doors       %s, which opened or closed %s times in %s epochs\n",
                GROUPED(walk_doors_count(run->doors)), GROUPED(run->edits), GROUPED(run->epochs));
}

/* Where most agents stand for want of paths, says so, and which budget would serve: all searches that one frame brings,
 * in that frame. */
static void print_want_of_paths(lab_run *run, FILE *out) {
    enum { FEW_FRAMES = 5, SOON = 2, STEP = 10000 };
    const wend_stats stats = stats_of(run);
    const uint64_t stand = series_percentiles(&run->stuck).p50, late = stats.latency_frames.p50;
    if (stand <= FEW_FRAMES || late <= SOON || run->asked_before == 0) return;
    const uint64_t serves = run->expansions / run->asked_before * run->asked_most / STEP * STEP + STEP;
    fprintf(out, "  Warning     agents stand for want of paths, which come after %s; ", COUNTED(late, "frame"));
    if (run->settings->budget > 0)
        fprintf(out, "--budget %" PRIu64 " serves\n", serves);
    else
        fprintf(out, "give more than --budget-us %" PRIu64 "\n", run->settings->budget_us);
}

static void print_crowd(lab_run *run, FILE *out) {
    const lab_settings *settings = run->settings;
    fprintf(out, "%s had goals during %s, and walked for %s.\n\n", COUNTED(settings->agents, "agent"),
            COUNTED(settings->frames, "frame"), GROUPED(run->frame));
    fprintf(out, "  %-34s %9s %9s %9s  unit\n", "", "p50", "p99", "max");
    row_us(out, "A frame takes", &run->frame_ns);
    row_us(out, "  of processor time", &run->frame_cpu_ns);
    row_us(out, "  ticking", &run->tick_ns);
    row_us(out, "  the step of the crowd", &run->step_ns);
    row_of_ratios(out, "An arrival takes", &run->times, "x the lone walker's time");
    row_of_ratios(out, "  on a way of", &run->ways, "x the cheapest");
    row_of(out, "The longest stand on the way is", &run->stuck, "frames");
    fprintf(out, "\n");
    print_goals(run, out);
    print_want_of_paths(run, out);
    fprintf(out, "  Memory      service %.1f MB, crowd %.1f MB; %" PRIu64 " allocations after creation\n",
            (double)wend_service_bytes(&run->def) / 1e6, (double)run->crowd_bytes / 1e6, run->allocations_after);
}

void report_table(lab_run *run, FILE *out) {
    leave_out_rest(run);
    print_map(run, out);
    if (run->settings->walk) {
        print_crowd(run, out);
    } else {
        print_head(run, out);
        print_costs(run, out);
        print_answers(run, out);
        print_sharing(run, out);
    }
    print_promises(run, out);
}
