/* SPDX-License-Identifier: MIT */
/* Internal: the state of a search's looks around its goals: see enclosed/enclosure.h. */
#ifndef WEND_SRC_SEARCH_STORE_ENCLOSURE_STATE_H
#define WEND_SRC_SEARCH_STORE_ENCLOSURE_STATE_H

#include "map/nearest/nearest.h"
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
    WEND__LOOK_NEAREST ///< looks for the nearest cell that may be reached
};

typedef struct wend__enclosure {
    uint8_t state;  ///< WEND__LOOK_…
    bool found;     ///< `target` is the nearest cell that the search may reach, as far as is known
    bool turns;     ///< the caller is to send the search there
    bool aimed;     ///< it goes there
    uint64_t after; ///< expansions of the search before it looks back
    wend_cell target;
    int32_t mover_size;
    uint32_t spent; ///< expansions of the look back

    /* Cells that lead to a goal, by their numbers. */
    uint32_t count, pending;
    uint32_t cells[WEND__ENCLOSURE_CELLS];
    uint8_t stack[WEND__ENCLOSURE_CELLS]; ///< those that the look has not gone back from: places in `cells`
    uint8_t table[WEND__ENCLOSURE_TABLE]; ///< open addressing: place in `cells` + 1; 0: free

    /* The walk through the cells within reach of goals. */
    uint32_t goal, credit; ///< whose; cells that the last expansion still pays for
    wend_cell offset;      ///< from the goal

    /* The nearest cell. */
    wend__nearest nearest;
    int64_t points; ///< that are paid for its work; below 0: owed
} wend__enclosure;

#endif
