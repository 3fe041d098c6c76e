/* SPDX-License-Identifier: MIT */
/* The inbox: what any thread may do to a service, and how the owner takes it over. One mutex, held for a moment. */
#include "service/queue/inbox.h"

#include "service/backlog/backlog.h"
#include "service/queue/agent_table.h"
#include "service/queue/chain.h"
#include "service/queue/full.h"
#include "service/queue/goal_store.h"
#include "service/record/record.h"
#include "service/state/service_state.h"
#include "service/store/heap.h"
#include "service/store/path_arena.h"

/* ---- any thread ---- */

static bool is_good(const wend__inbox *inbox, wend_ticket ticket) {
    const wend__backlog *backlog = &inbox->backlog;
    if (backlog->waiters) {
        const wend__waiter *waiter = &backlog->waiters[ticket.index];
        return ticket.index < backlog->fresh && waiter->open && waiter->generation == ticket.generation;
    }
    if (ticket.index >= inbox->fresh_ticket) return false;
    const wend__ticket_state *state = &inbox->tickets[ticket.index];
    return state->open && state->generation == ticket.generation;
}

/* A free entry; its state opens to the ticket. WEND__NONE: all are taken. */
uint32_t wend__inbox_open_ticket(wend_service *service) {
    wend__inbox *inbox = &service->inbox;
    uint32_t index = inbox->free_ticket;
    if (index != WEND__NONE) {
        inbox->free_ticket = inbox->tickets[index].next_free;
    } else {
        if (inbox->fresh_ticket == inbox->ticket_count) return WEND__NONE;
        index = inbox->fresh_ticket++;
        inbox->tickets[index] = (wend__ticket_state){.generation = 1};
        if (!wend__has_backlog(service)) wend__agents_grow(service);
    }
    inbox->tickets[index].open = true;
    inbox->tickets[index].cancelled = false;
    return index;
}

/* The number of the frame by whose delivery it must be over; so late that it never comes where there is none. */
static uint64_t due_frame(uint64_t frame, uint64_t deadline_frames) {
    return deadline_frames > UINT64_MAX - frame ? UINT64_MAX : frame + deadline_frames;
}

/* Ticking would do nothing. */
static bool is_idle(const wend__inbox *inbox) {
    return inbox->work == 0 && inbox->asked == 0 && (inbox->shelved == 0 || !inbox->closed);
}

/* @param idle   it was, before what was done under the lock */
static void unlock_and_wake(wend__inbox *inbox, bool idle) {
    void (*wake)(void *) = idle && !is_idle(inbox) ? inbox->wake : NULL;
    void *context = inbox->wake_context;
    wend__mutex_unlock(inbox->mutex);
    if (wake) wake(context);
}

/* Requests that are not taken in yet, with the frame's number and in order. */
void wend__inbox_enter(wend_service *service, uint32_t index, const wend_request *request, wend__entering as) {
    wend__entry *entry = &service->entries[index];
    *entry = (wend__entry){.request = *request,
                           .number = as.number,
                           .submitted_frame = as.frame,
                           .due_frame = due_frame(as.frame, request->deadline_frames),
                           .cost = -1,
                           .asked = WEND_NO_LIMIT,
                           .status = WEND_STATUS_PENDING,
                           .generation = as.generation,
                           .waiter = as.waiter,
                           .slot = WEND__NONE,
                           .goals_first = as.goals_first,
                           .goals_last = as.goals_last,
                           .path = wend__no_path(),
                           .staged = WEND__NONE,
                           .state = WEND__ARRIVED};
    entry->request.more_goals = NULL;
}

/* With an entry from the beginning. */
static void arrive(wend_service *service, uint32_t index, const wend_request *request, wend__entering as) {
    wend__inbox *inbox = &service->inbox;
    as.generation = inbox->tickets[index].generation;
    wend__inbox_enter(service, index, request, as);
    wend__chain_append(service, &inbox->arrived, index);
    if (request->deadline_frames == WEND_NO_LIMIT) return;
    service->entries[index].next_dated = inbox->dated;
    inbox->dated = index;
}

/* In the backlog. */
static void wait_there(wend__backlog *backlog, uint32_t index, const wend_request *request, wend__entering as) {
    wend__waiter *waiter = &backlog->waiters[index];
    wend__backlog_write(waiter, request);
    waiter->number = as.number;
    waiter->submitted = (uint32_t)as.frame;
    waiter->goals_first = as.goals_first;
    waiter->goals_last = as.goals_last;
    wend__backlog_add(backlog, index);
}

