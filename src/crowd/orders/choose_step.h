/* SPDX-License-Identifier: MIT */
/* Internal: what an agent at rest does next. */
#ifndef WEND_SRC_CROWD_ORDERS_LOOK_H
#define WEND_SRC_CROWD_ORDERS_LOOK_H

#include "crowd/state/crowd_state.h"

/// Is an agent where its wish leads it? FOLLOW: is it near enough?
bool wend__goal_is_met(const wend_crowd *crowd, const wend__version *version, uint32_t index);
/// Decide what an agent at rest wants: its wish ends, or traveller.next is the step that it wants. Searches may begin.
void wend__agent_choose_step(wend_crowd *crowd, const wend__version *version, uint32_t index);

/* ---- pieces ---- */

/// FOLLOW and FLEE: look after the target. True: the agent has nothing else to do in this update.
bool wend__pursue(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// ROUTE: keep the route's cells before the agent. True: the agent has nothing else to do in this update.
bool wend__patrol(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// An agent without a wish that is not at home.
void wend__go_home(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// Somebody who stands and will not step aside, or a unit of the host, is on a cell that the agent would cover there.
bool wend__is_taken(const wend_crowd *crowd, uint32_t index, wend_cell cell);
/// Search once more because others are in the way, or end the wish after the last try.
/// @param ahead    the next cell
/// @param taken    the path's end is taken: it does not wait
void wend__try_again(wend_crowd *crowd, uint32_t index, wend_cell ahead, bool taken);
/// An agent's path follows its route. Where it is near the route's end and somebody stands there, the agent gets a
/// place of its own. @return whether it has one now; its wish is that cell
bool wend__route_end_check(wend_crowd *crowd, uint32_t index);
/// An agent cannot get to the end of its route, or to its place there: it gets another place. @return whether it does
bool wend__route_end_assign(wend_crowd *crowd, uint32_t index);

#endif
