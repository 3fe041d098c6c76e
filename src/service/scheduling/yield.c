/* SPDX-License-Identifier: MIT */
/* When a search yields to its peers: after a quantum, if they gain by that.
 *
 * Short searches gain: they overtake a long one. Searches of similar length gain nothing. Taking turns only drives
 * each other out of the caches, and where nodes are short out of the pool, so that they begin again. Therefore:
 *
 * - The first quantum counts where short searches (one quantum is enough for them) were frequent recently and much
 *   shorter. It also counts where searches take several quanta by the mean, as one is then little to lose; and
 *   where this search has taken much longer than the mean. A search whose first quantum counts goes behind all
 *   that have not spent one.
 * - A further quantum counts where the search has taken much longer than the mean, and nodes suffice for others to
 *   begin and for all in flight to go on. Then it takes turns with others that have spent a quantum.
 *
 * The mean is over searches that ended recently. Expansions lost by a restart are not counted, else a search that
 * yields in vain would make yielding look worth while. Cancelled searches are not counted. */
#include "service/scheduling/yield.h"

#include "service/state/service_state.h"

enum {
    REMEMBERED = 64,  /* searches, at most */
    SELDOM = 16,      /* fewer than one in so many */
    LONGER = 4,       /* times as long as others in the mean */
    MUCH_LONGER = 16, /* where nodes are short, and a search that yields may lose its own */
    SEVERAL = 4,      /* quanta: one of them is not much to lose */
    GROWTH = 4        /* times what it holds, as much as any in flight may come to */
};

/* A service begins as if two short searches had ended. */
void wend__yield_init(wend_service *service) {
    service->ended = (wend__ended){.known = 2, .brief = 2};
}

void wend__yield_note(const wend_service *service, wend__ended *ended, const wend__entry *entry) {
    const wend__search *search = &service->slots[entry->slot].search;
    ended->count++;
    ended->spent += search->expansions;
    ended->pages += search->pages.count;
    ended->open += search->open_pages.count;
    if (entry->lengthy) return;
    ended->known++;
    if (search->expansions >= service->tuning.quantum) return;
    ended->brief++;
    ended->brief_spent += search->expansions;
}

/* Sums are halved at 64 searches, so older ones count half after every 32 more. */
void wend__yield_learn(wend_service *service, const wend__ended *ended) {
    wend__ended *all = &service->ended;
    all->count += ended->count, all->spent += ended->spent;
    all->pages += ended->pages, all->open += ended->open;
    all->known += ended->known, all->brief += ended->brief, all->brief_spent += ended->brief_spent;
    for (; all->count >= REMEMBERED; all->count /= 2) all->spent /= 2, all->pages /= 2, all->open /= 2;
    for (; all->known >= REMEMBERED; all->known /= 2) all->brief /= 2, all->brief_spent /= 2;
}

/* Until one has ended, any may be the longest. */
static bool is_long(const wend_service *service, const wend__search *search) {
    const wend__ended *ended = &service->ended;
    return ended->count == 0 || search->expansions / LONGER > ended->spent / ended->count;
}

/* Can all that are in flight go on without taking each other's nodes? */
static bool all_find_room(const wend_service *service, const wend__search *search) {
    const uint64_t times = (uint64_t)service->running * GROWTH;
    return times * search->pages.count <= service->pool.page_count &&
           times * search->open_pages.count <= service->pool.open_count;
}

/* Where none has ended is_long() says so. */
static bool first_counts(const wend_service *service, const wend__search *search) {
    const wend__ended *ended = &service->ended;
    if (is_long(service, search) || ended->spent / ended->count / SEVERAL >= service->tuning.quantum) return true;
    const uint64_t longer = all_find_room(service, search) ? LONGER : MUCH_LONGER;
    return ended->brief > 0 && ended->brief * SELDOM >= ended->known &&
           search->expansions / longer >= ended->brief_spent / ended->brief;
}

/* Can every lane begin something else, and one more? As long as none has ended, with as much as this search holds. */
static bool others_find_room(const wend_service *service, const wend__search *search) {
    const wend__ended own = {.count = 1, .pages = search->pages.count, .open = search->open_pages.count};
    const wend__ended *as = service->ended.count > 0 ? &service->ended : &own;
    const uint64_t lanes = service->def.lanes, slots = service->def.searches - service->running - service->holding;
    return slots >= lanes && wend__pool_free_pages(&service->pool) * as->count >= as->pages * (lanes + 1) &&
           wend__pool_free_open(&service->pool) * as->count >= as->open * (lanes + 1);
}

void wend__yield_count(wend_service *service, wend__entry *entry) {
    const uint64_t spent = entry->spent / service->tuning.quantum;
    const uint32_t quanta = spent < UINT32_MAX ? (uint32_t)spent : UINT32_MAX;
    const wend__search *search = &service->slots[entry->slot].search;
    if (search->expansions >= service->tuning.quantum && !entry->lengthy) {
        entry->lengthy = true;
        wend__yield_learn(service, &(wend__ended){.known = 1});
    }
    if (quanta <= entry->quanta || entry->starved)
        return; /* pages freed for a starved search are to reach it: search_memory.c, 3 */
    const bool counts = entry->quanta == 0 ? first_counts(service, search)
                                           : is_long(service, search) && others_find_room(service, search) &&
                                                 all_find_room(service, search);
    if (counts) entry->quanta = quanta;
}
