/* SPDX-License-Identifier: MIT */
/* Sets the goal of each body, and reacts when its centre enters another cell. */
#include "agents/manners/boxes.h"
#include "agents/orders/goal.h"
#include "agents/plan/path.h"
#include "map/version/version.h"

/* ---- where a body goes ---- */

/* Returns whether a cell is in a box that is being cleared, and the agent is in none. */
static bool is_closed(const wend_crowd *crowd, uint32_t index, wend_cell cell) {
    return wend__traffic_box_of(crowd->traffic, index, cell) != WEND__NO_BOX &&
           wend__traffic_box_of(crowd->traffic, index, crowd->in_traffic[index].at) == WEND__NO_BOX;
}

/* Returns the last cell of the path before its first link, or before a box that is being cleared, within some cells
 * of the agent.
 * @param steps   receives how many lead there; UINT32_MAX: it is the end of the path */
static wend_cell end_before(const wend_crowd *crowd, const wend__version *version, uint32_t index, uint32_t *steps) {
    enum { LOOKED_AT = 64 };
    const wend__agent_path *path = &crowd->agents[index].path;
    *steps = UINT32_MAX;
    if (!version->links && wend__traffic_boxes(crowd->traffic)->count == 0) return path->end;
    wend__path_reader reader = wend__path_read(&crowd->paths, &path->stored, path->base);
    wend_cell cell = reader.cell;
    for (uint32_t k = 0; k < LOOKED_AT && wend__path_reader_next(&reader); k++, cell = reader.cell) {
        const bool leaps =
            version->links && wend__body_leaps(version, crowd->in_traffic[index].size, cell, reader.cell);
        if (!leaps && !is_closed(crowd, index, reader.cell)) continue;
        *steps = k;
        return cell;
    }
    return path->end;
}

/* Returns the next bend of a path, if a body may not cut it; else its end.
 * @param before   steps to that end */
static wend_cell next_bend(const wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell end,
                           uint32_t before) {
    const wend__agent_path *path = &crowd->agents[index].path;
    if (!wend__path_keeps_bends(crowd, index)) return end;
    const uint32_t steps = wend__near_horizon(crowd, version, index);
    return steps < path->stored.steps && steps < before ? wend__path_cell_ahead(crowd, index, steps) : end;
}

/* Returns whether nothing leads on from the end of the path. */
static bool is_last(const wend__agent_path *path) {
    return path->kind == WEND__PATH_TO_GOAL || path->kind == WEND__PATH_NEAR_GOAL ||
           path->kind == WEND__PATH_BEFORE_UNITS;
}

static wend__body_order go_to(const wend_crowd *crowd, uint32_t index, wend_cell to, bool stands) {
    return (wend__body_order){to, true, stands, crowd->agents[index].goal_number};
}

/* Returns whether a box that is being cleared is next to an agent outside of all boxes: off the middle of its own cell,
 * its body may reach in. */
static bool is_beside_box(const wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend_cell at = crowd->in_traffic[index].at;
    if (WEND__LIKELY(wend__traffic_boxes(crowd->traffic)->count == 0)) return false;
    for (int32_t k = 0; k < 9; k++) {
        const wend_cell next = {at.x + k % 3 - 1, at.y + k / 3 - 1, 0};
        if (is_closed(crowd, index, wend__wrapped_cell(version, next))) return true;
    }
    return false;
}

/* Returns whether an agent is near enough to its standing target: in the middle of its cell it lets others pass. */
static bool rests_with_target(const wend_crowd *crowd, uint32_t index) {
    const uint32_t target = crowd->agents[index].goal.target.index;
    if (crowd->agents[index].goal.kind != WEND__GOAL_FOLLOW || !crowd->agents[index].with_target) return false;
    return crowd->phase[target] <= WEND__PHASE_ASLEEP && crowd->agents[target].goal.kind == WEND__GOAL_NONE &&
           !crowd->agents[target].body_steps;
}

wend__body_order wend__body_order_of(const wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const wend_cell at = in_traffic->at, next = in_traffic->next;
    if (in_traffic->steered && agent->body_steps) return go_to(crowd, index, agent->home, true);
    if (in_traffic->steered) return (wend__body_order){.to = at};
    if (agent->leaves_box) return go_to(crowd, index, next, true);
    const bool beside = is_beside_box(crowd, version, index);
    if (agent->goal.kind == WEND__GOAL_NONE) {
        const bool stays = beside && wend__same_cell(agent->home, at);
        if (stays || is_closed(crowd, index, agent->home)) return go_to(crowd, index, at, true);
        return (wend__body_order){.to = agent->home};
    }
    const bool at_goal = agent->goal.kind == WEND__GOAL_CELL && wend__same_cell(at, agent->goal.cell);
    if (at_goal && agent->goal.reach == 0) return go_to(crowd, index, at, true);
    if (wend__same_cell(next, at) && (beside || rests_with_target(crowd, index))) return go_to(crowd, index, at, true);
    if (wend__same_cell(next, at)) return (wend__body_order){.to = at, .goal = agent->goal_number};
    uint32_t steps;
    const wend_cell end = end_before(crowd, version, index, &steps);
    const wend_cell to = next_bend(crowd, version, index, end, steps);
    return go_to(crowd, index, to, wend__same_cell(to, end) && (steps != UINT32_MAX || is_last(&agent->path)));
}

