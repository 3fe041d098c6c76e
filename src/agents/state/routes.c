/* SPDX-License-Identifier: MIT */
/* Routes as sequences of legs, and positions on them. */
#include "agents/state/routes.h"
#include <wend/routes.h>

uint32_t wend__route_legs(int32_t mode, uint32_t corners) {
    if (mode == WEND_ROUTE_BACK && corners > 1) return 2 * (corners - 1);
    return corners;
}

/* Returns the corner at which a leg begins. The last leg of ONCE is its last corner alone. */
static uint32_t corner_of(const wend__route *route, uint32_t leg) {
    leg %= route->leg_count;
    return leg < route->corner_count ? leg : 2 * (route->corner_count - 1) - leg;
}

/* Stores a leg of one cell, which needs no search. */
static void set_single(wend__routes *routes, wend__route_leg *leg, uint32_t cell) {
    leg->first = routes->cell_count;
    leg->count = 1;
    leg->state = WEND__LEG_DONE;
    routes->cells[routes->cell_count++] = cell;
    routes->of[leg->route].done++;
}

bool wend__route_set_up(wend__routes *routes, wend_crowd *crowd, uint32_t number, int32_t mover) {
    wend__route *route = &routes->of[number];
    const uint32_t count = wend__route_legs(route->mode, route->corner_count);
    if (count > routes->leg_capacity - routes->leg_count || count > routes->cell_capacity - routes->cell_count)
        return false;
    route->mover = mover;
    route->legs = routes->leg_count;
    route->leg_count = count;
    routes->leg_count += count;
    for (uint32_t i = 0; i < count; i++) {
        wend__route_leg *leg = &routes->legs[route->legs + i];
        const uint32_t from = corner_of(route, i), to = corner_of(route, i + 1);
        const bool last = i + 1 == count && route->mode == WEND_ROUTE_ONCE;
        *leg = (wend__route_leg){.crowd = crowd, .route = number, .from = from, .to = last ? from : to};
        if (last || from == to) set_single(routes, leg, routes->cells[route->corners + from]);
    }
    return true;
}

/* Returns how many cells a leg may have. Each leg that is still pending keeps room for one. */
static uint32_t room_of(const wend__routes *routes, const wend__route_leg *leg) {
    const wend__route *route = &routes->of[leg->route];
    const uint32_t room = routes->cell_capacity - routes->cell_count, kept = route->leg_count - route->done - 1;
    return room > kept ? room - kept : 0;
}

void wend__leg_store(wend__routes *routes, const wend__version *version, wend__route_leg *leg, const wend_cell *cells,
                     size_t count) {
    const uint32_t corner = routes->cells[routes->of[leg->route].corners + leg->from];
    if (count < 2 || count > room_of(routes, leg)) {
        if (routes->cell_count < routes->cell_capacity) {
            set_single(routes, leg, corner);
            return;
        }
        leg->first = routes->of[leg->route].corners + leg->from; /* the corner itself, stored already */
        leg->count = 1;
    } else {
        leg->first = routes->cell_count;
        leg->count = (uint32_t)count;
        for (size_t i = 0; i < count; i++) routes->cells[routes->cell_count++] = wend__cell_number(version, cells[i]);
    }
    leg->state = WEND__LEG_DONE;
    routes->of[leg->route].done++;
}

/* ---- places ---- */

wend_cell wend__route_cell(const wend__routes *routes, const wend__version *version, uint32_t route,
                           wend__route_position position) {
    const wend__route_leg *leg = &routes->legs[routes->of[route].legs + position.leg];
    return wend__cell_of_number(version, routes->cells[leg->first + position.at]);
}

bool wend__route_next(const wend__routes *routes, uint32_t number, wend__route_position *position) {
    const wend__route *route = &routes->of[number];
    if (position->at + 1 < routes->legs[route->legs + position->leg].count) {
        position->at++;
        return true;
    }
    if (position->leg + 1 == route->leg_count && route->mode == WEND_ROUTE_ONCE) return false;
    *position = (wend__route_position){position->leg + 1 < route->leg_count ? position->leg + 1 : 0, 0};
    return true;
}

void wend__route_back(const wend__routes *routes, uint32_t number, wend__route_position *position, uint32_t steps) {
    const wend__route *route = &routes->of[number];
    for (uint32_t idle = 0; steps > 0 && idle <= route->leg_count; idle++) { /* several legs of one cell */
        const uint32_t here = steps < position->at ? steps : position->at;
        if (here > 0) idle = 0;
        position->at -= here;
        steps -= here;
        if (steps == 0 || (position->leg == 0 && route->mode == WEND_ROUTE_ONCE)) return;
        position->leg = position->leg > 0 ? position->leg - 1 : route->leg_count - 1;
        position->at = routes->legs[route->legs + position->leg].count - 1;
    }
}

uint32_t wend__route_length(const wend__routes *routes, uint32_t number) {
    const wend__route *route = &routes->of[number];
    uint32_t cells = 0;
    for (uint32_t i = 0; i < route->leg_count; i++) cells += routes->legs[route->legs + i].count;
    return cells;
}
