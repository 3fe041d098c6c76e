/* SPDX-License-Identifier: MIT */
/* Agents come, go, are moved and changed. */
#include "crowd/flow/flows.h"
#include "crowd/orders/steer.h"
#include "crowd/orders/wish.h"
#include "crowd/paths/ask.h"
#include "crowd/paths/trip.h"
#include "crowd/state/crowd_state.h"
#include "crowd/state/notes.h"
#include "crowd/state/told_orders.h"
#include "map/movers/views.h"
#include "map/version/map.h"
#include "map/version/version.h"
#include "service/inbox/untold.h"

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

static uint32_t take_slot(wend_crowd *crowd) {
    uint32_t index = crowd->free_first;
    if (index != UINT32_MAX) {
        crowd->free_first = crowd->agents[index].next_free;
        return index;
    }
    index = crowd->used++;
    crowd->agents[index].generation = 0;
    return index;
}

static void give_slot(wend_crowd *crowd, uint32_t index) {
    crowd->phase[index] = WEND__ABSENT;
    crowd->agents[index].next_free = crowd->free_first;
    crowd->free_first = index;
}

static wend_error enter(wend_crowd *crowd, uint32_t index, wend_cell cell, int32_t mover, bool ghost) {
    wend__version *version = wend__map_newest(crowd->def.map);
    wend_error error = wend__traffic_enter(crowd->traffic, version, index, cell, mover, ghost);
    wend__map_release(version, false);
    return error;
}

static void set_up(wend_crowd *crowd, uint32_t index, const wend_agent_def *def) {
    wend__agent *agent = &crowd->agents[index];
    uint32_t generation = agent->generation + 1;
    *agent = (wend__agent){.crowd = crowd,
                           .context = def->context,
                           .serial = crowd->serial++,
                           .generation = generation ? generation : 1,
                           .urgency = def->urgency,
                           .left_cell = def->cell,
                           .trip = {.kept = wend__kept_none()}};
    crowd->phase[index] = WEND__STANDS;
    crowd->left[index] = 0;
    crowd->speed[index] = def->speed_milli;
    crowd->count++;
    wend__wish_settle(crowd, index);
    crowd->travellers[index].steered = (def->flags & WEND_AGENT_STEERED) != 0;
}

wend_error wend_crowd_add(wend_crowd *crowd, const wend_agent_def *agent, wend_agent_id *id) {
    WEND__CROWD_CALL(crowd);
    wend_agent_def own = default_agent();
    if (!WEND__TAKE(wend_agent_def, context, &own, agent)) return WEND_BAD_ARGUMENT;
    wend_error error = check_speed(own.speed_milli);
    if (!error) error = check_urgency(own.urgency);
    if (!error) error = wend__check_flags(own.flags, WEND_AGENT_GHOST | WEND_AGENT_STEERED);
    if (error) return error;
    if (crowd->count == crowd->def.agents)
        return wend__refuse(WEND_BUSY, "the crowd is full: it has %u agents, see wend_crowd_def.agents", crowd->count);
    const bool told = wend__told_begin(crowd);
    const uint32_t index = take_slot(crowd);
    error = enter(crowd, index, own.cell, own.mover, own.flags & WEND_AGENT_GHOST);
    if (error)
        give_slot(crowd, index);
    else
        set_up(crowd, index, &own);
    if (told && !error) wend__told_add(crowd, index, &own);
    wend__told_end(crowd, told);
    if (!error && id) *id = (wend_agent_id){index, crowd->agents[index].generation};
    return error;
}

wend_error wend_crowd_remove(wend_crowd *crowd, wend_agent_id id) {
    WEND__CROWD_CALL(crowd);
    int32_t slot = wend__crowd_slot(crowd, id);
    if (slot < 0) return wend__crowd_refuse_id(id);
    uint32_t index = (uint32_t)slot;
    const bool told = wend__told_begin(crowd);
    if (crowd->agents[index].wish.kind != WEND__WISH_NONE)
        wend__wish_end(crowd, index, WEND_AGENT_EVENT_REPLACED, WEND_WHY_NONE);
    else
        wend__wish_settle(crowd, index);
    wend__flight_end(crowd, index);
    wend__traffic_leave(crowd->traffic, index);
    give_slot(crowd, index);
    crowd->count--;
    if (told) wend__told_names(crowd, WEND__ORDER_REMOVE, &id, 1);
    wend__told_end(crowd, told);
    return WEND_OK;
}

