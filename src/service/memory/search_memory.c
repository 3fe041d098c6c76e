/* SPDX-License-Identifier: MIT */
/* Slots and pages of searches: how they are granted and evicted.
 *
 * Invariant: each request begins a bounded number of times whatever else is submitted, and every frame terminates.
 * Why it holds:
 *
 * 1. The oldest request's search is never evicted: victim() passes it over.
 * 2. A request that was evicted more than tuning.evictions times is barred: it is not scheduled until it is the
 *    oldest. So it is begun at most evictions + 2 times, the last time as the oldest, when 1 holds. It is begun
 *    once more
 *    - for each of at most tuning.restarts restarts because the map changed or units stood in its way,
 *    - for each call of wend_service_set_goal() for it,
 *    - for each time that an older request came back before it, for one of these reasons.
 * 3. In a round in which nothing was expanded and nothing finished, every lane ran out of pages. After it,
 *    wend__memory_relieve() evicts a search that is neither the oldest's nor the first lane's: one less is in
 *    flight each time. When no other is left, it schedules the oldest in the first lane until that is finished. If
 *    no other search holds a page then, and the pages that it needs are not free, the first lane's search does
 *    not fit. It compacts its open list; after that it can expand, or wants pages of nodes, or ends as
 *    out_of_nodes. Where they are free, it takes at least one of them in the next round. The first lane is granted
 *    pages before all but the oldest, so freed pages reach it before a new search. So after at most 2 x searches + 4
 *    such rounds, and one for each page that it takes, something is expanded or finished.
 * 4. Pages that the oldest starves for are kept back from all others until it has them. When it is scheduled,
 *    parked searches that hold pages are evicted for it. Searches in other lanes run on within their pages, which
 *    is a bounded number of expansions; then they end, or starve and are parked. So once the oldest is scheduled
 *    it goes on after a bounded number of expansions of others, and ends. (The fair lane schedules it. Without a
 *    fair lane its turn may never come, as the host has asked for.)
 *    A reserve of pages (def.reserve) is kept from others only until a round in which nothing moved.
 * 5. Finished searches that hold their pages because the arena is full cannot be evicted. While there are any,
 *    nothing ends as out_of_nodes: the frame ends, and delivery frees them. */

/* Tried: to evict the search that spent least, and to leave pages uncleared when they are taken: no gain. */
#include "service/memory/memory.h"

#include <inttypes.h>

#include "service/queue/queue.h"
#include "service/state/service_state.h"
#include "service/store/heap.h"
#include <wend/host.h>

enum { PAGES_ALONE = 4 }; /* pages of each kind, to a lane with one search */

static bool is_oldest(const wend_service *service, uint32_t index) {
    return wend__ages_first(service) == index;
}

/* ---- slots ---- */

void wend__memory_free_slot(wend_service *service, uint32_t index) {
    WEND__DEBUG_ASSERT(service->entries[index].slot != WEND__NONE);
    wend__entry *entry = &service->entries[index];
    wend__slot *slot = &service->slots[entry->slot];
    if (slot->ready) wend__search_drop(&slot->search);
    slot->next_free = service->free_slots[slot->used];
    slot->entry = WEND__NONE;
    service->free_slots[slot->used] = entry->slot;
    if (entry->version) wend__pins_return(service, entry->version);
    entry->version = NULL;
    if (entry->state == WEND__FINISHED)
        service->holding--;
    else {
        service->running--;
        wend__full_count(service, entry->request.urgency, 1);
    }
    entry->slot = WEND__NONE;
    entry->begun = false;
    entry->request.more_goals = NULL; /* stored in the slot's room */
}

static uint32_t take_free_slot(wend_service *service) {
    const bool used = service->free_slots[1] != WEND__NONE;
    uint32_t slot = service->free_slots[used];
    if (slot != WEND__NONE) {
        service->free_slots[used] = service->slots[slot].next_free;
    } else if (service->fresh_slot < service->tuning.searches) {
        slot = service->fresh_slot++;
        service->slots[slot].ready = false;
    } else {
        return WEND__NONE;
    }
    service->slots[slot].used = false;
    return slot;
}

