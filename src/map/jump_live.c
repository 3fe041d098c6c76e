/* SPDX-License-Identifier: MIT */
/* Which jump points of a chunk are live. Those from which a run or a diagonal leaves the chunk come first; from each that is
 * found live one goes back along the runs that end at it, and from their cells along diagonals, to those that lead there.
 * Each is found once: the result is the least set that is closed under "leads to a live one", whatever the order. */
#include "map/jump_tables.h"

enum { SIDE = WEND__CHUNK_SIDE, STATES = 4 * WEND__CHUNK_CELLS };

/* ---- forwards ---- */

/* How many of the lowest bits are set one after another. */
static unsigned ones(uint64_t word) {
    return word == UINT64_MAX ? 64 : wend__ctz64(~word);
}

/* The side's bits in the order of a frame. */
static uint64_t leaves_along(const wend__jump_table *table, unsigned direction, bool flipped) {
    uint64_t leaves = table->leaves[direction];
    return flipped ? wend__reversed(leaves) : leaves;
}

/* Does the diagonal leave the chunk, or one of its cells' straight runs? Or (`points`) end one of these at a live point? */
static bool diagonal_lives(const wend__jump_table *table, unsigned frame, unsigned cell, bool points) {
    const wend__diagonal at = wend__diagonal_of(frame, cell);
    const wend__jump_line *line = &table->lines[frame][at.line];
    unsigned steps = ones(line->legal >> at.p), most = 63 - (at.p > at.q ? at.p : at.q);
    if (steps > most) return true;
    uint64_t h = line->rim_h >> at.p & leaves_along(table, wend__frame_h[frame], wend__flip_y[frame]) >> at.q;
    uint64_t v = (line->rim_v & leaves_along(table, wend__frame_v[frame], wend__flip_x[frame])) >> at.p;
    uint64_t live = points ? (line->live_h | line->live_v) >> at.p : 0;
    return ((h | v | live) & (wend__low_bits(steps + 1) & ~UINT64_C(1))) != 0;
}

static bool straight_lives(const wend__jump_table *table, unsigned direction, unsigned cell, bool points) {
    unsigned kind = wend__run_of(table, cell, direction) >> 6;
    unsigned l = wend__is_vertical(direction) ? cell & 63 : cell >> 6;
    return kind == WEND__RUN_RIM ? table->leaves[direction] >> l & 1 : kind == WEND__RUN_LIVE && points;
}

static bool lives(const wend__jump_table *table, unsigned exits, unsigned cell, bool points) {
    for (unsigned straight = exits & 15; straight; straight &= straight - 1)
        if (straight_lives(table, wend__ctz32(straight), cell, points)) return true;
    for (unsigned diagonal = exits >> 4; diagonal; diagonal &= diagonal - 1)
        if (diagonal_lives(table, wend__ctz32(diagonal), cell, points)) return true;
    return false;
}

bool wend__jump_lives(const wend__jump_table *table, uint8_t mask, unsigned cell, unsigned direction) {
    return !table->pruned || lives(table, wend__jump_exits[1u << direction][mask], cell, true);
}

/* ---- backwards ---- */

typedef struct pruner {
    const wend__jump_table *table;
    const uint8_t *masks;
    uint64_t live[4][SIDE];                  ///< by rows: the run from the cell ends at a live point
    uint64_t waiting_on[WEND__FRAMES][SIDE]; ///< by lines: cells that wait, and look along the frame's diagonal
    uint8_t waiting[WEND__CHUNK_CELLS]; ///< by cell: directions in which it is entered as a point not known as live
    uint32_t count;
    uint16_t found[STATES]; ///< cell << 2 | direction: live ones whose runs are still to be gone back along
} pruner;

/* Which jump points there are: those that a step inside the chunk leads to. */
static void gather_row(pruner *w, const wend__jump_planes *planes, unsigned y) {
    const uint64_t entered[4] = {y < SIDE - 1 ? planes->point[WEND__N][y + 1] : 0, planes->point[WEND__E][y] << 1,
                                 y > 0 ? planes->point[WEND__S][y - 1] : 0, planes->point[WEND__W][y] >> 1};
    for (uint64_t all = entered[0] | entered[1] | entered[2] | entered[3]; all; all &= all - 1) {
        unsigned x = wend__ctz64(all), cell = y << WEND__CHUNK_SHIFT | x;
        for (unsigned d = 0; d < 4; d++) w->waiting[cell] |= (uint8_t)((entered[d] >> x & 1) << d);
    }
}

/* The cell waits on the lines of all diagonals that its points look along. */
static void wait_on_lines(pruner *w, unsigned cell) {
    for (unsigned d = w->waiting[cell], frames = 0; d; d &= d - 1) {
        unsigned more = (unsigned)wend__jump_exits[d & (0u - d)][w->masks[cell]] >> 4 & ~frames;
        frames |= more;
        for (; more; more &= more - 1) {
            unsigned k = wend__ctz32(more);
            const wend__diagonal at = wend__diagonal_of(k, cell);
            w->waiting_on[k][at.line] |= UINT64_C(1) << at.p;
        }
    }
}

