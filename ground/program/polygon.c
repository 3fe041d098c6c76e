/* SPDX-License-Identifier: MIT */
/* Cutting polygons into triangles, by ears: seen along the axis that is closest to its normal, a polygon loses one
 * corner after another whose triangle lies inside it. */
#include "polygon.h"

#include <math.h>
#include <stdbool.h>

#include "level.h"

enum { MAX_TESTS = 8 }; /* point tests per square of the corners: this bounds the time */

typedef struct flat_polygon {
    double x[LEVEL_MAX_CORNERS], y[LEVEL_MAX_CORNERS];
    uint16_t next[LEVEL_MAX_CORNERS], before[LEVEL_MAX_CORNERS];
    uint16_t concave[LEVEL_MAX_CORNERS], concave_count; /* corners that may have become convex since */
    uint32_t tests_left;
} flat_polygon;

static void write_triangle(uint32_t **to, uint32_t a, uint32_t b, uint32_t c) {
    (*to)[0] = a, (*to)[1] = b, (*to)[2] = c;
    *to += 3;
}

/* ---- four corners ---- */

static double cosine_of(const double a[3], const double b[3]) {
    const double lengths = sqrt((a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]));
    return lengths > 0 ? (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / lengths : 0;
}

/* Returns whether the diagonal from a corner makes more than 180 degrees with its two edges: a + b > 180 where
 * cos a + cos b < 0. */
static bool is_dart(const float *vertices, const uint32_t corners[4], uint32_t at) {
    double ways[3][3]; /* to the next, the opposite and the last corner */
    for (uint32_t i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            ways[i][k] =
                (double)vertices[3 * corners[(at + 1 + i) % 4] + (uint32_t)k] - vertices[3 * corners[at] + (uint32_t)k];
    return cosine_of(ways[0], ways[1]) + cosine_of(ways[1], ways[2]) < -1e-6;
}

static void cut_four(const float *vertices, const uint32_t corners[4], uint32_t *to) {
    uint32_t at = 0;
    while (at < 4 && !is_dart(vertices, corners, at)) at++;
    for (uint32_t i = 0; i < 2; i++)
        write_triangle(&to, corners[at % 4], corners[(at + 1 + i) % 4], corners[(at + 2 + i) % 4]);
}

/* ---- more corners ---- */

/* Newell's normal: twice the areas that the polygon has along the axes. */
static void find_normal(const float *vertices, const uint32_t *corners, uint32_t count, double out[3]) {
    out[0] = out[1] = out[2] = 0;
    const float *o = &vertices[3 * corners[0]];
    for (uint32_t i = 1; i + 1 < count; i++) {
        const float *a = &vertices[3 * corners[i]], *b = &vertices[3 * corners[i + 1]];
        for (int k = 0; k < 3; k++) {
            const int u = (k + 1) % 3, v = (k + 2) % 3;
            out[k] += ((double)a[u] - o[u]) * ((double)b[v] - o[v]) - ((double)a[v] - o[v]) * ((double)b[u] - o[u]);
        }
    }
}

static int largest_of(const double values[3]) {
    const int xy = fabs(values[1]) > fabs(values[0]);
    return fabs(values[2]) > fabs(values[xy]) ? 2 : xy;
}

/* Twice the area of a triangle, above 0 where it is in the sense of the polygon. */
static double area_of(const flat_polygon *flat, uint32_t a, uint32_t b, uint32_t c) {
    return (flat->x[b] - flat->x[a]) * (flat->y[c] - flat->y[a]) -
           (flat->y[b] - flat->y[a]) * (flat->x[c] - flat->x[a]);
}

static double turn_at(const flat_polygon *flat, uint32_t corner) {
    return area_of(flat, flat->before[corner], corner, flat->next[corner]);
}

static void flatten(flat_polygon *flat, const float *vertices, const uint32_t *corners, uint32_t count, int axis,
                    bool turned) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (uint32_t i = 0; i < count; i++) {
        flat->x[i] = vertices[3 * corners[i] + (uint32_t)(turned ? v : u)];
        flat->y[i] = vertices[3 * corners[i] + (uint32_t)(turned ? u : v)];
        flat->next[i] = (uint16_t)((i + 1) % count);
        flat->before[i] = (uint16_t)((i + count - 1) % count);
    }
    flat->concave_count = 0;
    flat->tests_left = MAX_TESTS * count * count;
    for (uint32_t i = 0; i < count; i++)
        if (turn_at(flat, i) < 0) flat->concave[flat->concave_count++] = (uint16_t)i;
}

static bool same_place(const flat_polygon *flat, uint32_t a, uint32_t b) {
    return !(flat->x[a] < flat->x[b] || flat->x[a] > flat->x[b] || flat->y[a] < flat->y[b] || flat->y[a] > flat->y[b]);
}

/* Returns whether no concave corner is in the triangle of a corner. Corners at the places of its own do not count: a
 * polygon with a hole goes along a slit twice. Corners that are not concave any more leave the list. */
static bool is_ear(flat_polygon *flat, uint32_t corner) {
    const uint32_t a = flat->before[corner], c = flat->next[corner];
    const double area = turn_at(flat, corner);
    if (!(area > 0)) return !(area < 0);
    for (uint32_t i = 0; i < flat->concave_count && flat->tests_left > 0; flat->tests_left--) {
        const uint32_t p = flat->concave[i];
        if (!(turn_at(flat, p) < 0)) {
            flat->concave[i] = flat->concave[--flat->concave_count];
            continue;
        }
        i++;
        if (area_of(flat, a, corner, p) < 0 || area_of(flat, corner, c, p) < 0 || area_of(flat, c, a, p) < 0) continue;
        if (!same_place(flat, p, a) && !same_place(flat, p, corner) && !same_place(flat, p, c)) return false;
    }
    return true;
}

/* A convex polygon becomes a fan, because the corner after an ear is the next one tried. */
static void cut_ears(flat_polygon *flat, const uint32_t *corners, uint32_t count, uint32_t *to) {
    uint32_t corner = 1, since_ear = 0;
    while (count > 3 && flat->tests_left > 0 && since_ear < count) {
        const uint16_t before = flat->before[corner], next = flat->next[corner];
        if (is_ear(flat, corner)) {
            write_triangle(&to, corners[before], corners[corner], corners[next]);
            flat->next[before] = next;
            flat->before[next] = before;
            count--;
            since_ear = 0;
        } else {
            since_ear++;
        }
        corner = next;
    }
    const uint32_t first = flat->before[corner];
    for (; count >= 3; count--, corner = flat->next[corner])
        write_triangle(&to, corners[first], corners[corner], corners[flat->next[corner]]);
}

void polygon_cut(const float *vertices, const uint32_t *corners, uint32_t count, uint32_t *triangles) {
    flat_polygon flat;
    double normal[3];
    if (count == 3) {
        write_triangle(&triangles, corners[0], corners[1], corners[2]);
        return;
    }
    if (count == 4) {
        cut_four(vertices, corners, triangles);
        return;
    }
    find_normal(vertices, corners, count, normal);
    const int axis = largest_of(normal);
    flatten(&flat, vertices, corners, count, axis, normal[axis] < 0);
    cut_ears(&flat, corners, count, triangles);
}
