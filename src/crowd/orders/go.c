/* SPDX-License-Identifier: MIT */
/* The host orders agents to go, to follow, to flee, to halt. */
#include "crowd/flow/flows.h"
#include "crowd/orders/group.h"
#include "crowd/orders/wish.h"
#include "crowd/paths/ask.h"
#include "crowd/paths/trip.h"
#include "crowd/state/notes.h"
#include "crowd/state/told_orders.h"
#include "map/version/map.h"

static wend_crowd_goal default_goal(void) {
    return (wend_crowd_goal){.struct_bytes = sizeof(wend_crowd_goal), .distance = 10};
}

void wend_crowd_goal_init(wend_crowd_goal *goal, size_t bytes) {
    const wend_crowd_goal own = default_goal();
    wend__sized_init(goal, bytes, &own, sizeof own);
}

static wend_error check_ids(const wend_crowd *crowd, const wend_agent_id *ids, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (wend__crowd_slot(crowd, ids[i]) < 0) return wend__crowd_refuse_id(ids[i]);
    return WEND_OK;
}

static wend_error check_cell(const wend_crowd *crowd, const wend_crowd_goal *goal) {
    bool graph = crowd->def.map->kind == WEND_KIND_GRAPH;
    const int32_t most = !graph ? WEND_MAX_REACH : goal->kind == WEND_CROWD_FOLLOW ? 1 : 0;
    wend_error error = wend__check_range("goal.reach", goal->reach, 0, most);
    if (error || goal->kind != WEND_CROWD_CELL) return error;
    return wend__check_cell(crowd->def.map, "goal.cell", goal->cell);
}

static wend_error check_target(const wend_crowd *crowd, const wend_agent_id *ids, size_t count,
                               const wend_crowd_goal *goal) {
    if (wend__crowd_slot(crowd, goal->target) < 0) return wend__crowd_refuse_id(goal->target);
    for (size_t i = 0; i < count; i++)
        if (ids[i].index == goal->target.index)
            return wend__refuse(WEND_BAD_ARGUMENT, "goal.target is among the agents: ids[%zu]", i);
    if (goal->kind == WEND_CROWD_FOLLOW) return check_cell(crowd, goal);
    wend_error error = wend__check_range("goal.distance", goal->distance, 1, WEND_MAX_REACH);
    if (!error) error = wend__check_range("goal.keep", goal->keep, 0, 1);
    if (error || crowd->def.map->kind != WEND_KIND_GRAPH) return error;
    return wend__refuse(WEND_UNSUPPORTED, "goal.kind is FLEE, but a graph has no cells to count");
}

static wend_error check_goal(const wend_crowd *crowd, const wend_agent_id *ids, size_t count,
                             const wend_crowd_goal *goal) {
    wend_error error = check_ids(crowd, ids, count);
    if (error) return error;
    if (goal->kind == WEND_CROWD_CELL)
        error = check_cell(crowd, goal);
    else if (goal->kind == WEND_CROWD_FOLLOW || goal->kind == WEND_CROWD_FLEE)
        error = check_target(crowd, ids, count, goal);
    else
        error = wend__refuse_range("goal.kind", goal->kind, WEND_CROWD_CELL, WEND_CROWD_FLEE);
    if (error) return error;
    return wend__notes_fit(crowd, count) ? WEND_OK : wend__crowd_refuse_events();
}

static void begin(wend_crowd *crowd, uint32_t index, const wend__wish *wish) {
    wend__wish_begin(crowd, index, wish);
    if (wish->kind == WEND__WISH_CELL &&
        wend__cells_apart(crowd->travellers[index].at, wish->cell) <= (uint32_t)wish->reach) {
        wend__trip_clear(crowd, index); /* it is there already */
        return;
    }
    if (!wish->flow) wend__ask(crowd, index, WEND__QUEST_PLAN, UINT32_MAX);
}

/* A wish for one cell counts among those for that cell. One near the goal needs no field. */
static void begin_one(wend_crowd *crowd, uint32_t index, wend__wish wish, bool counts) {
    if (counts) wend__flow_count(crowd, index, &wish);
    if (wish.flow && wend__flow_is_near(crowd, &wish, crowd->travellers[index].at)) wish.flow = 0;
    begin(crowd, index, &wish);
}

static wend__wish wish_of(const wend_crowd *crowd, const wend_crowd_goal *goal) {
    wend__wish wish = {.kind = WEND__WISH_CELL, .reach = goal->reach, .cell = goal->cell};
    if (goal->kind == WEND_CROWD_CELL) return wish;
    wish.kind = goal->kind == WEND_CROWD_FOLLOW ? WEND__WISH_FOLLOW : WEND__WISH_FLEE;
    wish.target = goal->target;
    wish.distance = goal->distance;
    wish.keeps = goal->kind == WEND_CROWD_FLEE && goal->keep;
    wish.cell = crowd->travellers[goal->target.index].at;
    wish.reach = goal->reach > 1 ? goal->reach : 1;
    return wish;
}

static wend_error go(wend_crowd *crowd, const wend_agent_id *ids, size_t count, const wend_crowd_goal *goal) {
    wend__wish wish = wish_of(crowd, goal);
    if (count > 1 && wish.kind == WEND__WISH_CELL) {
        if (!wend__group_places(crowd, ids, (uint32_t)count, goal->cell))
            return wend__refuse(WEND_BAD_ARGUMENT, "ids has an agent twice");
        for (size_t i = 0; i < count; i++) {
            wish.cell = crowd->group.goals[i];
            wish.second_best = crowd->group.second_best[i];
            wish.flow = crowd->group.flows[i];
            begin_one(crowd, ids[i].index, wish, false);
        }
    } else {
        for (size_t i = 0; i < count; i++) begin_one(crowd, ids[i].index, wish, wish.kind == WEND__WISH_CELL);
    }
    wend__flows_let_go(crowd);
    return WEND_OK;
}

wend_error wend_crowd_go(wend_crowd *crowd, const wend_agent_id *ids, size_t count, const wend_crowd_goal *goal) {
    WEND__CROWD_CALL(crowd);
    wend_crowd_goal own = default_goal();
    if (!WEND__TAKE(wend_crowd_goal, distance, &own, goal)) return WEND_BAD_ARGUMENT;
    wend_error error = wend__check_room("ids", ids, count);
    if (!error) error = check_goal(crowd, ids, count, &own);
    if (error) return error;
    const bool told = wend__told_begin(crowd);
    error = go(crowd, ids, count, &own);
    if (told && !error) wend__told_go(crowd, ids, count, &own);
    wend__told_end(crowd, told);
    return error;
}

wend_error wend_crowd_halt(wend_crowd *crowd, const wend_agent_id *ids, size_t count) {
    WEND__CROWD_CALL(crowd);
    wend_error error = check_ids(crowd, ids, count);
    if (error) return error;
    const bool told = wend__told_begin(crowd);
    for (size_t i = 0; i < count; i++) {
        if (crowd->agents[ids[i].index].wish.kind != WEND__WISH_NONE)
            wend__wish_end(crowd, ids[i].index, WEND_AGENT_EVENT_REPLACED, WEND_WHY_NONE);
        else
            wend__wish_settle(crowd, ids[i].index);
    }
    if (told) wend__told_names(crowd, WEND__ORDER_HALT, ids, count);
    wend__told_end(crowd, told);
    return WEND_OK;
}
