/* SPDX-License-Identifier: MIT */
/* Room for completions that wait for a poll, so that they cannot keep requests with a callback from being
 * searched.
 *
 * Their paths take at most a share of the arena. The search of a request without a callback begins only where the
 * share has room; otherwise the request waits on the shelf until a poll makes room. The length of its path is not
 * known before. If the path turns out too long for the room left, the search is dropped, and begins again when
 * that many blocks are free. A request that leaves the shelf has a promise of its blocks, which a more urgent one
 * may take; they are reserved once it has a slot. So a request is begun once more for each path that did not
 * fit: once, unless the map or the goal changes. A finished search keeps its slot only until delivery of others
 * has freed blocks of the arena. */
#include "service/delivery/delivery.h"

#include "service/memory/memory.h"
#include "service/queue/queue.h"
#include "service/inbox/inbox.h"
#include "service/state/service_state.h"
#include "service/store/heap.h"
#include "service/store/path_arena.h"

static uint32_t *total_of(wend_service *service, const wend__entry *entry) {
    return entry->promised ? &service->polls.promised : &service->polls.reserved;
}

static void set_room(wend_service *service, wend__entry *entry, uint32_t blocks, bool promised) {
    *total_of(service, entry) -= entry->reserved;
    entry->reserved = blocks;
    entry->promised = promised;
    *total_of(service, entry) += blocks;
}

static void reserve(wend_service *service, wend__entry *entry, uint32_t blocks) {
    set_room(service, entry, blocks, false);
}

/* Blocks of the share that nobody else has or has reserved. */
static uint32_t room_for(const wend_service *service, const wend__entry *entry) {
    const wend__polls *polls = &service->polls;
    const uint32_t own = entry->promised ? 0 : entry->reserved, taken = polls->used + polls->reserved - own;
    return taken < polls->limit ? polls->limit - taken : 0;
}

static uint32_t wanted(const wend__entry *entry) {
    return entry->blocks > 0 ? entry->blocks : 1;
}

static void push(wend_service *service, uint32_t index) {
    const wend__heap_item key = wend__order_key(&service->entries[index]);
    wend__heap_push(&service->polls.shelf, key.major, key.minor, index);
}

/* Only one with a deadline will be brought forward by frames alone. */
static void count_work(wend_service *service, const wend__entry *entry, bool shelved) {
    if (entry->request.deadline_frames == WEND_NO_LIMIT) wend__inbox_shelved(service, shelved);
}

bool wend__polls_admit(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    const wend__heap *shelf = &service->polls.shelf;
    if (entry->begun || (entry->reserved > 0 && !entry->promised)) return true;
    if (room_for(service, entry) < wanted(entry)) return false;
    return shelf->count == 0 || !wend__order_before(service, shelf->items[0].id, index);
}

void wend__polls_claimed(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    if (!entry->begun && (entry->reserved == 0 || entry->promised)) reserve(service, entry, wanted(entry));
}

void wend__polls_shelve(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    wend__complete_leave_order(service, index);
    if (entry->promised) reserve(service, entry, 0);
    entry->state = WEND__SHELVED;
    push(service, index);
    count_work(service, entry, true);
}

void wend__polls_take_off(wend_service *service, uint32_t index) {
    wend__heap_remove(&service->polls.shelf, index);
    count_work(service, &service->entries[index], false);
}

void wend__polls_set_urgency(wend_service *service, uint32_t index, int32_t urgency) {
    wend__heap_remove(&service->polls.shelf, index);
    service->entries[index].request.urgency = urgency;
    push(service, index);
}

void wend__polls_unshelve(wend_service *service) {
    const wend__heap *shelf = &service->polls.shelf;
    while (shelf->count > 0) {
        const uint32_t index = shelf->items[0].id;
        wend__entry *entry = &service->entries[index];
        if (room_for(service, entry) < service->polls.promised + wanted(entry)) return;
        wend__polls_take_off(service, index);
        set_room(service, entry, wanted(entry), true);
        wend__ages_add(service, index);
        wend__order_push(service, index);
    }
}

/* Blocks that the path of its search takes, as far as it is handed over. */
static uint32_t blocks_of(wend_service *service, const wend__entry *entry) {
    const wend__search *search = &service->slots[entry->slot].search;
    const uint64_t most = service->def.max_path_cells - 1, steps = search->steps < most ? search->steps : most;
    uint8_t *directions = (uint8_t *)service->cells; /* room for a cell each */
    const uint64_t cells = steps + search->far.count;
    if (search->far.aimed) return (uint32_t)wend__paths_blocks(cells < most ? cells : most, true);
    if (steps == search->steps && wend__search_directions(search, directions))
        return (uint32_t)wend__paths_blocks(steps, false);
    wend__search_cells(search, service->cells, steps + 1);
    return (uint32_t)wend__paths_blocks(steps, wend__paths_is_wide(service->cells, steps));
}

bool wend__polls_make_room(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    entry->blocks = blocks_of(service, entry);
    if (entry->blocks > room_for(service, entry)) return false;
    reserve(service, entry, entry->blocks);
    return true;
}

bool wend__polls_fit(const wend_service *service, const wend__entry *entry) {
    const wend__paths *paths = &service->paths;
    return entry->staged != WEND__NONE || entry->blocks <= paths->free_count - paths->promised;
}

/* The lost expansions are not the request's fault, so its limit rises by them. */
void wend__polls_defer(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    const uint64_t spent = service->slots[entry->slot].search.expansions, most = entry->request.max_expansions;
    entry->request.max_expansions = most < WEND_NO_LIMIT - spent ? most + spent : WEND_NO_LIMIT;
    reserve(service, entry, 0);
    if (entry->state == WEND__WAITING) {
        wend__memory_lose_search(service, index);
        wend__order_push(service, index);
    } else {
        wend__memory_free_slot(service, index);
        entry->starved = false;
        entry->again = true;
    }
    wend__polls_shelve(service, index);
}

void wend__polls_stored(wend_service *service, wend__entry *entry) {
    reserve(service, entry, 0);
    service->polls.used += entry->path.blocks;
}

void wend__polls_drop(wend_service *service, wend__entry *entry) {
    reserve(service, entry, 0);
    service->polls.used -= entry->path.blocks;
}

/* At the end of a delivery, which has freed blocks, whatever it came to. */
void wend__polls_free_slots(wend_service *service) {
    for (uint32_t slot = 0; service->holding > 0 && slot < service->fresh_slot; slot++) {
        const uint32_t index = service->slots[slot].entry;
        if (index == WEND__NONE) continue;
        const wend__entry *entry = &service->entries[index];
        if (wend__is_polled(entry) && entry->state == WEND__FINISHED) wend__complete_store(service, index);
    }
}
