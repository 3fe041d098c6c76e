/* SPDX-License-Identifier: MIT */
/* Pictures as SVG: one path element for all ground of a kind, a polyline for each agent's path in a layer. One unit is a
 * cell, of graphs a pixel. */
#include "extra/drawing/drawing.h"

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

/// Lines between the cells of a panel.
static void put_grid(const wend__drawing *d, wend__outlet *outlet, wend__spot corner) {
    for (int32_t x = 1; x < d->info.width; x++)
        wend__outlet_print(outlet, "M%d %dv%d", (int)(corner.x + x), (int)corner.y, (int)d->info.height);
    for (int32_t y = 1; y < d->info.height; y++)
        wend__outlet_print(outlet, "M%d %dh%d", (int)corner.x, (int)(corner.y + y), (int)d->info.width);
}

static void put_grids(const wend__drawing *d, wend__outlet *outlet) {
    wend__outlet_print(outlet, "<path stroke=\"#000\" stroke-opacity=\".1\" stroke-width=\"" MILLI "\" d=\"",
                       MILLI_OF(milli(d, 1)));
    for (int32_t z = 0; z < d->layers; z++) put_grid(d, outlet, wend__spot_of(d, (wend_cell){0, 0, z}));
    wend__outlet_print(outlet, "\"/>\n");
}

/// The number of each layer above it.
static void put_labels(const wend__drawing *d, wend__outlet *outlet) {
    if (!d->label) return;
    wend__outlet_print(outlet, "<g font-family=\"sans-serif\" font-size=\"" MILLI "\">\n", MILLI_OF(milli(d, 12)));
    for (int32_t z = 0; z < d->layers && !outlet->error; z++) {
        wend__spot at = wend__spot_of(d, (wend_cell){0, 0, z});
        wend__outlet_print(outlet, "<text x=\"%d\" y=\"" MILLI "\">z = %d</text>\n", (int)at.x,
                           MILLI_OF(at.y * 1000 - milli(d, 2)), (int)z);
    }
    wend__outlet_print(outlet, "</g>\n");
}

/// A closed step: a line just within the cell it is closed from; a dot in the corner where it is a diagonal.
static void put_step(const wend__drawing *d, wend__outlet *outlet, const wend_step *step) {
    enum { INSIDE = 40 };
    wend__spot a = wend__spot_of(d, step->from), b = wend__spot_of(d, step->to);
    int32_t x = a.x * 1000, y = a.y * 1000;
    if (step->from.z != step->to.z) return;
    if (b.x != a.x) x += b.x > a.x ? 1000 - INSIDE : INSIDE;
    if (b.y != a.y) y += b.y > a.y ? 1000 - INSIDE : INSIDE;
    wend__outlet_print(outlet, "M" MILLI " " MILLI "%s", MILLI_OF(x), MILLI_OF(y),
                       b.x == a.x   ? "h1"
                       : b.y == a.y ? "v1"
                                    : "h.001");
}

static void put_steps(const wend__drawing *d, wend__outlet *outlet) {
    int32_t pixel = milli(d, 1);
    if (!d->step_count) return;
    wend__outlet_print(outlet, "<path stroke=\"#%06x\" stroke-width=\"" MILLI "\" stroke-linecap=\"square\" d=\"",
                       hex(WEND__LOOK_STEP), MILLI_OF(pixel < 80 ? 80 : pixel));
    for (size_t i = 0; i < d->step_count && !outlet->error; i++) put_step(d, outlet, &d->steps[i]);
    wend__outlet_print(outlet, "\"/>\n");
}

static int32_t inside(int64_t milli_units, int32_t cells) {
    int64_t most = (int64_t)cells * 1000;
    return (int32_t)(milli_units < 0 ? 0 : milli_units > most ? most : milli_units);
}

/// From end to end, bent to the left by a quarter of the way, so that a link and its way back are two.
static void put_link(const wend__drawing *d, wend__outlet *outlet, const wend_link *link) {
    wend__spot a = wend__spot_of(d, link->from), b = wend__spot_of(d, link->to);
    int32_t x = inside(((int64_t)a.x + b.x) * 500 + ((int64_t)b.y - a.y) * 250, d->width);
    int32_t y = inside(((int64_t)a.y + b.y) * 500 - ((int64_t)b.x - a.x) * 250, d->height);
    int32_t radius = milli(d, d->marker) / 2;
    wend__outlet_print(outlet, "<path d=\"M%d %dQ" MILLI " " MILLI " %d %d\"/>\n", (int)a.x, (int)a.y, MILLI_OF(x),
                       MILLI_OF(y), (int)b.x, (int)b.y);
    wend__outlet_print(outlet, "<circle cx=\"%d\" cy=\"%d\" r=\"" MILLI "\"/>\n", (int)a.x, (int)a.y, MILLI_OF(radius));
    wend__outlet_print(outlet, "<circle cx=\"%d\" cy=\"%d\" r=\"" MILLI "\"/>\n", (int)b.x, (int)b.y, MILLI_OF(radius));
}

