/* SPDX-License-Identifier: MIT */
/* Internal to this room: agents that are put elsewhere, and agents that are away. */
#ifndef WEND_SRC_CROWD_AGENTS_AGENTS_H
#define WEND_SRC_CROWD_AGENTS_AGENTS_H

#include "crowd/state/crowd_state.h"

enum { WEND__UNITS_OF_COST = 1000000, WEND__MOST_ROUNDS = 64 }; ///< progress by cost; steps of an agent in an update

/// Returns the progress of an agent in this update.
static inline int64_t wend__agent_progress(const wend_crowd *crowd, uint32_t index) {
    return crowd->speed[index] * crowd->scale;
}

/// Brings an agent to rest where traffic has put it.
/// @param keeps_path   its path leads on from there; else it is lost
void wend__agent_settle(wend_crowd *crowd, uint32_t index, bool steered, bool keeps_path);

/* ---- validate.c ---- */

/// Asserts the invariants between updates, in debug builds. With many agents, each update checks a part of them.
#ifdef WEND_DEBUG
void wend__crowd_validate(const wend_crowd *crowd);
#else
#define wend__crowd_validate(crowd) ((void)0)
#endif

/* ---- away.c: agents in unloaded chunks ---- */

/// Finds the agents in chunks unloaded since the last update: they hold no cell from now on.
void wend__away_begin(wend_crowd *crowd, const wend__version *version);
/// Moves agents that are away along their paths. Where their land is loaded they stand on a free cell again.
void wend__away_update(wend_crowd *crowd, const wend__version *version);

#endif
