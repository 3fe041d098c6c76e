/* SPDX-License-Identifier: MIT */
/* A curve for a vehicle: a chain of circles of its least radius, and the lines that touch each and the next.
 *
 * A pulled line turns at corners of obstacles. For each such corner the chain has a circle that holds the
 * disc of the clearance round the corner, and touches it on the outer side of the turn: so the vehicle swings out
 * before the corner. If the curve comes too near to another corner, that one gets a circle, too. */
#include "motion/round/real_root.h"
#include "motion/round/turning.h"
#include "motion/clear/clearance.h"

#include <stdbool.h>
#include <string.h>

/// MARGIN: points are rounded to thousandths. CLOSE: points nearer to each other give no reliable direction.
enum { MARGIN = 2, CLOSE = 20, MOST_TRIES = 200 };

typedef struct vector {
    double x, y;
} vector;

typedef struct circle {
    vector centre;
    double turn;              ///< the radius, less than 0 if the curve turns anticlockwise; 0: an end of the line
    wend__milli_point corner; ///< corner inside of the circle
    bool bare;                ///< `corner` is no corner of an obstacle, but a turn of the pulled line
    vector in, out;           ///< the directions of the pulled line before and after the corner
} circle;

/// A straight piece from a circle to the next.
typedef struct tangent {
    vector way, from, to; ///< way: of length 1
} tangent;

/// A point of the curve that is too near to a corner.
typedef struct conflict {
    bool found;
    uint32_t circle; ///< the corner's circle goes behind this one
    wend__milli_point corner;
    vector way;
    bool clockwise;
} conflict;

typedef struct drive {
    const wend__vehicle *vehicle;
    vector heading; ///< direction of length 1, or 0
    double length;  ///< length of the curve
    wend__milli_point last;
    bool begun, checks; ///< `checks`: points are compared with obstacles, and not output
    bool full;          ///< the line has more turns than there are circles
    conflict conflict;
    uint32_t count;
    circle circle[WEND__VEHICLE_TURNS + 2];
} drive;

/* ---- vectors; no operation may be contracted: see round.c ---- */

static double cross_of(vector a, vector b) {
    return a.x * b.y - a.y * b.x;
}

static double dot_of(vector a, vector b) {
    return a.x * b.x + a.y * b.y;
}

/* a + b x times */
static vector plus(vector a, vector b, double times) {
    return (vector){a.x + b.x * times, a.y + b.y * times};
}

static vector unit_of(vector a) {
    const double length = wend__real_root(dot_of(a, a));
    return length > 0 ? (vector){a.x / length, a.y / length} : a;
}

/* A quarter of a turn clockwise, as y points down. */
static vector side_of(vector way) {
    return (vector){-way.y, way.x};
}

static vector vector_of(wend__milli_point a) {
    return (vector){a.x, a.y};
}

static wend__milli_point rounded(vector a) {
    return (wend__milli_point){a.x < 0 ? -(int32_t)(0.5 - a.x) : (int32_t)(a.x + 0.5),
                               a.y < 0 ? -(int32_t)(0.5 - a.y) : (int32_t)(a.y + 0.5)};
}

/* ---- circles ---- */

/* Places the circle of a corner. It touches the disc of the clearance where the turn is half done. Without a corner, it
 * touches the pulled line before and after the turn. */
static void place_circle(const drive *d, circle *c, bool clockwise) {
    const double needed = d->vehicle->clearance > 0 ? d->vehicle->clearance + MARGIN : 0;
    const double turning = d->vehicle->turning, radius = turning > needed ? turning : needed;
    const vector inner = unit_of(plus(c->out, c->in, -1)), ahead = plus(c->out, c->in, 1);
    const double half = wend__real_root(dot_of(ahead, ahead)) / 2; /* the cosine of half the turn */
    c->centre = plus(vector_of(c->corner), inner, c->bare ? radius / (half < 0.25 ? 0.25 : half) : radius - needed);
    c->turn = clockwise ? radius : -radius;
}

/* Finds the line that leaves a circle and comes to the next. @return false: there is none */
static bool tangent_of(const circle *a, const circle *b, tangent *out) {
    const vector apart = plus(b->centre, a->centre, -1);
    const double square = dot_of(apart, apart), across = b->turn - a->turn;
    if (square <= across * across) return false;
    const double along = wend__real_root(square - across * across);
    out->way = (vector){(along * apart.x + across * apart.y) / square, (along * apart.y - across * apart.x) / square};
    out->from = plus(a->centre, side_of(out->way), -a->turn);
    out->to = plus(b->centre, side_of(out->way), -b->turn);
    return true;
}

static void drop_circle(drive *d, uint32_t i) {
    WEND__DEBUG_ASSERT(i > 0 && i + 1 < d->count);
    d->count--;
    memmove(&d->circle[i], &d->circle[i + 1], (d->count - i) * sizeof *d->circle);
}

