/* SPDX-License-Identifier: MIT */
/* The next step of an agent in a crowd with discs: it waits before narrow ways, goes round corners where discs have no
 * room, overtakes, and goes past those at home. */
#include "agents/update/agents.h"

#include "agents/manners/narrow_ways.h"
#include "agents/orders/goal.h"
#include "agents/plan/path.h"
#include "map/ground/ground.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/version/occupancy.h"
#include "map/version/version.h"

static bool is_disc(const wend_crowd *crowd, wend_cell cell) {
    const int32_t holder = wend__traffic_holder(crowd->traffic, cell);
    return holder >= 0 && crowd->in_traffic[holder].body;
}

/* Discs have no room on diagonals past others. So a body at a taken corner, or an agent without a body near
 * discs, goes round a corner, preferably a free one, or that nearer to its line. A disc without a way round stays. */
static void straighten(wend_crowd *crowd, const wend__version *version, uint32_t i) {
    wend__traffic_agent *in_traffic = &crowd->in_traffic[i];
    const wend__version *view = wend__version_view(version, in_traffic->mover);
    const wend_cell at = in_traffic->at, next = in_traffic->next;
    const wend_cell way = wend__map_apart(crowd->def.map, at, next);
    const bool body = in_traffic->body, x_first = !body || wend__line_is_along_x(crowd, i);
    wend_cell corners[2];
    bool leads[2], several;
    if (!way.x || !way.y || !wend__is_unit(way.x) || !wend__is_unit(way.y)) return;
    if (body ? wend__traffic_diagonal_is_free(crowd->traffic, version, i, next) : in_traffic->size > 1) return;
    for (uint32_t k = 0; k < 2; k++) leads[k] = wend__find_corner(view, at, next, x_first == (k > 0), &corners[k]);
    if (!body && !(leads[0] && is_disc(crowd, corners[0])) && !(leads[1] && is_disc(crowd, corners[1]))) return;
    int32_t least = INT32_MAX;
    for (uint32_t k = 0; k < 2; k++) {
        if (!leads[k] || wend__step_cost(version, in_traffic->mover, at, corners[k]) == UINT64_MAX) continue;
        if (wend__step_cost(version, in_traffic->mover, corners[k], next) == UINT64_MAX) continue;
        const int32_t holder = wend__traffic_other_holder(crowd->traffic, i, corners[k], &several);
        const bool parked = holder >= 0 && crowd->in_traffic[holder].parked;
        const bool second = k != (body ? 0 : i & 1); /* by turns, else all would take one */
        const int32_t cost = 4 * (holder >= 0) + 2 * parked + second;
        if (cost < least) least = cost, in_traffic->next = corners[k];
    }
}

/* Finds the neighbour of a cell to which an agent may go at once, as nobody stands there. */
static bool find_free(const wend_crowd *crowd, const wend__version *version, uint32_t i, wend_cell from, wend_cell way,
                      wend_cell *to) {
    const int32_t mover = crowd->in_traffic[i].mover;
    return wend__find_beside(wend__version_view(version, mover), from, way.x, way.y, to) &&
           wend__map_occupants(crowd->def.map, *to) == 0 && wend__step_cost(version, mover, from, *to) != UINT64_MAX;
}

/* Returns whether an agent goes along a straight way at three quarters of the speed of another one behind it, at most.
 */
static bool is_slower(const wend_crowd *crowd, uint32_t i, uint32_t behind, wend_cell way) {
    const wend__traffic_agent *slow = &crowd->in_traffic[i];
    const bool steps = !wend__same_cell(slow->from, slow->at);
    const wend_cell to = wend__map_apart(crowd->def.map, steps ? slow->from : slow->at, steps ? slow->at : slow->next);
    return to.x * way.x + to.y * way.y > 0 && 4 * (uint64_t)crowd->speed[i] <= 3 * (uint64_t)crowd->speed[behind];
}

/* Lets an agent step aside to overtake a slower one that holds one of the next two cells of its straight way, where one
 * of both has a body, and the cell beside it and the two ahead of that are free. */
