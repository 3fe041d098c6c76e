/* SPDX-License-Identifier: MIT */
/* Lists of entries through the entries' own links. */
#include "service/queue/chain.h"

#include "service/state/service_state.h"

void wend__chain_append(wend_service *service, wend__chain *chain, uint32_t index) {
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
