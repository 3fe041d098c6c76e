/* SPDX-License-Identifier: MIT */
/* The palette of all pictures: what a pixel or letter shows, and its colour. */
#ifndef WEND_SRC_EXTRA_DRAWING_COLOURS_H
#define WEND_SRC_EXTRA_DRAWING_COLOURS_H

#include <stddef.h>
#include <wend/extra.h>

/// A "look" is an index into the palette. Each ground has two: its own, and that of the thin line between cells.
enum {
    WEND__LOOK_OPEN,
    WEND__LOOK_BLOCKED,
    WEND__LOOK_WATER,
    WEND__LOOK_SWAMP,
    WEND__LOOK_SLOW,                        ///< factor 2; then one for each factor up to 9, the last for all above
    WEND__LOOK_PAPER = WEND__LOOK_SLOW + 8, ///< between layers, and under graphs
    WEND__LOOK_GROUNDS,
    WEND__LOOK_LINES = WEND__LOOK_GROUNDS, ///< LINES + ground: the line between cells on that ground
    WEND__LOOK_HALO = 2 * WEND__LOOK_GROUNDS,
    WEND__LOOK_START,
    WEND__LOOK_GOAL,
    WEND__LOOK_LINK,
    WEND__LOOK_STEP, ///< closed
    WEND__LOOK_EDGE, ///< of a graph
    WEND__LOOK_UNIT,
    WEND__LOOK_EXPANDED,
    WEND__LOOK_UP,    ///< a path goes up to another floor; its colour is that of the first path
    WEND__LOOK_DOWN,  ///< a path goes down
    WEND__LOOK_PATHS, ///< of the first path; others follow
    WEND__LOOK_COUNT = 256
};

/// So many paths have a colour of their own.
enum { WEND__PATH_COLOURS = 216 };

typedef struct wend__rgb {
    uint8_t r, g, b;
} wend__rgb;

wend__rgb wend__look_colour(int32_t look);
/// The letter of a look in ANSI.
char wend__look_letter(int32_t look);
/// The look of a path by its index in the picture.
int32_t wend__path_look(size_t path);
/// The look of each terrain class under these rules.
void wend__class_looks(const wend_map_rules *rules, uint8_t looks[256]);

#endif