/* It stands elsewhere; the way that it had is lost. */
static void settle_elsewhere(wend_crowd *crowd, uint32_t index, bool steered) {
    wend__agent *agent = &crowd->agents[index];
    bool wishes = agent->wish.kind != WEND__WISH_NONE;
    crowd->left[index] = 0;
    agent->left_cell = crowd->travellers[index].at;
    wend__flight_wake(crowd, index);
    if (steered) {
        wend__steer_moved(crowd, index);
        return;
    }
    crowd->phase[index] = wishes ? WEND__WANTS : WEND__STANDS;
    if (!wishes) {
        wend__wish_settle(crowd, index);
        return;
    }
    wend__ask_drop(crowd, index);
    wend__trip_clear(crowd, index);
    crowd->travellers[index].urgency = agent->urgency;
    crowd->travellers[index].has_wish = 1;
}

/* May an agent stand on a cell, but for its own place now? */
static wend_error check_place(const wend_crowd *crowd, uint32_t index, wend_cell cell) {
    const wend__traveller *traveller = &crowd->travellers[index];
    wend_error error = wend__check_cell(crowd->def.map, "cell", cell);
    if (error) return error;
    wend__version *version = wend__map_newest(crowd->def.map);
    bool open = wend__cell_factor(wend__version_view(version, traveller->mover), cell) != 0;
    wend__map_release(version, false);
    if (!open) return wend__traffic_refuse(WEND_BAD_ARGUMENT, cell);
    if (traveller->ghost) return WEND_OK;
    bool held = wend__traffic_is_held(crowd->traffic, cell, traveller->size, (int32_t)index);
    return held ? wend__traffic_refuse(WEND_BUSY, cell) : WEND_OK;
}

static wend_error move(wend_crowd *crowd, uint32_t index, wend_cell cell) {
    wend_error error = check_place(crowd, index, cell);
    if (error) return error;
    const wend__traveller before = crowd->travellers[index];
    wend__traffic_leave(crowd->traffic, index);
    error = enter(crowd, index, cell, before.mover, before.ghost);
    WEND__ASSERT(!error); /* the place is free, and its counts of units are there */
    settle_elsewhere(crowd, index, before.steered);
    return WEND_OK;
}

wend_error wend_crowd_move(wend_crowd *crowd, wend_agent_id id, wend_cell cell) {
    WEND__CROWD_CALL(crowd);
    const int32_t slot = wend__crowd_slot(crowd, id);
    if (slot < 0) return wend__crowd_refuse_id(id);
    const bool told = wend__told_begin(crowd);
    const wend_error error = move(crowd, (uint32_t)slot, cell);
    if (told && !error) wend__told_move(crowd, (uint32_t)slot, cell);
    wend__told_end(crowd, told);
    return error;
}

wend_error wend_crowd_set_speed(wend_crowd *crowd, wend_agent_id id, uint32_t speed_milli) {
    WEND__CROWD_CALL(crowd);
    int32_t slot = wend__crowd_slot(crowd, id);
    if (slot < 0) return wend__crowd_refuse_id(id);
    wend_error error = check_speed(speed_milli);
    if (error) return error;
    const bool told = wend__told_begin(crowd);
    crowd->speed[slot] = speed_milli;
    if (told) wend__told_speed(crowd, (uint32_t)slot, speed_milli);
    wend__told_end(crowd, told);
    return WEND_OK;
}

static void change_urgency(wend_crowd *crowd, uint32_t index, int32_t urgency, bool told) {
    wend__agent *agent = &crowd->agents[index];
    agent->urgency = urgency;
    if (agent->wish.kind != WEND__WISH_NONE) crowd->travellers[index].urgency = urgency;
    if (!agent->quest.ticket.generation) return;
    if (told)
        (void)wend__set_urgency_untold(crowd->def.service, agent->quest.ticket, urgency);
    else
        (void)wend_service_set_urgency(crowd->def.service, agent->quest.ticket, urgency);
}

