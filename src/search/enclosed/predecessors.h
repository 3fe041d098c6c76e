/* SPDX-License-Identifier: MIT */
/* Internal: the cells from which a step, an edge or a link leads to a cell. */
#ifndef WEND_SRC_SEARCH_ENCLOSED_PREDECESSORS_H
#define WEND_SRC_SEARCH_ENCLOSED_PREDECESSORS_H

#include "search/store/search_state.h"

/// Receives one predecessor, open or not. @return false: it wants no more
typedef bool wend__predecessor_fn(wend__search *search, wend_cell from);

/// Call `take` for each cell of the map from which a legal step, an edge or a link leads to `cell`, which is open.
/// Blocked cells from which the mover might walk out are among them.
/// @return false: `take` wanted no more, or there are too many to look at, or not all are known (a graph's node with an
///         edge into it that has none back)
/// Cost: O(neighbours), and O(links) that end in the cell's chunk, at most a bounded number.
bool wend__predecessors(wend__search *search, wend_cell cell, wend__predecessor_fn *take);

#endif
