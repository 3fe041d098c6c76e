/* SPDX-License-Identifier: MIT */
/* Internal: one resumable search, a plain struct without allocations. The service and wend_search both drive it. */
#ifndef WEND_SRC_SEARCH_INTERNAL_H
#define WEND_SRC_SEARCH_INTERNAL_H

#include "map/map_internal.h"
#include "search/open_list.h"
#include "search/pool.h"
#include <wend/search.h>

enum { WEND__DIRECTORY = 64 };

typedef struct wend__search {
    const wend__version *version; ///< not owned: whoever begins the search keeps it alive
    wend__pool *pool;
    int32_t status;  ///< WEND_STATUS_PENDING while there is something to do
    bool starved;    ///< the last step stopped because the stock was empty; going on needs `needs_pages` or an open page
    bool wide;       ///< 8-byte records: the costs outgrew 27 bits
    bool general;    ///< weighted, euclid or manhattan: estimates one by one, f may fall
    uint32_t needs_pages; ///< where starved: record pages needed to go on, 0 to 3
    wend_cell start, goal;
    uint64_t cost;     ///< where found
    uint64_t steps;    ///< where found: cells − 1
    uint64_t expansions; ///< of this run, from begin on
    wend__list pages, open_pages; ///< what it holds
    /* … the search core's own, see astar.c */
    uint32_t directory[WEND__DIRECTORY]; ///< buckets of pages by chunk
    uint32_t *directory_page;
    uint32_t last_page;
    uint64_t unit;  ///< costs are counted in units of this (the gcd of S and D)
    uint32_t cost_straight, cost_diagonal; ///< in units
    uint32_t estimate_straight, estimate_diagonal;
    uint64_t best;  ///< cheapest way to the goal so far, in units
    int32_t heuristic, weight_milli;
    uint64_t euclid_factor;
    unsigned euclid_shift;
    bool begun;
    wend__open open;
} wend__search;

/// Forget everything and start. Answers start_blocked, goal_blocked and start == goal at once; takes no pages.
/// The request's cells are on the map. Any pages held must have been dropped.
void wend__search_begin(wend__search *search, wend__pool *pool, const wend__version *version, const wend_request *request);

/// Spend up to `budget` expansions, taking pages from the stock. Returns what was spent. Stops early when the search
/// ends (status) or the stock is empty (starved).
uint64_t wend__search_step(wend__search *search, wend__stock *stock, uint64_t budget);

/// The directions (WEND__N …) of `count` steps of a found path from the start on, as bytes; count ≤ steps.
void wend__search_directions(const wend__search *search, uint8_t *out, uint64_t count);

/// What a prefix of a found path costs, `count` steps from the start on, given its directions.
uint64_t wend__steps_cost(const wend__version *version, wend_cell start, const uint8_t *directions, uint64_t count);

/// Give all pages back, O(1). Between rounds only. What wend__search_directions() needs is gone afterwards.
void wend__search_drop(wend__search *search);

/// 1 and 1000, or 0 and the bound × 1000.
void wend__search_bound(const wend_map_rules *rules, const wend_request *request, int32_t *exact, int32_t *bound_milli);

/// What submit refuses before asking the map: heuristics, engines, weights and flags. WEND_OK, WEND_BAD_ARGUMENT or
/// WEND_OUT_OF_RANGE.
int32_t wend__request_check(const wend_request *request);

#endif
