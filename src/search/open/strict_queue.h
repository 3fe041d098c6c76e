/* SPDX-License-Identifier: MIT */
/* Internal: an open list that pops entries in strict order of any keys, also where keys fall: for
 * weights above 1.
 *
 * With a weight the least key of an open list falls and rises, over a wide range. So a ring of
 * buckets cannot hold the list. Here the 4,096 buckets are a row from `base` on, 2^shift keys wide
 * each, and each bucket is a pairing heap (Fredman, Sedgewick, Sleator and Tarjan 1986). The first
 * bucket that is not empty has the least key; a push below it costs nothing more. The width
 * decides only how many entries share a heap, so any width is right. The last bucket also holds
 * all keys above it. Once that bucket is the first that is not empty, the width doubles.
 *
 * The order is total: the smaller key, then the smaller estimate, then the newer entry. So it does
 * not depend on when entries are removed, or on the width.
 *
 * Usage: wend__open_reset(), wend__strict_begin(). Before pushing: wend__strict_add_page() until
 * `spare` is at least the number of pushes; wend__strict_push(wend__strict_make()).
 * wend__strict_first() is the entry to expand; an entry of a closed node is stale, and
 * is popped without effect. There is no decrease-key: a node that becomes cheaper while it is open
 * is pushed again. A loop may hold the best entry that it made back, compare it with the first by
 * wend__strict_before(), and push it when it stops. */
#ifndef WEND_SRC_SEARCH_OPEN_STRICT_QUEUE_H
#define WEND_SRC_SEARCH_OPEN_STRICT_QUEUE_H

#include "search/open/bucket_queue.h"

/// An entry: eight words of an open page. Its position is the number of its first word.
typedef struct wend__strict_entry {
    uint64_t key;
    uint64_t tie;            ///< the estimate << 32 | how many were pushed after it, down from UINT32_MAX
    uint32_t node, more;     ///< the caller's
    uint32_t child, sibling; ///< positions in its heap; 0: none
} wend__strict_entry;

enum { WEND__STRICT_WORDS = sizeof(wend__strict_entry) / sizeof(uint32_t), WEND__STRICT_LAST = WEND__BUCKETS - 1 };
_Static_assert(sizeof(wend__strict_entry) == 32, "a page has a whole number of entries, aligned");

/// The entry at a position.
WEND__INLINE wend__strict_entry *wend__strict_at(const wend__open *open, uint32_t at) {
    return (wend__strict_entry *)(void *)(open->entries + at);
}

/// Begins with an empty list that was reset.
/// @param least   no key will be below it, as a rule
/// @param start   key of the start; the buckets cover about four times its distance from `least`
static inline void wend__strict_begin(wend__open *open, uint64_t least, uint64_t start) {
    const uint64_t width = start > least ? (start - least) / (WEND__BUCKETS / 4) : 0;
    open->base = least;
    open->pushed = 0;
    for (open->shift = 0; width >> open->shift > 1;) open->shift++;
}

/// Adds the entries of another open page.
static inline void wend__strict_add_page(wend__open *open, uint32_t page) {
    for (; open->fresh < open->fresh_end; open->fresh += WEND__STRICT_WORDS) { /* chain the rest of the page before */
        wend__strict_at(open, open->fresh)->sibling = open->free_block;
        open->free_block = open->fresh;
    }
    open->fresh = page == 0 ? WEND__STRICT_WORDS : page * WEND__OPEN_PAGE_WORDS; /* position 0 is none */
    open->fresh_end = (page + 1) * WEND__OPEN_PAGE_WORDS;
    open->spare += (open->fresh_end - open->fresh) / WEND__STRICT_WORDS;
}

/// Returns whether the first entry comes off before the second.
WEND__INLINE bool wend__strict_before(const wend__strict_entry *a, const wend__strict_entry *b) {
    return a->key < b->key || (a->key == b->key && a->tie < b->tie);
}

/// Joins two heaps that are not empty. Returns the root; its sibling means nothing.
WEND__INLINE uint32_t wend__strict_join(const wend__open *open, uint32_t one, uint32_t other) {
    WEND__DEBUG_ASSERT(one != 0 && other != 0 && one != other);
    wend__strict_entry *const a = wend__strict_at(open, one), *const b = wend__strict_at(open, other);
    if (wend__strict_before(a, b)) {
        b->sibling = a->child;
        a->child = other;
        return one;
    }
    a->sibling = b->child;
    b->child = one;
    return other;
}

WEND__INLINE uint32_t wend__strict_bucket(const wend__open *open, uint64_t key) {
    const uint64_t bucket = key > open->base ? (key - open->base) >> open->shift : 0;
    return bucket < WEND__STRICT_LAST ? (uint32_t)bucket : WEND__STRICT_LAST;
}

