/* SPDX-License-Identifier: MIT */
/* Orders of the host: add a route, and put an agent on it. */
#include "agents/orders/goal.h"
#include "agents/state/crowd_state.h"
#include "map/version/map.h"
#include "map/version/version.h"
#include "recording/crowd/crowd_orders.h"

void wend_route_def_init(wend_route_def *route, size_t bytes) {
    const wend_route_def own = {.struct_bytes = sizeof own};
    wend__sized_init(route, bytes, &own, sizeof own);
}

static wend_error check(const wend_crowd *crowd, const wend_route_def *def) {
    const wend__routes *routes = &crowd->routes;
    wend_error error = wend__check_range("mode", def->mode, WEND_ROUTE_ONCE, WEND_ROUTE_BACK);
    if (!error) error = wend__check_list("corners", def->corners, def->corner_count);
    if (error) return error;
    if (routes->count == routes->capacity || def->corner_count > routes->cell_capacity - routes->cell_count)
        return wend__crowd_refuse_route();
    return wend__check_each_cell(crowd->def.map, "corners", def->corners, def->corner_count);
}

wend_error wend_crowd_add_route(wend_crowd *crowd, const wend_route_def *route, uint32_t *out) {
    WEND__CROWD_CALL(crowd);
    wend_route_def def = {.struct_bytes = sizeof def};
    wend__routes *routes = &crowd->routes;
    if (!WEND__READ_STRUCT(wend_route_def, corner_count, &def, route)) return WEND_BAD_ARGUMENT;
    wend_error error = check(crowd, &def);
    if (error) return error;
    const bool recorded = wend__crowd_record_begin(crowd);
    routes->of[routes->count] = (wend__route){.mode = def.mode,
                                              .mover = -1,
                                              .corners = routes->cell_count,
                                              .corner_count = def.corner_count,
                                              .base = routes->count,
                                              .other = WEND__NO_ROUTE};
    wend__version *version = wend__map_newest(crowd->def.map);
    for (uint32_t i = 0; i < def.corner_count; i++)
        routes->cells[routes->cell_count++] = wend__cell_number(version, def.corners[i]);
    wend__map_release(version, false);
    if (recorded) wend__crowd_record_route(crowd, routes->count, &def);
    wend__crowd_record_end(crowd, recorded);
    if (out) *out = routes->count;
    routes->count++;
    return WEND_OK;
}

uint32_t wend__route_for(wend_crowd *crowd, uint32_t route, int32_t mover) {
    wend__routes *routes = &crowd->routes;
    uint32_t number = routes->of[route].base;
    if (routes->of[number].mover < 0 && !wend__route_set_up(routes, crowd, number, mover)) return WEND__NO_ROUTE;
    while (routes->of[number].mover != mover && routes->of[number].other != WEND__NO_ROUTE)
        number = routes->of[number].other;
    if (routes->of[number].mover == mover) return number;
    if (routes->leg_count == routes->leg_capacity) return WEND__NO_ROUTE;
    const uint32_t copy = routes->capacity + routes->copies;
    routes->of[copy] = routes->of[number];
    routes->of[copy].done = routes->of[copy].waiting = routes->of[copy].spread = 0; /* others take other copies */
    if (!wend__route_set_up(routes, crowd, copy, mover)) return WEND__NO_ROUTE;
    routes->copies++;
    return routes->of[number].other = copy;
}

wend_error wend_crowd_patrol(wend_crowd *crowd, wend_agent_id id, uint32_t route) {
    WEND__CROWD_CALL(crowd);
    uint32_t index;
    if (!wend__crowd_find(crowd, id, &index)) return wend__crowd_refuse_id(id);
    if (route >= crowd->routes.count)
        return wend__refuse(WEND_BAD_ARGUMENT, "route is %u, but wend_crowd_add_route() never returned that", route);
    if (!wend__events_fit(crowd, 1)) return wend__crowd_refuse_events();
    const uint32_t own = wend__route_for(crowd, route, crowd->agents[index].own_mover);
    if (own == WEND__NO_ROUTE) return wend__crowd_refuse_route();
    const wend__agent_goal goal = {.kind = WEND__GOAL_ROUTE, .cell = crowd->in_traffic[index].at, .route = own};
    const bool recorded = wend__crowd_record_begin(crowd);
    if (crowd->agents[index].wary) wend__goal_decide_mover(crowd, index, &goal);
    wend__goal_begin(crowd, index, &goal);
    if (recorded) wend__crowd_record_take_route(crowd, index, route);
    wend__crowd_record_end(crowd, recorded);
    return WEND_OK;
}
