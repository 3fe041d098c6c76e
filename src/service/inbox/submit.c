/* SPDX-License-Identifier: MIT */
/* Submission, by any thread: finds a place for the request, or refuses it. */
#include "service/inbox/inbox.h"
#include "mark/beside.h"
#include "service/queue/queue.h"
#include "recording/calls/recording.h"

static void count_accepted(wend__inbox *inbox, const wend__request *request) {
    wend_map_retain(request->map);
    inbox->pending++;
    inbox->work++;
    inbox->submitted++;
}

/* Puts the new request in its agent's place in the table. The older one, if any, is replaced, unless it was cancelled
 * before. Its ticket becomes stale, so that no change applies to it after that. */
static void take_agents_place(wend_service *service, uint32_t index) {
    wend__inbox *inbox = &service->inbox;
    const uint32_t older = wend__agents_put(service, index);
    if (older == WEND__NONE) return;
    wend__waiter *waiter = &inbox->backlog.waiters[older];
    if (waiter->cancelled || waiter->ends) return;
    waiter->open = 0;
    if (waiter->entry == WEND__NONE)
        wend__backlog_end(&inbox->backlog, older, WEND_STATUS_REPLACED);
    else
        wend__inbox_change(inbox, waiter->entry, WEND__CHANGE_REPLACE);
}

/* Returns a place in the backlog. WEND__NONE: all are taken. */
static uint32_t open_waiter(wend_service *service) {
    wend__backlog *backlog = &service->inbox.backlog;
    const uint32_t fresh = backlog->fresh, index = wend__backlog_open(backlog);
    if (backlog->fresh > fresh) wend__agents_grow(service);
    return index;
}

/* Hosts may be refused often, so these texts have no numbers. */
static wend_error refuse_busy(const wend__inbox *inbox, const wend__request *request) {
    if (inbox->goals.free_count < request->more_goal_count)
        return wend__refuse(WEND_BUSY, "the store of further goals is full: see wend_service_tuning.goals");
    return wend__refuse(WEND_BUSY, "the queue is full: see wend_service_def.queue, reserve and displace");
}

static wend_error submit(wend_service *service, const wend__request *request, bool unrecorded, wend_ticket *out) {
    wend__inbox *inbox = &service->inbox;
    wend_error error = wend__request_check(request);
    if (error) return error;
    if (!request->on_done) return wend__refuse_null("on_done");
    if (request->map->arena != service->arena) return wend__refuse_arenas();
    if (inbox->closed) return wend__refuse(WEND_CLOSED, "the service is closed: wend_service_close() was called");
    const uint32_t count = request->more_goal_count;
    bool owes = false;
    const bool room = inbox->goals.free_count >= count && wend__full_admits(inbox, request->urgency, &owes);
    const uint32_t index = room ? open_waiter(service) : WEND__NONE;
    if (index == WEND__NONE) {
        inbox->refused++;
        if (service->recording && !unrecorded) wend__record_refused(service);
        return refuse_busy(inbox, request);
    }
    wend__waiter *waiter = &inbox->backlog.waiters[index];
    wend__backlog_write(waiter, request);
    waiter->unrecorded = unrecorded;
    waiter->submitted = (uint32_t)inbox->frame;
    wend__goal_store_keep(&inbox->goals, request->more_goals, count, &waiter->goals_first, &waiter->goals_last);
    wend__backlog_add(&inbox->backlog, index, inbox->number);
    wend__full_accepted(inbox, request->urgency, owes);
    inbox->came[wend__rank(request->urgency)]++;
    count_accepted(inbox, request);
    if (request->agent != WEND_NO_AGENT) take_agents_place(service, index);
    if (service->recording && !unrecorded) wend__record_submitted(service, request, inbox->number);
    inbox->number++;
    if (out) *out = (wend_ticket){index, waiter->generation};
    return WEND_OK;
}

wend_error wend_service_submit(wend_service *service, const wend_request *request, wend_ticket *out) {
    WEND__ALIVE(service, "the service");
    wend__inbox *inbox = &service->inbox;
    wend__request own;
    wend_error error = WEND_BAD_ARGUMENT;
    if (!request) return wend__refuse_null("request");
    if (service->recording) wend__record_shut_for(service, request);
    wend__mutex_lock(inbox->mutex);
    const bool idle = wend__inbox_is_idle(inbox);
    const bool taken = wend__request_take(request, &own);
    if (taken && own.map) WEND__ALIVE(own.map, "the map");
    if (taken) error = submit(service, &own, false, out);
    wend__inbox_unlock(inbox, idle);
    if (service->recording) wend__record_open(service);
    return error;
}

wend_error wend__submit_unrecorded(wend_service *service, const wend__request *request, wend_ticket *out) {
    wend__inbox *inbox = &service->inbox;
    wend__mutex_lock(inbox->mutex);
    const bool idle = wend__inbox_is_idle(inbox);
    const wend_error error = submit(service, request, true, out);
    wend__inbox_unlock(inbox, idle);
    return error;
}
