/* SPDX-License-Identifier: MIT */
/* Internal: one resumable search, a plain struct without allocations. The service and wend_search both drive it. */
#ifndef WEND_SRC_SEARCH_INTERNAL_H
#define WEND_SRC_SEARCH_INTERNAL_H

#include "map/jumps/jumps.h"
#include "map/kinds/graph.h"
#include "map/kinds/graph_measure.h"
#include "map/kinds/voxels.h"
#include "map/landmarks/landmarks.h"
#include "map/links/links.h"
#include "map/movers/views.h"
#include "map/query/nearest.h"
#include "map/query/reachable.h"
#include "map/query/step_cost.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"
#include "map/store/planes.h"
#include "map/store/rules.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"
#include "map/version/version.h"
#include "search/aim.h"
#include "search/open_list.h"
#include "search/pool.h"
#include <wend/search.h>

enum { WEND__DIRECTORY = 64 };

/// A request whose goal has moved: the full engine takes it, which can go on when the goal moves again.
#define WEND__REQUEST_PURSUES (UINT32_C(1) << 31)

/// What the full engine keeps of a node. Untouched: all bits set.
typedef struct wend__node {
    uint64_t g;
    uint32_t parent; ///< id of the node it was reached from; its own: the start
    uint32_t open;   ///< 1 in the open list, 0 closed
} wend__node;

/// What the full engine adds to a search.
typedef struct wend__full {
    wend__aim aim;
    int32_t kind, layer_rows; ///< of the map; its chunk_y. A path is read when its version may be gone
    int32_t mover, mover_size, occupied;
    bool nearest;
    bool moving;             ///< a bucket of a higher tier is being emptied
    uint32_t goal_id;        ///< of the best goal so far; WEND__NONE
    uint64_t goal_floor;     ///< the lowest key when it was found
    uint32_t near_id;        ///< of the nearest node so far; WEND__NONE
    wend__nearness nearness; ///< its
    uint32_t expanding;      ///< node whose expansion was broken off for want of pages; WEND__NONE
    uint32_t successor;      ///< from where on it is taken up again
    uint32_t end_id;         ///< of the path handed over
} wend__full;

/// What the engine of plain requests on voxels adds to a search.
typedef struct wend__space {
    uint32_t edge[WEND__SPACE_DIRECTIONS]; ///< cost of a step, in units
    uint32_t straight, second, third; ///< what the longest, the second and the shortest side add to the estimate a cell
    const wend__space_ways *legal;    ///< its table says which steps are legal; NULL: wend__voxel_rule_steps() does
    const wend__space_ways *ways;     ///< which are worth taking on even ground; NULL: all legal ones everywhere
    int32_t layer_rows;               ///< the map's chunk_y. A path is read when its version may be gone
} wend__space;

/// What the engine of plain requests on graphs adds to a search.
typedef struct wend__net {
    uint32_t shift;     ///< keys are counted in units of 2^shift
    uint32_t expanding; ///< node whose expansion is under way; WEND__NONE
    uint32_t successor; ///< the next of its edges
    int32_t mover;
    bool moving;         ///< a bucket of a higher tier is being emptied
    bool blind;          ///< nothing is known of distances: the estimate is 0
    uint64_t goal_floor; ///< the lowest key when the goal was found
    wend_cell goal;      ///< its coordinates
} wend__net;

/// A jump search's, see jump_nodes.h.
typedef struct wend__jump_node {
    uint32_t record; ///< g << 5 | expanded << 4 | directions it was entered in; all bits set: not reached
    uint32_t parent; ///< cell it was reached from
} wend__jump_node;

/// What its open list keeps of a node, see jump_open.h.
typedef struct wend__jump_entry {
    uint32_t word; ///< g | directions << 28; 0 directions: those of the node
    uint32_t cell;
    uint32_t node; ///< number of 8 bytes in the pool's records; WEND__NONE: the goal's
} wend__jump_entry;

enum { WEND__BEARINGS = 2 }; ///< landmarks that a search goes by

