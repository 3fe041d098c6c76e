/* SPDX-License-Identifier: MIT */
/* Internal: the goals of the general engine: nodes that are goals, the nearest node, goals that move or are taken. */
#ifndef WEND_SRC_SEARCH_GENERAL_GENERAL_GOALS_H
#define WEND_SRC_SEARCH_GENERAL_GENERAL_GOALS_H

#include "search/store/search_state.h"

/// Note a goal. The search ends when the floor is above `floor`: at once where the estimate is
/// consistent, and in strict order.
void wend__general_note_goal(wend__search *search, uint32_t id, uint64_t g, uint64_t floor);

/// Have units taken all goals since the search began? No path enters them, so the search would
/// expand all that it can reach. With reach it may end beside a goal.
bool wend__general_goals_taken(const wend__search *search);

/// Go on to another goal: see wend__search_move_goal().
bool wend__general_move_goal(wend__search *search, const wend_request *request);

#endif
