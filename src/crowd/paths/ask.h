/* SPDX-License-Identifier: MIT */
/* Internal: an agent's searches: asked for, and answered by the service. */
#ifndef WEND_SRC_CROWD_PATHS_ASK_H
#define WEND_SRC_CROWD_PATHS_ASK_H

#include "crowd/state/crowd_state.h"

/// Search for the agent's wish, in place of the search that is pending. Where the service takes no more, the search is
/// marked as wanted. The search begins where the agent will be by then: on its path, `limit` steps ahead at most.
void wend__ask(wend_crowd *crowd, uint32_t index, uint8_t purpose, uint32_t limit);
/// Ask for the wanted search again.
void wend__ask_again(wend_crowd *crowd, uint32_t index);
/// Forget the pending or wanted search.
void wend__ask_drop(wend_crowd *crowd, uint32_t index);

/// The cells that a fleeing agent may run to, the first one in *goal, up to WEND_MAX_GOALS - 1 more in crowd->goals.
/// @return the number of all; 0: there are none
uint32_t wend__flee_goals(const wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell *goal);

/// Was a search ended by somebody else? Then it is made again.
static inline bool wend__is_undone(wend_status status) {
    return status == WEND_STATUS_CANCELLED || status == WEND_STATUS_REPLACED || status == WEND_STATUS_DISPLACED ||
           status == WEND_STATUS_STALE;
}

/// The last search found no way, and the agent has patience left: see wend_crowd_def.patience_updates.
static inline bool wend__waits_for_way(const wend_crowd *crowd, uint32_t index) {
    const uint64_t closed_at = crowd->agents[index].patience.closed_at;
    return closed_at > 0 && crowd->counts.updates + 1 - closed_at < crowd->def.patience_updates;
}

/// It waits, and the map is as it was: no search finds a way.
bool wend__asks_in_vain(const wend_crowd *crowd, uint32_t index);

/// A search's answer; the service calls it.
void wend__answer(void *context, const wend_completion *done);

#endif
