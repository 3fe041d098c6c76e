/* SPDX-License-Identifier: MIT */
/* Internal: the ground as a jump search with stops sees it: tables, marks, units, and the properties of one cell that
 * follow: its price, its exits, and whether a run must stop there. */
#ifndef WEND_SRC_FAST_JUMP_STOPS_STOP_GROUND_H
#define WEND_SRC_FAST_JUMP_STOPS_STOP_GROUND_H

#include "fast/stops/exits.h"
#include "map/store/directions.h"
#include "fast/jump_stops/stop_nodes.h"

WEND__INLINE uint32_t wend__stop_local(int32_t x, int32_t y) {
    return (uint32_t)(y & 63) << WEND__CHUNK_SHIFT | (uint32_t)(x & 63);
}

/* ---- chunks ---- */

/// Adds the marks of terrain and units.
static inline void wend__stop_see_marks(const wend__stop_jump_search *j, wend__stop_ground *at) {
    const unsigned across = at->index & (WEND__BLOCK_SIDE - 1), down = at->index >> WEND__BLOCK_SHIFT;
    uint32_t row = 0, column = 0;
    if (j->stop_block) {
        at->stops = j->stop_block->chunks[at->index];
        row = j->stop_block->marks.special_rows[down], column = j->stop_block->marks.special_columns[across];
    }
    if (j->unit_block) {
        const uint32_t here = j->unit_rows >> down & 1 ? j->unit_block->special_rows[down] & j->unit_columns : 0u;
        row |= here;
        if (j->unit_columns >> across & 1) column |= j->unit_block->special_columns[across] & j->unit_rows;
        if (here >> across & 1) at->units = wend__unit_chunk_of(j->unit_block, at->index);
    }
    at->close |= at->stops || at->units;
    at->any_h |= row != 0, at->any_v |= column != 0;
    at->marked = true;
}

/// Return to the block of a chunk, if the search has entered others since it read the ground.
WEND__INLINE void wend__stop_ensure_block(wend__search *s, int32_t column, int32_t row) {
    const wend__stop_jump_search *j = wend__stop_of(s);
    if (WEND__UNLIKELY(column >> WEND__BLOCK_SHIFT != j->jump.block_column ||
                       row >> WEND__BLOCK_SHIFT != j->jump.block_row))
        wend__stop_enter_block(s, column, row);
}

/// Reads the ground of a chunk. The struct is filled in place, as copies of recently written memory are slow.
WEND__INLINE void wend__stop_ground_at(wend__search *s, wend__stop_ground *at, int32_t column, int32_t row) {
    const wend__stop_jump_search *j = wend__stop_of(s);
    wend__stop_ensure_block(s, column, row);
    const unsigned across = (unsigned)column & (WEND__BLOCK_SIDE - 1), down = (unsigned)row & (WEND__BLOCK_SIDE - 1);
    const wend__jump_block *tables = j->block->jumps;
    const wend__jump_row *chunks = tables->rows[down];
    const uint64_t in_row = j->goals.in_row[wend__stop_goal_line(row)];
    const uint64_t in_column = j->goals.in_column[wend__stop_goal_line(column)];
    at->table = chunks->tables[across];
    at->beside = &chunks->lanes[across];
    at->above = &tables->columns[across]->lanes[down];
    at->column = column, at->row = row;
    at->index = down << WEND__BLOCK_SHIFT | across;
    at->parts = j->directory + WEND__STOP_PARTS * at->index;
    at->chunk = &j->block->chunks[at->index];
    at->close = j->four | ((in_row & in_column) != 0); /* the tables judge points by diagonals */
    at->any_h = j->four | (in_row != 0), at->any_v = in_column != 0;
    at->stops = NULL, at->units = NULL, at->marked = false;
    if (WEND__UNLIKELY((j->marked_rows >> down | j->marked_columns >> across) & 1)) wend__stop_see_marks(j, at);
}

