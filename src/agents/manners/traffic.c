/* SPDX-License-Identifier: MIT */
/* Agents enter and leave, hold places and are counted as units. */
#include "agents/manners/traffic_state.h"
#include "map/movers/views.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"

#include <string.h>
#include <wend/agents.h>

static size_t rounded(size_t bytes) {
    return (bytes + 63) & ~(size_t)63;
}

/* Returns the number of push nodes: each agent that a push reaches has at most `ways` steps. */
static uint32_t push_capacity(const wend_map *map, uint32_t capacity) {
    uint32_t ways = wend__map_kind(map) == WEND_KIND_GRID ? 8 : 27;
    return capacity < WEND__PUSH_NODES / ways ? ways * capacity + ways : WEND__PUSH_NODES + ways;
}

/* Returns the number of counts of wanted cells: 8 to 16 an agent, so that few cells share one. */
static uint32_t wanted_counts(uint32_t capacity) {
    uint32_t counts = 64;
    while (counts < 8 * capacity) counts *= 2;
    return counts;
}

size_t wend__traffic_bytes(const wend_map *map, uint32_t capacity) {
    return rounded(sizeof(wend__traffic)) + rounded(capacity * sizeof(wend__traffic_agent)) +
           rounded(capacity * sizeof(wend__traffic_priority)) + rounded(capacity * sizeof(uint32_t)) +
           rounded((size_t)capacity * WEND_MAX_WAITED_FOR * sizeof(uint32_t)) +
           rounded(wend__places_bytes(wend__map_kind(map), capacity)) + 2 * rounded(capacity * sizeof(uint64_t)) +
           rounded(wanted_counts(capacity)) + rounded(capacity * sizeof(int32_t)) +
           rounded(push_capacity(map, capacity) * sizeof(wend__push_node)) + rounded(wend__narrow_ways_bytes(capacity));
}

static void *carve(uint8_t **memory, size_t bytes) {
    void *piece = *memory;
    *memory += rounded(bytes);
    return piece;
}

wend__traffic *wend__traffic_init(void *memory, wend_map *map, uint32_t capacity) {
    uint8_t *rest = memory;
    wend__traffic *t = carve(&rest, sizeof *t);
    *t = (wend__traffic){.map = map, .capacity = capacity, .kind = wend__map_kind(map)};
    t->agents = carve(&rest, capacity * sizeof *t->agents);
    memset(t->agents, 0, capacity * sizeof *t->agents);
    t->speeds = carve(&rest, capacity * sizeof *t->speeds);
    memset(t->speeds, 0, capacity * sizeof *t->speeds);
    t->priorities = carve(&rest, capacity * sizeof *t->priorities);
    memset(t->priorities, 0, capacity * sizeof *t->priorities);
    t->waits = carve(&rest, (size_t)capacity * WEND_MAX_WAITED_FOR * sizeof *t->waits);
    size_t bytes = wend__places_bytes(t->kind, capacity);
    wend__places_init(&t->places, carve(&rest, bytes), t->kind, capacity);
    t->order = carve(&rest, capacity * sizeof *t->order);
    t->scratch = carve(&rest, capacity * sizeof *t->scratch);
    t->wanted_mask = wanted_counts(capacity) - 1;
    t->wanted = carve(&rest, wanted_counts(capacity));
    memset(t->wanted, 0, wanted_counts(capacity));
    t->claimed = carve(&rest, capacity * sizeof *t->claimed);
    t->push_capacity = push_capacity(map, capacity);
    t->push_nodes = carve(&rest, t->push_capacity * sizeof *t->push_nodes);
    wend__narrow_ways_init(&t->narrow_ways, carve(&rest, wend__narrow_ways_bytes(capacity)), capacity);
    WEND__DEBUG_ASSERT(rest == (uint8_t *)memory + wend__traffic_bytes(map, capacity));
    return t;
}

void wend__traffic_record_units(wend__traffic *t, bool recorded) {
    t->unrecorded = !recorded;
}

uint64_t *wend__traffic_sorting(wend__traffic *t, unsigned which) {
    return which ? t->scratch : t->order;
}

uint32_t *wend__traffic_speeds(wend__traffic *t) {
    return t->speeds;
}

wend__traffic_agent *wend__traffic_agents(wend__traffic *t) {
    return t->agents;
}

/* ---- units on the map ---- */

/* Uncounts the unit in the cells before `end`, in the order of counting. */
static void discount_before(wend__traffic *t, wend_cell cell, int32_t size, const wend_cell *end) {
    wend_cell last = wend__traffic_last(t, cell, size), c;
    WEND__EACH_CELL(c, cell, last) {
        if (end && wend__same_cell(c, *end)) return;
        wend__map_vacate(t->map, c, !t->unrecorded);
    }
}

