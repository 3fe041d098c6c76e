/* SPDX-License-Identifier: MIT */
/* Pruning: finds the live jump points of a chunk. The live points are the smallest set that contains each point from
 * which a run or a diagonal leaves the chunk, and each point from which one leads to a live point.
 *
 * A few passes over all points at once, in words of rows, find most of them. The others lie at the ends of long ways
 * through mazes and are found one by one: see below. The smallest set does not depend on the order. */

/* Tried: loads and unloads without pruning, which maintenance would do: a load takes 0.7 of the time, but a host that
 * calls none would keep searches that expand more. */
#include "fast/tables/jump_tables.h"

enum { SIDE = WEND__CHUNK_SIDE, LAST = SIDE - 1, STATES = 4 * WEND__CHUNK_CELLS, ROUNDS = 16 };

/* The state of pruning a chunk: words of rows (bit x of word y) for each direction. */
typedef struct liveness {
    const wend__jump_planes *planes;
    uint64_t waiting[4][WEND__CHUNK_SIDE]; ///< cells entered as a jump point in the direction, not known to be live
    uint64_t live[4][WEND__CHUNK_SIDE];    ///< cells known to be live
    uint64_t fresh[4][WEND__CHUNK_SIDE];   ///< live ones that the last pass found
    uint64_t leaving[4][WEND__CHUNK_SIDE]; ///< the run from the cell leaves the chunk
    uint64_t runs[4][WEND__CHUNK_SIDE];    ///< the run leaves the chunk, or ends at a live point
} liveness;

/* ---- points at the ends of long ways ----
 *
 * From each new live jump point back along the runs that end at it, and from their cells along diagonals, to the points
 * that lead there: these are live, too. Each is found once. */

typedef struct waiters {
    const wend__jump_table *table;
    const uint8_t *masks;
    liveness *lives;
    uint64_t on_line[WEND__QUADRANTS][SIDE]; ///< by lines: waiting cells with a diagonal of the quadrant
    uint8_t waiting[WEND__CHUNK_CELLS]; ///< by cell: directions in which it is entered as a point not known to be live
    uint32_t count;
    uint16_t found[STATES]; ///< cell << 2 | direction: live points with runs still to be followed back
} waiters;

static unsigned exits_of(const waiters *w, unsigned cell, unsigned directions) {
    return wend__jump_exits[directions & (0u - directions)][w->masks[cell]]; /* exits of the first */
}

/* Makes a cell wait on the lines of all diagonals of its points. */
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
    const liveness *l = w->lives;
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

/* Finds the points of a cell that lead on by this exit: a direction, or 4 + a quadrant. */
static void find_with_exit(waiters *w, unsigned cell, unsigned exit) {
    for (unsigned d = w->waiting[cell]; d; d &= d - 1)
        if (exits_of(w, cell, d) >> exit & 1) find(w, cell, wend__ctz32(d));
}

/* Finds the points that wait on the diagonal that reaches this cell. Points that see the cell stop waiting there. */
static void find_behind(waiters *w, unsigned quadrant, unsigned cell) {
    const wend__diagonal at = wend__diagonal_of(quadrant, cell);
    uint64_t *waiting = &w->on_line[quadrant][at.line];
    uint64_t before = wend__low_bits(at.p) & ~wend__low_bits(at.p - (at.p < at.q ? at.p : at.q));
    if (!(*waiting & before)) return;
    uint64_t gaps = ~w->table->lines[quadrant][at.line].legal & before;
    for (unsigned n = 1; n < SIDE; n <<= 1) gaps |= gaps >> n; /* no run comes from the last one, or from farther */
    uint64_t seen = *waiting & before & ~gaps;
    *waiting &= ~seen;
    for (; seen; seen &= seen - 1) {
        unsigned p = wend__ctz64(seen), q = p - at.p + at.q;
        find_with_exit(w, (q ^ wend__flip_y[quadrant]) << 6 | (p ^ wend__flip_x[quadrant]), 4 + quadrant);
    }
}

/* Goes back along the run that ends at a live point. */
static void spread(waiters *w, unsigned point, unsigned d) {
    static const int32_t steps[4] = {-SIDE, 1, SIDE, -1};
    unsigned along = wend__is_vertical(d) ? point >> 6 : point & 63;
    unsigned cells = d == WEND__E || d == WEND__S ? along : 63 - along;
    for (unsigned n = 0, cell = point; n < cells; n++) {
        cell = (unsigned)((int32_t)cell - steps[d]);
        if (wend__jump_cells(w->table, cell & 63, cell >> 6, d) != n) return;
        if (w->waiting[cell]) find_with_exit(w, cell, d);
        find_behind(w, wend__quadrants_of[d][0], cell);
        find_behind(w, wend__quadrants_of[d][1], cell);
    }
}

