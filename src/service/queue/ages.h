/* SPDX-License-Identifier: MIT */
/* Internal: requests that were taken in and are not finished, the oldest first. */
#ifndef WEND_SRC_SERVICE_AGES_H
#define WEND_SRC_SERVICE_AGES_H

#include "service/state/service_state.h"

void wend__ages_add(wend_service *service, uint32_t entry);
void wend__ages_remove(wend_service *service, uint32_t entry);
/// WEND__NONE: there is none.
uint32_t wend__ages_oldest(const wend_service *service);
/// The oldest request that waits to be scheduled, or WEND__NONE. A request that leaves that state in a round must not
/// return to it before wend__ages_begin_round().
uint32_t wend__ages_oldest_waiting(wend_service *service);
void wend__ages_begin_round(wend_service *service);

#endif
