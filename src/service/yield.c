/* SPDX-License-Identifier: MIT */
/* When a search goes behind its peers: after a quantum, if they gain by that.
 *
 * Short ones do: they overtake it. Where all are about as long nobody does; those that take turns only drive each other
 * out of the caches, and where nodes are short out of the pool, again and again, until each has begun many times. So a
 * quantum counts for a search that has taken longer than searches do as a rule, and where others can begin without taking
 * its nodes. The rule is what searches took that came to their end of late: those cut short say little of it. */
#include "service/service_internal.h"

enum { REMEMBERED = 64, LONGER = 4 };

void wend__yield_note(wend__ended *ended, const wend__entry *entry, const wend__search *search) {
    ended->count++;
    ended->spent += entry->spent;
    ended->pages += search->pages.count;
    ended->open += search->open_pages.count;
}

/* All sums are halved whenever there are 64: what was before counts half after every 32 more. */
void wend__yield_learn(wend_service *service, const wend__ended *ended) {
    wend__ended *all = &service->ended;
    all->count += ended->count, all->spent += ended->spent;
    all->pages += ended->pages, all->open += ended->open;
    while (all->count >= REMEMBERED) all->count /= 2, all->spent /= 2, all->pages /= 2, all->open /= 2;
}

/* As long as none has ended, any may be the longest. */
static bool is_long(const wend_service *service, const wend__entry *entry) {
    const wend__ended *ended = &service->ended;
    return ended->count == 0 || entry->spent / LONGER > ended->spent / ended->count;
}

/* Can every lane begin something else, and one more? As long as none has ended, with as much as this search holds. */
static bool others_find_room(const wend_service *service, const wend__search *search) {
    const wend__ended own = {.count = 1, .pages = search->pages.count, .open = search->open_pages.count};
    const wend__ended *as = service->ended.count > 0 ? &service->ended : &own;
    const uint64_t lanes = service->def.lanes, slots = service->def.searches - service->running - service->holding;
    return slots >= lanes && wend__pool_free_pages(&service->pool) * as->count >= as->pages * (lanes + 1) &&
           wend__pool_free_open(&service->pool) * as->count >= as->open * (lanes + 1);
}

void wend__yield_count(const wend_service *service, wend__entry *entry) {
    const uint64_t spent = entry->spent / service->def.quantum;
    const uint32_t quanta = spent < UINT32_MAX ? (uint32_t)spent : UINT32_MAX;
    if (entry->starved) return; /* what is freed for it is to reach it: memory.c, 3 */
    if (quanta <= entry->quanta || !is_long(service, entry)) return;
    if (others_find_room(service, &service->slots[entry->slot].search)) entry->quanta = quanta;
}
