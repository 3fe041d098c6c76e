/* SPDX-License-Identifier: MIT */
/* Draws ground, paths and markers into some rows of a picture; what lies outside the rows is left out. */
#include "extra/drawing/drawing.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_STAMP = 512 };

/// A pen's shape: for each of its rows how many pixels from the left it begins; it is as wide on both sides.
typedef struct stamp {
    int32_t size;
    int16_t inset[MAX_STAMP];
} stamp;

static stamp round_stamp(int32_t size) {
    stamp s = {.size = size < MAX_STAMP ? size : MAX_STAMP};
    for (int32_t row = 0; row < s.size; row++) {
        int32_t dy = 2 * row + 1 - s.size, inset = 0;
        for (int32_t dx = 1 - s.size; inset < s.size / 2 && dx * dx + dy * dy > s.size * s.size; dx += 2) inset++;
        s.inset[row] = (int16_t)inset;
    }
    return s;
}

static stamp square_stamp(int32_t size) {
    return (stamp){.size = size < MAX_STAMP ? size : MAX_STAMP};
}

static int32_t larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

static void fill_row(wend__canvas *c, int32_t y, int32_t left, int32_t right, int32_t look) {
    if (y < c->top || y >= c->bottom) return;
    if (left < 0) left = 0;
    if (right > c->width) right = c->width;
    if (left < right) memset(c->pixels + (size_t)(y - c->top) * (size_t)c->width + left, look, (size_t)(right - left));
}

static void put_stamp(wend__canvas *c, const stamp *s, int32_t x, int32_t y, int32_t look) {
    int32_t left = x - s->size / 2, top = y - s->size / 2;
    if (top >= c->bottom || top + s->size <= c->top) return;
    for (int32_t row = 0; row < s->size; row++)
        fill_row(c, top + row, left + s->inset[row], left + s->size - s->inset[row], look);
}

/// A straight line of stamps, one for each step along its longer side (Bresenham 1965).
static void put_line(wend__canvas *c, const stamp *s, int32_t x0, int32_t y0, int32_t x1, int32_t y1, int32_t look) {
    int32_t dx = abs(x1 - x0), dy = abs(y1 - y0), sx = x0 < x1 ? 1 : -1, sy = y0 < y1 ? 1 : -1, rest = dx - dy;
    if ((y0 < y1 ? y0 : y1) - s->size > c->bottom || (y0 > y1 ? y0 : y1) + s->size < c->top) return;
    put_stamp(c, s, x0, y0, look);
    while (x0 != x1 || y0 != y1) {
        int32_t twice = 2 * rest;
        if (twice >= -dy) rest -= dy, x0 += sx;
        if (twice <= dx) rest += dx, y0 += sy;
        put_stamp(c, s, x0, y0, look);
    }
}

/// The middle of a cell, in pixels.
static wend__spot middle(const wend__canvas *c, wend_cell cell) {
    wend__spot spot = wend__spot_of(c->drawing, cell);
    int32_t scale = c->drawing->scale;
    return (wend__spot){spot.x * scale + scale / 2, spot.y * scale + scale / 2};
}

/// Where a path goes to another layer there is no line between.
static void put_path(wend__canvas *c, const stamp *s, const wend_picture_path *path, int32_t look) {
    for (size_t i = 0; i < path->cell_count; i++) {
        bool same_layer = i && path->cells[i - 1].z == path->cells[i].z;
        wend__spot b = middle(c, path->cells[i]), a = same_layer ? middle(c, path->cells[i - 1]) : b;
        put_line(c, s, a.x, a.y, b.x, b.y, look);
    }
}

typedef struct feet {
    wend__canvas *canvas;
    stamp sole, heel;
    int32_t look;
} feet;

/// Two feet, each a sole and a heel behind it, the left one ahead.
static void put_feet(void *context, wend__spot at, int32_t dx, int32_t dy) {
    feet *f = context;
    int32_t scale = f->canvas->drawing->scale, x = at.x * scale + scale / 2, y = at.y * scale + scale / 2;
    int32_t unit = dx && dy ? scale * 7 / 10 : scale; /* a diagonal's length */
    for (int32_t side = -1; side <= 1; side += 2) {
        int32_t left_x = dy * unit * side * 17 / 100, left_y = -dx * unit * side * 17 / 100;
        int32_t ahead = side > 0 ? 12 : -12;
        put_stamp(f->canvas, &f->sole, x + left_x + dx * unit * (ahead + 10) / 100,
                  y + left_y + dy * unit * (ahead + 10) / 100, f->look);
        put_stamp(f->canvas, &f->heel, x + left_x + dx * unit * (ahead - 14) / 100,
                  y + left_y + dy * unit * (ahead - 14) / 100, f->look);
    }
}

