/* SPDX-License-Identifier: MIT */
/* The orders of a crowd in a recording. Agent number i has the name ai, route number i the name ri. */
#include "recording/crowd/crowd_orders.h"

#include "map/version/layers.h"
#include "recording/tap/tap.h"
#include "search/request/request.h"
#include "service/inbox/inbox.h"

/* ---- beginning and ending ---- */

bool wend__crowd_record_begin(wend_crowd *crowd) {
    const bool recorded = wend__crowd_is_recorded(crowd);
    if (recorded) wend__record_shut(crowd->def.service);
    return recorded;
}

void wend__crowd_record_end(wend_crowd *crowd, bool recorded) {
    if (recorded) wend__record_open(crowd->def.service);
}

wend_error wend__crowd_submit(wend_crowd *crowd, const wend__request *request, wend_ticket *out) {
    wend_service *service = crowd->def.service;
    if (wend__crowd_is_recorded(crowd)) return wend__submit_unrecorded(service, request, out);
    wend_request common;
    wend_search_options options;
    wend__request_give(request, &common, &options);
    return wend_service_submit(service, &common, out);
}

void wend__crowd_cancel(wend_crowd *crowd, wend_ticket ticket) {
    wend_service *service = crowd->def.service;
    if (wend__crowd_is_recorded(crowd))
        (void)wend__cancel_unrecorded(service, ticket);
    else
        (void)wend_service_cancel(service, ticket);
}

/* ---- the crowd ---- */

static void record_order(const wend_crowd *crowd, const wend_order *order) {
    WEND__DEBUG_ASSERT(crowd->recording != 0);
    wend__tap_report(crowd->def.map, order);
}

void wend__crowd_record_created(wend_crowd *crowd) {
    const wend_order order = {.kind = WEND_ORDER_CROWD, .given = UINT64_MAX, .crowd = {crowd->def, crowd->tuning}};
    crowd->recording = wend__record_orders(crowd->def.service, crowd->def.map);
    if (crowd->recording == 0) return;
    record_order(crowd, &order);
    wend__traffic_record_units(crowd->traffic, false);
}

void wend__crowd_record_destroyed(wend_crowd *crowd) {
    const wend_order order = {.kind = WEND_ORDER_DISBAND};
    record_order(crowd, &order);
    wend__record_orders_end(crowd->def.service, crowd->def.map);
}

void wend__crowd_record_box(const wend_crowd *crowd, int32_t kind, wend_box box) {
    const wend_cell corners[] = {box.min, box.max};
    const wend_order order = {.kind = kind, .cells = {corners, 2}};
    record_order(crowd, &order);
}

void wend__crowd_record_update(const wend_crowd *crowd, uint32_t elapsed_milli, uint64_t choices) {
    const wend_order order = {.kind = WEND_ORDER_UPDATE, .given = 1, .update = {elapsed_milli, choices}};
    record_order(crowd, &order);
}

/* ---- agents ---- */

static wend_name agent_name(uint32_t index) {
    return wend__numbered('a', index);
}

void wend__crowd_record_add(const wend_crowd *crowd, uint32_t index, const wend_agent_def *def) {
    const wend_order order = {.kind = WEND_ORDER_AGENT,
                              .agent = {.name = agent_name(index),
                                        .mover = wend__numbered(def->mover ? 'm' : 0, def->mover),
                                        .def = *def,
                                        .layers = wend__profile_weights(crowd->def.map, def->profile)}};
    record_order(crowd, &order);
    if (def->steered) wend__crowd_record_step(crowd, index, def->cell);
}

void wend__crowd_record_body(const wend_crowd *crowd, uint32_t index, const wend_body_def *def) {
    const wend_order order = {.kind = WEND_ORDER_BODY, .body = {agent_name(index), *def}};
    record_order(crowd, &order);
}

/* The order's units are finer, and read as the thousandth below. */
static int32_t units_of(int32_t milli) {
    enum { MILLI = 1000 };
    return (int32_t)(((int64_t)milli * WEND_BODY_UNITS + (milli < 0 ? 1 - MILLI : MILLI - 1)) / MILLI);
}

void wend__crowd_record_place(const wend_crowd *crowd, uint32_t index, wend_point at, wend_point velocity) {
    const wend_order order = {
        .kind = WEND_ORDER_PLACE,
        .place = {agent_name(index), {units_of(at.x), units_of(at.y)}, {units_of(velocity.x), units_of(velocity.y)}}};
    record_order(crowd, &order);
}

