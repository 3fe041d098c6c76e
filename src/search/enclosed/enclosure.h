/* SPDX-License-Identifier: MIT */
/* Internal: what a search finds out about its goals without expanding nodes.
 *
 * The backward search: components do not see units. If units close a goal in, the search itself would expand
 * all cells that the start reaches. So after WEND__ENCLOSURE_AFTER expansions without an answer it goes back from its
 * goals: which cells lead to one? If they are at most WEND__ENCLOSURE_CELLS and the start is not among them, no path
 * exists. Each cell that is expanded backwards is an expansion, and so are each eight tested cells near the goals.
 *
 * The nearest cell: if goals are enclosed, or in other components, a nearest search finds the
 * nearest cell, and then searches for the way there. If units, links or closed steps may enclose that cell, too, it
 * searches backwards from there after a while, and goes to the next one if so. WEND__EXPANSION_POINTS points of work
 * are an expansion. */
#ifndef WEND_SRC_SEARCH_ENCLOSED_ENCLOSURE_H
#define WEND_SRC_SEARCH_ENCLOSED_ENCLOSURE_H

#include "search/store/search_state.h"

/// Prepares a search that begins, or whose goal has moved; its request is set. Cost: O(goals) for a request that units
/// block, and for a nearest one; else O(1).
void wend__enclosure_begin(wend__search *search);

/// Returns whether a unit keeps the search from a cell now. The search has begun.
/// Cost: O(cells that the mover covers).
bool wend__enclosure_taken(const wend__search *search, wend_cell cell);

/// Continues with the current stage: spends about `budget` expansions. May set the status, or `turns`. Takes no pages.
/// @return the expansions spent
uint64_t wend__enclosure_step(wend__search *search, uint64_t budget);

/* ---- open_goal.c ---- */

/// Returns whether more than WEND__ENCLOSURE_CELLS cells lead to a goal of the search. Tests only flat grids with 8
/// neighbours, no cut corners and no closed steps, for movers of one cell, within 64 x 64 cells around each goal.
/// @return false: perhaps not
/// Cost: O(goals), and 64 rows of 64 cells for each at most, up to eight times.
bool wend__goal_in_the_open(const wend__search *search);

/* ---- predecessors.c: the cells from which a step, an edge or a link leads to a cell ---- */

/// Receives one predecessor, open or not. @return false: stop
typedef bool wend__predecessor_fn(wend__search *search, wend_cell from);

/// Calls `take` for each cell of the map from which a legal step, an edge or a link leads to `cell`, which is open.
/// Blocked cells from which the mover might walk out are among them.
/// @return false: `take` returned false, or there are too many, or not all are known (a graph's node with an
/// edge into it that has none back)
/// Cost: O(neighbours), and O(links) that end in the cell's chunk, at most a bounded number.
bool wend__predecessors(wend__search *search, wend_cell cell, wend__predecessor_fn *take);

#endif
