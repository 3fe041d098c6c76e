/* SPDX-License-Identifier: MIT */
/* Internal: the open list of a jump search: the ring of bucket_queue.h, with chains of entries
 * instead of blocks of ids.
 *
 * An entry is four words: g | directions << 28 (none: the node's), the cell, the index of its
 * node, the position of the entry below. Buckets are about as wide as a straight step, and hold
 * few entries; a node that becomes cheaper is expanded again. A long jump on a large map may
 * raise f by more than the ring holds. Such entries wait in a chain of their own until the
 * lowest of them is due; then all that fit move to the ring. */
#ifndef WEND_SRC_SEARCH_JUMP_GRID_JUMP_QUEUE_H
#define WEND_SRC_SEARCH_JUMP_GRID_JUMP_QUEUE_H

#include "map/store/directions.h"
#include "search/jump/grid_jump.h"
#include "search/store/pages.h"

/// The most successors of a scan of one chunk, or of the straight exits.
enum { WEND__JUMP_SCAN = 2 * 64 + 4 };
enum { WEND__JUMP_ENTRY = 4, WEND__JUMP_G_BITS = 28 };

/// The g in an entry's first word.
WEND__INLINE uint32_t wend__jump_g(uint32_t word) {
    return word & ((UINT32_C(1) << WEND__JUMP_G_BITS) - 1);
}

/// The estimate, in units.
WEND__INLINE uint32_t wend__jump_estimate(const wend__search *s, int32_t x, int32_t y) {
    const int32_t across = x - s->goal.x, down = y - s->goal.y;
    const uint32_t dx = (uint32_t)(across < 0 ? -across : across), dy = (uint32_t)(down < 0 ? -down : down);
    const uint32_t least = s->edge[WEND__N] * (dx > dy ? dx : dy) + wend__jump_of(s)->bend * (dx > dy ? dy : dx);
    if (!wend__jump_of(s)->landmark_bounds.landmarks) return least;
    const uint32_t known = (uint32_t)wend__landmark_bound(&wend__jump_of(s)->landmark_bounds, x, y);
    return known > least ? known : least;
}

/// The bucket of a node, before it is taken modulo the ring.
WEND__INLINE uint32_t wend__jump_bucket(const wend__search *s, uint32_t g, int32_t x, int32_t y) {
    return (g + wend__jump_estimate(s, x, y)) >> s->open.shift;
}

/// Are there too few free entries for a scan, and for the successors that wait?
/// @param large   as in grid_jump_relax.h; otherwise none waits
WEND__INLINE bool wend__jump_crowded(const wend__search *s, const bool large) {
    return s->open.spare < WEND__JUMP_SCAN + (large ? wend__jump_of(s)->waiting_count : 0);
}

/// Make sure that one scan's pushes find room. False where the stock is empty: then the search
/// starves.
bool wend__jump_spare(wend__search *search, wend__stock *stock);

/// Remove stale entries: wend__search_compact().
bool wend__jump_compact(wend__search *search);

/// Push an entry on its bucket, which is within the ring.
WEND__INLINE void wend__jump_link(wend__open *open, uint32_t bucket, uint32_t at) {
    bucket &= WEND__BUCKETS - 1;
    open->entries[at + 3] = open->top[bucket];
    open->top[bucket] = at;
    open->bits[bucket >> 6] |= UINT64_C(1) << (bucket & 63);
    open->words |= UINT64_C(1) << (bucket >> 6);
}

/// Push an entry whose bucket is beyond the ring.
void wend__jump_push_far(wend__search *search, uint32_t bucket, uint32_t at);

WEND__INLINE void wend__jump_push(wend__search *s, uint32_t bucket, wend__jump_entry entry) {
    wend__open *const open = &s->open;
    WEND__DEBUG_ASSERT(open->spare > 0);
    uint32_t at = open->free_block;
    if (at != 0) {
        open->free_block = open->entries[at + 3];
    } else {
        at = open->fresh;
        open->fresh = at + WEND__JUMP_ENTRY;
    }
    open->spare--;
    open->entries[at] = entry.word;
    open->entries[at + 1] = entry.cell;
    open->entries[at + 2] = entry.node;
    if (WEND__LIKELY(bucket - wend__jump_of(s)->floor < WEND__BUCKETS))
        wend__jump_link(open, bucket, at);
    else
        wend__jump_push_far(s, bucket, at);
}

/// Move entries from beyond the ring to it, as the lowest of them is due. False where there are
/// none.
bool wend__jump_draw_near(wend__search *search);

/// Move to the lowest bucket that is not empty. False: all are empty.
WEND__INLINE bool wend__jump_advance(wend__search *s) {
    const uint32_t before = s->open.current;
    const bool any = wend__open_advance(&s->open);
    if (any) wend__jump_of(s)->floor += (s->open.current - before) & (WEND__BUCKETS - 1);
    if (WEND__UNLIKELY(!any || wend__jump_of(s)->far_floor <= wend__jump_of(s)->floor)) return wend__jump_draw_near(s);
    return true;
}

/// Begin with the bucket of the first entry.
void wend__jump_open_begin(wend__search *search, uint32_t bucket);

/// Pop the newest entry of bucket `current`, which is not empty.
WEND__INLINE wend__jump_entry wend__jump_pop(wend__open *open) {
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
    return (wend__jump_entry){entry[0], entry[1], entry[2]};
}

#endif
