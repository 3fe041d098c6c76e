/* SPDX-License-Identifier: MIT */
/* Changes of the map of a stress run: edits, and doors where agents walk. */
#ifndef WEND_LAB_LOADS_EDITS_H
#define WEND_LAB_LOADS_EDITS_H

#include <wend/edit.h>

#include "loads/agents.h"
#include "shared/clock.h"

/* edits.c: places are blocked, opened or slowed down, links removed and closed steps opened; all is restored some
   frames later. */

typedef struct editor_def {
    terrain_copy *land; ///< follows the map
    const agents *all;  ///< cells with an agent on them are not changed; needs track_cells
    uint64_t each_frame;
    bool walls;    ///< change straight rows of cells at once
    uint32_t beat; ///< edits come every this many frames, and are restored in such a frame; 0: in every frame
    uint64_t seed;
} editor_def;

typedef struct editor editor;

/// @return NULL where memory ran out
editor *editor_create(const editor_def *def);
void editor_free(editor *hand);

/// Makes and publishes a frame's edits as one batch, and gives them to the terrain copy.
/// @param cells   receives the number of changes
/// @return WEND_OK, WEND_OUT_OF_MEMORY, or an error of the map
wend_error editor_go(editor *hand, wend_map *map, uint64_t frame, uint64_t *cells);

/// The time to publish the last batch, without the editor's own work.
lab_moment editor_publishing(const editor *hand);

/// The number of cells of the last batch with other terrain on the map than the batch wrote.
uint64_t editor_compare(const editor *hand, const wend_map *map);

/* doors.c: they open and close while agents walk. */

typedef struct walk_doors walk_doors;

/// Finds the doors: open cells of class 1 with a wall on two opposite sides, and open cells on the other two. Where
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
