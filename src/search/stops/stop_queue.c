/* SPDX-License-Identifier: MIT */
/* The rare operations on the open list of a jump search with stops. */
#include "search/stops/stop_queue.h"
#include "search/stops/stop_nodes.h"

bool wend__stop_spare(wend__search *s, wend__stock *stock) {
    wend__open *open = &s->open;
    while (open->spare < WEND__STOP_SCAN) {
        for (; open->fresh + WEND__STOP_ENTRY <= open->fresh_end; open->fresh += WEND__STOP_ENTRY) {
            open->entries[open->fresh + 3] = open->free_block; /* chain the last few entries of a page */
            open->free_block = open->fresh;
        }
        uint32_t page = wend__pages_take_open(s, stock);
        if (page == WEND__NONE) {
            wend__pages_starve(s, 0, 1);
            return false;
        }
        open->fresh = page == 0 ? WEND__STOP_ENTRY : page * WEND__OPEN_PAGE_WORDS; /* position 0 is none */
        open->fresh_end = (page + 1) * WEND__OPEN_PAGE_WORDS;
        open->spare += (open->fresh_end - open->fresh) / WEND__STOP_ENTRY;
    }
    return true;
}

void wend__stop_open_begin(wend__search *s, uint32_t bucket) {
    wend__stop_of(s)->floor = bucket;
    s->open.current = bucket & (WEND__BUCKETS - 1);
    wend__stop_of(s)->far = 0;
    wend__stop_of(s)->far_floor = UINT32_MAX;
}

/* It ends as soon as one goal, or one group of links, is within the bound. */
WEND__NOINLINE uint32_t wend__stop_estimate_all(const wend__search *s, int32_t x, int32_t y, uint32_t bound) {
    const wend__stop_jump_search *j = wend__stop_of(s);
    const wend__heuristic *h = &j->heuristic;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < j->goals.count; i++) {
        const uint32_t way = wend__stop_to_box(s, x, y, j->goals.boxes[i].left, j->goals.boxes[i].top,
                                               j->goals.boxes[i].right, j->goals.boxes[i].bottom);
        if (way <= bound) return bound;
        if (way < least) least = way;
    }
    for (uint32_t i = 0; i < h->shortcut_count && h->shortcuts[i].bound < least; i++) {
        const wend_box *box = &h->shortcuts[i].entrances;
        const uint32_t way = (uint32_t)h->shortcuts[i].bound +
                             wend__stop_to_box(s, x, y, box->min.x, box->min.y, box->max.x, box->max.y);
        if (way <= bound) return bound;
        if (way < least) least = way;
    }
    return least;
}

WEND__NOINLINE void wend__stop_push_far(wend__search *s, uint32_t bucket, uint32_t at) {
    s->open.entries[at + 3] = wend__stop_of(s)->far;
    wend__stop_of(s)->far = at;
    if (bucket < wend__stop_of(s)->far_floor) wend__stop_of(s)->far_floor = bucket;
}

static uint32_t bucket_of(const wend__search *s, const uint32_t *entry) {
    return wend__stop_bucket(s, entry[0], wend__stop_x(entry[1]), wend__stop_y(entry[1]));
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
WEND__NOINLINE bool wend__stop_draw_near(wend__search *s) {
    uint32_t *const entries = s->open.entries;
    uint32_t at = reverse_chain(entries, wend__stop_of(s)->far);
    if (at == 0) return false;
    wend__stop_open_begin(s, wend__stop_of(s)->far_floor);
    while (at != 0) {
        const uint32_t next = entries[at + 3], bucket = bucket_of(s, entries + at);
        if (bucket - wend__stop_of(s)->floor < WEND__BUCKETS)
            wend__stop_link(&s->open, bucket, at);
        else
            wend__stop_push_far(s, bucket, at);
        at = next;
    }
    return true;
}

/* ---- compaction */

/* Will it be expanded? */
static bool is_due(const wend__search *s, const uint32_t *entry) {
    const wend__stop_node *node = wend__stop_node_at(s, wend__stop_place_find(s, entry[1]));
    return entry[0] == node->g && (entry[2] != 0 || !(node->flags & WEND__STOP_CLOSED));
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
    for (uint32_t at = wend__stop_of(s)->far; at != 0; at = entries[at + 3]) {
        const uint32_t bucket = bucket_of(s, entries + at);
        if (bucket < lowest) lowest = bucket;
    }
    return lowest;
}

/* An eighth of the entries must be removed, so that the work is at most eight entries for each one pushed later. */
bool wend__stop_compact(wend__search *s) {
    wend__open *open = &s->open;
    uint32_t looked = 0, freed = compact_chain(s, &wend__stop_of(s)->far, &looked);
    wend__stop_of(s)->far_floor = lowest_far(s);
    for (uint32_t bucket = 0; bucket < WEND__BUCKETS; bucket++) {
        if (open->top[bucket] == 0) continue;
        freed += compact_chain(s, &open->top[bucket], &looked);
        if (open->top[bucket] == 0 && (open->bits[bucket >> 6] &= ~(UINT64_C(1) << (bucket & 63))) == 0)
            open->words &= ~(UINT64_C(1) << (bucket >> 6));
    }
    open->spare += freed;
    return open->spare >= WEND__STOP_SCAN && freed >= looked / 8;
}
