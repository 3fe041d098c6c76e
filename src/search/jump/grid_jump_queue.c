/* SPDX-License-Identifier: MIT */
/* The rare operations on the open list of a jump search. */
#include "search/jump/grid_jump_queue.h"
#include "search/jump/grid_jump_nodes.h"

/* Half of one for each block, and one for the directory of these. */
static size_t most_directories(const wend__search *s) {
    return (size_t)s->version->block_columns * (size_t)s->version->block_rows / 2 + 2;
}

bool wend__jump_spare(wend__search *s, wend__stock *stock) {
    wend__open *open = &s->open;
    while (open->spare < WEND__JUMP_SCAN) {
        if (wend__pages_are_entries(s, most_directories(s)) && wend__jump_compact(s)) return true;
        for (; open->fresh + WEND__JUMP_ENTRY <= open->fresh_end; open->fresh += WEND__JUMP_ENTRY) {
            open->entries[open->fresh + 3] = open->free_block; /* chain the last few entries of a page */
            open->free_block = open->fresh;
        }
        uint32_t page = wend__pages_take_open(s, stock);
        if (page == WEND__NONE) {
            wend__pages_starve(s, 0, 1);
            return false;
        }
        open->pages++;
        open->fresh = page == 0 ? WEND__JUMP_ENTRY : page * WEND__OPEN_PAGE_WORDS; /* position 0 is none */
        open->fresh_end = (page + 1) * WEND__OPEN_PAGE_WORDS;
        open->spare += (open->fresh_end - open->fresh) / WEND__JUMP_ENTRY;
    }
    return true;
}

void wend__jump_open_begin(wend__search *s, uint32_t bucket) {
    wend__jump_of(s)->floor = bucket;
    s->open.current = bucket & (WEND__BUCKETS - 1);
    wend__jump_of(s)->far = 0;
    wend__jump_of(s)->far_floor = UINT32_MAX;
}

WEND__NOINLINE void wend__jump_push_far(wend__search *s, uint32_t bucket, uint32_t at) {
    s->open.entries[at + 3] = wend__jump_of(s)->far;
    wend__jump_of(s)->far = at;
    if (bucket < wend__jump_of(s)->far_floor) wend__jump_of(s)->far_floor = bucket;
}

static uint32_t bucket_of(const wend__search *s, const uint32_t *entry) {
    return wend__jump_bucket(s, wend__jump_g(entry[0]), wend__jump_x(entry[1]), wend__jump_y(entry[1]));
}

/* Reverse a chain. Returns its oldest entry. */
static uint32_t reverse_chain(uint32_t *entries, uint32_t at) {
    uint32_t oldest = 0;
    while (at != 0) {
        const uint32_t below = entries[at + 3];
        entries[at + 3] = oldest;
        oldest = at;
        at = below;
    }
    return oldest;
}

/* From the oldest entry on, so that the newest of a bucket stays the newest. */
WEND__NOINLINE bool wend__jump_draw_near(wend__search *s) {
    uint32_t *const entries = s->open.entries;
    uint32_t at = reverse_chain(entries, wend__jump_of(s)->far);
    if (at == 0) return false;
    wend__jump_open_begin(s, wend__jump_of(s)->far_floor);
    while (at != 0) {
        const uint32_t next = entries[at + 3], bucket = bucket_of(s, entries + at);
        if (bucket - wend__jump_of(s)->floor < WEND__BUCKETS)
            wend__jump_link(&s->open, bucket, at);
        else
            wend__jump_push_far(s, bucket, at);
        at = next;
    }
    return true;
}

/* ---- compaction */

/* Will it be expanded? */
static bool is_due(const wend__search *s, const uint32_t *entry) {
    const uint32_t record = wend__jump_node_of(s, entry[2])->record;
    const uint32_t only = entry[0] >> WEND__JUMP_G_BITS;
    return wend__jump_g(entry[0]) == record >> 5 && (only != 0 || !(record & WEND__JUMP_CLOSED));
}

/* Remove stale entries of a chain. Returns how many; `looked` counts all. */
static uint32_t compact_chain(wend__search *s, uint32_t *link, uint32_t *looked) {
    wend__open *open = &s->open;
    uint32_t freed = 0;
    for (; *link != 0; ++*looked) {
        const uint32_t at = *link;
        uint32_t *entry = open->entries + at;
        if (is_due(s, entry)) {
            link = &entry[3];
            continue;
        }
        *link = entry[3];
        entry[3] = open->free_block;
        open->free_block = at;
        freed++;
    }
    return freed;
}

/* The lowest bucket of the entries beyond the ring, without those removed. */
static uint32_t lowest_far(const wend__search *s) {
    const uint32_t *entries = s->open.entries;
    uint32_t lowest = UINT32_MAX;
    for (uint32_t at = wend__jump_of(s)->far; at != 0; at = entries[at + 3]) {
        const uint32_t bucket = bucket_of(s, entries + at);
        if (bucket < lowest) lowest = bucket;
    }
    return lowest;
}

/* An eighth of the entries must be removed, so that the work is at most eight entries for each
 * one pushed later. */
bool wend__jump_compact(wend__search *s) {
    wend__open *open = &s->open;
    uint32_t looked = 0, freed = compact_chain(s, &wend__jump_of(s)->far, &looked);
    wend__jump_of(s)->far_floor = lowest_far(s);
    for (uint32_t bucket = 0; bucket < WEND__BUCKETS; bucket++) {
        if (open->top[bucket] == 0) continue;
        freed += compact_chain(s, &open->top[bucket], &looked);
        if (open->top[bucket] == 0 && (open->bits[bucket >> 6] &= ~(UINT64_C(1) << (bucket & 63))) == 0)
            open->words &= ~(UINT64_C(1) << (bucket >> 6));
    }
    open->spare += freed;
    return open->spare >= WEND__JUMP_SCAN && freed >= looked / 8;
}
