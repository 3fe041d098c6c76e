/* SPDX-License-Identifier: MIT */
/* Internal: agents that walk as another mover than their own for a time: one that enters what they avoid or shun.
 *
 * All that plans or decides steps reads wend__traffic_agent.mover, so an agent that walks as another mover needs no rules
 * of its own. */
#ifndef WEND_SRC_AGENTS_PLAN_STRAYS_H
#define WEND_SRC_AGENTS_PLAN_STRAYS_H

#include "agents/state/crowd_state.h"

/// Learns an agent's own mover, as which it walks from now on.
void wend__strays_learn(wend_crowd *crowd, const wend__version *version, uint32_t index, int32_t mover);
/// Lets an agent walk as another mover of its size. @return false: no memory for what its disc reads of the ground
bool wend__strays_begin(wend_crowd *crowd, uint32_t index, uint8_t strays, int32_t mover);
/// Lets it walk as its own mover again.
void wend__strays_end(wend_crowd *crowd, uint32_t index);
/// Returns whether a mover stands on two cells, and components do not tell that no way leads from the first to the second.
bool wend__mover_reaches(const wend__version *version, int32_t mover, wend_cell at, wend_cell goal);
/// Decides as which mover an agent goes to a cell: its own or, where that shuns classes and no way round them leads there,
/// the bolder one. An agent in danger leaves that first.
void wend__strays_decide(wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell goal);
/// Decides for a goal. On a route all its corners count, which takes O(corners). To a goal that moves an agent begins as
/// its own mover, and its searches decide.
void wend__strays_decide_for(wend_crowd *crowd, const wend__version *version, uint32_t index,
                             const wend__agent_goal *goal);
/// Lets an agent walk as the mover as which its way was searched: its own, or the bolder one.
void wend__strays_follow(wend_crowd *crowd, const wend__version *version, uint32_t index, int32_t mover);

#endif
