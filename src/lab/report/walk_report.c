/* SPDX-License-Identifier: MIT */
/* The report of agents that walk: a table for people, JSON for programs. */
#include <inttypes.h>
#include <stdio.h>

#include "lab/trace/work.h"
#include "lab/shared/grouped.h"
#include "lab/run/walk.h"

static wend_percentiles microseconds(wend_percentiles ns) {
    return (wend_percentiles){(ns.p50 + 500) / 1000, (ns.p99 + 500) / 1000, (ns.max + 500) / 1000};
}

/* Wishes that ended on their goal, of those that ended, in per cent. */
static double met_percent(const walk_run *run) {
    const uint64_t met = run->ends[WEND_AGENT_EVENT_ARRIVED];
    return run->wishes > 0 ? 100.0 * (double)met / (double)run->wishes : 100;
}

/* ---- JSON ---- */

static void json_percentiles(const char *name, wend_percentiles p) {
    printf("\"%s\":{\"p50\":%" PRIu64 ",\"p99\":%" PRIu64 ",\"max\":%" PRIu64 "},", name, p.p50, p.p99, p.max);
}

/* Thousandths as decimals. */
static void json_ratios(const char *name, wend_percentiles p) {
    printf("\"%s\":{\"p50\":%.3f,\"p99\":%.3f,\"max\":%.3f},", name, (double)p.p50 / 1e3, (double)p.p99 / 1e3,
           (double)p.max / 1e3);
}

static void json_wishes(const walk_run *run) {
    printf("\"wishes\":%" PRIu64 ",\"arrived\":%" PRIu64 ",\"partial\":%" PRIu64 ",\"gave_up\":{", run->wishes,
           run->ends[WEND_AGENT_EVENT_ARRIVED], run->ends[WEND_AGENT_EVENT_PARTIAL]);
    for (int32_t why = WEND_WHY_NO_PATH; why <= WEND_WHY_LIMIT; why++)
        printf("%s\"%s\":%" PRIu64, why > WEND_WHY_NO_PATH ? "," : "", wend_agent_why_name(why), run->whys[why]);
    printf("},\"rerouted\":%" PRIu64 ",\"unfinished\":%" PRIu64 ",\"met_percent\":%.2f,",
           run->ends[WEND_AGENT_EVENT_REROUTED], run->open_wishes, met_percent(run));
}

static void json_promises(const walk_run *run) {
    printf("\"promises\":{");
    for (int i = 0; i < WALK_PROMISE_COUNT; i++)
        printf("%s\"%s\":{\"checked\":%" PRIu64 ",\"broken\":%" PRIu64 "}", i > 0 ? "," : "", walk_promise_name(i),
               walk_checker_checked(run->watch, i), walk_checker_broken(run->watch, i));
    printf("},");
}

/* The searches of the crowd, counted as those of agents that ask themselves. */
static void json_searches(const walk_run *run) {
    const stress_settings *settings = run->base.settings;
    wend_stats stats = {.struct_bytes = sizeof stats};
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_service_get_stats(run->base.service, &stats);
    wend_map_get_info(run->base.map, &info);
    printf("\"accepted\":%" PRIu64 ",\"busy\":%" PRIu64 ",\"completed\":%" PRIu64 ",\"statuses\":{", stats.submitted,
           stats.refused_busy, stats.completed);
    for (int32_t i = 1; i < WEND_STATUS_COUNT; i++)
        printf("%s\"%s\":%" PRIu64, i > 1 ? "," : "", wend_status_name(i), stats.statuses[i]);
    printf("},\"expansions\":%" PRIu64 ",", stats.expansions);
    if (settings->budget > 0)
        printf("\"budget\":%" PRIu64 ",\"budget_us\":null,", settings->budget);
    else
        printf("\"budget\":null,\"budget_us\":%" PRIu64 ",", settings->budget_us);
    printf("\"max_frame_expansions\":%" PRIu64 ",", run->max_frame_expansions);
    json_percentiles("wait_frames", stats.wait_frames);
    json_percentiles("latency_frames", stats.latency_frames);
    printf("\"map_bytes_peak\":%" PRIu64 ",", info.bytes_peak);
    for (uint32_t i = 0; i <= run->base.def.workers; i++)
        printf("%s%" PRIu64, i == 0 ? "\"worker_slices\":[" : ",", wend_service_get_slices(run->base.service, i));
    printf("],");
}

void walk_print_json(walk_run *run) {
    const stress_settings *settings = run->base.settings;
    wend_crowd_counts counts = {.struct_bytes = sizeof counts};
    wend_crowd_get_counts(run->crowd, &counts);
    printf("{\"agents\":%" PRIu32 ",\"frames\":%" PRIu64 ",\"asking_frames\":%" PRIu64
           ",\"scenario\":\"%s\",\"walk\":true,\"units_within\":%" PRIu64 ",",
           run->count, run->frame, settings->frames, settings->scenario->name, settings->units_within);
    json_wishes(run);
    printf("\"steps\":%" PRIu64 ",\"searches\":%" PRIu64 ",\"put_off\":%" PRIu64 ",", walk_checker_steps(run->watch),
           counts.searches_begun, run->put_off);
    json_searches(run);
    json_ratios("time_ratio", tally_percentiles(&run->times));
    json_ratios("distance_ratio", tally_percentiles(&run->ways));
    json_percentiles("stuck_frames", tally_percentiles(&run->stuck));
    json_percentiles("frame_us", microseconds(series_percentiles(&run->frame_ns)));
    json_percentiles("tick_us", microseconds(series_percentiles(&run->tick_ns)));
    json_percentiles("crowd_us", microseconds(series_percentiles(&run->crowd_ns)));
    json_percentiles("frame_cpu_us", microseconds(series_percentiles(&run->frame_cpu_ns)));
    json_percentiles("tick_cpu_us", microseconds(series_percentiles(&run->tick_cpu_ns)));
    json_percentiles("crowd_cpu_us", microseconds(series_percentiles(&run->crowd_cpu_ns)));
    printf("\"doors\":%" PRIu32 ",\"doors_changed\":%" PRIu64 ",\"epochs\":%" PRIu64 ",",
           run->doors != NULL ? walk_doors_count(run->doors) : 0, run->doors_changed, run->epochs);
    printf("\"service_bytes\":%zu,\"crowd_bytes\":%zu,\"allocations_after_create\":%" PRIu64 ",",
           wend_service_bytes(&run->base.def), run->crowd_bytes, run->allocations_after);
    work_json(run->base.figures);
    json_promises(run);
    printf("\"overlaps\":%" PRIu64 ",\"illegal_steps\":%" PRIu64 ",\"violations\":%" PRIu64 ",\"hash\":\"%016" PRIx64
           "\"}\n",
           walk_checker_broken(run->watch, WALK_overlap), walk_checker_broken(run->watch, WALK_legal_steps),
           walk_checker_broken_total(run->watch), run->hash);
}

