/* SPDX-License-Identifier: MIT */
/* Boxes that agents leave and do not enter: the units on their cells, the agents inside, and the way out. */
#include "agents/manners/boxes.h"

#include "agents/manners/traffic_state.h"
#include "map/links/links.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"
#include "map/version/version.h"

wend__boxes *wend__traffic_boxes(wend__traffic *t) {
    return &t->boxes;
}

/* ---- units ---- */

/* Sets the cell after this one in the box. Returns false behind the last. */
static bool next_in_box(const wend_box *box, wend_cell *cell) {
    if (++cell->x <= box->max.x) return true;
    cell->x = box->min.x;
    if (++cell->y <= box->max.y) return true;
    cell->y = box->min.y;
    return ++cell->z <= box->max.z;
}

/* Removes the units from the cells before `end`, in their order. */
static void discount_before(wend__traffic *t, const wend_box *box, const wend_cell *end) {
    wend_cell cell = box->min;
    do {
        if (end && wend__same_cell(cell, *end)) return;
        if (wend__map_has(t->map, cell)) wend__map_vacate(t->map, cell, !t->unrecorded);
    } while (next_in_box(box, &cell));
}

wend_error wend__traffic_add_box(wend__traffic *t, wend_box box) {
    WEND__DEBUG_ASSERT(t->boxes.count < WEND_MAX_CLEARED_BOXES);
    wend_cell cell = box.min;
    do {
        wend_error error = wend__map_has(t->map, cell) ? wend__map_occupy(t->map, cell, !t->unrecorded) : WEND_OK;
        if (!error) continue;
        discount_before(t, &box, &cell);
        return error;
    } while (next_in_box(&box, &cell));
    t->boxes.empty[t->boxes.count] = false;
    t->boxes.of[t->boxes.count++] = box;
    t->boxes.clearing++;
    return WEND_OK;
}

void wend__traffic_remove_box(wend__traffic *t, uint32_t number) {
    WEND__DEBUG_ASSERT(number < t->boxes.count && t->boxes.clearing <= t->boxes.count);
    wend__boxes *boxes = &t->boxes;
    discount_before(t, &boxes->of[number], NULL);
    boxes->clearing -= !boxes->empty[number];
    boxes->count--;
    for (uint32_t k = number; k < boxes->count; k++) {
        boxes->of[k] = boxes->of[k + 1];
        boxes->empty[k] = boxes->empty[k + 1];
    }
}

/* ---- agents in a box ---- */

static bool meets(const wend__traffic *t, const wend_box *box, wend_cell at, int32_t size) {
    const int32_t up = t->kind == WEND_KIND_VOXEL ? size : 1;
    return at.x <= box->max.x && at.x + size > box->min.x && at.y <= box->max.y && at.y + size > box->min.y &&
           at.z <= box->max.z && at.z + up > box->min.z;
}

uint32_t wend__traffic_box_of(const wend__traffic *t, uint32_t index, wend_cell at) {
    for (uint32_t k = 0; k < t->boxes.count; k++)
        if (meets(t, &t->boxes.of[k], at, t->agents[index].size)) return k;
    return WEND__NO_BOX;
}

uint32_t wend__traffic_units_left(const wend__traffic *t, int32_t i, wend_cell cell) {
    uint32_t units = 0;
    for (uint32_t k = 0; k < t->boxes.count; k++)
        units += meets(t, &t->boxes.of[k], cell, 1) &&
                 (i < 0 || meets(t, &t->boxes.of[k], t->agents[i].at, t->agents[i].size));
    return units;
}

bool wend__traffic_is_clear(const wend__traffic *t, wend_box box, uint32_t agents) {
    wend_cell cell = box.min;
    do {
        if (!wend__map_has(t->map, cell)) continue;
        const uint32_t units = wend__map_occupants(t->map, cell);
        if (units > 0 && units > wend__traffic_units_left(t, WEND__NO_AGENT, cell)) return false;
    } while (next_in_box(&box, &cell));
    for (uint32_t i = 0; i < agents; i++) {
        const wend__traffic_agent *agent = &t->agents[i];
        if (!agent->present || agent->ghost || wend__same_cell(agent->from, agent->at)) continue;
        if (meets(t, &box, agent->from, agent->size)) return false;
    }
    return true;
}

/* ---- the way out ---- */

enum { AREA_CELLS = 8192 };

/// A breadth-first search over the places at which an agent is in its box.
typedef struct way_out {
    wend_cell low, sides;           ///< lowest corner of those places, and their number along each axis
    uint32_t count;                 ///< places reached
    uint16_t queue[AREA_CELLS];     ///< their numbers, nearest first
    uint16_t came_from[AREA_CELLS]; ///< by number: the place before, plus 1; 0: not reached
} way_out;

