/* SPDX-License-Identifier: MIT */
/* The way that an agent has before it: walked step by step, left when it is pushed, joined again, replaced. */
#include "crowd/paths/trip.h"

#include "map/query/step_cost.h"
#include "map/version/version.h"

enum {
    CHECKED = 32, ///< steps ahead that are walked on a new version
    JOINED = 3,   ///< steps of the path that a pushed agent may skip
    FOUND = 64    ///< steps of a path among which a cell is looked for
};

void wend__trip_clear(wend_crowd *crowd, uint32_t index) {
    wend__trip *trip = &crowd->agents[index].trip;
    wend__kept_clear(&crowd->keep, &trip->kept);
    trip->base = trip->end = crowd->travellers[index].at;
    trip->trail_count = 0;
    trip->ends = WEND__ENDS_NOWHERE;
}

wend_cell wend__trip_ahead(const wend_crowd *crowd, uint32_t index, uint32_t steps) {
    const wend__trip *trip = &crowd->agents[index].trip;
    wend__kept_reader reader = wend__kept_read(&crowd->keep, &trip->kept, trip->base);
    while (steps-- > 0 && wend__kept_next(&reader)) {
    }
    return reader.cell;
}

wend_cell wend__trip_next(const wend_crowd *crowd, uint32_t index) {
    const wend__trip *trip = &crowd->agents[index].trip;
    if (trip->trail_count > 0) return trip->trail[trip->trail_count - 1];
    if (trip->kept.steps == 0) return trip->base;
    return wend__kept_second(&crowd->keep, &trip->kept, trip->base);
}

/* Nobody knows where the host will steer it: straight on, likely. Off the map nobody stands. */
static uint32_t cells_straight_on(const wend__traveller *traveller, wend_cell *cells, uint32_t capacity) {
    const wend_cell at = traveller->at, to = traveller->next;
    for (int32_t k = 0; k < (int32_t)capacity; k++)
        cells[k] = (wend_cell){to.x + k * (to.x - at.x), to.y + k * (to.y - at.y), to.z + k * (to.z - at.z)};
    return capacity;
}

uint32_t wend__trip_cells(void *context, uint32_t index, wend_cell *cells, uint32_t capacity) {
    const wend_crowd *crowd = context;
    const wend__traveller *traveller = &crowd->travellers[index];
    if (traveller->steered) return cells_straight_on(traveller, cells, capacity);
    const wend__trip *trip = &crowd->agents[index].trip;
    uint32_t count = 0;
    for (uint32_t k = trip->trail_count; k-- > 0 && count < capacity;) cells[count++] = trip->trail[k];
    wend__kept_reader reader = wend__kept_read(&crowd->keep, &trip->kept, trip->base);
    while (count < capacity && wend__kept_next(&reader)) cells[count++] = reader.cell;
    return count;
}

/* ---- walking ---- */

static void drop_steps(wend_crowd *crowd, uint32_t index, uint32_t steps) {
    wend__trip *trip = &crowd->agents[index].trip;
    uint32_t *lead = &crowd->agents[index].quest.lead;
    *lead = *lead > steps ? *lead - steps : 0;
    if (trip->verified != UINT32_MAX) trip->verified = trip->verified > steps ? trip->verified - steps : 0;
    while (steps-- > 0) wend__kept_take(&crowd->keep, &trip->kept);
}

bool wend__trip_went(wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell before) {
    wend__trip *trip = &crowd->agents[index].trip;
    wend_cell at = crowd->travellers[index].at;
    if (trip->trail_count > 0 && wend__same_cell(at, trip->trail[trip->trail_count - 1])) {
        trip->trail_count--;
        return true;
    }
    if (trip->trail_count == 0 && trip->kept.steps > 0 && wend__same_cell(at, wend__trip_next(crowd, index))) {
        drop_steps(crowd, index, 1);
        trip->base = at;
        return true;
    }
    if (trip->trail_count == WEND__TRAIL) return false;
    if (wend__step_cost(version, crowd->travellers[index].mover, at, before) == UINT64_MAX) return false;
    trip->trail[trip->trail_count++] = before;
    return true;
}