/* ---- the table ---- */

static void row(FILE *out, const char *what, wend_percentiles p, const char *unit) {
    fprintf(out, "  %-34s %9s %9s %9s  %s\n", what, GROUPED(p.p50), GROUPED(p.p99), GROUPED(p.max), unit);
}

static void row_of_ratios(FILE *out, const char *what, wend_percentiles p, const char *unit) {
    fprintf(out, "  %-34s %9.2f %9.2f %9.2f  %s\n", what, (double)p.p50 / 1e3, (double)p.p99 / 1e3, (double)p.max / 1e3,
            unit);
}

static void print_promises(const walk_run *run, FILE *out) {
    const uint64_t broken = walk_checker_broken_total(run->watch);
    uint64_t checked = 0;
    for (int i = 0; i < WALK_PROMISE_COUNT; i++) checked += walk_checker_checked(run->watch, i);
    fprintf(out, "  Promises    %d kinds checked %s times while it ran: ", WALK_PROMISE_COUNT, GROUPED(checked));
    if (broken == 0)
        fprintf(out, "none broken\n");
    else
        fprintf(out, "%s broken\n", GROUPED(broken));
    for (int i = 0; i < WALK_PROMISE_COUNT; i++) {
        if (walk_checker_broken(run->watch, i) == 0) continue;
        fprintf(out, "    %s: %" PRIu64 " of %" PRIu64 " (%s)\n", walk_promise_name(i),
                walk_checker_broken(run->watch, i), walk_checker_checked(run->watch, i), walk_promise_text(i));
    }
    fprintf(out, "  Hash        %016" PRIx64 " over all positions\n", run->hash);
}

static void print_wishes(const walk_run *run, FILE *out) {
    const uint64_t *ends = run->ends;
    fprintf(out, "  Wishes      %s: %s arrived (%.2f %%), %s as near as it gets, %s gave up, %s have no end\n",
            GROUPED(run->wishes), GROUPED(ends[WEND_AGENT_EVENT_ARRIVED]), met_percent(run),
            GROUPED(ends[WEND_AGENT_EVENT_PARTIAL]), GROUPED(ends[WEND_AGENT_EVENT_GAVE_UP]),
            GROUPED(run->open_wishes));
    fprintf(out, "  Ways        %s steps, %s times rerouted\n", GROUPED(walk_checker_steps(run->watch)),
            GROUPED(ends[WEND_AGENT_EVENT_REROUTED]));
    if (run->put_off > 0)
        fprintf(out, "  Put off     %s searches and steps, to the next frame\n", GROUPED(run->put_off));
    work_line(out, run->base.figures);
    if (run->doors != NULL)
        fprintf(out, "  Doors       %s, which opened or closed %s times in %s epochs\n",
                GROUPED(walk_doors_count(run->doors)), GROUPED(run->doors_changed), GROUPED(run->epochs));
}

void walk_print_table(walk_run *run, FILE *out) {
    const stress_settings *settings = run->base.settings;
    fprintf(out, "%s: %" PRId32 " x %" PRId32 " cells, %s of them open\n", settings->map_name, run->base.land.width,
            run->base.land.height, GROUPED(run->base.land.open));
    fprintf(out, "%s agents had wishes during %s frames, and walked for %s.\n\n", GROUPED(run->count),
            GROUPED(settings->frames), GROUPED(run->frame));
    fprintf(out, "  %-34s %9s %9s %9s  unit\n", "", "p50", "p99", "max");
    row(out, "A frame takes", microseconds(series_percentiles(&run->frame_ns)), "us");
    row(out, "  of processor time", microseconds(series_percentiles(&run->frame_cpu_ns)), "us");
    row(out, "  ticking", microseconds(series_percentiles(&run->tick_ns)), "us");
    row(out, "  the step of the crowd", microseconds(series_percentiles(&run->crowd_ns)), "us");
    row_of_ratios(out, "An arrival takes", tally_percentiles(&run->times), "x the lone walker's time");
    row_of_ratios(out, "  on a way of", tally_percentiles(&run->ways), "x the cheapest");
    row(out, "The longest stand on the way is", tally_percentiles(&run->stuck), "frames");
    fprintf(out, "\n");
    print_wishes(run, out);
    fprintf(out, "  Memory      service %.1f MB, crowd %.1f MB; %" PRIu64 " allocations after creation\n",
            (double)wend_service_bytes(&run->base.def) / 1e6, (double)run->crowd_bytes / 1e6, run->allocations_after);
    print_promises(run, out);
}
