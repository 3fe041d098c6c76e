/* SPDX-License-Identifier: MIT */
/* Writes the page of a stress run: what it was, its promises, the map; and the parts that other pages share. */
#include <inttypes.h>

#include "lab/report/page.h"
#include "lab/report/plot.h"
#include "cli/shared/draw.h"
#include "lab/shared/grouped.h"
#include "cli/shared/messages.h"

/* ---- the head ---- */

void page_tile(FILE *out, const char *value, const char *what, bool bad) {
    fprintf(out, "<div class=\"tile%s\"><b>%s</b><span>%s</span></div>\n", bad ? " bad" : "", value, what);
}

uint64_t page_permille(const stress_run *run, int32_t kind, int32_t band, uint32_t permille) {
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
    page_tile(out, GROUPED(run->frame), "frames", false);
    page_tile(out, GROUPED(run->completed), "requests answered", false);
    page_tile(out, GROUPED(run->busy), "requests refused: queue full", false);
    page_tile(out, GROUPED(page_permille(run, WEND_HISTOGRAM_FRAME_US, WEND_BAND_ALL, 990)),
              "µs a frame, 99th percentile", false);
    page_tile(out, GROUPED(page_permille(run, WEND_HISTOGRAM_LATENCY, WEND_BAND_ALL, 500)),
              "frames to an answer, median", false);
    page_tile(out, GROUPED(page_permille(run, WEND_HISTOGRAM_LATENCY, WEND_BAND_COUNT - 1, 990)),
              "frames to an urgent answer, 99th percentile", false);
    page_tile(out, broken == 0 ? "none" : GROUPED(broken), "promises broken", broken > 0);
    fputs("</div>\n", out);
}

/* ---- promises ---- */

void page_promise(FILE *out, const char *name, const char *text, uint64_t checked, uint64_t broken) {
    fprintf(out, "<tr%s><td>%s</td><td class=\"text\">", broken > 0 ? " class=\"broken\"" : "", name);
    plot_text(out, text);
    fprintf(out, "</td><td>%s</td><td>%s</td></tr>\n", GROUPED(checked), GROUPED(broken));
}

void page_promises_begin(FILE *out) {
    fputs("<h2>Promises</h2><div class=\"card wide\"><table><tr><th>promise</th><th></th><th>checked</th>"
          "<th>broken</th></tr>\n",
          out);
}

void page_promises_end(FILE *out, const char *of, uint64_t hash) {
    fprintf(out, "</table></div>\n<p>Hash over all %s: <code>%016" PRIx64 "</code></p>\n", of, hash);
}

static void write_promises(FILE *out, const stress_run *run) {
    page_promises_begin(out);
    for (int i = 0; i < CHECKER_PROMISE_COUNT; i++)
        if (checker_applies(run->watch, i))
            page_promise(out, checker_name(i), checker_text(i), checker_checked(run->watch, i),
                         checker_broken(run->watch, i));
    page_promises_end(out, "completions", run->hash);
}

/* ---- the page ---- */

bool page_map(FILE *out, const stress_run *run) {
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
    bool ok = page_frames(out, run);
    fputs("</div><h2>Requests</h2><div class=\"plots\">\n", out);
    ok = ok && page_requests(out, run);
    fputs("</div>\n", out);
    page_waits(out, run);
    page_work(out, run);
    ok = ok && page_map(out, run);
    write_promises(out, run);
    page_end(out);
    return ok;
}

int page_write(stress_run *run) {
    const bool ok = write_all(run->report, run);
    const int status = cli_close_output(run->report, run->settings->report_name);
    run->report = NULL;
    return ok ? status : cli_fail("out of memory for the report");
}
