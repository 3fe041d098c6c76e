/* SPDX-License-Identifier: MIT */
/* The plots of a page over frames: cost against the budget, time, queue depth, requests. */
#include <stdlib.h>

#include "report/report.h"
#include "report/plot.h"

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
static double shared_of(const wend_frame_record *record) {
    return (double)record->shared;
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
     {{"answered", answers_of, 2, false},
      {"taken in", intakes_of, 1, false},
      {"by shared searches", shared_of, 3, false}},
     false,
     false},
};

static bool write_frame_plot(FILE *out, const lab_run *run, const frame_plot *what, const wend_frame_record *records,
                             size_t count) {
    enum { LINES = sizeof what->lines / sizeof what->lines[0] };
    double *values = malloc(count * LINES * sizeof *values);
    if (!values) return false;
    plot_line lines[LINES];
    plot drawn = {.title = what->title,
                  .unit = what->unit,
                  .lines = lines,
                  .count = count,
                  .first_x = records[0].frame,
                  .limit = -1,
                  .limit_name = "budget"};
    for (; drawn.line_count < LINES && what->lines[drawn.line_count].name; drawn.line_count++) {
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

bool page_series(FILE *out, const series *values, double scale, const char *title, const char *unit, const char *name,
                 int colour) {
    double *row = malloc((values->count + 1) * sizeof *row);
    if (!row) return false;
    for (size_t i = 0; i < values->count; i++) row[i] = (double)values->values[i] * scale;
    const plot_line line = {name, row, colour, true};
    const plot drawn = {.title = title,
                        .unit = unit,
                        .lines = &line,
                        .line_count = 1,
                        .count = values->count,
                        .first_x = 1,
                        .limit = -1};
    plot_frames(out, &drawn);
    free(row);
    return true;
}

bool page_frames(FILE *out, const lab_run *run) {
    wend_frame_record *records = malloc(LAB_FRAMES_MAX * sizeof *records);
    if (!records) return false;
    const size_t count = wend_figures_get_frames(run->figures, 0, records, sizeof *records, LAB_FRAMES_MAX);
    bool ok = true;
    for (size_t i = 0; i < sizeof frame_plots / sizeof frame_plots[0] && ok && count > 0; i++)
        ok = write_frame_plot(out, run, &frame_plots[i], records, count);
    free(records);
    return ok && page_series(out, &run->frame_cpu_ns, 0.001, "Processor time of a frame", "µs", "all threads", 5);
}
