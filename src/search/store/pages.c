/* SPDX-License-Identifier: MIT */
/* The pages of one search: a directory finds them by their place on the map. */
#include "search/store/pages.h"

#include <string.h>

/* The first directory has 8 x 8 buckets, so a search within 512 x 512 cells has one page in
 * each. From 256 pages on it is 32 x 32 buckets in an open page; then a search over 16,384 x
 * 16,384 cells has at most 64 pages in a bucket. */
enum { FIRST_SHIFT = 3, SECOND_SHIFT = 5, SECOND_FROM = 256 };

static uint32_t bucket_of(const wend__search *s, int32_t x, int32_t y) {
    uint32_t mask = (1u << s->directory_shift) - 1;
    return (((uint32_t)y >> wend__row_shift(s)) & mask) << s->directory_shift |
           (((uint32_t)x >> WEND__CHUNK_SHIFT) & mask);
}

/* Reads no version, as a path may be read after its version is gone. */
static uint32_t bucket_of_part(const wend__search *s, int32_t column, int32_t row, uint32_t part) {
    uint32_t number = ((uint32_t)row * UINT32_C(40503) + (uint32_t)column) << 2 | part;
    return number * UINT32_C(2654435769) >> (32 - 2 * s->directory_shift);
}

static void use_directory(wend__search *s, uint32_t *directory, uint32_t shift) {
    s->directory = directory;
    s->directory_shift = shift;
    memset(directory, 0xff, sizeof(uint32_t) << 2 * shift);
}

void wend__pages_reset(wend__search *s) {
    use_directory(s, s->first_directory, FIRST_SHIFT);
    s->active_pages = 0;
    s->reuse_page = s->pages.first;
    s->reuse_open = s->open_pages.first;
    s->goal_id = WEND__NONE;
}

uint32_t wend__pages_find(const wend__search *s, int32_t x, int32_t y) {
    const wend__page *pages = s->pool->pages;
    int32_t left = x & -WEND__CHUNK_SIDE, top = y & -(1 << wend__row_shift(s));
    uint32_t page = s->directory[bucket_of(s, x, y)];
    while (page != WEND__NONE && (pages[page].x != left || pages[page].y != top)) page = pages[page].next_in_bucket;
    return page;
}

static void enter_page(wend__search *s, uint32_t page) {
    wend__page *header = &s->pool->pages[page];
    uint32_t bucket = s->part_shift > 0 ? bucket_of_part(s, header->column, header->row, header->part)
                                        : bucket_of(s, header->x, header->y);
    WEND__DEBUG_ASSERT(bucket < 1u << 2 * s->directory_shift);
    header->next_in_bucket = s->directory[bucket];
    s->directory[bucket] = page;
}

/* Without a free open page the search keeps the small directory, which is slower, not wrong. */
static void grow_directory(wend__search *s, wend__stock *stock) {
    uint32_t open_page = wend__pages_take_open(s, stock);
    if (open_page == WEND__NONE) return;
    use_directory(s, s->pool->open_entries + (size_t)open_page * WEND__OPEN_PAGE_WORDS, SECOND_SHIFT);
    uint32_t page = s->pages.first;
    for (uint32_t i = 0; i < s->active_pages; i++, page = s->pool->pages[page].next) enter_page(s, page);
}

void wend__pages_keep(wend__search *s, uint32_t page) {
    WEND__DEBUG_ASSERT(page < s->pool->page_count);
    s->pool->pages[page].next = WEND__NONE;
    if (s->pages.count++ == 0)
        s->pages.first = page;
    else
        s->pool->pages[s->pages.last].next = page;
    s->pages.last = page;
}

uint32_t wend__pages_take(wend__search *s, wend__stock *stock) {
    uint32_t page = s->reuse_page;
    if (page != WEND__NONE) {
        s->reuse_page = s->pool->pages[page].next;
        return page;
    }
    if (stock->page_count == 0) return WEND__NONE;
    page = stock->pages[--stock->page_count];
    wend__pages_keep(s, page);
    return page;
}

