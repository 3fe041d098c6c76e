/* SPDX-License-Identifier: MIT */
/* Internal: the way that an agent has before it. */
#ifndef WEND_SRC_CROWD_PATHS_TRIP_H
#define WEND_SRC_CROWD_PATHS_TRIP_H

#include "crowd/state/crowd_state.h"

/// No path and no trail; it is where it is.
void wend__path_clear(wend_crowd *crowd, uint32_t index);
/// Steps that are left, back along the trail too.
static inline uint32_t wend__path_steps(const wend__agent_path *path) {
    return path->stored.steps + path->recent_count;
}

/// The next cell; its own where there is none.
wend_cell wend__path_next(const wend_crowd *crowd, uint32_t index);
/// The agent holds another cell now: its next one, or one that it was pushed to. False: no trail leads back to its
/// path.
bool wend__path_step_began(wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell before);
/// A pushed agent stands: cut its trail short where a step leads back to its path.
void wend__path_rejoin(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// How many of the path's next steps can be walked on this version; UINT32_MAX: all those that are looked at. Each step
/// is looked at once a version.
uint32_t wend__path_check(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// The cell `steps` ahead on the path, not on the trail.
wend_cell wend__path_cell_ahead(const wend_crowd *crowd, uint32_t index, uint32_t steps);
/// Replace the path by an answer. False: it does not begin where the agent is or will be.
bool wend__path_splice(wend_crowd *crowd, uint32_t index, const wend_cell *cells, size_t count, uint8_t ends);

/// For wend__traffic_decide(): context is the crowd.
uint32_t wend__path_next_cells(void *context, uint32_t index, wend_cell *cells, uint32_t capacity);

#endif
