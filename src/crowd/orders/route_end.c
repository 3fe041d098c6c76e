/* SPDX-License-Identifier: MIT */
/* Places at the end of a route that goes once, for those that find its last cell taken: the cheapest cells to reach
 * from there that nobody stands on and nobody is on the way to. */
#include "crowd/orders/route_end.h"

#include "crowd/around/free_places.h"
#include "crowd/orders/look.h"
#include "crowd/orders/wish.h"
#include "crowd/paths/ask.h"
#include "crowd/state/peers.h"
#include "map/movers/views.h"

enum {
    NEAR_END = 8,    ///< steps before those who stand there from which on an agent looks for a place
    MOST_PLACES = 32 ///< for one wish, as each may be taken when the agent comes there
};

/// The search for places.
typedef struct order {
    const wend_crowd *crowd;
    const wend__route *route;
    uint32_t index; ///< for this agent
} order;

static bool is_promised(const order *o, wend_cell cell) {
    const wend_crowd *crowd = o->crowd;
    const int32_t size = crowd->travellers[o->index].size;
    for (uint32_t next = o->route->waiting; next; next = crowd->agents[next - 1].wish.behind)
        if (next != o->index + 1 &&
            wend__places_overlap(crowd->agents[next - 1].wish.cell, crowd->travellers[next - 1].size, cell, size))
            return true;
    return false;
}

static bool is_taken(void *context, wend_cell cell) {
    const order *o = context;
    return wend__is_taken(o->crowd, o->index, cell) || is_promised(o, cell);
}

static wend_cell end_of(const wend_crowd *crowd, const wend__version *version, uint32_t route) {
    const wend__routes *routes = &crowd->routes;
    const uint32_t leg = routes->of[route].leg_count - 1;
    const wend__route_spot last = {leg, routes->legs[routes->of[route].legs + leg].count - 1};
    return wend__route_cell(routes, version, route, last);
}

/* One search serves several agents, as it looks at all that stand around the end. */
static void find_places(wend_crowd *crowd, const wend__version *version, uint32_t index, wend__route_end *out) {
    const uint32_t route = crowd->agents[index].wish.route;
    const wend_cell end = end_of(crowd, version, route);
    order o = {crowd, &crowd->routes.of[route], index};
    const wend__places_search search = {.flood = crowd->group.flood,
                                        .version = version,
                                        .mover = crowd->travellers[index].mover,
                                        .goal = end,
                                        .from = end,
                                        .taken = is_taken,
                                        .context = &o};
    out->route = route + 1;
    out->serial = version->serial;
    out->next = 0;
    out->count = 0;
    if (wend__cell_factor(wend__version_view(version, search.mover), end))
        out->count = (uint32_t)wend__places_find(&search, end, out->places, WEND__END_PLACES);
}

/* The next place that nobody stands on. */
static bool take_place(const wend_crowd *crowd, uint32_t index, wend__route_end *end, wend_cell *out) {
    while (end->next < end->count) {
        *out = end->places[end->next++];
        if (!wend__is_taken(crowd, index, *out)) return true;
    }
    return false;
}

static bool find_place(wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell *out) {
    const uint32_t route = crowd->agents[index].wish.route;
    wend__route_end *end = &crowd->route_ends[route % WEND__ROUTE_ENDS];
    if (end->route == route + 1 && end->serial == version->serial && take_place(crowd, index, end, out)) return true;
    find_places(crowd, version, index, end);
    return take_place(crowd, index, end, out);
}

/* Does the agent go to a place, or has it no more of its route before it than the end? */
static bool is_at_end(const wend_crowd *crowd, uint32_t index) {
    const wend__wish *wish = &crowd->agents[index].wish;
    wend__route_spot spot = wish->spot;
    if (wish->kind != WEND__WISH_ROUTE) return wish->places > 0;
    return wish->joined && !wend__route_next(&crowd->routes, wish->route, &spot);
}

static void go_to(wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell place) {
    wend__agent *agent = &crowd->agents[index];
    wend__route *route = &crowd->routes.of[agent->wish.route];
    const uint32_t apart = wend__cells_apart(end_of(crowd, version, agent->wish.route), place);
    if (version->kind != WEND_KIND_GRAPH && apart > route->spread) route->spread = apart;
    wend__peers_leave(crowd, index);
    wend__peers_join(crowd, &route->waiting, index);
    agent->wish.places++;
    agent->wish.kind = WEND__WISH_CELL;
    agent->wish.cell = place;
    agent->trip.ends = WEND__ENDS_NOWHERE; /* the path is walked on until the answer is there */
    agent->patience = wend__fresh_patience();
    agent->quest.due = 0;
    wend__ask(crowd, index, WEND__QUEST_PLAN, UINT32_MAX);
}

bool wend__route_end_place(wend_crowd *crowd, uint32_t index) {
    wend_cell place;
    if (!is_at_end(crowd, index) || crowd->agents[index].wish.places == MOST_PLACES) return false;
    wend__version *version = wend__map_newest(crowd->def.map);
    const bool found = find_place(crowd, version, index, &place);
    if (found) go_to(crowd, version, index, place);
    wend__map_release(version, false);
    return found;
}

bool wend__route_end_look(wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const uint32_t near = NEAR_END + crowd->routes.of[agent->wish.route].spread;
    if (agent->trip.kept.steps > near || !wend__is_taken(crowd, index, agent->trip.end)) return false;
    return wend__route_end_place(crowd, index);
}
