/* SPDX-License-Identifier: MIT */
/* Rounding a pulled line: a curve in place of each corner or piece, where all chords of its samples can be walked; else
 * the line stays straight there. */
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "map/version/version.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <wend/geometry.h>

/// A piece of a curve: a point for each t from 0 to 1.
typedef struct curve_piece {
    double point[4][3]; ///< arc: begin, corner, end; spline: four points, the curve goes from the second to the third
    double knot[4];     ///< spline
    double weight;      ///< arc: of the corner
    bool spline;
    uint32_t samples; ///< chords that the piece is cut into
} curve_piece;

/* Line of sight between points, exact: which borders of cells the line crosses, in order, in integers. Crossing from a
 * cell to a neighbour is allowed where the centres of both see each other. */

enum { MILLI = 1000, HALF = 500 };

/* One axis of a line. Coordinates are shifted by half a cell, so that borders are multiples of 1000. */
typedef struct axis {
    int32_t cell, sign;
    int64_t to_border; ///< from the start to the next border
    int64_t way;       ///< from the start to the end
} axis;

static int32_t floor_cell(int64_t shifted) {
    return (int32_t)(shifted >= 0 ? shifted / MILLI : -((-shifted + MILLI - 1) / MILLI));
}

/* A start on a border counts to the cell ahead. False: the line runs along a border. */
static bool begin_axis(axis *a, int32_t from, int32_t to) {
    int64_t start = (int64_t)from + HALF, way = (int64_t)to - from;
    a->sign = way < 0 ? -1 : 1;
    a->way = way * a->sign;
    a->cell = way < 0 ? -floor_cell(-start) - 1 : floor_cell(start);
    a->to_border = way < 0 ? start - (int64_t)a->cell * MILLI : ((int64_t)a->cell + 1) * MILLI - start;
    return way != 0 || start - (int64_t)a->cell * MILLI != 0;
}

/* Compares when the line reaches the next border of one axis and of another. -1: before; 0: at once; 1: later. */
static int32_t compare_borders(const axis *a, const axis *b) {
    int64_t left = a->to_border * b->way, right = b->to_border * a->way;
    return (left > right) - (left < right);
}

/* A border that the line just reaches with its end is crossed, too, as the next line may begin there. */
static bool has_border(const axis *a) {
    return a->way > 0 && a->to_border <= a->way;
}

/* Cross the next borders, several at once at an edge or a corner. False: no border is left. */
static bool cross_next(axis axes[3]) {
    const axis *first = NULL;
    bool crosses[3];
    for (int i = 0; i < 3; i++)
        if (has_border(&axes[i]) && (!first || compare_borders(&axes[i], first) < 0)) first = &axes[i];
    if (!first) return false;
    for (int i = 0; i < 3; i++) crosses[i] = has_border(&axes[i]) && compare_borders(&axes[i], first) == 0;
    for (int i = 0; i < 3; i++) {
        if (!crosses[i]) continue;
        axes[i].cell += axes[i].sign;
        axes[i].to_border += MILLI;
    }
    return true;
}

static bool on_map(const wend__version *v, wend_cell c) {
    return wend__on_map(v, c.x, c.y) && c.z >= 0 && c.z < v->depth;
}

static wend_point centre(wend_cell cell) {
    return (wend_point){cell.x * MILLI, cell.y * MILLI, cell.z * MILLI};
}

/* Returns whether the mover can walk the straight line between two points. Refuses lines along the border of two cells.
 * @param view   what the mover sees of a version; no graph */
static bool points_see(const wend__version *view, wend_point a, wend_point b) {
    axis axes[3];
    if (!begin_axis(&axes[0], a.x, b.x) || !begin_axis(&axes[1], a.y, b.y) || !begin_axis(&axes[2], a.z, b.z))
        return false;
    wend_cell here = {axes[0].cell, axes[1].cell, axes[2].cell};
    if (!on_map(view, here) || wend__cell_factor(view, here) == 0) return false;
    while (cross_next(axes)) {
        wend_cell next = {axes[0].cell, axes[1].cell, axes[2].cell};
        if (!on_map(view, next)) return false;
        wend_cell end = wend__sight_end(view, here, next);
        if (end.x != next.x || end.y != next.y || end.z != next.z) return false;
        here = next;
    }
    return true;
}

