/* SPDX-License-Identifier: MIT */
/* Internal: the nodes of a jump search, which are few and scattered: a hash table in pages of the pool.
 *
 * A page is 1,024 slots of 16 bytes, open addressing with linear probing. A search begins with a small part of one page
 * (only that is cleared) and doubles it until the page is used whole; from then on a page that fills is split in two
 * (extendible hashing: Fagin, Nievergelt, Pippenger and Strong 1979). Splitting takes a page of the stock, so it waits
 * until the scan that filled the page is over: there is always room for what one scan of a chunk can add. */
#ifndef WEND_SRC_JUMP_NODES_H
#define WEND_SRC_JUMP_NODES_H

#include "search/jump.h"

typedef struct wend__jump_node {
    uint32_t cell;
    uint32_t record; ///< g << 5 | expanded << 4 | directions it was entered in; 0: the slot is free
    uint32_t parent; ///< cell it was reached from; the start: its own
    uint32_t spare;
} wend__jump_node;

enum {
    WEND__JUMP_CLOSED = 16,
    WEND__JUMP_PAGE_SLOTS = WEND__PAGE_RECORD_BYTES / sizeof(wend__jump_node),
    WEND__JUMP_SCAN = 2 * 64 + 4 ///< most nodes and entries that one scan of a chunk adds
};

static inline uint32_t wend__jump_hash(uint32_t cell) {
    return (uint32_t)(cell * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

static inline wend__jump_node *wend__jump_page(const wend__pool *pool, uint32_t page) {
    return (wend__jump_node *)(void *)(pool->records + (size_t)page * WEND__PAGE_RECORD_BYTES);
}

static inline uint32_t wend__jump_page_of(const wend__search *s, uint32_t hash) {
    return s->directory[hash >> 12 & s->jump.directory_mask];
}

/// The node of a cell, or the free slot where it belongs.
WEND__INLINE wend__jump_node *wend__jump_node_at(const wend__search *s, uint32_t cell) {
    const uint32_t hash = wend__jump_hash(cell), mask = s->jump.slots - 1;
    wend__jump_node *const nodes = wend__jump_page(s->pool, wend__jump_page_of(s, hash));
    uint32_t i = hash >> s->jump.slot_shift;
    while (nodes[i].record != 0 && nodes[i].cell != cell) i = (i + 1) & mask;
    return &nodes[i];
}

/// Make the table empty. False where the stock has no page.
bool wend__jump_nodes_begin(wend__search *search, wend__stock *stock);

/// A page has reached `crowded_at`: grow it, or note that it has to be split. Moves nodes.
void wend__jump_nodes_crowded(wend__search *search, uint32_t page);

/// Split the pages that are full. False where that cannot be: the stock is empty (the search then starves), or the
/// directory has as many pages as it can (then it is `outgrown`).
bool wend__jump_nodes_split(wend__search *search, wend__stock *stock, bool *outgrown);

#endif
