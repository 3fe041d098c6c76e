/* SPDX-License-Identifier: MIT */
/* Internal: an agent sets out before its search ends, and joins the path that it finds. */
#ifndef WEND_SRC_CROWD_PATHS_HEAD_START_H
#define WEND_SRC_CROWD_PATHS_HEAD_START_H

#include "crowd/state/crowd_state.h"

/// Cells that an agent's way walked may have: those of its head start, and some to which others push it.
static inline uint32_t wend__head_start_cells(const wend_crowd_def *def) {
    return def->head_start + 1 + WEND__RECENT_CELLS;
}

/// Cells that a way walked and a prefix take together, at most.
static inline uint32_t wend__head_start_room(const wend_crowd_def *def) {
    return 2 * wend__head_start_cells(def);
}

/// The agent is at rest and waits for a search: lead it along the prefix that the search has by now.
void wend__head_start(wend_crowd *crowd, uint32_t index);
/// The agent holds another cell now.
void wend__head_start_step_began(wend_crowd *crowd, uint32_t index);
/// Replace its path by an answer that begins where it set out. False: it did not set out, or there is no way from where
/// it is to the answer.
bool wend__head_start_join(wend_crowd *crowd, uint32_t index, const wend_cell *cells, size_t count, uint8_t ends);

#endif