static void put_paths(wend__canvas *c) {
    const wend__drawing *d = c->drawing;
    stamp pen = round_stamp(d->line);
    feet f = {c, round_stamp(d->scale * 28 / 100), round_stamp(d->scale * 20 / 100), 0};
    if (d->feet && d->picture->format == WEND_PICTURE_ANSI) return; /* its letters show the ground */
    for (size_t i = d->picture->path_count; i-- > 0;) {
        f.look = wend__path_look(i);
        if (d->feet)
            wend__feet_walk(d, &d->picture->paths[i], put_feet, &f);
        else
            put_path(c, &pen, &d->picture->paths[i], f.look);
    }
}

static void put_markers(wend__canvas *c, const wend_cell *cells, size_t count, const stamp *rim, const stamp *core,
                        int32_t look) {
    for (size_t i = 0; i < count; i++) {
        wend__spot at = middle(c, cells[i]);
        if (rim->size > core->size) put_stamp(c, rim, at.x, at.y, WEND__LOOK_HALO);
        put_stamp(c, core, at.x, at.y, look);
    }
}

/// A ring at both ends.
static void put_links(wend__canvas *c) {
    const wend__drawing *d = c->drawing;
    stamp ring = round_stamp(d->marker), hole = round_stamp(d->marker < 5 ? 0 : d->marker * 6 / 10);
    for (size_t i = 0; i < d->link_count; i++) {
        wend__spot ends[2] = {middle(c, d->links[i].from), middle(c, d->links[i].to)};
        for (int32_t k = 0; k < 2; k++) {
            put_stamp(c, &ring, ends[k].x, ends[k].y, WEND__LOOK_LINK);
            put_stamp(c, &hole, ends[k].x, ends[k].y, WEND__LOOK_HALO);
        }
    }
}

static void fill_box(wend__canvas *c, int32_t left, int32_t top, int32_t right, int32_t bottom, int32_t look) {
    for (int32_t y = larger(top, c->top); y < bottom && y < c->bottom; y++) fill_row(c, y, left, right, look);
}

/// A line along the edge between two cells, within the one it is closed from; a diagonal: a square at the corner.
static void put_step(wend__canvas *c, const wend_step *step) {
    int32_t scale = c->drawing->scale, thick = larger(1, scale / 12);
    wend__spot a = wend__spot_of(c->drawing, step->from), b = wend__spot_of(c->drawing, step->to);
    if (step->from.z != step->to.z) return;
    int32_t left = a.x * scale, top = a.y * scale, right = left + scale, bottom = top + scale;
    if (a.x != b.x && a.y != b.y) thick = larger(1, scale / 6);
    if (b.x > a.x) left = right - thick;
    if (b.x < a.x) right = left + thick;
    if (b.y > a.y) top = bottom - thick;
    if (b.y < a.y) bottom = top + thick;
    fill_box(c, left, top, right, bottom, WEND__LOOK_STEP);
}

/// Three columns by five rows a digit, from the top, three bits a row.
static const uint16_t digits[10] = {075557, 026227, 071747, 071717, 055711, 074717, 074757, 071122, 075757, 075717};

static void put_number(wend__canvas *c, int32_t number, int32_t left, int32_t top, int32_t size) {
    int32_t count = 1;
    for (int32_t rest = number; rest > 9; rest /= 10) count++;
    for (int32_t i = count - 1; i >= 0; i--, number /= 10)
        for (int32_t bit = 0; bit < 15; bit++) {
            int32_t x = left + (4 * i + bit % 3) * size, y = top + bit / 3 * size;
            if (digits[number % 10] >> (14 - bit) & 1) fill_box(c, x, y, x + size, y + size, WEND__LOOK_BLOCKED);
        }
}

static void put_labels(wend__canvas *c) {
    const wend__drawing *d = c->drawing;
    enum { DOT_PIXELS = 2 };
    for (int32_t z = 0; z < d->layers && d->label && d->gap; z++) {
        wend__spot at = wend__spot_of(d, (wend_cell){0, 0, z});
        put_number(c, z, at.x * d->scale, at.y * d->scale - 6 * DOT_PIXELS, DOT_PIXELS);
    }
}

