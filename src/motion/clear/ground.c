/* SPDX-License-Identifier: MIT */
/* Corners of the cells of a flat grid, and all obstacles around each. */
#include "motion/clear/ground.h"
#include "map/kinds/walls.h"
#include "map/movers/views.h"
#include "map/store/directions.h"
#include "map/store/terrain.h"
#include "map/version/occupancy.h"

wend__obstacles wend__ground_of(const wend_map *map, const wend__version *version, int32_t mover, bool units,
                                wend_cell start) {
    const wend__version *view = wend__version_view(version, mover);
    wend__obstacles ground = {.cells = view, .factors = view->rules.factors, .start = start};
    ground.size = wend__version_mover_size(version, mover);
    ground.shift = (ground.size - 1) * WEND__HALF_CELL;
    ground.units = units && map->occupancy ? map : NULL;
    if (ground.size == 1) return ground;
    WEND__DEBUG_ASSERT(mover > 0 && version->views);
    ground.cells = version;
    ground.factors = version->views->of[mover - 1].mover.factors;
    return ground;
}

static bool occupied(const wend__obstacles *ground, int32_t x, int32_t y) {
    const int32_t dx = x - ground->start.x, dy = y - ground->start.y;
    const bool own = dx >= 0 && dy >= 0 && dx < ground->size && dy < ground->size;
    return !own && wend__occupancy_at(ground->units->occupancy, (wend_cell){x, y, 0}) > 0;
}

bool wend__ground_blocked(const wend__obstacles *ground, int32_t x, int32_t y) {
    if (!wend__on_map(ground->cells, x, y)) return true;
    if (ground->factors[wend__version_class(ground->cells, x, y)] == 0) return true;
    return ground->units && occupied(ground, x, y);
}

/* Closed steps out of a cell; none where it is off the map. */
static uint32_t closed_out_of(const wend__version *v, int32_t x, int32_t y) {
    return wend__on_map(v, x, y) ? wend__closed_at(v, (wend_cell){x, y, 0}) : 0;
}

static uint32_t walls_at(const wend__version *v, int32_t x, int32_t y) {
    const uint32_t nw = closed_out_of(v, x, y), ne = closed_out_of(v, x + 1, y);
    const uint32_t sw = closed_out_of(v, x, y + 1), se = closed_out_of(v, x + 1, y + 1);
    uint32_t around = 0;
    if ((nw >> WEND__E | ne >> WEND__W) & 1) around |= WEND__WALL_N;
    if ((ne >> WEND__S | se >> WEND__N) & 1) around |= WEND__WALL_E;
    if ((sw >> WEND__E | se >> WEND__W) & 1) around |= WEND__WALL_S;
    if ((nw >> WEND__S | sw >> WEND__N) & 1) around |= WEND__WALL_W;
    if ((nw >> WEND__SE | se >> WEND__NW | ne >> WEND__SW | sw >> WEND__NE) & 1) around |= WEND__WALL_DIAGONAL;
    return around;
}

uint32_t wend__corner_at(const wend__obstacles *ground, int32_t x, int32_t y) {
    uint32_t around = 0;
    for (int32_t i = 0; i < 4; i++)
        if (wend__ground_blocked(ground, x + (i & 1), y + (i >> 1))) around |= 1u << i;
    return ground->cells->closed_steps ? around | walls_at(ground->cells, x, y) : around;
}
