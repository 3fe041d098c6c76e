/* SPDX-License-Identifier: MIT */
/* Links, closed steps and a graph's edges: fetches them, and tells one-way roads from two-way ones. */
#ifndef WEND_EXTRA_DRAWING_ROADS_H
#define WEND_EXTRA_DRAWING_ROADS_H

#include "drawing/drawing.h"

/// With more links than this, only their ends are drawn.
enum { WEND__MOST_ARCS = 1024 };

/// Fetch links, closed steps and edges from the map. @return WEND_OK, WEND_OUT_OF_MEMORY
wend_error wend__roads_fetch(wend__drawing *drawing);
/// Is there no edge back?
bool wend__road_is_one_way(const wend__drawing *drawing, const wend__road *road);
/// Is there no link back?
bool wend__link_is_one_way(const wend__drawing *drawing, const wend_link *link);

/// Does a path go from cell to cell by a link? Of cells that are neighbours, and on graphs, the answer is no.
bool wend__takes_link(const wend__drawing *drawing, wend_cell from, wend_cell to);

/// The control point of a link's arc, a quadratic curve: a quarter of the way to the left, so that a link and the link
/// back do not cover each other. All in thousandths of a cell from the middle of cell 0,0; within the picture.
wend__spot wend__link_bend(const wend__drawing *drawing, wend_cell from, wend_cell to);

/// An arrowhead: its tip and the two ends of its base.
typedef struct wend__arrow {
    wend__spot tip, left, right;
} wend__arrow;

/// An arrowhead of this length with its middle `at`, in the direction of (dx, dy), which is not (0, 0).
wend__arrow wend__arrow_at(wend__spot at, int32_t dx, int32_t dy, int32_t length);
/// The arrowhead of a graph's edge, behind its middle. @return false: the edge is too short for one
bool wend__road_arrow(const wend__drawing *drawing, const wend__road *road, wend__arrow *out);

/// A change of floor: a cell where a path leaves its layer, or where it arrives from another layer.
typedef struct wend__floor {
    wend_cell at;
    bool up, arrives;
    bool end; ///< the first or last cell of the path, where a marker may be
} wend__floor;

typedef void wend__floor_fn(void *context, const wend__floor *floor);
void wend__floors_visit(const wend_picture_path *path, wend__floor_fn *visit, void *context);

/// Called with each cell on the way of a path, and the direction in which the path leaves it: dx and dy from −1 to 1.
typedef void wend__feet_fn(void *context, wend__spot at, int32_t dx, int32_t dy);
void wend__feet_walk(const wend__drawing *drawing, const wend_picture_path *path, wend__feet_fn *visit, void *context);

#endif
