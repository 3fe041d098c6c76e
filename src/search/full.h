/* SPDX-License-Identifier: MIT */
/* Internal: the full engine: A* on any kind of map, with links, occupied cells, reach, several goals and nearest. */
#ifndef WEND_SRC_FULL_H
#define WEND_SRC_FULL_H

#include "search/search_internal.h"

/// Does a request need it? The fast engine serves flat grids, one goal, and nothing special.
bool wend__full_needed(const wend__version *version, const wend_request *request);

/// As wend__search_begin() and the rest, which share out the work. `begin` finds status, version and ground set.
void wend__full_begin(wend__search *search, const wend_request *request);
uint64_t wend__full_step(wend__search *search, wend__stock *stock, uint64_t budget);
void wend__full_conclude(wend__search *search, wend__stock *stock);
/// Do units that came since the search began block all goals that it has? Not where it may end beside one.
bool wend__full_goals_taken(const wend__search *search);
bool wend__full_settle(wend__search *search);
bool wend__full_move_goal(wend__search *search, const wend_request *request);
void wend__full_expanded(const wend__search *search, wend__cell_list *list);
void wend__full_cells(const wend__search *search, wend_cell *out, uint64_t count);

static inline wend__node *wend__full_node(const wend__pool *pool, uint32_t id) {
    return (wend__node *)(void *)(pool->records + (size_t)(id >> 12) * WEND__PAGE_RECORD_BYTES) + (id & 4095);
}

#endif
