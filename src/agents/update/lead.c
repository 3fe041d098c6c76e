/* SPDX-License-Identifier: MIT */
/* Leads discs from place to place: the agent of a body holds a place and steps to the next as an agent without a body
 * does, and its disc carries the step out. A step that others block is taken back; leave_wall.c ends one into a wall. */
#include "agents/update/agents.h"

#include "agents/plan/path.h"
#include "agents/plan/window.h"
#include "map/ground/ground.h"
#include "map/version/version.h"

enum {
    ONE = WEND_BODY_UNITS,
    MILLI = 1000,
    UNIT = 1000,               ///< thousandths of a unit of time
    REVERTS_AFTER = 24 * UNIT, ///< time for which others block a step after which a body takes the step back
    LONG = 4                   ///< the same time in multiples, if it has left the cell before
};

/* Slows a body on slow ground. */
int32_t wend__bodies_top_speed(const wend_bodies *bodies, uint32_t index) {
    const wend_crowd *crowd = bodies->crowd;
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const uint32_t milli =
        crowd->speed[index] < WEND_MAX_BODY_SPEED_MILLI ? crowd->speed[index] : WEND_MAX_BODY_SPEED_MILLI;
    const uint32_t factor = wend__cell_factor(wend__version_view(bodies->version, in_traffic->mover), in_traffic->at);
    return wend__most(1, (int32_t)(milli * ONE / MILLI / (factor > 0 ? factor : 1)));
}

bool wend__bodies_may_hold(wend_bodies *bodies, uint32_t i, wend_cell cell) {
    const wend__traffic *traffic = bodies->crowd->traffic;
    const int32_t size = bodies->crowd->in_traffic[i].size;
    for (int32_t k = 0; k < size * size; k++) {
        const wend_cell at = {cell.x + k % size, cell.y + k / size, 0};
        const bool own = wend__traffic_holder(traffic, at) == (int32_t)i;
        if (!own && !wend__traffic_may_hold(traffic, i, at)) return false;
    }
    return true;
}

/* Continues the path at the agent's cell, or looks for the way back to the path. */
static void follow_path(wend_crowd *crowd, uint32_t i) {
    wend__agent_path *path = &wend__agent_touch(crowd, i)->path;
    if (wend__same_cell(path->base, crowd->in_traffic[i].at))
        path->recent_count = 0;
    else if (path->stored.steps > 0)
        path->recent_count = WEND__RECENT_CELLS + 1; /* the agent looks for the way back to the path */
    else
        wend__path_clear(crowd, i);
}

/* Keeps the agent in a step until its disc has arrived. */
static void begin_step(wend_crowd *crowd, uint32_t i) {
    wend__agent_touch(crowd, i)->length = crowd->remaining[i] = 1;
    crowd->phase[i] = WEND__PHASE_STEPPING;
    crowd->in_traffic[i].ready = 0;
}

static wend__vec middle_of(const wend_bodies *bodies, uint32_t i, wend_cell cell) {
    return wend__body_middle(wend__bodies_get(bodies->engine, i), cell);
}

void wend__bodies_hold(wend_bodies *bodies, uint32_t i) {
    wend_crowd *crowd = bodies->crowd;
    wend__traffic_agent *in_traffic = &crowd->in_traffic[i];
    in_traffic->from = in_traffic->next = in_traffic->at;
    in_traffic->waited = 0;
    bodies->lines[i] = (wend__body_line){.steps = 0};
    follow_path(crowd, i);
    const wend__body *body = wend__bodies_get(bodies->engine, i);
    const bool stays = in_traffic->parked || in_traffic->steered; /* where the host has put it */
    wend__bodies_set_place(bodies->engine, i, stays ? body->at : wend__body_middle(body, in_traffic->at));
    if (!wend__bodies_stand(bodies->engine, i)) begin_step(crowd, i);
}

/* Returns whether no wall is on a place. */
static bool is_open(const wend_bodies *bodies, uint32_t i, wend_cell cell) {
    const wend__traffic_agent *in_traffic = &bodies->crowd->in_traffic[i];
    return wend__cell_factor(wend__version_view(bodies->version, in_traffic->mover), cell) > 0;
}

/* Takes back a step if the cell before is free, and the disc in that or, if it may have left it, next to it. Returns
 * whether it did. */
