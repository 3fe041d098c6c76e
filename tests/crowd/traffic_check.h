/* SPDX-License-Identifier: MIT */
/* Checks of every decision, by plain rules of their own: no shared cell, legal steps only, no swap, no crossing. */
#ifndef WEND_TESTS_TRAFFIC_CHECK_H
#define WEND_TESTS_TRAFFIC_CHECK_H

#include "crowd/traffic_world.h"

/// Returns whether a step is legal on the checker's own terrain, under the default rules.
bool traffic_check_step(const traffic_world *world, wend_cell from, wend_cell to);
/// Call them right before and after a decision. They set world->fault.
void traffic_check_before(traffic_world *world);
void traffic_check_after(traffic_world *world);

#endif
