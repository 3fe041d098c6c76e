/* SPDX-License-Identifier: MIT */
/* The state of a ground: its spans, its sheets, and what changes need. */
#ifndef WEND_GROUND_GROUND_STATE_H
#define WEND_GROUND_GROUND_STATE_H

#include "ground_map.h"

/// A tile as it was before an update.
typedef struct ground_update {
    struct ground_update *before;
    uint32_t tile;
    wend_ground_info counts;
    ground_piece piece;
} ground_update;

/// Ways of columns, column by column.
typedef struct ground_way_list {
    ground_way *ways;
    uint32_t *ends; ///< end of each column
    uint32_t count, capacity, end_capacity;
} ground_way_list;

struct wend_ground {
    ground_spans spans;
    ground_layout layout;
    bool y_up;
    wend_ground_info counts; ///< seams and leaps
    ground_ways ways;
    ground_piece piece; ///< the tile that is being made
    /* The rest is there where the level changes. */
    wend_map *map; ///< NULL: it does not change
    ground_triangles triangles;
    uint32_t next_tile;     ///< where the search for marked ones goes on
    uint64_t epoch;         ///< version that the updates came after
    ground_update *updates; ///< since then, the latest first
    ground_way_list old_ways, new_ways;
};

/// Frees the updates and what they need.
void wend__ground_drop_updates(wend_ground *ground);

#endif
