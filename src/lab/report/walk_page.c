/* SPDX-License-Identifier: MIT */
/* The page of agents that walk: their wishes and ways, beside the frames and requests of the service. */
#include <inttypes.h>
#include <stdlib.h>

#include "lab/report/page.h"
#include "lab/report/plot.h"
#include "cli/shared/draw.h"
#include "lab/shared/grouped.h"
#include "cli/shared/messages.h"
#include "lab/run/walk.h"

static const char *as_ratio(uint64_t thousandths, char out[CLI_NUMBER_BYTES]) {
    snprintf(out, CLI_NUMBER_BYTES, "%.2f ×", (double)thousandths / 1000);
    return out;
}

static void write_tiles(FILE *out, const walk_run *run) {
    const uint64_t broken = walk_checker_broken_total(run->watch);
    char text[CLI_NUMBER_BYTES];
    fputs("<div class=\"tiles\">\n", out);
    page_tile(out, GROUPED(run->frame), "frames", false);
    page_tile(out, GROUPED(run->wishes), "wishes", false);
    page_tile(out, GROUPED(run->ends[WEND_AGENT_EVENT_ARRIVED]), "arrived", false);
    page_tile(out, GROUPED(run->ends[WEND_AGENT_EVENT_GAVE_UP] + run->open_wishes), "gave up, or have no end", false);
    page_tile(out, as_ratio(tally_percentiles(&run->times).p50, text), "a lone walker's time, median", false);
    page_tile(out, GROUPED(page_permille(&run->base, WEND_HISTOGRAM_FRAME_US, WEND_BAND_ALL, 990)),
              "µs a tick, 99th percentile", false);
    page_tile(out, broken == 0 ? "none" : GROUPED(broken), "promises broken", broken > 0);
    fputs("</div>\n", out);
}

static void write_head(FILE *out, const walk_run *run) {
    const stress_settings *settings = run->base.settings;
    fputs("<h1>wend stress: agents that walk</h1>\n<p>", out);
    plot_text(out, settings->map_name);
    fprintf(out, ", %" PRId32 " × %" PRId32 " cells; ", run->base.land.width, run->base.land.height);
    fprintf(out, "%s agents had wishes during %s frames", GROUPED(run->count), GROUPED(settings->frames));
    if (settings->budget > 0) fprintf(out, " of at most %s expansions", GROUPED(settings->budget));
    if (settings->budget_us > 0) fprintf(out, " of at most %s µs", GROUPED(settings->budget_us));
    if (run->doors != NULL)
        fprintf(out, "; %s doors opened or closed %s times", GROUPED(walk_doors_count(run->doors)),
                GROUPED(run->doors_changed));
    fprintf(out, "; lanes: %" PRIu32 ", workers: %" PRIu32 ", seed: %" PRIu64 ".</p>\n", run->base.def.lanes,
            run->base.def.workers, settings->seed);
}

/* ---- ways ---- */

/* So many steps at most, a share of 1/SHARES apart. */
enum { SHARES = 200 };

/* Values are `part` of what is above `zero`. */
typedef struct scale {
    size_t zero;
    double part;
} scale;

static double scaled(scale how, size_t value) {
    return value > how.zero ? (double)(value - how.zero) * how.part : 0;
}

static size_t steps_of(const tally *numbers, scale how, plot_step steps[SHARES + 2]) {
    uint64_t seen = 0, next = 1;
    size_t count = 0, last = 0;
    for (size_t i = 0; i < numbers->capacity; i++) {
        if (numbers->counts[i] == 0) continue;
        seen += numbers->counts[i], last = i;
        if (seen * SHARES < next * numbers->total) continue;
        steps[count++] = (plot_step){scaled(how, i), (double)seen / (double)numbers->total};
        next = seen * SHARES / numbers->total + 1;
    }
    if (numbers->total > 0) steps[count++] = (plot_step){scaled(how, last), 1};
    return count;
}

