/* SPDX-License-Identifier: MIT */
/* Internal: jump search (Harabor and Grastien 2011, 2014) on the tables of src/map/jumps;
 * docs/design/jump-search.md explains it. */
#ifndef WEND_SRC_SEARCH_JUMP_GRID_JUMP_H
#define WEND_SRC_SEARCH_JUMP_GRID_JUMP_H

#include "map/landmarks/landmark_bounds.h"
#include "search/store/search_state.h"

/// A node of a jump search, see grid_jump_nodes.h.
typedef struct wend__jump_node {
    uint32_t record; ///< g << 5 | expanded << 4 | directions it was entered in; all bits set: not reached
    uint32_t parent; ///< cell it was reached from
} wend__jump_node;

/// An entry of its open list, see grid_jump_queue.h.
typedef struct wend__jump_entry {
    uint32_t word; ///< g | directions << 28; no directions: the node's
    uint32_t cell;
    uint32_t node; ///< index of the node in the pool's records; WEND__NONE: the goal's
} wend__jump_entry;

enum { WEND__JUMP_WAITING = 16 }; ///< most successors that wait for memory

/// A successor that waits until its memory has been fetched, see grid_jump_relax.h.
typedef struct wend__jump_waiting {
    wend__jump_entry entry;
    uint32_t d; ///< straight direction in which it was entered
} wend__jump_waiting;

/// See grid_jump.c.
typedef struct wend__grid_jump_search {
    wend__search search;
    wend__jump_node goal; ///< the goal's node, as the goal may be no jump point
    uint32_t goal_cell;
    int32_t block_column, block_row;      ///< the block of the current view; -1: none yet
    const wend__chunk *chunks;            ///< its chunks
    const struct wend__jump_block *block; ///< its tables
    const uint32_t *halves;               ///< its directory: first node of each half of its chunks
    uint32_t spare_directory;             ///< half an open page for the next block's directory; WEND__NONE
    uint32_t fresh_node, fresh_end;       ///< unused nodes of the newest page
    uint32_t g_limit;                     ///< a node with a greater g is not expanded, as costs would exceed 27 bits
    uint32_t bend;                        ///< D - S, in units
    int32_t goal_column, goal_row;        ///< chunk of the goal
    uint32_t goal_bucket;                 ///< if best is known: bucket of the goal, as `floor` counts
    uint32_t floor;                       ///< bucket being emptied: f >> shift
    uint32_t far, far_floor;              ///< entries beyond the ring: the first, and the lowest bucket among them
    bool is_held;
    wend__jump_entry held; ///< a successor in the bucket being emptied: it is expanded next
    uint32_t exits;        ///< directions left of the node being expanded: bits 0 to 3 straight, 4 to 7 diagonal
    uint32_t cell;         ///< that node
    uint32_t cell_g;       ///< its g
    uint32_t owed;         ///< successors pushed that are not yet counted as expansions
    wend__landmark_bounds landmark_bounds; ///< what landmarks tell it, in units
    bool is_large;                         ///< the map's tables are larger than the caches
    uint32_t waiting_count;
    wend__jump_waiting waiting[WEND__JUMP_WAITING];
    bool on_way; ///< a diagonal scan was interrupted: it resumes here
    int32_t x, y;
    uint32_t g;
} wend__grid_jump_search;

extern const wend__engine wend__grid_jump;

static inline wend__grid_jump_search *wend__jump_of(const wend__search *search) {
    return (wend__grid_jump_search *)search;
}

/// A cell of a map at most 65,536 cells wide and high.
static inline uint32_t wend__jump_cell(int32_t x, int32_t y) {
    return (uint32_t)x << 16 | (uint32_t)y;
}

static inline int32_t wend__jump_x(uint32_t cell) {
    return (int32_t)(cell >> 16);
}

static inline int32_t wend__jump_y(uint32_t cell) {
    return (int32_t)(cell & 0xffff);
}

#endif
