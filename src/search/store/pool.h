/* SPDX-License-Identifier: MIT */
/* Internal: the bounded pool that all searches of a service share: pages of node records and
 * pages of open-list entries.
 *
 * The pool changes between rounds only. In a round a lane takes pages from its stock, which was
 * granted before the round. So lanes need no locks, and results do not depend on threads. */
#ifndef WEND_SRC_SEARCH_STORE_POOL_H
#define WEND_SRC_SEARCH_STORE_POOL_H

#include "map/canonical/canonical.h"
#include "map/store/map_layout.h"
#include "search/open/bucket_queue.h"

enum {
    WEND__PAGE_RECORD_BYTES = 4 * 4096, ///< 64 x 64 narrow records, or 64 x 32 wide ones
    WEND__STOCK = 8                     ///< most pages of a kind that a lane is granted at a time
};

/// The header of a page of node records: the part of the map that it stands for. The records have
/// the same index.
typedef struct wend__page {
    uint32_t links[8]; ///< neighbouring pages of the same search by direction; WEND__NONE where not known
    union {
        const wend__chunk *chunk; ///< the chunk, for engines with parts of chunks as pages
        const void *tolls;        ///< flat grids: costs by place, see grid/grid_tolls.h; NULL: none are near
    };
    const uint8_t *steps; ///< steps to take: by direction of arrival & `arrivals`, then by mask
    union {
        const uint8_t *masks;              ///< masks of the page's first cell on
        const wend__voxel_canonical *ways; ///< voxels: steps worth taking; NULL: all legal ones
    };
    union {
        const uint8_t *classes; ///< classes of the page's first cell on; NULL: every cell has the factor `factor`
        const wend__bits *open; ///< voxels: the chunk's open bits
    };
    uint32_t next;           ///< in its owner's list
    uint32_t next_in_bucket; ///< next page in the search's directory
    union {
        uint32_t arrivals; ///< 15; 0: all legal steps, whatever the direction of arrival
        uint32_t toll;     ///< in the general A*: its chunk's page of costs by place, or WEND__TOLL_…
    };
    uint16_t seamed;  ///< 1: some of its cells have steps over the rim of the map; else 0
    uint8_t untolled; ///< 1: `tolls` is not known so far
    uint8_t uneven;   ///< 1: with `tolls`, most cells have several steps to try
    union {
        struct {
            int32_t x, y;    ///< first cell
            uint32_t factor; ///< factor of all cells if `classes` is NULL
            uint32_t slow;   ///< 0: each step into the page costs the plain step cost
        };
        struct {                 /* pages that are parts of chunks */
            int32_t column, row; ///< the chunk's place in the version's table
            uint16_t part;       ///< number of the part
            bool dear;           ///< voxels: the chunk has cells that cost more than 1
            bool amid_air;       ///< voxels: `ways` is set, and the chunk and all around it are open
            int32_t layer;       ///< voxels: layer of chunks
        };
    };
} wend__page;

typedef struct wend__page_list {
    uint32_t first, last, count;
} wend__page_list;

typedef struct wend__pool {
    wend__page *pages;
    uint8_t *records;       ///< page_count x WEND__PAGE_RECORD_BYTES, 64-byte aligned
    uint32_t *open_entries; ///< open_count x 32 x 32, 64-byte aligned
    uint32_t *open_next;    ///< next of each open page, in its owner's list
    uint32_t page_count, open_count;
    wend__page_list free_pages, free_open;
    uint32_t fresh_page, fresh_open; ///< pages from here on were never used
} wend__pool;

typedef struct wend__stock {
    uint32_t pages[WEND__STOCK], open[WEND__STOCK];
    uint32_t page_count, open_count;
    struct wend__far_finder *finder; ///< memory to find far routes in, for a step; NULL: none
} wend__stock;

/// Number of pages for this many records, rounded up, at least 1.
uint64_t wend__pool_pages(uint64_t nodes);
/// Bytes of a pool of this many pages for at most `searches` searches at a time; 0: more than can be
/// addressed.
size_t wend__pool_bytes(uint64_t pages, uint64_t searches);
/// Lay out a pool in `memory` (64-byte aligned, wend__pool_bytes() long). Cost: O(1).
void wend__pool_init(wend__pool *pool, void *memory, uint64_t pages, uint64_t searches);

static inline uint32_t wend__pool_free_pages(const wend__pool *pool) {
    return pool->free_pages.count + (pool->page_count - pool->fresh_page);
}

static inline uint32_t wend__pool_free_open(const wend__pool *pool) {
    return pool->free_open.count + (pool->open_count - pool->fresh_open);
}

/// Fills up a stock to this many pages of each kind, WEND__STOCK at most; to fewer where the pool is
/// empty.
void wend__pool_grant(wend__pool *pool, wend__stock *stock, uint32_t pages, uint32_t open);
/// Takes back the pages left in a stock.
void wend__pool_return(wend__pool *pool, wend__stock *stock);
/// Takes back whole lists, O(1); both are empty afterwards.
void wend__pool_give_back(wend__pool *pool, wend__page_list *pages, wend__page_list *open);

#endif
