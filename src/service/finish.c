/* SPDX-License-Identifier: MIT */
/* The one place where a request gets its status. */
#include "service/service_internal.h"

/* The oldest is served even if it was evicted too often. */
static void welcome_oldest(wend_service *service) {
    uint32_t oldest = service->ages.first;
    service->inherits = false;
    if (oldest != WEND__NONE && service->entries[oldest].state == WEND__BARRED) wend__order_push(service, oldest);
}

static void unlink_entry(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    if (entry->request.deadline_frames != WEND_NO_LIMIT) wend__heap_remove(&service->due, index);
    if (entry->state == WEND__ARRIVED) {
        wend__chain_remove(service, &service->arrivals, index);
        return;
    }
    if (entry->state == WEND__WAITING) wend__order_remove(service, index);
    bool oldest = service->ages.first == index;
    wend__chain_remove(service, &service->ages, index);
    if (oldest) welcome_oldest(service);
}

static void note_bound(wend__entry *entry) {
    wend__version *newest = wend__map_acquire(entry->request.map, false);
    wend__request_bound(newest, &entry->request, &entry->exact, &entry->bound_milli);
    wend__map_release(newest, false);
}

void wend__finish(wend_service *service, uint32_t index, int32_t status) {
    wend__entry *entry = &service->entries[index];
    unlink_entry(service, index);
    bool path = status == WEND_STATUS_FOUND || status == WEND_STATUS_TOO_LONG;
    if (!path && entry->slot != WEND__NONE) wend__memory_free_slot(service, index);
    if (entry->version) wend__map_release(entry->version, true); /* a path that is there needs it no more */
    entry->version = NULL;
    note_bound(entry);
    if (path && entry->cost < 0) entry->cost = 0; /* start == goal: no search said it */
    if (!entry->answered_wait) entry->wait_frames = service->frame - entry->submitted_frame;
    entry->answered_wait = true;
    entry->status = status;
    entry->state = WEND__FINISHED;
    wend__heap_push(&service->finished, entry->number, 0, index);
}

/* The steps that are handed over of a path that was found, and what they cost. */
static int32_t measure_path(wend_service *service, wend__entry *entry, const wend__search *search) {
    entry->steps = search->steps;
    entry->cost = (int64_t)search->cost;
    if (search->steps < service->def.max_path_cells) return WEND_STATUS_FOUND;
    entry->steps = service->def.max_path_cells - 1;
    uint64_t cost;
    wend__search_cells(search, service->cells, entry->steps + 1);
    wend__version_walk(entry->version, entry->request.mover, service->cells, entry->steps, &cost);
    entry->cost = (int64_t)cost;
    return WEND_STATUS_TOO_LONG;
}

void wend__finish_store(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    if (entry->slot == WEND__NONE || !wend__paths_fit(&service->paths, entry->steps)) return;
    wend__search_cells(&service->slots[entry->slot].search, service->cells, entry->steps + 1);
    wend__paths_store(&service->paths, service->cells, entry->steps, &entry->path_first, &entry->path_last);
    entry->path_blocks = (uint32_t)wend__paths_blocks(entry->steps);
    wend__memory_free_slot(service, index);
}

void wend__finish_search(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    const wend__search *search = &service->slots[entry->slot].search;
    int32_t status = search->status;
    if (status == WEND_STATUS_FOUND) {
        status = measure_path(service, entry, search);
        service->running--; /* from now on it only holds its slot, or not even that */
        service->holding++;
    }
    wend__finish(service, index, status);
    wend__finish_store(service, index);
}

void wend__finish_drop_path(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    wend__paths_free(&service->paths, entry->path_first, entry->path_last, entry->path_blocks);
    if (entry->slot != WEND__NONE) wend__memory_free_slot(service, index);
    entry->path_first = entry->path_last = WEND__NONE;
    entry->steps = 0;
    entry->cost = -1;
}

void wend__finish_undo(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    wend__finish_drop_path(service, index);
    entry->status = WEND_STATUS_PENDING;
    entry->again = true;
    entry->starved = false;
    wend__chain_insert(service, &service->ages, index, service->undone);
    service->undone = index;
    if (entry->request.deadline_frames != WEND_NO_LIMIT)
        wend__heap_push(&service->due, entry->due_frame, entry->number, index);
    wend__order_push(service, index);
}

void wend__finish_anew_cancelled(wend_service *service, uint32_t index) {
    wend__finish_drop_path(service, index);
    service->entries[index].status = WEND_STATUS_CANCELLED;
}

void wend__finish_due(wend_service *service) {
    while (service->due.count > 0 && service->due.items[0].major <= service->frame)
        wend__finish(service, service->due.items[0].id, WEND_STATUS_EXPIRED);
}
