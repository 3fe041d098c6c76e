/* SPDX-License-Identifier: MIT */
/* A full queue: places reserved for urgent requests, and requests that lose theirs to more urgent ones.
 *
 * A thread that submits cannot see which requests wait, as only the owner can. It sees how many there are of each
 * urgency. So it takes the newcomer into a place beyond the limit, and the owner ends the least urgent waiting request
 * at the next intake. */
#include "service/queue/queue.h"

#include "service/state/service_state.h"

/* ---- any thread: the inbox is locked ---- */

void wend__full_add(uint32_t *tree, int32_t urgency, int32_t by) {
    WEND__DEBUG_ASSERT(urgency >= WEND_URGENCY_MIN && urgency <= WEND_URGENCY_MAX);
    for (uint32_t at = (uint32_t)(urgency - WEND_URGENCY_MIN) + 1; at < WEND__LESSER_WORDS; at += at & (0 - at))
        tree[at] += (uint32_t)by;
}

uint32_t wend__full_below(const uint32_t *tree, int32_t urgency) {
    WEND__DEBUG_ASSERT(urgency >= WEND_URGENCY_MIN && urgency <= WEND_URGENCY_MAX + 1);
    uint32_t sum = 0;
    for (uint32_t at = (uint32_t)(urgency - WEND_URGENCY_MIN); at > 0; at &= at - 1) sum += tree[at];
    return sum;
}

bool wend__full_admits(const wend__inbox *inbox, int32_t urgency, bool *owes) {
    const uint32_t limit = urgency > 0 ? inbox->queue : inbox->queue - inbox->reserve;
    *owes = inbox->pending - inbox->owed >= limit;
    if (!*owes) return true;
    return inbox->lesser && inbox->owed < WEND__MOST_OWED && wend__full_below(inbox->lesser, urgency) > inbox->owed;
}

void wend__full_accepted(wend__inbox *inbox, int32_t urgency, bool owes) {
    if (!inbox->lesser) return;
    wend__full_add(inbox->lesser, urgency, 1);
    if (owes) inbox->takers[inbox->owed++] = urgency;
}

void wend__full_move(wend__inbox *inbox, int32_t from, int32_t to) {
    if (!inbox->lesser) return;
    wend__full_add(inbox->lesser, from, -1);
    wend__full_add(inbox->lesser, to, 1);
}

/* ---- the owner ---- */

void wend__full_count(wend_service *service, int32_t urgency, int32_t by) {
    wend__inbox *inbox = &service->inbox;
    if (!inbox->lesser) return;
    wend__mutex_lock(inbox->mutex);
    wend__full_add(inbox->lesser, urgency, by);
    wend__mutex_unlock(inbox->mutex);
}
