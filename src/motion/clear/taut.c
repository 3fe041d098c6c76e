/* SPDX-License-Identifier: MIT */
/* The shortest line round one bend: obstacles within the triangle of the bend enter it over its third side, so that
 * line is the hull of what lies inside. */
#include "motion/clear/taut.h"

#include <string.h>

/* The corners of a polygon round a disc of radius 1, in the first eighth of a turn, in 2^-20. The first lies on x = 1.
 * Rounded up, the corners lie farther out, so no side comes nearer to the centre. */
enum { UNIT_BITS = 20, EIGHTH = 4 };
static const int64_t unit_x[EIGHTH] = {1048576, 1008280, 929236, 814483};
static const int64_t unit_y[EIGHTH] = {103276, 305859, 496687, 668429};

/* Corners checked for one bend: half a millisecond. */
enum { MOST_CORNERS = 1 << 22 };

static int32_t scaled_up(int64_t unit, int32_t radius) {
    return (int32_t)((unit * radius + (1 << UNIT_BITS) - 1) >> UNIT_BITS);
}

wend__disc wend__disc_of(int32_t radius_milli) {
    WEND__DEBUG_ASSERT(radius_milli > 0);
    wend__disc disc = {.radius = radius_milli, .extent = radius_milli};
    wend__milli_point *to = disc.corner;
    for (int32_t k = 0; k < EIGHTH; k++) {
        const int32_t x = scaled_up(unit_x[k], radius_milli), y = scaled_up(unit_y[k], radius_milli);
        for (int32_t sign = 0; sign < 4; sign++) {
            const int32_t right = sign & 1 ? -1 : 1, down = sign & 2 ? -1 : 1;
            *to++ = (wend__milli_point){right * x, down * y};
            *to++ = (wend__milli_point){right * y, down * x};
        }
    }
    return disc;
}

/* ---- a single piece ---- */

