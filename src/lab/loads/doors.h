/* SPDX-License-Identifier: MIT */
/* Doors of a map that open and close while agents walk. */
#ifndef WEND_SRC_LAB_LOADS_DOORS_H
#define WEND_SRC_LAB_LOADS_DOORS_H

#include "lab/oracle/terrain_copy.h"
#include <wend/edit.h>

typedef struct walk_doors walk_doors;

/// Find the doors: open cells of class 1 with a wall on two opposite sides, and open cells on the other two. Where
/// there are fewer than 16, up to 256 random cells do as well.
/// @param land         follows the map
/// @param each_frame   doors that are looked at in a frame: most of them close, to open again 40 to 120 frames later
/// @return NULL where memory ran out
walk_doors *walk_doors_create(terrain_copy *land, uint64_t each_frame, uint64_t seed);
void walk_doors_free(walk_doors *doors);

/// Publish a frame's changes as one batch, if there are any. A door stays open while an agent holds it or units stand
/// there, or it is wanted, and where closing it would cut its two sides off from each other.
/// @param wanted    for each cell: does an agent want to stand there?
/// @param changed   receives the number of doors that opened or closed
wend_error walk_doors_go(walk_doors *doors, wend_map *map, uint64_t frame, const uint8_t *wanted, uint64_t *changed);
uint32_t walk_doors_count(const walk_doors *doors);

#endif
