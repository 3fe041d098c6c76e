/* SPDX-License-Identifier: MIT */
/* Internal: jump search (Harabor and Grastien 2011, 2014) on the tables of src/fast/tables;
 * docs/design/jump-search.md. */
#ifndef WEND_SRC_FAST_JUMP_GRID_JUMP_H
#define WEND_SRC_FAST_JUMP_GRID_JUMP_H

#include "fast/jump/jump_search.h"

/// A node of a jump search, see grid_jump_nodes.h.
typedef struct wend__jump_node {
    uint32_t record; ///< g << 5 | expanded << 4 | directions it was entered in; all bits set: not reached
    uint32_t parent; ///< cell it was reached from
} wend__jump_node;

enum { WEND__JUMP_WAITING = 16 }; ///< most successors that wait for memory

/// A successor that waits until its memory has been fetched, see grid_jump_scan.h.
typedef struct wend__jump_waiting {
    wend__jump_entry entry;
    uint32_t d; ///< straight direction in which it was entered
} wend__jump_waiting;

/// See grid_jump.c. The key of an entry of the open list is g | directions << 28 (none: the node's), its third word the
/// index of the node in the pool's records (WEND__NONE: the goal's).
typedef struct wend__grid_jump_search {
    wend__jump_search jump;               ///< costs in units
    wend__jump_node goal;                 ///< the goal's node, as the goal may be no jump point
    const wend__chunk *chunks;            ///< chunks of the current view's block
    const struct wend__jump_block *block; ///< jump tables of the block
    const uint32_t *halves;               ///< directory of the block: first node of each half of its chunks
    uint32_t spare_directory;             ///< half an open page for the next block's directory; WEND__NONE
    int32_t goal_column, goal_row;        ///< chunk of the goal
    bool is_large;                        ///< the map's tables are larger than the caches
    uint32_t waiting_count;
    wend__jump_waiting waiting[WEND__JUMP_WAITING];
} wend__grid_jump_search;

extern const wend__engine wend__grid_jump;

static inline wend__grid_jump_search *wend__grid_jump_of(const wend__search *search) {
    return (wend__grid_jump_search *)search;
}

#endif
