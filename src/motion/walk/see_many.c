/* SPDX-License-Identifier: MIT */
/* Many lines of sight on one version of the map. */
#include "map/ground/ground.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "map/version/version.h"

#include <wend/geometry.h>

wend_error wend_map_see_many(const wend_map *map, int32_t mover, const wend_cell *from, const wend_cell *to,
                             size_t count, bool *visible, wend_cell *last) {
    WEND__ALIVE(map, "the map");
    wend_error error = wend__check_mover(map, mover);
    if (!error) error = wend__check_list("from", from, count);
    if (!error) error = wend__check_list("to", to, count);
    if (!error) error = wend__check_each_cell(map, "from", from, count);
    if (!error) error = wend__check_each_cell(map, "to", to, count);
    if (!error) error = wend__check_lines(map);
    if (error) return error;
    wend__version *v = wend__map_newest(map);
    const wend__version *view = wend__version_view(v, mover);
    for (size_t i = 0; i < count; i++) {
        const wend_cell end = wend__sight_end(view, from[i], to[i]);
        if (visible) visible[i] = wend__same_cell(end, to[i]) && wend__cell_factor(view, from[i]) != 0;
        if (last) last[i] = end;
    }
    wend__map_release(v, false);
    return WEND_OK;
}
