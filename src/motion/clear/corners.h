/* SPDX-License-Identifier: MIT */
/* Internal: the corners of obstacles near a piece of a line, or near a triangle: row by row, 63 at a time. */
#ifndef WEND_SRC_MOTION_CLEAR_CORNERS_H
#define WEND_SRC_MOTION_CLEAR_CORNERS_H

#include "map/store/terrain.h"
#include "motion/clear/ground.h"

/// A side of a piece or triangle, from its upper end to its lower one. Coordinates are those of corners.
typedef struct wend__edge {
    double x, top, bottom; ///< x: at the top
    double slope;          ///< along x for each row down
} wend__edge;

/// An iteration. After wend__corners_next(), x and y are the corner.
typedef struct wend__corners {
    const wend__obstacles *ground;
    int32_t x, y;
    bool bends; ///< only corners that a shortest line can bend round
    bool mixed; ///< there may be obstacles at these corners other than blocked cells
    double reach;
    int32_t step, rows_left;
    int32_t base, next, last; ///< corners of this row: the first of those at hand, the first of the next ones, the end
    uint64_t found, above, below; ///< bit i: corner base + i; the cell base + i of this row or the next one is blocked
    int32_t edge_count;
    wend__edge edge[3];
    struct {
        int32_t column, row; ///< of chunks
        bool known, in_bits;
        const wend__chunk *chunk;
        wend__open_rows open;
    } at;
} wend__corners;

/// Begins with corners with an obstacle no farther than `reach` along x and y from the piece from a to b, and some
/// farther ones: from the top, or from the rows of a on.
wend__corners wend__corners_near_piece(const wend__obstacles *ground, wend__milli_point a, wend__milli_point b,
                                       int64_t reach);
wend__corners wend__corners_from(const wend__obstacles *ground, wend__milli_point a, wend__milli_point b,
                                 int64_t reach);
/// The same near a triangle with an area, from the top, and only those that a shortest line can bend round.
wend__corners wend__corners_near_triangle(const wend__obstacles *ground, wend__milli_point a, wend__milli_point b,
                                          wend__milli_point c, int64_t reach);
bool wend__corners_more(wend__corners *corners);

/// Cost: O(corners / 64); O(corners) near units and closed steps.
static inline bool wend__corners_next(wend__corners *c) {
    if (!c->found && !wend__corners_more(c)) return false;
    c->x = c->base + (int32_t)wend__ctz64(c->found);
    c->found &= c->found - 1;
    return true;
}

/// Returns the obstacles at the corner: WEND__CORNER_…, WEND__WALL_….
static inline uint32_t wend__corners_around(const wend__corners *c) {
    const int32_t i = c->x - c->base;
    if (WEND__UNLIKELY(c->mixed)) return wend__corner_at(c->ground, c->x, c->y);
    return (uint32_t)(c->above >> i & 3) | (uint32_t)(c->below >> i & 3) << 2;
}

#endif
