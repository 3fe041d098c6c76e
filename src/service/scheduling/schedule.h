/* SPDX-License-Identifier: MIT */
/* Internal: which requests run in a round. */
#ifndef WEND_SRC_SERVICE_SCHEDULE_H
#define WEND_SRC_SERVICE_SCHEDULE_H

#include "service/state/service_state.h"

/// Give requests to lanes. False where nothing can be searched.
bool wend__schedule(wend_service *service, uint64_t left);

/// A frame of so many expansions begins its rounds.
void wend__schedule_begin(wend_service *service, uint64_t expansions);
/// A round is over: note what the fair lanes got of it.
void wend__schedule_settle(wend_service *service);

#endif
