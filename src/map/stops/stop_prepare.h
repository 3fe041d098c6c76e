/* SPDX-License-Identifier: MIT */
/* Internal: making, discarding and pruning a map's jump tables, and with them its stops. */
#ifndef WEND_SRC_MAP_STOPS_STOP_PREPARE_H
#define WEND_SRC_MAP_STOPS_STOP_PREPARE_H

#include "map/edit/edit.h"

/// Make the tables of an edit's draft, or prune those it has. WEND_OK, WEND_OUT_OF_MEMORY (free the draft).
wend_error wend__tables_make(wend_edit *edit);
void wend__tables_drop(wend__version *draft);
/// Returns whether the newest version has jump tables for a mover.
bool wend__map_has_jumps(const wend_map *map, int32_t mover);
/// Make jump tables for the default mover in the newest version, or prune those it has: for tests.
/// @return WEND_OK (also where nothing was to be done), WEND_UNSUPPORTED, WEND_IN_USE, WEND_OUT_OF_MEMORY
wend_error wend__map_prepare_jumps(wend_map *map);
/// Discard them: for tests. @return WEND_OK, WEND_IN_USE, WEND_OUT_OF_MEMORY
wend_error wend__map_drop_jumps(wend_map *map);
/// Prune up to max_chunks chunks, of all movers. @param left   receives how many are still unpruned; may be NULL
wend_error wend__map_prune_jumps(wend_map *map, uint32_t max_chunks, uint32_t *left);

#endif
