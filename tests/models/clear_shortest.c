/* SPDX-License-Identifier: MIT */
/* A shortest way of a disc goes along lines that touch two circles round corners of blocked cells, and along arcs of
 * these circles. So A* over such lines finds it (Liu and Arimoto 1992). Arcs are looked at in samples, so a way may be
 * found that is not there, and the answer is never too long. */
#include "models/clear_shortest.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define TOLERANCE 1e-7

typedef struct circle {
    double x, y, turn; ///< turn: the radius where the way turns to larger angles; less than 0: to smaller ones
} circle;

/// A way up to the end of a line, where it touches a circle at an angle.
typedef struct state {
    double g, f, angle;
    int circle;
    bool closed;
} state;

typedef struct plan {
    const clear_ground *ground;
    double radius, limit;
    circle *circles; ///< the first is the start, the second the goal
    int circle_count;
    state *states;
    int state_count, state_room;
} plan;

static bool is_open(const clear_ground *g, int x, int y) {
    return x >= 0 && y >= 0 && x < g->width && y < g->height && g->open[y * g->width + x];
}

static bool bends(const clear_ground *g, int x, int y) {
    const int nw = !is_open(g, x, y), ne = !is_open(g, x + 1, y), sw = !is_open(g, x, y + 1),
              se = !is_open(g, x + 1, y + 1);
    return nw + ne + sw + se == 1 || (nw + ne + sw + se == 2 && nw == se);
}

/* ---- sight ---- */

static double from_piece(double ax, double ay, double bx, double by, double px, double py) {
    const double dx = bx - ax, dy = by - ay, square = dx * dx + dy * dy;
    double part = square > 0 ? ((px - ax) * dx + (py - ay) * dy) / square : 0;
    part = fmin(1, fmax(0, part));
    return hypot(ax + dx * part - px, ay + dy * part - py);
}

/* Returns whether a piece passes through the inside of a cell. */
static bool crosses(double ax, double ay, double bx, double by, int x, int y) {
    const double from[2] = {ax, ay}, way[2] = {bx - ax, by - ay}, centre[2] = {x, y};
    double low = 0, high = 1;
    for (int k = 0; k < 2; k++) {
        const double first = centre[k] - .5 + TOLERANCE - from[k], last = centre[k] + .5 - TOLERANCE - from[k];
        if (way[k] == 0) {
            if (first > 0 || last < 0) return false;
            continue;
        }
        low = fmax(low, fmin(first / way[k], last / way[k]));
        high = fmin(high, fmax(first / way[k], last / way[k]));
    }
    return low < high;
}

static bool near_cell(double ax, double ay, double bx, double by, int x, int y, double radius) {
    for (int k = 0; k < 4; k++)
        if (from_piece(ax, ay, bx, by, x + (k & 1 ? .5 : -.5), y + (k & 2 ? .5 : -.5)) < radius - TOLERANCE)
            return true;
    return crosses(ax, ay, bx, by, x, y);
}

static bool sees(const plan *p, double ax, double ay, double bx, double by) {
    const double reach = p->radius + 1.5, length = hypot(bx - ax, by - ay);
    const int x0 = (int)floor(fmin(ax, bx) - reach), x1 = (int)ceil(fmax(ax, bx) + reach);
    const int y0 = (int)floor(fmin(ay, by) - reach), y1 = (int)ceil(fmax(ay, by) + reach);
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            if (is_open(p->ground, x, y)) continue;
            const double across = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length;
            if (fabs(across) > reach) continue;
            if (near_cell(ax, ay, bx, by, x, y, p->radius)) return false;
        }
    /* and its ends within the sides of cells */
    return clear_distance(p->ground, ax, ay, p->radius) >= p->radius - TOLERANCE &&
           clear_distance(p->ground, bx, by, p->radius) >= p->radius - TOLERANCE;
}

static bool arc_clear(const plan *p, const circle *c, double from, double turn) {
    const double sign = c->turn < 0 ? -1 : 1;
    for (double done = 0; done < turn; done += PI / 60) {
        const double at = from + sign * done; /* the way's angle; the centre lies to its side */
        const double x = c->x + c->turn * sin(at), y = c->y - c->turn * cos(at);
        if (clear_distance(p->ground, x, y, p->radius) < p->radius - 1e-6) return false;
    }
    return true;
}

