/* SPDX-License-Identifier: MIT */
/* Internal: relaxing the successors of a jump search's node. Only grid_jump_scan.h includes it.
 *
 * On a large map each access to tables, nodes or landmarks waits for memory. So successors wait in a
 * short queue while their memory is fetched, and are relaxed in the order in which they came, before
 * the next node is popped. The constant `large` chooses: plain maps have code without the queue. */
#ifndef WEND_SRC_SEARCH_JUMP_GRID_JUMP_RELAX_H
#define WEND_SRC_SEARCH_JUMP_GRID_JUMP_RELAX_H

#include "search/jump/grid_jump_nodes.h"
#include "search/jump/grid_jump_queue.h"

typedef wend__jump_view chunk_view;

/* Push a successor. One in the bucket being emptied is held, and expanded next without a push. */
WEND__INLINE void enter_successor(wend__search *s, uint32_t bucket, wend__jump_entry entry) {
    wend__jump_of(s)->owed++;
    if (bucket == wend__jump_of(s)->floor) {
        const bool held = wend__jump_of(s)->is_held;
        const wend__jump_entry other = wend__jump_of(s)->held;
        wend__jump_of(s)->is_held = true;
        wend__jump_of(s)->held = entry;
        if (!held) return;
        entry = other;
    }
    wend__jump_push(s, bucket, entry);
}

/* Relax the edge to (x, y), entered in straight direction d. */
WEND__INLINE void relax_edge(wend__search *s, wend__jump_entry entry, int32_t x, int32_t y, uint32_t g, unsigned d) {
    wend__jump_node *const node = wend__jump_node_of(s, entry.node);
    const uint32_t record = node->record;
    const uint32_t old = record >> 5;
    if (WEND__LIKELY(g < old)) {
        node->record = g << 5 | 1u << d;
        node->parent = wend__jump_of(s)->cell;
        enter_successor(s, wend__jump_bucket(s, g, x, y), entry);
        return;
    }
    if (g == old) {
        const uint32_t further = 1u << d & ~record;
        node->record = record | further;
        if (WEND__UNLIKELY(further && record & WEND__JUMP_CLOSED)) { /* the node was expanded without this direction */
            entry.word |= further << WEND__JUMP_G_BITS;
            enter_successor(s, wend__jump_bucket(s, g, x, y), entry);
        }
    }
}

/* ---- large maps */

/* Relax what waits, in the order in which it came. */
static WEND__NOINLINE void relax_waiting(wend__search *s) {
    wend__grid_jump_search *const j = wend__jump_of(s);
    for (uint32_t i = 0; i < j->waiting_count; i++) {
        const wend__jump_entry entry = j->waiting[i].entry;
        relax_edge(s, entry, wend__jump_x(entry.cell), wend__jump_y(entry.cell), entry.word, j->waiting[i].d);
    }
    j->waiting_count = 0;
}

/* Fetch what an expansion of (x, y), entered in direction d, reads first: its runs, its mask, and its diagonals to both
 * sides of d. Inlined, as a compiler may leave out a call of a function that only fetches. */
WEND__INLINE void fetch_cell(wend__search *s, const chunk_view *at, int32_t x, int32_t y, unsigned d) {
    static const uint8_t ahead[4][2] = {{WEND__QUADRANT_NW, WEND__QUADRANT_NE},
                                        {WEND__QUADRANT_NE, WEND__QUADRANT_SE},
                                        {WEND__QUADRANT_SW, WEND__QUADRANT_SE},
                                        {WEND__QUADRANT_NW, WEND__QUADRANT_SW}};
    const int32_t column = x >> WEND__CHUNK_SHIFT, row = y >> WEND__CHUNK_SHIFT;
    const unsigned local = (unsigned)(y & 63) << WEND__CHUNK_SHIFT | (unsigned)(x & 63);
    WEND__PREFETCH(&at->table->runs[local]);
    for (unsigned i = 0; i < 2; i++) {
        const unsigned k = ahead[d][i], p = (unsigned)(x & 63) ^ wend__flip_x[k],
                       q = (unsigned)(y & 63) ^ wend__flip_y[k];
        WEND__PREFETCH(&at->table->lines[k][(p - q) & 63]);
    }
    if (column >> WEND__BLOCK_SHIFT == wend__jump_of(s)->block_column &&
        row >> WEND__BLOCK_SHIFT == wend__jump_of(s)->block_row)
        WEND__PREFETCH(&wend__jump_of(s)->chunks[wend__chunk_index(column, row)].masks->bytes[local]);
}

/* A successor waits while its memory is fetched: its node, its landmarks' numbers, and what its expansion reads, as
 * many a successor is expanded next. */
WEND__INLINE void wait_for_memory(wend__search *s, const chunk_view *at, wend__jump_entry entry, unsigned d) {
    wend__grid_jump_search *const j = wend__jump_of(s);
    const int32_t x = wend__jump_x(entry.cell), y = wend__jump_y(entry.cell);
    WEND__PREFETCH(wend__jump_node_of(s, entry.node));
    if (j->landmark_bounds.landmarks) {
        const wend__place place = wend__place_in(WEND_KIND_GRID, 0, (wend_cell){x, y, 0});
        WEND__PREFETCH(wend__landmark_at(j->landmark_bounds.landmarks, place).codes);
    }
    fetch_cell(s, at, x, y, d);
    j->waiting[j->waiting_count++] = (wend__jump_waiting){entry, d};
    if (j->waiting_count == WEND__JUMP_WAITING) relax_waiting(s);
}

/* Relax (x, y), in the chunk `at`, entered in straight direction d. False where there is no room
 * for its node. */
WEND__INLINE bool generate_in(wend__search *s, wend__stock *stock, const bool large, const chunk_view *at, int32_t x,
                              int32_t y, uint32_t g, unsigned d) {
    wend__jump_entry entry = {.word = g, .cell = wend__jump_cell(x, y)};
    if (WEND__UNLIKELY(!wend__jump_place(s, stock, at, x, y, entry.cell, &entry.node))) return false;
    if (large)
        wait_for_memory(s, at, entry, d);
    else
        relax_edge(s, entry, x, y, g, d);
    return true;
}

/* The same in any chunk. Two functions, so that neither asks which one it is. */
static bool generate_plain(wend__search *s, wend__stock *stock, int32_t x, int32_t y, uint32_t g, unsigned d) {
    const chunk_view at = wend__jump_view_at(s, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    return generate_in(s, stock, false, &at, x, y, g, d);
}

static bool generate_large(wend__search *s, wend__stock *stock, int32_t x, int32_t y, uint32_t g, unsigned d) {
    const chunk_view at = wend__jump_view_at(s, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    return generate_in(s, stock, true, &at, x, y, g, d);
}

WEND__INLINE bool generate_successor(wend__search *s, wend__stock *stock, const bool large, int32_t x, int32_t y,
                                     uint32_t g, unsigned d) {
    return large ? generate_large(s, stock, x, y, g, d) : generate_plain(s, stock, x, y, g, d);
}

#endif
