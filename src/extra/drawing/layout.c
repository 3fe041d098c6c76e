/* SPDX-License-Identifier: MIT */
/* Where things are in a picture: the panels of layers, and what the map says of links and closed steps. */
#include "extra/drawing/drawing.h"

#include <stdlib.h>

enum { PREFERRED_PIXELS = 1000, MAX_CELL_PIXELS = 64, LABEL_PIXELS = 14 };

static int32_t larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

static int64_t longer_side(const wend__drawing *d, int32_t columns) {
    int64_t rows = (d->layers + columns - 1) / columns;
    int64_t width = columns * ((int64_t)d->info.width + d->gap) - d->gap;
    int64_t height = rows * ((int64_t)d->info.height + d->label + d->gap) - d->gap;
    return width > height ? width : height;
}

/// As many panels in a row as make the picture most nearly a square; in ANSI one.
static void choose_columns(wend__drawing *d) {
    d->columns = 1;
    if (d->picture->format == WEND_PICTURE_ANSI) return;
    int64_t best = longer_side(d, 1);
    for (int32_t columns = 2; columns <= d->layers; columns++) {
        int64_t side = longer_side(d, columns);
        if (side < best) best = side, d->columns = columns;
    }
}

void wend__layout(wend__drawing *d, int32_t scale) {
    d->layers = d->info.depth;
    d->gap = d->layers > 1 && d->picture->format != WEND_PICTURE_ANSI;
    d->label = d->layers > 1;
    choose_columns(d);
    int64_t side = longer_side(d, d->columns);
    if (!scale && side < PREFERRED_PIXELS) scale = (int32_t)((PREFERRED_PIXELS + side / 2) / side);
    d->scale = scale < 1 ? 1 : scale > MAX_CELL_PIXELS ? MAX_CELL_PIXELS : scale;
    if (d->label && d->gap) {
        d->label = (LABEL_PIXELS + d->scale - 1) / d->scale;
        d->gap = larger(1, 4 / d->scale);
    }
    int64_t rows = (d->layers + d->columns - 1) / d->columns;
    int64_t width = d->columns * ((int64_t)d->info.width + d->gap) - d->gap;
    int64_t height = rows * ((int64_t)d->info.height + d->label + d->gap) - d->gap;
    d->width = width < INT32_MAX / 2 ? (int32_t)width : INT32_MAX / 2; /* far too large in any case */
    d->height = height < INT32_MAX / 2 ? (int32_t)height : INT32_MAX / 2;
}

wend__spot wend__spot_of(const wend__drawing *d, wend_cell cell) {
    if (d->info.kind == WEND_KIND_GRAPH) return (wend__spot){d->graph.x[cell.x], d->graph.y[cell.x]};
    int32_t column = cell.z % d->columns, row = cell.z / d->columns;
    return (wend__spot){column * (d->info.width + d->gap) + cell.x,
                        row * (d->info.height + d->label + d->gap) + d->label + cell.y};
}

int32_t wend__layer_labelled(const wend__drawing *d, int32_t row) {
    int32_t high = d->info.height + d->label + d->gap;
    return d->label && row % high == 0 ? row / high * d->columns : -1;
}

wend_error wend__drawing_fetch(wend__drawing *d) {
    size_t count;
    wend_map_get_links(d->picture->map, NULL, 0, &d->link_count);
    if (d->link_count) {
        d->links = malloc(d->link_count * sizeof *d->links);
        if (!d->links) return WEND_OUT_OF_MEMORY;
        wend_map_get_links(d->picture->map, d->links, d->link_count, &count);
    }
    if (d->info.kind == WEND_KIND_GRAPH || d->picture->format == WEND_PICTURE_ANSI) return WEND_OK;
    wend_map_get_closed_steps(d->picture->map, NULL, 0, &d->step_count);
    if (d->step_count) {
        d->steps = malloc(d->step_count * sizeof *d->steps);
        if (!d->steps) return WEND_OUT_OF_MEMORY;
        wend_map_get_closed_steps(d->picture->map, d->steps, d->step_count, &count);
    }
    return WEND_OK;
}

void wend__drawing_drop(wend__drawing *d) {
    free(d->links);
    free(d->steps);
    free(d->graph.x);
    free(d->graph.y);
    free(d->graph.looks);
    free(d->graph.edges);
}
