/* SPDX-License-Identifier: MIT */
/* Internal: what an agent at rest does next. */
#ifndef WEND_SRC_CROWD_ORDERS_LOOK_H
#define WEND_SRC_CROWD_ORDERS_LOOK_H

#include "crowd/state/crowd_state.h"

/// Returns whether an agent meets its goal. FOLLOW: whether it is near enough.
bool wend__goal_is_met(const wend_crowd *crowd, const wend__version *version, uint32_t index);
/// Ends the goal of an agent at rest, or sets traveller.next to the step that it wants. May begin searches.
void wend__agent_choose_step(wend_crowd *crowd, const wend__version *version, uint32_t index);

/* ---- pieces ---- */

/// FOLLOW and FLEE: handles the target's moves. Returns whether the agent is done in this update.
bool wend__pursue(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// ROUTE: extends the path along the route. Returns whether the agent is done in this update.
bool wend__patrol(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// Leads an agent without a goal back to its home.
void wend__go_home(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// Returns whether an agent that will not step aside, or a unit of the host, stands where the agent would stand at
/// `cell`.
bool wend__is_taken(const wend_crowd *crowd, uint32_t index, wend_cell cell);
/// Searches again because others block the way, or ends the goal after the last try.
/// @param ahead    the next cell
/// @param taken    the path's end is taken: the agent does not wait
void wend__try_again(wend_crowd *crowd, uint32_t index, wend_cell ahead, bool taken);
/// Gives the agent a place at the end of its route if it is near and the end is taken. The place becomes its goal.
/// @return whether the agent has a place
bool wend__route_end_check(wend_crowd *crowd, uint32_t index);
/// Gives the agent another place at the end of its route. @return whether there is one
bool wend__route_end_assign(wend_crowd *crowd, uint32_t index);

#endif
