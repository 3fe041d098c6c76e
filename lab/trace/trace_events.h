/* SPDX-License-Identifier: MIT */
/* The work of a stress run's frames: as events of a trace, and as sums by kind of work. */
#ifndef WEND_LAB_TRACE_TRACE_EVENTS_H
#define WEND_LAB_TRACE_TRACE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <wend/figures.h>
#include <wend/explain.h>
#include <wend/search_options.h>

/* trace_events.c: `wend stress --trace`, which Perfetto and chrome://tracing show on a time axis. */

/// Records of one frame that a trace can hold.
enum { TRACE_RECORDS = 1 << 17 };

typedef struct trace_events {
    FILE *out;
    uint64_t base_ns;                     ///< when the first frame began
    uint64_t frames, slices, completions; ///< records written
    uint64_t lost;                        ///< records that were gone before they could be written
} trace_events;

/// The head: processes, threads and lanes by their names.
void trace_begin(trace_events *trace, FILE *out, uint32_t lanes, uint32_t workers);
/// After a tick: the frame with its phases, slices and completions. @return false where memory ran out
bool trace_frame(trace_events *trace, const wend_figures *figures);
void trace_end(trace_events *trace);

/* The row of the host: what it does besides ticks. */

/// Name its row, before the first frame.
void trace_name_host(trace_events *trace, const char *name);
/// Writes an event from one time to another.
void trace_host(trace_events *trace, const char *name, uint64_t from_ns, uint64_t to_ns);
/// Writes a count.
void trace_count(trace_events *trace, const char *name, uint64_t ns, uint64_t number);

/* work.c: expansions and time by kind of work (WEND_WORK_…), for every form of a stress run's report. */

/// "work":{"grid_jump":{"spent":…,"us":…},…} and "general":{"units":…,…}, answers of the general A* by reason, each
/// with a comma. Kinds without an expansion and reasons without an answer are left out.
void work_json(const wend_figures *figures);
/// Names of columns, two for each kind of work, each with a comma before it; and a frame's values.
void work_csv_head(FILE *out);
void work_csv(FILE *out, const wend_frame *frame);
/// Lines of the table of a run: the work, and answers of the general A* by reason; nothing where there were none.
void work_line(FILE *out, const wend_figures *figures);

#endif
