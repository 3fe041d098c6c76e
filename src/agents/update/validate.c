/* SPDX-License-Identifier: MIT */
/* Assertions, in debug builds, of the invariants of a crowd at the end of an update, before the callbacks of its
 * events. These may remove bodies, and the next update only lets another body hold a cell that one of them held. */
#include "agents/manners/traffic_state.h"
#include "agents/update/agents.h"
#include "map/version/occupancy.h"

#ifdef WEND_DEBUG

enum { EACH_UPDATE = 1024 }; /* slots that an update checks on the average */

/// Sums over the agents.
typedef struct census {
    uint32_t present, absent, away, leaving, pathless, stepping, goals, searches, blocks, bodies;
} census;

/* ---- cells ---- */

/* Asserts that an agent holds each cell of its place: no two hold one. The host may remove units, also an agent's. */
static void validate_place(const wend_crowd *crowd, uint32_t index) {
    const wend__traffic *t = crowd->traffic;
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const int32_t i = (int32_t)index, size = in_traffic->size, up = t->kind == WEND_KIND_VOXEL ? size : 1;
    const wend__held_place *held = wend__places_held(&t->places, i), *claimed = wend__places_claimed(&t->places, i);
    WEND__ASSERT(held->size == size && wend__same_cell(held->cell, in_traffic->at));
    for (int32_t k = 0; k < size * size * up; k++) {
        const wend_cell at = in_traffic->at;
        const wend_cell cell = {at.x + k % size, at.y + k / size % size, at.z + k / size / size};
        WEND__ASSERT(wend__places_at(&t->places, cell).holder == i);
    }
    WEND__ASSERT(claimed->size == 0 || wend__places_at(&t->places, claimed->cell).claimer == i);
}

static bool is_small_disc(const wend_crowd *crowd, uint32_t index) {
    return crowd->in_traffic[index].body && wend__body_is_small(wend__bodies_get(crowd->bodies->engine, index));
}

/* Asserts that no two agents swap places, but small discs. */
static void validate_step(const wend_crowd *crowd, uint32_t index) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    if (wend__traffic_leaps(crowd->traffic, in_traffic->from, in_traffic->at)) return;
    const int32_t other = wend__traffic_holder(crowd->traffic, in_traffic->from);
    if (other < 0 || other == (int32_t)index) return;
    if (is_small_disc(crowd, index) && is_small_disc(crowd, (uint32_t)other)) return;
    WEND__ASSERT(!wend__same_cell(crowd->in_traffic[other].from, in_traffic->at) ||
                 wend__same_cell(crowd->in_traffic[other].at, in_traffic->at));
}

/* ---- paths ---- */

static void validate_path(const wend_crowd *crowd, uint32_t index, census *all) {
    const wend__agent_path *path = &crowd->agents[index].path;
    const wend__stored_path *stored = &path->stored;
    uint32_t steps = 0, last = WEND__NO_PATH_BLOCK;
    for (uint32_t at = stored->first; at != WEND__NO_PATH_BLOCK; last = at, at = crowd->paths.blocks[at].next) {
        steps += crowd->paths.blocks[at].count;
        all->blocks++;
        WEND__ASSERT(all->blocks <= crowd->paths.fresh);
    }
    all->pathless += stored->first == WEND__NO_PATH_BLOCK;
    WEND__ASSERT(last == stored->last && steps == stored->steps + stored->taken);
    if (stored->steps == 0) return;
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    WEND__ASSERT(path->recent_count > 0 || !in_traffic->present || wend__same_cell(path->base, in_traffic->at));
    wend__path_reader reader = wend__path_read(&crowd->paths, stored, path->base);
    while (wend__path_reader_next(&reader)) continue;
    WEND__ASSERT(wend__same_cell(reader.cell, path->end));
}

/* ---- agents ---- */

