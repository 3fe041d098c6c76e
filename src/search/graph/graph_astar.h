/* SPDX-License-Identifier: MIT */
/* Internal: A* on graphs for one goal, without links or occupied nodes. */
#ifndef WEND_SRC_SEARCH_GRAPH_GRAPH_ASTAR_H
#define WEND_SRC_SEARCH_GRAPH_GRAPH_ASTAR_H

#include "search/rules/bound.h"
#include "search/store/search_state.h"

/// A node.
typedef struct wend__graph_node {
    uint32_t g;      ///< UINT32_MAX: not reached; 0 if the mover cannot stand there, so that no path there is better
    uint32_t left;   ///< the estimate, once it was reached
    uint32_t parent; ///< node it was reached from; its own: the start
    uint32_t state;  ///< the mover's factor there << 1 | in the open list
} wend__graph_node;

/* A page has 1,024 nodes. The first directory of a search names open pages, each a directory of
 * 1,024 pages. An entry is the page minus the page that it would be if all nodes lay in a row,
 * so one sum leads from a node's number to its record. */
enum { WEND__GRAPH_PAGE_SHIFT = 10, WEND__GRAPH_TOP_SHIFT = 20 };
#define WEND__GRAPH_NO_PAGE INT32_MIN

typedef struct wend__graph_astar_search {
    wend__search search;
    uint32_t shift;                    ///< keys are counted in units of 2^shift
    uint32_t expanding;                ///< node under expansion; WEND__NONE
    uint32_t successor;                ///< the next of its edges
    bool moving;                       ///< the entries of a higher level's bucket are moving down
    bool blind;                        ///< no distances are known: the estimate is 0
    uint64_t goal_floor;               ///< the floor when the goal was found
    wend_cell goal_place;              ///< coordinates of the goal
    wend__node_bounds landmark_bounds; ///< bounds by landmarks
    uint32_t near_number;              ///< in a nearest search: the nearest closed node; WEND__NONE
    wend__nearness nearness;           ///< nearness of that node
} wend__graph_astar_search;

extern const wend__engine wend__graph_astar;

static inline wend__graph_astar_search *wend__graph_of(const wend__search *search) {
    return (wend__graph_astar_search *)search;
}

/// Returns the directory's entry for a node: WEND__GRAPH_NO_PAGE if there is no page; NULL if there
/// is no directory for it.
WEND__INLINE uint32_t *wend__graph_page_entry(const wend__search *s, uint32_t node) {
    const uint32_t open_page = s->first_directory[node >> WEND__GRAPH_TOP_SHIFT];
    if (WEND__UNLIKELY(open_page == WEND__NONE)) return NULL;
    uint32_t *entries = s->pool->open_entries + (size_t)open_page * WEND__OPEN_PAGE_WORDS;
    return &entries[node >> WEND__GRAPH_PAGE_SHIFT & (WEND__OPEN_PAGE_WORDS - 1)];
}

WEND__INLINE wend__graph_node *wend__graph_node_at(uint8_t *records, int32_t entry, uint32_t node) {
    return (wend__graph_node *)(void *)records + ((int64_t)entry * (1 << WEND__GRAPH_PAGE_SHIFT) + node);
}

/// An estimate, limited to what a node can hold.
WEND__INLINE uint32_t wend__graph_left(uint64_t estimate) {
    return estimate < INT32_MAX ? (uint32_t)estimate : INT32_MAX;
}

/// Returns a node that has a page.
WEND__INLINE wend__graph_node *wend__graph_node_of(const wend__search *s, uint32_t node) {
    return wend__graph_node_at(s->pool->records, (int32_t)*wend__graph_page_entry(s, node), node);
}

#endif
