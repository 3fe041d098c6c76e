/* SPDX-License-Identifier: MIT */
/* Internal: lists of agents whose wishes belong together: those that flee from one agent for good, and those on their
 * way to places at the end of one route. */
#ifndef WEND_SRC_CROWD_STATE_PEERS_H
#define WEND_SRC_CROWD_STATE_PEERS_H

#include "crowd/state/crowd_state.h"

/// Put an agent that is in no list into one.
/// @param first   one more than the list's first agent; 0: none
void wend__peers_join(wend_crowd *crowd, uint32_t *first, uint32_t index);
/// Take an agent out of its list, if it is in one.
void wend__peers_leave(wend_crowd *crowd, uint32_t index);

#endif
