/* SPDX-License-Identifier: MIT */
/* Internal: a lane runs its requests, a piece at a time. */
#ifndef WEND_SRC_SERVICE_LANE_H
#define WEND_SRC_SERVICE_LANE_H

#include "service/state/service_state.h"

/// Before a round's first piece.
void wend__lane_begin(wend__lane *lane);
/// Spend up to `most` of what is left of its grant. What it does in the round is the same for any pieces.
/// @return false: its grant is spent, or its list is done
bool wend__lane_run(wend_service *service, wend__lane *lane, uint64_t most);

#endif
