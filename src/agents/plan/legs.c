/* SPDX-License-Identifier: MIT */
/* The searches for the legs of a route. */
#include "agents/plan/path.h"

#include "agents/plan/path_request.h"
#include "map/version/version.h"
#include "recording/crowd/crowd_orders.h"

void wend__leg_answered(void *context, const wend_completion *done) {
    wend__route_leg *leg = context;
    wend_crowd *crowd = leg->crowd;
    leg->ticket = (wend_ticket){0, 0};
    if (!wend__crowd_answered(crowd)) return;
    if (wend__is_discarded((wend_status)done->status)) {
        leg->state = WEND__LEG_NEW;
        return;
    }
    wend__version *version = wend__map_newest(crowd->def.map);
    const bool found = done->status == WEND_STATUS_FOUND;
    wend__leg_store(&crowd->routes, version, leg, done->cells, found ? done->cell_count : 0);
    wend__map_release(version, false);
}

static wend_error request_leg(wend_crowd *crowd, const wend__version *version, wend__route_leg *leg, int32_t urgency) {
    const wend__routes *routes = &crowd->routes;
    const wend__route *route = &routes->of[leg->route];
    wend__request request = wend__request_default();
    request.map = crowd->def.map;
    request.start = wend__cell_of_number(version, routes->cells[route->corners + leg->from]);
    request.goal = wend__cell_of_number(version, routes->cells[route->corners + leg->to]);
    request.mover = route->mover;
    request.urgency = urgency;
    request.on_done = wend__leg_answered;
    request.context = leg;
    return wend__crowd_submit(crowd, &request, &leg->ticket);
}

bool wend__legs_ready(wend_crowd *crowd, uint32_t number, int32_t urgency) {
    const wend__route *route = &crowd->routes.of[number];
    if (route->done == route->leg_count) return true;
    wend__version *version = wend__map_newest(crowd->def.map);
    for (uint32_t i = 0; i < route->leg_count; i++) {
        wend__route_leg *leg = &crowd->routes.legs[route->legs + i];
        if (leg->state != WEND__LEG_NEW) continue;
        const wend_error error = request_leg(crowd, version, leg, urgency);
        if (error == WEND_BUSY) break;
        if (error) {
            wend__leg_store(&crowd->routes, version, leg, NULL, 0);
            continue;
        }
        leg->state = WEND__LEG_REQUESTED;
        crowd->pending++;
        crowd->counts.searches_begun++;
    }
    wend__map_release(version, false);
    return route->done == route->leg_count;
}

void wend__legs_cancel(wend_crowd *crowd) {
    for (uint32_t i = 0; i < crowd->routes.leg_count; i++) {
        const wend__route_leg *leg = &crowd->routes.legs[i];
        if (leg->state == WEND__LEG_REQUESTED) wend__crowd_cancel(crowd, leg->ticket);
    }
}
