/* SPDX-License-Identifier: MIT */
/* Internal: a lane runs its requests. */
#ifndef WEND_SRC_SERVICE_LANE_H
#define WEND_SRC_SERVICE_LANE_H

#include "service/state/service_state.h"

void wend__lane_run(wend_service *service, wend__lane *lane);

#endif
