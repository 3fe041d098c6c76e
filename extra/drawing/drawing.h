/* SPDX-License-Identifier: MIT */
/* A checked picture with the measures that all formats use, and the map's links, closed steps and nodes. */
#ifndef WEND_EXTRA_DRAWING_DRAWING_H
#define WEND_EXTRA_DRAWING_DRAWING_H

#include <stdbool.h>

#include <wend/extra.h>
#include <wend/ways.h>

/// The nodes of a graph in the picture.
typedef struct wend__node_places {
    int32_t *x, *y; ///< pixels, by node; x is −1 where there is no such node
    uint8_t *inks;
    size_t count;
    int32_t dot;         ///< a node's width in pixels
    int64_t span;        ///< coordinate units that `span_pixels` show; 0 on a circle
    int32_t span_pixels; ///< pixels of the longer side, without the margins
} wend__node_places;

/// A road is an edge of a graph, from node to node.
typedef struct wend__road {
    uint32_t from, to;
} wend__road;

/// The layers of a map of voxels are panels, some in a row, each below a label; a flat map is one panel without a
/// label. A hexagon is two such cells wide, rows are two apart, and its middle is that of a cell; in ANSI it is a
/// letter with a blank beside it. In a picture of a graph a "cell" is a pixel. The legend lies below the map, so it
/// moves no cell.
typedef struct wend__drawing {
    const wend_picture *picture;
    wend_map_info info;
    wend_map_rules rules;
    int32_t width, height;   ///< cells of the map's part of the picture
    int32_t columns, layers; ///< panels in a row, and in all
    int32_t label, gap;      ///< cells above each panel, and between panels
    int32_t scale;           ///< pixels a cell
    bool hexagons;           ///< are the map's cells?
    int32_t line;            ///< a path's width in pixels
    int32_t marker;          ///< a start's or goal's width in pixels
    int32_t unit;            ///< a unit's width in pixels
    int32_t expanded;        ///< the width of the square in an expanded cell, in pixels
    int32_t halo;            ///< the light rim round markers and units
    bool grid;               ///< are there lines between cells?
    bool feet;               ///< are paths footprints?
    uint8_t inks[256];       ///< inks of terrain classes
    wend_link *links;        ///< links by their ends
    size_t link_count;
    wend_step *steps; ///< closed
    size_t step_count;
    wend__road *roads; ///< roads of a graph, by their ends
    size_t road_count;
    wend__node_places nodes;
} wend__drawing;

typedef struct wend__spot {
    int32_t x, y;
} wend__spot;

static inline int32_t wend__larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

/// Choose columns, label, gap and size for a scale. @param scale   0: choose it too
void wend__layout(wend__drawing *drawing, int32_t scale);
/// Gets a cell's position in the picture, in cells; a node's in pixels.
wend__spot wend__spot_of(const wend__drawing *drawing, wend_cell cell);
/// Gets a point's position in the picture, in thousandths of a cell; not on graphs.
wend__spot wend__point_spot(const wend__drawing *drawing, wend_point point);
/// Is a line drawn from a point to the next? Not to another layer, and not along a link.
bool wend__line_goes_on(const wend__drawing *drawing, wend_point from, wend_point to);
/// Where a line goes over the rim of a map that wraps: what to add to its end so that it leaves the picture there; 0,0:
/// it does not. `unit`: of the spots, parts of a cell.
wend__spot wend__rim_shift(const wend__drawing *drawing, wend__spot from, wend__spot to, int32_t unit);
/// Gets the first of the layers with labels in this row of cells; −1: the row has no labels.
int32_t wend__layer_labelled(const wend__drawing *drawing, int32_t row);
/// Reads the inks of some rows of cells, one byte a cell. @return WEND_OK or the map's error
wend_error wend__drawing_read(const wend__drawing *drawing, int32_t top, int32_t bottom, uint8_t *inks);
/// Frees the memory of wend__roads_fetch() and wend__nodes_place(), also after an error.
void wend__drawing_drop(wend__drawing *drawing);

/// Place the nodes, and set the picture's measures. @return WEND_OK, WEND_OUT_OF_MEMORY
wend_error wend__nodes_place(wend__drawing *drawing);

#endif