wend_error wend_point_line_of_sight(const wend_map *map, int32_t mover, wend_point from, wend_point to,
                                    int32_t *visible) {
    wend_error error = wend__check_mover(map, mover);
    if (!error) error = wend__check_lines(map);
    if (error) return error;
    wend__version *v = wend__map_newest(map);
    bool seen = points_see(wend__version_view(v, mover), from, to);
    wend__map_release(v, false);
    if (visible) *visible = seen;
    return WEND_OK;
}

/* Arcs and splines. No operation here may be contracted to a fused one: configure passes that to the compiler. */

enum { MOST_SAMPLES = 65536 };

/* The square root by Newton's method, from half the exponent: libwend does without the mathematics library. */
static double root_of(double square) {
    uint64_t bits;
    double root;
    if (!(square > 0)) return 0;
    memcpy(&bits, &square, sizeof bits);
    bits = (bits >> 1) + (UINT64_C(1023) << 51);
    memcpy(&root, &bits, sizeof root);
    for (int i = 0; i < 5; i++) root = (root + square / root) / 2;
    return root;
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void copy_point(double out[3], wend_point p) {
    out[0] = p.x, out[1] = p.y, out[2] = p.z;
}

static double distance(const double a[3], const double b[3]) {
    const double way[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    return root_of(dot(way, way));
}

static uint32_t samples_of(double length, double spacing) {
    double count = length / spacing;
    return count >= MOST_SAMPLES ? MOST_SAMPLES : (uint32_t)count + 1;
}

/* ---- arcs ---- */

/* Computes an arc that rounds a corner. It begins and ends at most half way to the neighbours. A circle's arc is a
 * rational curve of degree 2 with the corner weighted by the sine of half the angle.
 * @return false: the three points lie on one line */
static bool arc_of(wend_point before, wend_point corner, wend_point after, double radius, double spacing,
                   curve_piece *out) {
    double a[3], p[3], b[3], to_a[3], to_b[3];
    copy_point(a, before), copy_point(p, corner), copy_point(b, after);
    double length_a = distance(p, a), length_b = distance(p, b);
    if (length_a == 0 || length_b == 0) return false;
    for (int i = 0; i < 3; i++) to_a[i] = (a[i] - p[i]) / length_a, to_b[i] = (b[i] - p[i]) / length_b;
    double cosine = dot(to_a, to_b), below = 1 + cosine, above = 1 - cosine;
    if (below < 1e-9 || above < 1e-9) return false; /* straight on, or straight back */
    double reach = radius * root_of(below / above), most = (length_a < length_b ? length_a : length_b) / 2;
    if (reach > most) reach = most;
    for (int i = 0; i < 3; i++) {
        out->point[0][i] = p[i] + to_a[i] * reach;
        out->point[1][i] = p[i];
        out->point[2][i] = p[i] + to_b[i] * reach;
    }
    out->weight = root_of(above / 2);
    out->spline = false;
    out->samples = samples_of(2 * reach, spacing);
    return true;
}

static void arc_at(const curve_piece *c, double t, double out[3]) {
    double u = 1 - t, first = u * u, corner = 2 * u * t * c->weight, last = t * t, sum = first + corner + last;
    for (int i = 0; i < 3; i++)
        out[i] = (first * c->point[0][i] + corner * c->point[1][i] + last * c->point[2][i]) / sum;
}

/* ---- splines ---- */

/* The piece of a centripetal Catmull-Rom spline from b to c (Yuksel, Schaefer and Keyser 2011). */
static void spline_of(wend_point a, wend_point b, wend_point c, wend_point d, double spacing, curve_piece *out) {
    const wend_point points[4] = {a, b, c, d};
    out->knot[0] = 0;
    for (int i = 0; i < 4; i++) {
        copy_point(out->point[i], points[i]);
        if (i > 0) out->knot[i] = out->knot[i - 1] + root_of(distance(out->point[i - 1], out->point[i]));
    }
    out->spline = true;
    out->samples = samples_of(distance(out->point[1], out->point[2]), spacing);
}

static void between(const double a[3], double at_a, const double b[3], double at_b, double t, double out[3]) {
    double part = (t - at_a) / (at_b - at_a);
    for (int i = 0; i < 3; i++) out[i] = a[i] + (b[i] - a[i]) * part;
}

/* The pyramid of Barry and Goldman 1988. */
static void spline_at(const curve_piece *c, double part, double out[3]) {
    const double *k = c->knot, t = k[1] + (k[2] - k[1]) * part;
    double low[3][3], middle[2][3];
    for (int i = 0; i < 3; i++) between(c->point[i], k[i], c->point[i + 1], k[i + 1], t, low[i]);
    for (int i = 0; i < 2; i++) between(low[i], k[i], low[i + 1], k[i + 2], t, middle[i]);
    between(middle[0], k[1], middle[1], k[2], t, out);
}

/* ---- samples ---- */

static int32_t rounded(double x) {
    return x < 0 ? -(int32_t)(0.5 - x) : (int32_t)(x + 0.5);
}

/* Sample i, from 0 to `samples`, rounded to thousandths. */
static wend_point sample_of(const curve_piece *curve, uint32_t i) {
    double at[3], t = (double)i / curve->samples;
    if (curve->spline)
        spline_at(curve, t, at);
    else
        arc_at(curve, t, at);
    return (wend_point){rounded(at[0]), rounded(at[1]), rounded(at[2])};
}

enum { RADIUS = 1000, SPACING = 250, HALVINGS = 3 };

void wend_round_def_init(wend_round_def *def, size_t bytes) {
    const wend_round_def own = {.struct_bytes = sizeof own,
                                .kind = WEND_ROUND_ARC,
                                .mover = WEND_MOVER_DEFAULT,
                                .radius_milli = RADIUS,
                                .spacing_milli = SPACING};
    wend__sized_init(def, bytes, &own, sizeof own);
}

typedef struct rounding {
    const wend__version *version, *view;
    wend_round_def def;
    const wend_turn *turns;
    size_t turn_count;
    wend_point *out;
    size_t capacity, count;
    wend_point last; ///< given last
} rounding;

static void give_point(rounding *r, wend_point p) {
    if (r->count && p.x == r->last.x && p.y == r->last.y && p.z == r->last.z) return;
    if (r->count < r->capacity) r->out[r->count] = p;
    r->count++;
    r->last = p;
}

/* Returns whether a line leads from turn i to the next. Else a link does, or a step that the map does not allow. */
static bool is_line(const rounding *r, size_t i) {
    wend_cell a = r->turns[i].cell, b = r->turns[i + 1].cell, end = wend__sight_end(r->view, a, b);
    const wend__version *v = r->version;
    if (a.x == b.x && a.y == b.y && a.z == b.z) return false;
    if (wend__links_cost(v->links, wend__cell_number(v, a), wend__cell_number(v, b)) > 0) return false;
    return end.x == b.x && end.y == b.y && end.z == b.z;
}

/* Returns whether all chords of the curve, and the lines to and from it, can be walked. */
static bool is_clear(const rounding *r, const curve_piece *curve, wend_point before, wend_point after) {
    wend_point at = before;
    for (uint32_t i = 0; i <= curve->samples; i++) {
        wend_point next = sample_of(curve, i);
        bool moves = next.x != at.x || next.y != at.y || next.z != at.z;
        if (moves && !points_see(r->view, at, next)) return false;
        at = next;
    }
    bool moves = after.x != at.x || after.y != at.y || after.z != at.z;
    return !moves || points_see(r->view, at, after);
}

static void give_curve(rounding *r, const curve_piece *curve) {
    for (uint32_t i = 0; i <= curve->samples; i++) give_point(r, sample_of(curve, i));
}

static wend_point centre_of(const rounding *r, size_t i) {
    return centre(r->turns[i].cell);
}

/* ---- arcs ---- */

/* Smaller arcs are tried before the corner stays. */
static void round_corner(rounding *r, size_t i) {
    wend_point before = centre_of(r, i - 1), corner = centre_of(r, i), after = centre_of(r, i + 1);
    double radius = r->def.radius_milli;
    for (int tries = 0; tries <= HALVINGS; tries++, radius /= 2) {
        curve_piece curve;
        if (!arc_of(before, corner, after, radius, r->def.spacing_milli, &curve)) break;
        if (!is_clear(r, &curve, r->last, after)) continue;
        give_curve(r, &curve);
        return;
    }
    give_point(r, corner);
}

static void round_arcs(rounding *r) {
    for (size_t i = 0; i < r->turn_count; i++) {
        bool inside = i > 0 && i + 1 < r->turn_count;
        if (inside && is_line(r, i - 1) && is_line(r, i))
            round_corner(r, i);
        else
            give_point(r, centre_of(r, i));
    }
}

/* ---- splines ---- */

/* As far beyond p as q lies before it. */
static wend_point beyond(wend_point p, wend_point q) {
    return (wend_point){2 * p.x - q.x, 2 * p.y - q.y, 2 * p.z - q.z};
}

static void round_spline(rounding *r) {
    give_point(r, centre_of(r, 0));
    for (size_t i = 0; i + 1 < r->turn_count; i++) {
        wend_point b = centre_of(r, i), c = centre_of(r, i + 1);
        bool from_line = i > 0 && is_line(r, i - 1), to_line = i + 2 < r->turn_count && is_line(r, i + 1);
        if (is_line(r, i)) {
            wend_point a = from_line ? centre_of(r, i - 1) : beyond(b, c),
                       d = to_line ? centre_of(r, i + 2) : beyond(c, b);
            curve_piece curve;
            spline_of(a, b, c, d, r->def.spacing_milli, &curve);
            if (is_clear(r, &curve, b, c)) give_curve(r, &curve);
        }
        give_point(r, c);
    }
}

/* ---- public ---- */

static wend_error check_arguments(const wend_map *map, const wend_round_def *def, const wend_turn *turns,
                                  size_t count) {
    wend_error error = wend__check_list("turns", turns, count);
    if (!error) error = wend__check_range("kind", def->kind, WEND_ROUND_ARC, WEND_ROUND_SPLINE);
    if (!error) error = wend__check_mover(map, def->mover);
    if (!error) error = wend__check_range("radius_milli", def->radius_milli, 0, WEND_MAX_ROUND);
    if (!error) error = wend__check_range("spacing_milli", def->spacing_milli, 1, WEND_MAX_ROUND);
    if (!error) error = wend__check_lines(map);
    for (size_t i = 0; i < count && !error; i++) error = wend__check_cell(map, "the cell of a turn", turns[i].cell);
    return error;
}

wend_error wend_path_round(const wend_map *map, const wend_round_def *theirs, const wend_turn *turns, size_t turn_count,
                           wend_point *points, size_t capacity, size_t *count) {
    rounding r = {.turns = turns, .turn_count = turn_count, .out = points, .capacity = capacity};
    wend_round_def_init(&r.def, sizeof r.def);
    if (theirs && !WEND__READ_STRUCT(wend_round_def, spacing_milli, &r.def, theirs)) return WEND_BAD_ARGUMENT;
    wend_error error = wend__check_room("points", points, capacity);
    if (!error) error = check_arguments(map, &r.def, turns, turn_count);
    if (error) return error;
    wend__version *v = wend__map_newest(map);
    r.version = v;
    r.view = wend__version_view(v, r.def.mover);
    if (r.def.kind == WEND_ROUND_ARC)
        round_arcs(&r);
    else
        round_spline(&r);
    wend__map_release(v, false);
    if (count) *count = r.count;
    return WEND_OK;
}

/* Each square fits in 64 bits, their sum may not. */
static bool is_within(wend_point a, wend_point b, uint64_t most_squared) {
    const uint64_t x = wend__distance(a.x, b.x), y = wend__distance(a.y, b.y), z = wend__distance(a.z, b.z);
    if (x * x > most_squared || y * y > most_squared - x * x) return false;
    return z * z <= most_squared - x * x - y * y;
}

wend_error wend_waypoint_next(const wend_map *map, int32_t mover, const wend_point *points, size_t count, wend_point at,
                              uint32_t radius_milli, size_t *index) {
    wend_error error = wend__check_list("points", points, count);
    if (!error && !index) error = wend__refuse_null("index");
    if (!error) error = wend__check_size("index", *index, 0, count - 1);
    if (error) return error;
    const uint64_t most = (uint64_t)radius_milli * radius_milli;
    while (*index + 1 < count) {
        if (!is_within(points[*index], at, most)) break;
        int32_t visible;
        error = wend_point_line_of_sight(map, mover, at, points[*index + 1], &visible);
        if (error) return error;
        const bool reached = is_within(points[*index], at, 0);
        if (!visible && !reached) break;
        ++*index;
    }
    return WEND_OK;
}
