/* SPDX-License-Identifier: MIT */
/* Shared by the sources of bench_bounds: how a load is reported and judged. */
#ifndef WEND_BENCH_BOUNDS_H
#define WEND_BENCH_BOUNDS_H

#include "scenery.h"

/// Calls without a budget are to end within this number of microseconds.
#define UNBOUNDED_US 5000.0

/// Prints the line of a load, judges it, and clears the samples.
/// @param budget_us   of each call; 0: it has none
void report(const char *what, const char *call, uint32_t size, double budget_us, samples *all);

/* ---- bounds_map.c: maintenance, streamed land, links ---- */

void bench_maintain(const char *what, ground_fn *fill, int32_t side, uint64_t effort);
void bench_waits(const char *what, ground_fn *fill, int32_t side, uint32_t requests, int32_t unloaded);
void bench_rim(const char *what, int32_t side, uint32_t requests);
void bench_links(const char *what, int32_t side, uint32_t links, int32_t tables);
void bench_first_links(const char *what, int32_t side, uint32_t links, double said_us); ///< bound of edit.h

#endif