/// What jump search adds to a search: see jump.c.
typedef struct wend__jump {
    int32_t of_straight, of_diagonal;         ///< the last rules' costs; and what follows from them:
    uint32_t unit, straight, diagonal, shift; ///< their divisor, the costs in units, the width of buckets
    wend__jump_node goal;                     ///< the goal's own: it need not be a jump point
    uint32_t goal_cell;
    int32_t block_column, block_row;      ///< block that is looked into; -1: none yet
    const wend__chunk *chunks;            ///< its chunks
    const struct wend__jump_block *block; ///< its tables
    const uint32_t *halves;               ///< its directory: where the nodes of each half of its chunks begin
    uint32_t spare_directory;             ///< half an open page for the next block's directory; WEND__NONE
    uint32_t fresh_node, fresh_end;       ///< of the newest page, not used yet
    uint32_t g_limit;                     ///< a node with more is not expanded: the costs outgrow 27 bits
    uint32_t bend;                        ///< D - S, in units
    int32_t goal_column, goal_row;        ///< chunk of the goal
    uint32_t floor;                       ///< bucket being emptied: f >> shift
    uint32_t far, far_floor; ///< entries that lie beyond the ring: the first, and the lowest bucket among them
    bool is_held;
    wend__jump_entry held; ///< a successor that fell into the bucket being emptied, to be expanded next
    uint32_t exits;  ///< of the node being expanded: directions left, straight ones in bits 0 to 3, frames in 4 to 7
    uint32_t cell;   ///< that node
    uint32_t cell_g; ///< its g
    uint32_t owed;   ///< successors entered that are still to be counted as expansions
    const struct wend__landmarks *landmarks; ///< that it goes by; NULL: none
    uint32_t bearing[WEND__BEARINGS];        ///< which of them; perhaps one twice
    uint32_t goal_from[WEND__BEARINGS];      ///< how far the goal is from these, in units
    bool on_way;                             ///< a diagonal was broken off: it goes on here
    int32_t x, y;
    uint32_t g;
} wend__jump;

typedef struct wend__search {
    /* What its owner may look at. */
    const wend__version *version; ///< not owned: whoever begins the search keeps it alive
    const wend__version *ground;  ///< what its mover sees of it
    wend_status status;           ///< WEND_STATUS_PENDING while there is something to do
    bool starved;                 ///< the last step stopped because the stock was empty
    uint32_t wants_pages; ///< where starved: record pages it cannot go on without, 0 to 3; the stock has none left
    uint32_t wants_open;  ///< where starved: 1 if it cannot go on without an open page; the stock has none left
    uint64_t cost;        ///< where found or partial
    uint64_t steps;       ///< likewise: cells - 1
    uint64_t expansions;  ///< of this run, from begin on
    wend_cell start, goal;
    wend__list pages, open_pages; ///< what it holds of the pool

    /* The core's own. */
    wend__pool *pool;
    bool begun;   ///< the start is in the open list
    bool wide;    ///< 8-byte records: the costs outgrew 27 bits
    bool general; ///< weighted, euclid or manhattan: estimated one by one, and f may fall
    bool exhaust; ///< buckets hold more than one f, or f may fall: the goal's bucket is emptied before the end
    uint32_t reuse_page, reuse_open; ///< pages held from before (a slot handed on, narrower records), to take first
    uint32_t goal_id;                ///< WEND__NONE until the goal's page is there
    uint32_t goal_bucket;            ///< jump search, where best is known: the goal's, as jump.floor counts
    uint64_t best;                   ///< cheapest way to the goal so far, in units; UINT64_MAX: none
    uint64_t floor_f;                ///< general: least f of bucket `current`
    uint32_t unit;                   ///< costs are counted in units of this, the gcd of S and D
    uint32_t edge[WEND__DIRECTIONS]; ///< cost of a step, in units
    uint32_t estimate_straight, estimate_diagonal;
    uint64_t largest_edge;
    const wend__canonical *canonical; ///< steps where the ground is even; NULL: all legal ones everywhere
    int32_t heuristic, weight_milli;
    uint32_t active_pages;    ///< pages in the directory
    uint32_t directory_shift; ///< buckets of the directory: 2^(2 x shift), by the low bits of a page's row and column
    uint32_t *directory;      ///< pages by place on the map: `first_directory`, later an open page
    uint32_t first_directory[WEND__DIRECTORY];
    uint32_t part_shift; ///< of engines whose pages are parts of chunks: 2^part_shift places; else 0
    bool is_space; ///< the engine's for plain requests on voxels; it uses the core's own but for edge and canonical
    wend__space space;
    bool is_net; ///< that for plain requests on graphs; it uses pool, begun, best, floor_f, the pages
    wend__net net;
    bool is_full; ///< the full engine's; it uses of the core's own: pool, begun, best, floor_f, weight_milli, the pages
    bool is_jump; ///< jump search's; it uses pool, begun, best, goal_bucket, unit, edge, the pages, open as chains
    wend__full full;
    wend__jump jump;
    wend__open open;
} wend__search;

