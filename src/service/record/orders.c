/* SPDX-License-Identifier: MIT */
/* Crowds that are recorded by their orders. */
#include "service/record/orders.h"

#include "service/record/record.h"
#include "service/record/recorder.h"

static wend__recorded_map *map_of(const wend_map *map) {
    wend__tap *tap = wend__map_tap(map);
    return tap ? tap->context : NULL;
}

uint64_t wend__record_orders(wend_service *service, wend_map *map) {
    if (!service->recorder || wend__record_see(service, map)) return 0;
    wend__recorded_map *entry = map_of(map);
    if (entry->ordered) return 0;
    entry->ordered = true;
    return service->recordings;
}

void wend__record_orders_end(wend_service *service, const wend_map *map) {
    wend__recorded_map *entry = service->recorder ? map_of(map) : NULL;
    if (entry) entry->ordered = false;
}

