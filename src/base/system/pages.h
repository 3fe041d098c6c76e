/* SPDX-License-Identifier: MIT */
/* Internal: address space of its own, a copy of it, and which of its pages were written since. Linux tells that from
 * 6.7 on (userfaultfd in its asynchronous mode, and PAGEMAP_SCAN), at the price of a fault for each page that is
 * written for the first time. Elsewhere each page counts as written. */
#ifndef WEND_SRC_BASE_SYSTEM_PAGES_H
#define WEND_SRC_BASE_SYSTEM_PAGES_H

#include "base/base.h"

/// The unit in which it is told. The system's own pages may be larger: then several count at a time.
enum { WEND__PAGE_BYTES = 4096 };

typedef struct wend__pages {
    uint8_t *first;    ///< NULL: not open
    uint8_t *copy;     ///< as large
    size_t bytes;      ///< of each, a multiple of the page
    size_t shared;     ///< from the first byte: pages that take memory once only, until they are written
    int faults, scans; ///< what tells which were written; -1: nothing does
} wend__pages;

/// Pages one after the other.
typedef struct wend__page_range {
    size_t from, to; ///< numbers of pages; `to` is behind the last
} wend__page_range;

/// Reserves address space, all zero. It takes memory where it is written. @return NULL: out of memory
uint8_t *wend__space_reserve(size_t bytes);
/// NULL: nothing.
void wend__space_release(uint8_t *first, size_t bytes);

/// Reserves both. @return false: out of memory
bool wend__pages_open(wend__pages *pages, size_t bytes);
void wend__pages_close(wend__pages *pages);

/// Copies what was used so far, and begins to note which pages are written. Called once.
void wend__pages_watch(wend__pages *pages, size_t used);

static inline bool wend__pages_are_watched(const wend__pages *pages) {
    return pages->scans >= 0;
}

enum { WEND__PAGE_RANGES = 512 };

/// Lists the pages that were written since they were last protected. Pages that hold nothing do not count at first.
/// @param within   the pages to look at
/// @param protect   protect them again: then each costs a fault when it is written
/// @return how many ranges there are; where all have one, the caller goes on behind the last
size_t wend__pages_written(wend__pages *pages, wend__page_range within, bool protect,
                           wend__page_range out[WEND__PAGE_RANGES]);

#endif
