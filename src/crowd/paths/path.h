/* SPDX-License-Identifier: MIT */
/* Internal: the path of an agent. */
#ifndef WEND_SRC_CROWD_PATHS_TRIP_H
#define WEND_SRC_CROWD_PATHS_TRIP_H

#include "crowd/state/crowd_state.h"

/// Clears the path and the recent cells.
void wend__path_clear(wend_crowd *crowd, uint32_t index);
/// Returns the number of steps left, back to the path included.
static inline uint32_t wend__path_steps(const wend__agent_path *path) {
    return path->stored.steps + path->recent_count;
}

/// Returns the next cell; the agent's own if there is none.
wend_cell wend__path_next(const wend_crowd *crowd, uint32_t index);
/// Updates the path of an agent whose step begins: along its path, or off it. @return false: no way leads back
bool wend__path_step_began(wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell before);
/// Shortens the way back of a pushed agent at rest, if a single step leads to its path.
void wend__path_rejoin(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// Checks the next steps of the path, each once a version.
/// @return how many are open before the first closed one; UINT32_MAX: all that were checked
uint32_t wend__path_check(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// Returns the cell `steps` steps ahead on the path, not counting recent cells.
wend_cell wend__path_cell_ahead(const wend_crowd *crowd, uint32_t index, uint32_t steps);
/// Replaces the path by an answer. Returns false if the answer does not meet the path.
bool wend__path_splice(wend_crowd *crowd, uint32_t index, const wend_cell *cells, size_t count, uint8_t ends);

/// Writes the agent's next cells; the callback of wend__traffic_decide(). The context is the crowd.
uint32_t wend__path_next_cells(void *context, uint32_t index, wend_cell *cells, uint32_t capacity);

#endif
