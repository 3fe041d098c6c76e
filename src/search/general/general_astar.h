/* SPDX-License-Identifier: MIT */
/* Internal: A* on any kind of map, with links, occupied cells, reach, several goals, goals that
 * move, and nearest. */
#ifndef WEND_SRC_SEARCH_GENERAL_GENERAL_ASTAR_H
#define WEND_SRC_SEARCH_GENERAL_GENERAL_ASTAR_H

#include "search/general/heuristic.h"
#include "search/rules/weights.h"
#include "search/store/search_state.h"

/// A node. Not reached: all bits set.
typedef struct wend__general_node {
    uint64_t g;
    uint32_t parent; ///< id of the node it was reached from; its own: the start
    uint32_t open;   ///< 1: in the open list, 0: closed
} wend__general_node;

/// Prices of work, in points: WEND__EXPANSION_POINTS.
typedef struct wend__general_prices {
    uint32_t node; ///< an expansion, on top of what it counts at once
    uint32_t leap; ///< an edge or a link
    uint32_t push; ///< a successor that becomes cheaper: its estimate, and its units
} wend__general_prices;

typedef struct wend__general_astar_search {
    wend__search search;
    wend__heuristic heuristic;
    int32_t kind, layer_rows; ///< the map's kind and chunk_y: a path may be read after its version is gone
    int32_t mover_size, occupied;
    bool nearest, looks;     ///< `looks`: check each taken cell, for the nearest one, or to collect
    bool pays;               ///< units or places add costs to steps
    bool strict;             ///< weighted, or manhattan: nodes are expanded in strict order of their keys, once each
    wend__weights weights;   ///< with `strict`
    bool moving;             ///< the entries of a higher level's bucket are moving down
    uint32_t goal_id;        ///< the best goal so far; WEND__NONE
    uint64_t goal_floor;     ///< the floor when the goal was found
    uint32_t near_id;        ///< the nearest node so far; WEND__NONE
    wend__nearness nearness; ///< nearness of that node
    uint32_t expanding;      ///< node with an expansion interrupted for lack of pages; WEND__NONE
    uint32_t successor;      ///< its next successor
    uint32_t end_id;         ///< last node of the delivered path
    wend__general_prices prices;
    uint32_t points;                 ///< points of work that do not add up to an expansion
    struct wend__collector *collect; ///< gets all taken cells if there is no goal: collect.h; or NULL
} wend__general_astar_search;

extern const wend__engine wend__general_astar;

static inline wend__general_astar_search *wend__general_of(const wend__search *search) {
    return (wend__general_astar_search *)search;
}

/* ---- general_expand.c: the successors of a node of the general engine ---- */

/// Sets the prices of the search's work. The heuristic and all fields of the request are set.
void wend__general_set_prices(wend__search *search);

/// Records whether canonical successors are valid in a page: on grids, if units and costs by place do not matter.
void wend__general_describe_page(wend__search *search, uint32_t page);

/// Expands the node `expanding`, or resumes its expansion, and adds what the search owes for it.
/// Returns false if pages are lacking.
bool wend__general_expand(wend__search *search, wend__stock *stock);

/* ---- general_path.c: the path of the general engine ---- */

/// Ends the search: with the best goal, the nearest node, or no path.
void wend__general_finish(wend__search *search);

/// See wend__search_take_nearest(), wend__search_cells() and wend__search_expanded().
bool wend__general_take_nearest(wend__search *search);
void wend__general_cells(const wend__search *search, wend_cell *out, uint64_t count);
void wend__general_expanded(const wend__search *search, wend__cell_list *list);

/// See wend__engine.
void wend__general_leads(wend__search *search, struct wend__candidate_best *best);
int wend__general_back(const wend__search *search, struct wend__candidate *at);

#endif