static void overtake(wend_crowd *crowd, const wend__version *version, uint32_t i) {
    wend__traffic_agent *own = &crowd->in_traffic[i];
    const wend_cell at = own->at, way = wend__map_apart(crowd->def.map, at, own->next);
    if (own->size > 1 || own->steered || own->ghost || crowd->agents[i].goal.kind == WEND__GOAL_NONE) return;
    if ((way.x != 0) == (way.y != 0) || !wend__is_unit(way.x) || !wend__is_unit(way.y)) return;
    const wend__version *view = wend__version_view(version, own->mover);
    int32_t other = WEND__NO_AGENT;
    wend_cell ahead = at;
    for (int32_t k = 1; k <= 2 && other < 0; k++) {
        if (!wend__find_beside(view, ahead, way.x, way.y, &ahead)) return;
        other = wend__traffic_holder(crowd->traffic, ahead);
    }
    if (other < 0 || (!own->body && !crowd->in_traffic[other].body)) return;
    if (!is_slower(crowd, (uint32_t)other, i, way)) return;
    for (int32_t k = 0; k < 2; k++) {
        const int32_t side = k == (int32_t)(i & 1) ? -1 : 1;
        const wend_cell aside = {side * way.y, side * way.x, 0};
        wend_cell beside, first, second;
        if (!find_free(crowd, version, i, at, aside, &beside)) continue;
        if (!find_free(crowd, version, i, beside, way, &first)) continue;
        if (!find_free(crowd, version, i, first, way, &second)) continue;
        own->next = beside;
        return;
    }
}

/* Returns whether an agent without a goal stands on a cell. */
static bool is_at_home(const wend_crowd *crowd, wend_cell cell) {
    const int32_t holder = wend__traffic_holder(crowd->traffic, cell);
    return holder >= 0 && crowd->phase[holder] == WEND__PHASE_ASLEEP &&
           crowd->agents[holder].goal.kind == WEND__GOAL_NONE;
}

/* Returns whether an agent had fewer steps left than ever before within the time of a few steps: it goes in no circle. */
static bool gets_on(const wend_crowd *crowd, uint32_t i) {
    enum { GETS_ON = 3, MILLI = 1000 }; /* steps; thousandths of a cell, or of a unit of time */
    const uint64_t updates = crowd->counts.updates - crowd->agents[i].stall.since;
    return updates * crowd->elapsed / MILLI * crowd->speed[i] <= GETS_ON * MILLI;
}

/* Writes the ways of two steps past the next place: aside and on, or round a corner of a diagonal.
 * @param side   0: on the side of the line; 1: on the other one */
static void ways_past(const wend_crowd *crowd, uint32_t i, wend_cell way, uint32_t side, wend_cell ways[2]) {
    if (way.x && way.y) {
        const bool along_x = wend__line_is_along_x(crowd, i) == (side == 0);
        ways[0] = ways[1] = along_x ? (wend_cell){way.x, 0, 0} : (wend_cell){0, way.y, 0};
        return;
    }
    const int64_t turn = wend__vec_cross((wend__vec){way.x, way.y}, wend__line_left(crowd, i));
    const int32_t sign = (turn == 0 ? i & 1 : turn < 0) == (side == 0) ? -1 : 1;
    ways[0] = (wend_cell){-sign * way.y, sign * way.x, 0};
    ways[1] = way;
}

/* Leads a disc in open ground past one that is at home on its next place, instead of pushing that off, where the cells
 * past it are free. */
static void go_past(wend_crowd *crowd, const wend__version *version, uint32_t i) {
    wend__traffic_agent *own = &crowd->in_traffic[i];
    const wend_cell way = wend__map_apart(crowd->def.map, own->at, own->next);
    if (!own->body || own->size > 1 || own->steered || own->ghost) return;
    if ((!way.x && !way.y) || !wend__is_unit(way.x) || !wend__is_unit(way.y)) return;
    if (!is_at_home(crowd, own->next) || wend__same_cell(own->next, crowd->agents[i].path.end)) return;
    if (crowd->agents[i].goal.kind == WEND__GOAL_NONE || !gets_on(crowd, i)) return;
    if (!wend__bodies_in_open(crowd->bodies->engine, i)) return;
    for (uint32_t side = 0; side < 2; side++) {
        wend_cell ways[2], first, second;
        ways_past(crowd, i, way, side, ways);
        if (!find_free(crowd, version, i, own->at, ways[0], &first)) continue;
        if (!find_free(crowd, version, i, first, ways[1], &second)) continue;
        own->next = first;
        return;
    }
}

/* Returns whether an agent in a crowd with bodies may go on where narrow ways are ahead. Crowds of small discs alone
 * change places in them. */
