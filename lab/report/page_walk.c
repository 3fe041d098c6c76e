/* SPDX-License-Identifier: MIT */
/* The part of a page about agents that walk: how many do, their ways, what became of their goals. */
#include <stdlib.h>

#include "report/plot.h"
#include "report/report.h"

/* ---- ways ---- */

/* Number of steps at most, each a share of 1/SHARES. */
enum { SHARES = 200 };

/* Values are `part` of what is above `zero`. */
typedef struct scale {
    uint64_t zero;
    double part;
} scale;

static double scaled(scale how, uint64_t value) {
    return value > how.zero ? (double)(value - how.zero) * how.part : 0;
}

static size_t steps_of(series *numbers, scale how, plot_step steps[SHARES + 2]) {
    const uint64_t *values = numbers->values, total = numbers->count;
    uint64_t next = 1;
    size_t count = 0;
    series_sort(numbers);
    for (size_t seen = 1; seen <= total; seen++) {
        if (seen < total && values[seen] == values[seen - 1]) continue;
        if (seen * SHARES < next * total) continue;
        steps[count++] = (plot_step){scaled(how, values[seen - 1]), (double)seen / (double)total};
        next = seen * SHARES / total + 1;
    }
    if (total > 0) steps[count++] = (plot_step){scaled(how, values[total - 1]), 1};
    return count;
}

static bool write_ways(FILE *out, lab_run *run) {
    const scale percent_more = {1000, 0.1}, frames = {0, 1};
    const struct {
        series *numbers;
        const char *name;
        scale how;
        int colour;
    } rows[] = {{&run->times, "time, beyond that of a walker alone", percent_more, 0},
                {&run->ways, "way, beyond the cheapest", percent_more, 2},
                {&run->stuck, "longest stand on the way", frames, 1}};
    plot_step(*steps)[SHARES + 2] = malloc(3 * sizeof *steps);
    if (!steps) return false;
    plot_share lines[3];
    for (size_t i = 0; i < 3; i++)
        lines[i] =
            (plot_share){rows[i].name, steps[i], steps_of(rows[i].numbers, rows[i].how, steps[i]), rows[i].colour};
    plot_shares(out, "Time and way of an arrival", "% of arrivals", "% more, at most (logarithmic)", lines, 2);
    plot_shares(out, "Standing on the way", "% of goals", "frames, at most (logarithmic)", lines + 2, 1);
    free(steps);
    return true;
}

static void write_ends(FILE *out, const lab_run *run) {
    plot_bar bars[3 + WEND_WHY_LIMIT + 2];
    size_t count = 0;
    bars[count++] = (plot_bar){"arrived", (double)run->ends[WEND_AGENT_EVENT_ARRIVED], 2};
    if (run->ends[WEND_AGENT_EVENT_PARTIAL] > 0)
        bars[count++] = (plot_bar){"as near as it gets", (double)run->ends[WEND_AGENT_EVENT_PARTIAL], 4};
    for (int32_t why = WEND_WHY_NO_PATH; why <= WEND_WHY_LIMIT; why++)
        if (run->whys[why] > 0) bars[count++] = (plot_bar){wend_agent_why_name(why), (double)run->whys[why], 1};
    if (run->open_goals > 0) bars[count++] = (plot_bar){"no end", (double)run->open_goals, 3};
    plot_bars(out, "What became of the goals", "goals", bars, count);
}

bool page_agents(FILE *out, lab_run *run) {
    fputs("<h2>Agents</h2><div class=\"plots\">\n", out);
    const bool good =
        page_series(out, &run->pursuing, 1, "Agents on their way at the end of a frame", "agents", "on their way", 0) &&
        page_series(out, &run->step_ns, 0.001, "The crowd's step of a frame", "µs", "step of the crowd", 4) &&
        write_ways(out, run);
    write_ends(out, run);
    fputs("</div>\n", out);
    return good;
}
