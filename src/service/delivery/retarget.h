/* SPDX-License-Identifier: MIT */
/* Internal: the goal of a request moves. */
#ifndef WEND_SRC_SERVICE_RETARGET_H
#define WEND_SRC_SERVICE_RETARGET_H

#include "service/state/service_state.h"

void wend__retarget(wend_service *service, uint32_t entry, wend_cell goal);

#endif
