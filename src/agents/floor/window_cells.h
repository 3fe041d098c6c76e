/* SPDX-License-Identifier: MIT */
/* Internal: the cells of a window, which only its planned steps enter. */
#ifndef WEND_SRC_AGENTS_FLOOR_WINDOW_CELLS_H
#define WEND_SRC_AGENTS_FLOOR_WINDOW_CELLS_H

#include "base/base.h"
#include "map/ground/ground.h"
#include "map/store/map_layout.h"

enum { WEND__WINDOW_SIDE = 64, WEND__WINDOW_NONE = 255 };

/// Some cells of a square on a grid, with numbers.
typedef struct wend__window_cells {
    wend_cell low;                                          ///< the square's cell that is lowest along each axis
    int32_t around_x, around_y;                             ///< cells of an axis on which it goes on over the rim, or 0
    const wend_map *sheeted;                                ///< the map, if it has sheets; else NULL
    const wend_cell *list;                                  ///< with sheets: the cells by number
    uint8_t numbers[WEND__WINDOW_SIDE * WEND__WINDOW_SIDE]; ///< WEND__WINDOW_NONE: the cell is outside
} wend__window_cells;

/// Makes a window without cells, in the square around one.
static inline void wend__window_cells_init(wend__window_cells *cells, wend_cell middle) {
    cells->low = (wend_cell){middle.x - WEND__WINDOW_SIDE / 2, middle.y - WEND__WINDOW_SIDE / 2, middle.z};
    cells->around_x = cells->around_y = 0;
    cells->sheeted = NULL, cells->list = NULL;
    memset(cells->numbers, WEND__WINDOW_NONE, sizeof cells->numbers);
}

/// The same on the ground of a map: the square goes on over the rim, and over seams.
/// @param list   will have the cells, by number
void wend__window_cells_on_ground(wend__window_cells *cells, const wend_map *map, wend_cell middle,
                                  const wend_cell *list);
uint8_t *wend__window_cells_among_sheets(wend__window_cells *cells, wend_cell cell);

/// Returns where the number of a cell is, or will be; NULL: the cell is not in the square.
static inline uint8_t *wend__window_cells_find(wend__window_cells *cells, wend_cell cell) {
    if (WEND__UNLIKELY(cells->sheeted != NULL)) return wend__window_cells_among_sheets(cells, cell);
    const uint32_t x = (uint32_t)wend__wrapped(cell.x - cells->low.x, cells->around_x);
    const uint32_t y = (uint32_t)wend__wrapped(cell.y - cells->low.y, cells->around_y);
    if (x >= WEND__WINDOW_SIDE || y >= WEND__WINDOW_SIDE) return NULL;
    return &cells->numbers[y * WEND__WINDOW_SIDE + x];
}

static inline uint8_t wend__window_number(const wend__window_cells *cells, wend_cell cell) {
    const uint8_t *number = wend__window_cells_find((wend__window_cells *)cells, cell);
    return number ? *number : WEND__WINDOW_NONE;
}

#endif