/// Puts an entry without children into its bucket.
WEND__INLINE void wend__strict_link(wend__open *open, uint32_t at) {
    WEND__DEBUG_ASSERT(wend__strict_at(open, at)->child == 0);
    const uint32_t bucket = wend__strict_bucket(open, wend__strict_at(open, at)->key), top = open->top[bucket];
    if (top != 0) {
        open->top[bucket] = wend__strict_join(open, at, top);
        return;
    }
    open->top[bucket] = at;
    open->bits[bucket >> 6] |= UINT64_C(1) << (bucket & 63);
    open->words |= UINT64_C(1) << (bucket >> 6);
}

/// Makes an entry, newer than all before.
/// @param estimate   among equal keys the smaller goes first; above UINT32_MAX it counts as that
WEND__INLINE wend__strict_entry wend__strict_make(wend__open *open, uint64_t key, uint64_t estimate, uint32_t node,
                                                  uint32_t more) {
    if (WEND__UNLIKELY(estimate > UINT32_MAX)) estimate = UINT32_MAX;
    const uint64_t tie = estimate << 32 | (UINT32_MAX - open->pushed++);
    return (wend__strict_entry){.key = key, .tie = tie, .node = node, .more = more};
}

/// Push an entry; one must be spare.
WEND__INLINE void wend__strict_push(wend__open *open, wend__strict_entry entry) {
    WEND__DEBUG_ASSERT(open->spare > 0);
    uint32_t at = open->free_block;
    if (at != 0) {
        open->free_block = wend__strict_at(open, at)->sibling;
    } else {
        at = open->fresh;
        open->fresh = at + WEND__STRICT_WORDS;
    }
    open->spare--;
    entry.child = 0; /* a popped entry may be pushed again */
    *wend__strict_at(open, at) = entry;
    wend__strict_link(open, at);
}

/// The last bucket is the first that is not empty: double the width until its least key is in the
/// row. Cost: O(entries), but each time the row is at least twice as long.
void wend__strict_widen(wend__open *open);

/// The first bucket that is not empty; the list is not empty.
WEND__INLINE uint32_t wend__strict_lowest(const wend__open *open) {
    WEND__DEBUG_ASSERT(open->words != 0);
    const uint32_t word = wend__ctz64(open->words);
    return word << 6 | wend__ctz64(open->bits[word]);
}

/// The entry that comes off next; NULL: the list is empty.
WEND__INLINE const wend__strict_entry *wend__strict_first(wend__open *open) {
    if (open->words == 0) return NULL;
    uint32_t bucket = wend__strict_lowest(open);
    if (WEND__UNLIKELY(bucket == WEND__STRICT_LAST)) {
        wend__strict_widen(open);
        bucket = wend__strict_lowest(open);
    }
    return wend__strict_at(open, open->top[bucket]);
}

/// Joins the children of a root, or none (0), to one heap: in pairs from the newest on, then from the last pair
/// back.
WEND__INLINE uint32_t wend__strict_join_children(const wend__open *open, uint32_t at) {
    uint32_t pairs = 0;
    while (at != 0) {
        const uint32_t other = wend__strict_at(open, at)->sibling;
        if (other == 0) {
            wend__strict_at(open, at)->sibling = pairs;
            pairs = at;
            break;
        }
        const uint32_t next = wend__strict_at(open, other)->sibling;
        const uint32_t pair = wend__strict_join(open, at, other);
        wend__strict_at(open, pair)->sibling = pairs;
        pairs = pair;
        at = next;
    }
    if (pairs == 0) return 0;
    uint32_t root = pairs;
    for (at = wend__strict_at(open, pairs)->sibling; at != 0;) {
        const uint32_t next = wend__strict_at(open, at)->sibling;
        root = wend__strict_join(open, root, at);
        at = next;
    }
    return root;
}

/// Removes the entry that wend__strict_first() returned; nothing was pushed since.
WEND__INLINE void wend__strict_pop(wend__open *open) {
    const uint32_t bucket = wend__strict_lowest(open), at = open->top[bucket];
    wend__strict_entry *const entry = wend__strict_at(open, at);
    const uint32_t root = wend__strict_join_children(open, entry->child);
    entry->sibling = open->free_block;
    open->free_block = at;
    open->spare++;
    open->top[bucket] = root;
    if (root == 0 && (open->bits[bucket >> 6] &= ~(UINT64_C(1) << (bucket & 63))) == 0)
        open->words &= ~(UINT64_C(1) << (bucket >> 6));
}

/// Returns whether the test holds for any entry of the list. The list changes its form meanwhile, not its
/// order.
bool wend__strict_any(wend__open *open, const void *owner,
                      bool (*holds)(const void *owner, const wend__strict_entry *entry));

/// Show the entries in the order in which they come off, until the test holds for one. Cost: O(entries x their
/// logarithm).
void wend__strict_in_order(wend__open *open, const void *owner,
                           bool (*holds)(const void *owner, const wend__strict_entry *entry));

/// Removes stale entries; the others keep their order.
/// @return entries that became free; 0 if they are fewer than an eighth of all. So the work is at
/// most eight entries for each that is pushed later.
uint32_t wend__strict_compact(wend__open *open, const void *owner,
                              bool (*is_due)(const void *owner, const wend__strict_entry *entry));

#endif
