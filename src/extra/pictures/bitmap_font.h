/* SPDX-License-Identifier: MIT */
/* A bitmap font for text in PNG: small letters, digits and a few signs. */
#ifndef WEND_SRC_EXTRA_PICTURES_BITMAP_FONT_H
#define WEND_SRC_EXTRA_PICTURES_BITMAP_FONT_H

#include <stdint.h>

enum { WEND__GLYPH_COLUMNS = 5, WEND__GLYPH_ROWS = 8 }; ///< the last row is below the baseline

/// A letter's columns from the left, one byte each; bit 0 is the top row. Capitals look like small letters; what the
/// font lacks looks like a question mark.
const uint8_t *wend__glyph(char letter);

#endif
