/* SPDX-License-Identifier: MIT */
/* Hands out the beginning of a path before the request is delivered. */
#include "service/query/get_prefix.h"

#include "service/delivery/delivery.h"
#include "service/inbox/inbox.h"
#include "service/state/service_state.h"

/* The search has ended; its path waits for delivery. */
static bool give_path(wend_service *service, wend__entry *entry, wend_cell *cells, size_t room, wend_prefix *prefix) {
    if (entry->cost < 0) return false;
    wend__answer_count(service, entry);
    const uint64_t count = entry->steps + 1, written = count < room ? count : room;
    if (written > 0) wend__answer_cells(service, entry, written - 1, cells);
    prefix->whole = 1;
    prefix->cell_count = (size_t)count;
    prefix->cost = entry->cost;
    prefix->expansions = entry->spent;
    prefix->epoch = entry->epoch;
    return true;
}

static bool give_prefix(wend_service *service, wend__entry *entry, wend_cell *cells, size_t room, wend_prefix *prefix) {
    if (entry->state == WEND__FINISHED) return give_path(service, entry, cells, room, prefix);
    if (entry->state == WEND__ARRIVED || entry->slot == WEND__NONE || !entry->begun) return false;
    if (!wend__search_prefix(&service->slots[entry->slot].search, cells, room, prefix)) return false;
    prefix->epoch = entry->version->epoch;
    return true;
}

wend_error wend__service_prefix(wend_service *service, wend_ticket ticket, uint64_t *since, wend_cell *cells,
                                size_t capacity, wend_prefix *prefix) {
    uint32_t index;
    if (!wend__inbox_find(service, ticket, &index)) return WEND_STALE_TICKET;
    if (index == WEND__NONE) return WEND_EMPTY;
    wend__entry *entry = &service->entries[wend__searched_for(service, index)];
    const bool went_on = entry->spent != *since;
    *since = entry->spent;
    return went_on && give_prefix(service, entry, cells, capacity, prefix) ? WEND_OK : WEND_EMPTY;
}

wend_error wend_service_get_prefix(wend_service *service, wend_ticket ticket, wend_cell *cells, size_t capacity,
                                   wend_prefix *prefix) {
    WEND__ALONE(service, "the service");
    wend_error error = wend__check_room("cells", cells, capacity);
    if (error) return error;
    if (prefix && !WEND__FITS(wend_prefix, epoch, prefix)) return WEND_BAD_ARGUMENT;
    wend_prefix own = {.struct_bytes = sizeof own};
    uint64_t since = WEND_NO_LIMIT;
    error = wend__service_prefix(service, ticket, &since, cells, capacity, &own);
    if (error == WEND_STALE_TICKET) return wend__refuse_ticket();
    if (error) return wend__refuse(error, "nothing of a path is known yet, or there is none");
    if (prefix) (void)WEND__GIVE(wend_prefix, epoch, prefix, &own);
    return WEND_OK;
}
