/* SPDX-License-Identifier: MIT */
/* The scheduler: gives the first requests in order to a round's lanes. One lane in `fair` serves the oldest. */

/* Tried: several fair lanes in a round. They serve several old requests, not the oldest with all of them. Slices that
 * follow the clock: a frame could not be repeated by its counts. */
#include "service/scheduling/scheduling.h"

#include "service/delivery/delivery.h"
#include "service/memory/memory.h"
#include "service/queue/queue.h"
#include "service/inbox/inbox.h"
#include "service/share/share.h"
#include "service/state/service_state.h"

enum { FULL = 1 << 24 }; /* expansions: longer lanes count as much, so that sums stay small */

/* Prefetches the neighbours in the chain of ages, which it leaves when it finishes; they are in no cache. */
static void fetch_beside(const wend_service *service, const wend__entry *entry) {
    const wend__entry *entries = service->entries;
    if (entry->previous != WEND__NONE) WEND__PREFETCH(&entries[entry->previous].next);
    if (entry->next != WEND__NONE) WEND__PREFETCH(&entries[entry->next].previous);
}

/* Schedules a request, with a slot for its search. Returns false if there is no slot. */
static bool claim(wend_service *service, uint32_t index, bool evict) {
    WEND__DEBUG_ASSERT(service->entries[index].state == WEND__WAITING); /* so that no two lanes get it */
    wend__order_remove(service, index);
    if (wend__memory_take_slot(service, index, evict)) {
        service->entries[index].state = WEND__SCHEDULED;
        fetch_beside(service, &service->entries[index]);
        return true;
    }
    wend__order_push(service, index);
    return false;
}

/* Most requests not to be searched that a round puts aside: about what a slice takes. */
enum { MOST_DISCARDED = 256 };

/* Puts aside a request that is not to be searched: it was cancelled, replaced or is overdue, and an earlier frame had
 * no time to end it. */
static bool discard(wend_service *service, uint32_t index) {
    const bool overdue = service->entries[index].due_frame < service->frame;
    const uint8_t asked = service->behind ? wend__inbox_asked(service, index).before : 0;
    const bool ends = asked & WEND__CHANGE_END;
    if (!overdue && !ends) return false;
    wend__complete(service, index, ends ? wend__change_status(asked) : WEND_STATUS_EXPIRED);
    service->discarded++;
    return true;
}

/* Returns the first in order, or the oldest; WEND__NONE: none waits. */
static uint32_t next_waiting(wend_service *service, bool fair) {
    while (service->discarded < MOST_DISCARDED) {
        const uint32_t index = fair ? wend__ages_oldest_waiting(service) : wend__order_first(service);
        if (index == WEND__NONE) return index;
        if (!discard(service, index) && wend__share_group_starts(service, index) == index) return index;
    }
    return WEND__NONE;
}

/* Returns the oldest request, if it waits to be dealt. */
static uint32_t oldest_if_waiting(wend_service *service) {
    while (service->discarded < MOST_DISCARDED) {
        const uint32_t oldest = wend__ages_first(service);
        if (oldest == WEND__NONE || service->entries[oldest].state != WEND__WAITING) return WEND__NONE;
        if (!discard(service, oldest) && wend__share_group_starts(service, oldest) == oldest) return oldest;
    }
    return WEND__NONE;
}

/* Returns the next lane's first request. If no slot is left, only the oldest is in the way (all others would be
 * evicted), so the oldest goes on. */
static uint32_t deal_head(wend_service *service, bool fair) {
    const uint32_t oldest = oldest_if_waiting(service);
    const bool oldest_waits = oldest != WEND__NONE;
    if (oldest_waits && service->inherits && claim(service, oldest, true)) return oldest;
    uint32_t choice = fair ? next_waiting(service, true) : WEND__NONE;
    if (choice != WEND__NONE && claim(service, choice, true)) return choice;
    choice = next_waiting(service, false);
    if (choice != WEND__NONE && claim(service, choice, true)) return choice;
    choice = oldest_waits ? oldest_if_waiting(service) : WEND__NONE; /* the request may be put aside by now */
    return choice != WEND__NONE && claim(service, choice, true) ? choice : WEND__NONE;
}

