/* SPDX-License-Identifier: MIT */
/* The gate: what any thread may do to a service, and how the owner takes it over. One mutex, held for a moment. */
#include "service/service_internal.h"

/* ---- any thread ---- */

static wend__door *door_of(wend__gate *gate, wend_ticket ticket) {
    if (ticket.index >= gate->fresh_door) return NULL;
    wend__door *door = &gate->doors[ticket.index];
    return door->open && door->generation == ticket.generation ? door : NULL;
}

/* A free entry; its door opens to the ticket. WEND__NONE: all are taken. */
static uint32_t open_door(wend__gate *gate) {
    uint32_t index = gate->free_door;
    if (index != WEND__NONE) {
        gate->free_door = gate->doors[index].next_free;
    } else {
        if (gate->fresh_door == gate->door_count) return WEND__NONE;
        index = gate->fresh_door++;
        gate->doors[index] = (wend__door){.generation = 1};
    }
    gate->doors[index].open = true;
    return index;
}

/* The number of the frame by whose delivery it must be over; so late that it never comes where there is none. */
static uint64_t due_frame(uint64_t frame, uint64_t deadline_frames) {
    return deadline_frames > UINT64_MAX - frame ? UINT64_MAX : frame + deadline_frames;
}

/* Ticking would do nothing. */
static bool is_idle(const wend__gate *gate) {
    return gate->work == 0 && gate->asked == 0 && (gate->shelved == 0 || !gate->closed);
}

/* @param idle   it was, before what was done under the lock */
static void unlock_and_wake(wend__gate *gate, bool idle) {
    void (*wake)(void *) = idle && !is_idle(gate) ? gate->wake : NULL;
    void *context = gate->wake_context;
    wend__mutex_unlock(gate->mutex);
    if (wake) wake(context);
}

/* Its further goals are in the store already. */
static void enter(wend_service *service, uint32_t index, const wend_request *request, uint32_t goals_first,
                  uint32_t goals_last) {
    wend__gate *gate = &service->gate;
    wend__entry *entry = &service->entries[index];
    *entry = (wend__entry){.request = *request,
                           .number = gate->number++,
                           .submitted_frame = gate->frame,
                           .due_frame = due_frame(gate->frame, request->deadline_frames),
                           .cost = -1,
                           .asked = WEND_NO_LIMIT,
                           .status = WEND_STATUS_PENDING,
                           .generation = gate->doors[index].generation,
                           .slot = WEND__NONE,
                           .goals_first = goals_first,
                           .goals_last = goals_last,
                           .path = wend__no_path(),
                           .staged = WEND__NONE,
                           .state = WEND__ARRIVED};
    entry->request.more_goals = NULL;
    wend__chain_append(service, &gate->inbox, index);
    if (request->deadline_frames != WEND_NO_LIMIT) {
        entry->next_dated = gate->dated;
        gate->dated = index;
    }
    wend_map_retain(request->map);
    gate->polled += !request->on_done;
    gate->pending++;
    gate->work++;
    gate->submitted++;
}

static wend_error submit(wend_service *service, const wend_request *request, wend_ticket *out) {
    wend__gate *gate = &service->gate;
    wend_error error = wend__request_check(request);
    if (error) return error;
    if (gate->closed) return WEND_CLOSED;
    uint32_t first, last, count = request->more_goal_count;
    bool room = gate->goals.free_count >= count && (request->on_done || gate->polled < gate->polls);
    uint32_t index = room ? open_door(gate) : WEND__NONE;
    if (index == WEND__NONE) {
        gate->refused++;
        return WEND_BUSY;
    }
    wend__goals_keep(&gate->goals, request->more_goals, count, &first, &last);
    enter(service, index, request, first, last);
    if (out) *out = (wend_ticket){index, gate->doors[index].generation};
    return WEND_OK;
}

wend_error wend_service_submit_many(wend_service *service, const wend_request *requests, size_t count,
                                    wend_ticket *tickets, size_t *accepted) {
    wend__gate *gate = &service->gate;
    if (!requests && count > 0) return WEND_BAD_ARGUMENT;
    const size_t step = count > 0 ? requests->struct_bytes : 0; /* the caller's */
    wend_error error = WEND_OK;
    size_t done = 0;
    wend__mutex_lock(gate->mutex);
    bool idle = is_idle(gate);
    while (done < count) {
        const wend_request *theirs = (const void *)((const uint8_t *)requests + done * step);
        wend_request own;
        bool good = theirs->struct_bytes == step && wend__request_take(theirs, &own);
        error = good ? submit(service, &own, tickets ? &tickets[done] : NULL) : WEND_BAD_ARGUMENT;
        if (error) break;
        done++;
    }
    unlock_and_wake(gate, idle);
    if (accepted) *accepted = done;
    return error;
}

