/* SPDX-License-Identifier: MIT */
/* Checks of every decision, by plain rules of their own. */
#include "crowd/traffic_check.h"

#include <stdlib.h>
#include <wend/units.h>

bool traffic_check_step(const traffic_world *w, wend_cell from, wend_cell to) {
    if (abs(from.x - to.x) > 1 || abs(from.y - to.y) > 1 || (from.x == to.x && from.y == to.y)) return false;
    return traffic_world_is_open(w, from.x, from.y) && traffic_world_is_open(w, to.x, to.y) &&
           traffic_world_is_open(w, from.x, to.y) && traffic_world_is_open(w, to.x, from.y);
}

/* Places of all agents before the decision, and whether each might move. */
static wend__traffic_agent before[1 << 14];

void traffic_check_before(traffic_world *w) {
    for (uint32_t i = 0; i < w->count; i++) before[i] = w->agents[i];
}

static const char *fault_of(traffic_world *w, uint32_t i) {
    const wend__traffic_agent *t = &w->agents[i], *was = &before[i];
    if (!t->moved && (!is_same_cell(t->at, was->at) || !is_same_cell(t->from, was->from)))
        return "changed without a step";
    if (t->moved && !was->ready) return "began a step that it could not begin";
    if (t->moved && !is_same_cell(t->from, was->at)) return "began a step elsewhere";
    if (t->moved && !traffic_check_step(w, t->from, t->at)) return "made an illegal step";
    if (t->moved && !!t->pushed != !is_same_cell(t->at, was->next)) return "was told wrongly that it was pushed";
    uint32_t *held = &w->holder[t->at.y * w->width + t->at.x];
    if (*held == w->stamp) return "shares a cell";
    *held = w->stamp;
    /* Swaps and crossings: two steps under way at a time have the same middle. */
    if (is_same_cell(t->from, t->at)) return NULL;
    uint32_t *middle = &w->middle[(t->from.y + t->at.y) * 2 * w->width + t->from.x + t->at.x];
    if (*middle == w->stamp) return "swaps or crosses with another";
    *middle = w->stamp;
    uint32_t units = 0;
    wend_map_get_occupants(w->map, t->at, &units);
    return units == 1 ? NULL : "is not counted as a unit";
}

void traffic_check_after(traffic_world *w) {
    w->stamp++;
    for (uint32_t i = 0; i < w->count && !w->fault; i++) w->fault = fault_of(w, i);
}
