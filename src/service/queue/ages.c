/* SPDX-License-Identifier: MIT */
/* Requests that were taken in and have not finished, the oldest first. */
#include "service/queue/queue.h"
#include "service/state/service_state.h"
#include "service/store/heap.h"

/* ---- lists of entries through their own links ---- */

void wend__chain_append(wend_service *service, wend__chain *chain, uint32_t index) {
    WEND__DEBUG_ASSERT((chain->first == WEND__NONE) == (chain->last == WEND__NONE));
    wend__entry *entry = &service->entries[index];
    entry->previous = chain->last;
    entry->next = WEND__NONE;
    if (chain->last == WEND__NONE)
        chain->first = index;
    else
        service->entries[chain->last].next = index;
    chain->last = index;
}

void wend__chain_remove(wend_service *service, wend__chain *chain, uint32_t index) {
    WEND__DEBUG_ASSERT(chain->first != WEND__NONE && chain->last != WEND__NONE);
    const wend__entry *entry = &service->entries[index];
    if (entry->previous == WEND__NONE)
        chain->first = entry->next;
    else
        service->entries[entry->previous].next = entry->next;
    if (entry->next == WEND__NONE)
        chain->last = entry->previous;
    else
        service->entries[entry->next].previous = entry->previous;
}

void wend__ages_add(wend_service *service, uint32_t index) {
    wend__ages *ages = &service->ages;
    wend__entry *entries = service->entries, *entry = &entries[index];
    const uint32_t first = ages->chain.first;
    entry->returned = false;
    if (first == WEND__NONE || entries[ages->chain.last].number < entry->number) {
        wend__chain_append(service, &ages->chain, index);
    } else if (entries[first].number > entry->number) {
        entry->previous = WEND__NONE;
        entry->next = first;
        entries[first].previous = index;
        ages->chain.first = index;
    } else {
        entry->returned = true;
        entry->previous = entry->next = WEND__NONE;
        wend__heap_push(&ages->returned, entry->number, 0, index);
    }
}

void wend__ages_remove(wend_service *service, uint32_t index) {
    wend__ages *ages = &service->ages;
    const wend__entry *entry = &service->entries[index];
    if (entry->returned) {
        wend__heap_remove(&ages->returned, index);
        return;
    }
    if (ages->fair_next == index) ages->fair_next = entry->next;
    wend__chain_remove(service, &ages->chain, index);
}

void wend__ages_begin_round(wend_service *service) {
    service->ages.fair_next = service->ages.chain.first;
}

/* Returns whether the request, or the leader of its group, waits to be scheduled. */
static bool is_waiting(const wend_service *service, uint32_t index) {
    return service->entries[wend__searched_for(service, index)].state == WEND__WAITING;
}

/* Returns the oldest waiting request of the heap at or below a place, or `found` if that is older. Below a waiting one
 * all are younger. */
static uint32_t oldest_returned(const wend_service *service, uint32_t place, uint32_t found) {
    const wend__heap *heap = &service->ages.returned;
    if (place >= heap->count) return found;
    const uint32_t index = heap->items[place].id;
    if (wend__ages_older(service, found, index) == found) return found;
    if (is_waiting(service, index)) return index;
    return oldest_returned(service, 2 * place + 2, oldest_returned(service, 2 * place + 1, found));
}

uint32_t wend__ages_oldest_waiting(wend_service *service) {
    uint32_t index = service->ages.fair_next;
    while (index != WEND__NONE && !is_waiting(service, index)) index = service->entries[index].next;
    service->ages.fair_next = index;
    return wend__searched_for(service, oldest_returned(service, 0, index));
}
