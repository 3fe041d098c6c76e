/* SPDX-License-Identifier: MIT */
/* Sets of links: memory, indexes, and the search for links that begin at a cell or in a chunk. */
#include "map/kinds/graph.h"
#include "map/links/links.h"
#include "map/store/memory.h"
#include "map/store/sort.h"

/* ---- making one ---- */

static size_t filter_words(uint32_t count) {
    size_t words = 1;
    while (words * 64 < (size_t)count * 8) words *= 2;
    return words;
}

/* A graph without coordinates has no groups, as it has no places to group by. */
static bool has_groups(const wend__version *version) {
    return !version->graph || version->graph->coordinates;
}

/* Filter, members, ways and their order by chunks follow the structure, in the order of their alignment. */
wend__links *wend__links_create(const wend__version *version, uint32_t count) {
    size_t words = filter_words(count), members = has_groups(version) ? count : 0;
    size_t bytes = sizeof(wend__links) + words * sizeof(uint64_t) + members * sizeof(wend__link_member) +
                   count * (sizeof(wend__link) + 2 * sizeof(uint32_t));
    wend__links *links = wend__shared_create(version->map, bytes);
    if (!links) return NULL;
    uint64_t *filter = (uint64_t *)(links + 1);
    wend__link_member *first = (wend__link_member *)(filter + words);
    links->count = count;
    links->filter_mask = words * 64 - 1;
    links->filter = filter;
    links->members = members ? first : NULL;
    links->sorted = (wend__link *)(first + members);
    links->leaving = (uint32_t *)(links->sorted + count);
    links->entering = links->leaving + count;
    return links;
}

static uint64_t chunk_of(const wend__version *version, uint32_t cell) {
    wend__place p = wend__place_of(version, wend__cell_of_number(version, cell));
    return (uint64_t)p.row * (uint64_t)version->chunk_columns + (uint64_t)p.column;
}

static void order_by_chunk(const wend__version *version, const wend__links *links, bool entering, uint64_t *room) {
    uint32_t *out = (uint32_t *)(entering ? links->entering : links->leaving);
    for (uint32_t i = 0; i < links->count; i++)
        room[i] = chunk_of(version, entering ? links->sorted[i].to : links->sorted[i].from) << 32 | i;
    wend__sort_numbers(room, room + links->count, links->count);
    for (uint32_t i = 0; i < links->count; i++) out[i] = (uint32_t)room[i];
}

wend_error wend__links_index(const wend__version *version, wend__links *links) {
    uint64_t *filter = (uint64_t *)links->filter;
    for (uint32_t i = 0; i < links->count; i++) {
        uint64_t bit = wend__link_hash(links->sorted[i].from) & links->filter_mask;
        WEND__DEBUG_ASSERT(i == 0 || wend__link_key(&links->sorted[i - 1]) < wend__link_key(&links->sorted[i]));
        filter[bit >> 6] |= UINT64_C(1) << (bit & 63);
        links->seams += links->sorted[i].cost == WEND__SEAM;
        links->sheet_seams += links->sorted[i].cost == WEND__SHEET_SEAM;
    }
    size_t bytes = (size_t)links->count * 2 * sizeof(uint64_t);
    uint64_t *room = wend__map_alloc(version->map, bytes);
    if (!room) return WEND_OUT_OF_MEMORY;
    order_by_chunk(version, links, false, room);
    order_by_chunk(version, links, true, room);
    if (links->members) wend__links_group(version, links, room);
    wend__map_free(version->map, room, bytes);
    return WEND_OK;
}

/* ---- queries ---- */

/* Finds the first way from a place on that is not before (from, to). */
static uint32_t lower_bound(const wend__links *links, uint32_t low, uint64_t from, uint32_t to) {
    uint32_t high = links->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const wend__link *way = &links->sorted[middle];
        if (way->from < from || (way->from == from && way->to < to))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const wend__link *wend__links_from(const wend__links *links, uint32_t from, uint32_t *count) {
    *count = 0;
    if (!wend__links_maybe(links, from)) return NULL;
    const uint32_t first = lower_bound(links, 0, from, 0);
    WEND__DEBUG_ASSERT(first <= links->count);
    uint32_t end = first;
    while (end < links->count && end - first < WEND__FEW_LINKS && links->sorted[end].from == from) end++;
    if (end - first == WEND__FEW_LINKS) end = lower_bound(links, end, (uint64_t)from + 1, 0);
    *count = end - first;
    return *count ? &links->sorted[first] : NULL;
}

/* Returns how many of an order by chunks lie before a chunk. */
static uint32_t before_chunk(const wend__version *version, const wend__links *links, bool entering, uint64_t chunk) {
    const uint32_t *order = entering ? links->entering : links->leaving;
    uint32_t low = 0, high = links->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const wend__link *way = &links->sorted[order[middle]];
        if (chunk_of(version, entering ? way->to : way->from) < chunk)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

wend__link_list wend__links_of_chunks(const wend__version *version, const wend__links *links, bool entering,
                                      uint64_t first, uint64_t count) {
    uint32_t from = before_chunk(version, links, entering, first);
    uint32_t end = before_chunk(version, links, entering, first + count);
    WEND__DEBUG_ASSERT(from <= end && end <= links->count);
    return (wend__link_list){(entering ? links->entering : links->leaving) + from, end - from};
}

const wend__link *wend__links_find(const wend__links *links, uint32_t from, uint32_t to) {
    if (!links || !wend__links_maybe(links, from)) return NULL;
    const uint32_t i = lower_bound(links, 0, from, to);
    const bool found = i < links->count && links->sorted[i].from == from && links->sorted[i].to == to;
    return found ? &links->sorted[i] : NULL;
}

uint32_t wend__links_cost(const wend__links *links, uint32_t from, uint32_t to) {
    const wend__link *link = wend__links_find(links, from, to);
    return link ? link->cost : 0;
}
