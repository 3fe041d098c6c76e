/* SPDX-License-Identifier: MIT */
/* The corners of obstacles near a piece or a triangle. In each row they lie in one range, which is wider than needed by
 * a thousandth or two, so that no rounding matters. */
#include "motion/clear/corners.h"
#include "map/kinds/walls.h"

#include <math.h>

enum { AT_ONCE = 63, SLACK = 2 };

/* ---- the range of a row ---- */

static double in_corners(int32_t thousandths) {
    return ((double)thousandths - WEND__HALF_CELL) / WEND__THOUSAND;
}

static wend__edge edge_of(wend__milli_point a, wend__milli_point b) {
    const wend__milli_point top = a.y > b.y ? b : a, bottom = a.y > b.y ? a : b;
    wend__edge e = {in_corners(top.x), in_corners(top.y), in_corners(bottom.y), 0};
    if (top.y < bottom.y) e.slope = ((double)bottom.x - top.x) / ((double)bottom.y - top.y);
    return e;
}

static inline double lesser(double a, double b) {
    return a < b ? a : b;
}

static inline double greater(double a, double b) {
    return a > b ? a : b;
}

static inline int32_t rounded_down(double a) {
    const int32_t cut = (int32_t)a;
    return cut - (a < cut);
}

/* Goes to a row with corners in range: those near the parts of edges that lie between two heights.
 * @return false: none is left */
static bool next_row(wend__corners *c) {
    while (c->rows_left > 0) {
        double least = INFINITY, most = -INFINITY;
        c->rows_left--, c->y += c->step;
        const double over = c->y - c->reach, under = c->y + c->reach;
        for (int32_t i = 0; i < c->edge_count; i++) {
            const wend__edge *e = &c->edge[i];
            const double low = greater(e->top, over), high = lesser(e->bottom, under);
            if (low > high) continue;
            const double first = e->x + e->slope * (low - e->top), last = e->x + e->slope * (high - e->top);
            least = lesser(least, lesser(first, last)), most = greater(most, greater(first, last));
        }
        if (least > most) continue;
        c->next = rounded_down(least - c->reach), c->last = rounded_down(most + c->reach);
        return true;
    }
    return false;
}

/* ---- the corners of a row ---- */

static void look_at_chunk(wend__corners *c, int32_t column, int32_t row) {
    c->at.column = column, c->at.row = row, c->at.known = true;
    c->at.chunk = wend__version_chunk(c->ground->cells, column, row);
    c->at.in_bits = wend__open_rows_of(c->ground->factors, c->at.chunk, &c->at.open);
}

/* Returns the blocked cells of a row of a chunk. Beyond the rim all are. */
static uint64_t read_word(wend__corners *c, int32_t column, int32_t y) {
    const wend__version *v = c->ground->cells;
    const int32_t row = y >> WEND__CHUNK_SHIFT, columns = v->width - column * WEND__CHUNK_SIDE;
    if (column < 0 || columns <= 0 || y < 0 || y >= v->height) return UINT64_MAX;
    if (!c->at.known || column != c->at.column || row != c->at.row) look_at_chunk(c, column, row);
    c->mixed |= c->at.chunk->closed_near;
    const uint64_t open = WEND__LIKELY(c->at.in_bits)
                              ? wend__row_of(&c->at.open, y)
                              : wend__open_row(c->ground->factors, c->at.chunk, (unsigned)y & 63);
    return columns < WEND__CHUNK_SIDE ? ~open | ~wend__low_bits((unsigned)columns) : ~open;
}

/* Returns the blocked cells of a row from x on: so many at least. */
static inline uint64_t blocked_cells(wend__corners *c, int32_t x, int32_t y, int32_t count) {
    const int32_t column = x >> WEND__CHUNK_SHIFT, in = x & (WEND__CHUNK_SIDE - 1);
    const uint64_t word = read_word(c, column, y) >> in;
    return in + count <= WEND__CHUNK_SIDE ? word : word | read_word(c, column + 1, y) << 1 << (63 - in);
}

