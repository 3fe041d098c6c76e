/* SPDX-License-Identifier: MIT */
/* Expansions and time by kind of work (WEND_WORK_…), for every form in which a stress run is told. */
#ifndef WEND_SRC_CLI_REPORT_WORK_H
#define WEND_SRC_CLI_REPORT_WORK_H

#include <stdio.h>

#include <wend/figures.h>

/// "grid_jump", as in JSON and CSV; "jump search", for people.
const char *work_name(int work);
const char *work_text(int work);

/// What all frames spent. Kinds without an expansion are left out.
typedef struct work_sum {
    uint64_t expansions[WEND_WORK_COUNT], ns[WEND_WORK_COUNT];
    uint64_t all_expansions, all_ns;
} work_sum;

work_sum work_of(const wend_figures *figures);

/// "work":{"grid_jump":{"spent":…,"us":…},…} and a comma.
void work_json(const wend_figures *figures);
/// Names of columns, two for each kind of work, each with a comma before it; and a frame's values.
void work_csv_head(FILE *out);
void work_csv(FILE *out, const wend_frame *frame);
/// A line of the table of a run; nothing where there was no work.
void work_line(FILE *out, const wend_figures *figures);
/// A table of a page; nothing where there was no work.
void work_page(FILE *out, const wend_figures *figures);

#endif
