/* SPDX-License-Identifier: MIT */
/* Internal: the flow fields of a crowd. A group that is large enough goes by one field instead of a search each. */
#ifndef WEND_SRC_CROWD_FLOW_FLOWS_H
#define WEND_SRC_CROWD_FLOW_FLOWS_H

#include "crowd/state/crowd_state.h"

/// Bytes of a field on a map; 0: fields do not serve it.
size_t wend__flow_bytes(const wend_crowd_def *def);
/// Destroy the fields that nobody uses, and make those that somebody waits for. The service does not tick.
void wend__flows_update(wend_crowd *crowd);
/// Destroy all.
void wend__flows_release(wend_crowd *crowd);

/// Get a field to a goal for so many agents of a mover, and hold it until wend__flows_let_go().
/// @param apart     cells from the goal to the farthest of their places
/// @param urgency   the largest of theirs
/// @return one more than its number; 0: they are too few, or all fields are in use for others
uint8_t wend__flow_claim(wend_crowd *crowd, uint32_t agents, int32_t mover, wend_cell goal, uint32_t apart,
                         int32_t urgency);
void wend__flows_unclaim(wend_crowd *crowd);
/// Count a wish for one cell that begins, and give it a field where so many have that goal now. Later wishes for the
/// goal get the field, too.
void wend__flow_count_goal(wend_crowd *crowd, uint32_t index, wend__agent_goal *goal);

/// A wish begins or ends.
void wend__flow_join(wend_crowd *crowd, const wend__agent_goal *goal);
void wend__flow_leave(wend_crowd *crowd, wend__agent_goal *goal);

/* ---- the way ---- */

/// Is a cell so near the goal that a search leads from there?
bool wend__flow_is_near(const wend_crowd *crowd, const wend__agent_goal *goal, wend_cell at);
/// Keep the field's way before an agent. True: it waits for the field.
bool wend__flow_follow(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// An edit broke its way so many steps ahead. True: it waits there.
bool wend__flow_cut(wend_crowd *crowd, const wend__version *version, uint32_t index, uint32_t open);

#endif
