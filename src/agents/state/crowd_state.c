/* SPDX-License-Identifier: MIT */
/* The end of a crowd, and lists of agents, linked through their goals. */
#include "agents/state/crowd_state.h"

#include "map/ground/within.h"
#include "map/version/map.h"

void wend__crowd_free(wend_crowd *crowd) {
    wend_allocator allocator = crowd->def.allocator;
    wend_map_release(crowd->def.map);
    allocator.free(allocator.context, crowd, crowd->bytes);
}

bool wend__crowd_answered(wend_crowd *crowd) {
    crowd->pending--;
    if (!crowd->dead) return true;
    if (crowd->pending == 0) wend__crowd_free(crowd);
    return false;
}

void wend__members_join(wend_crowd *crowd, uint32_t *first, uint32_t index) {
    WEND__DEBUG_ASSERT(!crowd->agents[index].goal.list);
    wend__agent_goal *goal = &wend__agent_touch(crowd, index)->goal;
    if (*first) wend__agent_touch(crowd, *first - 1)->goal.previous = index + 1;
    goal->list = first;
    goal->previous = 0;
    goal->next = *first;
    *first = index + 1;
}

void wend__members_leave(wend_crowd *crowd, uint32_t index) {
    wend__agent_goal *goal = &wend__agent_touch(crowd, index)->goal;
    if (!goal->list) return;
    *(goal->previous ? &wend__agent_touch(crowd, goal->previous - 1)->goal.next : goal->list) = goal->next;
    if (goal->next) wend__agent_touch(crowd, goal->next - 1)->goal.previous = goal->previous;
    goal->list = NULL;
}

bool wend__crowd_within_sheets(const wend_crowd *crowd, wend_cell centre, int64_t cells, wend_cell cell) {
    const wend__sheets *sheets = crowd->def.map->sheets;
    const wend__sheet_part *own = wend__sheets_part(sheets, centre), *other = wend__sheets_part(sheets, cell);
    const uint32_t x = wend__distance(centre.x + own->x, cell.x + other->x);
    const uint32_t y = wend__distance(centre.y + own->y, cell.y + other->y);
    if ((int64_t)(x > y ? x : y) > cells) return false;
    if (own->sheet == other->sheet) return true;
    wend__version *version = wend__map_newest(crowd->def.map);
    const bool within = wend__lies_within(version, centre, (int32_t)cells, cell);
    wend__map_release(version, false);
    return within;
}
