/* SPDX-License-Identifier: MIT */
/* Internal: the successors of a node on a map with 4 neighbours. Only stop_scan.h includes this file.
 *
 * Among all cheapest ways a search takes the one with vertical steps first (Baum 2025): it goes along a column, and
 * from each cell of the column along the row to both sides. A way along a row turns into a column only behind a corner.
 * So the runs of the tables to east and west, which end at such corners, serve both numbers of neighbours. The tables'
 * dead points follow from diagonals and do not apply: all points count. There are no stops.
 *
 * A column is followed a chunk at a time: words are made of its cells, bit i is the i-th. In a node's exits the bits of
 * the quadrants NW and SW stand for the columns to north and south. A scan that finds no room for a node is repeated
 * from the beginning of the chunk, as for diagonals. */

/* Tried: columns cell by cell on the tables' runs: 1.1 to 2.3 times the time. Without tables, by words of 64 cells:
 * 0.15 to 0.6 of A*'s time on caves and rooms, 45 times on noise of 10 %. */
#ifndef WEND_SRC_FAST_JUMP_STOPS_STOP_COLUMNS_H
#define WEND_SRC_FAST_JUMP_STOPS_STOP_COLUMNS_H

#include "fast/jump_stops/stop_follow.h"

enum {
    ROWS = 1 << WEND__E | 1 << WEND__W,
    COLUMN_EXIT = 16, ///< the first bit of a quadrant
    CELLS_A_COUNT = 8 ///< cells of a column that count as an expansion
};

/* Returns the directions in which ways go on from a cell that was entered in direction d. A way along a row leaves the
 * row only next to a blocked cell one step back: else it would have turned there. */
static inline uint32_t directions_after(unsigned open, unsigned d) {
    const unsigned north = d == WEND__E ? WEND__NW : WEND__NE, south = d == WEND__E ? WEND__SW : WEND__SE;
    if (!(d & 1)) return open & 15 & ~(1u << wend__opposite(d));
    const uint32_t forced = (~open >> north & 1) << WEND__N | (~open >> south & 1) << WEND__S;
    return open & (1u << d | forced);
}

/* Returns the exits of a node that was entered in these directions, as expand_node() has them.
 * @param entered   0xff: the node is the start */
static uint32_t exits_of_four(unsigned open, uint32_t entered) {
    uint32_t directions = entered == 0xff ? open & 15 : 0;
    for (uint32_t left = entered & 15; left && entered != 0xff; left &= left - 1)
        directions |= directions_after(open, wend__ctz32(left));
    return (directions & ROWS) | (directions >> WEND__N & 1) * (COLUMN_EXIT << WEND__QUADRANT_NW) |
           (directions >> WEND__S & 1) * (COLUMN_EXIT << WEND__QUADRANT_SW);
}

/* The part of a column in one chunk, from (x, y) on. */
typedef struct column_part {
    ground room;
    const ground *at; ///< the chunk
    int32_t x, y;
    uint32_t g;
    uint32_t more; ///< cells behind the first one
    bool ends;     ///< the column ends behind them
} column_part;

/* ---- the end of a part ---- */

/* Returns how many cells a column has ahead of a cell in its chunk. */
WEND__INLINE uint32_t cells_ahead(const column_part *c, unsigned d) {
    for (uint32_t n = 0;;) {
        const wend__stop_run run = wend__stop_run_of(c->at, c->x, c->y + (int32_t)n * wend__dy[d], d);
        n += run.cells;
        if (!(run.kind & 1)) return n; /* else at a jump point of columns, which ends nothing here */
    }
}

/* The same up to a goal. */
WEND__INLINE uint32_t cells_free(const wend__search *s, const column_part *c, unsigned d) {
    const wend__stop_goals *goals = &wend__stop_of(s)->goals;
    const uint32_t n = cells_ahead(c, d);
    if (WEND__LIKELY(!(goals->columns[0][wend__stop_goal_line(c->at->column)] >> (c->x & 63) & 1))) return n;
    const int32_t goal = wend__stop_goal_ahead(goals, c->x, c->y, d);
    return goal > 0 && (uint32_t)goal <= n ? (uint32_t)goal - 1 : n;
}

/* Checks the cell behind a part, and reaches it if it is a goal. */
static void find_end(wend__search *s, column_part *c, unsigned d) {
    const int32_t before = c->y + (int32_t)c->more * wend__dy[d], y = before + wend__dy[d];
    c->ends = !(c->at->chunk->masks->bytes[wend__stop_local(c->x, before)] >> d & 1);
    if (c->ends) return;
    c->ends = wend__stop_is_goal(&wend__stop_of(s)->goals, c->x, y);
    if (c->ends) enter_goal(s, c->x, y, c->g + s->edge[WEND__N] * c->more, s->edge[WEND__N]);
}

/* ---- its rows ---- */

/* The cells of a part, by the targets of their rows on one side. */
typedef struct side_rows {
    uint64_t inside, beyond; ///< rows with jump points in the chunk; rows to the ends of lanes
    uint64_t goal;           ///< rows that may meet a goal
} side_rows;

/* Follows the row of a cell to one side, straight in direction d. */
WEND__INLINE bool follow_row(wend__search *s, wend__stock *stock, const column_part *c, const side_rows *rows,
                             unsigned i, int32_t y, uint32_t g, const unsigned d) {
    const uint32_t edge = s->edge[WEND__N];
    const int32_t cells = cells_of_run(c->at->table, c->x, y, d);
    if (WEND__UNLIKELY(rows->goal >> i & 1)) return follow_closely(s, stock, c->at, c->x, y, g, d);
    if (rows->inside >> i & 1)
        return reach_in(s, stock, c->at, c->x + (cells + 1) * wend__dx[d], y, g + edge * (uint32_t)(cells + 1), 1u << d,
                        0, true);
    const int32_t reach = wend__stop_lane(c->at, c->x, y, d);
    if (WEND__UNLIKELY(reach >= WEND__JUMP_LANE_RIM)) return follow_closely(s, stock, c->at, c->x, y, g, d);
    return reach_point(s, stock, c->x + (cells + reach) * wend__dx[d], y, g + edge * (uint32_t)(cells + reach), d);
}

