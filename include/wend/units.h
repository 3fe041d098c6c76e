/* SPDX-License-Identifier: MIT */
/* Occupancy: which cells are taken now.
 *
 * It is a count of units for each cell, kept outside the versions. Changing it makes no epoch and changes no label.
 * Searches read the current counts in each frame. Forks begin with none. A crowd keeps the counts of its own agents. */
#ifndef WEND_UNITS_H
#define WEND_UNITS_H

#include <wend/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Add a unit to the occupancy of a cell, or remove one. Call it for each cell that a large unit covers.
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BUSY (the cell has WEND_MAX_OCCUPANTS), WEND_EMPTY (no unit to remove),
///         WEND_OUT_OF_MEMORY (the first unit in its part of the map)
/// Threads: the one that ticks the services that use the map, between frames or in a callback; one at a time.
/// Cost: O(1); O(chunks) the first time on a map, and once after it is accelerated.
WEND_API wend_error wend_map_occupy(wend_map *map, wend_cell cell);
WEND_API wend_error wend_map_vacate(wend_map *map, wend_cell cell);

/// Get the occupancy of a cell.
/// @param count   receives the number of units, 0 to WEND_MAX_OCCUPANTS
/// @return WEND_OK, WEND_OUT_OF_RANGE
/// Threads: as wend_map_occupy(). Cost: O(1).
WEND_API wend_error wend_map_get_occupants(const wend_map *map, wend_cell cell, uint32_t *count);

#ifdef __cplusplus
}
#endif
#endif
