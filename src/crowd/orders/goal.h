/* SPDX-License-Identifier: MIT */
/* Internal: an agent's wish begins and ends. */
#ifndef WEND_SRC_CROWD_ORDERS_WISH_H
#define WEND_SRC_CROWD_ORDERS_WISH_H

#include "crowd/state/crowd_state.h"

/// Give an agent a wish in place of the one it has. Its path stays until the new one is there. There is room for its
/// event: see wend__notes_fit().
void wend__goal_begin(wend_crowd *crowd, uint32_t index, const wend__agent_goal *goal);
/// End the wish of an agent, with its event. It stays where it is, or where its step leads.
void wend__goal_end(wend_crowd *crowd, uint32_t index, int32_t event, int32_t why);
/// The route as a mover goes it, made where none of its kind has taken it yet. @return WEND__NO_ROUTE: no room
uint32_t wend__route_for(wend_crowd *crowd, uint32_t route, int32_t mover);
/// An agent without a wish stays where it is, or where its step leads.
void wend__goal_clear(wend_crowd *crowd, uint32_t index);
/// An agent at rest wants nothing until something wakes it. Others may push it.
void wend__agent_sleep(wend_crowd *crowd, uint32_t index);

/// An agent is elsewhere: those that flee from it for good are looked at. They are looked at only then, or where they
/// are pushed.
void wend__fleers_wake(wend_crowd *crowd, uint32_t target);
/// An agent is removed: they are looked at, and find that it is gone.
void wend__fleers_release(wend_crowd *crowd, uint32_t target);

/// Find a place near a cell for each of several agents: crowd->group.goals and second_best.
/// @return false: an agent is named twice
bool wend__group_places(wend_crowd *crowd, const wend_agent_id *ids, uint32_t count, wend_cell cell);

#endif
