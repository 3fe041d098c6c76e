/* SPDX-License-Identifier: MIT */
/* Places each node of a graph by its coordinates, or on a circle. */
#include "drawing/drawing.h"

#include "drawing/colours.h"

#include <stdlib.h>
#include <wend/graph.h>

enum { SIDE = 1000, LEAST_MARGIN = 16, LEAST_DOT = 2, LARGEST_DOT = 16 };

/// Computes the sine by its series, so that the result is equal on all machines. Angles from −π to π.
static double sine(double angle) {
    double term = angle, sum = angle;
    for (int32_t i = 1; i < 16; i++) {
        term *= -angle * angle / ((2 * i) * (2 * i + 1));
        sum += term;
    }
    return sum;
}

/// The first node is at the top, the others follow clockwise.
static void place_on_circle(wend__node_places *g, size_t present, int32_t margin) {
    static const double pi = 3.14159265358979323846;
    double radius = SIDE / 2 - margin;
    size_t number = 0;
    for (size_t i = 0; i < g->count; i++) {
        if (g->x[i] < 0) continue;
        double angle = 2 * pi * (double)number++ / (double)present - pi, quarter = angle + pi / 2;
        if (quarter > pi) quarter -= 2 * pi;
        g->x[i] = (int32_t)(SIDE / 2 - radius * sine(angle) + .5);
        g->y[i] = (int32_t)(SIDE / 2 + radius * sine(quarter) + .5);
    }
}

typedef struct bounds {
    wend_cell least, most;
} bounds;

static void widen(bounds *b, wend_cell c, bool first) {
    if (first) b->least = b->most = c;
    if (c.x < b->least.x) b->least.x = c.x;
    if (c.y < b->least.y) b->least.y = c.y;
    if (c.x > b->most.x) b->most.x = c.x;
    if (c.y > b->most.y) b->most.y = c.y;
}

static int64_t scaled(int64_t part, int64_t whole, int32_t pixels) {
    return whole ? (part * pixels + whole / 2) / whole : 0;
}

/// The longer side always has SIDE pixels. Nodes in a line or all in one place leave only the margins of a side.
static void place_by_coordinates(wend__drawing *d, int32_t margin) {
    wend__node_places *g = &d->nodes;
    bounds b = {0};
    bool first = true;
    wend_cell c;
    for (size_t i = 0; i < g->count; i++) {
        if (g->x[i] < 0 || wend_map_get_coordinates(d->picture->map, (uint32_t)i, &c)) continue;
        widen(&b, c, first);
        first = false;
    }
    int64_t wide = (int64_t)b.most.x - b.least.x, high = (int64_t)b.most.y - b.least.y,
            whole = wide > high ? wide : high;
    int32_t inner = SIDE - 2 * margin;
    g->span = whole, g->span_pixels = inner;
    d->width = 2 * margin + (int32_t)scaled(wide, whole, inner);
    d->height = 2 * margin + (int32_t)scaled(high, whole, inner);
    for (size_t i = 0; i < g->count; i++) {
        if (g->x[i] < 0 || wend_map_get_coordinates(d->picture->map, (uint32_t)i, &c)) continue;
        g->x[i] = margin + (int32_t)scaled((int64_t)c.x - b.least.x, whole, inner);
        g->y[i] = margin + (int32_t)scaled((int64_t)c.y - b.least.y, whole, inner);
    }
}

/// Choose a node's width: the more nodes, the smaller.
static int32_t dot_of(const wend__drawing *d, size_t present) {
    if (d->picture->cell_pixels) return d->picture->cell_pixels;
    int32_t dot = LARGEST_DOT;
    while (dot > LEAST_DOT && (uint64_t)present * (uint64_t)(dot * dot) > SIDE * SIDE / 16) dot--;
    return dot;
}

wend_error wend__nodes_place(wend__drawing *d) {
    wend__node_places *g = &d->nodes;
    size_t present = 0;
    g->count = (size_t)d->info.width;
    g->x = malloc(g->count * sizeof *g->x);
    g->y = malloc(g->count * sizeof *g->y);
    g->inks = malloc(g->count);
    if (!g->x || !g->y || !g->inks) return WEND_OUT_OF_MEMORY;
    for (size_t i = 0; i < g->count; i++) {
        uint8_t class = 0;
        bool there = wend_map_get_terrain(d->picture->map, (wend_cell){(int32_t)i, 0, 0}, &class) == WEND_OK;
        g->x[i] = g->y[i] = there ? 0 : -1;
        g->inks[i] = d->inks[class];
        present += there;
    }
    for (size_t i = 0; i < d->picture->expanded_count; i++) g->inks[d->picture->expanded[i].x] = WEND__INK_EXPANDED;
    g->dot = dot_of(d, present);
    d->width = d->height = SIDE;
    d->columns = d->layers = d->scale = 1;
    d->line = wend__larger(3, g->dot / 2);
    d->marker = g->dot + 6;
    d->unit = g->dot + 2;
    d->halo = 2;
    int32_t margin = wend__larger(LEAST_MARGIN, d->marker);
    if (d->info.has_coordinates)
        place_by_coordinates(d, margin);
    else
        place_on_circle(g, present, margin);
    return WEND_OK;
}
