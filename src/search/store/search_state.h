/* SPDX-License-Identifier: MIT */
/* Internal: the state that searches of all engines have: a plain struct without allocations. A
 * search can stop after any step and go on later. Each engine has a struct of its own that
 * begins with this one. */
#ifndef WEND_SRC_SEARCH_STORE_SEARCH_STATE_H
#define WEND_SRC_SEARCH_STORE_SEARCH_STATE_H

#include "map/ground/within.h"
#include "map/nearest/nearest.h"
#include "map/store/directions.h"
#include "map/store/rules.h"
#include "map/version/version.h"
#include "search/open/bucket_queue.h"
#include "search/store/pool.h"
#include "search/store/request_fields.h"
#include <wend/explain.h>
#include <wend/search.h>

/* ---- the state of a search backwards from the goals: see enclosed/enclosure.h ---- */

enum {
    WEND__ENCLOSURE_AFTER = 200, ///< expansions of the search before it begins
    WEND__ENCLOSURE_CELLS = 200, ///< most cells of an enclosed part
    WEND__ENCLOSURE_TABLE = 512  ///< places of the set of its cells; a power of two
};

/// The stages of an enclosure.
enum {
    WEND__ENCLOSURE_DONE,   ///< the enclosure has ended, or the request has none
    WEND__ENCLOSURE_WAITS,  ///< the search itself goes first
    WEND__ENCLOSURE_SEEDS,  ///< visits the cells at which the search may end
    WEND__ENCLOSURE_BACK,   ///< searches back from cells that lead there
    WEND__ENCLOSURE_NEAREST ///< finds the nearest cell that may be reached
};

typedef struct wend__enclosure {
    uint8_t state;  ///< WEND__ENCLOSURE_…
    bool found;     ///< `target` is the nearest cell that the search may reach, by present knowledge
    bool turns;     ///< the caller is to send the search there
    bool aimed;     ///< the search goes there
    uint64_t after; ///< expansions of the search before it goes back
    wend_cell target;
    int32_t mover_size;
    uint32_t spent; ///< expansions backwards

    /* Cells that lead to a goal, by their numbers. */
    uint32_t count, pending;
    uint32_t cells[WEND__ENCLOSURE_CELLS];
    uint8_t stack[WEND__ENCLOSURE_CELLS]; ///< cells that are not expanded: places in `cells`
    uint8_t table[WEND__ENCLOSURE_TABLE]; ///< open addressing: place in `cells` + 1; 0: free

    /* The walk through the cells within reach of goals. */
    uint32_t goal, credit; ///< the current goal; cells paid for by the last expansion
    wend_cell offset;      ///< offset from the goal

    /* The nearest cell. */
    wend__nearest nearest;
    int64_t points; ///< points paid for its work; below 0: owed
} wend__enclosure;

/* ---- request/leg.h ---- */

/// A search of WEND_MODE_FAR.
typedef struct wend__far_leg {
    bool waits;     ///< the next step finds its route
    bool aimed;     ///< the search goes to `target`; else to its goal
    uint32_t page;  ///< page with the crossings behind the target, apart from the search's pages; WEND__NONE: none
    uint32_t count; ///< number of these crossings
    uint64_t cost;  ///< upper bound of the cost of the way to the goal
    wend_cell target;
} wend__far_leg;

/* ---- cell_list.c: cells that an engine visits, for pictures, or to find the one nearest to the goals ---- */

struct wend__search;

/// number of all cells; the first `capacity` of them are kept
typedef struct wend__cell_list {
    wend_cell *cells;
    size_t capacity, count;
    const struct wend__search *of; ///< NULL; else only the cell nearest to the goals of its request is kept
    wend_cell best;
    wend__nearness nearness; ///< nearness of `best`
} wend__cell_list;

/// Keeps a cell if it is the nearest so far.
void wend__cell_list_consider(wend__cell_list *list, wend_cell cell);

/// Returns whether the cells of a box can be skipped, as none of them is the nearest.
bool wend__cell_list_skips(const wend__cell_list *list, wend_box box);

static inline void wend__cell_list_add(wend__cell_list *list, wend_cell cell) {
    if (list->of) {
        wend__cell_list_consider(list, cell);
        return;
    }
    if (list->count < list->capacity) list->cells[list->count] = cell;
    list->count++;
}

/// Returns the closed cell of a search that is nearest to the goals of its request, or the start. Cost: O(pages, and
/// nodes of those near the goals).
wend_cell wend__nearest_closed(const struct wend__search *search);

enum {
    WEND__DIRECTORY = 64,
    WEND__TAKEN_GRACE = 8, ///< expansions after which a search ends if units have taken its goals
    /// Points of work that count as one expansion. A point takes about a nanosecond where the prices were measured;
    /// prices are constants, so that counts are the same on every machine.
    WEND__EXPANSION_POINTS = 32
};

/// Step costs in units of their greatest common divisor, and a width of buckets for them. A search
/// keeps them for the next one, as rules seldom change.
typedef struct wend__unit_costs {
    int32_t of_straight, of_diagonal; ///< costs of the rules that the other fields follow from; 0: none
    uint32_t unit, straight, diagonal, shift;
} wend__unit_costs;

