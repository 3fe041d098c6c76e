/* SPDX-License-Identifier: MIT */
/* Internal: runs and diagonals on a map that wraps, on which only cells at the rim are special
 * (wend__stop_jump_search.bare). Only stop_scan.h includes this file.
 *
 * A run that does not come to the rim is one of the tables. Of those that lead over the rim most end soon behind it, at
 * a wall. The stops know in which rows and columns a run over the rim leads on (wend__stop_chunk.over): only these runs
 * are followed, cell by cell at the rim. */

/* Tried: the cells beyond the rim looked up by each search, without `over`: 1.10 times its instructions. Quadrants as a
 * constant in four copies of the scan: .98 of its instructions, the same time. Rims looked up without branches: 1.04. */
#ifndef WEND_SRC_FAST_JUMP_STOPS_STOP_RIM_H
#define WEND_SRC_FAST_JUMP_STOPS_STOP_RIM_H

#include "fast/jump_stops/stop_follow.h"

/* Returns the place at which runs in straight direction d come to the rim; −1: the map does not wrap there. */
WEND__INLINE int32_t rim_ahead(const wend__search *s, unsigned d) {
    const int32_t around = d & 1 ? s->version->around_x : s->version->around_y;
    return around == 0 ? -1 : wend__stop_is_forward(d) ? around - 1 : 0;
}

/* ---- straight runs ---- */

/* Returns whether a run over the rim in this row (column) of the chunk leads on. */
WEND__INLINE bool leads_over(const ground *at, unsigned d, unsigned lane) {
    return at->stops->over[d & 1 ? WEND__MARKS_ACROSS : WEND__MARKS_DOWN][quadrant_of(d)] >> lane & 1;
}

/* Follows a straight run that meets no goal, and not along the rim. */
static WEND__NOINLINE bool follow_to_rim(wend__search *s, wend__stock *stock, const ground *at, int32_t x, int32_t y,
                                         uint32_t g, unsigned d) {
    const unsigned lane = (unsigned)(d & 1 ? y : x) & 63, from = wend__jump_along((unsigned)x, (unsigned)y, d);
    const int32_t passed = (int32_t)wend__ctz64(at->table->ends[d][lane] >> from), rim = rim_ahead(s, d);
    const int32_t to_x = x + passed * wend__dx[d], to_y = y + passed * wend__dy[d], to = d & 1 ? to_x : to_y;
    const int32_t next_x = to_x + wend__dx[d], next_y = to_y + wend__dy[d];
    const unsigned end = from + (unsigned)passed;
    if (to == rim) return !leads_over(at, d, lane) || follow_among_marks(s, stock, at, x, y, g, d, false);
    if (end == WEND__CHUNK_SIDE - 1) {
        const int32_t reach = wend__stop_lane(at, x, y, d);
        if (abs(reach) == abs(rim - to)) return follow_among_marks(s, stock, at, x, y, g, d, true);
        return follow_lane(s, stock, at, x, y, g, d, passed);
    }
    const bool live = at->table->lines[d][lane].live >> end & 1;
    if (!live && !(at->close && wend__jump_is_point(&at->table->points, (unsigned)next_x & 63, (unsigned)next_y & 63)))
        return true;
    if ((d & 1 ? next_x : next_y) == rim) return follow_among_marks(s, stock, at, x, y, g, d, false);
    return reach_in(s, stock, at, next_x, next_y, g + s->edge[WEND__N] * (uint32_t)(passed + 1), 1u << d, 0, true);
}

/* Returns true if a run ends without a node in its chunk or beyond the rim at that. Of runs that leave the chunk for
 * another one it is not known. */
WEND__INLINE bool is_idle(const wend__search *s, const ground *at, int32_t x, int32_t y, const unsigned d) {
    const unsigned lane = (unsigned)(d & 1 ? y : x) & 63, from = wend__jump_along((unsigned)x, (unsigned)y, d);
    const unsigned passed = wend__ctz64(at->table->ends[d][lane] >> from), end = from + passed;
    const int32_t to = (d & 1 ? x : y) + (int32_t)passed * (wend__stop_is_forward(d) ? 1 : -1);
    const unsigned x_on = (unsigned)x + (passed + 1) * (unsigned)wend__dx[d];
    const unsigned y_on = (unsigned)y + (passed + 1) * (unsigned)wend__dy[d];
    if (to == rim_ahead(s, d)) return !leads_over(at, d, lane);
    if (end == WEND__CHUNK_SIDE - 1 || at->table->lines[d][lane].live >> end & 1) return false;
    return !at->close || !wend__jump_is_point(&at->table->points, x_on & 63, y_on & 63);
}

