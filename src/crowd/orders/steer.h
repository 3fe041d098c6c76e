/* SPDX-License-Identifier: MIT */
/* Internal: agents that the host moves step by step. */
#ifndef WEND_SRC_CROWD_ORDERS_STEER_H
#define WEND_SRC_CROWD_ORDERS_STEER_H

#include "crowd/state/crowd_state.h"

/// Drops the ordered step, without an event.
void wend__steer_drop_step(wend_crowd *crowd, uint32_t index);
/// Sets traveller.next of a steered agent at rest to the ordered step, if it is legal on this version.
void wend__steer_choose_step(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// Updates a steered agent whose step begins.
void wend__steer_step_began(wend_crowd *crowd, uint32_t index);
/// Updates a steered agent that the host has put on another cell.
void wend__steer_moved(wend_crowd *crowd, uint32_t index);
/// Ends an update in which time passed: agents whose steps have not begun give GAVE_UP.
void wend__steer_end_update(wend_crowd *crowd);

#endif
