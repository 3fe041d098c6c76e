/* SPDX-License-Identifier: MIT */
/* The orders of a crowd in a recording. Agent number i has the name ai, route number i the name ri. */
#include "crowd/state/told_orders.h"

#include "map/tap/tap.h"
#include "service/inbox/untold.h"

/* ---- beginning and ending ---- */

bool wend__told_begin(wend_crowd *crowd) {
    const bool told = wend__crowd_tells(crowd);
    if (told) wend__record_shut(crowd->def.service);
    return told;
}

void wend__told_end(wend_crowd *crowd, bool told) {
    if (told) wend__record_open(crowd->def.service);
}

wend_error wend__crowd_submit(wend_crowd *crowd, const wend_request *request, wend_ticket *out) {
    wend_service *service = crowd->def.service;
    if (wend__crowd_tells(crowd)) return wend__submit_untold(service, request, out);
    return wend_service_submit(service, request, out);
}

void wend__crowd_cancel(wend_crowd *crowd, wend_ticket ticket) {
    wend_service *service = crowd->def.service;
    if (wend__crowd_tells(crowd))
        (void)wend__cancel_untold(service, ticket);
    else
        (void)wend_service_cancel(service, ticket);
}

/* ---- the crowd ---- */

static void note(const wend_crowd *crowd, const wend__order *order) {
    wend__tap_note(crowd->def.map, order);
}

void wend__told_made(wend_crowd *crowd) {
    const wend__order order = {.kind = WEND__ORDER_CROWD, .given = UINT64_MAX, .crowd = crowd->def};
    crowd->recording = wend__record_orders(crowd->def.service, crowd->def.map);
    if (crowd->recording == 0) return;
    note(crowd, &order);
    wend__traffic_tell(crowd->traffic, false);
}

void wend__told_gone(wend_crowd *crowd) {
    const wend__order order = {.kind = WEND__ORDER_DISBAND};
    note(crowd, &order);
    wend__record_orders_end(crowd->def.service, crowd->def.map);
}

void wend__told_update(const wend_crowd *crowd, uint32_t elapsed_milli) {
    const wend__order order = {.kind = WEND__ORDER_UPDATE, .given = UINT64_MAX, .update = {elapsed_milli}};
    note(crowd, &order);
}

/* ---- agents ---- */

static wend__name agent_name(uint32_t index) {
    return wend__numbered('a', index);
}

void wend__told_add(const wend_crowd *crowd, uint32_t index, const wend_agent_def *def) {
    const wend__order order = {
        .kind = WEND__ORDER_AGENT,
        .agent = {.name = agent_name(index), .mover = wend__numbered(def->mover ? 'm' : 0, def->mover), .def = *def}};
    note(crowd, &order);
    if (def->flags & WEND_AGENT_STEERED) wend__told_step(crowd, index, def->cell);
}

void wend__told_step(const wend_crowd *crowd, uint32_t index, wend_cell cell) {
    const wend__order order = {.kind = WEND__ORDER_STEER, .steer = {agent_name(index), cell}};
    note(crowd, &order);
}

/* Marks what changes of one agent, or of several, as given. */
static void note_change(const wend_crowd *crowd, wend__order *order, const void *member) {
    wend__order_give(order, member);
    note(crowd, order);
}

void wend__told_move(const wend_crowd *crowd, uint32_t index, wend_cell cell) {
    const wend__name name = agent_name(index);
    wend__order order = {.kind = WEND__ORDER_ADJUST, .adjust = {.names = {.items = &name, .count = 1}, .cell = cell}};
    note_change(crowd, &order, &order.adjust.cell);
}

void wend__told_speed(const wend_crowd *crowd, uint32_t index, uint32_t speed_milli) {
    const wend__name name = agent_name(index);
    wend__order order = {.kind = WEND__ORDER_ADJUST,
                         .adjust = {.names = {.items = &name, .count = 1}, .speed_milli = speed_milli}};
    note_change(crowd, &order, &order.adjust.speed_milli);
}

void wend__told_urgency(const wend_crowd *crowd, uint32_t index, int32_t urgency) {
    const wend__name name = agent_name(index);
    wend__order order = {.kind = WEND__ORDER_ADJUST,
                         .adjust = {.names = {.items = &name, .count = 1}, .urgency = urgency}};
    note_change(crowd, &order, &order.adjust.urgency);
}

void wend__told_mover(const wend_crowd *crowd, const wend_agent_id *ids, size_t count, int32_t mover) {
    const wend__name name = mover == WEND_MOVER_DEFAULT ? wend__named("default") : wend__numbered('m', mover);
    wend__order order = {.kind = WEND__ORDER_ADJUST, .adjust = {.names = {.ids = ids, .count = count}, .mover = name}};
    note_change(crowd, &order, &order.adjust.mover);
}

/* ---- wishes ---- */

void wend__told_go(const wend_crowd *crowd, const wend_agent_id *ids, size_t count, const wend_crowd_goal *goal) {
    static const int32_t kinds[] = {[WEND_CROWD_CELL] = WEND__ORDER_GO,
                                    [WEND_CROWD_FOLLOW] = WEND__ORDER_FOLLOW,
                                    [WEND_CROWD_FLEE] = WEND__ORDER_FLEE};
    const bool group = goal->kind == WEND_CROWD_CELL;
    wend__order order = {
        .kind = kinds[goal->kind],
        .go = {.names = {.ids = ids, .count = count}, .target = agent_name(goal->target.index), .def = *goal}};
    for (size_t i = 0; i < (group && count > 0 ? 1 : count); i++) {
        order.go.name = agent_name(ids[i].index);
        note(crowd, &order);
    }
}

void wend__told_names(const wend_crowd *crowd, int32_t kind, const wend_agent_id *ids, size_t count) {
    const wend__order order = {.kind = kind, .names = {.ids = ids, .count = count}};
    if (count > 0) note(crowd, &order);
}

void wend__told_route(const wend_crowd *crowd, uint32_t number, const wend_route_def *def) {
    const wend__order order = {.kind = WEND__ORDER_ROUTE,
                               .route = {wend__numbered('r', number), def->mode, {def->corners, def->corner_count}}};
    note(crowd, &order);
}

void wend__told_take(const wend_crowd *crowd, uint32_t index, uint32_t route) {
    const wend__order order = {.kind = WEND__ORDER_TAKE, .take = {agent_name(index), wend__numbered('r', route)}};
    note(crowd, &order);
}
