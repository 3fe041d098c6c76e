/* SPDX-License-Identifier: MIT */
/* When a search is postponed: goes behind its peers, once.
 *
 * It is when it has taken a quantum and four times the recent mean; or a quantum, where that mean is four quanta
 * or more.
 *
 * Short searches gain by that: they overtake a long one. Where the mean is several quanta, one of them is little to
 * lose. Searches of similar length gain nothing. Taking turns only drives each other out of the caches, and where nodes
 * are short out of the pool, so that they begin again. Therefore no search is postponed twice.
 *
 * The mean is over searches that ended recently. Expansions lost by a restart are not counted, else a search that
 * is postponed in vain would make that seem worth while. Cancelled searches are not counted. */
#include "service/scheduling/scheduling.h"

#include "service/state/service_state.h"

enum {
    REMEMBERED = 64, /* searches, at most */
    LONGER = 4,      /* times as long as others in the mean */
    SEVERAL = 4      /* quanta: one of them is not much to lose */
};

void wend__postpone_note(wend__ended *ended, const wend__search *search) {
    ended->count++;
    ended->spent += search->expansions;
}

/* Sums are halved at 64 searches, so older ones count half after every 32 more. */
void wend__postpone_learn(wend_service *service, const wend__ended *ended) {
    wend__ended *all = &service->ended;
    all->count += ended->count, all->spent += ended->spent;
    for (; all->count >= REMEMBERED; all->count /= 2) all->spent /= 2;
}

void wend__postpone_decide(const wend_service *service, wend__entry *entry) {
    const uint64_t taken = service->slots[entry->slot].search.expansions;
    if (entry->postponed || taken < service->quantum) return;
    if (entry->starved) return; /* pages freed for a starved search are to reach it: search_memory.c, 3 */
    const wend__ended *ended = &service->ended;
    const uint64_t mean = ended->count > 0 ? ended->spent / ended->count : 0;
    entry->postponed = taken / LONGER >= mean || mean / SEVERAL >= service->quantum;
}
