/* SPDX-License-Identifier: MIT */
/* The inbox: calls that any thread may make to a service, and how the owner reads them. One mutex, held briefly. */
#include "service/inbox/inbox.h"

#include "mark/beside.h"
#include "service/queue/queue.h"
#include "recording/calls/recording.h"

/* ---- any thread ---- */

static uint64_t guarded(const wend_service *service, const uint64_t *count) {
    wend__mutex_lock(service->inbox.mutex);
    uint64_t value = *count;
    wend__mutex_unlock(service->inbox.mutex);
    return value;
}

uint64_t wend_service_get_pending(const wend_service *service) {
    WEND__ALIVE(service, "the service");
    return guarded(service, &service->inbox.pending);
}

uint64_t wend_service_get_wait(const wend_service *service) {
    WEND__ALIVE(service, "the service");
    const wend__inbox *inbox = &service->inbox;
    wend__mutex_lock(inbox->mutex);
    const uint64_t pending = inbox->pending, served = inbox->served;
    wend__mutex_unlock(inbox->mutex);
    if (pending == 0 || served == 0) return pending == 0 ? 0 : WEND_NO_LIMIT;
    return (pending * WEND__SERVED_ONE + served - 1) / served;
}

uint64_t wend_service_get_work(const wend_service *service) {
    WEND__ALIVE(service, "the service");
    const wend__inbox *inbox = &service->inbox;
    wend__mutex_lock(inbox->mutex);
    uint64_t work = inbox->work + (inbox->closed ? inbox->resting : 0);
    if (work == 0) work = inbox->asked;
    work += inbox->fields_work;
    wend__mutex_unlock(inbox->mutex);
    return work;
}

void wend_service_set_wake(wend_service *service, void (*wake)(void *context), void *context) {
    WEND__ALONE(service, "the service");
    wend__mutex_lock(service->inbox.mutex);
    wend__arena_bar(service->arena);
    service->inbox.wake = wake;
    service->inbox.wake_context = context;
    wend__mutex_unlock(service->inbox.mutex);
}

void wend_service_close(wend_service *service) {
    WEND__ALIVE(service, "the service");
    wend__inbox *inbox = &service->inbox;
    if (service->recording) wend__record_shut(service);
    wend__mutex_lock(inbox->mutex);
    const bool idle = wend__inbox_is_idle(inbox);
    inbox->closed = true;
    if (service->recording) wend__record_closed(service);
    wend__inbox_unlock(inbox, idle);
    if (service->recording) wend__record_open(service);
}

/* ---- the owner ---- */

bool wend__inbox_find(const wend_service *service, wend_ticket ticket, uint32_t *entry) {
    wend__mutex_lock(service->inbox.mutex);
    const wend__waiter *waiter = wend__inbox_waiter(&service->inbox, ticket);
    if (waiter) *entry = waiter->entry;
    wend__mutex_unlock(service->inbox.mutex);
    return waiter != NULL;
}

void wend__inbox_open_frame(wend_service *service) {
    wend__inbox *inbox = &service->inbox;
    wend__mutex_lock(inbox->mutex);
    inbox->frame = service->frame;
    service->closing = inbox->closed;
    service->opened = inbox->pending;
    service->first_new = inbox->number;
    service->owed = inbox->owed;
    service->ends = inbox->backlog.ended.first != WEND__NONE;
    if (!service->behind) inbox->side = 1 - inbox->side;
    wend__mutex_unlock(inbox->mutex);
}

/* Requires the locked inbox. */
static bool is_before(const wend_service *service, unsigned side, const wend__change *change) {
    return side != service->inbox.side || change->frame != (uint8_t)service->frame;
}

int32_t wend__inbox_mover(const wend_service *service, uint32_t index) {
    return service->inbox.backlog.waiters[service->entries[index].waiter].mover;
}

wend__asked wend__inbox_asked(wend_service *service, uint32_t index) {
    wend__inbox *inbox = &service->inbox;
    wend__asked asked = {0, 0};
    wend__mutex_lock(inbox->mutex);
    for (unsigned side = 0; side < 2; side++) {
        const wend__change *change = &inbox->changes[index].side[side];
        if (is_before(service, side, change))
            asked.before |= change->what;
        else
            asked.during |= change->what;
    }
    if (inbox->closed && !service->closing) asked.during |= WEND__CHANGE_CANCEL;
    wend__mutex_unlock(inbox->mutex);
    return asked;
}

/* The side that threads write has the later goal. */
wend_cell wend__inbox_take_goal(wend_service *service, uint32_t index) {
    wend__inbox *inbox = &service->inbox;
    wend_cell goal = service->entries[index].request.goal;
    wend__mutex_lock(inbox->mutex);
    for (unsigned i = 0; i < 2; i++) {
        const unsigned side = i == 0 ? 1 - inbox->side : inbox->side;
        wend__change *change = &inbox->changes[index].side[side];
        if (!(change->what & WEND__CHANGE_GOAL) || !is_before(service, side, change)) continue;
        goal = change->goal;
        change->what &= (uint8_t)~WEND__CHANGE_GOAL;
        inbox->asked -= change->what == 0;
    }
    wend__mutex_unlock(inbox->mutex);
    return goal;
}

static void shut_ticket(wend_service *service, uint32_t index) {
    wend__waiter *waiter = &service->inbox.backlog.waiters[index];
    if (waiter->agent != WEND_NO_AGENT) wend__agents_remove(service, index);
    waiter->open = 0;
    if (++waiter->generation == 0) waiter->generation = 1;
}

bool wend__inbox_shut(wend_service *service, uint32_t index, bool always) {
    wend__inbox *inbox = &service->inbox;
    wend__mutex_lock(inbox->mutex);
    wend__change *changes = inbox->changes[index].side;
    const uint8_t asked = changes[0].what | changes[1].what;
    const bool ends = asked & WEND__CHANGE_END || (inbox->closed && !service->closing);
    const bool shut = always || !ends;
    if (shut) {
        inbox->asked -= (changes[0].what != 0) + (uint64_t)(changes[1].what != 0);
        changes[0].what = changes[1].what = 0;
        shut_ticket(service, service->entries[index].waiter);
    }
    wend__mutex_unlock(inbox->mutex);
    return shut;
}

void wend__inbox_rests(wend_service *service, bool rests) {
    wend__inbox *inbox = &service->inbox;
    wend__mutex_lock(inbox->mutex);
    inbox->resting += rests ? 1 : UINT64_MAX;
    inbox->work += rests ? UINT64_MAX : 1;
    wend__mutex_unlock(inbox->mutex);
}

void wend__inbox_applied(wend_service *service, uint64_t count) {
    wend__mutex_lock(service->inbox.mutex);
    service->inbox.asked -= count;
    wend__mutex_unlock(service->inbox.mutex);
}

void wend__inbox_leave(wend_service *service, uint32_t index) {
    wend__inbox *inbox = &service->inbox;
    wend__entry *entry = &service->entries[index];
    WEND__DEBUG_ASSERT(entry->state == WEND__FINISHED && !inbox->backlog.waiters[entry->waiter].open);
    wend__mutex_lock(inbox->mutex);
    inbox->changes[index].next_free = inbox->free_entry;
    inbox->free_entry = index;
    inbox->backlog.used--;
    wend__goal_store_free(&inbox->goals, entry);
    wend__inbox_count_promoted(&inbox->backlog, &inbox->backlog.waiters[entry->waiter], -1);
    wend__backlog_close(&inbox->backlog, entry->waiter);
    inbox->pending--;
    inbox->work--;
    wend__mutex_unlock(inbox->mutex);
}
