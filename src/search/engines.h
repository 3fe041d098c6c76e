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

/// The engines. The first one that serves a request gets it; the last one, wend__general_astar, serves all. It is data
/// of src/fast/engine_table.c, so that this room need not know the engines of that one.
extern const wend__engine *const wend__engines[];

/// Memory for a search of any engine: the core's, and those above, which may need as many bytes more.
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

/// Begin a search; nothing of the one before is left but its pages, which it takes first. Answers
/// at once what wend__request_answer() answers. Takes no pages. Cost: O(1).
void wend__search_begin(wend__search *search, const wend__version *version, const wend__request *request);
/// The same where the caller has the result of wend__request_answer().
void wend__search_begin_answered(wend__search *search, const wend__version *version, const wend__request *request,
                                 int32_t answer);

/// Spend up to `budget` expansions; take pages from the stock. One step may cost several expansions; it may begin
/// when one is left: the search owes the others, counts them first in the next step, and ends only when it owes none.
/// So what a search counts does not depend on how it is divided into steps.
/// @return the expansions spent; fewer than `budget` where the search ended (status) or the stock
///         is empty (starved)
uint64_t wend__search_step(wend__search *search, wend__stock *stock, uint64_t budget);

/// Go on as far as that costs no expansion, after a search has spent all that it may. So a search
/// that needs just as many ends here as it would with more. It may be stepped no further.
/// @return false: it starves; true: it ended, or is pending, as it needs one more expansion
/// Cost: O(entries of the open list).
bool wend__search_conclude(wend__search *search, wend__stock *stock);

/// Remove the entries of its open list that will never be expanded, where it wants an open page and
/// the pool has none. Between steps.
/// @return false: that freed too little to go on
/// Cost: O(entries of the open list), at most in proportion to the expansions since the last call.
bool wend__search_compact(wend__search *search);

/// Set cost and steps to those of the nearest cell that a nearest search has a path to, as it is
/// cut short (by a limit, a deadline, or lack of nodes). False where there is none.
bool wend__search_take_nearest(wend__search *search);

/// Go on to another goal, as if it had been the request's from the beginning. The expansions spent
/// still count. Between steps, while the search is pending.
/// @return false: the caller must drop the search and begin it again
/// Cost: O(entries of the open list).
bool wend__search_move_goal(wend__search *search, const wend__request *request);

/// Write the first `count` cells of a path, start first; count <= steps + 1. The search is found or
/// partial, or wend__search_take_nearest() returned true. Cost: O(steps).
void wend__search_cells(const wend__search *search, wend_cell *out, uint64_t count);

/// The cost of its path; of a far search that ends before its goal, the most that the whole way costs.
int64_t wend__search_cost(const wend__search *search);

/// Write the same path as directions (of the 8), all `steps` of them. False, and nothing written,
/// where the engine's steps are not only to neighbours. Cost: O(steps).
bool wend__search_directions(const wend__search *search, uint8_t *out);

/// List the closed nodes of a search that is pending or has ended. Cost: O(nodes of the pages that
/// it holds).
void wend__search_expanded(const wend__search *search, wend__cell_list *list);

/// Find the way from the start to the most promising open node, or the path of a search that has ended: its first
/// `room` cells go to `out`, the rest of the answer to `prefix`. False: there is none.
/// Cost: O(steps); with a weight also O(entries of the open list).
bool wend__search_prefix(wend__search *search, wend_cell *out, size_t room, wend_prefix *prefix);

/// The version is released after this call: the search lets go of what it holds by it, its layers. Of a search that has
/// ended, wend__search_cells(), _directions(), _cost() and wend__leg_crossings() may be called still.
void wend__search_leave(wend__search *search);

/// Give all pages back to the pool, O(1). Between rounds only. wend__search_cells() may not be
/// called afterwards. It leaves its version, if it has not yet.
void wend__search_drop(wend__search *search);

/// Returns why the general A* serves a search (WEND_GENERAL_…; NONE: another engine does), while its version lives.
int32_t wend__search_general(const wend__search *search);

/// The name of the engine that would serve a request on a version: WEND_ENGINE_JUMP or _ASTAR.
int32_t wend__request_engine(const wend__version *version, const wend__request *request);

/// Returns the bytes that wend_search_create() takes from the allocator; 0 for a bad def.
size_t wend__search_bytes(const wend_search_def *def);

#endif