/* Returns true if a run along the rim ends at a wall in its chunk, and open ground lies next to it over the rim: no
 * corner turns it. Others may end so, too. */
static inline bool is_idle_on_rim(const wend__search *s, const ground *at, int32_t x, int32_t y, unsigned d) {
    const int32_t around = d & 1 ? s->version->around_y : s->version->around_x, place = d & 1 ? y : x;
    const wend_cell beside = {d & 1 ? x : around - 1 - place, d & 1 ? around - 1 - place : y, 0};
    const wend__stop_run run = wend__stop_run_of(at, x, y, d);
    const int32_t to = (d & 1 ? x : y) + (int32_t)run.cells * (wend__stop_is_forward(d) ? 1 : -1);
    if (run.kind != WEND__RUN_WALL || to == rim_ahead(s, d)) return false;
    if (!around || (place != 0 && place != around - 1)) return false; /* the cell lies at the other rim */
    if (!wend__version_factor(s->view, beside.x, beside.y)) return false;
    const wend__jump_table *table =
        wend__jump_table_at(s->view, beside.x >> WEND__CHUNK_SHIFT, beside.y >> WEND__CHUNK_SHIFT);
    return wend__jump_cells(table, (unsigned)beside.x, (unsigned)beside.y, d) >= run.cells;
}

/* The directions in which runs from a cell lead along the rim. */
WEND__INLINE uint32_t directions_on_rim(const wend__version *v, int32_t x, int32_t y) {
    const bool h = v->around_y && (y == 0 || y == v->around_y - 1), n = v->around_x && (x == 0 || x == v->around_x - 1);
    return (h ? 1u << WEND__E | 1u << WEND__W : 0) | (n ? 1u << WEND__N | 1u << WEND__S : 0);
}

static WEND__NOINLINE bool follow_on_rim(wend__search *s, wend__stock *stock, const ground *at, int32_t x, int32_t y,
                                         uint32_t g, unsigned d) {
    return is_idle_on_rim(s, at, x, y, d) || follow_among_marks(s, stock, at, x, y, g, d, true);
}

/* Follows a straight exit, if it is one. */
WEND__INLINE bool exit_near_rim(wend__search *s, wend__stock *stock, const ground *at, int32_t x, int32_t y, uint32_t g,
                                const unsigned d, uint32_t exits, uint32_t closely, uint32_t on_rim) {
    if (!(exits >> d & 1)) return true;
    wend__stop_ensure_block(s, at->column, at->row); /* an exit before may have entered another block */
    if (WEND__UNLIKELY(closely >> d & 1)) return follow_closely(s, stock, at, x, y, g, d);
    if (WEND__UNLIKELY(on_rim >> d & 1)) return follow_on_rim(s, stock, at, x, y, g, d);
    return is_idle(s, at, x, y, d) || follow_to_rim(s, stock, at, x, y, g, d);
}

/* Follows the straight exits of a node. Four calls instead of a loop: d is a constant in each. */
static WEND__NOINLINE bool follow_straight_near_rim(wend__search *s, wend__stock *stock, const ground *at, int32_t x,
                                                    int32_t y, uint32_t g, uint32_t exits) {
    const uint32_t closely = goal_directions(s, at, x, y), on_rim = directions_on_rim(s->version, x, y);
    if (!exit_near_rim(s, stock, at, x, y, g, WEND__N, exits, closely, on_rim) ||
        !exit_near_rim(s, stock, at, x, y, g, WEND__E, exits, closely, on_rim) ||
        !exit_near_rim(s, stock, at, x, y, g, WEND__S, exits, closely, on_rim) ||
        !exit_near_rim(s, stock, at, x, y, g, WEND__W, exits, closely, on_rim))
        return false;
    wend__stop_ensure_block(s, at->column, at->row);
    wend__jump_of(s)->owed += wend__jump_bits[exits & 15] / 2u + wend__jump_bits[exits & closely] / 2u;
    return true;
}

