/* SPDX-License-Identifier: MIT */
/* Agents on routes: an agent joins where it is nearest, and then gets the route's cells as its path, piece by piece.
 * Only round a gap does it search. */
#include "crowd/orders/look.h"
#include "crowd/orders/route_end.h"
#include "crowd/orders/wish.h"
#include "crowd/paths/ask.h"
#include "crowd/paths/legs.h"
#include "crowd/paths/trip.h"
#include "map/query/step_cost.h"

enum {
    LOW = 16,   ///< steps: with fewer before it an agent gets more of its route
    PIECE = 64, ///< steps that it then gets at most
};

typedef enum way { WAY_ON, WAY_CUT, WAY_ENDS } way;

/* The path that was found leads to a cell of the route: which one? After a gap, it is one behind the gap. */
static bool find_spot(const wend_crowd *crowd, const wend__version *version, uint32_t index, wend__route_spot *out) {
    const wend__routes *routes = &crowd->routes;
    const wend__wish *wish = &crowd->agents[index].wish;
    const wend_cell end = crowd->agents[index].trip.end;
    wend__route_spot spot = {0, 0};
    if (wish->joined) spot = wish->spot;
    for (uint32_t left = wend__route_length(routes, wish->route) + 1; left > 0; left--) {
        if (wish->joined && !wend__route_next(routes, wish->route, &spot)) break;
        const bool here = wend__same_cell(wend__route_cell(routes, version, wish->route, spot), end);
        if (here && (!wish->joined || wend__route_resumes(crowd, version, index, spot))) {
            *out = spot;
            return true;
        }
        if (!wish->joined && !wend__route_next(routes, wish->route, &spot)) break;
    }
    return false;
}

/* The next gap is another one, but there may be one after each corner. */
static bool join(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    const uint64_t soon = agent->wish.joined ? crowd->counts.updates + crowd->def.retry_updates : 0;
    if (agent->quest.due > soon) agent->quest.due = soon;
    agent->wish.along = 0;
    agent->wish.cell = agent->trip.end;
    agent->wish.joined = agent->wish.placed = find_spot(crowd, version, index, &agent->wish.spot);
    if (!agent->wish.placed) wend__trip_clear(crowd, index);
    return agent->wish.placed;
}

/* Add cells of the route to the end of the path, as far as they can be walked. */
static way extend(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    const wend__routes *routes = &crowd->routes;
    const uint32_t route = agent->wish.route;
    const int32_t mover = crowd->travellers[index].mover;
    uint32_t added = 0;
    for (uint32_t turns = routes->of[route].leg_count + PIECE; turns > 0 && added < PIECE; turns--) {
        wend__route_spot spot = agent->wish.spot;
        if (!wend__route_next(routes, route, &spot)) return WAY_ENDS;
        const wend_cell cell = wend__route_cell(routes, version, route, spot);
        if (!wend__same_cell(cell, agent->trip.end)) {
            if (wend__step_cost(version, mover, agent->trip.end, cell) == UINT64_MAX) return WAY_CUT;
            if (!wend__kept_add(&crowd->keep, &agent->trip.kept, agent->trip.end, cell)) return WAY_ON;
            agent->trip.end = agent->wish.cell = cell;
            agent->wish.along++;
            added++;
        }
        agent->wish.spot = spot;
    }
    return WAY_ON;
}

/* An edit broke the path `open` steps ahead: it ends there. */
static void cut(wend_crowd *crowd, uint32_t index, uint32_t open) {
    wend__agent *agent = &crowd->agents[index];
    const uint32_t gone = agent->trip.kept.steps - open;
    const bool on_route = gone <= agent->wish.along;
    const uint32_t back = on_route ? gone : agent->wish.along;
    wend__kept_cut(&crowd->keep, &agent->trip.kept, open);
    wend__route_back(&crowd->routes, agent->wish.route, &agent->wish.spot, back);
    agent->wish.along -= back;
    agent->trip.end = wend__trip_ahead(crowd, index, open);
    agent->wish.cell = agent->trip.end;
    if (!on_route) agent->trip.ends = WEND__ENDS_NOWHERE;
}

static void ask_once(wend_crowd *crowd, uint32_t index, uint8_t purpose) {
    wend__quest *quest = &crowd->agents[index].quest;
    if (wend__asks_in_vain(crowd, index)) return;
    if (wend__searches(quest) || quest->failed != WEND_WHY_NONE || crowd->counts.updates < quest->due) return;
    quest->due = crowd->counts.updates + crowd->def.retry_updates;
    wend__ask(crowd, index, purpose, UINT32_MAX);
}

/* No path leads to the route: the agent was pushed away, or has not joined it. Behind its end there is none to join. */
static void find_way(wend_crowd *crowd, uint32_t index) {
    wend__wish *wish = &crowd->agents[index].wish;
    if (wish->joined) wend__route_back(&crowd->routes, wish->route, &wish->spot, wish->along);
    wish->along = 0;
    if (!wend__route_end_place(crowd, index)) ask_once(crowd, index, WEND__QUEST_PLAN);
}

/* The way on gets longer: waiting is counted from here, if the agent has gone on since that was done last. */
static void hope(wend_crowd *crowd, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    const wend_cell at = crowd->travellers[index].at;
    agent->patience.best = agent->patience.record = wend__trip_steps(&agent->trip);
    if (agent->wish.hoped && wend__same_cell(agent->wish.hoped_at, at)) return;
    agent->quest.due = 0;
    agent->patience.tries = agent->patience.stalled = 0;
    agent->patience.closed_at = 0;
    agent->wish.hoped = true;
    agent->wish.hoped_at = at;
}

bool wend__patrol_look(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    wend__trip *trip = &agent->trip;
    if (!wend__legs_ready(crowd, agent->wish.route, agent->urgency)) return wend__trip_steps(trip) == 0;
    if (trip->ends == WEND__ENDS_NOWHERE) find_way(crowd, index);
    if (trip->ends != WEND__ENDS_AT_GOAL) return false;
    if (!agent->wish.placed && !join(crowd, version, index)) return true;
    if (agent->wish.along > trip->kept.steps) agent->wish.along = trip->kept.steps;
    const uint32_t open = wend__trip_check(crowd, version, index);
    if (open != UINT32_MAX) cut(crowd, index, open);
    if (trip->ends == WEND__ENDS_NOWHERE) ask_once(crowd, index, WEND__QUEST_REROUTE);
    if (trip->ends == WEND__ENDS_AT_GOAL && wend__route_end_look(crowd, index)) return false;
    if (trip->ends == WEND__ENDS_NOWHERE || trip->kept.steps >= LOW || wend__searches(&agent->quest)) return false;
    const uint32_t before = trip->kept.steps;
    const way found = extend(crowd, version, index);
    if (trip->kept.steps > before) hope(crowd, index);
    if (found == WAY_CUT && trip->kept.steps < LOW) ask_once(crowd, index, WEND__QUEST_REROUTE);
    if (wend__trip_steps(trip) > 0) return false;
    if (found == WAY_ENDS) wend__wish_end(crowd, index, WEND_AGENT_EVENT_ARRIVED, WEND_WHY_NONE);
    return found != WAY_CUT;
}
