/* SPDX-License-Identifier: MIT */
/* A lane works through its list in a round until its grant is spent. A lane touches only its own data, its entries,
 * their slots, the pages of its stock and its part of the buffers. So lanes may run on any thread in any order. */
#include "service/scheduling/scheduling.h"

#include "field/many/field_search.h"
#include "search/request/leg.h"
#include "service/queue/queue.h"
#include "service/state/service_state.h"
#include "service/store/path_arena.h"

#include <string.h>

/* The intake has checked on the same version whether a search is needed; but units may have moved since. */
static void begin(wend_service *service, wend__entry *entry, wend__search *search) {
    const wend__group *group = wend__group_of(service, (uint32_t)(entry - service->entries));
    if (group && group->many) {
        wend__leg_forget(search);
        wend__search_leave(search); /* search of a request whose path is in the buffer */
        wend__field_search_begin(search, service->share.field);
        return;
    }
    const wend__request *request = wend__goal_store_ready(service, entry);
    if (entry->asked == entry->version->revision && request->occupied != WEND_OCCUPIED_BLOCK)
        wend__search_begin_answered(search, entry->version, request, WEND_STATUS_PENDING);
    else
        wend__search_begin(search, entry->version, request);
}

/* Returns the expansions until a limit of the request, or of another that shares its search, is reached. */
static uint64_t most_of(const wend__entry *entry, const wend__group *group) {
    return group ? group->least_limit - group->spent : entry->request.max_expansions - entry->spent;
}

/* Returns whether that is the limit of all that share the search. */
static bool ends_all(const wend__group *group) {
    return !group || group->spent >= group->most_limit;
}

static uint64_t run_entry(wend_service *service, wend__lane *lane, wend__entry *entry, uint64_t left) {
    wend__slot *slot = &service->slots[entry->slot];
    wend__search *search = &slot->search;
    if (!slot->ready) wend__search_init(search, &service->pool);
    slot->ready = slot->used = true;
    if (!entry->begun) {
        begin(service, entry, search);
        entry->restarts += entry->again;
        entry->again = false;
        entry->begun = entry->dated = true;
        entry->searched = search->status == WEND_STATUS_PENDING;
        entry->epoch = entry->version->epoch;
        entry->revision = entry->version->revision;
        entry->dated_revision = entry->version->revision;
    }
    wend__group *group = wend__group_of(service, (uint32_t)(entry - service->entries));
    const uint64_t allowed = most_of(entry, group); /* 0: the search may still end, once it has pages */
    uint64_t used = wend__search_step(search, &lane->stock, left < allowed ? left : allowed);
    entry->spent += used;
    if (group) group->spent += used;
    if (used == allowed && ends_all(group) && search->status == WEND_STATUS_PENDING && !search->starved)
        wend__search_conclude(search, &lane->stock);
    return used;
}

/* Copies the path of a search that has just ended to the buffer, so that the next search can have its slot. Not if the
 * path is long, or the search holds many pages. */
static bool buffer_path(wend_service *service, wend__lane *lane, wend__entry *entry) {
    const wend__search *search = &service->slots[entry->slot].search;
    const uint64_t room = lane->buffer_end - lane->buffer, blocks = wend__paths_blocks(search->steps, false);
    if (entry->request.unloaded != WEND_UNLOADED_BLOCK) return false; /* the request may have to wait for land */
    if (search->status != WEND_STATUS_FOUND || search->steps >= service->def.max_path_cells) return false;
    if (search->steps > room || blocks > lane->blocks - lane->promised) return false;
    if (search->far.aimed) return false;
    if (search->pages.count > WEND__STOCK || search->open_pages.count > WEND__STOCK) return false;
    if (!wend__search_directions(search, service->buffers + lane->buffer)) return false;
    entry->steps = search->steps;
    entry->cost = (int64_t)search->cost;
    entry->engine = search->engine->name;
    entry->general = (uint8_t)wend__search_general(search);
    entry->buffered = lane->buffer;
    lane->buffer += (uint32_t)search->steps;
    lane->promised += (uint32_t)blocks;
    return true;
}

/* Exchanges the slots of a finished search and of another before it begins: the finished one's pages are still in the
 * caches. */
static void hand_on(wend_service *service, uint32_t from, uint32_t to) {
    WEND__DEBUG_ASSERT(service->entries[from].buffered != WEND__NONE && !service->entries[to].begun);
    wend__entry *done = &service->entries[from], *next = &service->entries[to];
    const uint32_t slot = done->slot;
    done->slot = next->slot;
    next->slot = slot;
    done->request.more_goals = NULL; /* stored in the slot's room */
    service->slots[done->slot].entry = from;
    service->slots[next->slot].entry = to;
}

/* Gives the current request a step. Returns false when the request is done in this round. */
static bool go_on(wend_service *service, wend__lane *lane, uint64_t most) {
    const uint32_t index = lane->list[lane->reached - 1];
    wend__entry *entry = &service->entries[index];
    const uint64_t used = run_entry(service, lane, entry, most);
    const wend__search *search = &service->slots[entry->slot].search;
    lane->used += used;
    if (used > 0) lane->work[search->engine->work] += used;
    const bool pending = search->status == WEND_STATUS_PENDING;
    if (pending && !search->starved && most_of(entry, wend__group_of(service, index)) > 0) return true;
    if (!pending && !wend__field_search_is(search)) wend__postpone_note(&lane->ended, search);
    if (buffer_path(service, lane, entry)) lane->buffered = index;
    return false;
}

static void begin_next(wend_service *service, wend__lane *lane) {
    const uint32_t index = lane->list[lane->reached++];
    if (lane->buffered == WEND__NONE || service->entries[index].begun) return;
    hand_on(service, lane->buffered, index);
    lane->buffered = WEND__NONE;
}

void wend__lane_begin(wend__lane *lane) {
    lane->used = 0;
    lane->reached = 0;
    lane->midway = false;
    lane->buffered = WEND__NONE;
    lane->ended = (wend__ended){0};
    memset(lane->work, 0, sizeof lane->work);
}

bool wend__lane_run(wend_service *service, wend__lane *lane, uint64_t most) {
    WEND__DEBUG_ASSERT(lane->used <= lane->grant && lane->reached <= lane->count);
    const uint64_t left = lane->grant - lane->used, until = lane->used + (most < left ? most : left);
    while (lane->used < until) {
        if (!lane->midway && lane->reached == lane->count) return false;
        if (!lane->midway) begin_next(service, lane);
        lane->midway = go_on(service, lane, until - lane->used);
    }
    return lane->used < lane->grant;
}
