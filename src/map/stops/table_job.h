/* SPDX-License-Identifier: MIT */
/* Internal: making jump tables, and with them stops, in slices. */
#ifndef WEND_SRC_MAP_STOPS_TABLE_JOB_H
#define WEND_SRC_MAP_STOPS_TABLE_JOB_H

#include "map/store/map_layout.h"

/// Returns true if the mover is to have tables, and the newest version has none for it.
bool wend__map_lacks_tables(wend_map *map, int32_t mover);

/// Make tables that movers lack, for about so much effort (see wend_map_maintain()).
/// @param any   receives whether any were lacking
/// @return WEND_OK, WEND_IN_USE (they are made, but a batch is open: call again), WEND_OUT_OF_MEMORY (the next call
///         begins again)
wend_error wend__map_continue_tables(wend_map *map, uint64_t effort, bool *any);
/// Returns about how much effort is left.
uint64_t wend__map_tables_left(wend_map *map);
/// Discard unfinished tables: as derived data, see version/derivation.h.
void wend__tables_end(wend_map *map);

#endif