/* Returns the parked search that is last in order, but not the oldest's and not `spared`'s. WEND__NONE: none is. */
static uint32_t victim(const wend_service *service, uint32_t spared) {
    const wend__heap *parked = &service->parked;
    const wend__heap_item *least = NULL;
    for (uint32_t i = 0; i < parked->count && i < 7; i++) { /* the heap's first three levels hold its first three */
        uint32_t index = service->slots[parked->items[i].id].entry;
        if (is_oldest(service, index) || index == spared) continue;
        if (!least || wend__heap_before(&parked->items[i], least)) least = &parked->items[i];
    }
    return least ? service->slots[least->id].entry : WEND__NONE;
}

/* Returns the search that is evicted for `index`: it comes after `index` in the order, unless `index` is the oldest. */
static uint32_t victim_for(const wend_service *service, uint32_t index) {
    uint32_t found = victim(service, index);
    bool may = found != WEND__NONE && (is_oldest(service, index) || wend__order_before(service, index, found));
    return may ? found : WEND__NONE;
}

void wend__memory_lose_search(wend_service *service, uint32_t index) {
    WEND__DEBUG_ASSERT(service->entries[index].state == WEND__WAITING && service->entries[index].slot != WEND__NONE);
    wend__entry *entry = &service->entries[index];
    wend__order_remove(service, index);
    wend__memory_free_slot(service, index);
    entry->starved = false;
    entry->again = true;
}

static void evict(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    wend__memory_lose_search(service, index);
    entry->evictions++;
    if (service->figures.evictions + service->frame_evictions++ == 0)
        wend__log(WEND_LOG_WARNING, WEND_OK,
                  "a service has evicted its first search, which begins again: the pages of its def.nodes = %" PRIu64
                  " or the searches that it keeps, %u, are used up",
                  service->def.nodes, service->tuning.searches);
    if (entry->evictions > service->tuning.evictions && !is_oldest(service, index))
        entry->state = WEND__BARRED;
    else
        wend__order_push(service, index);
}

bool wend__memory_take_slot(wend_service *service, uint32_t index, bool may_evict) {
    wend__entry *entry = &service->entries[index];
    if (entry->slot != WEND__NONE) return true;
    uint32_t slot = take_free_slot(service);
    if (slot == WEND__NONE && may_evict) {
        uint32_t found = victim_for(service, index);
        if (found == WEND__NONE) return false;
        evict(service, found);
        slot = take_free_slot(service);
    }
    if (slot == WEND__NONE) return false;
    service->slots[slot].entry = index;
    entry->slot = slot;
    entry->version = wend__pins_take(service, entry->request.map);
    service->running++;
    wend__full_count(service, entry->request.urgency, -1);
    return true;
}

/* ---- pages ---- */

typedef struct needs {
    uint32_t pages, open;
} needs;

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* Returns the missing pages that the oldest starves for, in this round. */
static needs kept_back(const wend_service *service) {
    const uint32_t index = wend__ages_first(service);
    const wend__entry *oldest = index == WEND__NONE ? NULL : &service->entries[index];
    if (!oldest || !oldest->starved || oldest->state == WEND__SCHEDULED) return (needs){0, 0};
    return (needs){oldest->wants_pages, oldest->wants_open};
}

/* Returns pages of the reserve, for lanes with a first search of urgency up to 0. */
static needs reserve_of(const wend_service *service) {
    const uint64_t part = service->all_pages ? 0 : service->def.reserve, whole = service->def.queue;
    return (needs){(uint32_t)(service->pool.page_count * part / whole),
                   (uint32_t)(service->pool.open_count * part / whole)};
}

static needs most(needs a, needs b) {
    return (needs){a.pages > b.pages ? a.pages : b.pages, a.open > b.open ? a.open : b.open};
}

static void fill_stock(wend_service *service, wend__lane *lane, needs wanted, needs kept) {
    uint32_t pages = wend__pool_free_pages(&service->pool), open = wend__pool_free_open(&service->pool);
    pages = pages > kept.pages ? pages - kept.pages : 0;
    open = open > kept.open ? open - kept.open : 0;
    pages = least(wanted.pages, lane->stock.page_count + pages);
    open = least(wanted.open, lane->stock.open_count + open);
    wend__pool_grant(&service->pool, &lane->stock, pages, open);
}

