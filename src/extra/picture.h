/* SPDX-License-Identifier: MIT */
/* Internal: what the three picture formats share: the colours of things, a canvas to draw on, and a buffered outlet. */
#ifndef WEND_SRC_EXTRA_PICTURE_H
#define WEND_SRC_EXTRA_PICTURE_H

#include <stdbool.h>

#include <wend/extra.h>

/// What a pixel shows: an index into the palette. Ground comes twice: as it is, and as the thin line between cells.
enum {
    WEND__LOOK_OPEN,
    WEND__LOOK_BLOCKED,
    WEND__LOOK_WATER,
    WEND__LOOK_SWAMP,
    WEND__LOOK_SLOW, ///< factor 2; then one for each factor up to 9, the last for all above
    WEND__LOOK_GROUNDS = WEND__LOOK_SLOW + 8,
    WEND__LOOK_LINES = WEND__LOOK_GROUNDS, ///< LINES + ground: the line between cells on that ground
    WEND__LOOK_HALO = 2 * WEND__LOOK_GROUNDS,
    WEND__LOOK_START,
    WEND__LOOK_GOAL,
    WEND__LOOK_PATHS, ///< the first path's; others follow, and come round again
    WEND__LOOK_COUNT = 256
};

typedef struct wend__rgb {
    uint8_t r, g, b;
} wend__rgb;

wend__rgb wend__look_colour(int32_t look);
char wend__look_letter(int32_t look);
/// The look of a path by its number in the picture.
int32_t wend__path_look(size_t path);
/// Which look each terrain class has under these rules.
void wend__class_looks(const wend_map_rules *rules, uint8_t looks[256]);

/// A picture that has been checked, with the measures that follow from it.
typedef struct wend__drawing {
    const wend_picture *picture;
    int32_t width, height; ///< cells
    int32_t scale;         ///< pixels a cell
    int32_t line;          ///< a path's width in pixels
    int32_t marker;        ///< a start's or goal's width in pixels
    int32_t halo;          ///< the light rim round it
    bool grid;             ///< are there lines between cells?
    uint8_t looks[256];    ///< of terrain classes
} wend__drawing;

/// Some whole rows of the picture, in looks.
typedef struct wend__canvas {
    const wend__drawing *drawing;
    int32_t width;       ///< pixels
    int32_t top, bottom; ///< rows of the picture, bottom not in
    uint8_t *pixels;
} wend__canvas;

/// Fill in all that belongs into these rows: ground, lines, paths, goals, starts. @return WEND_OK or the map's error
int32_t wend__canvas_draw(wend__canvas *canvas);
/// The ground of some rows of cells, one look a cell. @return WEND_OK or the map's error
int32_t wend__ground_read(const wend__drawing *drawing, int32_t top, int32_t bottom, uint8_t *looks);

/// Collects small pieces into larger calls of the caller's write. After an error nothing is written any more.
typedef struct wend__outlet {
    wend_write_fn *write;
    void *context;
    int32_t error;
    size_t used;
    char buffer[8192];
} wend__outlet;

void wend__outlet_put(wend__outlet *outlet, const void *bytes, size_t size);
void wend__outlet_flush(wend__outlet *outlet);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void wend__outlet_print(wend__outlet *outlet, const char *format, ...);

int32_t wend__ansi_write(const wend__drawing *drawing, wend__outlet *outlet);
int32_t wend__svg_write(const wend__drawing *drawing, wend__outlet *outlet);
int32_t wend__png_write(const wend__drawing *drawing, wend__outlet *outlet);

#endif
