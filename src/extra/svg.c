/* SPDX-License-Identifier: MIT */
/* Pictures as SVG: one path element for all ground of a kind, a polyline for each agent's path. One unit is a cell. */
#include "extra/picture.h"

#include <stdlib.h>

static unsigned hex(int32_t look) {
    wend__rgb c = wend__look_colour(look);
    return (unsigned)c.r << 16 | (unsigned)c.g << 8 | c.b;
}

/// Pixels in thousandths of a cell, so that no decimal point depends on the locale.
static int32_t milli(const wend__drawing *d, int32_t pixels) {
    return pixels * 1000 / d->scale;
}

#define MILLI "%d.%03d"
#define MILLI_OF(x) (int)((x) / 1000), (int)((x) % 1000)

static int32_t run_length(const uint8_t *row, int32_t x, int32_t width) {
    int32_t length = 1;
    while (x + length < width && row[x + length] == row[x]) length++;
    return length;
}

/// Is exactly this run, no more and no less, in that row too?
static bool same_run(const uint8_t *row, int32_t x, int32_t length, int32_t width, int32_t look) {
    if (x > 0 && row[x - 1] == look) return false;
    return row[x] == look && run_length(row, x, width) == length;
}

/// Equal runs below each other are one rectangle, written where it begins.
static void put_ground(const wend__drawing *d, wend__outlet *outlet, const uint8_t *looks, int32_t look) {
    int32_t width = d->width;
    bool any = false;
    for (int32_t y = 0; y < d->height; y++) {
        const uint8_t *row = looks + (size_t)y * (size_t)width;
        for (int32_t x = 0, length; x < width; x += length) {
            length = run_length(row, x, width);
            if (row[x] != look || (y > 0 && same_run(row - width, x, length, width, look))) continue;
            int32_t high = 1;
            while (y + high < d->height && same_run(row + (ptrdiff_t)high * width, x, length, width, look)) high++;
            if (!any) wend__outlet_print(outlet, "<path fill=\"#%06x\" d=\"", hex(look));
            wend__outlet_print(outlet, "M%d %dh%dv%dh-%dz", (int)x, (int)y, (int)length, (int)high, (int)length);
            any = true;
        }
    }
    if (any) wend__outlet_print(outlet, "\"/>\n");
}

static void put_grid(const wend__drawing *d, wend__outlet *outlet) {
    wend__outlet_print(outlet, "<path stroke=\"#000\" stroke-opacity=\".1\" stroke-width=\"" MILLI "\" d=\"",
                       MILLI_OF(milli(d, 1)));
    for (int32_t x = 1; x < d->width; x++) wend__outlet_print(outlet, "M%d 0v%d", (int)x, (int)d->height);
    for (int32_t y = 1; y < d->height; y++) wend__outlet_print(outlet, "M0 %dh%d", (int)y, (int)d->width);
    wend__outlet_print(outlet, "\"/>\n");
}

static bool goes_straight(const wend_cell *c) {
    return c[1].x - c[0].x == c[0].x - c[-1].x && c[1].y - c[0].y == c[0].y - c[-1].y;
}

/// The ends and the turns; a lone cell twice, so that its round ends show.
static void put_path(wend__outlet *outlet, const wend_picture_path *path, size_t number) {
    size_t count = path->cell_count;
    if (!count) return;
    wend__outlet_print(outlet, "<polyline stroke=\"#%06x\" points=\"", hex(wend__path_look(number)));
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && i + 1 < count && goes_straight(path->cells + i)) continue;
        wend__outlet_print(outlet, i ? " %d,%d" : "%d,%d", (int)path->cells[i].x, (int)path->cells[i].y);
    }
    if (count == 1) wend__outlet_print(outlet, " %d,%d", (int)path->cells[0].x, (int)path->cells[0].y);
    wend__outlet_print(outlet, "\"/>\n");
}

static void put_paths(const wend__drawing *d, wend__outlet *outlet) {
    if (!d->picture->path_count) return;
    wend__outlet_print(outlet,
                       "<g transform=\"translate(.5 .5)\" fill=\"none\" stroke-width=\"" MILLI
                       "\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n",
                       MILLI_OF(milli(d, d->line)));
    for (size_t i = d->picture->path_count; i-- > 0 && !outlet->error;) put_path(outlet, &d->picture->paths[i], i);
    wend__outlet_print(outlet, "</g>\n");
}

/// A group for all markers of a kind; the stroke is the light rim.
static void put_markers(const wend__drawing *d, wend__outlet *outlet, const wend_cell *cells, size_t count,
                        int32_t look) {
    if (!count) return;
    int32_t size = milli(d, d->marker + d->halo); /* the rim's middle */
    wend__outlet_print(
        outlet, "<g transform=\"translate(.5 .5)\" fill=\"#%06x\" stroke=\"#%06x\" stroke-width=\"" MILLI "\">\n",
        hex(look), hex(WEND__LOOK_HALO), MILLI_OF(milli(d, d->halo)));
    for (size_t i = 0; i < count && !outlet->error; i++) {
        if (look == WEND__LOOK_START)
            wend__outlet_print(outlet, "<circle cx=\"%d\" cy=\"%d\" r=\"" MILLI "\"/>\n", (int)cells[i].x,
                               (int)cells[i].y, MILLI_OF(size / 2));
        else
            wend__outlet_print(outlet, "<path d=\"M%d %dm-" MILLI " -" MILLI "h" MILLI "v" MILLI "h-" MILLI "z\"/>\n",
                               (int)cells[i].x, (int)cells[i].y, MILLI_OF(size / 2), MILLI_OF(size / 2), MILLI_OF(size),
                               MILLI_OF(size), MILLI_OF(size));
    }
    wend__outlet_print(outlet, "</g>\n");
}

static void put_all(const wend__drawing *d, wend__outlet *outlet, const uint8_t *looks) {
    const wend_picture *picture = d->picture;
    wend__outlet_print(outlet,
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n",
                       (int)(d->width * d->scale), (int)(d->height * d->scale), (int)d->width, (int)d->height);
    wend__outlet_print(outlet,
                       "<rect width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n<g shape-rendering=\"crispEdges\">\n",
                       (int)d->width, (int)d->height, hex(WEND__LOOK_OPEN));
    for (int32_t look = 1; look < WEND__LOOK_GROUNDS && !outlet->error; look++) put_ground(d, outlet, looks, look);
    if (d->grid) put_grid(d, outlet);
    wend__outlet_print(outlet, "</g>\n");
    put_paths(d, outlet);
    put_markers(d, outlet, picture->goals, picture->goal_count, WEND__LOOK_GOAL);
    put_markers(d, outlet, picture->starts, picture->start_count, WEND__LOOK_START);
    wend__outlet_print(outlet, "</svg>\n");
}

int32_t wend__svg_write(const wend__drawing *d, wend__outlet *outlet) {
    uint8_t *looks = malloc((size_t)d->width * (size_t)d->height);
    if (!looks) return WEND_OUT_OF_MEMORY;
    int32_t error = wend__ground_read(d, 0, d->height, looks);
    if (!error) put_all(d, outlet, looks);
    free(looks);
    if (error) return error;
    wend__outlet_flush(outlet);
    return outlet->error;
}
