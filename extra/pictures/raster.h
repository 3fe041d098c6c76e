/* SPDX-License-Identifier: MIT */
/* Some rows of a picture, one byte a pixel, and shapes to draw in them. Pixels outside the rows are left out. */
#ifndef WEND_EXTRA_PICTURES_RASTER_H
#define WEND_EXTRA_PICTURES_RASTER_H

#include "drawing/drawing.h"
#include <stdint.h>

typedef struct wend__raster {
    int32_t width;       ///< pixels
    int32_t top, bottom; ///< rows of the picture; bottom is the first that is not in it
    uint8_t *pixels;
} wend__raster;

enum { WEND__MAX_STAMP = 512 };

/// The shape of a pen: for each of its rows how many pixels from the left it begins; it is symmetric.
typedef struct wend__stamp {
    int32_t size;
    int16_t inset[WEND__MAX_STAMP];
} wend__stamp;

wend__stamp wend__round_stamp(int32_t size);
wend__stamp wend__square_stamp(int32_t size);

/// Draws a stamp with its middle at (x, y).
void wend__put_stamp(wend__raster *raster, const wend__stamp *stamp, int32_t x, int32_t y, int32_t ink);
/// Draws a straight line of stamps.
void wend__put_line(wend__raster *raster, const wend__stamp *stamp, wend__spot from, wend__spot to, int32_t ink);
/// Draws a quadratic curve of stamps. @param bend   its control point
void wend__put_curve(wend__raster *raster, const wend__stamp *stamp, wend__spot from, wend__spot bend, wend__spot to,
                     int32_t ink);
/// Fills a box. Its last column is right - 1, its last row bottom - 1.
void wend__fill_box(wend__raster *raster, int32_t left, int32_t top, int32_t right, int32_t bottom, int32_t ink);
void wend__fill_triangle(wend__raster *raster, wend__spot a, wend__spot b, wend__spot c, int32_t ink);
/// Draws a triangle in a square of this size round (x, y), its tip up or down.
void wend__put_floor(wend__raster *raster, int32_t x, int32_t y, int32_t size, bool up, int32_t ink);
/// Writes a text. @param dot   pixels a side of each of the font's dots
void wend__put_text(wend__raster *raster, const char *text, int32_t left, int32_t top, int32_t dot, int32_t ink);

enum { WEND__GLYPH_COLUMNS = 5, WEND__GLYPH_ROWS = 8 }; ///< the last row is below the baseline

/// A letter's columns from the left, one byte each; bit 0 is the top row. Capitals look like small letters; what the
/// font lacks looks like a question mark.
const uint8_t *wend__glyph(char letter);

#endif
