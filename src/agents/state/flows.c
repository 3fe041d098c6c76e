/* SPDX-License-Identifier: MIT */
/* Decides which groups follow a flow field, by the numbers of their agents. A field is in the service, and pins a
 * version, only while agents use it. */
#include "agents/state/flows.h"
#include "field/field_state.h"

#include "map/version/map.h"
#include "service/fields/service_fields.h"
#include <wend/field.h>

enum { APPROACH = 16 }; ///< largest distance to a group's places at which its members search for themselves, in cells

/* Returns the distance for the crowd's group size: smaller groups have shorter ways. */
static uint32_t approach_cells(const wend_crowd *crowd) {
    return crowd->tuning.field_agents / 4 < APPROACH ? crowd->tuning.field_agents / 4 : APPROACH;
}

static wend_field_def field_def(const wend_crowd_def *def) {
    wend_field_def own;
    wend_field_def_init(&own, sizeof own);
    own.map = def->map;
    own.most_goals = 1;
    return own;
}

size_t wend__flow_bytes(const wend_crowd_def *def) {
    const wend_field_def own = field_def(def);
    return wend__field_bytes(&own);
}

/* ---- making ---- */

static void *give_memory(void *context, size_t bytes, size_t alignment) {
    const wend__flow *flow = context;
    (void)bytes, (void)alignment;
    return flow->memory;
}

static void keep_memory(void *context, void *pointer, size_t bytes) {
    (void)context, (void)pointer, (void)bytes;
}

static void make_field(wend_crowd *crowd, wend__flow *flow) {
    wend_field_def def = field_def(&crowd->def);
    def.mover = flow->mover;
    def.goals = &flow->goal;
    def.goal_count = 1;
    def.urgency = flow->urgency;
    def.allocator = (wend_allocator){flow, give_memory, keep_memory};
    flow->stale = false;
    flow->failed = !wend__crowd_is_repeated(crowd) || wend_field_create(&def, &flow->field);
    if (!flow->failed) wend__service_fields_add(crowd->def.service, flow->field);
}

static void destroy_field(wend__flow *flow) {
    wend_field_destroy(flow->field);
    flow->field = NULL;
}

void wend__flows_update(wend_crowd *crowd) {
    for (uint32_t i = 0; i < crowd->flow_count; i++) {
        wend__flow *flow = &crowd->flows[i];
        if (flow->field && (flow->users == 0 || flow->stale)) destroy_field(flow);
        if (flow->users > 0 && flow->stale) make_field(crowd, flow);
    }
}

void wend__flow_repeat(wend_crowd *crowd, uint32_t number, bool completes) {
    wend__flow *flow = &crowd->flows[number];
    make_field(crowd, flow);
    if (completes && !flow->failed) wend_field_step(flow->field, WEND_NO_LIMIT, NULL);
}

void wend__flows_release(wend_crowd *crowd) {
    for (uint32_t i = 0; i < crowd->flow_count; i++) destroy_field(&crowd->flows[i]);
}

/* ---- users ---- */

static bool is_used(const wend__flow *flow) {
    return flow->users > 0 || flow->claimed;
}

/* Returns the field to a goal, else an unused one, else NULL. */
static wend__flow *find_flow(const wend_crowd *crowd, int32_t mover, wend_cell goal) {
    wend__flow *spare = NULL;
    for (uint32_t i = crowd->flow_count; i-- > 0;) {
        wend__flow *flow = &crowd->flows[i];
        if (!is_used(flow))
            spare = flow;
        else if (flow->mover == mover && wend__same_cell(flow->goal, goal))
            return flow;
    }
    return spare;
}

uint8_t wend__flow_claim(wend_crowd *crowd, uint32_t agents, int32_t mover, wend_cell goal, uint32_t apart,
                         int32_t urgency) {
    if (agents < crowd->tuning.field_agents || !wend__crowd_is_repeated(crowd)) return 0;
    wend__flow *flow = find_flow(crowd, mover, goal);
    if (!flow) return 0;
    if (!is_used(flow)) {
        flow->goal = goal, flow->mover = mover, flow->urgency = urgency;
        flow->near_cells = 0;
        flow->stale = true;
        flow->failed = false;
    }
    const bool graph = crowd->def.map->kind == WEND_KIND_GRAPH;
    const uint32_t near = graph ? 0 : apart + approach_cells(crowd);
    if (near > flow->near_cells) flow->near_cells = near;
    flow->claimed = true;
    return (uint8_t)(flow - crowd->flows + 1);
}

void wend__flows_unclaim(wend_crowd *crowd) {
    for (uint32_t i = 0; i < crowd->flow_count; i++) crowd->flows[i].claimed = false;
}

void wend__flow_join(wend_crowd *crowd, const wend__agent_goal *goal) {
    WEND__DEBUG_ASSERT(goal->flow <= crowd->flow_count);
    if (!goal->flow) return;
    crowd->flows[goal->flow - 1].users++;
    crowd->counts.field_goals++;
}

/* ---- goals at one cell ---- */

static bool is_counted(const wend__goal_counter *counter, const wend__agent_goal *goal, int32_t mover) {
    return counter->count > 0 && counter->mover == mover && wend__same_cell(counter->goal, goal->cell);
}

/* Returns the counter of a goal; else an unused one; else the next one with a single agent; else NULL. */
static wend__goal_counter *find_counter(wend_crowd *crowd, const wend__agent_goal *goal, int32_t mover) {
    wend__goal_counter *empty = NULL;
    for (uint32_t i = WEND__GOAL_COUNTERS; i-- > 0;) {
        if (is_counted(&crowd->counters[i], goal, mover)) return &crowd->counters[i];
        if (crowd->counters[i].count == 0) empty = &crowd->counters[i];
    }
    for (uint32_t k = 0; k < WEND__GOAL_COUNTERS && !empty; k++) {
        wend__goal_counter *next = &crowd->counters[crowd->next_counter++ % WEND__GOAL_COUNTERS];
        if (next->count == 1) empty = next;
    }
    if (!empty) return NULL;
    *empty = (wend__goal_counter){.goal = goal->cell, .mover = mover, .serial = empty->serial + 1};
    return empty;
}

void wend__flow_count_goal(wend_crowd *crowd, uint32_t index, wend__agent_goal *goal) {
    const int32_t mover = crowd->in_traffic[index].mover;
    if (crowd->flow_count == 0 || crowd->agents[index].profile != WEND_PROFILE_NONE) return;
    wend__goal_counter *counter = find_counter(crowd, goal, mover);
    if (!counter) return;
    counter->count++;
    goal->counter = (uint8_t)(counter - crowd->counters + 1);
    goal->counter_serial = counter->serial;
    goal->flow = wend__flow_claim(crowd, counter->count, mover, goal->cell, 0, crowd->agents[index].urgency);
}

void wend__flow_leave(wend_crowd *crowd, wend__agent_goal *goal) {
    WEND__DEBUG_ASSERT(!goal->flow || crowd->flows[goal->flow - 1].users > 0);
    if (goal->flow) crowd->flows[goal->flow - 1].users--;
    goal->flow = 0;
    if (!goal->counter) return;
    wend__goal_counter *counter = &crowd->counters[goal->counter - 1];
    if (counter->serial == goal->counter_serial) counter->count--;
    goal->counter = 0;
}
