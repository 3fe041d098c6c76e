/* SPDX-License-Identifier: MIT */
/* Internal: lists of requests. */
#ifndef WEND_SRC_SERVICE_CHAIN_H
#define WEND_SRC_SERVICE_CHAIN_H

#include "service/state/service_state.h"

void wend__chain_append(wend_service *service, wend__chain *chain, uint32_t entry);
void wend__chain_remove(wend_service *service, wend__chain *chain, uint32_t entry);

#endif
