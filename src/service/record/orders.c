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
    wend__recorder *recorder = service->recorder;
    if (!recorder || wend__record_see(service, map)) return 0;
    wend__recorded_map *entry = map_of(map);
    if (entry->ordered) return 0;
    entry->ordered = true;
    wend__mutex_lock(service->inbox.mutex);
    recorder->orders = true;
    wend__mutex_unlock(service->inbox.mutex);
    return service->recordings;
}

void wend__record_orders_end(wend_service *service, const wend_map *map) {
    wend__recorded_map *entry = service->recorder ? map_of(map) : NULL;
    if (entry) entry->ordered = false;
}

/* A crowd was made since the caller looked. The inbox is locked, before and after. */
bool wend__record_lock_again(wend_service *service) {
    wend__recorder *recorder = service->recorder;
    if (!recorder->orders) return false;
    wend__mutex_unlock(service->inbox.mutex);
    wend__mutex_lock(recorder->gate);
    wend__mutex_lock(service->inbox.mutex);
    return true;
}

void wend__record_shut(wend_service *service) {
    wend__mutex_lock(service->recorder->gate);
}

void wend__record_open(wend_service *service) {
    wend__mutex_unlock(service->recorder->gate);
}
