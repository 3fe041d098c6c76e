/* SPDX-License-Identifier: MIT */
/* Internal: the open list of a jump search with stops: the ring of bucket_queue.h, with chains of entries of four words
 * (g, cell, directions to expand, position of the entry below). Entries whose bucket lies beyond the ring wait in a
 * chain of their own until the lowest of them is due. */
#ifndef WEND_SRC_SEARCH_STOPS_STOP_QUEUE_H
#define WEND_SRC_SEARCH_STOPS_STOP_QUEUE_H

#include "map/landmarks/landmarks.h"
#include "search/stops/stop_search.h"
#include "search/store/pages.h"

/// The most successors of a scan of one chunk, or of the straight exits.
enum { WEND__STOP_SCAN = 2 * 64 + 4, WEND__STOP_ENTRY = 4 };

/// Steps along an axis from a cell to a span of cells.
WEND__INLINE uint32_t wend__stop_steps_to(int32_t from, int32_t low, int32_t high) {
    const int32_t below = low - from, beyond = from - high, most = below > beyond ? below : beyond;
    return (uint32_t)(most > 0 ? most : 0);
}

WEND__INLINE uint32_t wend__stop_octile(const wend__search *s, uint32_t dx, uint32_t dy) {
    return s->edge[WEND__N] * (dx > dy ? dx : dy) + wend__stop_of(s)->bend * (dx > dy ? dy : dx);
}

/// The octile distance to a box.
WEND__INLINE uint32_t wend__stop_to_box(const wend__search *s, int32_t x, int32_t y, int32_t left, int32_t top,
                                        int32_t right, int32_t bottom) {
    return wend__stop_octile(s, wend__stop_steps_to(x, left, right), wend__stop_steps_to(y, top, bottom));
}

/// The estimate from distances to several goals and by links, but at least `bound`.
uint32_t wend__stop_estimate_all(const wend__search *search, int32_t x, int32_t y, uint32_t bound);
/// Goals and links are other ones.
void wend__stop_estimate_begin(wend__search *search);

/// The estimate from distances alone, but at least `bound`.
WEND__INLINE uint32_t wend__stop_estimate_above(const wend__search *s, int32_t x, int32_t y, uint32_t bound) {
    const wend__stop_jump_search *j = wend__stop_of(s);
    if (WEND__UNLIKELY(!j->heuristic.quick)) return wend__stop_estimate_all(s, x, y, bound);
    const uint32_t plain = wend__stop_to_box(s, x, y, j->goals.boxes[0].left, j->goals.boxes[0].top,
                                             j->goals.boxes[0].right, j->goals.boxes[0].bottom);
    return plain > bound ? plain : bound;
}

WEND__INLINE uint32_t wend__stop_plain_estimate(const wend__search *s, int32_t x, int32_t y) {
    return wend__stop_estimate_above(s, x, y, 0);
}

/// The estimate.
WEND__INLINE uint32_t wend__stop_estimate(const wend__search *s, int32_t x, int32_t y) {
    const wend__landmark_bounds *landmark_bounds = &wend__stop_of(s)->landmark_bounds;
    return wend__stop_estimate_above(
        s, x, y, landmark_bounds->landmarks ? (uint32_t)wend__landmark_bound(landmark_bounds, x, y) : 0);
}

/// The bucket of a node, before it is taken modulo the ring.
WEND__INLINE uint32_t wend__stop_bucket(const wend__search *s, uint32_t g, int32_t x, int32_t y) {
    return (g + wend__stop_estimate(s, x, y)) >> s->open.shift;
}

/// Are there too few free entries for a scan?
WEND__INLINE bool wend__stop_crowded(const wend__search *s) {
    return s->open.spare < WEND__STOP_SCAN;
}

/// Make sure that one scan's pushes find room. False where the stock is empty: then the search starves.
bool wend__stop_spare(wend__search *search, wend__stock *stock);

/// Push an entry on its bucket, which is within the ring.
WEND__INLINE void wend__stop_link(wend__open *open, uint32_t bucket, uint32_t at) {
    bucket &= WEND__BUCKETS - 1;
    open->entries[at + 3] = open->top[bucket];
    open->top[bucket] = at;
    open->bits[bucket >> 6] |= UINT64_C(1) << (bucket & 63);
    open->words |= UINT64_C(1) << (bucket >> 6);
}

/// Push an entry whose bucket is beyond the ring.
void wend__stop_push_far(wend__search *search, uint32_t bucket, uint32_t at);

WEND__INLINE void wend__stop_push(wend__search *s, uint32_t bucket, wend__stop_entry entry) {
    wend__open *const open = &s->open;
    WEND__DEBUG_ASSERT(open->spare > 0);
    uint32_t at = open->free_block;
    if (at != 0) {
        open->free_block = open->entries[at + 3];
    } else {
        at = open->fresh;
        open->fresh = at + WEND__STOP_ENTRY;
    }
    open->spare--;
    open->entries[at] = wend__stop_entry_g(entry);
    open->entries[at + 1] = wend__stop_entry_cell(entry);
    open->entries[at + 2] = entry.entered;
    if (WEND__LIKELY(bucket - wend__stop_of(s)->floor < WEND__BUCKETS))
        wend__stop_link(open, bucket, at);
    else
        wend__stop_push_far(s, bucket, at);
}

/// Move entries from beyond the ring to it, as the lowest of them is due. False where there are none.
bool wend__stop_draw_near(wend__search *search);

/// Move to the lowest bucket that is not empty. False: all are empty.
WEND__INLINE bool wend__stop_advance(wend__search *s) {
    const uint32_t before = s->open.current;
    const bool any = wend__open_advance(&s->open);
    if (any) wend__stop_of(s)->floor += (s->open.current - before) & (WEND__BUCKETS - 1);
    if (WEND__UNLIKELY(!any || wend__stop_of(s)->far_floor <= wend__stop_of(s)->floor)) return wend__stop_draw_near(s);
    return true;
}

/// Begin with the bucket of the first entry.
void wend__stop_open_begin(wend__search *search, uint32_t bucket);

/// Remove stale entries: wend__search_compact().
bool wend__stop_compact(wend__search *search);

/// Pop the newest entry of bucket `current`, which is not empty.
WEND__INLINE wend__stop_entry wend__stop_pop(wend__open *open) {
    const uint32_t bucket = open->current, at = open->top[bucket];
    uint32_t *const entry = open->entries + at;
    const uint32_t below = entry[3];
    entry[3] = open->free_block;
    open->free_block = at;
    open->spare++;
    open->top[bucket] = below;
    const uint64_t bits = open->bits[bucket >> 6] & ~((uint64_t)(below == 0) << (bucket & 63));
    open->bits[bucket >> 6] = bits;
    open->words &= ~((uint64_t)(bits == 0) << (bucket >> 6));
    return (wend__stop_entry){(uint64_t)entry[0] << 32 | entry[1], entry[2]};
}

#endif
