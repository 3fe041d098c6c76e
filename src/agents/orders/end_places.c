/* SPDX-License-Identifier: MIT */
/* Places near a taken end: for agents sent to a cell where another one stays, and at the end of a route that goes once.
 * A place is the cheapest cell from the end that is free, no doorway, and not promised to another agent. */

#include "agents/orders/goal.h"
#include "agents/plan/path.h"
#include "agents/plan/path_request.h"
#include "agents/state/flows.h"
#include "agents/state/free_places.h"
#include "map/movers/views.h"
#include "map/store/directions.h"

enum {
    MOST_PLACES = 32, ///< places for one goal; each may be taken when the agent arrives
    LISTED_FOR = 64   ///< updates for which the agents get places of a finished search
};

/// The search for places.
typedef struct end_query {
    const wend_crowd *crowd;
    const wend__version *view;
    uint32_t waiting; ///< head of the list of agents on their way to places at the same end; 0: no list
    uint32_t index;   ///< slot of the agent
} end_query;

static bool is_promised(const end_query *o, wend_cell cell) {
    const wend_crowd *crowd = o->crowd;
    const int32_t size = crowd->in_traffic[o->index].size;
    for (uint32_t next = o->waiting; next; next = crowd->agents[next - 1].goal.next)
        if (next != o->index + 1 &&
            wend__places_overlap(crowd->agents[next - 1].goal.cell, crowd->in_traffic[next - 1].size, cell, size))
            return true;
    return false;
}

enum { ALONG_X = 1 << WEND__E | 1 << WEND__W, ALONG_Y = 1 << WEND__N | 1 << WEND__S };

static uint32_t straight_steps(const wend__version *view, wend_cell cell) {
    return wend__version_steps(view, cell.x, cell.y) & (ALONG_X | ALONG_Y);
}

/* A doorway is a passage one agent wide, at most three cells long, with room at both ends: an agent in it blocks it. A
 * longer one is a corridor, in which agents may have to stand. */
static bool is_doorway(const wend__version *view, wend_cell cell) {
    enum { LONGEST = 3 };
    if (view->kind != WEND_KIND_GRID) return false;
    const uint32_t axis = straight_steps(view, cell);
    if (axis != ALONG_X && axis != ALONG_Y) return false;
    uint32_t length = 1;
    for (int32_t way = -1; way <= 1; way += 2) {
        wend_cell at = cell;
        uint32_t steps = axis;
        for (; length <= LONGEST; length++) {
            at.x += axis == ALONG_X ? way : 0;
            at.y += axis == ALONG_Y ? way : 0;
            steps = straight_steps(view, at);
            if (steps != axis) break;
        }
        if (!(steps & ~axis)) return false; /* a corridor, or a dead end */
    }
    return true;
}

static bool is_corridor(const wend__version *view, wend_cell cell) {
    const uint32_t axis = straight_steps(view, cell);
    return (axis == ALONG_X || axis == ALONG_Y) && !is_doorway(view, cell);
}

static bool is_end_place_taken(void *context, wend_cell cell) {
    const end_query *o = context;
    return wend__is_taken(o->crowd, o->index, cell) || is_doorway(o->view, cell) || is_promised(o, cell);
}

static bool ends_in_doorway(void *context, wend_cell cell) {
    const end_query *o = context;
    return is_doorway(o->view, cell);
}

static wend_cell end_of_route(const wend_crowd *crowd, const wend__version *version, uint32_t route) {
    const wend__routes *routes = &crowd->routes;
    const uint32_t leg = routes->of[route].leg_count - 1;
    const wend__route_position last = {leg, routes->legs[routes->of[route].legs + leg].count - 1};
    return wend__route_cell(routes, version, route, last);
}

/* Returns the end for which an agent needs a place. */
static wend_cell end_of(const wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__agent_goal *goal = &crowd->agents[index].goal;
    if (goal->end_places > 0) return goal->asked;
    return goal->kind == WEND__GOAL_ROUTE ? end_of_route(crowd, version, goal->route) : goal->cell;
}

