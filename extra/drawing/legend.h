/* SPDX-License-Identifier: MIT */
/* The legend below a picture: a caption, a scale, and a sign with a word for each kind of thing in the picture. */
#ifndef WEND_EXTRA_DRAWING_LEGEND_H
#define WEND_EXTRA_DRAWING_LEGEND_H

#include "drawing/drawing.h"

typedef enum wend__sign {
    WEND__SIGN_NONE, ///< text alone
    WEND__SIGN_SCALE,
    WEND__SIGN_GROUND, ///< for a graph: a node of that ground
    WEND__SIGN_START,
    WEND__SIGN_GOAL,
    WEND__SIGN_PATH,
    WEND__SIGN_UP,
    WEND__SIGN_DOWN,
    WEND__SIGN_UNIT,
    WEND__SIGN_EXPANDED,
    WEND__SIGN_LINK,
    WEND__SIGN_ONE_WAY_LINK,
    WEND__SIGN_STEP,
    WEND__SIGN_ROAD,
    WEND__SIGN_ONE_WAY_ROAD
} wend__sign;

typedef struct wend__legend_item {
    wend__sign sign;
    int32_t ink;
    int32_t x, y;       ///< top left, in pixels of the legend
    int32_t sign_width; ///< pixels; the text begins a dot's gap behind it
    char text[WEND_PICTURE_MAX_CAPTION + 1];
} wend__legend_item;

/// All measures in pixels. A "dot" is a pixel of the font.
typedef struct wend__legend {
    wend__legend_item items[64];
    int32_t count;
    int32_t dot;
    int32_t width;  ///< width of the whole picture: a narrow one is widened
    int32_t height; ///< height of the legend; 0: there is none
} wend__legend;

enum {
    WEND__LEGEND_ADVANCE = 6, ///< dots from letter to letter
    WEND__LEGEND_SIGN = 14,   ///< dots: the width of most signs
    WEND__LEGEND_ROW = 8,     ///< dots: the height of a sign, and of a letter with its descender
    WEND__LEGEND_GAP = 3      ///< dots between a sign and its text
};

/// Makes the legend of a picture, or an empty one where none is asked for. The drawing is complete.
/// @return WEND_OK, WEND_OUT_OF_MEMORY, the map's error
wend_error wend__legend_make(const wend__drawing *drawing, wend__legend *out);

#endif
