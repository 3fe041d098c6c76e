/* SPDX-License-Identifier: MIT */
/* Far goals, leg by leg. An agent stores the next crossings of its far route, and requests a leg before the last one
 * ends, as a host does (examples/far_legs.c). After the last crossing it requests another route. */
#include "agents/plan/path.h"

#include "agents/plan/path_request.h"
#include "fast/routes/far_leg.h"
#include "fast/routes/journey.h"
#include "map/movers/views.h"

enum {
    STEPS_AHEAD = 64, ///< steps before the beginning of the next leg at which the leg is requested
    LEAD_BEYOND = 256 ///< cells to the goal from which on a lead pays for its search
};

static bool may_be_far(uint8_t purpose, uint8_t goal_kind) {
    return (purpose == WEND__PURPOSE_PLAN || purpose == WEND__PURPOSE_REROUTE || purpose == WEND__PURPOSE_RETARGET ||
            purpose == WEND__PURPOSE_LEG) &&
           (goal_kind == WEND__GOAL_CELL || goal_kind == WEND__GOAL_FOLLOW);
}

/* Returns whether a far route may answer the request, as its goal is more than `beyond` cells away. */
static bool route_serves(const wend_crowd *crowd, const wend__version *version, uint32_t index,
                         const wend__request *submission, uint32_t beyond) {
    wend__request route = *submission;
    route.mode = WEND_MODE_FAR;
    return wend__cells_apart(crowd->def.map, route.start, route.goal) > beyond &&
           crowd->agents[index].goal.no_route_revision != version->revision &&
           crowd->def.service->tuning.far_nodes > 0 &&
           wend__far_leg_serves(wend__version_view(version, route.mover), &route);
}

/* Stores crossings, up to the first that is far from its predecessor: on one level of the far layer most are a chunk
 * apart. */
static void store_crossings(wend__far_way *way, const wend_cell *crossings, size_t count) {
    way->count = count < WEND__FAR_KEPT ? (uint8_t)count : WEND__FAR_KEPT;
    if (count > 0) way->x = (uint16_t)crossings[0].x, way->y = (uint16_t)crossings[0].y;
    for (uint8_t i = 1; i < way->count; i++) {
        const int32_t dx = crossings[i].x - crossings[i - 1].x, dy = crossings[i].y - crossings[i - 1].y;
        if (dx != (int8_t)dx || dy != (int8_t)dy) {
            way->count = i;
            break;
        }
        way->differences[i - 1][0] = (int8_t)dx;
        way->differences[i - 1][1] = (int8_t)dy;
    }
    way->more = way->more || way->count < count;
}

static void read_crossings(const wend__far_way *way, wend_cell *out) {
    out[0] = (wend_cell){way->x, way->y, 0};
    for (uint8_t i = 1; i < way->count; i++)
        out[i] = (wend_cell){out[i - 1].x + way->differences[i - 1][0], out[i - 1].y + way->differences[i - 1][1], 0};
}

/* Aims a request at the crossing where the next leg ends. Returns false if the crossings do not reach so far. A layer
 * that is stale gives no other route, so a shorter leg serves then. */
static bool aim_leg(wend__far_way *way, bool stale, wend__request *submission) {
    wend_cell crossings[WEND__FAR_KEPT];
    wend_cell end;
    read_crossings(way, crossings);
    wend__journey journey = {.crossings = crossings, .count = way->count};
    if (!wend__journey_aim(&journey, submission->start, submission->goal, &end)) return false;
    store_crossings(way, crossings + journey.next, way->count - journey.next);
    if (journey.last && (way->count == 0 || !way->more || !stale)) return false;
    submission->goal = journey.last ? crossings[journey.count - 1] : end;
    submission->reach = 0;
    submission->mode = WEND_MODE_EXACT;
    return true;
}

/* Returns the kind of request of an agent on a far route. */
static uint8_t aim_way(wend_crowd *crowd, const wend__version *version, uint32_t index, wend__request *submission) {
    wend__far_way *way = wend__far_way_touch(crowd, index);
    const wend__agent *agent = &crowd->agents[index];
    const uint8_t purpose = agent->request.purpose;
    const bool serves = route_serves(crowd, version, index, submission, crowd->tuning.far_beyond);
    const bool next = agent->path.kind == WEND__PATH_LEG && (purpose == WEND__PURPOSE_LEG || !serves);
    if (next && purpose != WEND__PURPOSE_RETARGET && aim_leg(way, !serves, submission)) return WEND__ASKS_LEG;
    const bool at_end = next && !way->more && agent->goal.kind == WEND__GOAL_CELL;
    return serves && !at_end ? WEND__ASKS_ROUTE : WEND__ASKS_PATH;
}

