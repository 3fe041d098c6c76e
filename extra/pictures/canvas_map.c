/* SPDX-License-Identifier: MIT */
/* Draws the map's part of a picture into a raster: ground, roads, paths, units and markers. */
#include "drawing/colours.h"
#include "pictures/canvas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct canvas {
    const wend__drawing *drawing;
    wend__raster *raster;
} canvas;

static bool is_ansi(const canvas *c) {
    return c->drawing->picture->format == WEND_PICTURE_ANSI;
}

/// Gets the middle of a cell, in pixels.
static wend__spot middle(const canvas *c, wend_cell cell) {
    wend__spot spot = wend__spot_of(c->drawing, cell);
    int32_t scale = c->drawing->scale;
    return (wend__spot){spot.x * scale + scale / 2, spot.y * scale + scale / 2};
}

/// Draws an arc between two cells. @return the middle of the arc
static wend__spot put_arc(const canvas *c, const wend__stamp *pen, wend_cell from, wend_cell to, int32_t ink) {
    const wend__drawing *d = c->drawing;
    wend__spot a = middle(c, from), b = middle(c, to), bend = wend__link_bend(d, from, to);
    int32_t half_cell = d->info.kind == WEND_KIND_GRAPH ? 0 : d->scale / 2;
    bend.x = (int32_t)((int64_t)bend.x * d->scale / 1000) + half_cell;
    bend.y = (int32_t)((int64_t)bend.y * d->scale / 1000) + half_cell;
    wend__put_curve(c->raster, pen, a, bend, b, ink);
    return (wend__spot){(a.x + 2 * bend.x + b.x) / 4, (a.y + 2 * bend.y + b.y) / 4};
}

/// Draws an arc in the path's colour for each link that the path takes.
static void put_taken_links(const canvas *c, const wend__stamp *pen, const wend_picture_path *path, int32_t ink) {
    for (size_t i = 1; i < path->cell_count && !is_ansi(c); i++)
        if (wend__takes_link(c->drawing, path->cells[i - 1], path->cells[i]))
            put_arc(c, pen, path->cells[i - 1], path->cells[i], ink);
}

/// Draws a line; over the rim of a map that wraps twice, from both ends out of the picture.
static void put_round(const canvas *c, const wend__stamp *pen, wend__spot a, wend__spot b, int32_t ink) {
    const wend__spot shift = wend__rim_shift(c->drawing, a, b, c->drawing->scale);
    wend__put_line(c->raster, pen, a, (wend__spot){b.x + shift.x, b.y + shift.y}, ink);
    if (shift.x || shift.y) wend__put_line(c->raster, pen, (wend__spot){a.x - shift.x, a.y - shift.y}, b, ink);
}

static void put_path(const canvas *c, const wend__stamp *pen, const wend_picture_path *path, int32_t ink) {
    for (size_t i = 0; i < path->cell_count; i++) {
        const wend_cell *at = &path->cells[i];
        bool joined = i && at[-1].z == at->z && !wend__takes_link(c->drawing, at[-1], *at);
        put_round(c, pen, middle(c, joined ? at[-1] : *at), middle(c, *at), ink);
    }
}

typedef struct feet {
    const canvas *canvas;
    wend__stamp sole, heel;
    int32_t ink;
} feet;

/// Draws two feet, each a sole and a heel behind it, the left one ahead.
static void put_feet(void *context, wend__spot at, int32_t dx, int32_t dy) {
    feet *f = context;
    wend__raster *r = f->canvas->raster;
    int32_t scale = f->canvas->drawing->scale, x = at.x * scale + scale / 2, y = at.y * scale + scale / 2;
    int32_t unit = dx && dy ? scale * 7 / 10 : scale; /* a diagonal's length */
    for (int32_t side = -1; side <= 1; side += 2) {
        int32_t left_x = dy * unit * side * 17 / 100, left_y = -dx * unit * side * 17 / 100;
        int32_t ahead = side > 0 ? 12 : -12;
        wend__put_stamp(r, &f->sole, x + left_x + dx * unit * (ahead + 10) / 100,
                        y + left_y + dy * unit * (ahead + 10) / 100, f->ink);
        wend__put_stamp(r, &f->heel, x + left_x + dx * unit * (ahead - 14) / 100,
                        y + left_y + dy * unit * (ahead - 14) / 100, f->ink);
    }
}

