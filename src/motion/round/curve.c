/* SPDX-License-Identifier: MIT */
/* Arcs and splines. No operation here may be contracted to a fused one: configure says so to the compiler. */
#include "motion/round/curve.h"

#include <string.h>

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

static void take(double out[3], wend_point p) {
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

/* A circle's arc is a rational curve of degree 2 whose corner has the weight of the sine of half the angle. */
bool wend__curve_arc(wend_point before, wend_point corner, wend_point after, double radius, double spacing,
                     wend__curve *out) {
    double a[3], p[3], b[3], to_a[3], to_b[3];
    take(a, before), take(p, corner), take(b, after);
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

static void arc_at(const wend__curve *c, double t, double out[3]) {
    double u = 1 - t, first = u * u, corner = 2 * u * t * c->weight, last = t * t, sum = first + corner + last;
    for (int i = 0; i < 3; i++)
        out[i] = (first * c->point[0][i] + corner * c->point[1][i] + last * c->point[2][i]) / sum;
}

/* ---- splines ---- */

void wend__curve_spline(wend_point a, wend_point b, wend_point c, wend_point d, double spacing, wend__curve *out) {
    const wend_point points[4] = {a, b, c, d};
    out->knot[0] = 0;
    for (int i = 0; i < 4; i++) {
        take(out->point[i], points[i]);
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
static void spline_at(const wend__curve *c, double part, double out[3]) {
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

wend_point wend__curve_sample(const wend__curve *curve, uint32_t i) {
    double at[3], t = (double)i / curve->samples;
    if (curve->spline)
        spline_at(curve, t, at);
    else
        arc_at(curve, t, at);
    return (wend_point){rounded(at[0]), rounded(at[1]), rounded(at[2])};
}
