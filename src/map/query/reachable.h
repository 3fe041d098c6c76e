/* SPDX-License-Identifier: MIT */
/* Internal: whether two cells are connected. */
#ifndef WEND_SRC_MAP_QUERY_REACHABLE_H
#define WEND_SRC_MAP_QUERY_REACHABLE_H

#include "map/store/map_layout.h"

/// Are two cells that are open for a mover connected, by links too? Steps count both ways, so that is the same as
/// reachable where all steps lead both ways.
bool wend__version_connected(const wend__version *version, int32_t mover, wend_cell a, wend_cell b);

#endif
