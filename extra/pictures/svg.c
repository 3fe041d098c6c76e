/* SPDX-License-Identifier: MIT */
/* Writes pictures as SVG: one path element for all ground of a kind, and above it what svg_marks.c writes. */
#include <stdlib.h>
#include <string.h>

#include "pictures/canvas.h"
#include "pictures/svg.h"

static int32_t run_length(const uint8_t *row, int32_t x, int32_t width) {
    int32_t length = 1;
    while (x + length < width && row[x + length] == row[x]) length++;
    return length;
}

/// Does the other row have exactly the same run?
static bool same_run(const uint8_t *row, int32_t x, int32_t length, int32_t width, int32_t ink) {
    if (x > 0 && row[x - 1] == ink) return false;
    return row[x] == ink && run_length(row, x, width) == length;
}

/// Writes the ground of one ink. Equal runs below each other are one rectangle, written at its first row.
static void put_ground(const wend__drawing *d, wend__outlet *outlet, const uint8_t *inks, int32_t ink) {
    int32_t width = d->width;
    bool any = false;
    for (int32_t y = 0; y < d->height; y++) {
        const uint8_t *row = inks + (size_t)y * (size_t)width;
        for (int32_t x = 0, length; x < width; x += length) {
            length = run_length(row, x, width);
            if (row[x] != ink || (y > 0 && same_run(row - width, x, length, width, ink))) continue;
            int32_t high = 1;
            while (y + high < d->height && same_run(row + (ptrdiff_t)high * width, x, length, width, ink)) high++;
            if (!any) wend__outlet_print(outlet, "<path fill=\"#%06x\" d=\"", wend__svg_hex(ink));
            wend__outlet_print(outlet, "M%d %dh%dv%dh-%dz", (int)x, (int)y, (int)length, (int)high, (int)length);
            any = true;
        }
    }
    if (any) wend__outlet_print(outlet, "\"/>\n");
}

/// Writes the hexagons of one ink.
static void put_hexagons(const wend__drawing *d, wend__outlet *outlet, const uint8_t *inks, int32_t ink) {
    bool any = false;
    for (int32_t y = 0; y < d->info.height && !outlet->error; y++)
        for (int32_t x = 0; x < d->info.width; x++) {
            const wend__spot at = wend__spot_of(d, (wend_cell){x, y, 0});
            if (inks[(size_t)y * (size_t)d->info.width + (size_t)x] != ink) continue;
            if (!any) wend__outlet_print(outlet, "<path fill=\"#%06x\" d=\"", wend__svg_hex(ink));
            wend__outlet_print(outlet, WEND__SVG_HEXAGON, (int)at.x, (int)at.y - 1);
            any = true;
        }
    if (any) wend__outlet_print(outlet, "\"/>\n");
}

/// Writes the lines between the cells of a panel.
static void put_grid(const wend__drawing *d, wend__outlet *outlet, wend__spot corner) {
    for (int32_t x = 1; x < d->info.width; x++)
        wend__outlet_print(outlet, "M%d %dv%d", (int)(corner.x + x), (int)corner.y, (int)d->info.height);
    for (int32_t y = 1; y < d->info.height; y++)
        wend__outlet_print(outlet, "M%d %dh%d", (int)corner.x, (int)(corner.y + y), (int)d->info.width);
}

static void put_grids(const wend__drawing *d, wend__outlet *outlet) {
    wend__outlet_print(outlet, "<path stroke=\"#000\" stroke-opacity=\".1\" stroke-width=\"%s\" d=\"",
                       WEND__DECIMAL(wend__svg_milli(d, 1) + 1)); /* a pixel, never less */
    for (int32_t z = 0; z < d->layers; z++) put_grid(d, outlet, wend__spot_of(d, (wend_cell){0, 0, z}));
    wend__outlet_print(outlet, "\"/>\n");
}

/// Writes the number of each layer above it.
static void put_labels(const wend__drawing *d, wend__outlet *outlet) {
    if (!d->label) return;
    wend__outlet_print(outlet, "<g font-family=\"sans-serif\" font-size=\"%s\">\n",
                       WEND__DECIMAL(wend__svg_milli(d, 12)));
    for (int32_t z = 0; z < d->layers && !outlet->error; z++) {
        wend__spot at = wend__spot_of(d, (wend_cell){0, 0, z});
        wend__outlet_print(outlet, "<text x=\"%d\" y=\"%s\">z = %d</text>\n", (int)at.x,
                           WEND__DECIMAL(at.y * 1000 - wend__svg_milli(d, 2)), (int)z);
    }
    wend__outlet_print(outlet, "</g>\n");
}