static void count_accepted(wend__inbox *inbox, const wend_request *request) {
    wend_map_retain(request->map);
    inbox->polled += !request->on_done;
    inbox->pending++;
    inbox->work++;
    inbox->submitted++;
}

/* The record of a change, to be written; the inbox is locked, and the ticket is good. */
static wend__change *change_of(wend__inbox *inbox, uint32_t index, uint8_t what) {
    wend__change *change = &inbox->tickets[index].change[inbox->side];
    if (change->what == 0) change->frame = (uint8_t)inbox->frame;
    if (change->what == 0) inbox->asked++;
    change->what |= what;
    if (!change->listed) {
        change->listed = true;
        change->next = inbox->changed[inbox->side];
        inbox->changed[inbox->side] = index;
    }
    return change;
}

static void replace_waiter(wend__inbox *inbox, uint32_t index) {
    wend__waiter *waiter = &inbox->backlog.waiters[index];
    waiter->open = 0;
    if (waiter->cancelled || waiter->ends) return;
    if (waiter->entry == WEND__NONE) {
        wend__backlog_end(&inbox->backlog, index, WEND_STATUS_REPLACED);
    } else {
        change_of(inbox, waiter->entry, WEND__CHANGE_REPLACE);
        inbox->tickets[waiter->entry].open = false;
    }
}

/* The new request takes its agent's place in the table. The older one, if any, is replaced, unless it was cancelled
 * before. Its ticket is stale then, so that nothing is asked of it after that. */
static void take_agents_place(wend_service *service, uint32_t index) {
    wend__inbox *inbox = &service->inbox;
    const uint32_t older = wend__agents_put(service, index);
    if (older == WEND__NONE) return;
    if (inbox->backlog.waiters) {
        replace_waiter(inbox, older);
        return;
    }
    if (inbox->tickets[older].cancelled) return;
    change_of(inbox, older, WEND__CHANGE_REPLACE);
    inbox->tickets[older].open = false;
}

/* In a backlog the request that gives its place is known at once. */
static bool finds_place(wend__inbox *inbox, int32_t urgency, bool displace, uint32_t *gives) {
    wend__backlog *backlog = &inbox->backlog;
    const uint32_t limit = urgency > 0 ? inbox->queue : inbox->queue - inbox->reserve;
    *gives = WEND__NONE;
    if (inbox->pending - inbox->owed < limit) return true;
    if (!displace || inbox->owed >= WEND__MOST_OWED) return false;
    *gives = wend__backlog_last(backlog);
    return *gives != WEND__NONE && backlog->waiters[*gives].urgency < urgency;
}

static void give_place(wend__inbox *inbox, uint32_t index) {
    wend__backlog_end(&inbox->backlog, index, WEND_STATUS_DISPLACED);
    inbox->backlog.waiters[index].open = 0;
    inbox->owed++;
}

/* A place in the backlog. WEND__NONE: all are taken. */
static uint32_t open_waiter(wend_service *service) {
    wend__backlog *backlog = &service->inbox.backlog;
    const uint32_t fresh = backlog->fresh, index = wend__backlog_open(backlog);
    if (backlog->fresh > fresh) wend__agents_grow(service);
    return index;
}

static wend_error submit(wend_service *service, const wend_request *request, wend_ticket *out) {
    wend__inbox *inbox = &service->inbox;
    const bool backlog = wend__has_backlog(service);
    wend_error error = wend__request_check(request);
    if (error) return error;
    if (inbox->closed) return WEND_CLOSED;
    const uint32_t count = request->more_goal_count;
    bool owes = false, room = inbox->goals.free_count >= count && (request->on_done || inbox->polled < inbox->polls);
    uint32_t gives = WEND__NONE, index = WEND__NONE;
    if (backlog)
        room = room && finds_place(inbox, request->urgency, service->def.displace, &gives);
    else
        room = room && wend__full_admits(inbox, request->urgency, &owes);
    if (room) index = backlog ? open_waiter(service) : wend__inbox_open_ticket(service);
    if (index == WEND__NONE) {
        inbox->refused++;
        if (service->recorder) wend__record_refused(service);
        return WEND_BUSY;
    }
    wend__entering as = {.number = inbox->number++, .frame = inbox->frame, .waiter = WEND__NONE};
    wend__goal_store_keep(&inbox->goals, request->more_goals, count, &as.goals_first, &as.goals_last);
    if (gives != WEND__NONE) give_place(inbox, gives);
    if (backlog)
        wait_there(&inbox->backlog, index, request, as);
    else
        arrive(service, index, request, as);
    if (!backlog) wend__full_accepted(inbox, request->urgency, owes);
    count_accepted(inbox, request);
    if (request->agent != WEND_NO_AGENT) take_agents_place(service, index);
    if (service->recorder) wend__record_submitted(service, request, as.number);
    if (!out) return WEND_OK;
    *out = (wend_ticket){index, backlog ? inbox->backlog.waiters[index].generation : inbox->tickets[index].generation};
    return WEND_OK;
}