uint32_t wend__body_way(const wend_crowd *crowd, const wend__version *version, uint32_t index, uint32_t skip,
                        wend_cell *cells, uint32_t capacity) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    if (!crowd->agents[index].leaves_box) return wend__path_body_ahead(crowd, version, index, skip, cells, capacity);
    if (skip > 0 || capacity == 0 || wend__same_cell(in_traffic->next, in_traffic->at)) return 0;
    cells[0] = in_traffic->next;
    return 1;
}

bool wend__body_jump(const wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell *to) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    *to = in_traffic->next;
    return !in_traffic->steered && wend__body_leaps(version, in_traffic->size, in_traffic->at, in_traffic->next) &&
           wend__same_cell(crowd->agents[index].path.base, in_traffic->at);
}

bool wend__body_spares(const wend_crowd *crowd, uint32_t index, uint32_t other, bool pressed) {
    return wend__traffic_waits_for(crowd->traffic, (int32_t)index, (int32_t)other) ||
           crowd->in_traffic[index].follows == other + 1 || (!pressed && wend__is_companion(crowd, index, other));
}

void wend__body_settled(wend_crowd *crowd, uint32_t index) {
    enum { PATIENCE = 32 };
    wend__agent *agent = &crowd->agents[index];
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    agent->body_steps &= in_traffic->steered;
    if (!agent->body_steps) return;
    const bool there = wend__same_cell(agent->home, in_traffic->at);
    if (there && !wend__body_rests(crowd, index)) return;
    if (!there && in_traffic->waited <= PATIENCE) return;
    wend__body_was_put(crowd, index);
}

void wend__body_was_put(wend_crowd *crowd, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    if (agent->goal.kind == WEND__GOAL_NONE) agent->home = crowd->in_traffic[index].at;
    agent->body_steps = false;
}

/* ---- reactions to a body's moves ---- */

/* Sends a body back. If it did not arrive at a goal, not for ever: two bodies may push each other off their homes. */
static void leave_home(wend_crowd *crowd, uint32_t index) {
    enum { MOST_PUSHES = 32 };
    wend__agent *agent = &crowd->agents[index];
    if (agent->keeps_goal || agent->home_pushes < MOST_PUSHES) {
        agent->home_pushes += !agent->keeps_goal;
        crowd->phase[index] = WEND__PHASE_AWAKE;
        return;
    }
    agent->home = crowd->in_traffic[index].at;
    wend__path_clear(crowd, index);
}

bool wend__agent_rest_after_push(wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    if (agent->goal.kind != WEND__GOAL_FOLLOW || agent->path.stored.steps > 0) return false;
    if (agent->path.kind != WEND__PATH_BEFORE_UNITS) return false;
    wend__path_clear(crowd, index);
    crowd->agents[index].path.kind = WEND__PATH_BEFORE_UNITS;
    return true;
}

/* Updates the path, or the place where the agent stands now. */
static void follow(wend_crowd *crowd, const wend__version *version, uint32_t index, bool brakes) {
    wend__agent *agent = &crowd->agents[index];
    if (crowd->in_traffic[index].steered) {
        if (!agent->body_steps) agent->home = crowd->in_traffic[index].at;
        return;
    }
    if (agent->goal.kind == WEND__GOAL_NONE && brakes) {
        agent->home = crowd->in_traffic[index].at;
        wend__path_clear(crowd, index);
        return;
    }
    if (!wend__agent_rest_after_push(crowd, index) && !wend__path_body_moved(crowd, version, index))
        wend__path_clear(crowd, index);
    if (WEND__UNLIKELY(crowd->tuning.link_events > 0)) wend__link_tell_ahead(crowd, version, index);
    if (agent->goal.kind == WEND__GOAL_NONE && crowd->phase[index] == WEND__PHASE_ASLEEP) leave_home(crowd, index);
}

void wend__body_entered(wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell cell, bool brakes) {
    WEND__DEBUG_ASSERT(crowd->in_traffic[index].body && crowd->in_traffic[index].present);
    wend__agent *agent = &crowd->agents[index];
    agent->left_cell = crowd->in_traffic[index].at;
    wend__traffic_body_enter(crowd->traffic, index, cell);
    crowd->counts.steps++;
    if (agent->first_fleer) wend__fleers_wake(crowd, index);
    follow(crowd, version, index, brakes);
}
