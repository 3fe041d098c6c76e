/* SPDX-License-Identifier: MIT */
/* Internal: the nodes of a jump search: one for each jump point of a half chunk, side by side.
 *
 * The tables of src/fast/tables number the jump points. So a node takes 8 bytes and is found by
 * two look-ups, and nodes of neighbouring cells share cache lines. The nodes of a half are
 * cleared when the search first enters it. A *directory* has the first node of each half: a word
 * for each half of a block's chunks, in open pages. */
#ifndef WEND_SRC_FAST_JUMP_GRID_JUMP_NODES_H
#define WEND_SRC_FAST_JUMP_GRID_JUMP_NODES_H

#include "fast/tables/jumps.h"
#include "map/store/map_layout.h"
#include "fast/jump/grid_jump.h"

enum {
    WEND__JUMP_CLOSED = 16,
    WEND__JUMP_HALVES = 2 * WEND__BLOCK_CHUNKS,                                ///< words of a block's directory
    WEND__JUMP_PAGE_NODES = WEND__PAGE_RECORD_BYTES / sizeof(wend__jump_node), ///< nodes of a page, and cells of a half
    WEND__JUMP_G_BITS = 28                                                     ///< bits of an entry's key for g
};

/// The view of one chunk.
typedef struct wend__jump_view {
    const wend__jump_table *table;
    const wend__jump_lanes *beside, *above; ///< lanes to east and west, to north and south
    const uint32_t *halves;                 ///< first node of each half; WEND__NONE: none
} wend__jump_view;

/// Enter another block, to make views of its chunks quick.
void wend__jump_enter_block(wend__search *search, int32_t column, int32_t row);

/// The view of a chunk.
WEND__INLINE wend__jump_view wend__jump_view_at(wend__search *s, int32_t column, int32_t row) {
    if (WEND__UNLIKELY(column >> WEND__BLOCK_SHIFT != wend__jump_of(s)->block_column ||
                       row >> WEND__BLOCK_SHIFT != wend__jump_of(s)->block_row))
        wend__jump_enter_block(s, column, row);
    const unsigned across = (unsigned)column & (WEND__BLOCK_SIDE - 1), down = (unsigned)row & (WEND__BLOCK_SIDE - 1);
    const wend__jump_block *block = wend__grid_jump_of(s)->block;
    const wend__jump_row *chunks = block->rows[down];
    return (wend__jump_view){chunks->tables[across], &chunks->lanes[across], &block->columns[across]->lanes[down],
                             wend__grid_jump_of(s)->halves + 2 * (down << WEND__BLOCK_SHIFT | across)};
}

/// Returns the first node of a cell's half, made if necessary. WEND__NONE: the stock is empty, and the search starves.
uint32_t wend__jump_nodes_make(wend__search *search, wend__stock *stock, int32_t x, int32_t y);

/// The index of a jump point's node; for the goal see wend__jump_entry. False if the stock is empty.
WEND__INLINE bool wend__jump_place(wend__search *s, wend__stock *stock, const wend__jump_view *at, int32_t x, int32_t y,
                                   uint32_t cell, uint32_t *out) {
    uint32_t first = at->halves[y >> 5 & 1];
    *out = WEND__NONE;
    if (WEND__UNLIKELY(cell == wend__jump_of(s)->goal_cell)) return true;
    if (WEND__UNLIKELY(first == WEND__NONE)) {
        first = wend__jump_nodes_make(s, stock, x, y);
        if (first == WEND__NONE) return false;
    }
    *out = first + wend__jump_number(&at->table->points, (uint32_t)x & 63, (uint32_t)y & 63);
    return true;
}

WEND__INLINE wend__jump_node *wend__jump_node_of(const wend__search *s, uint32_t place) {
    if (WEND__UNLIKELY(place == WEND__NONE)) return (wend__jump_node *)&wend__grid_jump_of(s)->goal;
    return (wend__jump_node *)(void *)s->pool->records + place;
}

/// The mask of a cell in the current block: which neighbours are open.
WEND__INLINE uint8_t wend__jump_mask_at(const wend__search *s, int32_t x, int32_t y) {
    const unsigned chunk = wend__chunk_index(x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    return wend__grid_jump_of(s)
        ->chunks[chunk]
        .masks->bytes[(uint32_t)(y & 63) << WEND__CHUNK_SHIFT | (uint32_t)(x & 63)];
}

/// The node of a jump point that has been reached.
wend__jump_node *wend__jump_node_find(const wend__search *search, uint32_t cell);

void wend__jump_nodes_expanded(const wend__search *search, wend__cell_list *list);

/* ---- keys of the open list ---- */

WEND__INLINE uint32_t wend__jump_g(uint32_t key) {
    return key & ((UINT32_C(1) << WEND__JUMP_G_BITS) - 1);
}

/// The estimate, in units.
WEND__INLINE uint32_t wend__jump_estimate(const wend__search *s, int32_t x, int32_t y) {
    const int32_t across = x - s->goal.x, down = y - s->goal.y;
    const uint32_t dx = (uint32_t)(across < 0 ? -across : across), dy = (uint32_t)(down < 0 ? -down : down);
    const uint32_t least = s->edge[WEND__N] * (dx > dy ? dx : dy) + wend__jump_of(s)->bend * (dx > dy ? dy : dx);
    if (!wend__jump_of(s)->landmark_bounds.landmarks) return least;
    const uint32_t known = (uint32_t)wend__landmark_bound(&wend__jump_of(s)->landmark_bounds, x, y);
    return known > least ? known : least;
}

/// The bucket of a node, before it is taken modulo the ring.
WEND__INLINE uint32_t wend__jump_bucket(const wend__search *s, uint32_t g, int32_t x, int32_t y) {
    return (g + wend__jump_estimate(s, x, y)) >> s->open.shift;
}

#endif
