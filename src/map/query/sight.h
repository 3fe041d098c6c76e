/* SPDX-License-Identifier: MIT */
/* Internal: line of sight on a version that the caller holds. */
#ifndef WEND_SRC_MAP_QUERY_SIGHT_H
#define WEND_SRC_MAP_QUERY_SIGHT_H

#include "map/store/map_layout.h"

/// The last cell that the straight line from an open voxel reaches.
wend_cell wend__space_line(const wend__version *version, wend_cell from, wend_cell to);

/// The last cell that the straight line between two cells reaches, as wend_map_line_of_sight() has it; `from` where
/// that is blocked. No graph.
/// @param view   what the mover sees of a version
wend_cell wend__sight_end(const wend__version *view, wend_cell from, wend_cell to);

#endif
