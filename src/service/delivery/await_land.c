/* SPDX-License-Identifier: MIT */
/* Requests that wait for land (WEND_UNLOADED_WAIT), or for a far layer that tells of it (WEND_UNLOADED_KNOWN).
 *
 * A request whose answer other land could change does not end with it. It leaves its lists and its search, and is taken
 * in again in the first frame after its map has changed. So it takes no lane, no pages and no expansions meanwhile.
 *
 * While a request waits for a layer, each frame makes some of what is stale there: as many parts in each, whatever time
 * is left, so that a recording plays back. Edits may make parts stale faster than that, so the wait has an end. */
#include "service/delivery/delivery.h"

#include "search/request/leg.h"
#include "map/version/version.h"
#include "search/request/request_land.h"
#include "service/backlog/backlog.h"
#include "service/inbox/inbox.h"
#include "service/memory/memory.h"
#include "service/queue/queue.h"

/* Its chunks are wanted again before they are forgotten. */
enum { WANTS_EVERY = WEND_WANTED_FRAMES / 2, PARTS_A_FRAME = 2, LAYER_FRAMES = 256 };

/* In a service with a backlog the requests that wait hold entries, and others need some. */
static bool has_place(const wend_service *service) {
    return !wend__has_backlog(service) || service->land_wait_count < WEND__BACKLOG_ENTRIES / 4;
}

static bool awaits_layer(const wend__entry *entry) {
    return entry->request.unloaded == WEND_UNLOADED_KNOWN;
}

/* Frames alone can end one with a deadline, and one that waits for a layer. */
static void count_work(wend_service *service, const wend__entry *entry, bool waits) {
    if (entry->request.deadline_frames == WEND_NO_LIMIT && !awaits_layer(entry)) wend__inbox_shelved(service, waits);
}

/* The cost that a way through other land has to undercut to matter; 0: none does. */
static uint64_t bound_of(const wend_service *service, const wend__entry *entry, wend_status status) {
    switch (status) {
    case WEND_STATUS_FOUND:
        if (entry->slot == WEND__NONE || !entry->begun) return 0; /* the start will do */
        return (uint64_t)wend__search_cost(&service->slots[entry->slot].search);
    case WEND_STATUS_PARTIAL:
    case WEND_STATUS_NO_PATH:
    case WEND_STATUS_START_BLOCKED:
    case WEND_STATUS_GOAL_BLOCKED: return WEND_NO_LIMIT;
    default: return 0;
    }
}

static bool matters(const wend__version *version, const wend_request *request, uint64_t below) {
    wend__beyond beyond[WEND__MOST_BEYOND];
    if (below == 0 || !wend__request_meets_unloaded(version, request)) return false;
    return below == WEND_NO_LIMIT || wend__request_beyond(version, request, below, beyond) > 0;
}

static void begin_wait(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    wend__complete_leave_lists(service, index);
    entry->again = entry->slot != WEND__NONE;
    if (entry->slot != WEND__NONE) wend__memory_free_slot(service, index);
    if (wend__is_polled(entry)) wend__polls_drop(service, entry);
    entry->starved = entry->dated = entry->searched = false;
    entry->state = WEND__AWAITS_LAND;
    wend__chain_append(service, &service->land_waits, index);
    service->land_wait_count++;
    count_work(service, entry, true);
}

bool wend__land_awaits(wend_service *service, uint32_t index, wend_status status) {
    wend__entry *entry = &service->entries[index];
    const wend_request *request = &entry->request;
    if (request->unloaded == WEND_UNLOADED_BLOCK || !request->map->streamed || entry->ends) return false;
    uint64_t below = bound_of(service, entry, status);
    if (below == 0 || !has_place(service)) return false;
    const wend__version *version = entry->version ? entry->version : wend__version_pin(service, request->map);
    const wend_request *ready = wend__goal_store_ready(service, entry);
    if (awaits_layer(entry)) {
        if (below != WEND_NO_LIMIT || !wend__request_awaits_layer(version, ready)) return false;
        below = entry->below ? entry->below : service->frame + LAYER_FRAMES;
        if (service->frame >= below) return false;
    } else {
        if (!matters(version, ready, below)) return false;
        wend__wanted_note(service, index, version, below);
    }
    entry->asked = version->serial;
    entry->below = below;
    begin_wait(service, index);
    return true;
}

void wend__land_leave(wend_service *service, uint32_t index) {
    wend__chain_remove(service, &service->land_waits, index);
    service->land_wait_count--;
    count_work(service, &service->entries[index], false);
}

void wend__land_wake(wend_service *service, uint32_t index) {
    wend__land_leave(service, index);
    service->entries[index].state = WEND__ARRIVED;
    wend__chain_append(service, &service->arrivals, index);
}

/* Where a batch is open, or memory is lacking, the next frame tries again. */
static void repair_layers(wend_service *service) {
    const wend_map *before = NULL;
    for (uint32_t index = service->land_waits.first; index != WEND__NONE; index = service->entries[index].next) {
        const wend__entry *entry = &service->entries[index];
        if (!awaits_layer(entry) || entry->request.map == before) continue;
        before = entry->request.map;
        wend__leg_hooks.repair(entry->request.map, PARTS_A_FRAME);
    }
}

static bool goes_on(wend_service *service, wend__entry *entry) {
    if (!awaits_layer(entry)) return wend__map_serial(entry->request.map) != entry->asked;
    const wend__version *version = wend__version_pin(service, entry->request.map);
    return service->frame >= entry->below ||
           !wend__request_awaits_layer(version, wend__goal_store_ready(service, entry));
}

void wend__land_begin_frame(wend_service *service) {
    repair_layers(service);
    uint32_t index = service->land_waits.first;
    while (index != WEND__NONE) {
        wend__entry *entry = &service->entries[index];
        const uint32_t next = entry->next;
        if (goes_on(service, entry))
            wend__land_wake(service, index);
        else if (!awaits_layer(entry) && (service->frame + entry->number) % WANTS_EVERY == 0)
            wend__wanted_note(service, index, wend__version_pin(service, entry->request.map), entry->below);
        index = next;
    }
}