static void put_paths(const canvas *c) {
    const wend__drawing *d = c->drawing;
    wend__stamp pen = wend__round_stamp(d->feet ? wend__larger(1, d->line / 2) : d->line);
    feet f = {c, wend__round_stamp(d->scale * 28 / 100), wend__round_stamp(d->scale * 20 / 100), 0};
    if (d->feet && is_ansi(c)) return; /* its letters show the ground */
    for (size_t i = d->picture->path_count; i-- > 0;) {
        f.ink = wend__path_ink(i);
        put_taken_links(c, &pen, &d->picture->paths[i], f.ink);
        if (d->feet)
            wend__feet_walk(d, &d->picture->paths[i], put_feet, &f);
        else
            put_path(c, &pen, &d->picture->paths[i], f.ink);
    }
}

static wend__spot point_middle(const canvas *c, wend_point point) {
    wend__spot spot = wend__point_spot(c->drawing, point);
    int64_t scale = c->drawing->scale, half = c->drawing->scale / 2;
    return (wend__spot){(int32_t)(spot.x * scale / 1000 + half), (int32_t)(spot.y * scale / 1000 + half)};
}

static void put_line(const canvas *c, const wend_picture_line *line, const wend__stamp *pen, int32_t ink) {
    for (size_t k = 1; k < line->point_count; k++)
        if (wend__line_goes_on(c->drawing, line->points[k - 1], line->points[k]))
            put_round(c, pen, point_middle(c, line->points[k - 1]), point_middle(c, line->points[k]), ink);
}

/// Draws the ways of discs, as wide as these are.
static void put_bands(const canvas *c) {
    const wend__drawing *d = c->drawing;
    for (size_t i = d->picture->line_count; i-- > 0 && !is_ansi(c);) {
        const wend_picture_line *line = &d->picture->lines[i];
        const uint64_t size = 2 * (uint64_t)line->radius_milli * (uint64_t)d->scale / 1000;
        if (size == 0) continue;
        const wend__stamp pen = wend__round_stamp(size < WEND__MAX_STAMP ? (int32_t)size : WEND__MAX_STAMP);
        put_line(c, line, &pen, WEND__INK_LINES + WEND__INK_OPEN);
    }
}

static void put_lines(const canvas *c) {
    const wend__drawing *d = c->drawing;
    wend__stamp pen = wend__round_stamp(d->feet ? wend__larger(1, d->line / 2) : d->line);
    for (size_t i = d->picture->line_count; i-- > 0 && !is_ansi(c);)
        put_line(c, &d->picture->lines[i], &pen, wend__path_ink(d->picture->path_count + i));
}

typedef struct floors {
    const canvas *canvas;
    int32_t size, ink;
} floors;

/// Draws a triangle where a path leaves its layer, a hollow one where it arrives. At the path's ends, where markers
/// are, it is small. ANSI has a letter where a path leaves.
static void put_floor(void *context, const wend__floor *floor) {
    floors *f = context;
    wend__raster *r = f->canvas->raster;
    wend__spot m = middle(f->canvas, floor->at);
    int32_t size = f->size, lower = floor->up ? size / 8 : -(size / 8);
    if (is_ansi(f->canvas)) {
        int32_t ink = floor->up ? WEND__INK_UP : WEND__INK_DOWN;
        if (!floor->arrives) wend__fill_box(r, m.x, m.y, m.x + 1, m.y + 1, ink);
        return;
    }
    if (!floor->end) {
        wend__put_floor(r, m.x, m.y, size + 2 * wend__larger(2, size / 6), floor->up, WEND__INK_HALO);
        wend__put_floor(r, m.x, m.y, size, floor->up, f->ink);
    }
    if (floor->arrives || floor->end) wend__put_floor(r, m.x, m.y + lower, size / 2, floor->up, WEND__INK_HALO);
}

static void put_floors(const canvas *c) {
    const wend__drawing *d = c->drawing;
    floors f = {c, wend__larger(5, d->marker * 8 / 10), 0};
    for (size_t i = d->picture->path_count; i-- > 0 && d->info.kind == WEND_KIND_VOXEL;) {
        f.ink = wend__path_ink(i);
        wend__floors_visit(&d->picture->paths[i], put_floor, &f);
    }
}

