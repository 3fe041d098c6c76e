/* SPDX-License-Identifier: MIT */
/* The order of service: urgency, then not postponed before postponed, then submission number. */
#include "service/queue/queue.h"

#include "service/state/service_state.h"
#include "service/store/heap.h"

bool wend__order_before(const wend_service *service, uint32_t a, uint32_t b) {
    return wend__order_key(&service->entries[a]) < wend__order_key(&service->entries[b]);
}

/* Returns the last request without a slot: few have one. */
static uint32_t last_in_lines(const wend_service *service) {
    uint32_t index = wend__lines_last_lined(&service->lines);
    while (index != WEND__NONE && service->entries[index].slot != WEND__NONE)
        index = wend__lines_before(&service->lines, index);
    return index;
}

/* Quanta do not matter. */
static uint32_t later(const wend_service *service, uint32_t a, uint32_t b) {
    if (a == WEND__NONE) return b;
    return wend__order_place(&service->entries[a]) > wend__order_place(&service->entries[b]) ? a : b;
}

uint32_t wend__order_last(const wend_service *service, uint64_t *visited) {
    const wend__heap *heap = &service->lines.heap;
    uint32_t last = last_in_lines(service);
    for (uint32_t i = 0; i < heap->count; i++, ++*visited)
        if (service->entries[heap->items[i].id].slot == WEND__NONE) last = later(service, last, heap->items[i].id);
    const uint32_t chains[2] = {service->arrivals.first, service->land_waits.first};
    for (unsigned k = 0; k < 2; k++)
        for (uint32_t i = chains[k]; i != WEND__NONE; i = service->entries[i].next, ++*visited)
            last = later(service, last, i);
    return last;
}

void wend__order_push(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    const uint64_t key = wend__order_key(entry);
    entry->state = WEND__WAITING;
    wend__lines_add(&service->lines, index, key);
    if (entry->slot != WEND__NONE) wend__heap_push(&service->parked, ~key, 0, entry->slot);
}

/* Prefetches the next in line, which is mostly scheduled next; among many waiting requests it is in no cache. */
static void fetch(const wend__entry *entry) {
    for (size_t at = 0; at < sizeof *entry; at += 64) WEND__PREFETCH((const char *)entry + at);
}

void wend__order_remove(wend_service *service, uint32_t index) {
    WEND__DEBUG_ASSERT(service->entries[index].state == WEND__WAITING);
    const uint32_t behind = service->lines.places[index].behind;
    if (!wend__lines_heaped(&service->lines, index) && behind != WEND__NONE) fetch(&service->entries[behind]);
    wend__lines_remove(&service->lines, index);
    if (service->entries[index].slot != WEND__NONE) wend__heap_remove(&service->parked, service->entries[index].slot);
}
