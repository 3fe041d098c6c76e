/* SPDX-License-Identifier: MIT */
/* The edits of a stress run: places are blocked, opened or slowed down, links removed and closed steps opened; all is
   restored some frames later. */
#ifndef WEND_SRC_LAB_LOADS_EDITS_H
#define WEND_SRC_LAB_LOADS_EDITS_H

#include "lab/loads/agents.h"
#include "lab/shared/clock.h"

typedef struct editor_def {
    terrain_copy *land; ///< follows the map
    const agents *all;  ///< cells with an agent on them are not changed; needs track_cells
    uint64_t each_frame;
    bool walls;    ///< change straight rows of cells at once
    uint32_t beat; ///< edits come every so many frames, and are restored in such a frame; 0: in every frame
    uint64_t seed;
} editor_def;

typedef struct editor editor;

/// @return NULL where memory ran out
editor *editor_create(const editor_def *def);
void editor_free(editor *hand);

/// Make and publish a frame's edits as one batch, and give them to the terrain copy.
/// @param cells   receives the number of changes
/// @return WEND_OK, WEND_OUT_OF_MEMORY, or an error of the map
wend_error editor_go(editor *hand, wend_map *map, uint64_t frame, uint64_t *cells);

/// The time to publish the last batch, without the editor's own work.
lab_moment editor_publishing(const editor *hand);

/// The number of cells of the last batch whose terrain on the map is not what the batch wrote.
uint64_t editor_compare(const editor *hand, const wend_map *map);

#endif