/// Draws markers of one kind, each with a light rim.
static void put_markers(const canvas *c, const wend_cell *cells, size_t count, bool round, int32_t size, int32_t ink) {
    int32_t rim_size = size + 2 * c->drawing->halo;
    wend__stamp rim = round ? wend__round_stamp(rim_size) : wend__square_stamp(rim_size);
    wend__stamp core = round ? wend__round_stamp(size) : wend__square_stamp(size);
    for (size_t i = 0; i < count; i++) {
        wend__spot at = middle(c, cells[i]);
        if (rim.size > core.size) wend__put_stamp(c->raster, &rim, at.x, at.y, WEND__INK_HALO);
        wend__put_stamp(c->raster, &core, at.x, at.y, ink);
    }
}

/* An arrowhead. */
static void put_arrow(wend__raster *raster, const wend__arrow *arrow, int32_t ink) {
    wend__fill_triangle(raster, arrow->tip, arrow->left, arrow->right, ink);
}

static void put_link(const canvas *c, const wend__stamp *pen, const wend_link *link) {
    wend__spot half = put_arc(c, pen, link->from, link->to, WEND__INK_LINK);
    if (!wend__link_is_one_way(c->drawing, link)) return;
    wend__spot from = middle(c, link->from), to = middle(c, link->to);
    wend__arrow arrow = wend__arrow_at(half, to.x - from.x, to.y - from.y, wend__larger(8, c->drawing->marker));
    put_arrow(c->raster, &arrow, WEND__INK_LINK);
}

/// Draws each link: a ring at both ends, and an arc between.
static void put_links(const canvas *c) {
    const wend__drawing *d = c->drawing;
    wend__stamp pen = wend__round_stamp(wend__larger(1, d->line / 2));
    wend__stamp ring = wend__round_stamp(d->marker), hole = wend__round_stamp(d->marker < 5 ? 0 : d->marker * 6 / 10);
    for (size_t i = 0; i < d->link_count && d->link_count <= WEND__MOST_ARCS && !is_ansi(c); i++)
        put_link(c, &pen, &d->links[i]);
    for (size_t i = 0; i < d->link_count; i++) {
        wend__spot ends[2] = {middle(c, d->links[i].from), middle(c, d->links[i].to)};
        for (int32_t k = 0; k < 2; k++) {
            wend__put_stamp(c->raster, &ring, ends[k].x, ends[k].y, WEND__INK_LINK);
            wend__put_stamp(c->raster, &hole, ends[k].x, ends[k].y, WEND__INK_HALO);
        }
    }
}

/// Draws a closed step: a line along the edge between the cells, inside the one it is closed from; of a diagonal step a
/// square in the corner.
static void put_step(const canvas *c, const wend_step *step) {
    int32_t scale = c->drawing->scale, thick = wend__larger(1, scale / 12);
    wend__spot a = wend__spot_of(c->drawing, step->from), b = wend__spot_of(c->drawing, step->to);
    if (step->from.z != step->to.z) return;
    if (c->drawing->hexagons) { /* across the way, just before its middle */
        const int32_t x = (a.x * 56 + b.x * 44) * scale / 100 + scale / 2,
                      y = (a.y * 56 + b.y * 44) * scale / 100 + scale / 2;
        const int32_t dx = (b.x - a.x) * scale / 4, dy = (b.y - a.y) * scale / 4;
        const wend__stamp pen = wend__round_stamp(wend__larger(1, scale / 5));
        wend__put_line(c->raster, &pen, (wend__spot){x - dy, y + dx}, (wend__spot){x + dy, y - dx}, WEND__INK_STEP);
        return;
    }
    int32_t left = a.x * scale, top = a.y * scale, right = left + scale, bottom = top + scale;
    if (a.x != b.x && a.y != b.y) thick = wend__larger(1, scale / 6);
    if (b.x > a.x) left = right - thick;
    if (b.x < a.x) right = left + thick;
    if (b.y > a.y) top = bottom - thick;
    if (b.y < a.y) bottom = top + thick;
    wend__fill_box(c->raster, left, top, right, bottom, WEND__INK_STEP);
}

/// Draws a square in each expanded cell; of a large cell the ground stays visible round it.
static void put_expanded(const canvas *c) {
    const wend__drawing *d = c->drawing;
    for (size_t i = 0; i < d->picture->expanded_count; i++) {
        wend__spot at = wend__spot_of(d, d->picture->expanded[i]);
        int32_t left = at.x * d->scale + (d->scale - d->expanded) / 2;
        int32_t top = at.y * d->scale + (d->scale - d->expanded) / 2;
        wend__fill_box(c->raster, left, top, left + d->expanded, top + d->expanded, WEND__INK_EXPANDED);
    }
}