static wend_error count_unit(wend__traffic *t, int32_t i, wend_cell cell) {
    WEND__DEBUG_ASSERT(t->agents[i].size > 0 && !t->priorities[i].counted);
    int32_t size = t->agents[i].size;
    wend_cell last = wend__traffic_last(t, cell, size), c;
    WEND__EACH_CELL(c, cell, last) {
        wend_error error = wend__map_occupy(t->map, c, !t->unrecorded);
        if (!error) continue;
        discount_before(t, cell, size, &c);
        return error;
    }
    t->priorities[i].counted = true;
    return WEND_OK;
}

bool wend__traffic_count(wend__traffic *t, int32_t i, wend_cell cell) {
    return count_unit(t, i, cell) == WEND_OK;
}

void wend__traffic_discount(wend__traffic *t, int32_t i, wend_cell cell) {
    if (t->priorities[i].counted) discount_before(t, cell, t->agents[i].size, NULL);
    t->priorities[i].counted = false;
}

/* ---- coming and going ---- */

void wend__traffic_reserve(wend__traffic *t, uint32_t index, wend_cell cell) {
    WEND__DEBUG_ASSERT(t->agents[index].size > 0);
    wend__places_claim_size(&t->places, (int32_t)index, cell, t->agents[index].size);
}

void wend__traffic_unreserve(wend__traffic *t, uint32_t index) {
    if (wend__traffic_moves(t, (int32_t)index)) wend__places_unclaim(&t->places, (int32_t)index);
}

bool wend__traffic_is_reserved(const wend__traffic *t, wend_cell cell, int32_t *holder) {
    const wend__cell_owners cover = wend__places_at(&t->places, cell);
    *holder = cover.holder;
    return cover.claimer >= 0;
}

int32_t wend__traffic_holder(const wend__traffic *t, wend_cell cell) {
    return wend__places_at(&t->places, cell).holder;
}

int32_t wend__traffic_other_holder(const wend__traffic *t, uint32_t index, wend_cell cell, bool *several) {
    const wend_cell last = wend__traffic_last(t, cell, t->agents[index].size);
    int32_t found = WEND__NO_AGENT;
    wend_cell c;
    *several = false;
    WEND__EACH_CELL(c, cell, last) {
        const int32_t holder = wend__places_at(&t->places, c).holder;
        if (holder < 0 || holder == (int32_t)index) continue;
        *several |= found >= 0 && holder != found;
        if (found < 0) found = holder;
    }
    return found;
}

bool wend__traffic_is_held(const wend__traffic *t, wend_cell cell, int32_t size, int32_t index) {
    wend_cell last = wend__traffic_last(t, cell, size), c;
    WEND__EACH_CELL(c, cell, last) {
        int32_t holder = wend__places_at(&t->places, c).holder;
        if (holder >= 0 && holder != index) return true;
        uint32_t own = holder >= 0 && t->priorities[holder].counted;
        if (wend__map_has(t->map, c) && wend__map_occupants(t->map, c) > own) return true;
    }
    return false;
}

wend_error wend__traffic_refuse(wend_error error, wend_cell cell) {
    return wend__refuse(error, "%s at %d,%d,%d",
                        error == WEND_BUSY ? "an agent or a unit stands" : "the mover cannot stand", cell.x, cell.y,
                        cell.z);
}

wend_error wend__traffic_enter(wend__traffic *t, const wend__version *version, uint32_t index, wend_cell cell,
                               int32_t mover, bool ghost) {
    WEND__ASSERT(index < t->capacity && !t->agents[index].present);
    wend_error error = wend__check_mover_below(wend__version_movers(version), mover);
    if (!error) error = wend__check_cell(t->map, "cell", cell);
    if (error) return error;
    if (!wend__cell_factor(wend__version_view(version, mover), cell)) return wend__traffic_refuse(WEND_BLOCKED, cell);
    int32_t i = (int32_t)index, size = wend__version_mover_size(version, mover);
    if (!ghost && wend__traffic_is_held(t, cell, size, WEND__NO_AGENT)) return wend__traffic_refuse(WEND_BUSY, cell);
    if (!ghost && wend__traffic_is_touched(t, index, size, cell)) return wend__traffic_refuse(WEND_BUSY, cell);
    const wend__traffic_agent *before = &t->agents[i]; /* an agent that returns keeps the crowd's settings */
    t->agents[i] = (wend__traffic_agent){.at = cell,
                                         .from = cell,
                                         .next = cell,
                                         .mover = mover,
                                         .size = (uint8_t)size,
                                         .present = 1,
                                         .ghost = ghost,
                                         .parked = before->parked,
                                         .waits = before->waits,
                                         .awaited = before->awaited,
                                         .body = before->body,
                                         .follows = before->follows,
                                         .ready = 1};
    t->priorities[i] = (wend__traffic_priority){.inherited = -WEND__URGENCY_MOST};
    if (ghost) return WEND_OK;
    error = count_unit(t, i, cell);
    if (error) {
        t->agents[i].present = 0;
        return error;
    }
    wend__places_enter(&t->places, i, cell, size);
    return WEND_OK;
}

