/* SPDX-License-Identifier: MIT */
/* Footprints: visits a path cell by cell, also where its cells are apart. */
#include "extra/drawing/foot_track.h"

#include <stdlib.h>

#include "extra/drawing/roads.h"

static int32_t sign(int32_t a) {
    return (a > 0) - (a < 0);
}

typedef struct track {
    wend__feet_fn *visit;
    void *context;
    int32_t dx, dy; ///< the last direction; up at first
} track;

/// Visit the cells from a to the one before b (Bresenham 1965).
static void walk_line(track *t, wend__spot a, wend__spot b) {
    int32_t dx = abs(b.x - a.x), dy = abs(b.y - a.y), sx = sign(b.x - a.x), sy = sign(b.y - a.y), rest = dx - dy;
    while (a.x != b.x || a.y != b.y) {
        int32_t twice = 2 * rest, to_x = twice >= -dy ? sx : 0, to_y = twice <= dx ? sy : 0;
        if (twice >= -dy) rest -= dy;
        if (twice <= dx) rest += dx;
        t->dx = to_x, t->dy = to_y;
        t->visit(t->context, a, to_x, to_y);
        a.x += to_x, a.y += to_y;
    }
}

void wend__feet_walk(const wend__drawing *d, const wend_picture_path *path, wend__feet_fn *visit, void *context) {
    track t = {visit, context, 0, -1};
    for (size_t i = 0; i < path->cell_count; i++) {
        wend__spot here = wend__spot_of(d, path->cells[i]);
        bool last = i + 1 == path->cell_count;
        bool goes_on = !last && path->cells[i + 1].z == path->cells[i].z &&
                       !wend__takes_link(d, path->cells[i], path->cells[i + 1]);
        if (!goes_on)
            visit(context, here, t.dx, t.dy);
        else
            walk_line(&t, here, wend__spot_of(d, path->cells[i + 1]));
    }
}
