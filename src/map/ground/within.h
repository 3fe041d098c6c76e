/* SPDX-License-Identifier: MIT */
/* Internal: which cells lie within some cells of another on the ground. */
#ifndef WEND_SRC_MAP_GROUND_WITHIN_H
#define WEND_SRC_MAP_GROUND_WITHIN_H

#include "map/ground/ground.h"

/// Takes the cells of a sheet that count: those of a box. @return whether to go on
/// @param sheet   as in wend__sheet_part; of 0, no sheet, the box may hold cells of others that do not count
typedef bool wend__part_taker(void *context, wend_box box, uint32_t sheet);

/// Calls `take` for what lies within `reach` of the place of a cell: in its own sheet, then in each from which a seam,
/// with both ends within reach, leads to a sheet that counts. So a floor above or below does not count unless stairs
/// are as near. Only for maps with sheets.
/// Cost: O(seams within reach + sheets).
void wend__parts_within(const wend__version *v, wend_cell centre, int32_t reach, wend__part_taker *take, void *context);

/// Returns whether all that wend__parts_within() calls for is in one sheet. Cost: as that.
bool wend__is_one_part(const wend__version *v, wend_cell centre, int32_t reach);

/// Returns whether a cell lies within `reach` of another, as `wend_request.reach` counts: on any map but a graph.
/// Cost: O(1) in one sheet, and where its place is farther away; else that of wend__parts_within().
bool wend__lies_within(const wend__version *v, wend_cell centre, int32_t reach, wend_cell cell);

#endif
