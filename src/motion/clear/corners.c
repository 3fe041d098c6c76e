/* SPDX-License-Identifier: MIT */
/* The corners of obstacles near a piece or a triangle. In each row they lie in one range, which is wider than needed by
 * a thousandth or two, so that no rounding matters. */
#include "motion/clear/corners.h"
#include "map/kinds/walls.h"

#include <string.h>

enum { AT_ONCE = 63, SLACK = 2 };

/* ---- the range of a row ---- */

static wend__edge edge_of(wend__milli_point a, wend__milli_point b) {
    wend__edge e = {a, b, 0};
    if (a.y > b.y) e.top = b, e.bottom = a;
    if (a.y != b.y) e.slope = ((double)b.x - a.x) / ((double)b.y - a.y);
    return e;
}

static inline int64_t lower_of(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static inline int64_t higher_of(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* Adds the part of an edge that lies between two heights. */
static inline void take_edge(const wend__edge *e, int64_t low, int64_t high, int64_t *least, int64_t *most) {
    if (e->bottom.y < low || e->top.y > high) return;
    const int64_t first = e->top.y >= low ? e->top.x : e->top.x + (int64_t)(e->slope * (double)(low - e->top.y));
    const int64_t last =
        e->bottom.y <= high ? e->bottom.x : e->bottom.x - (int64_t)(e->slope * (double)(e->bottom.y - high));
    *least = lower_of(*least, lower_of(first, last));
    *most = higher_of(*most, higher_of(first, last));
}

/* Goes to a row with corners in range. @return false: none is left */
static bool next_row(wend__corners *c) {
    while (c->rows_left > 0) {
        c->rows_left--, c->y += c->step;
        const int64_t at = (int64_t)c->y * WEND__THOUSAND + WEND__HALF_CELL;
        int64_t least = INT64_MAX, most = INT64_MIN;
        for (int32_t i = 0; i < c->edge_count; i++) take_edge(&c->edge[i], at - c->reach, at + c->reach, &least, &most);
        if (least > most) continue;
        c->next = wend__corner_before(least - c->reach), c->last = wend__corner_before(most + c->reach);
        return true;
    }
    return false;
}

/* ---- the corners of a row ---- */

static void look_at_chunk(wend__corners *c, int32_t column, int32_t row) {
    const wend__version *v = c->ground->cells;
    c->column = column, c->row = row;
    c->chunk = wend__version_chunk(v, column, row);
    c->closed_near = c->chunk->closed_near;
    c->in_bits = wend__open_rows_of(c->ground->factors, c->chunk, &c->open);
}

/* Returns the blocked cells of a row of a chunk. Beyond the rim all are. */
static uint64_t blocked_word(wend__corners *c, int32_t column, int32_t y) {
    const wend__version *v = c->ground->cells;
    const int32_t row = y >> WEND__CHUNK_SHIFT, columns = v->width - column * WEND__CHUNK_SIDE;
    if (column < 0 || columns <= 0 || y < 0 || y >= v->height) return UINT64_MAX;
    if (!c->chunk || column != c->column || row != c->row) look_at_chunk(c, column, row);
    c->mixed |= c->closed_near;
    const uint64_t open = WEND__LIKELY(c->in_bits) ? wend__row_of(&c->open, y)
                                                   : wend__open_row(c->ground->factors, c->chunk, (unsigned)y & 63);
    return columns < WEND__CHUNK_SIDE ? ~open | ~wend__low_bits((unsigned)columns) : ~open;
}

/* Returns the blocked cells of a row from x on: so many at least. */
static uint64_t blocked_cells(wend__corners *c, int32_t x, int32_t y, int32_t count) {
    const int32_t column = x >> WEND__CHUNK_SHIFT, in = x & (WEND__CHUNK_SIDE - 1);
    const uint64_t word = blocked_word(c, column, y) >> in;
    return in + count <= WEND__CHUNK_SIDE ? word : word | blocked_word(c, column + 1, y) << 1 << (63 - in);
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
    int64_t top = INT64_MAX, bottom = INT64_MIN;
    for (int32_t i = 0; i < c->edge_count; i++) {
        top = lower_of(top, c->edge[i].top.y);
        bottom = higher_of(bottom, c->edge[i].bottom.y);
    }
    c->ground = ground, c->reach = reach + SLACK;
    const int32_t first = wend__corner_before(top - c->reach), last = wend__corner_before(bottom + c->reach) + 1;
    c->step = from_bottom ? -1 : 1, c->rows_left = last - first + 1;
    c->y = (from_bottom ? last : first) - c->step;
    c->next = 1, c->last = 0;
}

static wend__corners near_piece(const wend__obstacles *ground, wend__milli_point a, wend__milli_point b, int64_t reach,
                                bool from_bottom) {
    wend__corners c = {.edge_count = 1};
    c.edge[0] = edge_of(a, b);
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
    wend__corners near = {.edge_count = 3, .bends = true};
    near.edge[0] = edge_of(a, b), near.edge[1] = edge_of(b, c), near.edge[2] = edge_of(a, c);
    begin(&near, ground, reach, false);
    return near;
}
