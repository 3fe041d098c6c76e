/* SPDX-License-Identifier: MIT */
/* Internal: events on their way to the host. */
#ifndef WEND_SRC_CROWD_STATE_NOTES_H
#define WEND_SRC_CROWD_STATE_NOTES_H

#include "crowd/state/crowd_state.h"

/// Is there room for the ends of so many more wishes? A wish that ends needs no more room than it had.
bool wend__events_fit(const wend_crowd *crowd, size_t wishes);
/// Reserve a place for the end of a wish, or release it where the wish ends without an event.
void wend__events_reserve(wend_crowd *crowd);
void wend__events_release(wend_crowd *crowd);
/// A wish ends, and its event takes the place.
void wend__events_add_end(wend_crowd *crowd, uint32_t index, int32_t event, int32_t why);
/// The agent goes another way; once in an update. The event is left out where there is no room for it.
void wend__events_add_reroute(wend_crowd *crowd, uint32_t index);
/// Sort the events of this update by the adding of their agents, and call the host back.
void wend__events_deliver(wend_crowd *crowd);

#endif
