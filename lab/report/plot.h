/* SPDX-License-Identifier: MIT */
/* Plots as SVG inside a page: lines over frames, and shares over waits. Colours are classes of the page's style. */
#ifndef WEND_LAB_REPORT_PLOT_H
#define WEND_LAB_REPORT_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// A line of a plot. Over frames: a value for each frame.
typedef struct plot_line {
    const char *name;
    const double *values;
    int colour;  ///< 0 to 5: class c0 to c5
    bool filled; ///< the area below is filled
} plot_line;

typedef struct plot {
    const char *title, *unit;
    const plot_line *lines; ///< the first is drawn last, on top
    size_t line_count;
    size_t count;     ///< values of each line
    uint64_t first_x; ///< number of the first frame
    double limit;     ///< a dashed horizontal line; below 0: none
    const char *limit_name;
} plot;

/// Many frames share a column: the line is their mean, and a light band goes from their least to their greatest value.
/// Where less than 1 frame in 200 is far above all others, the axis ends below it, and the unit tells how high it is.
void plot_frames(FILE *out, const plot *what);

/// A point of a step line: a share of all values is at most x.
typedef struct plot_step {
    double x, share;
} plot_step;

typedef struct plot_share {
    const char *name;
    const plot_step *steps;
    size_t count;
    int colour;
} plot_share;

/// Step lines of shares (0 to 1) over a logarithmic axis from 1.
/// @param of     the upright axis: "% of requests"
/// @param unit   the other one
void plot_shares(FILE *out, const char *title, const char *of, const char *unit, const plot_share *lines, size_t count);

typedef struct plot_bar {
    const char *name;
    double value;
    int colour;
} plot_bar;

/// Horizontal bars with their values.
void plot_bars(FILE *out, const char *title, const char *unit, const plot_bar *bars, size_t count);

/// Text with the characters escaped that HTML reserves.
void plot_text(FILE *out, const char *text);

#endif
