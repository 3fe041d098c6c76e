/* SPDX-License-Identifier: MIT */
/* Removes entries of an open list that will never be expanded: a search does so when no open
 * page is left.
 *
 * These are the entries of closed nodes, and all but the first to come off of an open node: a
 * node is pushed again only when it became cheaper. The search would skip them, so removing them
 * changes no cost, and the others keep their order. (With multilevel buckets the search may find
 * another path of the same cost: entries of one node get equal keys when they move down, and the
 * oldest would have come off first.) */
#include "search/open/bucket_queue.h"

#include "search/open/multilevel_buckets.h"

/* See wend__open_compact(). */
enum { LEAST_SHARE = 8 };
#define REMOVED UINT32_MAX

/* The buckets in the order in which they will be emptied. Lower levels come first, even while a
 * bucket of a higher one is moving down. */
static uint32_t bucket_in_order(const wend__open *open, const uint64_t *floor, uint32_t i) {
    if (!floor) return (open->current + i) & (WEND__BUCKETS - 1);
    const uint32_t level = i >> WEND__LEVEL_BITS, digit = wend__level_digit(*floor, level) + i;
    return level << WEND__LEVEL_BITS | (digit & (WEND__LEVEL_BUCKETS - 1));
}

/* Marks the entries to keep, from the newest entry down. The node of such an entry is closed for
 * now, so that its older entries are removed. */
static void mark_bucket(wend__open *open, const wend__open_nodes *nodes, uint32_t bucket) {
    uint32_t *entries = open->entries;
    for (uint32_t at = open->top[bucket]; at != 0; at = (at & 31) == 1 ? entries[at - 1] : at - 1) {
        if (nodes->is_open(nodes->owner, entries[at]))
            nodes->flip_open(nodes->owner, entries[at]);
        else
            entries[at] = REMOVED;
    }
}

/* Reverse the links of a stack's blocks, so that each leads to the block above. Returns the
 * lowest block. */
static uint32_t turn_links(uint32_t *entries, uint32_t top) {
    uint32_t block = top >> WEND__OPEN_BLOCK_SHIFT, above = 0;
    for (;;) {
        uint32_t below = entries[block << WEND__OPEN_BLOCK_SHIFT];
        entries[block << WEND__OPEN_BLOCK_SHIFT] = above;
        if (below == 0) return block;
        above = block;
        block = below >> WEND__OPEN_BLOCK_SHIFT;
    }
}

static uint32_t free_blocks(wend__open *open, uint32_t block) {
    uint32_t count = 0;
    for (uint32_t above; block != 0; block = above, count++) {
        above = open->entries[block << WEND__OPEN_BLOCK_SHIFT];
        open->entries[block << WEND__OPEN_BLOCK_SHIFT] = open->free_block;
        open->free_block = block;
    }
    open->spare += count;
    return count;
}

/* Moves the kept entries to the bottom, in order, and opens their nodes again. Writing never
 * overtakes reading, so each link is read before it is overwritten. */
static uint32_t pack_bucket(wend__open *open, const wend__open_nodes *nodes, uint32_t bucket) {
    uint32_t *entries = open->entries, top = open->top[bucket];
    if (top == 0) return 0;
    uint32_t from = turn_links(entries, top) << WEND__OPEN_BLOCK_SHIFT, to = from, below = 0;
    for (;;) {
        if ((++from & 31) == 0) from = (entries[from - 32] << WEND__OPEN_BLOCK_SHIFT) + 1;
        uint32_t id = entries[from];
        if (id != REMOVED) {
            if ((to & 31) == 31) {
                uint32_t block = to - 31, above = entries[block];
                entries[block] = below;
                below = to;
                to = above << WEND__OPEN_BLOCK_SHIFT;
            }
            entries[++to] = id;
            nodes->flip_open(nodes->owner, id);
        }
        if (from == top) break;
    }
    const uint32_t last = to & ~UINT32_C(31);
    open->top[bucket] = to == last ? 0 : to;
    if (to == last) {
        if ((open->bits[bucket >> 6] &= ~(UINT64_C(1) << (bucket & 63))) == 0)
            open->words &= ~(UINT64_C(1) << (bucket >> 6));
        return free_blocks(open, last >> WEND__OPEN_BLOCK_SHIFT); /* all entries are removed: the lowest block */
    }
    uint32_t above = entries[last];
    entries[last] = below;
    return free_blocks(open, above);
}

uint32_t wend__open_compact(wend__open *open, const wend__open_nodes *nodes, uint32_t pages, const uint64_t *floor) {
    const uint32_t blocks = pages * WEND__OPEN_PAGE_BLOCKS;
    uint32_t freed = 0;
    for (uint32_t i = 0; i < WEND__BUCKETS; i++) mark_bucket(open, nodes, bucket_in_order(open, floor, i));
    for (uint32_t i = 0; i < WEND__BUCKETS; i++) freed += pack_bucket(open, nodes, i);
    return freed >= blocks / LEAST_SHARE ? freed : 0;
}