/* Returns the number of a place that meets the box, so that it is within the sides; AREA_CELLS: there are too many. */
static uint32_t number_of(const way_out *way, wend_cell at) {
    const int32_t x = at.x - way->low.x, y = at.y - way->low.y, z = at.z - way->low.z;
    const int64_t number = ((int64_t)z * way->sides.y + y) * way->sides.x + x;
    return number < AREA_CELLS ? (uint32_t)number : (uint32_t)AREA_CELLS;
}

static wend_cell place_of(const way_out *way, uint32_t number) {
    const int32_t n = (int32_t)number, x = way->sides.x, y = way->sides.y;
    return (wend_cell){way->low.x + n % x, way->low.y + n / x % y, way->low.z + n / x / y};
}

/* Returns true if an agent may go there, or may make room for itself there. After a wait the agent enters an empty cell
 * half of the time, as the agents in its way may have nowhere to go. */
static bool is_open(const wend__traffic *t, int32_t i, wend_cell at) {
    enum { PATIENCE = 8 };
    const wend__traffic_agent *own = &t->agents[i];
    const int32_t up = t->kind == WEND_KIND_VOXEL ? own->size : 1;
    const bool avoids = own->waited / PATIENCE % 2 == 1;
    const wend_box place = {at, {at.x + own->size - 1, at.y + own->size - 1, at.z + up - 1}};
    wend_cell cell = at;
    do {
        const int32_t j = wend__places_at(&t->places, cell).holder;
        if (j >= 0 && j != i && (avoids || t->agents[j].steered)) return false;
        const uint32_t counted = j >= 0 && t->priorities[j].counted;
        if (wend__map_occupants(t->map, cell) > counted + wend__traffic_units_left(t, i, cell)) return false;
    } while (next_in_box(&place, &cell));
    return true;
}

/* Writes the cells to which steps and links lead. Returns their number. */
static uint32_t list_ways(wend__traffic *t, const wend__traffic_agent *from, wend_cell *out, uint32_t capacity) {
    uint32_t count = wend__traffic_steps(t, from, out), links = 0;
    const wend__link *link =
        t->version->links ? wend__links_from(t->version->links, wend__cell_number(t->version, from->at), &links) : NULL;
    for (uint32_t k = 0; k < links && count < capacity; k++) {
        out[count] = wend__cell_of_number(t->version, link[k].to);
        count += wend__step_cost(t->version, from->mover, from->at, out[count]) != UINT64_MAX;
    }
    return count;
}

bool wend__traffic_way_out(wend__traffic *t, const wend__version *version, uint32_t index, wend__work *work,
                           wend_cell *step) {
    WEND__DEBUG_ASSERT(wend__traffic_box_of(t, index, t->agents[index].at) != WEND__NO_BOX);
    enum { WAYS = 64 };
    wend__traffic_agent from = t->agents[index];
    const wend_box *box = &t->boxes.of[wend__traffic_box_of(t, index, from.at)];
    const int32_t more = from.size - 1, up = t->kind == WEND_KIND_VOXEL ? more : 0;
    way_out way = {.low = {box->min.x - more, box->min.y - more, box->min.z - up}};
    way.sides = (wend_cell){box->max.x - way.low.x + 1, box->max.y - way.low.y + 1, box->max.z - way.low.z + 1};
    const uint32_t begin = number_of(&way, from.at);
    if (begin == AREA_CELLS) return false;
    t->version = version;
    way.came_from[way.queue[way.count++] = (uint16_t)begin] = (uint16_t)(begin + 1);
    for (uint32_t k = 0; k < way.count; k++) {
        wend_cell ways[WAYS];
        from.at = place_of(&way, way.queue[k]);
        const uint32_t count = list_ways(t, &from, ways, WAYS);
        wend__work_spend(work, WEND__WORK_CHECK * count);
        for (uint32_t n = 0; n < count; n++) {
            const bool does_meet = meets(t, box, ways[n], from.size);
            const uint32_t number = does_meet ? number_of(&way, ways[n]) : AREA_CELLS;
            const bool in_box = number < AREA_CELLS;
            if ((in_box && way.came_from[number]) || !is_open(t, (int32_t)index, ways[n])) continue;
            if (in_box) {
                way.came_from[number] = (uint16_t)(way.queue[k] + 1);
                way.queue[way.count++] = (uint16_t)number;
                continue;
            }
            if (wend__traffic_box_of(t, index, ways[n]) != WEND__NO_BOX) continue; /* another box */
            *step = ways[n];
            for (uint32_t at = way.queue[k]; at != begin; at = way.came_from[at] - 1u) *step = place_of(&way, at);
            return true;
        }
    }
    return false;
}
