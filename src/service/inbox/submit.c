/* SPDX-License-Identifier: MIT */
/* Submission, by any thread: a place for the request, or none. */
#include "service/inbox/inbox.h"
#include "service/queue/queue.h"
#include "record/recorder/record.h"
#include "service/store/path_arena.h"

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

/* Returns the deadline frame, or UINT64_MAX if the request has none. */
static uint64_t due_frame(uint64_t frame, uint64_t deadline_frames) {
    return deadline_frames > UINT64_MAX - frame ? UINT64_MAX : frame + deadline_frames;
}

/* Requests that are not taken in yet, with the frame's number and in order. */
void wend__inbox_enter(wend_service *service, uint32_t index, const wend__request *request, wend__entering as) {
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
                           .state = WEND__ARRIVED,
                           .unrecorded = as.unrecorded};
    entry->request.more_goals = NULL;
}

/* With an entry from the beginning. */
static void arrive(wend_service *service, uint32_t index, const wend__request *request, wend__entering as) {
    wend__inbox *inbox = &service->inbox;
    as.generation = inbox->tickets[index].generation;
    wend__inbox_enter(service, index, request, as);
    wend__chain_append(service, &inbox->arrived, index);
    if (request->deadline_frames == WEND_NO_LIMIT) return;
    service->entries[index].next_dated = inbox->dated;
    inbox->dated = index;
}

/* In the backlog. */
static void wait_there(wend__backlog *backlog, uint32_t index, const wend__request *request, wend__entering as) {
    wend__waiter *waiter = &backlog->waiters[index];
    wend__backlog_write(waiter, request);
    waiter->number = as.number;
    waiter->unrecorded = as.unrecorded;
    waiter->submitted = (uint32_t)as.frame;
    waiter->goals_first = as.goals_first;
    waiter->goals_last = as.goals_last;
    wend__backlog_add(backlog, index);
}

static void count_accepted(wend__inbox *inbox, const wend__request *request) {
    wend_map_retain(request->map);
    inbox->pending++;
    inbox->work++;
    inbox->submitted++;
}

static void replace_waiter(wend__inbox *inbox, uint32_t index) {
    wend__waiter *waiter = &inbox->backlog.waiters[index];
    waiter->open = 0;
    if (waiter->cancelled || waiter->ends) return;
    if (waiter->entry == WEND__NONE) {
        wend__backlog_end(&inbox->backlog, index, WEND_STATUS_REPLACED);
    } else {
        wend__inbox_change(inbox, waiter->entry, WEND__CHANGE_REPLACE);
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
    wend__inbox_change(inbox, older, WEND__CHANGE_REPLACE);
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

/* Hosts may be refused often, so these texts have no numbers. */
static wend_error refuse_busy(const wend__inbox *inbox, const wend__request *request) {
    if (inbox->goals.free_count < request->more_goal_count)
        return wend__refuse(WEND_BUSY, "the store of further goals is full: see wend_tuning.goals");
    return wend__refuse(WEND_BUSY, "the queue is full: see wend_service_def.queue, reserve and displace");
}

static wend_error submit(wend_service *service, const wend__request *request, bool unrecorded, wend_ticket *out) {
    wend__inbox *inbox = &service->inbox;
    const bool backlog = wend__has_backlog(service);
    wend_error error = wend__request_check(request);
    if (error) return error;
    if (!request->on_done) return wend__refuse_null("on_done");
    if (inbox->closed) return wend__refuse(WEND_CLOSED, "the service is closed: wend_service_close() was called");
    const uint32_t count = request->more_goal_count;
    bool owes = false, room = inbox->goals.free_count >= count;
    uint32_t gives = WEND__NONE, index = WEND__NONE;
    if (backlog)
        room = room && finds_place(inbox, request->urgency, service->def.displace, &gives);
    else
        room = room && wend__full_admits(inbox, request->urgency, &owes);
    if (room) index = backlog ? open_waiter(service) : wend__inbox_open_ticket(service);
    if (index == WEND__NONE) {
        inbox->refused++;
        if (service->recorder && !unrecorded) wend__record_refused(service);
        return refuse_busy(inbox, request);
    }
    wend__entering as = {
        .number = inbox->number++, .frame = inbox->frame, .waiter = WEND__NONE, .unrecorded = unrecorded};
    wend__goal_store_keep(&inbox->goals, request->more_goals, count, &as.goals_first, &as.goals_last);
    if (gives != WEND__NONE) give_place(inbox, gives);
    if (backlog)
        wait_there(&inbox->backlog, index, request, as);
    else
        arrive(service, index, request, as);
    if (!backlog) wend__full_accepted(inbox, request->urgency, owes);
    inbox->came[wend__rank(request->urgency)]++;
    count_accepted(inbox, request);
    if (request->agent != WEND_NO_AGENT) take_agents_place(service, index);
    if (service->recorder && !unrecorded) wend__record_submitted(service, request, as.number);
    if (!out) return WEND_OK;
    *out = (wend_ticket){index, backlog ? inbox->backlog.waiters[index].generation : inbox->tickets[index].generation};
    return WEND_OK;
}

wend_error wend_service_submit_many(wend_service *service, const wend_request *requests, size_t count,
                                    wend_ticket *tickets, size_t *accepted) {
    WEND__ALIVE(service, "the service");
    wend__inbox *inbox = &service->inbox;
    if (!requests && count > 0) return wend__refuse_null(count == 1 ? "request" : "requests");
    const size_t step = count > 0 ? requests->struct_bytes : 0; /* the caller's */
    wend_error error = WEND_OK;
    size_t done = 0;
    if (service->recorder) wend__record_shut_for(service, requests, count);
    wend__mutex_lock(inbox->mutex);
    bool idle = wend__inbox_is_idle(inbox);
    while (done < count) {
        const wend_request *theirs = (const void *)((const uint8_t *)requests + done * step);
        wend__request own;
        if (theirs->struct_bytes != step)
            error = wend__refuse(WEND_BAD_ARGUMENT, "requests[%zu].struct_bytes differs from that of the first", done);
        else if (!wend__request_take(theirs, &own))
            error = WEND_BAD_ARGUMENT;
        else
            error = submit(service, &own, false, tickets ? &tickets[done] : NULL);
        if (error) break;
        done++;
    }
    wend__inbox_unlock(inbox, idle);
    if (service->recorder) wend__record_open(service);
    if (accepted) *accepted = done;
    return error;
}

wend_error wend_service_submit(wend_service *service, const wend_request *request, wend_ticket *out) {
    return wend_service_submit_many(service, request, 1, out, NULL);
}

wend_error wend__submit_unrecorded(wend_service *service, const wend__request *request, wend_ticket *out) {
    wend__inbox *inbox = &service->inbox;
    wend__mutex_lock(inbox->mutex);
    const bool idle = wend__inbox_is_idle(inbox);
    const wend_error error = submit(service, request, true, out);
    wend__inbox_unlock(inbox, idle);
    return error;
}
