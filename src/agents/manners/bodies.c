/* SPDX-License-Identifier: MIT */
/* Agents with bodies in traffic: the cell of each, the cell that it holds, and the cells that it may not enter. */
#include "agents/manners/traffic_state.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"
#include "map/version/version.h"

void wend__traffic_set_discs(wend__traffic *t, wend__bodies *discs) {
    t->discs = discs;
}

/* ---- steps as discs ---- */

static int32_t middle_of(int32_t cell, int32_t size) {
    return cell * WEND__BODY_ONE + size * (WEND__BODY_ONE / 2);
}

wend__other wend__other_from(int32_t size, wend_cell from, wend_cell way) {
    return (wend__other){.x = middle_of(from.x, size),
                         .y = middle_of(from.y, size),
                         .to_x = middle_of(from.x + way.x, size),
                         .to_y = middle_of(from.y + way.y, size),
                         .radius = size * (WEND__BODY_ONE / 2)};
}

wend__other wend__other_on_step(const wend_map *map, int32_t size, wend_cell from, wend_cell to) {
    const wend_cell way = wend__map_apart(map, from, to);
    return wend__other_from(size, (wend_cell){to.x - way.x, to.y - way.y, 0}, way);
}

/* The points of a step are rounded: an exact touch does not count. The agent's own body does not count either, as it
 * will be removed. Only over seams the ground counts. */
bool wend__traffic_discs_touch(const wend__traffic *t, uint32_t index, int32_t size, wend_cell from, wend_cell to) {
    enum { ROUNDING = 5 }; /* less than what debug builds and saves allow */
    const wend_cell way = wend__map_apart(t->map, from, to);
    const bool steps = wend__is_unit(way.x) && wend__is_unit(way.y); /* a leap is at its end at once */
    wend__other step = wend__other_on_step(t->map, size, steps ? from : to, to);
    if (steps && !wend__same_cell(from, to)) step.radius -= ROUNDING;
    wend__version *version = WEND__LIKELY(!t->map->sheets) ? NULL : wend__bodies_follow_newest(t->discs, t->map);
    const bool touched = wend__bodies_touch(t->discs, index, &step);
    if (version) wend__map_release(version, false);
    return touched;
}

/* ---- questions ---- */

bool wend__traffic_is_touched(const wend__traffic *t, uint32_t index, int32_t size, wend_cell cell) {
    return t->discs && !t->agents[index].body && wend__traffic_discs_touch(t, index, size, cell, cell);
}

bool wend__traffic_is_held_up(const wend__traffic *t, uint32_t index) {
    const wend__traffic_agent *agent = &t->agents[index];
    if (!t->discs || agent->body || agent->ghost) return false;
    return wend__traffic_discs_touch(t, index, agent->size, agent->from, agent->at);
}

bool wend__traffic_step_is_touched(const wend__traffic *t, uint32_t index, wend_cell to) {
    return !t->agents[index].body && wend__traffic_touches(t, (int32_t)index, to);
}

void wend__traffic_put(wend__traffic *t, uint32_t index, wend_cell cell) {
    const int32_t i = (int32_t)index;
    wend__traffic_agent *agent = &t->agents[i];
    WEND__DEBUG_ASSERT((agent->body || agent->held) && agent->present);
    wend__traffic_discount(t, i, agent->at);
    wend__places_leave(&t->places, i);
    agent->at = agent->from = agent->next = cell;
    (void)wend__traffic_count(t, i, cell); /* without memory, searches do not see this unit */
    wend__places_enter(&t->places, i, cell, agent->size);
}

bool wend__traffic_may_hold(const wend__traffic *t, uint32_t index, wend_cell cell) {
    if (wend__places_at(&t->places, cell).holder >= 0) return false;
    if (t->window && wend__window_number(t->window, cell) != WEND__WINDOW_NONE) return false;
    return wend__map_occupants(t->map, cell) <= wend__traffic_units_left(t, (int32_t)index, cell);
}
