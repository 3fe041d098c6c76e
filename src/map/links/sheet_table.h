/* SPDX-License-Identifier: MIT */
/* Internal: the sheets of a flat grid, boxes that lie elsewhere on the ground: the place of each chunk. */
#ifndef WEND_SRC_MAP_LINKS_SHEET_TABLE_H
#define WEND_SRC_MAP_LINKS_SHEET_TABLE_H

#include "map/store/map_layout.h"

/// The place of a chunk's cells on the ground.
typedef struct wend__sheet_part {
    int32_t x, y;   ///< added to a cell they give its place
    uint32_t sheet; ///< its number + 1; 0: none
    bool last;      ///< a chunk around it lies elsewhere
} wend__sheet_part;

/// Immutable, shared by a map and its forks.
typedef struct wend__sheets {
    wend__shared shared;
    uint32_t count;
    int32_t width, height; ///< size of the places
    int32_t columns;       ///< number of columns of chunks
    const wend_sheet *list;
    const wend__sheet_part *parts; ///< parts of each chunk, row by row
} wend__sheets;

/// Refuse sheets that a map cannot have. WEND_OK, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED.
wend_error wend__sheets_check(const wend_map_def *def);
/// Returns the table of a checked definition with sheets, with one reference; NULL: out of memory.
const wend__sheets *wend__sheets_create(wend_map *map, const wend_map_def *def);
/// Returns whether a step leads from a sheet to a place that is not next to it on the ground. Then places give no
/// bounds of costs. Cost: O(cells at borders of sheets).
bool wend__sheets_torn(const wend__version *view);
/// The same for steps out of a chunk and the eight around it. Cost: O(their borders).
bool wend__sheets_torn_near(const wend__version *view, int32_t column, int32_t row);
/// Returns a hash of the sheets; 0: there are none.
uint64_t wend__sheets_hash(const wend_map *map);

static inline const wend__sheet_part *wend__sheets_part(const wend__sheets *sheets, wend_cell cell) {
    const size_t column = (size_t)(cell.x >> WEND__CHUNK_SHIFT), row = (size_t)(cell.y >> WEND__CHUNK_SHIFT);
    return &sheets->parts[row * (size_t)sheets->columns + column];
}

static inline const wend__sheet_part *wend__sheet_part_of(const wend__version *v, wend_cell cell) {
    return wend__sheets_part(v->sheets, cell);
}

/// Returns the place of a cell on the ground: the cell itself if the map has no sheets.
static inline wend_cell wend__place_on_ground(const wend__version *v, wend_cell cell) {
    if (WEND__LIKELY(!v->sheets)) return cell;
    const wend__sheet_part *part = wend__sheet_part_of(v, cell);
    return (wend_cell){cell.x + part->x, cell.y + part->y, cell.z};
}

/// Returns whether two cells lie on the ground as in the map.
static inline bool wend__lie_together(const wend__version *v, wend_cell a, wend_cell b) {
    if (!v->sheets) return true;
    const wend__sheet_part *own = wend__sheet_part_of(v, a), *other = wend__sheet_part_of(v, b);
    return own->x == other->x && own->y == other->y;
}

/// Returns whether two cells lie in one sheet, or both in none.
static inline bool wend__one_sheet(const wend__version *v, wend_cell a, wend_cell b) {
    return !v->sheets || wend__sheet_part_of(v, a)->sheet == wend__sheet_part_of(v, b)->sheet;
}

#endif
