/* SPDX-License-Identifier: MIT */
/* Writes the page of a stress run: what it was, plots of its frames and requests, its promises, the map. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/page.h"
#include "cli/report/plot.h"
#include "cli/shared/draw.h"
#include "cli/shared/grouped.h"
#include "cli/shared/messages.h"

/* ---- the head ---- */

static void tile(FILE *out, const char *value, const char *what, bool bad) {
    fprintf(out, "<div class=\"tile%s\"><b>%s</b><span>%s</span></div>\n", bad ? " bad" : "", value, what);
}

static uint64_t permille_of(const stress_run *run, int32_t kind, int32_t band, uint32_t permille) {
    wend_histogram histogram = {.struct_bytes = sizeof histogram};
    wend_figures_get_histogram(run->figures, kind, band, &histogram);
    return wend_histogram_percentile(&histogram, permille);
}

static void write_head(FILE *out, const stress_run *run) {
    const stress_settings *settings = run->settings;
    const uint64_t broken = checker_broken_total(run->watch);
    fprintf(out, "<h1>wend stress: %s</h1>\n<p>", settings->scenario->name);
    plot_text(out, settings->map_name);
    fprintf(out, ", %" PRId32 " × %" PRId32 " cells; ", run->land.width, run->land.height);
    fprintf(out, "%s agents asked for paths during %s frames", GROUPED(settings->agents), GROUPED(settings->frames));
    if (settings->budget > 0) fprintf(out, " of at most %s expansions", GROUPED(settings->budget));
    if (settings->budget_us > 0) fprintf(out, " of at most %s µs", GROUPED(settings->budget_us));
    fprintf(out, "; lanes: %" PRIu32 ", workers: %" PRIu32 ", seed: %" PRIu64 ".</p>\n<div class=\"tiles\">\n",
            run->def.lanes, run->def.workers, settings->seed);
    tile(out, GROUPED(run->frame), "frames", false);
    tile(out, GROUPED(run->completed), "requests answered", false);
    tile(out, GROUPED(run->busy), "requests refused: queue full", false);
    tile(out, GROUPED(permille_of(run, WEND_HISTOGRAM_FRAME_US, WEND_BAND_ALL, 990)), "µs a frame, 99th percentile",
         false);
    tile(out, GROUPED(permille_of(run, WEND_HISTOGRAM_LATENCY, WEND_BAND_ALL, 500)), "frames to an answer, median",
         false);
    tile(out, GROUPED(permille_of(run, WEND_HISTOGRAM_LATENCY, WEND_BAND_COUNT - 1, 990)),
         "frames to an urgent answer, 99th percentile", false);
    tile(out, broken == 0 ? "none" : GROUPED(broken), "promises broken", broken > 0);
    fputs("</div>\n", out);
}

/* ---- frames ---- */

typedef double frame_value(const wend_frame_record *record);

static double expansions_of(const wend_frame_record *record) {
    return (double)record->expansions;
}
static double all_us(const wend_frame_record *record) {
    return (double)(record->ended_ns - record->began_ns) / 1000;
}
static double intake_us(const wend_frame_record *record) {
    return (double)(record->intake_ns - record->began_ns) / 1000;
}
static double rounds_us(const wend_frame_record *record) {
    return (double)(record->rounds_ns - record->intake_ns) / 1000;
}
static double delivery_us(const wend_frame_record *record) {
    return (double)(record->ended_ns - record->rounds_ns) / 1000;
}
static double waiting_of(const wend_frame_record *record) {
    return (double)record->waiting;
}
static double running_of(const wend_frame_record *record) {
    return (double)record->running;
}
static double answers_of(const wend_frame_record *record) {
    return (double)record->deliveries;
}
static double intakes_of(const wend_frame_record *record) {
    return (double)record->intakes;
}

typedef struct frame_line {
    const char *name;
    frame_value *value;
    int colour;
    bool filled;
} frame_line;

typedef struct frame_plot {
    const char *title, *unit;
    frame_line lines[4];
    bool of_expansions, of_time; /* which budget limits it */
} frame_plot;

static const frame_plot frame_plots[] = {
    {"Cost of a frame against its budget", "expansions", {{"expansions", expansions_of, 0, true}}, true, false},
    {"Time of a frame",
     "µs",
     {{"all", all_us, 0, false},
      {"rounds", rounds_us, 1, false},
      {"intake", intake_us, 2, false},
      {"delivery", delivery_us, 3, false}},
     false,
     true},
    {"Queue depth at the end of a frame",
     "requests",
     {{"waiting", waiting_of, 0, true}, {"in search", running_of, 1, false}},
     false,
     false},
    {"Requests a frame",
     "requests",
     {{"answered", answers_of, 2, false}, {"taken in", intakes_of, 1, false}},
     false,
     false},
};

