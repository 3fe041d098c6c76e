/* SPDX-License-Identifier: MIT */
/* Internal: an agent sets out before its search ends, and joins the path that is found. */
#ifndef WEND_SRC_CROWD_PATHS_HEAD_START_H
#define WEND_SRC_CROWD_PATHS_HEAD_START_H

#include "crowd/state/crowd_state.h"

/// Returns the most cells that a head start may have: the definition's, and some that others may push the agent to.
static inline uint32_t wend__head_start_cells(const wend_crowd_def *def) {
    return def->head_start + 1 + WEND__RECENT_CELLS;
}

/// Returns the most cells of a head start and a prefix together.
static inline uint32_t wend__head_start_room(const wend_crowd_def *def) {
    return 2 * wend__head_start_cells(def);
}

/// Leads an agent at rest along the prefix of its pending search.
void wend__head_start(wend_crowd *crowd, uint32_t index);
/// Updates the head start of an agent whose step begins.
void wend__head_start_step_began(wend_crowd *crowd, uint32_t index);
/// Replaces the path by an answer to a search with a head start.
/// @return false: there was no head start, or no way leads from its end to the answer
bool wend__head_start_join(wend_crowd *crowd, uint32_t index, const wend_cell *cells, size_t count, uint8_t ends);

#endif
