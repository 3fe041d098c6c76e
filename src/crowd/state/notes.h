/* SPDX-License-Identifier: MIT */
/* Internal: events on their way to the host. */
#ifndef WEND_SRC_CROWD_STATE_NOTES_H
#define WEND_SRC_CROWD_STATE_NOTES_H

#include "crowd/state/crowd_state.h"

/// Is there room for the ends of so many more wishes? A wish that ends needs no more room than it had.
bool wend__notes_fit(const wend_crowd *crowd, size_t wishes);
/// Reserve a place for the end of a wish, or release it where the wish ends without an event.
void wend__notes_reserve(wend_crowd *crowd);
void wend__notes_release(wend_crowd *crowd);
/// A wish ends, and its event takes the place.
void wend__notes_end(wend_crowd *crowd, uint32_t index, int32_t event, int32_t why);
/// The agent goes another way; once in an update. The event is left out where there is no room for it.
void wend__notes_rerouted(wend_crowd *crowd, uint32_t index);
/// Sort the events of this update by the adding of their agents, and call the host back.
void wend__notes_report(wend_crowd *crowd);

#endif
