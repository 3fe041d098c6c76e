/* SPDX-License-Identifier: MIT */
/* `wend stress --trace`: Chrome trace events, which Perfetto and chrome://tracing show on a time axis. */
#ifndef WEND_SRC_LAB_TRACE_TRACE_EVENTS_H
#define WEND_SRC_LAB_TRACE_TRACE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <wend/figures.h>

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

/* The row of the host: what it does beside ticks. */

/// Name its row, before the first frame.
void trace_name_host(trace_events *trace, const char *name);
/// It did something from one time to another.
void trace_host(trace_events *trace, const char *name, uint64_t from_ns, uint64_t to_ns);
/// It counted something.
void trace_count(trace_events *trace, const char *name, uint64_t ns, uint64_t number);

#endif
