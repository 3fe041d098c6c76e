/* SPDX-License-Identifier: MIT */
/* Lists of entries through the entries' own links. */
#include "service/service_internal.h"

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

void wend__chain_insert(wend_service *service, wend__chain *chain, uint32_t index, uint32_t behind) {
    wend__entry *entries = service->entries, *entry = &entries[index];
    /* the first with a greater number, the last with a smaller one */
    uint32_t after = behind == WEND__NONE ? chain->first : entries[behind].next, before = chain->last;
    while (after != WEND__NONE && before != WEND__NONE) {
        if (entries[after].number > entry->number) {
            before = entries[after].previous;
            break;
        }
        if (entries[before].number < entry->number) {
            after = entries[before].next;
            break;
        }
        after = entries[after].next;
        before = entries[before].previous;
    }
    entry->previous = before;
    entry->next = after;
    if (before == WEND__NONE)
        chain->first = index;
    else
        entries[before].next = index;
    if (after == WEND__NONE)
        chain->last = index;
    else
        entries[after].previous = index;
}
