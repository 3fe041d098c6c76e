/* SPDX-License-Identifier: MIT */
/* Internal: the pages of one search. It finds them by their place on the map, links neighbours,
 * and takes new ones as it spreads. */
#ifndef WEND_SRC_SEARCH_STORE_PAGES_H
#define WEND_SRC_SEARCH_STORE_PAGES_H

#include "search/open/bucket_ring.h"
#include "search/open/strict_queue.h"
#include "search/store/search_state.h"

/* A page holds the rows of a whole chunk as narrow records, of half a chunk as wide ones. */
enum { WEND__NARROW_ROW_SHIFT = 6, WEND__WIDE_ROW_SHIFT = 5 };

static inline unsigned wend__row_shift(const wend__search *s) {
    return s->wide ? WEND__WIDE_ROW_SHIFT : WEND__NARROW_ROW_SHIFT;
}

/// The records of a page: uint32_t[4096] or uint64_t[2048].
static inline void *wend__page_records(const wend__pool *pool, uint32_t page) {
    WEND__DEBUG_ASSERT(page < pool->page_count);
    return pool->records + (size_t)page * WEND__PAGE_RECORD_BYTES;
}

/// Forgets the part of the map that each page stands for. The search keeps the pages and takes them
/// first.
void wend__pages_reset(wend__search *search);

/// Returns the page that holds a cell of the map; WEND__NONE if the search has none.
uint32_t wend__pages_find(const wend__search *search, int32_t x, int32_t y);

/// The same; a new page if the search has none; WEND__NONE if the stock is empty.
uint32_t wend__pages_get(wend__search *search, wend__stock *stock, int32_t x, int32_t y);

/// Returns the page next to a page, linked to it; new if necessary; WEND__NONE if the stock is empty.
uint32_t wend__pages_neighbour(wend__search *search, wend__stock *stock, uint32_t page, unsigned direction);

/// Returns whether a page is the part of a chunk that contains a place.
static inline bool wend__pages_is_part(const wend__search *search, uint32_t page, wend__place place) {
    const wend__page *header = &search->pool->pages[page];
    return header->column == place.column && header->row == place.row &&
           header->part == place.local >> search->part_shift;
}

/// Returns the page that holds a place, for engines with parts of chunks as pages (2^part_shift places
/// each); WEND__NONE if the search has none.
uint32_t wend__pages_find_part(const wend__search *search, wend__place place);

/// The same; a new page if the search has none; WEND__NONE if the stock is empty.
/// @param near   a page from which the place is often entered, or WEND__NONE
uint32_t wend__pages_get_part(wend__search *search, wend__stock *stock, uint32_t near, wend__place place);

/// Appends a page to those of the search.
void wend__pages_keep(wend__search *search, uint32_t page);

/// Returns a page of records that is not cleared and stands for no part of the map: one that the search
/// holds, or one of the stock. WEND__NONE if there is none.
uint32_t wend__pages_take(wend__search *search, wend__stock *stock);

/// Returns an open page that the search holds, or one of the stock; WEND__NONE if there is none.
uint32_t wend__pages_take_open(wend__search *search, wend__stock *stock);

/// Ends the step: it needs this many pages of each kind, and the stock is empty.
static inline void wend__pages_starve(wend__search *search, uint32_t pages, uint32_t open) {
    search->starved = true;
    search->wants_pages = pages;
    search->wants_open = open;
}

/// As wend__pages_take() and wend__pages_take_open(). If there is none the search starves.
static inline uint32_t wend__pages_demand(wend__search *search, wend__stock *stock) {
    const uint32_t page = wend__pages_take(search, stock);
    if (page == WEND__NONE) wend__pages_starve(search, 1, 0);
    return page;
}

static inline uint32_t wend__pages_demand_open(wend__search *search, wend__stock *stock) {
    const uint32_t page = wend__pages_take_open(search, stock);
    if (page == WEND__NONE) wend__pages_starve(search, 0, 1);
    return page;
}

/// Returns whether entries have all open pages of the pool except those of the directories of all blocks. Entries can
/// be removed, but their pages stay. So stale ones are removed before entries take more.
static inline bool wend__pages_are_entries(const wend__search *s, size_t directories) {
    return s->pool->open_count - s->open.pages == directories;
}

/// Makes sure that this many pushes find blocks, no more than a page has. Returns false if the stock is
/// empty.
static inline bool wend__pages_spare_for(wend__search *search, wend__stock *stock, uint32_t pushes) {
    while (search->open.spare < pushes) {
        uint32_t page = wend__pages_take_open(search, stock);
        if (page == WEND__NONE) return false;
        wend__open_add_page(&search->open, page);
    }
    return true;
}

/// The same while an expansion loop works on the open list.
WEND__INLINE bool wend__pages_spare_ring(wend__search *search, wend__stock *stock, wend__ring *ring, uint32_t pushes) {
    if (WEND__LIKELY(ring->spare >= pushes)) return true;
    wend__ring_save(ring, &search->open);
    const bool enough = wend__pages_spare_for(search, stock, pushes);
    *ring = wend__ring_load(&search->open);
    return enough;
}

/// The same for one expansion with a list in strict order; every engine has this many at least.
static inline bool wend__pages_spare_strict(wend__search *search, wend__stock *stock) {
    while (search->open.spare < WEND__SPACE_DIRECTIONS) {
        const uint32_t page = wend__pages_take_open(search, stock);
        if (page == WEND__NONE) return false;
        wend__strict_add_page(&search->open, page);
    }
    return true;
}

/// Removes stale entries of a list in strict order: wend__search_compact().
static inline bool wend__pages_compact_strict(wend__search *search,
                                              bool (*is_due)(const void *owner, const wend__strict_entry *entry)) {
    return wend__strict_compact(&search->open, search, is_due) > 0 && search->open.spare >= WEND__SPACE_DIRECTIONS;
}

/// The same as wend__pages_spare_for() for one expansion on a grid.
static inline bool wend__pages_spare(wend__search *search, wend__stock *stock) {
    return wend__pages_spare_for(search, stock, WEND__DIRECTIONS);
}

#endif