/// Cells are drawn at their middles, nodes of graphs where they are.
static const char *shift(const wend__drawing *d) {
    return d->info.kind == WEND_KIND_GRAPH ? "0 0" : ".5 .5";
}

static void put_links(const wend__drawing *d, wend__outlet *outlet) {
    if (!d->link_count) return;
    wend__outlet_print(outlet,
                       "<g transform=\"translate(%s)\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"" MILLI "\">\n",
                       shift(d), hex(WEND__LOOK_LINK), MILLI_OF(milli(d, d->line) / 2));
    for (size_t i = 0; i < d->link_count && !outlet->error; i++) put_link(d, outlet, &d->links[i]);
    wend__outlet_print(outlet, "</g>\n");
}

static bool goes_straight(wend__spot a, wend__spot b, wend__spot c) {
    return c.x - b.x == b.x - a.x && c.y - b.y == b.y - a.y;
}

/// The ends and the turns of a part of a path within a layer; a lone cell twice, so that its round ends show.
static void put_part(const wend__drawing *d, wend__outlet *outlet, const wend_cell *cells, size_t count,
                     size_t number) {
    wend__outlet_print(outlet, "<polyline stroke=\"#%06x\" points=\"", hex(wend__path_look(number)));
    wend__spot before = {0, 0}, at = wend__spot_of(d, cells[0]);
    for (size_t i = 0; i < count; i++) {
        wend__spot next = i + 1 < count ? wend__spot_of(d, cells[i + 1]) : at;
        bool middle = i > 0 && i + 1 < count;
        if (!middle || !goes_straight(before, at, next))
            wend__outlet_print(outlet, i ? " %d,%d" : "%d,%d", (int)at.x, (int)at.y);
        before = at, at = next;
    }
    if (count == 1) wend__outlet_print(outlet, " %d,%d", (int)at.x, (int)at.y);
    wend__outlet_print(outlet, "\"/>\n");
}

static void put_path(const wend__drawing *d, wend__outlet *outlet, const wend_picture_path *path, size_t number) {
    for (size_t first = 0, next; first < path->cell_count; first = next) {
        for (next = first + 1; next < path->cell_count && path->cells[next].z == path->cells[first].z; next++) continue;
        put_part(d, outlet, path->cells + first, next - first, number);
    }
}

/// Which way feet point, in degrees from up, clockwise.
static int degrees(int32_t dx, int32_t dy) {
    if (dx == 0) return dy > 0 ? 180 : 0;
    int angle = dy < 0 ? 45 : dy > 0 ? 135 : 90;
    return dx > 0 ? angle : 360 - angle;
}

static void put_feet(void *outlet, wend__spot at, int32_t dx, int32_t dy) {
    wend__outlet_print(outlet, "<use href=\"#feet\" transform=\"translate(%d %d) rotate(%d)\"/>\n", (int)at.x,
                       (int)at.y, degrees(dx, dy));
}

static void put_track(const wend__drawing *d, wend__outlet *outlet, const wend_picture_path *path, size_t number) {
    wend__outlet_print(outlet, "<g fill=\"#%06x\">\n", hex(wend__path_look(number)));
    wend__feet_walk(d, path, put_feet, outlet);
    wend__outlet_print(outlet, "</g>\n");
}

/// Two feet that walk up, in a cell round 0,0: each a sole and a heel, the left one ahead.
static void put_foot_shape(wend__outlet *outlet) {
    static const char shape[] =
        "<defs><g id=\"feet\"><ellipse cx=\"-.17\" cy=\"-.22\" rx=\".12\" ry=\".17\"/><circle cx=\"-.16\" cy=\".06\" "
        "r=\".085\"/><ellipse cx=\".17\" cy=\".04\" rx=\".12\" ry=\".17\"/><circle cx=\".16\" cy=\".32\" "
        "r=\".085\"/></g></defs>\n";
    wend__outlet_put(outlet, shape, sizeof shape - 1);
}

static void put_paths(const wend__drawing *d, wend__outlet *outlet) {
    if (!d->picture->path_count) return;
    if (d->feet) put_foot_shape(outlet);
    wend__outlet_print(outlet,
                       "<g transform=\"translate(%s)\" fill=\"none\" stroke-width=\"" MILLI
                       "\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n",
                       shift(d), MILLI_OF(milli(d, d->line)));
    for (size_t i = d->picture->path_count; i-- > 0 && !outlet->error;) {
        if (d->feet)
            put_track(d, outlet, &d->picture->paths[i], i);
        else
            put_path(d, outlet, &d->picture->paths[i], i);
    }
    wend__outlet_print(outlet, "</g>\n");
}

