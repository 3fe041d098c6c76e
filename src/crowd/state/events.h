/* SPDX-License-Identifier: MIT */
/* Internal: events on their way to the host. */
#ifndef WEND_SRC_CROWD_STATE_NOTES_H
#define WEND_SRC_CROWD_STATE_NOTES_H

#include "crowd/state/crowd_state.h"

/// Returns whether there is room for the events of `goals` more goals. A goal that is replaced needs no more room.
bool wend__events_fit(const wend_crowd *crowd, size_t goals);
/// Reserves room for the event of a goal, or releases it if the goal ends without an event.
void wend__events_reserve(wend_crowd *crowd);
void wend__events_release(wend_crowd *crowd);
/// Adds the event of a goal that ends, in the reserved room.
void wend__events_add_end(wend_crowd *crowd, uint32_t index, int32_t event, int32_t why);
/// Adds a REROUTED event, once an update. Left out if there is no room.
void wend__events_add_reroute(wend_crowd *crowd, uint32_t index);
/// Sorts the events of this update by the serial numbers of their agents, and calls the host back.
void wend__events_deliver(wend_crowd *crowd);

#endif
