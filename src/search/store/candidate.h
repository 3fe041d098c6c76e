/* SPDX-License-Identifier: MIT */
/* Internal: the node of a running search with the lowest f, and the way from it back to the start. */
#ifndef WEND_SRC_SEARCH_STORE_CANDIDATE_H
#define WEND_SRC_SEARCH_STORE_CANDIDATE_H

#include "search/open/strict_queue.h"
#include "search/store/search_state.h"

/// A node, with its g and its estimate, in the map's costs.
typedef struct wend__candidate {
    wend_cell cell;
    uint32_t node; ///< node of the engine
    uint64_t g, left;
} wend__candidate;

/// A hop back from a node to its parent.
typedef enum wend__hop {
    WEND__HOP_NONE, ///< the node is the start
    WEND__HOP_STEP, ///< a step, also along an edge or a link
    WEND__HOP_JUMP, ///< a jump from the parent diagonally, then straight
    WEND__HOP_TURN, ///< a jump from the parent vertically, then horizontally
    WEND__HOP_ROUND ///< a jump the shorter way round
} wend__hop;

/// The best of the nodes that were offered.
typedef struct wend__candidate_best {
    wend__search *search;
    uint32_t left; ///< nodes still to be offered; with more in the open list, those of the lowest f come first
    /// Describes an open node. Returns false if it is closed.
    bool (*read)(const wend__search *search, uint32_t node, wend__candidate *out);
    wend__candidate candidate;
    bool any;
    struct wend__open_nodes_list *list; ///< NULL; else all are added there, in the order of the open list
} wend__candidate_best;

/// Open nodes for wend_search_get_open().
typedef struct wend__open_nodes_list {
    wend_search_node *nodes;
    size_t capacity, count;
} wend__open_nodes_list;

/// Offers a node.
void wend__candidate_offer(wend__candidate_best *best, const wend__candidate *candidate);

/// Offers the nodes of an open list with blocks of ids, or in strict order (then all of them).
/// Cost: O(entries that are offered).
void wend__candidate_offer_list(wend__candidate_best *best);
void wend__candidate_offer_strict(wend__candidate_best *best);

/// The same for an open list of chained entries of four words: the second is the node, the fourth the position below.
/// @param far   a further chain; 0: none
void wend__candidate_offer_chains(wend__candidate_best *best, uint32_t far);

#endif
