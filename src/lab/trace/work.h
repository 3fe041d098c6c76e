/* SPDX-License-Identifier: MIT */
/* Expansions and time by kind of work (WEND_WORK_…), for every form in which a stress run is told. */
#ifndef WEND_SRC_LAB_TRACE_WORK_H
#define WEND_SRC_LAB_TRACE_WORK_H

#include <stdio.h>

#include <wend/figures.h>

/// A kind of work for people: "jump search".
const char *work_text(int work);

/// The work of all frames, by kind.
typedef struct work_sum {
    uint64_t expansions[WEND_WORK_COUNT], ns[WEND_WORK_COUNT];
    uint64_t all_expansions, all_ns;
    uint64_t general[WEND_GENERAL_COUNT]; ///< answers of the general A*, by reason
} work_sum;

work_sum work_of(const wend_figures *figures);
/// Nanoseconds of an expansion of a kind of which there are some.
double work_ns_each(const work_sum *sum, int work);

/// "work":{"grid_jump":{"spent":…,"us":…},…} and "general":{"units":…,…}, answers of the general A* by reason, each
/// with a comma. Kinds without an expansion and reasons without an answer are left out.
void work_json(const wend_figures *figures);
/// Names of columns, two for each kind of work, each with a comma before it; and a frame's values.
void work_csv_head(FILE *out);
void work_csv(FILE *out, const wend_frame *frame);
/// Lines of the table of a run: the work, and answers of the general A* by reason; nothing where there were none.
void work_line(FILE *out, const wend_figures *figures);

#endif