wend_error wend_service_submit_many(wend_service *service, const wend_request *requests, size_t count,
                                    wend_ticket *tickets, size_t *accepted) {
    wend__inbox *inbox = &service->inbox;
    if (!requests && count > 0) return WEND_BAD_ARGUMENT;
    const size_t step = count > 0 ? requests->struct_bytes : 0; /* the caller's */
    wend_error error = WEND_OK;
    size_t done = 0;
    const bool shut = service->recorder && wend__record_before_submit(service, requests, count);
    wend__mutex_lock(inbox->mutex);
    bool idle = is_idle(inbox);
    while (done < count) {
        const wend_request *theirs = (const void *)((const uint8_t *)requests + done * step);
        wend_request own;
        bool good = theirs->struct_bytes == step && wend__request_take(theirs, &own);
        error = good ? submit(service, &own, tickets ? &tickets[done] : NULL) : WEND_BAD_ARGUMENT;
        if (error) break;
        done++;
    }
    unlock_and_wake(inbox, idle);
    if (shut) wend__record_open_gate(service, shut);
    if (accepted) *accepted = done;
    return error;
}

wend_error wend_service_submit(wend_service *service, const wend_request *request, wend_ticket *out) {
    return wend_service_submit_many(service, request, 1, out, NULL);
}

static wend_map *map_of(const wend_service *service, uint32_t index) {
    const wend__waiter *waiters = service->inbox.backlog.waiters;
    return waiters ? waiters[index].map : service->entries[index].request.map;
}

static void change_entry(wend__inbox *inbox, uint32_t index, const wend__change *to) {
    wend__change *change = change_of(inbox, index, to->what);
    if (to->what == WEND__CHANGE_CANCEL) inbox->tickets[index].cancelled = true;
    if (to->what == WEND__CHANGE_URGENCY) change->urgency = to->urgency;
    if (to->what == WEND__CHANGE_GOAL) change->goal = to->goal;
}

/* Where a request waits in the backlog it is changed at once: no frame looks at it before its next intake. */
static void change_waiter(wend__inbox *inbox, uint32_t index, const wend__change *to) {
    wend__waiter *waiter = &inbox->backlog.waiters[index];
    if (to->what == WEND__CHANGE_CANCEL) waiter->cancelled = 1;
    if (waiter->entry != WEND__NONE) {
        change_entry(inbox, waiter->entry, to);
        return;
    }
    if (waiter->ends) return;
    if (to->what == WEND__CHANGE_CANCEL) wend__backlog_end(&inbox->backlog, index, WEND_STATUS_CANCELLED);
    if (to->what == WEND__CHANGE_URGENCY) wend__backlog_set_urgency(&inbox->backlog, index, to->urgency);
    if (to->what == WEND__CHANGE_GOAL) {
        const uint32_t count = waiter->goal_count;
        wend__backlog_set_goal(waiter, to->goal);
        if (waiter->goal_count == 0)
            wend__goal_store_give(&inbox->goals, &waiter->goals_first, &waiter->goals_last, count);
    }
}

static void change_request(wend_service *service, uint32_t index, const wend__change *to) {
    wend__inbox *inbox = &service->inbox;
    if (inbox->backlog.waiters)
        change_waiter(inbox, index, to);
    else
        change_entry(inbox, index, to);
    if (service->recorder) wend__record_changed(service, index, to);
}

/* Record a change. It makes work of a request that waits for a poll of others. While a ticket is good its request's
 * map is there, and nobody writes which it is. */
