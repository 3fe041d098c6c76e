/* SPDX-License-Identifier: MIT */
/* Internal: an agent's goal begins and ends. */
#ifndef WEND_SRC_CROWD_ORDERS_WISH_H
#define WEND_SRC_CROWD_ORDERS_WISH_H

#include "crowd/state/crowd_state.h"

/// Replaces the goal of an agent. Its path stays until the new one is found. wend__events_fit() must hold.
void wend__goal_begin(wend_crowd *crowd, uint32_t index, const wend__agent_goal *goal);
/// Ends the goal of an agent, with an event. The agent stays where it is, or where its step ends.
void wend__goal_end(wend_crowd *crowd, uint32_t index, int32_t event, int32_t why);
/// Returns the copy of a route for a mover, created at its first use; WEND__NO_ROUTE: no room.
uint32_t wend__route_for(wend_crowd *crowd, uint32_t route, int32_t mover);
/// Clears the goal, without an event. The agent stays where it is, or where its step ends.
void wend__goal_clear(wend_crowd *crowd, uint32_t index);
/// Puts an agent at rest to sleep: updates skip it. Others may push it.
void wend__agent_sleep(wend_crowd *crowd, uint32_t index);

/// Wakes the agents that keep fleeing from `target`, because it has moved.
void wend__fleers_wake(wend_crowd *crowd, uint32_t target);
/// Wakes and releases them, because `target` is removed.
void wend__fleers_release(wend_crowd *crowd, uint32_t target);

/// Finds a place near a cell for each of several agents: crowd->group.goals, ends_partial and flows.
/// @return false: an agent is named twice
bool wend__group_places(wend_crowd *crowd, const wend_agent_id *ids, uint32_t count, wend_cell cell);

#endif
