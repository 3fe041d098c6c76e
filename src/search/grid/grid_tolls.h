/* SPDX-License-Identifier: MIT */
/* Internal: costs by place in the A* of grids. A page of records may have a second page, its toll plane: the extra cost
 * of a step into each of its cells, all layers in one, and the comparison with the cells around. */
#ifndef WEND_SRC_SEARCH_GRID_GRID_TOLLS_H
#define WEND_SRC_SEARCH_GRID_GRID_TOLLS_H

#include "search/grid/grid_astar.h"

#include <stddef.h>

enum {
    WEND__TOLL_PAGE_DOWN = 1 << 20, ///< rows by which a toll plane's page stands below its page of records
    WEND__TOLL_COMPARED = 8192      ///< bytes from the costs to the comparisons: uint16_t[4096], or uint32_t[2048]
};

/// Returns whether the engine serves a profile of a map.
bool wend__grid_tolls_serve(const wend__version *version, int32_t profile);
/// Returns whether costs by place need wide records. The costs of the search are set.
bool wend__grid_tolls_are_wide(const wend__search *search);
/// Finds the costs by place of a page, or makes them, and adds the effort to `owed`. False if the stock is empty.
bool wend__grid_find_tolls(wend__search *search, wend__stock *stock, uint32_t page);

/// Returns whether a page is a toll plane.
static inline bool wend__grid_holds_tolls(const wend__page *header) {
    return header->y >= WEND__TOLL_PAGE_DOWN;
}

/* Returns the extra cost of a step into a cell; its page has a toll plane. */
WEND__INLINE uint32_t wend__grid_toll(const wend__page *header, uint32_t local, bool wide) {
    return wide ? ((const uint32_t *)header->tolls)[local] : ((const uint16_t *)header->tolls)[local];
}

/* Returns the comparisons of a page with tolls, and the steps that depend on them. */
WEND__INLINE const uint8_t *wend__grid_compared(const wend__page *header) {
    return (const uint8_t *)header->tolls + WEND__TOLL_COMPARED;
}

WEND__INLINE const uint8_t *wend__grid_asked_steps(const wend__page *header) {
    return header->steps + offsetof(wend__grid_toll_steps, asked);
}

#endif