/* Follows the rows of these cells to one side. */
WEND__INLINE bool follow_side(wend__search *s, wend__stock *stock, const column_part *c, side_rows rows, uint64_t cells,
                              int32_t down, const unsigned d) {
    for (uint64_t left = (rows.inside | rows.beyond | rows.goal) & cells; left; left &= left - 1) {
        const unsigned i = wend__ctz64(left);
        if (!follow_row(s, stock, c, &rows, i, c->y + (int32_t)i * down, c->g + s->edge[WEND__N] * i, d)) return false;
    }
    wend__jump_of(s)->owed += wend__popcount64(rows.goal & cells); /* not before, as a scan may be repeated */
    return true;
}

/* Follows the rows of a part's cells to both sides. */
static bool follow_rows(wend__search *s, wend__stock *stock, const column_part *c, uint64_t cells, unsigned d) {
    const bool south = d == WEND__S;
    const unsigned first = (unsigned)(south ? c->y : ~c->y) & 63; /* in the frame of both quadrants */
    const unsigned k_east = south ? WEND__QUADRANT_SE : WEND__QUADRANT_NE,
                   k_west = south ? WEND__QUADRANT_SW : WEND__QUADRANT_NW;
    side_rows east = {0}, west = {0};
    for (uint32_t i = 0; i <= c->more; i++) {
        const int32_t y = c->y + (int32_t)i * wend__dy[d];
        const uint64_t e = wend__stop_run_of(c->at, c->x, y, WEND__E).kind;
        const uint64_t w = wend__stop_run_of(c->at, c->x, y, WEND__W).kind;
        east.inside |= (e & 1) << i, east.beyond |= (e >> 1 & ~e & 1) << i;
        west.inside |= (w & 1) << i, west.beyond |= (w >> 1 & ~w & 1) << i;
    }
    east.beyond &= c->at->beside->ends[1][k_east] >> first;
    west.beyond &= c->at->beside->ends[1][k_west] >> first;
    east.goal = west.goal = wend__stop_of(s)->goals.rows[!south][wend__stop_goal_line(c->at->row)] >> first;
    return follow_side(s, stock, c, east, cells, wend__dy[d], WEND__E) &&
           follow_side(s, stock, c, west, cells, wend__dy[d], WEND__W);
}

/* ---- a column ---- */

/* Begins with the part at which the scan of the node's column begins, or resumes. */
WEND__INLINE void begin_column(wend__search *s, const ground *at, column_part *c) {
    const wend__jump_search *j = wend__jump_of(s);
    c->x = wend__jump_x(j->cell), c->y = wend__jump_y(j->cell), c->g = j->cell_g, c->at = at;
    if (!j->on_way) return;
    c->y = j->y, c->g = j->g, c->at = &c->room;
    wend__stop_ground_of(s, &c->room, c->x, c->y);
}

WEND__INLINE void next_part(wend__search *s, column_part *c, unsigned d) {
    const uint32_t steps = c->more + 1;
    c->y += (int32_t)steps * wend__dy[d], c->g += s->edge[WEND__N] * steps, c->at = &c->room;
    wend__stop_ground_of(s, &c->room, c->x, c->y);
}

/* Follows the column of an exit of the node being expanded, or its rest. Returns the expansions spent: one for each
 * chunk, and one for each CELLS_A_COUNT cells there. If budget or room ended first, the exit stays. */
static uint64_t follow_column(wend__search *s, wend__stock *stock, const ground *at, unsigned exit, uint64_t budget) {
    wend__jump_search *j = wend__jump_of(s);
    const unsigned d = exit == WEND__QUADRANT_NW ? WEND__N : WEND__S;
    column_part c;
    begin_column(s, at, &c);
    for (uint64_t used = 0;; next_part(s, &c, d)) {
        const bool begins = c.y == wend__jump_y(j->cell);
        bool room = used + j->owed < budget && !wend__jump_crowded(s, 0);
        if (room) {
            c.more = cells_free(s, &c, d);
            find_end(s, &c, d);
            /* The node's own row is another exit. */
            room = follow_rows(s, stock, &c, wend__low_bits(c.more + 1) & ~(uint64_t)begins, d);
        }
        if (!room) {
            if (!begins) wend__jump_save_place(s, c.x, c.y, c.g);
            return used;
        }
        used += 1 + c.more / CELLS_A_COUNT;
        if (!c.ends) continue;
        j->on_way = false;
        j->exits &= ~((uint32_t)COLUMN_EXIT << exit);
        return used;
    }
}

/* Follows the remaining exits of the node being expanded, as expand_node() does. */
static WEND__NOINLINE uint64_t expand_four(wend__search *s, wend__stock *stock, const ground *at, uint64_t budget) {
    wend__jump_search *j = wend__jump_of(s);
    const int32_t x = wend__jump_x(j->cell), y = wend__jump_y(j->cell);
    uint64_t used = 0;
    if (j->exits & ROWS) {
        if (!follow_straight(s, stock, at, x, y, j->cell_g, j->exits & ROWS)) return used;
        j->exits &= ~(uint32_t)ROWS;
    }
    while (j->exits && used + j->owed < budget && !wend__jump_crowded(s, 0) && !s->starved)
        used += follow_column(s, stock, at, wend__ctz32(j->exits) - 4, budget - used);
    return used;
}

#endif