wend_error wend_crowd_set_urgency(wend_crowd *crowd, wend_agent_id id, int32_t urgency) {
    WEND__CROWD_CALL(crowd);
    int32_t slot = wend__crowd_slot(crowd, id);
    if (slot < 0) return wend__crowd_refuse_id(id);
    wend_error error = check_urgency(urgency);
    if (error) return error;
    const bool told = wend__told_begin(crowd);
    change_urgency(crowd, (uint32_t)slot, urgency, told);
    if (told) wend__told_urgency(crowd, (uint32_t)slot, urgency);
    wend__told_end(crowd, told);
    return WEND_OK;
}

/* ---- another mover ---- */

/* The slots of agents that are to change, each once, in the room for groups. */
static wend_error find_changing(wend_crowd *crowd, const wend_agent_id *ids, size_t count, int32_t mover,
                                size_t *changing) {
    const uint32_t order = ++crowd->group.orders;
    for (size_t i = 0; i < count; i++)
        if (wend__crowd_slot(crowd, ids[i]) < 0) return wend__crowd_refuse_id(ids[i]);
    *changing = 0;
    for (size_t i = 0; i < count; i++) {
        wend__agent *agent = &crowd->agents[ids[i].index];
        if (agent->named == order) return wend__refuse(WEND_BAD_ARGUMENT, "ids has an agent twice");
        agent->named = order;
        if (crowd->travellers[ids[i].index].mover != mover) crowd->group.members[(*changing)++] = ids[i].index;
    }
    return WEND_OK;
}

/* Can each of them stand where it is, and has its route room for such a mover? */
static wend_error check_change(wend_crowd *crowd, const wend__version *version, size_t count, int32_t mover) {
    const uint32_t *slots = crowd->group.members;
    wend_error error = wend__check_mover_below(wend__version_movers(version), mover);
    if (error) return error;
    for (size_t i = 0; i < count; i++)
        if (!wend__cell_factor(wend__version_view(version, mover), crowd->travellers[slots[i]].at))
            return wend__traffic_refuse(WEND_BAD_ARGUMENT, crowd->travellers[slots[i]].at);
    for (size_t i = 0; i < count; i++) {
        const wend__wish *wish = &crowd->agents[slots[i]].wish;
        if (wish->kind == WEND__WISH_ROUTE && wend__route_for(crowd, wish->route, mover) == WEND__NO_ROUTE)
            return wend__crowd_refuse_route();
    }
    return WEND_OK;
}

/* The wish stays; what was found for the mover before is found again. */
static void renew_wish(wend_crowd *crowd, uint32_t index) {
    wend__wish *wish = &crowd->agents[index].wish;
    wend__flow_leave(crowd, wish);
    if (wish->kind == WEND__WISH_ROUTE) {
        wish->route = wend__route_for(crowd, wish->route, crowd->travellers[index].mover);
        wish->along = 0;
        wish->joined = wish->placed = wish->hoped = false;
    }
    settle_elsewhere(crowd, index, crowd->travellers[index].steered);
}

static wend_error set_mover(wend_crowd *crowd, const wend_agent_id *ids, size_t count, int32_t mover) {
    size_t changing = 0;
    wend_error error = find_changing(crowd, ids, count, mover, &changing);
    if (error) return error;
    wend__version *version = wend__map_newest(crowd->def.map);
    error = check_change(crowd, version, changing, mover);
    if (!error && !wend__traffic_become(crowd->traffic, version, crowd->group.members, changing, mover))
        error = wend__refuse(WEND_BUSY, "an agent or a unit stands in a cell that one of the agents would cover");
    wend__map_release(version, false);
    for (size_t i = 0; !error && i < changing; i++) renew_wish(crowd, crowd->group.members[i]);
    return error;
}

wend_error wend_crowd_set_mover(wend_crowd *crowd, const wend_agent_id *ids, size_t count, int32_t mover) {
    WEND__CROWD_CALL(crowd);
    if (count == 0) return WEND_OK;
    if (!ids) return wend__refuse_null("ids");
    const bool told = wend__told_begin(crowd);
    const wend_error error = set_mover(crowd, ids, count, mover);
    if (told && !error) wend__told_mover(crowd, ids, count, mover);
    wend__told_end(crowd, told);
    return error;
}