static wend_error ask(wend_service *service, wend_ticket ticket, const wend__change *to) {
    wend__inbox *inbox = &service->inbox;
    wend_error error = WEND_OK;
    const bool shut = service->recorder && to->what == WEND__CHANGE_CANCEL && wend__record_before_end(service);
    wend__mutex_lock(inbox->mutex);
    const bool idle = is_idle(inbox);
    if (!is_good(inbox, ticket))
        error = WEND_STALE_TICKET;
    else if (to->what == WEND__CHANGE_GOAL && !wend__map_has(map_of(service, ticket.index), to->goal))
        error = WEND_OUT_OF_RANGE;
    else
        change_request(service, ticket.index, to);
    unlock_and_wake(inbox, idle);
    if (shut) wend__record_open_gate(service, shut);
    return error;
}

wend_error wend_service_cancel(wend_service *service, wend_ticket ticket) {
    return ask(service, ticket, &(wend__change){.what = WEND__CHANGE_CANCEL});
}

wend_error wend_service_set_urgency(wend_service *service, wend_ticket ticket, int32_t urgency) {
    if (urgency < WEND_URGENCY_MIN || urgency > WEND_URGENCY_MAX) return WEND_BAD_ARGUMENT;
    return ask(service, ticket, &(wend__change){.what = WEND__CHANGE_URGENCY, .urgency = urgency});
}

/* Threads that cancel or change many requests let others in after so many. */
enum { AT_ONCE = 1024 };

static size_t end_of_part(size_t at, size_t count) {
    return count - at < AT_ONCE ? count : at + AT_ONCE;
}

/* Tickets from `at` on, up to `end`, under one lock. */
static size_t set_some_urgencies(wend_service *service, const wend_ticket *tickets, const int32_t *urgencies, size_t at,
                                 size_t end) {
    wend__inbox *inbox = &service->inbox;
    size_t applied = 0;
    wend__mutex_lock(inbox->mutex);
    const bool idle = is_idle(inbox);
    for (; at < end; at++) {
        if (!is_good(inbox, tickets[at])) continue;
        const wend__change change = {.what = WEND__CHANGE_URGENCY, .urgency = urgencies[at]};
        change_request(service, tickets[at].index, &change);
        applied++;
    }
    unlock_and_wake(inbox, idle);
    return applied;
}

wend_error wend_service_set_urgencies(wend_service *service, const wend_ticket *tickets, const int32_t *urgencies,
                                      size_t count, size_t *applied) {
    if (count > 0 && (!tickets || !urgencies)) return WEND_BAD_ARGUMENT;
    for (size_t i = 0; i < count; i++)
        if (urgencies[i] < WEND_URGENCY_MIN || urgencies[i] > WEND_URGENCY_MAX) return WEND_BAD_ARGUMENT;
    size_t good = 0;
    for (size_t at = 0; at < count; at = end_of_part(at, count))
        good += set_some_urgencies(service, tickets, urgencies, at, end_of_part(at, count));
    if (applied) *applied = good;
    return good == count ? WEND_OK : WEND_STALE_TICKET;
}

static bool may_cancel(const wend__inbox *inbox, uint32_t index) {
    const wend__waiter *waiter = inbox->backlog.waiters ? &inbox->backlog.waiters[index] : NULL;
    if (waiter) return waiter->open && !waiter->cancelled;
    return inbox->tickets[index].open && !inbox->tickets[index].cancelled;
}

/* Entries whose indexes are from *at on, a part of all. While a ticket is good its request's map is there. False where
 * there are no more. */
static bool cancel_some(wend_service *service, const wend_map *map, size_t *at, size_t *cancelled) {
    wend__inbox *inbox = &service->inbox;
    wend__mutex_lock(inbox->mutex);
    const bool idle = is_idle(inbox);
    const uint32_t all = wend__has_backlog(service) ? inbox->backlog.fresh : inbox->fresh_ticket;
    const size_t end = end_of_part(*at, all);
    for (; *at < end; ++*at) {
        const uint32_t index = (uint32_t)*at;
        if (!may_cancel(inbox, index) || map_of(service, index) != map) continue;
        change_request(service, index, &(wend__change){.what = WEND__CHANGE_CANCEL});
        ++*cancelled;
    }
    const bool more = *at < all;
    unlock_and_wake(inbox, idle);
    return more;
}

wend_error wend_service_cancel_map(wend_service *service, const wend_map *map, size_t *count) {
    size_t at = 0, cancelled = 0;
    if (!map) return WEND_BAD_ARGUMENT;
    const bool shut = service->recorder && wend__record_before_end(service);
    while (cancel_some(service, map, &at, &cancelled)) continue;
    if (shut) wend__record_open_gate(service, shut);
    if (count) *count = cancelled;
    return WEND_OK;
}

