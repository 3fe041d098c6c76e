/* SPDX-License-Identifier: MIT */
/* Orders of the host: go, follow, flee, halt. */
#include "agents/orders/goal.h"
#include "agents/orders/march.h"
#include "agents/plan/path.h"
#include "agents/plan/path_request.h"
#include "agents/state/crowd_state.h"
#include "agents/state/flows.h"
#include "map/version/map.h"
#include "recording/crowd/crowd_orders.h"

static wend_crowd_goal default_goal(void) {
    return (wend_crowd_goal){.struct_bytes = sizeof(wend_crowd_goal), .distance = 10, .spacing = 1};
}

void wend_crowd_goal_init(wend_crowd_goal *def, size_t bytes) {
    const wend_crowd_goal own = default_goal();
    wend__sized_init(def, bytes, &own, sizeof own);
}

static wend_error check_ids(const wend_crowd *crowd, const wend_agent_id *ids, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!wend__crowd_has(crowd, ids[i])) return wend__crowd_refuse_id(ids[i]);
    return WEND_OK;
}

static wend_error check_place(const wend_crowd_goal *def, int32_t kind) {
    const bool graph = kind == WEND_KIND_GRAPH, flat = kind == WEND_KIND_GRID;
    wend_error error = wend__check_range("goal.reach", def->reach, 0, graph ? 0 : WEND_MAX_REACH);
    if (!error) error = wend__check_range("goal.near_enough", def->near_enough, 0, graph ? 0 : WEND_MAX_REACH);
    if (!error) error = wend__check_range("goal.formation", def->formation, 0, flat ? WEND_AS_BOX : WEND_AS_CROWD);
    return error ? error : wend__check_range("goal.spacing", def->spacing, 0, WEND_MAX_SPACING);
}

wend_error wend__goal_check(const wend_crowd *crowd, const wend_crowd_goal *def) {
    const int32_t kind = crowd->def.map->kind;
    if (def->kind == WEND_CROWD_CELL) return check_place(def, kind);
    if (def->kind == WEND_CROWD_FOLLOW)
        return wend__check_range("goal.reach", def->reach, 0, kind == WEND_KIND_GRAPH ? 1 : WEND_MAX_REACH);
    if (def->kind != WEND_CROWD_FLEE)
        return wend__refuse_range("goal.kind", def->kind, WEND_CROWD_CELL, WEND_CROWD_FLEE);
    const wend_error error = wend__check_range("goal.distance", def->distance, 1, WEND_MAX_REACH);
    if (error || kind != WEND_KIND_GRAPH) return error;
    return wend__refuse(WEND_UNSUPPORTED, "goal.kind is FLEE, but a graph has no cells to count");
}

static wend_error check_target(const wend_crowd *crowd, const wend_agent_id *ids, size_t count,
                               const wend_crowd_goal *def) {
    if (!wend__crowd_has(crowd, def->target)) return wend__crowd_refuse_id(def->target);
    for (size_t i = 0; i < count; i++)
        if (ids[i].index == def->target.index)
            return wend__refuse(WEND_BAD_ARGUMENT, "goal.target is among the agents: ids[%zu]", i);
    return WEND_OK;
}

static wend_error check_order(const wend_crowd *crowd, const wend_agent_id *ids, size_t count,
                              const wend_crowd_goal *def) {
    wend_error error = check_ids(crowd, ids, count);
    if (!error && (def->kind == WEND_CROWD_FOLLOW || def->kind == WEND_CROWD_FLEE))
        error = check_target(crowd, ids, count, def);
    if (!error) error = wend__goal_check(crowd, def);
    if (!error && def->kind == WEND_CROWD_CELL) error = wend__check_cell(crowd->def.map, "goal.cell", def->cell);
    if (error) return error;
    return wend__events_fit(crowd, count) ? WEND_OK : wend__crowd_refuse_events();
}

/* Begins the goal of one agent, and adds it to the field's count if `counts`. An agent near the goal needs no field. */
static void begin_one(wend_crowd *crowd, uint32_t index, wend__agent_goal goal, bool counts) {
    const wend_cell at = crowd->in_traffic[index].at;
    if (crowd->agents[index].wary) wend__goal_decide_mover(crowd, index, &goal); /* fields are by mover */
    if (counts) wend__flow_count_goal(crowd, index, &goal);
    if (goal.flow && wend__flow_is_near(crowd, &goal, at)) goal.flow = 0;
    wend__goal_begin(crowd, index, &goal);
    if (goal.kind == WEND__GOAL_CELL && wend__crowd_within(crowd, goal.cell, goal.reach, at))
        wend__path_clear(crowd, index); /* the agent is there already */
    else if (!goal.flow)
        wend__path_request_begin(crowd, index, WEND__PURPOSE_PLAN);
}

