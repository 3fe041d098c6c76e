/* SPDX-License-Identifier: MIT */
/* Adds, removes, moves and changes agents. */
#include "agents/update/agents.h"
#include "agents/manners/boxes.h"
#include "agents/orders/goal.h"
#include "agents/plan/path.h"
#include "agents/plan/path_request.h"
#include "agents/plan/strays.h"
#include "agents/state/crowd_state.h"
#include "agents/state/flows.h"
#include "map/movers/views.h"
#include "map/version/layers.h"
#include "map/version/map.h"
#include "map/version/version.h"
#include "recording/crowd/crowd_orders.h"
#include "service/inbox/inbox.h"
#include <wend/agents.h>

static wend_agent_def default_agent(void) {
    return (wend_agent_def){.struct_bytes = sizeof(wend_agent_def), .speed_milli = 250};
}

void wend_agent_def_init(wend_agent_def *agent, size_t bytes) {
    const wend_agent_def own = default_agent();
    wend__sized_init(agent, bytes, &own, sizeof own);
}

static wend_error check_speed(uint32_t speed_milli) {
    return wend__check_range("speed_milli", speed_milli, 1, WEND_MAX_SPEED_MILLI);
}

static wend_error check_urgency(int32_t urgency) {
    return wend__check_range("urgency", urgency, WEND_URGENCY_MIN, WEND_URGENCY_MAX);
}

static wend_error check_profile(const wend_crowd *crowd, int32_t profile) {
    return wend__check_profile(crowd->def.map, "profile", profile);
}

static uint32_t allocate_slot(wend_crowd *crowd) {
    uint32_t index = crowd->free_first;
    if (index != UINT32_MAX) {
        crowd->free_first = crowd->agents[index].next_free;
        return index;
    }
    index = crowd->used++;
    wend__agent_touch(crowd, index)->generation = 0;
    return index;
}

static void give_slot(wend_crowd *crowd, uint32_t index) {
    crowd->phase[index] = WEND__PHASE_ABSENT;
    wend__agent_touch(crowd, index)->next_free = crowd->free_first;
    crowd->free_first = index;
}

static wend_error enter_traffic(wend_crowd *crowd, uint32_t index, wend_cell cell, int32_t mover, bool ghost) {
    wend__version *version = wend__map_newest(crowd->def.map);
    wend_error error = wend__traffic_enter(crowd->traffic, version, index, cell, mover, ghost);
    wend__map_release(version, false);
    return error;
}

static void learn_mover(wend_crowd *crowd, uint32_t index, int32_t mover) {
    wend__version *version = wend__map_newest(crowd->def.map);
    wend__strays_learn(crowd, version, index, mover);
    wend__map_release(version, false);
}

static void init_agent(wend_crowd *crowd, uint32_t index, const wend_agent_def *def) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    uint32_t generation = agent->generation + 1;
    *agent = (wend__agent){.crowd = crowd,
                           .context = def->context,
                           .serial = crowd->serial++,
                           .generation = generation ? generation : 1,
                           .urgency = def->urgency,
                           .profile = def->profile,
                           .own_speed = def->speed_milli,
                           .left_cell = def->cell,
                           .path = {.stored = wend__stored_path_none()}};
    crowd->phase[index] = WEND__PHASE_ASLEEP;
    crowd->remaining[index] = 0;
    wend__travel_forget(crowd, index);
    crowd->count++;
    learn_mover(crowd, index, def->mover);
    wend__near_forget(crowd, index);
    wend__goal_clear(crowd, index);
    crowd->in_traffic[index].steered = def->steered;
    crowd->in_traffic[index].parked = def->parked;
    crowd->in_traffic[index].waits = 0;
}

wend_error wend_crowd_add(wend_crowd *crowd, const wend_agent_def *agent, wend_agent_id *id) {
    WEND__CROWD_CALL(crowd);
    wend_agent_def own = default_agent();
    if (!WEND__READ_STRUCT(wend_agent_def, context, &own, agent)) return WEND_BAD_ARGUMENT;
    wend_error error = check_speed(own.speed_milli);
    if (!error) error = check_urgency(own.urgency);
    if (!error) error = check_profile(crowd, own.profile);
    if (error) return error;
    if (crowd->count == crowd->def.agents)
        return wend__refuse(WEND_BUSY, "the crowd is full: it has %u agents, see wend_crowd_def.agents", crowd->count);
    const bool recorded = wend__crowd_record_begin(crowd);
    const uint32_t index = allocate_slot(crowd);
    crowd->in_traffic[index].body = 0; /* left by the slot's previous agent */
    error = enter_traffic(crowd, index, own.cell, own.mover, own.ghost);
    if (error)
        give_slot(crowd, index);
    else
        init_agent(crowd, index, &own);
    if (recorded && !error) wend__crowd_record_add(crowd, index, &own);
    wend__crowd_record_end(crowd, recorded);
    if (!error && id) *id = (wend_agent_id){index, crowd->agents[index].generation};
    return error;
}

