/* SPDX-License-Identifier: MIT */
/* Internal: agents that the host moves step by step. */
#ifndef WEND_SRC_CROWD_ORDERS_STEER_H
#define WEND_SRC_CROWD_ORDERS_STEER_H

#include "crowd/state/crowd_state.h"

/// Forget the step that is ordered, without an event.
void wend__steer_drop_step(wend_crowd *crowd, uint32_t index);
/// A steered agent at rest: traveller.next is the step that is ordered, if it is legal on this version.
void wend__steer_choose_step(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// A step of a steered agent begins.
void wend__steer_step_began(wend_crowd *crowd, uint32_t index);
/// The host has put a steered agent elsewhere.
void wend__steer_moved(wend_crowd *crowd, uint32_t index);
/// End of an update in which time went by: the agents whose steps have not begun give GAVE_UP.
void wend__steer_end_update(wend_crowd *crowd);

#endif
