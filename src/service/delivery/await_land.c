/* SPDX-License-Identifier: MIT */
/* Requests that wait for land (WEND_UNLOADED_WAIT).
 *
 * A request whose answer other land could change does not end with it. It leaves its lists and its search, and is taken
 * in again in the first frame after its map has changed. So it takes no lane, no pages and no expansions meanwhile. */
#include "service/delivery/delivery.h"

#include "map/version/version.h"
#include "search/request/request_land.h"
#include "service/backlog/backlog.h"
#include "service/inbox/inbox.h"
#include "service/memory/memory.h"
#include "service/queue/queue.h"

enum {
    WANTS_EVERY = WEND_WANTED_FRAMES / 2, ///< frames: chunks are wanted again before they are forgotten
    LOOKED_AT = 1024,                     ///< requests in a frame, or all in WANTS_EVERY frames where that is more
    MOST_TAKEN = 4096                     ///< expansions, but for those of the last request
};

/* ---- looking is counted ---- */

void wend__land_count(wend_service *service, uint32_t index, uint64_t taken) {
    service->entries[index].looked += taken;
    service->land_owed += taken;
}

bool wend__land_meets(wend_service *service, uint32_t index, const wend__version *version) {
    uint64_t taken = 0;
    const wend_request *request = wend__goal_store_ready(service, &service->entries[index]);
    const bool meets = wend__request_meets_unloaded(version, request, &taken);
    wend__land_count(service, index, taken);
    return meets;
}

void wend__land_settle(wend_service *service, wend__tick *tick) {
    const uint64_t spent = service->land_owed < tick->left ? service->land_owed : tick->left;
    service->land_owed -= spent;
    tick->left -= spent;
    tick->frame->expansions += spent;
    tick->frame->work_expansions[WEND_WORK_GENERAL_ASTAR] += spent;
}

/* ---- waiting ---- */

/* In a service with a backlog the requests that wait hold entries, and others need some. */
static bool has_place(const wend_service *service) {
    return !wend__has_backlog(service) || service->land_wait_count < WEND__BACKLOG_ENTRIES / 4;
}

/* Only a frame can end one with a deadline. */
static void count_work(wend_service *service, const wend__entry *entry, bool waits) {
    if (entry->request.deadline_frames == WEND_NO_LIMIT) wend__inbox_shelved(service, waits);
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

static bool matters(wend_service *service, uint32_t index, const wend__version *version, uint64_t below) {
    wend__beyond beyond[WEND__MOST_BEYOND];
    uint64_t taken = 0;
    if (!wend__land_meets(service, index, version)) return false;
    if (below == WEND_NO_LIMIT) return true;
    const wend_request *request = wend__goal_store_ready(service, &service->entries[index]);
    const uint32_t count = wend__request_beyond(version, request, below, beyond, &taken);
    wend__land_count(service, index, taken);
    return count > 0 || taken >= WEND__RIM_MOST;
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
    if (request->unloaded != WEND_UNLOADED_WAIT || !request->map->streamed || entry->ends) return false;
    const uint64_t below = bound_of(service, entry, status);
    if (below == 0 || !has_place(service)) return false;
    const wend__version *version = entry->version ? entry->version : wend__version_pin(service, request->map);
    if (!matters(service, index, version, below)) return false;
    wend__wanted_note(service, index, version, below);
    entry->asked = version->serial;
    entry->below = below;
    entry->wanted_frame = service->frame;
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

static void look_at(wend_service *service, uint32_t index) {
    const wend__entry *entry = &service->entries[index];
    if (wend__map_serial(entry->request.map) != entry->asked) {
        wend__land_wake(service, index);
        return;
    }
    wend__chain_remove(service, &service->land_waits, index);
    wend__chain_append(service, &service->land_waits, index);
    if (service->frame - entry->wanted_frame < WANTS_EVERY) return;
    service->entries[index].wanted_frame = service->frame;
    wend__wanted_note(service, index, wend__version_pin(service, entry->request.map), entry->below);
}

/* Those looked at go behind the others. */
void wend__land_begin_frame(wend_service *service) {
    const uint32_t all = service->land_wait_count, turn = all / WANTS_EVERY + 1;
    const uint32_t most = turn > LOOKED_AT ? turn : all < LOOKED_AT ? all : LOOKED_AT;
    const uint64_t owed = service->land_owed;
    for (uint32_t i = 0; i < most && service->land_owed - owed < MOST_TAKEN; i++)
        look_at(service, service->land_waits.first);
}
