/* SPDX-License-Identifier: MIT */
/* The cells of a window on ground that goes on over its rim, or has floors above each other. */
#include "agents/floor/window_cells.h"

#include "map/version/map.h"

void wend__window_cells_on_ground(wend__window_cells *cells, const wend_map *map, wend_cell middle,
                                  const wend_cell *list) {
    const wend__sheet_part *part = map->sheets ? wend__sheets_part(map->sheets, middle) : NULL;
    wend__window_cells_init(cells, part ? (wend_cell){middle.x + part->x, middle.y + part->y, middle.z} : middle);
    cells->around_x = map->wrap & WEND_WRAP_X ? map->width : 0;
    cells->around_y = map->wrap & WEND_WRAP_Y ? map->height : 0;
    cells->sheeted = map->sheets ? map : NULL, cells->list = list;
}

/* Floors may lie above each other in the square, so the numbers are in a table of hashes there. */
uint8_t *wend__window_cells_among_sheets(wend__window_cells *cells, wend_cell cell) {
    enum { SLOTS = WEND__WINDOW_SIDE * WEND__WINDOW_SIDE };
    if (!wend__map_inside(cells->sheeted, cell)) return NULL;
    const wend__sheet_part *part = wend__sheets_part(cells->sheeted->sheets, cell);
    const uint32_t x = (uint32_t)(cell.x + part->x - cells->low.x), y = (uint32_t)(cell.y + part->y - cells->low.y);
    if (x >= WEND__WINDOW_SIDE || y >= WEND__WINDOW_SIDE) return NULL;
    uint32_t slot = (y * WEND__WINDOW_SIDE + x + part->sheet * 1543) % SLOTS;
    while (cells->numbers[slot] != WEND__WINDOW_NONE && !wend__same_cell(cells->list[cells->numbers[slot]], cell))
        slot = (slot + 1) % SLOTS;
    return &cells->numbers[slot];
}
