/* SPDX-License-Identifier: MIT */
/* The results of a run: JSON, a table, a picture, and a page: one file that fetches nothing, with plots and the map. */
#ifndef WEND_LAB_REPORT_REPORT_H
#define WEND_LAB_REPORT_REPORT_H

#include <stdio.h>

#include "run/lab.h"
#include <wend/extra.h>

/// Writes the page. Before the functions below, which sort what was measured. @return false where memory ran out
bool report_page(lab_run *run, FILE *out);
/// Print one JSON object on standard output, or a table.
void report_json(lab_run *run);
void report_table(lab_run *run, FILE *out);

/// A picture of the map and the tracks, and what it points to.
typedef struct lab_picture {
    wend_picture picture;
    wend_picture_path *paths;
    wend_cell *starts, *goals;
} lab_picture;

/// @return false where memory ran out. lab_picture_close() in any case.
bool lab_picture_open(const lab_run *run, lab_picture *out);
void lab_picture_close(lab_picture *picture);

/* ---- parts of the page; false: out of memory ---- */

/// The beginning of a page with its style, and its end.
void page_begin(FILE *out, const char *title);
void page_end(FILE *out);
/// A plot of measured values, one a frame, in the order of their adding.
bool page_series(FILE *out, const series *values, double scale, const char *title, const char *unit, const char *name,
                 int colour);
/// Plots over the frames; plots of the requests; a table of their waits; a table of the work of each engine.
bool page_frames(FILE *out, const lab_run *run);
bool page_requests(FILE *out, const lab_run *run);
void page_waits(FILE *out, const lab_run *run);
void page_work(FILE *out, const lab_run *run);
/// Plots of agents that walk: how many, their ways, what became of their goals.
bool page_agents(FILE *out, lab_run *run);

#endif