static bool same_corner(const circle *c, wend__milli_point corner, bool clockwise) {
    return c->turn != 0 && c->corner.x == corner.x && c->corner.y == corner.y && (c->turn > 0) == clockwise;
}

/* ---- the curve ---- */

/* Outputs the piece to a point, or compares it with obstacles.
 * @param before   if that is too near to a corner, the corner's circle goes behind this one */
static void give_point(drive *d, vector at, uint32_t before, vector way) {
    const wend__milli_point point = rounded(at), last = d->begun ? d->last : point;
    const vector step = plus(vector_of(point), vector_of(last), -1);
    const double length = wend__real_root(dot_of(step, step));
    const int32_t most = d->vehicle->clearance > 0 ? d->vehicle->clearance : 1;
    wend__milli_point corner;
    if (d->begun && length < CLOSE && before + 2 < d->count) return;
    d->begun = true;
    d->last = point;
    d->length += length;
    if (!d->checks) d->vehicle->give(d->vehicle->context, point);
    if (!d->checks || d->conflict.found) return;
    if (wend__piece_nearest(d->vehicle->ground, last, point, most, &corner) >= most) return;
    const bool clockwise = cross_of(way, plus(vector_of(corner), at, -1)) > 0;
    d->conflict = (conflict){true, before, corner, way, clockwise};
}

/* An arc from one direction to another, in pieces that touch the circle from outside. */
static void give_arc(drive *d, uint32_t i, vector from, vector to) {
    WEND__DEBUG_ASSERT(i + 1 < d->count && d->circle[i].turn != 0);
    const circle *c = &d->circle[i];
    const double sign = c->turn < 0 ? -1 : 1, radius = c->turn * sign;
    double half = d->vehicle->spacing / (2 * radius); /* the tangent of half the angle of a piece */
    if (half > 0.1) half = 0.1;
    const double cosine = (1 - half * half) / (1 + half * half), sine = 2 * half / (1 + half * half) * sign;
    vector way = from;
    for (uint32_t before = i > 0 ? i - 1 : 0;; before = i) {
        const double turn = sign * cross_of(way, to), ahead = dot_of(way, to);
        const vector at = plus(c->centre, side_of(way), -c->turn);
        if (ahead > 0 && turn < 1e-9 && turn > -1e-6) break;
        if (turn >= 0 && ahead > cosine) {
            give_point(d, plus(at, way, radius * turn / (1 + ahead)), before, way);
            break;
        }
        give_point(d, plus(at, way, radius * half), before, way);
        way = unit_of((vector){way.x * cosine - way.y * sine, way.y * cosine + way.x * sine});
    }
}

/* Walks along the whole curve. @return false: two circles have no line between them */
static bool give_curve(drive *d) {
    vector way = d->heading;
    d->begun = false, d->length = 0, d->conflict.found = false;
    for (uint32_t i = 0; i + 1 < d->count; i++) {
        tangent t;
        if (!tangent_of(&d->circle[i], &d->circle[i + 1], &t)) return false;
        if (i == 0) give_point(d, vector_of(d->circle[0].corner), 0, t.way);
        if (d->circle[i].turn != 0) give_arc(d, i, way, t.way);
        if (i + 2 == d->count) give_point(d, t.to, i, t.way);
        way = t.way;
        if (d->conflict.found) return true;
    }
    return true;
}

/* ---- the chain ---- */

/* Drops the circles that the curve would have to turn back round. @return false: there is no such curve */
static bool drop_idle(drive *d) {
    for (uint32_t i = 1; i + 1 < d->count;) {
        tangent before, after;
        const circle *c = &d->circle[i];
        if (!tangent_of(c - 1, c, &before) || !tangent_of(c, c + 1, &after)) return false;
        const double turn = cross_of(before.way, after.way);
        const bool back = (c->turn < 0 ? turn > 0 : turn < 0) && dot_of(before.way, after.way) > 0;
        if (!back) {
            i++;
            continue;
        }
        drop_circle(d, i);
        if (i > 1) i--;
    }
    return true;
}

/* Adds a circle for the corner that the curve comes too near to. @return false: it has one, or there is no room */
static bool avoid(drive *d) {
    const conflict *at = &d->conflict;
    const uint32_t place = at->circle + 1;
    WEND__DEBUG_ASSERT(at->found && place < d->count);
    if (d->count == WEND__VEHICLE_TURNS + 2) return false;
    for (uint32_t i = 0; i < d->count; i++)
        if (same_corner(&d->circle[i], at->corner, at->clockwise)) return false;
    circle c = {.corner = at->corner, .in = at->way};
    c.out = plus(at->way, side_of(at->way), at->clockwise ? 1 : -1);
    c.in = plus(at->way, side_of(at->way), at->clockwise ? -1 : 1);
    place_circle(d, &c, at->clockwise);
    memmove(&d->circle[place + 1], &d->circle[place], (d->count - place) * sizeof *d->circle);
    d->circle[place] = c;
    d->count++;
    return true;
}

