/* SPDX-License-Identifier: MIT */
/* Internal: the node of a running search that looks most promising, and the way from it back to the start. */
#ifndef WEND_SRC_SEARCH_STORE_LEAD_H
#define WEND_SRC_SEARCH_STORE_LEAD_H

#include "search/open/strict_queue.h"
#include "search/store/search_state.h"

/// A node, with its g and its estimate, in the map's costs.
typedef struct wend__lead {
    wend_cell cell;
    uint32_t node; ///< the engine's
    uint64_t g, left;
} wend__lead;

/// A hop back from a node to the one it was reached from.
typedef enum wend__hop {
    WEND__HOP_NONE, ///< it is the start
    WEND__HOP_STEP, ///< one step, along an edge or a link too
    WEND__HOP_JUMP, ///< from the other node diagonally, then straight
    WEND__HOP_TURN  ///< from it vertically, then horizontally
} wend__hop;

/// The best of the nodes that were offered.
typedef struct wend__lead_best {
    wend__search *search;
    uint32_t left; ///< nodes that are still offered; where the open list has more, those of the lowest f come first
    /// Describe an open node. False: it is closed.
    bool (*read)(const wend__search *search, uint32_t node, wend__lead *out);
    wend__lead lead;
    bool any;
} wend__lead_best;

/// Offer a node.
void wend__lead_offer(wend__lead_best *best, const wend__lead *lead);

/// Offer the nodes of an open list that has blocks of ids, or is in strict order (then all of them).
/// Cost: O(entries that are offered).
void wend__lead_offer_list(wend__lead_best *best);
void wend__lead_offer_strict(wend__lead_best *best);

/// The same for an open list of chained entries of four words: the second is the node, the fourth the position below.
/// @param far   a further chain; 0: none
void wend__lead_offer_chains(wend__lead_best *best, uint32_t far);

#endif
