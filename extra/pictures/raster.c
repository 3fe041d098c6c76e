/* SPDX-License-Identifier: MIT */
/* Draws shapes in some rows of a picture: boxes, lines, curves, triangles, stamps and text. */
#include "pictures/raster.h"

#include <stdlib.h>
#include <string.h>

wend__stamp wend__round_stamp(int32_t size) {
    wend__stamp s = {.size = size < WEND__MAX_STAMP ? size : WEND__MAX_STAMP};
    for (int32_t row = 0; row < s.size; row++) {
        int32_t dy = 2 * row + 1 - s.size, inset = 0;
        for (int32_t dx = 1 - s.size; inset < s.size / 2 && dx * dx + dy * dy > s.size * s.size; dx += 2) inset++;
        s.inset[row] = (int16_t)inset;
    }
    return s;
}

wend__stamp wend__square_stamp(int32_t size) {
    return (wend__stamp){.size = size < WEND__MAX_STAMP ? size : WEND__MAX_STAMP};
}

static void fill_row(wend__raster *r, int32_t y, int32_t left, int32_t right, int32_t ink) {
    if (y < r->top || y >= r->bottom) return;
    if (left < 0) left = 0;
    if (right > r->width) right = r->width;
    if (left < right) memset(r->pixels + (size_t)(y - r->top) * (size_t)r->width + left, ink, (size_t)(right - left));
}

void wend__put_stamp(wend__raster *r, const wend__stamp *s, int32_t x, int32_t y, int32_t ink) {
    int32_t left = x - s->size / 2, top = y - s->size / 2;
    if (top >= r->bottom || top + s->size <= r->top) return;
    for (int32_t row = 0; row < s->size; row++)
        fill_row(r, top + row, left + s->inset[row], left + s->size - s->inset[row], ink);
}

/// Draws one stamp for each step along the longer side (Bresenham 1965).
void wend__put_line(wend__raster *r, const wend__stamp *s, wend__spot a, wend__spot b, int32_t ink) {
    int32_t dx = abs(b.x - a.x), dy = abs(b.y - a.y), sx = a.x < b.x ? 1 : -1, sy = a.y < b.y ? 1 : -1, rest = dx - dy;
    if ((a.y < b.y ? a.y : b.y) - s->size > r->bottom || (a.y > b.y ? a.y : b.y) + s->size < r->top) return;
    wend__put_stamp(r, s, a.x, a.y, ink);
    while (a.x != b.x || a.y != b.y) {
        int32_t twice = 2 * rest;
        if (twice >= -dy) rest -= dy, a.x += sx;
        if (twice <= dx) rest += dx, a.y += sy;
        wend__put_stamp(r, s, a.x, a.y, ink);
    }
}

void wend__put_curve(wend__raster *r, const wend__stamp *s, wend__spot from, wend__spot bend, wend__spot to,
                     int32_t ink) {
    enum { PIECES = 32 };
    wend__spot last = from;
    for (int64_t i = 1; i <= PIECES; i++) {
        int64_t a = (PIECES - i) * (PIECES - i), b = 2 * i * (PIECES - i), c = i * i;
        wend__spot next = {(int32_t)((a * from.x + b * bend.x + c * to.x) / (PIECES * PIECES)),
                           (int32_t)((a * from.y + b * bend.y + c * to.y) / (PIECES * PIECES))};
        wend__put_line(r, s, last, next, ink);
        last = next;
    }
}

void wend__fill_box(wend__raster *r, int32_t left, int32_t top, int32_t right, int32_t bottom, int32_t ink) {
    for (int32_t y = wend__larger(top, r->top); y < bottom && y < r->bottom; y++) fill_row(r, y, left, right, ink);
}

/// Widen a range of pixels to the point where a side of the triangle crosses their row.
static void cross(wend__spot a, wend__spot b, int32_t y, int32_t *left, int32_t *right) {
    if (a.y > b.y) {
        wend__spot swapped = a;
        a = b, b = swapped;
    }
    if (y < a.y || y > b.y) return;
    int64_t high = b.y - a.y;
    int32_t x = high ? (int32_t)(a.x + (int64_t)(b.x - a.x) * (y - a.y) / high) : a.x;
    if (x < *left) *left = x;
    if (x > *right) *right = x;
    if (high == 0 && b.x < *left) *left = b.x;
    if (high == 0 && b.x > *right) *right = b.x;
}

void wend__fill_triangle(wend__raster *r, wend__spot a, wend__spot b, wend__spot c, int32_t ink) {
    int32_t top = a.y < b.y ? a.y : b.y, bottom = wend__larger(a.y, b.y);
    if (c.y < top) top = c.y;
    bottom = wend__larger(bottom, c.y);
    for (int32_t y = wend__larger(top, r->top); y <= bottom && y < r->bottom; y++) {
        int32_t left = INT32_MAX, right = INT32_MIN;
        cross(a, b, y, &left, &right);
        cross(b, c, y, &left, &right);
        cross(c, a, y, &left, &right);
        if (left <= right) fill_row(r, y, left, right + 1, ink);
    }
}

void wend__put_floor(wend__raster *r, int32_t x, int32_t y, int32_t size, bool up, int32_t ink) {
    int32_t half = size / 2, tip = up ? y - half : y + half, base = up ? y + half : y - half;
    wend__fill_triangle(r, (wend__spot){x, tip}, (wend__spot){x - half, base}, (wend__spot){x + half, base}, ink);
}

void wend__put_text(wend__raster *r, const char *text, int32_t left, int32_t top, int32_t dot, int32_t ink) {
    for (; *text; text++, left += (WEND__GLYPH_COLUMNS + 1) * dot) {
        const uint8_t *columns = wend__glyph(*text);
        for (int32_t bit = 0; bit < WEND__GLYPH_COLUMNS * WEND__GLYPH_ROWS; bit++) {
            int32_t column = bit / WEND__GLYPH_ROWS, row = bit % WEND__GLYPH_ROWS;
            int32_t x = left + column * dot, y = top + row * dot;
            if (columns[column] >> row & 1) wend__fill_box(r, x, y, x + dot, y + dot, ink);
        }
    }
}
