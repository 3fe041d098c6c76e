/* SPDX-License-Identifier: MIT */
/* The palette of all pictures: what a pixel or letter shows, and its colour. */
#ifndef WEND_EXTRA_DRAWING_COLOURS_H
#define WEND_EXTRA_DRAWING_COLOURS_H

#include <stddef.h>
#include <wend/extra.h>

/// An "ink" is an index into the palette. Each ground has two: its own, and that of the thin line between cells.
enum {
    WEND__INK_OPEN,
    WEND__INK_BLOCKED,
    WEND__INK_WATER,
    WEND__INK_SWAMP,
    WEND__INK_SLOW,                       ///< factor 2; then one for each factor up to 9, the last for all above
    WEND__INK_PAPER = WEND__INK_SLOW + 8, ///< between layers, and under graphs
    WEND__INK_GROUNDS,
    WEND__INK_LINES = WEND__INK_GROUNDS, ///< LINES + ground: the line between cells on that ground
    WEND__INK_HALO = 2 * WEND__INK_GROUNDS,
    WEND__INK_START,
    WEND__INK_GOAL,
    WEND__INK_LINK,
    WEND__INK_STEP, ///< closed
    WEND__INK_EDGE, ///< edge of a graph
    WEND__INK_UNIT,
    WEND__INK_EXPANDED,
    WEND__INK_UP,    ///< a path goes up to another floor; its colour is that of the first path
    WEND__INK_DOWN,  ///< a path goes down
    WEND__INK_PATHS, ///< ink of the first path; others follow
    WEND__INK_COUNT = 256
};

/// Number of paths with a colour of their own.
enum { WEND__PATH_COLOURS = 216 };

typedef struct wend__rgb {
    uint8_t r, g, b;
} wend__rgb;

wend__rgb wend__ink_colour(int32_t ink);
/// The letter of an ink in ANSI.
char wend__ink_letter(int32_t ink);
/// The ink of a path by its index in the picture.
int32_t wend__path_ink(size_t path);
/// The ink of each terrain class under these rules.
void wend__class_inks(const wend_map_rules *rules, uint8_t inks[256]);

#endif
