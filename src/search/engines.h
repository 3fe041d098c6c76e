/* SPDX-License-Identifier: MIT */
/* Internal: searches of any engine: begin, step, and read what came of them. The service and wend_search both drive these. */
#ifndef WEND_SRC_SEARCH_ENGINES_H
#define WEND_SRC_SEARCH_ENGINES_H

#include "search/general/general_astar.h"
#include "search/graph/graph_astar.h"
#include "search/grid/grid_astar.h"
#include "search/jump/grid_jump.h"
#include "search/request/request.h"
#include "search/voxel/voxel_astar.h"

/// The engines, in the order in which they are asked whether they serve a request: the last one serves all. Each defines its
/// row, wend__NAME, and what a search of it keeps, wend__NAME_search.
#define WEND__ENGINES(ENGINE)                                                                                          \
    ENGINE(voxel_astar)                                                                                                \
    ENGINE(graph_astar)                                                                                                \
    ENGINE(grid_jump)                                                                                                  \
    ENGINE(grid_astar)                                                                                                 \
    ENGINE(general_astar)

/// Memory for a search of any engine.
typedef union wend__search_memory {
    wend__search search;
#define WEND__MEMBER(name) wend__##name##_search name;
    WEND__ENGINES(WEND__MEMBER)
#undef WEND__MEMBER
} wend__search_memory;

/// Once for each wend__search_memory, before anything else.
void wend__search_init(wend__search *search, wend__pool *pool);

/// Forget everything and start. Answers at once what wend__request_answer() does; takes no pages. Those held before are
/// taken first when some are needed. Cost: O(1).
void wend__search_begin(wend__search *search, const wend__version *version, const wend_request *request);
/// The same where the caller knows already what wend__request_answer() says.
void wend__search_begin_answered(wend__search *search, const wend__version *version, const wend_request *request,
                                 int32_t answer);

/// Spend up to `budget` expansions, taking pages from the stock. Returns what was spent. Stops early when the search
/// ends (status) or the stock is empty (starved).
uint64_t wend__search_step(wend__search *search, wend__stock *stock, uint64_t budget);

/// It has spent all that it may: go on as far as that costs no expansion, so that a search that needs just as many ends
/// here as it would with more. False where it starves; else it has ended, or one more expansion would be needed: then it
/// stays pending, and is not to be stepped again. Cost: O(entries of the open list) at most.
bool wend__search_conclude(wend__search *search, wend__stock *stock);

/// Where it wants an open page and the pool has none: remove the entries of its open list that will never be expanded.
/// Between steps. False where that did not free enough to go on with. Cost: O(entries of the open list), in proportion to
/// the expansions since the last time.
bool wend__search_compact(wend__search *search);

/// A nearest search that is cut short (a limit, a deadline, no nodes left): cost and steps become those of the nearest cell
/// that it knows a path to. False where it has none to give: it is no such search, or has not begun.
bool wend__search_take_nearest(wend__search *search);

/// The request's goal moved: go on with what is known, as if it had been asked so from the beginning; what was spent counts.
/// Between steps, while it is pending. False where the search has to begin again: the caller drops and begins it.
/// Cost: O(entries of the open list).
bool wend__search_move_goal(wend__search *search, const wend_request *request);

/// The first `count` cells of a path, start first; count <= steps + 1. The search is found or partial, or was cut short
/// (wend__search_take_nearest()). Cost: O(steps).
void wend__search_cells(const wend__search *search, wend_cell *out, uint64_t count);

/// The same path as directions (of the 8), all `steps` of them. False, and nothing is written, where its engine's steps may
/// lead elsewhere. Cost: O(steps).
bool wend__search_directions(const wend__search *search, uint8_t *out);

/// The cells that it has closed so far and not opened again; of a search that has ended or is pending. Cost: O(nodes of the
/// pages that it holds).
void wend__search_expanded(const wend__search *search, wend__cell_list *list);

/// Give all pages back, O(1). Between rounds only. What wend__search_cells() reads is gone afterwards.
void wend__search_drop(wend__search *search);

/// WEND_ENGINE_JUMP or _ASTAR: which search serves it on that version.
int32_t wend__request_engine(const wend__version *version, const wend_request *request);

#endif
