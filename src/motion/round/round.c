/* SPDX-License-Identifier: MIT */
/* Rounds a pulled line: replaces each corner or piece by a curve, if all chords of its samples can be walked; else the
 * line stays straight there. */
#include "map/ground/ground.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "map/version/version.h"
#include "motion/clear/clearance.h"
#include "motion/clear/point_line.h"
#include "motion/round/real_root.h"
#include "motion/round/turning.h"

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

enum { MILLI = 1000 };

static wend_point point_of(const wend_turn *turn) {
    const wend_cell c = turn->cell;
    return (wend_point){c.x * MILLI + turn->offset_x, c.y * MILLI + turn->offset_y, c.z * MILLI};
}

/* ---- arcs and splines ---- */

/* No operation below may be contracted to a fused one: configure passes that to the compiler. */

enum { MOST_SAMPLES = 65536 };

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void copy_point(double out[3], wend_point p) {
    out[0] = p.x, out[1] = p.y, out[2] = p.z;
}

static double distance(const double a[3], const double b[3]) {
    const double way[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    return wend__real_root(dot(way, way));
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
    double reach = radius * wend__real_root(below / above), most = (length_a < length_b ? length_a : length_b) / 2;
    if (reach > most) reach = most;
    for (int i = 0; i < 3; i++) {
        out->point[0][i] = p[i] + to_a[i] * reach;
        out->point[1][i] = p[i];
        out->point[2][i] = p[i] + to_b[i] * reach;
    }
    out->weight = wend__real_root(above / 2);
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
        if (i > 0) out->knot[i] = out->knot[i - 1] + wend__real_root(distance(out->point[i - 1], out->point[i]));
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
    WEND__DEBUG_ASSERT(i <= curve->samples && curve->samples > 0);
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
    wend__obstacles ground; ///< obstacles of a flat grid
    wend_round_def def;
    const wend_turn *turns;
    size_t turn_count;
    wend_point *out;
    size_t capacity, count;
    wend_point last; ///< last point given to the host
} rounding;

static void give_point(rounding *r, wend_point p) {
    if (r->count && p.x == r->last.x && p.y == r->last.y && p.z == r->last.z) return;
    if (r->count < r->capacity) r->out[r->count] = p;
    r->count++;
    r->last = p;
}

static wend_point point_at(const rounding *r, size_t i) {
    return point_of(&r->turns[i]);
}

static bool same_point(wend_point a, wend_point b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool keeps_distance(const rounding *r, wend_point a, wend_point b, int32_t distance) {
    const int32_t shift = r->ground.shift;
    const wend__milli_point from = {a.x + shift, a.y + shift}, to = {b.x + shift, b.y + shift};
    return wend__piece_clearance(&r->ground, from, to, distance) >= distance;
}

static bool has_offset(const wend_turn *turn) {
    return turn->offset_x != 0 || turn->offset_y != 0;
}

/* Returns whether a line leads from turn i to the next. Else a link does, or a step that the map does not allow. */
static bool is_line(const rounding *r, size_t i) {
    const wend_turn *turn = &r->turns[i];
    wend_cell a = turn[0].cell, b = turn[1].cell;
    const wend__version *v = r->version;
    if (has_offset(&turn[0]) || has_offset(&turn[1])) return keeps_distance(r, point_at(r, i), point_at(r, i + 1), 1);
    const wend_cell way = wend__place_difference(v, a, b);
    if (wend__same_cell(a, b)) return false;
    if (way.x != b.x - a.x || way.y != b.y - a.y) return false; /* over the rim of the map, or to another sheet */
    const wend__link *link = wend__links_find(v->links, wend__cell_number(v, a), wend__cell_number(v, b));
    if (link && wend__link_serves(r->view, link)) return false;
    return wend__same_cell(wend__sight_end(r->view, a, b), b);
}

static bool chord_clear(const rounding *r, wend_point a, wend_point b) {
    if (same_point(a, b)) return true;
    const int32_t clearance = (int32_t)r->def.clearance_milli;
    return clearance > 0 ? keeps_distance(r, a, b, clearance) : wend__points_see(r->view, a, b);
}

/* Returns whether all chords of the curve, and the lines to and from it, can be walked. */
static bool is_clear(const rounding *r, const curve_piece *curve, wend_point before, wend_point after) {
    wend_point at = before;
    for (uint32_t i = 0; i <= curve->samples; i++) {
        wend_point next = sample_of(curve, i);
        if (!chord_clear(r, at, next)) return false;
        at = next;
    }
    return chord_clear(r, at, after);
}

static void give_curve(rounding *r, const curve_piece *curve) {
    for (uint32_t i = 0; i <= curve->samples; i++) give_point(r, sample_of(curve, i));
}

/* ---- arcs ---- */

/* Smaller arcs are tried before the corner stays. */
static void round_corner(rounding *r, size_t i) {
    wend_point before = point_at(r, i - 1), corner = point_at(r, i), after = point_at(r, i + 1);
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
            give_point(r, point_at(r, i));
    }
}

/* ---- splines ---- */

/* Returns the point as far beyond p as q lies before it. */
static wend_point beyond(wend_point p, wend_point q) {
    return (wend_point){2 * p.x - q.x, 2 * p.y - q.y, 2 * p.z - q.z};
}

static void round_spline(rounding *r) {
    give_point(r, point_at(r, 0));
    for (size_t i = 0; i + 1 < r->turn_count; i++) {
        wend_point b = point_at(r, i), c = point_at(r, i + 1);
        bool from_line = i > 0 && is_line(r, i - 1), to_line = i + 2 < r->turn_count && is_line(r, i + 1);
        if (is_line(r, i)) {
            wend_point a = from_line ? point_at(r, i - 1) : beyond(b, c),
                       d = to_line ? point_at(r, i + 2) : beyond(c, b);
            curve_piece curve;
            spline_of(a, b, c, d, r->def.spacing_milli, &curve);
            if (is_clear(r, &curve, b, c)) give_curve(r, &curve);
        }
        give_point(r, c);
    }
}

/* ---- turning circles ---- */

static void give_spot(void *context, wend__milli_point spot) {
    rounding *r = context;
    give_point(r, (wend_point){spot.x - r->ground.shift, spot.y - r->ground.shift, 0});
}

static wend_error round_for_vehicle(rounding *r) {
    const wend__vehicle vehicle = {.ground = &r->ground,
                                   .clearance = (int32_t)r->def.clearance_milli,
                                   .turning = (int32_t)r->def.turning_milli,
                                   .spacing = (int32_t)r->def.spacing_milli,
                                   .heading = {r->def.heading_x, r->def.heading_y},
                                   .give = give_spot,
                                   .context = r};
    for (size_t i = 0; i + 1 < r->turn_count; i++)
        if (!is_line(r, i)) return wend__refuse(WEND_UNSUPPORTED, "no line leads from turns[%zu] to the next", i);
    return wend__vehicle_round(&vehicle, r->turns, r->turn_count);
}

/* ---- public ---- */

static wend_error check_turning(const wend_round_def *def) {
    wend_error error = wend__check_range("turning_milli", def->turning_milli, 0, WEND_MAX_TURNING);
    if (!error) error = wend__check_range("heading_x", def->heading_x, -WEND_MAX_ROUND, WEND_MAX_ROUND);
    if (!error) error = wend__check_range("heading_y", def->heading_y, -WEND_MAX_ROUND, WEND_MAX_ROUND);
    if (error || def->turning_milli == 0 || def->kind == WEND_ROUND_ARC) return error;
    return wend__refuse(WEND_BAD_ARGUMENT, "turning_milli is %u, but only arcs have a least radius of turning",
                        (unsigned)def->turning_milli);
}

static wend_error check_kind(const wend_map *map, const wend_round_def *def) {
    if (map->kind == WEND_KIND_GRID || (def->clearance_milli == 0 && def->turning_milli == 0)) return WEND_OK;
    return wend__refuse(WEND_UNSUPPORTED, "clearance_milli and turning_milli are for flat grids only");
}

static wend_error check_turn(const wend_map *map, const wend_turn *turn) {
    const int32_t most = map->kind == WEND_KIND_GRID ? MILLI / 2 : 0;
    wend_error error = wend__check_cell(map, "the cell of a turn", turn->cell);
    if (!error) error = wend__check_range("offset_x", turn->offset_x, -most, most);
    if (!error) error = wend__check_range("offset_y", turn->offset_y, -most, most);
    return error;
}

static wend_error check_arguments(const wend_map *map, const wend_round_def *def, const wend_turn *turns,
                                  size_t count) {
    wend_error error = wend__check_list("turns", turns, count);
    if (!error) error = wend__check_range("kind", def->kind, WEND_ROUND_ARC, WEND_ROUND_SPLINE);
    if (!error) error = wend__check_mover(map, def->mover);
    if (!error) error = wend__check_range("radius_milli", def->radius_milli, 0, WEND_MAX_ROUND);
    if (!error) error = wend__check_range("spacing_milli", def->spacing_milli, 1, WEND_MAX_ROUND);
    if (!error) error = wend__check_range("clearance_milli", def->clearance_milli, 0, WEND_MAX_CLEARANCE);
    if (!error) error = check_turning(def);
    if (!error) error = wend__check_lines(map);
    if (!error) error = check_kind(map, def);
    for (size_t i = 0; i < count && !error; i++) error = check_turn(map, &turns[i]);
    return error;
}

wend_error wend_path_round(const wend_map *map, const wend_round_def *theirs, const wend_turn *turns, size_t turn_count,
                           wend_point *points, size_t capacity, size_t *count) {
    WEND__ALIVE(map, "the map");
    rounding r = {.turns = turns, .turn_count = turn_count, .out = points, .capacity = capacity};
    wend_round_def_init(&r.def, sizeof r.def);
    if (theirs && !WEND__READ_STRUCT(wend_round_def, heading_y, &r.def, theirs)) return WEND_BAD_ARGUMENT;
    wend_error error = wend__check_room("points", points, capacity);
    if (!error) error = check_arguments(map, &r.def, turns, turn_count);
    if (error) return error;
    wend__version *v = wend__map_newest(map);
    r.version = v;
    r.view = wend__version_view(v, r.def.mover);
    if (map->kind == WEND_KIND_GRID) r.ground = wend__ground_of(map, v, r.def.mover, false, turns[0].cell);
    if (r.def.turning_milli > 0)
        error = round_for_vehicle(&r);
    else if (r.def.kind == WEND_ROUND_ARC)
        round_arcs(&r);
    else
        round_spline(&r);
    wend__map_release(v, false);
    if (count && !error) *count = r.count;
    return error;
}

/* Each square fits in 64 bits, their sum may not. */
static bool is_within(wend_point a, wend_point b, uint64_t most_squared) {
    const uint64_t x = wend__distance(a.x, b.x), y = wend__distance(a.y, b.y), z = wend__distance(a.z, b.z);
    if (x * x > most_squared || y * y > most_squared - x * x) return false;
    return z * z <= most_squared - x * x - y * y;
}

wend_error wend_waypoint_next(const wend_map *map, int32_t mover, const wend_point *points, size_t count, wend_point at,
                              uint32_t radius_milli, size_t *index) {
    WEND__ALIVE(map, "the map");
    wend_error error = wend__check_list("points", points, count);
    if (!error && !index) error = wend__refuse_null("index");
    if (!error) error = wend__check_size("index", *index, 0, count - 1);
    if (error) return error;
    const uint64_t most = (uint64_t)radius_milli * radius_milli;
    while (*index + 1 < count) {
        if (!is_within(points[*index], at, most)) break;
        bool visible;
        error = wend_point_line_of_sight(map, mover, at, points[*index + 1], &visible);
        if (error) return error;
        const bool reached = is_within(points[*index], at, 0);
        if (!visible && !reached) break;
        ++*index;
    }
    return WEND_OK;
}
