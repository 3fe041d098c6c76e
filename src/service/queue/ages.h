/* SPDX-License-Identifier: MIT */
/* Internal: requests that were taken in and are not finished, the oldest first. */
#ifndef WEND_SRC_SERVICE_AGES_H
#define WEND_SRC_SERVICE_AGES_H

#include "service/state/service_state.h"

void wend__ages_add(wend_service *service, uint32_t entry);
void wend__ages_remove(wend_service *service, uint32_t entry);
static inline uint32_t wend__ages_older(const wend_service *service, uint32_t a, uint32_t b) {
    if (a == WEND__NONE || b == WEND__NONE) return a == WEND__NONE ? b : a;
    return service->entries[a].number < service->entries[b].number ? a : b;
}

/// WEND__NONE: there is none.
static inline uint32_t wend__ages_oldest(const wend_service *service) {
    const wend__heap *returned = &service->ages.returned;
    const uint32_t first = service->ages.chain.first;
    return returned->count == 0 ? first : wend__ages_older(service, first, returned->items[0].id);
}

/// The oldest request, or the leader of its group; WEND__NONE: there is none.
static inline uint32_t wend__ages_first(const wend_service *service) {
    return wend__searched_for(service, wend__ages_oldest(service));
}

/// The oldest request that waits to be scheduled, or the leader of its group; or WEND__NONE. A request that leaves that
/// state in a round must not return to it before wend__ages_begin_round().
uint32_t wend__ages_oldest_waiting(wend_service *service);
void wend__ages_begin_round(wend_service *service);

#endif
