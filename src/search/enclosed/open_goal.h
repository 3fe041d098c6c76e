/* SPDX-License-Identifier: MIT */
/* Internal: a quick look whether a goal lies in the open, before the backward look takes cell after cell. */
#ifndef WEND_SRC_SEARCH_ENCLOSED_OPEN_GOAL_H
#define WEND_SRC_SEARCH_ENCLOSED_OPEN_GOAL_H

#include "search/store/search_state.h"

/// Do more than WEND__ENCLOSURE_CELLS cells lead to a goal of the search? It tells on flat grids with 8 neighbours, no
/// cut corners and no closed steps, for movers of one cell, within 64 x 64 cells around each goal.
/// @return false: perhaps not
/// Cost: O(goals), and 64 rows of 64 cells for each at most, up to eight times.
bool wend__goal_in_the_open(const wend__search *search);

#endif
