/* SPDX-License-Identifier: MIT */
/* Internal: the nodes of a jump search with stops, in pages of the pool.
 *
 * A chunk has four parts of 16 rows. If only walls of a part turn searches, all its nodes are jump points, which the
 * jump tables number in each half: they lie side by side. Elsewhere any cell may have a node: the part has a page with
 * a slot for each cell, behind bits that mark the used slots. A numbered part becomes such a page when a unit or a
 * link brings a search to a cell that is no jump point.
 *
 * A *place* is page << 11 | slot of 12 bytes. The directory has a word for each part: the place of its first node, and
 * the uppermost bit if it has a slot for each cell. */
#ifndef WEND_SRC_FAST_JUMP_STOPS_STOP_NODES_H
#define WEND_SRC_FAST_JUMP_STOPS_STOP_NODES_H

#include "fast/tables/jumps.h"
#include "fast/jump_stops/stop_search.h"

enum {
    WEND__STOP_PARTS = 4,                                         ///< parts of a chunk
    WEND__STOP_DIRECTORY = WEND__STOP_PARTS * WEND__BLOCK_CHUNKS, ///< words of a block's directory: an open page
    WEND__STOP_PART_CELLS = WEND__CHUNK_CELLS / WEND__STOP_PARTS,
    WEND__STOP_SLOTS = WEND__PAGE_RECORD_BYTES / 12, ///< slots of a page
    WEND__STOP_FIRST = 11                            ///< slots that the bits of a part's cells take
};
#define WEND__STOP_WHOLE (UINT32_C(1) << 31)
_Static_assert((int)WEND__STOP_DIRECTORY <= (int)WEND__OPEN_PAGE_WORDS, "a block's directory fits an open page");
_Static_assert(sizeof(wend__stop_node) == 12, "a node is a slot");
_Static_assert(WEND__STOP_FIRST * 12 >= WEND__STOP_PART_CELLS / 8, "the bits fit");

void wend__stop_enter_block(wend__search *search, int32_t column, int32_t row);

WEND__INLINE wend__stop_node *wend__stop_node_at(const wend__search *s, uint32_t place) {
    return (wend__stop_node *)(void *)(s->pool->records + (size_t)(place >> 11) * WEND__PAGE_RECORD_BYTES) +
           (place & 2047);
}

WEND__INLINE unsigned wend__stop_part(int32_t y) {
    return (unsigned)y >> 4 & 3;
}

/// Position of a cell's bit and slot in its part.
WEND__INLINE uint32_t wend__stop_slot(int32_t x, int32_t y) {
    return ((uint32_t)y & 15) << 6 | ((uint32_t)x & 63);
}

/// The bits of a part with a slot for each cell.
WEND__INLINE uint64_t *wend__stop_bits(const wend__search *s, uint32_t word) {
    return (uint64_t *)(void *)(s->pool->records +
                                (size_t)((word & ~WEND__STOP_WHOLE) >> 11) * WEND__PAGE_RECORD_BYTES);
}

/// The word of a cell's part, with nodes for the cell made if necessary. WEND__NONE: the search starves.
uint32_t wend__stop_nodes_make(wend__search *search, wend__stock *stock, const wend__stop_ground *at, int32_t x,
                               int32_t y);

/// Returns the place of a cell's node in a part with a slot for each cell; makes the node if necessary.
WEND__INLINE uint32_t wend__stop_place_whole(wend__search *s, uint32_t word, int32_t x, int32_t y) {
    const uint32_t slot = wend__stop_slot(x, y), place = (word & ~WEND__STOP_WHOLE) + slot;
    uint64_t *bits = wend__stop_bits(s, word) + (slot >> 6);
    const uint64_t bit = UINT64_C(1) << (slot & 63);
    if (!(*bits & bit)) {
        *bits |= bit;
        wend__stop_node_at(s, place)->g = UINT32_MAX;
    }
    return place;
}

/// The place of a node in a part that has nodes for it.
WEND__INLINE uint32_t wend__stop_place_in(wend__search *s, uint32_t word, const wend__jump_points *points, int32_t x,
                                          int32_t y) {
    if (word & WEND__STOP_WHOLE) return wend__stop_place_whole(s, word, x, y);
    return word + wend__jump_number(points, (uint32_t)x & 63, (uint32_t)y & 63);
}

/// Returns the place of a cell's node, made if necessary; WEND__NONE if the stock is empty.
/// @param point   the cell is known to be a jump point
WEND__INLINE uint32_t wend__stop_place(wend__search *s, wend__stock *stock, const wend__stop_ground *at, int32_t x,
                                       int32_t y, bool point) {
    uint32_t word = at->parts[wend__stop_part(y)];
    const wend__jump_points *points = &at->table->points;
    if (WEND__UNLIKELY(word == WEND__NONE || !(point || word & WEND__STOP_WHOLE ||
                                               wend__jump_is_point(points, (uint32_t)x & 63, (uint32_t)y & 63)))) {
        word = wend__stop_nodes_make(s, stock, at, x, y);
        if (word == WEND__NONE) return WEND__NONE;
    }
    return wend__stop_place_in(s, word, points, x, y);
}

/// The place of a node that has been reached.
uint32_t wend__stop_place_find(const wend__search *search, uint32_t cell);

void wend__stop_nodes_expanded(const wend__search *search, wend__cell_list *list);

#endif
