/* SPDX-License-Identifier: MIT */
/* Internal: cells around a cell, by the cost of the way to them. */
#ifndef WEND_SRC_CROWD_AROUND_FLOOD_H
#define WEND_SRC_CROWD_AROUND_FLOOD_H

#include "map/store/map_layout.h"

/// A plain Dijkstra (1959) in memory of its own, for a bounded number of cells.
typedef struct wend__flood wend__flood;

size_t wend__flood_bytes(uint32_t cells);
wend__flood *wend__flood_init(void *memory, uint32_t cells);

/// Begin at a cell that the mover can stand on. The version stays until the last call of wend__flood_next().
void wend__flood_begin(wend__flood *flood, const wend__version *version, int32_t mover, wend_cell start);
/// The next cell by cost, ties by z, y, x; the first is the start. False: there are no more, or the memory is full.
bool wend__flood_next(wend__flood *flood, wend_cell *out);

#endif
