/* SPDX-License-Identifier: MIT */
/* Requests that wait for land (WEND_UNLOADED_WAIT), or for a far layer that contains it (WEND_UNLOADED_KNOWN).
 *
 * A request whose answer other land could change does not end with it. It leaves its lists and its search, and is
 * taken in again in the first frame after its map has changed. So it needs no lane, pages or expansions meanwhile.
 *
 * While a request waits for a layer, each frame repairs some stale parts: as many in each, whatever the time, so that
 * a recording plays back. Edits may make parts stale faster than that, so the wait has an end. */
#include "service/delivery/delivery.h"

#include "search/request/leg.h"
#include "map/version/version.h"
#include "search/request/request_land.h"
#include "service/backlog/backlog.h"
#include "service/memory/memory.h"
#include "service/queue/queue.h"

enum {
    WANTS_EVERY = WEND_WANTED_FRAMES / 2, ///< frames after which chunks are wanted again, before they are forgotten
    LOOKED_AT = 1024,                     ///< requests checked in a frame, or all in WANTS_EVERY frames if that is more
    MOST_TAKEN = 4096,                    ///< expansions in a frame, except those of the last request
    LAYER_EFFORT = 2 * WEND_FAR_EFFORT,   ///< effort in a frame for a far layer that a request waits for
    LAYER_FRAMES = 512                    ///< most frames that a request waits for a layer
};

/* ---- counting the checks of land ---- */

void wend__land_settle(wend_service *service, wend__tick *tick) {
    const uint64_t spent = service->land_owed < tick->left ? service->land_owed : tick->left;
    service->land_owed -= spent;
    tick->left -= spent;
    tick->frame->expansions += spent;
    tick->frame->work_expansions[WEND_WORK_GENERAL_ASTAR] += spent;
}

/* ---- waiting ---- */

/* Waiting requests hold entries, and in a long queue others need some. */
static bool has_place(const wend_service *service) {
    return service->inbox.backlog.spare == 0 || service->land_wait_count < WEND__BACKLOG_ENTRIES / 4;
}

static bool awaits_layer(const wend__entry *entry) {
    return entry->request.unloaded == WEND_UNLOADED_KNOWN;
}

/* Returns the cost that a way through other land has to undercut to matter; 0: none does. */
static uint64_t bound_of(const wend_service *service, const wend__entry *entry, wend_status status) {
    switch (status) {
    case WEND_STATUS_FOUND:
        if (entry->slot == WEND__NONE || !entry->begun) return 0; /* the start is enough */
        return (uint64_t)wend__search_cost(&service->slots[entry->slot].search);
    case WEND_STATUS_PARTIAL:
    case WEND_STATUS_NO_PATH:
    case WEND_STATUS_START_BLOCKED:
    case WEND_STATUS_GOAL_BLOCKED: return WEND_NO_LIMIT;
    default: return 0;
    }
}

static bool matters(wend_service *service, uint32_t index, const wend__version *version, uint64_t below) {
    wend__beyond beyond[WEND__MOST_BEYOND];
    uint64_t taken = 0;
    if (!wend__land_meets(service, index, version)) return false;
    if (below == WEND_NO_LIMIT) return true;
    const wend__request *request = wend__goal_store_ready(service, &service->entries[index]);
    const uint32_t count = wend__request_beyond(version, request, below, beyond, &taken);
    wend__land_count(service, index, taken);
    return count > 0 || taken >= WEND__RIM_MOST;
}

static void begin_wait(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    wend__lists_leave(service, index);
    entry->again = entry->slot != WEND__NONE;
    if (entry->slot != WEND__NONE) wend__memory_free_slot(service, index);
    entry->starved = entry->dated = entry->searched = false;
    wend__lists_add_land_wait(service, index);
}

bool wend__land_awaits(wend_service *service, uint32_t index, wend_status status) {
    wend__entry *entry = &service->entries[index];
    const wend__request *request = &entry->request;
    if (request->unloaded == WEND_UNLOADED_BLOCK || !request->map->streamed) return false;
    uint64_t below = bound_of(service, entry, status);
    if (below == 0 || !has_place(service)) return false;
    const wend__version *version = entry->version ? entry->version : wend__version_pin(service, request->map);
    if (awaits_layer(entry)) {
        if (below != WEND_NO_LIMIT) return false;
        if (!wend__request_awaits_layer(version, wend__goal_store_ready(service, entry))) return false;
        below = entry->below ? entry->below : service->frame + LAYER_FRAMES;
        if (service->frame >= below) return false;
    } else {
        if (!matters(service, index, version, below)) return false;
        wend__wanted_note(service, index, version, below);
    }
    entry->asked = version->revision;
    entry->below = below;
    entry->wanted_frame = service->frame;
    begin_wait(service, index);
    return true;
}

void wend__land_wake(wend_service *service, uint32_t index) {
    wend__lists_leave_land_waits(service, index);
    service->entries[index].state = WEND__ARRIVED;
    wend__chain_append(service, &service->arrivals, index);
}

static bool goes_on(wend_service *service, wend__entry *entry) {
    if (!awaits_layer(entry)) return wend__map_revision(entry->request.map) != entry->asked;
    const wend__version *version = wend__version_pin(service, entry->request.map);
    return service->frame >= entry->below ||
           !wend__request_awaits_layer(version, wend__goal_store_ready(service, entry));
}

/* Wakes a request, or moves it behind the others. Without memory, or with an open batch, the next frame retries. */
static void look_at(wend_service *service, uint32_t index, const wend_map **repaired) {
    wend__entry *entry = &service->entries[index];
    if (awaits_layer(entry) && entry->request.map != *repaired) {
        *repaired = entry->request.map;
        wend__leg_hooks.repair(entry->request.map, LAYER_EFFORT);
    }
    if (goes_on(service, entry)) {
        wend__land_wake(service, index);
        return;
    }
    wend__chain_remove(service, &service->land_waits, index);
    wend__chain_append(service, &service->land_waits, index);
    if (awaits_layer(entry) || service->frame - entry->wanted_frame < WANTS_EVERY) return;
    entry->wanted_frame = service->frame;
    wend__wanted_note(service, index, wend__version_pin(service, entry->request.map), entry->below);
}

/* Checks the first waiting requests; each then goes behind the others. */
void wend__land_begin_frame(wend_service *service) {
    const uint32_t all = service->land_wait_count, turn = all / WANTS_EVERY + 1;
    const uint32_t most = turn > LOOKED_AT ? turn : all < LOOKED_AT ? all : LOOKED_AT;
    const uint64_t owed = service->land_owed;
    const wend_map *repaired = NULL;
    for (uint32_t i = 0; i < most && service->land_owed - owed < MOST_TAKEN; i++)
        look_at(service, service->land_waits.first, &repaired);
}
