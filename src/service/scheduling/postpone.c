/* SPDX-License-Identifier: MIT */
/* Decides when a search is postponed, that is, goes behind its peers, once.
 *
 * A search is postponed when it has taken a quantum and four times the recent mean; or a quantum, if that mean is four
 * quanta or more.
 *
 * Short searches gain by that: they overtake a long one. If the mean is several quanta, one of them is little to
 * lose. Searches of similar length gain nothing. Taking turns only drives each other out of the caches, and if nodes
 * are short out of the pool, so that they begin again. Therefore no search is postponed twice.
 *
 * The mean is over searches that ended recently. Expansions lost by a restart are not counted, else a search that
 * is postponed in vain would make postponing seem worth while. Cancelled searches are not counted. */

/* Tried: to yield after each quantum, or with four quanta of patience: searches evict each other, 3.3 times the
 * expansions; short requests that come late wait 350 frames, not 1. */
#include "service/scheduling/scheduling.h"

#include "service/state/service_state.h"

enum {
    REMEMBERED = 64, /* most searches in the mean */
    LONGER = 4,      /* factor above the mean of others */
    SEVERAL = 4      /* quanta: one of them is not much to lose */
};

void wend__postpone_note(wend__ended *ended, const wend__search *search) {
    ended->count++;
    ended->spent += search->expansions;
}

/* Sums are halved at 64 searches, so older searches count half after every 32 more. */
void wend__postpone_learn(wend_service *service, const wend__ended *ended) {
    wend__ended *all = &service->ended;
    all->count += ended->count, all->spent += ended->spent;
    for (; all->count >= REMEMBERED; all->count /= 2) all->spent /= 2;
}

void wend__postpone_decide(const wend_service *service, wend__entry *entry) {
    const uint64_t taken = service->slots[entry->slot].search.expansions;
    if (entry->postponed || taken < service->quantum) return;
    if (entry->starved) return; /* pages freed for a starved search must reach it: search_memory.c, 3 */
    const wend__ended *ended = &service->ended;
    const uint64_t mean = ended->count > 0 ? ended->spent / ended->count : 0;
    entry->postponed = taken / LONGER >= mean || mean / SEVERAL >= service->quantum;
}