wend_error wend_service_submit(wend_service *service, const wend_request *request, wend_ticket *out) {
    return wend_service_submit_many(service, request, 1, out, NULL);
}

/* What a thread writes of a change; the gate is locked, and the ticket is good. */
static wend__change *change_of(wend__gate *gate, uint32_t index, uint8_t what) {
    wend__change *change = &gate->doors[index].change[gate->side];
    if (change->what == 0) change->frame = (uint8_t)gate->frame;
    if (change->what == 0) gate->asked++;
    change->what |= what;
    if (!change->listed) {
        change->listed = true;
        change->next = gate->changed[gate->side];
        gate->changed[gate->side] = index;
    }
    return change;
}

/* Ask for a change; `urgency` or `goal` says to what. A request that only a poll could bring forward is work again then. */
static wend_error ask(wend_service *service, wend_ticket ticket, const wend__change *to) {
    wend__gate *gate = &service->gate;
    wend_error error = WEND_OK;
    wend__mutex_lock(gate->mutex);
    const bool idle = is_idle(gate);
    if (!door_of(gate, ticket)) {
        error = WEND_STALE_TICKET;
    } else if (to->what == WEND__CHANGE_GOAL && !wend__map_has(service->entries[ticket.index].request.map, to->goal)) {
        error =
            WEND_OUT_OF_RANGE; /* while a ticket is good its request's map is there, and nobody writes which it is */
    } else {
        wend__change *change = change_of(gate, ticket.index, to->what);
        if (to->what == WEND__CHANGE_URGENCY) change->urgency = to->urgency;
        if (to->what == WEND__CHANGE_GOAL) change->goal = to->goal;
    }
    unlock_and_wake(gate, idle);
    return error;
}

wend_error wend_service_cancel(wend_service *service, wend_ticket ticket) {
    return ask(service, ticket, &(wend__change){.what = WEND__CHANGE_CANCEL});
}

wend_error wend_service_set_urgency(wend_service *service, wend_ticket ticket, int32_t urgency) {
    if (urgency < WEND_URGENCY_MIN || urgency > WEND_URGENCY_MAX) return WEND_BAD_ARGUMENT;
    return ask(service, ticket, &(wend__change){.what = WEND__CHANGE_URGENCY, .urgency = urgency});
}

wend_error wend_service_set_goal(wend_service *service, wend_ticket ticket, wend_cell goal) {
    return ask(service, ticket, &(wend__change){.what = WEND__CHANGE_GOAL, .goal = goal});
}

static uint64_t guarded(const wend_service *service, const uint64_t *count) {
    wend__mutex_lock(service->gate.mutex);
    uint64_t value = *count;
    wend__mutex_unlock(service->gate.mutex);
    return value;
}

uint64_t wend_service_get_pending(const wend_service *service) {
    return guarded(service, &service->gate.pending);
}

uint64_t wend_service_get_work(const wend_service *service) {
    const wend__gate *gate = &service->gate;
    wend__mutex_lock(gate->mutex);
    uint64_t work = gate->work + (gate->closed ? gate->shelved : 0);
    if (work == 0) work = gate->asked;
    wend__mutex_unlock(gate->mutex);
    return work;
}

void wend_service_set_wake(wend_service *service, void (*wake)(void *context), void *context) {
    wend__mutex_lock(service->gate.mutex);
    service->gate.wake = wake;
    service->gate.wake_context = context;
    wend__mutex_unlock(service->gate.mutex);
}

void wend_service_close(wend_service *service) {
    wend__gate *gate = &service->gate;
    wend__mutex_lock(gate->mutex);
    const bool idle = is_idle(gate);
    gate->closed = true;
    unlock_and_wake(gate, idle);
}

/* ---- the owner ---- */