/// Writes a closed step: a line just inside the cell it is closed from; of a diagonal step a dot in the corner.
static void put_step(const wend__drawing *d, wend__outlet *outlet, const wend_step *step) {
    enum { INSIDE = 40 };
    wend__spot a = wend__spot_of(d, step->from), b = wend__spot_of(d, step->to);
    int32_t x = a.x * 1000, y = a.y * 1000;
    if (d->hexagons) { /* across the way, just before its middle */
        const int32_t along = b.x - a.x, down = b.y - a.y;
        x += 500 + along * 440, y += 500 + down * 440;
        wend__outlet_print(outlet, "M%s %sL%s %s", WEND__DECIMAL(x - down * 250), WEND__DECIMAL(y + along * 250),
                           WEND__DECIMAL(x + down * 250), WEND__DECIMAL(y - along * 250));
        return;
    }
    if (step->from.z != step->to.z) return;
    if (b.x != a.x) x += b.x > a.x ? 1000 - INSIDE : INSIDE;
    if (b.y != a.y) y += b.y > a.y ? 1000 - INSIDE : INSIDE;
    wend__outlet_print(outlet, "M%s %s%s", WEND__DECIMAL(x), WEND__DECIMAL(y),
                       b.x == a.x   ? "h1"
                       : b.y == a.y ? "v1"
                                    : "h.001");
}

static void put_steps(const wend__drawing *d, wend__outlet *outlet) {
    int32_t pixel = wend__svg_milli(d, 1);
    if (!d->step_count) return;
    wend__outlet_print(outlet, "<path stroke=\"#%06x\" stroke-width=\"%s\" stroke-linecap=\"square\" d=\"",
                       wend__svg_hex(WEND__INK_STEP), WEND__DECIMAL(pixel < 80 ? 80 : pixel));
    for (size_t i = 0; i < d->step_count && !outlet->error; i++) put_step(d, outlet, &d->steps[i]);
    wend__outlet_print(outlet, "\"/>\n");
}

/// Writes a square in each expanded cell: dashes along each run of cells, but squares larger than a cell one by one.
static void put_expanded(const wend__drawing *d, wend__outlet *outlet, uint8_t *cells) {
    if (!d->picture->expanded_count) return;
    memset(cells, 0, (size_t)d->width * (size_t)d->height);
    for (size_t i = 0; i < d->picture->expanded_count; i++) {
        wend__spot at = wend__spot_of(d, d->picture->expanded[i]);
        cells[(size_t)at.y * (size_t)d->width + (size_t)at.x] = 1;
    }
    bool single = d->expanded > d->scale, dashed = d->expanded < d->scale;
    wend__outlet_print(outlet, "<path stroke=\"#%06x\" stroke-width=\"%s\"%s d=\"", wend__svg_hex(WEND__INK_EXPANDED),
                       WEND__DECIMAL(dashed ? 600 : wend__svg_milli(d, d->expanded)),
                       dashed   ? " stroke-dasharray=\".6 .4\""
                       : single ? " stroke-linecap=\"square\""
                                : "");
    for (int32_t y = 0; y < d->height && !outlet->error; y++) {
        const uint8_t *row = cells + (size_t)y * (size_t)d->width;
        for (int32_t x = 0, length; x < d->width; x += length) {
            length = single ? 1 : run_length(row, x, d->width);
            if (row[x] && single) wend__outlet_print(outlet, "M%d.5 %d.5h.001", (int)x, (int)y);
            if (row[x] && !single)
                wend__outlet_print(outlet, "M%d%s %d.5h%d", (int)x, dashed ? ".2" : "", (int)y, (int)length);
        }
    }
    wend__outlet_print(outlet, "\"/>\n");
}

static void put_cells(const wend__drawing *d, wend__outlet *outlet, uint8_t *inks) {
    if (d->hexagons)
        wend__outlet_print(outlet, "<g stroke=\"#888\" stroke-width=\"%s\">\n", d->grid ? ".04" : "0");
    else
        wend__outlet_print(outlet, "<g shape-rendering=\"crispEdges\">\n");
    const int32_t first = d->hexagons ? WEND__INK_OPEN : WEND__INK_BLOCKED;
    for (int32_t ink = first; ink < WEND__INK_GROUNDS && !outlet->error; ink++)
        (d->hexagons ? put_hexagons : put_ground)(d, outlet, inks, ink);
    if (d->grid && !d->hexagons) put_grids(d, outlet);
    put_expanded(d, outlet, inks);
    put_steps(d, outlet);
    wend__outlet_print(outlet, "</g>\n");
    put_labels(d, outlet);
}

