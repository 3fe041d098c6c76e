/* SPDX-License-Identifier: MIT */
/* Internal: a list of cells that an engine goes through: for pictures, or to find the one nearest to the goals. */
#ifndef WEND_SRC_SEARCH_STORE_CELL_LIST_H
#define WEND_SRC_SEARCH_STORE_CELL_LIST_H

#include "map/nearest/nearest.h"

struct wend__search;

/// It counts all cells, and keeps the first `capacity` of them.
typedef struct wend__cell_list {
    wend_cell *cells;
    size_t capacity, count;
    const struct wend__search *of; ///< NULL; else only the cell nearest to the goals of its request is kept
    wend_cell best;
    wend__nearness nearness; ///< of `best`
} wend__cell_list;

/// Keep a cell if it is the nearest so far.
void wend__cell_list_consider(wend__cell_list *list, wend_cell cell);

/// May the cells of a box be left out, as none of them is the nearest?
bool wend__cell_list_skips(const wend__cell_list *list, wend_box box);

static inline void wend__cell_list_add(wend__cell_list *list, wend_cell cell) {
    if (list->of) {
        wend__cell_list_consider(list, cell);
        return;
    }
    if (list->count < list->capacity) list->cells[list->count] = cell;
    list->count++;
}

/// The closed cell of a search that is nearest to the goals of its request, or the start. Cost: O(pages, and nodes of
/// those near the goals).
wend_cell wend__nearest_closed(const struct wend__search *search);

#endif
