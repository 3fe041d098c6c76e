/* SPDX-License-Identifier: MIT */
/* Internal: what a search of any engine keeps: a plain struct without allocations, which may be left at any time and gone on
 * with later. Each engine has a struct of its own that begins with this one. */
#ifndef WEND_SRC_SEARCH_STORE_SEARCH_STATE_H
#define WEND_SRC_SEARCH_STORE_SEARCH_STATE_H

#include "map/store/directions.h"
#include "map/version/version.h"
#include "map/store/rules.h"
#include "search/open/bucket_queue.h"
#include "search/store/pool.h"
#include <wend/search.h>

enum { WEND__DIRECTORY = 64 };

/// Costs in units of their greatest common divisor, and a bucket's width for them: kept from search to search, as rules
/// seldom change.
typedef struct wend__unit_costs {
    int32_t of_straight, of_diagonal; ///< the rules' costs that the rest follows from; 0: none yet
    uint32_t unit, straight, diagonal, shift;
} wend__unit_costs;

typedef struct wend__search {
    /* What its owner may look at. */
    const wend__version *version;      ///< not owned: whoever begins the search keeps it alive
    const wend__version *ground;       ///< what its mover sees of it
    const struct wend__engine *engine; ///< that serves it
    wend_status status;                ///< WEND_STATUS_PENDING while there is something to do
    bool starved;                      ///< the last step stopped because the stock was empty
    uint32_t wants_pages; ///< where starved: record pages it cannot go on without, 0 to 3; the stock has none left
    uint32_t wants_open;  ///< where starved: 1 if it cannot go on without an open page; the stock has none left
    uint64_t cost;        ///< where found or partial
    uint64_t steps;       ///< likewise: cells - 1
    uint64_t expansions;  ///< of this run, from begin on
    wend_cell start, goal;
    wend__page_list pages, open_pages; ///< what it holds of the pool

    /* The engines' own. */
    wend__pool *pool;
    bool begun;    ///< the start is in the open list
    bool outgrown; ///< the costs outgrew the engine's records: its `wider` engine is to begin again
    bool wide;     ///< 8-byte records: the costs outgrew 4-byte ones
    bool exhaust;  ///< buckets hold more than one f, or f may fall: the goal's bucket is emptied before the end
    int32_t mover, heuristic, weight_milli;
    uint32_t reuse_page, reuse_open; ///< pages held from before (a slot handed on, narrower records), to take first
    uint32_t goal_id;                ///< WEND__NONE until the goal's page is there
    uint64_t best;                   ///< g of the cheapest path to the goal so far; UINT64_MAX: none
    uint64_t floor_f;                ///< least f of the bucket being emptied, where the engine needs to know it
    wend__unit_costs unit_costs;     ///< jump search's
    uint32_t unit;                   ///< costs are counted in units of this, the gcd of the map's costs
    uint32_t edge[WEND__DIRECTIONS]; ///< on grids: cost of a step, in units
    uint64_t largest_edge;
    uint32_t active_pages;    ///< pages in the directory
    uint32_t directory_shift; ///< buckets of the directory: 2^(2 x shift)
    uint32_t *directory;      ///< pages by place on the map: `first_directory`, later an open page
    uint32_t first_directory[WEND__DIRECTORY];
    uint32_t part_shift; ///< of engines whose pages are parts of chunks: 2^part_shift places; else 0
    void (*describe_page)(struct wend__search *search, uint32_t page); ///< the engine's, of a page just taken; or NULL
    wend__open open;
} wend__search;

/// Cells as they are found: the first so many are kept, all are counted.
typedef struct wend__cell_list {
    wend_cell *cells;
    size_t capacity, count;
} wend__cell_list;

static inline void wend__cell_list_add(wend__cell_list *list, wend_cell cell) {
    if (list->count < list->capacity) list->cells[list->count] = cell;
    list->count++;
}

/// What an engine does. `begin` finds status, version, ground, start, goal and mover set.
typedef struct wend__engine {
    int32_t name;                     ///< in completions: WEND_ENGINE_ASTAR or _JUMP
    const struct wend__engine *wider; ///< begins again where costs outgrew its records; NULL: they never do
    bool (*serves)(const wend__version *version, const wend_request *request);
    void (*begin)(wend__search *search, const wend_request *request);
    /// Spend up to `budget` expansions (at least 1), taking pages from the stock. Returns what was spent. May stop early.
    uint64_t (*step)(wend__search *search, wend__stock *stock, uint64_t budget);
    /// End the search if that takes no more expansions: see wend__search_conclude().
    void (*conclude)(wend__search *search, wend__stock *stock);
    /// Make room in the open list: see wend__search_compact().
    bool (*compact)(wend__search *search);
    void (*cells)(const wend__search *search, wend_cell *out, uint64_t count);
    void (*directions)(const wend__search *search, uint8_t *out); ///< NULL: its steps may lead elsewhere
    void (*expanded)(const wend__search *search, wend__cell_list *list);
    bool (*take_nearest)(wend__search *search);                           ///< NULL: it serves no nearest requests
    bool (*move_goal)(wend__search *search, const wend_request *request); ///< NULL: it begins again
} wend__engine;

#endif
