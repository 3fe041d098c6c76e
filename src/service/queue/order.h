/* SPDX-License-Identifier: MIT */
/* Internal: the order in which waiting requests are served. */
#ifndef WEND_SRC_SERVICE_ORDER_H
#define WEND_SRC_SERVICE_ORDER_H

#include "service/state/service_state.h"

wend__heap_item wend__order_key(const wend__entry *entry);
void wend__order_push(wend_service *service, uint32_t entry);
void wend__order_remove(wend_service *service, uint32_t entry);
/// The first waiting request, or WEND__NONE.
uint32_t wend__order_first(const wend_service *service);
/// The last request without a slot that waits, also on the shelf or to be taken in; or WEND__NONE. Cost: O(slots +
/// requests that are in no line).
/// @param looked   rises by those
uint32_t wend__order_last(const wend_service *service, uint64_t *looked);
/// Does a go before b?
bool wend__order_before(const wend_service *service, uint32_t a, uint32_t b);

#endif
