/* SPDX-License-Identifier: MIT */
/* Internal: the engine of plain requests on graphs: one goal, no links, nobody in the way. */
#ifndef WEND_SRC_NET_H
#define WEND_SRC_NET_H

#include "search/search_internal.h"

/// What it keeps of a node.
typedef struct wend__net_node {
    uint32_t g;      ///< UINT32_MAX: not reached; where the mover cannot stand 0, so that no way there is better
    uint32_t left;   ///< the estimate, once it was reached
    uint32_t parent; ///< node it was reached from; its own: the start
    uint32_t state;  ///< the mover's factor there << 1 | in the open list
} wend__net_node;

/* A page has 1,024 nodes. The search's first directory names open pages, each a directory of 1,024 pages: of each it holds
 * the page less the page it would be if all nodes lay in a row, so that a node's number leads to its record by a sum. */
enum { WEND__NET_PAGE_SHIFT = 10, WEND__NET_TOP_SHIFT = 20 };
#define WEND__NET_NO_PAGE INT32_MIN

/// Does it serve this request?
bool wend__net_serves(const wend__version *version, const wend_request *request);

/// As wend__search_begin() and the rest, which share out the work. `begin` finds status, version, ground, start and goal.
void wend__net_begin(wend__search *search, const wend_request *request);
/// Where `is_net` is false afterwards the search outgrew it, and the full engine has begun.
uint64_t wend__net_step(wend__search *search, wend__stock *stock, uint64_t budget);
void wend__net_conclude(wend__search *search, wend__stock *stock);
void wend__net_expanded(const wend__search *search, wend__cell_list *list);
void wend__net_cells(const wend__search *search, wend_cell *out, uint64_t count);

/// The directory's entry for a node, WEND__NET_NO_PAGE where there is no page yet; NULL: nor a directory for it.
WEND__INLINE uint32_t *wend__net_entry_of(const wend__search *s, uint32_t node) {
    const uint32_t open_page = s->first_directory[node >> WEND__NET_TOP_SHIFT];
    if (WEND__UNLIKELY(open_page == WEND__NONE)) return NULL;
    uint32_t *entries = s->pool->open_entries + (size_t)open_page * WEND__OPEN_PAGE_WORDS;
    return &entries[node >> WEND__NET_PAGE_SHIFT & (WEND__OPEN_PAGE_WORDS - 1)];
}

WEND__INLINE wend__net_node *wend__net_node_at(uint8_t *records, int32_t entry, uint32_t node) {
    return (wend__net_node *)(void *)records + ((int64_t)entry * (1 << WEND__NET_PAGE_SHIFT) + node);
}

/// An estimate as a node keeps it.
WEND__INLINE uint32_t wend__net_left(uint64_t estimate) {
    return estimate < INT32_MAX ? (uint32_t)estimate : INT32_MAX;
}

/// A node that the search knows.
WEND__INLINE wend__net_node *wend__net_node_of(const wend__search *s, uint32_t node) {
    return wend__net_node_at(s->pool->records, (int32_t)*wend__net_entry_of(s, node), node);
}

#endif