void wend__traffic_leave(wend__traffic *t, uint32_t index) {
    wend__traffic_agent *agent = &t->agents[index];
    if (!agent->present) return;
    if (!agent->ghost) {
        wend__traffic_discount(t, (int32_t)index, agent->at);
        if (wend__places_held(&t->places, (int32_t)index)->size > 0) wend__places_leave(&t->places, (int32_t)index);
    }
    agent->present = 0;
}

/* ---- waiting for other agents ---- */

void wend__traffic_wait_for(wend__traffic *t, uint32_t index, const uint32_t *others, uint32_t count) {
    WEND__DEBUG_ASSERT(count <= WEND_MAX_WAITED_FOR);
    uint32_t *list = t->waits + (size_t)index * WEND_MAX_WAITED_FOR;
    for (uint32_t k = 0; k < count; k++) {
        list[k] = others[k];
        t->agents[others[k]].awaited = 1;
    }
    t->agents[index].waits = (uint8_t)count;
}

void wend__traffic_unawait(wend__traffic *t, uint32_t index) {
    for (uint32_t i = 0; t->agents[index].awaited && i < t->capacity; i++) {
        uint32_t *list = t->waits + (size_t)i * WEND_MAX_WAITED_FOR, kept = 0;
        for (uint32_t k = 0; k < t->agents[i].waits; k++)
            if (list[k] != index) list[kept++] = list[k];
        t->agents[i].waits = (uint8_t)kept;
    }
    t->agents[index].awaited = 0;
}

bool wend__traffic_waits_for(const wend__traffic *t, int32_t index, int32_t other) {
    const uint32_t *list = t->waits + (size_t)index * WEND_MAX_WAITED_FOR;
    for (uint32_t k = 0; k < t->agents[index].waits; k++)
        if (list[k] == (uint32_t)other) return true;
    return false;
}

/* ---- becoming another mover ---- */

/* Returns whether the claimed place of an agent is free. Other agents with a claim will leave their places. */
static bool may_hold(const wend__traffic *t, int32_t i, int32_t size) {
    wend_cell cell = t->agents[i].at, last = wend__traffic_last(t, cell, size), c;
    WEND__EACH_CELL(c, cell, last) {
        const wend__cell_owners cover = wend__places_at(&t->places, c);
        if (cover.claimer != i) return false;
        if (cover.holder == i) continue;
        if (cover.holder >= 0 && !wend__traffic_moves(t, cover.holder)) return false;
        const uint32_t own = cover.holder >= 0 && t->priorities[cover.holder].counted;
        if (wend__map_occupants(t->map, c) > own + wend__traffic_units_left(t, i, c)) return false;
    }
    return true;
}

static void hold_place(wend__traffic *t, int32_t i, int32_t mover, int32_t size) {
    WEND__DEBUG_ASSERT(size > 0);
    wend__traffic_agent *agent = &t->agents[i];
    agent->mover = mover;
    agent->size = (uint8_t)size;
    wend__traffic_end_step(agent);
    agent->next = agent->at;
    agent->moved = 0;
    agent->ready = 1;
    if (agent->ghost) return;
    wend__places_settle(&t->places, i);
    wend__traffic_count(t, i, agent->at);
}

bool wend__traffic_set_mover(wend__traffic *t, const wend__version *version, const uint32_t *indices, size_t count,
                             int32_t mover) {
    const int32_t size = wend__version_mover_size(version, mover);
    bool free = true;
    for (size_t k = 0; k < count; k++) {
        const wend__traffic_agent *agent = &t->agents[indices[k]];
        if (!agent->ghost) wend__places_claim_size(&t->places, (int32_t)indices[k], agent->at, size);
    }
    for (size_t k = 0; free && k < count; k++) {
        const wend__traffic_agent *agent = &t->agents[indices[k]];
        free = agent->ghost ||
               (may_hold(t, (int32_t)indices[k], size) && !wend__traffic_is_touched(t, indices[k], size, agent->at));
    }
    for (size_t k = 0; k < count; k++) {
        const int32_t i = (int32_t)indices[k];
        if (t->agents[i].ghost) continue;
        if (free)
            wend__traffic_discount(t, i, t->agents[i].at);
        else
            wend__places_unclaim(&t->places, i);
    }
    for (size_t k = 0; free && k < count; k++) hold_place(t, (int32_t)indices[k], mover, size);
    return free;
}