static void validate_agent(const wend_crowd *crowd, uint32_t index, census *all) {
    const wend__agent *agent = &crowd->agents[index];
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const uint8_t phase = crowd->phase[index];
    const bool away = phase == WEND__PHASE_AWAY;
    all->present++;
    all->away += away;
    all->leaving += agent->leaves;
    all->goals += agent->goal.kind != WEND__GOAL_NONE;
    all->stepping += agent->step_slot > 0;
    all->bodies += in_traffic->body;
    all->searches += agent->request.ticket.generation != 0;
    WEND__ASSERT(agent->crowd == crowd && in_traffic->present == !away);
    WEND__ASSERT(phase != WEND__PHASE_STEPPING || crowd->remaining[index] > 0);
    WEND__ASSERT(phase == WEND__PHASE_STEPPING || wend__same_cell(in_traffic->from, in_traffic->at));
    WEND__ASSERT(agent->step_slot == 0 || crowd->stepping[agent->step_slot - 1] == index);
    WEND__ASSERT(!agent->goal.list || !agent->goal.next ||
                 crowd->agents[agent->goal.next - 1].goal.previous == index + 1);
    WEND__ASSERT(!agent->goal.list || agent->goal.previous || *agent->goal.list == index + 1);
    const wend__near_pool *fields = &crowd->near_fields;
    if (fields->count > 0 && fields->slots[index] > 0)
        WEND__ASSERT(fields->of[fields->slots[index] - 1].owner == index + 1);
    if (!away && !in_traffic->ghost) validate_place(crowd, index);
    if (phase == WEND__PHASE_STEPPING && !in_traffic->ghost) validate_step(crowd, index);
    validate_path(crowd, index, all);
}

static uint32_t walk_free(const wend_crowd *crowd) {
    uint32_t count = 0;
    for (uint32_t at = crowd->free_first; at != WEND__NONE; at = crowd->agents[at].next_free, count++)
        WEND__ASSERT(crowd->phase[at] == WEND__PHASE_ABSENT && count < crowd->used);
    return count;
}

static uint32_t count_free_blocks(const wend__path_arena *arena) {
    uint32_t count = 0;
    for (uint32_t at = arena->free_first; at != WEND__NO_PATH_BLOCK; at = arena->blocks[at].next) count++;
    return count;
}

/* Asserts that each goal and each box has room for its last event. */
static void validate_events(const wend_crowd *crowd, const census *all) {
    const wend__event_queue *events = &crowd->events;
    const wend__boxes *boxes = &crowd->traffic->boxes;
    uint32_t clearing = 0;
    for (uint32_t k = 0; k < boxes->count; k++) clearing += !boxes->empty[k];
    WEND__ASSERT(clearing == boxes->clearing);
    WEND__ASSERT(events->reserved == all->goals + all->stepping + clearing);
    WEND__ASSERT(events->first <= events->fresh && events->fresh <= events->count);
    WEND__ASSERT(events->count - events->first + events->reserved <= events->capacity);
}

static void validate_flows(const wend_crowd *crowd) {
    uint32_t users = 0, goals = 0;
    for (uint32_t k = 0; k < crowd->flow_count; k++) users += crowd->flows[k].users;
    for (uint32_t i = 0; i < crowd->used; i++)
        goals += crowd->phase[i] != WEND__PHASE_ABSENT && crowd->agents[i].goal.flow > 0;
    WEND__ASSERT(users == goals);
}

void wend__crowd_validate(const wend_crowd *crowd) {
    census all = {0};
    if (crowd->counts.updates % (1 + crowd->used / EACH_UPDATE) != 0) return;
    for (uint32_t i = 0; i < crowd->used; i++)
        if (crowd->phase[i] == WEND__PHASE_ABSENT)
            all.absent++;
        else
            validate_agent(crowd, i, &all);
    WEND__ASSERT(all.bodies == crowd->body_count);
    WEND__ASSERT(all.present == crowd->count && all.away == crowd->away_count);
    WEND__ASSERT(all.leaving == crowd->leaving_count && all.absent == walk_free(crowd));
    WEND__ASSERT(all.stepping == crowd->step_count && all.searches <= crowd->pending);
    WEND__ASSERT(crowd->paths.bare + all.present - all.pathless == crowd->def.agents);
    WEND__ASSERT(all.blocks + count_free_blocks(&crowd->paths) == crowd->paths.fresh);
    validate_events(crowd, &all);
    validate_flows(crowd);
}

#endif
