/* SPDX-License-Identifier: MIT */
/* The checker of agents' cells: no two agents overlap, and no two steps of a moment swap or cross. */
#ifndef WEND_TESTS_MODELS_APART_H
#define WEND_TESTS_MODELS_APART_H

#include <stdbool.h>
#include <wend/body.h>
#include <wend/wend.h>

/// Cells that an agent covers, a cube or a square, and its step.
typedef struct stand {
    wend_cell from, cell; ///< lowest cells, before and after its step; equal: it stands
    int32_t size;
    int32_t layers; ///< cells in height
} stand;

/// Returns the cells of an agent of a mover's size on this map.
stand stand_of(const wend_map_info *map, wend_cell from, wend_cell cell, int32_t size);
/// Returns whether two agents cover one cell.
bool stands_overlap(const wend_map_info *map, const stand *a, const stand *b);
/// Returns whether two agents on steps to neighbours overlap half-way, by more than half a cell along each axis. Steps
/// over a link never do, nor do steps of a graph.
bool stands_cross(const wend_map_info *map, const stand *a, const stand *b);

/// Returns the fault of two agents of a crowd, or NULL: two that cover one cell, unless both are bodies, or two without
/// bodies whose steps cross. Ghosts and agents that are away cover nothing. The text is valid until the next call.
const char *crowd_fault(wend_map *map, wend_crowd *crowd);

#endif
