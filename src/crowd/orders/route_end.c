/* SPDX-License-Identifier: MIT */
/* Places at the end of a route that goes once, for agents that find its last cell taken: the cheapest cells from
 * there that are free and not promised to another agent. */

#include "crowd/around/free_places.h"
#include "crowd/orders/goal.h"
#include "crowd/paths/path_request.h"
#include "map/movers/views.h"

enum {
    NEAR_END = 8,    ///< last steps of a path on which an agent requests a place
    MOST_PLACES = 32 ///< for one goal; each may be taken when the agent arrives
};

/// The search for places.
typedef struct end_query {
    const wend_crowd *crowd;
    const wend__route *route;
    uint32_t index; ///< of the agent
} end_query;

static bool is_promised(const end_query *o, wend_cell cell) {
    const wend_crowd *crowd = o->crowd;
    const int32_t size = crowd->travellers[o->index].size;
    for (uint32_t next = o->route->waiting; next; next = crowd->agents[next - 1].goal.next)
        if (next != o->index + 1 &&
            wend__places_overlap(crowd->agents[next - 1].goal.cell, crowd->travellers[next - 1].size, cell, size))
            return true;
    return false;
}

static bool is_end_place_taken(void *context, wend_cell cell) {
    const end_query *o = context;
    return wend__is_taken(o->crowd, o->index, cell) || is_promised(o, cell);
}

static wend_cell end_of(const wend_crowd *crowd, const wend__version *version, uint32_t route) {
    const wend__routes *routes = &crowd->routes;
    const uint32_t leg = routes->of[route].leg_count - 1;
    const wend__route_position last = {leg, routes->legs[routes->of[route].legs + leg].count - 1};
    return wend__route_cell(routes, version, route, last);
}

/* Finds places for several agents at once. */
static void find_places(wend_crowd *crowd, const wend__version *version, uint32_t index, wend__route_end *out) {
    const uint32_t route = crowd->agents[index].goal.route;
    const wend_cell end = end_of(crowd, version, route);
    end_query o = {crowd, &crowd->routes.of[route], index};
    const wend__places_search search = {.flood = crowd->group.flood,
                                        .version = version,
                                        .mover = crowd->travellers[index].mover,
                                        .goal = end,
                                        .from = end,
                                        .taken = is_end_place_taken,
                                        .context = &o};
    out->route = route + 1;
    out->serial = version->serial;
    out->next = 0;
    out->count = 0;
    if (wend__cell_factor(wend__version_view(version, search.mover), end))
        out->count = (uint32_t)wend__places_find(&search, end, out->places, WEND__END_PLACES);
}

/* Takes the next place that is still free. */
static bool take_place(const wend_crowd *crowd, uint32_t index, wend__route_end *end, wend_cell *out) {
    while (end->next < end->count) {
        *out = end->places[end->next++];
        if (!wend__is_taken(crowd, index, *out)) return true;
    }
    return false;
}

static bool find_place(wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell *out) {
    const uint32_t route = crowd->agents[index].goal.route;
    wend__route_end *end = &crowd->route_ends[route % WEND__ROUTE_ENDS];
    if (end->route == route + 1 && end->serial == version->serial && take_place(crowd, index, end, out)) return true;
    find_places(crowd, version, index, end);
    return take_place(crowd, index, end, out);
}

/* Returns whether the agent is on its way to a place, or its path leads to the end of its route. */
static bool is_at_end(const wend_crowd *crowd, uint32_t index) {
    const wend__agent_goal *goal = &crowd->agents[index].goal;
    wend__route_position position = goal->position;
    if (goal->kind != WEND__GOAL_ROUTE) return goal->end_places > 0;
    return goal->on_route && !wend__route_next(&crowd->routes, goal->route, &position);
}

static void send_to(wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell place) {
    wend__agent *agent = &crowd->agents[index];
    wend__route *route = &crowd->routes.of[agent->goal.route];
    const uint32_t apart = wend__cells_apart(end_of(crowd, version, agent->goal.route), place);
    if (version->kind != WEND_KIND_GRAPH && apart > route->spread) route->spread = apart;
    wend__members_leave(crowd, index);
    wend__members_join(crowd, &route->waiting, index);
    agent->goal.end_places++;
    agent->goal.kind = WEND__GOAL_CELL;
    agent->goal.cell = place;
    agent->path.kind = WEND__PATH_NONE; /* the agent follows its path until the answer arrives */
    agent->patience = wend__new_patience();
    agent->request.due = 0;
    wend__path_request_begin(crowd, index, WEND__PURPOSE_PLAN, UINT32_MAX);
}

bool wend__route_end_assign(wend_crowd *crowd, uint32_t index) {
    wend_cell place;
    if (!is_at_end(crowd, index) || crowd->agents[index].goal.end_places == MOST_PLACES) return false;
    wend__version *version = wend__map_newest(crowd->def.map);
    const bool found = find_place(crowd, version, index, &place);
    if (found) send_to(crowd, version, index, place);
    wend__map_release(version, false);
    return found;
}

bool wend__route_end_check(wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const uint32_t near = NEAR_END + crowd->routes.of[agent->goal.route].spread;
    if (agent->path.stored.steps > near || !wend__is_taken(crowd, index, agent->path.end)) return false;
    return wend__route_end_assign(crowd, index);
}