/* A single cell, or two that only touch there. Flat sides, inner corners and the inside of walls bend no line. */
static bool bends_line(uint32_t around) {
    const uint32_t bending = 1u << WEND__CORNER_NW | 1u << WEND__CORNER_NE | 1u << WEND__CORNER_SW |
                             1u << WEND__CORNER_SE | 1u << (WEND__CORNER_NW | WEND__CORNER_SE) |
                             1u << (WEND__CORNER_NE | WEND__CORNER_SW);
    return (around & WEND__CORNER_CELLS) != around || (bending >> around & 1) != 0;
}

/* Units and closed steps are looked up corner by corner. */
static uint64_t mixed_corners(const wend__corners *c, int32_t count) {
    uint64_t found = 0;
    for (int32_t i = 0; i < count; i++) {
        const uint32_t around = wend__corner_at(c->ground, c->base + i, c->y);
        if (c->bends ? bends_line(around) : around != 0) found |= UINT64_C(1) << i;
    }
    return found;
}

static void read_corners(wend__corners *c) {
    const int32_t count = wend__least(c->last - c->next + 1, AT_ONCE);
    c->base = c->next, c->next += count;
    c->mixed = c->ground->units != NULL;
    c->above = blocked_cells(c, c->base, c->y, count + 1), c->below = blocked_cells(c, c->base, c->y + 1, count + 1);
    const uint64_t falling = c->above | c->below >> 1, rising = c->above >> 1 | c->below; /* NW and SE, NE and SW */
    c->found = (c->bends ? falling ^ rising : falling | rising) & wend__low_bits((unsigned)count);
    if (WEND__UNLIKELY(c->mixed)) c->found = mixed_corners(c, count);
}

bool wend__corners_more(wend__corners *c) {
    while (!c->found) {
        if (c->next > c->last && !next_row(c)) return false;
        read_corners(c);
    }
    return true;
}

/* ---- the rows ---- */

static void begin(wend__corners *c, const wend__obstacles *ground, int64_t reach, bool from_bottom) {
    double top = INFINITY, bottom = -INFINITY;
    for (int32_t i = 0; i < c->edge_count; i++) {
        top = lesser(top, c->edge[i].top);
        bottom = greater(bottom, c->edge[i].bottom);
    }
    c->ground = ground, c->reach = ((double)reach + SLACK) / WEND__THOUSAND;
    const int32_t first = rounded_down(top - c->reach), last = rounded_down(bottom + c->reach);
    c->step = from_bottom ? -1 : 1, c->rows_left = last - first + 1;
    c->y = (from_bottom ? last : first) - c->step;
    c->next = 1, c->last = 0;
}

static wend__corners near_piece(const wend__obstacles *ground, wend__milli_point a, wend__milli_point b, int64_t reach,
                                bool from_bottom) {
    wend__corners c = {.edge_count = 1 + (a.y == b.y)};
    c.edge[0] = edge_of(a, b), c.edge[1] = edge_of(b, b); /* the ends of one along a row */
    begin(&c, ground, reach, from_bottom);
    return c;
}

wend__corners wend__corners_near_piece(const wend__obstacles *ground, wend__milli_point a, wend__milli_point b,
                                       int64_t reach) {
    return near_piece(ground, a, b, reach, false);
}

wend__corners wend__corners_from(const wend__obstacles *ground, wend__milli_point a, wend__milli_point b,
                                 int64_t reach) {
    return near_piece(ground, a, b, reach, a.y > b.y);
}

wend__corners wend__corners_near_triangle(const wend__obstacles *ground, wend__milli_point a, wend__milli_point b,
                                          wend__milli_point c, int64_t reach) {
    WEND__DEBUG_ASSERT(wend__cross(a, b, c) != 0);
    wend__corners near = {.edge_count = 3, .bends = true};
    near.edge[0] = edge_of(a, b), near.edge[1] = edge_of(b, c), near.edge[2] = edge_of(a, c);
    begin(&near, ground, reach, false);
    return near;
}
