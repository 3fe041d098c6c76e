/* SPDX-License-Identifier: MIT */
/* Internal: all obstacles on a flat grid, by the corners of its cells. A disc keeps its distance from blocked cells,
 * from closed steps (in either direction), and from the rim of the map. */
#ifndef WEND_SRC_MOTION_CLEAR_GROUND_H
#define WEND_SRC_MOTION_CLEAR_GROUND_H

#include "map/store/map_layout.h"

enum { WEND__THOUSAND = 1000, WEND__HALF_CELL = 500 };

/// A point in thousandths of a cell. The centre of the cell 0,0 is 0,0.
typedef struct wend__milli_point {
    int32_t x, y;
} wend__milli_point;

typedef struct wend__obstacles {
    const wend__version *cells; ///< the view of a mover of one cell; else the version
    const uint8_t *factors;     ///< factors of the mover, by class; 0: blocked
    const wend_map *units;      ///< occupied cells block, too; NULL: they do not
    wend_cell start;            ///< cells that the mover covers there are free of units
    int32_t size;               ///< size of the mover
    int32_t shift; ///< from the centre of the mover's cell to its own centre, along x and y, in thousandths
} wend__obstacles;

/// @param units   whether occupied cells block
/// @param start   the first cell of the path
wend__obstacles wend__ground_of(const wend_map *map, const wend__version *version, int32_t mover, bool units,
                                wend_cell start);

/* The corner x,y lies right and down of the cell x,y. Its bits are the obstacles there: its four cells, the four steps
 * that lead straight from one of these to the next if they are closed, and closed diagonal steps. */
enum {
    WEND__CORNER_NW = 1,
    WEND__CORNER_NE = 2,
    WEND__CORNER_SW = 4,
    WEND__CORNER_SE = 8,
    WEND__CORNER_CELLS = 15,
    WEND__WALL_N = 16,
    WEND__WALL_E = 32,
    WEND__WALL_S = 64,
    WEND__WALL_W = 128,
    WEND__WALL_DIAGONAL = 256
};

/// Returns the obstacles at a corner: WEND__CORNER_…, WEND__WALL_…; 0: none.
uint32_t wend__corner_at(const wend__obstacles *ground, int32_t x, int32_t y);
bool wend__ground_blocked(const wend__obstacles *ground, int32_t x, int32_t y);

static inline wend__milli_point wend__corner_spot(int32_t x, int32_t y) {
    return (wend__milli_point){x * WEND__THOUSAND + WEND__HALF_CELL, y * WEND__THOUSAND + WEND__HALF_CELL};
}

static inline bool wend__same_spot(wend__milli_point a, wend__milli_point b) {
    return a.x == b.x && a.y == b.y;
}

/// Returns the cross product of the ways from a to b and from a to c: above 0 if c lies clockwise of b (y points down).
static inline int64_t wend__cross(wend__milli_point a, wend__milli_point b, wend__milli_point c) {
    return ((int64_t)b.x - a.x) * ((int64_t)c.y - a.y) - ((int64_t)b.y - a.y) * ((int64_t)c.x - a.x);
}

/// Returns the number of the last row or column of corners that lies before a coordinate, or on it.
static inline int32_t wend__corner_before(int64_t at) {
    int64_t shifted = at - WEND__HALF_CELL;
    return (int32_t)(shifted >= 0 ? shifted / WEND__THOUSAND : -((-shifted + WEND__THOUSAND - 1) / WEND__THOUSAND));
}

#endif
