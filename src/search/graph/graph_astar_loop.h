/* SPDX-License-Identifier: MIT */
/* Internal: the state of the graph engine's loop in local variables: where nodes are, the bucket
 * being emptied, and the nodes that come off the open list next.
 *
 * The nodes, edges and places of a large graph lie far apart, and are in no cache. So a second
 * reader goes through the open list ahead of the first, and prefetches the nodes that it reads;
 * half-way it prefetches the nodes that their edges lead to. It advances once before each pop.
 * So it never falls behind, and the entries that it reads are still there. Entries that are
 * pushed above it later are not prefetched, nor are those of short buckets. On a graph that fits
 * in the caches that takes longer than waiting, so only the entry after the popped one is
 * prefetched. Results do not depend on prefetching. */

/* Tried: to ask all edges of a node first which are better, without a branch: 1.04 of the time. Fetching eight entries
 * ahead on graphs that the caches hold: a sixth slower than one. */
#ifndef WEND_SRC_SEARCH_GRAPH_GRAPH_ASTAR_LOOP_H
#define WEND_SRC_SEARCH_GRAPH_GRAPH_ASTAR_LOOP_H

#include "map/kinds/graph.h"
#include "search/graph/graph_astar.h"
#include "search/open/multilevel_buckets.h"

enum {
    WEND__GRAPH_AHEAD = 8, ///< entries between the popped one and the second reader
    WEND__GRAPH_NEAR = 4,  ///< entries between the popped one and the one whose edges are prefetched
    WEND__GRAPH_EDGES = 4, ///< edges prefetched without a test, its own or the next node's
    WEND__GRAPH_LAST = WEND__LEVEL_BUCKETS - 1 ///< the second reader stops there
};

typedef struct wend__graph_loop {
    const wend__graph *graph;
    const wend__graph_block *const *blocks;
    const wend_cell *places; ///< NULL: the estimate is 0
    uint64_t rate;
    wend_cell goal;
    const wend__node_bounds *landmark_bounds; ///< NULL: none
    const uint32_t *directory;                ///< NULL: all nodes are in `pages`
    const uint32_t *pages;
    uint32_t *entries; ///< entries of open pages
    uint8_t *records;
    uint64_t floor, best;
    uint32_t shift, start_number, goal_number;
    uint32_t bucket, at; ///< the bucket being emptied and its top entry; open.top is older, unless it is 0
    uint32_t ahead_bucket, ahead_at, turn;
    bool is_near;                             ///< the graph fits in the caches: no second reader
    bool looks_ahead;                         ///< false: the bucket has too few entries
    const wend__arc *ring[WEND__GRAPH_AHEAD]; ///< where the edges of entries read ahead begin
} wend__graph_loop;

/* ---- nodes ---- */

/// Returns where a node's edges begin, and behind it where they end.
WEND__INLINE const uint32_t *wend__graph_loop_first(const wend__graph_page *page, uint32_t number) {
    return page->first + (number & 63);
}

WEND__INLINE const wend__graph_page *wend__graph_loop_page(const wend__graph_loop *l, uint32_t number) {
    return l->blocks[number >> 12]->pages[number >> 6 & 63];
}

WEND__INLINE const wend__arc *wend__graph_loop_arcs(const wend__graph_loop *l, uint32_t number) {
    const wend__graph_page *page = wend__graph_loop_page(l, number);
    return page->arcs + *wend__graph_loop_first(page, number);
}

/// As wend__graph_page_entry(); WEND__GRAPH_NO_PAGE also if there is no directory.
WEND__INLINE int32_t wend__graph_loop_entry(const wend__graph_loop *l, uint32_t number) {
    WEND__DEBUG_ASSERT(l->directory || l->pages);
    if (!l->directory) return (int32_t)l->pages[number >> WEND__GRAPH_PAGE_SHIFT];
    const uint32_t open_page = l->directory[number >> WEND__GRAPH_TOP_SHIFT];
    if (WEND__UNLIKELY(open_page == WEND__NONE)) return WEND__GRAPH_NO_PAGE;
    return (int32_t)l->entries[(size_t)open_page * WEND__OPEN_PAGE_WORDS +
                               (number >> WEND__GRAPH_PAGE_SHIFT & (WEND__OPEN_PAGE_WORDS - 1))];
}

