/* SPDX-License-Identifier: MIT */
/* Internal: slots and pages of searches: who gets them, and who is evicted. */
#ifndef WEND_SRC_SERVICE_SEARCH_MEMORY_H
#define WEND_SRC_SERVICE_SEARCH_MEMORY_H

#include "service/state/service_state.h"

bool wend__memory_take_slot(wend_service *service, uint32_t entry, bool evict);
void wend__memory_free_slot(wend_service *service, uint32_t entry);
/// Drop the search of a waiting request; it begins again later. The request leaves the order of service: the caller
/// puts it back.
void wend__memory_lose_search(wend_service *service, uint32_t entry);
void wend__memory_grant(wend_service *service);
void wend__memory_return(wend_service *service);
/// Outcome of wend__memory_relieve(). NONE: the frame has to end first. TOO_LARGE: the first lane's
/// search does not fit, and no other holds pages.
typedef enum wend__relief { WEND__RELIEF_NONE, WEND__RELIEF_MADE, WEND__RELIEF_TOO_LARGE } wend__relief;
/// Make progress possible after a round without any.
wend__relief wend__memory_relieve(wend_service *service);

#endif