wend_error wend_crowd_remove(wend_crowd *crowd, wend_agent_id id) {
    WEND__CROWD_CALL(crowd);
    uint32_t index;
    if (!wend__crowd_find(crowd, id, &index)) return wend__crowd_refuse_id(id);
    const bool recorded = wend__crowd_record_begin(crowd);
    if (crowd->agents[index].goal.kind != WEND__GOAL_NONE)
        wend__goal_end(crowd, index, WEND_AGENT_EVENT_REPLACED, WEND_WHY_NONE);
    else
        wend__goal_clear(crowd, index);
    wend__fleers_release(crowd, index);
    wend__traffic_unawait(crowd->traffic, index);
    wend__traffic_leave(crowd->traffic, index);
    crowd->in_traffic[index].waits = 0; /* saves have no list for a free slot */
    if (crowd->in_traffic[index].body) {
        wend__bodies_take_off(crowd->bodies, index, true);
        crowd->in_traffic[index].body = 0;
    }
    crowd->away_count -= crowd->phase[index] == WEND__PHASE_AWAY;
    give_slot(crowd, index);
    crowd->count--;
    if (recorded) wend__crowd_record_names(crowd, WEND_ORDER_REMOVE, &id, 1);
    wend__crowd_record_end(crowd, recorded);
    return WEND_OK;
}

/* Returns whether the agent may stay in its own cell in a box that is being cleared. */
static bool stays_in_box(const wend_crowd *crowd, uint32_t index, wend_cell cell) {
    return crowd->phase[index] > WEND__PHASE_AWAY && wend__same_cell(cell, crowd->in_traffic[index].at) &&
           wend__traffic_box_of(crowd->traffic, index, cell) != WEND__NO_BOX;
}

/* Returns WEND_OK if the agent could stand on the cell, not counting the cells that it holds itself. */
static wend_error check_cell_free(const wend_crowd *crowd, uint32_t index, wend_cell cell) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    wend_error error = wend__check_cell(crowd->def.map, "cell", cell);
    if (error) return error;
    wend__version *version = wend__map_newest(crowd->def.map);
    bool open = wend__cell_factor(wend__version_view(version, crowd->agents[index].own_mover), cell) != 0;
    wend__map_release(version, false);
    if (!open) return wend__traffic_refuse(WEND_BLOCKED, cell);
    if (in_traffic->ghost) return WEND_OK;
    if (in_traffic->body && !wend__bodies_fits(crowd->bodies, index, cell))
        return wend__traffic_refuse(WEND_BUSY, cell);
    const bool held = (!stays_in_box(crowd, index, cell) &&
                       wend__traffic_is_held(crowd->traffic, cell, in_traffic->size, (int32_t)index)) ||
                      wend__traffic_is_touched(crowd->traffic, index, in_traffic->size, cell);
    return held ? wend__traffic_refuse(WEND_BUSY, cell) : WEND_OK;
}

static wend_error move_agent(wend_crowd *crowd, uint32_t index, wend_cell cell) {
    wend_error error = check_cell_free(crowd, index, cell);
    if (error) return error;
    wend__strays_end(crowd, index);
    const wend__traffic_agent before = crowd->in_traffic[index];
    if (stays_in_box(crowd, index, cell)) {
        wend__traffic_end_step(&crowd->in_traffic[index]);
        crowd->in_traffic[index].next = cell;
        crowd->in_traffic[index].ready = 1;
    } else {
        wend__traffic_leave(crowd->traffic, index);
        crowd->away_count -= crowd->phase[index] == WEND__PHASE_AWAY;
        error = enter_traffic(crowd, index, cell, before.mover, before.ghost);
        WEND__ASSERT(!error); /* the cell is free, and its counts of units are allocated */
    }
    if (before.body) wend__bodies_put_back(crowd->bodies, index);
    wend__travel_forget(crowd, index);
    wend__agent_settle(crowd, index, before.steered, false);
    return WEND_OK;
}

wend_error wend_crowd_move(wend_crowd *crowd, wend_agent_id id, wend_cell cell) {
    WEND__CROWD_CALL(crowd);
    uint32_t index;
    if (!wend__crowd_find(crowd, id, &index)) return wend__crowd_refuse_id(id);
    const bool recorded = wend__crowd_record_begin(crowd);
    const wend_error error = move_agent(crowd, index, cell);
    if (recorded && !error) wend__crowd_record_move(crowd, index, cell);
    wend__crowd_record_end(crowd, recorded);
    return error;
}

