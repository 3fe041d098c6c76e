/* SPDX-License-Identifier: MIT */
/* Internal: an agent's goal begins and ends. */
#ifndef WEND_SRC_AGENTS_ORDERS_GOAL_H
#define WEND_SRC_AGENTS_ORDERS_GOAL_H

#include "agents/state/bodies.h"

/// Returns WEND_OK if the numbers of a goal are in their ranges: those that its kind has. The cell and the target are
/// not checked.
wend_error wend__goal_check(const wend_crowd *crowd, const wend_crowd_goal *def);
/// Replaces the goal of an agent. Its path stays until the new one is found. wend__events_fit() must hold, and a wary
/// agent's mover be decided.
void wend__goal_begin(wend_crowd *crowd, uint32_t index, const wend__agent_goal *goal);
/// Decides as which mover a wary agent goes to a goal.
void wend__goal_decide_mover(wend_crowd *crowd, uint32_t index, const wend__agent_goal *goal);
/// Ends the goal of an agent, with an event. The agent stays where it is, or where its step ends.
void wend__goal_end(wend_crowd *crowd, uint32_t index, int32_t event, int32_t why);
/// Ends a goal that no way leads to, by WEND_WHY_…. A goal without an end is checked again later.
void wend__goal_give_up(wend_crowd *crowd, uint32_t index, int32_t why);
/// Ends a goal as blocked if for WEND__STALL_ENDS, and the time of the way that is left, no fewer steps were left than
/// ever before in this goal. Not one that has no end, nor while its agent waits for a way. @return whether it ended
bool wend__goal_end_stalled(wend_crowd *crowd, uint32_t index);
/// Returns the copy of a route for a mover, created at its first use; WEND__NO_ROUTE: no room.
uint32_t wend__route_for(wend_crowd *crowd, uint32_t route, int32_t mover);
/// Clears the goal, without an event. The agent stays where it is, or where its step ends.
void wend__goal_clear(wend_crowd *crowd, uint32_t index);
/// Puts an agent at rest to sleep: updates skip it. Others may push it.
void wend__agent_sleep(wend_crowd *crowd, uint32_t index);

/// Wakes the agents that keep fleeing from `target`, because it has moved.
void wend__fleers_wake(wend_crowd *crowd, uint32_t target);
/// Wakes the agents that keep fleeing from `target`, and releases them from it, because it is removed.
void wend__fleers_release(wend_crowd *crowd, uint32_t target);

/// Finds a place near a goal's cell, or in a formation, for each of several agents: crowd->group.goals, ends_partial
/// and flows.
/// @return false: an agent is named twice
bool wend__group_places(wend_crowd *crowd, const wend_agent_id *ids, uint32_t count, const wend_crowd_goal *def);
/// Sets the speed of an agent to its own, or to what its goal allows.
void wend__goal_set_speed(wend_crowd *crowd, uint32_t index);

/// Returns whether a cell is within reach of the goal cell.
static inline bool wend__is_at_goal(const wend_crowd *crowd, wend_cell at, const wend__agent_goal *goal) {
    if (goal->reach == 0) return wend__same_cell(at, goal->cell);
    return wend__crowd_within(crowd, goal->cell, goal->reach, at);
}

/// Returns whether an agent meets its goal. FOLLOW: whether it is near enough.
bool wend__goal_is_met(const wend_crowd *crowd, const wend__version *version, uint32_t index);
/// Obstacles on the cells that an agent would cover.
typedef struct wend__cell_takers {
    int32_t holder; ///< another agent on these cells; WEND__NO_AGENT: none
    bool stands;    ///< an agent there is asleep and will not step aside
    bool at_goal;   ///< one of the standing agents is on its goal
    bool foreign;   ///< a host's unit, a steered or parked agent at rest, or a blocked one that this agent waits
                    ///< for: none can be pushed
    bool hosts;     ///< a foreign unit is the host's, which may remove it
} wend__cell_takers;

