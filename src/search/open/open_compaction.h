/* SPDX-License-Identifier: MIT */
/* Internal: removes from an open list of blocks the entries that will never be expanded. */
#ifndef WEND_SRC_SEARCH_OPEN_OPEN_COMPACTION_H
#define WEND_SRC_SEARCH_OPEN_OPEN_COMPACTION_H

#include "search/open/bucket_queue.h"

/// The nodes that entries stand for.
typedef struct wend__open_nodes {
    const void *owner;
    bool (*is_open)(const void *owner, uint32_t id);
    void (*flip_open)(const void *owner, uint32_t id); ///< from open to closed, or back
} wend__open_nodes;

/// Remove entries of closed nodes, and of an open node all but the first to come off. Returns how many blocks are free
/// because of it; 0 where they are fewer than an eighth of all, so that for each block that is filled later no more than
/// eight are looked at.
/// @param pages   open pages that the list has
/// @param floor   of multilevel buckets; NULL: the buckets are a ring
uint32_t wend__open_compact(wend__open *open, const wend__open_nodes *nodes, uint32_t pages, const uint64_t *floor);

#endif
