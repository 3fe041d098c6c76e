/* SPDX-License-Identifier: MIT */
/* Rounding a pulled line: a curve in place of each corner or piece, where all chords of its samples can be walked; else
 * the line stays straight there. */
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "map/version/version.h"
#include "motion/round/curve.h"
#include "motion/round/point_sight.h"

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

/* Does a line lead from turn i to the next? Else a link does, or a step that the map does not allow. */
static bool is_line(const rounding *r, size_t i) {
    wend_cell a = r->turns[i].cell, b = r->turns[i + 1].cell, end = wend__sight_end(r->view, a, b);
    const wend__version *v = r->version;
    if (a.x == b.x && a.y == b.y && a.z == b.z) return false;
    if (wend__links_cost(v->links, wend__cell_number(v, a), wend__cell_number(v, b)) > 0) return false;
    return end.x == b.x && end.y == b.y && end.z == b.z;
}

/* Can all chords of the curve be walked, and the lines to and from it? */
static bool is_clear(const rounding *r, const wend__curve *curve, wend_point before, wend_point after) {
    wend_point at = before;
    for (uint32_t i = 0; i <= curve->samples; i++) {
        wend_point next = wend__curve_sample(curve, i);
        bool moves = next.x != at.x || next.y != at.y || next.z != at.z;
        if (moves && !wend__points_see(r->view, at, next)) return false;
        at = next;
    }
    bool moves = after.x != at.x || after.y != at.y || after.z != at.z;
    return !moves || wend__points_see(r->view, at, after);
}

static void give_curve(rounding *r, const wend__curve *curve) {
    for (uint32_t i = 0; i <= curve->samples; i++) give_point(r, wend__curve_sample(curve, i));
}

static wend_point centre_of(const rounding *r, size_t i) {
    return wend__centre(r->turns[i].cell);
}

/* ---- arcs ---- */

/* Smaller arcs are tried before the corner stays. */
static void round_corner(rounding *r, size_t i) {
    wend_point before = centre_of(r, i - 1), corner = centre_of(r, i), after = centre_of(r, i + 1);
    double radius = r->def.radius_milli;
    for (int tries = 0; tries <= HALVINGS; tries++, radius /= 2) {
        wend__curve curve;
        if (!wend__curve_arc(before, corner, after, radius, r->def.spacing_milli, &curve)) break;
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
            wend__curve curve;
            wend__curve_spline(a, b, c, d, r->def.spacing_milli, &curve);
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
    if (theirs && !WEND__TAKE(wend_round_def, spacing_milli, &r.def, theirs)) return WEND_BAD_ARGUMENT;
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