void wend__gate_open_frame(wend_service *service) {
    wend__gate *gate = &service->gate;
    wend__mutex_lock(gate->mutex);
    gate->frame = service->frame;
    service->closing = gate->closed;
    wend__chain inbox = gate->inbox;
    uint32_t dated = gate->dated;
    gate->inbox = (wend__chain){WEND__NONE, WEND__NONE};
    gate->dated = WEND__NONE;
    if (!service->behind) gate->side = 1 - gate->side;
    wend__mutex_unlock(gate->mutex);
    if (inbox.first != WEND__NONE) {
        service->entries[inbox.first].previous = service->arrivals.last;
        if (service->arrivals.last == WEND__NONE)
            service->arrivals.first = inbox.first;
        else
            service->entries[service->arrivals.last].next = inbox.first;
        service->arrivals.last = inbox.last;
    }
    for (; dated != WEND__NONE; dated = service->entries[dated].next_dated)
        wend__heap_push(&service->due, service->entries[dated].due_frame, service->entries[dated].number, dated);
}

/* The gate is locked. */
static bool is_before(const wend_service *service, unsigned side, const wend__change *change) {
    return side != service->gate.side || change->frame != (uint8_t)service->frame;
}

wend__asked wend__gate_asked(wend_service *service, uint32_t index) {
    wend__gate *gate = &service->gate;
    wend__asked asked = {0, 0};
    wend__mutex_lock(gate->mutex);
    for (unsigned side = 0; side < 2; side++) {
        const wend__change *change = &gate->doors[index].change[side];
        if (is_before(service, side, change))
            asked.before |= change->what;
        else
            asked.during |= change->what;
    }
    if (gate->closed && !service->closing) asked.during |= WEND__CHANGE_CANCEL;
    wend__mutex_unlock(gate->mutex);
    return asked;
}

/* The side that threads write has the later one. */
wend_cell wend__gate_take_goal(wend_service *service, uint32_t index) {
    wend__gate *gate = &service->gate;
    wend_cell goal = service->entries[index].request.goal;
    wend__mutex_lock(gate->mutex);
    for (unsigned i = 0; i < 2; i++) {
        const unsigned side = i == 0 ? 1 - gate->side : gate->side;
        wend__change *change = &gate->doors[index].change[side];
        if (!(change->what & WEND__CHANGE_GOAL) || !is_before(service, side, change)) continue;
        goal = change->goal;
        change->what &= (uint8_t)~WEND__CHANGE_GOAL;
        gate->asked -= change->what == 0;
    }
    wend__mutex_unlock(gate->mutex);
    return goal;
}

bool wend__gate_shut(wend_service *service, uint32_t index, bool always) {
    wend__gate *gate = &service->gate;
    wend__mutex_lock(gate->mutex);
    wend__door *door = &gate->doors[index];
    bool cancelled =
        ((door->change[0].what | door->change[1].what) & WEND__CHANGE_CANCEL) || (gate->closed && !service->closing);
    bool shut = always || !cancelled;
    if (shut) {
        gate->asked -= (door->change[0].what != 0) + (uint64_t)(door->change[1].what != 0);
        door->change[0].what = door->change[1].what = 0;
        door->open = false;
        if (++door->generation == 0) door->generation = 1;
    }
    wend__mutex_unlock(gate->mutex);
    return shut;
}

void wend__gate_shelved(wend_service *service, bool shelved) {
    wend__gate *gate = &service->gate;
    wend__mutex_lock(gate->mutex);
    gate->shelved += shelved ? 1 : UINT64_MAX;
    gate->work += shelved ? UINT64_MAX : 1;
    wend__mutex_unlock(gate->mutex);
}

void wend__gate_applied(wend_service *service, uint64_t count) {
    wend__mutex_lock(service->gate.mutex);
    service->gate.asked -= count;
    wend__mutex_unlock(service->gate.mutex);
}

void wend__gate_wake_after(wend_service *service, void (*act)(wend_service *service)) {
    wend__gate *gate = &service->gate;
    wend__mutex_lock(gate->mutex);
    const bool idle = is_idle(gate);
    wend__mutex_unlock(gate->mutex);
    act(service);
    wend__mutex_lock(gate->mutex);
    unlock_and_wake(gate, idle);
}

void wend__gate_work_done(wend_service *service) {
    wend__mutex_lock(service->gate.mutex);
    service->gate.work--;
    wend__mutex_unlock(service->gate.mutex);
}

void wend__gate_leave(wend_service *service, uint32_t index, bool had_work) {
    wend__gate *gate = &service->gate;
    wend__mutex_lock(gate->mutex);
    gate->doors[index].next_free = gate->free_door;
    gate->free_door = index;
    wend__goals_free(&gate->goals, &service->entries[index]);
    gate->polled -= !service->entries[index].request.on_done;
    gate->pending--;
    gate->work -= had_work;
    wend__mutex_unlock(gate->mutex);
}