/* Returns whether fair lanes lack a few turns of full lanes. */
static bool lacks_turns(const wend_service *service) {
    enum { TURNS = 2 };
    return service->tuning.fair > 0 && service->fair_lack > (int64_t)service->fair_turn * TURNS;
}

/* A lane in `fair` is fair. Lanes get unequal grants, and the same ones may be short in each frame. Therefore, while
 * fair lanes lack their part, the first lane of each round is fair. No other is fair then, as one search has one lane,
 * in rounds without two fair lanes anyway. */
static bool is_fair(const wend_service *service, bool lacking) {
    const uint32_t fair = service->tuning.fair;
    if (lacking && (service->scheduled == 0 || service->tuning.lanes <= fair)) return service->scheduled == 0;
    return fair > 0 && (service->lanes_scheduled + 1) % fair == 0;
}

/* Updates the balance of fair lanes, which must match a part of the others' expansions. A lack beyond a few turns is
 * forgotten, and so is a lead, so that neither lasts. */
void wend__schedule_settle(wend_service *service) {
    enum { REMEMBERED = 8 };
    const int64_t most = (int64_t)service->fair_turn * REMEMBERED, others = (int64_t)service->tuning.fair - 1;
    int64_t lack = service->fair_lack;
    for (uint32_t i = 0; i < service->scheduled; i++) {
        const wend__lane *lane = &service->lanes[i];
        const int64_t used = lane->used < FULL ? (int64_t)lane->used : FULL;
        lack += lane->fair ? -used * others : used;
    }
    service->fair_lack = lack > most ? most : lack < -most ? -most : lack;
}

/* Returns whether a request is so urgent that no other but the oldest gets a lane in its round. */
static bool rushes(const wend_service *service, uint32_t index) {
    const uint32_t rush = service->tuning.rush;
    return rush > 0 && index != WEND__NONE && service->entries[index].request.urgency >= (int32_t)rush;
}

static void deal_heads(wend_service *service, uint64_t most) {
    service->scheduled = service->discarded = 0;
    wend__ages_begin_round(service);
    const bool lacking = lacks_turns(service);
    bool rushed = false;
    while (service->scheduled < most) {
        wend__lane *lane = &service->lanes[service->scheduled];
        lane->fair = is_fair(service, lacking);
        if (rushed && !lane->fair && !rushes(service, next_waiting(service, false))) break;
        uint32_t head = deal_head(service, lane->fair);
        if (head == WEND__NONE) break;
        rushed = rushed || rushes(service, head);
        lane->list[0] = head;
        lane->count = 1;
        service->scheduled++;
        service->lanes_scheduled++;
    }
}

/* Requests for a lane after the early end of its first search. No search is evicted for them. */
static void deal_tails(wend_service *service, bool fair) {
    for (uint32_t place = 1; place < service->list_length; place++)
        for (uint32_t i = 0; i < service->scheduled; i++) {
            wend__lane *lane = &service->lanes[i];
            if (lane->fair != fair) continue;
            uint32_t choice = next_waiting(service, fair);
            if (choice == WEND__NONE || !claim(service, choice, false)) return;
            lane->list[lane->count++] = choice;
        }
}

/* Grants the frame's slice, or the lane's part of the rest, if that is less. */
static void grant_expansions(wend_service *service, uint64_t left) {
    uint64_t part = left / service->scheduled, rest = left % service->scheduled;
    for (uint32_t i = 0; i < service->scheduled; i++) {
        uint64_t mine = part + (i < rest);
        service->lanes[i].grant = mine < service->slice ? mine : service->slice;
    }
}

void wend__schedule_begin(wend_service *service, uint64_t expansions) {
    const uint64_t part = expansions / service->tuning.lanes, full = part < service->slice ? part : service->slice;
    service->fair_turn = (full < FULL ? full : FULL) * (service->tuning.fair > 0 ? service->tuning.fair - 1 : 0);
}

bool wend__schedule(wend_service *service, uint64_t left) {
    deal_heads(service, left < service->tuning.lanes ? left : service->tuning.lanes);
    if (service->scheduled == 0) return false;
    deal_tails(service, false);
    deal_tails(service, true);
    grant_expansions(service, left);
    return true;
}
