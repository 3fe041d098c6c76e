/* SPDX-License-Identifier: MIT */
/* Internal: searches of any engine: begin, step, read the result. The service and wend_search
 * both use these functions. */
#ifndef WEND_SRC_SEARCH_ENGINES_H
#define WEND_SRC_SEARCH_ENGINES_H

#include "search/general/general_astar.h"
#include "search/graph/graph_astar.h"
#include "search/grid/grid_astar.h"
#include "search/request/request.h"
#include "search/voxel/voxel_astar.h"

/// The engines. The first that serves a request gets it; the last one, wend__general_astar, serves all. The table is
/// data of src/fast/engine_table.c, so that this room need not include that one.
extern const wend__engine *const wend__engines[];

/// Memory for a search of any engine: the core's, and those above, which may need this many more bytes.
enum { WEND__MORE_BYTES = 3048 };
typedef union wend__search_memory {
    wend__search search;
    wend__voxel_astar_search voxel_astar;
    wend__graph_astar_search graph_astar;
    wend__grid_astar_search grid_astar;
    wend__general_astar_search general_astar;
    unsigned char above[sizeof(wend__general_astar_search) + WEND__MORE_BYTES];
} wend__search_memory;

/// Initialise a search in a wend__search_memory, once, before anything else.
void wend__search_init(wend__search *search, wend__pool *pool);

/// Begins a search; only the pages of the previous one stay, which it takes first. Answers
/// at once what wend__request_answer() answers. Takes no pages. Cost: O(1).
void wend__search_begin(wend__search *search, const wend__version *version, const wend__request *request);
/// The same if the caller has the result of wend__request_answer().
void wend__search_begin_answered(wend__search *search, const wend__version *version, const wend__request *request,
                                 int32_t answer);

/// Spends up to `budget` expansions; takes pages from the stock. One step may cost several expansions; it may begin
/// when one is left: the search owes the others, counts them first in the next step, and ends only when it owes none.
/// So the count of a search does not depend on how it is divided into steps.
/// @return the expansions spent; fewer than `budget` if the search ended (status) or the stock
/// is empty (starved)
uint64_t wend__search_step(wend__search *search, wend__stock *stock, uint64_t budget);

/// Goes on while that costs no expansion, after a search has spent all that it may. So a search
/// that needs just as many ends here as it would with more. It must not be stepped any further.
/// @return false: it starves; true: it ended, or is pending, as it needs one more expansion
/// Cost: O(entries of the open list).
bool wend__search_conclude(wend__search *search, wend__stock *stock);

/// Removes stale entries from its open list, if it needs an open page and
/// the pool has none. Between steps.
/// @return false: that freed too little to go on
/// Cost: O(entries of the open list), at most in proportion to the expansions since the last call.
bool wend__search_compact(wend__search *search);

/// Sets cost and steps to those of the nearest cell to which a nearest search has a path, when the search is
/// cut short (by a limit, a deadline, or lack of nodes). Returns false if there is none.
bool wend__search_take_nearest(wend__search *search);

/// Continues with another goal, as if it had been the request's from the beginning. The expansions spent
/// still count. Between steps, while the search is pending.
/// @return false: the caller must drop the search and begin it again
/// Cost: O(entries of the open list).
bool wend__search_move_goal(wend__search *search, const wend__request *request);

/// Writes the first `count` cells of a path, start first; count <= steps + 1. The search is found or
/// partial, or wend__search_take_nearest() returned true. Cost: O(steps).
void wend__search_cells(const wend__search *search, wend_cell *out, uint64_t count);

/// Returns the cost of its path; for a far search that ends before its goal, an upper bound of the whole way's cost.
int64_t wend__search_cost(const wend__search *search);

/// Writes the same path as directions (of the 8), all `steps` of them. Returns false, without writing,
/// if the engine's steps are not only to neighbours. Cost: O(steps).
bool wend__search_directions(const wend__search *search, uint8_t *out);

/// List the closed nodes of a search that is pending or has ended. Cost: O(nodes of the pages that
/// it holds).
void wend__search_expanded(const wend__search *search, wend__cell_list *list);

/// Finds the way from the start to the most promising open node, or the path of a search that has ended: its first
/// `room` cells go to `out`, the rest of the answer to `prefix`. Returns false if there is none.
/// Cost: O(steps); with a weight also O(entries of the open list).
bool wend__search_prefix(wend__search *search, wend_cell *out, size_t room, wend_prefix *prefix);

/// Releases references into the version, such as layers, as the version is released after this call. For a search that
/// has ended, wend__search_cells(), _directions(), _cost() and wend__leg_crossings() may be called still.
void wend__search_leave(wend__search *search);

/// Gives all pages back to the pool, O(1). Between rounds only. wend__search_cells() must not be
/// called afterwards. The search also leaves its version, unless that happened before.
void wend__search_drop(wend__search *search);

/// Returns why the general A* serves a search (WEND_GENERAL_…; NONE: another engine does), while its version lives.
int32_t wend__search_general(const wend__search *search);

/// Returns the name of the engine that would serve a request on a version: WEND_ENGINE_JUMP or _ASTAR.
int32_t wend__request_engine(const wend__version *version, const wend__request *request);

/// Returns the bytes that wend_search_create() takes from the allocator; 0 for a bad def.
size_t wend__search_bytes(const wend_search_def *def);

#endif