/// A group for all markers of a kind; the stroke is the light rim.
static void put_markers(const wend__drawing *d, wend__outlet *outlet, const wend_cell *cells, size_t count,
                        int32_t look) {
    if (!count) return;
    int32_t size = milli(d, d->marker + d->halo); /* the rim's middle */
    wend__outlet_print(outlet,
                       "<g transform=\"translate(%s)\" fill=\"#%06x\" stroke=\"#%06x\" stroke-width=\"" MILLI "\">\n",
                       shift(d), hex(look), hex(WEND__LOOK_HALO), MILLI_OF(milli(d, d->halo)));
    for (size_t i = 0; i < count && !outlet->error; i++) {
        wend__spot at = wend__spot_of(d, cells[i]);
        if (look == WEND__LOOK_START)
            wend__outlet_print(outlet, "<circle cx=\"%d\" cy=\"%d\" r=\"" MILLI "\"/>\n", (int)at.x, (int)at.y,
                               MILLI_OF(size / 2));
        else
            wend__outlet_print(outlet, "<path d=\"M%d %dm-" MILLI " -" MILLI "h" MILLI "v" MILLI "h-" MILLI "z\"/>\n",
                               (int)at.x, (int)at.y, MILLI_OF(size / 2), MILLI_OF(size / 2), MILLI_OF(size),
                               MILLI_OF(size), MILLI_OF(size));
    }
    wend__outlet_print(outlet, "</g>\n");
}

static void put_cells(const wend__drawing *d, wend__outlet *outlet, const uint8_t *looks) {
    wend__outlet_print(outlet, "<g shape-rendering=\"crispEdges\">\n");
    for (int32_t look = 1; look < WEND__LOOK_GROUNDS && !outlet->error; look++) put_ground(d, outlet, looks, look);
    if (d->grid) put_grids(d, outlet);
    put_steps(d, outlet);
    wend__outlet_print(outlet, "</g>\n");
    put_labels(d, outlet);
}

static wend_error put_edges(wend__drawing *d, wend__outlet *outlet) {
    const wend__graph *g = &d->graph;
    wend__outlet_print(outlet, "<path stroke=\"#%06x\" d=\"", hex(WEND__LOOK_EDGE));
    for (size_t node = 0; node < g->count && !outlet->error; node++) {
        size_t count = 0;
        wend_error error = g->x[node] < 0 ? WEND_OK : wend__graph_edges(d, node, &count);
        if (error) return error;
        for (size_t i = 0; i < count; i++)
            wend__outlet_print(outlet, "M%d %dL%d %d", (int)g->x[node], (int)g->y[node], (int)g->x[g->edges[i].to],
                               (int)g->y[g->edges[i].to]);
    }
    wend__outlet_print(outlet, "\"/>\n");
    return WEND_OK;
}

/// Open nodes are white with a rim, others as their ground.
static wend_error put_graph(wend__drawing *d, wend__outlet *outlet) {
    const wend__graph *g = &d->graph;
    wend_error error = put_edges(d, outlet);
    wend__outlet_print(outlet, "<g stroke=\"#%06x\">\n", hex(WEND__LOOK_EDGE));
    for (size_t node = 0; node < g->count && !outlet->error; node++)
        if (g->x[node] >= 0)
            wend__outlet_print(outlet, "<circle fill=\"#%06x\" cx=\"%d\" cy=\"%d\" r=\"" MILLI "\"/>\n",
                               hex(g->looks[node]), (int)g->x[node], (int)g->y[node], MILLI_OF(g->dot * 500));
    wend__outlet_print(outlet, "</g>\n");
    return error;
}

/// @param looks   NULL for a graph
static wend_error put_all(wend__drawing *d, wend__outlet *outlet, const uint8_t *looks) {
    const wend_picture *picture = d->picture;
    wend_error error = WEND_OK;
    wend__outlet_print(outlet,
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n",
                       (int)(d->width * d->scale), (int)(d->height * d->scale), (int)d->width, (int)d->height);
    wend__outlet_print(outlet, "<rect width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", (int)d->width, (int)d->height,
                       hex(looks ? WEND__LOOK_OPEN : WEND__LOOK_PAPER));
    if (looks)
        put_cells(d, outlet, looks);
    else
        error = put_graph(d, outlet);
    put_links(d, outlet);
    put_paths(d, outlet);
    put_markers(d, outlet, picture->goals, picture->goal_count, WEND__LOOK_GOAL);
    put_markers(d, outlet, picture->starts, picture->start_count, WEND__LOOK_START);
    wend__outlet_print(outlet, "</svg>\n");
    return error;
}

wend_error wend__svg_write(wend__drawing *d, wend__outlet *outlet) {
    bool graph = d->info.kind == WEND_KIND_GRAPH;
    uint8_t *looks = graph ? NULL : malloc((size_t)d->width * (size_t)d->height);
    if (!graph && !looks) return WEND_OUT_OF_MEMORY;
    wend_error error = graph ? WEND_OK : wend__ground_read(d, 0, d->height, looks);
    if (!error) error = put_all(d, outlet, looks);
    free(looks);
    if (error) return error;
    wend__outlet_flush(outlet);
    return outlet->error;
}
