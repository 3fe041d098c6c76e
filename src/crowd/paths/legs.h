/* SPDX-License-Identifier: MIT */
/* Internal: the searches for the legs of a route. */
#ifndef WEND_SRC_CROWD_PATHS_LEGS_H
#define WEND_SRC_CROWD_PATHS_LEGS_H

#include "crowd/state/crowd_state.h"

/// Requests the legs of a route that have not been requested. Returns whether all legs are found.
bool wend__legs_ready(wend_crowd *crowd, uint32_t route, int32_t urgency);
/// Cancels the searches for legs.
void wend__legs_cancel(wend_crowd *crowd);

#endif