static bool take_back(wend_bodies *bodies, uint32_t i, bool left) {
    wend_crowd *crowd = bodies->crowd;
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[i];
    const wend__body *body = wend__bodies_get(bodies->engine, i);
    if (in_traffic->steered) return false; /* its host was informed that the step began */
    const wend_cell before = in_traffic->from, way = wend__map_apart(crowd->def.map, before, wend__body_cell(body));
    const bool near = left ? wend__is_unit(way.x) && wend__is_unit(way.y) : way.x == 0 && way.y == 0;
    if (wend__same_cell(before, in_traffic->at) || !near) return false;
    if (!is_open(bodies, i, before) || !wend__bodies_may_hold(bodies, i, before)) return false;
    if (!wend__bodies_post_is_free(bodies->engine, i, before)) return false;
    wend__agent *agent = wend__agent_touch(crowd, i);
    if (agent->goal.kind == WEND__GOAL_NONE && wend__same_cell(agent->home, in_traffic->at)) agent->home = before;
    agent->left_cell = in_traffic->at;
    wend__path_step_taken_back(crowd, i, in_traffic->at);
    wend__traffic_put(crowd->traffic, i, before);
    begin_step(crowd, i);
    wend__bodies_set_place(bodies->engine, i, middle_of(bodies, i, before));
    return true;
}

/* Takes back a step if others block the disc for long; after very long even if the disc has left the cell before. */
static void revert(wend_bodies *bodies, uint32_t i) {
    (void)take_back(bodies, i, wend__bodies_get(bodies->engine, i)->blocked > LONG * REVERTS_AFTER);
}

/* Swaps two discs that stand at the ends of a link, and were granted the places of each other. */
static bool swap(wend_bodies *bodies, uint32_t i) {
    const wend_crowd *crowd = bodies->crowd;
    const wend__traffic_agent *own = &crowd->in_traffic[i];
    const int32_t j = wend__traffic_holder(crowd->traffic, own->from);
    if (j < 0 || !crowd->in_traffic[j].body || !wend__same_cell(crowd->in_traffic[j].from, own->at)) return false;
    if (crowd->phase[j] != WEND__PHASE_STEPPING || !wend__same_cell(crowd->in_traffic[j].at, own->from)) return false;
    if (!wend__bodies_stand(bodies->engine, i) || !wend__bodies_stand(bodies->engine, (uint32_t)j)) return false;
    if (!wend__bodies_swap(bodies->engine, i, (uint32_t)j)) return false;
    wend__bodies_set_place(bodies->engine, i, middle_of(bodies, i, own->at));
    wend__bodies_set_place(bodies->engine, (uint32_t)j, middle_of(bodies, (uint32_t)j, own->from));
    return true;
}

/* Returns whether a small disc changes places with another one, by straight steps. */
static bool changes_places(const wend_bodies *bodies, uint32_t i) {
    const wend_crowd *crowd = bodies->crowd;
    const wend__traffic_agent *own = &crowd->in_traffic[i];
    const wend_cell way = wend__map_apart(crowd->def.map, own->from, own->at);
    const int32_t j = wend__traffic_holder(crowd->traffic, own->from);
    if (!wend__is_unit(way.x) || !wend__is_unit(way.y) || (way.x != 0) == (way.y != 0)) return false;
    if (j < 0 || j == (int32_t)i || !crowd->in_traffic[j].body) return false;
    return wend__same_cell(crowd->in_traffic[j].from, own->at) &&
           wend__body_is_small(wend__bodies_get(bodies->engine, i)) &&
           wend__body_is_small(wend__bodies_get(bodies->engine, (uint32_t)j));
}

static bool same_point(wend__vec a, wend__vec b) {
    return a.x == b.x && a.y == b.y;
}