/* Finds places for several agents at once. */
static void find_places(wend_crowd *crowd, const wend__version *version, uint32_t index, wend__end_places *out) {
    const wend__agent_goal *goal = &crowd->agents[index].goal;
    const bool route = goal->kind == WEND__GOAL_ROUTE || goal->for_route;
    const wend__version *view = wend__version_view(version, out->mover);
    end_query o = {crowd, view, route ? crowd->routes.of[goal->route].waiting : 0, index};
    wend__places_search search = {.flood = crowd->group.flood,
                                  .version = version,
                                  .mover = out->mover,
                                  .goal = out->end,
                                  .from = out->end,
                                  .taken = is_end_place_taken,
                                  .ends = ends_in_doorway,
                                  .context = &o};
    out->revision = version->revision;
    out->until = crowd->counts.updates + LISTED_FOR;
    out->next = out->count = 0;
    if (!wend__cell_factor(view, out->end)) return;
    out->count = (uint32_t)wend__places_find(&search, out->end, out->places, WEND__END_PLACES);
    search.ends = NULL; /* where the room is full, beyond its doors */
    if (out->count == 0) out->count = (uint32_t)wend__places_find(&search, out->end, out->places, WEND__END_PLACES);
}

/* Returns the next place that is still free, without assigning it; NULL: there is none. */
static const wend_cell *next_listed(const wend_crowd *crowd, uint32_t index, wend__end_places *list) {
    while (list->next < list->count && wend__is_taken(crowd, index, list->places[list->next])) list->next++;
    return list->next < list->count ? &list->places[list->next] : NULL;
}

/* Returns the list with the next place for the agent; NULL: there is no place. */
static wend__end_places *find_place(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend_cell end = end_of(crowd, version, index);
    const int32_t mover = crowd->in_traffic[index].mover;
    const uint32_t slot = ((uint32_t)end.x + 31 * (uint32_t)end.y + 17 * (uint32_t)mover) % WEND__END_LISTS;
    wend__end_places *list = &crowd->end_lists[slot];
    const bool same = wend__same_cell(list->end, end) && list->mover == mover && list->revision == version->revision;
    if (same && crowd->counts.updates < list->until && next_listed(crowd, index, list)) return list;
    list->end = end;
    list->mover = mover;
    find_places(crowd, version, index, list);
    return next_listed(crowd, index, list) ? list : NULL;
}

/* Returns whether the agent is on its way to a place at the end of its route, or its path leads to that end. */
static bool is_at_end(const wend_crowd *crowd, uint32_t index) {
    const wend__agent_goal *goal = &crowd->agents[index].goal;
    wend__route_position position = goal->position;
    if (goal->kind != WEND__GOAL_ROUTE) return goal->for_route;
    return goal->on_route && !wend__route_next(&crowd->routes, goal->route, &position);
}

/* Links all agents on their way to the end of one route. */
static void join_waiting(wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell place) {
    wend__route *route = &crowd->routes.of[crowd->agents[index].goal.route];
    const uint32_t apart = wend__cells_apart(crowd->def.map, crowd->agents[index].goal.asked, place);
    if (version->kind != WEND_KIND_GRAPH && apart > route->spread) route->spread = apart;
    wend__members_leave(crowd, index);
    wend__members_join(crowd, &route->waiting, index);
}

