/* SPDX-License-Identifier: MIT */
/* Internal: the engine of plain requests on voxels: one goal, no links, nobody in the way. */
#ifndef WEND_SRC_SPACE_H
#define WEND_SRC_SPACE_H

#include "search/search_internal.h"

/// In a record, above the direction that its voxel was entered by: it is in the open list.
enum { WEND__SPACE_OPEN = 32 };

/// Does it serve this request? (18 neighbours are the full engine's.)
bool wend__space_serves(const wend__version *version, const wend_request *request);

/// As wend__search_begin() and the rest, which share out the work. `begin` finds status, version, ground and goal set.
void wend__space_begin(wend__search *search, const wend_request *request);
uint64_t wend__space_step(wend__search *search, wend__stock *stock, uint64_t budget);
void wend__space_conclude(wend__search *search);
void wend__space_expanded(const wend__search *search, wend__cell_list *list);
void wend__space_cells(const wend__search *search, wend_cell *out, uint64_t count);

/// What pages.c does not know of a page: its voxels, how steps out of them are chosen, and whether the goal is there.
void wend__space_describe(wend__search *search, uint32_t page);

#endif
