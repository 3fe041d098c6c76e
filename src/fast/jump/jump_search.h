/* SPDX-License-Identifier: MIT */
/* Internal: what both jump searches have in common: their state, their open list, and their path.
 *
 * The open list is the ring of bucket_queue.h, with chains of entries instead of blocks of ids. An entry is four words:
 * the key, the cell, a word of the search's own, the position of the entry below. Buckets are about as wide as a
 * straight step, and hold few entries; a node that becomes cheaper is expanded again. A long jump on a large map may
 * raise f by more than the ring holds. Such entries wait in a chain of their own until the lowest of them is due; then
 * all that fit move to the ring. */
#ifndef WEND_SRC_FAST_JUMP_JUMP_SEARCH_H
#define WEND_SRC_FAST_JUMP_JUMP_SEARCH_H

#include "search/rules/bound.h"
#include "search/store/pages.h"

enum {
    WEND__JUMP_SCAN = 2 * 64 + 4,             ///< the most successors of a scan of one chunk, or of the straight exits
    WEND__JUMP_ENTRY = 4,                     ///< words of an entry
    WEND__JUMP_BEGIN_COSTS = 8,               ///< expansions that the beginning of a search counts
    WEND__JUMP_BLOCKS = WEND__OPEN_PAGE_WORDS ///< the most blocks of a map that these searches serve
};

/// An entry of the open list.
typedef struct wend__jump_entry {
    uint32_t key, cell;
    uint32_t more; ///< word of the search's own
} wend__jump_entry;

static inline wend__jump_entry wend__jump_entry_of(uint32_t key, uint32_t cell, uint32_t more) {
    return (wend__jump_entry){key, cell, more};
}

static inline uint32_t wend__jump_key(wend__jump_entry entry) {
    return entry.key;
}

static inline uint32_t wend__jump_cell_of(wend__jump_entry entry) {
    return entry.cell;
}

/// Callbacks of the open list into its search.
typedef struct wend__jump_kind {
    bool (*is_due)(const wend__search *search, const uint32_t *entry);        ///< false: the entry is stale
    uint32_t (*bucket_of)(const wend__search *search, const uint32_t *entry); ///< before it is taken modulo the ring
} wend__jump_kind;

/// The state that both begin with.
typedef struct wend__jump_search {
    wend__search search;
    const wend__jump_kind *kind;
    size_t directories;              ///< the most open pages that directories of nodes take
    uint32_t floor;                  ///< bucket being emptied: f >> shift
    uint32_t far;                    ///< the first entry beyond the ring
    uint32_t far_floor;              ///< the lowest bucket among these
    uint32_t goal_bucket;            ///< with a known `best`: the bucket of the goal, counted as `floor`
    uint32_t goal_cell;              ///< the goal; with several goals the reached one
    bool has_next;                   ///< `next` is expanded before the others
    wend__jump_entry next;           ///< a successor in the bucket being emptied
    uint32_t bend;                   ///< D - S
    uint32_t g_limit;                ///< a node with a greater g is not expanded, as costs would exceed its record
    int32_t block_column, block_row; ///< the block of the current view; -1: none
    uint32_t fresh_node, fresh_end;  ///< unused nodes of the newest page
    wend__landmark_bounds landmark_bounds;
    uint32_t exits;        ///< directions left of the node being expanded: bits 0 to 3 straight, 4 to 7 diagonal
    uint32_t cell, cell_g; ///< cell of that node and its g
    uint32_t owed;         ///< pushed successors, still to be counted as expansions
    bool on_way;           ///< a diagonal scan was interrupted: it resumes at (x, y)
    int32_t x, y;
    uint32_t g;
} wend__jump_search;

static inline wend__jump_search *wend__jump_of(const wend__search *search) {
    return (wend__jump_search *)search;
}

/// The number of a cell of a map at most 65,536 cells wide and high.
static inline uint32_t wend__jump_cell(int32_t x, int32_t y) {
    return (uint32_t)x << 16 | (uint32_t)y;
}

static inline int32_t wend__jump_x(uint32_t cell) {
    return (int32_t)(cell >> 16);
}

static inline int32_t wend__jump_y(uint32_t cell) {
    return (int32_t)(cell & 0xffff);
}

/// Returns an upper bound of a jump's cost on even ground: a diagonal across the map, then straight.
uint64_t wend__jump_dearest(const wend__version *version);

/// Forget all nodes. False: the stock has no page for the directory of a large map, and the search starves.
bool wend__jump_nodes_begin(wend__search *search, wend__stock *stock);