/* A trail of one cell leads to the k-th cell of the path, which begins there then. */
void wend__trip_rejoin(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__trip *trip = &crowd->agents[index].trip;
    const wend__traveller *traveller = &crowd->travellers[index];
    wend__kept_reader reader = wend__kept_read(&crowd->keep, &trip->kept, trip->base);
    uint32_t best = UINT32_MAX;
    wend_cell join = trip->base;
    for (uint32_t k = 0; k <= JOINED; k++) {
        bool here = wend__same_cell(reader.cell, traveller->at);
        if (here || wend__step_cost(version, traveller->mover, traveller->at, reader.cell) != UINT64_MAX) {
            best = k;
            join = reader.cell;
        }
        if (here || !wend__kept_next(&reader)) break;
    }
    if (best == UINT32_MAX) return;
    drop_steps(crowd, index, best);
    trip->base = join;
    trip->trail_count = !wend__same_cell(join, traveller->at);
    trip->trail[0] = join;
}

uint32_t wend__trip_check(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__trip *trip = &crowd->agents[index].trip;
    if (trip->serial == version->serial && trip->verified > 0) return UINT32_MAX;
    const uint32_t most = wend__crowd_work(crowd, index, CHECKED) ? CHECKED : 1; /* the next step cannot wait */
    const int32_t mover = crowd->travellers[index].mover;
    wend__kept_reader reader = wend__kept_read(&crowd->keep, &trip->kept, trip->base);
    uint32_t steps = 0;
    for (wend_cell from = reader.cell; steps < most && wend__kept_next(&reader); steps++, from = reader.cell)
        if (wend__step_cost(version, mover, from, reader.cell) == UINT64_MAX) return steps;
    trip->serial = version->serial;
    trip->verified = reader.left == 0 ? UINT32_MAX : steps;
    return UINT32_MAX;
}

/* ---- replacing ---- */

/* Where the answer goes on from where the agent is, or from a cell before it on its path: how many steps of the path
 * stay, and how many cells of the answer are passed already. A path may turn and pass a cell again, so the place that
 * the search began at comes first. */
static bool find_joint(const wend_crowd *crowd, uint32_t index, const wend_cell *cells, size_t count, uint32_t *stay,
                       size_t *passed) {
    const wend__trip *trip = &crowd->agents[index].trip;
    *stay = crowd->agents[index].quest.lead;
    *passed = 0;
    if (*stay <= trip->kept.steps && wend__same_cell(wend__trip_ahead(crowd, index, *stay), cells[0])) return true;
    wend__kept_reader reader = wend__kept_read(&crowd->keep, &trip->kept, trip->base);
    for (*stay = 0; *stay <= FOUND; ++*stay) {
        if (wend__same_cell(reader.cell, cells[0])) return true;
        if (!wend__kept_next(&reader)) break;
    }
    for (*stay = 0; *passed < count && *passed <= FOUND; ++*passed)
        if (wend__same_cell(trip->base, cells[*passed])) return true;
    return false;
}

bool wend__trip_splice(wend_crowd *crowd, uint32_t index, const wend_cell *cells, size_t count, uint8_t ends) {
    wend__trip *trip = &crowd->agents[index].trip;
    uint32_t stay;
    size_t passed;
    if (!find_joint(crowd, index, cells, count, &stay, &passed)) return false;
    wend__kept_cut(&crowd->keep, &trip->kept, stay);
    trip->ends = ends;
    trip->end = cells[passed];
    trip->serial = wend__map_serial(crowd->def.map);
    trip->verified = 0; /* the service may have checked the answer on a version before this one */
    for (size_t i = passed; i + 1 < count; i++) {
        if (!wend__kept_add(&crowd->keep, &trip->kept, cells[i], cells[i + 1])) {
            trip->ends = WEND__ENDS_SHORT;
            break;
        }
        trip->end = cells[i + 1];
    }
    return true;
}
