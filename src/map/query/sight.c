/* SPDX-License-Identifier: MIT */
/* Line of sight on grids: the cells that the straight line between two centres passes through, in integers. */
#include "map/kinds/walls.h"
#include "map/movers/views.h"
#include "map/query/sight.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"
#include "map/version/map.h"
#include "map/version/version.h"

static bool open_cell(const wend__version *v, int32_t x, int32_t y) {
    return wend__on_map(v, x, y) && wend__version_factor(v, x, y) != 0;
}

/* Is a step between two cells of the map not closed? */
static bool not_closed(const wend__version *v, int32_t x, int32_t y, int32_t dx, int32_t dy) {
    return v->closed_steps == 0 || !(wend__closed_at(v, (wend_cell){x, y, 0}) >> wend__flat_direction(dx, dy) & 1);
}

/* Is there a way round a corner by the cell (x + ax, y + ay), and from there on by (bx, by)? */
static bool way_round(const wend__version *v, int32_t x, int32_t y, int32_t ax, int32_t ay, int32_t bx, int32_t by) {
    return open_cell(v, x + ax, y + ay) && not_closed(v, x, y, ax, ay) && not_closed(v, x + ax, y + ay, bx, by);
}

/* The line passes exactly through the corner between (x, y) and (x + dx, y + dy). The rule looks at both ways round
   alike, so that the line is judged the same from either end, but for steps that are closed in one direction. */
static bool corner_open(const wend__version *v, int32_t x, int32_t y, int32_t dx, int32_t dy) {
    int ways = way_round(v, x, y, dx, 0, 0, dy) + way_round(v, x, y, 0, dy, dx, 0);
    if (v->rules.neighbours == 4 || v->rules.corners == WEND_CORNERS_NEVER) return ways == 2;
    return v->rules.corners == WEND_CORNERS_ALWAYS || ways > 0;
}

/* The last cell of the way from an open cell. With i columns and j rows behind it, the line leaves a cell through its
   vertical side where (2i + 1) / columns < (2j + 1) / rows, and through the corner where they are equal. */
static wend_cell walk_line(const wend__version *v, wend_cell from, wend_cell to) {
    int32_t dx = to.x < from.x ? -1 : 1, dy = to.y < from.y ? -1 : 1;
    int64_t columns = ((int64_t)to.x - from.x) * dx, rows = ((int64_t)to.y - from.y) * dy;
    wend_cell at = from;
    for (int64_t i = 0, j = 0; i < columns || j < rows;) {
        int64_t side = (2 * i + 1) * rows - (2 * j + 1) * columns;
        int32_t x = side <= 0 ? dx : 0, y = side >= 0 ? dy : 0;
        if (side == 0 && !corner_open(v, at.x, at.y, dx, dy)) break;
        bool step = side != 0 || v->rules.neighbours == 8; /* else there is nothing to be closed */
        if (!open_cell(v, at.x + x, at.y + y) || (step && !not_closed(v, at.x, at.y, x, y))) break;
        at.x += x, at.y += y;
        i += side <= 0, j += side >= 0;
    }
    return at;
}

wend_cell wend__sight_end(const wend__version *view, wend_cell from, wend_cell to) {
    if (wend__cell_factor(view, from) == 0) return from;
    return view->kind == WEND_KIND_VOXEL ? wend__space_line(view, from, to) : walk_line(view, from, to);
}

wend_error wend_map_line_of_sight(const wend_map *map, int32_t mover, wend_cell from, wend_cell to, int32_t *visible,
                                  wend_cell *last) {
    wend_error error = wend__check_mover(map, mover);
    if (!error) error = wend__check_cell(map, "from", from);
    if (!error) error = wend__check_cell(map, "to", to);
    if (!error) error = wend__check_lines(map);
    if (error) return error;
    wend__version *v = wend__map_newest(map);
    const wend__version *view = wend__version_view(v, mover);
    bool open = wend__cell_factor(view, from) != 0;
    wend_cell end = wend__sight_end(view, from, to);
    wend__map_release(v, false);
    if (visible) *visible = open && end.x == to.x && end.y == to.y && end.z == to.z;
    if (last) *last = end;
    return WEND_OK;
}
