/* SPDX-License-Identifier: MIT */
/* The shortest line round one bend: obstacles within the triangle of the bend enter it over its third side, so that
 * line is the hull of what lies inside. */
#include "motion/clear/taut.h"
#include "motion/clear/corners.h"

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

/* A piece, with lengths times its own. */
typedef struct piece {
    wend__milli_point a, b;
    int64_t dx, dy, square;
    int64_t wide; ///< how far the polygon round a corner reaches across the piece, and along it
    int64_t cell; ///< sides that begin no farther across or along may cross the piece
} piece;

static int64_t size_of(int64_t a) {
    return a < 0 ? -a : a;
}

/* The polygon looks the same after a quarter of a turn, so it reaches as far along the piece as across. */
static piece piece_of(const wend__disc *disc, wend__milli_point a, wend__milli_point b) {
    piece p = {.a = a, .b = b, .dx = (int64_t)b.x - a.x, .dy = (int64_t)b.y - a.y};
    const int64_t x = size_of(p.dx), y = size_of(p.dy);
    p.square = x * x + y * y, p.cell = (x + y) * WEND__THOUSAND;
    for (int32_t i = 0; i < WEND__DISC_CORNERS; i += WEND__DISC_CORNERS / EIGHTH) {
        const int64_t longer = disc->corner[i].x, shorter = disc->corner[i].y;
        p.wide = larger_of(p.wide, larger_of(x * longer + y * shorter, x * shorter + y * longer));
    }
    return p;
}

/* Returns whether a piece crosses a side from p to q that blocks. */
static bool crosses(const piece *l, wend__milli_point p, wend__milli_point q) {
    const int64_t first = wend__cross(l->a, l->b, p), second = wend__cross(l->a, l->b, q);
    const int64_t third = wend__cross(p, q, l->a), fourth = wend__cross(p, q, l->b);
    return (first < 0) != (second < 0) && (third < 0) != (fourth < 0);
}

/* Returns whether a piece crosses a side that begins at a corner. */
static bool crosses_sides(const piece *p, const wend__corners *c) {
    const wend__milli_point corner = wend__corner_spot(c->x, c->y);
    const uint32_t around = wend__corners_around(c);
    if (around & (WEND__CORNER_NE | WEND__CORNER_SE | WEND__WALL_E) &&
        crosses(p, corner, wend__corner_spot(c->x + 1, c->y)))
        return true;
    return around & (WEND__CORNER_SW | WEND__CORNER_SE | WEND__WALL_S) &&
           crosses(p, corner, wend__corner_spot(c->x, c->y + 1));
}

/* Returns whether a piece enters the polygon round a corner or crosses a side that begins there. */
static bool meets(const piece *p, const wend__corners *c) {
    const int64_t x = (int64_t)c->x * WEND__THOUSAND + WEND__HALF_CELL - p->a.x;
    const int64_t y = (int64_t)c->y * WEND__THOUSAND + WEND__HALF_CELL - p->a.y;
    const int64_t along = p->dx * x + p->dy * y, across = size_of(p->dx * y - p->dy * x);
    if (across < p->wide && along + p->wide > 0 && along - p->wide < p->square) return true;
    if (across > p->cell || along < -p->cell || along > p->square + p->cell) return false;
    return crosses_sides(p, c);
}

bool wend__piece_is_free(const wend__obstacles *ground, const wend__disc *disc, wend__milli_point a,
                         wend__milli_point b) {
    const piece p = piece_of(disc, a, b);
    wend__corners c = wend__corners_from(ground, a, b, larger_of(disc->extent, WEND__THOUSAND));
    while (wend__corners_next(&c))
        if (meets(&p, &c)) return false;
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
    wend__hull_widen(h, side, point, corner);
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

/* ---- the triangle ---- */

static int32_t least_of(int32_t a, int32_t b, int32_t c) {
    const int32_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* Returns about how many corners lie in the triangle and near its sides. */
static int64_t corners_within(const wend__hull *h, const wend__disc *disc) {
    const int64_t area = size_of(wend__cross(h->a, h->bend, h->b)) / 2;
    const int64_t top = least_of(h->a.y, h->bend.y, h->b.y), bottom = -least_of(-h->a.y, -h->bend.y, -h->b.y);
    return area / (WEND__THOUSAND * WEND__THOUSAND) + (bottom - top) * disc->extent / (WEND__THOUSAND * WEND__THOUSAND);
}

int32_t wend__taut_bend(const wend__obstacles *ground, const wend__disc *disc, wend__milli_point a,
                        wend__milli_point bend, wend__milli_point b, wend__milli_point *out, wend__milli_point *round) {
    wend__hull h;
    wend__hull_begin(&h, a, bend, b);
    if (h.side == 0) return 0;
    if (corners_within(&h, disc) > MOST_CORNERS) return -1;
    wend__corners c = wend__corners_near_triangle(ground, a, bend, b, disc->extent);
    while (!h.full && wend__corners_next(&c))
        add_corner(&h, disc, wend__corner_spot(c.x, c.y), wend__corners_around(&c));
    if (h.full) return -1;
    WEND__DEBUG_ASSERT(h.count >= 2 && h.count - 2 <= WEND__TAUT_MOST);
    memcpy(out, h.point + 1, (size_t)(h.count - 2) * sizeof *out);
    memcpy(round, h.round + 1, (size_t)(h.count - 2) * sizeof *round);
    return h.count - 2;
}