/// A node that has a page.
WEND__INLINE wend__graph_node *wend__graph_loop_node(const wend__graph_loop *l, uint32_t number) {
    return wend__graph_node_at(l->records, wend__graph_loop_entry(l, number), number);
}

WEND__INLINE uint32_t wend__graph_loop_estimate(const wend__graph_loop *l, uint32_t number) {
    uint64_t left = l->places ? wend__graph_estimate_at(l->graph, l->rate, l->places[number], l->goal) : 0;
    if (l->landmark_bounds) {
        const uint64_t known = wend__node_bound(l->landmark_bounds, number);
        if (known > left) left = known;
    }
    return wend__graph_left(left);
}

/* ---- the open list ---- */

WEND__INLINE void wend__graph_loop_push(wend__open *open, wend__graph_loop *l, uint64_t key, uint32_t number) {
    if (WEND__UNLIKELY(key <= l->floor)) {
        open->top[l->bucket] = l->at;
        wend__open_push_bucket(open, l->bucket, number);
        l->at = open->top[l->bucket];
        return;
    }
    const uint32_t bucket = WEND__LIKELY((key ^ l->floor) < WEND__LEVEL_BUCKETS)
                                ? (uint32_t)key & (WEND__LEVEL_BUCKETS - 1)
                                : wend__level_bucket(l->floor, key);
    const uint32_t at = open->top[bucket] + 1;
    if (WEND__UNLIKELY((at & 31) <= 1)) {
        wend__open_push_bucket(open, bucket, number);
        return;
    }
    l->entries[at] = number; /* the bucket is not empty: its bits are set */
    open->top[bucket] = at;
}

/// Pop the newest entry of a bucket that is not empty.
WEND__INLINE uint32_t wend__graph_loop_pop(wend__open *open, wend__graph_loop *l) {
    if (WEND__LIKELY((l->at & 31) != 1)) return l->entries[l->at--];
    open->top[l->bucket] = l->at;
    const uint32_t number = wend__open_pop(open);
    l->at = open->top[l->bucket];
    return number;
}

/* ---- looking ahead ---- */

/// Returns whether a bucket has enough entries for prefetching to pay.
WEND__INLINE bool wend__graph_loop_is_long(const wend__graph_loop *l, uint32_t top) {
    return (top & 31) > WEND__GRAPH_NEAR || l->entries[top & ~UINT32_C(31)] != 0;
}

/// Returns the next entry for the second reader; the start's if there is none, which does no harm.
WEND__INLINE uint32_t wend__graph_loop_read(const wend__open *open, wend__graph_loop *l) {
    uint32_t at = l->ahead_at;
    if (WEND__UNLIKELY(at == 0)) {
        if (l->ahead_bucket == WEND__GRAPH_LAST) return l->start_number;
        const uint32_t from = l->ahead_bucket + 1, bucket = wend__level_first(open, 0, from);
        l->ahead_bucket = WEND__GRAPH_LAST;
        if (bucket == WEND__NONE || bucket < from || !wend__graph_loop_is_long(l, open->top[bucket]))
            return l->start_number;
        l->ahead_bucket = bucket;
        at = open->top[bucket];
    }
    l->ahead_at = WEND__LIKELY((at & 31) != 1) ? at - 1 : l->entries[at - 1];
    return l->entries[at];
}

/// Advance the second reader; prefetch the node and its edges.
WEND__INLINE void wend__graph_loop_meet(const wend__open *open, wend__graph_loop *l) {
    const uint32_t number = wend__graph_loop_read(open, l);
    const wend__arc *const arcs = wend__graph_loop_arcs(l, number);
    l->ring[l->turn++ % WEND__GRAPH_AHEAD] = arcs;
    WEND__PREFETCH(wend__graph_loop_node(l, number));
    WEND__PREFETCH(arcs);
}

