/* SPDX-License-Identifier: MIT */
/* Searches for the legs of a route, and the cells at which an agent joins it. */
#include "crowd/paths/legs.h"

#include "crowd/paths/ask.h"
#include "crowd/state/release.h"
#include "crowd/state/told_orders.h"
#include "map/movers/views.h"
#include "map/query/reachable.h"
#include "map/query/step_cost.h"
#include "map/version/version.h"

/* ---- legs ---- */

static void take_leg(void *context, const wend_completion *done) {
    wend__route_leg *leg = context;
    wend_crowd *crowd = leg->crowd;
    crowd->pending--;
    leg->ticket = (wend_ticket){0, 0};
    if (crowd->dead) {
        if (crowd->pending == 0) wend__crowd_free(crowd);
        return;
    }
    if (wend__is_undone((wend_status)done->status)) {
        leg->state = WEND__LEG_NEW;
        return;
    }
    wend__version *version = wend__map_newest(crowd->def.map);
    const bool found = done->status == WEND_STATUS_FOUND;
    wend__leg_store(&crowd->routes, version, leg, done->cells, found ? done->cell_count : 0);
    wend__map_release(version, false);
}

static wend_error ask_for_leg(wend_crowd *crowd, const wend__version *version, wend__route_leg *leg, int32_t urgency) {
    const wend__routes *routes = &crowd->routes;
    const wend__route *route = &routes->of[leg->route];
    wend_request request;
    wend_request_init(&request, sizeof request);
    request.map = crowd->def.map;
    request.start = wend__cell_of_number(version, routes->cells[route->corners + leg->from]);
    request.goal = wend__cell_of_number(version, routes->cells[route->corners + leg->to]);
    request.mover = route->mover;
    request.urgency = urgency;
    request.on_done = take_leg;
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
        const wend_error error = ask_for_leg(crowd, version, leg, urgency);
        if (error == WEND_BUSY) break;
        if (error) {
            wend__leg_store(&crowd->routes, version, leg, NULL, 0);
            continue;
        }
        leg->state = WEND__LEG_ASKED;
        crowd->pending++;
        crowd->counts.searches_begun++;
    }
    wend__map_release(version, false);
    return route->done == route->leg_count;
}

void wend__legs_cancel(wend_crowd *crowd) {
    for (uint32_t i = 0; i < crowd->routes.leg_count; i++) {
        const wend__route_leg *leg = &crowd->routes.legs[i];
        if (leg->state == WEND__LEG_ASKED) wend__crowd_cancel(crowd, leg->ticket);
    }
}

/* ---- where to join ---- */

typedef struct search {
    const wend_crowd *crowd;
    const wend__version *version;
    uint32_t index;
    wend_cell at;
    uint32_t count;
    wend_cell best[WEND_MAX_GOALS];
    uint64_t far[WEND_MAX_GOALS]; ///< by distance from the agent
} search;

static bool may_stand(const search *s, wend_cell cell) {
    const int32_t mover = s->crowd->travellers[s->index].mover;
    const wend__version *view = wend__version_view(s->version, mover);
    if (!wend__cell_factor(view, cell)) return false;
    return !wend__cell_factor(view, s->at) || wend__version_connected(s->version, mover, s->at, cell);
}

/* Ties stay in the order of the route. */
static void consider(search *s, wend_cell cell) {
    const uint64_t x = wend__distance(cell.x, s->at.x), y = wend__distance(cell.y, s->at.y);
    const uint64_t z = wend__distance(cell.z, s->at.z), far = x * x + y * y + z * z;
    uint32_t place = s->count;
    while (place > 0 && s->far[place - 1] > far) place--;
    if (place == WEND_MAX_GOALS || !may_stand(s, cell)) return;
    if (s->count < WEND_MAX_GOALS) s->count++;
    for (uint32_t i = s->count - 1; i > place; i--) s->best[i] = s->best[i - 1], s->far[i] = s->far[i - 1];
    s->best[place] = cell;
    s->far[place] = far;
}

/* The nearest cells of all the route. */
static void look_anywhere(search *s, uint32_t route) {
    const wend__routes *routes = &s->crowd->routes;
    wend__route_spot spot = {0, 0};
    for (uint32_t left = wend__route_length(routes, route); left > 0; left--) {
        consider(s, wend__route_cell(routes, s->version, route, spot));
        if (!wend__route_next(routes, route, &spot)) break;
    }
}

/* Is the step from a spot to the next cell of the route open, or is it the route's end? */
static bool leads_on(const wend_crowd *crowd, const wend__version *version, uint32_t index, wend__route_spot spot) {
    const wend__routes *routes = &crowd->routes;
    const uint32_t route = crowd->agents[index].wish.route;
    const wend_cell cell = wend__route_cell(routes, version, route, spot);
    for (uint32_t turns = routes->of[route].leg_count + 2; turns > 0; turns--) { /* legs of one cell in a row */
        if (!wend__route_next(routes, route, &spot)) return true;
        const wend_cell next = wend__route_cell(routes, version, route, spot);
        if (wend__same_cell(cell, next)) continue;
        return wend__step_cost(version, crowd->travellers[index].mover, cell, next) != UINT64_MAX;
    }
    return false;
}

bool wend__route_resumes(const wend_crowd *crowd, const wend__version *version, uint32_t index, wend__route_spot spot) {
    const wend__wish *wish = &crowd->agents[index].wish;
    const wend_cell gap = wend__route_cell(&crowd->routes, version, wish->route, wish->spot);
    const wend_cell cell = wend__route_cell(&crowd->routes, version, wish->route, spot);
    return !wend__same_cell(cell, gap) || leads_on(crowd, version, index, spot);
}

/* The next cells of the leg, or where none of them can be reached, of the next one that has some. */
static void look_ahead(search *s, uint32_t route, wend__route_spot spot) {
    const wend__routes *routes = &s->crowd->routes;
    for (uint32_t left = wend__route_length(routes, route); left > 0 && s->count < WEND_MAX_GOALS; left--) {
        const uint32_t leg = spot.leg;
        if (!wend__route_next(routes, route, &spot) || (spot.leg != leg && s->count > 0)) break;
        const wend_cell cell = wend__route_cell(routes, s->version, route, spot);
        if (may_stand(s, cell) && wend__route_resumes(s->crowd, s->version, s->index, spot)) s->best[s->count++] = cell;
    }
}

uint32_t wend__route_goals(wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell *goal) {
    const wend__wish *wish = &crowd->agents[index].wish;
    search s = {.crowd = crowd, .version = version, .index = index, .at = crowd->travellers[index].at, .count = 0};
    if (wish->joined)
        look_ahead(&s, wish->route, wish->spot);
    else
        look_anywhere(&s, wish->route);
    if (s.count == 0) return 0;
    *goal = s.best[0];
    memcpy(crowd->goals, s.best + 1, (s.count - 1) * sizeof *s.best);
    return s.count;
}