/* Finds the points that are live because of the fresh ones, then because of these, and so on. */
static void find_rest(liveness *lives, const wend__jump_table *table, const uint8_t *masks) {
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

/* ---- a single round ---- */

/* Cells with a straight run that leaves the chunk, or ends at a live point. */
WEND__INLINE void follow_runs(liveness *w) {
    const wend__jump_planes *p = w->planes;
    for (unsigned y = 0; y < SIDE; y++)
        w->runs[WEND__E][y] = wend__carry_west(p->point[WEND__E][y] & w->live[WEND__E][y] >> 1, p->pass[WEND__E][y]) |
                              w->leaving[WEND__E][y];
    for (unsigned y = 0; y < SIDE; y++)
        w->runs[WEND__W][y] = wend__carry_east(p->point[WEND__W][y] & w->live[WEND__W][y] << 1, p->pass[WEND__W][y]) |
                              w->leaving[WEND__W][y];
    w->runs[WEND__S][LAST] = w->leaving[WEND__S][LAST], w->runs[WEND__N][0] = w->leaving[WEND__N][0];
    for (unsigned y = 1; y < SIDE; y++) {
        const unsigned up = LAST - y;
        w->runs[WEND__N][y] = (p->point[WEND__N][y] & w->live[WEND__N][y - 1]) |
                              (p->pass[WEND__N][y] & w->runs[WEND__N][y - 1]) | w->leaving[WEND__N][y];
        w->runs[WEND__S][up] = (p->point[WEND__S][up] & w->live[WEND__S][up + 1]) |
                               (p->pass[WEND__S][up] & w->runs[WEND__S][up + 1]) | w->leaving[WEND__S][up];
    }
}

typedef uint64_t rows[SIDE];

/* For each quadrant the cells from which its diagonal leaves the chunk, or reaches a cell with a straight run that
   does so well. Any way beyond the chunk's border counts. A row waits for the one before it, so the quadrants take
   turns. */
WEND__INLINE void follow_diagonals(const liveness *w, rows well[restrict WEND__QUADRANTS]) {
    static const uint8_t sides[WEND__QUADRANTS][2] = {
        {WEND__W, WEND__N}, {WEND__E, WEND__N}, {WEND__W, WEND__S}, {WEND__E, WEND__S}};
    uint64_t beyond[WEND__QUADRANTS] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    for (unsigned i = 0; i < SIDE; i++)
        for (unsigned k = 0; k < WEND__QUADRANTS; k++) {
            const bool to_west = sides[k][0] == WEND__W;
            const unsigned y = sides[k][1] == WEND__N ? i : LAST - i;
            const uint64_t next = to_west ? beyond[k] << 1 | 1 : beyond[k] >> 1 | UINT64_C(1) << LAST;
            well[k][y] = w->planes->legal[k][y] & next;
            beyond[k] = well[k][y] | w->runs[sides[k][0]][y] | w->runs[sides[k][1]][y];
        }
}

/* Finds points that are live by their straight runs and diagonals; newly found ones are `fresh`. */
WEND__INLINE bool judge(liveness *w, const rows diagonals[WEND__QUADRANTS]) {
    static const struct {
        uint8_t side, behind, quadrant;
    } forced[4][2] = {{{WEND__W, WEND__SW, WEND__QUADRANT_NW}, {WEND__E, WEND__SE, WEND__QUADRANT_NE}},
                      {{WEND__N, WEND__NW, WEND__QUADRANT_NE}, {WEND__S, WEND__SW, WEND__QUADRANT_SE}},
                      {{WEND__W, WEND__NW, WEND__QUADRANT_SW}, {WEND__E, WEND__NE, WEND__QUADRANT_SE}},
                      {{WEND__N, WEND__NE, WEND__QUADRANT_NW}, {WEND__S, WEND__SE, WEND__QUADRANT_SW}}};
    uint64_t any = 0;
    for (unsigned d = 0; d < 4; d++) {
        const unsigned a = forced[d][0].side, b = forced[d][1].side;
        const uint64_t *behind_a = w->planes->open[forced[d][0].behind];
        const uint64_t *behind_b = w->planes->open[forced[d][1].behind];
        const uint64_t *along_a = diagonals[forced[d][0].quadrant], *along_b = diagonals[forced[d][1].quadrant];
        rows on;
        for (unsigned y = 0; y < SIDE; y++)
            on[y] = w->runs[d][y] | (~behind_a[y] & (w->runs[a][y] | along_a[y]) & w->planes->open[a][y]) |
                    (~behind_b[y] & (w->runs[b][y] | along_b[y]) & w->planes->open[b][y]);
        for (unsigned y = 0; y < SIDE; y++) {
            w->fresh[d][y] = w->waiting[d][y] & on[y];
            w->waiting[d][y] &= ~on[y];
            w->live[d][y] |= w->fresh[d][y];
            any |= w->fresh[d][y];
        }
    }
    return any != 0;
}

WEND__INLINE bool run_iteration(liveness *w) {
    rows diagonals[WEND__QUADRANTS];
    follow_runs(w);
    follow_diagonals(w, diagonals);
    return judge(w, (const rows *)diagonals);
}

/* ---- all of it ---- */

/* Gathers the points that a step inside the chunk leads to, and the runs that leave the chunk. */
static void gather(liveness *w, const wend__jump_table *table) {
    const wend__jump_planes *p = w->planes;
    memset(w->live, 0, sizeof w->live);
    for (unsigned y = 0; y < SIDE; y++) {
        w->waiting[WEND__N][y] = y < LAST ? p->point[WEND__N][y + 1] : 0;
        w->waiting[WEND__S][y] = y > 0 ? p->point[WEND__S][y - 1] : 0;
        w->waiting[WEND__E][y] = p->point[WEND__E][y] << 1;
        w->waiting[WEND__W][y] = p->point[WEND__W][y] >> 1;
        for (unsigned d = 0; d < 4; d++) {
            uint64_t row = table->leaves[d] >> y & 1 ? UINT64_MAX : 0;
            w->leaving[d][y] = p->rim[d][y] & (wend__is_vertical(d) ? table->leaves[d] : row);
        }
    }
}

/* Writes what was found to the table. */
static void bury(const liveness *w, wend__jump_table *table, uint64_t changed[4]) {
    const wend__jump_planes *p = w->planes;
    uint64_t dead[4][SIDE], steps[4][SIDE];
    for (unsigned d = 0; d < 4; d++)
        for (unsigned y = 0; y < SIDE; y++) dead[d][y] = p->any[d][y] & ~w->runs[d][y];
    for (unsigned y = 0; y < SIDE; y++) {
        steps[WEND__N][y] = y > 0 ? p->point[WEND__N][y] & w->live[WEND__N][y - 1] : 0;
        steps[WEND__S][y] = y < LAST ? p->point[WEND__S][y] & w->live[WEND__S][y + 1] : 0;
        steps[WEND__E][y] = p->point[WEND__E][y] & w->live[WEND__E][y] >> 1;
        steps[WEND__W][y] = p->point[WEND__W][y] & w->live[WEND__W][y] << 1;
    }
    wend__jump_bury(table, (const uint64_t(*)[SIDE])dead);
    table->pruned = true;
    wend__jump_set_live(table, (const uint64_t(*)[SIDE])steps, changed);
}

WEND__CLONED bool wend__jump_prune(wend__jump_table *table, const uint8_t *masks, const wend__jump_planes *planes,
                                   bool wholly, uint64_t changed[4]) {
    liveness w;
    w.planes = planes;
    gather(&w, table);
    bool more = true;
    for (unsigned i = 0; i < ROUNDS && more; i++) more = run_iteration(&w);
    if (more && !wholly) {
        wend__jump_set_live(table, planes->point, changed);
        wend__jump_bury(table, NULL);
        return false;
    }
    if (more) {
        find_rest(&w, table, masks);
        follow_runs(&w);
    }
    bury(&w, table, changed);
    return true;
}

/* ---- a single point that may come from elsewhere ---- */

/* Returns how many of the lowest bits are set one after another. */
static unsigned ones(uint64_t word) {
    return word == UINT64_MAX ? 64 : wend__ctz64(~word);
}

/* The side's bits in the order of a quadrant. */
static uint64_t leaves_along(const wend__jump_table *table, unsigned direction, bool flipped) {
    uint64_t leaves = table->leaves[direction];
    return flipped ? wend__reversed(leaves) : leaves;
}

/* Returns true if the diagonal leaves the chunk, or a straight run of its cells does or ends at a live point. */
static bool diagonal_lives(const wend__jump_table *table, unsigned quadrant, unsigned cell) {
    const wend__diagonal at = wend__diagonal_of(quadrant, cell);
    const wend__jump_line *line = &table->lines[quadrant][at.line];
    unsigned steps = ones(line->legal >> at.p), most = 63 - (at.p > at.q ? at.p : at.q);
    if (steps > most) return true;
    uint64_t h = line->rim_h >> at.p & leaves_along(table, wend__quadrant_h[quadrant], wend__flip_y[quadrant]) >> at.q;
    uint64_t v = (line->rim_v & leaves_along(table, wend__quadrant_v[quadrant], wend__flip_x[quadrant])) >> at.p;
    uint64_t live = (line->live_h | line->live_v) >> at.p;
    return ((h | v | live) & (wend__low_bits(steps + 1) & ~UINT64_C(1))) != 0;
}

static bool straight_lives(const wend__jump_table *table, unsigned direction, unsigned cell) {
    unsigned kind = wend__run_of(table, cell, direction).kind;
    unsigned l = wend__is_vertical(direction) ? cell & 63 : cell >> 6;
    return kind == WEND__RUN_RIM ? table->leaves[direction] >> l & 1 : kind == WEND__RUN_LIVE;
}

static bool lives(const wend__jump_table *table, unsigned exits, unsigned cell) {
    for (unsigned straight = exits & 15; straight; straight &= straight - 1)
        if (straight_lives(table, wend__ctz32(straight), cell)) return true;
    for (unsigned diagonal = exits >> 4; diagonal; diagonal &= diagonal - 1)
        if (diagonal_lives(table, wend__ctz32(diagonal), cell)) return true;
    return false;
}

bool wend__jump_lives(const wend__jump_table *table, uint8_t mask, unsigned cell, unsigned direction) {
    return !table->pruned || lives(table, wend__jump_exits[1u << direction][mask], cell);
}
