/* SPDX-License-Identifier: MIT */
/* Writes the page of a run: what it was, its frames and requests, the map, its promises. */
#include <inttypes.h>

#include "report/plot.h"
#include "report/report.h"
#include "shared/grouped.h"

/* ---- the head ---- */

static void write_tile(FILE *out, const char *value, const char *what, bool bad) {
    fprintf(out, "<div class=\"tile%s\"><b>%s</b><span>%s</span></div>\n", bad ? " bad" : "", value, what);
}

static void tile(FILE *out, uint64_t number, const char *what) {
    write_tile(out, GROUPED(number), what, false);
}

static uint64_t permille_of(const lab_run *run, int32_t kind, int32_t band, uint32_t permille) {
    wend_histogram histogram = {.struct_bytes = sizeof histogram};
    wend_figures_get_histogram(run->figures, kind, band, &histogram);
    return wend_histogram_percentile(&histogram, permille);
}

static void write_head(FILE *out, const lab_run *run) {
    const lab_settings *settings = run->settings;
    fprintf(out, "<h1>wend stress: %s</h1>\n<p>", settings->walk ? "agents that walk" : settings->scenario->name);
    plot_text(out, settings->map_name);
    fprintf(out, ", %" PRId32 " × %" PRId32 " cells; ", run->land.width, run->land.height);
    fprintf(out, "%s %s during %s", COUNTED(settings->agents, "agent"),
            settings->walk ? "had goals" : "asked for paths", COUNTED(settings->frames, "frame"));
    if (settings->budget > 0) fprintf(out, " of at most %s expansions", GROUPED(settings->budget));
    if (settings->budget_us > 0) fprintf(out, " of at most %s µs", GROUPED(settings->budget_us));
    if (run->doors)
        fprintf(out, "; %s doors opened or closed %s times", GROUPED(walk_doors_count(run->doors)),
                GROUPED(run->edits));
    fprintf(out, "; lanes: %" PRIu32 ", workers: %" PRIu32 ", seed: %" PRIu64 ".</p>\n<div class=\"tiles\">\n",
            run->tuning.lanes, run->def.workers, settings->seed);
}

static void write_tiles(FILE *out, const lab_run *run) {
    tile(out, run->frame, "frames");
    tile(out, run->completed, "requests answered");
    tile(out, run->busy, "requests refused: queue full");
    tile(out, permille_of(run, WEND_HISTOGRAM_FRAME_US, WEND_BAND_ALL, 990), "µs a frame, 99th percentile");
    tile(out, permille_of(run, WEND_HISTOGRAM_LATENCY, WEND_BAND_ALL, 500), "frames to an answer, median");
    tile(out, permille_of(run, WEND_HISTOGRAM_LATENCY, WEND_BAND_COUNT - 1, 990),
         "frames to an urgent answer, 99th percentile");
}

static void write_tiles_of_crowd(FILE *out, lab_run *run) {
    char ratio[CLI_NUMBER_BYTES];
    snprintf(ratio, sizeof ratio, "%.2f ×", (double)series_percentiles(&run->times).p50 / 1000);
    tile(out, run->frame, "frames");
    tile(out, run->goals, "goals");
    tile(out, run->ends[WEND_AGENT_EVENT_ARRIVED], "arrived");
    tile(out, run->ends[WEND_AGENT_EVENT_GAVE_UP] + run->open_goals, "gave up, or have no end");
    write_tile(out, ratio, "a lone walker's time, median", false);
    tile(out, permille_of(run, WEND_HISTOGRAM_FRAME_US, WEND_BAND_ALL, 990), "µs a tick, 99th percentile");
}

/* ---- promises ---- */

static void write_promises(FILE *out, const lab_run *run) {
    fputs("<h2>Promises</h2><div class=\"card wide\"><table><tr><th>promise</th><th></th><th>checked</th>"
          "<th>broken</th></tr>\n",
          out);
    for (int i = 0; i < PROMISE_COUNT; i++) {
        const uint64_t broken = run->promises.broken[i];
        if (!promise_applies(&run->promises, i)) continue;
        fprintf(out, "<tr%s><td>%s</td><td class=\"text\">", broken > 0 ? " class=\"broken\"" : "", promise_name(i));
        plot_text(out, promise_text(i));
        fprintf(out, "</td><td>%s</td><td>%s</td></tr>\n", GROUPED(run->promises.checked[i]), GROUPED(broken));
    }
    fprintf(out, "</table></div>\n<p>Hash over all %s: <code>%016" PRIx64 "</code></p>\n",
            run->settings->walk ? "positions" : "completions", run->hash);
}

/* ---- the page ---- */

static wend_error write_bytes(void *file, const void *bytes, size_t size) {
    return fwrite(bytes, 1, size, file) == size ? WEND_OK : WEND_IO;
}

static bool write_map(FILE *out, const lab_run *run) {
    fputs("<h2>The map</h2><figure class=\"card map wide\">\n", out);
    lab_picture made;
    wend_error error = lab_picture_open(run, &made) ? WEND_OK : WEND_OUT_OF_MEMORY;
    made.picture.format = WEND_PICTURE_SVG;
    made.picture.legend = WEND_LEGEND_BELOW;
    if (error == WEND_OK) error = wend_picture_write(&made.picture, write_bytes, out);
    lab_picture_close(&made);
    if (error == WEND_UNSUPPORTED) fputs("<p>The map is too large for a picture.</p>", out);
    fputs("</figure>\n", out);
    return error == WEND_OK || error == WEND_UNSUPPORTED;
}

static bool write_service(FILE *out, const lab_run *run) {
    const bool walk = run->settings->walk;
    fprintf(out, "<h2>Frames%s</h2><div class=\"plots\">\n", walk ? " of the service" : "");
    bool good = page_frames(out, run);
    fprintf(out, "</div><h2>Requests%s</h2><div class=\"plots\">\n", walk ? " of the crowd" : "");
    good = good && page_requests(out, run);
    fputs("</div>\n", out);
    page_waits(out, run);
    page_work(out, run);
    return good;
}

bool report_page(lab_run *run, FILE *out) {
    const bool walk = run->settings->walk;
    const uint64_t broken = promises_broken(&run->promises);
    page_begin(out, walk ? "wend stress --walk" : "wend stress");
    write_head(out, run);
    if (walk)
        write_tiles_of_crowd(out, run);
    else
        write_tiles(out, run);
    write_tile(out, broken == 0 ? "none" : GROUPED(broken), "promises broken", broken > 0);
    fputs("</div>\n", out);
    const bool good = walk ? page_agents(out, run) && write_map(out, run) && write_service(out, run)
                           : write_service(out, run) && write_map(out, run);
    write_promises(out, run);
    page_end(out);
    return good;
}
