/* SPDX-License-Identifier: MIT */
/* Draws plots: axes with round numbers, lines, bands, bars. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot.h"

enum { WIDTH = 480, HEIGHT = 230, LEFT = 46, RIGHT = 14, TOP = 30, BOTTOM = 36, COLUMNS = 240 };

static const int plot_width = WIDTH - LEFT - RIGHT, plot_height = HEIGHT - TOP - BOTTOM;

void plot_text(FILE *out, const char *text) {
    for (; *text != 0; text++) {
        switch (*text) {
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '&': fputs("&amp;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc(*text, out);
        }
    }
}

/* A number in few letters: 950, 1.2k, 3.4M. */
static const char *plot_number(double value, char text[24]) {
    static const char suffixes[] = " kMGT";
    int suffix = 0;
    for (; fabs(value) >= 999.5 && suffix < 4; suffix++) value /= 1000;
    if (suffix == 0)
        snprintf(text, 24, value == floor(value) ? "%.0f" : "%.2f", value);
    else
        snprintf(text, 24, fabs(value) < 9.95 && value != floor(value) ? "%.1f%c" : "%.0f%c", value, suffixes[suffix]);
    return text;
}

#define NUMBER(value) plot_number(value, (char[24]){0})

/* The next of 1, 2, 5, 10 … times a power of ten, from `least` on. */
static double round_step(double least) {
    const double power = pow(10, floor(log10(least > 0 ? least : 1)));
    static const double steps[] = {1, 2, 5, 10};
    for (int i = 0; i < 4; i++)
        if (steps[i] * power >= least * 0.999999) return steps[i] * power;
    return 10 * power;
}

static void open_plot(FILE *out, const char *title, const char *unit, int height) {
    fprintf(out, "<figure class=\"card\"><svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH,
            height);
    plot_text(out, title);
    fputs("\"><text class=\"title\" x=\"4\" y=\"16\">", out);
    plot_text(out, title);
    fprintf(out, "</text><text class=\"unit\" x=\"%d\" y=\"16\" text-anchor=\"end\">", WIDTH - RIGHT);
    plot_text(out, unit);
    fputs("</text>\n", out);
}

typedef struct legend_item {
    const char *name;
    int colour; /* −1: the limit's dashed line */
} legend_item;

/* The names of the lines stand below the plot as text, where they wrap on a narrow page. */
static void close_plot(FILE *out, const legend_item *items, size_t count) {
    fputs("</svg>", out);
    if (count > 0) fputs("<figcaption>", out);
    for (size_t i = 0; i < count; i++) {
        if (items[i].colour < 0)
            fputs("<span><i class=\"limit\"></i>", out);
        else
            fprintf(out, "<span><i class=\"c%d\"></i>", items[i].colour);
        plot_text(out, items[i].name);
        fputs("</span> ", out);
    }
    if (count > 0) fputs("</figcaption>", out);
    fputs("</figure>\n", out);
}

static double y_of(double value, double top) {
    const double part = top > 0 ? value / top : 0;
    return TOP + plot_height * (1 - (part < 1 ? part : 1));
}

static double draw_y_axis(FILE *out, double most) {
    const double step = round_step((most > 0 ? most : 1) / 4), top = step * ceil((most > 0 ? most : 1) / step);
    for (double value = 0; value <= top * 1.0001; value += step) {
        const double y = y_of(value, top);
        fprintf(out, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT, WIDTH - RIGHT, y, y);
        fprintf(out, "<text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", LEFT - 5, y + 4,
                NUMBER(value));
    }
    return top;
}

static void draw_x_tick(FILE *out, double x, const char *text) {
    const bool last = x > WIDTH - RIGHT - 16; /* half of a number does not fit next to it */
    fprintf(out, "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%s</text>", last ? WIDTH - 1 : x,
            HEIGHT - BOTTOM + 16, last ? "end" : "middle", text);
}

