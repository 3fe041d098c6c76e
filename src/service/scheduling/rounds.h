/* SPDX-License-Identifier: MIT */
/* Internal: the rounds of a frame. */
#ifndef WEND_SRC_SERVICE_ROUNDS_H
#define WEND_SRC_SERVICE_ROUNDS_H

#include "service/state/service_state.h"

void wend__rounds(wend_service *service, wend__turn *turn);

#endif