static bool write_frame_plot(FILE *out, const stress_run *run, const frame_plot *what, const wend_frame_record *records,
                             size_t count) {
    enum { LINES = sizeof what->lines / sizeof what->lines[0] };
    double *values = malloc(count * LINES * sizeof *values);
    if (values == NULL) return false;
    plot_line lines[LINES];
    plot drawn = {.title = what->title,
                  .unit = what->unit,
                  .lines = lines,
                  .count = count,
                  .first_x = records[0].frame,
                  .limit = -1,
                  .limit_name = "budget"};
    for (; drawn.line_count < LINES && what->lines[drawn.line_count].name != NULL; drawn.line_count++) {
        const frame_line *line = &what->lines[drawn.line_count];
        double *row = values + drawn.line_count * count;
        for (size_t i = 0; i < count; i++) row[i] = line->value(&records[i]);
        lines[drawn.line_count] = (plot_line){line->name, row, line->colour, line->filled};
    }
    if (what->of_expansions && run->settings->budget > 0) drawn.limit = (double)run->settings->budget;
    if (what->of_time && run->settings->budget_us > 0) drawn.limit = (double)run->settings->budget_us;
    plot_frames(out, &drawn);
    free(values);
    return true;
}

static bool write_frames(FILE *out, const stress_run *run) {
    wend_frame_record *records = malloc(STRESS_FRAMES_MAX * sizeof *records);
    if (records == NULL) return false;
    const size_t count = wend_figures_get_frames(run->figures, 0, records, sizeof *records, STRESS_FRAMES_MAX);
    bool ok = true;
    for (size_t i = 0; i < sizeof frame_plots / sizeof frame_plots[0] && ok && count > 0; i++)
        ok = write_frame_plot(out, run, &frame_plots[i], records, count);
    free(records);
    return ok;
}

/* ---- requests ---- */

static const char *const band_names[WEND_BAND_COUNT] = {"urgency below −600", "−600 to −201", "−200 to 200",
                                                        "201 to 600", "urgency above 600"};

static const int band_colours[WEND_BAND_COUNT] = {5, 2, 0, 3, 1};

static size_t steps_of(const wend_histogram *histogram, plot_step steps[WEND_HISTOGRAM_BUCKETS]) {
    uint64_t seen = 0;
    size_t count = 0;
    for (uint32_t i = 0; i < WEND_HISTOGRAM_BUCKETS; i++) {
        if (histogram->counts[i] == 0) continue;
        seen += histogram->counts[i];
        const uint64_t top = wend_histogram_top(i) < histogram->max ? wend_histogram_top(i) : histogram->max;
        steps[count++] = (plot_step){(double)top, (double)seen / (double)histogram->total};
    }
    return count;
}

static bool write_shares(FILE *out, const stress_run *run, int32_t kind, const char *title, const char *unit) {
    plot_step(*steps)[WEND_HISTOGRAM_BUCKETS] = malloc(WEND_BAND_COUNT * sizeof *steps);
    if (steps == NULL) return false;
    plot_share lines[WEND_BAND_COUNT];
    size_t count = 0;
    for (int32_t band = WEND_BAND_COUNT - 1; band >= 0; band--) {
        wend_histogram histogram = {.struct_bytes = sizeof histogram};
        wend_figures_get_histogram(run->figures, kind, band, &histogram);
        if (histogram.total == 0) continue;
        lines[count] =
            (plot_share){band_names[band], steps[count], steps_of(&histogram, steps[count]), band_colours[band]};
        count++;
    }
    plot_shares(out, title, unit, lines, count);
    free(steps);
    return true;
}

static void write_statuses(FILE *out, const stress_run *run) {
    plot_bar bars[WEND_STATUS_COUNT + 1];
    size_t count = 0;
    for (int32_t i = 1; i < WEND_STATUS_COUNT; i++)
        if (run->statuses[i] > 0)
            bars[count++] = (plot_bar){wend_status_name(i), (double)run->statuses[i], i == WEND_STATUS_FOUND ? 2 : 1};
    if (run->busy > 0) bars[count++] = (plot_bar){"refused (busy)", (double)run->busy, 3};
    plot_bars(out, "Outcomes", "requests", bars, count);
}

