/* SPDX-License-Identifier: MIT */
/* The corners that a bend is pulled around: blocked cells within its triangle, found a row of 64 cells at a time. */
#include "motion/pull/corners.h"
#include "map/store/terrain.h"

#include <stdlib.h>

/* ---- the cells of a row that the triangle covers ---- */

/* A side of the triangle, from its upper end on. It crosses the border below each row at a column and a rest, in parts
 * of 2 x rows. */
typedef struct triangle_side {
    int32_t x, last; ///< columns of both ends
    int32_t bottom;  ///< row
    int64_t parts, whole, rest, step_whole, step_rest;
    int32_t left, right; ///< the cells on both sides of the border at its last crossing
} triangle_side;

static int64_t floor_of(int64_t a, int64_t b) {
    return a / b - (a % b < 0);
}

static triangle_side side_of(wend_cell top, wend_cell bottom) {
    WEND__DEBUG_ASSERT(top.y <= bottom.y);
    triangle_side s = {.x = top.x, .last = bottom.x, .bottom = bottom.y, .left = top.x, .right = top.x};
    const int64_t dx = bottom.x - top.x, dy = bottom.y - top.y;
    s.parts = 2 * dy;
    if (dy == 0) return s;
    s.whole = floor_of(dx + dy, s.parts), s.rest = dx + dy - s.whole * s.parts;
    s.step_whole = floor_of(2 * dx, s.parts), s.step_rest = 2 * dx - s.step_whole * s.parts;
    return s;
}

/* A range of columns. */
typedef struct columns {
    int32_t low, high;
} columns;

/* Adds the cells of the next row whose insides the side goes through. */
static void add_side(triangle_side *s, int32_t y, columns *row) {
    int32_t left = s->last, right = s->last;
    if (y < s->bottom) {
        right = s->x + (int32_t)s->whole;
        left = right - (s->rest == 0);
        s->whole += s->step_whole, s->rest += s->step_rest;
        if (s->rest >= s->parts) s->rest -= s->parts, s->whole++;
    }
    row->low = wend__least(row->low, s->last < s->x ? right : s->right);
    row->high = wend__most(row->high, s->last < s->x ? s->left : left);
    s->left = left, s->right = right;
}

/* ---- the blocked cells among them ---- */

/* Some cells of a row of a chunk: bit x & 63. */
static uint64_t blocked_word(const wend__version *v, int32_t y, int32_t low, int32_t high) {
    WEND__DEBUG_ASSERT(low <= high && low >> WEND__CHUNK_SHIFT == high >> WEND__CHUNK_SHIFT);
    const wend__chunk *chunk = wend__version_chunk(v, low >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    const uint64_t range = wend__low_bits((unsigned)(high - low) + 1) << (low & 63);
    return ~wend__open_row(v->rules.factors, chunk, (unsigned)y & 63) & range;
}

/* Finds the first and last blocked cell of a range. @return false: there is none */
static bool blocked_columns(const wend__version *v, int32_t y, columns range, columns *out) {
    bool any = false;
    for (int32_t x = range.low; x <= range.high; x = (x | 63) + 1) {
        const uint64_t word = blocked_word(v, y, x, wend__least(range.high, x | 63));
        if (!word) continue;
        if (!any) out->low = (x & ~63) + (int32_t)wend__ctz64(word);
        out->high = (x & ~63) + (int32_t)wend__top64(word);
        any = true;
    }
    return any;
}

bool wend__corner_blocked(const wend__version *v, wend_cell c) {
    return !(wend__version_factor(v, c.x, c.y) && wend__version_factor(v, c.x + 1, c.y) &&
             wend__version_factor(v, c.x, c.y + 1) && wend__version_factor(v, c.x + 1, c.y + 1));
}

/* ---- the line ---- */

static void add_corner_of(wend__hull *hull, int32_t x, int32_t y) {
    const wend__milli_point point = wend__corner_spot(x, y);
    const int32_t side = wend__hull_side(hull, point);
    if (side >= 0) wend__hull_widen(hull, side, point);
}

static void order_by_row(wend_cell *a, wend_cell *b) {
    const wend_cell c = *a;
    if (a->y <= b->y) return;
    *a = *b, *b = c;
}

/* Neither side of the bend goes through a blocked cell, and the only other way out of the triangle is its third side.
 * So a blocked cell with a part in the triangle has all its corners there, or beyond the third side. */
void wend__bend_corners(const wend__version *view, wend_cell a, wend_cell p, wend_cell b, wend__hull *out) {
    wend_cell top = a, middle = p, bottom = b;
    wend__hull_begin(out, wend__cell_spot(a), wend__cell_spot(p), wend__cell_spot(b));
    if (out->side == 0) return;
    order_by_row(&top, &middle);
    order_by_row(&middle, &bottom);
    order_by_row(&top, &middle);
    triangle_side whole = side_of(top, bottom), upper = side_of(top, middle), lower = side_of(middle, bottom);
    for (int32_t y = top.y; y <= bottom.y; y++) {
        columns row = {INT32_MAX, INT32_MIN}, blocked;
        add_side(&whole, y, &row);
        if (y <= middle.y) add_side(&upper, y, &row);
        if (y >= middle.y) add_side(&lower, y, &row);
        if (!blocked_columns(view, y, row, &blocked)) continue;
        for (int32_t above = 1; above >= 0; above--) {
            add_corner_of(out, blocked.low - 1, y - above);
            add_corner_of(out, blocked.high, y - above);
        }
    }
}
