/* SPDX-License-Identifier: MIT */
/* Internal: removes from an open list of blocks the entries that will never be expanded. */
#ifndef WEND_SRC_SEARCH_OPEN_OPEN_COMPACTION_H
#define WEND_SRC_SEARCH_OPEN_OPEN_COMPACTION_H

#include "search/open/bucket_queue.h"

/// How to tell and change whether an entry's node is open.
typedef struct wend__open_nodes {
    const void *owner;
    bool (*is_open)(const void *owner, uint32_t id);
    void (*flip_open)(const void *owner, uint32_t id); ///< from open to closed, or back
} wend__open_nodes;

/// Remove the entries of closed nodes, and all but the first to come off of an open node.
/// @param pages   open pages that the list has
/// @param floor   of multilevel buckets; NULL: the buckets are a ring
/// @return blocks that became free; 0 where they are fewer than an eighth of all. So the work is at
///         most eight blocks for each block that is filled later.
uint32_t wend__open_compact(wend__open *open, const wend__open_nodes *nodes, uint32_t pages, const uint64_t *floor);

#endif