/// Finds other agents on the cells that an agent would cover with its own cell there.
wend__cell_takers wend__cells_taken_by(const wend_crowd *crowd, uint32_t index, wend_cell cell);
/// Returns true if an agent that will not step aside, or a unit of the host, is in the agent's way at `cell`.
bool wend__is_taken(const wend_crowd *crowd, uint32_t index, wend_cell cell);
/// Returns whether two agents follow the same one.
bool wend__follow_the_same(const wend_crowd *crowd, uint32_t index, uint32_t other);
/// Returns whether two agents follow one target, and the other one stands next to that target and stays.
bool wend__is_companion(const wend_crowd *crowd, uint32_t index, uint32_t other);
/// Returns true if an agent without a goal cannot go home: its home is taken. An agent that keeps its goal cell makes
/// agents without one leave that cell.
/// @param for_good   receives true if only agents that will not step aside stand there
bool wend__home_is_taken(const wend_crowd *crowd, uint32_t index, bool *for_good);
/// Takes an agent out of the list of those with an ordered step.
void wend__stepping_remove(wend_crowd *crowd, uint32_t index);
/// Drops the ordered step, without an event.
void wend__steer_drop_step(wend_crowd *crowd, uint32_t index);

/* ---- steer.c: agents that the host moves step by step ---- */

/// Sets agent.next of a steered agent at rest to the ordered step, if it is legal on this version.
void wend__steer_choose_step(wend_crowd *crowd, const wend__version *version, uint32_t index);
void wend__steer_step_began(wend_crowd *crowd, uint32_t index);
/// Updates a steered agent that the host has put on another cell.
void wend__steer_moved(wend_crowd *crowd, uint32_t index);
/// Brings an agent to rest where traffic has put it.
/// @param keeps_path   its path leads on from there; else it is lost
void wend__agent_settle(wend_crowd *crowd, uint32_t index, bool steered, bool keeps_path);
/// Ends an update in which time passed: agents that could not begin their steps report GAVE_UP.
void wend__steer_end_update(wend_crowd *crowd);

/* ---- danger.c: ground that an agent avoids or shuns ---- */

/// Lets a wary agent at rest leave such ground. @return whether it is on its way out, and does nothing else
bool wend__danger_leave(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// Wakes agents at rest on such ground, after an edit.
void wend__danger_wake(wend_crowd *crowd, const wend__version *version);

/* ---- clear_box.c: boxes that the host clears ---- */

/// Wakes the agents that are to leave a box.
void wend__boxes_begin_update(wend_crowd *crowd);
/// After an agent has chosen its step: makes it leave the boxes that it is in.
void wend__agent_leave_box(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// Reports boxes that have become empty.
void wend__boxes_end_update(wend_crowd *crowd);
/// Releases all boxes.
void wend__boxes_release(wend_crowd *crowd);

/* ---- choose_step.c: what an agent at rest does next ---- */

/// Ends the goal of an agent at rest, or sets agent.next to the step that it wants. May begin searches.
void wend__agent_choose_step(wend_crowd *crowd, const wend__version *version, uint32_t index);

/* ---- pieces ---- */

/// FOLLOW and FLEE: handles the target's moves. Returns whether the agent is done in this update.
bool wend__pursue(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// ROUTE: extends the path along the route. Returns whether the agent is done in this update.
bool wend__patrol(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// Leads an agent without a goal back to its home.
void wend__go_home(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// Searches again because others block the way, or ends the goal after the last try.
/// @param ahead    the next cell
/// @param taken    the path's end is taken: the agent does not wait
void wend__try_again(wend_crowd *crowd, uint32_t index, wend_cell ahead, bool taken);
/// Gives the agent a place at the end of its route if it is near and the end is taken. The place becomes its goal.
/// @return whether the agent has a place
bool wend__route_end_check(wend_crowd *crowd, uint32_t index);
/// Gives an agent at the end of its route, or on its way to a place there, another one. @return whether there is one
bool wend__end_place_assign(wend_crowd *crowd, uint32_t index);
/// Gives an agent with a goal cell a place near it. @return whether there is one
bool wend__cell_place_assign(wend_crowd *crowd, uint32_t index);
/// Gives an agent that meets its goal in a doorway a place that meets it, too. @return whether there is one
bool wend__doorway_leave(wend_crowd *crowd, const wend__version *version, uint32_t index);

#endif