wend_error wend_crowd_set_speed(wend_crowd *crowd, wend_agent_id id, uint32_t speed_milli) {
    WEND__CROWD_CALL(crowd);
    uint32_t index;
    if (!wend__crowd_find(crowd, id, &index)) return wend__crowd_refuse_id(id);
    wend_error error = check_speed(speed_milli);
    if (error) return error;
    const bool recorded = wend__crowd_record_begin(crowd);
    wend__agent_touch(crowd, index)->own_speed = speed_milli;
    wend__goal_set_speed(crowd, index);
    if (recorded) wend__crowd_record_speed(crowd, index, speed_milli);
    wend__crowd_record_end(crowd, recorded);
    return WEND_OK;
}

static void change_urgency(wend_crowd *crowd, uint32_t index, int32_t urgency, bool recorded) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    agent->urgency = urgency;
    if (agent->goal.kind != WEND__GOAL_NONE) crowd->in_traffic[index].urgency = urgency;
    if (!agent->request.ticket.generation) return;
    if (recorded)
        (void)wend__set_urgency_unrecorded(crowd->def.service, agent->request.ticket, urgency);
    else
        (void)wend_service_set_urgency(crowd->def.service, agent->request.ticket, urgency);
}

wend_error wend_crowd_set_urgency(wend_crowd *crowd, wend_agent_id id, int32_t urgency) {
    WEND__CROWD_CALL(crowd);
    uint32_t index;
    if (!wend__crowd_find(crowd, id, &index)) return wend__crowd_refuse_id(id);
    wend_error error = check_urgency(urgency);
    if (error) return error;
    const bool recorded = wend__crowd_record_begin(crowd);
    change_urgency(crowd, index, urgency, recorded);
    if (recorded) wend__crowd_record_urgency(crowd, index, urgency);
    wend__crowd_record_end(crowd, recorded);
    return WEND_OK;
}

static wend_error check_others(const wend_crowd *crowd, uint32_t index, const wend_agent_id *others, size_t count) {
    wend_error error = wend__check_range("count", (int64_t)count, 0, WEND_MAX_WAITED_FOR);
    if (error) return error;
    if (count > 0 && !others) return wend__refuse_null("others");
    for (size_t k = 0; k < count; k++) {
        if (!wend__crowd_has(crowd, others[k])) return wend__crowd_refuse_id(others[k]);
        if (others[k].index == index)
            return wend__refuse(WEND_BAD_ARGUMENT, "others[%zu] is the agent that shall wait", k);
    }
    return WEND_OK;
}

wend_error wend_crowd_wait_for(wend_crowd *crowd, wend_agent_id id, const wend_agent_id *others, size_t count) {
    WEND__CROWD_CALL(crowd);
    uint32_t index, slots[WEND_MAX_WAITED_FOR];
    if (!wend__crowd_find(crowd, id, &index)) return wend__crowd_refuse_id(id);
    wend_error error = check_others(crowd, index, others, count);
    if (error) return error;
    const bool recorded = wend__crowd_record_begin(crowd);
    for (size_t k = 0; k < count; k++) slots[k] = others[k].index;
    wend__traffic_wait_for(crowd->traffic, index, slots, (uint32_t)count);
    if (recorded) wend__crowd_record_waits(crowd, index, others, count);
    wend__crowd_record_end(crowd, recorded);
    return WEND_OK;
}

/* ---- another mover ---- */

/* Writes the slots of the agents that change, each once, to crowd->group.members. */
static wend_error find_changing(wend_crowd *crowd, const wend_agent_id *ids, size_t count, int32_t mover,
                                size_t *changing) {
    const uint32_t order = ++crowd->group.order_number;
    for (size_t i = 0; i < count; i++)
        if (!wend__crowd_has(crowd, ids[i])) return wend__crowd_refuse_id(ids[i]);
    *changing = 0;
    for (size_t i = 0; i < count; i++) {
        wend__agent *agent = wend__agent_touch(crowd, ids[i].index);
        if (crowd->phase[ids[i].index] == WEND__PHASE_AWAY)
            return wend__refuse(WEND_BAD_ARGUMENT, "the agent %u,%u is away: its land is not loaded", ids[i].index,
                                ids[i].generation);
        if (crowd->in_traffic[ids[i].index].body)
            return wend__refuse(WEND_BAD_ARGUMENT, "the agent %u,%u has a body, which is of its mover", ids[i].index,
                                ids[i].generation);
        if (agent->group_order == order) return wend__refuse(WEND_BAD_ARGUMENT, "ids has an agent twice");
        agent->group_order = order;
        if (agent->own_mover != mover) crowd->group.members[(*changing)++] = ids[i].index;
    }
    return WEND_OK;
}

