/* SPDX-License-Identifier: MIT */
/* The distance of a line from all obstacles, exactly, in integers: from corners of cells, and from the sides between
 * them to the ends of pieces. */
#include "motion/clear/clearance.h"
#include "map/ground/ground.h"
#include "map/links/links.h"
#include "map/movers/views.h"
#include "map/version/map.h"
#include "map/version/version.h"
#include "motion/clear/corners.h"

#include <wend/geometry.h>

/* ---- distances ---- */

/* Compares a x b with c x d. */
static bool product_reaches(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    uint64_t high[2], low[2];
    const uint64_t factors[2][2] = {{a, b}, {c, d}};
    for (int i = 0; i < 2; i++) {
        const uint64_t p = factors[i][0], q = factors[i][1], p_low = (uint32_t)p, q_low = (uint32_t)q;
        const uint64_t middle = (p >> 32) * q_low + (p_low * q_low >> 32), other = p_low * (q >> 32);
        const uint64_t carry = ((middle & UINT32_MAX) + (other & UINT32_MAX)) >> 32;
        high[i] = (p >> 32) * (q >> 32) + (middle >> 32) + (other >> 32) + carry;
        low[i] = p * q;
    }
    return high[0] != high[1] ? high[0] > high[1] : low[0] >= low[1];
}

static uint64_t square_between(wend__milli_point a, wend__milli_point b) {
    const int64_t x = (int64_t)b.x - a.x, y = (int64_t)b.y - a.y;
    return (uint64_t)(x * x + y * y);
}

/* Returns the distance of a point from a piece, rounded down. */
static uint64_t distance_to_piece(wend__milli_point a, wend__milli_point b, wend__milli_point point) {
    const int64_t dx = (int64_t)b.x - a.x, dy = (int64_t)b.y - a.y;
    const int64_t along = dx * ((int64_t)point.x - a.x) + dy * ((int64_t)point.y - a.y);
    const uint64_t square = square_between(a, b);
    if (along <= 0) return wend__root_down(square_between(a, point));
    if ((uint64_t)along >= square) return wend__root_down(square_between(b, point));
    const int64_t cross = wend__cross(a, b, point);
    const uint64_t across = (uint64_t)(cross < 0 ? -cross : cross);
    uint64_t distance = across / (wend__root_down(square) + 1);
    while (product_reaches(across, across, (distance + 1) * (distance + 1), square)) distance++;
    return distance;
}

/* ---- sides ---- */

static bool apart(int64_t p, int64_t q) {
    return (p > 0 && q > 0) || (p < 0 && q < 0);
}

/* Returns whether the pieces a, b and c, d touch. If all lie on one line, the distances of their ends decide. */
static bool touches(wend__milli_point a, wend__milli_point b, wend__milli_point c, wend__milli_point d) {
    return !apart(wend__cross(a, b, c), wend__cross(a, b, d)) && !apart(wend__cross(c, d, a), wend__cross(c, d, b)) &&
           square_between(a, b) > 0;
}

/* The nearest obstacle found. */
typedef struct nearest {
    uint64_t distance;
    wend__milli_point at;
} nearest;

static void take(nearest *best, uint64_t distance, wend__milli_point at) {
    if (distance < best->distance) *best = (nearest){distance, at};
}

static wend__milli_point nearer_end(wend__milli_point c, wend__milli_point d, wend__milli_point point) {
    return square_between(c, point) < square_between(d, point) ? c : d;
}

/* Compares a blocking side, from corner c to d. */
static void take_side(nearest *best, wend__milli_point a, wend__milli_point b, wend__milli_point c,
                      wend__milli_point d) {
    const bool collinear = wend__cross(a, b, c) == 0 && wend__cross(a, b, d) == 0;
    if (!collinear && touches(a, b, c, d)) take(best, 0, nearer_end(c, d, a));
    take(best, distance_to_piece(c, d, a), nearer_end(c, d, a));
    take(best, distance_to_piece(c, d, b), nearer_end(c, d, b));
}