void wend__crowd_record_step(const wend_crowd *crowd, uint32_t index, wend_cell cell) {
    const wend_order order = {.kind = WEND_ORDER_STEER, .steer = {agent_name(index), cell}};
    record_order(crowd, &order);
}

/* Marks the changed field as given, and records the order. */
static void record_change(const wend_crowd *crowd, wend_order *order, const void *member) {
    wend__order_give(order, member);
    record_order(crowd, order);
}

void wend__crowd_record_move(const wend_crowd *crowd, uint32_t index, wend_cell cell) {
    const wend_name name = agent_name(index);
    wend_order order = {.kind = WEND_ORDER_ADJUST, .adjust = {.names = {.items = &name, .count = 1}, .cell = cell}};
    record_change(crowd, &order, &order.adjust.cell);
}

void wend__crowd_record_speed(const wend_crowd *crowd, uint32_t index, uint32_t speed_milli) {
    const wend_name name = agent_name(index);
    wend_order order = {.kind = WEND_ORDER_ADJUST,
                        .adjust = {.names = {.items = &name, .count = 1}, .speed_milli = speed_milli}};
    record_change(crowd, &order, &order.adjust.speed_milli);
}

void wend__crowd_record_urgency(const wend_crowd *crowd, uint32_t index, int32_t urgency) {
    const wend_name name = agent_name(index);
    wend_order order = {.kind = WEND_ORDER_ADJUST,
                        .adjust = {.names = {.items = &name, .count = 1}, .urgency = urgency}};
    record_change(crowd, &order, &order.adjust.urgency);
}

void wend__crowd_record_waits(const wend_crowd *crowd, uint32_t index, const wend_agent_id *others, size_t count) {
    const wend_name name = agent_name(index), players = wend__named("players");
    wend_order order = {
        .kind = WEND_ORDER_ADJUST,
        .adjust = {.names = {.items = &name, .count = 1}, .waits_for = {.ids = others, .count = count}}};
    if (count == 0) order.adjust.waits_for = (wend_names){.items = &players, .count = 1};
    record_change(crowd, &order, &order.adjust.waits_for);
}

void wend__crowd_record_mover(const wend_crowd *crowd, const wend_agent_id *ids, size_t count, int32_t mover) {
    const wend_name name = mover == WEND_MOVER_DEFAULT ? wend__named("default") : wend__numbered('m', mover);
    wend_order order = {.kind = WEND_ORDER_ADJUST, .adjust = {.names = {.ids = ids, .count = count}, .mover = name}};
    record_change(crowd, &order, &order.adjust.mover);
}

void wend__crowd_record_profile(const wend_crowd *crowd, const wend_agent_id *ids, size_t count, int32_t profile) {
    wend_order order = {
        .kind = WEND_ORDER_ADJUST,
        .adjust = {.names = {.ids = ids, .count = count}, .layers = wend__profile_weights(crowd->def.map, profile)}};
    record_change(crowd, &order, &order.adjust.layers);
}

/* ---- goals ---- */

void wend__crowd_record_go(const wend_crowd *crowd, const wend_agent_id *ids, size_t count,
                           const wend_crowd_goal *goal) {
    static const int32_t kinds[] = {[WEND_CROWD_CELL] = WEND_ORDER_GO,
                                    [WEND_CROWD_FOLLOW] = WEND_ORDER_FOLLOW,
                                    [WEND_CROWD_FLEE] = WEND_ORDER_FLEE};
    const bool group = goal->kind == WEND_CROWD_CELL;
    wend_order order = {
        .kind = kinds[goal->kind],
        .go = {.names = {.ids = ids, .count = count}, .target = agent_name(goal->target.index), .def = *goal}};
    for (size_t i = 0; i < (group && count > 0 ? 1 : count); i++) {
        order.go.name = agent_name(ids[i].index);
        record_order(crowd, &order);
    }
}

void wend__crowd_record_names(const wend_crowd *crowd, int32_t kind, const wend_agent_id *ids, size_t count) {
    const wend_order order = {.kind = kind, .names = {.ids = ids, .count = count}};
    if (count > 0) record_order(crowd, &order);
}

void wend__crowd_record_route(const wend_crowd *crowd, uint32_t number, const wend_route_def *def) {
    const wend_order order = {.kind = WEND_ORDER_ROUTE,
                              .route = {wend__numbered('r', number), def->mode, {def->corners, def->corner_count}}};
    record_order(crowd, &order);
}

void wend__crowd_record_take_route(const wend_crowd *crowd, uint32_t index, uint32_t route) {
    const wend_order order = {.kind = WEND_ORDER_TAKE, .take = {agent_name(index), wend__numbered('r', route)}};
    record_order(crowd, &order);
}