/* Returns a lane's part of the free pages, so that in a small pool the first lanes do not take what the last ones need;
 * but always the known need of its first search, or a page. */
static uint32_t part_of(uint32_t wanted, uint32_t free, uint32_t lanes, uint32_t needed) {
    WEND__DEBUG_ASSERT(lanes > 0);
    uint32_t part = free / lanes;
    if (part < needed) part = needed;
    if (part < 1) part = 1;
    return least(wanted, part);
}

/* Evicts others only for a lane's first search, and only if that is known to need pages. */
static void grant_lane(wend_service *service, wend__lane *lane, uint32_t lanes_left, needs kept) {
    const wend__entry *head = &service->entries[lane->list[0]];
    needs needed = head->starved ? (needs){head->wants_pages, head->wants_open} : (needs){0, 0};
    uint32_t most = lane->count > 1 || head->starved ? WEND__STOCK : PAGES_ALONE;
    needs wanted = {part_of(most, wend__pool_free_pages(&service->pool), lanes_left, needed.pages),
                    part_of(most, wend__pool_free_open(&service->pool), lanes_left, needed.open)};
    for (;;) {
        fill_stock(service, lane, wanted, kept);
        if (lane->stock.page_count >= needed.pages && lane->stock.open_count >= needed.open) return;
        uint32_t found = victim_for(service, lane->list[0]);
        if (found == WEND__NONE) return;
        evict(service, found);
    }
}

void wend__memory_grant(wend_service *service) {
    const needs none = {0, 0};
    const needs kept = kept_back(service), reserve = most(kept, reserve_of(service));
    uint32_t left = service->scheduled;
    for (uint32_t i = 0; i < service->scheduled; i++)
        if (is_oldest(service, service->lanes[i].list[0])) grant_lane(service, &service->lanes[i], left--, none);
    for (uint32_t i = 0; i < service->scheduled; i++)
        if (!is_oldest(service, service->lanes[i].list[0])) {
            const bool urgent = service->entries[service->lanes[i].list[0]].request.urgency > 0;
            grant_lane(service, &service->lanes[i], left--, urgent ? kept : reserve);
        }
}

void wend__memory_return(wend_service *service) {
    for (uint32_t i = 0; i < service->scheduled; i++) wend__pool_return(&service->pool, &service->lanes[i].stock);
}

/* Returns whether the pages are free that a search starves for. It got its earlier demand, and needs more for one
 * expansion; an eviction in this round may have freed them. */
static bool wants_free_pages(const wend_service *service, const wend__entry *entry) {
    return entry->begun && entry->starved && entry->wants_pages + entry->wants_open > 0 &&
           entry->wants_pages <= wend__pool_free_pages(&service->pool) &&
           entry->wants_open <= wend__pool_free_open(&service->pool);
}

wend__relief wend__memory_relieve(wend_service *service) {
    uint32_t first = service->lanes[0].list[0], oldest = wend__ages_first(service);
    if (service->def.reserve > 0 && !service->all_pages) {
        service->all_pages = true;
        return WEND__RELIEF_MADE;
    }
    uint32_t found = victim(service, first);
    if (found != WEND__NONE) {
        evict(service, found);
    } else if (first != oldest && (service->entries[oldest].slot != WEND__NONE || service->entries[oldest].starved)) {
        service->inherits = true; /* it holds pages, or they are kept back for it */
    } else {
        if (service->holding > 0) return WEND__RELIEF_NONE;
        const wend__entry *entry = &service->entries[first];
        if (wants_free_pages(service, entry)) return WEND__RELIEF_MADE;
        bool wants_open = entry->begun && entry->starved && entry->wants_open > 0;
        if (wants_open && wend__search_compact(&service->slots[entry->slot].search)) return WEND__RELIEF_MADE;
        return WEND__RELIEF_TOO_LARGE;
    }
    return WEND__RELIEF_MADE;
}