wend_error wend_service_set_goal(wend_service *service, wend_ticket ticket, wend_cell goal) {
    return ask(service, ticket, &(wend__change){.what = WEND__CHANGE_GOAL, .goal = goal});
}

static uint64_t guarded(const wend_service *service, const uint64_t *count) {
    wend__mutex_lock(service->inbox.mutex);
    uint64_t value = *count;
    wend__mutex_unlock(service->inbox.mutex);
    return value;
}

uint64_t wend_service_get_pending(const wend_service *service) {
    return guarded(service, &service->inbox.pending);
}

uint64_t wend_service_get_wait(const wend_service *service) {
    const wend__inbox *inbox = &service->inbox;
    wend__mutex_lock(inbox->mutex);
    const uint64_t pending = inbox->pending, served = inbox->served;
    wend__mutex_unlock(inbox->mutex);
    if (pending == 0 || served == 0) return pending == 0 ? 0 : WEND_NO_LIMIT;
    return (pending * WEND__SERVED_ONE + served - 1) / served;
}

uint64_t wend_service_get_work(const wend_service *service) {
    const wend__inbox *inbox = &service->inbox;
    wend__mutex_lock(inbox->mutex);
    uint64_t work = inbox->work + (inbox->closed ? inbox->shelved : 0);
    if (work == 0) work = inbox->asked;
    work += inbox->fields_work;
    wend__mutex_unlock(inbox->mutex);
    return work;
}

void wend_service_set_wake(wend_service *service, void (*wake)(void *context), void *context) {
    wend__mutex_lock(service->inbox.mutex);
    service->inbox.wake = wake;
    service->inbox.wake_context = context;
    wend__mutex_unlock(service->inbox.mutex);
}

void wend_service_close(wend_service *service) {
    wend__inbox *inbox = &service->inbox;
    const bool shut = service->recorder && wend__record_before_end(service);
    wend__mutex_lock(inbox->mutex);
    const bool idle = is_idle(inbox);
    inbox->closed = true;
    if (service->recorder) wend__record_closed(service);
    unlock_and_wake(inbox, idle);
    if (shut) wend__record_open_gate(service, shut);
}

/* ---- the owner ---- */

bool wend__inbox_find(wend_service *service, wend_ticket ticket, uint32_t *entry) {
    wend__mutex_lock(service->inbox.mutex);
    const wend__waiter *waiters = service->inbox.backlog.waiters;
    const bool good = is_good(&service->inbox, ticket);
    if (good) *entry = waiters ? waiters[ticket.index].entry : ticket.index;
    wend__mutex_unlock(service->inbox.mutex);
    return good;
}

void wend__inbox_open_frame(wend_service *service) {
    wend__inbox *inbox = &service->inbox;
    wend__mutex_lock(inbox->mutex);
    inbox->frame = service->frame;
    wend__record_opened(service);
    service->closing = inbox->closed;
    service->opened = inbox->pending;
    service->owed = inbox->lesser ? inbox->owed : 0; /* in a backlog they are displaced already */
    wend__chain arrived = inbox->arrived;
    uint32_t dated = inbox->dated;
    inbox->arrived = (wend__chain){WEND__NONE, WEND__NONE};
    inbox->dated = WEND__NONE;
    if (!service->behind) inbox->side = 1 - inbox->side;
    wend__mutex_unlock(inbox->mutex);
    if (arrived.first != WEND__NONE) {
        service->entries[arrived.first].previous = service->arrivals.last;
        if (service->arrivals.last == WEND__NONE)
            service->arrivals.first = arrived.first;
        else
            service->entries[service->arrivals.last].next = arrived.first;
        service->arrivals.last = arrived.last;
    }
    for (; dated != WEND__NONE; dated = service->entries[dated].next_dated)
        wend__heap_push(&service->due, service->entries[dated].due_frame, (uint32_t)service->entries[dated].number,
                        dated);
}

/* The inbox is locked. */
static bool is_before(const wend_service *service, unsigned side, const wend__change *change) {
    return side != service->inbox.side || change->frame != (uint8_t)service->frame;
}

wend__asked wend__inbox_asked(wend_service *service, uint32_t index) {
    wend__inbox *inbox = &service->inbox;
    wend__asked asked = {0, 0};
    wend__mutex_lock(inbox->mutex);
    for (unsigned side = 0; side < 2; side++) {
        const wend__change *change = &inbox->tickets[index].change[side];
        if (is_before(service, side, change))
            asked.before |= change->what;
        else
            asked.during |= change->what;
    }
    if (inbox->closed && !service->closing) asked.during |= WEND__CHANGE_CANCEL;
    wend__mutex_unlock(inbox->mutex);
    return asked;
}