/// Once for each struct, before anything else.
void wend__search_init(wend__search *search, wend__pool *pool);

/// Forget everything and start. Answers at once what wend__request_answer() does; takes no pages. Those held before are
/// taken first when some are needed. Cost: O(1).
void wend__search_begin(wend__search *search, const wend__version *version, const wend_request *request);
/// The same for who knows already what wend__request_answer() says.
void wend__search_begin_answered(wend__search *search, const wend__version *version, const wend_request *request,
                                 int32_t answer);

/// Spend up to `budget` expansions, taking pages from the stock. Returns what was spent. Stops early when the search
/// ends (status) or the stock is empty (starved).
uint64_t wend__search_step(wend__search *search, wend__stock *stock, uint64_t budget);

/// It has spent all that it may: go on as far as that costs no expansion, so that a search that needs just as many ends
/// here as it would with more. False where it starves; else it has ended, or one more expansion would be needed: then it
/// stays pending, and is not to be stepped again. Cost: O(entries of the open list) at most.
bool wend__search_conclude(wend__search *search, wend__stock *stock);

/// Where it wants an open page and the pool has none: make room among its own. Between steps. False where that did not
/// free enough to go on with. Cost: O(entries of the open list), in proportion to the expansions since the last time.
bool wend__search_sift(wend__search *search);

/// A nearest search that is cut short (a limit, a deadline, no nodes left): cost and steps become those of the nearest cell
/// that it knows a way to. False where it has none to give: it is no such search, or has not begun.
bool wend__search_settle(wend__search *search);

/// The request's goal moved: go on with what is known, as if it had been asked so from the beginning; what was spent counts.
/// Between steps, while it is pending. False where the search has to begin anew: the caller drops and begins it.
/// Cost: O(entries of the open list).
bool wend__search_move_goal(wend__search *search, const wend_request *request);

/// The first `count` cells of a path, start first; count <= steps + 1. The search is found or partial, or was settled.
/// Cost: O(steps).
void wend__search_cells(const wend__search *search, wend_cell *out, uint64_t count);

/// The same path as directions (of the 8), all `steps` of them. False, and nothing is written, where its engine's steps may
/// lead elsewhere. Cost: O(steps).
bool wend__search_directions(const wend__search *search, uint8_t *out);

/// Cells as they are found: the first so many are kept, all are counted.
typedef struct wend__cell_list {
    wend_cell *cells;
    size_t capacity, count;
} wend__cell_list;

static inline void wend__cell_list_add(wend__cell_list *list, wend_cell cell) {
    if (list->count < list->capacity) list->cells[list->count] = cell;
    list->count++;
}

/// The cells that it has expanded so far and not opened again; of a search that has ended or is pending. Cost: O(nodes of
/// the pages that it holds).
void wend__search_expanded(const wend__search *search, wend__cell_list *list);

/// Give all pages back, O(1). Between rounds only. What wend__search_cells() reads is gone afterwards.
void wend__search_drop(wend__search *search);

/// What can be said without searching: start_blocked, goal_blocked, found (the start will do), no_path, else pending.
wend_status wend__request_answer(const wend__version *version, const wend_request *request);

/// A nearest request whose goal cannot be reached: the cell that it will end at, where that can be said without a search,
/// so that the search can aim at it. Cost: O(cells within 32 of the goal) at most.
bool wend__request_substitute(const wend__version *version, const wend_request *request, wend_cell *out);

/// What submit refuses: what is outside its range, cells off the map, a mover that the map does not know.
/// What wend_request_init() writes.
wend_request wend__request_default(void);
/// A caller's request, of any size. @return false: NULL, or struct_bytes is wrong
bool wend__request_take(const wend_request *theirs, wend_request *out);
wend_error wend__request_check(const wend_request *request);

/// WEND_ENGINE_JUMP or _ASTAR: which search serves it on that version.
int32_t wend__request_engine(const wend__version *version, const wend_request *request);

/// Does the promise of quality depend on the map's rules?
static inline bool wend__request_bound_asks(const wend_request *request) {
    return request->heuristic == WEND_HEURISTIC_MANHATTAN;
}

/// The promise of quality: 1 and 1000, or 0 and the bound x 1000. `version` may be NULL where that does not depend on it.
void wend__request_bound(const wend__version *version, const wend_request *request, int32_t *exact,
                         int32_t *bound_milli);

#endif
