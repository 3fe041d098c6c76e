/* SPDX-License-Identifier: MIT */
/* Requests of the backlog get entries: those that ended and those that are due, then the first in order of service,
 * and for one of so many places the oldest. So a frame takes in a bounded number of requests, however many wait. */
#include "service/backlog/backlog.h"
#include "service/inbox/inbox.h"
#include "service/queue/queue.h"
#include "service/state/service_state.h"

/* Requests that get entries under one lock. */
enum { AT_ONCE = 64 };

/* The next in order of service, or the oldest. */
static uint32_t next_in_turn(const wend_service *service, wend__backlog *backlog) {
    const uint32_t fair = service->tuning.fair;
    if (fair > 0 && ++backlog->dealt % fair == 0) return backlog->ages.first;
    return wend__backlog_first(backlog);
}

/* Where entries are short, a request gets one if fewer have one that are as urgent than are free. So whatever comes,
 * some are left for what is more urgent yet. */
static uint32_t first_if_urgent(const wend_service *service, const wend__backlog *backlog) {
    const uint32_t first = wend__backlog_first(backlog);
    if (first == WEND__NONE) return WEND__NONE;
    const uint32_t less = wend__full_below(backlog->promoted, backlog->waiters[first].urgency);
    const uint32_t all = wend__full_below(backlog->promoted, WEND_URGENCY_MAX + 1);
    return all - less < service->inbox.ticket_count - backlog->used ? first : WEND__NONE;
}

/* WEND__NONE: none is to get an entry now. */
static uint32_t choose(wend_service *service, wend__backlog *backlog) {
    if (backlog->count == 0 || backlog->used == service->inbox.ticket_count) return WEND__NONE;
    if (service->closing) return backlog->ended.first != WEND__NONE ? backlog->ended.first : backlog->ages.first;
    const uint32_t left = service->inbox.ticket_count - backlog->used;
    if (left > WEND__BACKLOG_SPARE / 2) {
        if (backlog->ended.first != WEND__NONE) return backlog->ended.first;
        const uint32_t due = wend__backlog_due(backlog, service->frame);
        if (due != WEND__NONE) return due;
    }
    return left > WEND__BACKLOG_SPARE ? next_in_turn(service, backlog) : first_if_urgent(service, backlog);
}

static uint64_t full_frame(const wend_service *service, uint32_t low) {
    return service->inbox.frame - (uint32_t)((uint32_t)service->inbox.frame - low);
}

static void promote(wend_service *service, uint32_t index) {
    wend__inbox *inbox = &service->inbox;
    wend__waiter *waiter = &inbox->backlog.waiters[index];
    const uint32_t entry = wend__inbox_open_ticket(service);
    const wend__request request = wend__backlog_read(waiter);
    wend__backlog_remove(&inbox->backlog, index);
    inbox->backlog.used++;
    if (!waiter->ends) wend__full_add(inbox->backlog.promoted, waiter->urgency, 1);
    waiter->entry = entry;
    wend__inbox_enter(service, entry, &request,
                      (wend__entering){.number = waiter->number,
                                       .frame = full_frame(service, waiter->submitted),
                                       .generation = waiter->generation,
                                       .unrecorded = waiter->unrecorded,
                                       .waiter = index,
                                       .goals_first = waiter->goals_first,
                                       .goals_last = waiter->goals_last});
    service->entries[entry].ends = waiter->ends;
    inbox->tickets[entry].open = waiter->open;
    inbox->tickets[entry].cancelled = waiter->cancelled;
    wend__chain_append(service, &service->arrivals, entry);
    if (request.deadline_frames != WEND_NO_LIMIT)
        wend__heap_push(&service->due, service->entries[entry].due_frame, (uint32_t)waiter->number, entry);
}

bool wend__inbox_promote(wend_service *service) {
    wend__inbox *inbox = &service->inbox;
    if (!wend__has_backlog(service)) return false;
    uint32_t promoted = 0;
    wend__mutex_lock(inbox->mutex);
    for (; promoted < AT_ONCE; promoted++) {
        const uint32_t index = choose(service, &inbox->backlog);
        if (index == WEND__NONE) break;
        promote(service, index);
    }
    wend__mutex_unlock(inbox->mutex);
    return promoted > 0;
}