/* A place within reach of the requested cell is as good as that cell. */
static void send_to(wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell place) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    wend__agent_goal *goal = &agent->goal;
    if (goal->end_places == 0) {
        goal->asked = end_of(crowd, version, index);
        goal->asked_reach = goal->ends_partial ? -1 : wend__most(goal->reach, goal->near_enough);
        goal->for_route = goal->kind == WEND__GOAL_ROUTE;
    }
    goal->end_places++;
    if (goal->for_route)
        join_waiting(crowd, version, index, place);
    else
        goal->ends_partial = !wend__crowd_within(crowd, goal->asked, goal->asked_reach, place);
    wend__flow_leave(crowd, goal);
    goal->kind = WEND__GOAL_CELL;
    goal->cell = place;
    goal->reach = 0;
    agent->path.kind = WEND__PATH_NONE; /* the agent follows its path until the answer arrives */
    if (goal->for_route)
        agent->stall = wend__stall_from(crowd->counts.updates);
    else
        agent->stall.tries++;
    agent->request.due = 0;
    wend__path_request_begin(crowd, index, WEND__PURPOSE_PLAN);
}

/* Sends the agent to the next place, if a way leads there. With `within` the place must be within reach of the goal. */
static bool assign(wend_crowd *crowd, const wend__version *version, uint32_t index, bool within) {
    const wend__agent_goal *goal = &crowd->agents[index].goal;
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    if (goal->end_places == MOST_PLACES) return false;
    wend__end_places *list = find_place(crowd, version, index);
    if (!list) return false;
    const wend_cell place = list->places[list->next];
    if (within && !wend__crowd_within(crowd, goal->cell, goal->reach, place)) return false;
    const bool stands = wend__cell_factor(wend__version_view(version, in_traffic->mover), in_traffic->at) != 0;
    if (stands && !wend__version_connected(version, in_traffic->mover, in_traffic->at, place)) return false;
    list->next++;
    send_to(crowd, version, index, place);
    return true;
}

/* Returns whether a body with the same goal is nearer to it in a corridor, and has no place. That body gets one first,
 * as two can't pass each other there. */
static bool lets_nearer_first(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend_cell ahead[WEND__NEAR_END];
    const wend__agent_goal *own = &crowd->agents[index].goal;
    const wend__version *view = wend__version_view(version, crowd->in_traffic[index].mover);
    if (!crowd->in_traffic[index].body || own->kind != WEND__GOAL_CELL || own->end_places > 0) return false;
    const uint32_t count = wend__path_next_cells(crowd, index, ahead, WEND__NEAR_END);
    for (uint32_t k = 0; k < count; k++) {
        const int32_t other = wend__traffic_holder(crowd->traffic, ahead[k]);
        if (other < 0 || other == (int32_t)index || !crowd->in_traffic[other].body || !is_corridor(view, ahead[k]))
            continue;
        const wend__agent *agent = &crowd->agents[other];
        const bool same = agent->goal.kind == WEND__GOAL_CELL && wend__same_cell(agent->goal.cell, own->cell);
        if (same && agent->path.kind == WEND__PATH_TO_GOAL && agent->path.stored.steps > 0) return true;
    }
    return false;
}

static bool assign_on_newest(wend_crowd *crowd, uint32_t index) {
    wend__version *version = wend__map_newest(crowd->def.map);
    const bool found = lets_nearer_first(crowd, version, index) || assign(crowd, version, index, false);
    wend__map_release(version, false);
    return found;
}

bool wend__end_place_assign(wend_crowd *crowd, uint32_t index) {
    return is_at_end(crowd, index) && assign_on_newest(crowd, index);
}

bool wend__cell_place_assign(wend_crowd *crowd, uint32_t index) {
    return crowd->agents[index].goal.kind == WEND__GOAL_CELL && assign_on_newest(crowd, index);
}

bool wend__doorway_leave(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    return is_doorway(wend__version_view(version, in_traffic->mover), in_traffic->at) &&
           assign(crowd, version, index, true);
}

bool wend__route_end_check(wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const uint32_t near = WEND__NEAR_END + crowd->routes.of[agent->goal.route].spread;
    if (agent->path.stored.steps > near || !wend__is_taken(crowd, index, agent->path.end)) return false;
    return wend__end_place_assign(crowd, index);
}
