/* SPDX-License-Identifier: MIT */
/* The open cell nearest to a cell, of any component or of a certain one. */
#include "map/components/components.h"
#include "map/kinds/graph.h"
#include "map/movers/views.h"
#include "map/nearest/nearest.h"
#include "map/version/map.h"
#include "map/version/version.h"

wend_error wend_map_nearest_open(const wend_map *map, int32_t mover, wend_cell cell, int32_t max_cells, int32_t *found,
                                 wend_cell *out) {
    wend_error error = wend__check_range("max_cells", max_cells, 0, WEND_MAX_NEAREST);
    if (!error) error = wend__check_mover(map, mover);
    if (!error) error = wend__check_cell(map, "cell", cell);
    if (error) return error;
    if (map->graph && !map->graph->coordinates)
        return wend__refuse(WEND_UNSUPPORTED, "the graph's nodes have no coordinates, so none is nearest");
    wend__version *v = wend__map_newest(map);
    const wend__nearest_wish wish = {.goals = &cell, .goal_count = 1};
    wend__nearest nearest;
    wend__nearest_begin(&nearest, wend__version_view(v, mover), max_cells);
    (void)wend__nearest_step(&nearest, &wish, UINT64_MAX);
    wend__map_release(v, false);
    if (found) *found = nearest.found;
    if (out && nearest.found) *out = nearest.best;
    return WEND_OK;
}

bool wend__nearest_connected(const wend__version *view, wend_cell start, wend_cell goal, wend_cell *out) {
    const wend__nearest_wish wish = {.goals = &goal, .goal_count = 1};
    wend__nearest nearest;
    wend__nearest_begin(&nearest, view, WEND__NEAREST_FAR);
    wend__nearest_add(&nearest, wend__component_name(view, start));
    (void)wend__nearest_step(&nearest, &wish, UINT64_MAX);
    if (nearest.found) *out = nearest.best;
    return nearest.found;
}