/// Draws the number of each layer above it.
static void put_labels(const canvas *c) {
    enum { DOT_PIXELS = 2, ABOVE = 16 };
    const wend__drawing *d = c->drawing;
    for (int32_t z = 0; z < d->layers && d->label && d->gap; z++) {
        char text[24];
        wend__spot at = wend__spot_of(d, (wend_cell){0, 0, z});
        snprintf(text, sizeof text, "z = %d", (int)z);
        wend__put_text(c->raster, text, at.x * d->scale, at.y * d->scale - ABOVE, DOT_PIXELS, WEND__INK_BLOCKED);
    }
}

/// Spread one row of inks over the pixel rows of its cells.
static void put_ground_row(const canvas *c, int32_t cell_y, const uint8_t *inks) {
    const wend__raster *r = c->raster;
    int32_t scale = c->drawing->scale, line = c->drawing->grid ? WEND__INK_LINES : 0;
    size_t map_width = (size_t)c->drawing->width * (size_t)scale;
    uint8_t *first = r->pixels + ((size_t)cell_y * (size_t)scale - (size_t)r->top) * (size_t)r->width;
    for (int32_t x = 0; x < c->drawing->width; x++) {
        memset(first + (size_t)x * (size_t)scale, inks[x], (size_t)scale);
        first[(size_t)x * (size_t)scale] = (uint8_t)(inks[x] + line);
    }
    for (int32_t row = 1; row < scale; row++) memcpy(first + (size_t)row * (size_t)r->width, first, map_width);
    if (line)
        for (int32_t x = 0; x < c->drawing->width; x++)
            memset(first + (size_t)x * (size_t)scale, inks[x] + line, (size_t)scale);
}

static wend_error put_ground(const canvas *c) {
    const wend__drawing *d = c->drawing;
    const wend__raster *r = c->raster;
    uint8_t *inks = malloc((size_t)d->width);
    if (!inks) return WEND_OUT_OF_MEMORY;
    wend_error error = WEND_OK;
    for (int32_t y = r->top / d->scale; y < r->bottom / d->scale && !error; y++) {
        error = wend__drawing_read(d, y, y + 1, inks);
        if (!error) put_ground_row(c, y, inks);
    }
    free(inks);
    return error;
}

/// Rounds thousandths of a cell, and gets how far off the whole number is.
static int32_t round_axis(int32_t milli, int32_t *off) {
    const int32_t rest = milli % 1000, whole = milli / 1000 + (rest >= 500) - (rest < -500);
    *off = abs(milli - 1000 * whole);
    return whole;
}

/// Gets the hexagon under a pixel, on the map or not. The three axes of a hexagon add up to 0. Each is rounded; the one
/// farthest off then follows from the others.
static wend_cell hexagon_at(const wend__drawing *d, int32_t x, int32_t y) {
    const double scale = d->scale, column = (x + .5 - 1.5 * scale) / (2 * scale),
                 row = (y + .5 - 1.5 * scale) / (2 * scale);
    const int32_t across = (int32_t)lround((column - row / 2) * 1000), along = (int32_t)lround(row * 1000);
    int32_t off_x, off_y, off_z, cell_x = round_axis(across, &off_x), cell_y = round_axis(along, &off_y);
    const int32_t cell_z = round_axis(-across - along, &off_z);
    if (off_x > off_y && off_x > off_z)
        cell_x = -cell_y - cell_z;
    else if (off_y > off_z)
        cell_y = -cell_x - cell_z;
    return (wend_cell){cell_x, cell_y, 0};
}

static bool same_cell(wend_cell a, wend_cell b) {
    return a.x == b.x && a.y == b.y;
}

static uint8_t hexagon_ink(const wend__drawing *d, wend_cell cell) {
    uint8_t class;
    return wend_map_get_terrain(d->picture->map, cell, &class) ? WEND__INK_PAPER : d->inks[class];
}