static void write_threads(FILE *out, const stress_run *run) {
    enum { MOST = WEND_MAX_WORKERS + 1 };
    plot_bar bars[MOST];
    char names[MOST][24];
    for (uint32_t i = 0; i <= run->def.workers; i++) {
        snprintf(names[i], sizeof names[i], i == 0 ? "ticking thread" : "worker %u", (unsigned)i);
        bars[i] = (plot_bar){names[i], (double)wend_service_get_slices(run->service, i), i == 0 ? 0 : 4};
    }
    plot_bars(out, "Slices by thread", "slices", bars, (size_t)run->def.workers + 1);
}

static void write_waits(FILE *out, const stress_run *run) {
    static const struct {
        int32_t kind;
        const char *name;
    } rows[] = {{WEND_HISTOGRAM_WAIT, "first slice after, frames"}, {WEND_HISTOGRAM_LATENCY, "answer after, frames"}};
    fputs("<h2>Waiting by urgency</h2><div class=\"card wide\"><table><tr><th></th><th>requests</th><th>p50</th>"
          "<th>p99</th><th>p99.9</th><th>max</th></tr>\n",
          out);
    for (int32_t band = WEND_BAND_COUNT - 1; band >= 0; band--) {
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            wend_histogram histogram = {.struct_bytes = sizeof histogram};
            wend_figures_get_histogram(run->figures, rows[i].kind, band, &histogram);
            if (histogram.total == 0) continue;
            fprintf(out, "<tr><td>%s: %s</td><td>%s</td><td>%s</td>", band_names[band], rows[i].name,
                    GROUPED(histogram.total), GROUPED(wend_histogram_percentile(&histogram, 500)));
            fprintf(out, "<td>%s</td><td>%s</td><td>%s</td></tr>\n",
                    GROUPED(wend_histogram_percentile(&histogram, 990)),
                    GROUPED(wend_histogram_percentile(&histogram, 999)), GROUPED(histogram.max));
        }
    }
    fputs("</table></div>\n", out);
}

static void write_promises(FILE *out, const stress_run *run) {
    fputs("<h2>Promises</h2><div class=\"card wide\"><table><tr><th>promise</th><th></th><th>checked</th>"
          "<th>broken</th></tr>\n",
          out);
    for (int i = 0; i < CHECKER_PROMISE_COUNT; i++) {
        if (!checker_applies(run->watch, i)) continue;
        const uint64_t broken = checker_broken(run->watch, i);
        fprintf(out, "<tr%s><td>%s</td><td class=\"text\">", broken > 0 ? " class=\"broken\"" : "", checker_name(i));
        plot_text(out, checker_text(i));
        fprintf(out, "</td><td>%s</td><td>%s</td></tr>\n", GROUPED(checker_checked(run->watch, i)), GROUPED(broken));
    }
    fprintf(out, "</table></div>\n<p>Hash over all completions: <code>%016" PRIx64 "</code></p>\n", run->hash);
}

/* ---- the page ---- */

static bool write_map(FILE *out, stress_run *run) {
    fputs("<h2>The map</h2><figure class=\"card map wide\">\n", out);
    stress_picture made;
    wend_error error = stress_picture_open(run, &made) ? WEND_OK : WEND_OUT_OF_MEMORY;
    made.picture.format = WEND_PICTURE_SVG;
    made.picture.legend = WEND_LEGEND_BELOW;
    if (error == WEND_OK) error = wend_picture_write(&made.picture, cli_write_to_file, out);
    stress_picture_close(&made);
    if (error == WEND_UNSUPPORTED) fputs("<p>The map is too large for a picture.</p>", out);
    fputs("</figure>\n", out);
    return error == WEND_OK || error == WEND_UNSUPPORTED;
}

static bool write_all(FILE *out, stress_run *run) {
    page_begin(out, "wend stress");
    write_head(out, run);
    fputs("<h2>Frames</h2><div class=\"plots\">\n", out);
    bool ok = write_frames(out, run);
    fputs("</div><h2>Requests</h2><div class=\"plots\">\n", out);
    ok = ok && write_shares(out, run, WEND_HISTOGRAM_WAIT, "Waiting for the first slice, by urgency",
                            "frames, at most (logarithmic)");
    ok = ok && write_shares(out, run, WEND_HISTOGRAM_EXPANSIONS, "Expansions of a request, by urgency",
                            "expansions, at most (logarithmic)");
    write_statuses(out, run);
    write_threads(out, run);
    fputs("</div>\n", out);
    write_waits(out, run);
    ok = ok && write_map(out, run);
    write_promises(out, run);
    page_end(out);
    return ok;
}

int page_write(stress_run *run, const char *name) {
    FILE *out = fopen(name, "w");
    if (out == NULL) return cli_fail_at(name, 0, 0, "%s", strerror(errno));
    const bool ok = write_all(out, run);
    const int status = cli_close_output(out, name);
    return ok ? status : cli_fail("out of memory for the report");
}