/* ---- A* ---- */

static void add_state(plan *p, state s) {
    if (s.f >= p->limit) return;
    if (p->state_count == p->state_room)
        p->states = realloc(p->states, (size_t)(p->state_room = 2 * p->state_room + 64) * sizeof *p->states);
    p->states[p->state_count++] = s;
}

static double turn_between(const circle *c, double from, double to) {
    double turn = (c->turn < 0 ? from - to : to - from);
    while (turn < -1e-9) turn += 2 * PI;
    while (turn >= 2 * PI - 1e-9) turn -= 2 * PI;
    return fmax(0, turn);
}

static void extend(plan *p, const state *from, int next) {
    const circle *a = &p->circles[from->circle], *b = &p->circles[next];
    const double dx = b->x - a->x, dy = b->y - a->y, apart = hypot(dx, dy), radii = b->turn - a->turn;
    if (apart < fabs(radii) || apart == 0) return;
    const double angle = atan2(dy, dx) - asin(radii / apart), length = sqrt(apart * apart - radii * radii);
    const double turn = from->circle == 0 ? 0 : turn_between(a, from->angle, angle);
    if (turn > PI) return;
    const double g = from->g + turn * fabs(a->turn) + length, c = cos(angle), s = sin(angle);
    const double ax = a->x + a->turn * s, ay = a->y - a->turn * c, bx = b->x + b->turn * s, by = b->y - b->turn * c;
    const double f = g + fmax(0, hypot(p->circles[1].x - bx, p->circles[1].y - by));
    if (f >= p->limit) return;
    if (length > 1e-9 && !sees(p, ax, ay, bx, by)) return;
    if (!arc_clear(p, a, from->angle, turn)) return;
    add_state(p, (state){.g = g, .f = f, .angle = angle, .circle = next});
}

/* Returns whether there is a way to the same circle that is no longer after the same turn. */
static bool dominated(const plan *p, const state *s) {
    const circle *c = &p->circles[s->circle];
    for (int i = 0; i < p->state_count; i++) {
        const state *other = &p->states[i];
        if (!other->closed || other->circle != s->circle) continue;
        const double turn = turn_between(c, other->angle, s->angle);
        if (turn <= PI && other->g + turn * fabs(c->turn) <= s->g + 1e-12 && arc_clear(p, c, other->angle, turn))
            return true;
    }
    return false;
}

static double search(plan *p) {
    add_state(p, (state){.f = hypot(p->circles[1].x - p->circles[0].x, p->circles[1].y - p->circles[0].y)});
    for (;;) {
        int best = -1;
        for (int i = 0; i < p->state_count; i++)
            if (!p->states[i].closed && (best < 0 || p->states[i].f < p->states[best].f)) best = i;
        if (best < 0) return p->limit;
        const state at = p->states[best];
        if (at.circle == 1) return at.g;
        if (dominated(p, &at)) {
            p->states[best] = p->states[--p->state_count];
            continue;
        }
        p->states[best].closed = true;
        for (int i = 1; i < p->circle_count; i++)
            if (i != at.circle) extend(p, &at, i);
    }
}

double clear_shortest(const clear_ground *ground, double radius, wend_cell from, wend_cell to, double limit) {
    plan p = {.ground = ground, .radius = radius, .limit = limit};
    p.circles = malloc(((size_t)(ground->width + 1) * (size_t)(ground->height + 1) * 2 + 2) * sizeof *p.circles);
    p.circles[0] = (circle){from.x, from.y, 0}, p.circles[1] = (circle){to.x, to.y, 0};
    p.circle_count = 2;
    for (int y = 0; y + 1 < ground->height; y++)
        for (int x = 0; x + 1 < ground->width; x++) {
            const double way = hypot(x + .5 - from.x, y + .5 - from.y) + hypot(x + .5 - to.x, y + .5 - to.y);
            if (!bends(ground, x, y) || way - 2 * radius >= limit) continue;
            p.circles[p.circle_count++] = (circle){x + .5, y + .5, radius};
            p.circles[p.circle_count++] = (circle){x + .5, y + .5, -radius};
        }
    const double length = search(&p);
    free(p.circles);
    free(p.states);
    return length;
}
