/* SPDX-License-Identifier: MIT */
/* Internal: what the three picture formats share: the colours of things, a canvas to draw on, and a buffered outlet. */
#ifndef WEND_SRC_EXTRA_DRAWING_DRAWING_H
#define WEND_SRC_EXTRA_DRAWING_DRAWING_H

#include <stdbool.h>

#include <wend/extra.h>

/// What a pixel shows: an index into the palette. Ground comes twice: as it is, and as the thin line between cells.
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
    WEND__LOOK_STEP,  ///< closed
    WEND__LOOK_EDGE,  ///< of a graph
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

/// A graph's nodes in the picture.
typedef struct wend__graph {
    int32_t *x, *y; ///< pixels, by node; x is −1 where there is no such node
    uint8_t *looks;
    size_t count;
    int32_t dot;      ///< a node's width in pixels
    wend_edge *edges; ///< room for those of a node
    size_t edge_capacity;
} wend__graph;

/// A picture that has been checked, with the measures that follow from it. The layers of a map of voxels are panels, some
/// in a row, each with room for a label above; a flat map is one panel without. Of a graph a "cell" is a pixel.
typedef struct wend__drawing {
    const wend_picture *picture;
    wend_map_info info;
    wend_map_rules rules;
    int32_t width, height;   ///< cells of the whole picture
    int32_t columns, layers; ///< panels in a row, and in all
    int32_t label, gap;      ///< cells above each panel, and between panels
    int32_t scale;           ///< pixels a cell
    int32_t line;            ///< a path's width in pixels
    int32_t marker;          ///< a start's or goal's width in pixels
    int32_t halo;            ///< the light rim round it
    bool grid;               ///< are there lines between cells?
    bool feet;               ///< are paths tracks of feet?
    uint8_t looks[256];      ///< of terrain classes
    wend_link *links;
    size_t link_count;
    wend_step *steps; ///< closed
    size_t step_count;
    wend__graph graph;
} wend__drawing;

typedef struct wend__spot {
    int32_t x, y;
} wend__spot;

/// Where a cell is in the picture: in its cells, or in pixels for a graph's node.
wend__spot wend__spot_of(const wend__drawing *drawing, wend_cell cell);
/// Choose columns, label, gap and size for a scale. @param scale   0: choose it too
void wend__layout(wend__drawing *drawing, int32_t scale);
/// The layer whose row of labels a row of cells belongs to, the first of its row of panels; −1: none.
int32_t wend__layer_labelled(const wend__drawing *drawing, int32_t row);

/// Fetch links and closed steps. What it fetched is freed by wend__drawing_drop(), always.
wend_error wend__drawing_fetch(wend__drawing *drawing);
void wend__drawing_drop(wend__drawing *drawing);

/// Place a graph's nodes, and take its measures.
wend_error wend__graph_place(wend__drawing *drawing);
/// The edges that lead out of a node. @return WEND_OK, WEND_OUT_OF_MEMORY
wend_error wend__graph_edges(wend__drawing *drawing, size_t node, size_t *count);

/// Handed each cell that a path goes through on its way, and the direction it leaves it in: dx and dy from −1 to 1.
typedef void wend__feet_fn(void *context, wend__spot at, int32_t dx, int32_t dy);
void wend__feet_walk(const wend__drawing *drawing, const wend_picture_path *path, wend__feet_fn *visit, void *context);

/// Some whole rows of the picture, in looks.
typedef struct wend__canvas {
    wend__drawing *drawing;
    int32_t width;       ///< pixels
    int32_t top, bottom; ///< rows of the picture, bottom not in
    uint8_t *pixels;
} wend__canvas;

/// Fill in all that belongs into these rows: ground, steps, links, paths, goals, starts. @return WEND_OK or the map's error
wend_error wend__canvas_draw(wend__canvas *canvas);
/// The ground of some rows of cells, one look a cell. @return WEND_OK or the map's error
wend_error wend__ground_read(const wend__drawing *drawing, int32_t top, int32_t bottom, uint8_t *looks);

/// Collects small pieces into larger calls of the caller's write. After an error nothing is written any more.
typedef struct wend__outlet {
    wend_write_fn *write;
    void *context;
    wend_error error;
    size_t used;
    char buffer[8192];
} wend__outlet;

void wend__outlet_put(wend__outlet *outlet, const void *bytes, size_t size);
void wend__outlet_flush(wend__outlet *outlet);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void wend__outlet_print(wend__outlet *outlet, const char *format, ...);

wend_error wend__ansi_write(wend__drawing *drawing, wend__outlet *outlet);
wend_error wend__svg_write(wend__drawing *drawing, wend__outlet *outlet);
wend_error wend__png_write(wend__drawing *drawing, wend__outlet *outlet);

#endif
