/* SPDX-License-Identifier: MIT */
/* Internal: places at the end of a route that goes once. */
#ifndef WEND_SRC_CROWD_ORDERS_ROUTE_END_H
#define WEND_SRC_CROWD_ORDERS_ROUTE_END_H

#include "crowd/state/crowd_state.h"

/// An agent's path follows its route. Where it is near the route's end and somebody stands there, the agent gets a
/// place of its own. @return whether it has one now; its wish is that cell
bool wend__route_end_look(wend_crowd *crowd, uint32_t index);
/// An agent cannot get to the end of its route, or to its place there: it gets another place. @return whether it does
bool wend__route_end_place(wend_crowd *crowd, uint32_t index);

#endif
