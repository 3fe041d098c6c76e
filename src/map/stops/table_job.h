/* SPDX-License-Identifier: MIT */
/* Internal: making jump tables, and with them stops, in slices. */
#ifndef WEND_SRC_MAP_STOPS_TABLE_JOB_H
#define WEND_SRC_MAP_STOPS_TABLE_JOB_H

#include "map/store/map_layout.h"

/// Let a mover have jump tables, or not. wend__map_continue_tables() makes those that are lacking.
void wend__map_want_tables(wend_map *map, int32_t mover, bool wanted);
bool wend__map_wants_tables(wend_map *map, int32_t mover);

/// Go on making the tables that movers want and lack, for about so much effort (see wend_map_maintain()).
/// @param any   receives whether there were such
/// @return WEND_OK, WEND_IN_USE (they are made, and a batch is open: call again), WEND_OUT_OF_MEMORY (they are begun
///         again by the next call)
wend_error wend__map_continue_tables(wend_map *map, uint64_t effort, bool *any);
/// About how much effort that takes.
uint64_t wend__map_tables_left(wend_map *map);
/// Discard tables that are being made: as derived data, see version/derivation.h.
void wend__tables_end(wend_map *map);

#endif
