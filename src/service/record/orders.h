/* SPDX-License-Identifier: MIT */
/* Internal: crowds that are recorded by their orders. */
#ifndef WEND_SRC_SERVICE_RECORD_ORDERS_H
#define WEND_SRC_SERVICE_RECORD_ORDERS_H

#include "service/state/service_state.h"

/// From now on a crowd on the map is recorded by its orders; the map is written where it is new.
/// @return the number of the recording; 0: none is under way, or the map has such a crowd already
/// Threads: the ticking one.
uint64_t wend__record_orders(wend_service *service, wend_map *map);
/// The crowd is gone.
void wend__record_orders_end(wend_service *service, const wend_map *map);

/// Does the recording with that number go on?
static inline bool wend__record_goes_on(const wend_service *service, uint64_t number) {
    return number != 0 && service->recorder && service->recordings == number;
}

#endif
