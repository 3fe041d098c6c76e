/* SPDX-License-Identifier: MIT */
/* The parts of a page about requests: shares over waits, outcomes, threads, a table of waits. */
#include <stdlib.h>

#include "report/report.h"
#include "report/plot.h"
#include "shared/grouped.h"
#include <wend/control.h>

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

static bool write_shares(FILE *out, const lab_run *run, int32_t kind, const char *title, const char *unit) {
    plot_step(*steps)[WEND_HISTOGRAM_BUCKETS] = malloc(WEND_BAND_COUNT * sizeof *steps);
    if (!steps) return false;
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
    plot_shares(out, title, "% of requests", unit, lines, count);
    free(steps);
    return true;
}

static void write_statuses(FILE *out, const lab_run *run) {
    plot_bar bars[WEND_STATUS_COUNT + 2];
    size_t count = 0;
    wend_stats stats = {.struct_bytes = sizeof stats};
    wend_service_get_stats(run->service, &stats);
    for (int32_t i = 1; i < WEND_STATUS_COUNT; i++)
        if (run->statuses[i] > 0)
            bars[count++] = (plot_bar){wend_status_name(i), (double)run->statuses[i], i == WEND_STATUS_FOUND ? 2 : 1};
    if (stats.shared > 0) bars[count++] = (plot_bar){"by a shared search", (double)stats.shared, 0};
    if (run->busy > 0) bars[count++] = (plot_bar){"refused (busy)", (double)run->busy, 3};
    plot_bars(out, "Outcomes", "requests", bars, count);
}

static void write_threads(FILE *out, const lab_run *run) {
    enum { MOST = WEND_MAX_WORKERS + 1 };
    plot_bar bars[MOST];
    char names[MOST][24];
    for (uint32_t i = 0; i <= run->def.workers; i++) {
        snprintf(names[i], sizeof names[i], i == 0 ? "ticking thread" : "worker %u", (unsigned)i);
        bars[i] = (plot_bar){names[i], (double)wend_service_get_slices(run->service, i), i == 0 ? 0 : 4};
    }
    plot_bars(out, "Slices by thread", "slices", bars, (size_t)run->def.workers + 1);
}

void page_waits(FILE *out, const lab_run *run) {
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

bool page_requests(FILE *out, const lab_run *run) {
    const bool ok = write_shares(out, run, WEND_HISTOGRAM_WAIT, "Waiting for the first slice, by urgency",
                                 "frames, at most (logarithmic)") &&
                    write_shares(out, run, WEND_HISTOGRAM_EXPANSIONS, "Expansions of a request, by urgency",
                                 "expansions, at most (logarithmic)");
    write_statuses(out, run);
    write_threads(out, run);
    return ok;
}

static double percent(uint64_t part, uint64_t all) {
    return all > 0 ? 100.0 * (double)part / (double)all : 0;
}

void page_work(FILE *out, const lab_run *run) {
    const work_sum sum = work_of(run->figures);
    if (sum.all_expansions == 0) return;
    fputs("<h2>Work by engine</h2><div class=\"card wide\"><table><tr><th></th><th>expansions</th><th>%</th><th>ms</th>"
          "<th>%</th><th>ns each</th></tr>\n",
          out);
    for (int i = 0; i < WEND_WORK_COUNT; i++) {
        if (sum.expansions[i] == 0) continue;
        fprintf(out, "<tr><td>%s</td><td>%s</td><td>%.1f</td><td>%.1f</td><td>%.1f</td><td>%.1f</td></tr>\n",
                work_text(i), GROUPED(sum.expansions[i]), percent(sum.expansions[i], sum.all_expansions),
                (double)sum.ns[i] / 1e6, percent(sum.ns[i], sum.all_ns), work_ns_each(&sum, i));
    }
    fputs("</table>", out);
    for (int32_t i = WEND_GENERAL_NONE + 1; i < WEND_GENERAL_COUNT; i++)
        if (sum.general[i] > 0)
            fprintf(out, "<p>%s answers by the general A*, because: %s.</p>\n", GROUPED(sum.general[i]),
                    wend_general_text(i));
    fputs("</div>\n", out);
}
