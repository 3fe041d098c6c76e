/* SPDX-License-Identifier: MIT */
/* From each new live jump point back along the runs that end at it, and from their cells along diagonals, to the points
 * that lead there: these are live, too. Each is found once. */
#include "map/jumps/jump_live.h"
#include "map/jumps/jump_tables.h"
#include "map/jumps/jumps.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"

enum { SIDE = WEND__CHUNK_SIDE, STATES = 4 * WEND__CHUNK_CELLS };

typedef struct waiters {
    const wend__jump_table *table;
    const uint8_t *masks;
    wend__jump_liveness *lives;
    uint64_t on_line[WEND__QUADRANTS][SIDE]; ///< by lines: cells that wait, and look along the quadrant's diagonal
    uint8_t waiting[WEND__CHUNK_CELLS]; ///< by cell: directions in which it is entered as a point not known as live
    uint32_t count;
    uint16_t found[STATES]; ///< cell << 2 | direction: live ones whose runs are still to be gone back along
} waiters;

static unsigned exits_of(const waiters *w, unsigned cell, unsigned directions) {
    return wend__jump_exits[directions & (0u - directions)][w->masks[cell]]; /* of the first */
}

/* The cell waits on the lines of all diagonals that its points look along. */
static void wait_on_lines(waiters *w, unsigned cell) {
    unsigned quadrants = 0;
    for (unsigned d = w->waiting[cell]; d; d &= d - 1) quadrants |= exits_of(w, cell, d) >> 4;
    for (; quadrants; quadrants &= quadrants - 1) {
        const unsigned k = wend__ctz32(quadrants);
        const wend__diagonal at = wend__diagonal_of(k, cell);
        w->on_line[k][at.line] |= UINT64_C(1) << at.p;
    }
}

static void gather_row(waiters *w, unsigned y) {
    const wend__jump_liveness *l = w->lives;
    uint64_t all = 0;
    for (unsigned d = 0; d < 4; d++) {
        all |= l->waiting[d][y];
        for (uint64_t fresh = l->fresh[d][y]; fresh; fresh &= fresh - 1)
            w->found[w->count++] = (uint16_t)((y << WEND__CHUNK_SHIFT | wend__ctz64(fresh)) << 2 | d);
    }
    for (; all; all &= all - 1) {
        unsigned x = wend__ctz64(all), cell = y << WEND__CHUNK_SHIFT | x;
        for (unsigned d = 0; d < 4; d++) w->waiting[cell] |= (uint8_t)((l->waiting[d][y] >> x & 1) << d);
        wait_on_lines(w, cell);
    }
}

static void find(waiters *w, unsigned cell, unsigned direction) {
    w->waiting[cell] &= (uint8_t) ~(1u << direction);
    w->lives->live[direction][cell >> 6] |= UINT64_C(1) << (cell & 63);
    w->found[w->count++] = (uint16_t)(cell << 2 | direction);
}

/* The points of a cell that lead on by this exit: a direction, or 4 + a quadrant. */
static void find_with_exit(waiters *w, unsigned cell, unsigned exit) {
    for (unsigned d = w->waiting[cell]; d; d &= d - 1)
        if (exits_of(w, cell, d) >> exit & 1) find(w, cell, wend__ctz32(d));
}

/* Find the points that wait on the diagonal that reaches this cell: those that look along it stop waiting there. */
static void find_behind(waiters *w, unsigned quadrant, unsigned cell) {
    const wend__diagonal at = wend__diagonal_of(quadrant, cell);
    uint64_t *waiting = &w->on_line[quadrant][at.line];
    uint64_t before = wend__low_bits(at.p) & ~wend__low_bits(at.p - (at.p < at.q ? at.p : at.q));
    if (!(*waiting & before)) return;
    uint64_t gaps = ~w->table->lines[quadrant][at.line].legal & before;
    for (unsigned n = 1; n < SIDE; n <<= 1) gaps |= gaps >> n; /* nobody comes from the last one, or from farther */
    uint64_t seen = *waiting & before & ~gaps;
    *waiting &= ~seen;
    for (; seen; seen &= seen - 1) {
        unsigned p = wend__ctz64(seen), q = p - at.p + at.q;
        find_with_exit(w, (q ^ wend__flip_y[quadrant]) << 6 | (p ^ wend__flip_x[quadrant]), 4 + quadrant);
    }
}

/* Go back along the run that ends at a live point. */
static void spread(waiters *w, unsigned point, unsigned d) {
    static const int32_t steps[4] = {-SIDE, 1, SIDE, -1};
    unsigned along = wend__is_vertical(d) ? point >> 6 : point & 63;
    unsigned cells = d == WEND__E || d == WEND__S ? along : 63 - along;
    for (unsigned n = 0, cell = point; n < cells; n++) {
        cell = (unsigned)((int32_t)cell - steps[d]);
        if (wend__run_of(w->table, cell, d) != (0x40 | n)) return;
        if (w->waiting[cell]) find_with_exit(w, cell, d);
        find_behind(w, wend__quadrants_of[d][0], cell);
        find_behind(w, wend__quadrants_of[d][1], cell);
    }
}

void wend__jump_find_rest(wend__jump_liveness *lives, const wend__jump_table *table, const uint8_t *masks) {
    waiters w;
    w.table = table, w.masks = masks, w.lives = lives, w.count = 0;
    memset(w.on_line, 0, sizeof w.on_line);
    memset(w.waiting, 0, sizeof w.waiting);
    for (unsigned y = 0; y < SIDE; y++) gather_row(&w, y);
    while (w.count) {
        unsigned next = w.found[--w.count];
        spread(&w, next >> 2, next & 3);
    }
}