static void take_corner(nearest *best, const wend__corners *c, wend__milli_point a, wend__milli_point b) {
    const int32_t x = c->x, y = c->y;
    const uint32_t around = wend__corners_around(c);
    WEND__DEBUG_ASSERT(around != 0);
    const wend__milli_point corner = wend__corner_spot(x, y);
    take(best, distance_to_piece(a, b, corner), corner);
    if (around & (WEND__CORNER_NE | WEND__CORNER_SE | WEND__WALL_E))
        take_side(best, a, b, corner, wend__corner_spot(x + 1, y));
    if (around & (WEND__CORNER_SW | WEND__CORNER_SE | WEND__WALL_S))
        take_side(best, a, b, corner, wend__corner_spot(x, y + 1));
}

static bool stands_blocked(const wend__obstacles *ground, wend__milli_point a) {
    return wend__ground_blocked(ground, wend__corner_before(a.x) + 1, wend__corner_before(a.y) + 1);
}

int32_t wend__piece_nearest(const wend__obstacles *ground, wend__milli_point a, wend__milli_point b, int32_t most,
                            wend__milli_point *out) {
    WEND__DEBUG_ASSERT(most > 0);
    nearest best = {(uint64_t)most, a};
    const int64_t reach = (int64_t)most + WEND__THOUSAND; /* the sides of a corner begin within that */
    wend__corners c = wend__corners_near_piece(ground, a, b, reach);
    if (stands_blocked(ground, a)) best.distance = 0;
    while (best.distance > 0 && wend__corners_next(&c)) take_corner(&best, &c, a, b);
    if (out) *out = best.at;
    return (int32_t)best.distance;
}

int32_t wend__piece_clearance(const wend__obstacles *ground, wend__milli_point a, wend__milli_point b, int32_t most) {
    return wend__piece_nearest(ground, a, b, most, NULL);
}

/* ---- whole lines ---- */

static wend__milli_point spot_of(const wend__obstacles *ground, wend_point point) {
    return (wend__milli_point){point.x + ground->shift, point.y + ground->shift};
}

static wend_cell cell_of(wend_point point) {
    return (wend_cell){wend__corner_before(point.x) + 1, wend__corner_before(point.y) + 1, 0};
}

static bool is_link(const wend__version *view, wend_point a, wend_point b) {
    const wend_cell from = cell_of(a), to = cell_of(b);
    if (a.x % WEND__THOUSAND || a.y % WEND__THOUSAND || b.x % WEND__THOUSAND || b.y % WEND__THOUSAND) return false;
    const wend__link *link = wend__links_find(view->links, wend__cell_number(view, from), wend__cell_number(view, to));
    return link && wend__link_serves(view, link);
}

/* Searches one cell around, then twice as far each time: the rim of the map is the farthest obstacle. */
static int32_t line_clearance(const wend__obstacles *ground, const wend__version *v, const wend_point *points,
                              size_t count) {
    for (int32_t most = WEND__THOUSAND;; most *= 2) {
        int32_t best = most;
        for (size_t i = 0; i < count && best > 0; i++) {
            const size_t to = i + 1 < count && !is_link(v, points[i], points[i + 1]) ? i + 1 : i;
            best = wend__piece_clearance(ground, spot_of(ground, points[i]), spot_of(ground, points[to]), best);
        }
        if (best < most) return best;
    }
}

static wend_error check_points(const wend_map *map, const wend_point *points, size_t count) {
    wend_error error = wend__check_list("points", points, count);
    if (!error && map->kind != WEND_KIND_GRID)
        error = wend__refuse(WEND_UNSUPPORTED, "the distance of a line is known on flat grids only");
    for (size_t i = 0; i < count && !error; i++)
        error = wend__check_cell(map, "the cell of a point", cell_of(points[i]));
    return error;
}

wend_error wend_line_clearance(const wend_map *map, int32_t mover, const wend_point *points, size_t count,
                               uint32_t *out) {
    WEND__ALIVE(map, "the map");
    wend_error error = wend__check_mover(map, mover);
    if (!error) error = check_points(map, points, count);
    if (error) return error;
    wend__version *v = wend__map_newest(map);
    const wend__obstacles ground = wend__ground_of(map, v, mover, false, cell_of(points[0]));
    const int32_t clearance = line_clearance(&ground, wend__version_view(v, mover), points, count);
    wend__map_release(v, false);
    if (out) *out = (uint32_t)clearance;
    return WEND_OK;
}