/// Reads the ground of a cell.
WEND__INLINE void wend__stop_ground_of(wend__search *s, wend__stop_ground *at, int32_t x, int32_t y) {
    wend__stop_ground_at(s, at, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
}

/* ---- cells ---- */

/// The open neighbours of a cell.
WEND__INLINE uint8_t wend__stop_open(const wend__stop_ground *at, uint32_t local) {
    return wend__open_mask(at->chunk, at->stops, local);
}

WEND__INLINE uint32_t wend__stop_factor(const wend__search *s, const wend__stop_ground *at, uint32_t local) {
    return WEND__LIKELY(at->chunk->max_factor <= 1) ? 1 : s->view->rules.factors[wend__chunk_class(at->chunk, local)];
}

static inline bool wend__stop_in_window(const wend__search *s, int32_t x, int32_t y) {
    const wend__stop_jump_search *j = wend__stop_of(s);
    if (WEND__UNLIKELY(j->sheets)) return wend__sheets_in_range(j->sheets, &s->seen, (wend_cell){x, y, 0});
    return x >= j->window.min.x && x <= j->window.max.x && y >= j->window.min.y && y <= j->window.max.y;
}

/// Returns whether the search sees a unit on the cell. The chunk has some units.
static inline bool wend__stop_unit_on(const wend__search *s, const wend__stop_ground *at, int32_t x, int32_t y) {
    if (!(at->units->held[y & 63] >> (x & 63) & 1)) return false;
    return !wend__stop_of(s)->windowed || wend__stop_in_window(s, x, y);
}

/// Returns the neighbours on which the search sees units.
static inline unsigned wend__stop_units_near(const wend__search *s, const wend__stop_ground *at, int32_t x, int32_t y) {
    const wend__stop_jump_search *j = wend__stop_of(s);
    unsigned near = at->units->near[wend__stop_local(x, y)];
    if (!near || !j->windowed) return near;
    for (unsigned left = near; left; left &= left - 1) {
        const unsigned d = wend__ctz32(left);
        if (!wend__stop_in_window(s, x + wend__dx[d], y + wend__dy[d])) near &= ~(1u << d);
    }
    return near;
}

/// The price of a step into a cell; UINT32_MAX: it cannot be entered. `edge`: what the step costs on even ground.
static inline uint32_t wend__stop_price(const wend__search *s, const wend__stop_ground *at, int32_t x, int32_t y,
                                        uint32_t edge) {
    const uint32_t price = edge * wend__stop_factor(s, at, wend__stop_local(x, y));
    if (WEND__LIKELY(!at->units) || !wend__stop_unit_on(s, at, x, y)) return price;
    const uint32_t cost = wend__stop_of(s)->unit_cost;
    return cost == UINT32_MAX ? UINT32_MAX : price + cost;
}

/* ---- exits ---- */

/// Exits as jump search has them (straight ones, then quadrants) from bits of directions.
WEND__INLINE uint32_t wend__stop_by_quadrant(uint32_t directions) {
    static const uint8_t quadrants[16] = {0x00, 0x20, 0x80, 0xa0, 0x40, 0x60, 0xc0, 0xe0,
                                          0x10, 0x30, 0x90, 0xb0, 0x50, 0x70, 0xd0, 0xf0};
    return (directions & 15) | quadrants[directions >> 4 & 15];
}

/// The exits of a special cell, or a cell next to units, after arrival in direction d.
static inline uint32_t wend__stop_exits_at(const wend__search *s, const wend__stop_ground *at, int32_t x, int32_t y,
                                           unsigned d) {
    const uint32_t local = wend__stop_local(x, y);
    const int32_t number = at->stops ? wend__stop_number(at->stops, local) : WEND__NO_STOP;
    const unsigned near = at->units ? wend__stop_units_near(s, at, x, y) : 0;
    if (number == WEND__NO_STOP) return wend__even_exits(wend__stop_open(at, local), d, near);
    if (near) return wend__stops_exits_now(s->view, x, y, d, near);
    return (uint32_t)(at->stops->exits[number] >> (8 * d)) & 255;
}

/// The role of a marked cell for a run.
typedef enum wend__stop_kind {
    WEND__STOP_NONE,    ///< the cell is like any other
    WEND__STOP_BARRIER, ///< a unit blocks the cell
    WEND__STOP_CELL     ///< the cell is a stop
} wend__stop_kind;

/// The role of a marked cell for a run that arrives in direction d.
static inline wend__stop_kind wend__stop_here(const wend__search *s, const wend__stop_ground *at, int32_t x, int32_t y,
                                              unsigned d) {
    const uint32_t local = wend__stop_local(x, y);
    const int32_t number = at->stops ? wend__stop_number(at->stops, local) : WEND__NO_STOP;
    const bool terrain = number != WEND__NO_STOP && wend__stop_arrivals(at->stops)[number] >> d & 1;
    if (!at->units) return terrain ? WEND__STOP_CELL : WEND__STOP_NONE;
    if (wend__stop_unit_on(s, at, x, y))
        return wend__stop_of(s)->unit_cost == UINT32_MAX ? WEND__STOP_BARRIER : WEND__STOP_CELL;
    if (terrain) return WEND__STOP_CELL;
    const unsigned near = wend__stop_units_near(s, at, x, y);
    if (near == 0) return WEND__STOP_NONE;
    const uint8_t open = wend__open_mask(at->chunk, at->stops, local);
    const uint32_t exits =
        number == WEND__NO_STOP ? wend__even_exits(open, d, near) : wend__stops_exits_now(s->view, x, y, d, near);
    return exits & ~wend__canonical_exits(open, d) ? WEND__STOP_CELL : WEND__STOP_NONE;
}

/// Returns whether links begin at the cell; on a rim that canonical ways cross only the host's links count.
static inline bool wend__stop_leaps(const wend__search *s, int32_t x, int32_t y) {
    const wend__links *links = s->version->links;
    if (WEND__LIKELY(!links) || (wend__stop_of(s)->rim && wend__links_of_host(links) == 0)) return false;
    const uint32_t number = wend__cell_number(s->version, (wend_cell){x, y, 0});
    uint32_t count = 0;
    if (wend__links_maybe(links, number)) (void)wend__links_from(links, number, &count);
    return count > 0;
}

#endif
