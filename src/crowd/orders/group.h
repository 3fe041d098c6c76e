/* SPDX-License-Identifier: MIT */
/* Internal: an order to several agents: a place for each. */
#ifndef WEND_SRC_CROWD_ORDERS_GROUP_H
#define WEND_SRC_CROWD_ORDERS_GROUP_H

#include "crowd/state/crowd_state.h"

/// Find a place near a cell for each of several agents: crowd->group.goals and second_best.
/// @return false: an agent is named twice
bool wend__group_places(wend_crowd *crowd, const wend_agent_id *ids, uint32_t count, wend_cell cell);

/// Assign `count` places to as many starts, so that ways cross little: group->place_of.
void wend__group_assign(wend__group_room *group, uint32_t count);

#endif
