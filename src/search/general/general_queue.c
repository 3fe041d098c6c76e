/* SPDX-License-Identifier: MIT */
/* The open list of the general engine: its lowest key, its order by another goal, its stale entries. */
#include "search/general/general_nodes.h"

#include "search/open/bucket_queue.h"

#include <string.h>

/* Moves the entries of a higher level's bucket down. False where pages are lacking; the next call
 * resumes it. */
static bool move_down(wend__search *s, wend__stock *stock) {
    while (s->open.top[s->open.current] != 0) {
        if (!wend__general_spare(s, stock)) return false;
        uint32_t id = wend__open_pop(&s->open);
        const wend__general_node *node = wend__general_node_of(s->pool, id);
        if (node->open == 1) wend__general_push(s, wend__general_key(s, node->g, wend__general_cell(s, id)), id);
    }
    wend__general_of(s)->moving = false;
    return true;
}

bool wend__general_advance(wend__search *s, wend__stock *stock) {
    if (wend__general_of(s)->strict) return s->open.words != 0;
    for (;;) {
        if (wend__general_of(s)->moving && !move_down(s, stock)) return false;
        const int found = wend__levels_advance(&s->open, &s->floor_f);
        if (found != WEND__LEVELS_MOVE) return found == WEND__LEVELS_READY;
        wend__general_of(s)->moving = true;
    }
}

/* Returns whether popping a node would count as an expansion. */
static bool is_live(const void *owner, uint32_t id) {
    const wend__search *s = owner;
    const wend__general_node *node = wend__general_node_of(s->pool, id);
    if (node->open != 1) return false;
    if (s->best == UINT64_MAX) return true;
    const uint64_t key = wend__general_key(s, node->g, wend__general_cell(s, id));
    return key < s->best && key <= wend__general_of(s)->goal_floor;
}

/* Returns whether an entry in strict order has its node's present key. Else a newer entry comes off before it. */
static bool is_due(const void *owner, const wend__strict_entry *entry) {
    const wend__search *s = owner;
    const wend__general_node *node = wend__general_node_of(s->pool, entry->node);
    if (node->open != 1) return false;
    const uint64_t estimate = wend__heuristic_left(&wend__general_of(s)->heuristic, wend__general_cell(s, entry->node));
    return entry->key == wend__general_weighted_key(s, node->g, estimate);
}

bool wend__general_any_live(wend__search *s) {
    if (wend__general_of(s)->strict) return wend__strict_any(&s->open, s, is_due);
    return wend__open_any(&s->open, s, is_live);
}

bool wend__general_sort_again(wend__search *s) {
    wend__open *open = &s->open;
    uint32_t top[WEND__BUCKETS];
    memcpy(top, open->top, sizeof top);
    memset(open->top, 0, sizeof open->top);
    memset(open->bits, 0, sizeof open->bits);
    open->words = 0;
    wend__general_of(s)->moving = false;
    s->floor_f = 0; /* keys too far above the floor go into the last bucket, and are sorted as they move down */
    for (uint32_t bucket = 0; bucket < WEND__BUCKETS; bucket++)
        for (uint32_t at = top[bucket]; at != 0;) {
            if (open->spare == 0) return false;
            uint32_t id = open->entries[at], below = at - 1;
            if ((at & 31) == 1) { /* the block's last entry: the block is free now */
                below = open->entries[at - 1];
                open->entries[at - 1] = open->free_block;
                open->free_block = at >> WEND__OPEN_BLOCK_SHIFT;
                open->spare++;
            }
            const wend__general_node *node = wend__general_node_of(s->pool, id);
            if (node->open == 1) wend__general_push(s, wend__general_key(s, node->g, wend__general_cell(s, id)), id);
            at = below;
        }
    return true;
}

static bool is_open(const void *owner, uint32_t id) {
    return wend__general_node_of(((const wend__search *)owner)->pool, id)->open == 1;
}

static void flip_open(const void *owner, uint32_t id) {
    wend__general_node_of(((const wend__search *)owner)->pool, id)->open ^= 1;
}

bool wend__general_compact(wend__search *s) {
    if (wend__general_of(s)->strict) return wend__pages_compact_strict(s, is_due);
    const wend__open_nodes nodes = {s, is_open, flip_open};
    return wend__open_compact(&s->open, &nodes, s->open_pages.count, &s->floor_f) >= WEND__DIRECTIONS;
}