static bool may_pass(wend_crowd *crowd, const wend__version *version, uint32_t i) {
    wend_cell cells[WEND__TURN_CELLS] = {crowd->in_traffic[i].at};
    const wend__traffic_agent *own = &crowd->in_traffic[i];
    if (own->steered || own->ghost || crowd->agents[i].goal.kind == WEND__GOAL_NONE) return true;
    if (crowd->count == crowd->body_count && wend__body_is_small(wend__bodies_get(crowd->bodies->engine, i)))
        return true;
    const uint32_t count = 1 + wend__path_next_cells(crowd, i, cells + 1, WEND__TURN_CELLS - 1);
    return wend__traffic_may_pass(crowd->traffic, version, i, cells, count, (uint32_t)crowd->counts.updates);
}

/* Leads a vehicle before a taken diagonal over a corner that nobody holds, if an arc leads there. */
static void round_corner(wend_crowd *crowd, const wend__version *version, uint32_t i) {
    wend__traffic_agent *in_traffic = &crowd->in_traffic[i];
    const wend_cell at = in_traffic->at, next = in_traffic->next, way = wend__map_apart(crowd->def.map, at, next);
    wend_cell corner;
    bool several;
    if (!way.x || !way.y || wend__traffic_diagonal_is_free(crowd->traffic, version, i, next)) return;
    for (uint32_t k = 0; k < 2; k++) {
        if (!wend__find_corner(wend__version_view(version, in_traffic->mover), at, next, k > 0, &corner)) continue;
        if (wend__traffic_other_holder(crowd->traffic, i, corner, &several) >= 0 ||
            !wend__vehicle_leads(crowd->bodies->engine, i, corner))
            continue;
        if (wend__step_cost(version, in_traffic->mover, at, corner) == UINT64_MAX) continue;
        in_traffic->next = corner;
        return;
    }
}

/* Lets a vehicle turn within its place first, if its arc ends there; it steps only where an arc leads. */
static void drive_on(wend_crowd *crowd, const wend__version *version, uint32_t i) {
    wend__traffic_agent *in_traffic = &crowd->in_traffic[i];
    if (wend__body_leaps(version, in_traffic->size, in_traffic->at, in_traffic->next)) return;
    const wend__body *body = wend__bodies_get(crowd->bodies->engine, i);
    const bool stays = wend__vehicle_stays(crowd->bodies->engine, i);
    if (stays && (body->velocity.x || body->velocity.y)) wend__agent_touch(crowd, i)->stall.stood = 0;
    round_corner(crowd, version, i);
    if (stays || !wend__vehicle_leads(crowd->bodies->engine, i, in_traffic->next)) in_traffic->next = in_traffic->at;
}

/* Returns whether an agent that has long come no nearer to its target, which stands, would push one off that follows the
 * same and is as near: two would push each other for ever. */
static bool is_as_near(const wend_crowd *crowd, uint32_t i, uint32_t other) {
    enum { LONG = 128 }; /* updates */
    if (!wend__follow_the_same(crowd, i, other)) return false;
    if (crowd->counts.updates - crowd->agents[i].stall.since < LONG) return false;
    const uint32_t target = crowd->agents[i].goal.target.index;
    const wend_cell at = crowd->in_traffic[target].at;
    return crowd->phase[target] == WEND__PHASE_ASLEEP &&
           wend__cells_apart(crowd->def.map, crowd->in_traffic[other].at, at) <=
               wend__cells_apart(crowd->def.map, crowd->in_traffic[i].at, at);
}

/* Lets a body rest behind one that follows the same target and is with it, or as near, instead of pushing that away. */
static void rest_behind_companion(wend_crowd *crowd, uint32_t i) {
    wend__traffic_agent *in_traffic = &crowd->in_traffic[i];
    const int32_t holder = wend__traffic_holder(crowd->traffic, in_traffic->next);
    if (holder < 0 || holder == (int32_t)i) return;
    if (wend__is_companion(crowd, i, (uint32_t)holder) || is_as_near(crowd, i, (uint32_t)holder))
        in_traffic->next = in_traffic->at;
}

void wend__next_step_among_discs(wend_crowd *crowd, const wend__version *version, uint32_t i) {
    wend__traffic_agent *in_traffic = &crowd->in_traffic[i];
    if (wend__leave_wall(crowd, version, i)) return;
    if (!may_pass(crowd, version, i)) in_traffic->next = in_traffic->at;
    if (!in_traffic->body || !wend__bodies_is_vehicle(crowd->bodies->engine, i)) {
        straighten(crowd, version, i);
        overtake(crowd, version, i);
        go_past(crowd, version, i);
    } else if (!wend__same_cell(in_traffic->next, in_traffic->at)) {
        drive_on(crowd, version, i);
    }
    if (in_traffic->body) rest_behind_companion(crowd, i);
}
