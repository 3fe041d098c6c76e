/* SPDX-License-Identifier: MIT */
/* Internal: the state of the backward look from the goals of a search among units: see enclosed/enclosure.h. */
#ifndef WEND_SRC_SEARCH_STORE_ENCLOSURE_STATE_H
#define WEND_SRC_SEARCH_STORE_ENCLOSURE_STATE_H

#include <wend/search.h>

enum {
    WEND__ENCLOSURE_AFTER = 200, ///< expansions of the search before it looks
    WEND__ENCLOSURE_CELLS = 200, ///< most cells of an enclosed part
    WEND__ENCLOSURE_TABLE = 512  ///< places of the set of its cells; a power of two
};

/// The part of the look that comes next.
enum {
    WEND__LOOK_DONE,   ///< nothing: it has ended, or the request has none
    WEND__LOOK_WAITS,  ///< the search itself goes first
    WEND__LOOK_SEEDS,  ///< goes through the cells at which the search may end
    WEND__LOOK_BACK,   ///< goes back from cells that lead there
    WEND__LOOK_NEAREST ///< looks for the nearest cell that is not among them
};

typedef struct wend__enclosure {
    uint8_t state; ///< WEND__LOOK_…
    bool aimed;    ///< the search goes to `target`, as its goals are enclosed
    wend_cell target;

    /* The request. */
    int32_t mode, reach, heuristic, weight_milli, occupied_within, mover_size;
    uint32_t goal_count;
    wend_cell goals[WEND_MAX_GOALS];

    /* Cells that lead to a goal, by their numbers. */
    uint32_t count, pending;
    uint32_t cells[WEND__ENCLOSURE_CELLS];
    uint8_t stack[WEND__ENCLOSURE_CELLS]; ///< those that the look has not gone back from: places in `cells`
    uint8_t table[WEND__ENCLOSURE_TABLE]; ///< open addressing: place in `cells` + 1; 0: free

    /* The walk through boxes around goals. */
    uint32_t spent, credit; ///< expansions; cells that the last one still pays for
    uint32_t goal;
    int32_t ring;      ///< of the nearest cells: so many cells from the goal
    wend_cell offset;  ///< from the goal
    bool found;        ///< `target` is one
    uint64_t nearness; ///< its
} wend__enclosure;

#endif
