/* SPDX-License-Identifier: MIT */
/* The page that `wend stress --report` writes: one file that fetches nothing, with plots, tables and the map. */
#ifndef WEND_SRC_LAB_REPORT_PAGE_H
#define WEND_SRC_LAB_REPORT_PAGE_H

#include <stdio.h>

#include "lab/run/stress.h"

/// Write and close the report, which is open. @return −1 to go on, else the exit status. Prints errors.
int page_write(stress_run *run);

/// The beginning of a page with its style, and its end.
void page_begin(FILE *out, const char *title);
void page_end(FILE *out);

/* Parts of a page. Those that return false have no memory. */

/// A number of the head, and what it counts.
void page_tile(FILE *out, const char *value, const char *what, bool bad);
/// A plot of measured values, one a frame, in the order of their adding.
bool page_series(FILE *out, const series *values, double scale, const char *title, const char *unit, const char *name,
                 int colour);
/// A percentile of a histogram of the run's figures.
uint64_t page_permille(const stress_run *run, int32_t kind, int32_t band, uint32_t permille);
/// Plots over the frames; plots of the requests; a table of their waits.
/// The frames' plots end with that of their processor time.
bool page_frames(FILE *out, const stress_run *run);
bool page_requests(FILE *out, const stress_run *run);
void page_waits(FILE *out, const stress_run *run);
/// A table of the expansions and the time of each kind of work; nothing where there was none.
void page_work(FILE *out, const stress_run *run);
/// The map with the tracks of the run.
bool page_map(FILE *out, const stress_run *run);
/// A table of promises, row by row. @param of   what the hash is over
void page_promises_begin(FILE *out);
void page_promise(FILE *out, const char *name, const char *text, uint64_t checked, uint64_t broken);
void page_promises_end(FILE *out, const char *of, uint64_t hash);

#endif