/// Note where an interrupted diagonal resumes.
static inline void wend__jump_save_place(wend__search *s, int32_t x, int32_t y, uint32_t g) {
    wend__jump_of(s)->on_way = true;
    wend__jump_of(s)->x = x, wend__jump_of(s)->y = y, wend__jump_of(s)->g = g;
}

/* ---- the open list ---- */

/// Returns true if too few entries are free for a scan and `more` others.
WEND__INLINE bool wend__jump_crowded(const wend__search *s, uint32_t more) {
    return s->open.spare < WEND__JUMP_SCAN + more;
}

/// Makes room for the pushes of one scan. False: the stock is empty, and the search starves.
bool wend__jump_spare(wend__search *search, wend__stock *stock);

/// Removes stale entries: wend__search_compact().
bool wend__jump_compact(wend__search *search);

/// Begins with the bucket of the first entry.
void wend__jump_open_begin(wend__search *search, uint32_t bucket);

/// Push an entry on its bucket, which is within the ring.
WEND__INLINE void wend__jump_link(wend__open *open, uint32_t bucket, uint32_t at) {
    bucket &= WEND__BUCKETS - 1;
    open->entries[at + 3] = open->top[bucket];
    open->top[bucket] = at;
    open->bits[bucket >> 6] |= UINT64_C(1) << (bucket & 63);
    open->words |= UINT64_C(1) << (bucket >> 6);
}

/// Pushes an entry with a bucket beyond the ring.
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
    open->entries[at] = wend__jump_key(entry);
    open->entries[at + 1] = wend__jump_cell_of(entry);
    open->entries[at + 2] = entry.more;
    if (WEND__LIKELY(bucket - wend__jump_of(s)->floor < WEND__BUCKETS))
        wend__jump_link(open, bucket, at);
    else
        wend__jump_push_far(s, bucket, at);
}

/// Push a successor. One in the bucket being emptied is expanded next, without a push.
WEND__INLINE void wend__jump_enter(wend__search *s, uint32_t bucket, wend__jump_entry entry) {
    wend__jump_search *const j = wend__jump_of(s);
    j->owed++;
    if (bucket == j->floor) {
        const bool had_next = j->has_next;
        const wend__jump_entry other = j->next;
        j->has_next = true;
        j->next = entry;
        if (!had_next) return;
        entry = other;
    }
    wend__jump_push(s, bucket, entry);
}

/// Moves entries from beyond the ring into it, as the lowest of them is due. False if there are none.
bool wend__jump_draw_near(wend__search *search);

/// Moves to the lowest bucket that is not empty. False: all are empty.
WEND__INLINE bool wend__jump_advance(wend__search *s) {
    const uint32_t before = s->open.current;
    const bool any = wend__open_advance(&s->open);
    if (any) wend__jump_of(s)->floor += (s->open.current - before) & (WEND__BUCKETS - 1);
    if (WEND__UNLIKELY(!any || wend__jump_of(s)->far_floor <= wend__jump_of(s)->floor)) return wend__jump_draw_near(s);
    return true;
}

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
    return wend__jump_entry_of(entry[0], entry[1], entry[2]);
}

/// Pop the next entry. False if there is none, or none that can improve on the goal.
WEND__INLINE bool wend__jump_next(wend__search *s, wend__jump_entry *out) {
    wend__jump_search *const j = wend__jump_of(s);
    if (j->has_next) {
        j->has_next = false;
        *out = j->next;
        return true;
    }
    if (!wend__jump_advance(s)) return false;
    if (WEND__UNLIKELY(s->best != UINT64_MAX) && j->floor > j->goal_bucket) return false;
    *out = wend__jump_pop(&s->open);
    return true;
}

/* ---- the path ---- */

/// A place on a found path, on the walk from its end to its start.
typedef struct wend__jump_walk {
    const void *node;           ///< node of the search
    uint32_t before;            ///< cell that the node was reached from
    bool link;                  ///< the node was reached by a link, not by a jump
    int32_t around_x, around_y; ///< the jump goes the shorter way round such axes; 0: not over a rim
} wend__jump_walk;

/// Goes to the previous node; from NULL to the goal's.
typedef void wend__jump_back_fn(const wend__search *search, wend__jump_walk *walk);

/// See wend__engine: the version may be gone. Directions are those of a path without links.
/// @param four   the map has 4 neighbours
void wend__jump_read_cells(const wend__search *search, bool four, wend__jump_back_fn *back, wend_cell *out,
                           uint64_t count);
void wend__jump_read_directions(const wend__search *search, bool four, wend__jump_back_fn *back, uint8_t *out);

#endif
