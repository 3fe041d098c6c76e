/* SPDX-License-Identifier: MIT */
/* Who runs in a round: the first requests in order are dealt to the lanes, one lane in so many serves the oldest. */
#include "service/service_internal.h"

/* When it has finished it leaves the chain by age, in which others' entries lie beside it that nobody else has touched. */
static void fetch_beside(const wend_service *service, const wend__entry *entry) {
    const wend__entry *entries = service->entries;
    if (entry->previous != WEND__NONE) WEND__PREFETCH(&entries[entry->previous].next);
    if (entry->next != WEND__NONE) WEND__PREFETCH(&entries[entry->next].previous);
}

/* Into a lane's hands, with a slot for its search. False where there is no slot for it. */
static bool claim(wend_service *service, uint32_t index, bool evict) {
    wend__order_remove(service, index);
    if (wend__memory_take_slot(service, index, evict)) {
        service->entries[index].state = WEND__DEALT;
        fetch_beside(service, &service->entries[index]);
        return true;
    }
    wend__order_push(service, index);
    return false;
}

/* Before fair_next all are dealt or barred, and stay so for this round. */
static uint32_t oldest_undealt(wend_service *service) {
    uint32_t index = service->fair_next;
    while (index != WEND__NONE && service->entries[index].state != WEND__WAITING) index = service->entries[index].next;
    service->fair_next = index;
    return index;
}

/* Whom the next lane begins with. Where no slot is left for anybody new, that is the oldest's fault alone (all others
 * would be evicted), so the oldest goes on. */
static uint32_t deal_head(wend_service *service, bool fair) {
    uint32_t oldest = service->ages.first;
    bool oldest_waits = oldest != WEND__NONE && service->entries[oldest].state == WEND__WAITING;
    if (oldest_waits && service->inherits && claim(service, oldest, true)) return oldest;
    uint32_t choice = fair ? oldest_undealt(service) : WEND__NONE;
    if (choice != WEND__NONE && claim(service, choice, true)) return choice;
    choice = wend__order_first(service);
    if (choice != WEND__NONE && claim(service, choice, true)) return choice;
    return oldest_waits && claim(service, oldest, true) ? oldest : WEND__NONE;
}

static void deal_heads(wend_service *service, uint64_t most) {
    service->dealt = 0;
    service->fair_next = service->ages.first;
    while (service->dealt < most) {
        wend__lane *lane = &service->lanes[service->dealt];
        lane->fair = service->def.fair > 0 && (service->lanes_dealt + 1) % service->def.fair == 0;
        uint32_t head = deal_head(service, lane->fair);
        if (head == WEND__NONE) break;
        lane->list[0] = head;
        lane->count = 1;
        service->dealt++;
        service->lanes_dealt++;
    }
}

/* What a lane goes on with when its first search ends early. Nobody is evicted for that. */
static void deal_tails(wend_service *service, bool fair) {
    for (uint32_t place = 1; place < service->list_length; place++)
        for (uint32_t i = 0; i < service->dealt; i++) {
            wend__lane *lane = &service->lanes[i];
            if (lane->fair != fair) continue;
            uint32_t choice = fair ? oldest_undealt(service) : wend__order_first(service);
            if (choice == WEND__NONE || !claim(service, choice, false)) return;
            lane->list[lane->count++] = choice;
        }
}

/* The slice, or the lane's share of what is left, if that is less. */
static void grant_expansions(wend_service *service, uint64_t left) {
    uint64_t share = left / service->dealt, rest = left % service->dealt;
    for (uint32_t i = 0; i < service->dealt; i++) {
        uint64_t mine = share + (i < rest);
        service->lanes[i].grant = mine < service->def.slice ? mine : service->def.slice;
    }
}

bool wend__deal(wend_service *service, uint64_t left) {
    deal_heads(service, left < service->def.lanes ? left : service->def.lanes);
    if (service->dealt == 0) return false;
    deal_tails(service, false);
    deal_tails(service, true);
    grant_expansions(service, left);
    return true;
}
