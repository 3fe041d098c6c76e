/* SPDX-License-Identifier: MIT */
/* Internal: line of sight among voxels. */
#ifndef WEND_SRC_MAP_QUERY_VOXEL_SIGHT_H
#define WEND_SRC_MAP_QUERY_VOXEL_SIGHT_H

#include "map/store/map_layout.h"

/// The last cell that the straight line from an open voxel reaches.
wend_cell wend__space_line(const wend__version *version, wend_cell from, wend_cell to);

#endif