/// Draws each pixel as the hexagon that it lies in. The line between two is on the right or lower one.
static wend_error put_hexagons(const canvas *c) {
    const wend__drawing *d = c->drawing;
    const wend__raster *r = c->raster;
    const int32_t width = d->width * d->scale,
                  end = r->bottom < d->height * d->scale ? r->bottom : d->height * d->scale;
    wend_cell *above = malloc((size_t)width * sizeof *above);
    if (!above) return WEND_OUT_OF_MEMORY;
    for (int32_t y = r->top - 1; y < end; y++) {
        uint8_t *row = y < r->top ? NULL : r->pixels + (size_t)(y - r->top) * (size_t)r->width;
        uint8_t ink = WEND__INK_PAPER;
        wend_cell left = {-2, -2, 0};
        for (int32_t x = 0; x < width; x++) {
            const wend_cell cell = hexagon_at(d, x, y);
            if (row && !same_cell(cell, left)) ink = hexagon_ink(d, cell);
            const bool rim =
                d->grid && ink != WEND__INK_PAPER && (!same_cell(cell, left) || (row && !same_cell(cell, above[x])));
            if (row) row[x] = (uint8_t)(ink + (rim ? WEND__INK_LINES : 0));
            above[x] = left = cell;
        }
    }
    free(above);
    return WEND_OK;
}

/// Draws edges, arrows and nodes. Parallel edges, and those of both directions, cover each other.
static void put_graph(const canvas *c) {
    const wend__node_places *n = &c->drawing->nodes;
    wend__raster *r = c->raster;
    wend__stamp thin = wend__round_stamp(1), dot = wend__round_stamp(n->dot);
    wend__fill_box(r, 0, 0, c->drawing->width, c->drawing->height, WEND__INK_PAPER);
    for (size_t i = 0; i < c->drawing->road_count; i++) {
        const wend__road *road = &c->drawing->roads[i];
        wend__spot from = {n->x[road->from], n->y[road->from]}, to = {n->x[road->to], n->y[road->to]};
        wend__arrow arrow;
        wend__put_line(r, &thin, from, to, WEND__INK_EDGE);
        if (wend__road_is_one_way(c->drawing, road) && wend__road_arrow(c->drawing, road, &arrow))
            put_arrow(r, &arrow, WEND__INK_EDGE);
    }
    for (size_t node = 0; node < n->count; node++)
        if (n->x[node] >= 0) wend__put_stamp(r, &dot, n->x[node], n->y[node], n->inks[node]);
}

wend_error wend__canvas_map(const wend__drawing *d, wend__raster *raster) {
    const wend_picture *picture = d->picture;
    canvas c = {d, raster};
    bool graph = d->info.kind == WEND_KIND_GRAPH;
    if (raster->width > d->width * d->scale) /* next to a map that is narrower than its legend */
        wend__fill_box(raster, 0, raster->top, raster->width, raster->bottom, WEND__INK_PAPER);
    wend_error error = WEND_OK;
    if (graph)
        put_graph(&c);
    else
        error = d->hexagons && !is_ansi(&c) ? put_hexagons(&c) : put_ground(&c);
    if (error) return error;
    if (!graph) put_expanded(&c);
    for (size_t i = 0; i < d->step_count; i++) put_step(&c, &d->steps[i]);
    if (!graph) put_labels(&c);
    put_links(&c);
    if (!graph) put_bands(&c);
    put_paths(&c);
    if (!graph) put_lines(&c);
    if (is_ansi(&c)) put_floors(&c);
    put_markers(&c, picture->units, picture->unit_count, true, d->unit, WEND__INK_UNIT);
    put_markers(&c, picture->goals, picture->goal_count, false, d->marker, WEND__INK_GOAL);
    put_markers(&c, picture->starts, picture->start_count, true, d->marker, WEND__INK_START);
    if (!is_ansi(&c)) put_floors(&c);
    return WEND_OK;
}

/* ---- the legend ---- */

/// Draws a bar with a tick at both ends.
static void put_scale(wend__raster *r, int32_t left, int32_t middle, int32_t width, int32_t dot, int32_t ink) {
    int32_t tick = 3 * dot;
    wend__fill_box(r, left, middle - dot / 2, left + width, middle - dot / 2 + dot, ink);
    wend__fill_box(r, left, middle - tick, left + dot, middle + tick, ink);
    wend__fill_box(r, left + width - dot, middle - tick, left + width, middle + tick, ink);
}

/// Draws ground with a thin frame, so that open ground shows on white.
static void put_sample_ground(wend__raster *r, int32_t left, int32_t top, int32_t width, int32_t high, int32_t ink) {
    wend__fill_box(r, left, top, left + width, top + high, WEND__INK_EDGE);
    wend__fill_box(r, left + 1, top + 1, left + width - 1, top + high - 1, ink);
}

