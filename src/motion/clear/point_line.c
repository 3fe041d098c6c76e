/* SPDX-License-Identifier: MIT */
/* Line of sight between points, exact: the borders of cells that the line crosses, in order, in integers. Crossing from
 * a cell to a neighbour is allowed where the centres of both see each other. */
#include "motion/clear/point_line.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "map/version/version.h"

#include <wend/geometry.h>

enum { MILLI = 1000, HALF = 500 };

static int32_t floor_cell(int64_t shifted) {
    return (int32_t)(shifted >= 0 ? shifted / MILLI : -((-shifted + MILLI - 1) / MILLI));
}

/* A start on a border counts to the cell ahead. False: the line runs along a border. */
static bool begin_axis(wend__axis *a, int32_t from, int32_t to) {
    int64_t start = (int64_t)from + HALF, way = (int64_t)to - from;
    a->sign = way < 0 ? -1 : 1;
    a->way = way * a->sign;
    a->cell = way < 0 ? -floor_cell(-start) - 1 : floor_cell(start);
    a->to_border = way < 0 ? start - (int64_t)a->cell * MILLI : ((int64_t)a->cell + 1) * MILLI - start;
    WEND__DEBUG_ASSERT(a->to_border > 0 && a->to_border <= MILLI);
    return way != 0 || start - (int64_t)a->cell * MILLI != 0;
}

/* Compares when the line reaches the next border of one axis and of another. -1: before; 0: at once; 1: later. */
static int32_t compare_borders(const wend__axis *a, const wend__axis *b) {
    int64_t left = a->to_border * b->way, right = b->to_border * a->way;
    return (left > right) - (left < right);
}

static bool has_border(const wend__axis *a) {
    return a->way > 0 && a->to_border <= a->way;
}

wend__point_line wend__point_line_of(wend_point a, wend_point b) {
    wend__point_line line;
    const bool x = begin_axis(&line.axis[0], a.x, b.x), y = begin_axis(&line.axis[1], a.y, b.y);
    const bool z = begin_axis(&line.axis[2], a.z, b.z);
    line.on_border = !x || !y || !z;
    return line;
}

bool wend__point_line_next(wend__point_line *line) {
    wend__axis *axes = line->axis;
    const wend__axis *first = NULL;
    bool crosses[3];
    for (int i = 0; i < 3; i++)
        if (has_border(&axes[i]) && (!first || compare_borders(&axes[i], first) < 0)) first = &axes[i];
    if (!first) return false;
    for (int i = 0; i < 3; i++) crosses[i] = has_border(&axes[i]) && compare_borders(&axes[i], first) == 0;
    for (int i = 0; i < 3; i++) {
        if (!crosses[i]) continue;
        axes[i].cell += axes[i].sign;
        axes[i].to_border += MILLI;
    }
    return true;
}

static bool on_map(const wend__version *v, wend_cell c) {
    return wend__on_map(v, c.x, c.y) && c.z >= 0 && c.z < v->depth;
}

bool wend__points_see(const wend__version *view, wend_point a, wend_point b) {
    wend__point_line line = wend__point_line_of(a, b);
    if (line.on_border) return false;
    wend_cell here = wend__point_line_cell(&line);
    if (!on_map(view, here) || wend__cell_factor(view, here) == 0) return false;
    while (wend__point_line_next(&line)) {
        const wend_cell next = wend__point_line_cell(&line);
        if (!on_map(view, next)) return false;
        if (!wend__same_cell(wend__sight_end(view, here, next), next)) return false;
        here = next;
    }
    return true;
}

wend_error wend_point_line_of_sight(const wend_map *map, int32_t mover, wend_point from, wend_point to, bool *visible) {
    WEND__ALIVE(map, "the map");
    wend_error error = wend__check_mover(map, mover);
    if (!error) error = wend__check_lines(map);
    if (error) return error;
    wend__version *v = wend__map_newest(map);
    bool seen = wend__points_see(wend__version_view(v, mover), from, to);
    wend__map_release(v, false);
    if (visible) *visible = seen;
    return WEND_OK;
}
