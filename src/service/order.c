/* SPDX-License-Identifier: MIT */
/* The order of service: urgency, then quanta spent, then submission number. */
#include "service/service_internal.h"

#define QUANTA_MAX ((UINT64_C(1) << 53) - 1) /* beside 11 bits of urgency */

static wend__heap_item key_of(const wend_service *service, const wend__entry *entry) {
    uint64_t quanta = entry->spent / service->def.quantum;
    uint64_t rank = (uint64_t)(WEND_URGENCY_MAX - entry->request.urgency);
    return (wend__heap_item){rank << 53 | (quanta < QUANTA_MAX ? quanta : QUANTA_MAX), entry->number, 0};
}

bool wend__order_before(const wend_service *service, uint32_t a, uint32_t b) {
    wend__heap_item key_a = key_of(service, &service->entries[a]), key_b = key_of(service, &service->entries[b]);
    return wend__heap_before(&key_a, &key_b);
}

void wend__order_push(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    wend__heap_item key = key_of(service, entry);
    entry->state = WEND__WAITING;
    wend__heap_push(&service->runnable, key.major, key.minor, index);
    if (entry->slot != WEND__NONE) wend__heap_push(&service->parked, ~key.major, ~key.minor, entry->slot);
}

void wend__order_remove(wend_service *service, uint32_t index) {
    wend__heap_remove(&service->runnable, index);
    if (service->entries[index].slot != WEND__NONE) wend__heap_remove(&service->parked, service->entries[index].slot);
}