void wend__bodies_lead(wend_bodies *bodies, uint32_t i) {
    wend_crowd *crowd = bodies->crowd;
    wend__traffic_agent *in_traffic = &crowd->in_traffic[i];
    const bool steps = crowd->phase[i] == WEND__PHASE_STEPPING;
    const wend__body *body = wend__bodies_get(bodies->engine, i);
    wend__bodies_set_speed(bodies->engine, i, wend__bodies_top_speed(bodies, i));
    wend__bodies_set_parked(bodies->engine, i, in_traffic->parked);
    wend__bodies_set_going(bodies->engine, i, steps || crowd->agents[i].goal.kind != WEND__GOAL_NONE);
    const wend__vec post = wend__bodies_post(bodies, i);
    if (!steps && body->turning == 0 && !body->swaps && !in_traffic->parked && !in_traffic->steered &&
        same_point(body->post, post) && same_point(body->via, post))
        return; /* it has that place already */
    const bool rests = !steps && wend__path_steps(&crowd->agents[i].path) == 0;
    if (body->turning > 0 && rests && wend__same_cell(wend__body_cell_at(body, body->post), in_traffic->at))
        wend__vehicle_rest(bodies->engine, i);
    const wend_cell last = wend__body_cell_at(body, body->post);
    const wend_cell way = wend__map_apart(crowd->def.map, last, in_traffic->at);
    const bool leaps = wend__body_leaps(bodies->version, in_traffic->size, last, in_traffic->at);
    const wend_cell step = wend__map_apart(crowd->def.map, in_traffic->from, in_traffic->at);
    if (steps && changes_places(bodies, i)) {
        wend__bodies_swap_places(bodies->engine, i, in_traffic->from, in_traffic->at, step, in_traffic->turn);
        return;
    }
    if (body->swaps && steps && wend__same_cell(last, in_traffic->at)) return; /* it is past */
    const bool comes_out = !wend__same_cell(last, in_traffic->at) && body->in_wall;
    if (!leaps && (comes_out || (steps && !body->at_via && !is_open(bodies, i, in_traffic->from)))) {
        wend__bodies_set_place(bodies->engine, i, post); /* straight there: its way or the place before is a wall */
        return;
    }
    if (!leaps && wend__is_unit(way.x) && wend__is_unit(way.y)) {
        wend__bodies_grant(bodies->engine, i, post, in_traffic->turn);
        return;
    }
    const bool fits = wend__bodies_fit(bodies->engine, i, body->mover, in_traffic->at, body->radius); /* at the end */
    if (fits && wend__bodies_moved(bodies->engine, i, post, (wend__vec){0, 0}) == WEND_OK) {
        wend__bodies_set_place(bodies->engine, i, post);
        in_traffic->waited = 0;
    } else if (steps && swap(bodies, i)) {
        in_traffic->waited = 0;
    } else if (steps && ++in_traffic->waited > REVERTS_AFTER / UNIT) {
        revert(bodies, i);
    }
}

/* Takes back the step of another disc that comes into a cell. Returns whether it did. */
static bool turn_away(wend_bodies *bodies, uint32_t i, wend_cell cell) {
    const wend_crowd *crowd = bodies->crowd;
    const int32_t other = wend__traffic_holder(crowd->traffic, cell);
    return other >= 0 && other != (int32_t)i && crowd->in_traffic[other].body &&
           crowd->phase[other] == WEND__PHASE_STEPPING && take_back(bodies, (uint32_t)other, true);
}

/* Lets an agent whose disc was blocked for very long hold the place where that is, if nobody else is there or does. One
 * on its way there goes back first. */
static void hold_here(wend_bodies *bodies, uint32_t i) {
    wend_crowd *crowd = bodies->crowd;
    wend__agent *agent = wend__agent_touch(crowd, i);
    const wend_cell here = wend__body_cell(wend__bodies_get(bodies->engine, i));
    agent->stall.stood += 2 * LONG * REVERTS_AFTER / UNIT;
    if (crowd->in_traffic[i].steered || wend__window_holds(crowd, i)) return;
    if (!is_open(bodies, i, here)) return;
    const uint32_t there = wend__bodies_on_cell(bodies->engine, here);
    const bool turned = there <= 2 && turn_away(bodies, i, here);
    if (there > (turned ? 2 : 1) || !wend__bodies_may_hold(bodies, i, here)) return;
    agent->left_cell = crowd->in_traffic[i].at;
    if (agent->goal.kind == WEND__GOAL_NONE) agent->home = here;
    wend__traffic_put(crowd->traffic, i, here);
    wend__bodies_hold(bodies, i);
}

void wend__bodies_end_steps(wend_bodies *bodies, uint32_t i) {
    const wend__body *body = wend__bodies_get(bodies->engine, i);
    const bool steps = bodies->crowd->phase[i] == WEND__PHASE_STEPPING;
    if (steps && body->blocked > REVERTS_AFTER) revert(bodies, i);
    if (steps && body->blocked > 2 * LONG * REVERTS_AFTER) hold_here(bodies, i);
    const wend__traffic_agent *in_traffic = &bodies->crowd->in_traffic[i];
    if (in_traffic->steered || (in_traffic->parked && !steps)) return; /* the host moves it out of walls */
    wend__end_step_into_wall(bodies, i);
}