static wend__agent_goal goal_of_def(const wend_crowd *crowd, const wend_crowd_goal *def) {
    const wend_cell there = def->kind == WEND_CROWD_CELL ? def->cell : crowd->in_traffic[def->target.index].at;
    if (def->kind == WEND_CROWD_FOLLOW)
        return (wend__agent_goal){
            .kind = WEND__GOAL_FOLLOW, .target = def->target, .cell = there, .reach = def->reach > 1 ? def->reach : 1};
    if (def->kind == WEND_CROWD_FLEE)
        return (wend__agent_goal){.kind = WEND__GOAL_FLEE,
                                  .target = def->target,
                                  .cell = there,
                                  .reach = 1,
                                  .distance = def->distance,
                                  .keep = def->keep};
    return (wend__agent_goal){
        .kind = WEND__GOAL_CELL, .cell = there, .reach = def->reach, .near_enough = def->near_enough};
}

static uint32_t slowest_of(const wend_crowd *crowd, const wend_agent_id *ids, size_t count) {
    uint32_t least = UINT32_MAX;
    for (size_t i = 0; i < count; i++)
        if (crowd->agents[ids[i].index].own_speed < least) least = crowd->agents[ids[i].index].own_speed;
    return least;
}

static wend_error go_all(wend_crowd *crowd, const wend_agent_id *ids, size_t count, const wend_crowd_goal *def) {
    wend__agent_goal goal = goal_of_def(crowd, def);
    if (count > 1 && goal.kind == WEND__GOAL_CELL) {
        if (!wend__group_places(crowd, ids, (uint32_t)count, def))
            return wend__refuse(WEND_BAD_ARGUMENT, "ids has an agent twice");
        goal.pace = def->pace ? slowest_of(crowd, ids, count) : 0;
        for (size_t i = 0; i < count; i++) {
            goal.cell = crowd->group.goals[i];
            goal.ends_partial = crowd->group.ends_partial[i];
            goal.asked = def->cell;
            goal.flow = crowd->group.flows[i];
            const uint8_t march = crowd->group.marches[i];
            wend__agent_goal own = goal;
            if (march) wend__march_prepare(crowd, ids[i].index, march, crowd->group.stations[i], &own);
            begin_one(crowd, ids[i].index, own, false);
            if (march) wend__march_join(crowd, ids[i].index);
        }
    } else {
        for (size_t i = 0; i < count; i++) begin_one(crowd, ids[i].index, goal, goal.kind == WEND__GOAL_CELL);
    }
    wend__flows_unclaim(crowd);
    return WEND_OK;
}

wend_error wend_crowd_go(wend_crowd *crowd, const wend_agent_id *ids, size_t count, const wend_crowd_goal *def) {
    WEND__CROWD_CALL(crowd);
    wend_crowd_goal own = default_goal();
    if (!WEND__READ_STRUCT(wend_crowd_goal, distance, &own, def)) return WEND_BAD_ARGUMENT;
    wend_error error = wend__check_room("ids", ids, count);
    if (!error) error = check_order(crowd, ids, count, &own);
    if (error) return error;
    const bool recorded = wend__crowd_record_begin(crowd);
    error = go_all(crowd, ids, count, &own);
    if (recorded && !error) wend__crowd_record_go(crowd, ids, count, &own);
    wend__crowd_record_end(crowd, recorded);
    return error;
}

wend_error wend_crowd_halt(wend_crowd *crowd, const wend_agent_id *ids, size_t count) {
    WEND__CROWD_CALL(crowd);
    wend_error error = check_ids(crowd, ids, count);
    if (error) return error;
    const bool recorded = wend__crowd_record_begin(crowd);
    for (size_t i = 0; i < count; i++) {
        if (crowd->agents[ids[i].index].goal.kind != WEND__GOAL_NONE)
            wend__goal_end(crowd, ids[i].index, WEND_AGENT_EVENT_REPLACED, WEND_WHY_NONE);
        else
            wend__goal_clear(crowd, ids[i].index);
    }
    if (recorded) wend__crowd_record_names(crowd, WEND_ORDER_HALT, ids, count);
    wend__crowd_record_end(crowd, recorded);
    return WEND_OK;
}
