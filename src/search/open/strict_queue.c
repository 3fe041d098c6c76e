/* SPDX-License-Identifier: MIT */
/* The rare operations on an open list in strict order. */
#include "search/open/strict_queue.h"

/* Makes a chain, by siblings, of the entries of a heap: rotates each child above its parent. */
static uint32_t flatten(const wend__open *open, uint32_t at) {
    uint32_t chain = 0;
    while (at != 0) {
        wend__strict_entry *entry = wend__strict_at(open, at);
        const uint32_t child = entry->child;
        if (child != 0) { /* the child's siblings become the entry's children, and the entry its sibling */
            wend__strict_entry *const below = wend__strict_at(open, child);
            entry->child = below->sibling;
            below->sibling = at;
            at = child;
            continue;
        }
        const uint32_t next = entry->sibling;
        entry->sibling = chain;
        chain = at;
        at = next;
    }
    return chain;
}

/* Takes all entries out of a bucket, as a chain. */
static uint32_t take_bucket(wend__open *open, uint32_t bucket) {
    const uint32_t top = open->top[bucket];
    if (top == 0) return 0;
    wend__strict_at(open, top)->sibling = 0;
    open->top[bucket] = 0;
    if ((open->bits[bucket >> 6] &= ~(UINT64_C(1) << (bucket & 63))) == 0)
        open->words &= ~(UINT64_C(1) << (bucket >> 6));
    return flatten(open, top);
}

WEND__NOINLINE void wend__strict_widen(wend__open *open) {
    const uint64_t least = wend__strict_at(open, open->top[WEND__STRICT_LAST])->key - open->base;
    do open->shift++;
    while (least >> open->shift >= WEND__STRICT_LAST);
    uint32_t next;
    for (uint32_t at = take_bucket(open, WEND__STRICT_LAST); at != 0; at = next) {
        next = wend__strict_at(open, at)->sibling;
        wend__strict_link(open, at);
    }
}

bool wend__strict_any(wend__open *open, const void *owner,
                      bool (*holds)(const void *owner, const wend__strict_entry *entry)) {
    bool any = false;
    for (uint32_t bucket = 0; bucket < WEND__BUCKETS && !any; bucket++) {
        uint32_t next;
        for (uint32_t at = take_bucket(open, bucket); at != 0; at = next) {
            next = wend__strict_at(open, at)->sibling;
            any = any || holds(owner, wend__strict_at(open, at));
            wend__strict_link(open, at);
        }
    }
    return any;
}

/* Popped entries lie on the free list, the last one first, and are pushed from there into their own places. */
void wend__strict_in_order(wend__open *open, const void *owner,
                           bool (*holds)(const void *owner, const wend__strict_entry *entry)) {
    uint32_t popped = 0;
    for (const wend__strict_entry *first; (first = wend__strict_first(open)); popped++) {
        if (holds(owner, first)) break;
        wend__strict_pop(open);
    }
    for (; popped > 0; popped--) wend__strict_push(open, *wend__strict_at(open, open->free_block));
}

uint32_t wend__strict_compact(wend__open *open, const void *owner,
                              bool (*is_due)(const void *owner, const wend__strict_entry *entry)) {
    uint32_t looked = 0, freed = 0;
    for (uint32_t bucket = 0; bucket < WEND__BUCKETS; bucket++) {
        uint32_t next;
        for (uint32_t at = take_bucket(open, bucket); at != 0; at = next, looked++) {
            wend__strict_entry *const entry = wend__strict_at(open, at);
            next = entry->sibling;
            if (is_due(owner, entry)) {
                wend__strict_link(open, at);
                continue;
            }
            entry->sibling = open->free_block;
            open->free_block = at;
            freed++;
        }
    }
    open->spare += freed;
    return freed >= (looked + 7) / 8 ? freed : 0;
}