uint32_t wend__pages_get(wend__search *s, wend__stock *stock, int32_t x, int32_t y) {
    uint32_t page = wend__pages_find(s, x, y);
    if (page != WEND__NONE) return page;
    if (s->active_pages >= SECOND_FROM && s->directory_shift == FIRST_SHIFT) grow_directory(s, stock);
    page = wend__pages_take(s, stock);
    if (page == WEND__NONE) return WEND__NONE;
    wend__page *header = &s->pool->pages[page];
    header->x = x & -WEND__CHUNK_SIDE;
    header->y = y & -(1 << wend__row_shift(s));
    memset(header->links, 0xff, sizeof header->links);
    memset(wend__page_records(s->pool, page), 0xff, WEND__PAGE_RECORD_BYTES); /* every cell infinitely far */
    s->describe_page(s, page);
    enter_page(s, page);
    s->active_pages++;
    return page;
}

/* ---- parts of chunks ---- */

uint32_t wend__pages_find_part(const wend__search *s, wend__place place) {
    WEND__DEBUG_ASSERT(s->part_shift > 0);
    const wend__page *pages = s->pool->pages;
    uint32_t page = s->directory[bucket_of_part(s, place.column, place.row, place.local >> s->part_shift)];
    while (page != WEND__NONE && !wend__pages_is_part(s, page, place)) page = pages[page].next_in_bucket;
    return page;
}

static uint32_t make_part(wend__search *s, wend__stock *stock, wend__place place) {
    if (s->active_pages >= SECOND_FROM && s->directory_shift == FIRST_SHIFT) grow_directory(s, stock);
    uint32_t page = wend__pages_take(s, stock);
    if (page == WEND__NONE) return WEND__NONE;
    wend__page *header = &s->pool->pages[page];
    header->column = place.column, header->row = place.row, header->part = (uint16_t)(place.local >> s->part_shift);
    header->layer = place.row / s->view->chunk_y;
    header->chunk = wend__version_chunk(s->view, place.column, place.row);
    memset(header->links, 0xff, sizeof header->links);
    memset(wend__page_records(s->pool, page), 0xff, WEND__PAGE_RECORD_BYTES); /* every node infinitely far */
    if (s->describe_page) s->describe_page(s, page);
    enter_page(s, page);
    s->active_pages++;
    return page;
}

/* A page remembers the last few pages that were requested from it. */
uint32_t wend__pages_get_part(wend__search *s, wend__stock *stock, uint32_t near, wend__place place) {
    wend__page *pages = s->pool->pages;
    if (near != WEND__NONE && wend__pages_is_part(s, near, place)) return near;
    uint32_t slot = ((uint32_t)place.column + 3 * (uint32_t)place.row + 5 * (place.local >> s->part_shift)) & 7;
    uint32_t page = near != WEND__NONE ? pages[near].links[slot] : WEND__NONE;
    if (page != WEND__NONE && wend__pages_is_part(s, page, place)) return page;
    page = wend__pages_find_part(s, place);
    if (page == WEND__NONE) page = make_part(s, stock, place);
    if (near != WEND__NONE && page != WEND__NONE) pages[near].links[slot] = page;
    return page;
}

/* ---- neighbours ---- */

uint32_t wend__pages_neighbour(wend__search *s, wend__stock *stock, uint32_t page, unsigned direction) {
    WEND__DEBUG_ASSERT(direction < WEND__DIRECTIONS && page < s->pool->page_count);
    wend__page *pages = s->pool->pages;
    int32_t x = pages[page].x + wend__dx[direction] * WEND__CHUNK_SIDE;
    int32_t y = pages[page].y + wend__dy[direction] * (1 << wend__row_shift(s));
    uint32_t other = wend__pages_get(s, stock, x, y);
    if (other == WEND__NONE) return WEND__NONE;
    pages[page].links[direction] = other;
    pages[other].links[wend__opposite(direction)] = page;
    return other;
}

uint32_t wend__pages_take_open(wend__search *s, wend__stock *stock) {
    uint32_t page = s->reuse_open;
    if (page != WEND__NONE) {
        s->reuse_open = s->pool->open_next[page];
        return page;
    }
    if (stock->open_count == 0) return WEND__NONE;
    page = stock->open[--stock->open_count];
    s->pool->open_next[page] = WEND__NONE;
    if (s->open_pages.count++ == 0)
        s->open_pages.first = page;
    else
        s->pool->open_next[s->open_pages.last] = page;
    s->open_pages.last = page;
    return page;
}