/* ---- diagonals ---- */

/* Returns those of these cells whose runs, which leave the chunk, come to the rim in another chunk of the block. */
static WEND__NOINLINE uint64_t cells_coming(const wend__search *s, const ground *at, unsigned k, bool h, const piece *c,
                                            uint64_t cells) {
    const unsigned d = h ? side_h(k) : side_v(k), axis = h ? WEND__MARKS_ACROSS : WEND__MARKS_DOWN;
    const wend__jump_lanes *lanes = h ? at->beside : at->above;
    const int32_t rim = rim_ahead(s, d), chunk = h ? at->column : at->row, on = (rim >> WEND__CHUNK_SHIFT) - chunk;
    const int32_t border = (chunk << WEND__CHUNK_SHIFT) + (wend__stop_is_forward(d) ? WEND__CHUNK_SIDE - 1 : 0);
    const unsigned flip = h ? wend__flip_y[k] : wend__flip_x[k];
    const unsigned index = at->index + (unsigned)(h ? on : on * WEND__BLOCK_SIDE);
    uint64_t coming = 0;
    if (rim < 0 || rim >> (WEND__CHUNK_SHIFT + WEND__BLOCK_SHIFT) != chunk >> WEND__BLOCK_SHIFT) return 0;
    const wend__stop_chunk *stops = wend__stop_of(s)->stop_block->chunks[index];
    if (!stops) return 0; /* no open cell lies at the rim there */
    for (uint64_t left = stops->over[axis][k] >> (h ? c->q : c->p) & cells; left; left &= left - 1) {
        const unsigned lane = ((h ? c->q : c->p) + wend__ctz64(left)) ^ flip;
        if (abs(lanes->reach[d >> 1][lane]) == abs(rim - border)) coming |= left & -left;
    }
    return coming;
}

/* Returns the cells of a piece from which runs to one side have to be followed one by one. The other runs that may meet
 * marks end without a node, at a wall or beyond the rim. No cell of the piece lies at the rim, as the piece ends at its
 * first stop. */
WEND__INLINE uint64_t cells_near_rim(const wend__search *s, const ground *at, unsigned k, const piece *c, bool h) {
    const unsigned d = h ? side_h(k) : side_v(k), axis = h ? WEND__MARKS_ACROSS : WEND__MARKS_DOWN;
    const unsigned shift = h ? c->q : c->p;
    const uint64_t border = (h ? c->line->rim_h : c->line->rim_v) >> c->p & c->cells;
    const int32_t rim = rim_ahead(s, d), before = rim - ((h ? at->column : at->row) << WEND__CHUNK_SHIFT);
    if (at->stops && before >= 0 && before < WEND__CHUNK_SIDE) {
        const uint64_t over = at->stops->over[axis][k] >> shift;
        if (before == (wend__stop_is_forward(d) ? WEND__CHUNK_SIDE - 1 : 0)) return over & border;
        return (over | c->line->sides[2][!h] >> c->p) & c->cells;
    }
    const uint64_t ahead = wend__stop_of(s)->stop_block->marks.ahead[at->index][axis][k] >> shift & border;
    if (WEND__LIKELY(!ahead)) return 0;
    const uint64_t points = (h ? at->beside : at->above)->ends[1][k] >> shift & ahead;
    return points | cells_coming(s, at, k, h, c, ahead & ~points);
}

/* Follows the runs to one side from these cells, one by one. */
static WEND__NOINLINE bool scan_past_rim(wend__search *s, wend__stock *stock, const ground *at, unsigned k, unsigned d,
                                         uint64_t cells, int32_t x, int32_t y, uint32_t g) {
    for (; cells; cells &= cells - 1) {
        const int32_t n = (int32_t)wend__ctz64(cells);
        if (!follow_to_rim(s, stock, at, x + n * step_x(k), y + n * step_y(k), g + s->edge[WEND__NE] * (uint32_t)n, d))
            return false;
    }
    return true;
}

#endif
