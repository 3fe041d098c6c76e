/* SPDX-License-Identifier: MIT */
/* Internal: the cells within some distance of another on the ground. */
#ifndef WEND_SRC_MAP_GROUND_WITHIN_H
#define WEND_SRC_MAP_GROUND_WITHIN_H

#include "map/ground/ground.h"

/// Takes the cells of a sheet that count: those of a box. @return whether to go on
/// @param sheet   as in wend__sheet_part; for 0, no sheet, the box may contain cells of others, which do not count
typedef bool wend__part_taker(void *context, wend_box box, uint32_t sheet);

/// Calls `take` for the cells within `reach` of the place of a cell: in its own sheet, then in each from which a seam,
/// with both ends within reach, leads to a sheet that counts. So a floor above or below does not count unless stairs
/// are as near. Only for maps with sheets.
/// Cost: O(seams within reach + sheets).
void wend__parts_within(const wend__version *v, wend_cell centre, int32_t reach, wend__part_taker *take, void *context);

/// Returns whether wend__parts_within() would stay in one sheet. Cost: the same.
bool wend__is_one_part(const wend__version *v, wend_cell centre, int32_t reach);

enum { WEND__SHEET_WORDS = WEND_MAX_SHEETS / 64 + 1 };

/// The units that a search sees: those within some cells of its start on the ground.
typedef struct wend__unit_range {
    wend_cell start;
    int32_t within;                     ///< negative: all units count
    uint64_t joined[WEND__SHEET_WORDS]; ///< on a map with sheets: the sheets that count, as in wend__parts_within(), a
                                        ///< bit each by number; unset on other maps, and if all units count
} wend__unit_range;

/// Cost: O(1); on maps with sheets that of wend__parts_within().
void wend__unit_range_set(wend__unit_range *range, const wend__version *v, wend_cell start, int32_t within);

/// Finds the cells of a sheet with places within `reach` of that of a cell, joined by seams or not.
/// @param sheet   as in wend__sheet_part
/// @return false: there are none
bool wend__sheet_within(const wend_map *map, uint32_t sheet, wend_cell centre, int32_t reach, wend_box *out);

/// Returns whether units on a cell of a map with sheets count. The range has a limit.
static inline bool wend__sheets_in_range(const wend__sheets *sheets, const wend__unit_range *range, wend_cell cell) {
    const wend__sheet_part *own = wend__sheets_part(sheets, range->start), *part = wend__sheets_part(sheets, cell);
    if (!(range->joined[part->sheet / 64] >> part->sheet % 64 & 1)) return false;
    const int32_t x = cell.x + part->x - range->start.x - own->x, y = cell.y + part->y - range->start.y - own->y;
    return x >= -range->within && x <= range->within && y >= -range->within && y <= range->within;
}

/// Returns whether a cell lies within `reach` of another, as in `wend_request.reach`: on any map but a graph.
/// Cost: O(1) in one sheet, and if its place is farther away; else that of wend__parts_within().
bool wend__lies_within(const wend__version *v, wend_cell centre, int32_t reach, wend_cell cell);

#endif
