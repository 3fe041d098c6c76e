/* SPDX-License-Identifier: MIT */
/* The edits of a stress run: cells are blocked, opened or slowed down, and restored some frames later. */
#ifndef WEND_SRC_CLI_STRESS_STRESS_EDITS_H
#define WEND_SRC_CLI_STRESS_STRESS_EDITS_H

#include "cli/stress/stress_agents.h"

typedef struct editor_def {
    ground *land;      ///< moves with the map
    const agents *all; ///< no cell is changed on which one stands; with keep_standing
    uint64_t each_frame;
    bool walls; ///< straight rows of cells at once
    uint64_t seed;
} editor_def;

typedef struct editor editor;

/// NULL where there is no memory.
editor *editor_create(const editor_def *def);
void editor_free(editor *hand);

/// Make and publish a frame's edits, as one batch; the ground has them too then.
/// @param cells   receives how many cells changed
/// @return WEND_OK, or what the map says
wend_error editor_go(editor *hand, wend_map *map, uint64_t frame, uint64_t *cells);

/// What publishing the last batch took; what the editor does for itself is not counted.
uint64_t editor_publish_ns(const editor *hand);

/// How many of the cells that the last batch changed are not on the map what it made of them.
uint64_t editor_compare(const editor *hand, const wend_map *map);

#endif
