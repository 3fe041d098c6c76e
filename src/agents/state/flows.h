/* SPDX-License-Identifier: MIT */
/* Internal: the flow fields of a crowd. A large group follows one field instead of a search for each agent. */
#ifndef WEND_SRC_AGENTS_STATE_FLOWS_H
#define WEND_SRC_AGENTS_STATE_FLOWS_H

#include "agents/state/crowd_state.h"

/// Returns the bytes of a field on a map; 0: maps of this kind have no fields.
size_t wend__flow_bytes(const wend_crowd_def *def);
/// Destroys unused fields and creates the fields that goals wait for. Not while the service ticks.
void wend__flows_update(wend_crowd *crowd);
/// Makes the field of a restored flow. @param completes   at once, outside any frame
void wend__flow_repeat(wend_crowd *crowd, uint32_t number, bool completes);
/// Destroys all fields.
void wend__flows_release(wend_crowd *crowd);

/// Claims a field to a goal for `agents` agents, until wend__flows_unclaim().
/// @param apart     cells from the goal to the farthest of their places
/// @param urgency   the largest of their urgencies
/// @return the field's number, plus 1; 0: too few agents, or all fields are in use
uint8_t wend__flow_claim(wend_crowd *crowd, uint32_t agents, int32_t mover, wend_cell goal, uint32_t apart,
                         int32_t urgency);
void wend__flows_unclaim(wend_crowd *crowd);
/// Counts an agent that goes to one cell. Claims a field once enough agents go there; later ones get it, too.
void wend__flow_count_goal(wend_crowd *crowd, uint32_t index, wend__agent_goal *goal);

/// Counts the goals that use a field.
void wend__flow_join(wend_crowd *crowd, const wend__agent_goal *goal);
void wend__flow_leave(wend_crowd *crowd, wend__agent_goal *goal);

/* ---- the way ---- */

/// Returns whether a cell is so near the goal that the agent searches from there.
bool wend__flow_is_near(const wend_crowd *crowd, const wend__agent_goal *goal, wend_cell at);
/// Extends the agent's path along its field. Returns whether the agent has to wait for the field.
bool wend__flow_follow(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// Cuts the path `open` steps ahead, where an edit closed a step. Returns whether the agent has to wait there.
bool wend__flow_cut(wend_crowd *crowd, const wend__version *version, uint32_t index, uint32_t open);

#endif
