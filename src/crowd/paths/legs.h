/* SPDX-License-Identifier: MIT */
/* Internal: the searches of routes: for their legs, and where an agent may join. */
#ifndef WEND_SRC_CROWD_PATHS_LEGS_H
#define WEND_SRC_CROWD_PATHS_LEGS_H

#include "crowd/state/crowd_state.h"

/// Are all legs of a route found? Those that are not asked for are asked for now.
bool wend__legs_ready(wend_crowd *crowd, uint32_t route, int32_t urgency);
/// Cancel the searches for legs.
void wend__legs_cancel(wend_crowd *crowd);

/// Cells of its route that an agent may go to: on its way to join the route the nearest ones, else those behind a gap.
/// The first one in *goal, up to WEND_MAX_GOALS - 1 more in crowd->goals.
/// @return the number of all; 0: there are none
uint32_t wend__route_goals(wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell *goal);

/// May an agent whose route is cut at wish.spot go on at another? At a spot of the same cell only if the step from
/// there is open.
bool wend__route_resumes(const wend_crowd *crowd, const wend__version *version, uint32_t index, wend__route_spot spot);

#endif