static void draw_x_name(FILE *out, const char *name) {
    fprintf(out, "<text class=\"tick\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", LEFT + plot_width / 2,
            HEIGHT - 4, name);
}

/* ---- over frames ---- */

typedef struct column {
    double least, mean, most;
} column;

static size_t columns_of(const plot *what) {
    return what->count < COLUMNS ? what->count : COLUMNS;
}

static column column_at(const plot *what, const plot_line *line, size_t index) {
    const size_t columns = columns_of(what), from = index * what->count / columns,
                 end = (index + 1) * what->count / columns;
    column result = {line->values[from], 0, line->values[from]};
    for (size_t i = from; i < end; i++) {
        const double value = line->values[i];
        result.mean += value / (double)(end - from);
        if (value < result.least) result.least = value;
        if (value > result.most) result.most = value;
    }
    return result;
}

static double x_of(const plot *what, size_t index) {
    const size_t columns = columns_of(what);
    return LEFT + (double)plot_width * ((double)index + 0.5) / (double)columns;
}

static void draw_line(FILE *out, const plot *what, const plot_line *line, double top) {
    const size_t columns = columns_of(what);
    if (what->count > columns) {
        fprintf(out, "<path class=\"band c%d\" d=\"M", line->colour);
        for (size_t i = 0; i < columns; i++)
            fprintf(out, "%.1f %.1f ", x_of(what, i), y_of(column_at(what, line, i).most, top));
        for (size_t i = columns; i-- > 0;)
            fprintf(out, "%.1f %.1f ", x_of(what, i), y_of(column_at(what, line, i).least, top));
        fputs("Z\"/>\n", out);
    }
    if (line->filled) {
        fprintf(out, "<path class=\"area c%d\" d=\"M%.1f %.1f ", line->colour, x_of(what, 0), y_of(0, top));
        for (size_t i = 0; i < columns; i++)
            fprintf(out, "%.1f %.1f ", x_of(what, i), y_of(column_at(what, line, i).mean, top));
        fprintf(out, "%.1f %.1fZ\"/>\n", x_of(what, columns - 1), y_of(0, top));
    }
    fprintf(out, "<path class=\"line c%d\" d=\"M", line->colour);
    for (size_t i = 0; i < columns; i++)
        fprintf(out, "%.1f %.1f ", x_of(what, i), y_of(column_at(what, line, i).mean, top));
    fputs("\"/>\n", out);
}

static void draw_frame_ticks(FILE *out, const plot *what) {
    const double step = round_step((double)what->count / 6 > 1 ? (double)what->count / 6 : 1);
    const double last = (double)(what->first_x + what->count - 1);
    double value = ceil((double)what->first_x / step) * step;
    for (; value <= last; value += step) {
        const double part = (value - (double)what->first_x + 0.5) / (double)what->count;
        draw_x_tick(out, LEFT + plot_width * part, NUMBER(value));
    }
    draw_x_name(out, "frame");
}

