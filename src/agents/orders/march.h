/* SPDX-License-Identifier: MIT */
/* Internal: groups that keep their formation on the way. */
#ifndef WEND_SRC_AGENTS_ORDERS_MARCH_H
#define WEND_SRC_AGENTS_ORDERS_MARCH_H

#include "agents/state/crowd_state.h"

/// Allocates a march for a formation whose members are about to join. @return its number, plus 1; 0: all are in use
uint8_t wend__march_claim(wend_crowd *crowd, const wend__formation *formation, int32_t mover);
/// Makes a goal part of a march: a member waits where it is for its place, and the first member leads to its own goal.
void wend__march_prepare(const wend_crowd *crowd, uint32_t index, uint8_t march, uint32_t station,
                         wend__agent_goal *goal);
/// Joins the march of the goal that the agent has begun.
void wend__march_join(wend_crowd *crowd, uint32_t index);
/// Gives members their next places, and stops leaders with members behind. Once an update, before agents choose.
void wend__marches_update(wend_crowd *crowd, const wend__version *version);

/// Returns whether a leader waits for its members, or a member that is ahead for its leader.
bool wend__march_holds(const wend_crowd *crowd, uint32_t index);
/// Lets a member rest where it is until it gets its next place.
void wend__march_rest(wend_crowd *crowd, uint32_t index);

#endif
