/* SPDX-License-Identifier: MIT */
/* How the table of a jump search's nodes grows. */
#include "search/jump_nodes.h"
#include "search/pages.h"

#include <string.h>

enum {
    FIRST_SLOTS = 128,
    FIRST_DIRECTORY = WEND__DIRECTORY,
    LAST_DIRECTORY = WEND__OPEN_PAGE_BLOCKS << WEND__OPEN_BLOCK_SHIFT /* what fits in an open page */
};

static void set_slots(wend__search *s, uint32_t slots) {
    s->jump.slots = slots;
    s->jump.slot_shift = 32 - wend__ctz32(slots);
    s->jump.crowded_at = slots / 8 * 5;
}

bool wend__jump_nodes_begin(wend__search *s, wend__stock *stock) {
    wend__pages_reset(s);
    uint32_t page = wend__pages_take(s, stock);
    if (page == WEND__NONE) return false;
    wend__page *header = &s->pool->pages[page];
    header->nodes = header->depth = 0;
    s->directory[0] = page;
    s->jump.directory_mask = 0;
    s->jump.full = WEND__NONE;
    set_slots(s, FIRST_SLOTS);
    memset(wend__jump_page(s->pool, page), 0, FIRST_SLOTS * sizeof(wend__jump_node));
    return true;
}

/* Double the part of the only page that is used. */
static void grow(wend__search *s, uint32_t page) {
    wend__jump_node before[WEND__JUMP_PAGE_SLOTS / 2];
    wend__jump_node *nodes = wend__jump_page(s->pool, page);
    const uint32_t slots = s->jump.slots;
    memcpy(before, nodes, slots * sizeof *nodes);
    memset(nodes, 0, 2 * slots * sizeof *nodes);
    set_slots(s, 2 * slots);
    for (uint32_t i = 0; i < slots; i++)
        if (before[i].record != 0) *wend__jump_node_at(s, before[i].cell) = before[i];
}

static void note_full(wend__search *s, uint32_t page) {
    s->pool->pages[page].next_full = s->jump.full;
    s->jump.full = page;
}

WEND__NOINLINE void wend__jump_nodes_crowded(wend__search *s, uint32_t page) {
    if (s->jump.slots < WEND__JUMP_PAGE_SLOTS)
        grow(s, page);
    else
        note_full(s, page);
}

/* ---- splitting ---- */

/* Double the directory. */
static bool widen(wend__search *s, wend__stock *stock, bool *outgrown) {
    const uint32_t size = s->jump.directory_mask + 1;
    if (size == LAST_DIRECTORY) {
        *outgrown = true;
        return false;
    }
    if (size == FIRST_DIRECTORY) {
        uint32_t open_page = wend__pages_take_open(s, stock);
        if (open_page == WEND__NONE) {
            wend__pages_starve(s, 0, 1);
            return false;
        }
        s->directory = s->pool->open_entries + (size_t)open_page * LAST_DIRECTORY;
        memcpy(s->directory, s->first_directory, sizeof s->first_directory);
    }
    memcpy(s->directory + size, s->directory, size * sizeof *s->directory);
    s->jump.directory_mask = 2 * size - 1;
    return true;
}

/* Close the gap at slot i: what was displaced over it moves up (Knuth 1973, volume 3, algorithm R). */
static void take_out(wend__jump_node *nodes, uint32_t i, uint32_t slot_shift) {
    const uint32_t mask = WEND__JUMP_PAGE_SLOTS - 1;
    for (uint32_t j = (i + 1) & mask; nodes[j].record != 0; j = (j + 1) & mask) {
        const uint32_t home = wend__jump_hash(nodes[j].cell) >> slot_shift;
        if (((j - home) & mask) < ((j - i) & mask)) continue; /* its home lies behind the gap */
        nodes[i] = nodes[j];
        i = j;
    }
    nodes[i].record = 0;
}

/* Move those whose page number has the next bit set into the other page. */
static void part(wend__search *s, uint32_t page, uint32_t other) {
    wend__jump_node *nodes = wend__jump_page(s->pool, page);
    wend__page *header = &s->pool->pages[page], *other_header = &s->pool->pages[other];
    const uint32_t bit = 1u << header->depth;
    memset(wend__jump_page(s->pool, other), 0, WEND__PAGE_RECORD_BYTES);
    other_header->nodes = 0;
    header->depth = other_header->depth = header->depth + 1;
    for (uint32_t i = 0; i <= s->jump.directory_mask; i++)
        if (s->directory[i] == page && (i & bit)) s->directory[i] = other;
    for (uint32_t i = 0; i < WEND__JUMP_PAGE_SLOTS;) {
        if (nodes[i].record == 0 || !(wend__jump_hash(nodes[i].cell) >> 12 & bit)) {
            i++;
            continue;
        }
        *wend__jump_node_at(s, nodes[i].cell) = nodes[i];
        other_header->nodes++;
        take_out(nodes, i, s->jump.slot_shift); /* and look at slot i again */
    }
    header->nodes -= other_header->nodes;
}

bool wend__jump_nodes_split(wend__search *s, wend__stock *stock, bool *outgrown) {
    while (s->jump.full != WEND__NONE) {
        const uint32_t page = s->jump.full;
        wend__page *header = &s->pool->pages[page];
        if (1u << header->depth > s->jump.directory_mask && !widen(s, stock, outgrown)) return false;
        const uint32_t other = wend__pages_take(s, stock);
        if (other == WEND__NONE) {
            wend__pages_starve(s, 1, 0);
            return false;
        }
        s->jump.full = header->next_full;
        part(s, page, other);
        if (header->nodes > s->jump.crowded_at) note_full(s, page);
        if (s->pool->pages[other].nodes > s->jump.crowded_at) note_full(s, other);
    }
    return true;
}