/* The side that threads write has the later one. */
wend_cell wend__inbox_take_goal(wend_service *service, uint32_t index) {
    wend__inbox *inbox = &service->inbox;
    wend_cell goal = service->entries[index].request.goal;
    wend__mutex_lock(inbox->mutex);
    for (unsigned i = 0; i < 2; i++) {
        const unsigned side = i == 0 ? 1 - inbox->side : inbox->side;
        wend__change *change = &inbox->tickets[index].change[side];
        if (!(change->what & WEND__CHANGE_GOAL) || !is_before(service, side, change)) continue;
        goal = change->goal;
        change->what &= (uint8_t)~WEND__CHANGE_GOAL;
        inbox->asked -= change->what == 0;
    }
    wend__mutex_unlock(inbox->mutex);
    return goal;
}

static void shut_waiter(wend_service *service, uint32_t index) {
    wend__waiter *waiter = &service->inbox.backlog.waiters[index];
    if (waiter->agent != WEND_NO_AGENT) wend__agents_remove(service, index);
    waiter->open = 0;
    if (++waiter->generation == 0) waiter->generation = 1;
}

bool wend__inbox_shut(wend_service *service, uint32_t index, bool always) {
    wend__inbox *inbox = &service->inbox;
    wend__mutex_lock(inbox->mutex);
    wend__ticket_state *state = &inbox->tickets[index];
    const uint8_t asked = state->change[0].what | state->change[1].what;
    const bool ends = asked & WEND__CHANGE_END || (inbox->closed && !service->closing);
    const bool shut = always || !ends;
    if (shut) {
        if (service->entries[index].request.agent != WEND_NO_AGENT) wend__agents_remove(service, index);
        inbox->asked -= (state->change[0].what != 0) + (uint64_t)(state->change[1].what != 0);
        state->change[0].what = state->change[1].what = 0;
        state->open = false;
        if (++state->generation == 0) state->generation = 1;
        if (service->entries[index].waiter != WEND__NONE) shut_waiter(service, service->entries[index].waiter);
    }
    wend__mutex_unlock(inbox->mutex);
    return shut;
}

void wend__inbox_shelved(wend_service *service, bool shelved) {
    wend__inbox *inbox = &service->inbox;
    wend__mutex_lock(inbox->mutex);
    inbox->shelved += shelved ? 1 : UINT64_MAX;
    inbox->work += shelved ? UINT64_MAX : 1;
    wend__mutex_unlock(inbox->mutex);
}

void wend__inbox_applied(wend_service *service, uint64_t count) {
    wend__mutex_lock(service->inbox.mutex);
    service->inbox.asked -= count;
    wend__mutex_unlock(service->inbox.mutex);
}

void wend__inbox_wake_after(wend_service *service, void (*act)(wend_service *service)) {
    wend__inbox *inbox = &service->inbox;
    wend__mutex_lock(inbox->mutex);
    const bool idle = is_idle(inbox);
    wend__mutex_unlock(inbox->mutex);
    act(service);
    wend__mutex_lock(inbox->mutex);
    unlock_and_wake(inbox, idle);
}

void wend__inbox_work_done(wend_service *service) {
    wend__mutex_lock(service->inbox.mutex);
    service->inbox.work--;
    wend__mutex_unlock(service->inbox.mutex);
}

void wend__inbox_leave(wend_service *service, uint32_t index, bool had_work) {
    wend__inbox *inbox = &service->inbox;
    wend__mutex_lock(inbox->mutex);
    inbox->tickets[index].next_free = inbox->free_ticket;
    inbox->free_ticket = index;
    wend__goal_store_free(&inbox->goals, &service->entries[index]);
    const uint32_t waiter = service->entries[index].waiter;
    if (waiter != WEND__NONE) {
        inbox->backlog.used--;
        inbox->owed -= inbox->backlog.waiters[waiter].ends == WEND_STATUS_DISPLACED;
        wend__backlog_close(&inbox->backlog, waiter);
    }
    inbox->polled -= !service->entries[index].request.on_done;
    inbox->pending--;
    inbox->work -= had_work;
    wend__mutex_unlock(inbox->mutex);
}
