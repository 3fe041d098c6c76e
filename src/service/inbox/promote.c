/* SPDX-License-Identifier: MIT */
/* Gives entries to requests of the backlog. With an entry for each, they come in order of submission. In a longer queue
 * the first in order of service come, and for one place in `fair` the oldest. So a frame takes in a bounded number of
 * requests, however many wait. */
#include "service/backlog/backlog.h"
#include "service/inbox/inbox.h"
#include "service/queue/queue.h"
#include "service/state/service_state.h"
#include "service/store/path_arena.h"

/* Requests that get entries under one lock. */
enum { AT_ONCE = 64 };

/* ---- choosing a request ---- */

static uint32_t entries_left(const wend__backlog *backlog) {
    return backlog->entries - backlog->used;
}

/* Returns the next in order of service, or the oldest. */
static uint32_t next_in_turn(const wend_service *service, wend__backlog *backlog) {
    const uint32_t fair = service->tuning.fair;
    if (fair > 0 && ++backlog->dealt % fair == 0) return backlog->ages.first;
    return wend__lines_first(&backlog->lines);
}

/* If entries are short, a request gets one if fewer requests at least as urgent have entries than are free. So some are
 * always left for more urgent requests. */
static uint32_t first_if_urgent(const wend__backlog *backlog) {
    const uint32_t first = wend__lines_first(&backlog->lines);
    if (first == WEND__NONE) return WEND__NONE;
    const uint32_t less = wend__full_below(backlog->promoted, backlog->waiters[first].urgency);
    const uint32_t all = wend__full_below(backlog->promoted, WEND_URGENCY_MAX + 1);
    return all - less < entries_left(backlog) ? first : WEND__NONE;
}

/* Returns the oldest, if it came before this frame. */
static uint32_t next_by_age(const wend_service *service, const wend__backlog *backlog) {
    const uint32_t first = backlog->ages.first;
    return first != WEND__NONE && wend__backlog_number(backlog, first) < service->first_new ? first : WEND__NONE;
}

/* Returns WEND__NONE if none is to get an entry now. */
static uint32_t choose_next(const wend_service *service, wend__backlog *backlog) {
    const uint32_t left = entries_left(backlog), spare = service->closing ? 0 : backlog->spare;
    if (left == 0) return WEND__NONE;
    if (left > spare && (service->closing || backlog->count <= left - spare)) return next_by_age(service, backlog);
    return left > spare ? next_in_turn(service, backlog) : first_if_urgent(backlog);
}

/* ---- its entry ---- */

static uint32_t open_entry(wend__inbox *inbox) {
    const uint32_t index = inbox->free_entry;
    if (index != WEND__NONE) {
        inbox->free_entry = inbox->changes[index].next_free;
        return index;
    }
    inbox->changes[inbox->fresh_entry] = (wend__entry_changes){0};
    return inbox->fresh_entry++;
}

static uint64_t full_frame(const wend_service *service, uint32_t low) {
    return service->inbox.frame - (uint32_t)((uint32_t)service->inbox.frame - low);
}

/* Returns the deadline frame, or UINT64_MAX if the request has none. */
static uint64_t due_frame(uint64_t frame, uint64_t deadline_frames) {
    return deadline_frames > UINT64_MAX - frame ? UINT64_MAX : frame + deadline_frames;
}

void wend__inbox_count_promoted(wend__backlog *backlog, const wend__waiter *waiter, int32_t by) {
    if (backlog->spare > 0 && !waiter->ends) wend__full_add(backlog->promoted, waiter->urgency, by);
}

static uint32_t promote(wend_service *service, uint32_t index) {
    wend__inbox *inbox = &service->inbox;
    wend__waiter *waiter = &inbox->backlog.waiters[index];
    const uint32_t opened = open_entry(inbox);
    wend__entry *entry = &service->entries[opened];
    *entry = (wend__entry){.number = wend__backlog_number(&inbox->backlog, index),
                           .submitted_frame = full_frame(service, waiter->submitted),
                           .cost = -1,
                           .asked = WEND_NO_LIMIT,
                           .status = WEND_STATUS_PENDING,
                           .generation = waiter->generation,
                           .waiter = index,
                           .slot = WEND__NONE,
                           .goals_first = waiter->goals_first,
                           .goals_last = waiter->goals_last,
                           .path = wend__no_path(),
                           .buffered = WEND__NONE,
                           .state = WEND__ARRIVED};
    entry->request = wend__backlog_read(waiter);
    entry->due_frame = due_frame(entry->submitted_frame, entry->request.deadline_frames);
    wend__backlog_remove(&inbox->backlog, index);
    inbox->backlog.used++;
    wend__inbox_count_promoted(&inbox->backlog, waiter, 1);
    waiter->entry = opened;
    wend__chain_append(service, &service->arrivals, opened);
    if (entry->request.deadline_frames != WEND_NO_LIMIT)
        wend__heap_push(&service->due, entry->due_frame, (uint32_t)entry->number, opened);
    return opened;
}

bool wend__inbox_promote(wend_service *service) {
    wend__inbox *inbox = &service->inbox;
    uint32_t promoted = 0;
    wend__mutex_lock(inbox->mutex);
    for (; promoted < AT_ONCE; promoted++) {
        const uint32_t index = choose_next(service, &inbox->backlog);
        if (index == WEND__NONE) break;
        promote(service, index);
    }
    wend__mutex_unlock(inbox->mutex);
    return promoted > 0;
}

/* ---- out of turn ---- */

/* Ending requests may have half of the spare entries, urgent ones all. */
static bool may_end(const wend_service *service, const wend__backlog *backlog) {
    return entries_left(backlog) > (service->closing ? 0 : backlog->spare / 2);
}

static uint32_t promote_to_end(wend_service *service, uint32_t index) {
    return index != WEND__NONE && may_end(service, &service->inbox.backlog) ? promote(service, index) : WEND__NONE;
}

uint32_t wend__inbox_promote_ended(wend_service *service, wend_status *status) {
    wend__backlog *backlog = &service->inbox.backlog;
    wend__mutex_lock(service->inbox.mutex);
    const uint32_t index = backlog->ended.first, entry = promote_to_end(service, index);
    if (entry != WEND__NONE) *status = (wend_status)backlog->waiters[index].ends;
    wend__mutex_unlock(service->inbox.mutex);
    return entry;
}

uint32_t wend__inbox_promote_due(wend_service *service) {
    wend__mutex_lock(service->inbox.mutex);
    const uint32_t entry = promote_to_end(service, wend__backlog_due(&service->inbox.backlog, service->frame));
    wend__mutex_unlock(service->inbox.mutex);
    return entry;
}

bool wend__inbox_has_ended(wend_service *service) {
    wend__mutex_lock(service->inbox.mutex);
    const bool has = service->inbox.backlog.ended.first != WEND__NONE;
    wend__mutex_unlock(service->inbox.mutex);
    return has;
}

bool wend__inbox_displace_last(wend_service *service, uint32_t than, int32_t below) {
    wend__backlog *backlog = &service->inbox.backlog;
    wend__mutex_lock(service->inbox.mutex);
    const uint32_t last = wend__lines_last(&backlog->lines);
    const bool displaces =
        last != WEND__NONE && backlog->waiters[last].urgency < below &&
        (than == WEND__NONE || backlog->lines.places[last].key > wend__order_place(&service->entries[than]));
    if (displaces) backlog->waiters[last].open = 0; /* a cancellation would come too late */
    if (displaces) wend__backlog_end(backlog, last, WEND_STATUS_DISPLACED);
    wend__mutex_unlock(service->inbox.mutex);
    return displaces;
}
