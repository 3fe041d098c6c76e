/* SPDX-License-Identifier: MIT */
/* What a search does when no open page is left: it throws out of its open list the entries that will never be expanded.
 *
 * They are those of closed nodes, and of an open node all but the first to come off: a node is pushed again only when it
 * became cheaper. They would be passed over one day, so leaving them out changes no cost; what stays keeps its order.
 * (Only which of several paths of the same cost the full engine finds may change: where it moves a bucket down, a node's
 * entries all get the same key, and it is the oldest of them that would have come off first.) */
#include "search/full.h"
#include "search/jump_open.h"
#include "search/net.h"
#include "search/pages.h"
#include "search/space.h"
#include "search/tiers.h"

/* An eighth of all blocks must come free: so for each block that is filled later no more than eight are looked at. */
enum { LEAST_SHARE = 8 };
#define SIFTED_OUT UINT32_MAX

/* Above the direction in a record. */
static uint32_t open_bit(const wend__search *s) {
    return s->is_space ? WEND__SPACE_OPEN : 16;
}

static bool is_open(const wend__search *s, uint32_t id) {
    if (s->is_net) return wend__net_node_of(s, id)->state & 1;
    if (s->is_full) return wend__full_node(s->pool, id)->open == 1;
    const void *records = wend__page_records(s->pool, id >> 12);
    const uint32_t bit = open_bit(s);
    return s->wide ? ((const uint64_t *)records)[id & 4095] & bit : ((const uint32_t *)records)[id & 4095] & bit;
}

static void turn_open_bit(const wend__search *s, uint32_t id) {
    if (s->is_net) {
        wend__net_node_of(s, id)->state ^= 1;
        return;
    }
    if (s->is_full) {
        wend__full_node(s->pool, id)->open ^= 1;
        return;
    }
    void *records = wend__page_records(s->pool, id >> 12);
    if (s->wide)
        ((uint64_t *)records)[id & 4095] ^= open_bit(s);
    else
        ((uint32_t *)records)[id & 4095] ^= open_bit(s);
}

/* The buckets in the order in which they will be emptied: in tiers, the lower ones come first, even while one above them
 * is being moved down. */
static uint32_t bucket_in_order(const wend__search *s, uint32_t i) {
    if (!s->is_full && !s->is_net) return (s->open.current + i) & (WEND__BUCKETS - 1);
    const uint32_t tier = i >> WEND__TIER_BITS, digit = wend__tier_digit(s->floor_f, tier) + i;
    return tier << WEND__TIER_BITS | (digit & (WEND__TIER_BUCKETS - 1));
}

/* From the newest entry down. What stays has its node marked closed, so that older entries of the node go. */
static void mark(wend__search *s, uint32_t bucket) {
    uint32_t *entries = s->open.entries;
    for (uint32_t at = s->open.top[bucket]; at != 0; at = (at & 31) == 1 ? entries[at - 1] : at - 1) {
        if (is_open(s, entries[at]))
            turn_open_bit(s, entries[at]);
        else
            entries[at] = SIFTED_OUT;
    }
}

/* Turn the links of a stack's blocks round, each to the block above; returns the lowest. */
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

/* Move what stays down, in order, and mark its nodes open again. Writing never overtakes reading, so a block's link is
 * read before it is set. */
static uint32_t pack(wend__search *s, uint32_t bucket) {
    wend__open *open = &s->open;
    uint32_t *entries = open->entries, top = open->top[bucket];
    if (top == 0) return 0;
    uint32_t from = turn_links(entries, top) << WEND__OPEN_BLOCK_SHIFT, to = from, below = 0;
    for (;;) {
        if ((++from & 31) == 0) from = (entries[from - 32] << WEND__OPEN_BLOCK_SHIFT) + 1;
        uint32_t id = entries[from];
        if (id != SIFTED_OUT) {
            if ((to & 31) == 31) {
                uint32_t block = to - 31, above = entries[block];
                entries[block] = below;
                below = to;
                to = above << WEND__OPEN_BLOCK_SHIFT;
            }
            entries[++to] = id;
            turn_open_bit(s, id);
        }
        if (from == top) break;
    }
    const uint32_t last = to & ~UINT32_C(31);
    open->top[bucket] = to == last ? 0 : to;
    if (to == last) {
        if ((open->bits[bucket >> 6] &= ~(UINT64_C(1) << (bucket & 63))) == 0)
            open->words &= ~(UINT64_C(1) << (bucket >> 6));
        return free_blocks(open, last >> WEND__OPEN_BLOCK_SHIFT); /* nothing stays, so it is the lowest */
    }
    uint32_t above = entries[last];
    entries[last] = below;
    return free_blocks(open, above);
}

bool wend__search_sift(wend__search *s) {
    if (s->is_jump) return wend__jump_sift(s);
    uint32_t freed = 0, blocks = s->open_pages.count * WEND__OPEN_PAGE_BLOCKS;
    for (uint32_t i = 0; i < WEND__BUCKETS; i++) mark(s, bucket_in_order(s, i));
    for (uint32_t i = 0; i < WEND__BUCKETS; i++) freed += pack(s, i);
    const uint32_t pushes = s->is_space ? WEND__SPACE_DIRECTIONS : WEND__DIRECTIONS;
    return freed >= pushes && freed >= blocks / LEAST_SHARE;
}