static int compare_values(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The value of a line that 1 in 200 frames exceeds; its greatest value where memory is short. */
static double usual_most(const plot *what, const plot_line *line, double most) {
    double *sorted = malloc(what->count * sizeof *sorted);
    if (!sorted) return most;
    memcpy(sorted, line->values, what->count * sizeof *sorted);
    qsort(sorted, what->count, sizeof *sorted, compare_values);
    const double result = sorted[what->count - 1 - what->count / 200];
    free(sorted);
    return result;
}

/* A few frames that are far above all others do not flatten the plot: the axis ends below them, and the unit tells how
   high they are. *all receives the greatest value. */
static double axis_most(const plot *what, double *all) {
    enum { FAR = 4 };
    double most = what->limit > 0 ? what->limit : 0, usual = most;
    for (size_t i = 0; i < what->line_count; i++) {
        double line_most = 0;
        for (size_t j = 0; j < what->count; j++)
            if (what->lines[i].values[j] > line_most) line_most = what->lines[i].values[j];
        const double line_usual = usual_most(what, &what->lines[i], line_most);
        if (line_most > most) most = line_most;
        if (line_usual > usual) usual = line_usual;
    }
    *all = most;
    return usual > 0 && most > usual * FAR ? usual * 2 : most;
}

void plot_frames(FILE *out, const plot *what) {
    legend_item items[8];
    size_t item_count = 0;
    double all;
    char unit[96];
    if (what->count == 0) return;
    const double most = axis_most(what, &all);
    snprintf(unit, sizeof unit, most < all ? "%s; up to %s" : "%s", what->unit, NUMBER(all));
    open_plot(out, what->title, unit, HEIGHT);
    const double top = draw_y_axis(out, most);
    for (size_t i = what->line_count; i-- > 0;) draw_line(out, what, &what->lines[i], top);
    if (what->limit >= 0)
        fprintf(out, "<line class=\"limit\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>\n", LEFT, WIDTH - RIGHT,
                y_of(what->limit, top), y_of(what->limit, top));
    draw_frame_ticks(out, what);
    for (size_t i = 0; i < what->line_count && i < 7; i++)
        items[item_count++] = (legend_item){what->lines[i].name, what->lines[i].colour};
    if (what->limit >= 0) items[item_count++] = (legend_item){what->limit_name, -1};
    close_plot(out, items, item_count);
}

/* ---- shares ---- */

static double log_x(double value, double most) {
    return LEFT + plot_width * log10(value < 1 ? 1 : value) / log10(most);
}

void plot_shares(FILE *out, const char *title, const char *of, const char *unit, const plot_share *lines,
                 size_t count) {
    double most = 10;
    legend_item items[8];
    for (size_t i = 0; i < count; i++)
        while (lines[i].count > 0 && lines[i].steps[lines[i].count - 1].x > most) most *= 10;
    open_plot(out, title, of, HEIGHT);
    const double top = draw_y_axis(out, 100);
    for (size_t i = count; i-- > 0;) {
        fprintf(out, "<path class=\"line c%d\" d=\"M%d %.1f", lines[i].colour, LEFT, y_of(0, top));
        for (size_t j = 0; j < lines[i].count; j++)
            fprintf(out, "H%.1fV%.1f", log_x(lines[i].steps[j].x, most), y_of(lines[i].steps[j].share * 100, top));
        fprintf(out, "H%d\"/>\n", WIDTH - RIGHT);
    }
    for (double value = 1; value <= most; value *= 10) draw_x_tick(out, log_x(value, most), NUMBER(value));
    draw_x_name(out, unit);
    for (size_t i = 0; i < count && i < 8; i++) items[i] = (legend_item){lines[i].name, lines[i].colour};
    close_plot(out, items, count < 8 ? count : 8);
}

/* ---- bars ---- */

void plot_bars(FILE *out, const char *title, const char *unit, const plot_bar *bars, size_t count) {
    enum { ROW = 24, NAMES = 130, VALUES = 60 };
    const double room = WIDTH - NAMES - VALUES;
    double most = 0;
    for (size_t i = 0; i < count; i++) most = bars[i].value > most ? bars[i].value : most;
    open_plot(out, title, unit, TOP + (int)count * ROW + 6);
    for (size_t i = 0; i < count; i++) {
        const int y = TOP + (int)i * ROW;
        const double width = most > 0 ? room * bars[i].value / most : 0;
        fprintf(out, "<text class=\"name\" x=\"%d\" y=\"%d\" text-anchor=\"end\">", NAMES - 8, y + 13);
        plot_text(out, bars[i].name);
        fprintf(out, "</text><rect class=\"bar c%d\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>",
                bars[i].colour, NAMES, y, width > 1 ? width : 1, ROW - 8);
        fprintf(out, "<text class=\"tick\" x=\"%.1f\" y=\"%d\">%s</text>\n", NAMES + width + 6, y + 13,
                NUMBER(bars[i].value));
    }
    close_plot(out, NULL, 0);
}