typedef struct wend__search {
    /* Read by the owner. */
    const wend__version *version;      ///< not owned: the caller that begins the search keeps it alive
    const wend__version *view;         ///< the version as the search's mover sees it
    const struct wend__engine *engine; ///< the engine that serves it
    wend_status status;                ///< WEND_STATUS_PENDING while there is something to do
    bool starved;                      ///< the last step stopped because the stock was empty
    uint32_t wants_pages;              ///< if starved: record pages that it needs, 0 to 3; the stock has none left
    uint32_t wants_open;               ///< if starved: 1 if it needs an open page; the stock has none left
    uint64_t cost;                     ///< set if found or partial
    uint64_t steps;                    ///< the same: cells - 1
    uint64_t expansions;               ///< counted in this run, from begin on
    uint64_t owed;                     ///< work already done, in expansions, that is counted before the search goes on
    wend_status ended;     ///< how it ended, while it owes; `status` is pending until all is counted. Else pending
    uint64_t unit_moves;   ///< moves on the map before it began, for a request that sees units
    wend__unit_range seen; ///< the units that a request sees which does not ignore them
    uint32_t grace;        ///< expansions left to it while units stand on all goals
    wend_cell start, goal; ///< the goal that it goes to: the request's first one, or the nearest cell
    wend__request request; ///< the original request; its further goals follow the first one in `goals`
    wend_cell goals[WEND_MAX_GOALS];
    wend__page_list pages, open_pages; ///< pages of the pool that it holds
    const struct wend__layers *layers; ///< a reference to costs by place as it began; NULL: none counts
    const struct wend__profile *profile;

    /* Used by the engines. */
    wend__pool *pool;
    uint32_t price; ///< expansions that a unit of its engine's work counts as, from 1
    bool begun;     ///< the start is in the open list
    bool outgrown;  ///< the costs exceed the engine's records: the engine `wider` begins the search again
    bool wide;      ///< 8-byte records, as the costs exceed 4-byte ones
    bool exhaust;   ///< buckets hold several values of f, or f may fall: the goal's bucket is emptied
    int32_t mover, heuristic, weight_milli;
    uint32_t reuse_page, reuse_open; ///< pages that it holds and has not used: it takes them first
    uint32_t goal_id;                ///< WEND__NONE until the search has the goal's page
    uint64_t best;                   ///< g of the cheapest path to the goal so far; UINT64_MAX: none
    uint64_t floor_f;                ///< least f of the bucket being emptied, for engines that need it
    wend__unit_costs unit_costs;     ///< used by jump search
    uint32_t unit;                   ///< the unit of costs: the greatest common divisor of the map's
    uint32_t edge[WEND__DIRECTIONS]; ///< grids: cost of each step, in units
    uint64_t largest_edge;
    uint32_t active_pages;    ///< pages in the directory
    uint32_t directory_shift; ///< buckets of the directory: 2^(2 x shift)
    uint32_t *directory;      ///< pages by their place on the map: `first_directory`, later an open page
    uint32_t first_directory[WEND__DIRECTORY];
    uint32_t part_shift; ///< engines with parts of chunks as pages: a page has 2^part_shift places; else 0
    void (*describe_page)(struct wend__search *search,
                          uint32_t page); ///< callback of the engine for each new page; or NULL
    wend__open open;
    wend__enclosure enclosure; ///< knowledge about cells that enclose its goals
    wend__far_leg far;
} wend__search;

/// Returns whether units that the search sees have moved since it began. Then a node may have become cheaper after it
/// was expanded, and a path costs less than the g of its end.
static inline bool wend__search_stirred(const wend__search *s) {
    return s->request.occupied != WEND_OCCUPIED_IGNORE && s->unit_moves != s->version->map->unit_moves;
}

/// Returns the cost of a step of a delivered path, with the present units. See cell_list.c.
uint64_t wend__search_price(const wend__search *s, wend_cell from, wend_cell to);

struct wend__candidate;
struct wend__candidate_best;

/// An engine: one row of the table of engines.h. `begin` finds status, version, view, start, goal
/// and mover set.
typedef struct wend__engine {
    int32_t name;  ///< its name in completions: WEND_ENGINE_ASTAR or _JUMP
    uint32_t work; ///< WEND_WORK_…
    const struct wend__engine
        *wider; ///< the engine that begins the search again if costs exceed its records; NULL: they never do
    bool (*serves)(const wend__version *version, const wend__request *request);
    /// Returns why it serves no such request, as a reason of the general A*: WEND_GENERAL_…. NULL: no reason is given.
    int32_t (*refuses)(const wend__version *version, const wend__request *request);
    void (*begin)(wend__search *search, const wend__request *request);
    /// Spend up to `budget` units of work (at least 1), each of which counts as `price` expansions; take pages from
    /// the stock. Returns the units spent. It may stop early. It adds work of costly units to `owed`, in expansions,
    /// and stops as soon as that and the units come to the budget.
    uint64_t (*step)(wend__search *search, wend__stock *stock, uint64_t budget);
    /// Ends the search if that takes no more expansions: see wend__search_conclude().
    void (*conclude)(wend__search *search, wend__stock *stock);
    /// Removes stale entries: see wend__search_compact().
    bool (*compact)(wend__search *search);
    void (*cells)(const wend__search *search, wend_cell *out, uint64_t count);
    /// NULL, or false: the path has other steps than those to neighbours.
    bool (*directions)(const wend__search *search, uint8_t *out);
    void (*expanded)(const wend__search *search, wend__cell_list *list);
    /// See wend__search_take_nearest(). NULL: it serves no nearest requests.
    bool (*take_nearest)(wend__search *search);
    bool (*move_goal)(wend__search *search, const wend__request *request); ///< NULL: the search begins again
    /// Offers the open nodes, and the goal if it is known: see candidate.h. The search has begun and not ended.
    void (*candidates)(wend__search *search, struct wend__candidate_best *best);
    /// Goes from a node to its parent. Returns a wend__hop; HOP_NONE: the node is the start.
    int (*back)(const wend__search *search, struct wend__candidate *at);
} wend__engine;

#endif