/* @return false: no curve was found */
static bool find_curve(drive *d) {
    d->checks = true;
    for (int32_t tries = 0; tries < MOST_TRIES; tries++) {
        if (!drop_idle(d) || !give_curve(d)) return false;
        if (!d->conflict.found) return true;
        if (!avoid(d)) return false;
    }
    return false;
}

static wend__milli_point spot_of(const wend__vehicle *vehicle, const wend_turn *turn) {
    const int32_t shift = vehicle->ground->shift;
    return (wend__milli_point){turn->cell.x * WEND__THOUSAND + turn->offset_x + shift,
                               turn->cell.y * WEND__THOUSAND + turn->offset_y + shift};
}

/* Adds the turn of the pulled line at b to the chain: the corner inside of the turn, or the point itself. */
static bool add_turn(drive *d, wend__milli_point a, wend__milli_point b, wend__milli_point c) {
    WEND__DEBUG_ASSERT(d->count > 0 && d->count <= WEND__VEHICLE_TURNS + 1);
    circle next = {.corner = b, .bare = true, .in = unit_of(plus(vector_of(b), vector_of(a), -1))};
    next.out = unit_of(plus(vector_of(c), vector_of(b), -1));
    const double turn = cross_of(next.in, next.out);
    const int32_t clearance = d->vehicle->clearance, most = clearance + clearance / 64 + MARGIN;
    wend__milli_point corner;
    if (turn > -1e-6 && turn < 1e-6) return dot_of(next.in, next.out) > 0;
    if (wend__piece_nearest(d->vehicle->ground, b, b, most, &corner) < most &&
        cross_of(next.in, plus(vector_of(corner), vector_of(b), -1)) * turn > 0)
        next.corner = corner, next.bare = false;
    circle *before = &d->circle[d->count - 1];
    if (same_corner(before, next.corner, turn > 0)) {
        before->out = next.out;
        place_circle(d, before, turn > 0);
        return true;
    }
    d->full = d->count > WEND__VEHICLE_TURNS;
    if (d->full) return false;
    place_circle(d, &next, turn > 0);
    d->circle[d->count++] = next;
    return true;
}

/* @param side   side of the first circle: 1: clockwise; -1: anticlockwise; 0: it begins straight on
 * @return false: it turns back, or too often */
static bool make_chain(drive *d, const wend_turn *turns, size_t count, int32_t side) {
    wend__milli_point a = spot_of(d->vehicle, &turns[0]), b = a;
    circle *start = &d->circle[0];
    *start = (circle){.corner = a, .turn = side * d->vehicle->turning};
    start->centre = plus(vector_of(a), side_of(d->heading), start->turn);
    d->count = 1;
    for (size_t i = 1; i < count; i++) {
        const wend__milli_point c = spot_of(d->vehicle, &turns[i]);
        if (c.x == b.x && c.y == b.y) continue;
        if ((a.x != b.x || a.y != b.y) && !add_turn(d, a, b, c)) return false;
        a = b, b = c;
    }
    WEND__DEBUG_ASSERT(d->count < WEND__VEHICLE_TURNS + 2);
    d->circle[d->count++] = (circle){.corner = b, .centre = vector_of(b)};
    return true;
}

wend_error wend__vehicle_round(const wend__vehicle *vehicle, const wend_turn *turns, size_t count) {
    drive d = {.vehicle = vehicle, .heading = unit_of(vector_of(vehicle->heading))};
    const bool free_heading = vehicle->heading.x == 0 && vehicle->heading.y == 0;
    const int32_t first = free_heading ? 0 : -1, last = free_heading ? 0 : 1;
    int32_t best = 2;
    double length = 0;
    for (int32_t side = first; side <= last; side += 2) {
        if (!make_chain(&d, turns, count, side) || !find_curve(&d)) continue;
        if (best == 2 || d.length < length) best = side, length = d.length;
    }
    if (d.full)
        return wend__refuse(WEND_UNSUPPORTED, "the line has more than %d turns for a vehicle", WEND__VEHICLE_TURNS);
    if (best == 2)
        return wend__refuse(WEND_BLOCKED, "no curve with turning_milli %d and clearance_milli %d was found",
                            (int)vehicle->turning, (int)vehicle->clearance);
    make_chain(&d, turns, count, best);
    find_curve(&d);
    d.checks = false;
    give_curve(&d);
    return WEND_OK;
}