/// Spread one row of looks over the pixel rows of its cells; pixels and looks may not overlap.
static void put_ground_row(wend__canvas *c, int32_t cell_y, const uint8_t *looks) {
    int32_t scale = c->drawing->scale, line = c->drawing->grid ? WEND__LOOK_LINES : 0;
    uint8_t *first = c->pixels + ((size_t)cell_y * (size_t)scale - (size_t)c->top) * (size_t)c->width;
    for (int32_t x = 0; x < c->drawing->width; x++) {
        memset(first + (size_t)x * (size_t)scale, looks[x], (size_t)scale);
        first[(size_t)x * (size_t)scale] = (uint8_t)(looks[x] + line);
    }
    for (int32_t row = 1; row < scale; row++) memcpy(first + (size_t)row * (size_t)c->width, first, (size_t)c->width);
    if (line)
        for (int32_t x = 0; x < c->drawing->width; x++)
            memset(first + (size_t)x * (size_t)scale, looks[x] + line, (size_t)scale);
}

/// One row of cells through all panels beside each other.
static wend_error read_row(const wend__drawing *d, int32_t y, uint8_t *looks) {
    int32_t high = d->info.height + d->label + d->gap, row = y % high - d->label;
    memset(looks, WEND__LOOK_PAPER, (size_t)d->width);
    if (row < 0 || row >= d->info.height) return WEND_OK;
    for (int32_t column = 0; column < d->columns; column++) {
        int32_t z = y / high * d->columns + column;
        if (z >= d->layers) break;
        uint8_t *part = looks + (size_t)column * (size_t)(d->info.width + d->gap);
        wend_box box = {.min = {0, row, z}, .max = {d->info.width - 1, row, z}};
        wend_error error = wend_map_get_terrain_box(d->picture->map, box, part, (size_t)d->info.width);
        if (error) return error;
        for (int32_t x = 0; x < d->info.width; x++) part[x] = d->looks[part[x]];
    }
    return WEND_OK;
}

wend_error wend__ground_read(const wend__drawing *d, int32_t top, int32_t bottom, uint8_t *looks) {
    for (int32_t y = top; y < bottom; y++) {
        wend_error error = read_row(d, y, looks + (size_t)(y - top) * (size_t)d->width);
        if (error) return error;
    }
    return WEND_OK;
}

static wend_error put_ground(wend__canvas *c) {
    const wend__drawing *d = c->drawing;
    if (d->scale == 1) return wend__ground_read(d, c->top, c->bottom, c->pixels);
    uint8_t *looks = malloc((size_t)d->width);
    if (!looks) return WEND_OUT_OF_MEMORY;
    wend_error error = WEND_OK;
    for (int32_t y = c->top / d->scale; y < c->bottom / d->scale && !error; y++) {
        error = wend__ground_read(d, y, y + 1, looks);
        if (!error) put_ground_row(c, y, looks);
    }
    free(looks);
    return error;
}

/// Edges below nodes; parallel ones and both directions on one another.
static wend_error put_graph(wend__canvas *c) {
    wend__drawing *d = c->drawing;
    stamp thin = round_stamp(1), dot = round_stamp(d->graph.dot);
    memset(c->pixels, WEND__LOOK_PAPER, (size_t)c->width * (size_t)(c->bottom - c->top));
    for (size_t node = 0; node < d->graph.count; node++) {
        size_t count = 0;
        wend_error error = d->graph.x[node] < 0 ? WEND_OK : wend__graph_edges(d, node, &count);
        if (error) return error;
        for (size_t i = 0; i < count; i++) {
            uint32_t to = d->graph.edges[i].to;
            put_line(c, &thin, d->graph.x[node], d->graph.y[node], d->graph.x[to], d->graph.y[to], WEND__LOOK_EDGE);
        }
    }
    for (size_t node = 0; node < d->graph.count; node++)
        if (d->graph.x[node] >= 0) put_stamp(c, &dot, d->graph.x[node], d->graph.y[node], d->graph.looks[node]);
    return WEND_OK;
}

wend_error wend__canvas_draw(wend__canvas *c) {
    const wend__drawing *d = c->drawing;
    const wend_picture *picture = d->picture;
    bool graph = d->info.kind == WEND_KIND_GRAPH;
    wend_error error = graph ? put_graph(c) : put_ground(c);
    if (error) return error;
    for (size_t i = 0; i < d->step_count; i++) put_step(c, &d->steps[i]);
    if (!graph) put_labels(c);
    put_links(c);
    put_paths(c);
    stamp rim = square_stamp(d->marker + 2 * d->halo), core = square_stamp(d->marker);
    put_markers(c, picture->goals, picture->goal_count, &rim, &core, WEND__LOOK_GOAL);
    rim = round_stamp(d->marker + 2 * d->halo), core = round_stamp(d->marker);
    put_markers(c, picture->starts, picture->start_count, &rim, &core, WEND__LOOK_START);
    return WEND_OK;
}
