/* SPDX-License-Identifier: MIT */
/* Draws ground, paths and markers into some rows of a picture; what lies outside the rows is left out. */
#include "extra/picture.h"

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

static int32_t middle(const wend__canvas *c, int32_t cell) {
    return cell * c->drawing->scale + c->drawing->scale / 2;
}

static void put_path(wend__canvas *c, const stamp *s, const wend_picture_path *path, int32_t look) {
    for (size_t i = 0; i < path->cell_count; i++) {
        wend_cell a = path->cells[i ? i - 1 : 0], b = path->cells[i];
        put_line(c, s, middle(c, a.x), middle(c, a.y), middle(c, b.x), middle(c, b.y), look);
    }
}

static void put_markers(wend__canvas *c, const wend_cell *cells, size_t count, const stamp *rim, const stamp *core,
                        int32_t look) {
    for (size_t i = 0; i < count; i++) {
        int32_t x = middle(c, cells[i].x), y = middle(c, cells[i].y);
        if (rim->size > core->size) put_stamp(c, rim, x, y, WEND__LOOK_HALO);
        put_stamp(c, core, x, y, look);
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

int32_t wend__ground_read(const wend__drawing *d, int32_t top, int32_t bottom, uint8_t *looks) {
    wend_box box = {.min = {0, top, 0}, .max = {d->width - 1, bottom - 1, 0}};
    int32_t error = wend_map_read(d->picture->map, box, looks, (size_t)d->width);
    if (error) return error;
    size_t cells = (size_t)d->width * (size_t)(bottom - top);
    for (size_t i = 0; i < cells; i++) looks[i] = d->looks[looks[i]];
    return WEND_OK;
}

static int32_t put_ground(wend__canvas *c) {
    const wend__drawing *d = c->drawing;
    if (d->scale == 1) return wend__ground_read(d, c->top, c->bottom, c->pixels);
    uint8_t *looks = malloc((size_t)d->width);
    if (!looks) return WEND_OUT_OF_MEMORY;
    int32_t error = WEND_OK;
    for (int32_t y = c->top / d->scale; y < c->bottom / d->scale && !error; y++) {
        error = wend__ground_read(d, y, y + 1, looks);
        if (!error) put_ground_row(c, y, looks);
    }
    free(looks);
    return error;
}

int32_t wend__canvas_draw(wend__canvas *c) {
    const wend__drawing *d = c->drawing;
    const wend_picture *picture = d->picture;
    int32_t error = put_ground(c);
    if (error) return error;
    stamp pen = round_stamp(d->line);
    for (size_t i = picture->path_count; i-- > 0;) put_path(c, &pen, &picture->paths[i], wend__path_look(i));
    stamp rim = square_stamp(d->marker + 2 * d->halo), core = square_stamp(d->marker);
    put_markers(c, picture->goals, picture->goal_count, &rim, &core, WEND__LOOK_GOAL);
    rim = round_stamp(d->marker + 2 * d->halo), core = round_stamp(d->marker);
    put_markers(c, picture->starts, picture->start_count, &rim, &core, WEND__LOOK_START);
    return WEND_OK;
}