static void put_road(wend__raster *r, const wend__legend_item *item, int32_t left, int32_t middle, int32_t dot) {
    bool link = item->sign == WEND__SIGN_LINK || item->sign == WEND__SIGN_ONE_WAY_LINK;
    bool one_way = item->sign == WEND__SIGN_ONE_WAY_LINK || item->sign == WEND__SIGN_ONE_WAY_ROAD;
    wend__stamp pen = wend__square_stamp(dot), ring = wend__round_stamp(5 * dot), hole = wend__round_stamp(3 * dot);
    wend__spot a = {left + dot, middle}, b = {left + item->sign_width - dot, middle};
    wend__put_line(r, &pen, a, b, item->ink);
    for (int32_t end = 0; end < 2 && link; end++) {
        int32_t x = end ? b.x - dot : a.x + dot;
        wend__put_stamp(r, &ring, x, middle, item->ink);
        wend__put_stamp(r, &hole, x, middle, WEND__INK_HALO);
    }
    wend__arrow arrow = wend__arrow_at((wend__spot){(a.x + b.x) / 2, middle}, 1, 0, 5 * dot);
    if (one_way) put_arrow(r, &arrow, item->ink);
}

static void put_sign(const wend__drawing *d, wend__raster *r, const wend__legend_item *item, int32_t top, int32_t dot) {
    int32_t left = item->x, width = item->sign_width, high = WEND__LEGEND_ROW * dot;
    int32_t x = left + width / 2, y = top + high / 2;
    wend__stamp large = wend__round_stamp(7 * dot), small = wend__round_stamp(5 * dot);
    switch (item->sign) {
    case WEND__SIGN_SCALE: put_scale(r, left, y, width, dot, item->ink); break;
    case WEND__SIGN_GROUND:
        if (d->info.kind == WEND_KIND_GRAPH) {
            wend__put_stamp(r, &large, x, y, WEND__INK_EDGE);
            wend__put_stamp(r, &small, x, y, item->ink);
        } else {
            put_sample_ground(r, left, top, width, high, item->ink);
        }
        break;
    case WEND__SIGN_START: wend__put_stamp(r, &large, x, y, item->ink); break;
    case WEND__SIGN_GOAL: wend__fill_box(r, x - 3 * dot, y - 3 * dot, x + 3 * dot, y + 3 * dot, item->ink); break;
    case WEND__SIGN_PATH: wend__fill_box(r, left, y - dot, left + width, y + dot, item->ink); break;
    case WEND__SIGN_UP:
    case WEND__SIGN_DOWN: wend__put_floor(r, x, y, 7 * dot, item->sign == WEND__SIGN_UP, item->ink); break;
    case WEND__SIGN_UNIT: wend__put_stamp(r, &small, x, y, item->ink); break;
    case WEND__SIGN_EXPANDED:
        put_sample_ground(r, left, top, width, high, WEND__INK_OPEN);
        wend__fill_box(r, left + 3 * dot, top + 2 * dot, left + width - 3 * dot, top + high - 2 * dot, item->ink);
        break;
    case WEND__SIGN_STEP:
        put_sample_ground(r, left, top, width, high, WEND__INK_OPEN);
        wend__fill_box(r, left + width - 2 * dot, top, left + width, top + high, item->ink);
        break;
    case WEND__SIGN_LINK:
    case WEND__SIGN_ONE_WAY_LINK:
    case WEND__SIGN_ROAD:
    case WEND__SIGN_ONE_WAY_ROAD: put_road(r, item, left, y, dot); break;
    case WEND__SIGN_NONE: break;
    }
}

void wend__canvas_legend(const wend__drawing *d, const wend__legend *l, wend__raster *r) {
    int32_t map_height = d->height * d->scale;
    wend__fill_box(r, 0, map_height, l->width, map_height + l->height, WEND__INK_HALO);
    wend__fill_box(r, 0, map_height, l->width, map_height + l->dot, WEND__INK_PAPER);
    for (int32_t i = 0; i < l->count; i++) {
        const wend__legend_item *item = &l->items[i];
        int32_t gap = item->sign_width ? WEND__LEGEND_GAP * l->dot : 0;
        put_sign(d, r, item, map_height + item->y, l->dot);
        wend__put_text(r, item->text, item->x + item->sign_width + gap, map_height + item->y, l->dot,
                       WEND__INK_BLOCKED);
    }
}
