/* SPDX-License-Identifier: MIT */
/* Internal: address space of its own, a copy of it, and its pages written since. Linux reports these from 6.7 on
 * (userfaultfd in its asynchronous mode, and PAGEMAP_SCAN), at the price of a fault for each page that is written for
 * the first time. Elsewhere each page counts as written. */
#ifndef WEND_SRC_BASE_SYSTEM_PAGES_H
#define WEND_SRC_BASE_SYSTEM_PAGES_H

#include "base/base.h"

/// The unit of these reports. The system's own pages may be larger: then several count at a time.
enum { WEND__PAGE_BYTES = 4096 };

typedef struct wend__pages {
    uint8_t *first;    ///< NULL: not open
    uint8_t *copy;     ///< copy of the same size
    size_t bytes;      ///< size of each, a multiple of the page
    size_t shared;     ///< from the first byte: pages that take memory only once, until they are written
    int faults, scans; ///< descriptors that report written pages; -1: none
} wend__pages;

/// Consecutive pages.
typedef struct wend__page_range {
    size_t from, to; ///< numbers of pages; `to` is behind the last
} wend__page_range;

/// Reserves address space, all zero. Written pages take memory. @return NULL: out of memory
uint8_t *wend__space_reserve(size_t bytes);
/// Frees it. NULL is ignored.
void wend__space_release(uint8_t *first, size_t bytes);

/// Reserves both. @return false: out of memory
bool wend__pages_open(wend__pages *pages, size_t bytes);
void wend__pages_close(wend__pages *pages);

/// Copies the used part, and begins to watch for written pages. Called once.
void wend__pages_watch(wend__pages *pages, size_t used);

static inline bool wend__pages_are_watched(const wend__pages *pages) {
    return pages->scans >= 0;
}

enum { WEND__PAGE_RANGES = 512 };

/// Lists the pages that were written since they were last protected. At first, pages without contents do not count.
/// @param within   the range of pages to check
/// @param protect   protect them again: then each costs a fault when it is written
/// @return how many ranges there are; if all are used, the caller continues behind the last
size_t wend__pages_written(wend__pages *pages, wend__page_range within, bool protect,
                           wend__page_range out[WEND__PAGE_RANGES]);
/// Lets pages be written without a fault. They count as written.
void wend__pages_unprotect(wend__pages *pages, wend__page_range range);

#endif