/* Checks that each agent can stand where it is as the new mover, and that its route has room for the mover. */
static wend_error check_change(wend_crowd *crowd, const wend__version *version, size_t count, int32_t mover) {
    const uint32_t *slots = crowd->group.members;
    wend_error error = wend__check_mover_below(wend__version_movers(version), mover);
    if (error) return error;
    for (size_t i = 0; i < count; i++)
        if (!wend__cell_factor(wend__version_view(version, mover), crowd->in_traffic[slots[i]].at))
            return wend__traffic_refuse(WEND_BLOCKED, crowd->in_traffic[slots[i]].at);
    for (size_t i = 0; i < count; i++) {
        const wend__agent_goal *goal = &crowd->agents[slots[i]].goal;
        if (goal->kind == WEND__GOAL_ROUTE && wend__route_for(crowd, goal->route, mover) == WEND__NO_ROUTE)
            return wend__crowd_refuse_route();
    }
    return WEND_OK;
}

/* Keeps the goal of an agent that became another mover, and finds its field, route and path again. */
static void restart_goal(wend_crowd *crowd, uint32_t index) {
    wend__agent_goal *goal = &wend__agent_touch(crowd, index)->goal;
    wend__flow_leave(crowd, goal);
    if (goal->kind == WEND__GOAL_ROUTE) {
        goal->route = wend__route_for(crowd, goal->route, crowd->agents[index].own_mover);
        goal->route_steps = 0;
        goal->on_route = goal->position_known = false;
    }
    wend__agent_settle(crowd, index, crowd->in_traffic[index].steered, false);
}

static wend_error set_mover(wend_crowd *crowd, const wend_agent_id *ids, size_t count, int32_t mover) {
    size_t changing = 0;
    wend_error error = find_changing(crowd, ids, count, mover, &changing);
    if (error) return error;
    wend__version *version = wend__map_newest(crowd->def.map);
    error = check_change(crowd, version, changing, mover);
    if (!error && !wend__traffic_set_mover(crowd->traffic, version, crowd->group.members, changing, mover))
        error = wend__refuse(WEND_BUSY, "an agent or a unit stands in a cell that one of the agents would cover");
    for (size_t i = 0; !error && i < changing; i++) wend__strays_learn(crowd, version, crowd->group.members[i], mover);
    wend__map_release(version, false);
    for (size_t i = 0; !error && i < changing; i++) restart_goal(crowd, crowd->group.members[i]);
    return error;
}

wend_error wend_crowd_set_mover(wend_crowd *crowd, const wend_agent_id *ids, size_t count, int32_t mover) {
    WEND__CROWD_CALL(crowd);
    if (count == 0) return WEND_OK;
    if (!ids) return wend__refuse_null("ids");
    const bool recorded = wend__crowd_record_begin(crowd);
    const wend_error error = set_mover(crowd, ids, count, mover);
    if (recorded && !error) wend__crowd_record_mover(crowd, ids, count, mover);
    wend__crowd_record_end(crowd, recorded);
    return error;
}

/* ---- costs by place ---- */

/* Finds the way to an agent's goal again. A step under way ends first. */
static void weigh_again(wend_crowd *crowd, uint32_t index) {
    wend__agent_goal *goal = &wend__agent_touch(crowd, index)->goal;
    if (crowd->phase[index] == WEND__PHASE_AWAY) return;
    if (crowd->phase[index] != WEND__PHASE_STEPPING) {
        restart_goal(crowd, index);
        return;
    }
    if (goal->kind == WEND__GOAL_NONE) return;
    wend__flow_leave(crowd, goal);
    goal->on_route = goal->position_known = false;
    if (goal->kind == WEND__GOAL_ROUTE) goal->route_steps = 0;
    wend__path_request_drop(crowd, index);
    wend__path_clear(crowd, index);
}

static wend_error set_profile(wend_crowd *crowd, const wend_agent_id *ids, size_t count, int32_t profile) {
    const wend_error error = check_profile(crowd, profile);
    if (error) return error;
    for (size_t i = 0; i < count; i++)
        if (!wend__crowd_has(crowd, ids[i])) return wend__crowd_refuse_id(ids[i]);
    for (size_t i = 0; i < count; i++) {
        wend__agent *agent = wend__agent_touch(crowd, ids[i].index);
        if (agent->profile == profile) continue;
        agent->profile = profile;
        weigh_again(crowd, ids[i].index);
    }
    return WEND_OK;
}

wend_error wend_crowd_set_profile(wend_crowd *crowd, const wend_agent_id *ids, size_t count, int32_t profile) {
    WEND__CROWD_CALL(crowd);
    if (count == 0) return WEND_OK;
    if (!ids) return wend__refuse_null("ids");
    const bool recorded = wend__crowd_record_begin(crowd);
    const wend_error error = set_profile(crowd, ids, count, profile);
    if (recorded && !error) wend__crowd_record_profile(crowd, ids, count, profile);
    wend__crowd_record_end(crowd, recorded);
    return error;
}
