/* SPDX-License-Identifier: MIT */
/* Internal: the nodes of the general engine: their places, their keys, and the cells that may be entered. */
#ifndef WEND_SRC_SEARCH_GENERAL_GENERAL_NODES_H
#define WEND_SRC_SEARCH_GENERAL_GENERAL_NODES_H

#include "map/version/map.h"
#include "map/version/occupancy.h"
#include "search/general/general_astar.h"
#include "search/open/multilevel_buckets.h"
#include "search/store/pages.h"

WEND__INLINE wend__general_node *wend__general_node_of(const wend__pool *pool, uint32_t id) {
    return (wend__general_node *)(void *)(pool->records + (size_t)(id >> 12) * WEND__PAGE_RECORD_BYTES) + (id & 4095);
}

/* Returns the index of a node's place in its chunk. */
WEND__INLINE uint32_t wend__general_local(const wend__search *s, uint32_t id) {
    return (uint32_t)s->pool->pages[id >> 12].part << 10 | (id & 4095);
}

WEND__INLINE wend_cell wend__general_cell(const wend__search *s, uint32_t id) {
    const wend__page *header = &s->pool->pages[id >> 12];
    const int32_t local = (int32_t)wend__general_local(s, id), column = header->column, layer = header->layer;
    if (wend__general_of(s)->kind == WEND_KIND_GRID)
        return (wend_cell){column << 6 | (local & 63), header->row << 6 | local >> 6, 0};
    if (wend__general_of(s)->kind == WEND_KIND_GRAPH) return (wend_cell){column << 12 | local, 0, 0};
    const int32_t row = header->row - layer * wend__general_of(s)->layer_rows;
    return (wend_cell){column << 4 | (local & 15), row << 4 | (local >> 4 & 15), layer << 4 | local >> 8};
}

WEND__INLINE uint64_t wend__general_key(const wend__search *s, uint64_t g, wend_cell cell) {
    return g + wend__heuristic_left(&wend__general_of(s)->heuristic, cell);
}

/* The same in strict order. */
WEND__INLINE uint64_t wend__general_weighted_key(const wend__search *s, uint64_t g, uint64_t estimate) {
    const wend__weights *weights = &wend__general_of(s)->weights;
    return weights->g * g + weights->h * estimate;
}

/* Returns the node of a cell, on a new page if necessary. WEND__NONE if the stock is empty. */
WEND__INLINE uint32_t wend__general_node_at(wend__search *s, wend__stock *stock, uint32_t near_page,
                                            wend__place place) {
    uint32_t page = wend__pages_get_part(s, stock, near_page, place);
    if (page != WEND__NONE) return page << 12 | (place.local & 1023);
    wend__pages_starve(s, 1, 0);
    return WEND__NONE;
}

WEND__INLINE bool wend__general_occupied(const wend__search *s, wend_cell cell) {
    return wend__map_occupied_in(s->version->map, cell, wend__general_of(s)->mover_size, &s->seen);
}

/* The cost that occupants add to a step into a cell; UINT64_MAX: it cannot be entered. */
WEND__INLINE uint64_t wend__general_occupants_cost(const wend__search *s, wend_cell cell) {
    if (WEND__LIKELY(wend__general_of(s)->occupied == WEND_OCCUPIED_IGNORE) || !wend__general_occupied(s, cell))
        return 0;
    return wend__general_of(s)->occupied == WEND_OCCUPIED_BLOCK ? UINT64_MAX
                                                                : (uint64_t)(uint32_t)wend__general_of(s)->occupied;
}

/* No step can lower the least key, so no closed node is opened again. */
WEND__INLINE bool wend__general_is_consistent(const wend__search *s) {
    return !wend__general_of(s)->strict && s->view->kind != WEND_KIND_GRAPH &&
           wend__general_of(s)->heuristic.kind == WEND_HEURISTIC_EXACT &&
           wend__general_of(s)->occupied == WEND_OCCUPIED_IGNORE;
}

/* ---- costs by place: a chunk has a fifth page, with the extra cost of a step into each of its cells ---- */

enum { WEND__TOLL_PART = 4 };
#define WEND__TOLL_UNKNOWN UINT32_MAX
#define WEND__TOLL_NONE (UINT32_MAX - 1)

/// Finds the page of costs of a chunk, or makes it. Returns false if the stock is empty. See general_expand.c.
bool wend__general_find_toll(wend__search *search, wend__stock *stock, uint32_t page);

/* Adds to *g the costs by place of a node; `local` is its index in its chunk. Returns false if pages are lacking. */
WEND__INLINE bool wend__general_add_toll(wend__search *s, wend__stock *stock, uint32_t id, uint32_t local,
                                         uint64_t *g) {
    const wend__page *header = &s->pool->pages[id >> 12];
    if (WEND__UNLIKELY(header->toll == WEND__TOLL_UNKNOWN) && !wend__general_find_toll(s, stock, id >> 12))
        return false;
    if (header->toll != WEND__TOLL_NONE) *g += ((const uint32_t *)wend__page_records(s->pool, header->toll))[local];
    return true;
}

/* Returns the mover's factor at a node. */
WEND__INLINE uint8_t wend__general_factor(const wend__search *s, uint32_t id) {
    return s->view->rules.factors[wend__chunk_class(s->pool->pages[id >> 12].chunk, wend__general_local(s, id))];
}

/* Returns whether a cell is a goal; a blocked start is not, which the mover may leave and not stand on. */
WEND__INLINE bool wend__general_is_goal(const wend__search *s, uint32_t id, wend_cell cell) {
    return wend__heuristic_is_goal(&wend__general_of(s)->heuristic, cell) && wend__general_factor(s, id) > 0;
}

/* ---- general_queue.c: the open list of the general engine: multilevel buckets, or entries in strict order ---- */

WEND__INLINE void wend__general_push(wend__search *s, uint64_t key, uint32_t id) {
    if (key < s->floor_f) key = s->floor_f;
    wend__open_push_bucket(&s->open, wend__level_bucket(s->floor_f, key), id);
}

WEND__INLINE void wend__general_push_strict(wend__search *s, uint64_t g, wend_cell cell, uint32_t id) {
    const uint64_t estimate = wend__heuristic_left(&wend__general_of(s)->heuristic, cell);
    wend__strict_push(&s->open,
                      wend__strict_make(&s->open, wend__general_weighted_key(s, g, estimate), estimate, id, 0));
}

/* The next entry, which must be there. */
WEND__INLINE uint32_t wend__general_pop(wend__search *s) {
    if (WEND__LIKELY(!wend__general_of(s)->strict)) return wend__open_pop(&s->open);
    const uint32_t id = wend__strict_first(&s->open)->node;
    wend__strict_pop(&s->open);
    return id;
}

WEND__INLINE bool wend__general_spare(wend__search *s, wend__stock *stock) {
    const bool strict = wend__general_of(s)->strict;
    if (WEND__LIKELY(s->open.spare >= WEND__DIRECTIONS)) return true;
    if (strict ? wend__pages_spare_strict(s, stock) : wend__pages_spare(s, stock)) return true;
    wend__pages_starve(s, 0, 1);
    return false;
}

/// Finds the lowest key. Returns false if there is none, or if pages are lacking.
bool wend__general_advance(wend__search *search, wend__stock *stock);

/// Returns whether the open list has a node whose expansion would count.
bool wend__general_any_live(wend__search *search);

/// Pushes all open nodes again, by their new keys. Returns false if blocks run out.
bool wend__general_sort_again(wend__search *search);

/// Removes stale entries: see wend__search_compact().
bool wend__general_compact(wend__search *search);

#endif
