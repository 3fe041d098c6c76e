/* SPDX-License-Identifier: MIT */
/* Restarts searches on versions that the map has retired. */
#include "service/delivery/delivery.h"

#include "service/memory/memory.h"
#include "service/queue/queue.h"
#include "service/share/share.h"

/* The request has no answer, so on_stale does not matter: it lost its search as by an eviction. */
static void retire(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    if (entry->outdated >= service->tuning.restarts) {
        wend__complete(service, index, WEND_STATUS_STALE);
        return;
    }
    entry->outdated++;
    service->frame_outdated++;
    wend__memory_lose_search(service, index);
    wend__order_push(service, index);
}

/* Takes the search from a common goal from each request that waits for it. */
static void retire_many(wend_service *service) {
    const wend__share *share = &service->share;
    if (share->many == WEND__NONE || !wend__version_retired(share->version)) return;
    uint32_t index = wend__share_ungroup_starts(service);
    while (index != WEND__NONE) {
        const uint32_t next = share->members[index].sibling;
        wend__entry *entry = &service->entries[index];
        if (entry->outdated >= service->tuning.restarts) {
            wend__complete(service, index, WEND_STATUS_STALE);
        } else {
            entry->outdated++;
            service->frame_outdated++;
            if (!wend__share_enter(service, index)) wend__order_push(service, index);
        }
        index = next;
    }
}

void wend__retire(wend_service *service) {
    retire_many(service);
    for (uint32_t slot = 0; service->running > 0 && slot < service->fresh_slot; slot++) {
        uint32_t index = service->slots[slot].entry;
        if (index == WEND__NONE) continue;
        const wend__entry *entry = &service->entries[index];
        if (entry->version && wend__version_retired(entry->version)) retire(service, index);
    }
}