static int64_t larger_of(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* Returns whether the line from a to b enters the polygon round a corner. */
static bool enters(const wend__disc *disc, wend__milli_point a, wend__milli_point b, wend__milli_point corner) {
    const int64_t dx = (int64_t)b.x - a.x, dy = (int64_t)b.y - a.y;
    const int64_t along = dx * ((int64_t)corner.x - a.x) + dy * ((int64_t)corner.y - a.y);
    const int64_t most = ((dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy)) * disc->extent;
    int64_t across = wend__cross(a, b, corner), wide = 0, deep = 0;
    if (across < 0) across = -across;
    if (across >= most || along + most <= 0 || along - most >= dx * dx + dy * dy) return false;
    for (int32_t i = 0; i < WEND__DISC_CORNERS; i++) {
        wide = larger_of(wide, dx * disc->corner[i].y - dy * disc->corner[i].x);
        deep = larger_of(deep, dx * disc->corner[i].x + dy * disc->corner[i].y);
    }
    return across < wide && along + deep > 0 && along - deep < dx * dx + dy * dy;
}

/* Returns whether the line from a to b crosses a side from p to q that blocks. */
static bool crosses(wend__milli_point a, wend__milli_point b, wend__milli_point p, wend__milli_point q) {
    const int64_t first = wend__cross(a, b, p), second = wend__cross(a, b, q);
    const int64_t third = wend__cross(p, q, a), fourth = wend__cross(p, q, b);
    return (first < 0) != (second < 0) && (third < 0) != (fourth < 0);
}

static bool meets(const wend__obstacles *ground, const wend__disc *disc, wend__milli_point a, wend__milli_point b,
                  int32_t x, int32_t y) {
    const wend__milli_point corner = wend__corner_spot(x, y);
    if (enters(disc, a, b, corner)) return true;
    const uint32_t around = wend__corner_at(ground, x, y);
    if (around & (WEND__CORNER_NE | WEND__CORNER_SE | WEND__WALL_E) &&
        crosses(a, b, corner, wend__corner_spot(x + 1, y)))
        return true;
    return around & (WEND__CORNER_SW | WEND__CORNER_SE | WEND__WALL_S) &&
           crosses(a, b, corner, wend__corner_spot(x, y + 1));
}

bool wend__piece_is_free(const wend__obstacles *ground, const wend__disc *disc, wend__milli_point a,
                         wend__milli_point b) {
    const int64_t reach = larger_of(disc->extent, WEND__THOUSAND) + 2;
    const int32_t first = wend__corner_before((a.y < b.y ? a.y : b.y) - reach);
    const int32_t last = wend__corner_before((a.y < b.y ? b.y : a.y) + reach) + 1;
    for (int32_t y = first; y <= last; y++) {
        const int64_t at = (int64_t)y * WEND__THOUSAND + WEND__HALF_CELL;
        wend__row_span span = WEND__NO_SPAN;
        wend__row_span_add(&span, a, b, at - reach, at + reach);
        if (span.low > span.high) continue;
        const int32_t end = wend__corner_before(span.high + reach);
        int32_t x = wend__corner_before(span.low - reach);
        for (; (x = wend__corner_next(ground, x, y, end, false)) <= end; x++)
            if (meets(ground, disc, a, b, x, y)) return false;
    }
    return true;
}

/* ---- the hull ---- */

/* Adds a point of the polygon round `corner`. On a side of the bend, the polygon must lie within the bend. */
static void add_point(wend__hull *h, wend__milli_point point, wend__milli_point corner) {
    const int32_t side = wend__hull_side(h, point);
    if (side < 0) return;
    const int64_t first = wend__hull_turn(h, h->a, h->bend, point), second = wend__hull_turn(h, h->bend, h->b, point);
    if (first < 0 || second < 0) return;
    if (first == 0 && wend__hull_turn(h, h->a, h->bend, corner) <= 0) return;
    if (second == 0 && wend__hull_turn(h, h->bend, h->b, corner) <= 0) return;
    wend__hull_widen(h, side, point);
}

/* Only the part of the polygon that lies across from a blocked cell lies outside of obstacles; near closed steps, all
 * of it may. */
static void add_corner(wend__hull *h, const wend__disc *disc, wend__milli_point corner, uint32_t around) {
    const bool walls = around > WEND__CORNER_CELLS;
    for (int32_t quarter = 0; quarter < 4; quarter++) {
        if (!walls && (!(around >> quarter & 1) || around >> (3 - quarter) & 1)) continue;
        for (int32_t i = 0; i < WEND__DISC_CORNERS && !h->full; i += 8)
            for (int32_t k = i + 2 * quarter; k < i + 2 * quarter + 2; k++)
                add_point(h, (wend__milli_point){corner.x + disc->corner[k].x, corner.y + disc->corner[k].y}, corner);
    }
}

/* ---- the corners near the triangle ---- */

static int32_t least_of(int32_t a, int32_t b, int32_t c) {
    const int32_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

static int32_t most_of(int32_t a, int32_t b, int32_t c) {
    return -least_of(-a, -b, -c);
}

/* @return false: the triangle is too large, or the hull has too many points */
static bool add_corners(wend__hull *h, const wend__obstacles *ground, const wend__disc *disc) {
    const int64_t reach = disc->extent + 2;
    const int32_t first = wend__corner_before(least_of(h->a.y, h->bend.y, h->b.y) - reach);
    const int32_t last = wend__corner_before(most_of(h->a.y, h->bend.y, h->b.y) + reach) + 1;
    int64_t looked = 0;
    for (int32_t y = first; y <= last; y++) {
        const int64_t at = (int64_t)y * WEND__THOUSAND + WEND__HALF_CELL;
        wend__row_span s = WEND__NO_SPAN;
        wend__row_span_add(&s, h->a, h->bend, at - reach, at + reach);
        wend__row_span_add(&s, h->bend, h->b, at - reach, at + reach);
        wend__row_span_add(&s, h->a, h->b, at - reach, at + reach);
        if (s.low > s.high) continue;
        const int32_t end = wend__corner_before(s.high + reach);
        const int32_t begin = wend__corner_before(s.low - reach);
        looked += end - begin + 1;
        if (looked > MOST_CORNERS) return false;
        for (int32_t x = begin; (x = wend__corner_next(ground, x, y, end, true)) <= end; x++)
            add_corner(h, disc, wend__corner_spot(x, y), wend__corner_at(ground, x, y));
        if (h->full) return false;
    }
    return true;
}

int32_t wend__taut_bend(const wend__obstacles *ground, const wend__disc *disc, wend__milli_point a,
                        wend__milli_point bend, wend__milli_point b, wend__milli_point *out) {
    wend__hull h;
    wend__hull_begin(&h, a, bend, b);
    if (h.side == 0) return 0;
    if (!add_corners(&h, ground, disc)) return -1;
    WEND__DEBUG_ASSERT(h.count >= 2 && h.count - 2 <= WEND__TAUT_MOST);
    memcpy(out, h.point + 1, (size_t)(h.count - 2) * sizeof *out);
    return h.count - 2;
}
