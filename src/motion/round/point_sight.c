/* SPDX-License-Identifier: MIT */
/* Line of sight between points, exact: which borders of cells the line crosses, in order, in integers. Crossing from a
 * cell to a neighbour is allowed where the centres of both see each other. */
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "map/version/version.h"
#include "motion/round/point_sight.h"

enum { MILLI = 1000, HALF = 500 };

/* One axis of a line. Coordinates are shifted by half a cell, so that borders are multiples of 1000. */
typedef struct axis {
    int32_t cell, sign;
    int64_t to_border; ///< from the start to the next border
    int64_t way;       ///< from the start to the end
} axis;

static int32_t floor_cell(int64_t shifted) {
    return (int32_t)(shifted >= 0 ? shifted / MILLI : -((-shifted + MILLI - 1) / MILLI));
}

/* A start on a border counts to the cell ahead. False: the line runs along a border. */
static bool begin_axis(axis *a, int32_t from, int32_t to) {
    int64_t start = (int64_t)from + HALF, way = (int64_t)to - from;
    a->sign = way < 0 ? -1 : 1;
    a->way = way * a->sign;
    a->cell = way < 0 ? -floor_cell(-start) - 1 : floor_cell(start);
    a->to_border = way < 0 ? start - (int64_t)a->cell * MILLI : ((int64_t)a->cell + 1) * MILLI - start;
    return way != 0 || start - (int64_t)a->cell * MILLI != 0;
}

/* Does the line reach the next border of one axis before that of another? -1: yes; 0: both at once; 1: later. */
static int32_t compare_borders(const axis *a, const axis *b) {
    int64_t left = a->to_border * b->way, right = b->to_border * a->way;
    return (left > right) - (left < right);
}

/* A border that the line just reaches with its end is crossed, too, as the next line may begin there. */
static bool has_border(const axis *a) {
    return a->way > 0 && a->to_border <= a->way;
}

/* Cross the next borders, several at once at an edge or a corner. False: no border is left. */
static bool cross_next(axis axes[3]) {
    const axis *first = NULL;
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

wend_point wend__centre(wend_cell cell) {
    return (wend_point){cell.x * MILLI, cell.y * MILLI, cell.z * MILLI};
}

bool wend__points_see(const wend__version *view, wend_point a, wend_point b) {
    axis axes[3];
    if (!begin_axis(&axes[0], a.x, b.x) || !begin_axis(&axes[1], a.y, b.y) || !begin_axis(&axes[2], a.z, b.z))
        return false;
    wend_cell here = {axes[0].cell, axes[1].cell, axes[2].cell};
    if (!on_map(view, here) || wend__cell_factor(view, here) == 0) return false;
    while (cross_next(axes)) {
        wend_cell next = {axes[0].cell, axes[1].cell, axes[2].cell};
        if (!on_map(view, next)) return false;
        wend_cell end = wend__sight_end(view, here, next);
        if (end.x != next.x || end.y != next.y || end.z != next.z) return false;
        here = next;
    }
    return true;
}

wend_error wend_point_line_of_sight(const wend_map *map, int32_t mover, wend_point from, wend_point to,
                                    int32_t *visible) {
    wend_error error = wend__check_mover(map, mover);
    if (!error) error = wend__check_lines(map);
    if (error) return error;
    wend__version *v = wend__map_newest(map);
    bool seen = wend__points_see(wend__version_view(v, mover), from, to);
    wend__map_release(v, false);
    if (visible) *visible = seen;
    return WEND_OK;
}
