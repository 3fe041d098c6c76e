/* SPDX-License-Identifier: MIT */
/* What a lane does in a round: it works through its list until its grant is spent. It touches nothing but itself, its
 * entries, their slots and the pages of its stock, so lanes may run on any thread in any order. */
#include "service/service_internal.h"

/* The intake asked the same version already whether it has to be searched; but units may have moved since. */
static void begin(wend_service *service, wend__entry *entry, wend__search *search) {
    const wend_request *request = wend__goals_ready(service, entry);
    if (entry->asked == entry->version->serial && request->occupied != WEND_OCCUPIED_BLOCK)
        wend__search_begin_answered(search, entry->version, request, WEND_STATUS_PENDING);
    else
        wend__search_begin(search, entry->version, request);
}

static uint64_t run_entry(wend_service *service, wend__lane *lane, wend__entry *entry, uint64_t left) {
    wend__search *search = &service->slots[entry->slot].search;
    if (!entry->begun) {
        begin(service, entry, search);
        entry->restarts += entry->again;
        entry->again = false;
        entry->begun = entry->dated = true;
        entry->searched = search->status == WEND_STATUS_PENDING;
        entry->epoch = entry->version->epoch;
        entry->revision = entry->version->revision;
        entry->serial = entry->version->serial;
    }
    uint64_t allowed = entry->request.max_expansions - entry->spent; /* never 0: it would have ended as `limit` */
    uint64_t used = wend__search_step(search, &lane->stock, left < allowed ? left : allowed);
    entry->spent += used;
    return used;
}

void wend__lane_run(wend_service *service, wend__lane *lane) {
    lane->used = 0;
    lane->reached = 0;
    while (lane->reached < lane->count && lane->used < lane->grant) {
        wend__entry *entry = &service->entries[lane->list[lane->reached++]];
        lane->used += run_entry(service, lane, entry, lane->grant - lane->used);
    }
}