/// Prefetch the entry after the popped one.
WEND__INLINE void wend__graph_loop_meet_next(const wend__graph_loop *l, uint32_t taken) {
    const uint32_t next = WEND__LIKELY((l->at & 31) != 0) ? l->entries[l->at] : taken;
    WEND__PREFETCH(wend__graph_loop_node(l, next));
    WEND__PREFETCH(wend__graph_loop_arcs(l, next));
}

/// Prefetch the nodes that edges lead to, and advance the second reader.
WEND__INLINE void wend__graph_loop_expect(const wend__open *open, wend__graph_loop *l) {
    if (!l->looks_ahead) return;
    wend__graph_loop_meet(open, l);
    /* a page has that many entries in reserve */
    const wend__arc *const arcs = l->ring[(l->turn - 1 - (WEND__GRAPH_AHEAD - WEND__GRAPH_NEAR)) % WEND__GRAPH_AHEAD];
    for (uint32_t i = 0; i < WEND__GRAPH_EDGES; i++) {
        const uint32_t to = arcs[i].to;
        const int32_t entry = wend__graph_loop_entry(l, to);
        if (WEND__LIKELY(entry != WEND__GRAPH_NO_PAGE)) WEND__PREFETCH(wend__graph_node_at(l->records, entry, to));
        if (l->places) WEND__PREFETCH(&l->places[to]);
        if (l->landmark_bounds) WEND__PREFETCH(wend__node_codes(l->landmark_bounds, to));
    }
}

/* ---- its beginning and its end ---- */

/// Turns to bucket `current`. The second reader stays in place if it is in that bucket or a later
/// one.
WEND__INLINE void wend__graph_loop_turn_to(wend__graph_loop *l, const wend__search *s) {
    l->floor = s->floor_f;
    l->bucket = s->open.current;
    l->at = wend__graph_of(s)->moving ? 0 : s->open.top[l->bucket];
    if (l->is_near || l->ahead_bucket == l->bucket || (l->ahead_bucket > l->bucket && l->ahead_at != 0)) return;
    l->looks_ahead = l->at != 0 && wend__graph_loop_is_long(l, l->at);
    l->ahead_bucket = l->looks_ahead ? l->bucket : WEND__GRAPH_LAST;
    l->ahead_at = l->looks_ahead ? l->at : 0;
    for (uint32_t i = 0; l->looks_ahead && i < WEND__GRAPH_AHEAD; i++) wend__graph_loop_meet(&s->open, l);
}

/// Loads the state. The start has a page. `small`: at most 2^20 nodes; `near`: the graph fits in the
/// caches.
WEND__INLINE wend__graph_loop wend__graph_loop_begin(const wend__search *s, bool small, bool near) {
    const wend__graph *graph = s->version->graph;
    wend__graph_loop l = {.graph = graph,
                          .blocks = graph->blocks,
                          .places = wend__graph_of(s)->blind ? NULL : graph->coordinates,
                          .rate = graph->cost_per_unit,
                          .goal = wend__graph_of(s)->goal_place,
                          .landmark_bounds =
                              wend__graph_of(s)->landmark_bounds.landmarks ? &wend__graph_of(s)->landmark_bounds : NULL,
                          .directory = small ? NULL : s->first_directory,
                          .pages = small ? wend__graph_page_entry(s, 0) : NULL,
                          .entries = s->pool->open_entries,
                          .records = s->pool->records,
                          .best = s->best,
                          .shift = wend__graph_of(s)->shift,
                          .start_number = (uint32_t)s->start.x,
                          .goal_number = (uint32_t)s->goal.x,
                          .ahead_bucket = WEND__GRAPH_LAST,
                          .is_near = near};
    for (uint32_t i = 0; !near && i < WEND__GRAPH_AHEAD; i++) l.ring[i] = wend__graph_loop_arcs(&l, l.start_number);
    wend__graph_loop_turn_to(&l, s);
    return l;
}

/// Stores the state that others read.
WEND__INLINE void wend__graph_loop_end(wend__search *s, const wend__graph_loop *l) {
    if (l->at != 0) s->open.top[l->bucket] = l->at;
}

#endif