static bool write_ways(FILE *out, const walk_run *run) {
    const scale percent_more = {1000, 0.1}, frames = {0, 1};
    const struct {
        const tally *numbers;
        const char *name;
        scale how;
        int colour;
    } rows[] = {{&run->times, "time, beyond that of a walker alone", percent_more, 0},
                {&run->ways, "way, beyond the cheapest", percent_more, 2},
                {&run->stuck, "longest stand on the way", frames, 1}};
    plot_step(*steps)[SHARES + 2] = malloc(3 * sizeof *steps);
    if (steps == NULL) return false;
    plot_share lines[3];
    for (size_t i = 0; i < 3; i++)
        lines[i] =
            (plot_share){rows[i].name, steps[i], steps_of(rows[i].numbers, rows[i].how, steps[i]), rows[i].colour};
    plot_shares(out, "Time and way of an arrival", "% of arrivals", "% more, at most (logarithmic)", lines, 2);
    plot_shares(out, "Standing on the way", "% of wishes", "frames, at most (logarithmic)", lines + 2, 1);
    free(steps);
    return true;
}

static void write_ends(FILE *out, const walk_run *run) {
    plot_bar bars[3 + WEND_WHY_LIMIT + 2];
    size_t count = 0;
    bars[count++] = (plot_bar){"arrived", (double)run->ends[WEND_AGENT_EVENT_ARRIVED], 2};
    if (run->ends[WEND_AGENT_EVENT_PARTIAL] > 0)
        bars[count++] = (plot_bar){"as near as it gets", (double)run->ends[WEND_AGENT_EVENT_PARTIAL], 4};
    for (int32_t why = WEND_WHY_NO_PATH; why <= WEND_WHY_LIMIT; why++)
        if (run->whys[why] > 0) bars[count++] = (plot_bar){wend_agent_why_name(why), (double)run->whys[why], 1};
    if (run->open_wishes > 0) bars[count++] = (plot_bar){"no end", (double)run->open_wishes, 3};
    plot_bars(out, "What became of the wishes", "wishes", bars, count);
}

/* ---- the page ---- */

static void write_promises(FILE *out, const walk_run *run) {
    page_promises_begin(out);
    for (int i = 0; i < WALK_PROMISE_COUNT; i++)
        page_promise(out, walk_promise_name(i), walk_promise_text(i), walk_checker_checked(run->watch, i),
                     walk_checker_broken(run->watch, i));
    page_promises_end(out, "positions", run->hash);
}

static bool write_all(FILE *out, walk_run *run) {
    page_begin(out, "wend stress --walk");
    write_head(out, run);
    write_tiles(out, run);
    fputs("<h2>Agents</h2><div class=\"plots\">\n", out);
    bool ok =
        page_series(out, &run->wishing, 1, "Agents on their way at the end of a frame", "agents", "on their way", 0) &&
        page_series(out, &run->crowd_ns, 0.001, "The crowd's step of a frame", "µs", "step of the crowd", 4) &&
        write_ways(out, run);
    write_ends(out, run);
    fputs("</div>\n", out);
    ok = ok && page_map(out, &run->base);
    fputs("<h2>Frames of the service</h2><div class=\"plots\">\n", out);
    ok = ok && page_frames(out, &run->base);
    fputs("</div><h2>Requests of the crowd</h2><div class=\"plots\">\n", out);
    ok = ok && page_requests(out, &run->base);
    fputs("</div>\n", out);
    page_waits(out, &run->base);
    page_work(out, &run->base);
    write_promises(out, run);
    page_end(out);
    return ok;
}

/* The crowd's requests are the service's to count. */
static void take_counts(stress_run *base) {
    wend_stats stats = {.struct_bytes = sizeof stats};
    wend_service_get_stats(base->service, &stats);
    for (int32_t i = 0; i < WEND_STATUS_COUNT; i++) base->statuses[i] = stats.statuses[i];
    base->busy = stats.refused_busy;
}

int walk_page_write(walk_run *run) {
    take_counts(&run->base);
    const bool ok = write_all(run->base.report, run);
    const int status = cli_close_output(run->base.report, run->base.settings->report_name);
    run->base.report = NULL;
    return ok ? status : cli_fail("out of memory for the report");
}