static void put_roads(const wend__drawing *d, wend__outlet *outlet) {
    const wend__node_places *n = &d->nodes;
    wend__outlet_print(outlet, "<path stroke=\"#%06x\" d=\"", wend__svg_hex(WEND__INK_EDGE));
    for (size_t i = 0; i < d->road_count && !outlet->error; i++) {
        uint32_t from = d->roads[i].from, to = d->roads[i].to;
        wend__outlet_print(outlet, "M%d %dL%d %d", (int)n->x[from], (int)n->y[from], (int)n->x[to], (int)n->y[to]);
    }
    wend__outlet_print(outlet, "\"/>\n");
}

/// Writes the arrowheads of one-way edges in relative coordinates.
static void put_arrows(const wend__drawing *d, wend__outlet *outlet) {
    bool any = false;
    for (size_t i = 0; i < d->road_count && !outlet->error; i++) {
        wend__arrow a;
        if (!wend__road_is_one_way(d, &d->roads[i]) || !wend__road_arrow(d, &d->roads[i], &a)) continue;
        if (!any) wend__outlet_print(outlet, "<path fill=\"#%06x\" d=\"", wend__svg_hex(WEND__INK_EDGE));
        wend__outlet_print(outlet, "m%d %dl%d %dl%d %dzm%d %d", (int)a.tip.x, (int)a.tip.y, (int)(a.left.x - a.tip.x),
                           (int)(a.left.y - a.tip.y), (int)(a.right.x - a.left.x), (int)(a.right.y - a.left.y),
                           (int)-a.tip.x, (int)-a.tip.y);
        any = true;
    }
    if (any) wend__outlet_print(outlet, "\"/>\n");
}

/// Writes edges, arrows and nodes. A node has the colour of its ground, and a rim.
static void put_graph(const wend__drawing *d, wend__outlet *outlet) {
    const wend__node_places *n = &d->nodes;
    put_roads(d, outlet);
    put_arrows(d, outlet);
    wend__outlet_print(outlet, "<g stroke=\"#%06x\">\n", wend__svg_hex(WEND__INK_EDGE));
    for (size_t node = 0; node < n->count && !outlet->error; node++)
        if (n->x[node] >= 0)
            wend__outlet_print(outlet, "<circle fill=\"#%06x\" cx=\"%d\" cy=\"%d\" r=\"%s\"/>\n",
                               wend__svg_hex(n->inks[node]), (int)n->x[node], (int)n->y[node],
                               WEND__DECIMAL(n->dot * 500));
    wend__outlet_print(outlet, "</g>\n");
}

static void put_head(const wend__drawing *d, const wend__legend *l, wend__outlet *outlet) {
    int32_t high = d->height * d->scale + l->height;
    wend__outlet_print(outlet, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 ",
                       (int)l->width, (int)high);
    if (l->height)
        wend__outlet_print(outlet, "%s %s\">\n", WEND__DECIMAL(wend__svg_milli(d, l->width)),
                           WEND__DECIMAL(wend__svg_milli(d, high)));
    else
        wend__outlet_print(outlet, "%d %d\">\n", (int)d->width, (int)d->height);
}

/// @param inks   room for a byte a cell, which holds the ground; NULL for a graph
static void put_all(const wend__drawing *d, const wend__legend *l, wend__outlet *outlet, uint8_t *inks) {
    put_head(d, l, outlet);
    if (l->height) wend__svg_legend(d, l, outlet);
    wend__outlet_print(outlet, "<rect width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", (int)d->width, (int)d->height,
                       wend__svg_hex(inks && !d->hexagons ? WEND__INK_OPEN : WEND__INK_PAPER));
    if (inks)
        put_cells(d, outlet, inks);
    else
        put_graph(d, outlet);
    wend__svg_marks(d, outlet);
    wend__outlet_print(outlet, "</svg>\n");
}

/// Reads the inks of all hexagons, row by row.
static wend_error read_hexagons(const wend__drawing *d, uint8_t *inks) {
    const int32_t width = d->info.width, height = d->info.height;
    const wend_box box = {{0, 0, 0}, {width - 1, height - 1, 0}};
    const wend_error error = wend_map_get_terrain_box(d->picture->map, box, inks, (size_t)width);
    for (size_t i = 0; i < (size_t)width * (size_t)height && !error; i++) inks[i] = d->inks[inks[i]];
    return error;
}

wend_error wend__svg_write(const wend__drawing *d, const wend__legend *legend, wend__outlet *outlet) {
    bool graph = d->info.kind == WEND_KIND_GRAPH;
    uint8_t *inks = graph ? NULL : malloc((size_t)d->width * (size_t)d->height);
    if (!graph && !inks) return WEND_OUT_OF_MEMORY;
    wend_error error = graph         ? WEND_OK
                       : d->hexagons ? read_hexagons(d, inks)
                                     : wend__drawing_read(d, 0, d->height, inks);
    if (!error) put_all(d, legend, outlet, inks);
    free(inks);
    if (error) return error;
    wend__outlet_flush(outlet);
    return outlet->error;
}
