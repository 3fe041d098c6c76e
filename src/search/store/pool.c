/* SPDX-License-Identifier: MIT */
/* The pool of pages that searches share. */
#include "search/store/pool.h"

/* Open pages for the record pages. An open page holds 992 entries, so two a record page are 0.48
 * a record. Measured over 16 pages and more searches need room for 0.05 to 0.13,
 * and on terrain of many costs 0.45; most of that is in blocks filled in part. The rest is
 * for buckets: a lone search may use all 4,096 of them, a block each; several searches get room
 * for 256 each. */
enum { OPEN_PER_PAGE = 2, OPEN_ONCE = 4096 / WEND__OPEN_PAGE_BLOCKS, OPEN_PER_SEARCH = 256 / WEND__OPEN_PAGE_BLOCKS };
/* A node's id is page << 12 | index, an entry's position is page << 10 | index: both fit in 32
 * bits, without NONE. */
#define MAX_PAGES ((UINT64_C(1) << 20) - 1)
#define MAX_OPEN ((UINT64_C(1) << 22) - 1)
enum { LINE = 64 };

uint64_t wend__pool_pages(uint64_t nodes) {
    return nodes == 0 ? 1 : (nodes - 1) / 4096 + 1;
}

static uint64_t open_pages(uint64_t pages, uint64_t searches) {
    uint64_t wanted = pages * OPEN_PER_PAGE + OPEN_ONCE + searches * OPEN_PER_SEARCH;
    return wanted < MAX_OPEN ? wanted : MAX_OPEN;
}

static uint64_t rounded_up(uint64_t bytes) {
    return (bytes + LINE - 1) / LINE * LINE;
}

size_t wend__pool_bytes(uint64_t pages, uint64_t searches) {
    if (pages == 0 || pages > MAX_PAGES || searches > MAX_OPEN) return 0;
    uint64_t open = open_pages(pages, searches);
    uint64_t bytes = pages * WEND__PAGE_RECORD_BYTES + rounded_up(pages * sizeof(wend__page)) +
                     open * WEND__OPEN_PAGE_WORDS * sizeof(uint32_t) + rounded_up(open * sizeof(uint32_t));
    return bytes <= SIZE_MAX / 2 ? (size_t)bytes : 0;
}

void wend__pool_init(wend__pool *pool, void *memory, uint64_t pages, uint64_t searches) {
    WEND__DEBUG_ASSERT(pages > 0 && pages <= MAX_PAGES && searches <= MAX_OPEN);
    const wend__page_list none = {WEND__NONE, WEND__NONE, 0};
    uint64_t open = open_pages(pages, searches);
    uint8_t *at = memory;
    pool->records = at;
    at += pages * WEND__PAGE_RECORD_BYTES;
    pool->open_entries = (uint32_t *)(void *)at;
    at += open * WEND__OPEN_PAGE_WORDS * sizeof(uint32_t);
    pool->pages = (wend__page *)(void *)at;
    at += rounded_up(pages * sizeof(wend__page));
    pool->open_next = (uint32_t *)(void *)at;
    pool->page_count = (uint32_t)pages;
    pool->open_count = (uint32_t)open;
    pool->free_pages = pool->free_open = none;
    pool->fresh_page = pool->fresh_open = 0;
}

/* There is a free page. */
static uint32_t take_page(wend__pool *pool) {
    WEND__DEBUG_ASSERT(wend__pool_free_pages(pool) > 0);
    uint32_t page = pool->free_pages.first;
    if (page == WEND__NONE) return pool->fresh_page++;
    pool->free_pages.first = pool->pages[page].next;
    pool->free_pages.count--;
    return page;
}

static uint32_t take_open(wend__pool *pool) {
    WEND__DEBUG_ASSERT(wend__pool_free_open(pool) > 0);
    uint32_t page = pool->free_open.first;
    if (page == WEND__NONE) return pool->fresh_open++;
    pool->free_open.first = pool->open_next[page];
    pool->free_open.count--;
    return page;
}

static uint32_t lesser(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* The page given back last is the likeliest to be in the caches, so it is on top and is taken
 * first. */
void wend__pool_grant(wend__pool *pool, wend__stock *stock, uint32_t pages, uint32_t open) {
    const uint32_t most = lesser(lesser(pages, WEND__STOCK), stock->page_count + wend__pool_free_pages(pool));
    const uint32_t most_open = lesser(lesser(open, WEND__STOCK), stock->open_count + wend__pool_free_open(pool));
    for (uint32_t i = most; i > stock->page_count; i--) stock->pages[i - 1] = take_page(pool);
    for (uint32_t i = most_open; i > stock->open_count; i--) stock->open[i - 1] = take_open(pool);
    if (stock->page_count < most) stock->page_count = most;
    if (stock->open_count < most_open) stock->open_count = most_open;
}

void wend__pool_return(wend__pool *pool, wend__stock *stock) {
    WEND__DEBUG_ASSERT(stock->page_count <= WEND__STOCK && stock->open_count <= WEND__STOCK);
    for (uint32_t i = 0; i < stock->page_count; i++) {
        pool->pages[stock->pages[i]].next = pool->free_pages.first;
        pool->free_pages.first = stock->pages[i];
    }
    for (uint32_t i = 0; i < stock->open_count; i++) {
        pool->open_next[stock->open[i]] = pool->free_open.first;
        pool->free_open.first = stock->open[i];
    }
    pool->free_pages.count += stock->page_count;
    pool->free_open.count += stock->open_count;
    stock->page_count = stock->open_count = 0;
}

static void empty_list(wend__page_list *list) {
    *list = (wend__page_list){WEND__NONE, WEND__NONE, 0};
}

void wend__pool_give_back(wend__pool *pool, wend__page_list *pages, wend__page_list *open) {
    WEND__DEBUG_ASSERT((pages->count == 0) == (pages->first == WEND__NONE));
    if (pages->count > 0) {
        pool->pages[pages->last].next = pool->free_pages.first;
        pool->free_pages.first = pages->first;
        pool->free_pages.count += pages->count;
        empty_list(pages);
    }
    if (open->count > 0) {
        pool->open_next[open->last] = pool->free_open.first;
        pool->free_open.first = open->first;
        pool->free_open.count += open->count;
        empty_list(open);
    }
}
