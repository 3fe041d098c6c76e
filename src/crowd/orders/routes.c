/* SPDX-License-Identifier: MIT */
/* The host adds routes, and agents take them. */
#include "crowd/orders/wish.h"
#include "crowd/state/notes.h"
#include "crowd/state/told_orders.h"
#include "map/version/map.h"
#include "map/version/version.h"

void wend_route_def_init(wend_route_def *route, size_t bytes) {
    const wend_route_def own = {.struct_bytes = sizeof own};
    wend__sized_init(route, bytes, &own, sizeof own);
}

static wend_error check(const wend_crowd *crowd, const wend_route_def *def) {
    const wend__routes *routes = &crowd->routes;
    if (def->mode < WEND_ROUTE_ONCE || def->mode > WEND_ROUTE_BACK || !def->corners || !def->corner_count)
        return WEND_BAD_ARGUMENT;
    if (routes->count == routes->capacity || def->corner_count > routes->cell_capacity - routes->cell_count)
        return WEND_BUSY;
    for (uint32_t i = 0; i < def->corner_count; i++)
        if (!wend__map_has(crowd->def.map, def->corners[i])) return WEND_OUT_OF_RANGE;
    return WEND_OK;
}

wend_error wend_crowd_add_route(wend_crowd *crowd, const wend_route_def *theirs, uint32_t *route) {
    wend_route_def def = {.struct_bytes = sizeof def};
    wend__routes *routes = &crowd->routes;
    if (!wend__sized_take(&def, sizeof def, WEND__FIRST_BYTES(wend_route_def, corner_count), theirs))
        return WEND_BAD_ARGUMENT;
    wend_error error = check(crowd, &def);
    if (error) return error;
    const bool told = wend__told_begin(crowd);
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
    if (told) wend__told_route(crowd, routes->count, &def);
    wend__told_end(crowd, told);
    if (route) *route = routes->count;
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
    routes->of[copy].done = 0;
    if (!wend__route_set_up(routes, crowd, copy, mover)) return WEND__NO_ROUTE;
    routes->copies++;
    return routes->of[number].other = copy;
}

wend_error wend_crowd_take(wend_crowd *crowd, wend_agent_id id, uint32_t route) {
    const int32_t slot = wend__crowd_slot(crowd, id);
    if (slot < 0) return WEND_STALE_TICKET;
    if (route >= crowd->routes.count) return WEND_BAD_ARGUMENT;
    if (!wend__notes_fit(crowd, 1)) return WEND_BUSY;
    const uint32_t own = wend__route_for(crowd, route, crowd->travellers[slot].mover);
    if (own == WEND__NO_ROUTE) return WEND_BUSY;
    const wend__wish wish = {.kind = WEND__WISH_ROUTE, .cell = crowd->travellers[slot].at, .route = own};
    const bool told = wend__told_begin(crowd);
    wend__wish_begin(crowd, (uint32_t)slot, &wish);
    if (told) wend__told_take(crowd, (uint32_t)slot, route);
    wend__told_end(crowd, told);
    return WEND_OK;
}