void wend__far_way_aim(wend_crowd *crowd, const wend__version *version, uint32_t index, wend__request *submission) {
    const wend__agent_goal *goal = &crowd->agents[index].goal;
    wend__path_request *request = &wend__agent_touch(crowd, index)->request;
    request->asks = WEND__ASKS_PATH;
    if (!may_be_far(request->purpose, goal->kind)) return;
    if (crowd->far_ways) request->asks = aim_way(crowd, version, index, submission);
    if (request->asks == WEND__ASKS_PATH && !request->led && submission->profile == WEND_PROFILE_NONE &&
        wend__head_start_may_begin(crowd, index, submission->start) &&
        route_serves(crowd, version, index, submission, LEAD_BEYOND))
        request->asks = wend__head_start_ask(crowd, index);
    if (request->asks == WEND__ASKS_PATH || request->asks == WEND__ASKS_LEG) return;
    submission->mode = WEND_MODE_FAR;
    submission->flags |= WEND__REQUEST_FAR_BEGIN;
}

uint32_t wend__far_way_steps(const wend_crowd *crowd, uint32_t index, uint32_t least) {
    const wend__agent_path *path = &crowd->agents[index].path;
    const uint32_t tail = path->kind == WEND__PATH_LEG ? crowd->far_ways[index].tail : path->stored.steps;
    const uint32_t steps = path->stored.steps > tail ? path->stored.steps - tail : 0;
    if (steps >= least) return steps;
    return least < path->stored.steps ? least : path->stored.steps;
}

bool wend__far_way_runs_out(const wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    if (agent->path.kind != WEND__PATH_LEG || wend__is_searching(&agent->request)) return false;
    return agent->path.stored.steps <= crowd->far_ways[index].tail + STEPS_AHEAD;
}

/* ---- answers ---- */

bool wend__far_way_leads_on(const wend_crowd *crowd, uint32_t index, const wend_completion *done) {
    const uint8_t asks = crowd->agents[index].request.asks;
    return asks == WEND__ASKS_LEG || (asks == WEND__ASKS_ROUTE && done->crossing_count > 0);
}

/* Returns whether a further route leads no nearer to the goal than the routes before, on the same map. Otherwise agents
 * could go to and fro between two routes. */
static bool comes_no_nearer(wend_crowd *crowd, uint32_t index, const wend_completion *done) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    wend__stall *stall = &agent->stall;
    const uint64_t revision = wend__map_revision(crowd->def.map);
    const bool further = agent->request.purpose == WEND__PURPOSE_LEG && agent->goal.kind == WEND__GOAL_CELL;
    if (stall->remaining_revision == revision && (uint64_t)done->cost >= stall->remaining_cost) return further;
    stall->remaining_revision = revision;
    stall->remaining_cost = (uint64_t)done->cost;
    return false;
}

bool wend__far_way_fails(wend_crowd *crowd, uint32_t index, const wend_completion *done) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    const wend__path_request *request = &agent->request;
    const uint8_t asks = request->asks;
    const bool none = done->status == WEND_STATUS_NO_PATH || done->status == WEND_STATUS_GOAL_BLOCKED ||
                      done->status == WEND_STATUS_START_BLOCKED;
    const bool found = done->status == WEND_STATUS_FOUND;
    if (asks == WEND__ASKS_PATH || asks == WEND__ASKS_LEAD || (!none && !found)) return false;
    if (found && (asks == WEND__ASKS_LEG || !comes_no_nearer(crowd, index, done))) return false;
    if (asks == WEND__ASKS_ROUTE) agent->goal.no_route_revision = wend__map_revision(crowd->def.map);
    if (agent->path.kind == WEND__PATH_LEG) agent->path.kind = WEND__PATH_PIECE;
    return true;
}

void wend__far_way_keep(wend_crowd *crowd, uint32_t index, const wend_completion *done) {
    const wend__agent *agent = &crowd->agents[index];
    wend__far_way *way = wend__far_way_touch(crowd, index);
    const size_t tail = done->cell_count - wend__journey_walk(done->cells, done->cell_count);
    way->tail = tail < agent->path.stored.steps ? (uint32_t)tail : agent->path.stored.steps;
    if (agent->request.asks != WEND__ASKS_ROUTE) return;
    crowd->counts.far_routes++;
    way->more = false;
    store_crossings(way, done->crossings, done->crossing_count);
}
