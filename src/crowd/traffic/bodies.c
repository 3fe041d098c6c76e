/* SPDX-License-Identifier: MIT */
/* Agents with bodies in traffic: which cell each counts in, which one it holds, and where it may not come. */
#include "crowd/traffic/traffic_state.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"

void wend__traffic_set_touch(wend__traffic *t, wend__touch_fn *touches, void *context) {
    t->touches = touches;
    t->touch_context = context;
    t->holds_steps = touches && !t->map->sheets && !t->map->wrap;
}

bool wend__traffic_holds_steps(const wend__traffic *t) {
    return t->holds_steps;
}

bool wend__traffic_is_touched(const wend__traffic *t, uint32_t index, int32_t size, wend_cell cell) {
    return t->touches && !t->agents[index].body && t->touches(t->touch_context, index, size, cell, cell, false, false);
}

bool wend__traffic_is_held_up(const wend__traffic *t, uint32_t index) {
    const wend__traffic_agent *agent = &t->agents[index];
    if (!t->holds_steps || agent->body || agent->ghost) return false;
    return t->touches(t->touch_context, index, agent->size, agent->from, agent->at, false, false);
}

bool wend__traffic_step_is_touched(const wend__traffic *t, uint32_t index, wend_cell to) {
    return !t->agents[index].body && wend__traffic_touches(t, (int32_t)index, to, false);
}

static bool holds(const wend__traffic *t, int32_t i) {
    return wend__places_held(&t->places, i)->size > 0;
}

bool wend__traffic_body_hold(wend__traffic *t, uint32_t index) {
    const int32_t i = (int32_t)index;
    WEND__DEBUG_ASSERT((t->agents[i].body || t->agents[i].held) && t->agents[i].present);
    if (holds(t, i)) return true;
    const int32_t size = t->agents[i].size;
    const wend_cell at = t->agents[i].at;
    for (int32_t k = 0; k < size * size; k++)
        if (wend__places_at(&t->places, (wend_cell){at.x + k % size, at.y + k / size, 0}).holder >= 0) return false;
    wend__places_enter(&t->places, i, at, size);
    return true;
}

void wend__traffic_body_enter(wend__traffic *t, uint32_t index, wend_cell cell) {
    const int32_t i = (int32_t)index;
    wend__traffic_agent *agent = &t->agents[i];
    wend__traffic_discount(t, i, agent->at);
    if (holds(t, i)) wend__places_leave(&t->places, i);
    agent->at = agent->from = agent->next = cell;
    (void)wend__traffic_count(t, i, cell); /* without memory, searches do not see it there */
    (void)wend__traffic_body_hold(t, index);
}

bool wend__traffic_body_may_enter(const wend__traffic *t, uint32_t index, wend_cell cell, uint32_t bodies) {
    const int32_t holder = wend__places_at(&t->places, cell).holder;
    if (holder >= 0 && !wend__is_loose(&t->agents[holder])) return false;
    if (t->window && wend__window_number(t->window, cell) != WEND__WINDOW_NONE) return false;
    const uint32_t units = wend__map_occupants(t->map, cell);
    return units <= bodies || units <= bodies + wend__traffic_units_left(t, (int32_t)index, cell);
}

static bool makes_room(const wend__traffic *t, int32_t i, int32_t other) {
    const wend__traffic_agent *agent = &t->agents[other];
    return other == i || (agent->body && !agent->steered && !agent->parked && !wend__traffic_waits_for(t, i, other));
}

bool wend__traffic_body_may_press(const wend__traffic *t, uint32_t index, wend_cell cell) {
    const int32_t i = (int32_t)index, size = t->agents[i].size;
    for (int32_t k = 0; k < size * size; k++) {
        const wend_cell to = {cell.x + k % size, cell.y + k / size, 0};
        const int32_t holder = wend__places_at(&t->places, to).holder;
        if (holder >= 0 ? !makes_room(t, i, holder) : wend__map_has(t->map, to) && wend__map_occupants(t->map, to) > 0)
            return false;
    }
    return true;
}
