/* SPDX-License-Identifier: MIT */
/* The closed cell that is nearest to the goals of a search; and the cost of a step of its path. */
#include "map/ground/ground.h"
#include "map/version/layers.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"
#include "search/store/search_state.h"

static wend__nearness nearness_of(const wend__search *s, wend_cell cell) {
    return wend__nearness_to(s->version, s->goals, s->request.more_goal_count + 1, cell);
}

void wend__cell_list_consider(wend__cell_list *list, wend_cell cell) {
    WEND__DEBUG_ASSERT(list->of);
    const wend__search *s = list->of;
    if (s->version->sheets &&
        !wend__nearness_may_be(s->version, s->goals, s->request.more_goal_count + 1, cell, list->nearness))
        return;
    const wend__nearness nearness = nearness_of(s, cell);
    if (wend__nearer(list->nearness, nearness)) return;
    if (!wend__nearer(nearness, list->nearness) && !wend__earlier(cell, list->best)) return;
    list->best = cell;
    list->nearness = nearness;
}

static int32_t clamp_to(int32_t value, int32_t low, int32_t high) {
    return value < low ? low : value > high ? high : value;
}

bool wend__cell_list_skips(const wend__cell_list *list, wend_box box) {
    if (!list->of || wend__wraps(list->of->version) || list->of->version->sheets) return false;
    const wend__search *s = list->of;
    for (uint32_t i = 0; i <= s->request.more_goal_count; i++) {
        const wend_cell goal = s->goals[i];
        const wend_cell cell = {clamp_to(goal.x, box.min.x, box.max.x), clamp_to(goal.y, box.min.y, box.max.y),
                                clamp_to(goal.z, box.min.z, box.max.z)};
        if (!wend__nearer(list->nearness, wend__nearness_to(s->version, &goal, 1, cell))) return false;
    }
    return true;
}

wend_cell wend__nearest_closed(const wend__search *s) {
    wend__cell_list list = {.of = s, .best = s->start, .nearness = nearness_of(s, s->start)};
    s->engine->expanded(s, &list);
    return list.best;
}

uint64_t wend__search_price(const wend__search *s, wend_cell from, wend_cell to) {
    const wend__request *request = &s->request;
    uint64_t cost = wend__step_cost(s->version, s->mover, from, to);
    if (s->layers) cost += wend__layers_cost(s->layers, s->profile, s->version, wend__place_of(s->version, to));
    if (request->occupied <= WEND_OCCUPIED_IGNORE) return cost; /* no unit stood there when the cell was entered */
    const int32_t size = wend__version_mover_size(s->version, s->mover);
    const bool taken = wend__map_occupied_in(s->version->map, to, size, &s->seen);
    return cost + (taken ? (uint64_t)request->occupied : 0);
}
