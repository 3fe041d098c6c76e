/* SPDX-License-Identifier: MIT */
/* Places the panels of layers in a picture, and reads the ground in them. */
#include "drawing/colours.h"
#include "drawing/roads.h"

#include <stdlib.h>
#include <string.h>

enum { PREFERRED_PIXELS = 1000, MAX_CELL_PIXELS = 64, LABEL_PIXELS = 18 };

static bool is_ansi(const wend__drawing *d) {
    return d->picture->format == WEND_PICTURE_ANSI;
}

/// Measure a map of hexagons, which is flat.
static void place_hexagons(wend__drawing *d, int32_t scale) {
    const int64_t width = 2 * (int64_t)d->info.width + d->info.height - (is_ansi(d) ? 2 : 0);
    const int64_t height = is_ansi(d) ? d->info.height : 2 * (int64_t)d->info.height + 1;
    const int64_t side = width > height ? width : height;
    d->columns = 1;
    scale = scale ? (scale + 1) / 2 : (int32_t)((PREFERRED_PIXELS + side / 2) / side);
    d->scale = is_ansi(d) || scale < 1 ? 1 : scale > MAX_CELL_PIXELS / 2 ? MAX_CELL_PIXELS / 2 : scale;
    d->width = (int32_t)width, d->height = (int32_t)height;
}

static int64_t longer_side(const wend__drawing *d, int32_t columns) {
    int64_t rows = (d->layers + columns - 1) / columns;
    int64_t width = columns * ((int64_t)d->info.width + d->gap) - d->gap;
    int64_t height = rows * ((int64_t)d->info.height + d->label + d->gap) - d->gap;
    return width > height ? width : height;
}

/// Choose the number of panels in a row that makes the picture most nearly square; one in ANSI.
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
    if (d->hexagons) {
        place_hexagons(d, scale);
        return;
    }
    d->gap = d->layers > 1 && d->picture->format != WEND_PICTURE_ANSI;
    d->label = d->layers > 1;
    choose_columns(d);
    int64_t side = longer_side(d, d->columns);
    if (!scale && side < PREFERRED_PIXELS) scale = (int32_t)((PREFERRED_PIXELS + side / 2) / side);
    d->scale = scale < 1 ? 1 : scale > MAX_CELL_PIXELS ? MAX_CELL_PIXELS : scale;
    if (d->label && d->gap) {
        d->label = (LABEL_PIXELS + d->scale - 1) / d->scale;
        d->gap = wend__larger(1, 4 / d->scale);
    }
    int64_t rows = (d->layers + d->columns - 1) / d->columns;
    int64_t width = d->columns * ((int64_t)d->info.width + d->gap) - d->gap;
    int64_t height = rows * ((int64_t)d->info.height + d->label + d->gap) - d->gap;
    d->width = width < INT32_MAX / 2 ? (int32_t)width : INT32_MAX / 2; /* far too large in any case */
    d->height = height < INT32_MAX / 2 ? (int32_t)height : INT32_MAX / 2;
}

wend__spot wend__spot_of(const wend__drawing *d, wend_cell cell) {
    if (d->info.kind == WEND_KIND_GRAPH) return (wend__spot){d->nodes.x[cell.x], d->nodes.y[cell.x]};
    if (d->hexagons) {
        const int32_t x = 2 * cell.x + cell.y;
        return is_ansi(d) ? (wend__spot){x, cell.y} : (wend__spot){x + 1, 2 * cell.y + 1};
    }
    int32_t column = cell.z % d->columns, row = cell.z / d->columns;
    return (wend__spot){column * (d->info.width + d->gap) + cell.x,
                        row * (d->info.height + d->label + d->gap) + d->label + cell.y};
}

/* The cell in which a point of the map lies. */
static wend_cell cell_of_point(wend_point p) {
    return (wend_cell){(p.x + 500) / 1000, (p.y + 500) / 1000, (p.z + 500) / 1000};
}

wend__spot wend__point_spot(const wend__drawing *d, wend_point point) {
    wend_cell cell = cell_of_point(point);
    wend__spot spot = wend__spot_of(d, cell);
    return (wend__spot){(spot.x - cell.x) * 1000 + point.x, (spot.y - cell.y) * 1000 + point.y};
}

bool wend__line_goes_on(const wend__drawing *d, wend_point from, wend_point to) {
    wend_cell a = cell_of_point(from), b = cell_of_point(to);
    bool centres = from.x == a.x * 1000 && to.x == b.x * 1000 && from.y == a.y * 1000 && to.y == b.y * 1000;
    return a.z == b.z && !(centres && wend__takes_link(d, a, b));
}

static int32_t shorter(int64_t difference, int64_t around) {
    return (int32_t)(2 * difference > around ? -around : 2 * difference < -around ? around : 0);
}

wend__spot wend__rim_shift(const wend__drawing *d, wend__spot from, wend__spot to, int32_t unit) {
    wend__spot shift = {0, 0};
    if (d->info.wrap & WEND_WRAP_X) shift.x = shorter((int64_t)to.x - from.x, (int64_t)d->info.width * unit);
    if (d->info.wrap & WEND_WRAP_Y) shift.y = shorter((int64_t)to.y - from.y, (int64_t)d->info.height * unit);
    return shift;
}

int32_t wend__layer_labelled(const wend__drawing *d, int32_t row) {
    int32_t high = d->info.height + d->label + d->gap;
    return d->label && row % high == 0 ? row / high * d->columns : -1;
}

/// Reads a row of hexagons as letters show it: every second one is paper, and so are rows beyond the map.
static wend_error read_hexagons(const wend__drawing *d, int32_t y, uint8_t *inks) {
    memset(inks, WEND__INK_PAPER, (size_t)d->width);
    for (int32_t x = 0; x < d->info.width && y < d->info.height; x++) {
        uint8_t class;
        const wend_error error = wend_map_get_terrain(d->picture->map, (wend_cell){x, y, 0}, &class);
        if (error) return error;
        inks[2 * x + y] = d->inks[class];
    }
    return WEND_OK;
}

/// Reads one row of cells of all panels in a row.
static wend_error read_row(const wend__drawing *d, int32_t y, uint8_t *inks) {
    int32_t high = d->info.height + d->label + d->gap, row = y % high - d->label;
    memset(inks, WEND__INK_PAPER, (size_t)d->width);
    if (row < 0 || row >= d->info.height) return WEND_OK;
    for (int32_t column = 0; column < d->columns; column++) {
        int32_t z = y / high * d->columns + column;
        if (z >= d->layers) break;
        uint8_t *part = inks + (size_t)column * (size_t)(d->info.width + d->gap);
        wend_box box = {.min = {0, row, z}, .max = {d->info.width - 1, row, z}};
        wend_error error = wend_map_get_terrain_box(d->picture->map, box, part, (size_t)d->info.width);
        if (error) return error;
        for (int32_t x = 0; x < d->info.width; x++) part[x] = d->inks[part[x]];
    }
    return WEND_OK;
}

wend_error wend__drawing_read(const wend__drawing *d, int32_t top, int32_t bottom, uint8_t *inks) {
    for (int32_t y = top; y < bottom; y++) {
        uint8_t *const row = inks + (size_t)(y - top) * (size_t)d->width;
        const wend_error error = d->hexagons ? read_hexagons(d, y, row) : read_row(d, y, row);
        if (error) return error;
    }
    return WEND_OK;
}

void wend__drawing_drop(wend__drawing *d) {
    free(d->links);
    free(d->steps);
    free(d->roads);
    free(d->nodes.x);
    free(d->nodes.y);
    free(d->nodes.inks);
}
