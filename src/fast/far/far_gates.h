/* SPDX-License-Identifier: MIT */
/* Internal: a search over the gates of one level of a far layer, everywhere or inside of some areas of the next level.
 *
 * A gate has one node, whichever way it is crossed: the search enters one of its two areas there and leaves it over
 * other gates only. The costs inside an area obey the triangle inequality, so one area needs no two moves in a row. */
#ifndef WEND_SRC_FAST_FAR_FAR_GATES_H
#define WEND_SRC_FAST_FAR_FAR_GATES_H

#include "fast/far/far.h"

enum {
    WEND__FAR_WITHIN = 40, ///< most areas of the next level to which a search can be confined
    WEND__FAR_NO_GATE = 255
};

typedef struct wend__far_node {
    uint32_t g, h;
    uint32_t parent; ///< WEND__FAR_NONE: the search begins here
    uint32_t at;     ///< the slot of the area entered << 8 | its gate there
    uint32_t place;  ///< position in the open list; WEND__FAR_NONE: closed, or never open
} wend__far_node;

/// The nodes of an area's gates.
typedef struct wend__far_nodes {
    uint32_t stamp, base;
} wend__far_nodes;

typedef struct wend__far_search {
    const wend__far *far;
    int32_t level;
    bool backwards;
    int32_t within_count;                    ///< 0: everywhere
    wend__far_area within[WEND__FAR_WITHIN]; ///< areas of the next level
    /* the goal; WEND__FAR_NONE as the goal's level: costs alone */
    bool aimed;
    wend_cell goal;
    wend__far_area goal_area;
    const uint32_t *to_goal;      ///< from each gate of the goal's area
    const uint32_t *goal_numbers; ///< NULL: no landmarks
    uint32_t weight;              ///< thousandths
    uint32_t best, best_node;     ///< the best way so far, and the last gate on it
    uint64_t expansions;
    /* memory of the caller's */
    wend__far_node *nodes;
    uint32_t *open;         ///< a heap of nodes
    wend__far_nodes *areas; ///< nodes of areas, by slot
    uint32_t node_room, area_room;
    uint32_t node_count, open_count, stamp;
    bool full; ///< the search ended for lack of nodes, or of room for areas
} wend__far_search;

/// Gives a search its memory. The number of areas is that of its level, or 16 for each area within.
void wend__far_search_init(wend__far_search *search, wend__far_node *nodes, uint32_t *open, uint32_t node_room,
                           wend__far_nodes *areas, uint32_t area_room);
/// Begins another search: far, level, backwards, within, and the fields of its goal are set.
void wend__far_search_begin(wend__far_search *search);
/// Enter the gates of an area: costs[j] from where the search begins to gate j, then over the border.
void wend__far_search_enter(wend__far_search *search, wend__far_area area, const uint32_t *costs);
/// Expands up to `expansions` nodes. @return true: the search ended; `best` is the result
bool wend__far_search_run(wend__far_search *search, uint64_t expansions);
/// Returns the cost of a gate on the rim of an area within, before its crossing, as a confined search found it.
uint32_t wend__far_search_cost(const wend__far_search *search, wend__far_area area, uint32_t gate);
/// The area that a node entered, and its gate there.
wend__far_area wend__far_search_area(const wend__far_search *search, const wend__far_node *node);

#endif
