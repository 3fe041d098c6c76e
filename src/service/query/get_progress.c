/* SPDX-License-Identifier: MIT */
/* Reports how far a pending request is: the requests ahead of it, and the cells that its search has expanded. */
#include <wend/figures.h>

#include "service/inbox/inbox.h"

static uint64_t unfinished(const wend_service *service, uint32_t from, uint32_t end) {
    uint32_t sum = 0; /* modulo 2^32, as the counts are */
    for (uint32_t i = from; i < end; i++) sum += service->inbox.came[i] - service->went[i];
    return sum;
}

static int32_t state_of(const wend__entry *entry) {
    if (entry->state >= WEND__FINISHED) return WEND_PROGRESS_FINISHED;
    if (entry->state == WEND__JOINED) return WEND_PROGRESS_SHARED;
    return entry->slot != WEND__NONE ? WEND_PROGRESS_RUNNING : WEND_PROGRESS_WAITING;
}

static void read_entry(const wend_service *service, uint32_t index, wend_progress *out) {
    const wend__entry *entry = &service->entries[index];
    const wend__entry *searched = &service->entries[wend__searched_for(service, index)];
    out->state = state_of(entry);
    out->urgency = entry->request.urgency;
    out->frames = service->frame - entry->submitted_frame;
    out->expansions = searched->spent;
    if (searched->slot != WEND__NONE && searched->begun)
        out->engine = service->slots[searched->slot].search.engine->name;
}

static void read_waiter(const wend_service *service, const wend__waiter *waiter, wend_progress *out) {
    out->urgency = waiter->urgency;
    out->frames = (uint32_t)((uint32_t)service->inbox.frame - waiter->submitted);
}

wend_error wend_service_get_progress(const wend_service *service, wend_ticket ticket, wend_progress *out) {
    WEND__ALONE(service, "the service");
    wend_progress own = {.struct_bytes = sizeof own};
    if (service->ticking) return wend__refuse_in_frame();
    wend__mutex_lock(service->inbox.mutex);
    const wend__waiter *waiter = wend__inbox_waiter(&service->inbox, ticket);
    if (waiter && waiter->entry != WEND__NONE)
        read_entry(service, waiter->entry, &own);
    else if (waiter)
        read_waiter(service, waiter, &own);
    const uint32_t rank = wend__rank(own.urgency);
    own.ahead = unfinished(service, 0, rank);
    own.peers = unfinished(service, rank, rank + 1) - (own.state != WEND_PROGRESS_FINISHED);
    wend__mutex_unlock(service->inbox.mutex);
    if (!waiter) return wend__refuse_ticket();
    return WEND__GIVE(wend_progress, expansions, out, &own) ? WEND_OK : WEND_BAD_ARGUMENT;
}

static wend_error refuse_idle(void) {
    return wend__refuse(WEND_EMPTY, "no search is in flight for the request");
}

wend_error wend_service_get_expanded(const wend_service *service, wend_ticket ticket, wend_cell *cells, size_t capacity,
                                     size_t *count) {
    WEND__ALONE(service, "the service");
    uint32_t index;
    if (!count) return wend__refuse_null("count");
    wend_error error = wend__check_room("cells", cells, capacity);
    if (error) return error;
    if (service->ticking) return wend__refuse_in_frame();
    if (!wend__inbox_find(service, ticket, &index)) return wend__refuse_ticket();
    if (index == WEND__NONE) return refuse_idle();
    const wend__entry *entry = &service->entries[wend__searched_for(service, index)];
    if (entry->state >= WEND__FINISHED || entry->slot == WEND__NONE || !entry->begun) return refuse_idle();
    wend__cell_list list = {.cells = cells, .capacity = capacity};
    wend__search_expanded(&service->slots[entry->slot].search, &list);
    *count = list.count;
    return WEND_OK;
}