static void find(pruner *w, unsigned cell, unsigned direction) {
    w->waiting[cell] &= (uint8_t) ~(1u << direction);
    w->found[w->count++] = (uint16_t)(cell << 2 | direction);
}

/* The points of a cell that lead on by this exit: a direction, or 4 + a frame. */
static void find_with_exit(pruner *w, unsigned cell, unsigned exit) {
    for (unsigned d = w->waiting[cell]; d; d &= d - 1)
        if (wend__jump_exits[d & (0u - d)][w->masks[cell]] >> exit & 1) find(w, cell, wend__ctz32(d));
}

/* Those that wait on the diagonal that reaches this cell of it. Whoever looks along it is found, and waits there no more. */
static void find_behind(pruner *w, unsigned frame, unsigned cell) {
    const wend__diagonal at = wend__diagonal_of(frame, cell);
    uint64_t *waiting = &w->waiting_on[frame][at.line];
    uint64_t before = wend__low_bits(at.p) & ~wend__low_bits(at.p - (at.p < at.q ? at.p : at.q));
    if (!(*waiting & before)) return;
    uint64_t gaps = ~w->table->lines[frame][at.line].legal & before;
    for (unsigned n = 1; n < SIDE; n <<= 1) gaps |= gaps >> n; /* nobody comes from the last one, or from farther */
    uint64_t seen = *waiting & before & ~gaps;
    *waiting &= ~seen;
    for (; seen; seen &= seen - 1) {
        unsigned p = wend__ctz64(seen), q = p - at.p + at.q;
        find_with_exit(w, (q ^ wend__flip_y[frame]) << 6 | (p ^ wend__flip_x[frame]), 4 + frame);
    }
}

/* Go back along the run that ends at a live point. */
static void spread(pruner *w, unsigned point, unsigned d) {
    static const int32_t steps[4] = {-SIDE, 1, SIDE, -1};
    unsigned along = wend__is_vertical(d) ? point >> 6 : point & 63;
    unsigned cells = d == WEND__E || d == WEND__S ? along : 63 - along;
    for (unsigned n = 0, cell = point; n < cells; n++) {
        cell = (unsigned)((int32_t)cell - steps[d]);
        if (wend__run_of(w->table, cell, d) != (0x40 | n)) return;
        w->live[d][cell >> 6] |= UINT64_C(1) << (cell & 63);
        if (w->waiting[cell]) find_with_exit(w, cell, d);
        find_behind(w, wend__frames_of[d][0], cell);
        find_behind(w, wend__frames_of[d][1], cell);
    }
}

static void find_all(pruner *w) {
    for (unsigned cell = 0; cell < WEND__CHUNK_CELLS; cell++) {
        for (unsigned d = w->waiting[cell]; d; d &= d - 1)
            if (lives(w->table, wend__jump_exits[d & (0u - d)][w->masks[cell]], cell, false))
                find(w, cell, wend__ctz32(d));
        if (w->waiting[cell]) wait_on_lines(w, cell);
    }
    while (w->count) {
        unsigned next = w->found[--w->count];
        spread(w, next >> 2, next & 3);
    }
}

/* Mark the runs of a row that end at dead points. */
static void bury_row(wend__jump_table *table, unsigned d, unsigned y, uint64_t dead) {
    for (; dead; dead &= dead - 1) {
        unsigned cell = y << WEND__CHUNK_SHIFT | wend__ctz64(dead);
        table->runs[cell] |= UINT32_C(0x80) << 8 * d;
        for (unsigned i = 0; i < 2; i++) {
            unsigned k = wend__frames_of[d][i];
            const wend__diagonal at = wend__diagonal_of(k, cell);
            wend__jump_line *line = &table->lines[k][at.line];
            *(wend__is_vertical(d) ? &line->live_v : &line->live_h) &= ~(UINT64_C(1) << at.p);
        }
    }
}

void wend__jump_prune(wend__jump_table *table, const uint8_t *masks, const wend__jump_planes *planes) {
    pruner w;
    w.table = table, w.masks = masks, w.count = 0;
    memset(w.live, 0, sizeof w.live);
    memset(w.waiting_on, 0, sizeof w.waiting_on);
    memset(w.waiting, 0, sizeof w.waiting);
    for (unsigned y = 0; y < SIDE; y++) gather_row(&w, planes, y);
    find_all(&w);
    for (unsigned d = 0; d < 4; d++)
        for (unsigned y = 0; y < SIDE; y++) bury_row(table, d, y, planes->any[d][y] & ~w.live[d][y]);
    table->pruned = true;
}
