/* SPDX-License-Identifier: MIT */
/* Internal: runs, diagonals and jumps as the jump tables have them, for both jump searches. */
#ifndef WEND_SRC_FAST_JUMP_JUMP_LINES_H
#define WEND_SRC_FAST_JUMP_JUMP_LINES_H

#include "fast/tables/jumps.h"
#include "map/store/directions.h"

/* wend__quadrant_h and the others as expressions, which the compiler folds where k is known. */
WEND__INLINE int32_t step_x(unsigned k) {
    return k & 1 ? 1 : -1;
}
WEND__INLINE int32_t step_y(unsigned k) {
    return k & 2 ? 1 : -1;
}
WEND__INLINE unsigned side_h(unsigned k) {
    return k & 1 ? WEND__E : WEND__W;
}
WEND__INLINE unsigned side_v(unsigned k) {
    return k & 2 ? WEND__S : WEND__N;
}

/* Returns a diagonal with d as its horizontal (vertical) direction, with its bits by y, or x, unflipped. */
WEND__INLINE unsigned quadrant_of(unsigned d) {
    static const uint8_t quadrants[4] = {WEND__QUADRANT_NE, WEND__QUADRANT_SE, WEND__QUADRANT_SE, WEND__QUADRANT_SW};
    return quadrants[d];
}

/* How many cells the straight run from (x, y) passes in its chunk. */
WEND__INLINE int32_t cells_of_run(const wend__jump_table *table, int32_t x, int32_t y, unsigned d) {
    return (int32_t)wend__jump_cells(table, (unsigned)x, (unsigned)y, d);
}

WEND__INLINE unsigned kind_of_run(const wend__jump_table *table, int32_t x, int32_t y, unsigned d, int32_t cells) {
    return wend__jump_end(table, (unsigned)x, (unsigned)y, d, (unsigned)cells);
}

/* The part of a diagonal from (x, y) in one chunk: bit n stands for its n-th cell. */
typedef struct piece {
    const wend__jump_line *line;
    unsigned p, q;
    uint64_t cells;  ///< the cells on it; if it begins here, without the first
    uint32_t length; ///< steps to the next chunk; 0: it ends here
} piece;

WEND__INLINE piece piece_of(const wend__jump_table *table, const unsigned k, int32_t x, int32_t y, uint64_t first) {
    piece c;
    c.p = (unsigned)(x & 63) ^ (k & 1 ? 0 : 63u);
    c.q = (unsigned)(y & 63) ^ (k & 2 ? 0 : 63u);
    c.line = &table->lines[k][(c.p - c.q) & 63];
    const unsigned last = 63 - (c.p > c.q ? c.p : c.q);
    const uint64_t within = (UINT64_C(2) << last) - 1, stop = ~(c.line->legal >> c.p) & within;
    c.cells = (((stop & -stop) << 1) - 1) & within & ~first;
    c.length = stop ? 0 : last + 1;
    return c;
}

/* A jump: a diagonal run, then a straight one; either may be empty. With 4 neighbours a vertical run takes the
 * diagonal's place, and a horizontal one follows. */
typedef struct leap {
    int32_t x, y; ///< cell at which the jump begins
    uint32_t first, then;
    unsigned first_way, then_way; ///< directions
} leap;

/* The jump from one cell to another. */
static inline leap leap_between(bool four, int32_t from_x, int32_t from_y, int32_t x, int32_t y) {
    leap l = {.x = from_x, .y = from_y};
    const int32_t sign_x = (x > l.x) - (x < l.x), sign_y = (y > l.y) - (y < l.y);
    const uint32_t dx = (uint32_t)((x - l.x) * sign_x), dy = (uint32_t)((y - l.y) * sign_y);
    const bool across = four || dx > dy;
    l.first = four ? dy : dx < dy ? dx : dy;
    l.then = four ? dx : (dx < dy ? dy : dx) - l.first;
    l.first_way = (unsigned)wend__flat_direction(four ? 0 : sign_x, sign_y);
    l.then_way = (unsigned)(across ? wend__flat_direction(sign_x, 0) : wend__flat_direction(0, sign_y));
    return l;
}

#endif
