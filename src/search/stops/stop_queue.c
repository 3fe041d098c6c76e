/* SPDX-License-Identifier: MIT */
/* The rare operations on the open list of a jump search with stops. */
#include "search/stops/stop_queue.h"
#include "search/stops/stop_nodes.h"

/* One for each block, and one for the directory of these. */
static size_t most_directories(const wend__search *s) {
    return (size_t)s->view->block_columns * (size_t)s->view->block_rows + 1;
}

bool wend__stop_spare(wend__search *s, wend__stock *stock) {
    wend__open *open = &s->open;
    while (open->spare < WEND__STOP_SCAN) {
        if (wend__pages_are_entries(s, most_directories(s)) && wend__stop_compact(s)) return true;
        for (; open->fresh + WEND__STOP_ENTRY <= open->fresh_end; open->fresh += WEND__STOP_ENTRY) {
            open->entries[open->fresh + 3] = open->free_block; /* chain the last few entries of a page */
            open->free_block = open->fresh;
        }
        uint32_t page = wend__pages_take_open(s, stock);
        if (page == WEND__NONE) {
            wend__pages_starve(s, 0, 1);
            return false;
        }
        open->pages++;
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

/* ---- estimates ---- */

enum { MANY_GOALS = 8 };

/* Steps along an axis from a chunk's cells to a span of cells: the most. */
static uint32_t most_steps_to(int32_t chunk, int32_t low, int32_t high) {
    const int32_t first = chunk << WEND__CHUNK_SHIFT, last = first | (WEND__CHUNK_SIDE - 1);
    const uint32_t a = wend__stop_steps_to(first, low, high), b = wend__stop_steps_to(last, low, high);
    return a > b ? a : b;
}

/* The fewest. */
static uint32_t least_steps_to(int32_t chunk, int32_t low, int32_t high) {
    const int32_t first = chunk << WEND__CHUNK_SHIFT, last = first | (WEND__CHUNK_SIDE - 1);
    return (uint32_t)(low > last ? low - last : first > high ? first - high : 0);
}

static WEND__NOINLINE void find_nearest(const wend__search *s, uint32_t chunk, wend__stop_nearest *out) {
    const wend__stop_goals *goals = &wend__stop_of(s)->goals;
    const int32_t column = (int32_t)(chunk >> 16), row = (int32_t)(chunk & 0xffff);
    uint32_t least[WEND_MAX_GOALS], within = UINT32_MAX;
    *out = (wend__stop_nearest){chunk, 0};
    for (uint32_t i = 0; i < goals->count; i++) {
        const int32_t left = goals->boxes[i].left, right = goals->boxes[i].right;
        const int32_t top = goals->boxes[i].top, bottom = goals->boxes[i].bottom;
        const uint32_t most = wend__stop_octile(s, most_steps_to(column, left, right), most_steps_to(row, top, bottom));
        if (most < within) within = most;
        least[i] = wend__stop_octile(s, least_steps_to(column, left, right), least_steps_to(row, top, bottom));
    }
    for (uint32_t i = 0; i < goals->count; i++) out->goals |= (uint64_t)(least[i] <= within) << i;
}

/* The goals that may be nearest to the cells of a chunk, a bit each. */
static uint64_t goals_near(const wend__search *s, int32_t column, int32_t row) {
    const wend__stop_jump_search *j = wend__stop_of(s);
    const uint32_t chunk = (uint32_t)column << 16 | (uint32_t)row;
    wend__stop_nearest *nearest = &wend__stop_of(s)->nearest[(column & 3) | (row & 3) << 2];
    if (j->goals.count < MANY_GOALS) return wend__low_bits(j->goals.count);
    if (nearest->chunk != chunk) find_nearest(s, chunk, nearest);
    return nearest->goals;
}

/* It ends as soon as one goal, or one group of links, is within the bound. */
WEND__NOINLINE uint32_t wend__stop_estimate_all(const wend__search *s, int32_t x, int32_t y, uint32_t bound) {
    const wend__stop_jump_search *j = wend__stop_of(s);
    const wend__shortcut *shortcut = j->heuristic.shortcuts, *end = shortcut + j->heuristic.shortcut_count;
    uint32_t least = UINT32_MAX;
    for (uint64_t left = goals_near(s, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT); left; left &= left - 1) {
        const unsigned i = wend__ctz64(left);
        const uint32_t way = wend__stop_to_box(s, x, y, j->goals.boxes[i].left, j->goals.boxes[i].top,
                                               j->goals.boxes[i].right, j->goals.boxes[i].bottom);
        if (way <= bound) return bound;
        if (way < least) least = way;
    }
    for (; shortcut < end && shortcut->bound < least; shortcut++) { /* their bounds ascend */
        const wend_box *box = &shortcut->entrances;
        const uint32_t way =
            (uint32_t)shortcut->bound + wend__stop_to_box(s, x, y, box->min.x, box->min.y, box->max.x, box->max.y);
        if (way <= bound) return bound;
        if (way < least) least = way;
    }
    return least;
}

void wend__stop_estimate_begin(wend__search *s) {
    for (unsigned i = 0; i < WEND__STOP_NEAREST; i++) wend__stop_of(s)->nearest[i].chunk = WEND__NONE;
}

/* ---- entries ---- */

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
