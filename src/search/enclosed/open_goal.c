/* SPDX-License-Identifier: MIT */
/* Floods the cells around a goal, a row of 64 at a time. */
#include "search/enclosed/enclosure.h"
#include "map/version/occupancy.h"

enum { SIDE = 64, HALF = SIDE / 2, MOST_SWEEPS = 8 };

/* The cells of a square around a goal, bit x of row y; rows are read when the flood comes to them. */
typedef struct square {
    const wend__search *search;
    int32_t left, top;
    uint64_t known;         ///< rows read
    uint64_t terrain[SIDE]; ///< cells that are open
    uint64_t free[SIDE];    ///< open cells without a unit
    uint64_t flood[SIDE];   ///< cells that lead to the goal
} square;

/* ---- reading ---- */

static uint64_t open_cells(const wend__version *v, int32_t column, int32_t row, unsigned y) {
    const wend__chunk *chunk = wend__version_chunk(v, column, row);
    const uint8_t *factors = v->rules.factors;
    uint64_t open = 0;
    if (chunk->bits) {
        const uint64_t bits = chunk->bits->rows[y];
        return (factors[chunk->bits->classes[0]] ? ~bits : 0) | (factors[chunk->bits->classes[1]] ? bits : 0);
    }
    if (!chunk->terrain) return factors[chunk->uniform] ? UINT64_MAX : 0;
    for (unsigned x = 0; x < SIDE; x++) open |= (uint64_t)(factors[chunk->terrain->bytes[y << 6 | x]] > 0) << x;
    return open;
}

static uint64_t cells_with_units(const wend_map *map, int32_t column, int32_t row, unsigned y) {
    const uint8_t *counts = wend__occupancy_plane(map->occupancy, column, row);
    uint64_t units = 0;
    for (unsigned x = 0; counts && x < SIDE; x++) units |= (uint64_t)(counts[y << 6 | x] > 0) << x;
    return units;
}

/* Reads the half of a row that lies in one column of chunks, into bits from `shift` on. */
static void read_half(square *q, unsigned y, int32_t column, int32_t row, int32_t shift) {
    const wend__version *v = q->search->view;
    if (!wend__on_table(v, column, row)) return;
    const unsigned line = (unsigned)(q->top + (int32_t)y) & 63;
    const uint64_t on_map = wend__low_bits(wend__chunk_extent(v->width, column));
    const uint64_t open = open_cells(v, column, row, line) & on_map;
    const uint64_t units = open ? cells_with_units(q->search->version->map, column, row, line) : 0;
    q->terrain[y] |= shift < 0 ? open >> -shift : open << shift;
    q->free[y] |= shift < 0 ? (open & ~units) >> -shift : (open & ~units) << shift;
}

static void read_row(square *q, unsigned y) {
    if (q->known >> y & 1) return;
    q->known |= UINT64_C(1) << y;
    q->terrain[y] = q->free[y] = q->flood[y] = 0;
    const int32_t at = q->top + (int32_t)y, within = q->left & 63, column = q->left >> WEND__CHUNK_SHIFT;
    if (at < 0 || at >= q->search->view->height) return;
    read_half(q, y, column, at >> WEND__CHUNK_SHIFT, -within);
    if (within > 0) read_half(q, y, column + 1, at >> WEND__CHUNK_SHIFT, SIDE - within);
}

/* ---- the flood ---- */

/* All free cells of a row that lead to flooded ones along the row. */
static void fill_row(square *q, unsigned y) {
    for (uint64_t before = 0; before != q->flood[y];) {
        before = q->flood[y];
        q->flood[y] |= (before << 1 | before >> 1) & q->free[y];
    }
}

/* Floods from one row to the next. A diagonal step needs open terrain at both sides; units do not matter there. */
static void spread_row(square *q, unsigned from, unsigned to) {
    read_row(q, to);
    const uint64_t over = q->flood[from] & q->terrain[to]; /* the cell next to it in row `to` is open */
    q->flood[to] |= ((q->flood[from]) | (over << 1 & q->terrain[from]) | (over >> 1 & q->terrain[from])) & q->free[to];
    fill_row(q, to);
}

/* Returns whether the flood has more cells than an enclosed part may have. */
static bool is_large_flood(const square *q) {
    uint32_t cells = 0;
    for (uint64_t left = q->known; left; left &= left - 1) cells += wend__popcount64(q->flood[wend__ctz64(left)]);
    return cells > WEND__ENCLOSURE_CELLS;
}

static bool flood_from(const wend__search *s, wend_cell goal, int32_t reach) {
    square q = {.search = s, .left = goal.x - HALF, .top = goal.y - HALF};
    const int32_t near = reach < HALF - 1 ? reach : HALF - 1;
    const uint64_t seeds = wend__low_bits((unsigned)(HALF + near + 1)) & ~wend__low_bits((unsigned)(HALF - near));
    for (int32_t y = HALF - near; y <= HALF + near; y++) {
        read_row(&q, (unsigned)y);
        q.flood[y] = q.free[y] & seeds;
        fill_row(&q, (unsigned)y);
    }
    unsigned first = (unsigned)(HALF - near), last = (unsigned)(HALF + near);
    for (unsigned sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        for (unsigned y = first; y < last || (y == last && last < SIDE - 1 && q.flood[y]); y++) {
            spread_row(&q, y, y + 1);
            if (y == last) last++;
            if (is_large_flood(&q)) return true;
        }
        for (unsigned y = last; y > first || (y == first && first > 0 && q.flood[y]); y--) {
            spread_row(&q, y, y - 1);
            if (y == first) first--;
            if (is_large_flood(&q)) return true;
        }
    }
    return false;
}

bool wend__goal_in_the_open(const wend__search *s) {
    const wend__version *v = s->view;
    const wend__enclosure *e = &s->enclosure;
    if (v->kind != WEND_KIND_GRID || v->rules.neighbours != 8 || v->rules.corners != WEND_CORNERS_NEVER) return false;
    if (v->closed_steps > 0 || e->mover_size > 1) return false;
    if (e->aimed) return flood_from(s, e->target, 0);
    for (uint32_t i = 0; i <= s->request.more_goal_count; i++)
        if (flood_from(s, s->goals[i], s->request.reach)) return true;
    return false;
}
