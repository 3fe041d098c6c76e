/* SPDX-License-Identifier: MIT */
/* The inbox: what any thread may do to a service, and how the owner takes it over. One mutex, held for a moment. */
#include "service/queue/inbox.h"

#include "service/queue/agent_table.h"
#include "service/queue/chain.h"
#include "service/queue/full.h"
#include "service/queue/goal_store.h"
#include "service/record/record.h"
#include "service/state/service_state.h"
#include "service/store/heap.h"
#include "service/store/path_arena.h"

/* ---- any thread ---- */

static wend__ticket_state *state_of(wend__inbox *inbox, wend_ticket ticket) {
    if (ticket.index >= inbox->fresh_ticket) return NULL;
    wend__ticket_state *state = &inbox->tickets[ticket.index];
    return state->open && state->generation == ticket.generation ? state : NULL;
}

/* A free entry; its state opens to the ticket. WEND__NONE: all are taken. */
static uint32_t open_ticket(wend_service *service) {
    wend__inbox *inbox = &service->inbox;
    uint32_t index = inbox->free_ticket;
    if (index != WEND__NONE) {
        inbox->free_ticket = inbox->tickets[index].next_free;
    } else {
        if (inbox->fresh_ticket == inbox->ticket_count) return WEND__NONE;
        index = inbox->fresh_ticket++;
        inbox->tickets[index] = (wend__ticket_state){.generation = 1};
        wend__agents_grow(service);
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

/* Its further goals are in the store already. */
static void enter(wend_service *service, uint32_t index, const wend_request *request, uint32_t goals_first,
                  uint32_t goals_last) {
    wend__inbox *inbox = &service->inbox;
    wend__entry *entry = &service->entries[index];
    *entry = (wend__entry){.request = *request,
                           .number = inbox->number++,
                           .submitted_frame = inbox->frame,
                           .due_frame = due_frame(inbox->frame, request->deadline_frames),
                           .cost = -1,
                           .asked = WEND_NO_LIMIT,
                           .status = WEND_STATUS_PENDING,
                           .generation = inbox->tickets[index].generation,
                           .slot = WEND__NONE,
                           .goals_first = goals_first,
                           .goals_last = goals_last,
                           .path = wend__no_path(),
                           .staged = WEND__NONE,
                           .state = WEND__ARRIVED};
    entry->request.more_goals = NULL;
    wend__chain_append(service, &inbox->arrived, index);
    if (request->deadline_frames != WEND_NO_LIMIT) {
        entry->next_dated = inbox->dated;
        inbox->dated = index;
    }
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

/* The new request takes its agent's place in the table. The older one, if any, is replaced, unless it was cancelled
 * before. Its ticket is stale then, so that nothing is asked of it after that. */
static void take_agents_place(wend_service *service, uint32_t index) {
    wend__inbox *inbox = &service->inbox;
    const uint32_t older = wend__agents_put(service, index);
    if (older == WEND__NONE || inbox->tickets[older].cancelled) return;
    change_of(inbox, older, WEND__CHANGE_REPLACE);
    inbox->tickets[older].open = false;
}

static wend_error submit(wend_service *service, const wend_request *request, wend_ticket *out) {
    wend__inbox *inbox = &service->inbox;
    wend_error error = wend__request_check(request);
    if (error) return error;
    if (inbox->closed) return WEND_CLOSED;
    uint32_t first, last, count = request->more_goal_count;
    bool owes, room = inbox->goals.free_count >= count && (request->on_done || inbox->polled < inbox->polls);
    room = wend__full_admits(inbox, request->urgency, &owes) && room;
    uint32_t index = room ? open_ticket(service) : WEND__NONE;
    if (index == WEND__NONE) {
        inbox->refused++;
        if (service->recorder) wend__record_refused(service);
        return WEND_BUSY;
    }
    wend__goal_store_keep(&inbox->goals, request->more_goals, count, &first, &last);
    enter(service, index, request, first, last);
    wend__full_accepted(inbox, request->urgency, owes);
    if (request->agent != WEND_NO_AGENT) take_agents_place(service, index);
    if (service->recorder) wend__record_submitted(service, request, service->entries[index].number);
    if (out) *out = (wend_ticket){index, inbox->tickets[index].generation};
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

/* Record a change. It makes work of a request that waits for a poll of others. */
static wend_error ask(wend_service *service, wend_ticket ticket, const wend__change *to) {
    wend__inbox *inbox = &service->inbox;
    wend_error error = WEND_OK;
    const bool shut = service->recorder && to->what == WEND__CHANGE_CANCEL && wend__record_before_end(service);
    wend__mutex_lock(inbox->mutex);
    const bool idle = is_idle(inbox);
    if (!state_of(inbox, ticket)) {
        error = WEND_STALE_TICKET;
    } else if (to->what == WEND__CHANGE_GOAL && !wend__map_has(service->entries[ticket.index].request.map, to->goal)) {
        error =
            WEND_OUT_OF_RANGE; /* while a ticket is good its request's map is there, and nobody writes which it is */
    } else {
        wend__change *change = change_of(inbox, ticket.index, to->what);
        if (to->what == WEND__CHANGE_CANCEL) inbox->tickets[ticket.index].cancelled = true;
        if (to->what == WEND__CHANGE_URGENCY) change->urgency = to->urgency;
        if (to->what == WEND__CHANGE_GOAL) change->goal = to->goal;
        if (service->recorder) wend__record_changed(service, ticket.index, to);
    }
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
        if (!state_of(inbox, tickets[at])) continue;
        wend__change *change = change_of(inbox, tickets[at].index, WEND__CHANGE_URGENCY);
        change->urgency = urgencies[at];
        if (service->recorder) wend__record_urgency(service, tickets[at].index, change->urgency);
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

/* Entries whose indexes are from *at on, a part of all. While a ticket is good its request's map is there. False where
 * there are no more. */
static bool cancel_some(wend_service *service, const wend_map *map, size_t *at, size_t *cancelled) {
    wend__inbox *inbox = &service->inbox;
    wend__mutex_lock(inbox->mutex);
    const bool idle = is_idle(inbox);
    const size_t end = end_of_part(*at, inbox->fresh_ticket);
    for (; *at < end; ++*at) {
        wend__ticket_state *state = &inbox->tickets[*at];
        if (!state->open || state->cancelled || service->entries[*at].request.map != map) continue;
        change_of(inbox, (uint32_t)*at, WEND__CHANGE_CANCEL);
        state->cancelled = true;
        if (service->recorder) wend__record_cancelled(service, (uint32_t)*at);
        ++*cancelled;
    }
    const bool more = *at < inbox->fresh_ticket;
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

uint32_t wend__inbox_find(wend_service *service, wend_ticket ticket) {
    wend__mutex_lock(service->inbox.mutex);
    const bool good = state_of(&service->inbox, ticket) != NULL;
    wend__mutex_unlock(service->inbox.mutex);
    return good ? ticket.index : WEND__NONE;
}

void wend__inbox_open_frame(wend_service *service) {
    wend__inbox *inbox = &service->inbox;
    wend__mutex_lock(inbox->mutex);
    inbox->frame = service->frame;
    wend__record_opened(service);
    service->closing = inbox->closed;
    service->opened = inbox->pending;
    service->owed = inbox->owed;
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
        wend__heap_push(&service->due, service->entries[dated].due_frame, service->entries[dated].number, dated);
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
    inbox->polled -= !service->entries[index].request.on_done;
    inbox->pending--;
    inbox->work -= had_work;
    wend__mutex_unlock(inbox->mutex);
}
