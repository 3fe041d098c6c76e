/* SPDX-License-Identifier: MIT */
/* Which mover an agent walks as. */
#include "agents/plan/strays.h"

#include "agents/plan/path.h"
#include "agents/state/bodies.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/version/version.h"

void wend__strays_learn(wend_crowd *crowd, const wend__version *version, uint32_t index, int32_t mover) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    agent->own_mover = (uint8_t)mover;
    agent->strays = WEND__STRAYS_NOT;
    agent->wary = wend__version_way_out(version, mover) >= 0;
    crowd->has_wary |= agent->wary;
}

/* Outside of an update the engine of bodies may have a version that is gone. */
static bool disc_becomes(wend_crowd *crowd, uint32_t index, int32_t mover) {
    wend__bodies *engine = crowd->bodies->engine;
    wend__version *version = crowd->has_version ? NULL : wend__bodies_follow_newest(engine, crowd->def.map);
    const bool done = wend__bodies_become(engine, index, mover);
    if (version) wend__map_release(version, false);
    return done;
}

static bool become(wend_crowd *crowd, uint32_t index, int32_t mover) {
    if (crowd->in_traffic[index].body && !disc_becomes(crowd, index, mover)) return false;
    crowd->in_traffic[index].mover = mover;
    wend__agent_touch(crowd, index)->path.verified = 0; /* the other mover's steps were */
    wend__near_forget(crowd, index);
    return true;
}

bool wend__strays_begin(wend_crowd *crowd, uint32_t index, uint8_t strays, int32_t mover) {
    if (!become(crowd, index, mover)) return false;
    wend__agent_touch(crowd, index)->strays = strays;
    return true;
}

void wend__strays_end(wend_crowd *crowd, uint32_t index) {
    if (crowd->agents[index].strays == WEND__STRAYS_NOT || !become(crowd, index, crowd->agents[index].own_mover))
        return;
    wend__agent_touch(crowd, index)->strays = WEND__STRAYS_NOT;
}

bool wend__mover_reaches(const wend__version *version, int32_t mover, wend_cell at, wend_cell goal) {
    const wend__version *view = wend__version_view(version, mover);
    return wend__cell_factor(view, at) > 0 && wend__cell_factor(view, goal) > 0 &&
           wend__version_connected(version, mover, at, goal);
}

void wend__strays_decide(wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell goal) {
    const wend__agent *agent = &crowd->agents[index];
    const int32_t own = agent->own_mover, bolder = wend__version_bolder(version, own);
    const wend_cell at = crowd->in_traffic[index].at;
    if (agent->strays == WEND__STRAYS_OUT) return;
    const bool safe = wend__cell_factor(wend__version_view(version, own), at) > 0; /* else it leaves that first */
    const bool only = safe && bolder >= 0 && !wend__mover_reaches(version, own, at, goal) &&
                      wend__mover_reaches(version, bolder, at, goal);
    if (!only)
        wend__strays_end(crowd, index);
    else if (agent->strays == WEND__STRAYS_NOT)
        (void)wend__strays_begin(crowd, index, WEND__STRAYS_ON, bolder);
}

/* Returns a corner of an agent's route that its own mover cannot reach, or else the first one. */
static wend_cell hardest_corner(const wend_crowd *crowd, const wend__version *version, uint32_t index,
                                uint32_t number) {
    const wend__route *route = &crowd->routes.of[number];
    const uint32_t *corners = &crowd->routes.cells[route->corners];
    const wend_cell at = crowd->in_traffic[index].at;
    for (uint32_t i = 0; i < route->corner_count; i++) {
        const wend_cell corner = wend__cell_of_number(version, corners[i]);
        if (!wend__mover_reaches(version, crowd->agents[index].own_mover, at, corner)) return corner;
    }
    return wend__cell_of_number(version, corners[0]);
}

void wend__strays_decide_for(wend_crowd *crowd, const wend__version *version, uint32_t index,
                             const wend__agent_goal *goal) {
    if (goal->kind == WEND__GOAL_CELL)
        wend__strays_decide(crowd, version, index, goal->cell);
    else if (goal->kind == WEND__GOAL_ROUTE)
        wend__strays_decide(crowd, version, index, hardest_corner(crowd, version, index, goal->route));
    else if (crowd->agents[index].strays == WEND__STRAYS_ON)
        wend__strays_end(crowd, index);
}

void wend__strays_follow(wend_crowd *crowd, const wend__version *version, uint32_t index, int32_t mover) {
    const wend__agent *agent = &crowd->agents[index];
    if (mover == crowd->in_traffic[index].mover || agent->strays == WEND__STRAYS_OUT) return;
    if (agent->goal.kind == WEND__GOAL_ROUTE) return; /* its corners decide */
    const wend__version *own = wend__version_view(version, agent->own_mover);
    if (mover == agent->own_mover)
        wend__strays_end(crowd, index);
    else if (wend__cell_factor(own, crowd->in_traffic[index].at) > 0) /* else it leaves that first */
        (void)wend__strays_begin(crowd, index, WEND__STRAYS_ON, mover);
}
